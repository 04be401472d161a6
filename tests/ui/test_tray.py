"""The tray icon in a real panel on the private display: what it shows, what its menu does, and life without a tray."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_agent.protocol.agent_events import Status
from desktop_agent.protocol.geometry import Rect
from desktop_agent.ui.around.around_window import Around, AroundOptions
from desktop_agent.ui.around.state_icon import LOOK, state_icon
from desktop_agent.ui.run_window import WindowOptions, open_window
from tests.desk import Desk, until
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort
from tests.ui.tray_host import SIZE, TrayHost


@pytest.fixture
def panel(desk: Desk, qapp: QApplication) -> Iterator[TrayHost]:
    host = TrayHost(desk.environment)
    yield host
    host.close()
    until(lambda: (qapp.processEvents(), not QSystemTrayIcon.isSystemTrayAvailable())[1], "no tray any more")


@pytest.fixture
def surrounded(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., tuple[Stage, Around]]]:
    """`surrounded(keep_in_tray=…, …)` opens a window with what surrounds it."""
    closing: list[Callable[[], None]] = []

    def make(on_top: bool = True, **given: bool) -> tuple[Stage, Around]:
        port = ScriptedPort()
        around = AroundOptions(logs=tmp_path / "logs", licences=lambda: "all licences", **given)
        window, bridge = open_window(
            port, WindowOptions(tmp_path / "settings", theme="light", on_top=on_top, around=around)
        )
        found = window.findChild(Around)
        assert found is not None

        def close() -> None:
            found.options = AroundOptions(logs=tmp_path, licences=str)
            window.close()
            assert bridge.close()
            window.deleteLater()
            qapp.processEvents()

        closing.append(close)
        stage = Stage(window, bridge, port, qapp)
        if not found.starts_hidden:
            stage.wait(lambda: window.windowHandle() and window.windowHandle().isExposed(), "the window shown")
        return stage, found

    yield make
    for close in closing:
        close()
    qapp.setQuitOnLastWindowClosed(False)


def colour_in_panel(desk: Desk) -> str:
    """The colour between sign and edge of the first icon in the panel."""
    frame = desk.target.observe(Rect(0, 0, SIZE, SIZE))
    at = (3 * frame.size.width + SIZE // 2) * 4
    blue, green, red = frame.pixels[at : at + 3]
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_the_icon_shows_the_state_by_colour_and_words(
    desk: Desk, panel: TrayHost, surrounded: Callable[..., tuple[Stage, Around]]
) -> None:
    stage, around = surrounded()
    stage.wait(lambda: panel.icons and colour_in_panel(desk) == LOOK["idle"][0], "the icon in the panel")
    stage.play(Status(state="waiting_for_user"))
    stage.wait(lambda: colour_in_panel(desk) == LOOK["waiting_for_user"][0], "the colour of a question")
    assert "needs you" in around.tray.toolTip()


def test_no_two_states_of_one_colour_have_one_sign() -> None:
    looks = {(colour, sign): word for colour, sign, word in LOOK.values()}
    assert len(looks) == len({word for *_, word in LOOK.values()})
    pictures = {state: state_icon(state).pixmap(16).toImage() for state in LOOK if state != "executing"}
    assert all(
        pictures[one] != pictures[other] for one in pictures for other in pictures if one != other
    )
