"""Answers that were paid for already: a job's next attempt and its retry need not ask for them again.

An answer stands under the digest of everything that was asked, so it serves again only where provider, model,
rules, wishes and evidence are the very same: a page that reads differently asks a different question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.content.writing.providers.base import Message, TextProvider


def _keep_nothing(_answers: Mapping[str, str]) -> None:
    """Let new answers go."""


@dataclass(frozen=True)
class Memory:
    """``earlier`` are answers of attempts before, by their digests; ``keep`` stores all that this one has.

    ``keep`` is called from the job's own thread and may raise when the job is over.
    """

    earlier: Mapping[str, str] = field(default_factory=dict)
    keep: Callable[[Mapping[str, str]], None] = _keep_nothing


NO_MEMORY: Final = Memory()


def digest_of(provider: TextProvider, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
    """Return the digest of a question to a model."""
    asked = [provider.name, provider.model, list(messages), schema]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
