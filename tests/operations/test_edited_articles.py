"""A person's edits in an article: what a refresh and a rewrite leave of them, and how it is judged then."""

from __future__ import annotations

import pytest
from flask import Flask

from app.content.drafts import QualityCheck, QualityReport
from app.content.model import BlogPost
from app.content.posts import proposals
from app.content.posts.checking import quality_of
from app.content.posts.reading import Reading, read_post
from app.content.posts.service import edit_post
from app.content.posts.source_pages import sources_of
from app.content.quality.verdict import verdict_of
from app.dashboard.ui.verdicts import stored_verdict
from app.failures import ServiceFailure
from app.infra.db import db
from app.operations.rewrite_blog_post import OPERATION
from tests.content.conftest import CARE, FAQ, HIVES
from tests.executions.conftest import Garden
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange
from tests.support.model_server import ModelServer
from tests.support.refreshing import proposal_of, refreshed, rewrite, stored
from tests.support.working import run_job

REWRITE = OPERATION.name
WRITTEN = "The Langstroth beehive holds 10 frames in each box and is the commonest beehive in the world."
EDITED = "The Langstroth beehive, the commonest of all, holds 10 frames in each box."
CLAIM = "Of our customers 98765 are happy."
PLACE = "A beehive stands best in the morning sun, with its back to the wind and water within 200 metres."

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@pytest.fixture
def edited(garden: Garden, page_ids: list[int], model_server: ModelServer) -> int:
    """The id of an article in which a person reworded one sentence and added another."""
    post_id = post_of_job(generated(garden, topic="beehive")).id
    post = stored(post_id)
    assert WRITTEN in post.content
    assert PLACE in post.content
    edit(post_id, WRITTEN, f"{EDITED} {CLAIM}")
    return post_id


def edit(post_id: int, old: str, new: str) -> None:
    post = stored(post_id)
    assert old in post.content
    edit_post(post, post.version, {"content": post.content.replace(old, new)})


def change_pages(garden: Garden) -> None:
    """Let the page take back what the edited sentence and another one rest on."""
    parts = (
        (kind, text.replace("10 frames", "11 frames").replace("200 metres", "300 metres"))
        for kind, text in HIVES
    )
    rewrite(garden.project_id, "/hives", tuple(parts))


def use(post_id: int) -> BlogPost:
    return proposals.use_proposal(stored(post_id), proposal_of(post_id).id)


def reading_of(post_id: int) -> Reading:
    post = stored(post_id)
    sources = sources_of(post)
    return read_post(post, quality_of(post, sources), sources)


def marks(post_id: int) -> dict[str, str]:
    """The sentences that are not from pages, each with how it is marked."""
    sentences = reading_of(post_id).sentences.values()
    return {said.text: said.kind for said in sentences if said.kind in {"own", "unsure"}}


def check_of(report: QualityReport, code: str) -> QualityCheck:
    return next(check for check in report.checks if check.code == code)


def severity_of(post_id: int, code: str) -> tuple[str, tuple[str, ...]]:
    found = check_of(quality_of(stored(post_id)), code)
    return found.severity, found.where


