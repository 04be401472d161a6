"""Stands in for the program: says and records what it would, as its goal (in JSON) tells it; what it did is in a journal."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

RUN = "20260101-120000-0123456789abcdef"


def launch(*arguments: str) -> list[str]:
    """The command that starts it."""
    return [sys.executable, "-I", str(Path(__file__).resolve()), *arguments]


def words_for(name: str, journal: Path, **more: Any) -> str:
    """A goal for it: `gate` is a file it waits for, `exit` its code, `bytes` the size of its recording."""
    return json.dumps({"name": name, "journal": str(journal), **more})


def journal_of(path: Path) -> list[dict[str, Any]]:
    """What the stand-ins have done so far, in order."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class StandIn:
    """One run."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self._journal = Path(told["journal"])

    def run(self) -> int:
        lock = self._journal.with_suffix(f".{self._told['name']}").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._note("twice")
        self._note("begun", parent=os.getppid(), variables=sorted(os.environ))
        if self._told.get("child"):
            child = subprocess.Popen(["/bin/sleep", "1000"])
            self._note("child", child=child.pid)
        self._record()
        say(type="usage", step=3, dollars=0.25, dollars_complete=False)
        self._wait()
        say(type="done", summary=f"{self._told['name']} is done")
        self._note("ended")
        return int(self._told.get("exit", 0))

    def _record(self) -> None:
        folder = Path(os.environ["XDG_DATA_HOME"], "desktop-agent", "runs", RUN)
        (folder / "frames").mkdir(parents=True)
        (folder / "lock").touch()
        (folder / "events.jsonl").write_text(self._told["name"] + "\n")
        (folder / "frames" / "a.jpg").write_bytes(b"x" * self._told.get("bytes", 10))
        say(type="recording", path=str(folder))

    def _wait(self) -> None:
        gate = self._told.get("gate")
        while gate and not Path(gate).exists():
            threading.Event().wait(0.02)

    def _note(self, what: str, **more: Any) -> None:
        line = json.dumps({"what": what, "name": self._told["name"], "pid": os.getpid(), **more}) + "\n"
        with self._journal.open("ab", buffering=0) as journal:
            journal.write(line.encode())


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    sys.exit(StandIn(json.loads(sys.argv[-1].removeprefix("go "))).run())
