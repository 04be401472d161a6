"""Renders the window of the agents to PNG files: python -m tests.extras.console.ui.agents_gallery FOLDER."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.extras.console.ui.open_agents import open_agents
from desktop_agent.support.language import use_language
from desktop_agent.targets import display
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from tests.agent.test_run_loop import DONE
from tests.extras.console.agents.test_roster import LOGIN, Building
from tests.extras.console.ui.agents_stage import OneRoster, make_agents
from tests.ui.gallery import shoot, spin
from tests.ui.scripted import ScriptedPort


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = display.create(display.Options(width=1440, height=900, background="#c8cfd9"))
    target.start()
    os.environ.update(target.environment)
    app = make_app()
    try:
        for mode, language in (("light", "en"), ("dark", "de")):
            use_language(language)  # type: ignore[arg-type]
            with tempfile.TemporaryDirectory() as place:
                at_hand = OneRoster(Roster(AgentFolders(Path(place) / "data"), Building(LOGIN, DONE)))
                window, bridge = open_window(
                    ScriptedPort(), WindowOptions(Path(place) / "settings", theme=mode)  # type: ignore[arg-type]
                )  # fmt: skip
                agents = open_agents(window, at_hand)
                spin(900)
                shoot(target, agents, folder / f"none-{mode}.png")
                make_agents(at_hand.roster())
                spin(2_600)
                shoot(target, agents, folder / f"list-{mode}.png")
                agents._ask_to_delete()
                spin(500)
                shoot(target, agents, folder / f"delete-{mode}.png")
                agents.close()
                window.close()
                bridge.close()
                window.deleteLater()
                at_hand.close()
                spin(50)
    finally:
        assert isinstance(app, QApplication)
        app.shutdown()
        target.stop()


if __name__ == "__main__":
    main()
