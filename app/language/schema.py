"""What a language file ``data/<code>.toml`` may contain: one dataclass for each table of the file.

Every member may be missing unless its table names it as required. Words are in lower case unless stated
otherwise. A word that ends in ``~`` stands for all words with that beginning. A pattern is a regular
expression, matched without regard to case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WordSet = frozenset[str]
"""Written as one string of words between blanks, or as an array when one of them has a blank."""
WordList = tuple[str, ...]
"""The same, in order."""


@dataclass(frozen=True)
class Detection:
    """How a text is recognized: by its ``common_words``, or by letters that only this alphabet has."""

    common_words: WordSet = frozenset()
    own_letters: str = ""


@dataclass(frozen=True)
class Words:
    """Which words carry a topic and how words are compared."""

    joins_nouns: bool = False
    """Compounds are written as one word: "Holztisch"."""
    stopwords: WordSet = frozenset()
    """Words that carry no topic."""
    intent_words: WordSet = frozenset()
    """Words of a search that say what the searcher wants to do, and no topic: "how", "best", "guide"."""
    light_words: WordSet = frozenset()
    """Words that say little of a topic: "software", "template", and verbs that go with anything."""
    question_words: WordList = ()
    """Words that begin a question."""
    speakers: WordSet = frozenset()
    """Words by which a single person speaks of themselves, in upper and lower case as they are written."""
    generic_headings: WordSet = frozenset()
    """Headings and link texts that name no subject: "home", "see also"."""
    boilerplate: WordList = ()
    """Phrases of banners and footers."""
    joined_beginnings: WordList = ()
    """Beginnings that are cut off before stemming, such as the Arabic article. The longest match counts."""
    derived_endings: WordList = ()
    """Endings of words that are derived from another: "mileage", "tradesmen". The longest match counts."""
    after_question_words: WordSet = frozenset()
    """Words after a question word that make it no question: "how to"."""
    auxiliaries: WordSet = frozenset()
    """Verbs without which a question word makes no question: "what customers say" has none."""
    keyphrase_light_words: WordSet = frozenset()
    """Words that search tools do not count as part of a keyphrase."""
    particles: WordSet = frozenset()
    """Words that belong to the verb before them: "back up"."""
    spelled: Mapping[str, str] = field(default_factory=dict)
    """Letters and how they are written in addresses, where that is not the plain letter: ``"ä" = "ae"``."""
    stems: Mapping[str, str] = field(default_factory=dict)
    """The stems of words that the stemmer confuses with others: "business" is not "busy"."""


@dataclass(frozen=True)
class Sentences:
    """Where sentences end and begin. Abbreviations are written without their last point."""

    abbreviations: WordSet = frozenset()
    before_numbers: WordSet = frozenset()
    """Abbreviations that end no sentence before a number: "fig. 3"."""
    before_ordinals: WordSet = frozenset()
    """Words before a number with a point, where that is an ordinal: "am 3. Oktober"."""
    after_ordinals: WordList = ()
    """Beginnings of words after such a number, as they are written."""
    articles: WordSet = frozenset()
    """Words that open many sentences: two sentences begin alike only if the next word is the same too."""


@dataclass(frozen=True)
class Phrases:
    """The fixed lines of a post, all required: the only sentences that do not come from the project's pages.

    They speak about the post itself, never about the world. Names in braces are filled with the topic, the
    project, a page or a number.
    """

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
    quotation_marks: tuple[str, str]


@dataclass(frozen=True)
class IdeaTitles:
    """Patterns for titles of ideas. The first five are required."""

    comparison: str
    last_of_several: str
    prices: str
    steps: str
    how: str
    """Begins a heading on how something is done."""
    how_to: str = ""
    """Takes a heading that begins with a verb."""
    before_verbs: str = ""
    """The word before an infinitive, by which verbs are recognized: "to"."""
    site_questions: tuple[str, ...] = ()
    """Beginnings of questions to the company itself."""


@dataclass(frozen=True)
class References:
    """Words by which a text points at another part of itself. What points elsewhere cannot be quoted."""

    deictic: WordList = ()
    """Adverbs that say where in a text: "below". The first two may stand alone beside a part."""
    showing: WordList = ()
    """Verbs of showing and telling."""
    parts: WordList = ()
    """The parts of a document."""
    numbered: WordList = ()
    """Other things that a text numbers."""
    beside: WordList = ()
    """Words that tell one part from the next: "previous"."""
    these: WordList = ()
    """Demonstratives."""
    backward: WordList = ()
    """Beginnings of sentences that only the sentence before explains: "therefore"."""
    alike: WordList = ()
    """Words before a verb of showing: "as shown"."""
    see: WordList = ()
    """Beginnings of an invitation to look elsewhere."""
    here: WordList = ()
    """Words that stand for a link at the end of a sentence."""
    always: WordList = ()
    """Phrases that point elsewhere wherever they stand."""
    ahead: WordList = ()
    """Phrases that announce what follows."""
    counting: WordList = ()
    """Patterns of beginnings that count up or show what follows."""
    articles: WordList = ()
    """Articles that stand for what was said unless a noun with a capital follows: German "das"."""
    joining: WordList = ()
    """Words before ``pronouns``, with which they lean on the sentence before: "if they"."""
    pronouns: WordList = ()
    times: WordList = ()
    """Words after a demonstrative that point at nothing said before: "this year"."""
    telling: WordList = ()
    """Verbs that, with a word of ``within``, name another text: "explained in our course"."""
    within: WordList = ()


@dataclass(frozen=True)
class Names:
    """Words beside the names of people and places, in texts of any language."""

    titles: WordSet = frozenset()
    """Titles before a name, without their point."""
    saying: WordSet = frozenset()
    """Verbs of what people say and do: before or after them stands a person."""
    no_speakers: WordSet = frozenset()
    """Pronouns beside such a verb, which are no names."""
    origins: WordSet = frozenset()
    """Words between a person and a company or place: "from"."""
    calendar: WordSet = frozenset()
    """Days, months and feasts that are written with a capital and are no names."""


@dataclass(frozen=True)
class JoinedNumbers:
    """The parts of numbers that are written as one word: "fünfundzwanzig". All required."""

    units: Mapping[str, WordSet]
    """The words for each number up to twelve, as they stand inside such a number."""
    tens: WordSet
    """Endings that multiply by ten: "fünfzig"."""
    hundred: str
    thousand: str
    links: WordSet
    """Words between the parts: "und"."""


@dataclass(frozen=True)
class Numbers:
    """Numbers that are written as words."""

    words: Mapping[str, WordSet] = field(default_factory=dict)
    """The words for each number or fraction: ``12 = "twelve dozen"``, ``"1/2" = "half"``."""
    ambiguous: WordSet = frozenset()
    """Number words that mean something else in another language: they count in this language only."""
    counts_of_parts: Mapping[str, WordSet] = field(default_factory=dict)
    """The numbers before a part: "two" of "two thirds"."""
    parts: Mapping[str, WordSet] = field(default_factory=dict)
    """The parts: "thirds"."""
    before_wholes: WordSet = frozenset()
    """Words between a part and its whole: "of"."""
    endings_of_wholes: WordSet = frozenset()
    """Endings of the whole itself where no word stands between."""
    joined_beginnings: WordList = ()
    """Particles of one letter that may be written as the beginning of a number word."""
    in_one_word: JoinedNumbers | None = None


@dataclass(frozen=True)
class SoftClaims:
    """Patterns of claims without a figure that a source has to make first."""

    research: tuple[str, ...] = ()
    experts: tuple[str, ...] = ()
    rank: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    fame: tuple[str, ...] = ()


@dataclass(frozen=True)
class Language:
    """One language. ``code`` is the name of the file, ``name`` the English name of the language."""

    code: str
    name: str
    detection: Detection = Detection()
    words: Words = Words()
    sentences: Sentences = Sentences()
    phrases: Phrases | None = None
    idea_titles: IdeaTitles | None = None
    references: References = References()
    names: Names = Names()
    numbers: Numbers = Numbers()
    soft_claims: SoftClaims = SoftClaims()
