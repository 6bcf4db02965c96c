"""Buttons, bylines, bars and boxes of a page are kept apart from its text, or left out."""

from __future__ import annotations

import pytest

from app.pages.extraction.blocks import Extracted
from tests.support.html_pages import page, read


def kinds(body: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read(body)]


@pytest.fixture
def post() -> Extracted:
    return page("post")


def test_a_post_keeps_its_text_and_marks_the_rest(post: Extracted) -> None:
    assert [block.text[:34] for block in post.blocks if block.kind in ("heading", "p", "li")] == [
        "How to true a wheel",
        "A wheel that wobbles wears its bra",
        "What you need",
        "Before you start, put these on the",
        "a spoke key",
        "chalk | a pen",
        "white is best",
        "Work in small steps, and turn each",
        "Press Save to keep your notes, as ",
    ]
    assert [block.text for block in post.blocks if block.kind == "byline"] == [
        "By Jane Doe · 3 min read · 12 May 2024",
        "Last updated on May 3, 2024.",
    ]


def test_what_is_marked_can_still_be_found(post: Extracted) -> None:
    labels = [block.text for block in post.blocks if block.kind == "label"]
    assert labels == [
        "Available Languages: de | en | fr",
        "Book now",
        "Share on Facebook Tweet",
        "Tags: wheels, repair",
        "Previous / Next",
        "Get one repair a week",
        "No spam, ever.",
        "Related posts",
        "How to clean a chain",
        "A clean chain lasts twice as long, says every mechanic.",
    ]


def test_trails_menus_and_consent_are_left_out(post: Extracted) -> None:
    read = "\n".join(block.text for block in post.blocks)
    assert "Blog" not in read
    assert "cookies" not in read


def test_a_link_to_more_at_a_lines_end_is_no_part_of_it(post: Extracted) -> None:
    assert "turn each key by a quarter at most." in [block.text[-35:] for block in post.blocks]


@pytest.mark.parametrize(
    "line",
    [
        "<a href=/x>Book now</a>",
        "<a href=/x>Learn more →</a>",
        "<a href=/x>Log in</a> <a href=/y>Sign up</a>",
        "<span role=button>Menu</span>",
        "Text of its own. <a class='btn btn-primary' href=/x>Start now</a>",
        "Share this article",
        "Tweet Share Pin it",
        "« Previous | 1 | 2 | Next »",
        "Page 2 of 9",
        "We use cookies to improve this site.",
        "Diese Website verwendet Cookies.",
        "Categories: <a href=/x>Wheels</a>, <a href=/y>Brakes</a>",
    ],
)
def test_a_line_that_only_leads_somewhere_is_a_label(line: str) -> None:
    assert kinds(f"<div>{line}</div>")[-1][0] == "label"


@pytest.mark.parametrize(
    "line",
    [
        "Book now and save the fee.",
        "See the <a href=/x>guide</a>.",
        "<a href=/x>How a workshop in Leeds plans its year</a>",
        "Press <a class=btn>Save</a> to go on.",
        "Share prices fell.",
        "Versions: 3.9 and later",
        "<span role=button>Can I cancel at any time?</span>",
        "30 min · 4 servings",
        "Bike festival · 12 May 2024",
        "By the way, brakes wear.",
        "On 12 May 2024 we opened.",
        "Bike Festival, 12 May 2024",
        "Prices hold until May. Revised in May.",
        "Updated in a day.",
        "Cookies are small files.",
    ],
)
def test_a_line_that_says_something_stays_text(line: str) -> None:
    assert [kind for kind, _ in kinds(f"<p>{line}</p>")] == ["p"]


@pytest.mark.parametrize(
    "line",
    [
        "By Jane Doe",
        "By Jane Doe and Tom van Dyke | Repairs",
        "12 May 2024",
        "Published on 2024-05-12",
        "Veröffentlicht am 12. Mai 2024 · 5 Min. Lesezeit",
        "4 min read",
        "Posted by <a rel=author href=/jane>jane</a> in Repairs",
        "Jane Doe. Revised May 2024.",
        "Jane Doe, with notes by Tom van Dyke. Last updated in May.",
        "Jane Doe and Tom van Dyke, reviewed 2024",
        "Anna Kern. Überarbeitet im März 2024.",
        "Stand: März 2024",
    ],
)
def test_author_date_and_reading_time_are_a_byline(line: str) -> None:
    assert [kind for kind, _ in kinds(f"<p>{line}</p>")] == ["byline"]


