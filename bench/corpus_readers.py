"""Reads sitemaps with one reader, ours or a peer, each address in a forked process that is watched.

    python -m bench.corpus_readers NAME < addresses

Prints one JSON object an address: the URLs, whether the reader itself reported a loss (an exception, a
verdict, a field) or only logged, and how it ended: "done", "hang" after
SECONDS, "memory" over MEMORY, "died".
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SECONDS = 20
TIMEOUT = 3  # given to every peer that has such an option; they try up to five times
OUR_SECONDS = 10  # for the whole tree
MEMORY = 1024 * 1024 * 1024
LOGGED_BELOW_WARNING = (
    "Ignoring response",
    "Discarding",
    "Gave up",
)  # scrapy's words for a document that is lost

Found = tuple[list[str], bool]
Read = Callable[[str], Found]


def ours() -> Read:
    from app.factory import create_app

    runner = create_app().test_cli_runner()

    def read(url: str) -> Found:
        with tempfile.NamedTemporaryFile("r") as file:
            words = ["sitemap", "inspect", url, "--json", "--urls", file.name, "--seconds", str(OUR_SECONDS)]
            result = runner.invoke(args=words)
            return file.read().splitlines(), not json.loads(result.stdout)["complete"]

    return read


def usp() -> Read:
    from usp.fetch_parse import SitemapFetcher
    from usp.objects.sitemap import InvalidSitemap
    from usp.web_client.requests_client import RequestsWebClient

    def read(url: str) -> Found:
        client = RequestsWebClient()
        client.set_timeout(TIMEOUT)
        tree = SitemapFetcher(url, recursion_level=0, web_client=client, parent_urls=set()).sitemap()
        invalid = [each for each in (tree, *tree.all_sitemaps()) if isinstance(each, InvalidSitemap)]
        return [page.url for page in tree.all_pages()], bool(invalid)

    return read


def advertools() -> Read:
    from advertools import sitemap_to_df

    def read(url: str) -> Found:
        frame = sitemap_to_df(url)
        urls = [str(loc) for loc in frame["loc"].dropna()] if "loc" in frame else []
        return urls, "errors" in frame and bool(frame["errors"].notna().any())

    return read


def scrapy() -> Read:
    from scrapy.crawler import CrawlerProcess
    from scrapy.spiders import SitemapSpider
    from scrapy.utils.sitemap import Sitemap

    found: list[str] = []

    class Spider(SitemapSpider):
        name = "corpus"

        def sitemap_filter(self, entries):  # type: ignore[no-untyped-def]
            if isinstance(entries, Sitemap) and entries.type == "sitemapindex":
                yield from entries
                return
            found.extend(entry["loc"] for entry in entries)

    def read(url: str) -> Found:
        process = CrawlerProcess(
            {"LOG_ENABLED": False, "DOWNLOAD_TIMEOUT": TIMEOUT, "TELNETCONSOLE_ENABLED": False}
        )
        process.crawl(Spider, sitemap_urls=[url])
        process.start()
        return found, False

    return read


def trafilatura() -> Read:
    from configparser import ConfigParser

    from trafilatura import downloads, sitemaps
    from trafilatura.settings import DEFAULT_CONFIG
    from urllib3.connection import HTTPConnection

    # It refuses private addresses, which is right: only the two ports of the corpus are opened to it.
    guarded, ports = (
        downloads._SafeHTTPConnection,
        [pair.rpartition(":")[2] for pair in os.environ["FETCH_ALLOW"].split(",")],
    )
    connect, plain = guarded._new_conn, HTTPConnection._new_conn
    guarded._new_conn = lambda self: (plain if str(self.port) in ports else connect)(self)
    # Nor does it take an address with a port for a website; here it has to.
    known, domain = sitemaps.get_hostinfo, sitemaps.extract_domain
    sitemaps.get_hostinfo = lambda url: ("127.0.0.1", known(url)[1])
    sitemaps.extract_domain = lambda url, **options: domain(url, **options) or "127.0.0.1"
    config = ConfigParser()
    config.read_dict(DEFAULT_CONFIG)
    config["DEFAULT"]["DOWNLOAD_TIMEOUT"] = str(TIMEOUT)
    return lambda url: (sitemaps.sitemap_search(url, external=True, sleep_time=0, config=config), False)


READERS: dict[str, Callable[[], Read]] = {
    "ours": ours,
    "ultimate-sitemap-parser": usp,
    "advertools": advertools,
    "scrapy": scrapy,
    "trafilatura": trafilatura,
}


class Listening(logging.Handler):
    """Hears whether a loss was logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.heard = False

    def emit(self, record: logging.LogRecord) -> None:
        self.heard |= record.levelno >= logging.WARNING or record.getMessage().startswith(
            LOGGED_BELOW_WARNING
        )


def read_in_child(read: Read, url: str, answer: Path) -> None:
    listening = Listening()
    logging.root.handlers[:] = [listening]
    logging.root.setLevel(logging.DEBUG)
    try:
        urls, reported = read(url)
    except BaseException as error:  # any exception reports that something is missing
        urls, reported = [], not isinstance(error, SystemExit)
    answer.write_text(json.dumps({"urls": urls, "reported": reported, "logged": listening.heard}))


def watched(read: Read, url: str) -> dict[str, object]:
    """Read in a separate process. Return its result and how it ended."""
    answer = Path(tempfile.mkdtemp(prefix="corpus-")) / "answer"
    started, idle = time.monotonic(), memory(os.getpid(), "VmRSS")
    child = os.fork()
    if child == 0:
        os.setsid()
        with suppress(BaseException):
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            read_in_child(read, url, answer)
        os._exit(0)
    end, peak = "done", 0
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        with suppress(OSError, StopIteration):
            peak = max(peak, memory(child, "VmHWM") - idle)
        if time.monotonic() - started > SECONDS or peak > MEMORY:
            end = "memory" if peak > MEMORY else "hang"
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.02)
    if end == "done" and not answer.exists():
        end = "died"
    result = (
        json.loads(answer.read_text()) if end == "done" else {"urls": [], "reported": False, "logged": False}
    )
    return {**result, "end": end, "peak": peak, "seconds": time.monotonic() - started}


def memory(process: int, name: str) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) * 1024


if __name__ == "__main__":
    read = READERS[sys.argv[1]]()
    for line in sys.stdin:
        print(json.dumps(watched(read, line.strip())), flush=True)
