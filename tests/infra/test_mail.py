"""Mails are sent by SMTP, and what became of each is certain or said to be unclear."""

from __future__ import annotations

import socket
import socketserver
import threading
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from app.config import Settings, load_settings
from app.infra import mail
from app.infra.mail import Letter, Mailer, NotAccepted, Unclear
from tests.infra.test_http_tls import certificate
from tests.support.environment import settings_environment
from tests.support.mail_server import MailServer, serving

LETTER = Letter(
    "alice@example.com",
    "Not published: “Grüße”",
    "Grüße\n.a line with a dot",
    "<p>Grüße</p>",
    "https://x.test/off",
)


def settings_for(server: MailServer, **more: str) -> Settings:
    return load_settings(settings_environment(**server.settings(**more)))


def sent(server: MailServer, letter: Letter = LETTER) -> EmailMessage:
    with Mailer(settings_for(server)) as mailer:
        mailer.send(letter, "mail-1", lambda: None)
    return server.box.letters[-1]


def refused(server: MailServer, settings: Settings | None = None, letter: Letter = LETTER) -> NotAccepted:
    with Mailer(settings or settings_for(server)) as mailer, pytest.raises(NotAccepted) as caught:
        mailer.send(letter, "mail-1", lambda: None)
    return caught.value


def test_a_letter_has_two_parts_and_one_click_to_unsubscribe(mail_server: MailServer) -> None:
    found = sent(mail_server)
    assert mail_server.box.recipients == ["alice@example.com"]
    assert (found["To"], found["From"]) == ("alice@example.com", "Proseroot <notices@example.com>")
    assert found["Subject"] == "Not published: “Grüße”"
    assert found["Message-ID"] == "<mail-1@app.example.com>"
    assert found["List-Unsubscribe"] == "<https://x.test/off>"
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    texts = [part.get_content().splitlines() for part in found.iter_parts()]  # type: ignore[union-attr]
    assert texts == [["Grüße", ".a line with a dot"], ["<p>Grüße</p>"]]


def test_mail_programs_find_the_address_to_unsubscribe_however_long_it_is(mail_server: MailServer) -> None:
    url = f"https://app.example.com/mails/{'a' * 120}"
    sent(mail_server, replace(LETTER, unsubscribe_url=url))
    assert f"List-Unsubscribe: <{url}>\r\n".encode() in mail_server.box.sent[-1]


def test_letters_share_a_connection(mail_server: MailServer) -> None:
    with Mailer(settings_for(mail_server)) as mailer:
        mailer.send(LETTER, "mail-1", lambda: None)
        mailer.send(LETTER, "mail-2", lambda: None)
    assert (len(mail_server.box.letters), mail_server.box.connections) == (2, 1)


def test_no_subject_adds_a_header(mail_server: MailServer) -> None:
    subject = "A\r\nBcc: bob@example.com\r\n\r\nB\x00\u2028C"
    found = sent(mail_server, Letter("alice@example.com", subject, "text", "<p>text", "https://x.test/off"))
    assert found["Bcc"] is None
    assert found["Subject"] == "A Bcc: bob@example.com B C"
    assert mail_server.box.recipients == ["alice@example.com"]


@pytest.mark.parametrize(
    "address",
    ["a\r\nRCPT TO:<bob@example.com>@x.test", "a>b@x.test", "a,bob@x.test", "grün@x.test", "@x.test"],
)
def test_an_address_that_no_header_can_have_is_never_sent(mail_server: MailServer, address: str) -> None:
    found = refused(mail_server, letter=Letter(address, "A", "text", "<p>text", "https://x.test/off"))
    assert (found.permanent, mail_server.box.recipients) == (True, [])


def test_a_domain_of_other_letters_is_written_in_ascii(mail_server: MailServer) -> None:
    sent(mail_server, Letter("alice@grün.test", "A", "text", "<p>text", "https://x.test/off"))
    assert mail_server.box.recipients == ["alice@xn--grn-ioa.test"]


@pytest.mark.parametrize(
    ("step", "answer", "permanent"),
    [
        ("MAIL", "550 no", False),
        ("RCPT", "450 later", False),
        ("RCPT", "550 alice@example.com is unknown", True),
        ("DATA", "451 later", False),
        ("DATA", "554 spam", True),
    ],
)
def test_a_refusal_is_certain_and_names_nobody(
    mail_server: MailServer, step: str, answer: str, permanent: bool
) -> None:
    mail_server.box.answers[step] = answer
    found = refused(mail_server)
    assert (found.permanent, found.is_connected) == (permanent, True)
    assert str(found) == f"The mail server answered {answer[:3]}."


def test_an_answer_that_never_came_leaves_it_unclear(mail_server: MailServer) -> None:
    mail_server.box.hangs_up = True
    with Mailer(settings_for(mail_server)) as mailer, pytest.raises(Unclear):
        mailer.send(LETTER, "mail-1", lambda: None)
    assert mail_server.box.texts == 1


def test_a_connection_that_ends_before_the_text_leaves_nothing_unclear(mail_server: MailServer) -> None:
    answers = iter(["220 ready", "250 hello", "250 sender", "250 recipient"])

    class Ends(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for answer in answers:
                self.wfile.write(answer.encode() + b"\r\n")
                self.rfile.readline()

    with socketserver.TCPServer(("127.0.0.1", 0), Ends) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        settings = settings_for(mail_server, SMTP_PORT=str(server.server_address[1]))
        found = refused(mail_server, settings)
        thread.join()
    assert (found.permanent, found.is_connected) == (False, False)


def test_nothing_is_sent_if_the_sender_must_not_go_on(mail_server: MailServer) -> None:
    def stop() -> None:
        raise LookupError

    with Mailer(settings_for(mail_server)) as mailer, pytest.raises(LookupError):
        mailer.send(LETTER, "mail-1", stop)
    assert mail_server.box.texts == 0


def test_a_server_that_is_silent_is_left_after_a_while(
    mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings = settings_for(mail_server, SMTP_PORT=str(silent.getsockname()[1]))
        assert str(refused(mail_server, settings)).startswith("No usable connection to the mail server")


def test_a_server_without_encryption_gets_no_letter_unless_the_settings_say_so(
    mail_server: MailServer,
) -> None:
    found = refused(mail_server, settings_for(mail_server, SMTP_SECURITY="starttls"))
    assert (found.permanent, mail_server.box.recipients) == (False, [])


def test_a_password_is_sent_only_to_a_server_with_a_trusted_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem = certificate(tmp_path / "own.pem", "127.0.0.1")
    with serving(pem) as server:
        account = {"SMTP_SECURITY": "starttls", "SMTP_USER": "proseroot"}
        right = settings_for(server, **account, SMTP_PASSWORD="the right one")
        assert "CERTIFICATE_VERIFY_FAILED" in str(refused(server, right))
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        wrong = settings_for(server, **account, SMTP_PASSWORD="hunter2")
        assert str(refused(server, wrong)) == "The mail server refused the user or the password (535)."
        with Mailer(right) as mailer:
            mailer.send(LETTER, "mail-1", lambda: None)
        assert server.box.recipients == ["alice@example.com"]
