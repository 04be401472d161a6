"""Keys over HTTP, to real servers on the loopback: what they are sent, how often, and what their answers come to."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from desktop_agent.extras.camera.wire import http
from desktop_agent.extras.camera.wire._http.http_output import HttpKeyboardOutput
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.wire.base import KeyboardAction, Keystroke, ModifiedKey, TextInput
from tests.extras.camera.wire.key_server import KeyServer, key_server

SCREEN = Size(800, 600)
OURS = {"status": "ok", "idempotency": True, "instance": "1"}


def wire(server: KeyServer, timeout: float = 1.5) -> HttpKeyboardOutput:
    return http.create(http.Options(server.address, "env:NO_SUCH_TOKEN", timeout))


@pytest.fixture
def server() -> Iterator[KeyServer]:
    with key_server() as made:
        yield made


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        (Keystroke("enter"), ("/keystroke", {"key": "Enter"})),
        (Keystroke("Return"), ("/keystroke", {"key": "Enter"})),
        (Keystroke("up"), ("/keystroke", {"key": "ArrowUp"})),
        (Keystroke("f5"), ("/keystroke", {"key": "F5"})),
        (Keystroke("ß"), ("/keystroke", {"key": "ß"})),
        (ModifiedKey(("ctrl",), "c"), ("/key-combo", {"modifiers": ["ctrl"], "key": "c"})),
        (ModifiedKey(("ctrl", "alt"), "delete"), ("/key-combo", {"modifiers": ["ctrl", "alt"], "key": "Delete"})),
        (TextInput("ls -la"), ("/text", {"text": "ls -la"})),
    ],
)  # fmt: skip
def test_the_bodies_are_as_in_the_contract(server: KeyServer, action: KeyboardAction, sent: Any) -> None:
    with wire(server) as output:
        output.send(action)
    assert server.typed == [sent]
    assert server.headers[-1]["Content-Type"] == "application/json"
    assert not {"Idempotency-Key", "Authorization"} & server.headers[-1].keys()


def test_a_line_is_its_text_and_enter_each_once(server: KeyServer) -> None:
    with wire(server) as output:
        output.send_line("echo Grüße")
        output.send(TextInput("a\n\tb"))
    line = [("/text", {"text": "echo Grüße"}), ("/keystroke", {"key": "Enter"})]
    more = [("/text", {"text": "a"}), ("/keystroke", {"key": "Enter"}), ("/keystroke", {"key": "Tab"})]
    assert server.typed == [*line, *more, ("/text", {"text": "b"})]


def test_keys_that_are_none_are_refused_before_anything_is_sent(server: KeyServer) -> None:
    with wire(server) as output:
        for action in (Keystroke("brightness_up"), Keystroke("nonsense"), TextInput("ok then \x07")):
            with pytest.raises(Refused):
                output.send(action)
    assert server.typed == []


def test_the_token_is_sent_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_TOKEN", "sesame")
    with key_server(token="sesame") as server:
        output = http.create(http.Options(server.address, "env:OUR_TOKEN"))
        with output:
            output.send(Keystroke("a"))
        reached = http.reached(output.environment(), output.secrets())
        assert "sesame" not in repr(dict(output.environment()))
        monkeypatch.setenv("OUR_TOKEN", "wrong")
        with pytest.raises(TargetError, match="did not take the token"):
            http.create(http.Options(server.address, "env:OUR_TOKEN")).connect()
        with pytest.raises(TargetError, match="did not take the token"):
            wire(server).connect()
        with reached:
            reached.send(Keystroke("b"))
        assert server.typed == [("/keystroke", {"key": "a"}), ("/keystroke", {"key": "b"})]


def test_a_lost_answer_of_a_foreign_receiver_is_never_asked_for_again(server: KeyServer) -> None:
    with wire(server) as output:
        server.next = ["lose"]
        with pytest.raises(TargetError, match="not known"):
            output.send(TextInput("rm it"))
        assert server.typed == [("/text", {"text": "rm it"})]
        output.send(TextInput("next"))
        assert len(server.typed) == 2


def test_one_that_knows_keys_of_requests_is_asked_again_and_types_once() -> None:
    with key_server(health=OURS) as server, wire(server) as output:
        server.next = ["lose"]
        output.send(TextInput("rm it"))
        assert server.typed == [("/text", {"text": "rm it"})]
        keys = [each.get("Idempotency-Key") for each in server.headers if "Content-Length" in each]
        assert len(keys) == 2 and keys[0] == keys[1] and keys[0]
        output.send(TextInput("rm it"))
        assert len(server.typed) == 2  # another press, with a key of its own


def test_one_that_was_started_anew_is_not_asked_again() -> None:
    with key_server(health=OURS) as server, wire(server) as output:
        server.next = ["lose"]
        server.health = {**OURS, "instance": "2"}
        with pytest.raises(TargetError, match="not known"):
            output.send(TextInput("rm it"))
        assert len(server.typed) == 1


def test_one_that_loses_every_answer_is_told_and_has_typed_once() -> None:
    with key_server(health=OURS, next=["lose"] * 9) as server, wire(server) as output:
        with pytest.raises(TargetError, match="not known"):
            output.send(Keystroke("a"))
        assert server.typed == [("/keystroke", {"key": "a"})]


@pytest.mark.parametrize("health", [{"status": "ok"}, OURS])
def test_a_slow_answer_is_not_waited_for_for_long(health: Any) -> None:
    with key_server(health=health) as server, wire(server, 0.3) as output:
        server.next = ["late"] * 9
        with pytest.raises(TargetError, match="not known"):
            output.send(Keystroke("a"))
        assert server.typed == [("/keystroke", {"key": "a"})]


def test_one_request_too_many_is_sent_again_as_it_was_not_typed(server: KeyServer) -> None:
    with wire(server, 0.3) as output:
        server.next = ["busy", "busy"]
        output.send(Keystroke("a"))
        assert server.typed == [("/keystroke", {"key": "a"})]
        server.next = ["busy"] * 999
        with pytest.raises(TargetError, match="no more for now"):
            output.send(Keystroke("b"))


def test_an_answer_without_an_end_is_not_read(server: KeyServer) -> None:
    with wire(server) as output:
        server.next = ["endless"]
        output.send(Keystroke("a"))
        output.send(Keystroke("b"))
    assert len(server.typed) == 2


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (b"<html>hello", "no receiver of keys"),
        (b"[]", "no receiver of keys"),
        ({"state": "fine"}, "no receiver of keys"),
        (b"\xff\xfe", "no receiver of keys"),
        (b"x" * 1_000_000, "no receiver of keys"),
        ({"status": "the shell \x1b[2J has ended"}, "not well: the shell"),
    ],
)
def test_what_is_no_receiver_is_told(health: Any, words: str) -> None:
    with key_server(health=health) as server, pytest.raises(TargetError, match=words) as told:
        wire(server).connect()
    assert "\x1b" not in str(told.value)


@pytest.mark.parametrize(
    ("status", "answer", "error", "words"),
    [
        (422, b'{"detail": "no such key"}', Refused, "no such key"),
        (422, b'{"error": "no such key at all"}', Refused, "no such key at all"),
        (400, b"garbage", Refused, "does not type that"),
        (401, b"", TargetError, "token"),
        (404, b"", TargetError, "no receiver of keys"),
        (409, b'{"detail": "the shell has ended"}', TargetError, "the shell has ended"),
        (307, b"", TargetError, "another address"),
        (500, b"oops", TargetError, "status 500"),
    ],
)
def test_answers_are_told_in_words(
    server: KeyServer, status: int, answer: bytes, error: type[Exception], words: str
) -> None:
    with wire(server) as output:
        server.status, server.answer = status, answer
        with pytest.raises(error, match=words):
            output.send(Keystroke("a"))
        assert server.typed == []


def test_nobody_there_is_told_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(TargetError, match=r"Nothing receives keys.*desktop-agent endpoint"):
        http.create(http.Options(address)).connect()


def test_no_proxy_of_the_environment_is_used(server: KeyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        dead = f"http://127.0.0.1:{free.getsockname()[1]}"
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, dead)
    monkeypatch.delenv("no_proxy", raising=False)
    with wire(server) as output:
        output.send(Keystroke("a"))
    assert len(server.typed) == 1


@pytest.mark.parametrize(
    "address", ["ftp://x", "http://user:pw@x", "http://x?y", "http://", "x:1", "http://a b"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"address": address}, http.Options)


# ---- what the hand injects with -----------------------------------------------------------------------


def test_modifiers_go_with_the_key_that_they_are_held_for(server: KeyServer) -> None:
    hand = wire(server).input(SCREEN, None)
    events: list[InputEvent] = [KeyDown("ctrl"), KeyDown("shift_left"), KeyDown("c")]
    events += [KeyUp("c"), KeyUp("shift_left"), KeyUp("ctrl"), KeyDown("enter"), KeyUp("enter")]
    for event in events:
        assert hand.codes(event) == ()
        hand.emit(event)
    assert server.typed == [
        ("/key-combo", {"modifiers": ["ctrl", "shift"], "key": "c"}),
        ("/keystroke", {"key": "Enter"}),
    ]
    hand.close()


def test_a_modifier_alone_is_refused_and_forgotten(server: KeyServer) -> None:
    hand = wire(server).input(SCREEN, None)
    hand.emit(KeyDown("super"))
    with pytest.raises(Refused, match="alone"):
        hand.emit(KeyUp("super"))
    hand.emit(KeyUp("super"))  # as a release that is tried again
    hand.emit(KeyDown("a"))
    with pytest.raises(Refused, match="altgr"):
        hand.emit(KeyDown("altgr"))
    assert server.typed == [("/keystroke", {"key": "a"})]


def test_no_mouse_and_nothing_to_open(server: KeyServer) -> None:
    hand = wire(server).input(SCREEN, None)
    for event in (Move(1, 1), ButtonDown("left"), ButtonUp("left"), Wheel(0, 1)):
        with pytest.raises(Refused, match="no mouse"):
            hand.emit(event)
    with pytest.raises(Refused):
        hand.open("firefox")
    assert hand.geometry().bounds.size == SCREEN and server.typed == []


def test_a_stop_within_a_text_lets_no_more_than_a_few_characters_out(server: KeyServer) -> None:
    class Halt(BaseException):
        pass

    def check(typed: int) -> None:
        if typed >= 4:
            raise Halt

    hand = wire(server).input(SCREEN, None)
    hand.check_with(check)
    with pytest.raises(Halt):
        hand.emit(Text("abcdefghij"))
    assert "".join(body["text"] for _, body in server.typed) == "abcd"


def test_a_text_is_not_typed_while_a_modifier_is_held(server: KeyServer) -> None:
    hand = wire(server).input(SCREEN, None)
    hand.emit(KeyDown("ctrl"))
    with pytest.raises(Refused, match="ctrl"):
        hand.emit(Text("abc"))
    with pytest.raises(Refused, match="U\\+0007"):
        hand.prepare("a\x07")
    assert server.typed == []


def test_nothing_is_to_be_released(server: KeyServer) -> None:
    assert wire(server).releaser().release((4, 224), ())
    with pytest.raises(TargetError, match="names no receiver"):
        http.reached({}, {})
