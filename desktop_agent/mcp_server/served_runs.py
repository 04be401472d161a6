"""Records of the runs that an MCP client started with a goal, for its questions about them."""

from __future__ import annotations

import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent

ENDS = ("done", "error", "stopped")
_NOTES = 5
_ACTIONS = 10


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
