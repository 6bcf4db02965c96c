"""The quality gate: checks of a post's text, run when it is generated, edited and published.

A new check is one small function in the file of its subject and one line in that file's ``CHECKS``.
"""

from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from app.content.artefacts import Brief, SourceSnapshot
from app.content.drafts import AssembledPost, Decision, QualityCheck, QualityReport
from app.content.evidence.sections import page_name, page_names
from app.content.quality import blocking, sources, style
from app.content.quality.sources import verbatim
from app.content.quality.style import keyphrase_share, long_sentence_share
from app.content.quality.subject import PostText, QualityContext, SourceText, Subject, without_source
from app.content.request import DEFAULT_REQUEST, GenerationRequest, given_by

__all__ = ["CHECKS", "PostText", "QualityContext", "SourceText", "check_post", "check_written_post"]

CHECKS: Final[tuple[Callable[[Subject], QualityCheck], ...]] = (
    *blocking.CHECKS,
    *sources.CHECKS,
    *style.CHECKS,
)
_WEIGHTS: Final = {"block": 5, "warn": 2, "info": 1}


def check_post(post: PostText, context: QualityContext) -> QualityReport:
    """Return the report of a post: ``block`` when a blocking check failed, ``warn`` when a warning one did.

    Metrics: words, sentences, verbatim_share (0-1), longest_verbatim_run (words), keyphrase_density (0-1),
    long_sentence_share (0-1), internal_links.
    """
    subject = Subject(post, context)
    checks = tuple(check(subject) for check in CHECKS)
    share, longest, _ = verbatim(subject)
    metrics = {
        "words": float(subject.post.words),
        "sentences": float(len(subject.post.sentences)),
        "verbatim_share": round(share, 3),
        "longest_verbatim_run": float(longest),
        "keyphrase_density": round(keyphrase_share(subject), 4),
        "long_sentence_share": round(long_sentence_share(subject), 3),
        "internal_links": float(sum(subject.is_internal(link.url) for link in subject.post.links)),
    }
    return QualityReport(_decision(checks), _score(checks), checks, metrics)


def check_written_post(
    post: AssembledPost,
    brief: Brief,
    snapshot: SourceSnapshot,
    *,
    given: Sequence[str] = (),
    request: GenerationRequest = DEFAULT_REQUEST,
) -> QualityReport:
    """Return the report of a new post, checked against the snapshot it was written from.

    ``given`` are facts of the caller. They need no evidence, and neither do the words of the request.
    """
    asked = given_by(request.to_dict())
    sources = {source.page_id for source in post.sources}
    urls = frozenset(page.url for page in snapshot.pages)
    context = QualityContext(
        project_host=urlsplit(snapshot.project_url).netloc,
        live_page_urls=urls | {snapshot.project_url},
        known_page_urls=urls,
        source_urls=frozenset(source.url for source in post.sources),
        slug_taken=post.slug in snapshot.taken_slugs,
        other_posts=snapshot.existing_posts,
        given_text="\n".join([_given(snapshot), asked.text, *given, *without_source(post.trace)]),
        given_links=frozenset(asked.links),
        avoided=asked.avoid,
        link_bounds=asked.link_bounds,
        sources=lambda: [
            SourceText.of_page(page.page_id, page_name(page), (page.title, page.description), page.blocks)
            for page in snapshot.pages
            if page.page_id in sources
        ],
        page_names=lambda: [name for page in snapshot.pages for name in page_names(page)],
    )
    text = PostText(
        title=post.title,
        meta_title=post.meta_title,
        slug=post.slug,
        description=post.description,
        markdown=post.markdown,
        keywords=post.tags,
        primary_keyword=brief.primary_keyword,
        language=brief.language,
        draft_kind=brief.draft_kind,
    )
    return check_post(text, context)


def _given(snapshot: SourceSnapshot) -> str:
    """Return the name and the facts of the project, which need no evidence."""
    return "\n".join([snapshot.project_name, *snapshot.project_facts.values()])


def _decision(checks: tuple[QualityCheck, ...]) -> Decision:
    failed = {check.severity for check in checks if not check.passed}
    if "block" in failed:
        return "block"
    return "warn" if "warn" in failed else "allow"


def _score(checks: tuple[QualityCheck, ...]) -> int:
    reached = sum(_WEIGHTS[check.severity] for check in checks if check.passed)
    return round(100 * reached / sum(_WEIGHTS[check.severity] for check in checks))
