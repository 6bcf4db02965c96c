"""Publish targets over HTTP with a key. Their secrets are returned at most once."""

from __future__ import annotations

from typing import Any

import pytest

from app.infra.http.errors import FetchErrorKind
from tests.api.conftest import Customer, code, member
from tests.support.publishing import Receiver
from tests.support.servers import Reply, SiteServer
from tests.support.target_kinds import PASSWORD, Diary

HOOK = {"name": "Hook", "kind": "webhook", "settings": {"url": "https://alice.example/hook"}}
DIARY = {
    "name": "Diary",
    "kind": "diary",
    "settings": {"url": "https://diary.example/", "owner": "Alice"},
    "secret": PASSWORD,
}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def targets(alice: Customer) -> str:
    """The path of the targets of Alice's project."""
    return f"/projects/{alice.project()}/publish-targets"


def created(alice: Customer, targets: str, **changed: Any) -> str:
    """Create a target; returns its path."""
    answer = alice.post(targets, {**HOOK, **changed})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/public-api{targets}/{member(answer, 'target')['id']}"
    return answer.headers["Location"].removeprefix("/public-api")


def test_a_generated_secret_is_returned_once(alice: Customer, targets: str) -> None:
    answer = alice.post(targets, HOOK)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    secret, target = member(answer, "secret"), member(answer, "target")
    assert secret.startswith("whsec_")
    assert (target["has_secret"], target["is_default"], target["last_test"]) == (True, False, None)
    assert target["settings"] == {"url": "https://alice.example/hook"}
    for path in (targets, f"{targets}/{target['id']}"):
        assert "whsec_" not in alice.get(path).text
    assert member(alice.get(f"{targets}/{target['id']}"), "target") == target


def test_an_entered_secret_is_never_returned(alice: Customer, targets: str, diary: Diary) -> None:
    answer = alice.post(targets, DIARY)
    assert (answer.status_code, member(answer, "secret")) == (201, None)
    target = member(answer, "target")
    assert target["settings"] == {**DIARY["settings"], "default_status": "live"}  # type: ignore[dict-item]
    path = f"{targets}/{target['id']}"
    changed = alice.patch(path, {"secret": "another password"})
    assert member(changed, "target")["has_secret"] is True
    for text in (answer.text, alice.get(path).text, alice.get(targets).text, changed.text):
        assert PASSWORD not in text
        assert "another password" not in text


def test_targets_are_listed_newest_first_in_pages(alice: Customer, targets: str) -> None:
    for name in ("First", "Second", "Third"):
        created(alice, targets, name=name)
    first = alice.get(f"{targets}?page_size=2")
    assert [each["name"] for each in member(first, "targets")] == ["Third", "Second"]
    assert member(first, "pagination")["total"] == 3
    second = alice.get(f"{targets}?page_size=2&page=2")
    assert [each["name"] for each in member(second, "targets")] == ["First"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"name": " "}, "/name"), ({"name": 5}, "/name"), ({"kind": "pigeon"}, "/kind"),
     ({"kind": None}, "/kind"), ({"settings": []}, "/settings"), ({"settings": {}}, "/settings/url"),
     ({"settings": {"url": 7}}, "/settings/url"), ({"secret": "mine, all mine"}, "/secret"),
     ({"settings": {**HOOK["settings"], "x": 1}}, "/settings/x"),  # type: ignore[dict-item]
     ({"is_default": "yes"}, "/is_default"), ({"colour": "red"}, "/colour")],
)  # fmt: skip
def test_wrong_input_is_refused_by_its_field(
    alice: Customer, targets: str, wrong: dict[str, Any], field: str
) -> None:
    answer = alice.post(targets, {**HOOK, **wrong})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == [field]
    assert "all mine" not in answer.text
    assert member(alice.get(targets), "targets") == []


def test_a_wrong_secret_is_refused_without_repeating_it(alice: Customer, targets: str, diary: Diary) -> None:
    answer = alice.post(targets, {**DIARY, "secret": "abcd"})
    assert [error["field"] for error in member(answer, "errors")] == ["/secret"]
    assert "abcd" not in answer.text
    missing = alice.post(targets, {**DIARY, "secret": None})
    assert [error["field"] for error in member(missing, "errors")] == ["/secret"]


def test_an_address_that_may_not_be_called_is_refused(alice: Customer, targets: str) -> None:
    answer = alice.post(targets, {**HOOK, "settings": {"url": "http://10.0.0.1/hook"}})
    assert code(answer) == (422, "URL_NOT_ALLOWED")
    assert [error["field"] for error in member(answer, "errors")] == ["/settings/url"]


