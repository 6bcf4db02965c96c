"""A finding: a place in a draft that an editor would look at, and why. Pure."""

from dataclasses import dataclass

from app.content.writing.article.draft import Place


@dataclass(frozen=True)
class Finding:
    """What an editor would look at.

    ``place`` is None for the whole article. ``said`` has its words, ``advice`` what is wrong with them.
    """

    place: Place | None
    said: str
    advice: str

    def __str__(self) -> str:
        return f"“{self.said}” {self.advice}" if self.said else self.advice
