"""A console at work: real agents on displays that people can watch, served on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import BenchmarkError
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.console.agents.agent_folders import AgentFolder, AgentFolders
from desktop_agent.extras.console.agents.original_log import OriginalLog
from desktop_agent.extras.console.agents.roster import BuiltAgent, Roster
from desktop_agent.extras.console.page.console_server import Console
from desktop_agent.hand.client import Hands
from desktop_agent.llm.base import Support
from desktop_agent.support.config import AgentSettings, Config
from tests.support.memory_desk import ScriptedModel

if TYPE_CHECKING:
    from tests.support.desk import LabDesk


def _no_words(*_: object) -> tuple[()]:
    """Text recognition that finds nothing, in no time."""
    return ()


class OnDisplays:
    """Puts agents together on displays with viewers; their models say what they are told to."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.desks: dict[str, LabDesk] = {}
        self.models: dict[str, ScriptedModel] = {}

    def __call__(self, folder: AgentFolder, original: OriginalLog) -> BuiltAgent:
        from tests.support.desk import LabDesk  # needs X11, which the console itself does not

        model = self.models[folder.name] = ScriptedModel(*self.answers)
        model.support = Support(images=True, proves_done=True, mends=False, messages=True)
        desk = self.desks[folder.name] = LabDesk()
        parts = Parts(
            desk,
            model,
            lambda address, on_stop: Hands(address, on_stop=on_stop),
            _no_words,
            remembered=original.remembered,
        )
        settings = Config(agent=AgentSettings(permission="full"))
        info = AgentInfo("display", "scripted", "off", 20, True)
        return BuiltAgent(
            AgentSession(parts, settings, Circumstances(folder.runs), info),
            "display",
            "scripted",
            desk.vnc_server,
        )


@contextmanager
def served(root: Path, build: Callable[..., BuiltAgent], *names: str) -> Iterator[tuple[Console, Roster]]:
    """A console with these agents, none of which runs; all is ended with the block."""
    roster = Roster(AgentFolders(root), build)
    for name in names:
        roster.create(name)
    console = Console(roster)
    up = threading.Event()
    thread = threading.Thread(target=console.serve, args=(up.set,))
    thread.start()
    try:
        if not up.wait(60):
            raise BenchmarkError("The console did not start.")
        yield console, roster
    finally:
        console.end()
        thread.join(60)
        roster.close()
