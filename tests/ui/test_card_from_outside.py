"""What a screen reader finds of the window and its cards: read from outside through the accessibility tree, by our own reader."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from tests.desk import Desk, until


@pytest.mark.parametrize(("scene", "buttons", "texts"), [
    ("sending approval", (
        "Approve (Ctrl+Alt+Enter)", "Skip (Ctrl+Alt+Backspace)", "Change it before it is done (Ctrl+Alt+E)", "Say what to do instead",
        "Always here: click “Send” in chromium at https://expenses.intranet.example.co.uk:8443, until you close the program.",
        "All details",
    ), ("Click “Send”", "chromium · Expenses – Chromium", "https://expenses.intranet.example.co.uk:8443", "You cannot take this back.")),
    ("edited approval", ("Approve (Ctrl+Alt+Enter)",), ("Your own words", "You changed this. Before:", "Anna Weber")),
])  # fmt: skip
def test_the_card_is_read_from_outside(
    shared_display: Desk, tmp_path: Path, scene: str, buttons: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    pid = launched(shared_display, tmp_path, scene)
    reader = AtspiReader(shared_display.environment)
    try:

        def lacking() -> list[str]:
            elements = [each for each in reader.read(shared_display.target.windows()) if each.pid == pid]
            named = [each.name for each in elements if "button" in each.role]
            said = [f"{each.name} {each.value}" for each in elements]
            return [name for name in buttons if name not in named] + [
                text for text in texts if not any(text in each for each in said)
            ]

        try:
            until(lambda: not lacking(), "the card read", seconds=20)
        finally:
            left = lacking()
            assert left == [], left
    finally:
        reader.close()
        shared_display.end(pid)


def launched(desk: Desk, folder: Path, scene: str) -> int:
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path.insert(0, {root!r}); sys.argv = ['card', {str(folder)!r}, {scene!r}]; from tests.ui.card_program import main; main()"
    return desk.launch(sys.executable, "-c", code)
