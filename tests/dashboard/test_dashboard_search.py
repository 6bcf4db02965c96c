"""Search performance through its pages: import an export, look at what it suggests, act on it."""

from __future__ import annotations

import io
import re
from datetime import timedelta

from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.keywords.service import list_keywords
from app.projects.model import Project
from app.search_performance.model import SearchImport, SearchPage, SearchQuery
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.service import KEPT, remove_old_files
from tests.support.publishing import post_of
from tests.support.search_exports import search_export

MARCH = ["2026-03-01", "2026-03-31"]
APRIL = ["2026-04-01", "2026-05-01"]
POST_URL = "https://alice.example.com/blog/queen-bees"


def chosen(visitor, project_id, data, name="export.zip"):
    """Choose a file; returns the address of its dry run."""
    path = f"/projects/{project_id}/search/import"
    answer = visitor.send(path, {"file": (io.BytesIO(data), name)})
    assert answer.status_code == 302, answer.text
    return answer.location


def imported(visitor, project_id, data, name="export.zip"):
    """Choose a file and import it as it is shown."""
    dry_run = chosen(visitor, project_id, data, name)
    text = visitor.get(dry_run).text
    form = re.search(r'<form class="after" method="post".*?</form>', text, re.DOTALL)[0]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))
    answer = visitor.client.post(dry_run, data=fields)
    assert answer.status_code == 302, answer.text
    return text


def test_a_file_that_nobody_imports_is_removed_after_a_day(app, alice, project_id):
    dry_run = chosen(alice, project_id, search_export([("bees", 1, 10, "3")], [], MARCH))
    with app.app_context():
        assert remove_old_files() == 0
        db.session.execute(update(UploadedFile).values(created_at=utc_now() - KEPT - timedelta(seconds=1)))
        db.session.commit()
        assert remove_old_files() == 1
    assert alice.get(dry_run).status_code == 404


def test_an_export_is_looked_at_imported_and_suggests_what_to_do(app, alice, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        post = post_of(project, slug="queen-bees", title="Queen bees", published_url=POST_URL)
        post_id = post.id
    first = [("queen bees", 40, 900, "3.2"), ("bee swarm", 2, 700, "12.5"), ("wax", 0, 600, "44")]
    text = imported(alice, project_id, search_export(first, [(POST_URL, 100, 2000, "3")], MARCH))
    assert "3 new" in text
    assert "1 Mar 2026 to 31 Mar 2026" in text
    page = alice.get(f"/projects/{project_id}/search").text
    assert "Posts that lose readers" not in page, "there is nothing to compare with"
    near, without = page.split('id="near_top"')[1].split('id="without_post"')
    assert "bee swarm" in near
    assert f'href="/projects/{project_id}/posts/generate?topic=bee+swarm"' in near
    assert "wax" in without
    assert "queen bees" not in without, "a post is about it"

    second = [("queen bees", 10, 900, "8.1"), ("bee swarm", 5, 700, "11")]
    imported(alice, project_id, search_export(second, [(POST_URL, 30, 1500, "7")], APRIL, "de"))
    losing, near = alice.get(f"/projects/{project_id}/search").text.split('id="near_top"')
    assert "30 clicks after 100 in a period as long" in losing
    refresh = f'action="/projects/{project_id}/posts/{post_id}/proposal/refresh"'
    assert refresh in losing
    assert refresh in near.split("bee swarm")[0], "the post about it is the one to refresh"
    assert 'value="bee swarm"' in alice.get(f"/projects/{project_id}/posts/generate?topic=bee+swarm").text


def test_importing_a_period_again_replaces_its_rows(app, alice, project_id):
    rows = [("bees", 1, 10, "5"), ("hives", 2, 20, "6")]
    imported(alice, project_id, search_export(rows, days=MARCH))
    text = imported(alice, project_id, search_export([("bees", 7, 70, "4"), ("wax", 1, 1, "9")], days=MARCH))
    assert "1 new, 1 already there" in text
    with app.app_context():
        (found,) = db.session.query(SearchImport).all()
        assert (found.queries, found.clicks, found.impressions) == (3, 10, 91)
        assert db.session.query(SearchQuery).filter_by(query="bees").one().clicks == 7


def test_columns_and_days_can_be_changed_before_the_import(app, alice, project_id):
    data = b"Where,How often,Seen\nhttps://alice.example.com/a,3,40\n"
    dry_run = chosen(alice, project_id, data, "own.csv")
    assert "Nothing to import yet" in alice.get(dry_run).text
    days = "first_day=2026-02-01&last_day=2026-02-28"
    columns = "0-kind=pages&0-page=0&0-clicks=1&0-impressions=2&0-position="
    assert "before the first" in alice.get(f"{dry_run}?first_day=2026-02-28&last_day=2026-02-01").text
    assert alice.get(f"{dry_run}?first_day=soon").status_code == 422
    assert "1 Feb 2026 to 28 Feb 2026" in alice.get(f"{dry_run}?{days}&{columns}").text
    fields = dict(pair.split("=") for pair in f"{days}&{columns}".split("&"))
    assert alice.send(dry_run, fields).status_code == 302
    with app.app_context():
        (page,) = db.session.query(SearchPage).all()
        assert (page.url, page.clicks, page.impressions) == ("https://alice.example.com/a", 3, 40)
    assert alice.get(dry_run).status_code == 404, "the file was imported already"


def test_what_is_no_table_is_refused_beside_the_field(alice, project_id):
    path = f"/projects/{project_id}/search/import"
    for data, message in ((b"PK\x03\x04 torn", "damaged"), (b"", "empty")):
        answer = alice.send(path, {"file": (io.BytesIO(data), "export.zip")})
        assert answer.status_code == 422
        assert message in answer.text
    assert "Choose a file." in alice.send(path).text


def test_ticked_searches_become_keywords_and_the_period_can_be_removed(app, alice, project_id):
    imported(alice, project_id, search_export([("bees", 1, 10, "5"), ("hives", 2, 20, "6")], days=MARCH))
    queries = f"/projects/{project_id}/search/queries"
    ids = re.findall(r'name="query_ids" value="(\d+)"', alice.get(f"{queries}?q=be&order=position").text)
    assert len(ids) == 1
    alice.send(f"/projects/{project_id}/search/keywords", {"query_ids": ids}, page=queries)
    assert "Keywords: 1 new." in alice.get(queries).text
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        assert [row.keyword_text for row in list_keywords(project, 1, 10)[0]] == ["bees"]
        import_id = db.session.query(SearchImport).one().id
    imports = f"/projects/{project_id}/search/imports"
    assert "1 Mar 2026 to 31 Mar 2026" in alice.get(imports).text
    assert "No pages" in alice.get(f"/projects/{project_id}/search/pages").text
    alice.send(f"{imports}/{import_id}/delete", page=imports)
    assert "No search results yet" in alice.get(f"/projects/{project_id}/search").text


def test_nobody_sees_or_imports_the_files_of_others(alice, bob, project_id):
    dry_run = chosen(alice, project_id, search_export([("bees", 1, 10, "5")], days=MARCH))
    assert bob.get(dry_run).status_code == 404
    assert bob.get(f"/projects/{project_id}/search").status_code == 404
