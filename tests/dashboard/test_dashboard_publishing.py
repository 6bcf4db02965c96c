"""Publishing in the dashboard: to a new connection, as a draft or live, and what to do when it fails."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from app.projects.service import find_project
from app.publishing import service
from app.publishing.targets.base import RemotePost
from tests.dashboard.conftest import Visitor
from tests.dashboard.connecting import FIELDS, connect, words
from tests.support.target_kinds import Diary


class TestPublishing:
    """From a post to its connection and back."""

    def test_a_post_without_a_target_leads_to_connecting_and_back(
        self, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        choose = alice.get(publish)
        assert choose.location == f"{targets}?post={post}"
        cards = alice.get(choose.location).text
        assert "How to keep garden notes that help" in cards
        assert f'href="{targets}/connect/diary?post={post}"' in cards
        failed = connect(alice, targets, post, secret="forgotten")
        assert failed.endswith(f"?post={post}")
        assert "Go on to publish" not in alice.get(failed).text
        page, query = failed.split("?")
        edited = alice.send(f"{page}/edit?{query}", {**FIELDS, "name": "Diary"}).location
        target = page.rpartition("/")[2]
        assert f'href="{publish}?target={target}">Go on to publish' in alice.get(edited).text

    @pytest.mark.parametrize("wanted", ["999999", "0", "-1", "https://evil.example", "%00", "1e3"])
    def test_only_a_post_of_the_project_is_gone_on_with(
        self, alice: Visitor, targets: str, post: int, diary: Diary, wanted: str
    ) -> None:
        page = connect(alice, targets)
        answer = alice.get(f"{page}?post={wanted}")
        assert answer.status_code == 200
        assert "Go on to publish" not in answer.text
        assert "evil" not in answer.text

    def test_a_hidden_draft_then_live_then_the_address_to_copy(
        self, app: Flask, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        target = connect(alice, targets, default_status="draft").rpartition("/")[2]
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        form = alice.get(publish).text
        assert re.search(r'id="visibility-draft" value="draft" checked', form)
        assert re.search(rf'id="target-{target}" value="{target}" checked', form)
        for visibility, heading in (("draft", "A hidden draft at"), ("live", "Live at")):
            job = alice.send(publish, {"target": target, "visibility": visibility}).location
            alice.run(job)
            text = alice.get(job).text
            assert f"{heading} diary.example" in words(text)
            assert '<code id="address">https://diary.example/garden-notes</code>' in text
            (there,) = diary.posts.values()
            assert there.status == visibility

    def test_among_several_none_is_chosen_unless_one_is_the_project_s_own(
        self, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        connect(alice, targets)
        second = connect(alice, targets, default_status="draft")
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        form = alice.get(publish).text
        assert not re.search(r'name="target"[^>]* checked', form)
        assert re.search(r'id="visibility-as-set" value="" checked', form)
        refused = alice.send(publish, {"visibility": ""})
        assert (refused.status_code, 'id="target-wrong"' in refused.text) == (422, True)
        alice.send(f"{second}/choice", {"chosen": "yes"}, page=targets)
        number = second.rpartition("/")[2]
        assert f'id="target-{number}" value="{number}" checked' in alice.get(publish).text
        alice.run(alice.send(publish, {"target": number, "visibility": ""}).location)
        (there,) = diary.posts.values()
        assert there.status == "draft"

    def test_the_changes_of_a_post_go_at_first_to_where_it_is_live(
        self, app: Flask, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        connect(alice, targets)
        home = connect(alice, targets).rpartition("/")[2]
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        alice.run(alice.send(publish, {"target": home, "visibility": "live"}).location)
        assert "Publish this post?" in alice.get(publish).text
        with app.app_context():
            db.session.get_one(BlogPost, post).title = "Another title"
            db.session.commit()
        form = alice.get(publish).text
        assert "Publish the changes?" in form
        assert f'id="target-{home}" value="{home}" checked' in form

    def test_a_connection_whose_last_test_failed_is_not_chosen_and_says_why(
        self, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        broken = connect(alice, targets, secret="forgotten", name="Old diary")
        alice.send(f"{broken}/choice", {"chosen": "yes"}, page=targets)
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        alone = alice.get(publish).text
        assert re.search(r'name="target"[^>]* checked', alone)
        assert "Its last test failed: the way in for posts was not found." in words(alone)
        works = connect(alice, targets).rpartition("/")[2]
        form = alice.get(publish).text
        assert f'id="target-{works}" value="{works}" checked' in form
        assert "was not found, so it is not chosen for you." in words(form)
        timed = alice.get(publish.replace("/publish", "/schedule")).text
        assert f'<option selected value="{works}">' in timed
        assert "Old diary (its last test failed)" in timed

    def test_a_draft_where_there_are_none_is_refused_beside_the_choice(
        self, app: Flask, alice: Visitor, targets: str, project_id: int, post: int, diary: Diary
    ) -> None:
        connect(alice, targets)
        with app.app_context():
            hook = {"url": "https://hooks.example.com/"}
            number = service.add_target(find_project(project_id), "webhook", "Hook", hook)[0].id
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        refused = alice.send(publish, {"target": str(number), "visibility": "draft"})
        assert (refused.status_code, 'id="visibility-wrong"' in refused.text) == (422, True)

    def test_a_refused_post_shows_what_the_target_said_and_leads_to_the_connection(
        self, alice: Visitor, targets: str, post: int, diary: Diary
    ) -> None:
        page = connect(alice, targets, secret="forgotten")
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        job = alice.send(publish, {"target": page.rpartition("/")[2], "visibility": "live"}).location
        alice.run(job)
        text = alice.get(job).text
        assert "Status it answered 401 In its words Who are you?" in words(text)
        assert f'href="{page}/edit?post={post}">Enter a new password or key' in text
        alice.send(f"{page}/edit", {**FIELDS, "name": "Diary"})
        assert "Try again" in text
        again = alice.send(f"{job}/retry", page=job).location
        alice.run(again)
        assert "Live at Diary" in words(alice.get(again).text)


class TestEditedThere:
    """A post that somebody changed at its target."""

    @pytest.fixture
    def stopped(self, app: Flask, alice: Visitor, targets: str, post: int, diary: Diary) -> str:
        """The job that did not replace the text there."""
        target = connect(alice, targets).rpartition("/")[2]
        publish = targets.replace("settings/targets", f"posts/{post}/publish")
        alice.run(alice.send(publish, {"target": target, "visibility": "live"}).location)
        diary.edit(title="Garden notes, my way", text="<p>My <em>own</em> words.</p><script>bad()</script>")
        with app.app_context():
            db.session.get_one(BlogPost, post).content += "\n\nOne more line about the notebook."
            db.session.commit()
        job = alice.send(publish, {"target": target, "visibility": "live"}).location
        alice.run(job)
        return job

    def test_both_texts_are_compared_and_the_one_there_replaced(
        self, alice: Visitor, diary: Diary, stopped: str
    ) -> None:
        assert f'href="{stopped}/texts">Compare both texts' in alice.get(stopped).text
        page = alice.get(f"{stopped}/texts").text
        assert "My own words." in words(page)
        assert "One more line about the notebook." in words(page)
        assert "bad()" not in page
        again = alice.send(f"{stopped}/texts").location
        alice.run(again)
        (there,) = diary.posts.values()
        assert there.title == "How to keep garden notes that help"
        assert "One more line" in (there.text or "")

    def test_only_its_owner_sees_the_texts_and_only_of_such_a_job(
        self, alice: Visitor, bob: Visitor, targets: str, post: int, stopped: str
    ) -> None:
        assert bob.get(f"{stopped}/texts").status_code == 404
        token = bob.hidden("/settings")
        assert bob.client.post(f"{stopped}/texts", data={**token, "job_key": "k"}).status_code == 404
        fine = f"{stopped.rpartition('/')[0]}/{int(stopped.rpartition('/')[2]) - 1}"
        assert alice.get(f"{fine}/texts").status_code == 404


def test_a_taken_address_offers_three_ways_on(alice: Visitor, targets: str, post: int, diary: Diary) -> None:
    diary.taken.add("garden-notes")
    target = connect(alice, targets).rpartition("/")[2]
    base = targets.replace("settings/targets", f"posts/{post}")
    job = alice.send(f"{base}/publish", {"target": target, "visibility": "live"}).location
    alice.run(job)
    text = alice.get(job).text
    change = re.search(rf'href="({base}/edit\?slug=garden-notes-2#slug)">Use “garden-notes-2” instead', text)
    assert change is not None
    assert 'value="garden-notes-2"' in alice.get(change[1].partition("#")[0]).text
    assert 'href="https://diary.example/">Open the site' in text
    assert f'href="{base}">Leave it' in text
    assert diary.posts == {}


def test_the_other_post_is_updated_after_both_texts_were_compared(
    alice: Visitor, targets: str, post: int, diary: Diary
) -> None:
    diary.taken.add("garden-notes")
    diary.others["garden-notes"] = RemotePost(
        "page-9", "https://diary.example/garden-notes", "live", None, "as shown", "garden-notes",
        "Old notes", "<p>Our own old notes.</p><script>bad()</script>",
    )  # fmt: skip
    target = connect(alice, targets).rpartition("/")[2]
    base = targets.replace("settings/targets", f"posts/{post}")
    job = alice.send(f"{base}/publish", {"target": target, "visibility": "draft"}).location
    alice.run(job)
    assert f'href="{job}/texts">Update the other post…' in alice.get(job).text
    page = alice.get(f"{job}/texts").text
    assert "Our own old notes." in words(page)
    assert "Readers see the post, and will see your text at once." in words(page)
    assert "bad()" not in page
    again = alice.send(f"{job}/texts").location
    alice.run(again)
    (there,) = diary.posts.values()
    assert (there.title, there.status) == ("How to keep garden notes that help", "live")
