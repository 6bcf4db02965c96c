"""Lines of a page that are no text of its own: labels of links, bylines, share bars, consent. Pure.

What is no evidence for certain becomes a label or a byline: it stays findable and is left out of posts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bs4 import Tag

from app.pages.extraction.elements import LINK_SHARE, Elements

LABEL: Final = "label"
BYLINE: Final = "byline"
_LINK_WORDS: Final = 4
_LABEL_WORDS: Final = 5
_LONGEST_LABEL: Final = 80
_LONGEST_BYLINE: Final = 160
_LONGEST_SIGNUP: Final = 300
_MOST_FORMS: Final = 20
_FORM_LEVELS: Final = 4
_TITLES: Final = frozenset({"h1"})
_UNSEEN: Final = frozenset({"hidden", "submit", "checkbox", "button", "image", "email"})
_WORD: Final = re.compile(r"\w+(?:['’.-]\w+)*")
_LETTER: Final = re.compile(r"\w")

_COPY: Final = re.compile(
    r"(?:copy|copied!?|copy (?:code|link|to clipboard)|kopieren|copier|copiar|copia)", re.I
)
_SHARE: Final = re.compile(
    r"share(?: (?:this(?: \w+)?|on \w+|via \w+))?:?|teilen:?|partager:?|compartir:?|condividi:?|delen:?", re.I
)
_NETWORKS: Final = frozenset({
    "share", "on", "via", "this", "tweet", "facebook", "twitter", "x", "linkedin", "pinterest", "reddit",
    "whatsapp", "telegram", "mastodon", "bluesky", "threads", "email", "e-mail", "mail", "copy", "link",
    "print", "post", "pin", "it", "teilen", "partager", "auf", "sur",
})  # fmt: skip
_LISTED: Final = re.compile(
    r"(?:tags?|tagged|categor(?:y|ies)|topics?|filed under|posted in|(?:available )?languages?"
    r"|versions?|share"
    r"|schlagw[oö]rter|kategorien?|themen|(?:verfügbare )?sprachen|mots[- ]clés|étiquettes|catégories?"
    r"|langues(?: disponibles)?|etiquetas|categorías?|idiomas|categorie|lingue|onderwerpen|talen)\s*:",
    re.I,
)
_CONSENT: Final = re.compile(
    r"(?:\w+ ){0,3}(?:uses?|verwende[nt]|nutz(?:t|en)|benutz(?:t|en)|setz(?:t|en)|utilis(?:e|ons)"
    r"|utiliz(?:a|amos|o)"
    r"|usa(?:mos)?|utilizz(?:a|iamo)|gebruik(?:t|en)|maak(?:t|en) gebruik van) (?:\w+ ){0,2}cookies\b",
    re.I,
)
_PREVIOUS_NEXT: Final = re.compile(
    r"\W*(?:(?:previous|next|prev|older|newer|zurück|weiter|précédent|suivant|anterior|siguiente"
    r"|vorige|volgende)"
    r"(?: (?:page|posts?|articles?|entries))?|page \d+ of \d+)\W*",
    re.I,
)
_RELATED: Final = re.compile(
    r"related (?:posts?|articles?|stories|reading|content|guides?|resources|news)"
    r"|(?:more|other|latest|recent) (?:posts?|articles?|stories|from (?:the|our) blog)(?: .{0,30})?"
    r"|you (?:may|might) (?:also )?(?:like|enjoy|be interested in).{0,30}|(?:read|up"
    r"|what to read) next|keep reading"
    r"|recommended (?:posts?|articles?|reading|for you)"
    r"|(?:ähnliche|verwandte|weitere) (?:beiträge|artikel)|das könnte .{0,20}interessieren"
    r"|(?:articles|billets) (?:similaires|liés|connexes)|à lire (?:aussi|ensuite)|vous aimerez aussi"
    r"|(?:artículos|entradas) relacionad[ao]s|(?:también )?te puede interesar|articoli correlati|leggi anche"
    r"|potrebbe interessarti.{0,10}|gerelateerde (?:berichten|artikelen)|lees ook"
    r"|artigos relacionados|leia também",
    re.I,
)
_MORE: Final = re.compile(
    r"\W*(?:(?:read|learn|find out|see|show|view) more|continue reading|read (?:on"
    r"|the (?:full )?(?:story|article|post))"
    r"|weiterlesen|mehr (?:lesen|erfahren)|(?:en savoir|lire) plus|lire la suite|leer más"
    r"|más información|saber más"
    r"|leggi (?:tutto|di più)|scopri di più|lees (?:meer|verder)|meer lezen|ler mais|saiba mais)\W*",
    re.I,
)

_MONTH: Final = r"[^\W\d_]{3,9}\.?"
_DATE: Final = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:de "
    rf"|d')?{_MONTH}"
    rf"(?: de)?,? \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
)
_DATED: Final = re.compile(
    rf"(?:(?:(?:first |last |originally )?(?:published|posted|updated|modified|reviewed|edited|written)"
    rf"|veröffentlicht|aktualisiert|zuletzt \w+|publié|mis à jour|publicado|actualizado|pubblicato|aggiornato"
    rf"|gepubliceerd|bijgewerkt|atualizado)(?: (?:on|at|am|le|el|il|op|em))?:?\s*)?{_DATE}"
    rf"(?:,? (?:at |um |à )?\d{{1,2}}:\d\d(?: ?[ap]m)?)?\.?",
    re.I,
)
_READING_TIME: Final = re.compile(
    r"(?:reading time:? |lesezeit:? |lesedauer:? |temps de lecture ?:? )?(?:about |ca\. |~ ?)?\d{1,3}[ -]?"
    r"min(?:ute|uten|uti|utos|s)?s?\.?(?:[ -](?:read|reading|read time|lesezeit|de lecture"
    r"|de lectura|di lettura"
    r"|leestijd|de leitura))?",
    re.I,
)
_READ: Final = re.compile(r"read|lese|lectur|lettura|leest|leit", re.I)
_NAME: Final = r"(?:(?:van|von|de|der|da|del|di|la|le|and|und|et|y|e|&) )*[^\W\d_a-zà-ÿ][\w.'’-]*,?"
_AUTHOR: Final = re.compile(
    rf"(?:(?:[Ww]ritten |[Pp]osted |[Pp]ublished )?[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]oor|Author:"
    rf"|Autor(?:in)?:|Auteur ?:)"
    rf" {_NAME}(?: {_NAME}){{0,6}}"
)
_PARTS: Final = re.compile(r"\s*[·•|–—]\s*|\s+/\s+")


def kind_of_line(text: str, links: Sequence[str], *, by_author: bool = False) -> str:
    """Return the kind of a line that stands alone: label, byline, p, or "" for one to be dropped.

    ``links``: the words of the links in it. ``by_author``: one of them leads to the author of the page.
    """
    if len(text) > _LONGEST_BYLINE:
        return LABEL if len(text) < 3 * _LONGEST_BYLINE and _CONSENT.match(text) else "p"
    if _COPY.fullmatch(text):
        return ""
    if _is_byline(text) or (by_author and not text.endswith((".", "!", "?", ":"))):
        return BYLINE
    return LABEL if _is_link_label(text, links) or _is_bar(text, links) else "p"


def is_more(text: str) -> bool:
    """Return whether a link says no more than that there is more: "Read more →"."""
    return _MORE.fullmatch(text) is not None


def is_related_heading(text: str) -> bool:
    """Return whether a heading stands above teasers of other pages."""
    return _RELATED.fullmatch(text.rstrip(":… ")) is not None


def is_button(tag: Tag) -> bool:
    """Return whether a link or an element with the role of a button is one, as role or class name say."""
    is_named = tag.get("role") == "button"
    if not is_named and tag.name == "a":
        names = str(tag.get("class", "")).lower().split()
        is_named = any(
            name in ("button", "btn", "cta") or name.startswith(("btn-", "button-")) for name in names
        )
    return is_named


def is_button_text(text: str) -> bool:
    """Return whether a text is as short as a button's."""
    return len(_WORD.findall(text)) <= _LABEL_WORDS and not text.endswith("?")


