"""How often the live picture of this screen is renewed is a setting of its own."""

from __future__ import annotations

import pytest

from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import AgentSettings, Config, WindowSettings
from desktop_agent.targets.none import NoDesktop
from tests.support.memory_desk import ScriptedModel


@pytest.mark.parametrize(("kind", "pictures"), [("local", 0.5), ("display", 4.0)])
def test_each_kind_of_screen_has_its_pace(
    kind: str, pictures: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NoDesktop, "kind", kind)
    settings = Config(
        agent=AgentSettings(target="none"), window=WindowSettings(previews=4.0, own_previews=0.5)
    )
    made = assembly.assemble(settings, Arguments(), True, (ScriptedModel(), ""), NoDesktop(), ())
    assert made.circumstances.previews == pictures
