"""Keywords: their coverage on their page, and the choice of one for a post."""

from __future__ import annotations

from app.content.posts.keyword_coverage import refresh_due_coverage
from app.infra.clock import utc_now
from app.infra.db import db
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
