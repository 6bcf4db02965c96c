"""The door to the outside, against real servers on the loopback that do everything wrong."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.infra.http import Fetcher, FetchError, FetchErrorKind, FetchPolicy, SmallResponse

OK = b"HTTP/1.1 200 OK\r\n"
Behaviour = Callable[[socket.socket, bytes], None]


@dataclass
class Server:
    """Answers every connection in a thread of its own by calling ``behave(connection, request)``."""

    behave: Behaviour
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0
    tls: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), self._spoken(connection) as spoken:
            request = _request(spoken)
            self.requests.append(request)
            self.behave(spoken, request)

    def _spoken(self, connection: socket.socket) -> socket.socket:
        return self.tls.wrap_socket(connection, server_side=True) if self.tls else connection


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += (piece := connection.recv(65536))
        if not piece or data[0] == 0x16:  # the other side has left, or says hello in TLS
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@pytest.fixture
def serve() -> Iterator[Callable[[bytes | Behaviour], Server]]:
    """Start a server with a fixed answer or a behaviour."""
    servers: list[Server] = []

    def start(answer: bytes | Behaviour) -> Server:
        if isinstance(answer, bytes):
            servers.append(Server(lambda connection, _: connection.sendall(answer)))
        else:
            servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


Serve = Callable[[bytes | Behaviour], Server]


def fetcher(*servers: Server, **policy: object) -> Fetcher:
    allow = frozenset(("127.0.0.1", server.port) for server in servers)
    defaults: dict[str, object] = {"total_seconds": 5.0, "max_bytes": 1_000_000}
    return Fetcher(FetchPolicy(user_agent="Test/1", allow=allow, **{**defaults, **policy}))  # type: ignore[arg-type]


def get(url: str, door: Fetcher, headers: dict[str, str] | None = None) -> SmallResponse:
    with door.get(url, headers) as response:
        return SmallResponse(response.status, response.headers, response.read(), response.url)


def failed(url: str, door: Fetcher, headers: dict[str, str] | None = None) -> FetchErrorKind:
    with pytest.raises(FetchError) as error:
        get(url, door, headers)
    return error.value.kind


def whole(body: bytes, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return OK + f"Content-Length: {len(body)}\r\n{lines}\r\n".encode() + body


def test_an_answer_is_read_with_status_headers_and_address(serve: Serve) -> None:
    server = serve(whole(b"hello", "X-Thing: 1"))
    answer = get(f"{server.url}/a?b=c", fetcher(server))
    assert (answer.status, answer.body, answer.url) == (200, b"hello", f"{server.url}/a?b=c")
    assert answer.headers["x-thing"] == "1"
    request = server.requests[0]
    assert request.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}".encode() in request
    assert b"User-Agent: Test/1" in request


@pytest.mark.parametrize("status", [204, 304, 404, 410, 429, 500])
def test_any_status_is_an_answer(serve: Serve, status: int) -> None:
    server = serve(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
    assert get(server.url, fetcher(server)).status == status


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: 100\r\n\r\nshort",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n50\r\nhello",
        OK + b"Content-Length: 15\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"hello" * 100)[:15],
        OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"hello" * 100)[:-9],
        b"",
    ],
)
def test_a_cut_answer_never_looks_whole(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.TRUNCATED


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"hello"),
        OK + b"\r\nhello",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        whole(gzip.compress(b"hello"), "Content-Encoding: gzip"),
        whole(gzip.compress(b"hel") + gzip.compress(b"lo"), "Content-Encoding: x-gzip"),
        whole(zlib.compress(b"hello"), "Content-Encoding: deflate"),
        whole(zlib.compress(b"hello", wbits=-15), "Content-Encoding: deflate"),
        whole(b"hello", "Content-Encoding: gzip"),
        whole(b"hello", "Content-Encoding: identity"),
    ],
)
def test_every_way_to_send_a_whole_body_is_understood(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert get(server.url, fetcher(server)).body == b"hello"


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"hello", "Content-Encoding: br"),
        whole(gzip.compress(b"hello")[:-5] + b"wrong", "Content-Encoding: gzip"),
        b"SSH-2.0-OpenSSH_9\r\n",
    ],
)
def test_what_is_no_http_or_no_agreed_compression_is_named(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.PROTOCOL


def test_a_body_over_the_cap_is_refused_before_and_after_decompression(serve: Serve) -> None:
    plain = serve(whole(b"x" * 2000))
    bomb = serve(whole(gzip.compress(b"\0" * 100_000_000), "Content-Encoding: gzip"))
    door = fetcher(plain, bomb, max_bytes=1000)
    assert failed(plain.url, door) is FetchErrorKind.TOO_LARGE
    bounded = fetcher(plain, bomb, max_bytes=200_000)
    assert failed(bomb.url, bounded) is FetchErrorKind.TOO_LARGE


def test_an_endless_body_ends_at_the_cap(serve: Serve) -> None:
    def pour(connection: socket.socket, _: bytes) -> None:
        connection.sendall(OK + b"\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    server = serve(pour)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.TOO_LARGE


def _drip(start: bytes, byte: bytes) -> Behaviour:
    def behave(connection: socket.socket, _: bytes) -> None:
        connection.sendall(start)
        pause = threading.Event()
        while not pause.wait(0.02):
            connection.sendall(byte)

    return behave


@pytest.mark.parametrize(
    "behave",
    [
        _drip(OK + b"\r\n", b"x"),
        _drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1"),
        _drip(OK + b"X-Long: ", b"x"),
        _drip(b"", b"\r\n"),
        _drip(b"HTTP/1.1 100 Continue\r\n\r\n", b"H"),
    ],
)
def test_a_peer_that_drips_meets_the_total_deadline(serve: Serve, behave: Behaviour) -> None:
    server = serve(behave)
    started = time.monotonic()
    kind = failed(server.url, fetcher(server, total_seconds=0.4))
    assert kind in (FetchErrorKind.TIMEOUT, FetchErrorKind.PROTOCOL)
    assert time.monotonic() - started < 2


def _wait(connection: socket.socket, _: bytes) -> None:
    connection.recv(1)


def test_a_silent_peer_meets_the_read_timeout(serve: Serve) -> None:
    server = serve(_wait)
    assert failed(server.url, fetcher(server, read_timeout=0.2)) is FetchErrorKind.TIMEOUT


def test_a_call_may_state_its_own_deadline(serve: Serve) -> None:
    server = serve(_wait)
    with pytest.raises(FetchError, match="in time"):
        fetcher(server).post(server.url, b"", total_seconds=0.2)


def test_a_stop_ends_the_reading_between_pieces(serve: Serve) -> None:
    server = serve(_drip(OK + b"\r\n", b"x"))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert failed(server.url, fetcher(server, should_stop=stop)) is FetchErrorKind.STOPPED


def test_a_closed_port_is_refused_and_nothing_was_sent(serve: Serve) -> None:
    server = serve(b"")
    server.close()
    with pytest.raises(FetchError) as error:
        fetcher(server).post(server.url, b"{}")
    assert (error.value.kind, error.value.sent) == (FetchErrorKind.REFUSED, False)


def test_plain_text_on_a_tls_port_is_a_tls_failure(serve: Serve) -> None:
    server = serve(OK + b"\r\n")
    assert failed(f"https://127.0.0.1:{server.port}/", fetcher(server)) is FetchErrorKind.TLS


def certificate(path: Path, address: str) -> Path:
    """Write a key and a certificate that speaks for one IP address, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, address)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = serialization.Encoding.PEM
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + signed.public_bytes(pem)
    )
    return path


