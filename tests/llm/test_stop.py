"""A stop ends a reply at once, whatever the server does, and nothing of it arrives later."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desktop_agent.llm.base import Model
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import GOOD, NOTE, PROVIDERS, answer_good, ask, make
from tests.llm.fake_server import FakeServer
from tests.support.waiting import until

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
either_way = pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
DEADLINE = 60.0


class Asking:
    """A reply being waited for in a thread; `notes` is what was heard."""

    def __init__(self, model: Model, stop: StopFlag) -> None:
        self.model, self.stop = model, stop
        self.notes: list[str] = []
        self.heard = threading.Event()
        self.ended = threading.Event()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        try:
            ask(self.model, self.stop, self._hear)
        except (Exception, Stopped) as error:  # noqa: BLE001
            self.error = error
        self.ended.set()

    def _hear(self, piece: str) -> None:
        self.notes.append(piece)
        self.heard.set()

    def must_stop(self) -> None:
        """Set the flag: the reply ends as Stopped, and with it the thread that carried the call."""
        workers = calls()
        self.stop.set("test")
        assert self.ended.wait(DEADLINE)
        assert isinstance(self.error, Stopped) and self.error.reason == "test"
        for worker in workers:
            worker.join(DEADLINE)
            assert not worker.is_alive()


def calls() -> list[threading.Thread]:
    """The threads that carry calls."""
    return [each for each in threading.enumerate() if each.name == "model call"]


@each_provider
@either_way
def test_a_server_that_never_answers(server: FakeServer, provider: str, stream: bool) -> None:
    server.once(server.hang())
    asking = Asking(make(provider, server.url, stream=stream), StopFlag())
    until(lambda: len(server.seen) == 1, "a request")
    asking.must_stop()
    assert server.left.wait(DEADLINE)  # the connection was really cut


@each_provider
def test_a_server_that_falls_silent(server: FakeServer, provider: str) -> None:
    server.once(server.hang(begin=GOOD))
    asking = Asking(make(provider, server.url), StopFlag())
    assert asking.heard.wait(DEADLINE)
    asking.must_stop()
    assert server.left.wait(DEADLINE)
    assert NOTE.startswith("".join(asking.notes))


@each_provider
def test_a_server_that_drips(server: FakeServer, provider: str) -> None:
    server.once(server.trickle(GOOD))
    asking = Asking(make(provider, server.url), StopFlag())
    assert asking.heard.wait(DEADLINE)
    asking.must_stop()


@each_provider
@either_way
def test_an_answer_that_comes_after_the_stop_is_thrown_away(provider: str, stream: bool) -> None:
    stopped = threading.Event()

    def late(_: object) -> str:
        assert stopped.wait(DEADLINE)
        return GOOD

    with FakeServer(late) as server:
        asking = Asking(make(provider, server.url, stream=stream), StopFlag())
        until(lambda: len(server.seen) == 1, "a request")
        asking.must_stop()
        stopped.set()
        assert asking.notes == []
        server.answer = answer_good
        assert ask(asking.model).raw == GOOD  # the model itself is as good as new


@each_provider
def test_while_waiting_to_ask_again(server: FakeServer, provider: str) -> None:
    server.once(server.status(503, "busy", retry_after="50"))
    asking = Asking(make(provider, server.url), StopFlag())
    until(lambda: len(server.seen) == 1, "a request")
    asking.must_stop()
    assert len(server.seen) == 1


@each_provider
def test_before_it_begins(server: FakeServer, provider: str) -> None:
    stop = StopFlag()
    stop.set("early")
    with pytest.raises(Stopped, match="early"):
        ask(make(provider, server.url), stop)
    assert server.seen == []


@each_provider
def test_from_within_a_note(server: FakeServer, provider: str) -> None:
    stop = StopFlag()
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        stop.set("enough")

    with pytest.raises(Stopped):
        ask(make(provider, server.url), stop, hear)
    assert len(heard) == 1


@each_provider
def test_an_error_of_the_listener_ends_the_call(server: FakeServer, provider: str) -> None:
    server.once(server.hang(begin=GOOD))

    def broken(_: str) -> None:
        raise OSError("the window is gone")

    with pytest.raises(OSError, match="the window is gone"):
        ask(make(provider, server.url), on_note=broken)
    assert server.left.wait(DEADLINE)


IN_A_FRESH_PROCESS = """
import sys, threading, time
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import ask, make

loading = threading.Event()

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            loading.set()
            threading.Event().wait(3600)

sys.meta_path.insert(0, Slow())
stop = StopFlag()
threading.Thread(target=lambda: (loading.wait(), stop.set("now")), daemon=True).start()
try:
    ask(make(sys.argv[2], "http://127.0.0.1:9"), stop)
except Stopped as error:
    print("stopped", error.reason)
"""


@pytest.mark.parametrize(("sdk", "provider"), [("openai", "openai"), ("anthropic", "anthropic")])
def test_while_the_sdk_is_still_being_loaded(sdk: str, provider: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_FRESH_PROCESS, sdk, provider],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.stdout == "stopped now\n", done.stderr


def test_nothing_of_an_sdk_is_loaded_before_it_is_asked() -> None:
    code = (
        "import sys; from desktop_agent.support import key_store, plugins;"
        "assert len([plugins.load('llm', each) for each in plugins.names('llm')]) > 3;"
        "print([n for n in ('openai', 'anthropic', 'httpx2', 'keyring', 'xllamacpp', 'pydantic') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert done.stdout.strip() == "[]"
