"""Secrets that a page has written in another way are told, and other texts are not."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest

from desktop_agent.redaction.redactor import Redactor
from desktop_agent.redaction.transformed_secrets import disclosed_by, spread_over

SECRETS = ("Hunter2 & friends", "kx9Qpz", "großer-Bär-7")


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


WAYS: dict[str, Callable[[str], str]] = {
    "reversed": lambda s: s[::-1],
    "upper": str.upper,
    "lower": str.lower,
    "swapped": str.swapcase,
    "spaced": " ".join,
    "stars": "*".join,
    "letters between": "x".join,
    "two between": "--".join,
    "invisible": "\u200b".join,
    "lines": "\n".join,
    "base64": _b64,
    "base64 for addresses": lambda s: base64.urlsafe_b64encode(s.encode()).decode().rstrip("="),
    "base64 in lines": lambda s: "\n".join(_b64(s)[at : at + 5] for at in range(0, len(_b64(s)), 5)),
    "base64 reversed": lambda s: _b64(s)[::-1],
    "reversed base64": lambda s: _b64(s[::-1]),
    "base64 twice": lambda s: _b64(_b64(s)),
    "base64 of more": lambda s: _b64(f"user:{s}@host"),
    "percent": lambda s: "".join(f"%{byte:02x}" for byte in s.encode()),
    "percent in an address": lambda s: f"https://x.example/?q={quote(s.upper())}",
    "hex": lambda s: s.encode().hex(),
    "hex with blanks": lambda s: s.encode().hex(" "),
    "html": lambda s: "".join(f"&#{ord(each)};" for each in s),
    "escapes": lambda s: "".join(f"\\u{ord(each):04x}" for each in s),
    "rot13": lambda s: codecs.encode(s, "rot13"),
    "within a sentence": lambda s: f"You said {s[::-1].upper()}, didn't you?",
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("way", WAYS)
def test_other_forms_are_told(way: str, secret: str) -> None:
    assert disclosed_by(WAYS[way](secret), [secret, "another-one-1"])


@pytest.mark.parametrize(
    "text",
    [
        "", "Save", "Hunter and his friends, all 2 of them", "https://shop.example/basket?id=8f3a2b9c&x=1",
        "Password", "The quick brown fox jumps over the lazy dog " * 40, "SGVsbG8sIHdvcmxkISBIb3cgYXJlIHlvdT8=",
        "{{secret:1}}", "••••••", "kx9", "0123456789abcdef" * 20,
    ],
)  # fmt: skip
def test_other_texts_are_not(text: str) -> None:
    assert not disclosed_by(text, SECRETS)


def test_a_short_secret_is_only_told_where_it_stands_alone() -> None:
    assert disclosed_by("t-s-e-t", ["test"]) and disclosed_by("TEST", ["test"])
    assert not disclosed_by("the latest news", ["test"])
    assert not disclosed_by("a b", ["ab"])


def test_letters_of_their_own_are_told_together() -> None:
    secret = "kx9Qpz"
    assert spread_over(["Your", *secret, "is"], [secret]) == frozenset(range(1, 7))
    assert spread_over(["is", *secret[::-1].upper()], [secret]) == frozenset(range(1, 7))
    assert spread_over(["kx9 Q", "", "pz now"], [secret]) == frozenset((0, 2))
    assert spread_over(["kx9", "pz"], [secret]) == frozenset()
    assert spread_over([], [secret]) == spread_over(["a"], []) == frozenset()


@pytest.fixture
def redactor() -> Iterator[Redactor]:
    fresh = Redactor()
    fresh.keep("1", "Hunter2 & friends")
    yield fresh


def test_the_redactor_asks_for_marked_secrets_alone(redactor: Redactor) -> None:
    redactor.know("sk-an-api-key-0123456789")
    assert redactor.discloses("sdneirf & 2retnuH") and redactor.spread_over(list("hunter2friends"))
    assert not redactor.discloses("9876543210-yek-ipa-na-ks")
    assert redactor.stand_ins_alone("Hunter2 & friends") == "{{secret:1}}"
    assert redactor.stand_ins_alone("Hunter2 & friends and Ann") == redactor.stand_ins_alone("") == ""
