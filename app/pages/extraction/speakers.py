"""Finds the speakers of quotations: below a block quotation, in its caption, or on its card. Pure."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from bs4 import NavigableString, Tag

from app.language.words import QUESTION_MARKS
from app.pages.extraction.blocks import squeezed
from app.pages.extraction.elements import HEADINGS, Elements, named_in
from app.pages.extraction.inline import INLINE

_DASH: Final = re.compile(r"\s*[—–―‒]\s*|\s*-{1,2}\s+")
_MARKED: Final = re.compile(r"[“„«\"‹「『].{12,}[”“»\"›」』][.,!?]?", re.DOTALL)
_OPENING: Final = re.compile(r"\s*[“„«\"‹「『]")
_SIGNED: Final = re.compile(
    r"(?P<text>.*[.!?…,”“»\"›」』])\s*(?:[—–―‒]|\s-{1,2}\s)\s*(?P<speaker>[^—–―‒]+)", re.DOTALL
)
_ENDED: Final = (".", "!", *QUESTION_MARKS, "…", "”", "“", "»", '"', "›", "」", "』", "—", "–", "―")
_JOINING: Final = re.compile(r"[,;.)/|]|[a-zà-ÿ@]")
_LINK_MARK: Final = re.compile(r"[→»›>]\s*$")
_LONGEST_QUOTE: Final = 2000
_LONGEST_SPEAKER: Final = 150
_MOST_WORDS: Final = 15
_MOST_PARTS: Final = 4
_MOST_QUOTES: Final = 200
_LEVELS: Final = 4
_ATTRIBUTIONS: Final = frozenset({"footer", "cite", "figcaption"})
_NO_QUOTES: Final = frozenset({"pre", "code", "script", "style", "td", "th", "title", "button", "option"})
_BLOCK_QUOTES: Final = frozenset({"blockquote"})
_TESTIMONIAL: Final = re.compile(r"testimonial[\w-]*(?:content|text|quote|body)\b")
"""The class names with which page builders mark what a customer said."""


def signed(text: str) -> tuple[str, str]:
    """Split a quotation that ends with a dash and a name: text, and speaker or ""."""
    match = _SIGNED.fullmatch(text) if len(text) <= _LONGEST_QUOTE else None
    if match is None or not is_speaker(match["speaker"]):
        return text, ""
    return match["text"].rstrip(), match["speaker"].strip()


def is_marked(text: str) -> bool:
    """Return whether quotation marks enclose a whole text of four words or more."""
    return len(text) <= _LONGEST_QUOTE and text.count(" ") > 2 and _MARKED.fullmatch(text) is not None


def is_speaker(text: str) -> bool:
    """Return whether a short line can be a person's name and role and is no sentence."""
    words = text.split()
    if not 0 < len(words) <= _MOST_WORDS or len(text) > _LONGEST_SPEAKER:
        return False
    first = words[0].lstrip("(@")[:1]
    return (
        first.isalpha()
        and not first.islower()
        and not text.rstrip().endswith((*QUESTION_MARKS, "!", ":", "…"))
    )


