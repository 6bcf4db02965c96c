"""Writes posts about real sites with the extractive engine and checks them.

bin/bench posts SITE... [--out FOLDER]     # SITE: a name in bench/sites, or a folder of HTML files

``--out`` saves each post as JSON for other checkers. Of each site one post has no topic: the service chooses.
An ``absent`` topic must become an outline that states nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest
from app.content.writing.digest.engine import write_extractive
from bench.post_judges import data_errors, repeated, unsupported, untraced
from bench.post_sites import Site, site_named
from bench.stage import table
from devtools.local import ROOT

OPEN = "(none)"
HEAD = (
    "site", "topic", "draft", "words", "sections", "FAQ", "score", "decision",
    "untraced", "unsupported", "twice", "JSON-LD", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class CheckedPost:
    """A post and the findings of its checks."""

    site: Site
    topic: str
    written: WrittenPost
    seconds: float
    findings: dict[str, list[str]]

    @property
    def row(self) -> list[object]:
        """One line of the table."""
        post, quality = self.written.post, self.written.quality
        return [
            self.site.key, self.topic, self.written.draft_kind, post.word_count,
            len(self.written.outline.sections),
            len(post.faq), quality.score, quality.decision, *(len(found) for found in self.findings.values()),
            f"{self.seconds:.2f}",
        ]  # fmt: skip

    def to_json(self) -> str:
        """Return the post as JSON for other checkers."""
        facts = {
            "site": self.site.key,
            "topic": self.topic,
            "findings": self.findings,
            "licence": self.site.licence,
        }
        return json.dumps(facts | self.written.to_dict(), indent=1, ensure_ascii=False)


def checked(site: Site, topic: str) -> CheckedPost:
    """Write one post and check it."""
    started = time.perf_counter()
    request = GenerationRequest(None if topic == OPEN else topic, language=site.language)
    written = write_extractive(request, site.snapshot, lambda *_: None)
    seconds = time.perf_counter() - started
    findings = {
        "untraced": untraced(site, written) if written.draft_kind != "outline" else [],
        "unsupported": unsupported(site, written),
        "twice": repeated(written),
        "JSON-LD": data_errors(site, written),
    }
    if topic in site.absent and written.draft_kind != "outline":
        findings["unsupported"].append("an absent topic became an article")
    return CheckedPost(site, topic, written, seconds, findings)


def digest(posts: list[CheckedPost]) -> str:
    """Return a fingerprint of everything the engine wrote."""
    return hashlib.sha256("".join(json.dumps(post.written.to_dict()) for post in posts).encode()).hexdigest()


def digest_of_another_run(words: list[str]) -> str:
    """Write everything again in a process whose sets and dicts are hashed otherwise."""
    command = [sys.executable, "-m", "bench.bench_posts", *words, "--digest"]
    env = {**os.environ, "PYTHONHASHSEED": "4711"}
    return subprocess.run(
        command, env=env, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bin/bench posts")
    parser.add_argument("sites", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--once", action="store_true", help="do not write everything a second time")
    parser.add_argument("--digest", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    sites = [site_named(word) for word in asked.sites]
    posts = [checked(site, topic) for site in sites for topic in (*site.topics, OPEN, *site.absent)]
    if asked.digest:
        print(digest(posts))
        return
    print(table(HEAD, [post.row for post in posts]))
    for post in posts:
        for kind, found in post.findings.items():
            print(
                *(f"{post.site.key} / {post.topic}: {kind}: {each[:200]}\n" for each in found), sep="", end=""
            )
    articles = [post.written.post.word_count for post in posts if post.written.draft_kind != "outline"]
    words = mean(articles or [0])
    print(f"\n{len(posts)} posts, {len(articles)} of them articles of {words:.0f} words on average.")
    if not asked.once:
        same = digest(posts) == digest_of_another_run(asked.sites)
        print(f"A second run wrote {'the same' if same else 'SOMETHING ELSE'}.")
    if asked.out:
        _keep(posts, asked.out)


def _keep(posts: list[CheckedPost], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, post in enumerate(posts, 1):
        (folder / f"{post.site.key}-{number:02}-{post.written.post.slug}.json").write_text(post.to_json())
        (folder / f"{post.site.key}-{number:02}-{post.written.post.slug}.md").write_text(
            post.written.post.markdown
        )


if __name__ == "__main__":
    main(sys.argv[1:])