def test_absent_settings_stay_and_null_clears(alice: Customer, targets: str, diary: Diary) -> None:
    settings = {**DIARY["settings"], "default_status": "draft"}  # type: ignore[dict-item]
    path = created(alice, targets, **{**DIARY, "settings": settings})
    changed = alice.patch(path, {"name": "Dear diary", "settings": {"owner": "Bob"}})
    assert member(changed, "target")["settings"] == {**settings, "owner": "Bob"}
    assert member(changed, "target")["name"] == "Dear diary"
    cleared = alice.patch(path, {"settings": {"default_status": None}})
    assert member(cleared, "target")["settings"]["default_status"] == "live"
    for wrong in ({"settings": {"owner": None}}, {"secret": None}, {"name": None}, {}, {"kind": "webhook"}):
        assert code(alice.patch(path, wrong)) == (422, "INVALID_REQUEST"), wrong


def test_one_target_is_the_project_s_own_choice(alice: Customer, targets: str) -> None:
    first, second = (created(alice, targets, name=name, is_default=True) for name in ("First", "Second"))
    assert [member(alice.get(path), "target")["is_default"] for path in (first, second)] == [False, True]
    assert member(alice.patch(first, {"is_default": True}), "target")["is_default"] is True
    assert member(alice.get(second), "target")["is_default"] is False
    assert member(alice.patch(first, {"is_default": False}), "target")["is_default"] is False


def test_a_name_that_is_taken_changes_nothing_else(alice: Customer, targets: str) -> None:
    first = created(alice, targets, name="First", is_default=True)
    second = created(alice, targets, name="Second")
    answer = alice.patch(second, {"name": "First", "is_default": True})
    assert [error["field"] for error in member(answer, "errors")] == ["/name"]
    again = alice.post(targets, {**HOOK, "name": "First", "is_default": True})
    assert [error["field"] for error in member(again, "errors")] == ["/name"]
    assert member(alice.get(first), "target")["is_default"] is True


def test_a_test_reports_each_step_and_is_stored(alice: Customer, targets: str, site: SiteServer) -> None:
    receiver = Receiver(site)
    created_target = alice.post(targets, {**HOOK, "settings": {"url": receiver.url}})
    receiver.secret = member(created_target, "secret")
    path = f"{targets}/{member(created_target, 'target')['id']}"
    answer = alice.post(f"{path}/test")
    test = member(answer, "test")
    assert (answer.status_code, test["passed"]) == (200, True)
    assert [(step["name"], step["passed"], step["failure"]) for step in test["steps"]] == [
        ("reachable", True, None),
        ("signed_in", True, None),
    ]
    assert member(alice.get(path), "target")["last_test"] == test
    assert member(alice.patch(path, {"name": "Blog"}), "target")["last_test"] == test
    moved = {"settings": {"url": f"{site.url}/posts"}}
    assert member(alice.patch(path, moved), "target")["last_test"] is None


def test_a_failed_test_is_200_and_says_what_to_do(alice: Customer, targets: str, site: SiteServer) -> None:
    path = created(alice, targets, settings={"url": f"{site.url}/hook"})
    site.routes["/hook"] = lambda _request: Reply(401, body=b"No.")
    answer = alice.post(f"{path}/test")
    *_, last = member(answer, "test")["steps"]
    assert (answer.status_code, member(answer, "test")["passed"], last["passed"]) == (200, False, False)
    assert (last["name"], last["failure"]["code"]) == ("signed_in", "TARGET_AUTH")
    details = {"address": f"{site.url}/hook", "status": 401, "answer": "No."}
    assert last["failure"]["details"] == details
    site.close()
    (only,) = member(alice.post(f"{path}/test"), "test")["steps"]
    assert only["failure"]["details"]["reason"] == FetchErrorKind.REFUSED.value


def test_an_address_without_a_receiver_fails_the_test(
    alice: Customer, targets: str, site: SiteServer
) -> None:
    path = created(alice, targets, settings={"url": f"{site.url}/hook"})
    site.routes["/hook"] = lambda _request: Reply(404)
    steps = member(alice.post(f"{path}/test"), "test")["steps"]
    assert [(step["name"], step["passed"]) for step in steps] == [("reachable", True), ("api_found", False)]
    assert steps[-1]["failure"]["code"] == "TARGET_API_NOT_FOUND"


