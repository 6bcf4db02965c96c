"""Projects over HTTP."""

from __future__ import annotations

import pytest

from tests.api.conftest import Customer, code, member


def test_a_project_is_created_read_listed_and_updated(alice: Customer) -> None:
    made = alice.post("/projects", {"url": "https://Alice.example.com", "summary": "  Coffee.  "})
    assert made.status_code == 201
    project = member(made, "project")
    assert made.headers["Location"] == f"/public-api/projects/{project['id']}"
    assert project["url"] == "https://alice.example.com/"
    assert project["name"] == "alice.example.com"
    assert project["summary"] == "Coffee."
    assert project["sitemap"]["status"] == "never"
    assert project["created_at"].endswith("Z")

    changed = alice.patch(f"/projects/{project['id']}", {"name": "Coffee", "summary": None})
    assert changed.status_code == 200
    assert member(changed, "project")["name"] == "Coffee"
    assert member(changed, "project")["summary"] is None

    assert member(alice.get(f"/projects/{project['id']}"), "project") == member(changed, "project")
    listed = alice.get("/projects").json
    assert listed is not None
    assert listed["projects"] == [member(changed, "project")]
    assert listed["pagination"] == {"page": 1, "page_size": 20, "total": 1}


def test_a_duplicate_url_is_rejected_with_the_address_of_the_first(alice: Customer, bob: Customer) -> None:
    first = alice.project("https://shop.example.com/")
    again = alice.post("/projects", {"url": "https://SHOP.example.com:443"})
    assert code(again) == (409, "PROJECT_ALREADY_EXISTS")
    assert again.headers["Location"] == f"/public-api/projects/{first}"
    assert bob.post("/projects", {"url": "https://shop.example.com/"}).status_code == 201


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "ftp://example.com/", "https://user@example.com/"]
)
def test_urls_that_may_not_be_called_are_rejected(alice: Customer, url: str) -> None:
    status, found = code(alice.post("/projects", {"url": url}))
    assert status == 422
    assert found in ("URL_NOT_ALLOWED", "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "/url"),
        ({"url": 5}, "/url"),
        ({"url": "https://example.com/", "colour": "red"}, "/colour"),
        ({"url": "https://example.com/", "tone": "loud"}, "/tone"),
        ({"url": "https://example.com/", "name": "x" * 201}, "/name"),
        ({"url": "https://example.com/", "global_instructions": "x" * 2001}, "/global_instructions"),
        ({"url": "https://example.com/", "avoid": "cheap"}, "/avoid"),
        ({"url": "https://example.com/", "avoid": ["fine", "x" * 81]}, "/avoid/1"),
        ({"url": "https://example.com/", "avoid": ["x"] * 31}, "/avoid"),
        ({"url": "https://example.com/", "call_to_action": {"text": "Go"}}, "/call_to_action/url"),
        (
            {"url": "https://example.com/", "call_to_action": {"text": "Go", "url": "ftp://example.com/"}},
            "/call_to_action/url",
        ),
    ],
)
def test_wrong_members_are_named(alice: Customer, body: dict[str, object], field: str) -> None:
    answer = alice.post("/projects", body)
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [(e["location"], e["field"]) for e in member(answer, "errors")] == [("body", field)]


def test_what_a_project_asks_of_every_post_is_written_read_and_cleared(alice: Customer) -> None:
    closing = {"text": "Try it", "url": "https://alice.example.com/try"}
    defaults = {"global_instructions": "Be short.", "avoid": ["cheap"], "call_to_action": closing}
    made = member(alice.post("/projects", {"url": "https://alice.example.com/", **defaults}), "project")
    assert {name: made[name] for name in defaults} == defaults
    path = f"/projects/{made['id']}"
    changed = member(alice.patch(path, {"avoid": ["cheap", "best"]}), "project")
    assert (changed["avoid"], changed["call_to_action"]) == (["cheap", "best"], closing)
    cleared = alice.patch(path, dict.fromkeys(defaults))
    assert {name: member(cleared, "project")[name] for name in defaults} == {
        "global_instructions": None, "avoid": [], "call_to_action": None,
    }  # fmt: skip
    assert member(alice.get(path), "project") == member(cleared, "project")


