"""What every model does when its other end fails: it says so in its own words, at once, and holds nothing up.

The three SDKs and the local model (whose server is replaced by one that fails on demand) over real HTTP, and a
class that has only `call`. Each case in depth: tests/llm/test_breakdowns.py, test_stop.py, test_call_model.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.llm.base import Model
from desktop_agent.llm.transport import call_model
from desktop_agent.protocol.errors import BadReply, ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import plugins
from tests.llm.asking import GOOD, PROVIDERS, answer_good, ask, failure, make
from tests.llm.conftest import keys
from tests.llm.fake_server import KEY, FakeServer
from tests.llm.test_stop import DEADLINE, Asking

__all__ = ["keys"]  # a fixture: keys of the fake server, and no key store

SEED = "seed"
LOCAL = ("local",) if "local" in plugins.extras() else ()


@dataclass
class Subject:
    """A model, and what makes its other end fail."""

    model: Callable[..., Model]
    says: Callable[[str | bytes], None]
    hangs: Callable[[], None]
    breaks_off: Callable[[], None]
    asked: threading.Event


class Fickle:
    """Has only `call`; does what it was told to."""

    def __init__(self) -> None:
        self.act: Callable[[], Any] = lambda: GOOD
        self.asked, self.over = threading.Event(), threading.Event()

    def call(self, messages: list[dict[str, Any]], kv_cache: Any) -> Any:
        self.asked.set()
        return self.act(), kv_cache

    def hang(self) -> str:
        self.over.wait(DEADLINE)
        return GOOD

    def break_off(self) -> str:
        raise ConnectionResetError(104, "Connection reset by peer")


@dataclass
class ServerAt:
    """Stands where llama.cpp's server would."""

    listening_address: str


@pytest.fixture(params=[*PROVIDERS, *LOCAL, SEED])
def subject(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Subject]:
    if request.param == SEED:
        yield from _seed(tmp_path)
        return
    with FakeServer(answer_good, key=None if request.param == "local" else KEY) as server:
        if request.param == "local":
            monkeypatch.setattr(plugins.load("llm", "local"), "_start", lambda *_: ServerAt(server.url))
        yield Subject(
            model=lambda **given: _made(request.param, server.url, tmp_path, **given),
            says=lambda text: _say(server, text),
            hangs=lambda: server.once(server.hang()),
            breaks_off=lambda: server.once(server.broken_off(GOOD)),
            asked=server.arrived,
        )


def _made(provider: str, url: str, folder: Path, **given: Any) -> Model:
    if provider != "local":
        return make(provider, url, **given)
    path = folder / "model.gguf"
    path.touch()
    local: Any = plugins.load("llm", "local")
    model: Model = local.create(local.Options(path=str(path), cache_megabytes=0, **given))
    return model


def _say(server: FakeServer, text: str | bytes) -> None:
    if isinstance(text, bytes):
        server.once(server.raw(text, "text/event-stream"))
    else:
        server.answer = lambda _: text


def _seed(folder: Path) -> Iterator[Subject]:
    fickle = Fickle()

    def model(retries: int = 0, stream: bool = False, **given: Any) -> Model:
        return call_model.CallModel(fickle, call_model.Options(context_folder=str(folder), **given))

    def act(what: Callable[[], Any]) -> None:
        fickle.act = what

    yield Subject(
        model=model,
        says=lambda text: act(lambda: text),
        hangs=lambda: act(fickle.hang),
        breaks_off=lambda: act(fickle.break_off),
        asked=fickle.asked,
    )
    fickle.over.set()


def test_a_stop_ends_the_wait_without_the_other_end(subject: Subject) -> None:
    subject.hangs()
    asking = Asking(subject.model(), StopFlag())
    assert subject.asked.wait(DEADLINE)
    asking.stop.set("test")
    assert asking.ended.wait(DEADLINE)
    assert type(asking.error).__name__ == "Stopped"


def test_it_does_not_wait_for_ever(subject: Subject) -> None:
    subject.hangs()
    error = failure(subject.model(retries=0, timeout=0.3))
    assert "did not finish its answer within 0.3 s" in error.message
    assert error.advice and error.retryable


def test_a_connection_that_drops(subject: Subject) -> None:
    subject.breaks_off()
    error = failure(subject.model(retries=0))
    assert "broke off" in error.message or "ConnectionResetError" in error.message
    assert error.advice


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I would click OK.",
        '{"notes": "half a rep',
        "[]",
        '{"notes": 7, "actions": []}',
        '{"actions": [{"op": "launch_rockets"}]}',
        '{"actions": [{"op": "click", "x": "three", "y": 4}]}',
        '{"actions": [], "thoughts": "another schema"}',
        "[" * 5_000,
    ],
    ids=["empty", "blank", "prose", "cut", "list", "type", "operation", "field", "schema", "deep"],
)
def test_what_is_no_reply_is_refused_with_reasons(subject: Subject, text: str) -> None:
    subject.says(text)
    model = subject.model(retries=0)
    with pytest.raises(BadReply) as refused:
        ask(model)
    assert refused.value.problems and all(str(each) for each in refused.value.problems)
    subject.says(GOOD)
    assert ask(model).raw == GOOD  # and nothing of it stays


def test_an_answer_that_is_too_long(subject: Subject) -> None:
    subject.says(json.dumps({"notes": "x" * 1_100_000, "actions": []}))
    error = failure(subject.model(retries=0, stream=False))
    assert "more text than any reply may have" in error.message and error.advice


def test_an_answer_that_is_no_text(subject: Subject) -> None:
    """Bytes that are not UTF-8: an error with advice, or a text in which they are replaced."""
    subject.says(b'data: {"choices": [{"delta": {"content": "\xff\xfe"}}]}\n\n\xc3\x28\xa0\n\n')
    model = subject.model(retries=0)
    try:
        said = ask(model).raw
    except BadReply as error:
        said = error.raw
    except ModelError as error:
        assert error.message and error.advice
        return
    said.encode()
