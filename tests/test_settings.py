"""Settings are checked as a whole and documented one by one, and never show secrets."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
from dotenv import dotenv_values

from app.config import InvalidSettings, Settings, load_settings
from devtools.local import ROOT, new_secrets
from tests.support.environment import settings_environment

POSTGRESQL = "postgresql://user:hunter2@db.example.com/seo"
PRODUCTION = {"APP_ENV": "production", "DATABASE_URL": POSTGRESQL, "REDIS_URL": "rediss://redis.example.com"}
LAUNCHER_ONLY = {"DEMO_PORT", "PORT", "BIND_ADDRESS", "WEB_CONCURRENCY"}


class NamesRead(dict[str, str]):
    """An environment that records which names are read."""

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        self.names.add(name)
        return super().get(name, default)


@pytest.fixture
def setting_names() -> set[str]:
    environ = NamesRead(
        settings_environment(**PRODUCTION, FETCH_ALLOW="10.0.0.1:80", FETCH_ALLOW_IN_PRODUCTION="1")
    )
    load_settings(environ)
    return environ.names


def test_every_setting_is_documented_and_nothing_else(setting_names: set[str]) -> None:
    table_rows = re.findall(
        r"^\| `([A-Z0-9_]+)` \|", (ROOT / "docs/configuration.md").read_text(), re.MULTILINE
    )
    assert set(table_rows) == setting_names | LAUNCHER_ONLY
    assert len(table_rows) == len(set(table_rows))


def test_the_example_file_names_every_setting_and_changes_none(setting_names: set[str]) -> None:
    example = ROOT / ".env.example"
    names = re.findall(r"^# ([A-Z0-9_]+)=", example.read_text(), re.MULTILINE)
    assert set(names) == setting_names | LAUNCHER_ONLY
    assert dotenv_values(example) == {}


def test_the_documented_defaults_are_the_defaults() -> None:
    plain = load_settings(settings_environment())
    environ = settings_environment()
    for name, default in documented_defaults().items():
        if name not in environ:
            environ[name] = default
    assert load_settings(environ) == plain


def documented_defaults() -> dict[str, str]:
    rows = re.findall(
        r"^\| `([A-Z0-9_]+)` \| `([^`]+)` \|", (ROOT / "docs/configuration.md").read_text(), re.MULTILINE
    )
    return {name: default for name, default in rows if name not in LAUNCHER_ONLY}


def test_app_json_generates_every_secret_and_names_only_settings(setting_names: set[str]) -> None:
    env = json.loads((ROOT / "app.json").read_text())["env"]
    assert set(env) <= setting_names
    generated = {name for name, entry in env.items() if entry.get("generator") == "secret"}
    assert generated == {"SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY"}


def test_all_problems_are_listed_at_once() -> None:
    broken = {
        "DATABASE_URL": "sqlite:////x",
        "LOG_LEVEL": "LOUD",
        "PAGE_BATCH": "many",
        "SECRET_KEY": "short",
    }
    with pytest.raises(InvalidSettings) as caught:
        load_settings(broken)
    text = str(caught.value)
    for name in (*broken, "REDIS_URL", "API_KEY_PEPPER", "ENCRYPTION_KEY"):
        assert name in text


def test_a_problem_does_not_quote_a_secret() -> None:
    with pytest.raises(InvalidSettings) as caught:
        load_settings(settings_environment(SECRET_KEY="hunter2", APP_ENV="production"))
    assert "hunter2" not in str(caught.value)


def test_a_worker_can_serve_some_of_the_queues_in_their_usual_order() -> None:
    assert load_settings(settings_environment()).worker_queues == ("periodic", "executions", "pages")
    some = load_settings(settings_environment(WORKER_QUEUES="pages, periodic"))
    assert some.worker_queues == ("periodic", "pages")
    with pytest.raises(InvalidSettings, match="WORKER_QUEUES must be one or several of periodic,"):
        load_settings(settings_environment(WORKER_QUEUES="pages,mails"))


def test_a_bucket_needs_all_its_settings_and_none_without_one() -> None:
    bucket = {
        "S3_ENDPOINT": "https://s3.example.com", "S3_BUCKET": "pictures", "S3_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "S3_SECRET_ACCESS_KEY": "a secret", "S3_PREFIX": "seo/live",
    }  # fmt: skip
    assert load_settings(settings_environment(IMAGE_STORAGE="s3", **bucket)).s3_prefix == "seo/live"
    for environ in ({"IMAGE_STORAGE": "s3"}, {"S3_BUCKET": "pictures"}):
        with pytest.raises(InvalidSettings, match="also needs S3_ENDPOINT"):
            load_settings(settings_environment(**environ))
    for name, text in (("S3_PREFIX", "/seo"), ("S3_PREFIX", "a/../b"), ("S3_ENDPOINT", "s3.example.com/a")):
        with pytest.raises(InvalidSettings, match=f"{name} must be"):
            load_settings(settings_environment(**{**bucket, name: text}))


def test_secrets_are_not_in_the_repr() -> None:
    environ = settings_environment(**PRODUCTION, LLM_API_KEY="sk-llm-key-of-alice")
    settings = load_settings(environ)
    shown = f"{settings!r} {settings}"
    hidden = ("SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY", "DATABASE_URL", "REDIS_URL", "LLM_API_KEY")
    assert not [name for name in hidden if environ[name] in shown]
    assert settings.encryption_key not in shown
    assert "hunter2" not in shown
    assert "job_deadline=600" in shown


def test_any_long_secret_makes_an_encryption_key() -> None:
    for secret in ("0123456789abcdef" * 3 + "0", base64.urlsafe_b64encode(bytes(range(32))).decode()):
        key = load_settings(settings_environment(ENCRYPTION_KEY=secret)).encryption_key
        assert len(base64.urlsafe_b64decode(key)) == 32


@pytest.mark.parametrize("name", ["SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY", "METRICS_TOKEN"])
@pytest.mark.parametrize(
    "weak", ["x" * 64, "changeme" * 8, "0123456789abcdef" * 4, "abcde" * 6 + "abcd", "hunter2"]
)
def test_a_secret_that_is_short_or_repeats_itself_is_refused(name: str, weak: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{name} (repeats a few characters|is too short)") as caught:
        load_settings(settings_environment(**{name: weak}))
    assert weak not in str(caught.value)


def test_a_secret_has_at_least_32_characters() -> None:
    text = "".join(chr(65 + number) for number in range(32))
    assert load_settings(settings_environment(SECRET_KEY=text)).secret_key == text
    with pytest.raises(InvalidSettings, match="SECRET_KEY is too short"):
        load_settings(settings_environment(SECRET_KEY=text[1:]))


@pytest.mark.parametrize("name", ["PUBLIC_URL", "TERMS_URL", "S3_ENDPOINT"])
def test_an_address_with_a_user_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{name} must be"):
        load_settings(settings_environment(**{name: "https://user:hunter2@example.com"}))


def test_production_refuses_the_secrets_of_bin_dev() -> None:
    made = new_secrets()
    load_settings(settings_environment(**made))
    with pytest.raises(InvalidSettings) as caught:
        load_settings(settings_environment(**PRODUCTION, **made))
    assert all(f"{name} is one that bin/dev made" in str(caught.value) for name in made)


def test_production_refuses_one_secret_for_two_purposes() -> None:
    same = dict.fromkeys(("SECRET_KEY", "ENCRYPTION_KEY"), "a secret of the tests, used for two")
    load_settings(settings_environment(**same))
    with pytest.raises(InvalidSettings, match="must differ"):
        load_settings(settings_environment(**PRODUCTION, **same))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_platform_database_addresses_select_the_driver(scheme: str) -> None:
    settings = load_settings(settings_environment(DATABASE_URL=f"{scheme}://u:p@h/d"))
    assert settings.database_url == "postgresql+psycopg://u:p@h/d"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "db.example.com"),
        ("DATABASE_URL", "mysql://u:hunter2@h/d"),
        ("DATABASE_URL", "postgresql://u:hunter2@h:port/d"),
        ("DATABASE_URL", "sqlite://srv/x.sqlite3"),
        ("REDIS_URL", "redis.example.com"),
        ("REDIS_URL", "redis://:hunter2@h:port"),
    ],
)
def test_an_unusable_address_is_refused_without_showing_its_password(name: str, address: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{name} must be") as caught:
        load_settings(settings_environment(**{name: address}))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"DATABASE_URL": "sqlite:////srv/x.sqlite3"}, "DATABASE_URL"),
        ({"REDIS_URL": "unix:///srv/redis.sock"}, "REDIS_URL"),
        ({"FETCH_ALLOW": "127.0.0.1:80"}, "FETCH_ALLOW"),
        ({"FAULT_DIRECTORY": "/tmp/faults"}, "FAULT_DIRECTORY"),
        ({"GIT_ROOT": "/tmp"}, "GIT_ROOT"),
    ],
)
def test_production_refuses_settings_for_a_single_machine(changed: dict[str, str], named: str) -> None:
    load_settings(settings_environment(**PRODUCTION))
    with pytest.raises(InvalidSettings, match=named):
        load_settings(settings_environment(**{**PRODUCTION, **changed}))


def test_repositories_may_be_on_the_disk_in_production_if_nobody_can_sign_up() -> None:
    load_settings(settings_environment(**PRODUCTION, GIT_ROOT="/tmp", SIGN_UP="closed"))


@pytest.mark.parametrize("path", ["srv/git", "/nowhere/at/all", "/", "/etc/passwd"])
def test_the_root_of_repositories_is_a_folder(path: str) -> None:
    with pytest.raises(InvalidSettings, match="GIT_ROOT must be the absolute path"):
        load_settings(settings_environment(GIT_ROOT=path))


MAIL = {"SMTP_HOST": "smtp.example.com", "SMTP_FROM": "notices@example.com", "PUBLIC_URL": "https://x.test"}


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"SMTP_FROM": ""}, "SMTP_FROM is not set"),
        ({"PUBLIC_URL": ""}, "PUBLIC_URL is not set"),
        ({"SMTP_USER": "proseroot"}, "SMTP_USER and SMTP_PASSWORD"),
        ({"SMTP_USER": "u", "SMTP_PASSWORD": "hunter2", "SMTP_SECURITY": "none", **PRODUCTION}, "plain text"),
        ({"SMTP_HOST": "smtp://smtp.example.com"}, "SMTP_HOST must be"),
        ({"SMTP_PORT": "70000"}, "SMTP_PORT must be"),
        ({"SMTP_FROM": "Proseroot <notices@example.com>"}, "SMTP_FROM must be"),
        ({"SMTP_FROM": "a@x.test\r\nBcc: b@x.test"}, "SMTP_FROM must be"),
        ({"PUBLIC_URL": "https://x.test/app"}, "PUBLIC_URL must be"),
        ({"PUBLIC_URL": "x.test"}, "PUBLIC_URL must be"),
    ],
)
def test_settings_of_mail_that_do_not_fit_are_refused(changed: dict[str, str], named: str) -> None:
    with pytest.raises(InvalidSettings, match=re.escape(named)) as caught:
        load_settings(settings_environment(**{**MAIL, **changed}))
    assert "hunter2" not in str(caught.value)


def test_addresses_are_confirmed_once_a_mail_server_is_set() -> None:
    found = [load_settings(settings_environment(**MAIL, CONFIRM_EMAIL=value)) for value in ("", "1", "0")]
    assert [settings.confirms_email for settings in found] == [True, True, False]
    assert not load_settings(settings_environment()).confirms_email
    with pytest.raises(InvalidSettings, match="CONFIRM_EMAIL=1 needs a mail server"):
        load_settings(settings_environment(CONFIRM_EMAIL="1"))


def test_the_former_name_of_sign_up_is_refused() -> None:
    """A service that was closed must not open by an update."""
    with pytest.raises(InvalidSettings, match="SIGNUP_OPEN is called SIGN_UP"):
        load_settings(settings_environment(SIGNUP_OPEN="0"))


def test_mails_are_sent_once_a_mail_server_is_set() -> None:
    settings = load_settings(settings_environment(**MAIL))
    assert (settings.sends_mail, load_settings(settings_environment()).sends_mail) == (True, False)


def test_a_lease_must_outlast_two_heartbeats() -> None:
    with pytest.raises(InvalidSettings, match="LEASE_SECONDS"):
        load_settings(settings_environment(LEASE_SECONDS="20", HEARTBEAT_SECONDS="10"))


@pytest.mark.parametrize("text", ["127.0.0.1", "localhost:80", "127.0.0.1:0", "127.0.0.1:99999"])
def test_an_allowed_address_must_be_an_address_and_a_port(text: str) -> None:
    with pytest.raises(InvalidSettings, match="FETCH_ALLOW"):
        load_settings(settings_environment(FETCH_ALLOW=text))


def test_the_environment_has_precedence_over_dot_env_and_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*settings_environment(), "PAGE_BATCH", "PROJECT_LIMIT", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    everything = {**settings_environment(), "PAGE_BATCH": "1", "PROJECT_LIMIT": "1", "LLM_MODEL": "defaults"}
    (tmp_path / "var").mkdir()
    write_env(tmp_path / "var/defaults.env", everything)
    write_env(tmp_path / ".env", {"PAGE_BATCH": "2", "PROJECT_LIMIT": "2"})
    monkeypatch.setenv("PAGE_BATCH", "3")

    settings: Settings = load_settings(root=tmp_path)

    assert (settings.page_batch, settings.project_limit, settings.llm_model) == (3, 2, "defaults")


def write_env(path: Path, values: dict[str, str]) -> None:
    path.write_text("".join(f"{name}='{value}'\n" for name, value in values.items()))
