"""The origin of an address, as browsers compare it."""

from __future__ import annotations

import pytest

from desktop_agent.support.web_origin import ascii_host, origin_of


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.Example:443/basket?x=1#top", "https://shop.example"),
        ("http://shop.example:80", "http://shop.example"),
        ("https://shop.example:8443/", "https://shop.example:8443"),
        ("http://shop.example:443/", "http://shop.example:443"),
        ("http://127.0.0.1:5000/a", "http://127.0.0.1:5000"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://straße.example/", "https://xn--strae-oqa.example"),
        ("blob:https://shop.example/5d8-a", "https://shop.example"),
        ("file:///home/ann/form.html#below", "file:///home/ann/form.html"),
        ("chrome://settings/passwords", "chrome://settings"),
        ("vscode-file://vscode-app/usr/share/x.html", "vscode-file://vscode-app"),
    ],
)
def test_scheme_host_and_port(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "", "about:blank", "about:srcdoc", "shop.example", "https://", "https://shop.example@evil.example/",
        "https://shop.example\\@evil.example/", "https://shop example/", "https://sh\nop.example/", "https://shop..example/",
        "http://127.1/", "http://0x7f000001/", "http://2130706433/", "https://shop.example:http/", "https://%65vil.example/",
        "http://[::1", "https://shop.example:99999/",
    ],
)  # fmt: skip
def test_what_could_be_read_in_two_ways_has_none(url: str) -> None:
    assert origin_of(url) == ""


def test_a_look_alike_is_another_host() -> None:
    assert ascii_host("аpple.example") != "apple.example", "the first letter is Cyrillic"
    assert ascii_host("APPLE.example") == "apple.example"
    assert origin_of("https://shop.example.evil.example") != origin_of("https://shop.example")


def test_a_file_and_a_data_address_equal_only_themselves() -> None:
    one, other = origin_of("data:text/html,<p>1"), origin_of("data:text/html,<p>2")
    assert one == origin_of("data:text/html,<p>1") != other
    assert origin_of("file:///a/b.html") != origin_of("file:///a/c.html")
