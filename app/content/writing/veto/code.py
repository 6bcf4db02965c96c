"""Checks commands and listings: the evidence has their lines, or each part of a line, in code or prose. Pure.

A manual documents an action, and a pattern; the section with both that a reader has to write stands nowhere.
Whether parts may go together, verification decides.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import text_of
from app.language.words import fold

_PLUS: Final = re.compile(r"\s*\+\s*")
_PARTS: Final = re.compile(r"[^\s{}()\[\],;:^$=|<>\"'`“”„«»‘’]+")
_ENDS: Final = ".:!?"
"""Marks of prose that may stand behind a part."""
_OWN_HOST: Final = re.compile(r"(?:[\w*-]*\.)*example\.(?:com|net|org)\.?(?:/\S*)?")
"""A host of the reader, by RFC 2606, as a zone with a dot behind it, or with a path."""
_OWN_PATH: Final = re.compile(r"/path/to(?:/[\w-]+)*(?:/[\w-]+(?:\.[\w-]+)*)?/?")
"""How manuals write a path of the reader's."""
_OWN_WORDS: Final = re.compile(r"(\S+\{)[^\W\d_][^{}\d/\\.:-]*(?=\})")
"""Words in braces, which a reader chooses: "+block{Ads of our own}"."""
_PLACEHOLDER: Final = re.compile(r"<([^\W\d_](?:[^\W\d_]|[ -]){0,39})>")
"""What a reader replaces: "/home/<user>/repository"."""
_SECTION: Final = re.compile(r"(\[[^\W\d][\w-]*:)([^\W\d][\w.-]*)\]")
"""A section of a configuration with a name that its reader gives: "[program:worker]"."""
_SET: Final = re.compile(r"([\w.-]+)\s?=\s?(\d{1,3})\b")
"""A setting and its number."""
_CLOSING_TAG: Final = re.compile(r"</\w")
"""What shows that words in angle brackets are markup."""
_OPERAND: Final = re.compile(r"[^\W\d_]+\d{1,2}")
"""A name with a number, as manuals call what their commands are given: "pkg1"."""
_LEAST_NAME: Final = 3
_LISTED: Final = frozenset({"code", "definition", "table"})
"""The kinds of evidence whose signs are those of code."""
_SIGNS: Final = "<>|;&"
_ON_AND_OFF: Final = "+-"
_MARKS: Final = "!~*@?+"
_PIECES: Final = re.compile(rf"[{_MARKS}]|[^{_MARKS}]+")
"""A part is made of pieces and what joins them: "!~napt", "2*removals", "package+M"."""
_RUN: Final = 3
"""How many pieces of a part stand together with a number: "2*removals"."""
_SCALED: Final = re.compile(r"\d+(\*[^\d\W]\w*)")
"""A part with a factor, which may be the reader's own."""
_SWITCHED: Final = {"true": "false", "false": "true"}
"""What an option may be set to where the evidence says only what the other value does."""
_MEMBER: Final = re.compile(r"[^\W\d]\w*\.[^\W\d]\w*")
"""What belongs to an object: "dir.reconfigure"."""
_MADE: Final = re.compile(r"\bnew ([^\W\d]\w*)\b|^[ \t]*([^\W\d]\w*)[ \t]*=(?!=)", re.MULTILINE)
"""Where a listing makes an object: "new bar = …", "bar = …"."""
_LIKE_CODE: Final = re.compile(r"[\d_+/\\*@$~%-]|\w\.\w|^\.")
_LABEL: Final = re.compile(r"^- ([a-z_.%$-][a-z\d_.%$-]*(?:, [a-z\d_.%$-]+){0,5}):(?!\S)", re.MULTILINE)
"""The names of settings in a list: "- canonical: Use a tree.", "- year, month: When."."""
_USAGE: Final = re.compile(r"((?<!\S)(?:[a-z][\w-]* ){1,3})(?=\[(?:[A-Z]{2}|-)|<[a-z])")
"""What stands before the parameters of a command in prose: "use beet lastgenre [QUERY]"."""
_OPTIONS: Final = re.compile(r"\[-([A-Za-z]{2,8})\]")
"""Options of one letter each, written together: "[-pdc]", or one of several letters: "[-out]"."""
_VOWEL: Final = re.compile(r"[aeiou]", re.IGNORECASE)
_CALL: Final = re.compile(r"^[ \t]*(\$ |sudo )*([a-z][\w.-]+) (?=[^\s=:])(.*)", re.MULTILINE)
"""A line of a listing that may call a program: what shows it, the program, and the rest."""
_OPTION: Final = re.compile(r"(?:^| )--?[A-Za-z]")
_LEAST_CALLS: Final = 2
"""The lines with a word at their beginning that make it a program without a prompt or an option."""
_THOUSANDS: Final = re.compile(r"(?<=\d)[,. \u202f](?=\d{3}(?!\d))")
_LONGEST_SHOWN: Final = 80


