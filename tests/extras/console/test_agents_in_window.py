"""The agents behind the window: a roster of the data folder, and the page that serves it until the program ends."""

from __future__ import annotations

from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from desktop_agent.extras.console.windows.agents import AgentsInWindow
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import Config

pytestmark = pytest.mark.linux("agents have embedded displays or containers")
pytest.importorskip("fastapi", reason="the extra console is not installed")


def test_the_page_serves_the_same_agents_until_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    agents = AgentsInWindow(Config(), Arguments())
    try:
        roster = agents.roster()
        roster.create("a")
        assert (tmp_path / "desktop-agent" / "agents.json").exists() and agents.roster() is roster
        address, _, token = agents.console().partition("#")
        assert token and agents.console().startswith(address)
        with urlopen(address) as page:
            assert page.status == 200
    finally:
        agents.close()
    with pytest.raises(URLError):
        urlopen(address)
    with pytest.raises(DesktopAgentError):
        agents.roster()
