"""The form of a generation, and how it becomes the operation's input."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from wtforms import BooleanField, Field, HiddenField, SelectField, StringField, TextAreaField

from app.content.request import LENGTHS, POST_TYPES
from app.dashboard.forms.base import LinesField, PageForm, whole_number
from app.dashboard.forms.page_picker import TickedPages
from app.failures import invalid_field
from app.pages.lookup import page_ids_at
from app.projects.inputs import TONES
from app.projects.model import Project

LENGTH_CHOICES: Final = [
    ("500", "Short, about 500 words"),
    ("900", "Medium, about 900 words"),
    ("1600", "Long, about 1,600 words"),
]
_KINDS: Final = [
    ("", "An outline, if there is no more"),
    ("extractive", "A draft of excerpts, or nothing"),
    ("full", "A full draft, or nothing"),
]
_ENGINES: Final = [
    ("", "A language model, if one is set up"),
    ("llm", "A language model"),
    ("extractive", "Nobody: excerpts of the pages"),
]
_ON_FAILURE: Final = [("", "The job fails"), ("extractive", "Take excerpts instead, and say so")]
_TYPES: Final = {"auto": "As it fits", "how_to": "How-to", "faq": "Questions and answers", "hub": "Overview"}
_LONGEST_QUERY: Final = 200
TEXTS: Final = (
    "topic",
    "title",
    "tone",
    "post_type",
    "audience",
    "language",
    "instructions",
    "minimum_kind",
    "engine",
    "on_llm_failure",
    "slug",
)

DECLINES: Final = {
    "no_closing": "call_to_action",
    "no_instructions": "instructions",
    "no_avoid": "avoid",
    "no_audience": "audience",
    "no_required": "required_page_ids",
}
"""Boxes that decline the project's default, each with the member that is then null."""


def _types() -> list[tuple[str, str]]:
    named = ((name, _TYPES.get(name, name.capitalize())) for name in POST_TYPES if name != "auto")
    return [("", _TYPES["auto"]), *named]


def _choice(label: str, choices: list[tuple[str, str]], default: str = "") -> SelectField:
    # The operation's schema validates the choice.
    return SelectField(label, choices=choices, default=default, validate_choice=False)


def _lines(label: str, description: str, rows: int = 3) -> LinesField:
    return LinesField(label, description=description, render_kw={"rows": rows})


def _number(label: str, description: str = "") -> StringField:
    return StringField(label, description=description, render_kw={"inputmode": "numeric"})


