"""What a post is about when the caller leaves it open. Pure.

Then it is a title idea that the pages cover, so never the name of a page, with which the post would compete.
"""

from collections.abc import Iterator
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.sections import is_dated, names_the_site, page_name, page_names
from app.content.planning.ideas.finding import TitleIdea, suggest_titles
from app.content.planning.ideas.source import idea_source
from app.content.request import GenerationRequest
from app.content.retrieval.duplicates import posts_on
from app.content.retrieval.passages import Library
from app.language.stems import topic_stems
from app.language.words import extent, fold, words

_TRIED: Final = 10
_LONGEST_NAME: Final = 6
_NAMES_A_SUBJECT: Final = 3


def resolve_topic(request: GenerationRequest, snapshot: SourceSnapshot, library: Library) -> str:
    """Return the topic: the caller's topic, title or first keyword, else one that the pages cover together,
    else the project's name."""
    given = (request.topic, request.title, *request.keywords[:1])
    named = next((fold(text) for text in given if text and words(text)), None)
    return named or open_topic(snapshot, library) or fold(snapshot.project_name)


def open_topic(snapshot: SourceSnapshot, library: Library) -> str | None:
    """Return an idea that the pages cover; without one, the name of a page, if no post has it.

    The first question of three meaningful words comes before others: "How long does it take?" names no
    subject.
    """

    def is_vague(idea: TitleIdea) -> bool:
        return idea.origin != "question" or len(topic_stems(idea.topic, library.language)) < _NAMES_A_SUBJECT

    ideas = suggest_titles(idea_source(snapshot, library), (), _TRIED)
    covered = sorted((idea for idea in ideas if idea.coverage == "covered"), key=is_vague)
    if covered:
        return covered[0].topic
    names = list(_short_names(snapshot, library))
    unused = (n for n in names if not posts_on(n, n, snapshot.existing_posts, library.language))
    return next(unused, names[0] if names else None)


def _short_names(snapshot: SourceSnapshot, library: Library) -> Iterator[str]:
    """Yield a short name of each page that is about a subject, preferred pages first."""
    for page in sorted(snapshot.pages, key=lambda page: not page.always_use):
        short = (name for name in page_names(page) if extent(name) <= _LONGEST_NAME)
        names = (n for n in short if not names_the_site(n, library.own_stems, library.language))
        name = next(names, "")
        if name and not is_dated(page, page_name(page)):
            yield name
