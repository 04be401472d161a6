"""The controller examples of the first specification, word for word: a model says them, a window gets them."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.ops import RESERVED
from desktop_agent.support.config import Config
from tests.desk import Desk, until
from tests.support.memory_desk import ScriptedModel

EVENT_LOG = Path(__file__).parent.parent / "platforms" / "apps" / "event_log.py"

OPEN_A_BROWSER_URL = """\
{"op":"key_combo","keys":["ctrl","l"]}
{"op":"type","text":"https://easyeda.com","delay":0}
{"op":"key_down","key":"enter"}
{"op":"key_up","key":"enter"}
"""
DRAG_SELECT_AREA = """\
{"op":"move","x":400,"y":400}
{"op":"mouse_down","button":"left"}
{"op":"move","x":800,"y":700}
{"op":"mouse_up","button":"left"}
"""
SCROLL_DOWN = """\
{"op":"scroll","dx":0,"dy":-5}
"""
LOW_LEVEL_ACTIONS = """\
{"op":"approve"}
{"op":"move","x":400,"y":300}
{"op":"click","button":"left"}
{"op":"mouse_down","button":"left"}
{"op":"mouse_up","button":"left"}
{"op":"scroll","dx":0,"dy":-3}
{"op":"key_down","key":"ctrl"}
{"op":"key_up","key":"ctrl"}
{"op":"key_combo","keys":["ctrl","c"]}
{"op":"type","text":"easyeda.com","delay":0}
{"op":"release_all"}
{"op":"pause"}
{"op":"resume"}
{"op":"stop"}
"""


def reply(lines: str, step: str) -> str:
    """A reply of the form that the specification gives, with the example's own lines as its actions."""
    actions = ",".join(lines.splitlines())
    return f'{{"high_level": [{json.dumps(step)}], "actions": [{actions}], "notes": ""}}'


@pytest.mark.parametrize("line", LOW_LEVEL_ACTIONS.splitlines())
def test_every_low_level_action_is_read_as_it_is_written(line: str) -> None:
    said = json.loads(line)
    if said["op"] in RESERVED:  # these are the human's, on whatever way they come
        with pytest.raises(BadReply, match="belongs to the human"):
            decode(reply(line, "Do it"), OPERATIONS)
        return
    (op,) = decode(reply(line, "Do it"), OPERATIONS).actions
    assert type(op).__struct_config__.tag == said.pop("op")
    assert {name: getattr(op, name) for name in said} == {
        name: tuple(value) if isinstance(value, list) else value for name, value in said.items()
    }


def test_the_three_examples_reach_a_window(display: Desk, tmp_path: Path) -> None:
    log = tmp_path / "log"
    display.launch(sys.executable, str(EVENT_LOG), str(log), "--all", title="event log")
    model = ScriptedModel(
        reply(OPEN_A_BROWSER_URL, "Open a browser URL"),
        reply(DRAG_SELECT_AREA, "Drag-select area"),
        reply(SCROLL_DOWN, "Scroll down"),
        '{"high_level": [], "actions": [{"op": "done", "summary": "All three."}]}',
    )
    parts = Parts(
        display.target,
        model,
        lambda address, on_stop: Hands(address, on_stop=on_stop, takeover=False),
        lambda frame, stop: (),
    )
    session = AgentSession(
        parts, Config(), Circumstances(tmp_path), AgentInfo("display", "scripted", "off", 20, True)
    )
    events: list[say.FeedEvent] = []
    session.subscribe(events.append)
    session.send("Play the examples")
    session.run_next()
    outcomes = [event.outcome for event in events if isinstance(event, say.Result)]
    assert outcomes == ["done"] * 9, [each for each in events if isinstance(each, say.Result | say.Error)]
    assert [event.steps for event in events if isinstance(event, say.Plan)] == [
        ("Open a browser URL",), ("Drag-select area",), ("Scroll down",)
    ]  # fmt: skip

    def wheel_turned() -> list[str]:
        lines = log.read_text().splitlines()
        return lines if sum(line.startswith("wheel") for line in lines) >= 5 else []

    got = until(wheel_turned, "five notches")
    session.quit()
    session.serve()  # lets go of everything
    assert [line for line in got if line.startswith("wheel")] == ["wheel 0 -120"] * 5
    keys = [line.split(" ", 2)[1:] for line in got if line.startswith("key ")]
    assert [key for key, _ in keys[:2]] == ["Key_Control", "Key_L"] and keys[-1][0] == "Key_Return"
    assert "".join(ast.literal_eval(text) for _, text in keys[2:-1]) == "https://easyeda.com"
    buttons = [line.rsplit(" ", 1)[0] for line in got if line.startswith(("press", "release", "double"))]
    assert buttons == ["press LeftButton 400 400", "release LeftButton 800 700"]
    assert got.index("key_release Key_Return '\\r'") < next(
        i for i, line in enumerate(got) if "press Left" in line
    )
