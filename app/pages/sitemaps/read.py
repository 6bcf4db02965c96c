"""Reads a whole sitemap tree through an opener: yields its entries and fills a report. Pure.

open | unpack | parse (again with repairs if that may help) | normalise | the children, one by one
"""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from app.infra.clock import utc_now
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.urls import InvalidUrl, normalise
from app.pages.sitemaps.decoding import repaired, unpacked
from app.pages.sitemaps.entries import AHEAD, Entry, mended, parse_lastmod, why_damaged
from app.pages.sitemaps.parse import Document
from app.pages.sitemaps.report import DocumentUnreadable, FileReport, Limits, ParseError, Report
from app.pages.sitemaps.xml_reader import Item

OpenDocument = Callable[[str], Iterator[bytes]]
"""Yields the body of a URL; raises FetchError or DocumentUnreadable, before or within it."""

_BEHIND_SCHEME = len("https://")
_LOSS_CODES = {
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
    check_cancelled: Callable[[], None] = lambda: None,
) -> Iterator[Entry]:
    """Yield the pages of the sitemap at ``url`` and below it, normalised, in order, with duplicates.

    ``report`` is final when the iterator is exhausted. The opener fills ``moved`` with the addresses after
    redirects, to which a document's entries are relative (RFC 3986, 5.1.3), and ``unframed`` with the
    documents that a cut connection may have ended. ``check_cancelled`` is called for each 64 KB of a
    document, and raises FetchError to end the reading.

    Raises InvalidUrl if ``url`` is none, FetchError ``stopped``, and what ``open_document`` raises before the
    first byte of the first document. Other failures are reported.
    """
    moved = {} if moved is None else moved
    tree = _Tree(open_document, report, limits or Limits(), moved, unframed, check_cancelled)
    return tree.entries(normalise(url))


