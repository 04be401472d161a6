"""The interpreter of pictures of a terminal: real SDKs against a loopback server, the same prompt and PNG for all of them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from desktop_agent.extras.camera.llm._terminal_interpreter import (
    InterpreterError,
    interpret,
    read_state,
    system_prompt,
)
from desktop_agent.extras.camera.llm.terminal import Options, create
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from tests.llm.asking import PROVIDERS, conversation, make, observation
from tests.llm.fake_server import FakeServer

STATE = {"content": ["user$ ls", "a.txt", "user$"], "prompt": "user$", "cursor": [2, 6], "activity": "idle", "error": "", "confidence": 0.9}  # fmt: skip
GOOD = json.dumps(STATE)
PNG = b"\x89PNG\r\n"


def pictures(node: Any) -> list[str]:
    """Every long text in a body that may be a picture in base64."""
    if isinstance(node, dict):
        return [found for each in node.values() for found in pictures(each)]
    if isinstance(node, list):
        return [found for each in node for found in pictures(each)]
    return [node.partition("base64,")[2] or node] if isinstance(node, str) and "iVBOR" in node else []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_picture_goes_out_as_png_and_comes_back_as_a_state(server: FakeServer, provider: str) -> None:
    server.answer = lambda body: GOOD
    state, usage = interpret(make(provider, server.url), observation(), StopFlag())
    assert state.content == ("user$ ls", "a.txt", "user$")
    assert (state.cursor, state.activity, state.prompt) == ((2, 6), "idle", "user$")
    assert state.reader
    assert usage.input > 0
    (sent,) = pictures(server.seen[-1].body)
    assert base64.b64decode(sent).startswith(PNG)
    assert json.dumps(system_prompt())[1:-1] in json.dumps(server.seen[-1].body)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_bad_answer_is_asked_for_once_more_with_what_is_wrong(server: FakeServer, provider: str) -> None:
    answers = iter([json.dumps({**STATE, "activity": "asleep"}), f"```json\n{GOOD}\n```"])
    server.answer = lambda body: next(answers)
    state, _ = interpret(make(provider, server.url), observation(), StopFlag())
    assert state.confidence == 0.9
    assert "asleep" in json.dumps(server.seen[-1].body)
    assert "Invalid enum value" in json.dumps(server.seen[-1].body)


def test_a_second_bad_answer_is_an_error_with_the_provider_and_the_redacted_reply(server: FakeServer) -> None:
    redactor().know("hunter2-hunter2")
    server.answer = lambda body: "I see hunter2-hunter2" + "." * 5_000
    with pytest.raises(InterpreterError, match="Anthropic") as error:
        interpret(make("anthropic", server.url), observation(), StopFlag())
    assert len(server.seen) == 2
    assert "Anthropic" in error.value.provider
    assert "hunter2" not in error.value.raw
    assert len(error.value.raw) <= 2_000


def test_a_model_that_sees_nothing_is_refused(server: FakeServer) -> None:
    with pytest.raises(ModelError, match="sees no pictures"):
        interpret(make("compatible", server.url, images=False), observation(), StopFlag())
    assert not server.seen


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"confidence": "high"},
        {"confidence": 2},
        {"content": "ls"},
        {"content": ["a\nb"]},
        {"cursor": [1]},
        {"cursor": [-1, 0]},
        {"prompt": "root#"},
    ],
)
def test_validation_is_strict(change: dict[str, Any]) -> None:
    assert read_state(GOOD)[0] is not None
    state, problems = read_state(json.dumps({**STATE, **change}))
    assert state is None
    assert problems
    missing = {name: value for name, value in STATE.items() if name != "confidence"}
    assert read_state(json.dumps(missing))[0] is None


def test_the_model_terminal_reads_with_its_interpreter_and_gives_up_in_words(server: FakeServer) -> None:
    server.answer = lambda body: GOOD
    model = create(Options(interpreter="compatible", max_errors=1))
    model.read_with(make("compatible", server.url))
    ask: dict[str, Any] = {"goal": "run `ls`", "operations": ("type", "key_combo", "wait", "done", "fail")}
    typed = model.reply(
        conversation(**ask), observation(), on_note=lambda _: None, stop=StopFlag()
    ).reply.actions
    assert typed == (ops.Type("ls\n"),)
    server.answer = lambda body: "no"
    first = model.reply(conversation(**ask, turn=2), observation(), on_note=lambda _: None, stop=StopFlag())
    assert isinstance(first.reply.actions[0], ops.Wait)
    assert first.remark is not None
    assert first.remark.facts["raw"] == "no"
    (last,) = model.reply(
        conversation(**ask, turn=3), observation(), on_note=lambda _: None, stop=StopFlag()
    ).reply.actions
    assert isinstance(last, ops.Fail)
    assert "2 times in a row" in last.reason
