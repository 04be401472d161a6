"""The loop of one run: look, ask the model, act, look again, until it is done.

States: planning → executing → planning …, waiting_for_user and paused in between, and one of done,
error or stopped at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop_agent.agent.acting.environments import CARRIED_OUT
from desktop_agent.agent.acting.executor import Executed, Executor
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.limits import Budget
from desktop_agent.agent.looking.observer import Observer, region_on_screen
from desktop_agent.agent.memory import Context
from desktop_agent.agent.op_text import past, present
from desktop_agent.agent.pauses import pausing_out_of_reach, until_paused
from desktop_agent.agent.policy.approval import Approver
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.turn import Clock, NextLook
from desktop_agent.llm.base import Answer, Conversation, Deed, Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import BadReply, OutOfBounds, Problem, Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.encoding.live_preview import Previews
from desktop_agent.vision.observation import Observation

MAX_BAD_REPLIES = 3
_PREVIEW_EDGE = 480

OPERATIONS = (
    "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "key_down", "key_up", "key_combo", "type", "wait",
    "click_element", "hover_element", "focus_element", "drag_element", "scroll_element", "open", "look", "read",
    "ask", "done", "fail", "release_all", "pause", "stop",
)  # fmt: skip
"""What a model may say on a target with a screen; environments add theirs."""

_OURS = (ops.Look, ops.Read, ops.Ask, ops.Done, ops.Fail, ops.Pause, ops.Stop)


@dataclass
class Planner:
    """Runs one goal to its end. All parts are given; nothing here outlives the run."""

    context: Context
    model: Model
    observer: Observer
    executor: Executor
    approver: Approver
    prompter: Prompter
    budget: Budget
    inbox: Inbox
    feed: Feed
    pause_hand: Callable[[bool], None]
    stop: StopFlag
    _next: NextLook = field(default_factory=NextLook)
    _previews: Previews = field(default_factory=lambda: Previews(_PREVIEW_EDGE))
    _state: str = ""
    _pauses: int = 0

    def run(self) -> None:
        """Work until the goal is reached, has failed or waits no more. Raises every error and Stopped."""
        while True:
            self.budget.check_turn(self.context.turn)
            self._pause_if_asked()
            self._hear()
            clock = Clock()
            ended = False
            with pausing_out_of_reach(self.inbox):
                ended = self._turn(clock)
            self.feed.emit(clock.turn(self.context.turn))
            if ended:
                return
            self.context.turn += 1

    # ---- one turn ----------------------------------------------------------------------------

    def _turn(self, clock: Clock) -> bool:
        self._status("planning")
        observation = self._look(clock)
        began = time.monotonic()
        answer = self._ask_model(observation)
        clock.model = time.monotonic() - began
        if answer is None or self._interrupted:
            return False  # what was planned before a question or a pause is stale now
        self._take(answer)
        question = self.budget.stuck(answer.reply, observation.frame.digest)
        if question:
            self._ask_user(question)
            return False
        return self._act(answer.reply.actions, observation, clock)

    def _look(self, clock: Clock) -> Observation:
        began = time.monotonic()
        wanted, self._next = self._next, NextLook()
        observation = wanted.fresh() or self.observer.look(
            self.stop, detail=wanted.detail, read=wanted.read, changed=wanted.changed
        )
        self.approver.gate.provenance.see(observation)
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

    def _ask_model(self, observation: Observation) -> Answer | None:
        """The model's answer; None after a pause, or after so many bad ones that the user was asked."""
        problems: tuple[Problem, ...] = ()
        self.context.environments = self.executor.environments.told(self.stop)
        for _ in range(MAX_BAD_REPLIES):
            conversation = self.prompter.conversation(self.context, observation, problems)
            try:
                answer = self._reply(conversation, observation)
            except BadReply as error:
                problems = error.problems
                self.feed.record("bad_reply", {"raw": error.raw, "problems": [str(p) for p in problems]})
                continue
            self.stop.check()  # a reply that arrives after a stop is discarded
            return answer
        self._ask_user(f"The model's answers cannot be used: {problems[0]}. Shall I try again?")
        return None

    def _reply(self, conversation: Conversation, observation: Observation) -> Answer | None:
        with until_paused(self.stop, self.inbox) as halt:
            return self.model.reply(conversation, observation, on_note=self._stream_note, stop=halt)
        return None

    def _stream_note(self, piece: str) -> None:
        if not self.stop.is_set():
            self.feed.emit(say.NoteDelta(text=piece))

    def _take(self, answer: Answer) -> None:
        """Tell the user what the model said, and remember it."""
        reply = answer.reply
        self.feed.record("reply", {"raw": answer.raw})
        if self.context.take_plan(reply):
            self.feed.emit(say.Plan(steps=self.context.plan, current=self.context.step))
        if reply.notes:
            self.feed.emit(say.Note(text=reply.notes))
        self.context.note(reply.notes)
        self.feed.emit(self.budget.spend(answer.usage, self.context.turn))

    # ---- acting ------------------------------------------------------------------------------

    def _act(self, actions: tuple[Op, ...], observation: Observation, clock: Clock) -> bool:
        """Carry out the operations in order; true when the run has ended."""
        acted = False
        for unit in self._units(actions, observation):
            if isinstance(unit[0], _OURS):
                if self._ours(unit[0], observation, acted):
                    return True
                continue
            acted = True
            if self._interrupted or not self._do(unit, observation, clock):
                return False
        return False

    def _units(self, actions: tuple[Op, ...], observation: Observation) -> list[tuple[Op, ...]]:
        """Runs of operations for the hand, cut where the agent itself or an environment has something to do."""
        units: list[tuple[Op, ...]] = []
        pending: list[Op] = []
        for op in (*actions, None):
            if op is not None and not isinstance(op, (*_OURS, *CARRIED_OUT)):
                pending.append(op)
                continue
            units += self.approver.units(pending, observation) if pending else []
            pending = []
            units += [(op,)] if op is not None else []
        return units

    def _do(self, unit: tuple[Op, ...], observation: Observation, clock: Clock) -> bool:
        """Ask where asking is due, then execute; true when every operation was done."""
        if not self.approver.allowed(unit, self.context, observation, self.stop):
            self._skipped(unit, observation)
            return False
        self._status("executing")
        executed = self.executor.execute(
            unit, observation, self.context.turn, self.stop, approved=self.approver.granted
        )
        self._remember(executed, clock)
        self.stop.check()
        answer = self.executor.restless.ask(self.approver, observation, self.stop)
        if answer is not None:
            self.budget.forgive()
        if answer is False:
            self._skipped(unit, observation)
        return executed.all_done

    def _remember(self, executed: Executed, clock: Clock) -> None:
        self.context.remember(executed.deeds)
        clock.act += executed.act_seconds
        clock.look += executed.look_seconds
        if executed.settled is not None:
            self._next.changed, self._next.seen = executed.settled.words, executed.seen
            clock.settle += executed.settled.seconds
        stopped = next((deed for deed in executed.deeds if deed.outcome == "stopped"), None)
        if stopped is not None:  # the hand may know of a stop, and why, a moment before we are told
            self.stop.set(stopped.detail)

    def _skipped(self, unit: tuple[Op, ...], observation: Observation) -> None:
        elements = {each.id: each for each in observation.elements}
        self.context.remember(
            [
                Deed(self.context.turn, op, present(op, elements), "refused", "The user said no.")
                for op in unit
            ]
        )
        self.feed.emit(say.Note(text="All right, I will not do that."))

    def _ours(self, op: Op, observation: Observation, acted: bool) -> bool:
        """An operation of the agent's own: looking, asking, ending. True when the run has ended."""
        match op:
            case ops.Look():
                self._next.detail = self._detail(op.region, observation)
            case ops.Read():
                self._next.read = True
                self._next.detail = self._detail(op.region, observation)
            case ops.Ask():
                self._ask_user(op.question)
            case ops.Pause():
                self.inbox.set_paused(True)
            case ops.Stop():
                raise Stopped("the model asked to stop")
            case ops.Done() if acted:
                self._deny(op, "Say done only after a new look has shown the result.")
            case ops.Done():
                self.feed.emit(say.GoalReached(summary=op.summary))
                self._status("done")
                return True
            case ops.Fail():
                self.feed.emit(
                    say.Error(message=op.reason, advice="Change the goal, or do that part yourself.")
                )
                self._status("error", op.reason)
                return True
        return False

    def _detail(self, region: ops.Region | None, observation: Observation) -> Rect | None:
        if region is None:
            return None
        try:
            return region_on_screen(observation.viewport, region.x, region.y, region.width, region.height)
        except OutOfBounds as error:
            self._deny(ops.Look(region), str(error))
            return None

    def _deny(self, op: Op, why: str) -> None:
        self.context.remember([Deed(self.context.turn, op, past(op, {}), "refused", why)])

    # ---- the human ---------------------------------------------------------------------------

    def _ask_user(self, question: str) -> None:
        self.feed.emit(say.Question(text=question))
        self._status("waiting_for_user", question)
        self.context.note(question)
        words = self.inbox.wait_for_words(self.stop)
        self._heard((words, *self.inbox.heard()))

    def _hear(self) -> None:
        words = self.inbox.heard()
        if words:
            self._heard(words)

    def _heard(self, words: tuple[str, ...]) -> None:
        for text in words:
            self.feed.emit(say.Goal(text=text))
        self.context.hear(words)
        self.approver.gate.provenance.hear(words)
        self.budget.forgive()

    @property
    def _interrupted(self) -> bool:
        """There was a pause since this turn began, even if it is over."""
        return self.inbox.pauses != self._pauses

    def _pause_if_asked(self) -> None:
        while self._interrupted:
            self._pauses = self.inbox.pauses
            self.pause_hand(True)
            self._status("paused", self.inbox.pause_reason)
            self.inbox.wait_until_resumed(self.stop)
            self.pause_hand(False)

    def _status(self, state: say.State, detail: str = "") -> None:
        if (state, detail) != (self._state, ""):
            self.feed.emit(say.Status(state=state, detail=detail))
        self._state = state
