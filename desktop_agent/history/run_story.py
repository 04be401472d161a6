"""A run as it is looked at again: moment by moment, each with its picture, marker, plan, words, evidence and cost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from desktop_agent.agent.runlog.hash_chained_log import Record, fields_of
from desktop_agent.history.logged_run import LoggedRun, read_logged_run
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent, Receipt, Usage
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr

MomentKind: TypeAlias = Literal[
    "goal", "note", "plan", "action", "approval", "question", "done", "answered", "stopped", "error", "cut"
]
RunOutcome: TypeAlias = Literal[
    "verified", "said", "unchecked", "answered", "stopped", "error", "cut", "under_way", "unreadable"
]
Fraction: TypeAlias = tuple[float, float]
"""A place in a picture: right and down, from 0 to 1."""
OUTCOMES: tuple[RunOutcome, ...] = get_args(RunOutcome)
MOST_MOMENTS = 20_000
MOST_TEXT = 20_000
_MOST_NAMES = 300
_TAGS = {str(each.__struct_config__.tag): each for each in get_args(FeedEvent)}


LEAST, MOST = 0.4, 3.0
"""Seconds from one moment to the next; longer waits are left out."""
MOST_LETTERS = 120
"""Characters of each step in a line that lists them all."""


class StoryPicture(msgspec.Struct, frozen=True):
    """A picture of the run: its `file` in the run's folder, the hash it was recorded with, and the screen it shows."""

    file: str
    hash: str
    region: Rect


class Moment(msgspec.Struct, frozen=True):
    """One thing that was said or done.

    `picture` counts from 0 in the story's pictures, -1 for none; `at` and `to` are where it acts, in fractions of that
    picture's width and height. `plan` counts in the story's plans, `step` in the plan. `usage` are the totals so far.
    `command` is one of an environment, `output` what it printed, its end.
    """

    time: float
    kind: MomentKind
    words: str
    exact: str = ""
    detail: str = ""
    outcome: str = ""
    effect: str = ""
    number: int = 0
    picture: int = -1
    at: Fraction | None = None
    to: Fraction | None = None
    plan: int = -1
    step: int = 0
    usage: Usage | None = None
    receipts: tuple[Receipt, ...] = ()
    command: str = ""
    output: str = ""


class Story(msgspec.Struct, frozen=True):
    """A whole run. `started` and `ended` in seconds since the epoch; `trouble` says what is wrong with its log."""

    name: str
    goal: str = ""
    by: str = ""
    started: float = 0.0
    ended: float = 0.0
    outcome: RunOutcome = "unreadable"
    moments: tuple[Moment, ...] = ()
    pictures: tuple[StoryPicture, ...] = ()
    plans: tuple[tuple[str, ...], ...] = ()
    usage: Usage | None = None
    actions: int = 0
    turns: int = 0
    applications: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()

    @property
    def can_continue(self) -> bool:
        """Can `--resume` go on with it? A run that ended with done, or is not the user's own, cannot."""
        return (
            self.outcome in ("cut", "stopped", "error") and bool(self.goal) and not (self.by or self.trouble)
        )


def read_story(folder: Path) -> Story:
    """The run in this folder, without the secrets known now. Never raises: what is wrong is in `trouble`."""
    return story_of(read_logged_run(folder))


def story_of(run: LoggedRun) -> Story:
    """The story that the records of a run tell, without the secrets known now."""
    teller = _Teller(run.name)
    teller.take_all(run.records)
    return redactor().scrub(teller.story(run))


