"""Names on one line, without characters that nobody sees or that turn the text around."""

from __future__ import annotations

import pytest

from app.accounts import keys, service
from app.accounts.model import Account
from app.content.posts.service import edit_post
from app.failures import ServiceFailure
from app.infra.one_line import one_line
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.saved_filters import save_filter, saved_filters
from app.projects.service import create_project, update_project
from app.publishing.service import add_target, edit_target
from tests.support.publishing import post_of

TYPED = " Ali\u202ece\x1b[2J\n  and\u2066 Bob\u2069\ufeff\x7f "
KEPT = "Alice[2J and Bob"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TYPED, KEPT),
        ("a\r\n\t\x0b\x1c\u2028\u2029\x85b", "a b"),
        ("\u05e9\u05dc\u05d5\u05dd\u200f!", "\u05e9\u05dc\u05d5\u05dd\u200f!"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("\u202e\u2066\x01", ""),
        ("a\x8e\x9bb\x80", "ab"),
    ],
)
def test_what_is_unseen_goes_and_what_belongs_to_a_language_stays(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.fixture
def alice(db_app: object) -> Account:
    return service.sign_up("alice@example.com", "correct horse battery", TYPED)


def test_every_name_that_is_typed_is_one_line(alice: Account) -> None:
    project = create_project(alice, {"url": "https://alice.example.com/", "name": TYPED})
    target, _ = add_target(project, "webhook", TYPED, {"url": "https://hooks.example.com/posts"})
    page = add_page(project, {"url": "https://alice.example.com/a", "title": TYPED, "content": "A."}).page
    save_filter(alice, project, "posts", TYPED, "status=draft")
    names = {
        "account": alice.name,
        "key": keys.create_key(alice, TYPED)[0].name,
        "project": project.name,
        "target": target.name,
        "page": page.title,
        "filter": saved_filters(alice, project, "posts")[0].name,
    }
    assert names == dict.fromkeys(names, KEPT)
    assert add_keyword(project, {"keyword_text": TYPED})[0].keyword_text == KEPT.lower()


def test_a_changed_name_is_one_line_too(alice: Account) -> None:
    project = create_project(alice, {"url": "https://alice.example.com/"})
    target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
    post = post_of(project)
    edit_post(post, post.version, {"title": TYPED})
    service.update_profile(alice, TYPED, None)
    changed = (update_project(project, {"name": TYPED}), edit_target(target, name=TYPED), alice)
    assert [each.name for each in changed] == [KEPT] * 3
    assert post.title == KEPT


def test_a_name_of_unseen_characters_is_no_name(alice: Account) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        keys.create_key(alice, "\u202e\u2066")
