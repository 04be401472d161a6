"""Says one text to the program and compares what it did with what an independent judge says of the text."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from benchmarks.fuzz_hand import Event, Hand
from benchmarks.fuzz_oracle import Invalid, judge
from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.ipc.shared_block import Shared
from desktop_agent.llm.compatible import AnswerText
from desktop_agent.llm.transport.failures import Failed
from desktop_agent.llm.transport.remote_model import GrowingText, _sound
from desktop_agent.protocol import input_events
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.dialects.base import MAX_REPLY_BYTES
from desktop_agent.protocol.dialects.json import MAX_NOTE, NoteStream, decode
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.input_events import InputEvent
from desktop_agent.protocol.reply import MAX_PROBLEMS, Reply
from desktop_agent.protocol.stop_flag import StopFlag
from tests.support.memory_input import MemoryInput

FAULTS = {
    "escaped": "malformed texts that reached an input",
    "strayed": "valid texts after which an input got something else",
    "held": "texts after which something stayed pressed",
    "raised": "texts that raised an error that nobody declared",
    "unreadable": "refusals whose problems cannot be read",
    "denied": "valid texts that were refused",
    "misheard": "notes that streamed other than they were decoded",
}
REGION = Rect(100, 50, 640, 480)
ELEMENTS = {"e1": Rect(200, 200, 80, 30), "e2": Rect(700, 500, 200, 60), "e3": Rect(-500, 0, 50, 50)}
POINTS = {"e1": (240, 215), "e2": (720, 515)}
_LONGEST = 500


class Verdict(NamedTuple):
    """`refused`, `obeyed`, or one of FAULTS, and what was seen."""

    kind: str
    detail: str = ""


class Instant(StopFlag):
    """A stop flag on which time passes at once; its clock counts seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def wait(self, seconds: float) -> None:
        self.check()
        self.now += max(seconds, 40.0)

    def clock(self) -> float:
        return self.now


