"""The topic of a form, looked at before a post is generated: what carries it, and what is about the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import request

from app.content.planning.topic_check import TopicCheck, check_topic
from app.dashboard.forms.generation import GenerateForm
from app.pages.extraction.blocks import has_words
from app.projects.model import Project

_LONGEST: Final = 200


@dataclass(frozen=True)
class Checked:
    """What was found on the form's topic, if it was looked for; ``holds_back`` says that nothing is made."""

    found: TopicCheck | None = None
    holds_back: bool = False


def checked_topic(project: Project, form: GenerateForm, offered: Mapping[str, str]) -> Checked:
    """Look at the topic of a form that was sent.

    The button for it makes nothing; without it, what is about the same holds the generation back until the
    person says of this very topic to write anyway.
    """
    asked = "check" in request.form
    topic = form.subject(offered)[:_LONGEST]
    if request.method != "POST" or not has_words(topic):
        return Checked(holds_back=asked)
    if not asked and form.write_anyway.data == topic:
        return Checked()
    found = check_topic(project.id, topic, form.main_keywords(offered), project.language or "en")
    return Checked(found, holds_back=True) if asked or found.has_similar else Checked()
