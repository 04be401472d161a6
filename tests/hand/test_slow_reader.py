"""An application that is slow to read what is typed is waited for: the hand is not stuck."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from desktop_agent.hand.guard.main import WEDGED
from desktop_agent.protocol import ops
from tests.desk import until
from tests.hand.human import Human
from tests.hand.workplace import Workplace

BOX = Path(__file__).parents[1] / "platforms" / "apps" / "text_box.py"


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


def test_an_escape_ends_the_wait_for_a_terminal_that_does_not_read(
    workplace: Workplace, tmp_path: Path
) -> None:
    """It answers no pings; what was typed before the ESC arrives as it was meant."""
    file = tmp_path / "typed"
    command = f'stty raw -echo; printf "\\033]0;reader\\007"; exec cat > {file}'
    argv = ("env", "LC_ALL=C.UTF-8", "xterm", "-e", "sh", "-c", command)
    pid = workplace.desk.launch(*argv, title="^reader$")
    text = "".join(chr(0x4E00 + number) for number in range(120))
    human = Human(workplace.desk.environment)
    os.kill(pid, signal.SIGSTOP)
    try:
        job = workplace.begin(ops.Type(text))
        since = time.monotonic()
        until(lambda: time.monotonic() > since + 2, "the hand waiting")
        human.tap()
        (result,) = job.results()
    finally:
        os.kill(pid, signal.SIGCONT)
        human.close()
    assert result.outcome == "stopped"
    typed = int(result.detail.rpartition("(")[2].split()[0])
    assert 32 <= typed < len(text)
    until(
        lambda: file.read_text(encoding="utf-8", errors="replace") == text[:typed] + "\x1b",
        "what was typed, and the ESC",
    )
    assert workplace.desk.held() == (set(), 0)
    workplace.desk.end(pid)


def test_after_an_escape_the_end_does_not_wait_for_an_application_that_does_not_read(
    workplace: Workplace, human: Human, tmp_path: Path
) -> None:
    """The hand puts the key map back by itself: one that waits is killed."""
    before = human.mapping()
    file = tmp_path / "text"
    pid = workplace.desk.launch(sys.executable, str(BOX), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    os.kill(pid, signal.SIGSTOP)
    try:
        job = workplace.begin(ops.Type("".join(chr(0x4E00 + number) for number in range(120))))
        until(lambda: human.mapping() != before, "the key map changed")
        human.tap()
        assert job.results()[0].outcome == "stopped"
        pair = workplace.hands._pair
        assert pair is not None
        workplace.hands.close()
        assert pair.hand.ending == "it ended with code 0"
        assert human.mapping() == before
    finally:
        os.kill(pid, signal.SIGCONT)
    workplace.desk.end(pid)
