"""What no page says is told to the editor of an article, however near the article's words come to it."""

from __future__ import annotations

from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest
from app.content.writing.article.writer import Work, write_article
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Providers
from tests.support import model_answers
from tests.support.article_material import ScriptedModel

GAP = "how often a beehive is painted in the sun"
ANSWERED = {"id": "g1", "text": "", "evidence": [], "blocks": []}


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_gap_is_noted_unless_the_editor_says_that_the_article_answers_it(
    is_answered: bool, bees: SourceSnapshot
) -> None:
    def plan(prompt: str) -> dict[str, Any]:
        return {**model_answers.plan(prompt), "gaps": [GAP]}

    def edit(_prompt: str) -> dict[str, Any]:
        return {"changes": [ANSWERED] if is_answered else []}

    model = ScriptedModel({"plan the article": plan, "edit the article": edit})
    work = Work(lambda *_: None, lambda: False, lambda: 60.0, NO_CACHE)
    written = write_article(GenerationRequest("beehive"), bees, Providers(model, model), work)
    assert isinstance(written, WrittenPost)
    noted = [note for note in written.editor_notes if GAP in note]
    assert bool(noted) is not is_answered
