"""Which pages target a keyword. No application is needed."""

import pytest

from app.keywords.coverage import Coverage, Matcher, words_of


def targeted(keyword: str, title: str = "", description: str = "", headings: tuple[str, ...] = ()) -> bool:
    return Matcher([keyword]).targets(title, description, headings) == {keyword}


@pytest.mark.parametrize(
    ("keyword", "title"),
    [
        ("running shoes", "Running shoes for winter"),
        ("running shoes", "Shoes for running"),
        ("running shoes", "RUNNING-SHOES | Example"),
        ("straße", "STRASSE"),
        ("c++", "Learn C++"),
        ("内容营销", "什么是内容营销?"),
        ("24/7 support", "Support, 24/7"),
        ("e mail", "E-Mail"),
        ("e-mail", "e_mail for teams"),
        ("हिन्दी ब्लॉग", "ब्लॉग: हिन्दी में"),
    ],
)
def test_a_title_with_all_the_words_targets_the_keyword(keyword: str, title: str) -> None:
    assert targeted(keyword, title)


@pytest.mark.parametrize(
    ("keyword", "title"),
    [
        ("running shoes", "Running socks"),
        ("art", "Party"),
        ("运动鞋", "运动"),
        ("!?", "!?"),
        ("हिन", "हिन्दी"),
    ],
)
def test_a_title_without_all_the_words_does_not(keyword: str, title: str) -> None:
    assert not targeted(keyword, title)


def test_a_description_or_a_heading_needs_the_phrase() -> None:
    assert targeted("running shoes", description="We test running shoes daily.")
    assert targeted("running shoes", headings=("About", "The best running shoes"))
    assert not targeted("running shoes", description="Shoes for running.")
    assert not targeted("running shoes", headings=("Running", "Shoes"))


def test_all_keywords_of_a_page_are_found_at_once() -> None:
    matcher = Matcher(["shoes", "running shoes", "running", "socks", "shoes running shoes"])
    assert matcher.targets("Running shoes", None, ()) == {
        "shoes",
        "running shoes",
        "running",
        "shoes running shoes",
    }
    assert matcher.targets(None, "socks and shoes", ()) == {"socks", "shoes"}
    assert matcher.targets(None, None, ()) == set()


def test_a_phrase_is_found_wherever_its_rarest_word_is() -> None:
    matcher = Matcher(["best shoes ever", "best socks", "best hats best", "ever best"])
    assert matcher.targets(None, "The best shoes ever and best hats best", ()) == {
        "best shoes ever",
        "best hats best",
    }
    assert matcher.targets(None, "shoes ever", ()) == set()
    assert matcher.targets(None, "best best socks", ()) == {"best socks"}
    assert matcher.targets(None, "hats best best hats", ()) == set()


def test_words_are_folded() -> None:
    assert words_of("Größe_2 – 東京 Tower's") == ("grösse", "2", "東", "京", "tower", "s")


def test_a_page_competes_by_its_name_and_main_headings_alone() -> None:
    matcher = Matcher(["running shoes", "socks"])
    assert matcher.named("Shoes for running", []) == {"running shoes"}
    assert matcher.named("Welcome", ["Our running shoes", "Socks"]) == {"running shoes", "socks"}
    assert matcher.named("Welcome", ["Shoes for running"]) == set()
    assert matcher.named("", []) == set()


def test_nobody_targets_a_gap_a_thin_one_is_only_spoken_of_and_one_that_is_about_it_has_no_rival() -> None:
    assert (Coverage().state, Coverage().competing) == ("gap", None)
    assert Coverage(pages=3).state == "thin"
    alone = Coverage(posts=1)
    alone.add_post(7)
    assert alone.state == "covered"
    assert alone.competing == {"pages": 0, "posts": 1, "page_ids": [], "post_ids": [7]}


def test_two_that_are_about_the_same_compete_and_ten_of_each_are_named() -> None:
    both = Coverage(pages=1)
    both.add_page(1)
    both.add_post(1)
    assert both.state == "contested"
    for number in range(2, 20):
        both.add_page(number)
    assert both.competing == {"pages": 19, "posts": 1, "page_ids": list(range(1, 11)), "post_ids": [1]}
