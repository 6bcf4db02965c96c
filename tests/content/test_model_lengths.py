"""How long the parts of a model's text may grow."""

from __future__ import annotations

from app.content.writing.article.length import within, words_of

from app.content.artefacts import Paragraph, Sentence


def paragraph(*sentences: int, word: str = "bees") -> Paragraph:
    """Sentences of so many words each."""
    return Paragraph("p", tuple(Sentence(" ".join([word] * n), ("1:b1",), "model") for n in sentences))


def test_a_text_of_twice_the_words_that_were_asked_for_is_left_whole() -> None:
    text = (paragraph(10, 10), paragraph(20))
    assert within(text, 20) == text


def test_a_longer_text_ends_with_a_paragraph() -> None:
    text = (paragraph(10, 10), paragraph(10, 11), paragraph(1))
    assert within(text, 20) == text[:1]


def test_a_first_paragraph_that_is_longer_ends_with_a_sentence() -> None:
    assert within((paragraph(15, 15, 15), paragraph(1)), 20) == (paragraph(15, 15),)


def test_no_text_is_longer_than_the_room_that_is_left() -> None:
    text = (paragraph(10), paragraph(10))
    assert within(text, 20, room=19) == text[:1]
    assert within(text, 20, room=5) == ()


def test_links_and_chinese_characters_count_as_they_do_elsewhere() -> None:
    linked = Paragraph("p", (Sentence("Read [[page:12|our guide]] first.", (), "model"),))
    assert words_of((linked,)) == 4
    assert words_of((paragraph(1, word="蜜蜂住在蜂箱里面"),)) == 4
