"""SUGGEST_TITLES: finds angles on the project's pages that no page or post is about yet."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema

from app.content.request import is_topic
from app.language.words import word_count
from app.operations.base import Operation, performed_by
from app.operations.fields import ids, number
from app.operations.generation import check_ids

USUAL: Final = 10
MOST: Final = 50
_SHORTEST_TITLE: Final = 3
"""Words. The engine extends a shorter title."""


class SuggestTitlesInput(Schema):
    count = number(1, MOST, f"How many ideas at most; {USUAL} when left out.", USUAL)
    keyword_ids = ids(MOST, "Keywords of the project that the ideas must be about; all in use when left out.")


def generation_payload(idea: Mapping[str, Any]) -> dict[str, Any]:
    payload: dict[str, Any] = {}
    if is_topic(idea["topic"]):
        payload["topic"] = idea["topic"]
    if word_count(idea["title"]) >= _SHORTEST_TITLE:
        payload["title"] = idea["title"]
    if idea["keyword"]:
        # By its text, because the keyword may have been removed since.
        payload["keywords"] = [idea["keyword"]]
    return payload


OPERATION = Operation(
    name="SUGGEST_TITLES",
    title="Suggest titles",
    summary="Finds ideas for posts: angles on the pages that no page or post is about yet.",
    schema=SuggestTitlesInput,
    perform=performed_by("suggest_titles"),
    admit=check_ids,
    counts_as_waiting=True,
)
