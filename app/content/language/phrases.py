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

from app.content.language.lexicon import primary_subtag

_OPEN: Final = frozenset({"titles", "asked"})
_NAMES: Final = re.compile(r"\\\{[a-z]+\\\}")


@dataclass(frozen=True)
class Phrases:
    """The lines of one language. Names in braces are filled with the topic, the project, a page, a number."""

    titles: tuple[str, ...]
    descriptions: tuple[str, ...]
    intro: str
    covering: str
    source: str
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
    see_also: str


_EN: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: an overview from {project}",
        "{topic}: what {project} says",
        "{topic}: excerpts from {project}",
        "{topic}: what the pages of {project} say",
        "{topic}: short excerpts with sources",
    ),
    descriptions=(
        "{topic}: {count} short excerpts from the pages of {project}, each linked to its source.",
        "{topic}: short excerpts from the pages of {project}, each with a link to the page it comes from.",
        (
            "{topic}: what {project} says, in {count} short excerpts taken word for word from its pages, "
            "each with a link to its source."
        ),
    ),
    intro="This post gathers what {project} says about {topic}, in short excerpts with links to their pages.",
    covering="{topic} in short excerpts from the pages of {project}: {headings}.",
    source="Source: {page}",
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
        "What is {topic}?",
        "How does {topic} work?",
        "What does {topic} cost?",
        "Who is {topic} for?",
    ),
    keywords_heading="Keywords to cover",
    pages_heading="Pages to link",
    takeaways_heading="Key takeaways",
    key_points_heading="Key points",
    contents_heading="In this post",
    sections_heading="Sections to write",
    see_also="See also: {page}",
)

_DE: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: ein Überblick von {project}",
        "{topic}: was {project} dazu sagt",
        "{topic}: Auszüge von {project}",
        "{topic}: kurze Auszüge mit Quellen",
    ),
    descriptions=(
        "{topic}: {count} kurze Auszüge aus den Seiten von {project}, jeder mit einem Link zur Quelle.",
        (
            "{topic}: kurze Auszüge aus den Seiten von {project}, jeder mit einem Link zu der Seite, von der "
            "er stammt."
        ),
        (
            "{topic}: was {project} dazu sagt, in {count} kurzen, wörtlichen Auszügen aus den eigenen "
            "Seiten, jeder mit einem Link zur Quelle."
        ),
    ),
    intro="Dieser Beitrag sammelt, was {project} über {topic} sagt: kurze Auszüge mit Links zu ihren Seiten.",
    covering="{topic} in kurzen Auszügen aus den Seiten von {project}: {headings}.",
    source="Quelle: {page}",
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
        "{topic}: Was ist das?",
        "{topic}: Wie funktioniert das?",
        "{topic}: Was kostet das?",
        "{topic}: Für wen ist das?",
    ),
    keywords_heading="Keywords für den Beitrag",
    pages_heading="Seiten zum Verlinken",
    takeaways_heading="Das Wichtigste in Kürze",
    key_points_heading="Kernpunkte",
    contents_heading="In diesem Beitrag",
    sections_heading="Geplante Abschnitte",
    see_also="Siehe auch: {page}",
)

_FR: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic} : tour d’horizon par {project}",
        "{topic} : ce qu’en dit {project}",
        "{topic} : extraits de {project}",
        "{topic} : courts extraits avec sources",
    ),
    descriptions=(
        "{topic} : {count} courts extraits des pages de {project}, chacun avec un lien vers sa source.",
        (
            "{topic} : de courts extraits des pages de {project}, chacun avec un lien vers la page dont il "
            "est tiré."
        ),
        (
            "{topic} : ce qu’en dit {project}, en {count} courts extraits repris mot pour mot de ses pages, "
            "chacun avec un lien vers sa source."
        ),
    ),
    intro=(
        "Cet article rassemble ce que {project} dit de {topic} : de courts extraits, avec les liens "
        "vers leurs pages."
    ),
    covering="{topic} en courts extraits des pages de {project} : {headings}.",
    source="Source : {page}",
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
        "{topic} : de quoi s’agit-il ?",
        "{topic} : comment ça marche ?",
        "{topic} : combien ça coûte ?",
        "{topic} : à qui cela s’adresse-t-il ?",
    ),
    keywords_heading="Mots-clés à couvrir",
    pages_heading="Pages à lier",
    takeaways_heading="À retenir",
    key_points_heading="Points clés",
    contents_heading="Dans cet article",
    sections_heading="Sections à rédiger",
    see_also="Voir aussi : {page}",
)

_ES: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: visión general según {project}",
        "{topic}: lo que dice {project}",
        "{topic}: extractos de {project}",
        "{topic}: extractos breves con fuentes",
    ),
    descriptions=(
        "{topic}: {count} breves extractos de las páginas de {project}, cada uno con un enlace a su fuente.",
        (
            "{topic}: breves extractos de las páginas de {project}, cada uno con un enlace a la página de "
            "origen."
        ),
        (
            "{topic}: lo que dice {project}, en {count} breves extractos tomados palabra por palabra de sus "
            "páginas, cada uno con un enlace a su fuente."
        ),
    ),
    intro=(
        "Este artículo reúne lo que {project} dice sobre {topic}: breves extractos con enlaces a sus páginas."
    ),
    covering="{topic} en breves extractos de las páginas de {project}: {headings}.",
    source="Fuente: {page}",
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
        "{topic}: ¿de qué se trata?",
        "{topic}: ¿cómo funciona?",
        "{topic}: ¿cuánto cuesta?",
        "{topic}: ¿para quién es?",
    ),
    keywords_heading="Palabras clave por cubrir",
    pages_heading="Páginas por enlazar",
    takeaways_heading="Lo más importante",
    key_points_heading="Puntos clave",
    contents_heading="En este artículo",
    sections_heading="Secciones por escribir",
    see_also="Véase también: {page}",
)

