"""The Help page, the sheet of shortcuts, and the letters that lead to the screens."""

from __future__ import annotations

import re

from app.dashboard.ui.navigation import EVERYTHING, SITE, SITE_JOBS, SITE_SETTINGS
from app.dashboard.ui.shortcuts import ANYWHERE, SCREENS


def test_help_links_to_the_screens_of_the_site_that_it_was_opened_from(alice, bob, project_id):
    page = alice.get(f"/projects/{project_id}/keywords").text
    assert f'href="/help?project={project_id}"' in page
    for path in ("/help", f"/help?project={project_id}"):
        text = alice.get(path).text
        assert f'<dt><a href="/projects/{project_id}/calendar">Calendar</a></dt>' in text
        assert "Show this list" in text
    assert "<dt><b>Calendar</b></dt>" in bob.get("/help").text
    assert bob.get(f"/help?project={project_id}").status_code == 404


def test_each_screen_of_the_sheet_is_a_link_with_its_letter(alice, project_id):
    page = alice.get(f"/projects/{project_id}/pages").text
    sheet = alice.client.get("/help/shortcuts", headers={"X-Requested-With": "fetch"}).text
    for shortcut in SCREENS:
        assert re.search(rf'data-key="{shortcut.keys[-1]}">.*?{shortcut.does}', page, re.DOTALL)
        assert f"<dd>{shortcut.does}</dd>" in sheet


def test_the_address_of_the_sheet_opened_as_a_page_leads_to_the_shortcuts_of_help(alice):
    answer = alice.get("/help/shortcuts")
    assert (answer.status_code, answer.location) == (302, "/help#shortcuts")
    assert 'id="shortcuts"' in alice.get(answer.location).text


def test_no_letter_means_two_things():
    site = [entry.key for entry in (*SITE, *SITE_SETTINGS, SITE_JOBS) if entry.key]
    everything = [entry.key for entry in EVERYTHING if entry.key]
    assert len(set(site)) == len(site)
    assert set(site) & set(everything) == {SITE_JOBS.key}
    assert {each.keys[0] for each in ANYWHERE}.isdisjoint({"g", *site, *everything})
