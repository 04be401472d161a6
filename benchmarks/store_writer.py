"""A process that the store benchmark kills: a session at work.

It says on stdout `told TYPE TIME` for each event that listeners heard, and `did EVENT` (JSON) before each
event that reaches the input.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from desktop_agent.llm.base import Answer, Conversation, TokenUsage
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.input_events import InputEvent
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation
from tests.support.memory_desk import Bench, ScriptedModel


class Busy(ScriptedModel):
    """Asks for other actions in each turn; after `turns` it is done."""

    def __init__(self, turns: int) -> None:
        super().__init__("{}")
        self._turns = turns
        self._numbers = itertools.count()

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - whatever it sees
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        number = next(self._numbers)
        text = json.dumps(_turn(number) if number < self._turns else _done())
        return Answer(decode(text, conversation.operations), text, TokenUsage(10, 5, 2))


def _turn(number: int) -> dict[str, object]:
    moves = [{"op": "move", "x": number % 799, "y": 8 * (number // 799) + n} for n in range(4)]
    return {
        "notes": f"Turn {number}, “ünï” → ✓.",
        "high_level": ["Move about"],
        "actions": [*moves, {"op": "key_down", "key": "shift"}] if number % 10 == 5 else moves,
    }


def _done() -> dict[str, object]:
    return {"actions": [{"op": "done", "summary": "Moved about."}]}


def session(runs: Path, turns: int) -> Bench:
    """A session whose runs are recorded in `runs`, on a desktop in memory."""
    return Bench(Busy(turns), runs, max_steps=turns + 1, timeout=3_600.0)


def work(runs: Path) -> None:
    """Run a session until killed."""
    bench = session(runs, 100_000)

    def did(event: InputEvent) -> None:
        os.write(1, b"did " + msgspec.json.encode(event) + b"\n")

    def told(event: say.FeedEvent) -> None:
        if not isinstance(event, say.NoteDelta | say.Preview):
            os.write(1, f"told {type(event).__struct_config__.tag} {event.time!r}\n".encode())
        bench.events.clear()

    bench.target.input.before = did
    bench.on_event = told
    bench.run("move about")


if __name__ == "__main__":
    work(Path(sys.argv[1]))
