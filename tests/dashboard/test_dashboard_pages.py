"""Pages are added by their addresses, found, filtered and preferred."""

from __future__ import annotations


def test_pages_are_added_found_and_filtered(alice, project_id, things):
    path = f"/projects/{project_id}/pages"
    added = alice.send(path, {"url": "https://alice.example.com/beans"})
    assert added.status_code == 302
    assert "/beans" in alice.get(path).text
    found = alice.get(f"{path}?q=grind").text
    assert "/grinders" in found
    assert "/beans" not in found
    assert "No page matches" in alice.get(f"{path}?state=stale").text


def test_a_page_of_another_site_is_rejected_with_the_reason(alice, project_id):
    answer = alice.send(f"/projects/{project_id}/pages", {"url": "https://elsewhere.example.org/x"})
    assert answer.status_code == 422
    assert "not on the project" in answer.text


def test_addresses_that_cannot_be_pages_are_named_together_and_none_is_added(alice, project_id):
    pages = f"/projects/{project_id}/pages"
    own = "alice.example.com/new"
    refused = alice.send(pages, {"url": f"{own}\nhttps://elsewhere.example.org/\nno address"})
    assert refused.status_code == 422
    assert [f"No. {number}: " in refused.text for number in (1, 2, 3)] == [False, True, True]
    assert own in refused.text
    assert "No page matches" in alice.get(f"{pages}?q=new").text
    assert "Enter up to 100 at once." in alice.send(pages, {"url": f"{own}\n" * 101}).text
    alice.send(pages, {"url": f"{own}\n{own}\n{own}-too"})
    assert "2 pages added. 1 in the list already." in alice.get(pages).text


def test_any_page_is_always_used_and_no_longer(alice, project_id, things):
    pages = f"/projects/{project_id}/pages"
    path = f"{pages}/{things['page_id']}"
    for word, sign in (("yes", "Preferred as a source"), ("no", "May be quoted")):
        assert f'name="always_use" value="{word}"' in alice.get(path).text
        assert alice.send(f"{path}/always-use", {"always_use": word}, page=path).location == path
        assert sign in alice.get(path).text
    known = {"url": "https://alice.example.com/grinders"}
    alice.send(pages, {**known, "always_use": "y"})
    assert "Preferred as a source" in alice.get(path).text
    alice.send(pages, known)
    assert "Preferred as a source" in alice.get(path).text
