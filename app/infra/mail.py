"""Sends mails by SMTP. Mail is no HTTP: it is the one outbound connection that does not use infra/http.

The operator's settings alone name the server. Every step has a time limit.
"""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime
from types import TracebackType
from typing import Final
from urllib.parse import urlsplit

from app.config import Settings
from app.infra.clock import utc_now
from app.infra.settings import current_settings

SECONDS: Final = 10.0
"""The time limit of each step of a connection."""


class _Whole(UnstructuredHeader, BaseHeader):
    """A header in one line: mail programs do not find a URL that is encoded to fit shorter ones."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _Whole)
_POLICY: Final = SMTP.clone(cte_type="7bit", header_factory=_HEADERS)
_NOT_SENT: Final = (smtplib.SMTPException, OSError, ValueError)
_LONGEST_SUBJECT: Final = 150
_LINE_WITH_A_DOT: Final = re.compile(rb"^\.", re.MULTILINE)


@dataclass(frozen=True)
class Letter:
    """A mail: the same text twice, plain and as HTML, and the URL that turns off mails of its kind."""

    to: str
    subject: str
    text: str
    html: str
    unsubscribe_url: str | None


class NotAccepted(Exception):
    """Raised when the mail server certainly did not accept a mail.

    ``permanent``: it will not accept this mail later. ``is_connected``: other mails may be sent at once. The
    message has neither addresses nor the server's words, which may repeat them.
    """

    def __init__(self, reason: str, *, permanent: bool = False, is_connected: bool = False) -> None:
        self.permanent = permanent
        self.is_connected = is_connected
        super().__init__(reason)


class Unclear(Exception):
    """Raised when the connection ended before the server said whether it accepted a mail."""


class Mailer:
    """A connection to the mail server, opened for the first mail. Use it in a ``with`` statement."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or current_settings()
        self._smtp: smtplib.SMTP | None = None

    def __enter__(self) -> Mailer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def send(self, letter: Letter, message_id: str, before_text: Callable[[], None]) -> None:
        """Send a letter. ``before_text`` is called once its addresses are accepted, before its text is sent.

        What ``before_text`` raises is raised here, and nothing is sent. Raises NotAccepted and Unclear.
        """
        address = _ascii(letter.to)
        message = _message(self._settings, letter, address, message_id)
        smtp = self._connected()
        try:
            self._require(smtp.mail(str(self._settings.smtp_from)), may_be_permanent=False)
            self._require(smtp.rcpt(address))
        except _NOT_SENT as error:
            self._close()
            raise NotAccepted(_reason(error)) from None
        try:
            before_text()
        except BaseException:
            self._close()
            raise
        self._send_text(smtp, message)

    def check(self) -> None:
        """Connect and sign in. Raises NotAccepted."""
        self._connected()

    def _send_text(self, smtp: smtplib.SMTP, message: bytes) -> None:
        try:
            self._require(smtp.docmd("DATA"), accepts=354)
        except _NOT_SENT as error:
            self._close()
            raise NotAccepted(_reason(error)) from None
        try:
            smtp.send(_LINE_WITH_A_DOT.sub(b"..", message) + b".\r\n")
            answer = smtp.getreply()
        except (smtplib.SMTPException, OSError) as error:
            self._close()
            raise Unclear(_reason(error)) from None
        if answer[0] < 200:
            self._close()
            raise Unclear("The mail server's answer could not be read.")
        self._require(answer)

    def _require(
        self, answer: tuple[int, bytes], *, accepts: int = 250, may_be_permanent: bool = True
    ) -> None:
        """Raise NotAccepted unless the server accepted a step, with a code of the class of ``accepts``.

        A refused sender is the operator's to mend, and so never permanent.
        """
        code, _words = answer
        if code // 100 == accepts // 100:
            return
        try:
            if self._smtp is not None:
                self._smtp.rset()
        except (smtplib.SMTPException, OSError):
            self._close()
        raise NotAccepted(
            f"The mail server answered {code}.",
            permanent=may_be_permanent and code >= 500,
            is_connected=self._smtp is not None,
        )

    def _connected(self) -> smtplib.SMTP:
        if self._smtp is None:
            try:
                self._smtp = _connect(self._settings)
            except _NOT_SENT as error:
                raise NotAccepted(_reason(error)) from None
        return self._smtp

    def _close(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is None:
            return
        try:
            smtp.quit()
        except (smtplib.SMTPException, OSError):
            smtp.close()


def one_line(text: str) -> str:
    """Return a text without line breaks and other control characters, as a header may have it."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _ascii(address: str) -> str:
    local, _, domain = address.rpartition("@")
    try:
        plain = f"{local.encode('ascii').decode()}@{domain.encode('idna').decode()}"
        return Address(addr_spec=plain).addr_spec
    except (ValueError, IndexError, MessageError):
        raise NotAccepted("The address cannot be used.", permanent=True, is_connected=True) from None


def _message(settings: Settings, letter: Letter, address: str, message_id: str) -> bytes:
    message = EmailMessage(_POLICY)
    message["To"] = Address(addr_spec=address)
    message["From"] = Address(one_line(settings.brand_name), addr_spec=str(settings.smtp_from))
    message["Subject"] = one_line(letter.subject)[:_LONGEST_SUBJECT]
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = f"<{message_id}@{_own_name(settings)}>"
    message["Auto-Submitted"] = "auto-generated"
    if letter.unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message.as_bytes()


def _connect(settings: Settings) -> smtplib.SMTP:
    host, name = str(settings.smtp_host), _own_name(settings)
    context = ssl.create_default_context()
    smtp: smtplib.SMTP
    if settings.smtp_security == "tls":
        smtp = smtplib.SMTP_SSL(host, settings.smtp_port, name, timeout=SECONDS, context=context)
    else:
        smtp = smtplib.SMTP(host, settings.smtp_port, name, timeout=SECONDS)
    try:
        if settings.smtp_security == "starttls":
            smtp.starttls(context=context)
        smtp.ehlo_or_helo_if_needed()
        if settings.smtp_user and settings.smtp_password:
            smtp.login(settings.smtp_user, settings.smtp_password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _own_name(settings: Settings) -> str:
    return urlsplit(settings.public_url or "").hostname or "localhost"


def _reason(error: BaseException) -> str:
    code = getattr(error, "smtp_code", None)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"The mail server refused the user or the password ({code})."
    if code is not None:
        return f"The mail server answered {code}."
    if isinstance(error, ssl.SSLError):
        return f"No encrypted connection to the mail server: {error.reason or type(error).__name__}."
    return f"No usable connection to the mail server: {type(error).__name__}."
