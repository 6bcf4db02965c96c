"""Checks of a post against its sources: links, numbers, quotes, copied words, topic."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from markdown_it.common.normalize_url import normalizeLink

from app.content.drafts import QualityCheck, Severity
from app.content.quality.soft_claims import soft_claims
from app.content.quality.subject import Subject, check_result, counted
from app.content.rendering.html import is_web_address
from app.content.rendering.images import image_id_of, is_reference
from app.content.rendering.markdown import heading_ids
from app.content.retrieval.duplicates import names_like, posts_on
from app.infra.urls import page_address
from app.language.numerals import in_plain_digits
from app.language.phrases import is_template_line
from app.language.sentences import sentences
from app.language.words import CAPITALS, CJK, fold, word_count

_NUMBER: Final = re.compile(r"\d+(?:[.,:/]\d+)*")
_NO_CENTS: Final = re.compile(r"[.,]00$")
_CLAIMED: Final = re.compile(rf"(?<![^\W{CJK}])(?<!\.)(?<!\d[,:/]){_NUMBER.pattern}")
"""A number that is no part of a word or another number; in Japanese words stand right beside it."""
_QUOTE: Final = re.compile(r"[“„«]([^“”„«»]+)[”“»]|「([^「」]+)」|『([^『』]+)』")
_FULL_NAME: Final = rf"[{CAPITALS}][\w’'.-]+(?: [{CAPITALS}][\w’'.-]*)*"
# Bounded, and never begun within a word: a long run of letters is read once.
_NAME: Final = rf"[{CAPITALS}][\w’'-]{{1,60}}"
_PERSON: Final = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme|Sra|CEO|CTO|founder)\b\.? "
    rf"(?P<titled>{_FULL_NAME})"
    rf"|(?<!\w)(?P<speaking>{_NAME} {_NAME}) (?:said|says|told|wrote|explains?|explained|"
    r"believes?|recommends?|argues?|founded|invented|sagt|sagte|erklärt|meint)\b"
)
_VERBATIM_SHARE: Final = 0.6
_VERBATIM_RUN: Final = 90
MOSTLY: Final = 0.8
"""The share of a text's quoted words from which on it repeats one page."""


def broken_internal_link(subject: Subject) -> QualityCheck:
    """BROKEN_INTERNAL_LINK: links into the project's host lead to pages that are live."""
    live = {_same(url) for url in subject.context.live_page_urls}
    known = {_same(url) for url in subject.context.known_page_urls}
    given = {_same(url) for url in subject.context.given_links}
    found = [
        link.url
        for link in subject.post.links
        if not link.image
        and _same(link.url) not in live
        and ((subject.is_internal(link.url) and _same(link.url) not in given) or _same(link.url) in known)
    ]
    rule = "Links into the project lead to live pages."
    leads = counted(len(found), "link leads", "links lead")
    wrong = f"{leads} to a page that is stale or not in the project's list."
    hint = "Link another page, or remove the link."
    return check_result("BROKEN_INTERNAL_LINK", "block", rule, wrong, found, hint)


def unknown_link(subject: Subject) -> QualityCheck:
    """UNKNOWN_LINK: links of generated text are sources, linked by sources, project pages or given."""
    context = subject.context
    known = {
        page_address(url) for url in context.live_page_urls | context.known_page_urls | context.source_urls
    }
    given = {_same(url) for url in context.given_links}
    found = [
        link.url
        for link in subject.post.links
        if is_web_address(link.url)
        and not subject.is_internal(link.url)
        and _same(link.url) not in known
        and _same(link.url) not in given
        and link.url not in context.given_text
    ]
    if found:
        quoted = {_same(url) for source in subject.sources for url in source.links}
        found = [url for url in found if _same(url) not in quoted]
    rule = "Every link leads to a source, an address in a source, a page of the project or a given address."
    wrong = f"{counted(len(found), 'link leads', 'links lead')} to an address that no source names."
    severity: Severity = "block" if subject.post.written_by_engine else "warn"
    return check_result("UNKNOWN_LINK", severity, rule, wrong, found, "Check that this address is meant.")


def _same(url: str) -> str:
    """Return the address of a linked page, percent-encoded as in Markdown."""
    return normalizeLink(page_address(url))


def lost_link(subject: Subject) -> QualityCheck:
    """LOST_LINK: every link has a web address or leads to a heading; others become plain words."""
    titles = (block.text for block in subject.post.blocks if block.kind == "heading" and block.level > 1)
    headings = {f"#{name}" for name in heading_ids(titles)}
    found = [
        link.url
        for link in subject.post.all_links
        if not is_web_address(link.url)
        and not (link.image and is_reference(link.url))
        and (link.image or unquote(link.url) not in headings)
    ]
    rule = "Every link has a whole web address."
    wrong = f"{counted(len(found), 'link has', 'links have')} no web address and will be plain words."
    hint = "Write the whole address, with https://."
    return check_result("LOST_LINK", "warn", rule, wrong, found, hint)


