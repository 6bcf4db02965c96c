"""Passwords: their rules, and how they are stored. No application is needed."""

import pytest

from app.accounts.passwords import (
    hash_password,
    needs_rehash,
    password_problem,
    verify_nobody,
    verify_password,
)


def test_a_password_is_recognised_and_another_is_not() -> None:
    stored = hash_password("correct horse battery")
    assert verify_password(stored, "correct horse battery")
    assert not verify_password(stored, "correct horse batterz")


def test_the_same_password_is_stored_differently_each_time() -> None:
    assert hash_password("correct horse battery") != hash_password("correct horse battery")


def test_a_password_typed_in_another_unicode_form_is_the_same() -> None:
    assert verify_password(hash_password("schönes Passwort"), "scho\u0308nes Passwort")


@pytest.mark.parametrize(
    "password", ["eleven char", "x" * 201, "Alice@Example.com", "a lone surrogate \ud800"]
)
def test_a_bad_password_is_rejected_with_a_reason(password: str) -> None:
    assert password_problem(password, "alice@example.com")


@pytest.mark.parametrize(
    "password",
    [
        "password1234",
        "Password123!",
        "123456789012",
        "qwertyuiop12",
        "passwordpassword",
        "a" * 200,
        "alice@example.com1",
        "alicealicealice",
    ],
)
def test_a_password_that_is_easy_to_guess_is_rejected(password: str) -> None:
    assert "easy to guess" in (password_problem(password, "alice@example.com") or "")


@pytest.mark.parametrize("password", ["only small letters", "73019 58264 90", "пароль из четырёх слов"])
def test_no_kinds_of_characters_are_asked_for(password: str) -> None:
    assert password_problem(password, "alice@example.com") is None


@pytest.mark.parametrize("password", ["exactly 12 c", "words that go on " * 11 + "and on here."])
def test_a_password_of_the_allowed_lengths_is_accepted(password: str) -> None:
    assert password_problem(password, "alice@example.com") is None


@pytest.mark.parametrize("password", ["", "x" * 201, "\ud800" * 10])
def test_an_impossible_password_never_matches(password: str) -> None:
    assert not verify_password(hash_password("correct horse battery"), password)
    assert not verify_nobody(password)


def test_a_damaged_hash_matches_nothing() -> None:
    assert not verify_password("not a hash", "correct horse battery")


def test_a_hash_of_an_older_setting_is_to_be_renewed() -> None:
    old = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$hEVALWwK/6PHCdqnT3HvvZ1rcVGYJOZPpLYqAnfSz9g"
    assert needs_rehash(old)
    assert not needs_rehash(hash_password("correct horse battery"))


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("eleven char", "at least 12"),
        ("several words that do not belong together " * 5, "at most 200"),
        ("Alice@Example.com", "must not be the e-mail address"),
    ],
)
def test_each_rule_says_what_is_wrong(password: str, reason: str) -> None:
    assert reason in (password_problem(password, "alice@example.com") or "")


def test_a_text_that_is_longer_than_any_password_is_not_even_hashed() -> None:
    long = "x" * 201
    assert not verify_password(hash_password(long), long)
