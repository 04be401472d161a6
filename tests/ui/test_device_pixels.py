"""Qt's coordinates as pixels, on monitors with scales and negative origins."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect

from desktop_agent.protocol.geometry import Rect
from desktop_agent.ui.shell.device_pixels import screen_pixels, to_pixels, widget_pixels
from desktop_agent.ui.shell.dock import GAP, docked
from tests.desk import Desk
from tests.ui.conftest import Stage


@pytest.mark.parametrize(
    ("area", "origin", "scale", "pixels"),
    [
        (QRect(10, 20, 30, 40), QPoint(0, 0), 1.0, Rect(10, 20, 30, 40)),
        (QRect(10, 20, 30, 40), QPoint(0, 0), 1.5, Rect(15, 30, 45, 60)),
        (QRect(1930, 100, 400, 800), QPoint(1920, 0), 2.0, Rect(1940, 200, 800, 1600)),
        (QRect(-1910, -190, 400, 800), QPoint(-1920, -200), 1.25, Rect(-1908, -188, 500, 1000)),
    ],
)
def test_what_lies_on_a_screen_is_scaled_from_its_corner(
    area: QRect, origin: QPoint, scale: float, pixels: Rect
) -> None:
    assert to_pixels(area, origin, scale) == pixels


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 1.75, 2.0])
@pytest.mark.parametrize("origin", [QPoint(0, 0), QPoint(-2560, -300), QPoint(1920, 400)])
def test_docked_right_it_stays_on_its_monitor_whatever_the_scale(origin: QPoint, scale: float) -> None:
    monitor = Rect(origin.x(), origin.y(), 2560, 1440)
    room = QRect(origin.x(), origin.y(), round(2560 / scale), round(1400 / scale))  # above a task bar
    window = to_pixels(docked(room, 400, "right"), origin, scale)
    assert window.intersection(monitor) == window
    assert 0 <= monitor.right - window.right - round(GAP * scale) <= 2


def test_the_windows_pixels_are_where_the_system_has_it(stage: Stage, desk: Desk) -> None:
    (shown,) = [each for each in desk.target.windows() if "Desktop Agent" in each.title]
    assert widget_pixels(stage.window) == shown.bounds
    assert screen_pixels(stage.window.screen()) == desk.target.geometry().monitors[0]