def test_the_label_of_a_copy_button_is_dropped() -> None:
    assert kinds("<div>Copy</div><pre>x</pre>") == [("code", "x")]


def test_a_form_for_an_address_takes_its_box_along_and_no_title_and_no_other_form_does() -> None:
    form = "<form><input type=email><input type=hidden><button>Go</button></form>"
    assert kinds(f"<div><h1>Wheels</h1><p>All about them.</p>{form}</div>") == [
        ("heading", "Wheels"), ("p", "All about them."),
    ]  # fmt: skip
    contact = "<form><input type=email><textarea></textarea></form>"
    assert kinds(f"<div><h2>Write to us</h2><p>Mill Lane 3, Leeds</p>{contact}</div>")[0][0] == "heading"


def test_what_follows_teasers_under_a_heading_of_their_level_is_text() -> None:
    html = "<h1>A</h1><h2>You may also like</h2><h3>Teaser</h3><p>x</p><h2>Sizes</h2><p>All of them.</p>"
    assert kinds(html) == [
        ("heading", "A"),
        ("label", "You may also like"),
        ("label", "Teaser"),
        ("label", "x"),
        ("heading", "Sizes"),
        ("p", "All of them."),
    ]


def test_a_page_named_for_related_things_is_a_page() -> None:
    assert kinds("<h1>Related resources</h1><p>Read these.</p>") == [
        ("heading", "Related resources"), ("p", "Read these."),
    ]  # fmt: skip


@pytest.mark.parametrize("box", ['class="author-box"', 'class="post author_bio"', 'id="about-author"'])
def test_a_box_about_the_author_is_a_byline_with_all_its_lines(box: str) -> None:
    body = (
        f"<h1>Wheels</h1><p>All about them.</p><div {box}><h4>Owen Price</h4><p>Owen lives in York.</p></div>"
    )
    assert kinds(body)[2:] == [("byline", "Owen Price"), ("byline", "Owen lives in York.")]


def test_a_whole_article_of_an_author_is_no_box() -> None:
    body = (
        "<article class='post author-jane'><h1>Wheels</h1><p>All about wheels and their spokes.</p></article>"
    )
    assert kinds(body) == [("heading", "Wheels"), ("p", "All about wheels and their spokes.")]


def test_a_button_keeps_where_it_leads() -> None:
    [button] = read(
        "<h1>Wheels</h1><p>All about them.</p><p><a class='btn' href='/hire'>Hire a wheel</a></p>"
    )[2:]
    assert button.kind == "label"
    assert [(link.anchor, link.url.rpartition("/")[2]) for link in button.own_links] == [
        ("Hire a wheel", "hire")
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (
            'Last updated on 7 April 2026 by <a href="/u/tk">tkapoor</a> and 4 other contributors',
            "byline",
        ),
        ("It was updated on 7 April 2026 by the whole team.", "p"),
        ("Was this article helpful?", "label"),
        ("War diese Seite hilfreich?", "label"),
        ("Was this article of the law helpful to the bees?", "p"),
        ('More in Help: <a href="/a">Import recipes</a> · <a href="/b">Label printer</a>', "label"),
        ("More in Help: how to set up the printer that stands in your kitchen.", "p"),
    ],
)
def test_lines_about_the_page_itself_are_no_text_of_it(line: str, kind: str) -> None:
    assert kinds(f"<h1>Recipes</h1><p>A recipe is imported in an hour.</p><p>{line}</p>")[-1][0] == kind


