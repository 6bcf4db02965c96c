"""How pages begin and who wrote them: what of that a digest does not repeat."""

from __future__ import annotations

from app.content.artefacts import SourceSnapshot
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from tests.content.conftest import PageMaker, SiteMaker, write

RULE = (
    "A returns policy says in five lines what a shop takes back, until when, and how it pays the money back."
)
BIOGRAPHY = (
    "Priya Nair ran a paint shop in Harrogate for eleven years and writes about everything at a counter."
)
PLACE = (
    "Put the policy on the receipt, beside the till, and under each product of the shop on the web as well."
)


def returns_page(make_page: PageMaker, make_site: SiteMaker, byline: str) -> SourceSnapshot:
    parts = [
        ("h1", "A returns policy"), ("byline", byline), ("p", RULE),
        ("h2", "Where to put it"), ("p", PLACE), ("p", BIOGRAPHY),
    ]  # fmt: skip
    return make_site(make_page(1, "returns", parts))


def test_a_paragraph_about_the_author_of_the_byline_is_not_quoted(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    written = write(
        returns_page(make_page, make_site, "By Priya Nair · 12 March 2026"), topic="returns policy"
    )
    assert PLACE in written.post.markdown
    assert "Harrogate" not in written.post.markdown


def test_a_paragraph_about_somebody_else_is_quoted(make_page: PageMaker, make_site: SiteMaker) -> None:
    written = write(
        returns_page(make_page, make_site, "By Owen Price · 12 March 2026"), topic="returns policy"
    )
    assert BIOGRAPHY in written.post.markdown


def test_a_short_answer_stays_in_front_of_what_follows_further_down(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    answer = "The repository is locked while a command changes it."
    later = (
        "Backups take a shared lock, so that two of them can run at once. Pruning takes an exclusive one and "
        "waits up to ten minutes until the others have ended and their locks are gone."
    )
    parts = [
        ("h1", "Locks"), ("h2", "The repository is locked"), ("p", answer), ("code", "<script>x</script>"),
        ("p", later),
    ]  # fmt: skip
    [section] = library_of(make_site(make_page(1, "locks", parts)).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text == f"{answer} {later}"


def test_a_short_beginning_beside_the_point_gives_way(make_page: PageMaker, make_site: SiteMaker) -> None:
    later = (
        "Backups take a shared lock. "
        + "Pruning takes an exclusive one and waits ten minutes for others. " * 2
    )
    parts = [
        ("h1", "Locks"), ("h2", "The repository is locked"), ("p", "Nobody likes to wait for a computer."),
        ("code", "<script>x</script>"), ("p", later),
    ]  # fmt: skip
    [section] = library_of(make_site(make_page(1, "locks", parts)).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text.startswith("Backups take")


def test_the_story_of_a_customer_does_not_open_a_post_that_another_page_is_about(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    story = [
        ("h1", "Stocktaking at Quayside Books"),
        (
            "p",
            "The stocktaking at Quayside Books was done in one night, with nine phones and a lot of pizza.",
        ),
        ("h2", "The night of the stocktaking"),
        (
            "p",
            "Each floor had three areas for the stocktaking, and the last of them was done before midnight.",
        ),
    ]
    guide = [
        ("h1", "Count your shop"),
        ("p", "Stocktaking takes four people about three hours in a shop with some two thousand products."),
        ("h2", "Before the stocktaking"),
        (
            "p",
            "Book in all deliveries before the stocktaking, and tidy the shelves so that all is in place.",
        ),
    ]
    pages = make_page(1, "customers/quayside", story), make_page(2, "help/count", guide)
    written = write(make_site(*pages), topic="stocktaking")
    assert written.post.markdown.startswith("Stocktaking takes four people")
    assert "nine phones" in written.post.markdown