class TypedElsewhere:
    """What other evidence lets a sentence type: operands, and the programs of the pages it rests on.

    ``operands`` are the names such as ``pkg1`` in code and headings: a manual uses the same on every page.
    ``programs`` are what lines of its listings begin with, before an option or twice: another passage of the
    page may list the options of one, and where prose names one, it is code.
    """

    def __init__(
        self,
        units: Collection[EvidenceUnit],
        small: Set[str],
        numbers: Set[str] = frozenset(),
        names: Set[str] = frozenset(),
    ) -> None:
        """``small`` are words that are no programs, ``numbers`` and ``names`` those of the reader's case."""
        self.numbers, self.names = numbers, names
        texts = (f"{unit.about} {unit.text if unit.kind in _LISTED else ''}" for unit in units)
        self.operands = frozenset(part for text in texts for part in _parts(text) if _OPERAND.fullmatch(part))
        called = [
            (unit.page_id, name, bool(prompt) or _OPTION.search(rest) is not None)
            for unit in units
            if unit.kind == "code"
            for prompt, name, rest in _CALL.findall(unit.text)
        ]
        times = Counter(name for _, name, _ in called)
        sure = {name for _, name, is_sure in called if is_sure or times[name] >= _LEAST_CALLS}
        self.programs = sure - small
        self._on_page = {(page_id, name) for page_id, name, _ in called if name in self.programs}

    def is_program(self, part: str, units: Iterable[EvidenceUnit]) -> bool:
        """Return whether a listing of a page of the units calls a program."""
        return any((unit.page_id, part) in self._on_page for unit in units)


def without_numbers_of(operands: Set[str], sentence: Sentence, text: str) -> str:
    """Return the text of a sentence without the numbers in operands that its code has: "pkg" for "pkg1"."""
    said = {part for run, _ in sentence.code for part in _parts(run)} & operands
    for operand in sorted(said):
        text = re.sub(rf"\b{operand}\b", operand.rstrip("0123456789"), text)
    return text


def unsupported_runs(
    sentence: Sentence, said: str, units: Sequence[EvidenceUnit], elsewhere: TypedElsewhere
) -> Iterator[str]:
    """Yield what is wrong with the code inside a sentence that rests on ``said``, the text of ``units``.

    A number is judged as a figure.
    """
    for run, _ in sentence.code:
        is_known = run in elsewhere.operands or _has_run(run, said) or run.isdecimal()
        missing = None if is_known else _missing_part(run, units, elsewhere)
        if missing is not None:
            yield f"the code “{run}” is not in the evidence it names{_nor(missing, run)}"


def unsupported_lines(code: str, units: Sequence[EvidenceUnit], elsewhere: TypedElsewhere) -> Iterator[str]:
    """Yield what is wrong with the lines of a listing that rests on ``units``."""
    for line in filter(str.strip, code.split("\n")):
        missing = None if is_copied(line, units) else _missing_part(line, units, elsewhere)
        if missing is not None:
            written = " ".join(line.split())
            shown = written[:_LONGEST_SHOWN]
            yield f"the line “{shown}” is not in the evidence it names{_nor(missing, written)}"


