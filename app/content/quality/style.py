"""Checks of readability and search appearance; none of them blocks."""

import re
from functools import cache
from typing import Final

from app.content.drafts import QualityCheck, Severity
from app.content.planning.keyphrase import DENSITY, forms_of, weight_said
from app.content.planning.titles import DESCRIPTION_LENGTH, META_TITLE_LENGTH, META_TITLE_PIXELS, pixel_width
from app.content.quality.subject import Subject, check_result, counted
from app.content.rendering.images import is_reference
from app.content.retrieval.avoiding import avoided_pattern
from app.language.detection import language_of
from app.language.languages import in_all_languages
from app.language.phrases import is_weak_anchor
from app.language.stems import search_words, stem, topic_stems
from app.language.tags import language_code
from app.language.words import extent, is_unspaced, width

LONG_SECTION: Final = 300
"""The words of a section from which it needs another heading."""
_LONG_PARAGRAPH: Final = 150
_LONG_SENTENCE: Final = 20
_LONG_SENTENCE_SHARE: Final = 0.25


@cache
def _worn_phrases() -> re.Pattern[str]:
    patterns = in_all_languages(lambda language: language.style.worn_phrases)
    return re.compile("|".join(patterns), re.IGNORECASE)


def meta_title_length(subject: Subject) -> QualityCheck:
    """META_TITLE_LENGTH: 30 to 60 characters, a full-width one counting twice, and at most 600 pixels."""
    title = subject.post.meta_title
    pixels = pixel_width(title)
    if width(title) <= META_TITLE_LENGTH[1] and pixels > META_TITLE_PIXELS:
        wrong = f"The search title is about {pixels} pixels wide, over {META_TITLE_PIXELS}."
        return check_result("META_TITLE_LENGTH", "warn", "", wrong, (f"{pixels} pixels",), "Shorten it.")
    return _length("META_TITLE_LENGTH", "The search title", title, META_TITLE_LENGTH)


def description_length(subject: Subject) -> QualityCheck:
    """DESCRIPTION_LENGTH: 70 to 156 characters, a full-width one counting twice."""
    return _length("DESCRIPTION_LENGTH", "The description", subject.post.description, DESCRIPTION_LENGTH)


def _length(code: str, name: str, text: str, bounds: tuple[int, int]) -> QualityCheck:
    low, high = bounds
    length = counted(width(text), "character", "characters")
    found = () if low <= width(text) <= high else (length,)
    rule = f"{name} has {low} to {high} characters."
    wrong = f"{name} has {length}, not {low} to {high}."
    return check_result(
        code, "warn", rule, wrong, found, "Shorten it." if width(text) > high else "Say more."
    )


def keyphrase_title(subject: Subject) -> QualityCheck:
    """KEYPHRASE_TITLE: the title contains the primary keyword."""
    found = () if _contains(subject, subject.post.title) else (subject.post.title,)
    keyword = subject.post.primary_keyword
    rule = "The title contains the primary keyword."
    wrong = f"The title does not contain the primary keyword “{keyword}”."
    return check_result("KEYPHRASE_TITLE", "warn", rule, wrong, found, f"Use “{keyword}” in the title.")


def keyphrase_intro(subject: Subject) -> QualityCheck:
    """KEYPHRASE_INTRO: the first paragraph contains the primary keyword; an image has no words."""
    first = next((block.text for block in subject.post.blocks if block.kind == "p" and block.text), "")
    found = () if _contains(subject, first) else (first[:80] or "introduction",)
    keyword = subject.post.primary_keyword
    rule = "The first paragraph contains the primary keyword."
    wrong = f"The first paragraph does not contain the primary keyword “{keyword}”."
    hint = f"Use “{keyword}” in the first paragraph."
    return check_result("KEYPHRASE_INTRO", "warn", rule, wrong, found, hint)


def keyphrase_density(subject: Subject) -> QualityCheck:
    """KEYPHRASE_DENSITY: the primary keyword makes 0.5 to 3 % of the text's words."""
    density = keyphrase_share(subject)
    found = () if DENSITY[0] <= density <= DENSITY[1] else (f"{density:.2%}",)
    extent, advice = ("often", "Leave it out") if density > DENSITY[1] else ("rarely", "Use it")
    keyword = subject.post.primary_keyword
    rule = "The text uses the primary keyword neither rarely nor very often (0.5% to 3% of its words)."
    wrong = f"The text uses “{keyword}” {extent}: it makes {density:.2%} of the words; 0.5% to 3% is usual."
    hint = f"{advice} where the sentence stays natural; no reader looks for a share."
    return check_result("KEYPHRASE_DENSITY", "info", rule, wrong, found, hint)


