"""Renders the list of runs and the player to PNG files: python -m tests.ui.history_gallery FOLDER."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point
from desktop_agent.support.language import use_language
from desktop_agent.targets import display
from desktop_agent.ui.history.history_window import open_history, open_run
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from tests.support.recorded_run import RecordedRun, desktop_picture, recorded
from tests.ui.gallery import shoot, spin
from tests.ui.scripted import ScriptedPort


def make_runs(runs: Path) -> Path:
    """Runs of every outcome; returns the one to be played."""
    recorded(runs, 2, goal="Write the report of the meeting", name="20261101-101500-00000000000000a1")
    torn = recorded(runs, 1, goal="Copy the photos", name="20261102-101500-00000000000000a2")
    with (torn / "events.jsonl").open("ab") as log:
        log.write(b'{"seq":')
    stopped = RecordedRun(runs, "20261103-101500-00000000000000a3")
    stopped.begin(
        "Book the meeting room for Tuesday, and tell everybody who has said that they come, also those from the other house"
    )
    stopped.click()
    stopped.feed.emit(say.Status(state="stopped", detail="you pressed Esc"))
    stopped.close()
    failed = RecordedRun(runs, "20261104-101500-00000000000000a4")
    failed.begin("Sort the mails")
    failed.feed.emit(say.Error(message="The model does not answer.", advice="Check the network."))
    failed.close()
    (runs / "holiday pictures").mkdir()
    played = RecordedRun(
        runs, "20261105-101500-00000000000000a5", picture=lambda n: desktop_picture(n, (960, 540))
    )
    played.begin("Send the form in the shop, and check the receipt")
    played.click()
    played.drag(Point(500, 300), Point(1300, 700))
    played.click(1320, 905)
    played.done()
    return played.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = display.create(display.Options(width=1280, height=900, background="#c8cfd9"))
    target.start()
    os.environ.update(target.environment)
    app = make_app()
    try:
        for mode, language in (("light", "en"), ("dark", "de")):
            use_language(language)  # type: ignore[arg-type]
            with tempfile.TemporaryDirectory() as place:
                runs = Path(place) / "runs"
                played = make_runs(runs)
                port = ScriptedPort()
                window, bridge = open_window(port, WindowOptions(Path(place) / "settings", theme=mode))  # type: ignore[arg-type]
                history = open_history(window, runs, port)
                spin(1500)
                shoot(target, history, folder / f"list-{mode}.png")
                question = history.actions_.ask_to_delete(played.name, "Send the form")
                spin(400)
                shoot(target, question, folder / f"delete-{mode}.png")
                question.close()
                player = open_run(window, played, port)
                spin(800)
                for step in (3, 4, 99):
                    player.seek(0)
                    player.step(step)
                    spin(500)
                    shoot(target, player, folder / f"player-{step}-{mode}.png")
                player.close()
                history.close()
                window.close()
                bridge.close()
                window.deleteLater()
                spin(50)
    finally:
        assert isinstance(app, QApplication)
        app.shutdown()
        target.stop()


if __name__ == "__main__":
    main()