def is_copied(code: str, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether the evidence has each line of a listing, in any spacing."""
    said = {" ".join(line.split()) for unit in units for line in unit.text.split("\n")}
    whole = " ".join(text_of(units).split())
    lines = (" ".join(line.split()) for line in code.split("\n") if line.strip())
    return all(line in said or line in whole for line in lines)


def has_new_code(sentence: Sentence, units: Sequence[EvidenceUnit]) -> bool:
    """Return whether a sentence has code that is put together."""
    said = text_of(units)
    return any(not (run.isdecimal() or _has_run(run, said)) for run, _ in sentence.code)


def _has_run(run: str, said: str) -> bool:
    """Return whether a text has some code; a program is called by the name that a sentence may begin with."""
    if _as_typed(run) in _as_typed(said):
        return True
    is_name = len(run) >= _LEAST_NAME and run.isalpha() and run.islower()
    return is_name and re.search(rf"\b{run.capitalize()}\b", said) is not None


def _missing_part(code: str, units: Sequence[EvidenceUnit], elsewhere: TypedElsewhere) -> str | None:
    """Return the first part of a code that the evidence has nowhere, "" for a code of no parts, else None.

    The parts may stand in prose, if one of them looks like code or stands in a listing, a table or a
    definition. A number stands behind the same part as in the evidence, in the definition of that part, or
    in the topic, which counts so many. A factor ("2*removals"), words in braces and names of sections may be
    the reader's if the evidence has others there, words in angle brackets or of the topic if it has a
    placeholder. Marks such as ">" stand in its code. An option that a heading names may have a sign, and
    operands may be those of other evidence.
    """
    text = text_of(units)
    code = _OWN_WORDS.sub(lambda found: found[1] if found[1] in text else found[0], code)
    headed = "\n".join((text, *(unit.about for unit in units)))
    sections = Counter(kind for kind, _ in set(_SECTION.findall(headed)))
    code = _SECTION.sub(lambda found: found[1] if sections[found[1]] > 1 else found[0], code)
    has_placeholders = _PLACEHOLDER.search(text) is not None and not _CLOSING_TAG.search(text)
    code = _PLACEHOLDER.sub(" ", code) if has_placeholders else code
    parts = _PARTS.findall(code)
    if not parts:
        return ""
    known = _Known(units)
    pairs = {*pairwise(_parts(text)), *pairwise(_parts(_as_numbers(text))), *_of_definitions(units)}
    signs = {sign for unit in units if unit.kind in _LISTED for sign in unit.text}
    operands = elsewhere.operands
    judged = parts[1:] if elsewhere.is_program(parts[0], units) else parts
    own = operands | (elsewhere.names if has_placeholders else frozenset())
    counted = {(key, n) for key, n in _SET.findall(code) if known.is_code(key) and n in elsewhere.numbers}
    own |= {number for _, number in counted}
    unknown = (part for part in judged if not (known.has(part) or part in own))
    pairs |= counted
    numbers = (part for before, part in pairwise(parts) if part.isdecimal() and (before, part) not in pairs)
    foreign = (sign for sign in _SIGNS if sign in code and sign not in signs)
    is_code = parts[0] in elsewhere.programs or any(known.is_code(part) or part in operands for part in parts)
    prose = parts[:1] if not is_code else []
    return next(chain(unknown, numbers, foreign, prose), None)


class _Known:
    """The parts of code that some evidence has, and the pieces that they are made of."""

    def __init__(self, units: Sequence[EvidenceUnit]) -> None:
        self._named = {part for unit in units for part in _parts(unit.about)}
        text = text_of(units)
        self._listed = {part for unit in units if unit.kind in _LISTED for part in _parts(unit.text)}
        self._listed.update(part for word in text.split() if "::" in word for part in _parts(word))
        labels = (label for unit in units if unit.kind == "list" for label in _LABEL.findall(unit.text))
        self._listed.update(part for said in (*labels, *_USAGE.findall(text)) for part in _parts(said))
        filled_in = _PLACEHOLDER.sub(r"\1", text)
        self._parts = self._named.union(_parts(text), _parts(_as_numbers(text)), _parts(filled_in))
        self._options = {
            f"-{letter}" for letters in _OPTIONS.findall(text) for letter in self._split(letters)
        }
        made = [_PIECES.findall(part) for part in self._parts]
        self._pieces = {piece for own in made for piece in own}
        self._runs = {
            tuple(own[n : n + k]) for own in made for n in range(len(own)) for k in range(1, _RUN + 1)
        }
        self._leading = {sign for own in made for sign in _leading(own)}
        listings = "\n".join(unit.text for unit in units if unit.kind == "code")
        self._made_objects = {name for found in _MADE.finditer(listings) for name in found.groups() if name}
        self._scaled = {found[1] for part in self._parts if (found := _SCALED.fullmatch(part))}

    def has(self, part: str) -> bool:
        """Return whether the evidence has a part, or what the part is made of."""
        has_sign = part[0] in _ON_AND_OFF and part[1:] in self._named
        is_switched = _SWITCHED.get(part) in self._parts
        is_own = has_sign or is_switched or any(own.fullmatch(part) for own in (_OWN_HOST, _OWN_PATH))
        is_joined = self._is_made(part) or self._is_file(part) or self._is_member(part)
        return part in self._parts or part in self._options or is_own or is_joined

    def _split(self, letters: str) -> str:
        """Return letters that are options each: they are no word, or one of them is documented alone."""
        alone = any(f"-{letter}" in self._parts for letter in letters)
        return letters if alone or not _VOWEL.search(letters) else ""

    def _is_file(self, part: str) -> bool:
        """Return whether a part is a known file in a known folder, "KEYS/a.pem" of "KEYS/x" and "a.pem".

        The root and a host are none.
        """
        folder, _, file = part.rpartition("/")
        is_known = any(each.rpartition("/")[0] == folder for each in self._parts)
        return bool(folder) and "//" not in part and "." in file and file in self._parts and is_known

    def _is_member(self, part: str) -> bool:
        """Return whether a part is a known member of an object in a listing ("dir.key"), or of an item."""
        owner, _, member = part.rpartition(".")
        if not owner:
            return member in self._parts and any(each.startswith(".") for each in self._parts)
        members = {each.rpartition(".")[2] for each in self._parts if _MEMBER.fullmatch(each)}
        return owner in self._made_objects and member in members

    def is_code(self, part: str) -> bool:
        """Return whether a part looks like code or stands in code, a table, a definition or a heading."""
        return _LIKE_CODE.search(part) is not None or part in self._listed or part in self._named

    def _is_made(self, part: str) -> bool:
        """Return whether a part is made of known pieces, numbers and leading signs beside the same ones."""
        scaled = _SCALED.fullmatch(part)
        if scaled and scaled[1] in self._scaled:
            return True
        own = _PIECES.findall(part)
        numbers = [n for n, piece in enumerate(own) if piece[0].isdecimal()]
        sides = {tuple(own[max(0, m) : m + _RUN]) for n in numbers for m in (n - _RUN + 1, n)}
        has_word = any(piece not in _MARKS for piece in own)
        is_known = has_word and self._pieces.issuperset(own) and self._runs.issuperset(sides)
        return is_known and self._leading.issuperset(_leading(own))


def _leading(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the signs that stand before a word."""
    return (sign for sign, word in pairwise(pieces) if sign in _MARKS and word not in _MARKS)


def _as_numbers(text: str) -> str:
    """Return a text with its numbers as one types them: "15,000" as "15000"."""
    return _THOUSANDS.sub("", text)


def _of_definitions(units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
    """Yield each part of a term with each number of what defines it: ("UpgradeScore", "30")."""
    for unit in units:
        if unit.kind == "definition":
            yield from product(_parts(unit.lead_in), filter(str.isdecimal, _parts(_as_numbers(unit.text))))


def _nor(part: str, code: str) -> str:
    return f", nor is its part “{part[:_LONGEST_SHOWN]}”" if part and part != code else ""


@lru_cache(maxsize=16)  # texts of evidence, which are long
def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.rstrip(_ENDS) or part for part in _PARTS.findall(text))


def _as_typed(text: str) -> str:
    """Return a text in which keys pressed together are written in one way: "Ctrl + M" as "Ctrl+M"."""
    return _PLUS.sub("+", fold(text))
