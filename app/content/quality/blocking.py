"""Checks that block publishing."""

import re
from typing import Final

from app.content.drafts import QualityCheck, Severity
from app.content.planning.titles import SLUG_PATTERN
from app.content.quality.subject import Subject, check_result, counted
from app.content.rendering.html import unsafe_html, unsafe_markup
from app.language.sentences import ends_like_a_sentence
from app.language.words import word_count

FEWEST_WORDS: Final = 100
FEW_WORDS: Final = 300
_SIGNATURE: Final = 5
"""The most words of a last line that may end without a full stop in edited text: a name, a greeting."""

_ADDRESS_AT_END: Final = re.compile(r"https?://\S+$", re.IGNORECASE)
PLACEHOLDER: Final = re.compile(
    r"lorem ipsum|\[insert\b[^\[\]]*\]|\{\{[^{}]*\}\}|\[(?:todo|tbd)\b[^\[\]]*\]|\[\[page:", re.IGNORECASE
)


def content_empty(subject: Subject) -> QualityCheck:
    """CONTENT_EMPTY: a post has text."""
    found = () if subject.post.markdown.strip() else ("content",)
    rule, wrong = "The post has text.", "The post has no text."
    return check_result("CONTENT_EMPTY", "block", rule, wrong, found, "Write the post or generate it again.")


def title_missing(subject: Subject) -> QualityCheck:
    """TITLE_MISSING: a post has a title."""
    found = () if subject.post.title.strip() else ("title",)
    rule, wrong = "The post has a title.", "The post has no title."
    return check_result("TITLE_MISSING", "block", rule, wrong, found, "Give the post a title.")


def slug_invalid(subject: Subject) -> QualityCheck:
    """SLUG_INVALID: 1 to 80 of a-z, 0-9 and hyphen."""
    found = () if SLUG_PATTERN.fullmatch(subject.post.slug) else (subject.post.slug or "slug",)
    rule = "The slug is 1 to 80 characters of a-z, 0-9 and hyphen."
    wrong = "The slug is empty, over 80 characters or has other characters than a-z, 0-9 and hyphen."
    return check_result("SLUG_INVALID", "block", rule, wrong, found, "Change the slug.")


def slug_taken(subject: Subject) -> QualityCheck:
    """SLUG_TAKEN: no other post of the project has the slug."""
    found = (subject.post.slug,) if subject.context.slug_taken else ()
    rule, wrong = "The slug is the post's own.", "Another post of the project has the same slug."
    return check_result("SLUG_TAKEN", "block", rule, wrong, found, "Change the slug.")


def draft_kind_outline(subject: Subject) -> QualityCheck:
    """DRAFT_KIND_OUTLINE: an outline is no post, until a person writes it."""
    is_outline = subject.post.draft_kind == "outline" and subject.post.written_by_engine
    rule = "The draft is a post and not only an outline."
    wrong = "This is an outline and not yet a post."
    hint = "Write the post from the outline, or add pages about the topic and generate it again."
    return check_result("DRAFT_KIND_OUTLINE", "block", rule, wrong, ("content",) if is_outline else (), hint)


def placeholder_text(subject: Subject) -> QualityCheck:
    """PLACEHOLDER_TEXT: lorem ipsum, [insert …], {{…}}, [TODO], [[page:…; not in code, not the word todo."""
    post = subject.post
    text = "\n".join([post.title, post.meta_title, post.description, subject.post.prose])
    found = PLACEHOLDER.findall(text)
    rule = "The text has no placeholder."
    wrong = f"The text has {counted(len(found), 'placeholder', 'placeholders')}."
    return check_result("PLACEHOLDER_TEXT", "block", rule, wrong, found, "Put real text in its place.")


def unsafe(subject: Subject) -> QualityCheck:
    """UNSAFE_MARKUP: scripts, event handlers, script addresses, frames; in title and descriptions too."""
    rule = "The text has no script, event handler, frame or script address."
    wrong = "The text has a script, event handler, frame or script address."
    post = subject.post
    lines = (post.title, post.meta_title, post.description)
    found = dict.fromkeys([*unsafe_markup(post.markdown), *(f for line in lines for f in unsafe_html(line))])
    return check_result("UNSAFE_MARKUP", "block", rule, wrong, tuple(found), "Remove this markup.")


def content_too_short(subject: Subject) -> QualityCheck:
    """CONTENT_TOO_SHORT: under 100 words blocks, under 300 warns."""
    found = (f"{subject.post.words} words",) if subject.post.words < FEW_WORDS else ()
    severity: Severity = "block" if subject.post.words < FEWEST_WORDS else "warn"
    rule = f"The text has {FEW_WORDS} words or more."
    least = FEWEST_WORDS if severity == "block" else FEW_WORDS
    wrong = f"The text has {counted(subject.post.words, 'word', 'words')}, under {least}."
    hint = "Write more, or choose a topic the pages say more about."
    return check_result("CONTENT_TOO_SHORT", severity, rule, wrong, found, hint)


def truncated(subject: Subject) -> QualityCheck:
    """TRUNCATED: the text ends with a whole sentence, link, address, fixed line, list, table or closed code
    block; one that a person edited may end with a few words.
    """
    rule = "The text is complete."
    wrong = "The text breaks off at the end."
    hint = "Finish the last sentence or close the code block."
    return check_result("TRUNCATED", "block", rule, wrong, _open_end(subject), hint)


def _open_end(subject: Subject) -> tuple[str, ...]:
    lines = subject.post.markdown.rstrip().split("\n")
    for token in subject.post.tokens:
        if (
            token.type == "fence"
            and token.map
            and not _is_closed(lines[token.map[0] : token.map[1]], token.markup)
        ):
            return ("open code block",)
    last = subject.post.blocks[-1] if subject.post.blocks else None
    if last is None or last.kind in {"li", "cell", "code"} or last.only_link or _is_ended(last.text):
        return ()
    if last.text in subject.context.given_text.split("\n"):
        return ()
    if not subject.post.written_by_engine and last.kind == "p" and word_count(last.text) <= _SIGNATURE:
        return ()
    return (last.text[-80:],)


def _is_ended(text: str) -> bool:
    return ends_like_a_sentence(text) or bool(_ADDRESS_AT_END.search(text))


def _is_closed(lines: list[str], fence: str) -> bool:
    return (
        len(lines) > 1
        and lines[-1].strip(" \t>").startswith(fence)
        and not lines[-1].strip(f" \t>{fence[0]}")
    )


CHECKS: Final = (
    content_empty,
    title_missing,
    slug_invalid,
    slug_taken,
    draft_kind_outline,
    placeholder_text,
    unsafe,
    content_too_short,
    truncated,
)
