"""The user's clipboard after whole runs on a real editor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.platforms.x11.clipboard.clipboard import X11Clipboard
from desktop_agent.platforms.x11.clipboard.icccm import SelectionContent
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.support.config import Config
from tests.desk import Desk, until
from tests.platforms.x11.test_clipboard import HTML, LARGE, Somebody
from tests.support.memory_desk import ScriptedModel
from tests.vision.reading import wait_until_quiet

USERS = (LARGE, HTML)


def reply(*actions: dict[str, object]) -> str:
    return json.dumps({"notes": "", "high_level": [], "step": None, "actions": list(actions)})


def combo(*keys: str) -> dict[str, object]:
    return {"op": "key_combo", "keys": list(keys)}


WRITE = reply({"op": "type", "text": "words of the agent"}, combo("ctrl", "a"))
COPY, PASTE = reply(combo("ctrl", "c")), reply(combo("ctrl", "End"), combo("ctrl", "v"))
DONE = reply({"op": "done", "summary": "ok"})


@pytest.fixture
def desk(display: Desk) -> Iterator[Desk]:
    display.launch("mousepad", title="Mousepad")
    wait_until_quiet(display)
    yield display


def run(desk: Desk, folder: Path, *answers: str, stop_at: int = 0) -> list[FeedEvent]:
    """Run a goal to its end; with `stop_at` it is stopped when that action's result is told."""
    parts = Parts(
        desk.target, ScriptedModel(*answers),
        lambda address, on_stop: Hands(address, on_stop=on_stop), lambda frame, stop: (),
    )  # fmt: skip
    session = AgentSession(
        parts, Config(), Circumstances(folder), AgentInfo("display", "scripted", "off", 20, True)
    )
    events: list[FeedEvent] = []

    def hear(event: FeedEvent) -> None:
        events.append(event)
        if isinstance(event, say.Result) and event.number == stop_at:
            session.stop()

    session.subscribe(hear)
    session.send("type the words, copy them and press paste")
    session.run_next()
    hand = session._hand
    assert hand is not None
    hand.close()
    return events


def texts(desk: Desk) -> dict[str, bytes]:
    clipboard = X11Clipboard(desk.environment)
    try:
        saved = clipboard.save()
        assert saved is not None
        return {each.target: each.data for each in msgspec.msgpack.decode(saved, type=SelectionContent).forms}
    finally:
        clipboard.close()


def test_a_means_is_put_back_whole(desk: Desk, tmp_path: Path) -> None:
    Somebody(desk, *USERS)
    events = run(desk, tmp_path, WRITE, COPY, PASTE, DONE)
    assert [e.outcome for e in events if isinstance(e, say.Result)] == ["done"] * 5
    assert texts(desk) == {each.target: each.data for each in USERS}
    assert LARGE.data[:40].hex() not in (log := next(tmp_path.rglob("events.jsonl")).read_text())
    assert "hello" not in log


def test_after_a_stop_too(desk: Desk, tmp_path: Path) -> None:
    Somebody(desk, *USERS)
    events = run(desk, tmp_path, WRITE, COPY, PASTE, DONE, stop_at=5)
    assert any(isinstance(e, say.Status) and e.state == "stopped" for e in events)
    assert texts(desk) == {each.target: each.data for each in USERS}


def test_an_outcome_stays(desk: Desk, tmp_path: Path) -> None:
    Somebody(desk, *USERS)
    run(desk, tmp_path, WRITE, COPY, DONE)
    assert until(lambda: texts(desk).get("UTF8_STRING"), "the copy") == b"words of the agent"
