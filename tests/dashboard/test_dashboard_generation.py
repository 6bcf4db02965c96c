"""The form of a generation: its options, its errors, and the post."""

from __future__ import annotations

import json
import re

import pytest

from app.executions.service import Submission, submit
from app.infra.db import db
from app.keywords.model import Keyword
from app.keywords.service import add_keyword, set_in_use
from app.operations import generate_blog_post
from app.pages.service import add_page
from app.projects.model import Project
from tests.support.forms import boxes, page_of, payload_of, wrong

GRINDERS = (
    "# Espresso grinders\n\n"
    "An espresso grinder turns roasted beans into an even powder, and its burrs decide how even that is.\n\n"
    "## Choosing an espresso grinder\n\n"
    "Look at the burrs first, because a large flat espresso grinder stays cool and is easy to set.\n\n"
    "## Cleaning an espresso grinder\n\n"
    "Brush the burrs of an espresso grinder every week and take them out for a wash twice a year.\n\n"
    "## Setting an espresso grinder\n\n"
    "Turn the collar of the espresso grinder by one mark and draw two shots before you turn it again.\n\n"
    "## How loud is an espresso grinder?\n\n"
    "An espresso grinder is about as loud as a hair dryer, and it runs for fifteen seconds a cup.\n"
)
ANYWAY = {"topic": "Espresso grinder", "write_anyway": "Espresso grinder"}
"""A topic that a page of the project is about."""
EVERYTHING = {
    **ANYWAY, "keywords": "espresso grinder\nburrs", "pages": "/grinders", "length": "500",
    "tone": "friendly", "title": "Grinders: What Matters", "slug": "grinders", "words": "1,200",
    "post_type": "guide", "audience": "beginners", "language": "en",
    "key_points": "We test 40 grinders a year.",
    "outline": "Keeping it clean\n- brush the burrs\n\nSetting it", "instructions": "Be short.",
    "avoid": "cool", "required": "/grinders", "fewest": "1", "most": "9", "closing_text": "See them",
    "closing_url": "https://alice.example.com/all", "table_of_contents": "y", "key_takeaways": "y",
    "no_faq": "y", "no_json_ld": "y", "minimum_kind": "extractive",
    "engine": "extractive", "on_llm_failure": "extractive",
}  # fmt: skip


