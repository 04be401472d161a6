"""What is on a list of servers, in every way of writing a name or an address."""

from __future__ import annotations

import pytest

from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.protocol.errors import ConfigError

LIST = AllowList(["example.org", "*.example.net", "Bücher.example:8443", "192.0.2.7", "10.1.0.0/16:22", "[2001:db8::1]:443"])  # fmt: skip


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("example.org", 443),
        ("EXAMPLE.org.", 80),
        ("a.b.example.net", 443),
        ("bücher.example", 8443),
        ("xn--bcher-kva.example", 8443),
        ("192.0.2.7", 80),
        ("10.1.255.3", 22),
        ("2001:db8:0::1", 443),
        ("[2001:db8::1]", 443),
        ("::ffff:192.0.2.7", 443),
    ],
)
def test_what_is_on_it_is_found_however_it_is_written(host: str, port: int) -> None:
    assert LIST.names(host, port)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("example.org", 22),
        ("example.org", 8443),
        ("www.example.org", 443),
        ("example.org.evil.test", 443),
        ("evil-example.org", 443),
        ("example.net", 443),
        ("evilexample.net", 443),
        ("example.org\x00.evil.test", 443),
        ("example.org@evil.test", 443),
        ("example。org", 22),
        ("3221225991", 80),  # 192.0.2.7
        ("0xc0.0.2.7", 80),
        ("192.0.2.07", 80),
        ("192.0.2.8", 80),
        ("10.1.0.1", 80),
        ("10.2.0.1", 22),
        ("2001:db8::2", 443),
        ("fe80::1%eth0", 443),
        ("localhost", 80),
        ("", 80),
        ("." * 300, 80),
        ("a" * 300 + ".example.net", 443),
    ],
)
def test_nothing_else_is(host: str, port: int) -> None:
    assert not LIST.names(host, port)


LEADING_INSIDE = (
    ["127.0.0.1", "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.17.0.1", "100.64.0.1", "0.0.0.0", "224.0.0.1",  # noqa: S104 - addresses to refuse
     "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "ff02::1"]
)  # fmt: skip


@pytest.mark.parametrize("address", LEADING_INSIDE)
def test_a_name_does_not_lead_into_this_computer_or_a_private_network(address: str) -> None:
    assert not LIST.reaches("example.org", 443, address)
    assert LIST.reaches("example.org", 443, "93.184.215.14")
    assert LIST.reaches("example.org", 443, "2606:2800:21f:cb07:6820:80da:af6b:8b2c")


def test_it_does_where_the_address_is_listed_too() -> None:
    both = AllowList(["inside.example:8080", "10.0.0.9:8080"])
    assert both.reaches("inside.example", 8080, "10.0.0.9")
    assert not both.reaches("inside.example", 8080, "10.0.0.8")


@pytest.mark.parametrize(
    "entry",
    ["", "*", "*.", "a b", "http://example.org", "example.org/path", "example.org:0", "example.org:70000", "example.org:x",
     "10.0.0.1/8", "1.2.3", "user@example.org", "[example.org]", "2001:db8::1", "exa*mple.org", "*.*.org"],
)  # fmt: skip
def test_what_names_nothing_is_refused(entry: str) -> None:
    with pytest.raises(ConfigError, match="names nothing in a network"):
        AllowList([entry])
