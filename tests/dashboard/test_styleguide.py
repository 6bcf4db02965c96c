"""The style guide: there in development, absent in production."""

from __future__ import annotations

from dataclasses import replace

from app.dashboard.ui.presentation import STATUS
from app.factory import create_app


def test_the_style_guide_shows_every_colour_and_every_state(alice):
    page = alice.get("/styleguide").text
    assert all(f"</span>{word.text}</span>" in page for word in STATUS.values())
    assert "var(--accent)" in page
    assert "var(--mark-line)" in page


def test_the_style_guide_shows_the_parts_of_lists_and_pages(alice):
    page = alice.get("/styleguide").text
    for part in ("crumbs", "bar", "saved-filters", "pager", "stepper", "with-picture", "dialog-foot", "keys"):
        assert f'class="{part}"' in page, part


def test_production_has_no_style_guide(settings):
    client = create_app(replace(settings, environment="production")).test_client()
    assert client.get("/styleguide").status_code == 404
