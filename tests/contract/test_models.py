"""Every model: strict options, a clear error without a key, support that is stated, and a stop that ends a call."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from desktop_agent.llm.base import Model, Readiness, Support
from desktop_agent.protocol.errors import DesktopAgentError, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import plugins
from tests.contract.families import RECORDED, each_of, refuses_unknown_options
from tests.llm.asking import answer_good, ask, trust
from tests.llm.conftest import keys
from tests.llm.fake_server import KEY, FakeServer
from tests.llm.test_stop import Asking

__all__ = ["keys"]  # a fixture: keys of the fake server, and no key store

NEEDED: dict[str, dict[str, Any]] = {
    "replay": {"path": str(RECORDED / "v1.jsonl")},
    "policy_program": {"command": ("a_program",)},
}
"""What some cannot be created without."""


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer_good, key=KEY) as running:
        yield running


def create(name: str, module: ModuleType, **given: Any) -> Model:
    """The model, or a skip where it says clearly what it lacks."""
    try:
        model: Model = module.create(module.Options(**NEEDED.get(name, {}), **given))
    except DesktopAgentError as error:
        assert error.message and error.advice
        pytest.skip(str(error))
    return model


@each_of("llm")
def test_the_options_are_strict(name: str, module: ModuleType) -> None:
    refuses_unknown_options(module)


@each_of("llm")
def test_it_is_created_without_side_effects_and_states_what_it_supports(
    name: str, module: ModuleType
) -> None:
    before = set(threading.enumerate())
    model = create(name, module)
    assert set(threading.enumerate()) == before
    assert model.name and isinstance(model.support, Support)
    assert model.dialect in plugins.names("dialect")
    model.close()
    model.close()


@each_of("llm")
def test_it_says_whether_it_is_ready(name: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(f"{name.upper()}_API_KEY", raising=False)
    if hasattr(module, "readiness"):
        ready = module.readiness(module.Options(), False)
        assert isinstance(ready, Readiness) and ready.detail
        assert ready.state == "ok" or ready.advice
    if hasattr(module, "auto"):
        assert module.auto(module.Options()) is False
        assert isinstance(getattr(module, "AUTO_RANK", 0), int)


@each_of("llm")
def test_without_a_key_it_says_so_or_works(
    name: str, module: ModuleType, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{name.upper()}_API_KEY", raising=False)
    model = create(name, module, **_at(module, server.url))
    try:
        answer = ask(model)
    except ModelError as error:
        assert error.message and error.advice
    else:
        assert answer.raw
    finally:
        model.close()


@each_of("llm")
def test_nothing_is_asked_after_a_stop(name: str, module: ModuleType, server: FakeServer) -> None:
    stop = StopFlag()
    stop.set("test")
    trust(name, server.url)
    model = create(name, module, **_at(module, server.url))
    with pytest.raises(Stopped):
        ask(model, stop)
    assert not server.seen
    model.close()


@each_of("llm")
def test_a_stop_ends_a_call_at_once(name: str, module: ModuleType, server: FakeServer) -> None:
    if not _at(module, server.url):
        pytest.skip("it asks nobody over a network")
    server.once(server.hang())
    stop = StopFlag()
    trust(name, server.url)
    model = create(name, module, **_at(module, server.url))
    asking = Asking(model, stop)
    server.arrived.wait(60)
    asking.must_stop()
    assert server.left.wait(60)
    model.close()


def _at(module: ModuleType, url: str) -> dict[str, Any]:
    """The options that lead a model behind a network connection to the fake server."""
    fields = module.Options.__struct_fields__
    return {"base_url": url} if "base_url" in fields else {}
