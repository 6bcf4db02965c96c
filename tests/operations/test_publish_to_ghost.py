"""PUBLISH_BLOG_POST to Ghost: jobs against the look-alike, and in thorough runs against Ghost 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from app.content.posts.service import edit_post
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.projects.model import Project
from app.publishing import publications, reconcile, service
from app.publishing.document import reference_of
from app.publishing.targets.base import RemotePost
from app.publishing.targets.ghost.kind import delete, find, unpublish
from tests.support.gateway import FAULTS, Gateway
from tests.support.ghosts import Blog
from tests.support.publishing import TEXT, failure_code, fresh, post_of, publication_of, publish, state
from tests.support.publishing import unpublish as unpublish_job
from tests.support.servers import Reply

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def gateway(ghost: Blog) -> Iterator[Gateway]:
    """What the service calls: it passes the calls on to Ghost."""
    made = ghost.gateway()
    yield made
    made.close()


@pytest.fixture
def settings_overrides(gateway: Gateway) -> dict[str, str]:
    return {"FETCH_ALLOW": gateway.address}


@pytest.fixture
def post_id(ghost: Blog, gateway: Gateway, project: Project) -> int:
    """A post of a project whose target is Ghost."""
    service.add_target(project, "ghost", "Garden blog", {"url": f"{gateway.url}/ghost/"}, ghost.key)
    return post_of(project, tags=["Gardening"]).id


def there(ghost: Blog, post_id: int) -> list[str]:
    """The statuses of all that Ghost has of the post."""
    return [post["status"] for post in ghost.posts(publication_of(post_id).publication_id)]


def in_ghost(ghost: Blog, post_id: int) -> RemotePost:
    """The post as the target has it."""
    found = find(reference_of(publication_of(post_id)), ghost.access())
    assert found is not None
    return found


def page(ghost: Blog, post_id: int) -> str:
    """What readers get at the recorded address."""
    url = publication_of(post_id).url
    assert url is not None
    status, html = ghost.page(url)
    assert status == 200
    return html


def edited(post_id: int, **changes: str) -> None:
    post = fresh(post_id)
    edit_post(post, post.version, changes)


def succeeded(job: ExecutionJob) -> str:
    """The state that a job reports."""
    assert job.status == "succeeded", job.failure
    assert job.result is not None
    return str(job.result["state"])


def test_a_post_is_live_in_ghost_with_its_text_and_image(ghost: Blog, post_id: int) -> None:
    assert succeeded(publish(post_id)) == "live"
    assert state(post_id) == ("live", "published")
    assert publication_of(post_id).url == f"{ghost.url}/garden-notes/"
    assert "What belongs in the notebook" in page(ghost, post_id)
    (post,) = ghost.posts(publication_of(post_id).publication_id)
    assert ghost.page(post["feature_image"])[0] == 200


def test_publishing_again_changes_nothing(ghost: Blog, post_id: int) -> None:
    first = publish(post_id).result
    assert publish(post_id).result == first
    assert there(ghost, post_id) == ["published"]


def test_a_changed_text_replaces_the_one_there(ghost: Blog, post_id: int) -> None:
    publish(post_id)
    edited(post_id, content=f"{TEXT}\nThe last word on notes.\n")
    assert succeeded(publish(post_id)) == "live"
    assert there(ghost, post_id) == ["published"]
    assert "The last word on notes." in page(ghost, post_id)


def test_a_draft_there_stays_a_draft_here_until_it_is_published(ghost: Blog, post_id: int) -> None:
    assert succeeded(publish(post_id, visibility="draft")) == "draft"
    assert state(post_id)[1] == "draft"
    edited(post_id, title="Second thoughts about garden notes")
    assert succeeded(publish(post_id, visibility="draft")) == "draft"
    assert there(ghost, post_id) == ["draft"]
    assert succeeded(publish(post_id, visibility="live")) == "live"
    assert there(ghost, post_id) == ["published"]
    assert state(post_id) == ("live", "published")


def test_an_edit_in_ghost_is_replaced_only_if_somebody_says_so(ghost: Blog, post_id: int) -> None:
    publish(post_id)
    ghost.edit(in_ghost(ghost, post_id), html="<p>Edited in Ghost.</p>")
    edited(post_id, content=f"{TEXT}\nThe last word on notes.\n")
    job = publish(post_id)
    assert failure_code(job) == "TARGET_POST_EDITED"
    assert "Edited in Ghost." in page(ghost, post_id)
    assert succeeded(publish(post_id, overwrite=True)) == "live"
    assert "The last word on notes." in page(ghost, post_id)


def test_a_post_that_was_deleted_in_ghost_is_made_again_with_its_next_text(ghost: Blog, post_id: int) -> None:
    publish(post_id)
    found = in_ghost(ghost, post_id)
    unpublish(found, ghost.access())
    delete(found, ghost.access())
    edited(post_id, content=f"{TEXT}\nThe last word on notes.\n")
    assert succeeded(publish(post_id)) == "live"
    assert there(ghost, post_id) == ["published"]


def test_an_unpublished_post_is_hidden_in_ghost_and_can_be_published_again(ghost: Blog, post_id: int) -> None:
    publish(post_id)
    url = publication_of(post_id).url
    assert url is not None
    assert succeeded(unpublish_job(post_id)) == "unpublished"
    assert (ghost.page(url)[0], there(ghost, post_id)) == (404, ["draft"])
    assert state(post_id) == ("unpublished", "draft")
    assert succeeded(publish(post_id)) == "live"
    assert there(ghost, post_id) == ["published"]


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_draft_that_could_not_be_published_is_published_by_the_next_job(
    ghost: Blog, gateway: Gateway, post_id: int, is_lost: bool
) -> None:
    if is_lost:
        gateway.spoil_once(lambda each: "source=html" in each.path, FAULTS["502 after the write"])
    gateway.spoil_once(lambda each: each.method == "PUT", FAULTS["429 before the write"])
    job = publish(post_id)
    assert failure_code(job) == "TARGET_RATE_LIMITED"
    assert there(ghost, post_id) == ["draft"]
    first = publication_of(post_id).publication_id
    assert succeeded(publish(post_id)) == "live"
    assert there(ghost, post_id) == ["published"]
    assert publication_of(post_id).publication_id == first


def test_an_outage_before_anything_was_sent_leaves_no_doubt(
    ghost: Blog, gateway: Gateway, post_id: int
) -> None:
    gateway.spoil(lambda _: True, lambda _request, _forward: Reply(503))
    assert failure_code(publish(post_id)) == "PUBLISH_ENDPOINT_FAILED"
    assert state(post_id) == ("failed", "draft")


def test_an_update_that_was_cut_off_finds_what_was_hidden_in_ghost_meanwhile(
    ghost: Blog, post_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(post_id)
    edited(post_id, title="Second thoughts about garden notes")
    lease = publications.begin(post_id, publication_of(post_id).target_id, 4711)
    assert publications.mark_sending(lease, "b" * 64)
    unpublish(in_ghost(ghost, post_id), ghost.access())
    monkeypatch.setattr(reconcile, "_is_due", lambda _: True)
    reconcile.reconcile_publications(select(ExecutionJob.id).where(ExecutionJob.status.in_(ACTIVE)))
    assert state(post_id) == ("unpublished", "draft")


def test_a_withdrawn_key_is_reported_with_the_address_and_ghost_s_words(
    gateway: Gateway, project: Project, post_id: int
) -> None:
    target = service.get_target(project.id, None)
    service.edit_target(target, secret=f"{'0' * 24}:{'0' * 64}")
    job = publish(post_id)
    assert failure_code(job) == "TARGET_AUTH"
    assert job.failure is not None
    details = job.failure["details"]
    assert (details["status"], details["answer"]) == (401, "Unknown Admin API Key")
    assert details["address"].startswith(f"{gateway.url}/ghost/api/admin/posts/")
    assert state(post_id)[1] == "draft"