def over_tls(server: Server, pem: Path) -> str:
    """Make the server speak TLS and return its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.tls = context
    return f"https://127.0.0.1:{server.port}"


def test_a_certificate_must_be_trusted_and_speak_for_the_host(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(whole(b"hello"))
    own = certificate(tmp_path / "own.pem", "127.0.0.1")
    url = over_tls(server, own)
    assert failed(url, fetcher(server)) is FetchErrorKind.TLS
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert get(url, fetcher(server)).body == b"hello"
    other = certificate(tmp_path / "other.pem", "127.0.0.2")
    monkeypatch.setenv("SSL_CERT_FILE", str(other))
    assert failed(over_tls(server, other), fetcher(server)) is FetchErrorKind.TLS


def test_a_redirect_from_https_to_http_is_refused(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = serve(whole(b"hello"))
    server = serve(redirect(plain.url))
    own = certificate(tmp_path / "own.pem", "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert failed(over_tls(server, own), fetcher(server, plain)) is FetchErrorKind.REDIRECT
    assert plain.connections == 0


def redirect(location: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Go\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_the_final_address_told(serve: Serve, status: int) -> None:
    def behave(connection: socket.socket, request: bytes) -> None:
        first = request.startswith(b"GET /a ")
        connection.sendall(redirect("b/ü", status) if first else whole(b"there"))

    server = serve(behave)
    answer = get(f"{server.url}/a", fetcher(server))
    assert (answer.body, answer.url) == (b"there", f"{server.url}/b/ü")


def test_a_redirect_loop_ends_after_five(serve: Serve) -> None:
    server = serve(redirect("/again"))
    assert failed(server.url, fetcher(server)) is FetchErrorKind.REDIRECT
    assert server.connections == 6


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "user@127.0.0.1", "0.0.0.0"]
)
def test_a_redirect_to_a_private_address_reaches_nobody(serve: Serve, host: str) -> None:
    canary = serve(whole(b"secret"))
    server = serve(redirect(f"http://{host}:{canary.port}/"))
    assert failed(server.url, fetcher(server)) is FetchErrorKind.BLOCKED
    assert canary.connections == 0


@pytest.mark.parametrize(
    "location", ["ftp://example.com/", "file:///etc/passwd", "http://[", "http://a\\b.com/"]
)
def test_a_redirect_to_anything_but_a_web_address_is_refused(serve: Serve, location: str) -> None:
    server = serve(redirect(location))
    assert failed(server.url, fetcher(server)) in (FetchErrorKind.BLOCKED, FetchErrorKind.REDIRECT)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "ftp://a.com/"]
)
def test_private_addresses_are_refused_from_the_start(url: str) -> None:
    assert failed(url, fetcher()) is FetchErrorKind.BLOCKED


def test_a_name_that_resolves_to_a_private_address_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = serve(whole(b"secret"))
    public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))
    private = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [public, private])
    assert failed("http://rebound.example.com/", fetcher(canary)) is FetchErrorKind.BLOCKED


def test_a_name_without_an_address_is_a_dns_failure() -> None:
    assert failed("http://nothing.invalid-name.example/", fetcher()) is FetchErrorKind.DNS


def test_credentials_stay_with_their_host(serve: Serve) -> None:
    def bounce(connection: socket.socket, request: bytes) -> None:
        connection.sendall(redirect("/own" if b"GET / " in request else f"{other.url}/x"))

    other = serve(whole(b"there"))
    server = serve(bounce)
    headers = {"Authorization": "Bearer s3cret", "X-API-Key": "s3cret", "Accept": "text/xml"}
    assert get(server.url, fetcher(server, other), headers).body == b"there"
    assert all(b"s3cret" in request for request in server.requests)
    assert b"s3cret" not in other.requests[0]
    assert b"Accept: text/xml" in other.requests[0]


def test_cookies_and_proxies_are_ignored(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(whole(b"hello", "Set-Cookie: a=b"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    door = fetcher(server)
    get(server.url, door)
    get(server.url, door)
    assert not any(b"cookie" in request.lower() for request in server.requests)


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_post_never_follows_a_redirect(serve: Serve, status: int) -> None:
    server = serve(redirect("/elsewhere", status))
    answer = fetcher(server).post(f"{server.url}/hook", b'{"a": 1}', {"Content-Type": "application/json"})
    assert (answer.status, answer.headers["location"]) == (status, "/elsewhere")
    assert len(server.requests) == 1
    assert server.requests[0].endswith(b'\r\n\r\n{"a": 1}')


def test_an_error_never_repeats_what_may_be_secret(serve: Serve) -> None:
    server = serve(OK + b"Content-Length: 9\r\n\r\n")
    with pytest.raises(FetchError) as error:
        get(f"{server.url}/?token=s3cret", fetcher(server), {"Authorization": "s3cret"})
    assert "s3cret" not in f"{error.value} {error.value!r} {error.value.message}"


def test_a_header_with_a_line_break_is_never_sent(serve: Serve) -> None:
    server = serve(whole(b"hello"))
    assert failed(server.url, fetcher(server), {"X-A": "1\r\nX-B: 2"}) is FetchErrorKind.PROTOCOL
    assert not any(b"X-B" in request for request in server.requests)
