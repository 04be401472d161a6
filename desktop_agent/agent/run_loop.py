"""The loop of one run: look, ask the model, act, look again, until it is done.

States: planning → executing → planning …, waiting_for_user and paused in between, and one of done,
error or stopped at the end (protocol/agent_events.NEXT_STATES).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from desktop_agent.agent.acting.executor import Executed, Executor
from desktop_agent.agent.asking import run_questions, scope_plea
from desktop_agent.agent.asking.approval import Approver, JudgedUnit
from desktop_agent.agent.context.map_maker import MapMaker
from desktop_agent.agent.inbox import Inbox, Words
from desktop_agent.agent.limits import GO_ON, STOP_HERE, Budget, LimitReached
from desktop_agent.agent.looking.observer import CloserPictures, Observer
from desktop_agent.agent.loop_breaker import LoopBreaker
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.model_dialogue import ModelDialogue, UnusableReplies
from desktop_agent.agent.notes.run_notes import RunNotes
from desktop_agent.agent.pauses import pausing_out_of_reach
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.verifying.finishing import NOT_DONE, YES_DONE, Conclusion, Finishing, by_the_user
from desktop_agent.llm.base import Answer, Deed
from desktop_agent.policy.consent.asked_rows import is_offered, picked_of
from desktop_agent.policy.facts.batching import Piece, Unit
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.policy.facts.op_text import exact, past, present
from desktop_agent.policy.facts.place import Subject
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import OutOfBounds, Refused, Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import OPS, Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.encoding.live_preview import PreviewCache
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.settling.result import Settled

_PREVIEW_EDGE = 480
_POLL, _NEWS_POLL = 0.5, 0.1
"""Seconds between two glances while nothing comes, and between two questions for news."""
WAITING = "Waiting for the terminal, or for a word from you"
"""The detail of the state while the model waits for news."""
BY_MODEL = "the model asked to stop"
"""The reason of a stop by the model's own wish."""

OPERATIONS = tuple(name for name, op in OPS.items() if op.traits.carried_out_by in ("hand", "agent"))
"""What a model may say on a target with a screen; environments add theirs."""
OF_A_SCREEN = frozenset(name for name in OPERATIONS if OPS[name].traits.carried_out_by == "hand") | {
    "look",
    "zoom",
    "pointer_position",
    "read",
}
"""Those of them that need one."""

_After: TypeAlias = Literal["go on", "look again", "ended"]
"""What follows an operation: the next one, a new turn (the rest of the batch is dropped), or the end of the run."""


FRESH_SECONDS = 0.25


@dataclass
class NextLook:
    """What the model asked to see in the next turn."""

    detail: Rect | None = None
    read: bool = False
    settled: Settled | None = None
    seen: Observation | None = None

    def fresh(self) -> Observation | None:
        """The look taken after acting, if nothing more was asked for and it is younger than FRESH_SECONDS; else None."""
        plain = self.detail is None and not self.read
        return self.seen if plain and self.seen and time.time() - self.seen.time < FRESH_SECONDS else None


@dataclass
class Clock:
    """Seconds of one turn, by phase."""

    began: float = field(default_factory=time.monotonic)
    look: float = 0.0
    model: float = 0.0
    act: float = 0.0
    settle: float = 0.0

    def turn(self, number: int) -> say.Turn:
        total = time.monotonic() - self.began
        return say.Turn(
            number=number, total=total, look=self.look, model=self.model, act=self.act, settle=self.settle
        )


