"""The kinds of publish target; docs/adding-a-publisher.md explains how to add one."""

from typing import Final

from app.failures import invalid_field
from app.publishing.targets.base import TargetKind
from app.publishing.targets.ghost.kind import GHOST
from app.publishing.targets.git.github import GITHUB
from app.publishing.targets.git.kind import GIT
from app.publishing.targets.webhook import WEBHOOK
from app.publishing.targets.wordpress.kind import WORDPRESS

KINDS: Final[dict[str, TargetKind]] = {kind.name: kind for kind in (WORDPRESS, GHOST, GITHUB, GIT, WEBHOOK)}


def offered_kinds() -> dict[str, TargetKind]:
    """Return the kinds that can be connected in this installation. Needs an application context."""
    return {name: kind for name, kind in KINDS.items() if kind.is_offered()}


def kind_of(name: str) -> TargetKind:
    """Return the kind of target with a name. Raises INVALID_REQUEST for ``/kind``."""
    if name not in KINDS:
        message = f"There is no such kind of target; use one of: {', '.join(KINDS)}."
        raise invalid_field("/kind", message)
    return KINDS[name]
