"""The text of a post as it is being written, each line with its trace."""

from __future__ import annotations

from app.content.assembly.tracing import from_template
from app.content.drafts import TraceEntry
from app.content.rendering.markdown import escape
from app.language.words import word_count


class Body:
    """The Markdown being written, each line with its trace; blocks are joined by blank lines."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.trace: list[TraceEntry] = []
        self.words = 0

    def add(self, markdown: str, *entries: TraceEntry, to_read: bool = True) -> None:
        """Write a block; ``to_read`` says whether its words count."""
        self.blocks.append(markdown)
        self.trace += entries
        if to_read:
            self.words += sum(word_count(entry.sentence) for entry in entries)

    def template(self, text: str) -> None:
        """Write one of the fixed lines."""
        self.add(escape(text), from_template(text))

    def heading(self, level: int, entry: TraceEntry) -> None:
        """Write a heading."""
        self.add(f"{'#' * level} {escape(entry.sentence)}", entry)

    @property
    def markdown(self) -> str:
        """The whole text."""
        return "\n\n".join(self.blocks) + "\n" if self.blocks else ""
