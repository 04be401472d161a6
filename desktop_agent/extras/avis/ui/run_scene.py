"""Runs the window of a scene, or of its editor, as a program of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.extras.avis.ui.scene_editor import SceneEditor
from desktop_agent.extras.avis.ui.scene_window import SceneWindow
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.shell.dock import WindowIni
from desktop_agent.ui.widgets.theme import Mode, Theme


def run_scene(options: Options, settings: Path, mode: Mode | None) -> int:
    """Show the scene that the options name until its window is closed; returns 0. Raises ConfigError."""
    target = SimulatedTarget(load_scene(options.scene), options)
    app = make_app()
    return _run(app, SceneWindow(_theme(app, settings, mode), target, looks=True))


def run_editor(path: Path, options: Options, settings: Path, mode: Mode | None) -> int:
    """Show the editor of a scene file until it is closed; returns 0. Raises ConfigError."""
    app = make_app()
    return _run(app, SceneEditor(_theme(app, settings, mode), path, options))


def _theme(app: QApplication, settings: Path, mode: Mode | None) -> Theme:
    """The colours that are chosen for all windows."""
    theme = Theme(mode or WindowIni(settings).theme, app)
    app.setPalette(theme.palette())
    theme.changed.connect(lambda: app.setPalette(theme.palette()))
    return theme


def _run(app: QApplication, window: QWidget) -> int:
    window.show()
    code = app.exec()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # windows go before what they follow
    return code
