"""Messages about a post outside its text: warnings to the caller, notes to the editor. Pure."""

from collections.abc import Sequence
from typing import Final

from app.content.artefacts import Brief, SourceSnapshot
from app.content.assembly.linking import Linked
from app.content.assembly.page_description import lead_page
from app.content.drafts import GAPS, OPTION_NOT_APPLIED, SectionDraft, Sentence
from app.content.evidence.sections import page_name
from app.content.planning.expected import ENOUGH
from app.content.planning.requested_sections import RequiredPages, ResolvedSection
from app.content.quality.sources import MOSTLY
from app.content.quality.subject import counted
from app.content.request import GenerationRequest
from app.content.retrieval.coverage_words import missing_words
from app.content.retrieval.page_stems import topic_words_on
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import roots
from app.language.languages import language_data

_UNSAID: Final = 0.25
"""The share of a topic of which a digest says nothing."""
_WRITTEN_AS_HUB: Final = ("auto", "hub")
_OUTLINE: Final = "The pages say too little about the topic, so this is an outline and not an article."
_NEAREST: Final = "If a page answers it in other words, choose that page, and the outline becomes a draft."


def not_applied(request: GenerationRequest) -> dict[str, str]:
    """Return the options that excerpts cannot follow, by name; a project's audience is no request."""
    asked = {
        "tone": request.tone if request.tone != "neutral" else "",
        "audience": request.audience if "audience" not in request.from_project else "",
        "instructions": request.instructions,
        "post_type": request.post_type if request.post_type not in _WRITTEN_AS_HUB else "",
    }
    return {name: value for name, value in asked.items() if value}


def warnings(request: GenerationRequest, brief: Brief, slug: str, removed: int) -> tuple[str, ...]:
    """Return the warnings of an extractive post; ``removed`` sentences are not in their source.

    Only a warning that callers look for begins with a code.
    """
    source = "its source does not contain it" if removed == 1 else "their sources do not contain them"
    line = f"{were_removed(removed)} because {source}." if removed else ""
    found = warnings_of_any(request, brief, slug, line)
    names = ", ".join(not_applied(request))
    left = f"{OPTION_NOT_APPLIED}: {names}. The post is made of excerpts in the words of their pages."
    return (*found, left) if names else found


def were_removed(number: int) -> str:
    """Return the words that say how many sentences were removed."""
    return f"{counted(number, 'sentence was', 'sentences were')} removed"


def warnings_of_any(request: GenerationRequest, brief: Brief, slug: str, removed: str) -> tuple[str, ...]:
    """Return the warnings of any post; ``removed`` is the one about removed sentences."""
    found: list[str] = []
    if brief.draft_kind == "outline":
        found.append(f"{_OUTLINE} {_NEAREST}" if brief.nearest_page_ids else _OUTLINE)
    if removed:
        found.append(removed)
    found += topic_warnings(brief)
    if request.slug not in (None, slug):
        found.append(f"The slug {request.slug} was taken in the meantime, so the post has another.")
    return tuple(found)


def topic_warnings(brief: Brief) -> list[str]:
    """Return the warnings about a topic: gaps in the pages, and other posts on it."""
    found: list[str] = []
    if brief.gaps:
        found.append(f"{GAPS}{', '.join(brief.gaps)}.")
    if brief.existing_posts_on_topic:
        titles = ", ".join(f"“{post.title}”" for post in brief.existing_posts_on_topic)
        found.append(f"There are posts on this topic already: {titles}.")
    return found


def editor_notes(
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    brief: Brief,
    requested: Sequence[ResolvedSection],
    required: RequiredPages,
    linked: Linked,
    takeaways: Sequence[Sentence],
    words: int,
) -> tuple[str, ...]:
    """Return notes for the editor of a post with this number of ``words``."""
    notes = [
        *gap_notes(brief),
        *_section_notes(requested),
        *required_notes(required.off_topic, brief, snapshot),
    ]
    if linked.drafts:
        notes += [*length_notes(request, words), *link_notes(request, linked)]
        if request.include.key_takeaways and not takeaways:
            notes.append("There are no key takeaways: too few sentences of the pages could stand alone.")
    return (*notes, *_options(request))


