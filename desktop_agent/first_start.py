"""What the first page and the empty chat ask of the program: what is here, keys, Esc, a practice run, examples.

What does the work is imported when it is first asked for: most starts need none of it before the window is there.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.agent.choices import Choices
from desktop_agent.agent.session import AgentSession
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.assembly import FALLBACK
from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config, NoteSettings
from desktop_agent.support.language import later, tr
from desktop_agent.support.operating_system import LINUX
from desktop_agent.support.providers import Provider, providers
from desktop_agent.ui.welcome.welcome_guide import (
    EscapeSeen,
    Finding,
    KeyVerdict,
    Practice,
    SoughtSubject,
    WelcomeGuide,
)

TITLES: dict[str, str] = {
    "screen": later("Your screen"),
    "elements": later("Buttons and fields by name"),
    "ocr": later("Reading text in pictures"),
    "keys": later("Keys of model providers"),
    "servers": later("Models on this computer"),
    "display": later("A display of its own"),
}
"""What is looked for; an embedded display on Linux alone."""
PRACTICE_MODEL, PRACTICE_TARGET = "offline", "simulated"


class FirstStart(WelcomeGuide):
    """The guide of one session and its settings."""

    def __init__(self, session: AgentSession, choices: Choices) -> None:
        self._session, self._choices = session, choices

    @property
    def subjects(self) -> tuple[SoughtSubject, ...]:
        sought = TITLES if LINUX else {name: title for name, title in TITLES.items() if name != "display"}
        return tuple(SoughtSubject(name, tr(title)) for name, title in sought.items())

    def look(self, name: str) -> Finding:
        from desktop_agent import start_findings

        return start_findings.find(name, self._choices.settings(), self.key_makers())

    def leaves(self) -> str:
        server = self._session.parts.model.server()
        if not server:
            return tr("With the model in use nothing leaves this computer.")
        words = tr(
            "Your words and what is on the screen, without what you hide, go to {server}; nothing else."
        )
        return words.format(server=server)

    def key_makers(self) -> tuple[Provider, ...]:
        return tuple(each for each in providers() if each.key_prefix)

    def keep_key(self, name: str, secret: str, stop: StopFlag) -> KeyVerdict:
        from desktop_agent.ui import key_trial

        return key_trial.keep_key(self._choices.settings(), name, secret, stop)

    def watch_escape(self, seen: Callable[[], None]) -> EscapeSeen:
        from desktop_agent.startup.escape_trial import EscapeTrial

        return EscapeTrial(self._choices.settings(), seen)

    def practice(self) -> Practice:
        return practice_run(self._choices.settings())

    def examples(self) -> tuple[str, ...]:
        from desktop_agent.startup.example_goals import example_goals

        parts = self._session.parts
        return example_goals(parts.target, self._session.info.permission, parts.model.name == FALLBACK)


def practice_run(settings: Config) -> Practice:
    """An agent of its own that is not started yet, with what the target's `practice` gives; of the settings only how the window and the hand work are taken, and nothing is written to them.

    It works without any display. Raises ConfigError.
    """
    agent = config.AgentSettings(target=PRACTICE_TARGET, model=PRACTICE_MODEL)
    own = Config(
        agent=agent,
        hand=settings.hand,
        window=settings.window,
        privacy=settings.privacy,
        notes=NoteSettings(enabled=False),
    )
    target, goal, view = plugins.load("target", PRACTICE_TARGET).practice()
    made = assembly.assemble(own, Arguments(), True, assembly.make_model(own), target)
    return Practice(AgentSession(*made), goal, view)
