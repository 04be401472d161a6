"""What an agent of the agents' folder is put together of: a computer, a home, and a memory of its own."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from desktop_agent.extras.console import agent_assembly
from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.original_log import OriginalLog
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import Config

pytestmark = pytest.mark.linux("has an embedded display")


def settings_with(**agent: str) -> Config:
    settings = Config()
    return msgspec.structs.replace(settings, agent=msgspec.structs.replace(settings.agent, **agent))


def test_an_agent_works_a_display_of_its_own_in_its_own_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_agent.platforms.posix import bubblewrap
    from desktop_agent.targets._boxed import BoxedDisplay
    from desktop_agent.targets._embedded import EmbeddedDisplay

    for name in ("DOCKER_HOST", "CONTAINER_HOST"):
        monkeypatch.setenv(name, f"unix://{tmp_path / 'none'}")
    folder = AgentFolders(tmp_path).create("a")
    build = agent_assembly.agent_builder(settings_with(model="offline"), Arguments(window=False))
    built = build(folder, OriginalLog(folder.original))
    parts = built.port.parts  # type: ignore[attr-defined]
    assert built.target == "display" and isinstance(parts.target, EmbeddedDisplay)
    boxed = bubblewrap.is_usable()
    assert isinstance(parts.target, BoxedDisplay) == boxed
    assert [each.name for each in parts.environments] == ["files", *(["terminal"] if boxed else [])]
    assert parts.environments[0].folder == folder.workspace
    assert built.port._circumstances.runs_folder == folder.runs  # type: ignore[attr-defined]
    permission = built.port._settings.agent.permission  # type: ignore[attr-defined]
    assert permission == ("full" if boxed else "restricted"), "only a sandbox is left to itself"
    assert built.screen() is None, "before it is started"


def test_a_local_model_keeps_what_it_has_read_in_the_agents_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = AgentFolders(tmp_path).create("a")
    found = agent_assembly._settings_of(folder, settings_with(model="local", target="display"), Arguments())
    assert found.llm["local"]["cache_folder"] == str(folder.context)
    monkeypatch.setattr(agent_assembly, "automatic_model", lambda _: "local")
    unnamed = agent_assembly._settings_of(folder, settings_with(target="display"), Arguments())
    assert unnamed.llm["local"]["cache_folder"] == str(folder.context), "also where no model is named"
    with pytest.raises(ConfigError):
        agent_assembly._settings_of(folder, settings_with(model="nobody", target="display"), Arguments())


def test_a_container_has_the_agents_home_and_may_do_all_that_is_in_it(tmp_path: Path) -> None:
    folder = AgentFolders(tmp_path).create("a")
    settings = settings_with(model="offline", target="container")
    found = agent_assembly._settings_of(folder, settings, Arguments())
    assert (
        found.target["container"]["workspace"] == str(folder.workspace) and found.agent.permission == "full"
    )
    kept = agent_assembly._settings_of(folder, settings, Arguments(permission="restricted"))
    assert kept.agent.permission == "restricted"