@pytest.mark.parametrize(
    "line",
    [
        "To view this content, Javascript must be enabled and Adobe Flash Player must be installed.",
        "You need to enable JavaScript to run this app.",
        "This site requires JavaScript to be enabled.",
        "Your browser does not support the video tag.",
        "Bitte aktivieren Sie JavaScript in Ihrem Browser, um alles zu sehen.",
        "Um alle Bilder zu sehen, muss JavaScript aktiviert sein.",
        "Um alles zu sehen: JavaScript muss in Ihrem Browser aktiviert sein.",
        "RSS feed for comments on this post.",
        "Subscribe to: Post Comments (Atom)",
        "Kommentarfeed | Kommentare geschlossen | Trackback-URL",
        "You have 3 free articles left this month.",
        "Noch 10 Gratis-Artikel diesen Monat.",
        "Every day, our editors choose the news on wheels. Sign up for the newsletter here.",
        "The news on wheels and spokes, delivered to your inbox every weekday.",
        "Please follow Spoke Desk on Twitter and Facebook. Follow Ada Lane on Twitter.",
        "%d bloggers like this:",
        "%d Bloggern gefällt das:",
        "Your IP address is: 192.0.2.17",
        "Your IP address: 2001:db8::17",
        "Your browser does not support HTML5 video.",
        "Your browser doesn't support embedded videos. Please use a newer one.",
        "To see the map, please enable JavaScript in your web browser and reload the page.",
        "You have 3 free views left. Subscribe for more.",
        "Please sign up for our newsletter!",
        "Bitte JavaScript aktivieren.",
        "Kommentarfeed",
        "Prices are delayed by fifteen minutes. © 2011 Spokewise Ltd. All rights reserved.",
        "Data is a snapshot that is taken once a day from all of our shops in the whole country and shows "
        "what a wheel costs there on the average. © 2011 Spokewise Ltd. All rights reserved.",
        'Read also: <a href="/rims">How to clean a rim</a>',
        'Also read: <a href="/rims">How to clean a rim</a>',
        'Lesen Sie auch: <a href="/felgen">Wie man eine Felge putzt</a>',
        'A lire aussi : <a href="/jantes">Comment nettoyer une jante</a>',
    ],
)
def test_a_line_about_the_page_or_its_feeds_is_a_label(line: str) -> None:
    assert kinds(f"<h1>Wheels</h1><p>All about them.</p><p>{line}</p>")[-1][0] == "label"


@pytest.mark.parametrize(
    "line",
    [
        "You must have a flash drive with room for the photos of a year.",
        "To build the site, a JavaScript runtime has to be installed first.",
        "JavaScript is enabled in all browsers of our workshop.",
        "Reports are delivered to your inbox every Monday.",
        "Follow the steps on page four. Then true the wheel.",
        "Subscribe to the feed of your shop, and new wheels show up there.",
        "Read also the label of the tyre: it says how much air it needs.",
        "Your IP address is assigned by your provider when the router connects.",
        "Your browser does not support WebP on its own, so the plugin converts each picture.",
        "Your browser does not support video from a camera that is older than ten years, so we convert it.",
        "You have 10 free views this month on the Basic plan; each further view costs €0.10.",
        "You have 10 free views left after the first month, and each further view costs €0.10.",
        "You need to enable JavaScript in the site settings before the form works. Open Settings, choose "
        "Privacy and allow scripts.",
        "This form needs JavaScript enabled in the site settings. Open Settings and choose Privacy.",
        "This page explains how JavaScript is disabled in a browser.",
        "The best stories of the week are delivered to your inbox each Friday at 9 am for €3 a month.",
        "The newsletter is delivered to your inbox as a test before your customers get it.",
        "Each wheel takes 3 evenings and costs €64. Subscribe to our newsletter.",
        "Follow Spoke Desk on Twitter. A wheel takes 3 evenings and costs €64.",
        "The plugin adds an RSS feed for comments to each page.",
        "Sie müssen JavaScript in den Einstellungen erlauben, bevor das Formular geht.",
        "Um die Karte zu sehen, muss JavaScript unter Datenschutz aktiviert sein, und dann lädt sie.",
        "Sie haben 10 kostenlose Artikel im Monat, jeder weitere kostet 0,10 €.",
        "Kommentarfeed und Trackbacks lassen sich im Menü abschalten.",
    ],
)
def test_a_sentence_on_scripts_or_feeds_stays_text(line: str) -> None:
    assert kinds(f"<h1>Wheels</h1><p>All about them.</p><p>{line}</p>")[-1] == ("p", line)


@pytest.mark.parametrize(
    "line",
    [
        "Gespeichert von rasos am 24. Juli 2017 - 18:55",
        "Submitted by ada on 3 May 2024 - 18:55",
        "posted by stadler at 12:53",
    ],
)
def test_a_user_and_a_time_are_a_byline(line: str) -> None:
    assert kinds(f"<h1>Wheels</h1><p>All about them.</p><p>{line}</p>")[-1][0] == "byline"
