"""The table ``references`` of a language file: words that point at another part of a text."""

from dataclasses import dataclass

from app.language.schema_claims import WordList


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
    """Words that distinguish one part from the next: "previous"."""
    these: WordList = ()
    """Demonstratives."""
    backward: WordList = ()
    """Beginnings of sentences that only the sentence before explains: "therefore"."""
    alike: WordList = ()
    """Words before a verb of showing: "as shown"."""
    viewpoints: WordList = ()
    """Words after a verb of seeing that say from where: "as seen from the hall" points nowhere."""
    see: WordList = ()
    """Beginnings of an invitation to look elsewhere."""
    here: WordList = ()
    """Words that stand for a link at the end of a sentence."""
    always: WordList = ()
    """Phrases that point elsewhere wherever they occur."""
    ahead: WordList = ()
    """Phrases that announce what follows."""
    counting: WordList = ()
    """Patterns of beginnings that count up or show what follows."""
    articles: WordList = ()
    """Articles that stand for what was said unless a noun with a capital follows: German "das"."""
    ends_on: WordList = ()
    """Words at the end of a sentence that stand for what was said before: "made for that"."""
    joining: WordList = ()
    """Words before ``pronouns``, with which they lean on the sentence before: "if they"."""
    pronouns: WordList = ()
    times: WordList = ()
    """Words after a demonstrative that point at nothing said before: "this year"."""
    telling: WordList = ()
    """Verbs that, with a word of ``within``, name another text: "explained in our course"."""
    within: WordList = ()
