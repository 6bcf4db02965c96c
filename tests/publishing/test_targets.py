"""Publish targets: what is accepted, what is stored, what is never shown."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.dashboard.forms.connection import ConnectionForm
from app.failures import ServiceFailure
from app.infra.db import db
from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.projects.model import Project
from app.publishing import publications, service
from app.publishing.lookup import publications_of
from app.publishing.model import PublishTarget
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem, RemotePost, TargetKind
from app.publishing.targets.registry import KINDS
from tests.support.publishing import (
    failure_while_a_publication_begins,
    fresh,
    post_of,
    publication_of,
)

HOOK = {"url": "https://Alice.example/hook"}
HTTP = Fetcher(FetchPolicy("tests"))


def refusal(
    project: Project, kind: Any = "webhook", name: Any = "Hook", settings: Any = HOOK
) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as refused:
        service.add_target(project, kind, name, settings)
    assert service.list_targets(project) == []
    return refused.value


def test_the_secret_is_returned_once_and_stored_encrypted(project: Project) -> None:
    target, secret = service.add_target(project, "webhook", " Hook ", HOOK)
    assert secret is not None
    assert secret.startswith("whsec_")
    assert (target.name, target.settings) == ("Hook", {"url": "https://alice.example/hook"})
    assert target.secret is not None
    assert secret.removeprefix("whsec_") not in target.secret
    assert service.access_to(target, HTTP).secret == secret


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9/hook", "http://10.0.0.1/", "http://localhost/", "ftp://alice.example/",
     "https://alice.example:8443/", "https://user:word@alice.example/", "no url"],
)  # fmt: skip
def test_an_address_that_may_not_be_called_is_refused(project: Project, url: str) -> None:
    assert refusal(project, settings={"url": url}).failure.code == "URL_NOT_ALLOWED"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"kind": "pigeon"}, "/kind"), ({"name": " "}, "/name"), ({"name": "x" * 81}, "/name"),
     ({"settings": {}}, "/settings/url"), ({"settings": {"url": 5}}, "/settings/url"),
     ({"settings": {**HOOK, "colour": "red"}}, "/settings/colour")],
)  # fmt: skip
def test_wrong_input_is_refused_by_its_field(project: Project, wrong: dict[str, Any], field: str) -> None:
    refused = refusal(project, **wrong)
    assert refused.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in refused.errors] == [field]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_each_kind_fits_its_column_and_the_form(kind: TargetKind) -> None:
    assert len(kind.name) <= 20
    names = [setting.name for setting in kind.settings]
    of_the_form = {"name", "secret", *dir(ConnectionForm)}
    assert of_the_form.isdisjoint(names), "the form has a member called that already"
    assert len(set(names)) == len(names)


def test_two_targets_of_a_project_have_different_names(project: Project) -> None:
    service.add_target(project, "webhook", "Hook", HOOK)
    with pytest.raises(ServiceFailure) as refused:
        service.add_target(project, "webhook", "Hook", HOOK)
    assert refused.value.errors[0]["field"] == "/name"


def test_a_target_is_chosen_by_its_id_or_name(project: Project) -> None:
    first, _ = service.add_target(project, "webhook", "First", HOOK)
    second, _ = service.add_target(project, "webhook", "Second", HOOK)
    assert service.get_target(project.id, "Second") is second
    assert service.get_target(project.id, second.id) is second
    assert service.list_targets(project) == [first, second]


def test_an_only_target_needs_no_name_and_among_several_one_is_named_or_marked(project: Project) -> None:
    first, _ = service.add_target(project, "webhook", "First", HOOK)
    assert service.get_target(project.id, None) is first
    second, _ = service.add_target(project, "webhook", "Second", HOOK)
    with pytest.raises(ServiceFailure) as refused:
        service.get_target(project.id, None)
    assert refused.value.failure.code == "PUBLISH_TARGET_REQUIRED"
    assert [each["name"] for each in (refused.value.failure.details or {})["targets"]] == ["First", "Second"]
    for target in (first, second):
        service.edit_target(target, is_default=True)
        assert service.get_target(project.id, None) is target


def test_a_changed_setting_keeps_the_others_and_needs_a_new_test(project: Project) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    secret, target.last_check = target.secret, {"passed": True}
    service.edit_target(target, name="Blog")
    assert (target.name, target.last_check) == ("Blog", {"passed": True})
    service.edit_target(target, settings={"url": "https://alice.example/posts"})
    assert (target.settings, target.secret) == ({"url": "https://alice.example/posts"}, secret)
    assert target.last_check is None


def test_an_edit_takes_no_name_of_another_target_and_no_wrong_setting(project: Project) -> None:
    service.add_target(project, "webhook", "First", HOOK)
    second, _ = service.add_target(project, "webhook", "Second", HOOK)
    for wrong in ({"name": "First"}, {"settings": {"url": "ftp://x.example/"}}, {"secret": "mine"}):
        with pytest.raises(ServiceFailure):
            service.edit_target(second, **wrong)
        db.session.rollback()
        assert (second.name, second.settings["url"]) == ("Second", "https://alice.example/hook")


def test_a_secret_of_the_owner_goes_to_another_host_only_if_it_is_entered_again(project: Project) -> None:
    settings = {"url": "https://alice.example/", "username": "alice"}
    target, _ = service.add_target(project, "wordpress", "Blog", settings, "abcd efgh")
    with pytest.raises(ServiceFailure) as refused:
        service.edit_target(target, settings={"url": "https://mallory.example/"})
    assert [each["field"] for each in refused.value.errors] == ["/secret"]
    assert service.edit_target(target, settings={"url": "https://alice.example/blog/"}).settings["url"]
    moved = service.edit_target(target, settings={"url": "https://bob.example/"}, secret="ijkl mnop")
    assert service.access_to(moved, HTTP).secret == "ijklmnop"


@pytest.mark.parametrize("ref", [None, "Hook", 1])
def test_another_project_s_target_is_missing(project: Project, ref: int | str | None) -> None:
    url = "https://bob.example/"
    other = Project(account_id=project.account_id, name="Other", url=url)
    db.session.add(other)
    db.session.commit()
    service.add_target(other, "webhook", "Hook", HOOK)
    with pytest.raises(ServiceFailure) as refused:
        service.get_target(project.id, ref)
    assert refused.value.failure.code == "PUBLISH_TARGET_MISSING"


def test_the_former_secret_stays_valid_until_the_next_rotation(project: Project) -> None:
    target, first = service.add_target(project, "webhook", "Hook", HOOK)
    second = service.rotate_secret(target)
    assert service.access_to(target, HTTP).secret == f"{second} {first}"
    third = service.rotate_secret(target)
    assert service.access_to(target, HTTP).secret == f"{third} {second}"


def test_a_secret_encrypted_with_another_key_is_reported_as_unreadable(project: Project) -> None:
    target, secret = service.add_target(project, "webhook", "Hook", HOOK)
    target.secret = "made with a key that is gone"
    with pytest.raises(PublishProblem) as problem:
        service.access_to(target, HTTP)
    assert problem.value.failure.code == "TARGET_AUTH"
    assert service.rotate_secret(target) != secret


def test_a_removed_target_keeps_the_history_of_what_was_published_there(project: Project) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    post_id, target_id = post_of(project).id, target.id
    lease = publications.begin(post_id, target_id, 1)
    publications.record_remote(lease, RemotePost("1", "https://alice.example/blog/x"))
    db.session.commit()
    service.remove_target(target)
    assert service.list_targets(project) == []
    assert db.session.get_one(PublishTarget, target_id).secret is None
    assert service.names_of_targets(project) == {target_id: f"Hook (removed, {target_id})"}
    with pytest.raises(PublishProblem) as problem:
        service.access_to(target, HTTP)
    assert (problem.value.failure.code, problem.value.certainty) == ("PUBLISH_TARGET_MISSING", UNKNOWN)
    assert (publication_of(post_id).state, fresh(post_id).status) == ("live", "published")
    service.add_target(project, "webhook", "Hook", HOOK)


@pytest.mark.parametrize("state", ["intent", "sending"])
def test_a_target_where_a_post_is_being_published_cannot_be_removed(project: Project, state: str) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    target_id = target.id
    lease = publications.begin(post_of(project).id, target_id, 1)
    publications.record_end(lease, state)
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        service.remove_target(target)
    assert refused.value.failure.code == "PUBLISH_TARGET_IN_USE"
    assert db.session.get_one(PublishTarget, target_id).removed_at is None


@pytest.mark.parametrize("state", ["intent", "sending"])
def test_the_connection_of_a_target_in_use_is_not_changed_but_its_name_is(
    project: Project, state: str
) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    lease = publications.begin(post_of(project).id, target.id, 1)
    publications.record_end(lease, state)
    db.session.commit()
    elsewhere = {"url": "https://elsewhere.example.com/hook"}
    with pytest.raises(ServiceFailure) as refused:
        service.edit_target(target, settings=elsewhere)
    assert refused.value.failure.code == "PUBLISH_TARGET_IN_USE"
    service.edit_target(target, name="Our hook", settings=HOOK, is_default=True)
    assert (target.name, target.is_default) == ("Our hook", True)
    publications.record_end(lease, "unknown")
    assert service.edit_target(target, settings=elsewhere).settings == elsewhere


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_target_is_not_removed_while_a_publication_begins(app: Flask, project: Project) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    target_id, post_id = target.id, post_of(project).id
    db.session.rollback()
    code = failure_while_a_publication_begins(
        app,
        post_id,
        target_id,
        lambda: service.remove_target(db.session.get_one(PublishTarget, target_id)),
    )
    assert code == "PUBLISH_TARGET_IN_USE"
    assert db.session.get_one(PublishTarget, target_id).removed_at is None


def test_publications_are_listed_by_post_newest_first(project: Project) -> None:
    target, _ = service.add_target(project, "webhook", "Hook", HOOK)
    post, other = post_of(project).id, post_of(project, slug="other").id
    for job_id in (1, 2):
        problem = PublishProblem(refusal_of_target(), NOT_DELIVERED)
        publications.record_failure(publications.begin(post, target.id, job_id), problem)
        db.session.commit()
    found = publications_of([post, other])
    assert [row.job_id for row in found[post]] == [2, 1]
    assert found[other] == []


def refusal_of_target() -> Any:
    return ServiceFailure("PUBLISH_REJECTED").failure
