"""How the titles of ideas are put together in each language, from words of the project's pages alone.

A language without a table gets no such titles: its ideas are keywords and questions as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.language.tags import language_code


@dataclass(frozen=True)
class IdeaTitles:
    """Title patterns of one language; what stands in braces is filled in.

    ``how`` begins a heading on how something is done; ``how_to`` takes a heading that begins with a verb,
    where verbs can be recognised by the word ``before_verbs``. ``site_questions`` begin questions to the
    company itself.
    """

    comparison: str
    last_of_several: str
    prices: str
    steps: str
    how: str
    how_to: str = ""
    before_verbs: str = ""
    site_questions: tuple[str, ...] = ()


_TABLES: Final = {
    "en": IdeaTitles(
        comparison="{names}: which one do you need?",
        last_of_several=" or ",
        prices="{name}: prices at a glance",
        steps="{heading}, step by step",
        how="how ",
        how_to="How to {heading}",
        before_verbs="to",
        site_questions=(
            "do you ", "can you ", "will you ", "are you ", "have you ", "could you ", "would you ",
            "what can we ", "how can we ",
        ),
    ),
    "de": IdeaTitles(
        comparison="{names}: Was passt zu Ihnen?",
        last_of_several=" oder ",
        prices="{name}: die Preise im Überblick",
        steps="{heading}: Schritt für Schritt",
        how="wie ",
        site_questions=(
            "bieten sie ", "haben sie ", "können sie ", "machen sie ", "nehmen sie ", "sind sie ",
            "bietet ihr ", "habt ihr ", "könnt ihr ", "macht ihr ", "nehmt ihr ", "seid ihr ",
        ),
    ),
    "fr": IdeaTitles(
        comparison="{names} : que choisir ?",
        last_of_several=" ou ",
        prices="{name} : les prix en un coup d’œil",
        steps="{heading}, étape par étape",
        how="comment ",
        site_questions=("proposez-vous ", "avez-vous ", "pouvez-vous ", "êtes-vous ", "faites-vous "),
    ),
    "es": IdeaTitles(
        comparison="{names}: ¿cuál elegir?",
        last_of_several=" o ",
        prices="{name}: los precios de un vistazo",
        steps="{heading}, paso a paso",
        how="cómo ",
    ),
    "it": IdeaTitles(
        comparison="{names}: quale scegliere?",
        last_of_several=" o ",
        prices="{name}: i prezzi in sintesi",
        steps="{heading}, passo per passo",
        how="come ",
    ),
    "pt": IdeaTitles(
        comparison="{names}: qual escolher?",
        last_of_several=" ou ",
        prices="{name}: os preços em resumo",
        steps="{heading}, passo a passo",
        how="como ",
    ),
    "nl": IdeaTitles(
        comparison="{names}: wat past bij u?",
        last_of_several=" of ",
        prices="{name}: de prijzen op een rij",
        steps="{heading}, stap voor stap",
        how="hoe ",
        site_questions=(
            "hebben jullie ", "kunnen jullie ", "doen jullie ", "zijn jullie ", "heeft u ", "kunt u ",
        ),
    ),
}  # fmt: skip


def idea_titles(language: str) -> IdeaTitles | None:
    """Return the patterns of a language, None where there are none."""
    return _TABLES.get(language_code(language))
