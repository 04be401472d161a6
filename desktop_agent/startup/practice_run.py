"""Builds an agent for a practice run: the offline model on a simulated desktop, beside everything that is chosen."""

from __future__ import annotations

from desktop_agent.agent.session import AgentSession
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config, NoteSettings
from desktop_agent.ui.welcome.welcome_guide import Practice

MODEL, TARGET = "offline", "simulated"


def practice_run(settings: Config) -> Practice:
    """An agent of its own that is not started yet, with what the target's `practice` gives; of the settings only how the window and the hand work are taken, and nothing is written to them.

    It works without any display. Raises ConfigError.
    """
    agent = config.AgentSettings(target=TARGET, model=MODEL)
    own = Config(
        agent=agent,
        hand=settings.hand,
        window=settings.window,
        privacy=settings.privacy,
        notes=NoteSettings(enabled=False),
    )
    target, goal, view = plugins.load("target", TARGET).practice()
    made = assembly.assemble(own, Arguments(), True, assembly.make_model(own), target)
    return Practice(AgentSession(*made), goal, view)
