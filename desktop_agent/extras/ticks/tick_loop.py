"""The loop of a run with a numeric policy: a frame, a tick, its difference to the last one, thirty times a second.

What a tick presses stays held until the next one by the hand's lease (`Batch.keeps`), so every way in which a batch
ends, ESC and takeover among them, ends it as ever.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from desktop_agent.agent.acting.executor import Hand
from desktop_agent.agent.asking import run_questions
from desktop_agent.agent.asking.approval import Approver
from desktop_agent.agent.inbox import Inbox, Words
from desktop_agent.agent.limits import GO_ON, STOP_HERE, Budget, LimitReached
from desktop_agent.agent.own_run import OwnRun
from desktop_agent.agent.pauses import pausing_out_of_reach
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.extras.ticks.forbidden_places import ForbiddenPlaces
from desktop_agent.extras.ticks.masked_frames import MaskedFrames
from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.extras.ticks.tick_diff import NOTHING_HELD, named, operations_between
from desktop_agent.policy.consent.asked_rows import picked_of
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import State
from desktop_agent.protocol.batch import LET_GO, Batch, OpResult
from desktop_agent.protocol.errors import DesktopAgentError, ModelError
from desktop_agent.protocol.geometry import Point, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call
from desktop_agent.targets.base import Target
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import preview

T = TypeVar("T")

KEEPS = 0.1
"""Seconds that the hand holds what a tick pressed while the next one is awaited; it never holds longer than its lease."""
BEGIN_SECONDS = 60.0
"""Longest that a policy may take to begin: it may have a model to load."""
TICK_SECONDS = 10.0
"""Longest that a policy may think about one tick."""
MAX_REFUSED = 30
"""Ticks refused one after the other before the run ends."""
_BATCH_SECONDS = 5.0
_PREVIEW_EDGE = 480


class TicksRefused(DesktopAgentError):
    """The hand refused what a policy said many times in a row."""


@dataclass
class TickLoop:
    """Runs one goal with a numeric policy to its end. `frames` are pictures with what is private painted over."""

    goal: str
    policy: NumericPolicy
    target: Target
    frames: MaskedFrames
    hand: Hand
    approver: Approver
    inbox: Inbox
    feed: Feed
    rewards: RewardFile | None
    pause_hand: Callable[[bool], None]
    stop: StopFlag
    rate: float
    budget: Budget
    forbidden: ForbiddenPlaces
    ticks: int = 0
    _held: Tick = NOTHING_HELD
    _recorded: tuple[object, ...] = ()
    _pauses: int = 0
    _refused: int = 0
    _batches: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @classmethod
    def of(cls, policy: NumericPolicy, run: OwnRun) -> TickLoop:
        """The loop of a run that the policy works."""
        gate = run.approver.gate
        return cls(
            run.goal,
            policy,
            run.target,
            MaskedFrames(run.target, run.privacy_filter, run.region),
            run.hand,
            run.approver,
            run.inbox,
            run.feed,
            run.rewards,
            run.pause_hand,
            run.stop,
            policy.rate,
            run.budget,
            ForbiddenPlaces(gate.places, gate.level, run.rules, run.grant_over),
        )

    def run(self) -> None:
        """Work until the policy says that it is done. Raises every error and Stopped: then the hand lets go by itself."""
        self.forbidden.check_tellable()
        with self.frames.kept_current():
            self._work()
        words = f"The policy {self.policy.name} says after {self.ticks} ticks that it is done. Nobody has checked it."
        self.feed.emit(say.GoalReached(summary=words))
        self._status("done")

    def _work(self) -> None:
        self._ask()
        self._in_time(lambda: self.policy.begin(self.goal), BEGIN_SECONDS, "to begin")
        self._status("executing")
        due = time.monotonic()
        while not self._tick_or_pause():
            due = max(due + 1 / self.rate, time.monotonic())
            self.stop.wait(due - time.monotonic())
        self._let_go()

    def _ask(self) -> None:
        """Where presses are real, no yes to single ones is possible: one for all of them is needed, and full access."""
        frame = self.frames.grab()
        picture = preview(frame, _PREVIEW_EDGE)
        self.feed.emit(say.LookTaken(frame=frame.digest, region=frame.region, elements=0, preview=picture))
        if run_questions.policy_asks(self.target, self.approver.gate.level) and not self.approver.put(
            run_questions.policy_card(self.policy.name, self.target.title, picture), self.stop
        ):
            raise run_questions.policy_refused(self.policy.name)

    def _tick_or_pause(self) -> bool:
        """One tick; a place that for now can be neither seen nor worked pauses the run instead."""
        with pausing_out_of_reach(self.inbox):
            return self._tick()
        return False

    def _tick(self) -> bool:
        """One tick; true when the policy is done."""
        self.stop.check()
        self._keep_limits()
        self._pause_if_asked()
        frame = self.frames.grab()
        tick = self._act(frame)
        self._record(tick)
        self._check_place(tick, frame)
        if operations_between(self._held, tick) or _holds(tick):
            self._execute(tick, frame)
        else:
            self._held = tick
        self.ticks += 1
        return tick.done

    def _check_place(self, tick: Tick, frame: Frame) -> None:
        """Raises ForbiddenPlace where nothing may be done at this moment."""
        point = Point(frame.region.x + tick.x, frame.region.y + tick.y)
        inside = point if frame.region.contains(point) else None  # else the hand refuses the tick
        presses = bool(tick.buttons - self._held.buttons or tick.keys - self._held.keys)
        self.forbidden.check(tick, inside, presses=presses)

    def _execute(self, tick: Tick, frame: Frame) -> None:
        """Have the hand make it so; what it has let go because this tick came late is pressed anew."""
        results = self.hand.execute(self._batch(self._held, tick, frame), _unheard)
        if results[0].detail == LET_GO:
            self._held = NOTHING_HELD
            self._check_place(tick, frame)
            results = self.hand.execute(self._batch(self._held, tick, frame), _unheard)
        self._take(tick, results)

    def _act(self, frame: Frame) -> Tick:
        """The policy's tick, which may take its time: a stop does not wait for it."""
        size, number = frame.region.size, self.ticks
        act = partial(self.policy.act, frame.pixels, size, number)
        return named(self._in_time(act, TICK_SECONDS, "for a tick"))

    def _in_time(self, work: Callable[[], T], seconds: float, what: str) -> T:
        """What the policy returns from a call that a stop and the time limit end the wait for. Raises ModelError."""
        try:
            return interruptible_call.run(
                lambda _: work(),
                say=_unheard,
                stop=self.stop,
                seconds=seconds,
                abandon=self.policy.abandon,
            )
        except interruptible_call.TookTooLong:
            raise ModelError(
                f"The policy {self.policy.name} took more than {seconds:g} s {what}.",
                "Try again, or choose another model.",
            ) from None

    def _batch(self, before: Tick, now: Tick, frame: Frame) -> Batch:
        return Batch(
            id=f"tick-{next(self._batches)}",
            operations=operations_between(before, now) or (ops.Wait(0),),
            viewport=Viewport(frame.region, frame.region.size, frame.epoch),
            generation=self.hand.generation,
            seconds=_BATCH_SECONDS,
            keeps=KEEPS,
            goes_on=_holds(before),
        )

    def _take(self, tick: Tick, results: list[OpResult]) -> None:
        """Go on from what was done; after a failure nothing is held, and the next tick presses anew."""
        bad = next((each for each in results if each.outcome != "done"), None)
        if bad is None:
            self._held, self._refused = tick, 0
            return
        self._held = NOTHING_HELD
        if bad.outcome == "stopped":
            self.stop.set(self.hand.stop_reason or bad.detail)
        elif bad.outcome != "skipped":
            self.feed.record("tick_refused", {"tick": self.ticks, "why": bad.detail})
            self._refused += 1
        if self._refused >= MAX_REFUSED:
            raise TicksRefused(
                f"What the policy says is refused again and again: {bad.detail}",
                "Look at the log of the run.",
            )

    def _record(self, tick: Tick) -> None:
        """Before it is acted, where anything is other than at the tick before: [number, x, y, buttons, keys, value, reward]."""
        reward = self.rewards.read()[0] if self.rewards is not None else None
        now = (tick.x, tick.y, sorted(tick.buttons), sorted(tick.keys), tick.value, reward)
        if now != self._recorded:
            self.feed.record("tick", [self.ticks, *now])
        self._recorded = now

    @property
    def _turn(self) -> int:
        """A second's ticks count as one turn, from 1."""
        return int(self.ticks / self.rate) + 1

    def _keep_limits(self) -> None:
        """At a limit ask whether to go on, before it is passed, until that is answered. Raises LimitReached after a no.

        Only the user lets it go on: the words of a program count as a no.
        """
        if self.budget.reached(self._turn):
            self.inbox.heard()  # words from before the question are no answer to it
        while reached := self.budget.reached(self._turn):
            words = self._ask_at_limit(f"{reached} Shall I go on?")
            picked = STOP_HERE if words.by else picked_of(words.text, (GO_ON, STOP_HERE))
            if words.by or not picked:
                self.feed.emit(say.Goal(text=words.shown, by=words.by))
            if picked == STOP_HERE:
                raise LimitReached(
                    reached, "Raise the limit in [agent] of config.toml, or give a smaller goal."
                )
            if picked == GO_ON:
                self.budget.extend(self._turn)
                self._status("executing")

    def _ask_at_limit(self, question: str) -> Words:
        """The next words after the question; what is held is let go meanwhile."""
        self._held = NOTHING_HELD
        self.feed.emit(say.Question(text=question, choices=(GO_ON, STOP_HERE)))
        self._status("waiting_for_user", question)
        return self.inbox.wait_for_words(self.stop)

    def _pause_if_asked(self) -> None:
        while self.inbox.pauses != self._pauses:
            self._pauses = self.inbox.pauses
            self.pause_hand(True)
            self._held = NOTHING_HELD
            if not self.inbox.was_cut():
                self._status("paused", self.inbox.pause_reason)
            self.inbox.wait_until_resumed(self.stop)
            self.pause_hand(False)
            self._status("executing")

    def _let_go(self) -> None:
        """Not to wait for the end of the lease."""
        if _holds(self._held):
            self._execute(Tick(self._held.x, self._held.y), self.frames.grab())

    def _status(self, state: State, detail: str = "") -> None:
        self.feed.emit(say.Status(state=state, detail=detail))


def _holds(tick: Tick) -> bool:
    return bool(tick.buttons or tick.keys)


def _unheard(_: object) -> None:
    """Nothing is told of single ticks."""
