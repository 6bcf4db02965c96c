"""What page builders make of accordions, testimonials and boxes is read as a reader sees it."""

from tests.support.html_pages import read

TOGGLE = (
    '<div class="toggle"><div role="button" aria-expanded="false"><span>+</span><a href="#">{}</a></div>'
    "<div role='region'><p>{}</p></div></div>"
)


def test_a_question_that_opens_its_answer_is_the_heading_of_it() -> None:
    blocks = read(
        f"<h2>Buying</h2>{TOGGLE.format('Is there a contract?', 'No.')}"
        f"{TOGGLE.format('Who owns it?', 'You do.')}"
        "<p>Write to us.</p>"
    )
    paths = {block.text: block.heading_path for block in blocks}
    assert paths["No."] == ("Buying", "Is there a contract?")
    assert paths["You do."] == ("Buying", "Who owns it?")
    assert paths["Write to us."] == ("Buying",)


def test_other_buttons_are_no_headings() -> None:
    blocks = read(
        "<h2>Buying</h2><button aria-expanded='false'>More</button><button>Sure?</button><p>Text.</p>"
    )
    assert [block.text for block in blocks if block.kind == "heading"] == ["Buying"]


def test_a_testimonial_without_quotation_marks_has_its_speaker() -> None:
    [quote] = read(
        '<div class="testimonial"><div class="testimonial-content">I stopped buying fittings. That is all.'
        "</div>"
        '<div class="testimonial-name">Ewan Macready, yard manager</div></div>'
    )
    assert (quote.kind, quote.text) == ("quote", "I stopped buying fittings. That is all.")
    assert quote.speaker == "Ewan Macready, yard manager"


def test_a_title_in_front_of_a_text_keeps_its_distance() -> None:
    [block] = read(
        "<div><span>Start gently</span><span>When it began, <a href='/x'>two</a> left.</span></div>"
    )
    assert block.text == "Start gently When it began, two left."


def test_names_that_cover_most_of_a_page_identify_nothing() -> None:
    widgets = "".join(
        f'<div class="widget widget-text"><p>Paragraph {number} says what the guide is about.</p></div>'
        for number in range(9)
    )
    blocks = read(
        f'<h1>A guide</h1><div class="share">Share this</div><div itemprop="articleBody">{widgets}</div>'
    )
    assert sum(block.kind == "p" for block in blocks) == 9


def test_a_heading_with_a_few_words_of_the_title_is_not_the_title() -> None:
    blocks = read(
        "<title>Contact, opening hours and how to find us</title><h1>Find us</h1>"
        "<address>Low Mill, Mill Lane</address>"
        "<h2>Opening hours</h2><p>We are open on Saturdays from nine until noon.</p>"
    )
    assert "Low Mill, Mill Lane" in [block.text for block in blocks if block.kind == "p"]


def test_a_counter_is_the_number_at_which_it_ends() -> None:
    counters = (
        '<div><span data-to-value="436" data-from-value="0">0</span> event days</div>'
        '<div><span data-countup="118" data-suffix=" million">0</span> oysters</div>'
        '<div><span data-count="reviews">0</span> reviews</div>'
    )
    assert [block.text for block in read(counters)] == ["436 event days", "118 million oysters", "0 reviews"]
