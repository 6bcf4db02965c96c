"""The table ``pages`` of a language file: what web pages show around their text. See ``schema``."""

from dataclasses import dataclass

from app.language.schema_claims import WordSet


@dataclass(frozen=True)
class Pages:
    """What web pages show around their text. All members but the words are patterns."""

    copy: tuple[str, ...] = ()
    """Buttons to copy code."""
    share: tuple[str, ...] = ()
    """Labels of links to social networks."""
    share_words: WordSet = frozenset()
    """Words that, with the names of networks, make up a line of such links."""
    listed: tuple[str, ...] = ()
    """Labels of tags, categories and languages, without their colon."""
    feedback: tuple[str, ...] = ()
    """Questions about the page itself: "Was this page helpful?"."""
    notices: tuple[str, ...] = ()
    """What a page says about itself: scripts to enable, feeds and newsletters, articles that are left."""
    use_of_cookies: tuple[str, ...] = ()
    """Verbs before "cookies" in a notice."""
    previous_next: tuple[str, ...] = ()
    """Links to the page before and after."""
    related: tuple[str, ...] = ()
    """Headings over teasers of other pages or products."""
    comments: tuple[str, ...] = ()
    """Headings over comments of readers."""
    reviews: tuple[str, ...] = ()
    """Headings over reviews of customers, on the page of a product."""
    service: tuple[str, ...] = ()
    """Headings over what a shop says about itself on the page of each product."""
    shop: tuple[str, ...] = ()
    """Lines that ask to buy or to choose, on the page of a product."""
    not_found: tuple[str, ...] = ()
    """What a page that is not there says instead: "page not found"."""
    more: tuple[str, ...] = ()
    """Texts of links that say only that there is more."""
    published: tuple[str, ...] = ()
    """What comes before the date of an article."""
    before_dates: WordSet = frozenset()
    """Words between that and the date."""
    before_times: WordSet = frozenset()
    """Words between a date and a time of day: "at"."""
    reading_time: tuple[str, ...] = ()
    """What comes before a number of minutes."""
    about_minutes: tuple[str, ...] = ()
    """What comes between that and the number: "about"."""
    after_minutes: WordSet = frozenset()
    """What comes after the minutes."""
    reading: WordSet = frozenset()
    """Parts of words by which a number of minutes is known to be a reading time."""
    authored: tuple[str, ...] = ()
    """What comes before an author's name, in upper and lower case as it is written."""
    saved: tuple[str, ...] = ()
    """What a system for pages writes before the name of the user who saved one, and its date."""
    name_particles: WordSet = frozenset()
    """Words in small letters within names and between two of them."""
    accompanied: WordSet = frozenset()
    """Words before another person in a byline: "with"."""
    collective: WordSet = frozenset()
    """Words of a byline that names no single person: "the team"."""
    no_price: tuple[str, ...] = ()
    """What price cards say instead of a price."""
    reduction: tuple[str, ...] = ()
    """Words of a price reduction."""
    before_price: tuple[str, ...] = ()
    """What comes before a price."""
