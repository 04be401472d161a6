"""Every window of the program in every state, opened on request: python -m tests.ui.every_window FOLDER.

Reads one JSON object a line from stdin (`Wanted`), shows what it names in place of what was shown, and answers with one
(`Shown`) as soon as nothing moves any more. Fonts and scale are settled before Qt starts, by the environment.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QEvent, QPoint, QSocketNotifier, Qt
from PySide6.QtGui import QCursor, QFontInfo
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.support import plugins
from desktop_agent.support.language import use_language
from desktop_agent.ui.around.around_window import ask_about
from desktop_agent.ui.around.text_window import TextWindow
from desktop_agent.ui.background_work import wait_for_background
from desktop_agent.ui.history.history_window import open_history, open_run
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from desktop_agent.ui.settings.dialog import SettingsDialog
from desktop_agent.ui.shell.second_start_window import SecondStartWindow
from desktop_agent.ui.shell.settings_question_window import SettingsQuestionWindow
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.welcome.welcome_guide import WelcomeGuide
from desktop_agent.ui.widgets.choice_popup import ChoicePopup
from desktop_agent.ui.widgets.theme import Mode, Theme
from tests.desk import until
from tests.ui import settings_scenes, welcome_scenes
from tests.ui.file_choices import FileChoices
from tests.ui.history_runs import make_runs
from tests.ui.look import controls, cut_words, look_of
from tests.ui.scenes import SCENES as CHAT
from tests.ui.scripted import OFFLINE, ScriptedPort
from tests.ui.spinning import spin, until_true
from tests.ui.test_pills import WrittenChoices
from tests.ui.told_guide import ToldGuide
from tests.ui.wanted_look import Shown, Wanted

OUT_OF_THE_WAY = QPoint(1, 899)
"""Where the pointer hovers over nothing."""
STEADY = 3
"""Looks in a row, 40 ms apart, that are to be the same."""


SCROLLED = ("masks", "key-panel")
"""Scenes of the settings that scroll a part into sight a little later."""


class Stand:
    """Where a state is put up: a folder of its own, the colours, and `ending` for what is to be closed."""

    def __init__(self, folder: Path, mode: Mode, ending: ExitStack) -> None:
        self.folder, self.mode, self._ending = folder, mode, ending
        self.theme = Theme(mode)
        self.choices = WrittenChoices()

    def window(self, port: ScriptedPort, guide: WelcomeGuide | None = None) -> Window:
        options = WindowOptions(self.folder, theme=self.mode, choices=self.choices, guide=guide)
        window, bridge = open_window(port, options)
        self._ending.callback(window.deleteLater)
        self._ending.callback(bridge.close)
        self._ending.callback(window.close)
        until_shown(window)
        return window

    def own(self, window: QWidget) -> QWidget:
        """A window that is closed with the state."""
        window.show()
        self._ending.callback(window.close)
        return window


def until_shown(window: QWidget) -> None:
    until_true(lambda: window.windowHandle() is not None and window.windowHandle().isExposed(), "the window")


def chat(scene: str, stand: Stand) -> QWidget:
    port = ScriptedPort(OFFLINE) if scene == "empty" else ScriptedPort()
    window = stand.window(port)
    port.play_all(CHAT[scene]() if scene != "empty" else ())
    return window


def pill(name: str, stand: Stand) -> QWidget:
    window = stand.window(ScriptedPort())
    getattr(window.composer.pills, name).click()
    until_true(lambda: any(each.rows for each in window.findChildren(ChoicePopup)), "the offers")
    return window.findChildren(ChoicePopup)[0]


def menu(stand: Stand) -> QWidget:
    window = stand.window(ScriptedPort())
    window.header.show_menu()
    return window.header.menu


def settings(scene: str, stand: Stand) -> QWidget:
    QApplication.setPalette(stand.theme.palette())
    file = FileChoices(stand.folder / "config.toml")
    dialog = SettingsDialog(None, stand.theme, file, settings_scenes.SURROUNDINGS)
    stand.own(dialog)
    until_true(lambda: dialog.isActiveWindow() and dialog.catalog is not None, "the settings read")
    settings_scenes.SCENES[scene](dialog)
    if scene in SCROLLED:
        until_true(lambda: dialog.page_area.verticalScrollBar().value() > 0, "the part in sight")
    stand._ending.callback(dialog.deleteLater)
    stand._ending.callback(dialog.draft.discard)
    return dialog


def history(stand: Stand) -> QWidget:
    runs, port = stand.folder / "runs", ScriptedPort()
    make_runs(runs)
    listed = open_history(stand.window(port), runs, port)
    stand.own(listed)
    until_true(lambda: listed.table.rows, "the runs listed")
    return listed


def deleting(stand: Stand) -> QWidget:
    runs, port = stand.folder / "runs", ScriptedPort()
    played = make_runs(runs)
    listed = open_history(stand.window(port), runs, port)
    stand.own(listed)
    return stand.own(listed.actions_.ask_to_delete(played.name, "Send the form"))


def player(stand: Stand) -> QWidget:
    port = ScriptedPort()
    played = open_run(stand.window(port), make_runs(stand.folder / "runs"), port)
    stand.own(played)
    until_true(lambda: played.shown == 0 and not played.picture.image.isNull(), "the run shown")
    played.step(3)
    return played


def welcome(scene: str, stand: Stand) -> QWidget:
    practice = ScriptedPort(OFFLINE)
    guide = ToldGuide(practice)
    window = stand.window(ScriptedPort(OFFLINE), guide)
    until_true(lambda: window.welcome is not None and window.welcome.page is not None, "the first page")
    welcome_scenes.SCENES[scene](welcome_scenes.Stand(window, guide, practice))
    stand._ending.callback(guide.hold.set)
    return window


def licences(stand: Stand) -> QWidget:
    return stand.own(
        TextWindow(stand.theme, "Licences", "The licences of all parts of this program.", "MIT\n" * 90)
    )


class OneCrash:
    """A report, not yet told."""

    def text(self) -> str:
        return "desktop-agent 1.0\nRuntimeError: it broke\n" + "  a line of the report\n" * 20

    def told(self) -> None: ...
    def delete(self) -> None: ...


def crash(stand: Stand) -> QWidget:
    window = ask_about(OneCrash(), stand.theme, lambda: None)
    assert window is not None
    return stand.own(window)


def second_start(stand: Stand) -> QWidget:
    return stand.own(SecondStartWindow(stand.theme, "It works on a task right now.", lambda: "done", {}))


def settings_question(stand: Stand) -> QWidget:
    about = "These settings give the agent more rights than before. They count only with your yes."
    return stand.own(
        SettingsQuestionWindow(stand.theme, about, ("agent.permission: full, before: restricted",))
    )


def of_extras() -> Iterator[tuple[str, Callable[[Stand], QWidget]]]:
    """The states of the extras' windows: `STATES` of each tests/extras/NAME/ui/every_window.py."""
    for extra in plugins.extras():
        module = f"tests.extras.{extra}.ui.every_window"
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise
            continue
        yield from found.STATES.items()


