"""The states of the windows of simulated desktops, for the tests of every window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.extras.avis.ui.scene_editor import SceneEditor
from desktop_agent.extras.avis.ui.scene_window import SceneWindow
from desktop_agent.support import resources
from tests.ui.scripted import ScriptedPort

if TYPE_CHECKING:
    from tests.ui.every_window import Stand


def scene(stand: Stand) -> QWidget:
    """A goal of it is reached."""
    target = SimulatedTarget(load_scene("login"))
    target.desktop.store["session"] = {"user": "j.winter", "kept": True}
    return stand.own(SceneWindow(stand.theme, target, stand.window(ScriptedPort())))


def scene_editor(stand: Stand) -> QWidget:
    """Its text is wrong in two places."""
    QApplication.setPalette(stand.theme.palette())
    file = stand.folder / "mine.json"
    text = resources.text("simulation", "scenes", "login.json")
    text = text.replace('{"set": "wrong"', '{"set": "wrogn"').replace(
        '"session.kept", "is": true', '"session.kept"'
    )
    file.write_text(text, encoding="utf-8")
    return stand.own(SceneEditor(stand.theme, file, Options()))


STATES: Mapping[str, Callable[[Stand], QWidget]] = {
    "scene window": scene, "scene editor": scene_editor,
}  # fmt: skip
