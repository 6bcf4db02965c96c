"""A topic typed in small letters is spelled as the site spells its words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.planning.spelling import as_spelled
from app.content.retrieval.passages import Library, library_of
from tests.content.conftest import PageMaker, SiteMaker, write

TEXT = (
    "Every desk phone of Yealink speaks SIP, and the port is 5060. Ports of a router stay closed for SIP "
    "from outside. When a Yealink rings, press OK, and press OK again to hang up. A phone "
    "with Wi-Fi needs no cable, and the Wi-Fi has to reach it."
)


@pytest.fixture
def library(make_page: PageMaker) -> Library:
    return library_of([make_page(1, "phones", [("h1", "Sip Port Settings"), ("p", TEXT)])], "en")


@pytest.mark.parametrize(
    ("topic", "spelled"),
    [
        ("sip port for yealink phones", "SIP port for Yealink phones"),
        ("Sip port for yealink phones", "Sip port for yealink phones"),
        ("when to press ok", "when to press OK"),
        ("fax settings", "fax settings"),
        ("wifi for yealink phones", "Wi-Fi for Yealink phones"),
    ],
    ids=["names", "typed with a capital", "the beginning of a sentence", "not on the site", "a hyphen"],
)
def test_a_word_is_spelled_as_within_the_sentences_of_the_site(
    library: Library, topic: str, spelled: str
) -> None:
    assert as_spelled(topic, library.sections, "en") == spelled


def test_nouns_of_a_german_topic_get_their_capitals(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [
        ("h1", "Wann ein Bogen neue Haare braucht"),
        ("p", "Mit neuen Haaren greift ein Bogen wieder. Wer viel spielt, bringt den Bogen jedes Jahr."),
        ("h2", "Was der neue Bezug kostet"),
        ("p", "Ein neuer Bezug für den Bogen kostet 65 Euro. Die neuen Haare halten etwa ein Jahr."),
    ]
    written = write(make_site(make_page(1, "bogen", parts)), topic="bogen neu beziehen", language="de")
    assert written.post.title == "Bogen neu beziehen"
    said = "Wir haben ein Cello zum Mieten, und die Mieten der letzten Monate gelten noch."
    verb = [("h1", "Cello"), ("p", f"{said} Ein Cello zum Üben steht bereit.")]
    cello = library_of([make_page(1, "c", verb)], "de").sections
    assert as_spelled("cello mieten", cello, "de") == "Cello mieten"
    bow = library_of([make_page(1, "b", parts)], "de").sections
    assert as_spelled("neuer bezug für den bogen", bow, "de") == "neuer Bezug für den Bogen"


def test_a_german_verb_is_no_noun_and_a_compound_shows_one(make_page: PageMaker) -> None:
    said = "Ein Steg an der richtigen Stelle hält. Die Stelle misst man, und die Körpergröße zählt."
    page = make_page(1, "geige", [("h1", "Geige"), ("p", f"{said} Wer spielt, wird eine Geige wählen.")])
    sections = library_of([page], "de").sections

    def typed(topic: str) -> str:
        return as_spelled(topic, sections, "de")

    assert typed("wie stelle ich eine geige auf meine größe ein") == (
        "wie stelle ich eine Geige auf meine Größe ein"
    )
    assert typed("welche stelle am steg") == "welche Stelle am Steg"
    assert typed("harz zum üben") == "harz zum Üben"
    assert typed("stelle") == "Stelle"


def test_a_name_has_its_capitals_though_a_command_has_none(make_page: PageMaker) -> None:
    text = (
        "Pages are read by OCRmyPDF, and OCRmyPDF writes PDF/A. The command is called ocrmypdf. It calls "
        "tesseract once. In the night Docker starts, and Docker stops, then Docker starts with Docker, "
        "with Docker again and docker is its command. A pupil in Key Stage 2 gets the Settings page."
    )
    sections = library_of([make_page(1, "ocr", [("h1", "OCR"), ("p", text)])], "en").sections
    topic = "ocrmypdf pdf/a key settings docker and tesseract"
    assert as_spelled(topic, sections, "en") == "OCRmyPDF PDF/A key Settings Docker and tesseract"


def test_the_descriptions_of_pages_spell_words_too(make_page: PageMaker) -> None:
    page = make_page(1, "geige", [("h1", "Geige im Winter"), ("p", "Holz gibt im Winter Wasser ab.")])
    dry = replace(page, description="Wie trockene Heizungsluft dem Holz schadet.")
    assert as_spelled("heizungsluft", library_of([dry], "de").sections, "de") == "Heizungsluft"
    assert as_spelled("heizungsluft", library_of([page], "de").sections, "de") == "heizungsluft"


def test_the_keyphrase_has_the_hyphens_of_the_site(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [
        ("h1", "Wi-Fi behind stone walls"),
        ("p", "Thick walls of stone weaken Wi-Fi so much that a second point in the hall is needed."),
        ("h2", "Where the second Wi-Fi point goes"),
        (
            "p",
            "Put the second Wi-Fi point where the signal of the first one is still strong, not behind it.",
        ),
    ]
    written = write(make_site(make_page(1, "stone", parts)), topic="wifi behind stone walls")
    assert written.brief.primary_keyword == "wi-fi behind stone walls"
