"""Ghost as a target: what is sent, found, changed and removed there."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from app.content.rendering.html import render_html
from app.publishing.targets.base import NOT_DELIVERED, PublishProblem, RemotePost
from app.publishing.targets.ghost.kind import create, delete, find, unpublish, write
from tests.support.ghosts import Blog, changed, document, picture, reference

MARKDOWN = """\
Intro with `a < b`, ~~old~~ and **bold *both*** words, see [the table](#section-the-table).

## The table

| Bed | Plant |
|---|---|
| 1 | [Beans](https://beans.example/?a=1&b=2) |

- loose

  with a second paragraph

- item
  1. nested
  2. again

1. in a list:

       code in a list

2. > a quote in a list

> A quote
>
> of two paragraphs

> - a list in a quote

```
for bed in beds:
    print(bed < 1)
```

![A bed](https://garden.example/bed.png) beside text. [![Linked](https://garden.example/x.png)](https://garden.example/)

***

### What’s “new” & good? 日本語 <b>

Last line.
"""


def live(ghost: Blog, **values: object) -> tuple[RemotePost, str]:
    """A post that is live there, and its publication id."""
    sent = document(**values)
    return write(sent, create(sent, ghost.access()), ghost.access()), sent.publication_id


def code_of(caught: pytest.ExceptionInfo[PublishProblem]) -> tuple[str, str]:
    return caught.value.failure.code, caught.value.certainty


def words(html: str) -> list[str]:
    return BeautifulSoup(html, "lxml").get_text(" ").split()


def test_a_new_post_is_hidden_until_it_is_published(ghost: Blog) -> None:
    sent = document()
    draft = create(sent, ghost.access())
    assert (draft.status, draft.digest, draft.slug) == ("draft", sent.digest, sent.post["slug"])
    assert ghost.page(f"{ghost.url}/{draft.slug}/")[0] == 404
    published = write(sent, draft, ghost.access())
    assert (published.external_id, published.status) == (draft.external_id, "live")
    assert published.url == f"{ghost.url}/{draft.slug}/"
    status, page = ghost.page(published.url)
    assert status == 200
    assert "Write down what was sown." in page


def test_everything_that_readers_and_search_engines_see_is_sent(ghost: Blog) -> None:
    faq = {"@type": "FAQPage", "mainEntity": "</script><script>alert(1)</script>"}
    sent = document(json_ld=[{"@type": "BlogPosting"}, faq], picture=picture())
    published = write(sent, create(sent, ghost.access()), ghost.access())
    (post,) = ghost.posts(sent.publication_id)
    assert post["title"] == sent.post["title"]
    assert post["custom_excerpt"] == post["meta_description"] == sent.post["description"]
    assert post["meta_title"] == sent.post["meta_title"]
    assert {tag["name"] for tag in post["tags"]} == {"Gardening", "Notes"}
    assert post["feature_image_alt"] == "A notebook between beds"
    assert ghost.page(post["feature_image"])[0] == 200
    found = BeautifulSoup(ghost.page(published.url)[1], "lxml").find_all("script", type="application/ld+json")
    data = [json.loads(script.text) for script in found]
    assert [faq] in data
    assert not any("BlogPosting" in str(each) for each in data)


def test_long_texts_are_cut_to_what_ghost_takes(ghost: Blog) -> None:
    long = dict.fromkeys(("title", "meta_title", "description"), "word " * 200)
    image = replace(picture(), alt="word " * 60)
    _, publication_id = live(ghost, **long, tags=["#internal", "", ",x", "y" * 300], picture=image)
    (post,) = ghost.posts(publication_id)
    most = {"title": 255, "meta_title": 300, "meta_description": 500, "custom_excerpt": 300}
    for name, length in {**most, "feature_image_alt": 125}.items():
        assert length - 10 < len(post[name]) <= length, name
        assert post[name].endswith("word…"), name
    assert {tag["name"] for tag in post["tags"]} == {"internal", "x", "y" * 191}


def test_readers_get_the_whole_text(ghost: Blog) -> None:
    html = render_html(MARKDOWN)
    published, publication_id = live(ghost, content_html=html)
    (post,) = ghost.posts(publication_id)
    assert words(post["html"]) == words(html)
    page = BeautifulSoup(ghost.page(published.url)[1], "lxml")
    assert page.find(id="section-the-table") is not None
    assert len(page.find_all(href="#section-the-table")) == 1
    assert len(page.find_all("img", src=re.compile("garden.example"))) == 2
    assert page.find("td", string="1") is not None


def test_ghost_itself_never_changes_the_fingerprint(ghost: Blog) -> None:
    sent = document(content_html=render_html(MARKDOWN), picture=picture())
    draft = create(sent, ghost.access())
    published = write(sent, draft, ghost.access())
    found = find(reference(sent, draft.external_id), ghost.access())
    assert found == published
    assert draft.fingerprint == published.fingerprint is not None
    unpublish(published, ghost.access())
    hidden = find(reference(sent, draft.external_id), ghost.access())
    assert hidden is not None
    assert hidden.fingerprint == draft.fingerprint


@pytest.mark.parametrize(
    "edit",
    [{"title": "Mine"}, {"html": "<p>Mine</p>"}, {"custom_excerpt": "Mine"}, {"feature_image": None}],
    ids=str,
)
def test_an_edit_in_ghost_is_never_overwritten(ghost: Blog, edit: dict[str, str]) -> None:
    sent = document(picture=picture())
    published = write(sent, create(sent, ghost.access()), ghost.access())
    ghost.edit(published, **edit)
    edited = find(reference(sent, published.external_id), ghost.access())
    assert edited is not None
    assert edited.digest == published.digest
    assert edited.fingerprint != published.fingerprint
    with pytest.raises(PublishProblem) as caught:
        write(changed(sent, content_html="<p>Ours</p>"), published, ghost.access())
    assert code_of(caught) == ("TARGET_POST_EDITED", NOT_DELIVERED)
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["text_here"] == "<p>Ours</p>"
    assert caught.value.failure.details["text_there"] == edited.text


def test_a_person_may_decide_to_replace_an_edited_text(ghost: Blog) -> None:
    sent = document()
    published = write(sent, create(sent, ghost.access()), ghost.access())
    ghost.edit(published, html="<p>Mine</p>")
    edited = find(reference(sent, published.external_id), ghost.access())
    assert edited is not None
    replaced = write(changed(sent, content_html="<p>Ours</p>"), edited, ghost.access())
    assert "Ours" in ghost.page(replaced.url)[1]


def test_an_edit_between_the_reading_and_the_writing_is_noticed(look_alike: Blog) -> None:
    sent = document()
    published = write(sent, create(sent, look_alike.access()), look_alike.access())
    site = look_alike.site
    assert site is not None
    true_edit, site._edit = site._edit, None  # type: ignore[method-assign,assignment]

    def edited_first(post, sent_post, query):  # type: ignore[no-untyped-def]
        site._edit = true_edit  # type: ignore[method-assign]
        look_alike.edit(published, title="Mine")
        return true_edit(post, sent_post, query)

    site._edit = edited_first  # type: ignore[method-assign]
    with pytest.raises(PublishProblem) as caught:
        write(changed(sent, title="Ours"), published, look_alike.access())
    assert code_of(caught) == ("TARGET_POST_EDITED", NOT_DELIVERED)


def test_an_update_keeps_the_address_and_what_belongs_to_the_site(ghost: Blog) -> None:
    sent = document()
    published = write(sent, create(sent, ghost.access()), ghost.access())
    (post,) = ghost.posts(sent.publication_id)
    own = f"{post['codeinjection_head']}<style>.own {{}}</style>"
    ghost.edit(published, tags=["Chosen"], codeinjection_head=own)
    present = find(reference(sent, published.external_id), ghost.access())
    assert present is not None
    update = changed(sent, title="New title", slug="another-slug", tags=["Else"], content_html="<p>New</p>")
    updated = write(update, present, ghost.access())
    (post,) = ghost.posts(sent.publication_id)
    assert (updated.url, updated.digest) == (published.url, update.digest)
    assert [tag["name"] for tag in post["tags"]] == ["Chosen"]
    assert "<style>.own {}</style>" in post["codeinjection_head"]
    assert post["codeinjection_head"].count("publication:") == 1
    status, page = ghost.page(updated.url)
    assert (status, "New title" in page) == (200, True)


def test_a_post_that_its_owner_scheduled_stays_scheduled(ghost: Blog) -> None:
    sent = document()
    draft = create(sent, ghost.access())
    ghost.edit(draft, status="scheduled", published_at="2040-01-01T00:00:00.000Z")
    scheduled = find(reference(sent, draft.external_id), ghost.access())
    assert scheduled is not None
    assert scheduled.status == "scheduled"
    assert write(changed(sent, title="New title"), scheduled, ghost.access()).status == "scheduled"


def test_a_post_is_found_by_its_marker_even_if_its_slug_was_changed(ghost: Blog) -> None:
    sent = document()
    draft = create(sent, ghost.access())
    ghost.edit(draft, slug=f"other-{sent.post['slug']}")
    found = find(reference(sent), ghost.access())
    assert found is not None
    assert found.external_id == draft.external_id


def test_a_post_is_found_by_its_slug_if_filters_find_nothing(look_alike: Blog) -> None:
    sent = document()
    draft = create(sent, look_alike.access())
    assert look_alike.site is not None
    look_alike.site.filters = False
    assert find(reference(sent), look_alike.access()) == draft


def test_another_post_with_the_slug_is_not_ours(ghost: Blog) -> None:
    first = document()
    create(first, ghost.access())
    second = document(slug=first.post["slug"])
    assert find(reference(second), ghost.access()) is None
    assert create(second, ghost.access()).slug == f"{first.post['slug']}-2"


def test_a_post_that_was_deleted_in_ghost_is_gone(ghost: Blog) -> None:
    sent = document()
    draft = create(sent, ghost.access())
    delete(draft, ghost.access())
    assert find(reference(sent, draft.external_id), ghost.access()) is None
    assert find(reference(sent), ghost.access()) is None
    delete(draft, ghost.access())
    unpublish(draft, ghost.access())


def test_unpublishing_hides_a_post_and_only_then_it_can_be_deleted(ghost: Blog) -> None:
    published, publication_id = live(ghost)
    with pytest.raises(PublishProblem) as caught:
        delete(published, ghost.access())
    assert code_of(caught) == ("PUBLISH_REJECTED", NOT_DELIVERED)
    unpublish(published, ghost.access())
    unpublish(published, ghost.access())
    assert ghost.page(published.url)[0] == 404
    delete(published, ghost.access())
    assert ghost.posts(publication_id) == []


def test_no_call_asks_ghost_to_send_a_newsletter(look_alike: Blog) -> None:
    published, _ = live(look_alike, picture=picture())
    unpublish(published, look_alike.access())
    assert look_alike.site is not None
    assert not any(
        "newsletter" in each.path or b"newsletter" in each.body for each in look_alike.site.requests
    )
