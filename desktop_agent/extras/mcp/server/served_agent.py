"""The calls of an MCP client: looks, batches of operations, runs with the configured model, and the records of these runs.

Nothing here reaches the hand: a call becomes a reply of the client's run, or words to the session.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.agent.session import BY_PROGRAM
from desktop_agent.extras.mcp.server.client_model import FINISHED, ClientModel, ClientTurn
from desktop_agent.extras.mcp.server.served_session import ServedSession
from desktop_agent.headless import nobody_here
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import BadReply, Refused
from desktop_agent.protocol.reply import Reply, check

OFFERED = tuple(name for name in OPERATIONS if name not in ("pause", "stop", "zoom", "remember"))
"""Operations of a client's batch; pausing and stopping have their own ways, and the notes are the agent's."""
STALE = ("That look is no longer what is on the screen.", "Call look, and act on the handle it brings.")
_GOAL = "It looks and acts here by itself; what it may do is asked of you."
_NOBODY = "Nobody is here to answer. Go on without, or end it."
_PAUSED = "the user took over, and without the window nobody can resume"
_MOST_RUNS = 50
_log = logging.getLogger(__name__)

_Active: TypeAlias = Literal["", "client", "goal", "user"]


ENDS = ("done", "error", "stopped")
_NOTES = 5
_ACTIONS = 10


@dataclass(frozen=True)
class RunEnd:
    """How a run ended: one of ENDS, and why in words; `verdict` tells of a "done" whether it is known."""

    state: str
    detail: str
    verdict: str = ""


@dataclass(frozen=True)
class CallResult:
    """What a call brings: `facts` are plain data, `turn` the look that the client may act on now, if any."""

    facts: dict[str, Any]
    turn: ClientTurn | None = None


@dataclass
class ServedAgent:
    """Carries out an MCP client's calls; the calls come from one event loop, the feed from the agent's thread.

    `attended`: somebody sees the window. Where nobody does, what would be asked is refused with advice.
    """

    session: ServedSession
    model: ClientModel
    attended: bool
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _active: _Active = ""
    _calling: bool = False
    _expected: Future[ClientTurn | RunEnd] | None = None
    _results: list[say.Result] = field(default_factory=list)
    _advice: list[str] = field(default_factory=list)
    _asked: str = ""
    _paused: str = ""
    _run: ServedRun | None = None
    _runs: dict[str, ServedRun] = field(default_factory=dict)
    _summary: str = ""
    _verdict: str = ""

    def __post_init__(self) -> None:
        self.model.on_turn = self._meet
        self.model.on_wait = self.session.stand_down
        self.session.subscribe(self._hear)

    # ---- the client's own run ------------------------------------------------------------------

    async def look(self, client: str, region: ops.Region | None = None, *, read: bool = False) -> CallResult:
        """A fresh look; `region` is a part of the client's last picture. Raises Refused."""
        with self._one_call():
            if self.model.turn is not None:
                wish = Reply(actions=(ops.Read(region=region) if read else ops.Look(region),))
                return await self._reply(wish)
            if region is not None:
                raise Refused("There is no picture that this could be a part of.", "Look at the whole first.")
            return await self._begin(client)

    async def act(self, client: str, handle: str, actions: list[Any]) -> CallResult:
        """Carry out a batch on the look that `handle` names; brings outcomes and a new look. Raises Refused."""
        with self._one_call():
            self._check_stop(client)
            try:
                wish = check({"actions": actions}, OFFERED)
            except BadReply as error:
                raise Refused("; ".join(map(str, error.problems)), "Nothing was done.") from error
            return await self._reply(wish, handle)

    async def _begin(self, client: str) -> CallResult:
        self._check_free(client)
        expected = self._expect("client")
        if not self.session.send_for(client, _GOAL, self.model):
            self._active = ""
            self._check_stop(client)
        return self._told(await self._came(expected))

    async def _reply(self, wish: Reply, handle: str | None = None) -> CallResult:
        before = self.model.turn
        expected = self._expect()
        if before is None or not self.model.give(wish, handle):
            self._expect_nothing(expected)
            raise Refused(*STALE)
        return self._told(await self._came(expected), before)

    def _told(self, came: ClientTurn | RunEnd, before: ClientTurn | None = None) -> CallResult:
        """The result of a call, with what was done and said since the turn `before`."""
        facts: dict[str, Any] = {}
        if isinstance(came, RunEnd):
            facts |= {"ended": came.state, "why": came.detail}
            facts |= {"verdict": came.verdict} if came.verdict else {}
            facts["outcomes"] = [_outcome(each.words, each) for each in self._results]
            turn = None
        else:
            turn, talk = came, came.conversation
            facts["look"] = turn.handle
            if before is not None:
                facts["outcomes"] = [
                    _outcome(d.words, d) for d in talk.deeds if d.turn == before.conversation.turn
                ]
                facts["said"] = [text for _, text in talk.said[len(before.conversation.said) :]]
        facts["advice"] = list(dict.fromkeys(self._advice))
        return CallResult({name: value for name, value in facts.items() if value}, turn)

    # ---- runs with the configured model ----------------------------------------------------------

    async def run(self, client: str, goal: str) -> CallResult:
        """Begin a run of the configured model with this goal; brings its handle. Raises Refused."""
        with self._one_call():
            if not goal.strip():
                raise Refused("The goal is empty.", "Say what shall be done.")
            await self._finish()
            self._check_free(client)
            run = self._run = ServedRun(goal)
            self._active = "goal"
            if not self.session.send_for(client, goal):
                self._active = ""
                self._check_stop(client)
            self._runs[run.handle] = run
            while len(self._runs) > _MOST_RUNS:
                del self._runs[next(iter(self._runs))]
            return CallResult(run.facts())

    def status(self, handle: str) -> CallResult:
        """What is known of a run. Raises Refused."""
        return CallResult(self._run_of(handle).facts())

    def answer(self, client: str, handle: str, text: str) -> CallResult:
        """Answer the question that a run has put: as the client's words, which grant nothing. Raises Refused."""
        run = self._run_of(handle)
        if run.question is None:
            raise Refused("The run asks nothing now.", "What needs a yes is answered by the user alone.")
        run.question = None
        if not self.session.send_for(client, text):
            self._check_stop(client)
        return CallResult(run.facts())

    def stop(self, handle: str) -> CallResult:
        """Stop a run at once. Raises Refused."""
        run = self._run_of(handle)
        if not run.ended and self._active == "goal" and run is self._run:
            self.session.stop(BY_PROGRAM)
        return CallResult(run.facts())

    def _run_of(self, handle: str) -> ServedRun:
        if handle not in self._runs:
            raise Refused(f"There is no run {handle[:40]!r}.", "Name the handle that `run` brought.")
        return self._runs[handle]

    async def _finish(self) -> None:
        """End the client's own run, if there is one."""
        if self.model.turn is None:
            return
        expected = self._expect()
        if self.model.give(Reply(actions=(ops.Done(FINISHED),))):
            await self._came(expected)
        else:
            self._expect_nothing(expected)

    # ---- one call after the other ----------------------------------------------------------------

    @contextmanager
    def _one_call(self) -> Iterator[None]:
        if self._calling:
            raise Refused("Another call is under way.", "Wait for its end.")
        self._calling = True
        try:
            yield
        finally:
            self._calling = False

    def _expect(self, begins: _Active = "") -> Future[ClientTurn | RunEnd]:
        """What the next turn or the end of the run will be put into, to be made before either can come.

        `begins` is whose run begins with it, "" where one is under way (which may end this very moment).
        """
        with self._lock:
            self._active = begins or self._active
            self._results, self._advice = [], []
            self._expected = Future()
            return self._expected

    def _expect_nothing(self, expected: Future[ClientTurn | RunEnd]) -> None:
        with self._lock:
            if self._expected is expected:
                self._expected = None

    async def _came(self, expected: Future[ClientTurn | RunEnd]) -> ClientTurn | RunEnd:
        try:
            return await asyncio.wrap_future(expected)
        except asyncio.CancelledError:
            if asked := self._asked:  # nobody waits for what a yes would bring
                self.session.skip(asked)
            raise

    def _check_free(self, client: str) -> None:
        self._check_stop(client)
        if self._paused:
            raise Refused(
                f"It is paused: {self._paused}", "The user resumes it in the window of desktop-agent."
            )
        if self._active:
            whose = "The user's own run" if self._active == "user" else "A run"
            raise Refused(
                f"{whose} is under way here.", "Wait for its end (run_status), or end it (run_stop)."
            )

    def _check_stop(self, client: str) -> None:
        """Raise Refused while a stop of the human stands."""
        if not (why := self.session.stopped_for_good):
            return
        if self.attended:
            self.session.ask_to_go_on(client)
            raise Refused(
                f"It is stopped: {why}.", "The user can let it go on in the window of desktop-agent."
            )
        raise Refused(f"It is stopped: {why}.", "The user has to start the server again.")

    # ---- the agent's thread ------------------------------------------------------------------------

    def _meet(self, turn: ClientTurn) -> None:
        self._fulfil(turn)

    def _fulfil(self, news: ClientTurn | RunEnd) -> None:
        with self._lock:
            expected, self._expected = self._expected, None
        if expected is not None and expected.set_running_or_notify_cancel():
            expected.set_result(news)

    def _hear(self, event: FeedEvent) -> None:
        if self._active == "goal" and self._run is not None:
            self._run.hear(event)
        if isinstance(event, say.Status):
            self._paused = (event.detail or "the user paused it.") if event.state == "paused" else ""
        match event:
            case say.Goal() if not self._active:
                self._active = "user"
            case say.Result():
                self._results.append(event)
            case say.GoalReached():
                self._summary, self._verdict = event.summary, event.verdict
            case say.ApprovalAsked():
                self._hear_approval(event)
            case say.Question() if not self.attended and self._active == "client":
                self._advice.append(f"{event.text} {nobody_here(event).strip()}")
                self.session.send_for("nobody", _NOBODY)
            case say.Status(state="paused") if not self.attended:
                self.session.stop(_PAUSED)
            case say.Status(state=state) if state in ENDS:
                self._end(event)

    def _hear_approval(self, event: say.ApprovalAsked) -> None:
        self._asked = event.id
        if self.attended:
            return
        _log.info("refused, as nobody can be asked: %s", event.words)
        if self._active == "goal" and self._run is not None:
            self._run.advice = nobody_here(event).strip()
        self._advice.append(nobody_here(event).strip())
        self.session.skip(event.id)

    def _end(self, event: say.Status) -> None:
        self._active, self._asked = "", ""
        ended = RunEnd(event.state, event.detail or self._summary, self._verdict)
        self._summary = self._verdict = ""
        self._fulfil(ended)


