"""What is shown of evidence that has no room in a prompt."""

from __future__ import annotations

from app.content.writing.article.shown_evidence import prompt_tokens, shortened_to_fit
from tests.support.article_material import unit

SAID = "Hire to buy takes the fee off a new hive of £300."
LIMIT = "It does not hold for a used hive, nor where you give us your old hive in exchange for the new one."
OTHER = "We have been lending smokers, veils, gloves and scales to the keepers of this village since 1974."
HIRE = unit("1:b1", f"{SAID} {LIMIT} {OTHER}")


def test_what_an_article_says_in_full_gives_way_to_what_may_limit_it() -> None:
    (shown,) = shortened_to_fit([HIRE], {"1:b1": SAID}, 1, "en")
    assert shown.text == f"[…] {LIMIT} […]"


def test_evidence_that_fits_is_shown_whole() -> None:
    assert shortened_to_fit([HIRE], {"1:b1": SAID}, prompt_tokens([HIRE]), "en") == (HIRE,)


def test_a_verifier_is_shown_what_proves_the_sentences_of_an_article() -> None:
    (shown,) = shortened_to_fit([HIRE], {"1:b1": SAID}, 1, "en", proves=True)
    assert shown.text == f"{SAID} […]"