def keyphrase_share(subject: Subject) -> float:
    """Return how often sentences and headings use the primary keyword, in any form and order, per word.

    A keyword of three words counts for 1.7, of one for 1.03, as in SEO tools.
    """
    keyword = subject.post.primary_keyword.lower()
    if not keyword or not subject.post.words:
        return 0.0
    if is_unspaced(keyword):
        return subject.post.prose.lower().count(keyword) / extent(subject.post.prose)
    language = subject.post.language
    headings = (block.text for block in subject.post.blocks if block.kind == "heading")
    return weight_said(keyword, (*subject.post.sentences, *headings), language) / subject.post.words


def _contains(subject: Subject, text: str) -> bool:
    language, keyword = subject.post.language, subject.post.primary_keyword
    said = {stem(word, language) for form in forms_of(text) for word in search_words(form, language)}
    return not keyword or any(topic_stems(form, language) <= said for form in forms_of(keyword))


def heading_structure(subject: Subject) -> QualityCheck:
    """HEADING_STRUCTURE: headings begin at level 2 and never skip one."""
    found: list[str] = []
    above = 1
    for block in subject.post.blocks:
        if block.kind == "heading":
            if block.level == 1 or block.level > above + 1:
                found.append(block.text)
            above = block.level
    rule = "Headings begin at level 2 and skip no level."
    are = counted(len(found), "heading is", "headings are")
    wrong = f"{are} of level 1 or more than one level below the last."
    hint = "The title is the only heading of level 1; go down one level at a time."
    return check_result("HEADING_STRUCTURE", "warn", rule, wrong, found, hint)


def duplicate_headings(subject: Subject) -> QualityCheck:
    """DUPLICATE_HEADINGS: no heading is repeated."""
    seen: set[str] = set()
    found: list[str] = []
    for block in subject.post.blocks:
        if block.kind == "heading":
            heading = block.text.lower()
            if heading in seen:
                found.append(heading)
            seen.add(heading)
    rule = "No heading is repeated."
    wrong = f"{counted(len(found), 'heading is', 'headings are')} repeated."
    return check_result("DUPLICATE_HEADINGS", "warn", rule, wrong, found, "Rename one of them.")


def section_too_long(subject: Subject) -> QualityCheck:
    """SECTION_TOO_LONG: at most 300 words between two headings."""
    found: list[str] = []
    heading, count = "introduction", 0
    for block in subject.post.blocks:
        if block.kind == "heading":
            heading, count = block.text, 0
        elif block.kind != "code":
            before, count = count, count + extent(block.text)
            if before <= LONG_SECTION < count:
                found.append(heading)
    rule = f"No section has over {LONG_SECTION} words."
    wrong = f"{counted(len(found), 'section has', 'sections have')} over {LONG_SECTION} words."
    return check_result("SECTION_TOO_LONG", "warn", rule, wrong, found, "Split the section with a heading.")


def paragraph_too_long(subject: Subject) -> QualityCheck:
    """PARAGRAPH_TOO_LONG: at most 150 words a paragraph."""
    found = [b.text for b in subject.post.blocks if b.kind == "p" and extent(b.text) > _LONG_PARAGRAPH]
    rule = f"No paragraph has over {_LONG_PARAGRAPH} words."
    wrong = f"{counted(len(found), 'paragraph has', 'paragraphs have')} over {_LONG_PARAGRAPH} words."
    return check_result("PARAGRAPH_TOO_LONG", "warn", rule, wrong, found, "Split the paragraph.")


def sentence_length(subject: Subject) -> QualityCheck:
    """SENTENCE_LENGTH: at most a quarter of the sentences have over 20 words."""
    share = long_sentence_share(subject)
    found = (f"{share:.0%}",) if share > _LONG_SENTENCE_SHARE else ()
    rule = f"At most a quarter of the sentences have over {_LONG_SENTENCE} words."
    wrong = f"{share:.0%} of the sentences have over {_LONG_SENTENCE} words."
    return check_result("SENTENCE_LENGTH", "info", rule, wrong, found, "Split long sentences.")


