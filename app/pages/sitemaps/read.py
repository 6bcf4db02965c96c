"""Reading a whole sitemap tree through a given opener: entries, and a report: complete or not. Pure.

open | unpack | parse (again through the repair filter if that may help) | normalise | children in turn
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping

from app.infra.clock import utc_now
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.urls import InvalidUrl, normalise
from app.pages.sitemaps.address import is_damaged
from app.pages.sitemaps.decoding import repaired, unpacked
from app.pages.sitemaps.entries import AHEAD, Damage, DocumentUnreadable, Entry, Limits, Report, parse_lastmod
from app.pages.sitemaps.parse import Document, Item

OpenDocument = Callable[[str], Iterator[bytes]]
"""Yields the body behind a URL; raises FetchError or DocumentUnreadable, also in its midst."""

_LOSSES = {
    FetchErrorKind.TIMEOUT: "TIMEOUT",
    FetchErrorKind.TRUNCATED: "TRUNCATED",
    FetchErrorKind.TOO_LARGE: "DOCUMENT_TOO_LARGE",
    FetchErrorKind.BLOCKED: "URL_NOT_ALLOWED",
}


def read_sitemap(
    open_document: OpenDocument,
    url: str,
    report: Report,
    limits: Limits | None = None,
    moved: Mapping[str, str] | None = None,
    unframed: Container[str] = (),
    heed: Callable[[], None] = lambda: None,
) -> Iterator[Entry]:
    """Yield the pages of the sitemap at ``url`` and below it, normalised, in order, repeated ones again.

    ``report`` is final when the iterator is exhausted. What fails below the first document is reported; what
    ``open_document`` raises for the first document before any byte came is raised, as is a stop (FetchError
    ``stopped``). Raises InvalidUrl when ``url`` is none. ``moved``, filled by the opener, tells where
    redirects led from a document's address: what it names is relative to that (RFC 3986, 5.1.3).
    ``unframed``, filled likewise, has those that a cut connection may have ended. ``heed`` is called for each
    64 KB of a document, a thousand of which one receive may bring, and raises FetchError to end the reading.
    """
    walk = _Walk(open_document, report, limits or Limits(), {} if moved is None else moved, unframed, heed)
    return walk.entries(normalise(url))


class _Walk:
    """The state of one reading: which documents were met and how many URLs were given out."""

    def __init__(
        self,
        open_document: OpenDocument,
        report: Report,
        limits: Limits,
        moved: Mapping[str, str],
        unframed: Container[str],
        heed: Callable[[], None],
    ) -> None:
        self._open = open_document
        self._report = report
        self._limits = limits
        self._moved = moved
        self._unframed = unframed
        self._heed = heed
        self._latest = utc_now() + AHEAD
        self._seen: set[str] = set()
        self._full = False

    def entries(self, root: str) -> Iterator[Entry]:
        """Depth first; the stack holds (depth, address), the next document last."""
        self._seen.add(root)
        stack = [(0, root)]
        while stack and not self._full:
            depth, url = stack.pop()
            children: list[str] = []
            yield from self._document(url, depth, children)
            stack.extend((depth + 1, child) for child in reversed(children))

    def _document(self, url: str, depth: int, children: list[str]) -> Iterator[Entry]:
        try:
            for items in self._batches(url):
                yield from self._entries(items, self._moved.get(url, url), depth, children)
                if self._full:
                    return
        except Damage as damage:
            self._report.lose(damage.code, url, damage.message)
        except (FetchError, DocumentUnreadable) as error:
            if depth == 0 and not self._report.bytes:
                raise
            self._unread(url, error)

    def _unread(self, url: str, error: FetchError | DocumentUnreadable) -> None:
        """Report a document that did not come, or not to its end. A stop is no finding: it is raised on."""
        if isinstance(error, DocumentUnreadable):
            if error.gone:
                self._report.gone.append(url)
            if error.empty:
                self._report.note("COUNTS_AS_EMPTY", url, f"{error.message} It did so before: it is empty.")
            else:
                self._report.lose("GONE" if error.gone else "UNREACHABLE", url, error.message)
        elif error.kind is FetchErrorKind.STOPPED:
            raise error
        else:
            self._report.lose(_LOSSES.get(error.kind, "UNREACHABLE"), url, error.message)

    def _batches(self, url: str) -> Iterator[list[Item]]:
        """Yield a document's items; after damage that can be mended, read again and go on where it ended.

        The second reading is a request of its own: one that begins otherwise is of another version, and what
        was found is then no whole of either.
        """
        given = trace = 0
        try:
            for items in self._parsed(url, repair=False):
                given, trace = given + len(items), _trace(trace, items)
                yield items
        except Damage as damage:
            if not damage.repairable:
                raise
            self._report.note(
                "REPAIRED", url, "The document is not valid XML; what could be mended was read."
            )
            yield from self._again(url, given, trace)

    def _again(self, url: str, given: int, trace: int) -> Iterator[list[Item]]:
        """Yield what a second reading finds behind the ``given`` items, which are to have the same trace."""
        found = 0
        for items in self._parsed(url, repair=True):
            known, new = items[:given], items[given:]
            found, given = _trace(found, known), given - len(known)
            if known and not given and found != trace:
                self._report.lose("CHANGED", url, "The document changed while it was read.")
            yield new
        if given:
            self._report.lose("CHANGED", url, "The document changed while it was read.")

    def _parsed(self, url: str, *, repair: bool) -> Iterator[list[Item]]:
        opened = self._open(url)
        try:
            stream = self._heeded(unpacked(self._counted(opened), self._limits.document_bytes))
            document = Document(
                repaired(stream) if repair else stream, utf8=repair, may_be_cut=lambda: url in self._unframed
            )
            try:
                yield from document.batches()
            finally:
                if document.is_feed:
                    self._report.note_feed(url)
        finally:
            close = getattr(opened, "close", None)
            if close is not None:
                close()

    def _counted(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        for piece in stream:
            self._report.bytes += len(piece)
            yield piece

    def _heeded(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        for piece in stream:
            self._heed()
            yield piece

    def _entries(self, items: list[Item], base: str, depth: int, children: list[str]) -> list[Entry]:
        """Return the pages among a document's items; note the sitemaps among them in ``children``."""
        report, found = self._report, list[Entry]()
        room = self._limits.urls - report.urls
        for loc, date, is_child, is_relative in items:
            if is_child:
                self._child(loc, base, depth, children)
                continue
            if len(found) >= room:
                report.lose("URLS_LIMIT", base, f"Only the first {self._limits.urls} URLs were read.")
                self._full = True
                break
            try:
                url = normalise(loc, base if is_relative else None)
                if url != loc and is_damaged(loc, base):
                    raise InvalidUrl("damaged")
            except InvalidUrl as error:
                self._invalid(loc, base, error)
                continue
            lastmod = parse_lastmod(date, self._latest) if date else None
            if date and lastmod is None:
                report.invalid_dates += 1
            found.append((url, lastmod))
        report.urls += len(found)
        return found

    def _invalid(self, loc: str, base: str, error: InvalidUrl) -> None:
        """Report an entry without a usable URL; one that is damaged may be a page's that is known."""
        self._report.invalid += 1
        tell = self._report.lose if is_damaged(loc, base) else self._report.note
        tell("INVALID_URL", loc or base, f"Not a usable URL: {error.reason}.")

    def _child(self, loc: str, base: str, depth: int, children: list[str]) -> None:
        report = self._report
        try:
            url = normalise(loc, base)
            if url != loc and is_damaged(loc, base):
                raise InvalidUrl("damaged")
        except InvalidUrl as error:
            report.lose("INVALID_CHILD", loc, f"Not a usable sitemap URL: {error.reason}.")
            return
        if url in self._seen:
            report.note("REPEATED_CHILD", url, "The sitemap is listed more than once; it was read once.")
        elif depth >= self._limits.depth:
            report.lose("DEPTH_LIMIT", url, f"Sitemaps nested over {self._limits.depth} deep are not read.")
        elif report.children >= self._limits.children:
            if not any(problem.code == "CHILDREN_LIMIT" for problem in report.problems):
                report.lose("CHILDREN_LIMIT", base, f"Only {self._limits.children} child sitemaps were read.")
        else:
            self._seen.add(url)
            report.children += 1
            children.append(url)


def _trace(so_far: int, items: list[Item]) -> int:
    """Return a number that tells one run of items from another, whatever their dates, batches and order."""
    return so_far + sum(map(hash, [item[0] for item in items]))
