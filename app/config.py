"""Settings: one frozen object, read from the environment and checked before anything starts.

The environment has precedence over ``.env``, and ``.env`` over ``var/defaults.env``, which ``bin/dev`` writes
once with an embedded database, Redis and generated secrets. Without any of them the service runs in
production and refuses to start until the required settings are set. docs/configuration.md lists all settings.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from dotenv import dotenv_values

from app import environment as env
from app.prices import NO_PRICES, Prices, parse_prices

ROOT: Final = Path(__file__).resolve().parent.parent
DEMO_SITE: Final = ("127.0.0.1", 8765)
"""The address of bin/demo's sample site. In development it may be fetched unless FETCH_ALLOW is set."""

QUEUES: Final = ("periodic", "executions", "pages")
"""In the order in which workers take tasks: short periodic tasks must not wait behind a long backlog."""

_PRICES: Final = (
    "US dollars for a million tokens as model=prompt/completion, separated by commas, such as"
    " gpt-5-mini=0.25/2.00,claude-haiku-4-5=1/5"
)
_PASSWORD: Final = re.compile(r"//[^/]*@")


class InvalidSettings(Exception):
    """Raised with all problems of the settings. The message is for the operator."""

    def __init__(self, problems: list[str]) -> None:
        lines = ["The settings are not usable:", *(f"  - {problem}" for problem in problems)]
        super().__init__("\n".join([*lines, "docs/configuration.md describes every setting."]))


def _setting(
    parse: Callable[[str], Any], default: Any = MISSING, *, name: str | None = None, is_secret: bool = False
) -> Any:
    """Return the dataclass field of a setting, required if it has no default.

    ``name`` is the environment variable if it is not the field's name in capitals.
    """
    return field(default=default, metadata={"parse": parse, "name": name, "is_secret": is_secret})


