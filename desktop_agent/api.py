"""Runs an agent from another program, with a model of that program's own:

    from desktop_agent.api import run_agent

    class Mine:
        def call(self, messages, kv_cache):
            return text, kv_cache

    print(run_agent(Mine(), "open the text editor"))

`call` is described in `desktop_agent.llm.transport.call_model`. Settings, policy, questions and the log are those of
the program itself; nobody can confirm here what a config file widens, so that counts only once it has been confirmed.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from desktop_agent import app
from desktop_agent.agent.port import AgentPort
from desktop_agent.hand.left_over import clean_up_left_over
from desktop_agent.llm.base import Model
from desktop_agent.llm.transport.call_model import as_model
from desktop_agent.policy.facts import policy_tables
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import Level
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.secret_reference import keep_marked
from desktop_agent.startup import assembly, settings_confirmation, single_instance
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.session_watch import session_watched
from desktop_agent.support import config, paths
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings

OnEvent: TypeAlias = Callable[[FeedEvent], None]
Approve: TypeAlias = Callable[[say.ApprovalAsked], bool]
AnswerQuestion: TypeAlias = Callable[[say.Question], str]
State: TypeAlias = Literal["done", "error", "stopped", "needs_user"]

_ENDS: dict[str, State] = {"done": "done", "error": "error", "stopped": "stopped"}
_LEAVE_SECONDS = 20.0


class Ended(msgspec.Struct, frozen=True):
    """How a run ended: `words` are its summary, its error or its open question, `log` the folder of its record."""

    state: State
    words: str = ""
    log: str = ""


def run_agent(
    model: object,
    goal: str,
    *,
    target: str = "display",
    permission: Level | None = None,
    allow: tuple[str, ...] = (),
    max_steps: int | None = None,
    timeout: float | None = None,
    config_file: str | None = None,
    on_event: OnEvent | None = None,
    approve: Approve | None = None,
    answer: AnswerQuestion | None = None,
) -> Ended:
    """Run one goal to its end, without a window. `target` "display" is an embedded one, "local" the user's.

    `on_event` gets every event of the live feed; `approve` says yes or no to what is asked for, `answer` answers
    questions. Without them, and when a human's hand paused it, the run ends as "needs_user". Raises ConfigError.
    """
    arguments = Arguments(
        goal=goal,
        window=False,
        target=target,
        permission=permission,
        allow=allow,
        max_steps=max_steps,
        timeout=timeout,
        config=config_file,
    )
    events: queue.SimpleQueue[FeedEvent] = queue.SimpleQueue()
    with agent_for(model, arguments) as port:
        port.subscribe(events.put)
        port.send(goal)
        return _follow(port, events, on_event, approve, answer)


@contextlib.contextmanager
def agent_for(model: object, arguments: Arguments) -> Iterator[AgentPort]:
    """An agent that waits for goals in a thread of its own and ends with the block; its port can be used from any thread.

    Raises ConfigError, ModelError where `model` is none.
    """
    policy_tables.check()
    settings = _settings(arguments)
    keep_marked(settings.secrets.values, redactor())
    with contextlib.ExitStack() as stack:
        screen = assembly.shared_screen(settings)
        if screen:
            claim = single_instance.claim(screen)
            if claim is None:
                raise ConfigError(f"Another agent works on {screen}.", "End it first, or use another target.")
            stack.callback(claim.close)
        given: Model = as_model(model)
        session = app.build(settings, arguments, False, given, "", clean_up_left_over())
        stack.enter_context(session_watched(session))
        thread = threading.Thread(target=session.serve, name="agent", daemon=True)
        thread.start()
        try:
            yield session
        finally:
            session.quit()
            thread.join(_LEAVE_SECONDS)


def _settings(arguments: Arguments) -> Config:
    """The config with what the arguments say instead, as far as its user has confirmed it. Raises ConfigError."""
    confirmed = ConfirmedSettings(paths.data())
    loaded = config.load(config.find_file(arguments.config, paths.of_config()))
    found = settings_confirmation.review(loaded, arguments, confirmed)
    take = settings_confirmation.kept if found.changes else settings_confirmation.accepted
    return assembly.with_arguments(take(found, confirmed), arguments)


def _follow(
    port: AgentPort,
    events: queue.SimpleQueue[FeedEvent],
    on_event: OnEvent | None,
    approve: Approve | None,
    answer: AnswerQuestion | None,
) -> Ended:
    words, log = "", ""
    while True:
        event = events.get()
        if on_event is not None:
            on_event(event)
        match event:
            case say.Recording():
                log = str(Path(event.path))
            case say.GoalReached():
                words = event.summary
            case say.Error():
                words = event.message
            case say.Status(state=state) if state in _ENDS:
                return Ended(_ENDS[state], words or event.detail, log)
            case say.Status(state="paused"):
                return Ended("needs_user", event.detail, log)
            case say.ApprovalAsked():
                if approve is None:
                    return Ended("needs_user", event.words, log)
                (port.approve if approve(event) else port.skip)(event.id)
            case say.Question():
                if answer is None:
                    return Ended("needs_user", event.text, log)
                port.send(answer(event))
