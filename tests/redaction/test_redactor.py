"""Secrets are found in every form they may stand in a text, and nothing else is taken out."""

from __future__ import annotations

import base64
import html
import json
import threading
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_agent.protocol.agent_events import Note, Plan
from desktop_agent.redaction import redactor as redact
from desktop_agent.redaction.redactor import DOTS, FOUND, Redactor, StreamRedactor, dotted, holds_secret

SECRET = 'pa"ss\\wörd/+ 42&<x>'


@pytest.fixture
def redactor() -> Redactor:
    made = Redactor()
    made.know(SECRET)
    return made


@pytest.fixture
def fresh() -> Iterator[Redactor]:
    """The one of the process, empty."""
    redact.redactor.cache_clear()
    yield redact.redactor()
    redact.redactor.cache_clear()


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps({"raw": SECRET})),
        msgspec.json.encode({"raw": SECRET}).decode(),
        repr({"header": SECRET}),
        f"https://x.y/?q={quote(SECRET)}&z",
        f"https://x.y/?q={quote(SECRET, safe='')}&z",
        f"https://x.y/?q={quote_plus(SECRET)}&z",
        f"https://x.y/?q={quote(SECRET, safe='').replace('%2F', '%2f').replace('%3C', '<')}&z",
        json.dumps(SECRET)[1:-1].replace("/", "\\/"),
        html.escape(SECRET),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
        "Basic " + base64.b64encode(f"user:{SECRET}".encode()).decode(),
        "Basic " + base64.b64encode(f"me:{SECRET}!".encode()).decode(),
        "Basic " + base64.b64encode(f"a:{SECRET}".encode()).decode(),
    ],
)
def test_every_form_is_taken_out(redactor: Redactor, written: str) -> None:
    clean = redactor.clean(f"before {written} after")
    assert FOUND in clean and clean.startswith("before ") and clean.endswith(" after")
    assert "ss" not in clean.replace("[secret]", "") or "wo" not in clean
    assert len(clean) < len(written) + 8


def test_the_longest_comes_first() -> None:
    redactor = Redactor()
    redactor.know("abcdefgh", "abcdefghijkl")
    assert redactor.clean("x abcdefghijkl abcdefgh") == f"x {FOUND} {FOUND}"


def test_short_ones_are_left_alone() -> None:
    redactor = Redactor()
    redactor.know("seven77")
    assert redactor.clean("seven77") == "seven77"
    redactor.mark("pin {{secret: 4711}} and {{secret: 47}}")
    assert redactor.clean("4711 47") == "{{secret:1}} 47"


def test_lines_of_a_long_secret_are_taken_out_one_by_one() -> None:
    redactor = Redactor()
    redactor.know("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n")
    assert "BAQEFAASC" not in redactor.clean("found BAQEFAASCBKcwggSjAgEAAo in the file")


def test_the_beginning_of_a_secret_is_taken_out_where_a_text_was_cut() -> None:
    redactor = Redactor()
    redactor.know("0123456789abcdefghij")
    text = "a long text that quotes what it should not quote at all: 0123456789ab"
    assert redactor.clean(text).endswith(f"at all: {FOUND}")
    assert redactor.clean(text + "…").endswith(f"at all: {FOUND}…")


def test_words_with_marks_get_stand_ins() -> None:
    redactor = Redactor()
    words = redactor.mark(
        "log in as ann with {{secret: hunter2 }}, then {{ Secret:hunter2}} and {{secret:a}b}}}"
    )
    assert words == "log in as ann with {{secret:1}}, then {{secret:1}} and {{secret:2}}"
    assert redactor.fill(words) == "log in as ann with hunter2, then hunter2 and a}b}"
    assert redactor.mark(words) == words


def test_a_known_secret_in_the_user_s_words_can_be_typed_and_is_not_told() -> None:
    redactor = Redactor()
    redactor.know("sk-0123456789")
    words = redactor.mark("type sk-0123456789 there")
    assert words == "type {{secret:1}} there" and redactor.fill(words) == "type sk-0123456789 there"
    assert redactor.clean("sk-0123456789") == "{{secret:1}}"


def test_a_secret_called_secret_does_not_break_the_stand_ins() -> None:
    redactor = Redactor()
    words = redactor.mark("{{secret: secret}}")
    assert redactor.clean(words) == words == redactor.mark(words) == "{{secret:1}}"
    assert redactor.clean("my secret") == "my {{secret:1}}"


def test_named_ones_are_spoken_of_by_name() -> None:
    redactor = Redactor()
    redactor.keep("MAIL", "a-word-for-mail")
    assert (
        redactor.mark("use {{secret:MAIL}} and {{secret: new one}}") == "use {{secret:MAIL}} and {{secret:1}}"
    )
    assert redactor.has("MAIL") and not redactor.has("POST")
    assert redactor.fill("{{secret:POST}}") == "{{secret:POST}}"


def test_structs_are_cleaned_and_left_as_they_are_when_clean(redactor: Redactor) -> None:
    plan = Plan(steps=("one", f"type {SECRET}"), current=0)
    assert redactor.scrub(plan) == Plan(steps=("one", f"type {FOUND}"), current=0)
    clean = Note(text="nothing here")
    assert redactor.scrub(clean) is clean
    assert redactor.scrub({"a": [SECRET, 1, None], SECRET: b"\x00"}) == {
        "a": [FOUND, 1, None],
        FOUND: b"\x00",
    }


def test_people_see_dots(fresh: Redactor) -> None:
    assert dotted(fresh.mark("x {{secret: hunter2}}\n")) == f"x {DOTS}\n"
    assert dotted("hunter2") == DOTS
    assert holds_secret("{{secret:1}}") and holds_secret("hunter2") and not holds_secret("hunter")


SHORT_TEXT = st.text(alphabet='ab{}:secrt\\"/é ', max_size=30)


@given(st.text(min_size=8, max_size=40), SHORT_TEXT, SHORT_TEXT)
@example("99999999", "é", "")
@example("u00e9000", "é", "\\")
@example("99999999", "\\u", "9")
def test_no_text_keeps_a_secret(secret: str, before: str, after: str) -> None:
    redactor = Redactor()
    redactor.know(secret)
    clean = redactor.clean(before + secret + after)
    assert secret not in clean or secret in FOUND or FOUND in secret
    assert (
        secret not in msgspec.json.decode(redactor.clean(json.dumps(before + secret + after)))
        or FOUND in secret
    )


@given(st.text(alphabet="abcde", min_size=4, max_size=10), st.data())
def test_pieces_never_show_a_secret(secret: str, data: st.DataObject) -> None:
    redactor = Redactor()
    redactor.mark("{{secret: " + secret + "}}")
    text = (
        data.draw(st.text(alphabet="abcde", max_size=20))
        + secret
        + data.draw(st.text(alphabet="abcde", max_size=20))
    )
    spoken, told, at = StreamRedactor(redactor), "", 0
    while at < len(text):
        size = data.draw(st.integers(1, 6))
        told += spoken.more(text[at : at + size])
        at += size
    assert secret not in told


def test_many_threads_may_learn_and_clean() -> None:
    redactor = Redactor()

    def work(number: int) -> None:
        for each in range(20):
            secret = f"secret-{number}-{each}-value"
            redactor.know(secret)
            assert redactor.clean(f"({secret})") == f"({FOUND})"

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(redactor.hides(f"secret-{n}-{each}-value") for n in range(4) for each in range(20))