@dataclass
class _Tree:
    """The state of one reading: which documents it has met and how many URLs it has yielded."""

    open: OpenDocument
    report: Report
    limits: Limits
    moved: Mapping[str, str]
    unframed: Container[str]
    check_cancelled: Callable[[], None]
    latest: datetime = field(default_factory=lambda: utc_now() + AHEAD)
    seen: set[str] = field(default_factory=set)
    is_full: bool = False
    file: FileReport = field(default_factory=FileReport)

    def entries(self, root: str) -> Iterator[Entry]:
        """Yield the pages of all documents, depth first. The stack has (depth, address), the next last."""
        self.seen.add(root)
        stack = [(0, root)]
        while stack and not self.is_full:
            depth, url = stack.pop()
            children: list[str] = []
            yield from self._document(url, depth, children)
            stack.extend((depth + 1, child) for child in reversed(children))

    def _document(self, url: str, depth: int, children: list[str]) -> Iterator[Entry]:
        self.file = self.report.files[url] = FileReport()
        try:
            for items in self._batches(url):
                yield from self._entries(items, self.moved.get(url, url), depth, children)
                if self.is_full:
                    return
        except ParseError as error:
            self.report.record_loss(error.code, url, error.message)
        except (FetchError, DocumentUnreadable) as error:
            if depth == 0 and not self.report.bytes:
                self.report.note_error(_loss_code(error), url, str(error))
                raise
            self._report_unreadable(url, error)

    def _report_unreadable(self, url: str, error: FetchError | DocumentUnreadable) -> None:
        """Report a document that was not read, or not to its end. Raises the error again if it is a stop."""
        if isinstance(error, DocumentUnreadable):
            if error.gone:
                self.report.gone.append(url)
            if error.empty:
                self.report.note_error("GONE", url, error.message)
                self.report.note(
                    "COUNTS_AS_EMPTY", url, f"{error.message} It did so before, so it counts as empty."
                )
            else:
                self.report.record_loss(_loss_code(error), url, error.message)
        elif error.kind is FetchErrorKind.STOPPED:
            raise error
        else:
            self.report.record_loss(_loss_code(error), url, error.message)

    def _batches(self, url: str) -> Iterator[list[Item]]:
        """Yield a document's items. After a repairable error, read it again and continue behind them.

        The second reading is another request. If it begins with other items, the document has changed, and
        the items are complete for neither version.
        """
        given = checksum = 0
        try:
            for items in self._parsed(url, repair=False):
                given, checksum = given + len(items), _checksum(checksum, items)
                yield items
        except ParseError as error:
            if not error.repairable:
                raise
            self.report.note("REPAIRED", url, "The document is not valid XML; it was repaired and read.")
            yield from self._repaired(url, given, checksum)

    def _repaired(self, url: str, given: int, checksum: int) -> Iterator[list[Item]]:
        found = 0
        for items in self._parsed(url, repair=True):
            known, new = items[:given], items[given:]
            found, given = _checksum(found, known), given - len(known)
            if known and not given and found != checksum:
                self.report.record_loss("CHANGED", url, "The document changed while it was read.")
            yield new
        if given:
            self.report.record_loss("CHANGED", url, "The document changed while it was read.")

    def _parsed(self, url: str, *, repair: bool) -> Iterator[list[Item]]:
        opened = self.open(url)
        try:
            stream = self._checked(unpacked(self._counted(opened), self.limits.document_bytes))
            document = Document(
                repaired(stream) if repair else stream,
                utf8=repair,
                may_be_cut=lambda: url in self.unframed,
                is_robots=urlsplit(url).path == "/robots.txt",
            )
            try:
                yield from document.batches()
            finally:
                if document.is_feed:
                    self.report.note_feed(url)
        finally:
            close = getattr(opened, "close", None)
            if close is not None:
                close()

    def _counted(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        for piece in stream:
            self.report.bytes += len(piece)
            yield piece

    def _checked(self, stream: Iterator[bytes]) -> Iterator[bytes]:
        for piece in stream:
            self.check_cancelled()
            yield piece

    def _entries(self, items: list[Item], base: str, depth: int, children: list[str]) -> list[Entry]:
        report, found = self.report, list[Entry]()
        most = self.limits.urls - report.urls
        for loc, date, is_child, own_base in items:
            if is_child:
                self.file.sitemaps += 1
                self._child(loc, base, depth, children)
                continue
            if len(found) >= most:
                report.record_loss("URLS_LIMIT", base, f"Only the first {self.limits.urls} URLs were read.")
                self.is_full = True
                break
            try:
                url = _address(loc, base, own_base)
            except InvalidUrl as error:
                self._invalid(loc, base, error)
                continue
            lastmod = parse_lastmod(date, self.latest) if date else None
            if date and lastmod is None:
                report.invalid_dates += 1
            found.append((url, lastmod))
        report.urls += len(found)
        self.file.urls += len(found)
        return found

    def _invalid(self, loc: str, base: str, error: InvalidUrl) -> None:
        """Report an entry without a usable URL; a damaged one may be that of a known page."""
        self.report.invalid += 1
        self.file.invalid += 1
        report = self.report.record_loss if why_damaged(mended(loc), base) else self.report.note
        report("INVALID_URL", loc or base, f"Not a usable URL: {error.reason}.")

    def _child(self, loc: str, base: str, depth: int, children: list[str]) -> None:
        report = self.report
        try:
            url = _address(loc, base)
        except InvalidUrl as error:
            report.record_loss("INVALID_CHILD", loc, f"Not a usable sitemap URL: {error.reason}.")
            return
        if url in self.seen:
            report.note("REPEATED_CHILD", url, "The sitemap is listed more than once; it was read once.")
        elif depth >= self.limits.depth:
            report.record_loss(
                "DEPTH_LIMIT", url, f"Sitemaps nested over {self.limits.depth} deep are not read."
            )
        elif report.children >= self.limits.children:
            if not any(problem.code == "CHILDREN_LIMIT" for problem in report.problems):
                report.record_loss(
                    "CHILDREN_LIMIT", base, f"Only {self.limits.children} child sitemaps were read."
                )
        else:
            self.seen.add(url)
            report.children += 1
            children.append(url)


def _loss_code(error: FetchError | DocumentUnreadable) -> str:
    if isinstance(error, DocumentUnreadable):
        return "GONE" if error.gone else "UNREACHABLE"
    return _LOSS_CODES.get(error.kind, "UNREACHABLE")


def _address(loc: str, base: str, own_base: str | None = "") -> str:
    """Return the normalised URL that an entry of the document at ``base`` means.

    ``own_base``: what the entry says it is relative to, None for an address that has to be absolute.
    Raises InvalidUrl, also if it may mean another address.
    """
    relative_to = None if own_base is None else urljoin(base, own_base) if own_base else base
    # Most entries are normalised URLs that cannot mean another address; the rest takes much longer.
    if "&" not in loc and ";" not in loc and "," not in loc and loc.find("//", _BEHIND_SCHEME) < 0:
        try:
            url = normalise(loc, relative_to)
        except InvalidUrl:
            url = ""
        if url and url == loc:
            return url
    text = mended(loc)
    if (reason := why_damaged(text, base)) is not None:
        raise InvalidUrl(reason)
    return normalise(text, relative_to)


def _checksum(so_far: int, items: list[Item]) -> int:
    return so_far + sum(map(hash, [item[0] for item in items]))
