"""Writes docs/failures.md from the failure catalogue: ``python -m devtools.failures_doc``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.failures import CATALOGUE, TAXONOMY_VERSION, FailureKind
from devtools.local import ROOT

PATH: Final = ROOT / "docs" / "failures.md"

_HEAD: Final = f"""# Failure codes

Every failure of the service, taxonomy `{TAXONOMY_VERSION}`. No other codes occur.

- `retryable`: the same request can succeed later. `fix required`: something has to change first. Exactly one
  of the two is true.
- Messages and hints are the usual ones. A failure may have more specific ones, and facts in `details`.
- A code without an HTTP status occurs only in a job's `failure`. A request that waits for the job (publish)
  gets 502.

`python -m devtools.failures_doc` generates this page from `app/failures.toml`.
"""


def render(kinds: Iterable[FailureKind] = CATALOGUE.values()) -> str:
    """Return the page: a table of all codes, then each code's message, hints and next actions."""
    found = tuple(kinds)
    table = ["| Code | HTTP | Category | Retryable | Fix required |", "| --- | --- | --- | --- | --- |"]
    table += [_row(kind) for kind in found]
    return "\n".join([_HEAD, *table, "", *(_described(kind) for kind in found)])


def _row(kind: FailureKind) -> str:
    truths = f"{_yes(kind.retryable)} | {_yes(kind.fix_required)}"
    return f"| `{kind.code}` | {kind.http or 'job'} | {kind.category} | {truths} |"


def _described(kind: FailureKind) -> str:
    hints = "\n".join(f"- {hint}" for hint in kind.hints)
    actions = ", ".join(f"`{action}`" for action in kind.next_actions)
    return f"## {kind.code}\n\n{kind.message}\n\n{hints}\n\nNext actions: {actions}.\n"


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(render(), encoding="utf-8")
