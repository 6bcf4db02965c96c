"""The command line: answers on stdout, everything else on stderr, exit code 1 for failures."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from click.testing import Result
from flask import Flask

from app.accounts import keys, service
from app.accounts.model import Account
from app.executions import queries
from app.projects.service import find_project
from devtools.local import ROOT
from tests.support.databases import MakeDatabase
from tests.support.environment import service_environment
from tests.support.target_kinds import PASSWORD as DIARY_PASSWORD
from tests.support.target_kinds import Diary

Run = Callable[..., Result]

EMAIL = "alice@example.com"
PASSWORD = "correct horse battery"


@pytest.fixture
def run(app: Flask) -> Run:
    def invoke(*words: str, given: str | None = None, code: int = 0) -> Result:
        result = app.test_cli_runner().invoke(args=words, input=given)
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def alice(app: Flask) -> str:
    with app.app_context():
        service.sign_up(EMAIL, PASSWORD)
    return EMAIL


@pytest.fixture
def project(run: Run, alice: str) -> str:
    return run("project", "add", alice, "https://example.com").stdout.strip()


def signs_in(app: Flask, password: str) -> bool:
    with app.app_context():
        return isinstance(service.authenticate(EMAIL, password), Account)


def test_a_user_is_made_with_a_password_that_is_printed_once(app: Flask, run: Run) -> None:
    password = run("user", "create", EMAIL).stdout
    assert signs_in(app, password.rstrip("\n"))


def test_a_user_is_made_with_the_password_given(app: Flask, run: Run) -> None:
    result = run("user", "create", EMAIL, "--password-stdin", given=f"{PASSWORD}\n")
    assert (result.stdout, PASSWORD in result.stderr) == ("", False)
    assert signs_in(app, PASSWORD)


def test_a_rejected_user_is_reported_on_stderr(run: Run, alice: str) -> None:
    result = run("user", "create", "alice", "--password-stdin", given="short\n", code=1)
    assert result.stdout == ""
    assert "email: " in result.stderr
    assert "password: " in result.stderr
    assert "already" in run("user", "create", alice, code=1).stderr


def test_a_password_is_reset(app: Flask, run: Run, alice: str) -> None:
    password = run("user", "reset-password", alice).stdout.strip()
    assert signs_in(app, password)
    assert not signs_in(app, PASSWORD)
    run("user", "reset-password", alice, "--password-stdin", given="short\n", code=1)
    assert signs_in(app, password)
    run("user", "reset-password", alice, "--password-stdin", given=f"{PASSWORD}\n")
    assert signs_in(app, PASSWORD)


def test_a_key_is_printed_alone_and_works_until_it_is_revoked(app: Flask, run: Run, alice: str) -> None:
    text = run("api-key", "create", alice, "--name", "ci").stdout.rstrip("\n")
    with app.app_context():
        key = keys.authenticate_key(text)
        assert (service.get_account(key.account_id).email, key.can_write) == (alice, True)
    listed = run("api-key", "list", alice).stdout
    assert "active" in listed
    assert text not in listed
    run("api-key", "revoke", alice, listed.split("\t")[0])
    assert "revoked" in run("api-key", "list", alice).stdout


def test_a_key_may_be_made_for_reading_only(run: Run, alice: str) -> None:
    run("api-key", "create", alice, "--name", "dashboard", "--read-only")
    assert "\tread\t" in run("api-key", "list", alice).stdout


def test_a_key_may_be_limited_and_rolled(app: Flask, run: Run, alice: str) -> None:
    project = run("project", "add", alice, "https://example.com").stdout.strip()
    limits = ("--project", project, "--scope", "posts", "--scope", "pages")
    former = run("api-key", "create", alice, "--name", "ci", *limits).stdout.strip()
    listed = run("api-key", "list", alice).stdout
    assert f"\twrite:pages,posts@{project}\t" in listed
    text = run("api-key", "roll", alice, listed.split("\t")[0], "--overlap-hours", "1").stdout.strip()
    with app.app_context():
        assert keys.authenticate_key(text).id == keys.authenticate_key(former).id


@pytest.mark.parametrize(
    "words",
    [("user", "reset-password"), ("api-key", "list"), ("api-key", "create", "--name", "x"),
     ("project", "add", "https://example.com")],
)  # fmt: skip
def test_an_unknown_account_is_reported(run: Run, words: tuple[str, ...]) -> None:
    noun, verb, *rest = words
    assert "no account bob@example.com" in run(noun, verb, "bob@example.com", *rest, code=1).stderr


def test_a_project_is_added_with_its_sitemap(app: Flask, run: Run, alice: str) -> None:
    added = run("project", "add", alice, "https://example.com", "--sitemap", "https://example.com/s.xml")
    with app.app_context():
        assert find_project(int(added.stdout)).sitemap_url == "https://example.com/s.xml"
    assert "already exists" in run("project", "add", alice, "https://example.com", code=1).stderr
    assert "not public" in run("project", "add", alice, "http://10.0.0.1", code=1).stderr


def test_a_sync_is_queued_and_shown(app: Flask, run: Run, alice: str) -> None:
    project = run("project", "add", alice, "https://example.com", "--sitemap", "https://example.com/s.xml")
    job_id = run("project", "sync", project.stdout.strip()).stdout.strip()
    shown = run("execution", "show", job_id).stdout
    assert f"Execution {job_id}: SYNC_SITEMAP" in shown
    assert "JOB_CREATED" in shown
    assert "the command line" in shown


@pytest.mark.parametrize("words", [("project", "sync"), ("execution", "show"), ("execution", "run")])
def test_missing_things_are_reported(run: Run, words: tuple[str, str]) -> None:
    assert "There is no such" in run(*words, "999999", code=1).stderr


def test_a_target_is_added_and_its_secret_printed_alone(run: Run, project: str) -> None:
    secret = run("target", "add", project, "webhook", "url=https://example.com/hook").stdout
    assert secret.startswith("whsec_")
    assert (
        "of this name" in run("target", "add", project, "webhook", "url=https://example.com/b", code=1).stderr
    )
    assert "not public" in run("target", "add", project, "webhook", "url=http://10.0.0.1/", code=1).stderr
    assert "kind" in run("target", "add", project, "pigeon", "url=https://example.com/", code=1).stderr


class TestASecretThatIsEntered:
    """It is asked for or read from standard input, and never printed."""

    @pytest.fixture
    def words(self, project: str, diary: Diary) -> list[str]:
        return ["target", "add", project, "diary", "url=https://diary.example/", "owner=Alice"]

    @pytest.mark.parametrize("option", [[], ["--secret-stdin"]])
    def test_a_target_is_added_with_it_and_tested(
        self, run: Run, project: str, words: list[str], option: list[str]
    ) -> None:
        added = run(*words, *option, given=f"{DIARY_PASSWORD}\n")
        assert added.stdout == ""
        assert DIARY_PASSWORD not in added.output
        tested = run("target", "test", project, "diary").stdout
        assert tested.splitlines()[0] == "ok  reachable: The diary is there."

    def test_a_failed_test_exits_with_1_and_says_what_to_do(
        self, run: Run, project: str, words: list[str]
    ) -> None:
        run(*words, "--name", "Blog", given="forgotten\n")
        tested = run("target", "test", project, "Blog", code=1).stdout
        assert "failed  api_found: The publish target refused the credentials." in tested
        assert "Set a new secret for the target." in tested

    def test_a_wrong_one_is_refused_and_not_repeated(self, run: Run, words: list[str]) -> None:
        refused = run(*words, "--secret-stdin", given="abcd\n", code=1)
        assert "at least five characters" in refused.output
        assert "abcd" not in refused.output
        assert "secret" in run(*words, "secret=open sesame", given="x\n", code=1).stderr


class TestRunning:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        # Nobody listens there: the fetch fails at once, whatever this machine reaches.
        return {"FETCH_ALLOW": "127.0.0.1:9"}

    def test_a_job_is_run_here_and_its_failure_is_the_commands(
        self, app: Flask, run: Run, alice: str
    ) -> None:
        site = "http://127.0.0.1:9"
        project = run("project", "add", alice, site, "--sitemap", f"{site}/sitemap.xml").stdout.strip()
        job_id = run("project", "sync", project).stdout.strip()
        result = run("execution", "run", job_id, code=1)
        assert "JOB_STARTED" in result.stdout
        assert "SITEMAP_UNREACHABLE" in result.stdout
        with app.app_context():
            assert queries.reload(int(job_id)).attempt == 1


def test_reconcile_submits_syncs_that_are_due(run: Run, project: str) -> None:
    assert "syncs submitted: 1" in run("reconcile").stdout
    assert "syncs submitted: 0" in run("reconcile").stdout


def test_the_description_of_the_api_is_printed(run: Run) -> None:
    assert json.loads(run("openapi").stdout)["openapi"].startswith("3.1")


@pytest.mark.thorough
def test_a_database_that_is_not_migrated_is_reported(empty_database: MakeDatabase) -> None:
    words = [sys.executable, "-m", "flask", "--app", "wsgi", "user", "create", EMAIL]
    env = service_environment(DATABASE_URL=empty_database("sqlite"))
    result = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert "migrated?" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.thorough
def test_logs_stay_out_of_an_answer(fresh_database: MakeDatabase) -> None:
    # Redis is unavailable in this environment, which the queue logs as a warning.
    env = service_environment(DATABASE_URL=fresh_database("sqlite"))

    def flask(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "flask", "--app", "wsgi", *words]
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)

    flask("user", "create", EMAIL)
    added = flask("project", "add", EMAIL, "https://example.com", "--sitemap", "https://example.com/s.xml")
    synced = flask("project", "sync", added.stdout.strip())
    assert synced.stdout.strip().isdigit()
    assert "Redis is unavailable" in synced.stderr