STATES: Mapping[str, Callable[[Stand], QWidget]] = {
    "chat empty": partial(chat, "empty"),
    **{f"chat {each}": partial(chat, each) for each in CHAT},
    **{f"chat pill {each}": partial(pill, each) for each in ("model", "target", "step", "permission")},
    "chat menu": menu,
    **{f"settings {each}": partial(settings, each) for each in settings_scenes.SCENES},
    "history list": history, "history delete": deleting, "history player": player,
    **{f"welcome {each}": partial(welcome, each) for each in welcome_scenes.SCENES},
    "licences": licences, "crash": crash, "second start": second_start, "start question": settings_question,
    **dict(of_extras()),
}  # fmt: skip


def steady_look(window: QWidget) -> list[str]:
    """What is there once nothing moves."""
    looks: list[list[str]] = []

    def steady() -> bool:
        spin(40)
        looks.append(look_of(window))
        return len(looks) >= STEADY and all(each == looks[-1] for each in looks[-STEADY:])

    until(steady, f"{window.windowTitle()} steady")
    return looks[-1]


class Shower:
    """Answers what comes on stdin until it ends."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self._app, self._folder = app, folder
        self._ending = ExitStack()
        self._notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._answer)

    def _answer(self) -> None:
        line = sys.stdin.buffer.readline()
        if not line:
            self._app.quit()
            return
        self._notifier.setEnabled(False)
        self.clear()
        shown = self.show(msgspec.json.decode(line, type=Wanted))
        sys.stdout.buffer.write(msgspec.json.encode(shown) + b"\n")
        sys.stdout.buffer.flush()
        self._notifier.setEnabled(True)

    def clear(self) -> None:
        self._ending.close()
        wait_for_background()
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._app.processEvents()

    def show(self, wanted: Wanted) -> Shown:
        use_language(wanted.language)
        direction = Qt.LayoutDirection.RightToLeft if wanted.rtl else Qt.LayoutDirection.LeftToRight
        self._app.setLayoutDirection(direction)
        place = Path(self._ending.enter_context(tempfile.TemporaryDirectory(dir=self._folder)))
        QCursor.setPos(OUT_OF_THE_WAY)
        window = STATES[wanted.state](Stand(place, wanted.mode, self._ending))
        until_shown(window)
        if any(wanted.size):
            window.resize(*wanted.size)
        look = [each.replace(str(place), "FOLDER") for each in steady_look(window)]
        if wanted.picture:
            window.grab().save(wanted.picture)
        family = QFontInfo(Theme(wanted.mode).font("body")).family()
        return Shown(
            window.windowTitle(),
            look,
            cut_words(window),
            controls(window),
            family,
            window.devicePixelRatioF(),
        )


def main() -> None:
    app = make_app()
    app.setQuitOnLastWindowClosed(False)
    shower = Shower(app, Path(sys.argv[1]))
    app.exec()
    shower.clear()
    app.shutdown()


if __name__ == "__main__":
    main()
