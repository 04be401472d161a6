"""Renders the settings dialog to PNG files: python -m tests.ui.settings_gallery FOLDER [section …].

In the environment: ROOM of the dialog (840x680), SIZE of the display, LANGUAGE (en), QT_SCALE_FACTOR.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_agent.support.language import LANGUAGES, use_language
from desktop_agent.targets import display
from desktop_agent.targets.base import Target
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.settings.dialog import SettingsDialog
from desktop_agent.ui.widgets.theme import MODES, Theme
from tests.ui.file_choices import FileChoices
from tests.ui.gallery import shoot, spin
from tests.ui.settings_scenes import SCENES, SURROUNDINGS


def render(target: Target, folder: Path, room: str, names: list[str]) -> None:
    app = make_app()
    for name in names:
        for mode in MODES[1:]:
            with tempfile.TemporaryDirectory() as place:
                theme = Theme(mode)
                app.setPalette(theme.palette())
                dialog = SettingsDialog(None, theme, FileChoices(Path(place) / "config.toml"), SURROUNDINGS)
                dialog.move(20, 20)
                dialog.resize(*map(int, room.split("x")))
                dialog.show()
                while dialog.catalog is None:
                    spin(20)
                SCENES[name](dialog)
                spin(500)
                shoot(target, dialog, folder / f"settings-{room}-{name}-{mode}.png")
                dialog.draft.discard()
                dialog.close()
                dialog.deleteLater()
                spin(20)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    language = next(code for code in LANGUAGES if code == os.environ.get("LANGUAGE", "en"))
    use_language(language)
    width, height = map(int, os.environ.get("SIZE", "1280x900").split("x"))
    target = display.create(display.Options(width=width, height=height, background="#c8cfd9"))
    target.start()
    os.environ.update(target.environment)
    try:
        render(target, folder, os.environ.get("ROOM", "840x680"), sys.argv[2:] or list(SCENES))
    finally:
        app = QApplication.instance()
        if app is not None:
            app.shutdown()
        target.stop()


if __name__ == "__main__":
    main()
