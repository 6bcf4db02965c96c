"""Pages as sites write them, kept as files, and pages made of a few elements; each as it is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.pages.extraction.blocks import Block, Extracted
from app.pages.extraction.extract import extract

PAGES = Path(__file__).parent.parent / "pages" / "html"
URL = "https://spokewise.org/page"


def page(name: str) -> Extracted:
    return extract((PAGES / f"{name}.html").read_bytes(), URL)


def read(body: str, head: str = "") -> Sequence[Block]:
    return extract(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode(), URL).blocks


def texts(body: str, head: str = "") -> list[str]:
    return [block.text for block in read(body, head)]


def group(content: Extracted, name: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in content.blocks if block.group == name]
