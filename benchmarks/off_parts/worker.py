"""A brain in a process of its own with an obeying model, which tries to look and to press whenever it is told to.

Lines on standard input: `go` begins a run, `answer` has the model say what it was asked (clicks and a text), `end` has it
say done, `pause`, `resume`, `state`, and `try N` looks and presses N times past the model. Lines on standard output: `thinking`
when the model is asked, `paused`, `over STATE`, `on` or `off`, and `tried N SEEN PRESSED` (how many of them were not refused).
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from benchmarks.trace_parts.worker import Worker, tell
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

WORK = [{"op": "click", "x": 300, "y": 200}, {"op": "type", "text": "abc "}, {"op": "look"}]
SLICE = 0.01


class Obeying(Model):
    """Asks for WORK each time, once it is told to answer; a run that waits or has stopped is not heard any more."""

    name = "obeying"

    def __init__(self) -> None:
        self.support = Support(images=True, proves_done=True)
        self.orders: queue.SimpleQueue[str] = queue.SimpleQueue()

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - it is not read
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,  # noqa: ARG002
    ) -> Answer:
        tell("thinking")
        while True:
            with suppress(queue.Empty):
                order = self.orders.get_nowait()
                break
            threading.Event().wait(SLICE)  # not on `stop`: its answer shall come while it is off
        actions = WORK if order == "answer" else [{"op": "done", "summary": "done"}]
        text = json.dumps({"notes": "", "actions": actions})
        return Answer(decode(text, conversation.operations), text)


class OffWorker(Worker[Obeying]):
    """Takes its orders one line at a time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Obeying())

    def take(self, line: bytes) -> None:
        word, *rest = line.decode().split()
        match word:
            case "go":
                self.session.send("click and type it in the terminal")
            case "answer" | "end":
                self.model.orders.put(word)
            case "pause":
                self.session.pause()
            case "resume":
                self.session.resume()
            case "state":
                tell("off" if self.session._inbox.paused else "on")
            case "try":
                tell("tried", rest[0], *self._try(int(rest[0])))

    def _follow(self, event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            tell("paused")
        super()._follow(event)

    def _try(self, times: int) -> tuple[int, int]:
        """Look and press so many times, as code of ours could; how often either was done."""
        target, hands = self.session._parts.target, self._made[-1]
        seen = pressed = 0
        bounds = Rect(0, 0, 1280, 800)
        for number in range(times):
            with suppress(DesktopAgentError):
                target.observe(None if number % 2 else Rect(10, 10, 50, 50))
                seen += 1
            with suppress(DesktopAgentError):
                layout = target.geometry()
                view = Viewport(bounds, bounds.size, layout.epoch)
                work = (ops.Move(50 + number % 500, 60), ops.Click(300, 200), ops.Type("x"))
                results = hands.execute(Batch("try", work, view, {}, hands.generation))
                pressed += any(each.outcome == "done" for each in results)
        return seen, pressed


def main() -> int:
    worker = OffWorker(Path(sys.argv[1]))
    serving = threading.Thread(target=worker.session.serve)
    serving.start()
    for line in sys.stdin.buffer:
        worker.take(line)
    worker.session.quit()
    worker.model.orders.put("end")
    serving.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
