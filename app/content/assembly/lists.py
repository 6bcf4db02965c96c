"""Sections of one list: key takeaways of the pages, facts of the caller. Pure."""

from collections.abc import Sequence

from app.content.artefacts import Brief, SourceSnapshot, page_of
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.evidence.sections import page_name
from app.language.languages import language_data


def takeaways_draft(
    takeaways: tuple[Sentence, ...], brief: Brief, snapshot: SourceSnapshot
) -> tuple[SectionDraft, ...]:
    """Return the takeaways as a list with the pages they are from, if there are any."""
    if not takeaways:
        return ()
    table = language_data(brief.language).phrases
    sources = dict.fromkeys(page_of(sentence.source_ids[0]) for sentence in takeaways)
    links = tuple(SectionLink(page_id, page_name(snapshot.page_by_id[page_id])) for page_id in sources)
    return (_list_draft("takeaways", table.takeaways_heading if table else None, takeaways, links),)


def key_points_draft(points: Sequence[str], brief: Brief) -> tuple[SectionDraft, ...]:
    """Return facts of the caller as a list, if there are any."""
    if not points:
        return ()
    table = language_data(brief.language).phrases
    items = tuple(Sentence(point, (), "input") for point in points)
    return (_list_draft("key_points", table.key_points_heading if table else None, items),)


def _list_draft(
    name: str, heading: str | None, items: tuple[Sentence, ...], links: tuple[SectionLink, ...] = ()
) -> SectionDraft:
    """Return a section that is one list; without a heading, for a language without one, it opens the post."""
    return SectionDraft(
        id=name,
        heading=heading or "",
        heading_sources=(),
        paragraphs=(Paragraph("ul", items),),
        links=links,
        level=2 if heading else 1,
        heading_origin="template",
    )
