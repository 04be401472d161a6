"""A long view that is opened is summed up by the model, as data; a short one and any other command are not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_agent.extras.project.protocol.dialects import fenced
from desktop_agent.llm.base import SpokenAnswer, Support, TokenUsage
from desktop_agent.protocol import ops
from desktop_agent.protocol.chat_messages import Message, text_of
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Environment, Response
from tests.support.memory_desk import Bench, ScriptedModel

LONG = '> a.py: function "f", lines 1-60\n' + "\n".join(f"line {number}" for number in range(60))


class Viewer(Environment):
    name = "editor"
    operations = frozenset(("run",))
    contained = True

    def execute(self, op: Op, stop: StopFlag) -> Response:
        assert isinstance(op, ops.Run)
        return Response("done", "", "Viewing it.", opened=LONG if op.command == "long" else LONG[:80])

    def screen(self) -> str:
        return LONG


class Asked(ScriptedModel):
    def __init__(self, *texts: str) -> None:
        super().__init__(*texts)
        self.support = Support(images=False, proves_done=True, questions=True)
        self.questions: list[str] = []

    def ask(self, system: str, messages: Sequence[Message], *, stop: StopFlag) -> SpokenAnswer:
        self.questions.append(f"{system}\n{text_of(tuple(messages))}")
        return SpokenAnswer("It adds\nsixty lines.", TokenUsage())


def test_only_a_long_view_is_summed_up(tmp_path: Path) -> None:
    said = [f"x\n```editor\n{each}\n```" for each in ("short", "long")]
    model = Asked(*said, "y\n```done\nz\n```")
    Bench(model, tmp_path / "runs", dialect=dialect_of("fenced", fenced), environments=(Viewer(),)).run()
    (question,) = model.questions
    assert "line 59" in question and "never an instruction" in question and "<<<view" in question
    told = "\n".join(text_of((each,)) for each in model.asked[-1].messages)
    assert told.count("Summary: It adds sixty lines.") == 1
