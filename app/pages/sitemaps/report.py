"""What a reading of a sitemap reports: problems, limits that were met, and whether it is complete. Pure."""

from dataclasses import dataclass, field
from typing import Final

MAX_PROBLEMS: Final = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a sitemap. ``where`` is the document's URL or the start of the wrong text."""

    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read. A limit that is met is reported and makes the reading incomplete."""

    depth: int = 3
    children: int = 50_000
    urls: int = 5_000_000
    document_bytes: int = 64 * 1024 * 1024


@dataclass
class FileReport:
    """What one document of a sitemap lists: pages, sitemaps, and entries without a usable URL.

    ``error`` is why it was not read, or not to its end.
    """

    urls: int = 0
    sitemaps: int = 0
    invalid: int = 0
    error: Problem | None = None


@dataclass
class Report:
    """What a reading found. It is filled while the entries are drawn, and final when they are exhausted.

    ``complete``: everything the sitemap lists was read. ``is_feed``: a document is RSS or Atom, which list
    only the newest pages. ``invalid`` counts entries without a usable URL, ``bytes`` what the opener gave,
    ``children`` the documents requested below the first. ``gone`` are those that answered 404 or 410.
    ``files`` are all documents, by address, in the order in which they were read.
    """

    complete: bool = True
    is_feed: bool = False
    urls: int = 0
    invalid: int = 0
    invalid_dates: int = 0
    children: int = 0
    bytes: int = 0
    gone: list[str] = field(default_factory=list)
    files: dict[str, FileReport] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0

    @property
    def lists_everything(self) -> bool:
        """Whether a page that is not in it can be taken for gone."""
        return self.complete and not self.is_feed

    def all_problems(self, root: str) -> list[Problem]:
        """Return what was only counted, then the problems. ``root`` is the address of the first document."""
        counted = []
        if self.invalid_dates:
            message = f"Values of lastmod that are no date or cannot be true, ignored: {self.invalid_dates}."
            counted.append(Problem("INVALID_DATES", root, message))
        if (more := self.problem_count - len(self.problems)) > 0:
            counted.append(Problem("MORE_PROBLEMS", root, f"Problems that are not listed: {more}."))
        return [*counted, *self.problems]

    def note(self, code: str, where: str, message: str) -> None:
        """Record a problem that does not affect the entries. Problems over MAX_PROBLEMS are only counted."""
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(code, where[:500], message))

    def note_error(self, code: str, where: str, message: str) -> None:
        """Record why a document was not read as a whole; of several reasons the first stays."""
        if (file := self.files.get(where)) is not None and file.error is None:
            file.error = Problem(code, where, message)

    def note_feed(self, where: str) -> None:
        if not self.is_feed:
            message = "A feed lists only the newest pages, so no page is taken for gone."
            self.note("FEED", where, message)
        self.is_feed = True

    def record_loss(self, code: str, where: str, message: str) -> None:
        """Record a problem that may have lost entries: the reading is incomplete."""
        self.complete = False
        self.note_error(code, where, message)
        if len(self.problems) >= MAX_PROBLEMS:
            self.problems.pop(0)  # a loss is always listed, also after very many minor problems
        self.note(code, where, message)


class ParseError(Exception):
    """A document that is not complete. What was yielded before the error stays valid.

    ``repairable``: reading it again through ``decoding.repaired`` may give the rest.
    """

    def __init__(self, code: str, message: str, *, repairable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.repairable = repairable


class DocumentUnreadable(Exception):
    """Raised by an opener for an answer that is no document, such as status 404 (then ``gone``).

    ``empty``: a child that has been gone for so long that it counts as one without an entry.
    """

    def __init__(self, message: str, *, gone: bool = False, empty: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.gone = gone
        self.empty = empty
