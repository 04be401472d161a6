"""Runs of every outcome, for the list of runs and the player."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point
from tests.support.recorded_run import RecordedRun, desktop_picture, recorded


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