def gap_notes(brief: Brief) -> list[str]:
    """Return a note for each keyword that the pages hardly mention."""
    weak = (keyword for keyword, support in brief.keyword_support.items() if support < 1)
    return [f"The pages say little about “{word}”: add a page on it, or write that part." for word in weak]


def _section_notes(requested: Sequence[ResolvedSection]) -> list[str]:
    """Return notes on requested sections that were left out, and on points without an excerpt."""
    notes = []
    for each in requested:
        heading = each.requested.heading
        if not each.excerpts:
            notes.append(f"The section “{heading}” was left out: the pages say nothing on it for this topic.")
        elif each.unsupported_points:
            points = ", ".join(f"“{point}”" for point in each.unsupported_points)
            notes.append(f"The section “{heading}” says nothing on {points}.")
    return notes


def required_notes(off_topic: Sequence[int], brief: Brief, snapshot: SourceSnapshot) -> list[str]:
    """Return notes on required pages that the post does not use."""
    return [
        f"{snapshot.page_by_id[page_id].url} had to be used, but says nothing on “{brief.topic}”."
        for page_id in off_topic
    ]


def link_notes(request: GenerationRequest, linked: Linked) -> list[str]:
    """Return notes on missing links: too few pages on the topic, or sources without a link."""
    notes = []
    if linked.pages < request.least_links:
        notes.append(
            f"The post links {counted(linked.pages, 'page', 'pages')} of the project, {request.least_links} "
            "were wanted: link what helps the reader further."
        )
    named = sum(each.kind == "named" for draft in linked.drafts for each in draft.links)
    if named:
        excerpts = counted(named, "excerpt names its page", "excerpts name their pages")
        notes.append(f"{excerpts} without a link: at most {request.most_links} links were asked for.")
    return notes


def length_notes(request: GenerationRequest, words: int) -> list[str]:
    """Return a note if the caller set a length and the text has less than ``ENOUGH`` of it."""
    if not request.length_asked or words >= request.target_words * ENOUGH:
        return []
    return [f"{words:,} words; {request.target_words:,} were asked for: the pages say no more on the topic."]


def one_page_notes(drafts: Sequence[SectionDraft], snapshot: SourceSnapshot) -> list[str]:
    """Return a note if nearly all of a digest is from one page, with which it would compete."""
    page, share = lead_page(drafts, snapshot, MOSTLY)
    if page is None:
        return []
    name = page_name(page)
    return [
        f"{share:.0%} of the text is from one page, “{name}”, with which it competes in search results: "
        "add what no page says yet, or improve that page instead."
    ]


def unsaid_notes(drafts: Sequence[SectionDraft], topic: str, library: Library) -> list[str]:
    """Return a note if a digest says nothing of a quarter of its topic: it may be about something else."""
    if not drafts:
        return []
    language = library.language
    subject = topic_words_on(topic, library.page_stems, language, library.own_stems)
    texts = (each.text for draft in drafts for part in draft.paragraphs for each in part.sentences)
    said = frozenset(roots(" ".join([*(draft.heading for draft in drafts), *texts]), language))
    unsaid = [word for word in subject.heavy if not subject.mentions(word, said)]
    if sum(map(subject.weights.__getitem__, unsaid)) < _UNSAID * sum(subject.weights.values()):
        return []
    small = language_data(language).words.stopwords
    asked = (each for each in missing_words(topic, unsaid, language) if each.lower() not in small)
    words = " and ".join(f"“{word}”" for word in asked)
    return [f"The text does not say {words}: make sure that it answers the topic."] if words else []


def _options(request: GenerationRequest) -> list[str]:
    """Return notes on the options that excerpts cannot follow."""
    asked = not_applied(request)
    return [f"Not applied, so you have to do it yourself: {name} “{value}”." for name, value in asked.items()]
