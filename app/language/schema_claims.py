"""What a language file may contain for comparing statements with their evidence. See ``schema``."""

from collections.abc import Mapping
from dataclasses import dataclass, field

WordSet = frozenset[str]
"""Written as one string of words between blanks, or as an array when one of them has a blank."""
WordList = tuple[str, ...]
"""The same, in order."""


@dataclass(frozen=True)
class Figures:
    """Words beside figures, by which a model's figures are compared with those of its evidence."""

    units: Mapping[str, WordSet] = field(default_factory=dict)
    """The words for each unit, besides its sign: ``km = "kilometre kilometres"``."""
    money: WordSet = frozenset()
    """Those of them that are money, besides the signs of currencies."""
    amounts: Mapping[str, WordSet] = field(default_factory=dict)
    """Words that are a number with its unit: ``"14 day" = "fortnight"``."""
    unit_endings: Mapping[str, WordSet] = field(default_factory=dict)
    """Endings by which a number and a unit are one word: ``min = "minütig minütige"``."""
    before_ages: WordSet = frozenset()
    """Words that a hyphen joins with an age: "the over-25s" are no seconds."""
    range_words: WordSet = frozenset()
    """Words between the two figures of a range: "to"."""
    above: WordSet = frozenset()
    """Words before a rounded figure that is less than the exact one: "more than"."""
    below: WordSet = frozenset()
    near: WordSet = frozenset()
    listing: WordSet = frozenset()
    """Words before the last of a list: "and"."""
    of: WordSet = frozenset()
    """Words between a part and its whole: "a quarter of"."""
    countable: WordSet = frozenset()
    """What a text may count that claims nothing: "three ways"."""
    both: WordSet = frozenset()
    """Words for two known things: "both sizes" are two sizes."""
    definite: WordSet = frozenset()
    """Words before the number of things that are known: "the three services"."""
    order: WordSet = frozenset()
    """Words between those and the number: "the last three"."""
    supposing: WordSet = frozenset()
    """Words before a number that a sentence supposes: "for two kitchens"."""
    comparing: WordSet = frozenset()
    """Words of a comparison, whose number may be a difference."""
    clause_words: WordSet = frozenset()
    """Words that begin another clause."""
    apart: WordSet = frozenset()
    """Words after which something is named only as a contrast: "unlike"."""


@dataclass(frozen=True)
class Names:
    """Words beside the names of people and places, in texts of any language."""

    titles: WordSet = frozenset()
    """Courtesy titles before a name, without their point: they say no more than the name."""
    degrees: WordSet = frozenset()
    """Titles that somebody has earned."""
    saying: WordSet = frozenset()
    """Verbs of what people say and do: a person is named before or after them."""
    no_speakers: WordSet = frozenset()
    """Pronouns beside such a verb, which are no names."""
    origins: WordSet = frozenset()
    """Words between a person and a company or place: "from"."""
    common_nouns: WordSet = frozenset()
    """Where nouns have capitals, those that need no article and may follow a noun: "auf dem Stuhl Platz"."""
    calendar: WordSet = frozenset()
    """Days, months and feasts that are written with a capital and are no names."""
    abbreviations: WordSet = frozenset()
    """Abbreviations in capitals, as they are written, that are no names: those of taxes."""


@dataclass(frozen=True)
class Numbers:
    """Numbers that are written as words."""

    words: Mapping[str, WordSet] = field(default_factory=dict)
    """The words for each number or fraction: ``12 = "twelve dozen"``, ``"1/2" = "half"``.

    Words with a blank or a hyphen count too: ``80 = ["quatre-vingts"]``.
    """
    idioms_of_half: WordSet = frozenset()
    """Things of which a half is no figure: "half of the answer"."""
    alone: bool = False
    """They count in this language only: many of them are common words of other languages."""
    one: WordSet = frozenset()
    """Words for one that are no article; they count before a unit."""
    last_one: WordSet = frozenset()
    """Words for one after tens or hundreds: "twenty-one"."""
    links: WordSet = frozenset()
    """Words between tens and ones: "treinta y cinco"."""
    one_word: bool = False
    """A number of several parts is one word of these parts and links: "tjugofem", "femogtyve"."""
    joined: Mapping[str, WordSet] = field(default_factory=dict)
    """Words for numbers that count only inside such a word: "ein" of "einundzwanzig"."""
    ambiguous: WordSet = frozenset()
    """Number words that mean something else in another language: they count in this language only."""
    counts_of_parts: Mapping[str, WordSet] = field(default_factory=dict)
    """The numbers before a part: "two" of "two thirds"."""
    parts: Mapping[str, WordSet] = field(default_factory=dict)
    """The parts: "thirds"."""
    before_wholes: WordSet = frozenset()
    """Words between a part and its whole: "of"."""
    endings_of_wholes: WordSet = frozenset()
    """Endings of the whole itself where no word comes between."""
    joined_beginnings: WordList = ()
    """Particles of one letter that may be written as the beginning of a number word."""


@dataclass(frozen=True)
class SoftClaims:
    """Patterns of claims without a figure that a source has to make first."""

    research: tuple[str, ...] = ()
    experts: tuple[str, ...] = ()
    rank: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    fame: tuple[str, ...] = ()
