"""Makes the record of a run with the real store: goal, plan, looks, actions, evidence and an end, with real pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw

from desktop_agent.agent.runlog.hash_chained_log import RunStore, hash_of
from desktop_agent.agent.runlog.heads import Heads
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.run_names import new_run_name
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.elements.element_table import LookChange

SCREEN = Rect(0, 0, 1920, 1080)
STEPS = ("Open the shop", "Fill in the form", "Send it", "Check the receipt")


def _nobody(path: Path, text: str, last: bool) -> bool:
    """No guard."""
    return False


@dataclass
class RecordedRun:
    """A run that is being written; each method adds what the agent itself would."""

    runs: Path
    name: str = field(default_factory=new_run_name)
    picture: Callable[[int], bytes] = lambda number: desktop_picture(number)
    feed: Feed = field(default_factory=Feed)
    number: int = 0
    store: RunStore = field(init=False)

    def __post_init__(self) -> None:
        self.feed.store = self.store = RunStore(self.folder, Heads(self.folder, _nobody))

    @property
    def folder(self) -> Path:
        return self.runs / self.name

    def begin(self, goal: str = "Send the form in the shop", window: str = "The shop") -> None:
        self.feed.emit(say.Goal(text=goal))
        self.feed.emit(say.Recording(path=str(self.folder)))
        self.feed.emit(say.ScopeSet(words=("work in mousepad",), grants=("app:mousepad:act",)))
        self.feed.record("sources", {"sources": [["site", "https://shop.example"]]})
        self.look(window)
        self.feed.emit(say.Plan(steps=STEPS, current=0))

    def look(self, window: str = "The shop") -> None:
        jpeg = self.picture(self.number)
        digest = hash_of(jpeg)
        self.store.keep_frame(digest, jpeg, "jpg")
        self.feed.emit(say.LookTaken(frame=digest, region=SCREEN, elements=12, preview=jpeg))
        look = LookChange(picture=(1280, 720), window=window, windows=(window,))
        self.feed.record("asked", {"turn": self.number + 1, "look": look})

    def click(self, x: int = 960, y: int = 540, words: str = "“Send”") -> None:
        """One step: a note, a click that is seen to do something, and a look."""
        self.number += 1
        number = self.number
        self.feed.emit(say.Note(text=f"Now I press {words}, step {number}."))
        self.feed.emit(
            say.Action(
                number=number, op="click", words=f"Clicking {words}", exact=f"click(left) at {x},{y}",
                at=Point(x, y),
            )
        )  # fmt: skip
        self.feed.emit(
            say.Result(
                number=number, outcome="done", words=f"Clicked {words}", effect="confirmed", seconds=0.2,
                receipt=say.Receipt("tree", "verified", f"{words} is pressed"),
            )
        )  # fmt: skip
        self.feed.emit(
            say.Usage(step=number, max_steps=999, input_tokens=900 * number, dollars=number * 0.01)
        )
        self.look()

    def drag(self, start: Point, end: Point) -> None:
        """A drag between two points of the screen, as its batch and its event tell it."""
        self.number += 1
        path = [{"x": each.x * 1280 // 1920, "y": each.y * 720 // 1080} for each in (start, end)]
        self.feed.record(
            "intent",
            {
                "operations": [{"op": "drag", "path": path, "button": "left"}], "elements": {},
                "viewport": {"region": SCREEN, "image": {"width": 1280, "height": 720}, "epoch": 1},
            },
        )  # fmt: skip
        self.feed.emit(
            say.Action(number=self.number, op="drag", words="Dragging", exact="drag(left)", at=start)
        )
        self.feed.emit(say.Result(number=self.number, outcome="done", words="Dragged"))
        self.look()

    def done(self, summary: str = "The form is sent.") -> None:
        self.feed.emit(say.Plan(steps=STEPS, current=len(STEPS) - 1))
        receipts = (say.Receipt("page", "verified", "the page says “Thank you”"),)
        self.feed.emit(say.GoalReached(summary=summary, verdict="verified", receipts=receipts))
        self.feed.emit(say.Status(state="done"))

    def close(self) -> Path:
        self.store.close()
        return self.folder


def recorded(runs: Path, steps: int = 3, *, goal: str = "Send the form in the shop", name: str = "") -> Path:
    """A finished run of so many clicks; returns its folder."""
    run = RecordedRun(runs, name or new_run_name())
    run.begin(goal)
    for number in range(steps):
        run.click(300 + 1_300 * number // max(1, steps - 1), 250 + 137 * number % 600)
    run.done()
    return run.close()


def desktop_picture(number: int, size: tuple[int, int] = (480, 270)) -> bytes:
    """A JPEG like a desktop with a window, another one for each number."""
    wide, high = size
    image = Image.new("RGB", size, "#7fa3c4")
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((wide * 0.1, high * 0.08, wide * 0.85, high * 0.92), 6, fill="#f4f5f7")
    draw.rectangle((wide * 0.1, high * 0.08, wide * 0.85, high * 0.17), fill="#dfe3ea")
    for row in range(6):
        top = high * (0.24 + 0.09 * row)
        filled = (number + row) % 6 / 6
        draw.rectangle((wide * 0.15, top, wide * (0.2 + 0.5 * filled), top + high * 0.03), fill="#b8c0cc")
    draw.text((wide * 0.12, high * 0.1), f"The shop, page {number}", fill="#333b49")
    draw.rounded_rectangle((wide * 0.6, high * 0.8, wide * 0.78, high * 0.88), 4, fill="#2f6bff")
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()
