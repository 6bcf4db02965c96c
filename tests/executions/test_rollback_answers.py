"""What a job says of its rollback, and why a rollback is refused, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from app.content.model import BlogPost
from app.executions.rollback import _refuse_if_post_exists, obstacles, roll_back, rollback_view
from app.failures import Failure, ServiceFailure, failure
from app.infra.db import db
from app.publishing import publications
from app.publishing.model import PublishTarget
from app.publishing.targets.base import UNKNOWN, PublishProblem, RemotePost
from tests.executions.conftest import GENERATE, SYNC, Garden, change, events, history, job_of
from tests.support.plans import listening
from tests.support.working import run_job

URL = "https://alice.example/blog/made"
UNPUBLISH = "Unpublish the post at {}: on the post's page in the dashboard, or by the API."
CHECK = "Check {}, then confirm on the post's page in the dashboard whether it is there."
AGAIN = "Then roll back again."
LATER = "Rollback becomes available when the job has succeeded."
NO_POST = "The job did not succeed, so there is no post to roll back."
READY = "Rollback deletes the draft post that this job generated."
MAYBE = "The generated post may have been published, so it cannot be rolled back automatically."


@pytest.fixture
def job_id(garden: Garden) -> int:
    """A generation that has succeeded."""
    made = garden.queued()
    run_job(made)
    return made


def post_id(job_id: int) -> int:
    found = db.session.scalars(select(BlogPost.id).where(BlogPost.job_id == job_id)).one()
    db.session.rollback()
    return found


def put(garden: Garden, job_id: int, name: str, remote: RemotePost | None) -> int:
    """Publish the job's post at a new target, with an unknown outcome without ``remote``."""
    target = PublishTarget(project_id=garden.project_id, name=name, kind="webhook", settings={}, secret=None)
    db.session.add(target)
    db.session.commit()
    lease = publications.begin(post_id(job_id), target.id, 9000)
    if remote is None:
        publications.record_failure(lease, PublishProblem(failure("PUBLISH_TIMEOUT"), UNKNOWN))
    else:
        publications.record_remote(lease, remote)
    db.session.commit()
    return target.id


def refusal(job_id: int) -> Failure:
    with pytest.raises(ServiceFailure) as refused:
        roll_back(job_of(job_id))
    db.session.rollback()
    return refused.value.failure


@pytest.mark.parametrize(
    ("operation", "status", "rolled_back", "state", "summary"),
    [
        (SYNC, "succeeded", None, "unavailable", "This operation cannot be rolled back."),
        (GENERATE, "queued", None, "unavailable", LATER),
        (GENERATE, "running", None, "unavailable", LATER),
        (GENERATE, "failed", None, "unavailable", NO_POST),
        (GENERATE, "canceled", None, "unavailable", NO_POST),
        (GENERATE, "succeeded", None, "available", READY),
        (GENERATE, "succeeded", "blocked", "available", READY),
        (GENERATE, "succeeded", "completed", "completed", "The draft post was deleted."),
    ],
)  # fmt: skip
def test_a_job_says_whether_it_can_be_rolled_back(
    garden: Garden, operation: str, status: str, rolled_back: str | None, state: str, summary: str
) -> None:
    made = garden.queued()
    change(made, operation=operation, status=status, rollback_state=rolled_back)
    job, supported = job_of(made), operation == GENERATE
    assert rollback_view(job, obstacles([job]).get(made)) == {
        "supported": supported,
        "state": state,
        "hook": f"/public-api/executions/{made}/rollback" if supported else None,
        "summary": summary,
        "executed_at": None,
        "reverted_blog_post_id": None,
    }


@pytest.mark.parametrize(
    ("operation", "status", "code", "details"),
    [
        (SYNC, "succeeded", "ROLLBACK_NOT_SUPPORTED", {"operation": SYNC}),
        (GENERATE, "failed", "ROLLBACK_NOT_ALLOWED", {"status": "failed"}),
    ],
)
def test_a_job_without_a_draft_to_delete_is_not_rolled_back(
    garden: Garden, operation: str, status: str, code: str, details: dict[str, str]
) -> None:
    made = garden.queued()
    change(made, operation=operation, status=status)
    assert refusal(made) == failure(code, details=details)


@pytest.mark.parametrize(
    ("places", "message", "hints"),
    [
        ({"Blog": RemotePost("1", URL)}, None, [UNPUBLISH.format(f"Blog ({URL})")]),
        ({"Blog": RemotePost("1", "", "scheduled")}, None, [UNPUBLISH.format("Blog")]),
        ({"Blog": None}, MAYBE, [CHECK.format("Blog")]),
        (
            {"Blog": None, "Shop": RemotePost("2", URL)},
            None,
            [CHECK.format("Blog"), UNPUBLISH.format(f"Shop ({URL})")],
        ),
    ],
)
def test_a_refusal_names_each_place_of_the_post_and_what_to_do_there(
    garden: Garden, job_id: int, places: dict[str, RemotePost | None], message: str | None, hints: list[str]
) -> None:
    for name, remote in places.items():
        put(garden, job_id, name, remote)
    found = refusal(job_id)
    assert found == failure(
        "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
        message,
        hints=[*hints, AGAIN],
        details={
            "blog_post_id": post_id(job_id),
            "publications": [
                {
                    "target": name,
                    "url": remote and remote.url,
                    "state": remote.status if remote else "unknown",
                }
                for name, remote in places.items()
            ],
        },
    )
    job = job_of(job_id)
    assert (job.rollback_state, job.rollback_failure) == ("blocked", found.to_dict())
    assert obstacles([job]) == {job_id: found}
    assert rollback_view(job, found)["summary"] == found.message
    line = history(job_id)[-1]
    assert (line.event, line.status, line.details) == (
        "JOB_ROLLBACK_BLOCKED", "succeeded", {"reason": "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"},
    )  # fmt: skip


def test_a_repeated_rollback_writes_nothing(job_id: int) -> None:
    roll_back(job_of(job_id))
    done = job_of(job_id)
    with listening(db.engine) as heard:
        assert roll_back(done) is done
    assert not [statement for statement, _ in heard if statement.startswith(("DELETE", "UPDATE", "INSERT"))]


def test_a_post_that_is_being_published_refuses_the_rollback_for_now(garden: Garden, job_id: int) -> None:
    target_id = put(garden, job_id, "Blog", RemotePost("1", URL))
    assert publications.begin_unpublishing(post_id(job_id), target_id, 9001) is not None
    before = events(job_id)
    expected = failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post_id(job_id)})
    assert refusal(job_id) == expected
    job = job_of(job_id)
    assert obstacles([job]) == {job_id: expected}
    assert (job.rollback_state, events(job_id)) == (None, before)


def test_a_publication_that_failed_since_the_delete_only_delays_the_rollback(job_id: int) -> None:
    with pytest.raises(ServiceFailure) as refused:
        _refuse_if_post_exists(job_of(job_id))
    expected = failure("ROLLBACK_PUBLISH_IN_PROGRESS", details={"blog_post_id": post_id(job_id)})
    assert refused.value.failure == expected
    assert job_of(job_id).rollback_state is None
    roll_back(job_of(job_id))
    assert db.session.scalar(select(func.count()).select_from(BlogPost)) == 0
