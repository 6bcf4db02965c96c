"""A quotation is kept with the person who said it."""

from __future__ import annotations

from tests.support.html_pages import page, read


def test_a_quote_knows_its_speaker() -> None:
    quotes = [block for block in page("testimonials").blocks if block.kind == "quote"]
    assert [(quote.text, quote.speaker, quote.group) for quote in quotes] == [
        (
            "“We used to lose a day a week to the calendar. Now we lose none.”",
            "Jane Doe, Head of Finance, Acme Cycles",
            "q1",
        ),
        ("“Customers come back because the reminder does.”", "Tom Okafor, Owner at Wheelhouse", "q2"),
        ("The phone stopped ringing.", "Ana Sousa, mechanic", "q3"),
        ("And the shop stayed full.", "Ana Sousa, mechanic", "q3"),
        ("It paid for itself in March.", "Li Wei, Pedal & Co", "q4"),
        ("Nothing gets lost any more.", "Eva Novak, Brno Bikes", "q5"),
        ("We would choose it again.", "Sam Reed, Kent", "q6"),
        ("As the author of Zen and the Art of Bicycle Repair says, begin with the chain.", "", "q7"),
    ]


def test_who_said_a_quote_is_no_text_and_no_heading_of_its_own() -> None:
    content = page("testimonials")
    texts = [block.text for block in content.blocks if block.kind != "quote"]
    assert not [text for text in texts if "Doe" in text or "Okafor" in text or "Reed" in text]
    assert content.headings == ("What workshops say", "In their words")


def test_words_quoted_in_a_sentence_and_captions_of_pictures_stay_what_they_are() -> None:
    kinds = {block.text: block.kind for block in page("testimonials").blocks}
    assert kinds["The shop in Leeds."] == "caption"
    assert [kind for text, kind in kinds.items() if text.startswith("He called it")] == ["p"]


def test_a_heading_above_a_quote_is_not_its_speaker() -> None:
    blocks = read("<section><h2>Customer Voices</h2><p>“It is the best of tools we had.”</p></section>")
    assert [(block.kind, block.speaker) for block in blocks] == [("heading", ""), ("p", "")]


def test_a_quote_and_its_speaker_in_one_line_are_separated() -> None:
    [quote] = read("<p>„Seit März läuft alles von selbst.“ – Eva Kern, Radhaus</p>")
    assert (quote.kind, quote.text, quote.speaker) == (
        "quote", "„Seit März läuft alles von selbst.“", "Eva Kern, Radhaus",
    )  # fmt: skip


def test_a_name_in_an_element_of_its_own_behind_a_quote_is_its_speaker() -> None:
    said = "“By Saturday lunch I'd chosen the one that I wanted.”"
    [quote] = read(f"<div>{said} <i>Colin B., September 2024</i></div>")
    assert (quote.kind, quote.text, quote.speaker) == ("quote", said, "Colin B., September 2024")
    [sentence] = read(f"<p>{said} <b>She left.</b></p>")
    assert (sentence.kind, sentence.speaker) == ("p", "")


def test_a_name_linked_behind_a_dash_is_the_speaker_too() -> None:
    said = "“The bikes were great and the staff was kind to all of us.”"
    [quote] = read(f'<p>{said} — Ada Lane, <a href="https://acme.example">Acme Ltd</a></p>')
    assert (quote.kind, quote.speaker) == ("quote", "Ada Lane, Acme Ltd")


def test_a_name_alone_in_the_last_line_of_a_quotation_is_its_speaker() -> None:
    said = "<p>“Ninety-seven nights at £88. You can do that sum.”</p>"
    [block] = read(f"<blockquote>{said}<p>Owen Beddoes</p></blockquote>")
    assert (block.kind, block.speaker) == ("quote", "Owen Beddoes")
    blocks = read(f"<blockquote>{said}<p>He said it twice and meant it.</p></blockquote>")
    assert {each.speaker for each in blocks} == {""}
