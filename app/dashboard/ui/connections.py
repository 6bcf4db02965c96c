"""How publish targets are shown: their settings, the steps of their tests, and what they answered."""

from collections.abc import Mapping
from typing import Any, Final

from app.infra.http.errors import FetchErrorKind
from app.publishing.model import Publication, PublishTarget
from app.publishing.targets.base import TargetKind
from app.publishing.targets.registry import KINDS

CHECK_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "reachable": ("Your site answers", "Your site does not answer"),
    "api_found": ("It takes posts from other programs", "The way in for posts was not found"),
    "signed_in": ("Signed in", "Not signed in"),
    "may_publish": ("May publish posts", "May not publish posts"),
    "may_delete": ("May take posts back", "May not take posts back"),
}

_FAILED_BY: Final[Mapping[str, str]] = {
    FetchErrorKind.CERTIFICATE: "Your site’s certificate is not valid",
    FetchErrorKind.TLS: "No secure connection to your site",
    FetchErrorKind.DNS: "The name of your site was not found",
}

_OF_TARGETS: Final = ("TARGET_", "PUBLISH_", "UNPUBLISH_")
_REPLY: Final[Mapping[str, str]] = {
    "address": "Address called",
    "status": "Status it answered",
    "answer": "In its words",
    "message": "What happened",
    "missing": "Rights it lacks",
}


def check_words(step: Mapping[str, Any]) -> str:
    name = str(step.get("name"))
    passed, failed = CHECK_WORDS.get(name, (name, name))
    if step.get("passed"):
        return passed
    details = (step.get("failure") or {}).get("details") or {}
    return _FAILED_BY.get(str(details.get("reason")), failed)


def mending_words(failure: Mapping[str, Any] | None) -> str:
    """Return what the link to a connection's settings says: what its failure asks for there."""
    return "Enter a new password or key" if _is_about_secret(failure) else "Edit connection"


def mending_words_of(target: PublishTarget) -> str:
    return mending_words(_failure_of(target))


def asks_for_secret(target: PublishTarget) -> bool:
    """Return whether the last test of a target failed because of its password or key."""
    return _is_about_secret(_failure_of(target))


def trouble_of(target: PublishTarget) -> str:
    """Return why the last test of a target failed, such as “not signed in”; empty if it did not."""
    check = target.last_check or {}
    failed = (check_words(step) for step in check.get("steps", ()) if not step["passed"])
    words = next(failed, "")
    return words[:1].lower() + words[1:]


def settings_in_words(kind: TargetKind | None, settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the labels and values of a target's settings, those of an unknown kind by their names."""
    if kind is None:
        return [(name, str(value)) for name, value in settings.items() if value]
    known = [(setting, str(settings.get(setting.name) or "")) for setting in kind.settings]
    return [(setting.label, dict(setting.choices).get(value, value)) for setting, value in known if value]


def what_it_said(failure: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a publish target answered, as labels and values: the address called, status and words."""
    if not str(failure.get("code")).startswith(_OF_TARGETS):
        return []
    details = failure.get("details") or {}
    return [(label, str(details[name])) for name, label in _REPLY.items() if details.get(name)]


def is_built(target: PublishTarget | None) -> bool:
    kind = KINDS.get(target.kind) if target is not None else None
    return kind is not None and kind.is_built


def can_unpublish(target: PublishTarget | None) -> bool:
    kind = KINDS.get(target.kind) if target is not None else None
    return kind is not None and kind.unpublish is not None


def opens(publication: Publication, target: PublishTarget | None) -> bool:
    """Return whether a publication has a page: a draft has none on a site that is built."""
    is_hidden = publication.state == "draft" and is_built(target)
    return bool(publication.url) and publication.state != "unpublished" and not is_hidden


def address_of(target: PublishTarget | None) -> str | None:
    """Return the address of a target's site, None if its kind has none."""
    kind = KINDS.get(target.kind) if target is not None else None
    if target is None or kind is None:
        return None
    return next((target.settings.get(each.name) for each in kind.settings if each.is_address), None)


def _failure_of(target: PublishTarget) -> Mapping[str, Any] | None:
    steps = (target.last_check or {}).get("steps", ())
    return next((step.get("failure") for step in steps if not step["passed"]), None)


def _is_about_secret(failure: Mapping[str, Any] | None) -> bool:
    return failure is not None and failure.get("code") == "TARGET_AUTH"


GLOBALS: Final = (asks_for_secret, check_words, mending_words_of, settings_in_words, trouble_of, what_it_said)
