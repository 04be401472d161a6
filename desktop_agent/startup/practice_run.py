"""Builds an agent for a practice run: the offline model on a simulated desktop, beside everything that is chosen."""

from __future__ import annotations

from typing import NamedTuple

from desktop_agent.agent.session import AgentSession
from desktop_agent.simulation.drawing.screen import SceneScreen
from desktop_agent.simulation.scene_file import read_scene
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, resources
from desktop_agent.support.config import Config, NoteSettings
from desktop_agent.targets.simulated import Options, SimulatedTarget

MODEL, TARGET = "offline", "simulated"
SCENE = ("simulation", "templates", "practice.json")
"""A scene so small that it can be read in the window, with one goal, which the offline model reaches in a few steps."""


class PracticeAgent(NamedTuple):
    """The agent, which is not started yet, a goal that it can reach, and the screen that it works on."""

    session: AgentSession
    goal: str
    screen: SceneScreen


def practice_agent(settings: Config) -> PracticeAgent:
    """An agent of its own; of the settings only how the window and the hand work are taken, and nothing is written to them.

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
    scene = read_scene(resources.text(*SCENE), "practice")
    target = SimulatedTarget(scene, Options())
    made = assembly.assemble(own, Arguments(), True, assembly.make_model(own), target)
    return PracticeAgent(AgentSession(*made), scene.goals[0].say["en"], target.screen)
