"""Builds an agent for a practice run: the offline model on an embedded display, beside everything that is chosen."""

from __future__ import annotations

from typing import NamedTuple

from desktop_agent.agent.session import AgentSession
from desktop_agent.protocol.errors import TargetError
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.example_goals import practice_goal
from desktop_agent.support import config
from desktop_agent.support.config import Config, NoteSettings
from desktop_agent.support.language import tr

MODEL, TARGET = "offline", "display"
WIDTH, HEIGHT = 960, 640
"""Small, so that one can read the live picture."""


class PracticeAgent(NamedTuple):
    """The agent, which is not started yet, and a goal that it can reach."""

    session: AgentSession
    goal: str


def practice_agent(settings: Config) -> PracticeAgent:
    """An agent of its own; of the settings only how the window and the hand work are taken, and nothing is written to them.

    Raises TargetError with advice where there is no such display or no program to practise with, and ConfigError.
    """
    agent = config.AgentSettings(target=TARGET, model=MODEL)
    own = Config(
        agent=agent,
        hand=settings.hand,
        window=settings.window,
        privacy=settings.privacy,
        notes=NoteSettings(enabled=False),
        target={TARGET: {"width": WIDTH, "height": HEIGHT}},
    )
    made = assembly.assemble(own, Arguments(), True, assembly.make_model(own))
    goal = practice_goal(made.parts.target)
    if not goal:
        raise TargetError(
            tr("There is no text editor and no calculator to practise with."),
            tr("Install one, for example mousepad, and open this page again from the menu."),
        )
    return PracticeAgent(AgentSession(made.parts, made.limits, made.info), goal)