@dataclass(frozen=True, repr=False, kw_only=True)
class Settings:
    """What the operator sets. Times are seconds; a limit of None means unlimited."""

    environment: str = _setting(env.choice("production", "development", "test"), "production", name="APP_ENV")
    brand_name: str = _setting(str, "Proseroot")
    price_note: str | None = _setting(str, None)
    terms_url: str | None = _setting(env.web_page, None)
    database_url: str = _setting(env.database_url, is_secret=True)
    redis_url: str = _setting(env.redis_url, is_secret=True)
    secret_key: str = _setting(env.secret, is_secret=True)
    api_key_pepper: str = _setting(env.secret, is_secret=True)
    encryption_key: str = _setting(env.fernet_key, is_secret=True)
    former_encryption_keys: tuple[str, ...] = _setting(env.fernet_keys, (), is_secret=True)
    log_level: str = _setting(env.choice("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = _setting(env.choice("text", "json"), "text")
    sentry_dsn: str | None = _setting(env.sentry_dsn, None, is_secret=True)
    metrics_token: str | None = _setting(env.secret, None, is_secret=True)
    trusted_proxies: int = _setting(env.integer(least=0), 0)
    sign_up: str = _setting(env.choice("open", "invitation", "closed"), "open")
    confirm_email: bool | None = _setting(env.boolean, None)
    session_idle_seconds: int = _setting(env.integer(least=60), 12 * 3600)
    session_max_seconds: int = _setting(env.integer(least=60), 30 * 86400)
    security_log_days: int = _setting(env.integer(), 180)
    fetch_allow: frozenset[tuple[str, int]] = _setting(env.address_pairs, frozenset())
    fetch_allow_in_production: bool = _setting(env.boolean, False)
    fetch_contact_url: str = _setting(str, "https://example.com/about-our-fetcher")
    redis_tls_verify: bool = _setting(env.boolean, True)
    database_pool_size: int = _setting(env.integer(least=2), 8)
    requests_per_minute: int = _setting(env.integer(), 1200)
    project_limit: int | None = _setting(env.integer(least=0), None)
    monthly_post_limit: int | None = _setting(env.integer(least=0), None)
    running_generations: int = _setting(env.integer(), 2)
    running_syncs: int = _setting(env.integer(), 2)
    queued_executions: int = _setting(env.integer(), 20)
    worker_class: str = _setting(env.choice("forking", "inline"), "forking")
    worker_queues: tuple[str, ...] = _setting(env.choices(*QUEUES), QUEUES)
    lease_seconds: int = _setting(env.integer(), 30)
    heartbeat_seconds: int = _setting(env.integer(), 10)
    job_deadline: int = _setting(env.integer(), 600)
    sync_deadline: int = _setting(env.integer(), 1800)
    sync_interval: int = _setting(env.integer(least=60), 6 * 3600)
    sitemap_subdomains: bool = _setting(env.boolean, True)
    page_batch: int = _setting(env.integer(), 25)
    job_retention_days: int = _setting(env.integer(), 400)
    artefact_retention_days: int = _setting(env.integer(), 30)
    git_root: str | None = _setting(env.folder, None)
    image_storage: str = _setting(env.choice("database", "s3"), "database")
    s3_endpoint: str | None = _setting(env.service_url, None)
    s3_region: str = _setting(str, "us-east-1")
    s3_bucket: str | None = _setting(env.bucket_name, None)
    s3_access_key_id: str | None = _setting(str, None)
    s3_secret_access_key: str | None = _setting(str, None, is_secret=True)
    s3_prefix: str | None = _setting(env.key_prefix, None)
    public_url: str | None = _setting(env.public_url, None)
    smtp_host: str | None = _setting(env.host_name, None)
    smtp_port: int = _setting(env.port, 587)
    smtp_security: str = _setting(env.choice("starttls", "tls", "none"), "starttls")
    smtp_user: str | None = _setting(str, None)
    smtp_password: str | None = _setting(str, None, is_secret=True)
    smtp_from: str | None = _setting(env.mail_address, None)
    llm_provider: str = _setting(env.choice("openai", "anthropic"), "openai")
    llm_base_url: str | None = _setting(str, None)
    llm_api_key: str | None = _setting(str, None, is_secret=True)
    llm_model: str | None = _setting(str, None)
    llm_verify_model: str | None = _setting(str, None)
    llm_prices: Prices = _setting(env.of_form(_PRICES, parse_prices), NO_PRICES)
    google_client_id: str | None = _setting(str, None)
    google_client_secret: str | None = _setting(str, None, is_secret=True)
    google_base_url: str | None = _setting(env.public_url, None)
    fault_directory: str | None = _setting(str, None)

    @property
    def production(self) -> bool:
        """Whether this is a production process, which accepts nothing embedded and no private target."""
        return self.environment == "production"

    @property
    def sends_mail(self) -> bool:
        return self.smtp_host is not None

    @property
    def confirms_email(self) -> bool:
        """Whether a new account needs a link that is mailed to its address."""
        return self.sends_mail if self.confirm_email is None else self.confirm_email

    @property
    def reads_google(self) -> bool:
        return self.google_client_id is not None

    def shown(self) -> dict[str, str]:
        """Return the settings as an operator may see them: of a secret only whether it is set."""
        return {
            _name(f): _shown(getattr(self, f.name), is_secret=f.metadata["is_secret"]) for f in fields(self)
        }

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if not f.metadata["is_secret"])
        return f"Settings({', '.join(shown)})"


def load_settings(environ: Mapping[str, str] | None = None, root: Path = ROOT) -> Settings:
    """Read and check the settings; ``environ`` replaces environment and files. Raises InvalidSettings."""
    environ = _layers(root) if environ is None else environ
    values: dict[str, Any] = {}
    problems = []
    for each in fields(Settings):
        name = _name(each)
        text = environ.get(name, "").strip()
        values[each.name] = "" if each.default is MISSING else each.default
        if text:
            try:
                values[each.name] = each.metadata["parse"](text)
            except ValueError as error:
                problems.append(f"{name} {error}.")
        elif each.default is MISSING:
            problems.append(f"{name} is not set. Locally, bin/dev sets it for you.")
    if "SIGNUP_OPEN" in environ:
        problems.append("SIGNUP_OPEN is called SIGN_UP: open, invitation or closed.")
    if values["environment"] == "development" and not environ.get("FETCH_ALLOW", "").strip():
        values["fetch_allow"] = frozenset({DEMO_SITE})
    settings = Settings(**values)
    problems += _problems(settings) + _secret_problems(settings, environ)
    if problems:
        raise InvalidSettings(problems)
    return settings


def _layers(root: Path) -> dict[str, str]:
    layers: dict[str, str] = {}
    for name in ("var/defaults.env", ".env"):
        layers.update({k: v for k, v in dotenv_values(root / name).items() if v is not None})
    return {**layers, **os.environ}


def _problems(settings: Settings) -> list[str]:
    problems = []
    if settings.heartbeat_seconds * 2 >= settings.lease_seconds:
        problems.append("LEASE_SECONDS must be more than twice HEARTBEAT_SECONDS.")
    problems += _mail_problems(settings)
    if bool(settings.google_client_id) != bool(settings.google_client_secret):
        problems.append("GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or none.")
    problems += _bucket_problems(settings)
    if not settings.production:
        return problems
    if settings.database_url.startswith("sqlite"):
        problems.append("DATABASE_URL: production needs PostgreSQL, because a dyno's disk does not last.")
    if settings.redis_url.startswith("unix:"):
        problems.append("REDIS_URL: production needs a Redis address, not an embedded socket.")
    if settings.fault_directory:
        problems.append("FAULT_DIRECTORY kills processes on purpose: production refuses it.")
    if settings.google_base_url:
        problems.append("GOOGLE_BASE_URL stands in for Google in tests: production refuses it.")
    if settings.git_root and settings.sign_up == "open":
        problems.append(
            "GIT_ROOT lets every account publish to its repositories: set SIGN_UP to closed or invitation."
        )
    if settings.fetch_allow and not settings.fetch_allow_in_production:
        problems.append(
            "FETCH_ALLOW opens private addresses: set FETCH_ALLOW_IN_PRODUCTION=1 to confirm that."
        )
    return problems


def _secret_problems(settings: Settings, environ: Mapping[str, str]) -> list[str]:
    if not settings.production:
        return []
    names = ("SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY")
    texts = {name: environ.get(name, "").strip() for name in names}
    problems = [
        f"{name} is one that bin/dev made for development: generate another."
        for name, text in texts.items()
        if text.startswith(env.OF_DEVELOPMENT)
    ]
    if len({text for text in texts.values() if text}) < len([text for text in texts.values() if text]):
        problems.append(f"{', '.join(names)} must differ: each has a purpose of its own.")
    return problems


def _mail_problems(settings: Settings) -> list[str]:
    problems = []
    if bool(settings.smtp_user) != bool(settings.smtp_password):
        problems.append("SMTP_USER and SMTP_PASSWORD belong together: set both or none.")
    if settings.confirm_email and not settings.sends_mail:
        problems.append("SMTP_HOST is not set: CONFIRM_EMAIL=1 needs a mail server.")
    if not settings.sends_mail:
        return problems
    if settings.smtp_from is None:
        problems.append("SMTP_FROM is not set: SMTP_HOST needs an address that mails come from.")
    if settings.public_url is None:
        problems.append("PUBLIC_URL is not set: SMTP_HOST needs it for the links in mails.")
    if settings.production and settings.smtp_password and settings.smtp_security == "none":
        problems.append("SMTP_SECURITY=none would send SMTP_PASSWORD as plain text: production refuses it.")
    return problems


def _bucket_problems(settings: Settings) -> list[str]:
    needed = ("s3_endpoint", "s3_bucket", "s3_access_key_id", "s3_secret_access_key")
    missing = [name.upper() for name in needed if getattr(settings, name) is None]
    if not missing or (settings.image_storage == "database" and len(missing) == len(needed)):
        return []
    return [f"A bucket for images also needs {', '.join(missing)}."]


def _name(each: Any) -> str:
    return str(each.metadata["name"] or each.name.upper())


def _shown(value: object, *, is_secret: bool) -> str:
    if value in (None, "", (), frozenset(), NO_PRICES):
        return "unset"
    if is_secret:
        return "set"
    if isinstance(value, frozenset):
        return ",".join(
            sorted(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in value)
        )
    return _PASSWORD.sub("//", str(int(value) if isinstance(value, bool) else value))
