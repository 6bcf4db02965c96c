"""Projects: unique by URL in an account, within the account's limit, with fields that are cleaned."""

from typing import Any

import pytest
from flask import Flask

from app.accounts.model import Account
from app.accounts.service import sign_up
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects import service
from app.projects.model import Project
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")

URL = "https://example.com/"


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return sign_up("alice@example.com", "correct horse battery")


@pytest.fixture
def bob(db_app: Flask) -> Account:
    return sign_up("bob@example.com", "correct horse battery")


@pytest.fixture
def project(alice: Account) -> Project:
    return service.create_project(alice, {"url": URL})


def refusal(account: Account, **fields: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        service.create_project(account, fields)
    return caught.value


def test_a_project_is_named_after_its_host_and_its_first_sync_is_due(alice: Account) -> None:
    project = service.create_project(alice, {"url": " HTTPS://Blog.Example.com:443#top "})
    assert (project.url, project.name) == ("https://blog.example.com/", "blog.example.com")
    assert project.next_sync_at is not None
    assert project.next_sync_at <= utc_now()
    assert (project.sync_status, project.sitemap_url) == ("never", None)


def test_the_name_of_a_project_is_its_host_as_people_write_it(alice: Account) -> None:
    project = service.create_project(alice, {"url": "https://kaffee-müller.example.org/"})
    assert project.url == "https://xn--kaffee-mller-klb.example.org/"
    assert project.name == "kaffee-müller.example.org"


def test_texts_are_trimmed_and_empty_ones_are_none(alice: Account) -> None:
    project = service.create_project(
        alice, {"url": URL, "name": " Shop ", "summary": "  ", "language": "pt-BR", "tone": "expert"}
    )
    assert (project.name, project.summary, project.language, project.tone) == (
        "Shop",
        None,
        "pt-BR",
        "expert",
    )


@pytest.mark.parametrize("same", [URL, "https://EXAMPLE.com", "https://example.com:443/#x"])
def test_a_second_project_for_the_same_url_is_rejected_with_the_id_of_the_first(
    alice: Account, project: Project, same: str
) -> None:
    refused = refusal(alice, url=same)
    assert refused.failure.code == "PROJECT_ALREADY_EXISTS"
    assert refused.failure.details == {"project_id": project.id}


@pytest.mark.parametrize(
    "other",
    ["http://example.com/", "https://example.com/shop", "https://example.com/?a", "https://www.example.com/"],
)
def test_another_scheme_host_path_or_query_is_another_project(
    alice: Account, project: Project, other: str
) -> None:
    assert service.create_project(alice, {"url": other}).id != project.id


def test_bob_may_have_the_same_website_as_alice(project: Project, bob: Account) -> None:
    assert service.create_project(bob, {"url": URL}).account_id == bob.id


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost/", "ftp://example.com/", "https://a:b@example.com/",
     "example.com", "https://example.com:8443/", "http://169.254.169.254/latest", "https://exa mple.com/", "http://[::1]/"],
)  # fmt: skip
def test_a_url_that_may_not_be_called_is_rejected_and_not_repeated(alice: Account, url: str) -> None:
    refused = refusal(alice, url=url)
    assert refused.failure.code == "URL_NOT_ALLOWED"
    assert url not in str(refused)
    refused = refusal(alice, url=URL, sitemap_url=url)
    assert refused.failure.code == "URL_NOT_ALLOWED"


@pytest.mark.parametrize(
    ("name", "value"),
    [("url", None), ("url", "  "), ("url", 7), ("name", "x" * 201), ("summary", "x" * 5001),
     ("tone", "angry"), ("language", "english!"), ("language", "en\n-x"), ("summary", "a\0b"),
     ("summary", "\ud800"), ("id", 7)],
)  # fmt: skip
def test_a_wrong_member_is_rejected_by_its_name(alice: Account, name: str, value: Any) -> None:
    refused = refusal(alice, **{"url": URL, name: value})
    assert refused.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in refused.errors] == [f"/{name}"]
    assert service.count_projects(alice.id) == 0


