"""Only trusted certificates for the right host are accepted."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from app.infra.http.errors import FetchError, FetchErrorKind
from tests.infra.conftest import OK, Serve, Server, failed, fetcher, get, redirect, whole
from tests.support.certificates import certificate


def test_plain_text_on_a_tls_port_is_a_tls_failure(serve: Serve) -> None:
    server = serve(OK + b"\r\n")
    assert failed(f"https://127.0.0.1:{server.port}/", fetcher(server)) is FetchErrorKind.TLS


def over_tls(server: Server, pem: Path) -> str:
    """Make the server speak TLS and return its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.tls = context
    return f"https://127.0.0.1:{server.port}"


def test_a_certificate_must_be_trusted_and_valid_for_the_host(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(whole(b"hello"))
    own = certificate(tmp_path / "own.pem", "127.0.0.1")
    url = over_tls(server, own)
    assert failed(url, fetcher(server)) is FetchErrorKind.CERTIFICATE
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert get(url, fetcher(server)).body == b"hello"
    other = certificate(tmp_path / "other.pem", "127.0.0.2")
    monkeypatch.setenv("SSL_CERT_FILE", str(other))
    with pytest.raises(FetchError, match="for another name") as error:
        get(over_tls(server, other), fetcher(server))
    assert error.value.kind is FetchErrorKind.CERTIFICATE


def test_a_redirect_from_https_to_http_is_refused(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = serve(whole(b"hello"))
    server = serve(redirect(plain.url))
    own = certificate(tmp_path / "own.pem", "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert failed(over_tls(server, own), fetcher(server, plain)) is FetchErrorKind.REDIRECT
    assert plain.connections == 0
