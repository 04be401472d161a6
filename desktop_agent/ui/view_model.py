"""The window's view model: a RunView built from the agent's events, without Qt.

What the agent itself says in English is put into the user's language here; what a model says stays as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from desktop_agent.history.run_story import plan_line
from desktop_agent.protocol import agent_events
from desktop_agent.protocol.agent_events import Effect, FeedEvent, Outcome, State
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.support.language import tr_sentence

MAX_ENTRIES = 20_000
MAX_ROWS = 60
MAX_TEXT = 50_000
Section: TypeAlias = Literal[
    "state", "messages", "scope", "plan", "actions", "asked", "usage", "live", "environments"
]
SECTIONS: frozenset[Section] = frozenset(get_args(Section))
WORKING: frozenset[State] = frozenset({"planning", "executing", "waiting_for_user", "paused"})


@dataclass(frozen=True)
class Shot:
    """A small JPEG of the screen rectangle `region` (screen pixels)."""

    jpeg: bytes
    region: Rect


@dataclass
class ChatMessage:
    """One message of the conversation. `key` is unique; `live` is true while its text is still streamed.

    `pictures` are JPEGs that the user gave with it. The kind `plan` is a line of ours: the plan, or its step in progress.
    """

    key: int
    kind: Literal["user", "agent", "plan", "done", "stopped", "error"]
    text: str
    live: bool = False
    pictures: tuple[bytes, ...] = ()


@dataclass
class ActivityRow:
    """One action of the run; `outcome` is None while it is under way. `started` in epoch seconds.

    `key` is its place in the conversation, unique among all entries. A `command` is one of an environment, `output`
    what it printed.
    """

    number: int
    words: str
    exact: str
    at: Point | None
    shot: Shot | None
    started: float
    outcome: Outcome | None = None
    detail: str = ""
    effect: Effect = "unknown"
    seconds: float = 0.0
    key: int = 0
    environment: str = ""
    command: str = ""
    output: str = ""


Entry: TypeAlias = ChatMessage | ActivityRow


@dataclass(frozen=True)
class Ending:
    """How the last run ended: `text` is the summary, the reason or the error message.

    `receipts` are what a "done" is known by, `checked` tells whether it was verified, `said_by_user` that it is the
    user's own word, `answered` that it only is an answer in words.
    """

    kind: Literal["done", "stopped", "error"]
    text: str
    advice: str = ""
    receipts: tuple[agent_events.Receipt, ...] = ()
    checked: bool = True
    said_by_user: bool = False
    answered: bool = False


@dataclass
class RunView:
    """Everything the window shows. `changed` names the sections touched since the last `take_changes()`."""

    state: State = "idle"
    detail: str = ""
    since: float = 0.0
    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=MAX_ENTRIES))
    """Messages and actions of all runs of the session, in order; their keys rise."""
    said: int = 0
    """How many entries there were, those no longer kept among them: the last one's key."""
    scope: agent_events.ScopeSet | None = None
    standing: tuple[agent_events.StandingGrant, ...] = ()
    plan: agent_events.Plan | None = None
    rows: deque[ActivityRow] = field(default_factory=lambda: deque(maxlen=MAX_ROWS))
    actions: int = 0
    commands: int = 0
    """How many of the actions are commands."""
    environments: str = ""
    """What the environments of the run show now; "" without any."""
    approval: agent_events.ApprovalAsked | None = None
    question: agent_events.Question | None = None
    ending: Ending | None = None
    usage: agent_events.Usage | None = None
    recording: str = ""
    live: Shot | None = None
    upcoming: agent_events.Upcoming | None = None
    changed: set[Section] = field(default_factory=set)
    _shot: Shot | None = None
    _awaited: deque[str] = field(default_factory=deque)
    _unsaid: str = ""
    """A line about the plan that waits for the end of the message that is still streamed."""

    @property
    def messages(self) -> list[ChatMessage]:
        """The messages among the entries."""
        return [each for each in self.entries if isinstance(each, ChatMessage)]

    @property
    def working(self) -> bool:
        """True while a run is in progress, paused or waiting for the user: while there is something to stop."""
        return self.state in WORKING

    @property
    def answered(self) -> bool:
        """Has the last run ended as an answer in words?"""
        return self.ending is not None and self.ending.answered

    @property
    def finished(self) -> bool:
        """Has the last run ended with its goal reached?"""
        return self.ending is not None and self.ending.kind == "done" and not self.answered

    @property
    def doing(self) -> ActivityRow | None:
        """The row of the action under way, or None."""
        row = self.rows[-1] if self.rows else None
        return row if row is not None and row.outcome is None and self.working else None

    def take_changes(self) -> set[Section]:
        """Return the sections changed since the last call, and reset them."""
        changed, self.changed = self.changed, set()
        return changed

    def apply(self, events: Iterable[FeedEvent]) -> None:
        """Update the view from events, in order; events without a place in the window are ignored."""
        for event in events:
            fold = _FOLDS.get(type(event))  # timings of a turn, say, are not for the window
            if fold is not None:
                fold(self, event)

    def user_said(self, text: str, pictures: tuple[bytes, ...] = ()) -> None:
        """Show the user's words at once; the agent's Goal event with the same text is then not shown again."""
        self._awaited.append(text)
        if not self.working:
            self._begin()
        self._say("user", text, pictures=pictures)
        self.question = None
        self.changed |= {"asked"}

    def new_conversation(self) -> None:
        """Clear what earlier runs have left; nothing while a run is in progress."""
        if self.working:
            return
        self.ending = None
        self.entries.clear()
        self._awaited.clear()
        self._begin()
        if self.state in ("done", "error"):
            self.state, self.detail = "idle", ""

    def broke(self, message: str, advice: str) -> None:
        """Show that the agent's thread has died, as an error ending."""
        self._error(agent_events.Error(message=message, advice=advice))

    def told(self, message: str, advice: str) -> None:
        """Show what the program itself has to say between runs, as a message."""
        self._say("agent", tr_sentence(f"{message} {advice}".strip()))

    # ---- one fold for each event ----------------------------------------------------------

    def _goal(self, event: agent_events.Goal) -> None:
        if event.text in self._awaited:
            while self._awaited.popleft() != event.text:
                pass
            return
        if not self.working:
            self._begin()
        self._say("user", event.text)

    def _status(self, event: agent_events.Status) -> None:
        self.state, self.detail = (
            event.state,
            _shown_detail(event),
        )
        self.since = event.time
        self.changed.add("state")
        if event.state != "executing" and self.upcoming is not None:
            self.upcoming = None
            self.changed.add("live")
        if event.state not in ("waiting_for_user", "paused"):
            self._nothing_asked()
        if event.state == "paused":
            self._settle_speech()  # what it was saying is dropped; what it says next is another message
        if event.state in ("stopped", "error", "done", "idle"):
            self._settle()
        if event.state == "stopped":
            self._end(Ending("stopped", self.detail))
        if event.state == "error" and (self.ending is None or self.ending.kind != "error"):
            self._end(Ending("error", self.detail or tr_sentence("Something failed.")))

    def _scope(self, event: agent_events.ScopeSet) -> None:
        self.scope = msgspec.structs.replace(event, words=tuple(map(tr_sentence, event.words)))
        self.changed.add("scope")

    def _granted(self, event: agent_events.InputGranted) -> None:
        if event.told:
            self._say("agent", tr_sentence(event.told, "notes"))

    def _grant_over(self, event: agent_events.InputGrantOver) -> None:
        self._say("agent", tr_sentence(event.text, "notes"))

    def _standing(self, event: agent_events.StandingSet) -> None:
        self.standing = tuple(
            msgspec.structs.replace(each, words=tr_sentence(each.words, "operations"))
            for each in event.grants
        )
        self.changed.add("scope")

    def _plan(self, event: agent_events.Plan) -> None:
        before = self.plan or agent_events.Plan(steps=(), current=0)
        self.plan = event
        self.changed.add("plan")
        line = plan_line(before.steps, before.current, event.steps, event.current)
        if self._live_message() is not None:
            self._unsaid = line or self._unsaid
        elif line:
            self._say("plan", line)

    def _delta(self, event: agent_events.NoteDelta) -> None:
        last = self._live_message()
        if last is not None:
            last.text = (last.text + event.text)[:MAX_TEXT]
            self.changed.add("messages")
        else:
            self._say("agent", event.text, live=True)

    def _note(self, event: agent_events.Note) -> None:
        last = self._live_message()
        if last is not None:
            last.text = event.text[:MAX_TEXT]
            self.changed.add("messages")
            self._settle_speech()
        else:
            self._say("agent", tr_sentence(event.text, "notes"))

    def _look(self, event: agent_events.LookTaken) -> None:
        if event.preview:
            self.live = self._shot = Shot(event.preview, event.region)
            self.changed.add("live")

    def _action(self, event: agent_events.Action) -> None:
        self._settle()
        if len(self.rows) == MAX_ROWS:
            self.rows[0].shot = None  # pictures of long past actions would fill the memory
        self.said += 1
        row = ActivityRow(
            event.number,
            tr_sentence(event.words, "operations"),
            event.exact,
            event.at,
            self._shot,
            started=event.time,
            key=self.said,
            environment=event.environment,
            command=event.command,
        )
        self.rows.append(row)
        self.entries.append(row)
        self.actions = max(self.actions, event.number)
        self.commands += bool(event.command)
        self.changed |= {"actions", "messages"}

    def _result(self, event: agent_events.Result) -> None:
        row = next((r for r in reversed(self.rows) if r.number == event.number), None)
        if row is None:
            return
        row.outcome, row.effect, row.seconds = event.outcome, event.effect, event.seconds
        row.detail = tr_sentence(event.detail, "evidence" if event.outcome == "done" else "reasons")
        row.words = tr_sentence(event.words, "operations") or row.words
        row.output = event.output
        self.changed |= {"actions", "messages"} if row.command else {"actions"}

    def _environments(self, event: agent_events.EnvironmentsShown) -> None:
        self.environments = event.text
        self.changed.add("environments")

    def _asked(self, event: agent_events.ApprovalAsked) -> None:
        self.approval = msgspec.structs.replace(
            event,
            words=tr_sentence(event.words, "operations"),
            covers=tr_sentence(event.covers, "operations"),
            **{name: tr_sentence(getattr(event, name)) for name in ("why", "source", "fault")},
        )
        self.changed.add("asked")

    def _preview(self, event: agent_events.Preview) -> None:
        self.live = Shot(event.picture, event.region)
        self.changed.add("live")

    def _next(self, event: agent_events.Upcoming) -> None:
        self.upcoming = msgspec.structs.replace(event, words=tr_sentence(event.words, "operations"))
        self.changed.add("live")

    def _question(self, event: agent_events.Question) -> None:
        self.question = msgspec.structs.replace(event, text=tr_sentence(event.text, "notes"))
        self.changed.add("asked")

    def _usage(self, event: agent_events.Usage) -> None:
        self.usage = event
        self.changed.add("usage")

    def _done(self, event: agent_events.GoalReached) -> None:
        checked = event.verdict == "verified"
        said, answered = event.said_by_user, event.answered
        self._end(
            Ending("done", event.summary, "", event.receipts, checked, said_by_user=said, answered=answered)
        )

    def _error(self, event: agent_events.Error) -> None:
        if self.state != "stopped":
            self.state = "error"
        self._nothing_asked()
        self._settle()
        self._end(Ending("error", tr_sentence(event.message), tr_sentence(event.advice)))

    def _recording(self, event: agent_events.Recording) -> None:
        self.recording = event.path
        self.changed.add("asked")

    # ---- parts ----------------------------------------------------------------------------

    def _say(
        self,
        kind: Literal["user", "agent", "plan"],
        text: str,
        live: bool = False,
        pictures: tuple[bytes, ...] = (),
    ) -> None:
        self._settle_speech()
        self.said += 1
        self.entries.append(ChatMessage(self.said, kind, text[:MAX_TEXT], live, pictures))
        self.changed.add("messages")

    def _live_message(self) -> ChatMessage | None:
        """The message that is still streamed: the last entry, if any is."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, ChatMessage) and last.live else None

    def _settle_speech(self) -> None:
        if (last := self._live_message()) is not None:
            last.live = False
            if line := self._unsaid:
                self._unsaid = ""
                self._say("plan", line)

    def _settle(self) -> None:
        """End the streamed message, and mark every action without a result as stopped."""
        self._settle_speech()
        for row in self.rows:
            row.outcome = row.outcome or "stopped"
        self.changed |= {"actions", "messages"}

    def _nothing_asked(self) -> None:
        if self.approval is not None or self.question is not None:
            self.approval = self.question = None
            self.changed.add("asked")

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self.changed |= {"state", "asked"}

    def _begin(self) -> None:
        """Reset plan, actions and usage for a new run; the last run's ending becomes a message."""
        if self.ending is not None:
            self.said += 1
            kind = "agent" if self.ending.answered else self.ending.kind
            self.entries.append(ChatMessage(self.said, kind, self.ending.text))
        self.scope = self.plan = self.ending = self.usage = self.approval = self.question = None
        self.recording = ""
        for row in self.rows:
            row.shot = None
        self.rows.clear()
        self.actions = self.commands = 0
        self.environments = ""
        self.changed |= SECTIONS


