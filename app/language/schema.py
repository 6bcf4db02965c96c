"""What a language file ``data/<code>.toml`` may contain: one dataclass for each table of the file.

Every member may be missing unless its table names it as required. Words are in lower case unless stated
otherwise. A word that ends in ``~`` stands for all words with that beginning. A pattern is a regular
expression, matched without regard to case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.language.schema_claims import Figures, Names, Numbers, SoftClaims, WordList, WordSet
from app.language.schema_pages import Pages
from app.language.schema_references import References


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
    capital_nouns: bool = False
    """Every noun begins with a capital, as in German: a capital alone shows no name."""
    noun_first: bool = False
    """What tells a thing from others of its kind stands behind its noun: "lampe frontale"."""
    adjective_endings: WordList = ()
    """Where nouns have capitals, the endings of the adjectives before them: other small words are verbs."""
    fixed_names: bool = False
    """Names have the same form in every sentence, apart from a possessive ending."""
    about_questions: bool = False
    """A question may follow "about" as it is: "about how to". Not so in German, which moves the verb."""
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
    joined_endings: WordList = ()
    """Endings that are cut off in this order, each once; then the language has no other stemmer."""
    dual_endings: WordList = ()
    """The same of duals and plurals, which are a part of many words: four letters have to be left."""
    joined_and: str = ""
    """The letter that means "and" before a word; it is cut off if three letters are left."""
    joined_letters: WordSet = frozenset()
    """Other words of one letter, "in" or "for": four letters have to be left."""
    same_letters: Mapping[str, str] = field(default_factory=dict)
    """Letters that are written one for the other, each with the one by which they are compared."""
    derived_endings: WordList = ()
    """Endings of words that are derived from another: "mileage", "tradesmen". The longest match counts."""
    after_question_words: WordSet = frozenset()
    """Words after a question word that make it no question: "how to"."""
    choosing: WordSet = frozenset()
    """Words between two things of which one is chosen: "or"."""
    asking_verbs: WordSet = frozenset()
    """Verbs that take a question: "teach employees how to …". Without them, no question is set apart."""
    auxiliaries: WordSet = frozenset()
    """Verbs without which a question word makes no question: "what customers say" has none."""
    joining_words: WordSet = frozenset()
    """Small words that a search phrase may have inside: prepositions, articles, "and"."""
    articles: WordSet = frozenset()
    """Those of the joining words that only announce a noun."""
    being: WordSet = frozenset()
    """Verbs between a thing and what it is: "the skip is the player who …"."""
    naming: WordSet = frozenset()
    """Words before the name of what was described: "a light pole called delivery stick"."""
    negations: WordSet = frozenset()
    """Those of the joining words that turn the next one around."""
    denying: WordSet = frozenset()
    """Words that turn a part of a topic around: "not", "instead of"."""
    refusals: WordSet = frozenset()
    withholding: WordSet = frozenset()
    """Words with which a cell of a table says no, and a sentence that a thing is not there: "lacks", "if"."""
    degrees: WordSet = frozenset()
    """Words that ask for a degree behind "how": "how often"."""
    for_whom: str = ""
    """The word between a thing and those it is for."""
    verb_follows: bool = False
    """In a question the verb follows the question word at once, as in German."""
    before_nouns: WordSet = frozenset()
    """Question words that stand before a noun where the verb follows the others: "welche"."""
    asked_behind: WordSet = frozenset()
    """Question words that may begin a question behind its subject: "cello or viola which is easier"."""
    relative_words: WordSet = frozenset()
    """Those of them that may also begin a clause on the subject: "software which is free"."""
    near_me: WordSet = frozenset()
    """Phrases for the searcher's own place: "near me"."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Countries, each with its preposition as it is written: ``uk = "in the UK"``."""
    readers: WordSet = frozenset()
    """Those for whom something is, where the end of a search alone names them: "Anfänger"."""
    before_infinitives: WordSet = frozenset()
    """Words behind which a verb is a noun, as in German: "zum"."""
    infinitive_endings: WordList = ()
    """How the verb ends behind them."""
    particles: WordSet = frozenset()
    """Words that belong to the verb before them: "back up"."""
    warnings: WordList = ()
    """Patterns of what sentences say that warn: "never", "only if". Few and sure ones."""
    price_words: WordSet = frozenset()
    """A word for price, by which pages on prices are found together with its synonyms."""
    spelled: Mapping[str, str] = field(default_factory=dict)
    """Letters and how they are written in addresses, where that is not the plain letter: ``"ä" = "ae"``."""
    plurals: Mapping[str, str] = field(default_factory=dict)
    """Irregular plurals with their singulars, which the stemmer takes for others: ``shelves = "shelf"``."""
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
    """Words before a noun: a heading that begins with one, such as "The result", says little alone."""


@dataclass(frozen=True)
class Phrases:
    """The fixed lines of a post, all required: the only sentences that do not come from the project's pages.

    They are about the post itself, never about the world. Names in braces are filled with the topic, the
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
class Intents:
    """Words of a topic that show what the reader wants to do."""

    compare: WordSet = frozenset()
    buy: WordSet = frozenset()
    list: WordSet = frozenset()
    how: WordSet = frozenset()


@dataclass(frozen=True)
class Headings:
    """Words of headings."""

    numbered: WordSet = frozenset()
    """Names of parts that are numbered in headings: "chapter", "step"."""
    imprint: WordSet = frozenset()
    """Headings of sections about the makers of a text: authors, licences, thanks."""
    service: WordSet = frozenset()
    """Names of pages that a site needs and nobody reads for their subject: terms, contact, careers."""
    stories: WordSet = frozenset()
    """Folders of stories of customers, and headings that only such stories have: "the challenge"."""


@dataclass(frozen=True)
class Style:
    """What the checks of a post warn of."""

    weak_anchors: WordSet = frozenset()
    """Texts of links that say nothing: "click here"."""
    worn_phrases: tuple[str, ...] = ()
    """Patterns of phrases that are used too often."""
    sending: WordSet = frozenset()
    """Requests to send something, in all their forms: they need an address."""
    calling: WordSet = frozenset()
    """Requests to call: they need a number."""


@dataclass(frozen=True)
class Language:
    """One language. ``code`` is the name of the file, ``name`` the English name of the language."""

    code: str
    name: str
    right_to_left: bool = False
    detection: Detection = Detection()
    words: Words = Words()
    sentences: Sentences = Sentences()
    phrases: Phrases | None = None
    idea_titles: IdeaTitles | None = None
    references: References = field(default_factory=References)
    intents: Intents = Intents()
    headings: Headings = Headings()
    style: Style = Style()
    figures: Figures = field(default_factory=Figures)
    months: Mapping[str, WordSet] = field(default_factory=dict)
    """The names of the months by their number."""
    pages: Pages = field(default_factory=Pages)
    names: Names = field(default_factory=Names)
    numbers: Numbers = field(default_factory=Numbers)
    soft_claims: SoftClaims = field(default_factory=SoftClaims)
