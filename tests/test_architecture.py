"""Rules that every module has to keep."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from app.failures import CATALOGUE
from devtools.local import ROOT

CODE = sorted(ROOT.glob("app/**/*.py"))
TEMPLATES = sorted(ROOT.glob("app/templates/**/*.html"))
TEST_MODULES = sorted(ROOT.glob("tests/**/test_*.py"))
OUTSIDE_APP = ("tests/**/*.py", "devtools/**/*.py", "migrations/**/*.py", "*.py")
MODULES = [*CODE, *sorted(path for pattern in OUTSIDE_APP for path in ROOT.glob(pattern))]
NAMING_TASKS = ("app/infra/queue.py", "app/jobs/periodic.py")
HTTP_CLIENTS = {"urllib3", "requests", "httpx", "aiohttp", "http.client", "urllib.request", "pycurl"}
IMPURE = ("flask", "sqlalchemy", "redis", "rq", "urllib3", "psycopg")
CATEGORIES = {"validation", "policy", "dependency", "timeout", "quota", "unknown"}
IMPORTED_LATE = {
    "app.content.quality.gate": "the checks of a text that is saved",
    "app.content.topic_check": "the writer that a check of a topic tries",
    "app.pages.extraction.extract": "BeautifulSoup",
    "app.pages.site_check": "the reading of sitemaps",
    "app.pages.sync.apply": "the same",
    "app.publishing.targets.git.local": "dulwich",
}
"""Modules that functions may import, because they load what few requests of a web process need."""

MOST_LINES = 300
LONGEST_LINE = 120

PURE = (
    "app.failures",
    "app.executions.states",
    "app.infra.http.address_rules",
    "app.infra.s3.signature",
    "app.infra.urls",
    "app.infra.local_time",
    "app.autopilot.slots",
    "app.keywords.coverage",
    "app.keywords.texts",
    "app.search_performance.reading",
    "app.spreadsheets.columns",
    "app.spreadsheets.numbers",
    "app.spreadsheets.tables",
    "app.pages.sync.decide",
    "app.pages.crawling.robots",
    "app.pages.sitemaps.entries",
    "app.infra.http.headers",
    "app.content.planning.brief",
    "app.content.writing.digest.outline",
    "app.content.writing.digest.compose",
    "app.content.assembly.assemble",
    "app.content.assembly.cover",
    "app.content.assembly.pictures",
    "app.content.quality.gate",
    "app.content.writing.digest.engine",
    "app.content.retrieval.evidence",
    "app.content.assembly.mentions",
    "app.content.writing.veto.rules",
    "app.content.writing.article.checking",
    "app.content.writing.article.sections",
    "app.content.writing.article.writer",
)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@dataclass(frozen=True)
class Parsed:
    """What the rules ask of a module of the code."""

    docstring: str | None
    imports: list[ast.Import | ast.ImportFrom]


@cache
def parsed(path: Path) -> Parsed:
    """Each module is parsed once for all rules."""
    module = tree(path)
    imports = [node for node in ast.walk(module) if isinstance(node, ast.Import | ast.ImportFrom)]
    return Parsed(ast.get_docstring(module), imports)


def imported(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def task_strings() -> list[str]:
    nodes = (node for name in NAMING_TASKS for node in ast.walk(tree(ROOT / name)))
    values = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return sorted(value for value in values if value.startswith("app.") and " " not in value)


@pytest.mark.parametrize("task", task_strings())
def test_every_task_named_by_a_string_exists(task: str) -> None:
    module, _, name = task.rpartition(".")
    assert callable(getattr(import_module(module), name))


def test_the_strings_of_tasks_are_found() -> None:
    assert {"app.jobs.tasks.read_pages", "app.jobs.tasks.submit_due_syncs"} <= set(task_strings())


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_every_failure_has_a_category_a_message_and_hints(code: str) -> None:
    kind = CATALOGUE[code]
    assert kind.code == code
    assert kind.category in CATEGORIES
    assert kind.http is None or 400 <= kind.http < 600
    assert kind.message.endswith((".", "?"))
    assert kind.hints
    assert all(hint.strip() for hint in kind.hints)


def test_every_module_has_a_docstring() -> None:
    assert [named(path) for path in CODE if not parsed(path).docstring] == []


def test_no_module_is_longer_than_300_lines() -> None:
    """A longer file says so in its docstring, with the reason: "Long because ..."."""
    long = [path for path in MODULES if len(path.read_text().splitlines()) > MOST_LINES]
    assert [named(path) for path in long if "Long because" not in (ast.get_docstring(tree(path)) or "")] == []


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python before 3.11.5, which Debian 12 has, matches wrongly with "(?:…)*+"."""
    possessive = re.compile(r"""["'].*[^(]\)[*+?]\+""")
    lines = ((path, line) for path in CODE for line in path.read_text(encoding="utf-8").splitlines())
    assert sorted({named(path) for path, line in lines if possessive.search(line)}) == []


def test_no_line_of_a_template_is_longer_than_120_characters() -> None:
    lines = ((path, line) for path in TEMPLATES for line in path.read_text(encoding="utf-8").splitlines())
    assert sorted({str(path.relative_to(ROOT)) for path, line in lines if len(line) > LONGEST_LINE}) == []


def test_our_own_modules_are_imported_at_the_top_but_for_those_that_few_requests_need() -> None:
    late = {
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for path in CODE
        for node in parsed(path).imports
        if node.col_offset > 0
        if any(name.split(".")[0] == "app" for name in imported(node))
    }
    assert late == set(IMPORTED_LATE)


def test_only_the_http_client_package_imports_an_http_client() -> None:
    found = {
        named(path)
        for path in CODE
        for node in parsed(path).imports
        if not HTTP_CLIENTS.isdisjoint(imported(node))
    }
    assert {path.rpartition("/")[0] for path in found} == {"app/infra/http"}


def test_only_one_module_speaks_smtp() -> None:
    found = {named(path) for path in CODE for node in parsed(path).imports if "smtplib" in imported(node)}
    assert found == {"app/infra/mail.py"}


def test_pure_modules_need_no_framework_no_database_and_no_network() -> None:
    """One process imports them all, and says after each one what it has loaded."""
    program = (
        f"import sys\nfrom importlib import import_module\nfor module in {PURE!r}:\n"
        f" import_module(module); print(module, *[name for name in {IMPURE!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == list(PURE)


def test_only_the_transitions_change_a_jobs_status() -> None:
    """A status is a keyword of ``values`` in one place; the first one of a new row is no change."""
    found = {
        named(path)
        for path in ROOT.glob("app/executions/*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "values"
        and any(keyword.arg == "status" for keyword in node.keywords)
    }
    assert found == {"app/executions/transitions.py"}


def test_test_modules_have_different_names() -> None:
    counts = Counter(path.name for path in TEST_MODULES)
    assert [name for name, count in counts.items() if count > 1] == []
