"""Keywords: their coverage on their page, and the choice of one for a post."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from html import unescape

from sqlalchemy import update

from app.content.posts.keyword_coverage import refresh_due_coverage
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.removals import KEPT
from app.keywords.model import KeywordRemoval
from app.keywords.removal import prune_removals
from app.keywords.service import add_keyword, set_in_use
from app.pages.service import add_page
from app.projects.model import Project
from tests.support.publishing import post_of


def counted(app, project_id, *keywords):
    """Add keywords, a page and a post about beehives, and count."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        for text in keywords:
            add_keyword(project, {"keyword_text": text})
        fields = {"url": f"{project.url}hives", "title": "Beehives", "content": "They hum."}
        page = add_page(project, fields).page
        post = post_of(project, slug="bees", title="Our <b>beehives</b>", primary_keyword="beehives")
        ids = page.id, post.id
        project.coverage_due_at = utc_now()
        db.session.commit()
        refresh_due_coverage(10)
        db.session.remove()
    return ids


def test_gaps_and_contested_keywords_are_shown_with_competing_pages(alice, app, project_id):
    page_id, post_id = counted(app, project_id, "beehives", "pollen")
    path = f"/projects/{project_id}/keywords"
    text = alice.get(f"{path}?state=contested").text
    assert "pollen" not in text
    assert f'href="/projects/{project_id}/pages/{page_id}"' in text
    assert f'href="/projects/{project_id}/posts/{post_id}"' in text
    assert "Our &lt;b&gt;beehives&lt;/b&gt;" in text
    text = alice.get(f"{path}?state=gap").text
    assert "pollen" in text
    assert f"/pages/{page_id}" not in text
    assert "beehives" not in text


def test_an_unknown_state_shows_all(alice, app, project_id):
    counted(app, project_id, "pollen")
    assert "pollen" in alice.get(f"/projects/{project_id}/keywords?state=lost").text


def test_an_old_keyword_among_many_is_selected_by_its_link(app, alice, project_id):
    form = f"/projects/{project_id}/posts/generate"
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        old = add_keyword(project, {"keyword_text": "hand mill"})[0].id
        unused, *_ = [add_keyword(project, {"keyword_text": f"keyword {number}"})[0] for number in range(101)]
        set_in_use(unused, False)
    text = alice.get(f"{form}?keyword={old}").text
    assert f'<option selected value="{old}">hand mill</option>' in text
    assert "keyword 100<" in text
    assert "keyword 0<" not in text
    assert "hand mill" not in alice.get(form).text, "the newest hundred are offered"
    refused = alice.send(form, {"keyword": str(old), "length": "900", "slug": "No slug"})
    assert f'<option selected value="{old}">hand mill</option>' in refused.text


PLANNER = (
    "Keyword Stats 2026-05-13 at 10_11_12\nApril 2025 - March 2026\n"
    "Keyword\tCurrency\tAvg. monthly searches\tTop of page bid (high range)\n"
    "Beehive Stand\tEUR\t5000\t1,42\nqueen bee\tEUR\t1K – 10K\t\n"
    + "x" * 90
    + "\tEUR\t10\t\nbees\tEUR\t1\t\n"
)


def test_typed_keywords_are_counted_before_they_are_added(alice, app, project_id):
    path = f"/projects/{project_id}/keywords"
    alice.send(path, {"lines": "bees"})
    typed = {"lines": f"Bees\nhives\nHives\n{'x' * 81}\n!!!"}
    counts = "1 new, 2 already there, 1 too long, 1 without a letter or digit"
    assert alice.send(f"{path}/count", typed, page=path).text == counts
    text = alice.send(path, {**typed, "check": "yes"}).text
    assert counts in text
    assert "hives\nHives" in text, "what was typed stays"
    assert "hives" not in [row["keyword_text"] for row in exported(alice, path)]


def test_removed_keywords_come_back_as_they_were(alice, app, project_id):
    page_id, _ = counted(app, project_id, "beehives", "pollen")
    path = f"/projects/{project_id}/keywords"
    before = alice.get(path).text
    ids = re.findall(r'name="keyword_ids" value="(\d+)"', before)
    assert alice.send(f"{path}/remove", {"keyword_ids": ids}, page=path).status_code == 302
    text = alice.get(path).text
    assert "2 keywords removed." in text
    assert "No keywords yet" in text
    undo = re.search(r'action="([^"]+/undo)"', text)[1]
    alice.send(undo, page=path)
    after = alice.get(path).text
    assert "2 keywords brought back." in after
    assert re.findall(r'name="keyword_ids" value="(\d+)"', after) == ids
    assert f"/pages/{page_id}" in after, "with what competes for them"
    alice.send(undo, page=path)
    assert "This was undone already" in unescape(alice.get(path).text)
    alice.send(f"{path}/remove", page=path)
    assert "tick the keywords first" in alice.get(path).text


def test_removing_leads_back_to_the_list_as_it_was_searched_and_turned(alice, app, project_id):
    path = f"/projects/{project_id}/keywords"
    alice.send(path, {"lines": "\n".join(f"pollen {number}" for number in range(26))}, page=path)
    last = f"{path}?q=pollen&page=2"
    (only,) = re.findall(r'name="keyword_ids" value="(\d+)"', alice.get(last).text)
    removed = alice.send(f"{path}/remove", {"keyword_ids": only, "back": last}, page=path)
    assert removed.location == last
    assert alice.get(last).location == f"{path}?q=pollen"
    undo = unescape(re.search(r'action="([^"]+/undo[^"]*)"', alice.get(f"{path}?q=pollen").text)[1])
    assert alice.send(undo, page=path).location == last


