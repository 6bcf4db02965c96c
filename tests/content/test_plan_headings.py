"""A heading that the evidence does not hold gives way to the site's own, else to the topic."""

from __future__ import annotations

from app.content.writing.article.claims import Ground
from app.content.writing.article.headings import Headed, headed

from app.content.writing.article.answers import PlannedSection
from app.content.writing.article.evidence import Proof

PRICES = Proof("1:b2", "A new wooden beehive costs 150 euros.", "Prices", 1, "Prices", "1:b1")
OVERVIEW = Proof("1:b4", "A beehive has frames.", "Overview", 1, "Overview", "1:b3")
FRAMES = Proof("2:b6", "A Langstroth beehive holds 10 frames.", "Frames", 2, "Frames", "2:b5")
POINT = Proof("key:1", "We deliver beehives.")
SHOWN = (PRICES, OVERVIEW, FRAMES, POINT)
GROUND = Ground({proof.id: proof for proof in SHOWN}, "beehives", "en")


def planned(heading: str, *evidence: str) -> PlannedSection:
    return PlannedSection(heading, "", (), evidence)


def judged(*sections: PlannedSection, shown: tuple[Proof, ...] = SHOWN) -> tuple[list[Headed], list[str]]:
    notes: list[str] = []
    return headed(sections, shown, GROUND, "beehives", notes.append), notes


def told(found: list[Headed]) -> list[tuple[str, str, str | None]]:
    return [(each.section.heading, each.origin, each.source) for each in found]


def test_a_held_heading_stays_the_models() -> None:
    assert told(judged(planned("What a beehive costs", "1:b2"))[0]) == [
        ("What a beehive costs", "model", None)
    ]


def test_a_refused_heading_gives_way_to_the_sites_own() -> None:
    found, notes = judged(planned("What Toyota Pays For Beehives", "1:b2"), planned("On beehives", "2:b6"))
    assert told(found) == [("Prices", "source", "1:b1"), ("On beehives", "model", None)]
    assert notes == [
        "The heading “What Toyota Pays For Beehives” was not used: the name “Toyota” stands in no evidence; "
        "“Prices” of the site stands in its place."
    ]


def test_a_rare_word_in_title_case_does_not_cost_the_section() -> None:
    found, _notes = judged(planned("How Thixotropic Honey Behaves", "2:b6"))
    assert told(found) == [("Frames", "source", "2:b5")]


def test_a_heading_that_names_no_subject_or_is_taken_stands_in_for_none() -> None:
    refused = planned("Why Toyota Likes Frames", "1:b4", "1:b2", "made:up")
    assert told(judged(planned("Prices", "1:b2"), refused)[0]) == [("Prices", "model", None)]
    again = planned("What Toyota Says", "1:b2", "2:b6")
    found, _notes = judged(planned("What Toyota Pays", "1:b2"), again)
    assert [each.section.heading for each in found] == ["Prices", "Frames"]


def test_the_topic_heads_all_evidence_when_no_heading_is_left() -> None:
    found, notes = judged(planned("What Toyota Says", "key:1"), planned("What 99 Say"))
    assert told(found) == [("Beehives", "input", None)]
    assert found[0].section.evidence == tuple(proof.id for proof in SHOWN)
    assert len(notes) == 2