def long_sentence_share(subject: Subject) -> float:
    """Return the share of sentences of over 20 words."""
    long = sum(extent(sentence) > _LONG_SENTENCE for sentence in subject.post.sentences)
    return long / max(1, len(subject.post.sentences))


def internal_links_few(subject: Subject) -> QualityCheck:
    """INTERNAL_LINKS_FEW: as many links into the project as asked for, else 2, 3 or 4 by the words."""
    wanted = subject.context.link_bounds.least(subject.post.words)
    count = len({link.url for link in subject.post.links if subject.is_internal(link.url)})
    found = (f"{count} of {wanted}",) if count < wanted else ()
    rule = "The text links to as many pages of the project as suit it."
    wrong = f"The text links to {counted(count, 'page', 'pages')} of the project, not {wanted} or more."
    return check_result("INTERNAL_LINKS_FEW", "warn", rule, wrong, found, "Link more of the project's pages.")


def weak_anchor(subject: Subject) -> QualityCheck:
    """WEAK_ANCHOR: a link's words say where it leads."""
    links = (link for link in subject.post.links if not link.image)
    found = [link.anchor or link.url for link in links if is_weak_anchor(link.anchor)]
    rule = "A link's words say where it leads."
    wrong = f"{counted(len(found), 'link has', 'links have')} words that do not say where it leads."
    return check_result("WEAK_ANCHOR", "warn", rule, wrong, found, "Name the linked page.")


def no_outbound_link(subject: Subject) -> QualityCheck:
    """NO_OUTBOUND_LINK: there is a link to another site."""
    links = (link.url for link in subject.post.links if not (link.image and is_reference(link.url)))
    found = () if any(not subject.is_internal(url) for url in links) else ("content",)
    rule, wrong = "The text links to another site.", "The text links to no other site."
    return check_result("NO_OUTBOUND_LINK", "info", rule, wrong, found, "Link a source elsewhere.")


def image_alt_missing(subject: Subject) -> QualityCheck:
    """IMAGE_ALT_MISSING: every picture is described."""
    found = [link.url for link in subject.post.links if link.image and not link.anchor.strip()]
    rule = "Every picture is described."
    wrong = f"{counted(len(found), 'picture has', 'pictures have')} no description."
    return check_result("IMAGE_ALT_MISSING", "warn", rule, wrong, found, "Describe the picture.")


def language_mismatch(subject: Subject) -> QualityCheck:
    """LANGUAGE_MISMATCH: script and commonest words are those of the post's language."""
    read = language_code(language_of(subject.post.language, subject.post.prose) or "")
    found = (f"reads like {read}",) if read != language_code(subject.post.language) else ()
    rule = "The text is in the post's language."
    wrong = f"The text reads like “{read}”, but the post's language is “{subject.post.language}”."
    hint = "Correct the post's language or its text."
    return check_result("LANGUAGE_MISMATCH", "warn", rule, wrong, found, hint)


def banned_phrases(subject: Subject) -> QualityCheck:
    """BANNED_PHRASES: no worn-out phrases, and none that the caller wants avoided; these warn."""
    worn = [match.group() for match in _worn_phrases().finditer(subject.post.prose)]
    avoided = [
        match.group() for match in avoided_pattern(subject.context.avoided).finditer(subject.post.prose)
    ]
    rule = "The text has no worn-out phrases and none to be avoided."
    parts = [counted(len(worn), "worn-out phrase", "worn-out phrases")] if worn else []
    parts += [counted(len(avoided), "phrase to be avoided", "phrases to be avoided")] if avoided else []
    severity: Severity = "warn" if avoided else "info"
    wrong = f"The text has {' and '.join(parts)}."
    return check_result("BANNED_PHRASES", severity, rule, wrong, [*avoided, *worn], "Say it in other words.")


CHECKS: Final = (
    meta_title_length,
    description_length,
    keyphrase_title,
    keyphrase_intro,
    keyphrase_density,
    heading_structure,
    duplicate_headings,
    section_too_long,
    paragraph_too_long,
    sentence_length,
    internal_links_few,
    weak_anchor,
    no_outbound_link,
    image_alt_missing,
    language_mismatch,
    banned_phrases,
)
