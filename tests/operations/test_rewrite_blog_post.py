"""REWRITE_BLOG_POST with a language model: one part of an article is written anew, as a proposal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from app.content.model import BlogPostProposal
from app.content.posts.proposals import use_proposal
from app.content.rendering.sections import sections_of
from app.content.writing.article.check_prompts import REVISE
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.operations.rewrite_blog_post import OPERATION
from tests.executions.conftest import Garden, count, job_of
from tests.support.beehives import generated, post_of_job
from tests.support.model_answers import FAULTY, evidence_in, task_of
from tests.support.model_exchange import Exchange
from tests.support.model_scenarios import ok
from tests.support.model_server import ModelServer
from tests.support.refreshing import proposal_of, stored
from tests.support.working import run_job

ASKED = "Say it in other words."

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@pytest.fixture
def article(garden: Garden, page_ids: list[int]) -> int:
    """The id of an article on beehives."""
    return post_of_job(generated(garden, topic="beehive")).id


def revising(answer: Callable[[list[str], str], list[dict[str, object]]]) -> Callable[[Exchange], None]:
    """Answer the task of revising with these sentences, and every other task as always."""

    def respond(asked: Exchange) -> None:
        prompt = asked.body["messages"][-1]["content"]
        if task_of(asked.body["messages"]) != REVISE:
            ok(asked)
        else:
            asked.say(json.dumps({"sentences": answer(FAULTY.findall(prompt), prompt)}))

    return respond


def quoting(numbers: list[str], prompt: str) -> list[dict[str, object]]:
    """The first piece of evidence that is a sentence, for each sentence."""
    unit = next(each for each in evidence_in(prompt) if each.text.endswith("."))
    text = " ".join(unit.text.split())
    return [{"n": int(n), "text": text, "evidence": [unit.id]} for n in numbers]


def inventing(numbers: list[str], _prompt: str) -> list[dict[str, object]]:
    return [{"n": int(n), "text": "It costs 4,999 dollars.", "evidence": []} for n in numbers]


def rewritten(garden: Garden, post_id: int, **part: str) -> ExecutionJob:
    job_id = garden.queued(OPERATION.name, payload={"blog_post_id": post_id, "instruction": ASKED, **part})
    run_job(job_id)
    return job_of(job_id)


def a_sentence(post_id: int) -> str:
    trace = stored(post_id).trace
    return str(next(each["sentence"] for each in trace if each["origin"] == "model"))


def test_a_sentence_is_written_anew_and_waits_beside_the_post(
    garden: Garden, article: int, model_server: ModelServer
) -> None:
    model_server.respond = revising(quoting)
    old, before = a_sentence(article), stored(article).content
    job = rewritten(garden, article, sentence=old)
    assert job.result is not None, job.failure
    assert (job.result["changed"], len(job.result["changes"])) == (True, 1)
    assert job.result["usage"]["calls"] == 2
    assert any(ASKED in json.dumps(body) for body in model_server.bodies)
    proposal = proposal_of(article)
    assert job.result["proposal_id"] == proposal.id
    assert stored(article).content == before
    assert old not in proposal.content
    new = job.result["changes"][0].partition("” → “")[2].removesuffix("”")
    assert proposal.content.replace(new, old, 1) == before
    proposal_id, content = proposal.id, proposal.content
    assert use_proposal(stored(article), proposal_id).content == content


def test_only_the_named_section_changes_and_what_is_left_empty_goes(
    garden: Garden, article: int, model_server: ModelServer
) -> None:
    first, *others = sections_of(stored(article).content)
    rewritten(garden, article, heading=first.heading)
    new = {each.heading: each.text for each in sections_of(proposal_of(article).content)}
    assert new.get(first.heading) != first.text
    assert all(new[each.heading].strip() == each.text.strip() for each in others)


def test_a_sentence_without_supported_other_words_stays(
    garden: Garden, article: int, model_server: ModelServer
) -> None:
    model_server.respond = revising(inventing)
    job = rewritten(garden, article, sentence=a_sentence(article))
    assert job.failure is not None
    assert job.failure["message"] == "The text provider found no other words that the evidence supports."
    assert count(BlogPostProposal) == 0


@pytest.mark.parametrize("part", [{"heading": "Nowhere"}, {"sentence": "Bees are blue."}])
def test_a_part_that_is_not_there_is_refused(garden: Garden, article: int, part: dict[str, str]) -> None:
    with pytest.raises(ServiceFailure) as refused:
        rewritten(garden, article, **part)
    assert refused.value.errors[0]["field"] == f"/payload/{next(iter(part))}"


def test_a_post_of_excerpts_is_refused(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, topic="beehive", engine="extractive"))
    with pytest.raises(ServiceFailure, match="REWRITE_NOT_POSSIBLE"):
        rewritten(garden, post.id, heading=sections_of(post.content)[0].heading)
