"""Claims without a figure that a source has to make first: research, experts, rank, proof and fame. Pure.

A sentence is found when no source makes a claim of the same kind. Without a table of the language none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from app.language.tags import language_code

_PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        r"""(?:studies|research|science|surveys|statistics) (?:\w+ly )?(?:shows?|suggests?|proves?|finds?)
        (?:studies|research|science|surveys|statistics) (?:found|confirms?|indicates?|demonstrates?)
        (?:studies|research|science|surveys|statistics) (?:has|have) (?:shown|found|proven|confirmed)
        according to (?:\w+ )?(?:studies|research|surveys|experts)""",
        r"""(?:experts|specialists|scientists|researchers|doctors) (?:\w+ly )?(?:agree|say|recommend|believe)
        (?:experts|specialists|scientists|researchers|doctors) (?:\w+ly )?(?:confirm|advise|suggest|claim)
        expert[- ](?:approved|recommended)""",
        r"""the (?:\w+ly |very )?best(?! practices?\b)
        #1|number (?:one|1)|no\. ?1|second to none|unmatched|unrivall?ed|best[- ]in[- ]class
        (?:world|industry|market)[- ](?:class|leading)|world['’]s (?:leading|best|finest)""",
        r"""proven|clinically tested|guaranteed|risk[- ]free""",
        r"""award[- ]winning|widely (?:regarded|recogni[sz]ed|trusted)|most (?:popular|trusted|reliable)
        everyone (?:knows|agrees)""",
    ),
    "de": (
        r"""(?:studien|untersuchungen|umfragen) (?:\w+ )?(?:zeigen|belegen|beweisen|bestätigen)
        (?:forschung|wissenschaft) (?:zeigt|belegt|beweist|bestätigt)
        laut (?:\w+ )?(?:studien|umfragen|experten)""",
        r"""(?:experten|fachleute|forscher|wissenschaftler|ärzte) (?:sind sich einig|empfehlen|sagen|raten)
        (?:experten|fachleute|forscher|wissenschaftler|ärzte) (?:bestätigen|glauben|meinen)""",
        r"""(?:der|die|das|den|dem|des) (?:aller)?beste[nrsm]?
        #1|nummer (?:1|eins)|nr\. ?1|unübertroffen\w*|konkurrenzlos\w*|unschlagbar\w*
        marktführer\w*|marktführend\w*|weltweit führend\w*""",
        r"""nachweislich\w*|bewiesen\w*|erwiesen\w*|garantiert\w*""",
        r"""preisgekrönt\w*|(?:allgemein|weithin) anerkannt\w*|beliebteste\w*|meistverkauft\w*""",
    ),
    "fr": (
        r"""études (?:\w+ )?(?:montrent|prouvent|suggèrent|indiquent|confirment|ont (?:montré|prouvé))
        (?:recherche|science) (?:montre|prouve|confirme)
        selon (?:les |des |plusieurs )?(?:études|experts)""",
        r"""(?:experts|spécialistes|scientifiques|chercheurs|médecins) (?:recommandent|affirment|conseillent)
        (?:experts|spécialistes|scientifiques|chercheurs|médecins) (?:disent|estiment)
        (?:experts|spécialistes|scientifiques|chercheurs|médecins) (?:s['’]accordent|sont d['’]accord)""",
        r"""(?:le|la|les) meilleure?s?
        #1|(?:numéro|n°) ?(?:1|un)|inégalée?s?|sans égale?|leader (?:du marché|mondial)""",
        r"""prouvée?s?|éprouvée?s?|garantis?""",
        r"""primée?s?|(?:largement|mondialement) reconnue?s?|plus (?:populaires?|fiables?|vendue?s?)""",
    ),
    "es": (
        r"""estudios (?:\w+ )?(?:demuestran|muestran|prueban|sugieren|indican|confirman|han demostrado)
        (?:investigación|ciencia) (?:demuestra|muestra|prueba|confirma)
        según (?:los )?(?:estudios|expertos)""",
        r"""(?:expertos|especialistas|científicos|investigadores|médicos) (?:coinciden|están de acuerdo)
        (?:expertos|especialistas|científicos|investigadores|médicos) (?:recomiendan|afirman|aconsejan)
        (?:expertos|especialistas|científicos|investigadores|médicos) (?:dicen|creen)""",
        r"""(?:el|la|los|las) mejor(?:es)?
        #1|número (?:1|uno)|n\.?º ?1|inigualables?|insuperables?|líder(?:es)? (?:del mercado|mundial)""",
        r"""comprobad[oa]s?|demostrad[oa]s?|garantizad[oa]s?""",
        r"""galardonad[oa]s?|(?:ampliamente|mundialmente) reconocid[oa]s?
        más (?:popular(?:es)?|fiables?|vendid[oa]s?)""",
    ),
}
"""Of each language: research, experts, rank, proof, fame."""


def _pattern(phrases: str) -> re.Pattern[str]:
    alternatives = "|".join(line.strip() for line in phrases.splitlines())
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


_CLAIMS: Final = {language: tuple(map(_pattern, kinds)) for language, kinds in _PHRASES.items()}


def soft_claims(told: Iterable[str], source: str, language: str) -> list[str]:
    """Return the sentences with a claim of a kind that ``source`` never makes; questions claim nothing."""
    unmade = [kind for kind in _CLAIMS.get(language_code(language), ()) if not kind.search(source)]
    said = (text for text in told if not text.rstrip().endswith("?"))
    return [text for text in said if any(kind.search(text) for kind in unmade)]
