"""A policy that is a program of its own is told frames and answers with ticks."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from desktop_agent.extras.ticks.llm import policy_program
from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Size

FRAME = bytes(range(200)) * 4
SIZE = Size(20, 10)

ECHO = """
import json, os, sys
goal = json.loads(sys.stdin.buffer.readline())["goal"]
while head := sys.stdin.buffer.readline():
    told = json.loads(head)
    frame = sys.stdin.buffer.read(told["bytes"])
    answer = {"x": told["tick"], "y": frame[5], "keys": [goal], "value": float("SECRET_TOKEN" in os.environ)}
    print(json.dumps(answer), flush=True)
"""
SAYS = "import sys; sys.stdin.buffer.readline(); print({!r}, flush=True); sys.stdin.buffer.read()"


def policy(path: Path, code: str) -> NumericPolicy:
    path.write_text(code)
    made = policy_program.create(policy_program.Options(command=(sys.executable, str(path))))
    assert isinstance(made, NumericPolicy)
    return made


def test_frames_go_and_ticks_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "do not pass this on")
    made = policy(tmp_path / "echo.py", ECHO)
    for goal in ("w", "a"):  # a second run starts it anew
        made.begin(goal)
        assert [made.act(FRAME, SIZE, n) for n in range(3)] == [
            Tick(n, 5, keys=frozenset((goal,)), value=0.0) for n in range(3)
        ]
    made.close()
    made.close()
    with pytest.raises(ModelError, match="has ended"):
        made.act(FRAME, SIZE, 3)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("words", "is no tick"),
        ('{"x": 1}', "missing required field `y`"),
        ('{"x": 1, "y": 2.5}', "is no tick"),
        ('{"x": 1, "y": 2, "buttons": ["fourth"]}', "is no tick"),
        ('{"x": 1, "y": 2, "command": "rm"}', "unknown field"),
        ("x" * 20_000, "is too long"),
    ],
)
def test_what_is_no_tick_is_refused(said: str, why: str, tmp_path: Path) -> None:
    made = policy(tmp_path / "says.py", SAYS.format(said))
    made.begin("")
    with pytest.raises(ModelError, match=why):
        made.act(FRAME, SIZE, 0)
    made.close()


def test_a_program_that_ends_is_told_with_its_words(tmp_path: Path) -> None:
    made = policy(tmp_path / "ends.py", "import sys; sys.stdin.readline(); sys.exit('no weights here')")
    made.begin("")
    with pytest.raises(ModelError, match="has ended: no weights here"):
        made.act(FRAME, SIZE, 0)
    made.close()


def test_one_that_hangs_can_be_abandoned(tmp_path: Path) -> None:
    made = policy(tmp_path / "hangs.py", "import sys; sys.stdin.buffer.read()")
    made.begin("")
    threading.Timer(0.2, made.abandon).start()
    with pytest.raises(ModelError, match="has ended"):
        made.act(FRAME, SIZE, 0)
    made.close()


CHILDREN = """
import json, subprocess, sys
sys.stdin.buffer.readline()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(json.dumps({"x": child.pid, "y": 0}), flush=True)
if LEAVES: sys.exit()
sys.stdin.buffer.read()
"""


@pytest.mark.parametrize("leaves", [True, False])
@pytest.mark.parametrize("way", ["close", "abandon"])
@pytest.mark.linux("on Windows the program alone is ended")
def test_what_it_started_ends_with_it(leaves: bool, way: str, tmp_path: Path) -> None:
    made = policy(tmp_path / "parent.py", CHILDREN.replace("LEAVES", str(leaves)))
    made.begin("")
    child = Peer(made.act(b"", SIZE, 0).x)
    assert not child.wait(0)
    getattr(made, way)()
    assert child.wait(10)
    made.close()


def test_its_complaints_are_read_on_and_only_their_end_is_kept(tmp_path: Path) -> None:
    code = "import sys; sys.stdin.readline(); sys.stderr.write('a' * 3_000_000 + 'z' * 10); sys.exit(1)"
    made = policy(tmp_path / "complains.py", code)
    made.begin("")
    with pytest.raises(ModelError) as ended:
        made.act(b"", SIZE, 0)
    assert ended.value.message.endswith(": " + "a" * 490 + "z" * 10 + ".")
    made.close()


@pytest.mark.parametrize("command", [(), ("/nowhere/at/all",)])
def test_what_cannot_be_started(command: tuple[str, ...]) -> None:
    with pytest.raises(ModelError) as refused:
        policy_program.create(policy_program.Options(command=command)).begin("")  # type: ignore[attr-defined]
    assert refused.value.advice
