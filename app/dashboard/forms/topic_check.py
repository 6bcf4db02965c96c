"""Checks the topic of a form before a post is generated: which pages cover it, and what is similar."""

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
    """The result of the check, if there was one. With ``blocks`` no job is created yet."""

    found: TopicCheck | None = None
    blocks: bool = False


def checked_topic(project: Project, form: GenerateForm, offered: Mapping[str, str]) -> Checked:
    """Check the topic of a posted form.

    The “Check” button creates no job. Without it, similar posts and pages block the job until the person
    confirms this topic.
    """
    pressed = "check" in request.form
    topic = form.subject(offered)[:_LONGEST]
    if request.method != "POST" or not has_words(topic):
        return Checked(blocks=pressed)
    if not pressed and form.write_anyway.data == topic:
        return Checked()
    found = found_on_topic(project, form, offered)
    return Checked(found, blocks=True) if found and (pressed or found.has_similar) else Checked()


def found_on_topic(project: Project, form: GenerateForm, offered: Mapping[str, str]) -> TopicCheck | None:
    """Return what a project has on the topic of a form, None without a topic."""
    topic = form.subject(offered)[:_LONGEST]
    if not has_words(topic):
        return None
    return check_topic(project.id, topic, form.main_keywords(offered), project.language or "en")
