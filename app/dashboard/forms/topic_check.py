"""Checks the topic of a form before a post is generated: which pages cover it, and what is similar."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import request

from app.content.planning.expected import TopicCheck
from app.content.writing.choosing import check_engine
from app.dashboard.forms.generation import GenerateForm
from app.failures import ServiceFailure
from app.infra.inputs import load
from app.infra.settings import current_settings
from app.operations.generate_blog_post import OPERATION
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
    from app.content.topic_check import check_topic, has_similar  # loads a writer, which few requests need

    given = _given(project, form, topic, offered)
    if not pressed and not has_similar(project.id, given):
        return Checked()
    return Checked(check_topic(project.id, given), blocks=True)


def found_on_topic(project: Project, form: GenerateForm, offered: Mapping[str, str]) -> TopicCheck | None:
    """Return what a project has on the topic of a form that is being filled, None without a topic."""
    topic = form.subject(offered)[:_LONGEST]
    if not has_words(topic):
        return None
    from app.content.topic_check import check_topic  # loads a writer, which few requests need

    return check_topic(project.id, _given(project, form, topic, offered), is_quick=True)


def _given(project: Project, form: GenerateForm, topic: str, offered: Mapping[str, str]) -> Mapping[str, Any]:
    try:
        given = {**load(OPERATION.schema, form.payload(project)), "topic": topic}
        check_engine(given, current_settings())
    except ServiceFailure:
        return {"topic": topic, "keywords": form.main_keywords(offered)}
    return given
