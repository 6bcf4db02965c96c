"""Which pages speak of a subject. No application is needed."""

from __future__ import annotations

from itertools import permutations

import pytest

from app.content.retrieval import page_search
from app.content.retrieval.page_search import PageSearch, page_query
from app.pages.vocabulary import vocabulary_of


def ranked(texts: list[str], subject: str, language: str = "en", aspects: tuple[str, ...] = ()) -> list[int]:
    """The numbers of the texts that speak of the subject, best first."""
    search = PageSearch(page_query(subject, aspects, language), language)
    for number, text in enumerate(texts):
        blocks = [{"kind": "p", "text": text, "heading_path": []}]
        search.add(number, len(text.split()), vocabulary_of(None, None, blocks).words)
    return [number for number, score in search.ranked() if score > 0]


def test_a_word_is_found_in_its_other_forms() -> None:
    assert ranked(["Two backups were made.", "Nothing was made.", "Our own backup's size."], "backup") == [
        0,
        2,
    ]


def test_a_rare_word_counts_for_more_than_one_that_every_page_has() -> None:
    texts = ["backup backup backup plan", "backup of keys", "backup encryption", "backup again"]
    assert ranked(texts, "backup encryption")[0] == 2


def test_of_two_pages_that_say_it_as_often_the_shorter_one_is_better() -> None:
    assert ranked([f"honey {'and much else ' * 30}", "honey and bees", "wax"], "honey") == [1, 0]


def test_the_same_word_again_and_again_counts_for_less_each_time() -> None:
    stuffed = "honey " * 40 + "and so on"
    assert ranked([stuffed, "honey from a beehive and so on", "wax", "wax"], "beehive honey")[0] == 1


def test_aspects_count_for_less_than_the_subject() -> None:
    assert ranked(["wax is here", "honey is here", "hive"], "honey", aspects=("wax",)) == [1, 0]


def test_words_beside_each_other_are_found_as_one() -> None:
    assert ranked(["A backup.", "A plan."], "back up") == [0]
    assert ranked(["One must back up often.", "A plan."], "back up") == [0]


@pytest.mark.parametrize("subject", ["内容营销", "内容营销 怎么做"])
def test_a_script_without_spaces_is_found_by_neighbouring_characters(subject: str) -> None:
    texts = ["我们介绍内容营销的方法。", "容器内销售的营养品。", "运动鞋。"]
    assert ranked(texts, subject, "zh")[0] == 0
    assert 2 not in ranked(texts, subject, "zh")
    assert ranked(texts, "内容", "zh") == [0]


def test_a_single_character_is_found_where_it_is_alone() -> None:
    assert ranked(["绿茶好喝。", "咖啡好喝。"], "茶", "zh") == [0]


@pytest.mark.parametrize(
    ("language", "text", "subject"),
    [("de", "Die Sicherungen liegen dort.", "Sicherung"), ("fi", "Varmuuskopio on täällä.", "varmuuskopio"),
     ("ru", "Резервная копия готова.", "резервная копия"), ("el", "Το αντίγραφο είναι έτοιμο.", "ΑΝΤΊΓΡΑΦΟ")],
)  # fmt: skip
def test_any_language_is_searched_by_its_own_stems_or_none(language: str, text: str, subject: str) -> None:
    assert ranked([text, "x y z"], subject, language) == [0]


def test_a_subject_of_little_words_alone_is_still_searched() -> None:
    assert ranked(["The who played.", "Nobody sang."], "The Who") == [0]


def test_the_order_of_the_pages_makes_no_difference() -> None:
    texts = ["honey wax", "honey honey bees", "wax wax hive", "honey"]
    counted = [vocabulary_of(None, None, [{"kind": "p", "text": t, "heading_path": []}]).words for t in texts]
    found = set()
    for order in permutations(range(4)):
        search = PageSearch(page_query("honey wax", ("bees",), "en"), "en")
        for number in order:
            search.add(number, 2, counted[number])
        found.add(tuple(search.ranked()))
    assert len(found) == 1


def test_more_words_than_are_remembered_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"honey word{number} other{number}" for number in range(30)]
    before = ranked(texts, "honey word7")
    monkeypatch.setattr(page_search, "_MOST_SEEN", 5)
    assert ranked(texts, "honey word7") == before
    assert before[0] == 7


def test_equal_pages_come_by_their_ids_and_those_that_say_nothing_last() -> None:
    search = PageSearch(page_query("honey", (), "en"), "en")
    for page_id in (9, 4, 7):
        search.add(page_id, 1, "honey\n1" if page_id != 4 else "wax\n1")
    assert [page_id for page_id, _score in search.ranked()] == [7, 9, 4]
    assert PageSearch({}, "en").ranked() == []
