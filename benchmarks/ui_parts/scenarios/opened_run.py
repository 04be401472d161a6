"""A run of 60 MB is opened, and stepped through"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.ui_parts.stage import UiStage
from desktop_agent.ui.history.history_window import open_run
from tests.support.recorded_run import long_run

STEPS, STRIDE = 500, 7
TIMES = 3


def play(stage: UiStage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = long_run(Path(folder) / "runs", 50 if stage.quick else STEPS)
        for _ in range(TIMES):
            _open(stage, run)


def _open(stage: UiStage, run: Path) -> None:
    with stage.watched():
        player = open_run(stage.window, run, stage.port)
        stage.until(lambda: not player.picture.image.isNull(), "its first picture")
        for _ in range(20):
            player.step(STRIDE)
            stage.spin(0.04)
        player.close()
        stage.spin(0.1)
