"""A shortcut is pressed as it is meant and told as it is pressed, in whatever dialect and case a model writes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from desktop_agent.hand.injector.translate import Translator
from desktop_agent.platforms.base import Input
from desktop_agent.policy.facts import op_text
from desktop_agent.protocol import input_events, ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.dialects import anthropic_tools, func_tags, openai_tools
from desktop_agent.protocol.dialects import json as json_dialect
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until

SCREEN = Rect(0, 0, 1280, 800)
MEANT = (
    (("CTRL", "A"), "Ctrl+A"),
    (("ctrl", "S"), "Ctrl+S"),
    (("Control_L", "Z"), "Ctrl+Z"),
    (("ctrl", "shift", "S"), "Ctrl+Shift+S"),
    (("CTRL", "Shift", "t"), "Ctrl+Shift+T"),
    (("Alt", "F"), "Alt+F"),
    (("CMD", "L"), "Meta+L"),
    (("ctrl", "alt", "T"), "Ctrl+Alt+T"),
    (("ctrl", "a"), "Ctrl+A"),
    (("SHIFT", "A"), "Shift+A"),
    (("CTRL", "F4"), "Ctrl+F4"),
    (("A",), "Shift+A"),
    (("a",), "A"),
    (("CTRL", "Ö"), "Ctrl+Ö"),
)


def in_json(keys: tuple[str, ...]) -> str:
    return json.dumps({"actions": [{"op": "key_combo", "keys": list(keys)}]})


def held_in_json(keys: tuple[str, ...]) -> str:
    downs = [{"op": "key_down", "key": key} for key in keys]
    return json.dumps({"actions": [*downs, *({"op": "key_up", "key": key} for key in reversed(keys))]})


def in_func_tags(keys: tuple[str, ...]) -> str:
    return f"<func>KEY {' '.join(keys)}</func>"


def in_func_params(keys: tuple[str, ...]) -> str:
    return "<func>KEY</func>" + "".join(f"<param>{key}</param>" for key in keys)


def of_anthropic(keys: tuple[str, ...]) -> str:
    call = {"type": "tool_use", "id": "t", "name": "key", "toolset_name": "computer"}
    return json.dumps([{**call, "input": {"text": "+".join(keys)}}])


def of_openai(keys: tuple[str, ...]) -> str:
    call = {"type": "computer_call", "id": "i", "call_id": "c", "status": "completed"}
    return json.dumps(
        [{**call, "pending_safety_checks": [], "actions": [{"type": "keypress", "keys": list(keys)}]}]
    )


WRITERS = (
    (json_dialect, in_json),
    (json_dialect, held_in_json),
    (func_tags, in_func_tags),
    (func_tags, in_func_params),
    (anthropic_tools, of_anthropic),
    (openai_tools, of_openai),
)


def operations(dialect: ModuleType, text: str) -> tuple[ops.Op, ...]:
    return dialect_of(dialect.__name__.rpartition(".")[2], dialect).decode(text).actions


def told(actions: tuple[ops.Op, ...]) -> str:
    """The words of the operations as the chat has them, those of the releases left out."""
    pressed = [op for op in actions if not isinstance(op, ops.KeyUp)]
    names = [op_text.past(op, {}).partition(" ")[2] for op in pressed]
    return "+".join(names).replace("Super", "Meta").replace("Ctrl_left", "Ctrl")


@pytest.fixture(scope="module")
def hand(shared_display: Desk) -> Iterator[Input]:
    made = embedded.attach(shared_display.target.address())
    yield made
    made.close()


@pytest.fixture(scope="module")
def log(shared_display: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file in which a window with the focus writes the keys that it is sent."""
    file = tmp_path_factory.mktemp("keys") / "log"
    script = Path(__file__).parent.parent / "apps" / "key_log.py"
    pid = shared_display.launch(sys.executable, str(script), str(file), title="^key log$")
    until(file.exists, "the focus on the key log")
    yield file
    shared_display.end(pid)


def press(hand: Input, actions: tuple[ops.Op, ...]) -> None:
    """Send the raw events of the operations, as the hand makes them of a batch."""
    view = Viewport(SCREEN, Size(SCREEN.width, SCREEN.height), epoch=1)
    held: set[str] = set()
    translator = Translator(
        Batch("b", actions, view, {}, 0, 9),
        lambda rect: rect.center,
        lambda event: isinstance(event, input_events.KeyUp) and event.key in held,
    )
    for op in actions:
        for event in translator.translate(op).steps:
            assert isinstance(event, input_events.KeyDown | input_events.KeyUp)
            (held.add if isinstance(event, input_events.KeyDown) else held.discard)(event.key)
            hand.emit(event)
    assert not held


@pytest.mark.parametrize(
    ("writer", "keys", "meant"),
    [pytest.param(w, k, m, id=f"{w[1].__name__}-{'+'.join(k)}") for w, (k, m) in product(WRITERS, MEANT)],
)
def test_the_program_in_front_gets_the_shortcut_that_is_told(
    hand: Input, log: Path, writer: tuple[ModuleType, object], keys: tuple[str, ...], meant: str
) -> None:
    dialect, write = writer
    assert callable(write)
    actions = operations(dialect, write(keys))
    log.write_text("")
    press(hand, actions)
    until(lambda: log.read_text().endswith("\n"), "a key")
    assert log.read_text() == f"{meant}\n"
    assert told(actions) == meant
