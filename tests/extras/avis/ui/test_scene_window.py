"""A person works a simulated desktop in its window, beside the agent that works the same one; and edits its file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_agent.extras.avis.simulation import scene_file
from desktop_agent.extras.avis.simulation.scene_file import load_scene, read_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.extras.avis.ui.scene_editor import SceneEditor, place_of_path, place_of_problem
from desktop_agent.extras.avis.ui.scene_host import SceneHost
from desktop_agent.extras.avis.ui.scene_window import SceneWindow
from desktop_agent.extras.avis.windows.scene import SceneBesideChat
from desktop_agent.protocol.agent_events import GoalReached, Status
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move, Text
from desktop_agent.support import paths
from desktop_agent.targets.base import Target
from desktop_agent.targets.none import NoDesktop
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.run_window import WindowOptions, open_window
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.theme import Theme
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort
from tests.ui.spinning import until_true

W = TypeVar("W", bound=QWidget)
DIALOG = {
    "format": 1, "title": "Ask", "screen": [640, 480],
    "ui": [
        {"element_id": "main", "element_type": "window", "label_text": "Main", "bounds_relative": [0, 0, 1, 1], "children": [
            {"element_id": "names", "element_type": "list", "label_text": "Names",
             "attributes": {"options": [f"name {n}" for n in range(40)], "lines": 5}}]},
        {"element_id": "sure", "element_type": "dialog", "label_text": "Sure?", "bounds_relative": [0.3, 0.6, 0.4, 0.3]},
    ],
}  # fmt: skip


def desktop_of(description: object, **options: str) -> SimulatedTarget:
    return SimulatedTarget(read_scene(json.dumps(description), "test"), Options(**options))  # type: ignore[arg-type]


def _near(one: Point, other: Point) -> bool:
    """A smaller picture has fewer places to point at than the screen has pixels."""
    return abs(one.x - other.x) <= 2 and abs(one.y - other.y) <= 2


def picture(pixels: bytes, target: SimulatedTarget) -> QImage:
    width, height = target.desktop.size.width, target.desktop.size.height
    return QImage(pixels, width, height, width * 4, QImage.Format.Format_RGB32).copy()


def without(image: QImage, pointer: Point) -> QImage:
    """The picture without the place of the pointer, which only a human sees there."""
    image = image.copy()
    painter = QPainter(image)
    painter.fillRect(pointer.x - 4, pointer.y - 4, 32, 36, 0)
    painter.end()
    return image


class Seat:
    """Somebody before the window of a scene."""

    def __init__(self, window: SceneWindow, hands: Hands) -> None:
        self.window, self.hands = window, hands
        until_true(hands.writes_here, "the keyboard")

    @property
    def target(self) -> SimulatedTarget:
        return self.window.target

    def place_of(self, element: str) -> Point:
        with self.target.screen.lock:
            return self.target.desktop.layout.places[element].center

    def point(self, at: Point) -> None:
        place = self.window.view.from_scene(at)
        self.hands.point(self.window.view, QPoint(int(place.x()), int(place.y())))

    def aim(self, element: str) -> None:
        """Point at an element, again where the window has moved meanwhile."""
        at = self.place_of(element)

        def aimed() -> bool:
            self.point(at)
            QApplication.processEvents()
            return _near(self.target.desktop.pointer, at)

        until_true(aimed, f"the pointer on {element}")

    def click(self, element: str) -> None:
        def clicks() -> int:
            return sum(
                (each.action, each.element_id) == ("click", element) for each in self.target.desktop.log
            )

        self.aim(element)
        before = clicks()
        self.hands.press()
        self.hands.release()
        until_true(lambda: clicks() > before, f"the click on {element}")

    def value(self, element: str) -> object:
        return self.target.desktop.widgets[element].value


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Callable[[W], W]]:
    """`shown(window)` shows it with the keyboard; it is closed after the test."""
    windows: list[QWidget] = []

    def show(window: W) -> W:
        windows.append(window)
        window.show()
        window.activateWindow()
        until_true(lambda: window.windowHandle().isExposed() and window.isActiveWindow(), "the window shown")
        until_true(lambda: window.frameGeometry().top() < window.geometry().top(), "its frame around it")
        return window

    yield show
    for each in windows:
        if not isValid(each):
            continue
        if isinstance(each, SceneEditor):
            each.saved = each.text.toPlainText()
        each.close()
    qapp.processEvents()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light", qapp)


@pytest.fixture
def seat(shown: Callable[[SceneWindow], SceneWindow], theme: Theme, hands: Hands) -> Seat:
    return Seat(shown(SceneWindow(theme, SimulatedTarget(load_scene("login")))), hands)


# ---- the person's hands --------------------------------------------------------------------------------


def test_clicks_and_keys_land_in_the_scene(seat: Seat) -> None:
    seat.click("user")
    seat.hands.type("j.winter")
    until_true(lambda: seat.value("user") == "j.winter", "the name typed")
    seat.hands.chord("tab")
    seat.hands.type("Quince 27!")
    until_true(lambda: seat.value("password") == "Quince 27!", "capitals, blanks and signs typed")
    seat.hands.chord("ctrl", "a")
    seat.hands.type("quince-27")
    until_true(lambda: seat.value("password") == "quince-27", "all replaced")
    assert "1 of 3" not in seat.window.bar.goals.text()
    seat.hands.chord("enter")
    until_true(lambda: seat.target.desktop.store["session"]["user"] == "j.winter", "signed in")
    until_true(lambda: "1 of 3" in seat.window.bar.goals.text(), "the goal ticked")
    assert "quince-27: reached" in seat.window.ticks.accessibleName()
    assert not seat.target.desktop.keyboard.held


def test_the_agent_and_the_person_see_the_same(seat: Seat) -> None:
    hand = seat.target.inline_input()
    at = seat.place_of("user")
    for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left"), Text("typed by the agent")):
        hand.emit(event)

    def same() -> bool:
        seen = picture(seat.target.observe().pixels, seat.target)
        pointer = seat.target.desktop.pointer
        return without(seat.window.view.image, pointer) == without(seen, pointer)

    until_true(same, "the same picture")
    seat.click("keep")
    until_true(lambda: seat.target.desktop.widgets["keep"].checked, "the box ticked by the person")
    kept = next(each for each in seat.target.elements() if each.name == "Keep me signed in")
    assert "checked" in kept.states
    until_true(same, "the same picture again")


def test_the_wheel_scrolls(shown: Callable[[SceneWindow], SceneWindow], theme: Theme, hands: Hands) -> None:
    seat = Seat(shown(SceneWindow(theme, desktop_of(DIALOG))), hands)
    seat.aim("names")

    def scrolled() -> bool:
        hands.turn(-1)
        QApplication.processEvents()
        return seat.target.desktop.widgets["names"].scroll > 0

    until_true(scrolled, "the list scrolled")


@pytest.mark.parametrize("size", [(500, 400), (1100, 900), (640, 480)])
def test_every_pixel_is_found_again(
    shown: Callable[[SceneWindow], SceneWindow], theme: Theme, size: tuple[int, int]
) -> None:
    window = shown(SceneWindow(theme, desktop_of(DIALOG)))
    window.resize(QSize(*size))
    until_true(
        lambda: window.view.width() > 0 and window.width() >= min(size[0], window.minimumWidth()), "resized"
    )
    for x in range(0, 640, 37):
        for y in range(0, 480, 29):
            assert window.view.to_scene(window.view.from_scene(Point(x, y))) == Point(x, y)


def test_nothing_is_drawn_while_it_is_hidden(seat: Seat) -> None:
    seat.window.hide()
    QApplication.processEvents()
    before = seat.window.view.image.copy()
    seat.target.begin_again(skin="dark")
    QApplication.processEvents()
    assert seat.window.view.image == before and not seat.window.view.watching
    seat.window.show()
    until_true(lambda: seat.window.view.image != before, "the new picture")


# ---- beside the agent -------------------------------------------------------------------------------------


def test_esc_belongs_to_the_scene_until_the_agent_works(
    shown: Callable[[SceneWindow], SceneWindow], theme: Theme, hands: Hands
) -> None:
    stops: list[int] = []
    target = desktop_of(DIALOG)
    seat = Seat(shown(SceneWindow(theme, target, stop=lambda: stops.append(1))), hands)
    seat.window.view.setFocus()
    dialog = target.desktop.widgets["sure"]
    target.desktop.open_window(dialog)
    seat.window.set_working(True)
    hands.chord("escape")
    until_true(lambda: stops, "the agent stopped")
    assert dialog.visible
    seat.window.set_working(False)
    hands.chord("escape")
    until_true(lambda: not dialog.visible, "the dialog closed")
    assert len(stops) == 1


def test_while_the_agent_works_only_a_click_moves_its_pointer(seat: Seat) -> None:
    seat.window.set_working(True)
    before = seat.target.desktop.pointer
    seat.point(Point(5, 5))
    seat.point(Point(9, 9))
    until_true(lambda: not seat.window.view.follows_pointer, "the mouse over the picture")
    assert seat.target.desktop.pointer == before
    assert not any(
        each.isEnabled() for each in (seat.window.bar.skin, seat.window.bar.fault, seat.window.bar.start_over)
    )
    seat.hands.press()
    seat.hands.release()
    until_true(lambda: _near(seat.target.desktop.pointer, Point(9, 9)), "the click")


def test_it_begins_again_in_another_look(seat: Seat) -> None:
    seat.click("user")
    seat.hands.type("x")
    until_true(lambda: seat.value("user") == "x", "something typed")
    hand = seat.target.inline_input()
    seat.hands.click(seat.window.bar.start_over)
    until_true(lambda: seat.value("user") == "", "the scene as it was")
    hand.emit(Text("nowhere"))  # the agent's hand has the new scene, too
    assert [each.action for each in seat.target.desktop.log][-1:] == ["type_string"]
    seat.window.begin_again(skin="german", fault="slow")
    assert any(each.name == "Benutzername" for each in seat.target.elements())
    assert seat.target.options.fault == "slow" and seat.window.bar.fault.currentData() == "slow"


def test_a_goal_is_put_where_it_can_be_sent(seat: Seat, theme: Theme) -> None:
    seat.window.bar.goals_menu().actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == "Sign in as j.winter with the password quince-27"
    assert seat.window.note.isVisible()
    given: list[str] = []
    other = SceneWindow(theme, seat.target, try_goal=given.append)
    other.bar.goals_menu().actions()[2].trigger()
    assert given == ["Log in (j.winter, quince-27) and renew the loan of Middlemarch"]
    other.close()


def test_an_answer_counts_once_it_is_told(theme: Theme, qapp: QApplication) -> None:
    goal = {"id": "a", "say": {"en": "When?"}, "reached": {"all": []}, "answer": "3 May"}
    window = SceneWindow(theme, desktop_of({**DIALOG, "goals": [goal]}))
    assert "0 of 1" in window.bar.goals.text()
    window.hear_report("It is due on 3 May.")
    assert "1 of 1" in window.bar.goals.text()
    window.close()


class Chat:
    """The chat window of a scripted agent with a target that can be changed."""

    def __init__(self, folder: Path, target: Target) -> None:
        self.target = target
        self.port = ScriptedPort()
        options = WindowOptions(folder, theme="light", more=(SceneBesideChat(lambda: self.target),))
        self.window: Window
        self.bridge: Bridge
        self.window, self.bridge = open_window(self.port, options)
        host = self.window.findChild(SceneHost)
        assert host is not None
        self.host: SceneHost = host

    @property
    def scene(self) -> SceneWindow:
        assert self.host.scene is not None
        return self.host.scene


@pytest.fixture
def chat(qapp: QApplication, tmp_path: Path) -> Iterator[Chat]:
    chat = Chat(tmp_path, SimulatedTarget(load_scene("login")))
    until_true(lambda: chat.host.scene is not None and chat.scene.isVisible(), "the scene beside the chat")
    yield chat
    if chat.host.scene is not None:
        chat.host.scene.close()
    chat.window.close()
    assert chat.bridge.close()
    chat.window.deleteLater()
    qapp.processEvents()


def test_the_scene_stands_beside_the_chat(chat: Chat, hands: Hands) -> None:
    chat.scene.bar.goals_menu().actions()[0].trigger()
    assert chat.window.composer.input.toPlainText().startswith("Sign in as j.winter")
    chat.port.play(Status(state="planning"), Status(state="executing"))
    until_true(lambda: not chat.scene.bar.start_over.isEnabled(), "the agent at work")
    chat.scene.activateWindow()
    until_true(lambda: chat.scene.isActiveWindow() and hands.writes_here(), "the scene's window in front")
    chat.scene.view.setFocus()
    hands.chord("escape")
    until_true(lambda: any(each[0] == "stop" for each in chat.port.told), "the agent stopped")
    chat.port.play(GoalReached(summary="done"), Status(state="done"))
    until_true(chat.scene.bar.start_over.isEnabled, "the agent at rest")


def test_the_scenes_window_follows_the_target(chat: Chat) -> None:
    other = desktop_of(DIALOG)
    chat.target = other
    chat.host.follow()
    assert chat.scene.target is other and "Ask" in chat.scene.windowTitle()
    chat.scene.close()
    until_true(lambda: chat.host.scene is None, "the window closed")
    entry = next(each for each in chat.window.header.menu.actions() if each.text() == "Simulated desktop")
    entry.trigger()
    until_true(lambda: chat.scene.isVisible(), "the window again")
    chat.target = NoDesktop()
    chat.host.follow()
    until_true(lambda: chat.host.scene is None, "no scene")
    assert not entry.isVisible()


# ---- the editor -----------------------------------------------------------------------------------------


@pytest.fixture
def editor(
    shown: Callable[[SceneEditor], SceneEditor], theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> SceneEditor:
    monkeypatch.setattr(paths, "data", lambda: tmp_path)
    return shown(SceneEditor(theme, scene_file.scene_path("login"), Options()))


def test_what_is_wrong_is_said_with_its_place(editor: SceneEditor) -> None:
    right, text = editor.target, editor.saved
    editor.text.setPlainText(text.replace('{"set": "wrong"', '{"set": "wrogn"'))
    until_true(lambda: editor.problems, "the problem")
    assert "wrogn" in editor.wrong[0].accessibleName() and editor.wrong[0].isVisible()
    assert editor.text.wrong_line == text[: text.index('"set": "wrong"')].count("\n")
    assert editor.right.target is right
    editor.text.setPlainText(text.replace('"format": 1,', '"format": 1'))
    until_true(lambda: "delimiter" in "".join(editor.problems), "the wrong JSON")
    assert editor.text.wrong_line == 2
    editor.text.setPlainText(text.replace("Town Library", "City Library"))
    until_true(lambda: not editor.problems, "the text valid")
    assert editor.right.target.desktop.windows[0].label == "City Library"


def test_a_scene_that_breaks_its_drawing_breaks_nothing_else(editor: SceneEditor) -> None:
    editor.text.setPlainText(editor.saved.replace('"columns": [{', '"columns": 3, "x": [{', 1))
    until_true(lambda: editor.problems, "the problem")


def test_a_scene_of_the_programs_own_is_saved_as_a_copy(editor: SceneEditor, tmp_path: Path) -> None:
    before = editor.saved
    editor.text.setPlainText(before.replace("Town Library", "City Library"))
    assert editor.changed and editor.save_.isEnabled()
    assert editor.save()
    copy = tmp_path / "scenes" / "login_copy.json"
    assert editor.path == copy and load_scene("login_copy").title == "Sign in to the library"
    assert scene_file.scene_path("login").read_text(encoding="utf-8") == before and not editor.changed
    editor.text.setPlainText("{")
    editor.revert()
    assert editor.text.toPlainText() == copy.read_text(encoding="utf-8") and not editor.problems


def test_changes_are_not_lost_without_a_word(editor: SceneEditor, hands: Hands) -> None:
    editor.text.setPlainText("{}")
    editor.close()
    assert editor.isVisible()
    ended: list[int] = []
    editor.destroyed.connect(lambda: ended.append(1))
    hands.click(editor.findChildren(QuestionDialog)[0].yes)
    until_true(lambda: ended, "the editor closed after a yes")


def test_places_of_paths() -> None:
    text = '{"a": [1, {"b": "x, ]"}],\n "c": {"d": null}}'
    assert place_of_path(text, "$.a[1].b") == text.index('"x')
    assert place_of_path(text, "$.c.d") == text.index("null")
    assert place_of_path(text, "$.c.missing") == text.index('{"d"')
    assert place_of_path("{", "$.a") is None
    assert place_of_problem(text, "Expected `int`, got `str` - at `$.a[0]`.") == text.index("1,")
    assert place_of_problem(text, "Expecting ',' delimiter: line 2 column 2 (char 26)") == text.index('"c"')


def test_areas_are_drawn_where_they_are(seat: Seat) -> None:
    """The picture is put together from changed parts, and equals one that is drawn whole."""
    seat.click("keep")
    seat.click("user")
    with seat.target.screen.lock:
        seat.target.desktop.emit(Move(*(each - 1 for each in seat.target.scene_file.screen)))
    view, screen = seat.window.view, seat.target.screen

    def whole() -> bool:
        with screen.lock:
            pixels = screen.pixels_with_pointer(Rect(0, 0, *screen.desktop.scene.screen))
        return view.image == picture(pixels, seat.target)

    until_true(whole, "the whole picture")
