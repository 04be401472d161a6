"""A brain is killed on Windows: its guard has witnessed the log, as on Linux."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.audit import verify
from desktop_agent.hand.client import Hands
from desktop_agent.targets._windows import WindowsScreen
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
BRAIN = """
import sys
from pathlib import Path
from desktop_agent.agent.runlog.heads import Heads
from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.hand.client import Hands
from desktop_agent.targets._windows import WindowsScreen
run = Path(sys.argv[1])
hands = Hands(WindowsScreen().address())
hands.start()
store = RunStore(run, Heads(run, hands.witness))
for number in range(100_000):
    store.append("note", {"number": number, "text": "grüß Gott"})
    print(number, flush=True)
"""


def test_the_guard_vouches_for_the_log_of_a_killed_brain(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "büro run"
    brain = subprocess.Popen([sys.executable, "-c", BRAIN, str(run)], stdout=subprocess.PIPE, text=True)
    assert brain.stdout is not None
    while int(brain.stdout.readline()) < 25:
        pass
    brain.kill()
    told = max(map(int, brain.stdout.read().split()), default=25)
    brain.wait()
    log = run / "events.jsonl"
    # A record may be written and not yet told at that moment; all others are witnessed.
    until(lambda: verify(log).witnessed >= verify(log).lines - 1, "the head that the guard kept")
    verdict = verify(log)
    assert verdict.whole and not verdict.certain and verdict.lines > told
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: verdict.witnessed - 2]))
    assert any("2 records are missing at its end" in str(each) for each in verify(log).problems)


def test_the_guard_writes_the_last_head_before_it_ends(tmp_path: Path) -> None:
    hands = Hands(WindowsScreen().address())
    hands.start()
    path = tmp_path / "a.head"
    assert hands.witness(path, "one", False)
    until(path.exists, "the head")
    assert hands.witness(path, "two", False)  # waits for its turn when the end comes
    hands.close()
    assert path.read_text() == "two\n"
    assert not hands.witness(path, "three", True)