@dataclass
class _Teller:
    """Follows the records and keeps what was so at each moment."""

    name: str
    goal: str = ""
    by: str = ""
    outcome: RunOutcome | None = None
    moments: list[Moment] = field(default_factory=list)
    pictures: dict[StoryPicture, int] = field(default_factory=dict)
    plans: list[tuple[str, ...]] = field(default_factory=list)
    usage: Usage | None = None
    turns: int = 0
    applications: dict[str, None] = field(default_factory=dict)
    titles: dict[str, None] = field(default_factory=dict)
    misread: int = 0
    left_out: int = 0
    _step: int = 0
    _picture: int = -1
    _shown: list[StoryPicture] = field(default_factory=list)
    _asked_size: tuple[int, int] = (0, 0)
    _hashes: dict[str, str] = field(default_factory=dict)
    _drags: list[tuple[str, Point]] = field(default_factory=list)
    _open: dict[int, int] = field(default_factory=dict)
    """Where in `moments` an action without a result is, by its number."""

    def take_all(self, records: Iterable[Record]) -> None:
        for record in records:
            try:
                self._take(record)
            except (Refused, msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError):
                self.misread += 1

    def story(self, run: LoggedRun) -> Story:
        records = run.records
        trouble = list(run.trouble)
        if self.misread:
            trouble.append(f"{self.misread} of its records cannot be understood and are left out.")
        if self.left_out:
            trouble.append(f"{self.left_out} of its moments are left out: it is too long to show.")
        if self.outcome is None and records and not run.under_way:
            self._add(records[-1].time, "cut", "The run was cut short: nothing tells how it ended.")
        fallback: RunOutcome = "under_way" if run.under_way else "cut" if records else "unreadable"
        return Story(
            name=self.name,
            goal=self.goal,
            by=self.by,
            started=records[0].time if records else 0.0,
            ended=records[-1].time if records else 0.0,
            outcome="under_way" if run.under_way else self.outcome or fallback,
            moments=tuple(map(self._with_picture, self.moments)),
            pictures=tuple(self._shown),
            plans=tuple(self.plans),
            usage=self.usage,
            actions=max((each.number for each in self.moments), default=0),
            turns=self.turns,
            applications=tuple(self.applications)[:_MOST_NAMES],
            titles=tuple(self.titles)[:_MOST_NAMES],
            trouble=tuple(trouble),
        )

    def _with_picture(self, moment: Moment) -> Moment:
        """What was said before the first look is shown with its picture."""
        return msgspec.structs.replace(moment, picture=0) if moment.picture < 0 and self._shown else moment

    # ---- records -----------------------------------------------------------------------------

    def _take(self, record: Record) -> None:
        data = fields_of(record)
        match record.kind:
            case "frame":
                self._hashes[str(data["file"])] = str(data["hash"])
            case "intent":
                self._drags = list(drag_ends(data))
            case "asked":
                self._see(data["look"])
            case "message":
                self._take_larger(data)
            case "sources":
                self._touch(f"{what}" for kind, what in data["sources"] if kind in ("app", "site"))
            case "resumed":
                self.outcome = None
            case kind if kind in _TAGS:
                self._take_event(record.time, msgspec.convert(data, _TAGS[kind]))

    def _see(self, look: dict[str, Any]) -> None:
        if window := str(look.get("window", "")):
            self.titles[window[:500]] = None
        width, height = look["picture"]
        self._asked_size = (int(width), int(height))

    def _touch(self, names: Iterable[str]) -> None:
        self.applications |= dict.fromkeys(name for name in names if name not in ("?", "desktop", ""))

    def _take_larger(self, data: dict[str, Any]) -> None:
        """Show the picture that the model got in place of the small one of the same look, where it got all of it."""
        if data.get("role") != "environment" or self._picture < 0:
            return
        for block in _picture_blocks(data["content"]):
            size = (int(block["size"]["width"]), int(block["size"]["height"]))
            if size == self._asked_size and str(block.get("file")) in self._hashes:
                region = self._shown[self._picture].region
                self._show(str(block["file"]), region)

    def _show(self, file: str, region: Rect) -> None:
        picture = StoryPicture(file, self._hashes.get(file, ""), region)
        if picture not in self.pictures:
            self.pictures[picture] = len(self._shown)
            self._shown.append(picture)
        self._picture = self.pictures[picture]

    # ---- events ------------------------------------------------------------------------------

    def _take_event(self, time: float, event: Any) -> None:
        match event:
            case say.Goal():
                self._hear(time, event)
            case say.Note() | say.Question():
                choices = "\n".join(f"– {each}" for each in getattr(event, "choices", ()))
                self._add(
                    time, "note" if isinstance(event, say.Note) else "question", event.text, detail=choices
                )
            case say.InputGranted() if event.told:
                self._add(time, "note", event.told)
            case say.InputGrantOver():
                self._add(time, "note", event.text)
            case say.LookTaken():
                self._show(f"frames/{event.frame}.jpg", event.region)
            case say.Plan():
                before = self.plans[-1] if self.plans else ()
                line = plan_line(before, self._step, event.steps, event.current)
                if not self.plans or before != event.steps:
                    self.plans.append(event.steps)
                self._step = event.current
                if line:
                    self._add(time, "plan", line)
            case say.ScopeSet():
                grants = (each.split(":", 1) for each in event.grants)
                self._touch(
                    rest.rpartition(":")[0] or rest for kind, rest in grants if kind in ("app", "site")
                )
            case say.Usage():
                self.usage, self.turns = event, max(self.turns, event.step)
            case say.Turn():
                self.turns = max(self.turns, event.number)
            case say.Action():
                self._act(time, event)
            case say.Result():
                self._tell_result(event)
            case say.ApprovalAsked():
                rows = "\n".join(f"{row.label}: {row.text}" for row in event.rows)
                self._add(time, "approval", event.words, "\n".join(event.exact), detail=rows or event.why)
            case _:
                self._take_ending(time, event)

    def _hear(self, time: float, event: say.Goal) -> None:
        if not self.goal:
            self.goal, self.by = event.text, event.by
        self.outcome = None
        self._add(time, "goal", event.text, detail=event.by)

    def _act(self, time: float, event: say.Action) -> None:
        to = next((end for op, end in self._drags if op == event.op), None)
        if to is not None:
            self._drags.remove((event.op, to))
        self._open[event.number] = len(self.moments)
        self._add(
            time, "action", event.words, event.exact, number=event.number, at=self._place(event.at),
            to=self._place(to), outcome="stopped",
            command=event.command[:MOST_TEXT],
        )  # fmt: skip

    def _tell_result(self, event: say.Result) -> None:
        place = self._open.pop(event.number, None)
        if place is None or place >= len(self.moments):
            return
        known = event.receipt.kind != "none" or bool(event.receipt.detail)
        self.moments[place] = msgspec.structs.replace(
            self.moments[place],
            words=event.words[:MOST_TEXT] or self.moments[place].words,
            outcome=event.outcome,
            effect=event.effect,
            detail=event.detail[:MOST_TEXT],
            output=event.output[:MOST_TEXT],
            receipts=(event.receipt,) if known else (),
        )

    def _take_ending(self, time: float, event: Any) -> None:
        match event:
            case say.GoalReached():
                checked = event.verdict == "verified"
                done: RunOutcome = "said" if event.said_by_user else "verified" if checked else "unchecked"
                self.outcome = "answered" if event.answered else done
                self._add(
                    time, "answered" if event.answered else "done", event.summary, receipts=event.receipts
                )
            case say.Error():
                self.outcome = "error"
                self._add(time, "error", event.message, detail=event.advice)
            case say.Status(state="stopped"):
                self.outcome = "stopped"
                self._add(time, "stopped", event.detail or "stopped")
            case say.Status(state="error") if self.outcome != "error":
                self.outcome = "error"
                self._add(time, "error", event.detail or "Something failed.")

    def _place(self, at: Point | None) -> Fraction | None:
        if at is None or self._picture < 0:
            return None
        return fraction_of(at, self._shown[self._picture].region)

    def _add(self, time: float, kind: MomentKind, words: str, exact: str = "", **more: Any) -> None:
        if len(self.moments) >= MOST_MOMENTS:
            self.left_out += 1
            return
        detail = str(more.pop("detail", ""))[:MOST_TEXT]
        self.moments.append(
            Moment(
                time, kind, words[:MOST_TEXT], exact[:MOST_TEXT], detail, picture=self._picture,
                plan=len(self.plans) - 1, step=self._step, usage=self.usage, **more,
            )
        )  # fmt: skip