def test_a_project_names_its_models_and_goes_back_to_those_of_the_service(alice: Customer) -> None:
    named = {"llm_model": "openai/gpt-5-mini", "llm_verify_model": "claude-haiku-4-5"}
    none = dict.fromkeys(named)
    made = member(alice.post("/projects", {"url": "https://alice.example.com/", **named}), "project")
    assert {name: made[name] for name in named} == named
    path = f"/projects/{made['id']}"
    cleared = member(alice.patch(path, {"llm_model": None, "llm_verify_model": ""}), "project")
    assert {name: cleared[name] for name in named} == none
    assert {name: member(alice.get(path), "project")[name] for name in named} == none


@pytest.mark.parametrize("name", ["llm_api_key", "llm_base_url", "llm_provider", "llm_prices"])
def test_a_customer_sets_neither_keys_nor_addresses_of_a_provider(alice: Customer, name: str) -> None:
    answer = alice.patch(f"/projects/{alice.project()}", {name: "x"})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert member(answer, "errors")[0]["field"] == f"/{name}"


@pytest.mark.parametrize("name", ["llm_model", "llm_verify_model"])
@pytest.mark.parametrize("model", ["two words", "a\nb", "m" * 151, 7])
def test_an_invalid_model_name_is_rejected(alice: Customer, name: str, model: object) -> None:
    answer = alice.patch(f"/projects/{alice.project()}", {name: model})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert member(answer, "errors")[0]["field"] == f"/{name}"


def test_a_patch_must_change_something_and_nothing_computed(alice: Customer) -> None:
    project_id = alice.project()
    assert code(alice.patch(f"/projects/{project_id}", {})) == (422, "INVALID_REQUEST")
    for name in ("id", "url", "sitemap", "created_at"):
        answer = alice.patch(f"/projects/{project_id}", {name: None})
        assert code(answer) == (422, "INVALID_REQUEST")
        assert member(answer, "errors")[0]["field"] == f"/{name}"
    assert code(alice.patch(f"/projects/{project_id}", {"name": None})) == (422, "INVALID_REQUEST")


def test_a_new_sitemap_url_makes_a_sync_due_and_null_ends_syncs(alice: Customer) -> None:
    project_id = alice.project()
    changed = alice.patch(f"/projects/{project_id}", {"sitemap_url": "https://alice.example.com/map.xml"})
    assert member(changed, "project")["sitemap"]["next_sync_at"] is not None
    cleared = alice.patch(f"/projects/{project_id}", {"sitemap_url": None})
    assert member(cleared, "project")["sitemap_url"] is None
    assert member(cleared, "project")["sitemap"]["next_sync_at"] is None


class TestProjectLimit:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"PROJECT_LIMIT": "1"}

    def test_the_limit_of_projects_is_kept(self, alice: Customer) -> None:
        alice.project()
        refused = alice.post("/projects", {"url": "https://second.example.com/"})
        assert code(refused) == (403, "LIMIT_REACHED")
        account = member(alice.get("/account"), "account")
        assert (account["project_limit"], account["active_project_count"]) == (1, 1)


@pytest.mark.parametrize("field", ["url", "sitemap_url"])
def test_a_url_that_may_not_be_used_is_named_by_its_field(alice: Customer, field: str) -> None:
    given = {"url": "https://alice.example.com", field: "http://127.0.0.1/"}
    refused = alice.post("/projects", given)
    assert code(refused) == (422, "URL_NOT_ALLOWED")
    message = "The URL leads to an address that is not public."
    assert refused.json is not None
    assert refused.json["message"] == message
    assert refused.json["errors"] == [{"location": "body", "field": f"/{field}", "message": message}]
