"""The export of an account: everything of it, nothing of others, and no secret."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts import service
from app.accounts.model import Account
from app.content.model import BlogPost
from app.infra.db import Base, db
from app.keywords.model import Keyword
from app.offboarding.export import SECRETS, export_chunks, is_exported
from tests.support.populated import Rows, populate

pytestmark = pytest.mark.usefixtures("db_app")

SMALL = {"pages": 3, "page_contents": 3, "blog_posts": 2, "keywords": 2}
LARGE = {
    "projects": 2, "pages": 10_000, "page_contents": 10_000, "blog_posts": 500, "publish_targets": 2,
    "publications": 20, "keywords": 2_000, "job_history": 1_000,
}  # fmt: skip


def exported(made: Rows) -> dict[str, str]:
    """The files of the export of an account, read as text."""
    account = service.get_account(made["accounts"][0]["id"])
    data = b"".join(export_chunks(account))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def lines_by_table(files: Mapping[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, text in files.items():
        if name.endswith(".jsonl"):
            table = name.rpartition("/")[2].removesuffix(".jsonl")
            found[table] = found.get(table, 0) + len([json.loads(line) for line in text.splitlines()])
    return found


@pytest.mark.parametrize("counts", [SMALL, pytest.param(LARGE, marks=pytest.mark.thorough)])
def test_it_has_every_row_of_the_account_and_none_of_another(db_app: Flask, counts: dict[str, int]) -> None:
    populate(1, "yqx", counts)
    made = populate(2, "zqx", counts)
    files = exported(made)
    expected = {name: len(rows) for name, rows in made.items() if name != "site_backoffs"}
    assert lines_by_table(files) == expected
    everything = "".join(files.values())
    assert "yqx" not in everything
    posts = [name for name in files if "/posts/" in name]
    assert sorted({name.rpartition(".")[2] for name in posts}) == ["json", "md"]
    assert len(posts) == 2 * len(made["blog_posts"])


def test_no_secret_is_in_it(db_app: Flask) -> None:
    made = populate(2, "zqx", SMALL)
    columns = [column for table in Base.metadata.sorted_tables for column in table.columns]
    hidden = {column.name for column in columns if not is_exported(column)}
    assert hidden >= {*SECRETS, "secret", "refresh_token"}
    everything = "".join(exported(made).values())
    for rows in made.values():
        for row in rows:
            secrets = [value for name, value in row.items() if name in hidden]
            assert not any(str(secret) in everything for secret in secrets)


def test_every_column_that_sounds_secret_is_left_out_or_known_to_be_none() -> None:
    """A new column of such a name must be added to the secrets, or here."""
    harmless = {
        "primary_keyword", "keywords", "keyword_text", "source_hashes", "source_hash", "content_hash",
        "object_key", "cover_digest", "idempotency_key", "key", "key_features", "text_key",
    }  # fmt: skip
    words = ("secret", "token", "password", "hash", "digest", "key")
    names = {
        column.name
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if is_exported(column) and any(word in column.name for word in words)
    }
    assert names <= harmless


def test_cells_that_would_be_formulas_are_text(db_app: Flask) -> None:
    made = populate(2, "zqx", SMALL)
    formula = '=HYPERLINK("http://evil.example";"x")'
    db.session.execute(update(Keyword).values(country="", data_source="").where(Keyword.id > 0))
    db.session.execute(update(BlogPost).values(title=formula))
    db.session.commit()
    csv = next(text for name, text in exported(made).items() if name.endswith("/posts.csv"))
    assert "\"'=HYPERLINK(" in csv
    assert ",=HYPERLINK" not in csv


def test_an_empty_account_has_an_export_too(db_app: Flask) -> None:
    service.sign_up("alice@example.com", "correct horse battery")
    account = db.session.query(Account).one()
    data = b"".join(export_chunks(account))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read("tables/accounts.jsonl"))["email"] == "alice@example.com"
        assert not [name for name in archive.namelist() if name.startswith("projects/")]