class Speakers:
    """The speakers of a page's quotations.

    ``of`` has them by the ids of the quotations' elements. ``said`` has the ids of the nodes with the names.
    """

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self.of: dict[int, str] = {}
        self.said: set[int] = set()
        for quote in islice(named_in(elements.body, _BLOCK_QUOTES), _MOST_QUOTES):
            self._name(quote)
        said = (tag for tag in elements.tags if _TESTIMONIAL.search(str(tag.get("class", "")).lower()))
        for testimonial in islice(said, _MOST_QUOTES):
            self._name(testimonial)
        openings = (each for each in elements.strings if _OPENING.match(each))
        for string in islice(openings, _MOST_QUOTES):
            marked = self._marked_around(string)
            if marked is not None:
                self._name(marked)

    def _marked_around(self, string: NavigableString) -> Tag | None:
        """Return the innermost block whose whole text is in quotation marks."""
        for above in islice(string.parents, _LEVELS):
            if above.name in _NO_QUOTES or id(above) in self.of or id(above) in self.said:
                return None
            text = self._elements.short_text(above, _LONGEST_QUOTE)
            if text is None or above is self._elements.body or above.name == "blockquote":
                return None
            if is_marked(text) and above.name not in INLINE and above.name not in HEADINGS:
                return None if self._elements.is_inside_hidden(above) else above
        return None

    def _name(self, quote: Tag) -> None:
        for find in (self._inside, self._in_caption, self._below, self._on_card):
            speaker, nodes = find(quote)
            if speaker:
                self.of[id(quote)] = speaker
                self.said |= {id(node) for node in nodes}
                return

    def _inside(self, quote: Tag) -> tuple[str, list[Tag]]:
        """Return the speaker from the last element of a block quotation."""
        last: Tag | None = quote
        for _ in range(_LEVELS):
            last = _last_child(last) if last is not None and quote.name == "blockquote" else None
            if last is None:
                break
            strings = self._elements.short_strings(last, _LONGEST_SPEAKER)
            is_signed = last.name in _ATTRIBUTIONS or (strings and _DASH.match(strings[0]))
            if not strings or not (is_signed or self._names_speaker(quote, last)):
                continue
            speaker = _speaker(strings)
            if is_speaker(speaker) and (last.name != "cite" or _ends_before(last)):
                return speaker, [last]
        return "", []

    def _names_speaker(self, quote: Tag, last: Tag) -> bool:
        """Return whether the last element of a quotation is a name, and all before it in quotation marks."""
        if last.parent is not quote:
            return False
        said = self._elements.short_strings(quote, _LONGEST_QUOTE, without=last) or ()
        return is_marked(squeezed(" ".join(said))) and _is_name(last.get_text())

    def _in_caption(self, quote: Tag) -> tuple[str, list[Tag]]:
        figure = next((each for each in islice(quote.parents, _LEVELS) if each.name == "figure"), None)
        caption = figure.find("figcaption") if figure is not None else None
        if not isinstance(caption, Tag):
            return "", []
        return self._speaker_of(caption), [caption]

    def _below(self, quote: Tag) -> tuple[str, list[Tag]]:
        """Return the speaker from a line below that starts with a dash, or from a footer or cite there."""
        following = quote.next_sibling
        if isinstance(following, NavigableString) and following.isspace():
            following = following.next_sibling
        if not isinstance(following, Tag) or self._elements.hides(following):
            return "", []
        strings = self._elements.short_strings(following, _LONGEST_SPEAKER)
        if not strings or not (following.name == "cite" or _DASH.match(strings[0])):
            return "", []
        return self._speaker_of(following), [following]

    def _on_card(self, quote: Tag) -> tuple[str, list[Tag]]:
        """Return the speaker from the other short text of a card, below the quotation."""
        inner = quote
        for card in islice(quote.parents, _LEVELS):
            if card is self._elements.body:
                break
            strings = self._elements.short_strings(card, _LONGEST_SPEAKER, without=quote)
            if strings is None:
                break
            if not strings:
                inner = card
                continue
            nodes = [each for each in inner.next_siblings if isinstance(each, Tag)]
            below = {id(each) for node in nodes for each in self._elements.short_strings(node, 200) or ()}
            if any(id(each) not in below for each in strings):
                break
            speaker = _speaker(strings)
            return (speaker, nodes) if is_speaker(speaker) and _is_name(strings[0]) else ("", [])
        return "", []

    def _speaker_of(self, tag: Tag) -> str:
        speaker = _speaker(self._elements.short_strings(tag, _LONGEST_SPEAKER) or ())
        return speaker if is_speaker(speaker) else ""


def _is_name(text: str) -> bool:
    """Return whether a card's line is short enough for a name and ends like one."""
    line = squeezed(text)
    return len(line.split(",")[0].split()) <= 5 and not line.endswith((".", "→"))


def _last_child(tag: Tag) -> Tag | None:
    """Return an element's last child if it is an element."""
    for node in reversed(tag.contents):
        if isinstance(node, Tag):
            return node
        if not str(node).isspace():
            return None
    return None


def _ends_before(cite: Tag) -> bool:
    """Return whether a sentence ends before a cite. If not, the cite names a work within the sentence."""
    before = cite.previous_sibling
    if isinstance(before, Tag):
        return before.name not in INLINE or before.name == "br"
    if before is None:
        return True
    text = str(before).rstrip()
    return not text or text.endswith(_ENDED)


def _speaker(strings: Iterable[NavigableString]) -> str:
    """Return the texts of separate elements as one line: "Jane Doe, Head of Finance, Acme"."""
    line, parts = "", 0
    for string in strings:
        text = _DASH.sub("", squeezed(string), count=1) if not line else squeezed(string)
        is_link_label = _LINK_MARK.search(text) is not None and line
        if not any(character.isalpha() for character in text) or is_link_label:
            continue
        if line:
            line += "" if text[0] in ",;.)" else " " if _continues(line, text) else ", "
        line += text
        parts += 1
    return line.strip(" ,|·") if parts <= _MOST_PARTS else ""


def _continues(line: str, text: str) -> bool:
    return _JOINING.match(text) is not None or line.endswith((",", "|", "·", "@", "/", "-"))
