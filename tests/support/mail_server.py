"""A real SMTP server in the test's process: it keeps the mails it accepts, and refuses what a test names."""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

logging.getLogger("mail.log").setLevel(logging.WARNING)


@dataclass
class Box:
    """What the server accepted, and how it answers.

    ``answers`` has its answers to MAIL, RCPT and DATA if they are not "250 OK". ``refuses``: it ends each
    connection at its beginning. ``hangs_up``: it ends the connection in place of an answer to a text.
    ``texts`` counts the texts that were sent, accepted or not.
    """

    letters: list[EmailMessage] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    refuses: bool = False
    hangs_up: bool = False
    texts: int = 0
    connections: int = 0

    async def handle_EHLO(
        self, server: SMTP, session: Session, _envelope: Envelope, name: str, lines: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = name
        if self.refuses:
            assert server.transport is not None
            server.transport.abort()
        return lines

    async def handle_MAIL(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.answers.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        self.texts += 1
        if self.hangs_up:
            assert server.transport is not None
            server.transport.abort()
        if "DATA" in self.answers:
            return self.answers["DATA"]
        content = envelope.content
        assert isinstance(content, bytes)
        found = message_from_bytes(content, policy=default)
        assert isinstance(found, EmailMessage)
        self.letters.append(found)
        self.sent.append(content)
        self.recipients += envelope.rcpt_tos
        return "250 OK"


@dataclass
class MailServer:
    """A running server: its port and its box."""

    port: int
    box: Box

    def settings(self, **more: str) -> dict[str, str]:
        """The settings of a service that sends by this server."""
        return {
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.port),
            "SMTP_SECURITY": "none",
            "SMTP_FROM": "notices@example.com",
            "PUBLIC_URL": "https://app.example.com",
            **more,
        }


def _lets_in(
    _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword
) -> AuthResult:
    return AuthResult(success=given.password == b"the right one", handled=False)


@contextmanager
def serving(pem: Path | None = None) -> Iterator[MailServer]:
    """Run a server in a thread. With a certificate it wants STARTTLS and the password "the right one"."""
    box, options = Box(), {}
    if pem is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        options = {
            "tls_context": context, "require_starttls": True,
            "auth_required": True, "authenticator": _lets_in,
        }  # fmt: skip
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        loop.create_server(lambda: SMTP(box, loop=loop, **options), host="127.0.0.1", port=0)
    )
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield MailServer(server.sockets[0].getsockname()[1], box)
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="session")
def _mail_server() -> Iterator[MailServer]:
    with serving() as running:
        yield running


@pytest.fixture
def mail_server(_mail_server: MailServer) -> MailServer:
    """A mail server that accepts everything, with an empty box."""
    _mail_server.box.__init__()  # type: ignore[misc]
    return _mail_server
