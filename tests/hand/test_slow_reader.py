"""An application that is slow to read what is typed is waited for: the hand is not stuck."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from desktop_agent.hand.guard import WEDGED
from desktop_agent.protocol import ops
from tests.desk import until
from tests.hand.workplace import Workplace

BOX = Path(__file__).parents[1] / "target" / "apps" / "text_box.py"


def test_longer_than_an_event_may_take(workplace: Workplace, tmp_path: Path) -> None:
    file = tmp_path / "text"
    pid = workplace.desk.launch(sys.executable, str(BOX), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    text = "".join(chr(0x4E00 + number) for number in range(120))
    os.kill(pid, signal.SIGSTOP)
    try:
        job = workplace.begin(ops.Type(text))
        since = time.monotonic()
        until(lambda: time.monotonic() > since + 1.5 * WEDGED, "more time than one event may take")
        assert workplace.stops == []
    finally:
        os.kill(pid, signal.SIGCONT)
    assert [result.outcome for result in job.results()] == ["done"]
    until(lambda: file.read_text(encoding="utf-8") == text, "the whole text")
    assert workplace.desk.held() == (set(), 0)
    workplace.desk.end(pid)