class GenerateForm(PageForm):
    """What a post is about. Every field may be left empty."""

    makes = "post"
    places: ClassVar[Mapping[str, str]] = {
        "keyword_ids": "keyword",
        "target_words": "words",
        "call_to_action": "closing_text",
        "call_to_action/text": "closing_text",
        "call_to_action/url": "closing_url",
        "internal_links": "fewest",
        "internal_links/min": "fewest",
        "internal_links/max": "most",
    }

    topic = StringField(
        "Topic",
        description="What it is about. Left empty, a keyword or page without a post is taken.",
        render_kw={"class": "big", "autocomplete": "off", "dir": "auto"},
    )
    keyword = SelectField("Keyword", validate_choice=False)
    keywords = _lines("More keywords", "One per line, up to 10.", 2)
    find = StringField("Find pages", description="Words of the address or title, or a path such as /pricing.")
    looked_for = HiddenField()
    write_anyway = HiddenField()
    page_ids = TickedPages("Write from it")
    required_page_ids = TickedPages("Must be used")
    length = _choice("Length", LENGTH_CHOICES, "900")
    tone = _choice("Tone", [("", "The project’s"), *((tone, tone.capitalize()) for tone in TONES)])

    title = StringField("Title", description="Used as it is. Made from the topic if left empty.")
    slug = StringField(
        "End of the address", description="Lower-case letters, digits, hyphens. Made from the title if empty."
    )
    words = _number("Exact length in words", "200 to 3,000; takes the place of the length above.")
    post_type = _choice("Kind of post", _types())
    audience = StringField("Readers", description="The project’s audience if left empty.")
    language = StringField("Language", description="Such as en or pt-BR; the project’s if left empty.")

    key_points = _lines("Facts", "One per line. You vouch for them: they appear in the post as they are.")
    outline = _lines(
        "Sections",
        "A heading on each line; below it, lines that begin with a hyphen say what to look for.",
        5,
    )
    instructions = TextAreaField(
        "Instructions",
        description="What else the writer should know; the project’s if left empty.",
        render_kw={"rows": 3},
    )
    avoid = _lines("Words to avoid", "One word or phrase per line; the project’s if left empty.", 2)

    pages = _lines(
        "Write from these",
        "Addresses or paths, one per line, such as /pricing; they join the pages ticked above.",
        2,
    )
    required = _lines(
        "These must be used", "Addresses or paths, one per line; up to 5 with those ticked above.", 2
    )
    fewest = _number("Links into the site, at least", "0 to 10.")
    most = _number("At most", "0 to 15.")
    closing_text = StringField(
        "Closing line", description="Such as “Try it for 14 days”; the project’s if left empty."
    )
    closing_url = StringField("Address of the closing line", description="Where it leads: https://…")
    table_of_contents = BooleanField("With a table of contents")
    key_takeaways = BooleanField("With key takeaways at the top")
    no_faq = BooleanField("Without questions and answers")
    no_json_ld = BooleanField("Without schema.org data")
    no_closing = BooleanField("Without the project’s closing line")
    no_instructions = BooleanField("Without the project’s instructions")
    no_avoid = BooleanField("Without the project’s words to avoid")
    no_audience = BooleanField("Without the project’s audience")
    no_required = BooleanField("Without the pages that are always used")
    minimum_kind = _choice("Make at least", _KINDS)
    engine = _choice("Who writes", _ENGINES)
    on_llm_failure = _choice("If the language model fails", _ON_FAILURE)

    COMMON: Final = (
        "topic",
        "keyword",
        "keywords",
        "find",
        "looked_for",
        "write_anyway",
        "page_ids",
        "required_page_ids",
        "length",
        "tone",
    )

    @property
    def opened(self) -> bool:
        """Whether a less common field is filled or wrong, so that the part with these fields is open."""
        rare = (field for name, field in self._fields.items() if name not in self.COMMON)
        return any(field.data or field.errors for field in rare)

    @property
    def ticked(self) -> list[int]:
        return [*self.page_ids.data, *self.required_page_ids.data]

    @property
    def query(self) -> str:
        return self._text("find").replace("\x00", "")[:_LONGEST_QUERY]

    @property
    def has_new_query(self) -> bool:
        """Whether the search words were not searched for yet. Then Enter searches and generates nothing."""
        return bool(self.query) and self.query != self._text("looked_for")

    def subject(self, offered: Mapping[str, str]) -> str:
        """Return what the post is about, empty if that is left open.

        ``offered`` has the texts of the keywords to choose from, by id.
        """
        return self._text("topic") or self._text("title") or next(iter(self.main_keywords(offered)), "")

    def main_keywords(self, offered: Mapping[str, str]) -> list[str]:
        chosen = offered.get(self._text("keyword"))
        return [*([chosen] if chosen else []), *(self.keywords.data or ())]

    def payload(self, project: Project) -> dict[str, Any]:
        """Return the operation's input: only what was filled in. Raises INVALID_REQUEST."""
        chosen: dict[str, Any] = {name: text for name in TEXTS if (text := self._text(name))}
        chosen["target_words"] = self._whole("words") or self._whole("length") or LENGTHS["medium"]
        if keyword := self._whole("keyword"):
            chosen["keyword_ids"] = [keyword]
        for name in ("keywords", "key_points", "avoid"):
            if found := self[name].data:
                chosen[name] = found
        for name, member in (("pages", "page_ids"), ("required", "required_page_ids")):
            ticked: list[int] = self[member].data
            if pages := [*ticked, *_pages(project, self[name].data or (), name)]:
                chosen[member] = list(dict.fromkeys(pages))
        if self.outline.data:
            chosen["outline"] = _sections(self.outline.data)
        chosen |= self._parts()
        return chosen | self._declined(chosen)

    def declining(self, project: Project) -> list[Field]:
        """Return the boxes to show: those with a default to decline, and those already ticked."""
        defaults = {
            "no_closing": project.call_to_action,
            "no_instructions": project.global_instructions,
            "no_avoid": project.avoid,
            "no_audience": project.target_audience_summary,
        }
        return [self[box] for box in DECLINES if self[box].data or defaults.get(box)]

    def _parts(self) -> dict[str, Any]:
        include: dict[str, bool] = {
            name: True for name in ("table_of_contents", "key_takeaways") if self[name].data
        }
        include |= {name: False for name in ("faq", "json_ld") if self[f"no_{name}"].data}
        closing = {"text": self._text("closing_text"), "url": self._text("closing_url")}
        links = {"min": self._whole("fewest"), "max": self._whole("most")}
        parts = {
            "include": include,
            "call_to_action": {name: text for name, text in closing.items() if text},
            "internal_links": {name: number for name, number in links.items() if number is not None},
        }
        return {name: part for name, part in parts.items() if part}

    def _declined(self, chosen: Mapping[str, Any]) -> dict[str, None]:
        """Return the declined members as null; left out, they would get the project's defaults."""
        ticked = {box: member for box, member in DECLINES.items() if self[box].data}
        for box, member in ticked.items():
            if member in chosen:
                raise invalid_field(f"/{box}", "That is filled in: empty it, or do not tick this.")
        return dict.fromkeys(ticked.values())

    def _text(self, name: str) -> str:
        return str(self[name].data or "").strip()

    def _whole(self, name: str) -> int | None:
        return whole_number(self._text(name), f"/{name}", 18)


def _pages(project: Project, addresses: Sequence[str], name: str) -> list[int]:
    found = page_ids_at(project, addresses)
    missing = [address for address, page_id in found.items() if page_id is None]
    if missing:
        raise invalid_field(f"/{name}", f"Not a page of this project: {', '.join(missing[:5])}.")
    return [page_id for page_id in found.values() if page_id is not None]


def _sections(lines: Sequence[str]) -> list[dict[str, Any]]:
    sections: list[dict[str, Any]] = []
    for line in lines:
        if not line.startswith("-"):
            sections.append({"heading": line})
        elif sections:
            sections[-1].setdefault("key_points", []).append(line.lstrip("- "))
        else:
            raise invalid_field("/outline", "Begin with a heading.")
    return sections