def test_a_fresh_article_has_no_outdated_sentence_and_all_its_passages(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post_id = post_of_job(generated(garden, topic="beehive")).id
    assert check_of(quality_of(stored(post_id)), "OUTDATED_SENTENCES").passed
    passages = reading_of(post_id).passages
    assert passages
    assert all(each.is_there and each.lines for each in passages)


def test_a_refresh_keeps_edits_marked_and_findings_as_they_were(garden: Garden, edited: int) -> None:
    marked, claim = marks(edited), severity_of(edited, "UNSUPPORTED_CLAIM")
    assert marked == {EDITED: "own", CLAIM: "unsure"}
    assert claim == ("warn", ("98765",))
    edited_at = stored(edited).edited_at
    change_pages(garden)
    job = refreshed(garden, edited)
    assert job.result is not None, job.failure
    assert job.result["changes"] == [f"Removed: “{PLACE}”"]
    post = use(edited)
    assert (PLACE in post.content, EDITED in post.content) == (False, True)
    assert post.edited_at == edited_at
    assert marks(edited) == marked
    assert severity_of(edited, "UNSUPPORTED_CLAIM") == claim


def test_what_still_rests_on_changed_pages_stays_to_be_fixed_as_it_now_stands(
    garden: Garden, edited: int
) -> None:
    change_pages(garden)
    assert severity_of(edited, "OUTDATED_SENTENCES") == ("warn", (EDITED, PLACE))
    refreshed(garden, edited)
    compared = stored_verdict(proposal_of(edited).quality)
    assert compared is not None
    named = [check.where for check in compared.checks.to_fix if check.code == "OUTDATED_SENTENCES"]
    assert named == [[EDITED]]
    use(edited)
    assert severity_of(edited, "SOURCES_CHANGED") == ("warn", ())
    assert severity_of(edited, "OUTDATED_SENTENCES") == ("warn", (EDITED,))
    to_fix = verdict_of(quality_of(stored(edited))).to_fix
    assert "OUTDATED_SENTENCES" in [check.code for check in to_fix]
    lost = [each for each in reading_of(edited).passages if not each.is_there]
    assert lost == []
    edit(edited, EDITED, EDITED.replace("10", "11"))
    assert severity_of(edited, "OUTDATED_SENTENCES") == ("warn", ())


def test_a_rewrite_of_sentences_keeps_edits_too(garden: Garden, edited: int) -> None:
    asked = {"blog_post_id": edited, "instruction": "Leave it out.", "sentence": PLACE}
    run_job(garden.queued(REWRITE, payload=asked))
    post = use(edited)
    assert (PLACE in post.content, post.edited_at is None) == (False, False)
    assert marks(edited) == {EDITED: "own", CLAIM: "unsure"}


def test_edits_after_a_new_text_was_written_go_with_the_text_that_it_replaces(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post_id = post_of_job(generated(garden, topic="beehive")).id
    change_pages(garden)
    refreshed(garden, post_id)
    edit(post_id, WRITTEN, f"{WRITTEN} {CLAIM}")
    post = proposals.use_proposal(stored(post_id), proposal_of(post_id).id, stored(post_id).version)
    assert (CLAIM in post.content, post.edited_at) == (False, None)


def test_a_text_that_was_written_again_as_a_whole_is_the_engines(garden: Garden, edited: int) -> None:
    for path, parts in (("/hives", HIVES), ("/care", CARE), ("/faq", FAQ)):
        other = ((kind, text if kind == "h1" else text.replace("beehive", "hive")) for kind, text in parts)
        rewrite(garden.project_id, path, tuple(other))
    job = refreshed(garden, edited)
    assert job.result is not None, job.failure
    assert "changes" not in job.result
    assert proposal_of(edited).edited_at is None
    post = use(edited)
    assert (CLAIM in post.content, post.edited_at) == (False, None)
    assert severity_of(edited, "OUTDATED_SENTENCES") == ("warn", ())
    assert marks(edited) == {}


def test_an_edit_while_a_refresh_writes_is_named_and_never_lost_without_notice(
    app: Flask, garden: Garden, edited: int, model_server: ModelServer
) -> None:
    change_pages(garden)
    answer = model_server.respond
    meanwhile = iter(["Of our customers 98765 are happy today."])

    def edits_first(asked: Exchange) -> None:
        for text in meanwhile:
            with app.app_context():  # The server answers in a thread of its own.
                edit(edited, CLAIM, text)
                db.session.commit()
        answer(asked)

    model_server.respond = edits_first
    refreshed(garden, edited)
    post, proposal = stored(edited), proposal_of(edited)
    assert (post.version, post.edited_at) != (proposal.post_version, proposal.edited_at)
    with pytest.raises(ServiceFailure, match="changed"):
        use(edited)
