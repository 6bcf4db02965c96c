"""Settings: one frozen object read from the environment, checked as a whole before anything starts.

The environment beats ``.env``, which beats ``var/defaults.env`` (written once by ``bin/dev``: the embedded
database, Redis and generated secrets). Without any of them the service is in production and refuses to start
until it is told what it needs. Every setting is listed in ``docs/configuration.md``.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from dotenv import dotenv_values
from redis import Redis
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from app.environment import Reader
from app.prices import NO_PRICES, Prices, parse_prices

ROOT: Final = Path(__file__).resolve().parent.parent
DEMO_SITE: Final = ("127.0.0.1", 8765)
"""Where bin/demo serves its sample site; in development it may be fetched unless FETCH_ALLOW is set."""

_WHERE_TO_READ: Final = "docs/configuration.md describes every setting."
_DATABASES: Final = "postgresql://user:password@host:port/name or, outside production, sqlite:////path"
_REDISES: Final = "redis://host:port, rediss://host:port or, outside production, unix:///path"
_PAIRS: Final = "addresses as address:port, separated by commas, such as 127.0.0.1:8080,[::1]:9000"
_PRICES: Final = (
    "US dollars a million tokens as model=question/answer, separated by commas, such as"
    " gpt-5-mini=0.25/2.00,claude-haiku-4-5=1/5"
)


class InvalidSettings(Exception):
    """Raised with every problem of the environment at once; the message is for the operator."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        told = ["The settings are not usable:", *(f"  - {problem}" for problem in problems), _WHERE_TO_READ]
        super().__init__("\n".join(told))


@dataclass(frozen=True)
class Settings:
    """Everything the operator decides. Times are seconds, sizes bytes, limits of None mean unlimited."""

    environment: str
    database_url: str
    redis_url: str
    secret_key: str
    api_key_pepper: str
    encryption_key: str
    log_level: str
    trusted_proxies: int
    signup_open: bool
    fetch_allow: frozenset[tuple[str, int]]
    fetch_contact_url: str
    redis_tls_verify: bool
    database_pool_size: int
    requests_per_minute: int
    project_limit: int | None
    monthly_post_limit: int | None
    running_generations: int
    running_syncs: int
    queued_executions: int
    worker_class: str
    lease_seconds: int
    heartbeat_seconds: int
    job_deadline: int
    sync_deadline: int
    sync_interval: int
    sitemap_subdomains: bool
    page_batch: int
    job_retention_days: int
    artefact_retention_days: int
    llm_provider: str
    llm_base_url: str | None
    llm_api_key: str | None
    llm_model: str | None
    llm_verify_model: str | None
    llm_prices: Prices
    fault_directory: str | None

    @property
    def production(self) -> bool:
        """Whether this is a production process, where nothing embedded and no loopback target is accepted."""
        return self.environment == "production"

    def shown(self) -> dict[str, str]:
        """Return each setting by its name, as an operator may see it: of a secret only whether it is set."""
        return {
            _NAMES.get(f.name, f.name.upper()): _shown(getattr(self, f.name), secret=f.name in _SECRET)
            for f in fields(self)
        }

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name not in _SECRET)
        return f"Settings({', '.join(shown)})"


_SECRET: Final = frozenset(
    {"database_url", "redis_url", "secret_key", "api_key_pepper", "encryption_key", "llm_api_key"}
)


_NAMES: Final = {"environment": "APP_ENV"}
_PASSWORD: Final = re.compile(r"//[^/]*@")


