"""The fixed lines of a post, per language: the only sentences that do not come from the project's pages.

Long because it is one table: what is said in one language is said in every other.

They speak about the post itself (where an excerpt comes from, what a reader finds), never about the world.
Languages without a table get no lines at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

from app.language.tags import language_code

_OPEN: Final = frozenset({"titles", "asked", "price_header", "comparison", "together"})
_NAMES: Final = re.compile(r"\\\{[a-z]+\\\}")


@dataclass(frozen=True)
class Phrases:
    """The lines of one language. Names in braces are filled with the topic, the project, a page, a number."""

    titles: tuple[str, ...]
    descriptions: tuple[str, ...]
    read_more: str
    price_header: tuple[str, str, str]
    sources_heading: str
    faq_heading: str
    outline_intro: str
    outline_description: str
    questions_heading: str
    asked: str
    questions: tuple[str, ...]
    keywords_heading: str
    pages_heading: str
    takeaways_heading: str
    key_points_heading: str
    contents_heading: str
    sections_heading: str
    comparison: str
    together: str


_EN: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: an overview from {project}",
        "{topic}: what {project} says",
        "{topic}: what the pages of {project} say",
    ),
    descriptions=(
        "{topic}: the main points from {project}, with links to the pages that say more.",
        "What {project} says about {topic}, in its own words.",
    ),
    read_more="Read more: {page}",
    price_header=("Plan", "Price", "Included"),
    sources_heading="Sources",
    faq_heading="Frequently asked questions",
    outline_intro=(
        "This is an outline, not an article: the pages of {project} hold too little about {topic} so far."
    ),
    outline_description=(
        "Outline of a post about {topic}: questions to answer, keywords to cover and "
        "pages of {project} to link."
    ),
    questions_heading="Questions to answer",
    asked="{question}?",
    questions=(
        "What should readers know about {topic}?",
        "What do readers ask about {topic} first?",
        "Which facts, prices and examples belong to {topic}?",
    ),
    keywords_heading="Keywords to cover",
    pages_heading="Pages to link",
    takeaways_heading="Key takeaways",
    key_points_heading="Key points",
    contents_heading="In this post",
    sections_heading="Sections to write",
    comparison="{first} or {second}",
    together="{first} and {second}",
)

_DE: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: ein Überblick von {project}",
        "{topic}: was {project} dazu sagt",
    ),
    descriptions=(
        "{topic}: das Wichtigste von {project}, mit Links zu den Seiten, auf denen mehr steht.",
        "Was {project} über {topic} sagt, in eigenen Worten.",
    ),
    read_more="Weiterlesen: {page}",
    price_header=("Angebot", "Preis", "Enthalten"),
    sources_heading="Quellen",
    faq_heading="Häufige Fragen",
    outline_intro=(
        "Dies ist eine Gliederung, kein Artikel: Die Seiten von {project} sagen noch zu wenig über {topic}."
    ),
    outline_description=(
        "Gliederung für einen Beitrag über {topic}: Fragen, Keywords und Seiten von {project} zum Verlinken."
    ),
    questions_heading="Offene Fragen",
    asked="{question}?",
    questions=(
        "Was sollten Leser über {topic} wissen?",
        "Was wird zu {topic} zuerst gefragt?",
        "Welche Fakten, Preise und Beispiele gehören zu {topic}?",
    ),
    keywords_heading="Keywords für den Beitrag",
    pages_heading="Seiten zum Verlinken",
    takeaways_heading="Das Wichtigste in Kürze",
    key_points_heading="Kernpunkte",
    contents_heading="In diesem Beitrag",
    sections_heading="Geplante Abschnitte",
    comparison="{first} oder {second}",
    together="{first} und {second}",
)

_FR: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic} : tour d’horizon par {project}",
        "{topic} : ce qu’en dit {project}",
    ),
    descriptions=(
        "{topic} : l’essentiel par {project}, avec les liens vers les pages qui en disent plus.",
        "Ce que {project} dit de {topic}, avec ses propres mots.",
    ),
    read_more="En savoir plus : {page}",
    price_header=("Offre", "Prix", "Inclus"),
    sources_heading="Sources",
    faq_heading="Questions fréquentes",
    outline_intro=(
        "Ceci est un plan, pas un article : les pages de {project} disent encore trop peu de choses "
        "sur {topic}."
    ),
    outline_description=(
        "Plan d’un article sur {topic} : questions à traiter, mots-clés à couvrir et "
        "pages de {project} à lier."
    ),
    questions_heading="Questions à traiter",
    asked="{question} ?",
    questions=(
        "Que faut-il savoir sur {topic} ?",
        "Quelles questions pose-t-on d’abord sur {topic} ?",
        "Quels faits, prix et exemples faut-il donner sur {topic} ?",
    ),
    keywords_heading="Mots-clés à couvrir",
    pages_heading="Pages à lier",
    takeaways_heading="À retenir",
    key_points_heading="Points clés",
    contents_heading="Dans cet article",
    sections_heading="Sections à rédiger",
    comparison="{first} ou {second}",
    together="{first} et {second}",
)

_ES: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: visión general según {project}",
        "{topic}: lo que dice {project}",
    ),
    descriptions=(
        "{topic}: lo esencial según {project}, con enlaces a las páginas que dicen más.",
        "Lo que {project} dice sobre {topic}, con sus propias palabras.",
    ),
    read_more="Más información: {page}",
    price_header=("Plan", "Precio", "Incluye"),
    sources_heading="Fuentes",
    faq_heading="Preguntas frecuentes",
    outline_intro=(
        "Esto es un esquema, no un artículo: las páginas de {project} aún dicen muy poco sobre {topic}."
    ),
    outline_description=(
        "Esquema de un artículo sobre {topic}: preguntas, palabras clave y páginas de {project} por enlazar."
    ),
    questions_heading="Preguntas por responder",
    asked="¿{question}?",
    questions=(
        "¿Qué conviene saber sobre {topic}?",
        "¿Qué se pregunta primero sobre {topic}?",
        "¿Qué datos, precios y ejemplos hacen falta sobre {topic}?",
    ),
    keywords_heading="Palabras clave por cubrir",
    pages_heading="Páginas por enlazar",
    takeaways_heading="Lo más importante",
    key_points_heading="Puntos clave",
    contents_heading="En este artículo",
    sections_heading="Secciones por escribir",
    comparison="{first} o {second}",
    together="{first} y {second}",
)

_IT: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: una panoramica a cura di {project}",
        "{topic}: cosa dice {project}",
    ),
    descriptions=(
        "{topic}: i punti principali da {project}, con i link alle pagine che dicono di più.",
        "Che cosa dice {project} su {topic}, con parole proprie.",
    ),
    read_more="Per saperne di più: {page}",
    price_header=("Piano", "Prezzo", "Incluso"),
    sources_heading="Fonti",
    faq_heading="Domande frequenti",
    outline_intro=(
        "Questa è una scaletta, non un articolo: le pagine di {project} dicono ancora troppo poco su {topic}."
    ),
    outline_description=(
        "Scaletta di un articolo su {topic}: domande, parole chiave e pagine di {project} da collegare."
    ),
    questions_heading="Domande a cui rispondere",
    asked="{question}?",
    questions=(
        "Che cosa bisogna sapere su {topic}?",
        "Che cosa si chiede per prima cosa su {topic}?",
        "Quali fatti, prezzi ed esempi servono su {topic}?",
    ),
    keywords_heading="Parole chiave da coprire",
    pages_heading="Pagine da collegare",
    takeaways_heading="In breve",
    key_points_heading="Punti chiave",
    contents_heading="In questo articolo",
    sections_heading="Sezioni da scrivere",
    comparison="{first} o {second}",
    together="{first} e {second}",
)

_PT: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: visão geral segundo {project}",
        "{topic}: o que diz {project}",
    ),
    descriptions=(
        "{topic}: o essencial segundo {project}, com links para as páginas que dizem mais.",
        "O que {project} diz sobre {topic}, nas suas próprias palavras.",
    ),
    read_more="Saiba mais: {page}",
    price_header=("Plano", "Preço", "Inclui"),
    sources_heading="Fontes",
    faq_heading="Perguntas frequentes",
    outline_intro=(
        "Este texto é um esboço, não um artigo: as páginas de {project} ainda dizem muito pouco "
        "sobre {topic}."
    ),
    outline_description=(
        "Esboço de um artigo sobre {topic}: perguntas, palavras-chave e páginas de {project} para os links."
    ),
    questions_heading="Perguntas a responder",
    asked="{question}?",
    questions=(
        "O que é preciso saber sobre {topic}?",
        "O que se pergunta primeiro sobre {topic}?",
        "Que factos, preços e exemplos são precisos sobre {topic}?",
    ),
    keywords_heading="Palavras-chave a incluir",
    pages_heading="Páginas para incluir links",
    takeaways_heading="O mais importante",
    key_points_heading="Pontos principais",
    contents_heading="Neste artigo",
    sections_heading="Partes a escrever",
    comparison="{first} ou {second}",
    together="{first} e {second}",
)

_NL: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: een overzicht door {project}",
        "{topic}: wat {project} zegt",
    ),
    descriptions=(
        "{topic}: de hoofdpunten van {project}, met links naar de pagina’s die meer zeggen.",
        "Wat {project} over {topic} zegt, in eigen woorden.",
    ),
    read_more="Lees meer: {page}",
    price_header=("Aanbod", "Prijs", "Inbegrepen"),
    sources_heading="Bronnen",
    faq_heading="Veelgestelde vragen",
    outline_intro=(
        "Dit is een opzet, geen artikel: de pagina’s van {project} zeggen nog te weinig over {topic}."
    ),
    outline_description=(
        "Opzet van een artikel over {topic}: vragen, zoekwoorden en pagina’s van {project} om te linken."
    ),
    questions_heading="Te beantwoorden vragen",
    asked="{question}?",
    questions=(
        "Wat moeten lezers weten over {topic}?",
        "Wat wordt er het eerst gevraagd over {topic}?",
        "Welke feiten, prijzen en voorbeelden horen bij {topic}?",
    ),
    keywords_heading="Te behandelen zoekwoorden",
    pages_heading="Pagina’s om te linken",
    takeaways_heading="In het kort",
    key_points_heading="Kernpunten",
    contents_heading="In dit artikel",
    sections_heading="Nog te schrijven onderdelen",
    comparison="{first} of {second}",
    together="{first} en {second}",
)

_MARKS: Final = {"de": ("„", "“"), "fr": ("« ", " »"), "es": ("«", "»"), "it": ("«", "»")}
_TABLES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "pt": _PT, "nl": _NL}


def phrases(language: str) -> Phrases | None:
    """Return the lines of a BCP 47 language tag, None when the language has no table."""
    return _TABLES.get(language_code(language))


def quoted(text: str, language: str) -> str:
    """Return a text between the quotation marks of a language."""
    opening, closing = _MARKS.get(language_code(language), ("“", "”"))
    return f"{opening}{text}{closing}"


def is_template_line(text: str) -> bool:
    """Tell whether a line of plain text is one of the fixed lines, whatever fills its names."""
    return any(pattern.fullmatch(text.strip()) for pattern in _patterns())


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    lines = [line for table in _TABLES.values() for line in _lines(table)]
    return tuple(re.compile(_NAMES.sub("(.+)", re.escape(line))) for line in dict.fromkeys(lines))


def _lines(table: Phrases) -> list[str]:
    """Return every line but those whose shortest form is any text or any question at all."""
    values = [getattr(table, member.name) for member in fields(table) if member.name not in _OPEN]
    return [line for value in values for line in ((value,) if isinstance(value, str) else value)]