_IT: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: una panoramica a cura di {project}",
        "{topic}: cosa dice {project}",
        "{topic}: estratti da {project}",
        "{topic}: brevi estratti con fonti",
    ),
    descriptions=(
        "{topic}: {count} brevi estratti dalle pagine di {project}, ognuno con un link alla sua fonte.",
        "{topic}: brevi estratti dalle pagine di {project}, ognuno con un link alla pagina da cui proviene.",
        (
            "{topic}: che cosa ne dice {project}, in {count} brevi estratti presi parola per parola dalle "
            "sue pagine, ognuno con un link alla sua fonte."
        ),
    ),
    intro=(
        "Questo articolo raccoglie ciò che {project} dice su {topic}: brevi estratti con i link alle "
        "loro pagine."
    ),
    covering="{topic} in brevi estratti dalle pagine di {project}: {headings}.",
    source="Fonte: {page}",
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
        "{topic}: di che cosa si tratta?",
        "{topic}: come funziona?",
        "{topic}: quanto costa?",
        "{topic}: a chi serve?",
    ),
    keywords_heading="Parole chiave da coprire",
    pages_heading="Pagine da collegare",
    takeaways_heading="In breve",
    key_points_heading="Punti chiave",
    contents_heading="In questo articolo",
    sections_heading="Sezioni da scrivere",
    see_also="Vedi anche: {page}",
)

_PT: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: visão geral segundo {project}",
        "{topic}: o que diz {project}",
        "{topic}: trechos de {project}",
        "{topic}: trechos curtos com fontes",
    ),
    descriptions=(
        "{topic}: {count} trechos curtos das páginas de {project}, cada um com um link para a sua fonte.",
        "{topic}: trechos curtos das páginas de {project}, cada um com um link para a página de origem.",
        (
            "{topic}: o que {project} diz, em {count} trechos curtos tirados palavra por palavra das suas "
            "páginas, cada um com um link para a sua fonte."
        ),
    ),
    intro=(
        "Este artigo reúne o que {project} diz sobre {topic}: trechos curtos com links para as suas páginas."
    ),
    covering="{topic} em trechos curtos das páginas de {project}: {headings}.",
    source="Fonte: {page}",
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
        "{topic}: do que se trata?",
        "{topic}: como funciona?",
        "{topic}: quanto custa?",
        "{topic}: para quem é?",
    ),
    keywords_heading="Palavras-chave a incluir",
    pages_heading="Páginas para incluir links",
    takeaways_heading="O mais importante",
    key_points_heading="Pontos principais",
    contents_heading="Neste artigo",
    sections_heading="Partes a escrever",
    see_also="Ver também: {page}",
)

_NL: Final = Phrases(
    titles=(
        "{topic} | {project}",
        "{topic}: een overzicht door {project}",
        "{topic}: wat {project} zegt",
        "{topic}: fragmenten van {project}",
        "{topic}: korte fragmenten met bronnen",
    ),
    descriptions=(
        "{topic}: {count} korte fragmenten uit de pagina’s van {project}, elk met een link naar de bron.",
        (
            "{topic}: korte fragmenten uit de pagina’s van {project}, elk met een link naar de pagina van "
            "herkomst."
        ),
        (
            "{topic}: wat {project} erover zegt, in {count} korte fragmenten die woord voor woord van de "
            "eigen pagina’s komen, elk met een link naar de bron."
        ),
    ),
    intro=(
        "Dit artikel verzamelt wat {project} zegt over {topic}: korte fragmenten met links naar hun pagina’s."
    ),
    covering="{topic} in korte fragmenten uit de pagina’s van {project}: {headings}.",
    source="Bron: {page}",
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
        "{topic}: wat is dat?",
        "{topic}: hoe werkt dat?",
        "{topic}: wat kost dat?",
        "{topic}: voor wie is dat?",
    ),
    keywords_heading="Te behandelen zoekwoorden",
    pages_heading="Pagina’s om te linken",
    takeaways_heading="In het kort",
    key_points_heading="Kernpunten",
    contents_heading="In dit artikel",
    sections_heading="Nog te schrijven onderdelen",
    see_also="Zie ook: {page}",
)

_MARKS: Final = {"de": ("„", "“"), "fr": ("« ", " »"), "es": ("«", "»"), "it": ("«", "»")}
_TABLES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "it": _IT, "pt": _PT, "nl": _NL}
LANGUAGES: Final = tuple(_TABLES)


def phrases(language: str) -> Phrases | None:
    """Return the lines of a BCP 47 language tag, None when the language has no table."""
    return _TABLES.get(primary_subtag(language))


def quoted(text: str, language: str) -> str:
    """Return a text between the quotation marks of a language."""
    opening, closing = _MARKS.get(primary_subtag(language), ("“", "”"))
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
