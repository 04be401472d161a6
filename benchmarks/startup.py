"""From the command to the program's own code, to its window, and to its first look at the screen."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.report import ROOT, BenchmarkError, Goal, Report, measured, report
from desktop_agent.targets import display
from tests.support.installed_wheel import built_wheel, copied_source, installed_wheel

SECONDS = 90.0
GOAL = "wait 1 second"
"""Any goal will do: the first look comes before the first thought."""
# Of this machine's environment: keys, its desktop's folders, and a wish for no bytecode, with which each start compiles.
_LEFT_OUT = re.compile(r".*_API_KEY$|XDG_|PYTHONDONTWRITEBYTECODE$")
# Python imports this before anything else of the program: it tells the time and leaves.
_PROBE = "import os, time\nprint(time.monotonic(), flush=True)\nos._exit(0)\n"


def run(quick: bool) -> Report:
    """Start the program again and again, on a private display."""
    times = 3 if quick else 15
    _start(["--version"], {})  # sets up what is missing, which is no part of a second start
    set_up = [until_own_code() for _ in range(times * 2)]
    windows, looks, embedded = [], [], []
    target = display.create(display.Options())
    target.start()
    try:
        for _ in range(times):
            windows.append(until_mark([], target.environment, "window_painted"))
            looks.append(until_mark([GOAL], target.environment, "first_observation"))
        installed = _of_installed_wheel(times, target.environment)
    finally:
        target.stop()
    for _ in range(times):
        embedded.append(until_mark(["--no-window", GOAL], {"DISPLAY": ""}, "first_observation"))
    return report(
        "startup",
        measured("./run to the program's own code", set_up, "s", Goal(2.0, "max")),
        measured("./run to the painted window", windows, "s", Goal(0.6)),
        measured("./run to the first look", looks, "s", Goal(1.0)),
        measured("./run --no-window to the first look (embedded display)", embedded, "s"),
        measured("the installed wheel to the painted window", installed, "s", Goal(0.6)),
    )


def _of_installed_wheel(times: int, display_of: Mapping[str, str]) -> list[float]:
    """Seconds to the painted window of the program installed from its wheel, after a first start."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel = built_wheel(copied_source(place), place / "wheel")
        program = installed_wheel(wheel, place / "env") / "bin" / "desktop-agent"
        return [until_mark([], display_of, "window_painted", program) for _ in range(times + 1)][1:]


def until_own_code() -> float:
    """Seconds until Python, started by ./run, would run the program."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sitecustomize.py").write_text(_PROBE, encoding="utf-8")
        began = time.monotonic()
        said = _start(["--version"], {"PYTHONPATH": folder})
    return float(said) - began


def _start(words: Sequence[str], more: Mapping[str, str]) -> str:
    ran = subprocess.run(
        [ROOT / "run", *words], env=os.environ | more, capture_output=True, text=True, timeout=600
    )
    if ran.returncode != 0:
        raise BenchmarkError(f"./run {' '.join(words)} ended with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def until_mark(
    words: Sequence[str], more: Mapping[str, str], name: str, program: Path = ROOT / "run"
) -> float:
    """Start the program, wait for its mark, end it. Returns the seconds from the command to the mark."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if not _LEFT_OUT.match(name)}
        environment = {**kept, "HOME": home, **more, "DESKTOP_AGENT_MARKS": "1"}
        began = time.monotonic()
        process = subprocess.Popen(
            [program, "--model", "offline", *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        watch = threading.Timer(SECONDS, process.kill)
        watch.start()
        try:
            return _read_mark(process, name) - began
        finally:
            watch.cancel()
            _end(process)


def _read_mark(process: subprocess.Popen[str], name: str) -> float:
    """Read stderr up to the line `mark NAME SECONDS`; returns its seconds of the monotonic clock."""
    other: list[str] = []
    for line in process.stderr or ():
        words = line.split()
        if words[:2] == ["mark", name]:
            return float(words[2])
        other.append(line)
    raise BenchmarkError(f"the program ended without the mark {name}: {''.join(other).strip()[-2000:]}")


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