@pytest.fixture
def form(app, alice, project_id) -> str:
    """The address of the form, in a project with a page on grinders."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": f"{project.url}grinders", "title": "Grinders", "content": GRINDERS})
    return f"/projects/{project_id}/posts/generate"


def test_an_empty_form_asks_for_nothing_but_a_length(app, alice, form):
    text = alice.get(form).text
    assert '<details class="more">' in text
    assert payload_of(app, alice.send(form, {"length": "900"}).location) == {"target_words": 900}


def test_a_form_that_was_sent_already_says_so_and_is_sent_again_as_another(app, alice, form):
    sent = {**alice.hidden(form), **ANYWAY, "length": "900"}
    first = alice.client.post(form, data=sent).location
    assert alice.client.post(form, data=sent).location == first
    other = alice.client.post(form, data={**sent, "topic": "Cleaning the burrs"})
    assert other.status_code == 422
    assert "This form was already sent" in other.text
    assert "Send it again to create a second post." in other.text
    assert f'href="{page_of(first)}"' in other.text
    assert "dempotency" not in other.text
    key = re.search(r'name="job_key" value="([^"]+)"', other.text)[1]
    assert 'value="Cleaning the burrs"' in other.text
    again = alice.client.post(form, data={**sent, "topic": "Cleaning the burrs", "job_key": key}).location
    assert payload_of(app, again)["topic"] == "Cleaning the burrs"


def test_the_job_of_a_post_shows_its_brief_and_outline_folded_up(app, alice, form, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        project.avoid, project.target_audience_summary = ["cheap <b>"], "Beginners"
        db.session.commit()
    job = alice.send(form, {**ANYWAY, "length": "500"}).location
    assert 'id="plan"' not in alice.get(job).text, "there is none yet"
    alice.run(job)
    plan = re.search(r'id="plan".*?</section>', alice.get(job).text, re.DOTALL)[0]
    assert plan.count("<details class=") == 2
    assert "<details open" not in plan
    facts = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", plan))
    assert (facts["Topic"], facts["Length"]) == ("Espresso grinder", "500 words")
    assert (facts["Readers"], facts["Words to avoid"]) == ("Beginners", "cheap &lt;b&gt;")
    assert facts["From the project"] == "audience, avoid"
    assert '<li class="break">Choosing an espresso grinder</li>' in plan


def test_everything_that_the_form_offers_reaches_the_job(app, alice, form):
    asked = payload_of(app, alice.send(form, EVERYTHING).location)
    page_ids = asked.pop("page_ids")
    assert asked.pop("required_page_ids") == page_ids
    assert asked == {
        "topic": "Espresso grinder", "keywords": ["espresso grinder", "burrs"], "target_words": 1200,
        "tone": "friendly", "title": "Grinders: What Matters", "slug": "grinders", "post_type": "guide",
        "audience": "beginners", "language": "en", "key_points": ["We test 40 grinders a year."],
        "outline": [
            {"heading": "Keeping it clean", "key_points": ["brush the burrs"]}, {"heading": "Setting it"},
        ],
        "instructions": "Be short.", "avoid": ["cool"], "internal_links": {"min": 1, "max": 9},
        "call_to_action": {"text": "See them", "url": "https://alice.example.com/all"},
        "include": {"table_of_contents": True, "key_takeaways": True, "faq": False, "json_ld": False},
        "minimum_kind": "extractive", "engine": "extractive", "on_llm_failure": "extractive",
    }  # fmt: skip


def test_a_post_can_do_without_the_projects_closing_line(app, alice, form):
    assert "Without the project’s closing line" not in alice.get(form).text
    with app.app_context():
        db.session.query(Project).one().call_to_action = {"text": "Try it", "url": "https://x.example/"}
        db.session.commit()
    assert "Without the project’s closing line" in alice.get(form).text
    location = alice.send(form, {"length": "500", "no_closing": "y"}).location
    assert payload_of(app, location) == {"target_words": 500, "call_to_action": None}
    again = alice.get(f"{form}?like={page_of(location).rpartition('/')[2]}").text
    assert re.search(r'<input checked[^>]* name="no_closing"', again)
    both = alice.send(
        form, {"length": "500", "no_closing": "y", "closing_text": "Go", "closing_url": "https://x.example/"}
    )
    assert "That is filled in" in wrong(both.text, "no_closing")


def test_what_a_job_declined_stays_declined_when_its_input_is_changed(app, alice, form, project_id):
    nothing = {"call_to_action": None, "instructions": None, "avoid": [], "audience": None,
               "required_page_ids": []}  # fmt: skip
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        asked = {"topic": "Grinders", **nothing}
        job_id = submit(Submission(project, generate_blog_post.OPERATION, asked, "test")).job.id
    like = f"{form}?like={job_id}"
    ticked = re.findall(r'<input checked[^>]* name="(no_\w+)"', alice.get(like).text)
    assert len(ticked) == len(nothing)
    shown = {"topic": "Grinders", "write_anyway": "Grinders", "length": "900", **dict.fromkeys(ticked, "y")}
    again = payload_of(app, alice.send(form, {**shown, **alice.hidden(like)}).location)
    assert again == {"topic": "Grinders", "target_words": 900, **dict.fromkeys(nothing)}


def test_what_the_project_asks_of_every_post_can_be_declined(app, alice, form):
    assert "Without the project’s" not in alice.get(form).text
    with app.app_context():
        project = db.session.query(Project).one()
        project.global_instructions, project.avoid = "British English.", ["cheap"]
        db.session.commit()
    text = alice.get(form).text
    assert re.findall(r"Without the project’s ([a-z ]+)<", text) == ["instructions", "words to avoid"]


def test_a_model_that_is_not_configured_is_shown_beside_its_field(app, alice, form):
    text = alice.send(form, {"length": "900", "engine": "llm"}).text
    assert "No text provider is configured" in wrong(text, "engine")


def test_the_input_of_a_job_comes_back_into_the_form(app, alice, form):
    location = alice.send(form, EVERYTHING).location
    like = f"{form}?like={page_of(location).rpartition('/')[2]}"
    text = alice.get(like).text
    assert '<details class="more" open>' in text
    page_id = str(payload_of(app, location)["page_ids"][0])
    assert boxes(text, "page_ids") == boxes(text, "required_page_ids") == {int(page_id): True}
    by_address = ("keyword", "slug", "pages", "required")
    fields = {name: value for name, value in EVERYTHING.items() if name not in by_address}
    fields |= {"page_ids": page_id, "required_page_ids": page_id}
    again = alice.send(form, {**fields, **alice.hidden(like), "slug": "other"}).location
    first, second = payload_of(app, location), payload_of(app, again)
    assert second == {**first, "slug": "other"}
    for ticked in ("table_of_contents", "key_takeaways", "no_faq", "no_json_ld"):
        assert re.search(rf'<input checked[^>]* name="{ticked}"', text)
    for shown in ("1200", "- brush the burrs", "/grinders", "See them"):
        assert shown in text


def test_no_keyword_of_a_job_is_lost_when_its_input_is_changed(app, alice, form, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        rows = [add_keyword(project, {"keyword_text": text})[0] for text in ("grinder", "burrs", "collar")]
        ids = [row.id for row in rows]
        asked = {"keyword_ids": ids, "keywords": ["hopper", "burrs"]}
        job_id = submit(Submission(project, generate_blog_post.OPERATION, asked, "test")).job.id
    like = f"{form}?like={job_id}"
    text = alice.get(like).text
    assert f'<option selected value="{ids[0]}">grinder</option>' in text
    assert area(text, "keywords") == ["burrs", "collar", "hopper"]
    with app.app_context():
        set_in_use(db.session.get_one(Keyword, ids[0]), False)
    text = alice.get(like).text
    assert f'value="{ids[0]}"' not in text
    assert area(text, "keywords") == ["grinder", "burrs", "collar", "hopper"]


def area(text: str, name: str) -> list[str]:
    """The lines in a text area."""
    return re.search(rf'<textarea[^>]* name="{name}"[^>]*>(.*?)</textarea>', text, re.DOTALL)[1].split()


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"pages": "/grinders\n/nowhere"}, "pages", "Not a page of this project: /nowhere."),
        ({"required": "https://bob.example.com/"}, "required", "Not a page"),
        ({"topic": "+++"}, "topic", "no letter or digit"),
        ({"words": "many"}, "words", "Give a whole number."),
        ({"words": "50"}, "words", "200"),
        ({"keywords": "fine\n" + "a" * 81}, "keywords", "No. 2:"),
        ({"outline": "- a point"}, "outline", "Begin with a heading."),
        ({"outline": "One\nTwo\n- " + "a" * 301}, "outline", "No. 2:"),
        ({"closing_text": "Go"}, "closing_url", "required"),
        ({"closing_url": "https://x.example/"}, "closing_text", "required"),
        ({"closing_text": "Go", "closing_url": "shop"}, "closing_url", "Not a usable http or https address"),
        ({"fewest": "5", "most": "2"}, "fewest", "greater than max"),
        ({"most": "99"}, "most", "15"),
        ({"slug": "Not A Slug"}, "slug", "hyphen"),
        ({"language": "Klingon!"}, "language", "language tag"),
    ],
)
def test_errors_are_shown_beside_their_fields(alice, form, fields, field, words):
    answer = alice.send(form, {"length": "500", **fields})
    assert answer.status_code == 422
    assert words in wrong(answer.text, field)
    opened = field not in ("topic", "keywords")
    assert ('<details class="more" open>' in answer.text) is opened


def test_a_post_shows_what_to_know_about_it(app, alice, form):
    location = alice.send(form, {**ANYWAY, "length": "500", "tone": "casual",
                                 "outline": "Cleaning\nRockets"}).location  # fmt: skip
    alice.run(location)
    page = re.search(r"/projects/\d+/posts/\d+", alice.get(location).text)[0]
    text = alice.get(page).text
    for shown in (
        "excerpts with their sources", "from the pages alone", "For the editor", "“Rockets” was left out",
        "Not applied, so you have to do it yourself: tone “casual”", "1 question answered",
        "How loud is an espresso grinder?",
        "schema.org data", "BlogPosting", "FAQPage", "Sources",
    ):  # fmt: skip
        assert shown in text
    assert "OPTION_NOT_APPLIED" not in text
    assert "Rockets" not in text.split("<article")[1].split("</article>")[0]


def test_each_sentence_of_a_post_leads_to_the_passage_that_it_rests_on(app, alice, form):
    location = alice.send(form, {**ANYWAY, "length": "500"}).location
    alice.run(location)
    page = re.search(r"/projects/\d+/posts/\d+", alice.get(location).text)[0]
    text = alice.get(page).text
    passage = re.search(r'href="#(from-[^"]+)" data-s="(\d+)">Brush the burrs', text)
    card = text.split(f'id="{passage[1]}"')[1].split("</div>")[0]
    assert re.search(rf'<mark data-of="{passage[2]}">Brush the burrs', card)
    assert "Espresso grinders" in card
    assert "said own" not in text
    words = "A line of my own. In 1987 it was built."
    alice.send(f"{page}/edit", {"version": "1", "title": "Mine", "slug": "mine", "content": words})
    text = alice.get(page).text
    assert re.search(r'class="said own"[^>]*href="#own"[^>]*>A line of my own\.</a>', text)
    assert re.search(r'class="said unsure"[^>]*href="#unsure"[^>]*>In 1987 it was built\.</a>', text)
    assert re.search(r'<a href="#t-\d+">[^<]*in no source', text)


def test_the_checks_quote_the_places_where_they_found_something(alice, things):
    page = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    words = "In 1987 it cost 4711 francs. “A <b>bold</b> claim that nobody made before.”"
    alice.send(f"{page}/edit", {"version": "1", "title": "Mine", "slug": "mine", "content": words})
    for shown in (alice.get(page).text, alice.get(f"{page}/publish").text):
        claims = re.search(r"3 numbers, quotes or names are in no source\.(.*?)</li>", shown, re.DOTALL)[1]
        assert re.findall(r'<span class="hint break">“(.*?)”</span>', claims)[:2] == ["1987", "4711"]
        assert "<b>" not in claims
        listed = shown.split('<ul class="checks">')[1].split("</ul>")[0]
        assert "“content”" not in listed


def test_what_a_page_says_cannot_break_out_of_the_data_shown(app, alice, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        hostile = GRINDERS.replace("as a hair dryer", "as </pre><script>alert(1)</script>")
        add_page(project, {"url": f"{project.url}x", "title": "Grinders", "content": hostile})
        add_keyword(project, {"keyword_text": "espresso grinder"})
    location = alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location
    alice.run(location)
    text = alice.get(re.search(r"/projects/\d+/posts/\d+", alice.get(location).text)[0]).text
    assert "<script>alert" not in text
    assert json.dumps("FAQPage") not in text.split("</details>")[-1]