def load_settings(environ: Mapping[str, str] | None = None, root: Path = ROOT) -> Settings:
    """Read and check the settings of this process.

    ``environ`` replaces both the environment and the files when given (tests). Raises InvalidSettings.
    """
    reader = Reader(environ if environ is not None else _layers(root))
    settings = Settings(
        environment=reader.choice("APP_ENV", "production", ("production", "development", "test")),
        database_url=reader.address("DATABASE_URL", _sqlalchemy_url, _DATABASES),
        redis_url=reader.address("REDIS_URL", _redis_url, _REDISES),
        secret_key=reader.secret("SECRET_KEY"),
        api_key_pepper=reader.secret("API_KEY_PEPPER"),
        encryption_key=_fernet_key(reader.secret("ENCRYPTION_KEY")),
        log_level=reader.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
        trusted_proxies=reader.integer("TRUSTED_PROXIES", 0, least=0),
        signup_open=reader.boolean("SIGNUP_OPEN", True),
        fetch_allow=reader.parsed("FETCH_ALLOW", _allowed_anyway(reader), _address_pairs, _PAIRS),
        fetch_contact_url=reader.text("FETCH_CONTACT_URL", "https://example.com/about-our-fetcher"),
        redis_tls_verify=reader.boolean("REDIS_TLS_VERIFY", True),
        database_pool_size=reader.integer("DATABASE_POOL_SIZE", 5),
        requests_per_minute=reader.integer("REQUESTS_PER_MINUTE", 1200),
        project_limit=reader.limit("PROJECT_LIMIT"),
        monthly_post_limit=reader.limit("MONTHLY_POST_LIMIT"),
        running_generations=reader.integer("RUNNING_GENERATIONS", 2),
        running_syncs=reader.integer("RUNNING_SYNCS", 2),
        queued_executions=reader.integer("QUEUED_EXECUTIONS", 20),
        worker_class=reader.choice("WORKER_CLASS", "forking", ("forking", "inline")),
        lease_seconds=reader.integer("LEASE_SECONDS", 30),
        heartbeat_seconds=reader.integer("HEARTBEAT_SECONDS", 10),
        job_deadline=reader.integer("JOB_DEADLINE", 600),
        sync_deadline=reader.integer("SYNC_DEADLINE", 1800),
        sync_interval=reader.integer("SYNC_INTERVAL", 6 * 3600, least=60),
        sitemap_subdomains=reader.boolean("SITEMAP_SUBDOMAINS", True),
        page_batch=reader.integer("PAGE_BATCH", 25),
        job_retention_days=reader.integer("JOB_RETENTION_DAYS", 400),
        artefact_retention_days=reader.integer("ARTEFACT_RETENTION_DAYS", 30),
        llm_provider=reader.choice("LLM_PROVIDER", "openai", ("openai", "anthropic")),
        llm_base_url=reader.optional("LLM_BASE_URL"),
        llm_api_key=reader.optional("LLM_API_KEY"),
        llm_model=reader.optional("LLM_MODEL"),
        llm_verify_model=reader.optional("LLM_VERIFY_MODEL"),
        llm_prices=reader.parsed("LLM_PRICES", NO_PRICES, parse_prices, _PRICES),
        fault_directory=reader.optional("FAULT_DIRECTORY"),
    )
    _check_whole(settings, reader)
    if reader.problems:
        raise InvalidSettings(reader.problems)
    return settings


def _layers(root: Path) -> dict[str, str]:
    layers: dict[str, str] = {}
    for name in ("var/defaults.env", ".env"):
        layers.update({k: v for k, v in dotenv_values(root / name).items() if v is not None})
    return {**layers, **os.environ}


def _check_whole(settings: Settings, reader: Reader) -> None:
    if settings.heartbeat_seconds * 2 >= settings.lease_seconds:
        reader.problems.append("LEASE_SECONDS must be more than twice HEARTBEAT_SECONDS.")
    if not settings.production:
        return
    if settings.database_url.startswith("sqlite"):
        reader.problems.append("DATABASE_URL: production needs PostgreSQL; a dyno's disk does not last.")
    if settings.redis_url.startswith("unix:"):
        reader.problems.append("REDIS_URL: production needs a Redis address, not an embedded socket.")
    if settings.fault_directory:
        reader.problems.append("FAULT_DIRECTORY kills processes on purpose: production refuses it.")
    if settings.fetch_allow and not reader.boolean("FETCH_ALLOW_IN_PRODUCTION", False):
        reader.problems.append(
            "FETCH_ALLOW opens private addresses: set FETCH_ALLOW_IN_PRODUCTION=1 if that is meant."
        )


def _shown(value: object, *, secret: bool) -> str:
    if value in (None, "", frozenset(), NO_PRICES):
        return "unset"
    if secret:
        return "set"
    if isinstance(value, frozenset):
        return ",".join(
            sorted(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in value)
        )
    return _PASSWORD.sub("//", str(int(value) if isinstance(value, bool) else value))


def _sqlalchemy_url(url: str) -> str:
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            url = "postgresql+psycopg://" + url.removeprefix(scheme)
    try:
        read = make_url(url)
    except ArgumentError:
        raise ValueError from None
    # What follows two slashes is a host, which a file has not: a third one is missing.
    if read.drivername != "postgresql+psycopg" and (read.drivername != "sqlite" or read.host):
        raise ValueError
    return url


def _redis_url(url: str) -> str:
    Redis.from_url(url).close()  # never connected: it only reads the address
    return url


def _fernet_key(secret: str) -> str:
    """Any secret text makes a key, because platforms that generate secrets know nothing of Fernet's form."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).decode()


def _allowed_anyway(reader: Reader) -> frozenset[tuple[str, int]]:
    return frozenset({DEMO_SITE} if reader.optional("APP_ENV") == "development" else ())


def _address_pairs(text: str) -> frozenset[tuple[str, int]]:
    pairs = set()
    for item in filter(None, (part.strip() for part in text.split(","))):
        host, _, port = item.rpartition(":")
        address = ipaddress.ip_address(host.strip("[]"))
        if not 0 < int(port) < 65536:
            raise ValueError(item)
        pairs.add((str(address), int(port)))
    return frozenset(pairs)