def _outcome(words: str, of: Any) -> dict[str, str]:
    """One operation as the client is told it: what was done, how it ended, and what was seen of it."""
    told = {"words": words, "outcome": of.outcome, "effect": of.effect, "detail": of.detail}
    return {name: value for name, value in told.items() if value}


@dataclass
class ServedRun:
    """One run by its handle, as far as its feed has told it; written by the agent's thread, read by others."""

    goal: str
    handle: str = field(default_factory=lambda: f"run-{secrets.token_hex(4)}")
    state: str = "starting"
    detail: str = ""
    plan: tuple[str, ...] = ()
    step: int = 0
    question: say.Question | None = None
    notes: deque[str] = field(default_factory=lambda: deque(maxlen=_NOTES))
    actions: deque[str] = field(default_factory=lambda: deque(maxlen=_ACTIONS))
    summary: str = ""
    verdict: str = ""
    """Whether that is known: verified, unverified or contradicted; "" before it is done."""
    answered: bool = False
    """Was it only answered in words, with nothing done?"""
    advice: str = ""
    log: str = ""

    @property
    def ended(self) -> bool:
        return self.state in ENDS

    def hear(self, event: FeedEvent) -> None:
        """Take in one event of the run."""
        match event:
            case say.Status():
                self.state, self.detail = event.state, event.detail
                if event.state != "waiting_for_user":
                    self.question = None
            case say.Plan():
                self.plan, self.step = event.steps, event.current
            case say.Note():
                self.notes.append(event.text)
            case say.InputGranted() if event.told:
                self.notes.append(event.told)
            case say.InputGrantOver():
                self.notes.append(event.text)
            case say.Question():
                self.question = event
            case say.Result():
                words = (event.words, event.outcome, event.detail, event.effect)
                self.actions.append(": ".join(filter(None, words)))
            case say.GoalReached():
                self.summary, self.verdict, self.answered = event.summary, event.verdict, event.answered
            case say.Error():
                self.summary, self.advice = event.message, event.advice
            case say.Recording():
                self.log = event.path

    def facts(self) -> dict[str, Any]:
        """What a client is told, as plain data; what is empty is left out."""
        asked = self.question
        told = {
            "run": self.handle,
            "state": self.state,
            "detail": self.detail,
            "plan": list(self.plan),
            "step": self.step + 1 if self.plan else 0,
            "question": asked.text if asked else "",
            "choices": list(asked.choices) if asked else [],
            "notes": list(self.notes),
            "last_actions": list(self.actions),
            "result": self.summary,
            "verdict": self.verdict,
            "answered": self.answered,
            "advice": self.advice,
            "log": self.log,
        }
        return {name: value for name, value in told.items() if value}
