"""Names of private networks are refused before they are resolved."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.failures import ServiceFailure
from app.infra.http.address_rules import check_url, is_public
from tests.infra.conftest import Server
from tests.support.ssrf import Outbound

SPECIAL = [
    "localhost", "LOCALHOST", "LocalHost", "localhost.",
    "app.localhost", "a.b.localhost", "localhost.localdomain",
    "localhost6.localdomain6.local", "localdomain", "ip6-localhost", "broadcasthost",
    "intranet", "printer", "wpad",
    "metadata", "instance-data", "kubernetes", "redis", "db", "com", "printer.local", "PRINTER.LOCAL",
    "printer.local.", "a.b.local", "db.internal", "metadata.google.internal", "Metadata.Google.Internal.",
    "ip-10-0-0-1.ec2.internal", "host.docker.internal", "kubernetes.default.svc.cluster.local", "gitlab.corp",
    "nas.home", "router.home.arpa", "box.lan", "wiki.intranet", "x.private", "x.test", "x.invalid",
    "abcdefghijklmnop.onion", "x.alt", "1.0.0.127.in-addr.arpa", "1.ip6.arpa",
]  # fmt: skip

DISGUISED = [
    "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭", "loc\u00adalhost",
    "local\u200bhost", "localhost\u2060", "ℓocalhost",
    "localhoſt", "localhost。", "localhost．", "localhost｡",
    "app。localhost", "app．localhost", "printer.ｌｏｃａｌ",
    "printer｡local", "db.ⓘnternal", "x.ＴＥＳＴ", "x.oniOn", "x.ｏｎｉｏｎ.", "x.local。", "x.loc\u00adal",
]  # fmt: skip

MALFORMED = [
    ".", "..", "...", ".com", ".local", "example.com..", "..example.com", "a..example.com", "-a.example.com",
    "a-.example.com", "example.-com", "*.example.com", "exa%6dple.com", "example%2ecom", "%65xample.com",
    "localhost%00.example.com", "localhost%2f.example.com",
    "example.com%", "exam!ple.com", "example.com,a.com",
    "example.com;a.com", "example.com|a.com",
    "{example}.com", "exa'mple.com", 'exa"mple.com', "<example>.com",
    "$(id).com", "example.com&a", "a" * 64 + ".com", ".".join(["a" * 60] * 5) + ".com", "☃" * 64 + ".com",
    "xn--a.com\u3002\u3002", "exa\u3000mple.com", "\u202eexample.com", "example.\ud800com", "\udfff.com",
    "a\ufffd.com", "\u0301a.com",
]  # fmt: skip


@pytest.mark.parametrize("name", [*SPECIAL, *DISGUISED, *MALFORMED])
def test_a_special_or_malformed_name_is_refused(outbound: Outbound, canary: Server, name: str) -> None:
    outbound.allow_pairs(("127.0.0.1", canary.port))
    outbound.refuses([f"http://{name}/", f"https://{name}:443/a", f"http://{name}:{canary.port}/"])


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("Example.COM.", "example.com"),
        ("bücher.de", "xn--bcher-kva.de"),
        ("ｅｘａｍｐｌｅ。com", "example.com"),
        ("notlocal.com", "notlocal.com"),
        ("localhost.com", "localhost.com"),
        ("my-intranet.example.org", "my-intranet.example.org"),
        ("1.example.com", "1.example.com"),
        ("_dmarc.example.com", "_dmarc.example.com"),
    ],
)
def test_a_public_name_is_returned_normalised(name: str, host: str) -> None:
    assert check_url(f"http://{name}/").host == host


_HOSTILE = st.text(st.sampled_from("127.0:/@[]%#?\\lochst。．１ⓛ\u00ad\t xX-_"), max_size=30)


@given(st.one_of(_HOSTILE, st.text(st.characters(), max_size=30)))
def test_accepted_hosts_are_public_addresses_or_names_of_two_labels(text: str) -> None:
    for url in (
        text,
        f"http://{text}",
        f"http://{text}/",
        f"http://example.com{text}",
        f"http://example.com/{text}",
    ):
        with contextlib.suppress(ServiceFailure):
            endpoint = check_url(url)
            assert endpoint.port in (80, 443)
            assert is_public(endpoint.host) if endpoint.is_address else "." in endpoint.host
            assert f"{endpoint.host_header}{endpoint.target}".isascii()
            assert not set("\r\n\t @\\") & set(endpoint.host_header)
            assert not set("\r\n\t \\") & set(endpoint.target)
