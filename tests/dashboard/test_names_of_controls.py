"""A control with a name of its own: who says the words on it, as to a voice control, means it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.config import ROOT

TEMPLATES = ROOT / "app" / "templates"
CONTROL = re.compile(r"<(a|button)\b([^>]*)>(.*?)</\1>", re.DOTALL)
NAME = re.compile(r'aria-label="([^"]*)"')
POST_BUTTON = re.compile(
    r"post_button\(\s*url_for\((?:[^()]|\([^()]*\))*\),\s*('[^']*'|\w+)[^}]*?label=('[^']*'|\w+)", re.DOTALL
)
UNSEEN = re.compile(r"\{\{-?\s*icon\(.*?\}\}|\{#.*?#\}|\{%.*?%\}", re.DOTALL)


def words(text: str) -> str:
    """The words and expressions of a piece of a template, without signs."""
    shown = re.sub(r"\{\{-?\s*(.*?)\s*-?\}\}", r"{{\1}}", re.sub("<[^>]*>", "", text).lower())
    return " ".join(re.findall(r"\{\{.*?\}\}|\w+", shown))


def controls(template: str) -> Iterator[tuple[str, str]]:
    """What is on each control that has a name, and the name."""
    for _, attributes, text in CONTROL.findall(UNSEEN.sub("", template)):
        for name in NAME.findall(attributes):
            yield words(text), words(name)
    for text, name in POST_BUTTON.findall(template):
        yield words(text), words(name)


def test_the_name_of_a_control_has_the_words_that_are_on_it() -> None:
    found = [pair for path in TEMPLATES.rglob("*.html") for pair in controls(path.read_text("utf-8"))]
    assert len(found) > 30
    assert [pair for pair in found if pair[0] not in pair[1] and pair != ("{{text}}", "{{label}}")] == []


def test_words_that_the_name_lacks_are_noticed() -> None:
    button = '<button aria-label="Remove the period {{ row }}">{{ icon("x") }}Remove this…</button>'
    call = "{{ ui.post_button(url_for('a.b', id=f(1)), 'Stop it', small=True, label='End ' ~ name) }}"
    assert list(controls(button + call)) == [
        ("remove this", "remove the period {{row}}"),
        ("stop it", "end"),
    ]
