"""What a project has on a topic, and what a generation would make of it, said before it is made. Pure."""

from dataclasses import dataclass
from typing import Final, Literal

from app.content.artefacts import Artefact, Coverage, DraftKind, ExistingPost, PageRef
from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest

ENOUGH: Final = 0.75
"""The share of the requested length from which a post is not called short."""

_STEP: Final = 20
_OUTLINE: Final = "A draft would be an outline for you to write out."


@dataclass(frozen=True)
class Expected(Artefact):
    """What a generation would make: by which engine, what kind of draft, and about how many words.

    ``coverage`` is that of the topic; pages of which no draft can be made cover it ``perhaps``.
    ``word_count`` is None for an outline, and where a model decides. ``message`` says all that in sentences.
    """

    engine: Literal["llm", "extractive"]
    draft_kind: DraftKind
    coverage: Coverage
    word_count: int | None
    target_words: int
    message: str

    @property
    def is_short(self) -> bool:
        """Whether the pages carry clearly less than the length asked for."""
        return self.word_count is not None and self.word_count < ENOUGH * self.target_words


@dataclass(frozen=True)
class TopicCheck(Artefact):
    """What a project has on a topic.

    ``coverage`` says whether the pages cover it, ``coverage_share`` how much of it the best page says (0 to
    1), ``missing_words`` what that page does not say, ``summary`` all that in a sentence. ``pages`` would
    support the post, the best first. ``nearest_pages`` are those to choose from where no draft can be
    made: a caller may know that one answers the topic in other words. ``expected`` is what a generation
    would make. ``similar_posts`` and ``similar_pages`` are about the same. In a quick check of long pages,
    all but these two is None or empty.
    """

    topic: str
    similar_posts: tuple[ExistingPost, ...]
    similar_pages: tuple[PageRef, ...]
    coverage: Coverage | None = None
    coverage_share: float = 0.0
    missing_words: tuple[str, ...] = ()
    summary: str = ""
    pages: tuple[PageRef, ...] = ()
    nearest_pages: tuple[PageRef, ...] = ()
    expected: Expected | None = None

    @property
    def has_similar(self) -> bool:
        """Whether a post or a page is about the same."""
        return bool(self.similar_posts or self.similar_pages)


def expected_from(
    request: GenerationRequest, digest: WrittenPost, engine: Literal["llm", "extractive"]
) -> Expected:
    """Return what to expect of a generation, by the ``digest`` that the pages allow.

    A model also writes about an absent topic where the caller gave key points or a complete plan.
    """
    coverage: Coverage = digest.brief.coverage
    if digest.draft_kind == "outline" and coverage == "covered":
        coverage = "perhaps"
    carried = None if digest.draft_kind == "outline" else about(digest.post.word_count)
    is_short = carried is not None and carried < ENOUGH * request.target_words
    words: int | None
    if engine == "extractive":
        kind, words, message = (
            digest.draft_kind,
            carried,
            _of_digest(carried, len(digest.post.sources), is_short),
        )
    elif coverage == "absent" and not (request.key_points or request.is_planned):
        kind, words, message = "outline", None, _OUTLINE
    else:
        words = carried if carried is None or is_short else about(request.target_words)
        kind, message = "full", _of_model(coverage, words, is_short)
    if is_short:
        carry = f"The pages carry about {carried:,} words on this; you asked for {request.target_words:,}."
        message = f"{carry} {message}"
    return Expected(engine, kind, coverage, words, request.target_words, message)


def about(words: int) -> int:
    """Return a number of words as it is shown, rounded to twenties."""
    return max(_STEP, round(words / _STEP) * _STEP)


def _of_digest(words: int | None, pages: int, is_short: bool) -> str:
    if words is None:
        return _OUTLINE
    quoted = "them" if is_short else f"about {words:,} words"
    of = "1 page" if pages == 1 else f"{pages} pages"
    return (
        f"A draft would quote {quoted} from {of}. Without a language model it has the words of your pages: "
        "reword it before you publish it."
    )


def _of_model(coverage: Coverage, words: int | None, is_short: bool) -> str:
    if words is None or coverage == "perhaps":
        return "The language model decides whether the pages say enough; if not, the draft is an outline."
    return f"The language model would write about {'as many' if is_short else f'{words:,} words'}."