@dataclass
class RunLoop:
    """Runs one goal to its end. All parts are given; nothing here outlives the run.

    A turn goes through four of them: `observer` looks, `dialogue` asks the model, `approver` asks the
    human where that is due, `executor` acts. `memory` keeps what the next prompt tells, `budget` how far
    the run may go; `mapping` learns where things are; `loops` notices circles, `finishing` checks a "done"; `inbox` is what the human says, `feed` what the human is told. `pause_hand` and `stop`
    reach the hand at any time; `put_back` leaves the desk as it was but for what the goal changed.
    """

    memory: RunMemory
    observer: Observer
    dialogue: ModelDialogue
    approver: Approver
    executor: Executor
    budget: Budget
    loops: LoopBreaker
    finishing: Finishing
    inbox: Inbox
    feed: Feed
    pause_hand: Callable[[bool], None]
    stop: StopFlag
    mapping: MapMaker = field(default_factory=MapMaker)
    notes: RunNotes | None = None
    put_back: Callable[[], None] = lambda: None
    _next: NextLook = field(default_factory=NextLook)
    _previews: PreviewCache = field(default_factory=lambda: PreviewCache(_PREVIEW_EDGE))
    _pauses: int = 0
    _shown: bool = False
    _sources: frozenset[Subject] = frozenset()

    def run(self) -> None:
        """Work until the goal is reached, has failed or waits no more. Raises every error and Stopped."""
        while True:
            self._pause_if_asked()
            self._keep_limits()  # behind the pauses: the cut of a time limit ends with them, and its question comes at once
            self._hear()
            clock = Clock()
            after: _After = "look again"
            with pausing_out_of_reach(self.inbox):
                after = self._turn(clock)
            self.feed.emit(clock.turn(self.memory.turn))
            if after == "ended":
                return
            self.memory.turn += 1

    # ---- one turn ----------------------------------------------------------------------------

    def _turn(self, clock: Clock) -> _After:
        self._status("planning")
        observation = self._look(clock)
        self.finishing.looked(observation)
        self._map(observation)
        answer = self._ask_model(observation, clock)
        if answer is None or self._interrupted:
            return "look again"  # what was planned before a question or a pause is stale now
        self._take(answer)
        found = self.loops.judge(answer.reply.actions, observation)
        if found.level == "ask":
            self._ask_user(found.words)
            return "look again"
        if found.level == "other way" and not self.loops.paced:
            self._deny(answer.reply.actions[0], found.words)
            return "look again"
        patient_until = time.monotonic() + found.patience
        after = self._act(self._heeded(answer, observation), observation, clock)
        self._wait_until(patient_until)
        if found.level == "tell":
            self.memory.comment(found.words)
        return after

    def _wait_until(self, moment: float) -> None:
        """Wait on until something else is to be seen, or the human says something; `moment` is of the monotonic clock."""
        while (left := moment - time.monotonic()) > 0 and not self._interrupted and not self.inbox.has_words:
            self.stop.wait(min(left, _POLL))
            if self.loops.shows_more(self.observer.glance(self.stop)):
                return

    def _look(self, clock: Clock) -> Observation:
        began = time.monotonic()
        wanted, self._next = self._next, NextLook()
        observation = wanted.fresh() or self.observer.look(
            self.stop, detail=wanted.detail, read=wanted.read, settled=wanted.settled
        )
        self.approver.gate.looked(observation)
        frame = observation.frame
        picture = self._previews.of(frame)
        if self.feed.store is not None:
            self.feed.store.keep_frame(frame.digest, picture, "jpg")
        self.feed.emit(
            say.LookTaken(
                frame=frame.digest, region=frame.region, elements=len(observation.elements), preview=picture
            )
        )
        clock.look += time.monotonic() - began
        return observation

    def _map(self, observation: Observation) -> None:
        self.mapping.look(observation)
        self.memory.map = self.mapping.map

    def _show_first(self, observation: Observation) -> None:
        """Before the first picture of a camera leaves this computer: ask. Raises TargetError after a no."""
        server = self.dialogue.model.server() if self.observer.target.filmed and not self._shown else ""
        if server and not self.approver.put(
            run_questions.camera_card(server, self._previews.of(observation.frame)), self.stop
        ):
            raise run_questions.camera_refused(server)
        self._shown = True

    def _ask_model(self, observation: Observation, clock: Clock) -> Answer | None:
        """The model's answer; None after a pause, or when the user was asked because none could be used."""
        self._show_first(observation)
        self._status("planning")
        began = time.monotonic()
        try:
            self.memory.scope = self.approver.gate.run_scope.scope.words
            self._look_at_environments()
            self._record_sources()
            return self.dialogue.answer(self.memory, observation, self.stop)
        except UnusableReplies as error:
            self._ask_user(f"{error.message} Shall I try again?")
            return None
        finally:
            clock.model = time.monotonic() - began

    def _look_at_environments(self) -> None:
        """Have the environments show themselves, and tell the human what has changed."""
        told = self.executor.environments.told(self.stop)
        if told != self.memory.environments:
            self.feed.emit(say.EnvironmentsShown(text=told))
        self.memory.environments = told

    def _record_sources(self) -> None:
        """Record whose content was read since the last time: a run that goes on has read it, too."""
        sources = self.approver.gate.provenance.taint.sources
        if new := sorted(sources - self._sources):
            self.feed.record("sources", {"sources": new})
        self._sources = sources

    def _take(self, answer: Answer) -> None:
        """Tell the user what the model said, and remember it."""
        reply = answer.reply
        self.memory.begin_reply()
        self.feed.record("reply", {"raw": answer.raw, "dialect": self.dialogue.prompter.dialect.name})
        if answer.remark is not None:
            self.feed.record(answer.remark.kind, answer.remark.facts)
            self.feed.emit(say.Note(text=answer.remark.words))
        if self.memory.take_plan(reply):
            self.feed.emit(say.Plan(steps=self.memory.plan, current=self.memory.step))
        if reply.notes:
            self.feed.emit(say.Note(text=reply.notes))
        self.memory.note(reply.notes)
        self.feed.emit(self.budget.spend(answer.usage, self.memory.turn))
        if reply.scope:
            plea = scope_plea.ask(reply.scope, self.memory.plan, self.approver, self.stop)
            self._keep([plea.deed(self.memory.turn)])

    def _heeded(self, answer: Answer, observation: Observation) -> tuple[Op, ...]:
        """The operations up to the first call that the user does not allow after its provider warned of it."""
        actions = answer.reply.actions
        for call in answer.calls:
            own = actions[call.first : call.first + call.count]
            if not call.warnings or not own:
                continue
            points = [start_point(op, observation) for op in own]
            if not self.approver.put(
                run_questions.warning_card(self.dialogue.model.name, call, own, points), self.stop
            ):
                self.memory.at = call.first
                self._skipped(own, observation, run_questions.WARNING_REFUSED)
                return actions[: call.first]
            self.memory.accepted.add(call.id)
        return actions

    # ---- acting ------------------------------------------------------------------------------

    def _act(self, actions: tuple[Op, ...], observation: Observation, clock: Clock) -> _After:
        """Carry out the operations in order, one unit after the other."""
        acted, number = False, 0
        while actions:
            unit = self.approver.next_unit(actions, observation)
            actions = actions[len(unit.operations) :]
            self.memory.at, number = number, number + len(unit.operations)
            if unit.operations[0].traits.carried_out_by == "agent":
                after = self._do_own(unit, observation, acted=acted, last=not actions)
            else:
                acted = True
                after = self._do(unit, observation, clock)
            if after != "go on":
                return after
        return "look again"

    def _do(self, unit: JudgedUnit, observation: Observation, clock: Clock) -> _After:
        """Ask where asking is due, then have the hand or an environment do it."""
        if self._interrupted or not self._allowed(unit, observation):
            return "look again"
        unit = self.approver.agreed
        self._status("executing")
        executed = self.executor.execute(
            unit.operations, observation, self.memory.turn, self.stop, approved=self.approver.granted
        )
        self._remember(executed, clock)
        self._tell_changed(unit)
        self.loops.noted(deed.effect for deed in executed.deeds if not deed.op.traits.passive)
        self.finishing.noted(executed.deeds, observation, executed.seen)
        self.mapping.act(executed.deeds, observation)
        if executed.seen is not None:
            self._map(executed.seen)
        self.stop.check()
        answer = self.executor.moving_places.ask(self.approver, observation, self.stop)
        if answer is not None:
            self.loops.forgive()
        if answer is False:
            self._skipped(unit.operations, observation)
        return "go on" if executed.all_done and not unit.before else "look again"

    def _tell_changed(self, unit: JudgedUnit) -> None:
        """Tell the model that the user has put something else in the place of its operations."""
        pairs = zip(unit.before, unit.operations, strict=bool(unit.before))
        changed = [f"{exact(old, None)} into {exact(new, None)}" for old, new in pairs if old != new]
        if changed:
            self.memory.comment(
                f"The user changed it before saying yes: {'; '.join(changed)}. What followed was not done"
            )

    def _allowed(self, unit: JudgedUnit, observation: Observation) -> bool:
        allowed = self.approver.allowed(unit, self.memory, observation, self.stop)
        if not allowed:
            self._skipped(unit.operations, observation)
        return allowed

    def _remember(self, executed: Executed, clock: Clock) -> None:
        self.memory.remember(executed.deeds)
        clock.act += executed.act_seconds
        clock.look += executed.look_seconds
        if executed.settled is not None:
            self._next.settled, self._next.seen = executed.settled, executed.seen
            clock.settle += executed.settled.seconds
        stopped = next((deed for deed in executed.deeds if deed.outcome == "stopped"), None)
        if stopped is not None:  # the hand may know of a stop, and why, a moment before we are told
            self.stop.set(self.executor.hand.stop_reason or stopped.detail)

    def _skipped(self, unit: Unit, observation: Observation, why: str = "The user said no.") -> None:
        elements = {each.id: each for each in observation.elements}
        self._keep([Deed(self.memory.turn, op, present(op, elements), "refused", why) for op in unit])
        self.feed.emit(say.Note(text="All right, I will not do that."))

    def _do_own(self, unit: JudgedUnit, observation: Observation, *, acted: bool, last: bool) -> _After:
        """Judge and carry out one operation of the agent's own.

        `acted`: something was done before it in this turn; `last`: nothing comes after it, so the next look tells.
        """
        if not self._allowed(unit, observation):
            return "look again"
        (op,) = self.approver.agreed.operations
        if refused := self.approver.gate.refusal((Piece(op, 0),), observation):
            self._deny(op, refused[0].detail)
            return "look again"
        match op:
            case ops.Look(region=None) if not last and self._sees:
                self.memory.pictures[self.memory.at] = self._closer.of_moment(self.memory.at + 1, self.stop)
                return self._own_done(op, "its picture is here")
            case ops.Look():
                self._next.detail = self._detail(op.region, observation)
                return self._own_done(op, "the next look shows it")
            case ops.Read():
                self._next.read = True
                self._next.detail = self._detail(op.region, observation)
                return self._own_done(op, "the next look tells it")
            case ops.WaitForNews():
                return self._own_done(op, self._wait_for_news())
            case ops.Zoom() | ops.PointerPosition():
                return self._see_closer(op, observation)
            case ops.Remember():
                self._remember_note(op)
            case ops.Ask():
                words = self._ask_user(op.question, op.choices, on_screen=op.on_screen)
                return self._own_done(op, f"answered: {words}")
            case ops.Pause():
                self.inbox.set_paused(True)
                return self._own_done(op, "the user has been asked to go on")
            case ops.Stop():
                raise Stopped(BY_MODEL)
            case ops.Done() if acted:
                self._deny(op, "Say done only after a new look has shown the result.")
            case ops.Done():
                return self._finish(op, observation)
            case ops.Fail():
                self.executor.environments.tell_findings()
                self.feed.emit(
                    say.Error(message=op.reason, advice="Change the goal, or do that part yourself.")
                )
                self._status("error", op.reason)
                return "ended"
        return "go on"

    def _wait_for_news(self) -> str:
        """Wait until an environment brings something, the user says something or the run's time is over; which it was.

        The model is not asked meanwhile. Raises Stopped.
        """
        self._status("executing", WAITING)
        came = self.executor.environments.news(self.stop)
        while not self._interrupted and not self.inbox.has_words and not self.budget.time_is_over:
            if came():
                return "there is something new"
            self.stop.wait(_NEWS_POLL)
            self.stop.check()
        return "the user said something" if self.inbox.has_words else "it was interrupted"

    @property
    def _sees(self) -> bool:
        return self.dialogue.model.support.images

    @property
    def _closer(self) -> CloserPictures:
        return CloserPictures(self.observer, self.approver.gate.looked)

    def _see_closer(self, op: ops.Zoom | ops.PointerPosition, observation: Observation) -> _After:
        try:
            if isinstance(op, ops.PointerPosition):
                at = self._closer.pointer(observation)
                detail = f"it is at {at.x},{at.y}"
            elif self._sees:
                picture = self._closer.of_region(op.region, observation, self.stop)
                self.memory.pictures[self.memory.at], detail = picture, "its picture is here"
            else:
                raise OutOfBounds("You are shown no pictures: read the region instead.")
        except OutOfBounds as error:
            self._deny(op, str(error))
            return "look again"
        self._keep([Deed(self.memory.turn, op, past(op, {}), "done", detail)])
        return "go on"

    def _own_done(self, op: Op, detail: str) -> _After:
        """Tell a call that its operation was done, unless it was refused meanwhile: then nothing follows it."""
        if self.memory.at in self.memory.results:
            return "look again"
        self.memory.tell([Deed(self.memory.turn, op, past(op, {}), "done", detail)])
        return "go on"

    def _finish(self, op: ops.Done, observation: Observation) -> _After:
        """Check a "done" before it is told: it may be refused, or put to the user."""
        found = self.finishing.conclude(op.summary, observation, lambda: self._look(Clock()), self.stop)
        if found.next == "refuse":
            self._deny(op, found.words)
            return "look again"
        if found.next == "ask":
            picked = self._ask_own(found.words, (YES_DONE, NOT_DONE))
            if picked != YES_DONE:
                self._deny(op, "The user has not said that it is done.")
                return "look again"
            found = by_the_user(found)
        self.put_back()
        self._reached(op.summary, found)
        return "ended"

    def _reached(self, summary: str, found: Conclusion) -> None:
        self.executor.environments.tell_findings()
        self.feed.emit(
            say.GoalReached(
                summary=summary,
                verdict=found.verdict,
                receipts=found.receipts,
                answered=found.answered,
            )
        )
        self._status("done")

    def _detail(self, region: ops.Region | None, observation: Observation) -> Rect | None:
        if region is None:
            return None
        try:
            return observation.viewport.rect_to_screen(Rect(region.x, region.y, region.width, region.height))
        except OutOfBounds as error:
            self._deny(ops.Look(region), str(error))
            return None

    def _remember_note(self, op: ops.Remember) -> None:
        """Keep, replace or remove a note, and tell the user."""
        try:
            if self.notes is None:
                raise Refused("Notes are switched off.")
            words = self.notes.remember(op)
        except Refused as refused:
            self._deny(op, str(refused))
            return
        self._keep([Deed(self.memory.turn, op, past(op, {}), "done", words)])
        self.feed.emit(say.Note(text=words))

    def _deny(self, op: Op, why: str) -> None:
        self._keep([Deed(self.memory.turn, op, past(op, {}), "refused", why)])

    def _keep(self, deeds: list[Deed]) -> None:
        """Remember and record deeds that no hand and no environment was asked to do."""
        self.feed.record("deeds", {"deeds": deeds})
        self.memory.remember(deeds)

    # ---- the human ---------------------------------------------------------------------------

    def _ask_user(self, question: str, choices: tuple[str, ...] = (), *, on_screen: bool = False) -> str:
        self.feed.emit(say.Question(text=question, choices=choices, on_screen=on_screen))
        self._status("waiting_for_user", question)
        self.memory.note("\n".join((question, *(f"- {each}" for each in choices))))
        words = self.inbox.wait_for_words(self.stop)
        more = self.inbox.heard()
        picked = is_offered(words.text, choices)
        self._heard((words, *more), own=more if picked else (words, *more))
        return words.shown

    def _ask_own(self, question: str, choices: tuple[str, str]) -> str:
        """Ask something of our own: the choice that was picked, or meant by a yes or no; "" for other words, which are heard.

        Only the user picks: the words of a program count as the second choice, which is the no.
        """
        self.feed.emit(say.Question(text=question, choices=choices))
        self._status("waiting_for_user", question)
        words = self.inbox.wait_for_words(self.stop)
        more = self.inbox.heard()
        picked = choices[1] if words.by else picked_of(words.text, choices)
        heard = more if picked and not words.by else (words, *more)
        if heard:
            self._heard(heard, own=heard)
        self.loops.forgive()
        return picked

    def _keep_limits(self) -> None:
        """At a limit ask whether to go on, before it is passed, until that is answered. Raises LimitReached after a no."""
        while reached := self.budget.reached(self.memory.turn):
            picked = self._ask_own(f"{reached} Shall I go on?", (GO_ON, STOP_HERE))
            if picked == STOP_HERE:
                raise LimitReached(
                    reached, "Raise the limit in [agent] of config.toml, or give a smaller goal."
                )
            if picked == GO_ON:
                self.budget.extend(self.memory.turn)

    def _hear(self) -> None:
        words = self.inbox.heard()
        if words:
            self._heard(words, own=words)

    def _heard(self, words: tuple[Words, ...], *, own: tuple[Words, ...]) -> None:
        """Take in what was said; `own` is what the user has worded: only that can grant something."""
        for each in words:
            self.feed.emit(say.Goal(text=each.shown, by=each.by))
        self.memory.hear(tuple(each.text for each in words))
        if self.dialogue.pictures.give(self.memory.turn, [each for said in words for each in said.pictures]):
            self.approver.gate.provenance.see_given_picture()
        self.approver.gate.hear(tuple(text for each in own for text in each.granting))
        self.finishing.hear(tuple(each.text for each in own))
        self.loops.forgive(" ".join(each.text for each in words))

    @property
    def _interrupted(self) -> bool:
        """There was a pause since this turn began, even if it is over."""
        return self.inbox.pauses != self._pauses

    def _pause_if_asked(self) -> None:
        while self._interrupted:
            self._pauses = self.inbox.pauses
            self.pause_hand(True)
            if not self.inbox.was_cut():
                self._status("paused", self.inbox.pause_reason)
            self.inbox.wait_until_resumed(self.stop)
            self.pause_hand(False)

    def _status(self, state: say.State, detail: str = "") -> None:
        """Tell the state, unless it is told already; a question or a yes asked for elsewhere has changed it meanwhile."""
        if detail or (state, "") != (self.feed.status.state, self.feed.status.detail):
            self.feed.emit(say.Status(state=state, detail=detail))