def test_a_call_that_raises_fails_the_step_it_was_made_for(
    alice: Customer, targets: str, diary: Diary
) -> None:
    path = created(alice, targets, **DIARY)
    assert [step["name"] for step in member(alice.post(f"{path}/test"), "test")["steps"]] == [
        "reachable", "api_found", "signed_in",
    ]  # fmt: skip
    alice.patch(path, {"secret": "forgotten"})
    steps = member(alice.post(f"{path}/test"), "test")["steps"]
    assert [(step["name"], step["passed"]) for step in steps] == [("reachable", True), ("api_found", False)]


def test_a_rotated_secret_is_returned_once_and_both_sign(
    alice: Customer, targets: str, site: SiteServer
) -> None:
    receiver = Receiver(site)
    answer = alice.post(targets, {**HOOK, "settings": {"url": receiver.url}})
    first, path = member(answer, "secret"), f"{targets}/{member(answer, 'target')['id']}"
    rotated = alice.post(f"{path}/rotate-secret")
    assert (rotated.status_code, rotated.headers["Cache-Control"]) == (200, "no-store")
    second = member(rotated, "secret")
    assert second != first
    for receiver.secret in (first, second):
        assert member(alice.post(f"{path}/test"), "test")["passed"] is True
    assert second not in alice.get(path).text


def test_an_entered_secret_is_not_rotated(alice: Customer, targets: str, diary: Diary) -> None:
    path = created(alice, targets, **DIARY)
    assert code(alice.post(f"{path}/rotate-secret")) == (422, "INVALID_REQUEST")


def test_a_deleted_target_is_gone_and_its_name_free(alice: Customer, targets: str) -> None:
    path = created(alice, targets, is_default=True)
    answer = alice.send("DELETE", path)
    assert answer.status_code == 200
    deleted = member(answer, "target")
    assert (deleted["name"], deleted["has_secret"], deleted["is_default"]) == ("Hook", False, False)
    for method in ("GET", "DELETE"):
        assert code(alice.send(method, path)) == (404, "PUBLISH_TARGET_NOT_FOUND")
    assert code(alice.post(f"{path}/test")) == (404, "PUBLISH_TARGET_NOT_FOUND")
    created(alice, targets)


def test_a_target_of_another_project_is_absent(alice: Customer, targets: str) -> None:
    path = created(alice, targets)
    other = alice.project("https://other.example.com/")
    here = path.replace(targets, f"/projects/{other}/publish-targets")
    assert code(alice.get(here)) == (404, "PUBLISH_TARGET_NOT_FOUND")


def test_the_kinds_show_a_program_what_each_needs(alice: Customer, diary: Diary) -> None:
    kinds = {each["name"]: each for each in member(alice.get("/publish-target-kinds"), "kinds")}
    webhook, ours = kinds["webhook"], kinds["diary"]
    assert webhook["secret"]["origin"] == "generated"
    assert [(each["name"], each["is_url"]) for each in webhook["settings"]] == [("url", True)]
    assert ours["secret"] == {
        "origin": "entered", "label": "Password", "hint": "Inside the cover.", "required": True,
    }  # fmt: skip
    status = ours["settings"][2]
    assert (status["required"], status["default"]) == (False, "live")
    assert [choice["value"] for choice in status["choices"]] == ["live", "draft"]
    assert (webhook["has_drafts"], ours["has_drafts"]) == (False, True)


@pytest.mark.usefixtures("worker")
def test_the_calls_to_a_target_are_listed(alice: Customer, targets: str, site: SiteServer) -> None:
    receiver = Receiver(site)
    made = alice.post(targets, {**HOOK, "settings": {"url": receiver.url}})
    receiver.secret = member(made, "secret")
    path, project = f"{targets}/{member(made, 'target')['id']}", targets.removesuffix("/publish-targets")
    post_id = alice.generated(int(project.rpartition("/")[2]))["result"]["blog_post_id"]
    order = {"override_quality_gate": True, "override_reason": "An outline will do."}
    receiver.before = lambda: Reply(422, {}, b"No more posts today.")
    assert code(alice.post(f"{project}/blog-posts/{post_id}/publish", order))[1] == "PUBLISH_REJECTED"
    receiver.before = lambda: None
    published = alice.post(f"{project}/blog-posts/{post_id}/publish", order)
    calls = member(alice.get(f"{path}/calls"), "calls")
    assert [(call["action"], call["outcome"], call["code"], call["http_status"]) for call in calls] == [
        ("create", "live", None, None),
        ("create", "not_delivered", "PUBLISH_REJECTED", 422),
    ]
    assert calls[1]["answer"] == "No more posts today."
    assert calls[0]["job_id"] == member(published, "job")["id"]
    assert member(alice.get(f"{path}/calls?page_size=1&page=2"), "calls") == calls[1:]