def unknown_image(subject: Subject) -> QualityCheck:
    """UNKNOWN_IMAGE: every stored image that the text shows is one of the project."""
    known = subject.context.image_ids
    stored = (link.url for link in subject.post.links if link.image and is_reference(link.url))
    found = [url for url in stored if image_id_of(url) not in known]
    rule = "Every picture of the text is there."
    wrong = f"{counted(len(found), 'picture is', 'pictures are')} not among those of the project."
    hint = "Add the picture again, or take it out of the text."
    return check_result("UNKNOWN_IMAGE", "block", rule, wrong, found, hint)


def unsupported_claim(subject: Subject) -> QualityCheck:
    """UNSUPPORTED_CLAIM: numbers, quotes, names, proof and rank are in a source or were given.

    Text edited by a person only warns, and so do claims without a figure or a name.
    """
    evidence = "\n".join(subject.evidence.values())
    given = "\n".join([subject.context.given_text, subject.post.title, *subject.post.keywords])
    allowed = _numbers(evidence) | _numbers(given)
    claimed = _CLAIMED.findall(in_plain_digits(subject.post.prose))
    found = [number for number in claimed if number not in allowed]
    found += [
        quote
        for quote in _quotes(subject)
        if word_count(quote) > 3 and _unended(quote) not in evidence and _unended(quote) not in given
    ]
    found += [name for name in _people(subject) if name not in evidence and name not in given]
    hard = tuple(dict.fromkeys(found))
    soft = tuple(dict.fromkeys(_soft_claims(subject, evidence)))
    severity: Severity = "block" if subject.post.written_by_engine and (hard or not soft) else "warn"
    rule = "Every number, quote, named person and claim of proof or rank is in a source."
    unsupported = counted(len(hard), "number, quote or name is", "numbers, quotes or names are")
    claim = counted(len(soft), "sentence claims", "sentences claim")
    wrong = [f"{unsupported} in no source."] if hard else []
    wrong += [f"{claim} proof, rank or approval that no source speaks of."] if soft else []
    hint = "Remove the claim or add the page that says so."
    return check_result("UNSUPPORTED_CLAIM", severity, rule, " ".join(wrong), (*hard, *soft), hint)