class Checker:
    """One hand in memory for all texts; `events` counts what it was rightly given."""

    def __init__(self) -> None:
        self.events = 0
        self._renew()

    def _renew(self) -> None:
        """After a fault the next text begins with another hand."""
        self._input = MemoryInput()
        self._input.at = REGION.center
        self._shared = Shared.private()
        time = Instant()
        self._controller = Controller(self._input, self._shared, flag=time, clock=time.clock, max_rate=1e9)
        self._controller.confine(REGION)
        self._hand = Hand((REGION.x, REGION.y, REGION.width, REGION.height), POINTS, missing="nothing")

    def check(self, said: str, chance: random.Random) -> Verdict:
        """Speak the text as a model does; `chance` chooses the adapter, its pieces and what is allowed."""
        allowed = OPERATIONS if chance.random() < 0.8 else None
        try:
            verdict = self._check(said, allowed, chance)
        except Exception as error:  # noqa: BLE001 - that nothing else is raised is what is checked
            verdict = Verdict("raised", repr(error))
        if verdict.kind in FAULTS:
            self._renew()
        return verdict

    def _check(self, said: str, allowed: tuple[str, ...] | None, chance: random.Random) -> Verdict:
        notes: list[str] = []
        try:
            heard = _heard(said, chance, notes)
        except Failed:  # longer than any reply may be
            return Verdict("refused" if len(said) > 1_000_000 else "denied", "too long")
        wanted = wanted_of(heard, allowed)
        try:
            reply = decode(heard, allowed)
        except BadReply as error:
            return _refusal(error, wanted)
        if wanted is None:
            return self._reached(reply)
        if notes and "".join(notes) != reply.notes[:MAX_NOTE]:
            return Verdict("misheard", "".join(notes))
        if _plain(reply) != wanted:
            return Verdict("strayed", f"decoded {reply}, not {wanted}")
        return self._act(reply, wanted["actions"])

    def _reached(self, reply: Reply) -> Verdict:
        self._execute(reply)
        return Verdict("escaped", f"{reply} gave {self._take()}")

    def _act(self, reply: Reply, wanted: list[dict[str, Any]]) -> Verdict:
        outcomes = [result.outcome for result in self._execute(reply)]
        moves = [event for event in self._input.events if isinstance(event, input_events.Move)]
        got = self._take()
        if self._input.down or self._controller.held or self._shared.holding:
            return Verdict("held", f"{self._input.down} {self._controller.held}")
        expected, expected_outcomes = self._hand.batch(wanted)
        if outcomes != expected_outcomes or got != list(_short(expected)):
            return Verdict("strayed", f"{outcomes} {got}, not {expected_outcomes} {expected}")
        if not all(REGION.contains(event) for event in moves):  # type: ignore[arg-type]  # it has x and y
            return Verdict("strayed", f"out of bounds: {moves}")
        self.events += len(got)
        return Verdict("obeyed")

    def _execute(self, reply: Reply) -> list[OpResult]:
        view = Viewport(REGION, Size(REGION.width // 2, REGION.height // 2), epoch=1)
        batch = Batch("fuzz", reply.actions, view, ELEMENTS, self._shared.generation, seconds=1e12)
        return self._controller.execute(batch, _unheard)

    def _take(self) -> list[Event]:
        """What the input got since the last time, in the judge's words."""
        got = list(_short(_in_words(self._input.events, self._input.opened)))
        self._input.events.clear()
        self._input.opened.clear()
        self._input.prepared.clear()
        return got


def _unheard(news: Progress | OpResult) -> None:
    """Nobody follows the batch."""


def _heard(said: str, chance: random.Random, notes: list[str]) -> str:
    """The text as an adapter hands it to the decoder, having come in pieces; or as a recording does."""
    way = chance.random()
    if way < 0.3:
        return said
    stream = NoteStream(notes.append)
    text = AnswerText(stream.feed) if way < 0.7 else GrowingText(stream.feed)
    cuts = sorted(chance.randrange(len(said) + 1) for _ in range(chance.choice((0, 1, 3))))
    for start, end in pairwise((0, *cuts, len(said))):
        text.add(said[start:end])
    if way < 0.7:
        said = without_thought(said)
    if str(text) != said:
        raise AssertionError(f"the adapter made {str(text)!r}")
    return _sound(said)


def without_thought(said: str) -> str:
    """What is left of an answer that begins with a thought, or may still become one."""
    begun = said.lstrip()
    if begun.startswith("<think>"):
        return begun.partition("</think>")[2]
    return "" if "<think>".startswith(begun) else begun


def wanted_of(heard: str, allowed: Iterable[str] | None) -> dict[str, Any] | None:
    try:
        return judge(heard, allowed)
    except Invalid:
        return None


def _refusal(error: BadReply, wanted: dict[str, Any] | None) -> Verdict:
    problems = error.problems
    readable = all(
        each.path and each.message and str(each).isprintable() and len(str(each)) <= _LONGEST
        for each in problems
    )
    if not problems or len(problems) > MAX_PROBLEMS or not readable or len(error.raw) > MAX_REPLY_BYTES:
        return Verdict("unreadable", str(error)[:_LONGEST])
    return Verdict("denied", str(error)) if wanted is not None else Verdict("refused")


def _plain(reply: Reply) -> dict[str, Any]:
    """The reply with every field of its operations, to be compared."""
    actions = [{"op": type(op).__struct_config__.tag, **msgspec.structs.asdict(op)} for op in reply.actions]
    plain = msgspec.to_builtins(msgspec.structs.asdict(reply) | {"actions": actions})
    return {name: _listed(value) for name, value in plain.items()}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value


def _in_words(got: Iterable[InputEvent], opened: Iterable[str]) -> Iterator[Event]:
    for event in got:
        match event:
            case input_events.Move(x, y):
                yield ("move", x, y)
            case input_events.ButtonDown(button) | input_events.ButtonUp(button):
                yield ("button", button, isinstance(event, input_events.ButtonDown))
            case input_events.Wheel(dx, dy):
                yield ("wheel", dx, dy)
            case input_events.KeyDown(key) | input_events.KeyUp(key):
                yield ("key", key, isinstance(event, input_events.KeyDown))
            case input_events.Text(chunk):
                yield from (("char", char) for char in chunk)
    yield from (("open", what) for what in opened)


def _short(told: Iterable[Event]) -> Iterator[Event]:
    """Of moves in a row only the last counts; what was opened comes last, as it is no event."""
    told = list(told)
    events_, opened = [e for e in told if e[0] != "open"], [e for e in told if e[0] == "open"]
    for event, following in pairwise([*events_, ("end",)]):
        if event[0] != "move" or following[0] != "move":
            yield event
    yield from opened
