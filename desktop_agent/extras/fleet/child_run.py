"""Works one goal in a process of its own, with a data folder and a process group of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from desktop_agent.extras.fleet import leash
from desktop_agent.extras.fleet.ended_goal import EndedGoal

GRACE = 10.0
"""Seconds in which the program may end by itself when it is asked to, and its processes after it."""
LONGEST_LINE, LONGEST_SUMMARY = 1 << 20, 4_000
_OF_RAY = ("RAY_", "PYTHONBREAKPOINT")


class ChildRun:
    """One run of the program; `stop` may be called from any thread, also before it has begun."""

    def __init__(self, command: Sequence[str], scratch: Path) -> None:
        self._command, self._scratch = command, scratch
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._heard = Heard()

    def run(self) -> EndedGoal:
        """Return how it ended. Raises OSError when it cannot be started."""
        began = time.monotonic()
        with (self._scratch / "stderr").open("wb") as errors:
            process = self._begin(errors)
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        reader = threading.Thread(target=self._heard.follow, args=(process.stdout,), daemon=True)
        reader.start()
        code = process.wait()
        seconds = time.monotonic() - began
        _end_group(process.pid)
        reader.join(GRACE)
        if code == leash.CANNOT:
            raise OSError(self._last_errors())
        return self._heard.ended(code, seconds, self._last_errors())

    def stop(self) -> None:
        """Ask the program to end, and end it when it has not done so within the grace; without a run nothing begins any more."""
        with self._lock:
            self._stopped = True
            process = self._process
        if process is None:
            return
        process.terminate()  # it ends its own processes, in the order that lets go of what is held
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        _signal(process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End the program at once."""
        with self._lock:
            self._stopped = True
        if self._process is not None:
            _signal(self._process.pid, signal.SIGKILL)

    @property
    def recording(self) -> Path | None:
        """The folder of its record, which lies in the data folder given to it; None for none, or a name that is no path."""
        if not self._heard.recording:
            return None
        try:
            path = Path(os.path.realpath(self._heard.recording))
        except ValueError:
            return None
        return path if path.is_relative_to(self._scratch.resolve()) and path.is_dir() else None

    def _begin(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise InterruptedError("it was stopped before it began")
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), *self._command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(os.environ, self._scratch),
                cwd=self._scratch,
                start_new_session=True,
            )
            return self._process

    def _last_errors(self) -> str:
        with (self._scratch / "stderr").open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_SUMMARY))
            return file.read().decode(errors="replace").strip()


class Heard:
    """What the program's events have told so far; one thread follows them."""

    def __init__(self) -> None:
        self.recording = ""
        self._words = ""
        self._used: dict[str, Any] = {}

    def follow(self, lines: IO[bytes]) -> None:
        """Take in the events until there are no more; what is no event is passed over."""
        with lines:
            while line := lines.readline(LONGEST_LINE):
                with contextlib.suppress(msgspec.DecodeError):
                    event = msgspec.json.decode(line)
                    if isinstance(event, dict):
                        self._take(event)

    def _take(self, event: Mapping[str, Any]) -> None:
        kind = event.get("type")
        if kind == "recording":
            self.recording = str(event.get("path", ""))
        elif kind == "usage":
            self._used = dict(event)
        elif kind in _WORDS:
            self._words = " ".join(str(event.get(name, "")) for name in _WORDS[kind]).strip()

    def ended(self, code: int, seconds: float, errors: str) -> EndedGoal:
        """All of it; where the program told no end, its last errors stand for its words."""
        words = self._words or ("" if code == 0 else errors)
        dollars, steps = self._used.get("dollars"), self._used.get("step")
        return EndedGoal(
            code,
            round(seconds, 3),
            words[-LONGEST_SUMMARY:],
            float(dollars) if isinstance(dollars, int | float) else None,
            self._used.get("dollars_complete") is not False,
            steps if isinstance(steps, int) else 0,
        )


_WORDS: Mapping[object, Sequence[str]] = {
    "done": ("summary",),
    "error": ("message", "advice"),
    "question": ("text",),
    "approval": ("words", "why"),
}


def environment(environ: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """That of the program: Ray's own variables, its token among them, are taken out, and data and logs are in `scratch`."""
    kept = {name: value for name, value in environ.items() if not name.startswith(_OF_RAY)}
    return {
        **kept,
        "XDG_DATA_HOME": str(scratch / "data"),
        "XDG_STATE_HOME": str(scratch / "state"),
        "XDG_DATA_DIRS": _with_usual_data(environ),
    }


def _with_usual_data(environ: Mapping[str, str]) -> str:
    """Where programs are found that the user has installed for themselves, as before."""
    usual = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"{usual}:{environ.get('XDG_DATA_DIRS') or '/usr/local/share:/usr/share'}"


def _end_group(group: int) -> None:
    """Return when all of a process group has ended: by itself within the grace, or killed."""
    deadline = time.monotonic() + GRACE
    while _signal(group, 0):
        if time.monotonic() > deadline:
            _signal(group, signal.SIGKILL)
            return
        threading.Event().wait(0.02)


def _signal(group: int, number: int) -> bool:
    """Send a signal to a process group; False when nobody is in it any more."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