def signup_boxes(elements: Elements) -> set[int]:
    """Return the ids of the small elements around forms that ask for an e-mail address alone."""
    found: set[int] = set()
    inputs = (tag for tag in elements.tags if tag.name == "input" and tag.get("type") == "email")
    for field in islice(inputs, _MOST_FORMS):
        form = next((each for each in islice(field.parents, 2 * _FORM_LEVELS) if each.name == "form"), None)
        if form is None or _asks_more(form):
            continue
        box = None
        for above in islice(form.parents, _FORM_LEVELS):
            if above.name in ("main", "body", "article", "html") or elements.holds(above, _TITLES):
                break
            if elements.short_strings(above, _LONGEST_SIGNUP) is None:
                break
            box = above
        if box is not None:
            found.add(id(box))
    return found


def _asks_more(form: Tag) -> bool:
    fields = form.find_all(["input", "textarea", "select"], limit=20)
    return any(field.name != "input" or field.get("type", "text") not in _UNSEEN for field in fields)


def _is_byline(text: str) -> bool:
    """Return whether a line says author, date and reading time; one part more is taken for a rubric."""
    parts = [part for part in _PARTS.split(text) if part]
    authors = sum(_AUTHOR.fullmatch(part) is not None for part in parts)
    dates = sum(_DATED.fullmatch(part) is not None for part in parts)
    times = sum(_READING_TIME.fullmatch(part) is not None for part in parts)
    certain = authors + dates + times
    if authors + dates == 0 and not (times and _READ.search(text)):
        return False
    return certain == len(parts) or (certain == len(parts) - 1 < 5 and (certain > 1 or authors > 0))


def _is_link_label(text: str, links: Sequence[str]) -> bool:
    """Return whether a line is one or two links of four words at most, and nothing else."""
    if not 0 < len(links) < 3 or len(text) > _LONGEST_LABEL:
        return False
    linked = sum(len(_LETTER.findall(link)) for link in links)
    is_all = linked >= LINK_SHARE * len(_LETTER.findall(text))
    return is_all and all(len(_WORD.findall(link)) <= _LINK_WORDS for link in links)


def _is_bar(text: str, links: Sequence[str]) -> bool:
    words = text.lower().rstrip(":").split()
    return (
        _SHARE.fullmatch(text) is not None
        or (1 < len(words) <= 12 and _NETWORKS.issuperset(words))
        or _PREVIOUS_NEXT.fullmatch(text) is not None
        or _is_pager(text)
        or _CONSENT.match(text) is not None
        or (bool(links) and _LISTED.match(text) is not None and _is_mostly(links, text))
    )


def _is_pager(text: str) -> bool:
    parts = [part for part in re.split(r"\s*[/|·«»‹›←→]\s*", text) if part]
    return len(parts) > 1 and all(_PREVIOUS_NEXT.fullmatch(part) or part.isdigit() for part in parts)


def _is_mostly(links: Sequence[str], text: str) -> bool:
    listed = text.partition(":")[2]
    return sum(len(_LETTER.findall(link)) for link in links) >= 0.7 * len(_LETTER.findall(listed))