def _shown_detail(event: agent_events.Status) -> str:
    """A reason of the agent's, or the question that it waits with, which may be a model's."""
    return tr_sentence(event.detail, "notes" if event.state == "waiting_for_user" else "reasons")


_FOLDS: dict[type, Callable[[RunView, Any], None]] = {
    agent_events.Goal: RunView._goal,
    agent_events.Status: RunView._status,
    agent_events.ScopeSet: RunView._scope,
    agent_events.InputGranted: RunView._granted,
    agent_events.InputGrantOver: RunView._grant_over,
    agent_events.StandingSet: RunView._standing,
    agent_events.Plan: RunView._plan,
    agent_events.NoteDelta: RunView._delta,
    agent_events.Note: RunView._note,
    agent_events.LookTaken: RunView._look,
    agent_events.Preview: RunView._preview,
    agent_events.Action: RunView._action,
    agent_events.Result: RunView._result,
    agent_events.EnvironmentsShown: RunView._environments,
    agent_events.ApprovalAsked: RunView._asked,
    agent_events.Upcoming: RunView._next,
    agent_events.Question: RunView._question,
    agent_events.Usage: RunView._usage,
    agent_events.GoalReached: RunView._done,
    agent_events.Error: RunView._error,
    agent_events.Recording: RunView._recording,
}
