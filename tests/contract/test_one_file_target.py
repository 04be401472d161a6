"""A target is one file: with the required face alone, by real hands and guard, it runs a goal in the real loop."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.agent.session import AgentSession
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import FACES
from tests.support.memory_desk import ScriptedModel
from tests.targets import plugged

TURNS = (
    '{"high_level": ["Press it"], "actions": [{"op": "key_down", "key": "x"}]}',
    '{"high_level": ["Press it"], "actions": [{"op": "done", "summary": "Pressed."}]}',
)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Config]:
    """Settings for the target `folder` of an installed package, which every process that is started finds, too."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    installed = tmp_path / "site"
    told = installed / "folder_target-1.0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: folder-target\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[desktop_agent.targets]\nfolder = folder_target\n")
    source = Path(plugged.__file__).with_name("folder.py")
    (installed / "folder_target.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.syspath_prepend(installed)
    importlib.invalidate_caches()
    agent = AgentSettings(target="folder", permission="full")
    yield Config(agent=agent, target={"folder": {"path": str(tmp_path / "place")}})
    sys.modules.pop("folder_target", None)


def test_the_required_face_is_enough_for_a_goal(settings: Config) -> None:
    target = assembly.make_target(settings)
    assert isinstance(target, Target) and not isinstance(target, FACES)
    model, events = ScriptedModel(*TURNS), list[FeedEvent]()
    made = assembly.assemble(settings, Arguments(window=False), False, (model, ""), target, ())
    session = AgentSession(made.parts, made.settings, made.circumstances, made.info)
    session.subscribe(events.append)
    session.send("press x")
    session.run_next()
    session.quit()
    session.serve()  # lets go of hand and guard
    assert [each.outcome for each in events if isinstance(each, say.Result)] == ["done"]
    assert any(isinstance(each, say.GoalReached) for each in events)
    assert [(look.elements, look.windows, look.scene) for look in model.seen] == [((), (), None)] * 2


def test_methods_of_a_face_that_is_not_claimed_are_refused(
    settings: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what it tells would never be asked for, its private windows neither."""
    made = type(assembly.make_target(settings))
    monkeypatch.setattr(made, "windows", lambda self: (), raising=False)
    with pytest.raises(ConfigError, match="HasWindows"):
        assembly.make_target(settings)
