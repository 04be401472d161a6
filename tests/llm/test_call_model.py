"""A model that is any object with `call(messages, kv_cache)`."""

from __future__ import annotations

import base64
import json
import logging
import os
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from desktop_agent.llm.base import Model
from desktop_agent.llm.transport import call_model
from desktop_agent.llm.transport.call_model import CallModel, as_model
from desktop_agent.llm.transport.kept_cache import FILE
from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.errors import BadReply, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import GOOD, NOTE, SYSTEM, TEXT, ask, conversation, failure, observation
from tests.llm.test_stop import DEADLINE, Asking, calls
from tests.support.waiting import until


class Seed:
    """Says what it is told to, and remembers what it was given; its cache counts the messages."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.seen: list[tuple[list[dict[str, Any]], Any]] = []

    def call(self, messages: list[dict[str, Any]], kv_cache: Any) -> Any:
        self.seen.append((messages, kv_cache))
        answer = self.answers.pop(0) if self.answers else GOOD
        if isinstance(answer, BaseException):
            raise answer
        return (answer, np.arange(len(messages))) if isinstance(answer, str) else answer


class Blind(Seed):
    images = False
    system = ""


class ToldApart(Seed):
    def call(self, messages: list[dict[str, Any]], kv_cache: Any, system: str = "") -> Any:
        self.system_told = system
        return super().call(messages, kv_cache)


def made(given: object, folder: Path, **options: Any) -> CallModel:
    return CallModel(given, call_model.Options(context_folder=str(folder), **options))


def spoken(model: Model, *messages: Message) -> str:
    """The answer in words to a conversation."""
    return model.ask(SYSTEM, messages, stop=StopFlag()).text


def test_it_gets_claude_messages_with_the_system_prompt_first_and_a_png(tmp_path: Path) -> None:
    seed, heard = Seed(), list[str]()
    answer = ask(made(seed, tmp_path), on_note=heard.append)
    assert answer.reply.notes == NOTE == "".join(heard)
    ((messages, cache),) = seed.seen
    assert cache is None
    (message,) = messages
    assert message["role"] == "user"
    system, text, image = message["content"]
    assert system["type"] == "text" and system["text"].startswith(SYSTEM)
    assert text == {"type": "text", "text": TEXT}
    assert image["type"] == "image" and image["source"]["type"] == "base64"
    assert image["source"]["media_type"] == "image/png"
    assert base64.b64decode(image["source"]["data"]).startswith(b"\x89PNG")
    json.dumps(messages)


def test_one_without_eyes_gets_words_alone_and_the_system_prompt_where_it_wants_it(tmp_path: Path) -> None:
    blind = Blind()
    model = made(blind, tmp_path)
    assert not model.support.images
    model.reply(conversation(), observation(), on_note=lambda _: None, stop=StopFlag())
    ((messages, _),) = blind.seen
    assert messages == [{"role": "user", "content": [{"type": "text", "text": TEXT}]}]
    assert blind.system.startswith(SYSTEM)
    apart = ToldApart()
    ask(made(apart, tmp_path))
    assert apart.system_told.startswith(SYSTEM) and SYSTEM not in str(apart.seen[0][0])


def test_the_cache_comes_back_while_the_conversation_grows_and_not_once_it_was_shortened(
    tmp_path: Path,
) -> None:
    seed = Seed()
    model = made(seed, tmp_path)
    first, said = words_of("one"), words_of(GOOD, "assistant")
    spoken(model, first)
    spoken(model, first, said, words_of("two"))
    spoken(model, words_of("a summary"), said, words_of("two"), said, words_of("three"))
    caches = [None if cache is None else cache.tolist() for _, cache in seed.seen]
    assert caches == [None, [0], None]
    seed.reuses_prefix = True  # type: ignore[attr-defined]
    model = made(seed, tmp_path / "other")
    spoken(model, first)
    spoken(model, words_of("a summary"))
    assert seed.seen[-1][1].tolist() == [0]


def test_the_cache_is_there_after_a_restart_and_bound_to_its_model(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, said = words_of("one"), words_of(GOOD, "assistant")
    model = made(Seed(), tmp_path)
    spoken(model, first)
    model.close()
    file = tmp_path / FILE
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0
    again = Seed()
    spoken(made(again, tmp_path), first, said, words_of("two"))
    assert again.seen[0][1].tolist() == [0]
    other = Seed()
    spoken(made(other, tmp_path), words_of("elsewhere"), said, words_of("two"), said, words_of("three"))
    assert other.seen[0][1] is None
    blind = Blind()
    with caplog.at_level(logging.WARNING):
        spoken(made(blind, tmp_path), first, said, words_of("two"))
    assert blind.seen[0][1] is None and "belongs to" in caplog.text


@pytest.mark.parametrize("harm", ["cut", "flipped", "pickle", "empty"])
def test_a_damaged_file_is_refused_and_made_anew(
    tmp_path: Path, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    first, said = words_of("one"), words_of(GOOD, "assistant")
    model = made(Seed(), tmp_path)
    spoken(model, first)
    model.close()
    file = tmp_path / FILE
    whole = file.read_bytes()
    flipped = whole[:-1] + bytes([whole[-1] ^ 1])
    bomb = b"cos\nmkdir\n(S'%s'\ntR." % str(tmp_path / "harm").encode()
    file.write_bytes({"cut": whole[:-4], "flipped": flipped, "pickle": bomb, "empty": b""}[harm])
    seed = Seed()
    with caplog.at_level(logging.WARNING):
        spoken(made(seed, tmp_path), first, said, words_of("two"))
    assert seed.seen[0][1] is None and "made anew" in caplog.text
    assert not (tmp_path / "harm").exists()
    assert file.read_bytes().startswith(whole[:8])


def test_what_only_pickle_could_keep_stays_in_memory_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = object()
    seed = Seed((GOOD, cache))
    model = made(seed, tmp_path)
    with caplog.at_level(logging.WARNING):
        spoken(model, words_of("one"))
    assert "builtins.object" in caplog.text and "memory only" in caplog.text
    spoken(model, words_of("one"), words_of(GOOD, "assistant"), words_of("two"))
    assert seed.seen[1][1] is cache
    model.close()
    assert not (tmp_path / FILE).exists()


def test_a_cache_that_is_too_large_stays_in_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = made(Seed((GOOD, bytes(1_000_001))), tmp_path, cache_megabytes=1)
    with caplog.at_level(logging.WARNING):
        spoken(model, words_of("one"))
    assert "memory only" in caplog.text and not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (RuntimeError("out of memory"), "failed (RuntimeError: out of memory)"),
        (SystemExit(3), "failed (SystemExit: 3)"),
        (None, "returned nothing instead of (text, kv_cache)"),
        ((b"{}", None), "returned a tuple instead of"),
        ("x" * 1_100_000, "more text than any reply may have"),
    ],
)
def test_what_goes_wrong_in_it_is_an_error_with_advice(tmp_path: Path, answer: object, words: str) -> None:
    error = failure(made(Seed(answer), tmp_path))
    assert words in error.message and "call" in error.advice


@pytest.mark.parametrize("text", ["", "no JSON", '{"actions": 7}', '{"notes": "\ud800"'])
def test_a_text_that_is_no_reply_is_refused_with_reasons(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadReply):
        ask(made(Seed(text), tmp_path))


class Blocking(Seed):
    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.cancelled = threading.Event()
        self.inside, self.most = 0, 0

    def call(self, messages: list[dict[str, Any]], kv_cache: Any) -> Any:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.begun.set()
        assert self.may_end.wait(DEADLINE)
        self.inside -= 1
        return super().call(messages, kv_cache)

    def cancel(self) -> None:
        self.cancelled.set()


def test_a_stop_ends_the_wait_and_the_next_call_waits_for_the_one_before(tmp_path: Path) -> None:
    seed = Blocking()
    seed.reuses_prefix = True  # type: ignore[attr-defined]  # whatever is asked, it gets the cache there is
    model = made(seed, tmp_path)
    seed.may_end.set()
    ask(model)
    seed.may_end.clear()
    seed.begun.clear()
    asking = Asking(model, StopFlag())
    assert seed.begun.wait(DEADLINE)
    asking.stop.set("test")
    assert asking.ended.wait(DEADLINE) and isinstance(asking.error, Stopped)
    assert seed.cancelled.wait(DEADLINE)
    assert len(seed.seen) == 1  # it is still in its call
    later = Asking(model, StopFlag())
    until(lambda: len(calls()) >= 2, "the next call")
    seed.may_end.set()
    assert later.ended.wait(DEADLINE) and later.error is None
    assert seed.most == 1
    assert [cache is None for _, cache in seed.seen] == [
        True,
        False,
        True,
    ]  # it may have been changed by half


def test_a_call_that_does_not_end_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    seed = Blocking()
    error = failure(made(seed, tmp_path, timeout=0.2))
    assert "did not finish its answer within 0.2 s" in error.message and error.retryable
    seed.may_end.set()


def test_a_class_an_object_and_a_module_can_be_a_model() -> None:
    module: Any = ModuleType("plain")
    module.call = Seed().call
    for thing in (Seed, Seed(), module):
        plugin: Any = call_model.adapted(thing, "mine")
        assert isinstance(plugin.create(plugin.Options()), CallModel)
    assert call_model.adapted(call_model, "mine") is call_model
    with pytest.raises(ModelError, match="without `call`"):
        as_model(object())

    class Wrong(Seed):
        images = "yes"

    with pytest.raises(ModelError, match="`images` of the model Wrong is a str, not bool"):
        as_model(Wrong())
    with pytest.raises(ModelError, match="cannot be made"):
        as_model(_Unmakable)


class _Unmakable(Seed):
    def __init__(self) -> None:
        raise OSError("no weights")
