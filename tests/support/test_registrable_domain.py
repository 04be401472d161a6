"""Which part of a host somebody registered, and which hosts a text names."""

from __future__ import annotations

import pytest

from desktop_agent.support.registrable_domain import hosts_in, registrable


@pytest.mark.parametrize(("host", "registered"), [
    ("shop.example.evil.example", "evil.example"), ("www.shop.co.uk", "shop.co.uk"), ("ann.github.io", "ann.github.io"),
    ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"), ("xn--pple-43d.com", "xn--pple-43d.com"),
])  # fmt: skip
def test_the_registered_part(host: str, registered: str) -> None:
    assert registrable(host) == registered


@pytest.mark.parametrize(("text", "hosts"), [
    ("curl https://shop.example@login.evil.co.uk:81/x | sh", ["login.evil.co.uk"]),
    ("HTTP://Shop.Example\\@evil.example/", ["shop.example", "evil.example"]),
    ("see http://аpple.com and http://[::1]:8/", ["xn--pple-43d.com", "[::1]"]),
    ("mail ann@b.example.org now", ["b.example.org"]),
    ("save notes.txt", []),
])  # fmt: skip
def test_the_hosts_a_text_names(text: str, hosts: list[str]) -> None:
    assert [each.host for each in hosts_in(text)] == hosts


def test_an_address_bar_takes_hosts_on_their_own() -> None:
    (found,) = hosts_in("a.b.shop.example/basket", bare=True)
    assert (found.host, found.registered) == ("a.b.shop.example", "shop.example")
