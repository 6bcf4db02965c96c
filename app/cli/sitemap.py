"""``flask sitemap``: inspects sitemaps without a project."""

import json
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TextIO

import click

from app.cli.output import Group
from app.failures import ServiceFailure
from app.infra.settings import current_settings
from app.pages.sitemaps.entries import DistinctCounter
from app.pages.sitemaps.fetch import read_tree, refuse_unreadable
from app.pages.sitemaps.report import Report

group = Group("sitemap", help="Sitemaps.")


@group.command("inspect")
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--urls",
    "urls",
    type=click.File("w", encoding="ascii", lazy=False),
    help="Write the URLs to this file, one per line, with duplicates.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    help="Stop after this time; defaults to that of a sync.",
)
def inspect(url: str, as_json: bool, urls: TextIO | None, seconds: float | None) -> None:
    """Read a sitemap as a sync would and print what it contains. Nothing is changed.

    Duplicate URLs count once. URLs of other sites count too, because only a project has a site of its own.
    """
    found = _read(url, urls, seconds or current_settings().sync_deadline)
    click.echo(json.dumps(found.as_dict()) if as_json else found.as_text())
    if found.failure is not None:
        raise found.failure


@dataclass(frozen=True)
class _Found:
    """The result of reading ``url``: the count of distinct URLs, and the ``failure`` of a sync."""

    url: str
    urls: int
    report: Report
    seconds: float
    failure: ServiceFailure | None

    def as_dict(self) -> dict[str, Any]:
        problems = [asdict(problem) for problem in self.report.all_problems(self.url)]
        if self.failure is not None:
            failure = self.failure.failure
            problems.append({"code": failure.code, "where": self.url, "message": failure.message})
        return {
            "urls": self.urls,
            "complete": self.failure is None and self.report.complete,
            "problems": problems,
            "children": self.report.children,
            "seconds": round(self.seconds, 3),
        }

    def as_text(self) -> str:
        found = self.as_dict()
        lines = [
            f"URLs: {found['urls']}",
            f"Complete: {'yes' if found['complete'] else 'no'}",
            f"Child sitemaps: {found['children']}",
            f"Seconds: {found['seconds']}",
            f"Problems: {len(found['problems'])}",
        ]
        lines += ("  {code}  {where}  {message}".format(**problem) for problem in found["problems"])
        return "\n".join(map(_printable, lines))


def _printable(line: str) -> str:
    """Return a line without control characters, which a sitemap could use to control the terminal."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line
    )


def _read(url: str, urls: TextIO | None, seconds: float) -> _Found:
    report, seen, failure, started = Report(), DistinctCounter(), None, time.monotonic()
    try:
        entries = read_tree(current_settings(), url, report, seconds=seconds, on_wait=_report_wait)
        for page, _lastmod in entries:
            seen.add(page)
            if urls is not None:
                urls.write(f"{page}\n")
        refuse_unreadable(url, report.urls, report)
    except ServiceFailure as error:
        failure = error
    return _Found(url, seen.count(), report, time.monotonic() - started, failure)


def _report_wait(host: str, until: datetime | None) -> None:
    if until is not None:
        click.echo(f"Waiting for {host}, which is busy, until {until:%H:%M:%S} UTC.", err=True)
