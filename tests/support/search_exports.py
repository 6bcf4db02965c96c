"""Exports of Google Search Console, as it writes them in several languages."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date

from flask import Flask

from app.infra.db import db
from app.search_performance.model import SearchImport

HEADERS = {
    "en": (
        "Queries",
        "Top queries",
        "Pages",
        "Top pages",
        "Chart",
        "Date",
        "Clicks",
        "Impressions",
        "Position",
    ),
    "de": (
        *("Suchanfragen", "Häufigste Suchanfragen", "Seiten", "Die häufigsten Seiten"),
        *("Diagramm", "Datum", "Klicks", "Impressionen", "Position"),
    ),
    "fr": (
        *("Requêtes", "Requêtes les plus fréquentes", "Pages", "Pages les plus populaires"),
        *("Graphique", "Date", "Clics", "Impressions", "Position"),
    ),
    "es": (
        *("Consultas", "Consultas principales", "Páginas", "Páginas principales"),
        *("Gráfico", "Fecha", "Clics", "Impresiones", "Posición"),
    ),
}

Row = tuple[str, int, int, str]


def search_export(
    queries: Sequence[Row], pages: Sequence[Row] = (), days: Sequence[str] = (), language: str = "en"
) -> bytes:
    """The zip of an export, with the files that are not imported, too."""
    file_q, top_q, file_p, top_p, file_d, day, clicks, shown, place = HEADERS[language]
    figures = f"{clicks},{shown},CTR,{place}"
    files = {
        file_q: [f"{top_q},{figures}", *(_line(*row) for row in queries)],
        file_p: [f"{top_p},{figures}", *(_line(*row) for row in pages)],
        "Countries": [f"Country,{figures}", "Germany,10,20,50%,3.1"],
        file_d: [f"{day},{figures}", *(f"{each},1,2,50%,3.1" for each in days)],
        "Filters": ["Filter,Value", "Search type,Web"],
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.items():
            archive.writestr(f"{name}.csv", "\n".join(lines) + "\n")
    return buffer.getvalue()


def _line(subject: str, clicks: int, impressions: int, position: str) -> str:
    quoted = f'"{subject}"' if "," in subject else subject
    return f"{quoted},{clicks},{impressions},{clicks / impressions:.2%},{position}"


def search_import_of(app: Flask, project_id: int) -> int:
    """The id of an imported period of a project, without rows."""
    with app.app_context():
        found = SearchImport(
            project_id=project_id, first_day=date(2026, 3, 1), last_day=date(2026, 5, 31), source="May.zip"
        )
        db.session.add(found)
        db.session.commit()
        return found.id