def _picture_blocks(content: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    for block in content:
        if block.get("type") == "image":
            yield block
        elif block.get("type") == "result":
            yield from _picture_blocks(block.get("content", ()))


def plan_line(before: tuple[str, ...], at: int, steps: tuple[str, ...], current: int) -> str:
    """A new plan with its steps, or the step that has become the current one (from 0); "" where neither changed."""
    if not steps:
        return ""
    if steps != before:
        listed = (f"{number}. {_cut(step)}" for number, step in enumerate(steps, 1))
        return tr("Plan: {steps}").format(steps=" · ".join(listed))
    if current == at or not 0 <= current < len(steps):
        return ""
    return tr("Step {n} of {count}: {step}").format(n=current + 1, count=len(steps), step=steps[current])


def _cut(step: str) -> str:
    return step if len(step) <= MOST_LETTERS else f"{step[:MOST_LETTERS]}…"


# ---- where it is marked --------------------------------------------------------------------------


def fraction_of(at: Point, region: Rect) -> Fraction | None:
    """Where a screen point lies in a picture of `region`; None when it lies outside."""
    if region.empty or not region.contains(at):
        return None
    return (at.x - region.x + 0.5) / region.width, (at.y - region.y + 0.5) / region.height


def drag_ends(intent: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    """The name of each drag of a batch, from its `intent` record, with the screen point where it ends.

    Raises msgspec.ValidationError, KeyError or TypeError for a record that is damaged.
    """
    view = msgspec.convert(intent["viewport"], Viewport)
    for op in intent["operations"]:
        if op["op"] == "drag":
            end = op["path"][-1]
            yield "drag", view.to_screen(int(end["x"]), int(end["y"]))
        elif op["op"] == "drag_element" and op["to"] in intent["elements"]:
            yield "drag_element", msgspec.convert(intent["elements"][op["to"]], Rect).center


# ---- as it is played: as it went, but without long waits, and no faster than one can see ----------


def offsets_of(moments: Sequence[Moment]) -> tuple[float, ...]:
    """The seconds from the first moment to each one, as they are played."""
    gaps = (min(MOST, max(LEAST, after.time - before.time)) for before, after in pairwise(moments))
    return tuple(accumulate(gaps, initial=0.0)) if moments else ()


def moment_at(offsets: Sequence[float], seconds: float) -> int:
    """The number of the moment that is shown so many seconds after the first; 0 where there are none."""
    return max(0, bisect_right(offsets, seconds) - 1)


def clock(seconds: float) -> str:
    """As on a player: `0:07`, `12:30`, `1:02:03`."""
    whole = round(seconds)
    hours, minutes, rest = whole // 3_600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
