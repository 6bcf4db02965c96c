"""Verification: what a verifier says of sentences counts only with words that stand in their evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.check_prompts import Frame
from app.content.writing.article.cloze import Clozes
from app.content.writing.article.draft import Draft, Part, Place, Statement
from app.content.writing.article.verification import PACK_SENTENCES, Verified, verify
from app.failures import ServiceFailure
from tests.support import model_answers
from tests.support.article_material import (
    ScriptedModel,
    calls_to,
    evidence,
    material_of,
    model_says,
    unit,
    yes_sayer,
)

HIVE = unit("1:b1", "A beehive stands best in the morning sun, with its back to the wind.")
PRICE = unit("1:b2", "A new beehive costs 150 to 250 euros.", path=("Prices",))
TABLE = unit("1:b3", "Box | Frames\nDadant | 12", "table", header=("Box", "Frames"), rows=(("Dadant", "12"),))
UNITS = (HIVE, PRICE, TABLE)
TOPIC = "What 3 beehives cost"


def saying(verdict: str, words: str = "", *blanks: str) -> Callable[[str], dict[str, Any]]:
    """A verifier that says this of every sentence, and reads this in its blanks."""

    def answer(prompt: str) -> dict[str, Any]:
        found = model_answers.NUMBERED.findall(prompt)
        return {
            "verdicts": [
                {"n": int(n), "blanks": list(blanks), "verdict": verdict, "words": words} for n, _, _ in found
            ]
        }

    return answer


def no_sums(_: Statement) -> Sequence[str]:
    return ()


def drafted(*sentences: Sentence, kind: Any = "p") -> Draft:
    return Draft((Part("section", "Where it stands", (Paragraph(kind, sentences),)),))


def verified_by(
    model: ScriptedModel, statements: Sequence[Statement], *units: EvidenceUnit, day: str = ""
) -> Mapping[Place, Verified]:
    shown = evidence(*units)
    clozes = Clozes(shown, "en")
    return verify(statements, shown, clozes, calls_to(model), Frame("Bee School", TOPIC, day), no_sums)


def verified(
    *sentences: Sentence, by: ScriptedModel, kind: Any = "p", units: tuple[EvidenceUnit, ...] = UNITS
) -> list[Verified]:
    statements = drafted(*sentences, kind=kind).statements
    found = verified_by(by, statements, *units)
    return [found[each.place] for each in statements]


def judged(sentence: Sentence, verdict: str, words: str = "", *blanks: str, kind: Any = "p") -> Verified:
    model = ScriptedModel({"check sentences": saying(verdict, words, *blanks)})
    return verified(sentence, by=model, kind=kind)[0]


def test_a_supported_sentence_keeps_the_words_that_support_it() -> None:
    found = judged(model_says("Give it the morning sun.", "1:b1"), "supported", "in the morning sun")
    assert found.faults == ()
    assert found.sentence.quote == "in the morning sun"


@pytest.mark.parametrize(
    "words",
    ["In the Morning Sun,", "“in  the morning\nsun”", "in the morning sun …"],
)
def test_spacing_capitals_and_marks_of_a_quote_make_no_difference(words: str) -> None:
    assert judged(model_says("Give it the sun.", "1:b1"), "supported", words).faults == ()


def test_the_words_may_be_those_of_a_heading_or_a_row() -> None:
    assert judged(model_says("Prices differ.", "1:b2"), "supported", "Prices").faults == ()
    assert judged(model_says("Dadant has 12.", "1:b3"), "supported", "Dadant 12", "Dadant").faults == ()


@pytest.mark.parametrize("words", ["", " ", "…", "in the evening sun", "150 to 250 euros"])
def test_support_without_words_of_the_named_evidence_is_none(words: str) -> None:
    found = judged(model_says("Give it the sun.", "1:b1"), "supported", words)
    assert found.faults == ("no words of the evidence that it names say this",)


def test_the_evidence_with_the_quoted_words_is_named_first() -> None:
    found = judged(
        model_says("It costs 150 euros.", "1:b1", "1:b2"), "supported", "costs 150 to 250 euros", "150"
    )
    assert found.sentence.source_ids == ("1:b2", "1:b1")


def test_a_sentence_without_evidence_that_states_a_fact_fails() -> None:
    bare = model_says("Bees sleep at night.")
    assert judged(bare, "supported", "in the morning sun").faults == (
        "it states a fact and names no evidence",
    )
    assert judged(bare, "unsupported").faults == ("the evidence that it names does not say all of this",)
    assert judged(bare, "no_claim").faults == ()


def test_a_contradicted_sentence_fails_with_the_words_that_say_otherwise() -> None:
    found = judged(model_says("Give it the evening sun.", "1:b1"), "contradicted", "the morning sun")
    assert found.faults == ("the evidence says otherwise: “the morning sun”",)
    assert found.sentence.quote == ""


def test_a_sentence_that_states_nothing_passes_without_words() -> None:
    found = judged(model_says("Where does yours stand?"), "no_claim")
    assert (found.faults, found.sentence.quote) == ((), "")


@pytest.mark.parametrize("kind", ["quote", "code", "heading"])
def test_quotes_listings_and_sub_headings_are_not_asked_about(kind: str) -> None:
    model = ScriptedModel()
    (found,) = verified(model_says("A beehive stands best", "1:b1"), by=model, kind=kind)
    assert model.asked == []
    assert found.sentence.quote == ("" if kind == "heading" else "A beehive stands best")


def test_a_line_that_is_put_together_from_the_evidence_is_asked_about() -> None:
    manual = unit("1:b4", "scale read --unit kg\nscale send --to hive", "code")
    line = model_says("scale send --unit kg", "1:b4")
    model = ScriptedModel({"check sentences": saying("unsupported")})
    [found] = verified(line, by=model, kind="code", units=(manual,))
    assert "Line of code: scale send --unit kg" in model.prompts[0]
    assert found.faults != ()
    model = ScriptedModel({"check sentences": saying("no_claim")})
    [found] = verified(line, by=model, kind="code", units=(manual,))
    assert found.faults != ()
    model = ScriptedModel({"check sentences": saying("supported", "scale send")})
    [found] = verified(line, by=model, kind="code", units=(manual,))
    assert (found.faults, found.sentence.quote) == ((), "scale send")


def test_rows_of_a_table_are_verified_as_sentences() -> None:
    row = replace(model_says("Dadant | 12", "1:b3"), cells=("Dadant", "12"))
    found = judged(row, "supported", "Dadant | 12", kind="table")
    assert (found.faults, found.sentence.cells) == ((), ("Dadant", "12"))


def test_sixty_sentences_are_asked_about_at_a_time_at_most_and_calls_are_alike() -> None:
    model = ScriptedModel({"check sentences": saying("no_claim")})
    verified(*(model_says(f"Is it {n}?") for n in range(2 * PACK_SENTENCES + 1)), by=model)
    sizes = [len(model_answers.NUMBERED.findall(prompt)) for prompt in model.prompts]
    assert sorted(sizes, reverse=True) == [41, 41, 39]


def test_a_pack_ends_where_its_evidence_fills_a_prompt() -> None:
    units = tuple(unit(f"1:b{n}", f"beehive {n} " + "honey " * 900) for n in range(20))
    model = ScriptedModel({"check sentences": saying("no_claim")})
    verified(*(model_says("So it is.", each.id) for each in units), by=model, units=units)
    assert len(model.prompts) > 1
    for prompt in model.prompts:
        shown = {each.id for each in model_answers.evidence_in(prompt)}
        assert {ids for _, ids, _ in model_answers.NUMBERED.findall(prompt)} == shown


def test_the_one_who_verifies_knows_the_day_too() -> None:
    model = ScriptedModel({"check sentences": saying("no_claim")})
    statements = drafted(model_says("Registration is over.")).statements
    verified_by(model, statements, *UNITS, day="2026-11-28")
    assert "Today is 2026-11-28: that a day before it is over is given, too." in model.prompts[0]


def test_sentences_are_shown_between_their_neighbours() -> None:
    model = ScriptedModel({"check sentences": saying("no_claim")})
    statements = drafted(*(model_says(f"No. {n}?") for n in range(5))).statements
    asked = (statements[0], statements[1], statements[3])
    verified_by(model, asked, *UNITS)
    lines = model.prompts[0].split("<sentences>\n")[1].split("\n</sentences>")[0].splitlines()
    assert lines == [
        "(before: Where it stands)",
        "1. [no evidence] No. 0?",
        "2. [no evidence] No. 1?",
        "(after: No. 2?)",
        "(before: No. 2?)",
        "3. [no evidence] No. 3?",
        "(after: No. 4?)",
    ]


@pytest.mark.usefixtures("impatient")
def test_a_verdict_for_every_sentence_is_demanded() -> None:
    model = ScriptedModel({"check sentences": lambda _: {"verdicts": []}})
    with pytest.raises(ServiceFailure, match="PROVIDER_FAILED"):
        verified(model_says("Give it the sun.", "1:b1"), by=model)


def test_the_verifying_model_is_asked_and_not_the_writing_one() -> None:
    writer, verifier = ScriptedModel(), ScriptedModel({"check sentences": saying("no_claim")})
    calls = calls_to(writer, verifier)
    shown = evidence(HIVE)
    clozes = Clozes(shown, "en")
    asked = drafted(model_says("Is it?")).statements
    verify(asked, shown, clozes, calls, Frame("Bee School", TOPIC, ""), no_sums)
    assert (writer.asked, verifier.asked) == ([], ["check sentences"])
    assert (calls.usage.calls, calls.usage.model) == (1, "scripted-1")


def test_a_yes_sayer_without_words_gets_no_claim_through() -> None:
    model = ScriptedModel({"check sentences": yes_sayer(lambda _: "")})
    found = verified(
        model_says("Beehives fly at night.", "1:b1"),
        model_says("Bees cure the flu."),
        model_says("A beehive costs 20 euros.", "1:b2"),
        by=model,
    )
    assert all(each.faults for each in found)


def test_the_verifier_knows_whose_blog_the_sentences_are_from() -> None:
    model = ScriptedModel({"check sentences": saying("supported", "in the morning sun")})
    verified(model_says("At Bee School, it stands in the morning sun.", "1:b1"), by=model)
    assert "blog of Bee School: this name, “we” and “our” are given." in model.prompts[0]


def test_the_verifier_knows_the_figures_of_the_reader() -> None:
    model = ScriptedModel({"check sentences": saying("supported", "150 to 250 euros")})
    verified(model_says("At 150 euros, 3 beehives cost 450 euros.", "1:b2"), by=model)
    assert f"Their topic is “{TOPIC}”: its figures are the reader's case, and given." in model.prompts[0]


def test_the_verifier_knows_that_a_short_gloss_needs_no_evidence(bees: SourceSnapshot) -> None:
    model = ScriptedModel({"check sentences": saying("supported", "in the morning sun")})
    verified(model_says("An apiary (a place for hives) wants the morning sun.", "1:b1"), by=model)
    allowed = "five words in brackets that explain"
    assert allowed in model.prompts[0]
    assert allowed in material_of(bees, topic="beehive").system()["content"], "so says the writer's prompt"


@pytest.mark.parametrize("blanks", [["150"], [150], {"a": "150"}])
def test_a_reading_may_be_a_number_or_named_by_its_letter(blanks: Any) -> None:
    def answer(_: str) -> dict[str, Any]:
        return {"verdicts": [{"n": 1, "blanks": blanks, "verdict": "supported", "words": "costs 150"}]}

    model = ScriptedModel({"check sentences": answer})
    [found] = verified(model_says("It costs 150 euros.", "1:b2"), by=model)
    assert found.faults == ()


def test_what_is_empty_may_be_left_out() -> None:
    model = ScriptedModel(
        {"check sentences": lambda _: {"verdicts": [{"n": 1, "verdict": "no_claim", "words": ""}]}}
    )
    [found] = verified(model_says("Where does yours stand?"), by=model)
    assert found.faults == ()


def test_a_figure_is_a_claim_whatever_the_verdict() -> None:
    assert judged(model_says("It costs 150 euros.", "1:b2"), "no_claim", "", "250").faults != ()
    assert judged(model_says("It costs 150 euros.", "1:b2"), "no_claim", "", "150").faults == ()


@pytest.mark.usefixtures("impatient")
def test_a_verifier_that_reads_nothing_gives_no_usable_answer() -> None:
    claims = [model_says(f"{word} costs 150 euros.", "1:b2") for word in ("It", "This", "One")]
    with pytest.raises(ServiceFailure, match="PROVIDER_FAILED"):
        verified(*claims, by=ScriptedModel({"check sentences": saying("supported", "150", "")}))
    with_one = ScriptedModel({"check sentences": saying("supported", "150", "250")})
    assert all(each.faults for each in verified(*claims, by=with_one))


def test_long_evidence_is_cut_to_what_proves_its_sentences() -> None:
    trees = "oak elm ash fir yew lime larch birch beech cedar pear plum apple cherry walnut willow".split()
    filler = "We have lent smokers, veils and scales to the keepers of this village for years. " * 12
    said = [f"The hive below the {tree} is heavy." for tree in trees]
    units = [unit(f"1:b{n}", f"{filler}{text} {filler}") for n, text in enumerate(said)]
    model = ScriptedModel({"check sentences": saying("supported", "We have lent smokers […] is heavy.")})
    found = verified(*(model_says(text, f"1:b{n}") for n, text in enumerate(said)), by=model, units=(*units,))
    [prompt] = model.prompts
    assert all(prompt.count(text) == 2 for text in said)
    assert prompt.count("[…]") > len(units)
    assert all(each.faults == () for each in found)
