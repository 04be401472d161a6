"""What the first page and the empty chat ask of the program: what is here, keys, Esc, a practice run, examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from desktop_agent import start_findings
from desktop_agent.agent.choices import Choices
from desktop_agent.agent.session import AgentSession
from desktop_agent.llm.base import Model
from desktop_agent.llm.transport.call_model import as_model
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.errors import DesktopAgentError, KeyRefused, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup.assembly import FALLBACK
from desktop_agent.startup.escape_trial import EscapeTrial
from desktop_agent.startup.example_goals import example_goals
from desktop_agent.startup.practice_run import practice_agent
from desktop_agent.support import config, key_store, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.key_hosts import server_origin
from desktop_agent.support.language import tr
from desktop_agent.ui.welcome.welcome_guide import (
    EscapeSeen,
    Finding,
    KeyMaker,
    KeyVerdict,
    Practice,
    SoughtSubject,
    WelcomeGuide,
)

SECONDS, TOKENS = 20.0, 1_000
"""How long the trial of a key may take, and what its answer may have: a model's thinking counts, too."""


class FirstStart(WelcomeGuide):
    """The guide of one session and its settings."""

    def __init__(self, session: AgentSession, choices: Choices) -> None:
        self._session, self._choices = session, choices

    @property
    def subjects(self) -> tuple[SoughtSubject, ...]:
        return start_findings.subjects()

    def look(self, name: str) -> Finding:
        return start_findings.find(name, self._choices.settings())

    def leaves(self) -> str:
        server = self._session.parts.model.server()
        if not server:
            return tr("With the model in use nothing leaves this computer.")
        words = tr(
            "Your words and what is on the screen, without what you hide, go to {server}; nothing else."
        )
        return words.format(server=server)

    def key_makers(self) -> tuple[KeyMaker, ...]:
        return start_findings.PROVIDERS

    def keep_key(self, name: str, secret: str, stop: StopFlag) -> KeyVerdict:
        return keep_key(self._choices.settings(), name, secret, stop)

    def watch_escape(self, seen: Callable[[], None]) -> EscapeSeen:
        return EscapeTrial(self._choices.settings(), seen)

    def practice(self) -> Practice:
        made = practice_agent(self._choices.settings())
        return Practice(made.session, made.goal)

    def examples(self) -> tuple[str, ...]:
        parts = self._session.parts
        return example_goals(parts.target, self._session.info.permission, parts.model.name == FALLBACK)


def keep_key(settings: Config, provider: str, secret: str, stop: StopFlag) -> KeyVerdict:
    """Keep a key for the server that the settings name, and ask its model one short question.

    One that is refused is taken out again, and the key that was kept before is put back.
    """
    origin = server_origin(str(settings.llm.get(provider, {}).get("base_url", "")))
    before = key_store.stored_secret(provider)
    try:
        key_store.store_key(provider, secret, origin)
    except ModelError as error:
        return KeyVerdict("unkept", _told(error))
    verdict = _tried(settings, provider, stop)
    if verdict.state in ("refused", "stopped"):
        _put_back(provider, before, origin)
    return verdict


def _tried(settings: Config, provider: str, stop: StopFlag) -> KeyVerdict:
    try:
        made = _model(settings, provider)
        try:
            made.ask("Answer with one word.", [words_of("Say OK.")], stop=stop)
        finally:
            made.close()
    except Stopped:
        return KeyVerdict("stopped", tr("Cancelled. The key was not kept."))
    except KeyRefused as error:
        return KeyVerdict("refused", f"{tr('This key does not work, so it was not kept.')} {_told(error)}")
    except DesktopAgentError as error:
        return KeyVerdict("kept", f"{tr('The key is kept, but it could not be tried.')} {_told(error)}")
    words = tr(
        "The key works: {model} answered. It is kept in the system's key store, and never shown again."
    )
    return KeyVerdict("ok", words.format(model=made.name))


def _model(settings: Config, provider: str) -> Model:
    """The provider's model with short limits. Raises ConfigError and ModelError."""
    module = plugins.load("llm", provider)
    options: Any = config.options(settings, "llm", provider, module.Options)
    short = {"timeout": SECONDS, "idle_timeout": SECONDS, "retries": 0, "max_output_tokens": TOKENS}
    return as_model(module.create(msgspec.structs.replace(options, **short)), provider)


def _put_back(provider: str, before: str, origin: str) -> None:
    if before:
        key_store.store_key(provider, before, origin)
    else:
        key_store.delete_key(provider)


def _told(error: DesktopAgentError) -> str:
    return redactor().clean(str(error))
