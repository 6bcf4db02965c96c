"""The ids by which a post names its evidence: ``page_id:block_id``. Pure."""

from __future__ import annotations


def evidence_id(page_id: int, block_id: str) -> str:
    """Return the id under which brief, outline and trace know a block."""
    return f"{page_id}:{block_id}"


def page_of(source: str) -> int:
    """Return the page of an evidence id; 0 for the id of something that the caller or the project gave."""
    page_id = source.partition(":")[0]
    return int(page_id) if page_id.isdecimal() else 0
