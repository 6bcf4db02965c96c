"""A sound post and what is around it, to be judged with one thing changed."""

from __future__ import annotations

from dataclasses import replace

from app.content.drafts import QualityCheck
from app.content.quality.gate import PostText, QualityContext, SourceText, check_post

SENTENCES = " ".join(
    f"Beehive keepers in village {word} paint their boxes every spring and drink tea with {word} afterwards."
    for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")
)
AGAIN = SENTENCES.replace("tea", "milk")
BODY = f"A beehive needs care.\n\n## Painting\n\n{SENTENCES}\n\n## Reading on\n\n{AGAIN}"
POST = PostText(
    title="Painting a beehive in spring",
    meta_title="Painting a beehive in spring | Bee School",
    slug="painting-a-beehive",
    description="How the keepers of ten villages paint every beehive in spring, and what they drink with it.",
    markdown=BODY,
    keywords=("beehive",),
    primary_keyword="beehive",
    language="en",
    draft_kind="extractive",
)
CONTEXT = QualityContext(
    project_host="bees.example",
    live_page_urls=frozenset({"https://bees.example/", "https://bees.example/hives"}),
    known_page_urls=frozenset({"https://bees.example/hives", "https://bees.example/old"}),
    source_urls=frozenset({"https://bees.example/hives"}),
    sources=lambda: [
        SourceText(1, "The hive has 10 frames. It weighs 60 kg. He said “bees are never in a hurry at all”.")
    ],
)


def outcome(code: str, post: PostText = POST, context: QualityContext = CONTEXT) -> QualityCheck:
    return next(check for check in check_post(post, context).checks if check.code == code)


def with_text(extra: str) -> PostText:
    return replace(POST, markdown=f"{BODY}\n\n{extra}")