def _soft_claims(subject: Subject, evidence: str) -> list[str]:
    post = subject.post
    headings = (block.text for block in subject.post.blocks if block.kind == "heading")
    texts = (post.title, post.meta_title, post.description, *headings, *subject.post.sentences)
    return soft_claims(texts, f"{evidence}\n{subject.context.given_text}", post.language)


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text, also behind a letter: “v1.5” has 1.5, and “£190.00” also 190."""
    text = in_plain_digits(text)
    found = {*_NUMBER.findall(text), *_CLAIMED.findall(text)}
    return found | {_NO_CENTS.sub("", each) for each in found}


def _people(subject: Subject) -> Iterator[str]:
    """Yield the names of people: after a title or an office, or before what people say and do."""
    for match in _PERSON.finditer(subject.post.prose):
        yield fold(match.group("titled") or match.group("speaking")).rstrip(".")


def _quotes(subject: Subject) -> Iterator[str]:
    """Yield the text between quotation marks; straight ones are read in pairs."""
    for block in subject.post.blocks:
        if block.kind != "code":
            yield from (next(filter(None, found.groups())) for found in _QUOTE.finditer(block.text))
            yield from block.text.split('"')[1:-1:2]


def _unended(quote: str) -> str:
    """Return a quote without the mark at its end, which depends on the sentence around it."""
    return fold(quote).rstrip(".,;:")


def verbatim_share_high(subject: Subject) -> QualityCheck:
    """VERBATIM_SHARE_HIGH: a source page has over 60 % of the words, or over 90 words in a row.

    A draft of excerpts is made of such words: until somebody rewords it, that is what is left to do.
    """
    share, longest, copied = verbatim(subject)
    found = [f"{share:.0%} of the words are verbatim"] if share > _VERBATIM_SHARE else []
    found += [f"{longest} verbatim words in a row"] if longest > _VERBATIM_RUN else []
    (page_id, words), *_ = copied.most_common(1) or [(0, 0)]
    page = {source.page_id: source.name for source in subject.sources}.get(page_id, "")
    most = words / copied.total() if page and words else 0.0
    found += [f"{most:.0%} of the verbatim words are from “{page}”"] if found and most >= MOSTLY else []
    rule = "Most words are the post's own."
    wrong = f"The text repeats its source pages: {', '.join(found)}."
    hint = "Rewrite excerpts in your own words: search engines prefer the page that had the words first."
    if subject.post.draft_kind == "extractive" and subject.post.written_by_engine:
        wrong = f"This draft quotes your pages ({share:.0%} of the words are theirs) and is to be reworded."
        wrong += f" Nearly all of it is from one page, “{page}”." if most >= MOSTLY else ""
        hint = "Reword it before you publish it: search engines prefer the page that had the words first."
    return check_result("VERBATIM_SHARE_HIGH", "warn", rule, wrong, found, hint)


def verbatim(subject: Subject) -> tuple[float, int, Counter[int]]:
    """Return the share of verbatim words, the longest run of them from one page, and how many each has."""
    copied: Counter[int] = Counter()
    longest = run = 0
    run_page: int | None = None
    for sentence in _running_text(subject):
        page = _page_with(subject, sentence) if sentence else None
        count = word_count(sentence)
        copied.update({page: count} if page is not None else {})
        run = 0 if page is None else (run if page == run_page else 0) + count
        run_page = page
        longest = max(longest, run)
    return copied.total() / max(1, subject.post.words), longest, copied


def _running_text(subject: Subject) -> Iterator[str]:
    """Yield the sentences in reading order, an empty one at a heading or a listing."""
    for block in subject.post.blocks:
        if block.kind in {"p", "li"}:
            yield from sentences(block.text)
        else:
            yield ""


def _page_with(subject: Subject, sentence: str) -> int | None:
    return next((page_id for page_id, text in subject.evidence.items() if sentence in text), None)


def duplicate_topic(subject: Subject) -> QualityCheck:
    """DUPLICATE_TOPIC: no other post has the keyword or a nearly equal title, no page has such a name."""
    post = subject.post
    same = posts_on(post.title, post.primary_keyword, subject.context.other_posts, post.language)
    pages = names_like(post.title, subject.context.page_names(), post.language)
    rule = "No other post and no page of the project is about the same."
    parts = (
        [f"{counted(len(same), 'other post is', 'other posts are')} about the same topic."] if same else []
    )
    parts += [f"{counted(len(pages), 'page has', 'pages have')} nearly the same name."] if pages else []
    hint = "Choose another angle or primary keyword, or merge the two: they compete in search results."
    found = [*(other.title for other in same), *pages]
    return check_result("DUPLICATE_TOPIC", "warn", rule, " ".join(parts), found, hint)


def sources_changed(subject: Subject) -> QualityCheck:
    """SOURCES_CHANGED: the source pages are as they were when the post was made."""
    found = ("sources",) if subject.context.sources_changed else ()
    rule = "The source pages have not changed since the post was made."
    wrong = "A source page has changed, or is gone, since the post was made."
    hint = "Read the source pages again, or regenerate the post."
    return check_result("SOURCES_CHANGED", "warn", rule, wrong, found, hint)


def outdated_sentences(subject: Subject) -> QualityCheck:
    """OUTDATED_SENTENCES: the pages still have the words that the sentences rest on."""
    found = subject.context.outdated()
    rule = "The pages still say what the sentences rest on."
    rest = counted(len(found), "sentence rests", "sentences rest")
    wrong = f"{rest} on words that the pages no longer have."
    hint = (
        "Change it to what the page says now."
        if len(found) == 1
        else "Change them to what the pages say now."
    )
    return check_result("OUTDATED_SENTENCES", "warn", rule, wrong, found, hint)


def duplicate_sentences(subject: Subject) -> QualityCheck:
    """DUPLICATE_SENTENCES: no sentence is repeated; the fixed lines do not count."""
    seen: set[str] = set()
    found: list[str] = []
    for sentence in subject.post.sentences:
        mark = sentence.lower()
        if mark in seen and word_count(sentence) > 3 and not is_template_line(sentence):
            found.append(sentence)
        seen.add(mark)
    rule = "No sentence is repeated."
    wrong = f"{counted(len(found), 'sentence is', 'sentences are')} repeated."
    return check_result("DUPLICATE_SENTENCES", "warn", rule, wrong, found, "Remove the repetition.")


CHECKS: Final = (
    broken_internal_link,
    unknown_link,
    lost_link,
    unknown_image,
    unsupported_claim,
    verbatim_share_high,
    duplicate_sentences,
    duplicate_topic,
    sources_changed,
    outdated_sentences,
)
