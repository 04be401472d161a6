"""Where the window stands: pure geometry, and what is remembered."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect

from desktop_agent.ui.shell.dock import GAP, SNAP, WindowIni, docked, fit_into, snapped

ROOM = QRect(0, 0, 1280, 800)
rooms = st.builds(
    QRect,
    st.integers(-4_000, 4_000),
    st.integers(-3_000, 3_000),
    st.integers(640, 5_000),
    st.integers(480, 3_000),
)
frames = st.builds(
    QRect,
    st.integers(-9_000, 9_000),
    st.integers(-9_000, 9_000),
    st.integers(1, 4_000),
    st.integers(1, 4_000),
)


def test_docked_right_is_as_high_as_the_work_area() -> None:
    assert docked(ROOM, 400, "right") == QRect(1280 - 400 - GAP, GAP, 400, 800 - 2 * GAP)
    assert docked(ROOM, 400, "left").left() == GAP


def test_a_drag_ends_at_an_edge_that_is_near_and_stays_where_it_is_otherwise() -> None:
    near_left = QRect(SNAP - 1, 100, 400, 500)
    assert snapped(near_left, ROOM) == (docked(ROOM, 400, "left"), "left")
    near_right = QRect(1280 - 400 - SNAP + 1, 100, 400, 500)
    assert snapped(near_right, ROOM) == (docked(ROOM, 400, "right"), "right")
    middle = QRect(400, 100, 400, 500)
    assert snapped(middle, ROOM) == (middle, "none")


def test_a_window_dragged_beyond_an_edge_docks_there() -> None:
    assert snapped(QRect(-300, 50, 400, 500), ROOM)[1] == "left"
    assert snapped(QRect(1200, 50, 400, 500), ROOM)[1] == "right"


@given(rooms, frames)
def test_every_drop_ends_inside_the_work_area(room: QRect, frame: QRect) -> None:
    assert room.contains(snapped(frame, room)[0])


@given(rooms, frames)
def test_inside_moves_no_more_than_it_must(room: QRect, frame: QRect) -> None:
    kept = fit_into(frame, room)
    assert room.contains(kept)
    assert fit_into(kept, room) == kept
    if room.contains(frame):
        assert kept == frame


def test_place_and_theme_are_remembered(tmp_path: Path) -> None:
    memory = WindowIni(tmp_path / "new" / "folder")
    assert memory.place() is None
    assert memory.theme == "system"
    memory.save_place(QRect(1, 2, 400, 500), "left")
    memory.save_theme("dark")
    del memory
    again = WindowIni(tmp_path / "new" / "folder")
    assert again.place() == (QRect(1, 2, 400, 500), "left")
    assert again.theme == "dark"


def test_a_broken_settings_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "window.ini").write_bytes(b"\xff\xfe[window\nframe=@Rect(7)\nside=up\ntheme=pink\n")
    memory = WindowIni(tmp_path)
    assert memory.place() is None
    assert memory.theme == "system"