def test_a_removal_is_final_after_a_day(alice, app, project_id, things):
    path = f"/projects/{project_id}/keywords"
    alice.send(f"{path}/remove", {"keyword_ids": things["keyword_id"]}, page=path)
    undo = re.search(r'action="([^"]+/undo)"', alice.get(path).text)[1]
    with app.app_context():
        db.session.execute(update(KeywordRemoval).values(created_at=utc_now() - KEPT - timedelta(seconds=1)))
        db.session.commit()
    alice.send(undo, page=path)
    text = unescape(alice.get(path).text)
    assert "too long ago" in text
    assert "No keywords yet" in text
    with app.app_context():
        assert (prune_removals(), prune_removals()) == (1, 0)


def test_nobody_removes_or_brings_back_the_keywords_of_others(alice, bob, app, project_id, things):
    path = f"/projects/{project_id}/keywords"
    assert (
        bob.send(f"{path}/remove", {"keyword_ids": things["keyword_id"]}, page="/projects").status_code == 404
    )
    alice.send(f"{path}/remove", {"keyword_ids": things["keyword_id"]}, page=path)
    undo = re.search(r'action="([^"]+/undo)"', alice.get(path).text)[1]
    assert bob.send(undo, page="/projects").status_code == 404
    assert alice.send(undo, page=path).status_code == 302


def test_a_file_of_a_keyword_tool_is_looked_at_and_imported(alice, app, project_id):
    path = f"/projects/{project_id}/keywords"
    alice.send(path, {"lines": "bees"})
    file = (io.BytesIO(PLANNER.encode("utf-16")), "Keyword Stats.csv")
    dry_run = alice.send(f"{path}/import", {"file": file}).location
    text = alice.get(dry_run).text
    assert "2 new, 1 already there, 1 too long" in text
    assert "Import 2 new" in text
    assert len(exported(alice, path)) == 1, "nothing was added yet"
    for no_column in ("", "4", "999", "-1", "²", "1" * 5000):
        asked = alice.get(f"{dry_run}?keyword={no_column}")
        assert (asked.status_code, "Which column has the keywords?" in asked.text) == (200, True), no_column
    assert (
        alice.send(dry_run, {"keyword": "0", "volume": "2", "cpc_value": "3", "cpc_currency": "1"}).location
        == path
    )
    _, *added = sorted(exported(alice, path), key=lambda row: row["keyword_text"] != "bees")
    assert {(r["keyword_text"], r["Volume"], r["CPC"], r["Currency"]) for r in added} == {
        ("beehive stand", "5000", "1.42", "EUR"),
        ("queen bee", "", "", "EUR"),
    }
    assert alice.get(dry_run).status_code == 404


def test_only_the_form_of_a_file_takes_more_than_other_forms(alice, project_id):
    path = f"/projects/{project_id}/keywords"
    dry_run = alice.send(f"{path}/import", {"file": (io.BytesIO(b"Keyword\nbees\n"), "k.csv")}).location
    assert alice.send(dry_run, {"keyword": "x" * 2_000_000}).status_code == 413
    large = (io.BytesIO(b"Keyword\n" + b"bees and hives\n" * 100_000), "k.csv")
    assert alice.send(f"{path}/import", {"file": large}).status_code == 302


def test_an_export_holds_no_formula_and_can_be_imported_again(alice, project_id):
    path = f"/projects/{project_id}/keywords"
    alice.send(path, {"lines": "=cmd|' /c calc'!a1\n+49 bees\n-5 degrees\n@home\nplain, with comma"})
    text = alice.get(f"{path}/export.csv").text
    lines = text.splitlines()[1:]
    assert len(lines) == 5
    assert not any(line.lstrip('"').startswith(("=", "+", "-", "@")) for line in lines)
    dry_run = alice.send(f"{path}/import", {"file": (io.BytesIO(text.encode()), "keywords.csv")}).location
    assert "0 new, 5 already there" in alice.get(dry_run).text


def test_keywords_are_sorted_by_what_people_choose(alice, app, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        for text, volume, difficulty in (("b", 10, 5), ("a", None, None), ("c", 500, 90)):
            add_keyword(project, {"keyword_text": f"{text} bees", "volume": volume, "difficulty": difficulty})
    path = f"/projects/{project_id}/keywords"

    def order(name):
        return "".join(re.findall(r'aria-label="Choose (\w) bees"', alice.get(f"{path}?order={name}").text))

    assert [order(name) for name in ("newest", "text", "volume", "easiest", "odd")] == [
        *("cab", "abc", "cba", "bca", "cab"),
    ]
    assert f'href="{path}?state=covered&amp;order=text"' in alice.get(f"{path}?order=text").text


def exported(visitor, path):
    """The rows of the CSV file of a project's keywords."""
    rows = csv.DictReader(io.StringIO(visitor.get(f"{path}/export.csv").text))
    return [{**row, "keyword_text": row["Keyword"]} for row in rows]
