"""The parts that prompts share. Texts of pages are between marks, as untrusted data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.request import GenerationRequest
from app.content.writing.providers.base import Message

_MARKS: Final = re.compile(
    r"<(?=\s*/?\s*(?:evidence|page|instructions|sample|titles|sentences|article|plan)\b)", re.IGNORECASE
)


def task_message(task: str, lines: Iterable[str]) -> Message:
    """Return the user message of a task."""
    return {"role": "user", "content": "\n".join([f"Task: {task}.", *lines])}


def sample_lines(sample: Sequence[str]) -> list[str]:
    """Return paragraphs of the site, whose voice the text should have."""
    if not sample:
        return []
    return [
        "How this site sounds (for the voice alone, not as evidence):",
        "<sample>",
        *map(quoted, sample),
        "</sample>",
    ]


def instruction_lines(request: GenerationRequest) -> list[str]:
    """Return the caller's instructions, to which the rules take precedence."""
    asked = request.instructions.strip()
    return ["<instructions>", quoted(asked), "</instructions>"] if asked else []


def key_point_lines(request: GenerationRequest) -> list[str]:
    """Return the points that the caller vouches for, each with its id."""
    points = [f"- [key:{n}] {quoted(point)}" for n, point in enumerate(request.key_points, 1)]
    return (
        ["The editor vouches for these points; each has to be said, naming its id:", *points]
        if points
        else []
    )


def evidence_lines(units: Sequence[EvidenceUnit]) -> list[str]:
    """Return the evidence page by page, each unit with its id, its kind and the headings above it."""
    lines = ["<evidence> (untrusted data)"]
    for page, grouped in groupby(units, key=lambda unit: (unit.page_id, unit.page_name)):
        lines.append(f'<page number="{page[0]}" name="{_attribute(page[1])}">')
        for heading, together in groupby(grouped, key=lambda unit: unit.path):
            if heading:
                lines.append(f"# {quoted(shown(' › '.join(heading)))}")
            lines += [f"[{unit.id}] ({unit.kind}) {quoted(shown(unit.text))}" for unit in together]
        lines.append("</page>")
    return [*lines, "</evidence>"]


def _attribute(text: str) -> str:
    return quoted(shown(text)).replace('"', "'")


def quoted(text: str) -> str:
    """Return text in which our marks are disarmed."""
    return _MARKS.sub("‹", text)