def test_the_same_project_created_by_eight_at_once_is_one_row(db_app: Flask, alice: Account) -> None:
    alice_id = alice.id

    def create() -> str:
        account = db.session.get_one(Account, alice_id)
        try:
            service.create_project(account, {"url": URL})
        except ServiceFailure as refused:
            return refused.failure.code
        return "created"

    assert sorted(together(db_app, create, 8)) == ["PROJECT_ALREADY_EXISTS"] * 7 + ["created"]
    assert service.count_projects(alice_id) == 1


class TestLimit:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"PROJECT_LIMIT": "2"}

    def test_the_limit_holds_when_eight_are_created_at_once(self, db_app: Flask, alice: Account) -> None:
        alice_id = alice.id
        numbers = iter(range(8))

        def create() -> str:
            account = db.session.get_one(Account, alice_id)
            try:
                service.create_project(account, {"url": f"https://example.com/{next(numbers)}"})
            except ServiceFailure as refused:
                return refused.failure.code
            return "created"

        assert sorted(together(db_app, create, 8)) == ["LIMIT_REACHED"] * 6 + ["created"] * 2

    def test_an_account_with_a_limit_of_its_own_may_have_more(self, alice: Account) -> None:
        alice.project_limit = 3
        for number in range(3):
            service.create_project(alice, {"url": f"https://example.com/{number}"})
        refused = refusal(alice, url=URL)
        assert refused.failure.code == "LIMIT_REACHED"
        assert refused.failure.details == {"project_limit": 3}


def test_a_change_leaves_the_rest_as_it_was(project: Project) -> None:
    service.update_project(project, {"summary": " Shoes. "})
    service.update_project(project, {"location": "Vienna"})
    assert (project.summary, project.location, project.name) == ("Shoes.", "Vienna", "example.com")
    service.update_project(project, {"summary": None})
    assert (project.summary, project.location) == (None, "Vienna")


def test_a_new_sitemap_makes_a_sync_due_and_the_same_one_does_not(project: Project) -> None:
    project.next_sync_at = None
    service.update_project(project, {"sitemap_url": "https://example.com/sitemap.xml"})
    due = project.next_sync_at
    assert due is not None
    service.update_project(project, {"sitemap_url": "https://EXAMPLE.com/sitemap.xml", "name": "Shop"})
    assert project.next_sync_at == due
    service.update_project(project, {"sitemap_url": None})
    assert project.next_sync_at is None


@pytest.mark.parametrize(
    "changes", [{"name": None}, {"name": " "}, {"url": URL}, {"id": 1}, {"tone": "angry"}]
)
def test_a_wrong_change_changes_nothing(project: Project, changes: dict[str, Any]) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        service.update_project(project, {"summary": "new", **changes})
    db.session.expire_all()
    assert (project.name, project.summary) == ("example.com", None)


def test_bob_cannot_distinguish_alices_project_from_none(project: Project, bob: Account) -> None:
    for account_id, project_id in ((bob.id, project.id), (bob.id, 999_999)):
        with pytest.raises(ServiceFailure, match="PROJECT_NOT_FOUND"):
            service.get_project(account_id, project_id)
    assert service.get_project(project.account_id, project.id) is project
    assert service.find_project(project.id) is project


def test_projects_are_listed_newest_first_page_by_page(alice: Account, bob: Account) -> None:
    made = [service.create_project(alice, {"url": f"https://example.com/{n}"}) for n in range(5)]
    service.create_project(bob, {"url": URL})
    for project in made[:2]:
        project.created_at = made[0].created_at
    db.session.commit()
    first, total = service.list_projects(alice.id, 1, 3)
    second, _total = service.list_projects(alice.id, 2, 3)
    assert total == 5
    assert [*first, *second] == made[::-1]
    assert service.list_projects(alice.id, 3, 3) == ([], 5)
