"""Lets the program do one job: a home folder and a display of its own, one process, then a look at what is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.everyday.job import Job, Outcome
from benchmarks.everyday.site import Site, served
from benchmarks.report import ROOT
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.encoding.encode import encode

SECONDS = 90.0
KEPT = ROOT / "bench-results" / "desktop"
"""Where logs and pictures of jobs that failed stay."""

_SIZE, _BACKGROUND = Size(1280, 800), 0x3B6EA5
_FOLDERS = ("Desktop", "Documents", "Downloads", "Pictures")
_END_SECONDS = 20.0
_ENDS = {"done": "summary", "question": "text", "error": "message"}
"""The events that a run ends with, and where their words are."""


class Done(msgspec.Struct, frozen=True):
    """How a job went: was it carried out, what the program said last, how long it took, and where its log is if not."""

    words: str
    right: bool
    told: str
    seconds: float
    kept: str = ""


class Tried(msgspec.Struct, frozen=True):
    """What came of an instruction: what is there now, how the program ended ("done", "question", "error" or "" when it was ended), the files before."""

    words: str
    outcome: Outcome
    end: str
    seconds: float
    before: Mapping[str, str]
    desk: EmbeddedDisplay
    events: list[dict[str, Any]]


def carry_out(job: Job) -> Done:
    """Do one job from a user's words to the check of what came of it. Raises TargetError without a display."""
    with tried(job.words, job.files) as came:
        right = job.check(came.outcome)
        kept = "" if right else str(keep(job.words, came))
    return Done(job.words, right, came.outcome.told, came.seconds, kept)


@contextmanager
def tried(words: str, files: Mapping[str, str]) -> Iterator[Tried]:
    """What came of the words, in a home folder with these files and a display of its own; both are there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="desktop-job-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        _furnish(home, files)
        with served() as site, _desk(home) as desk:
            asked = words.replace("{site}", site.url)
            before = snapshot(home)
            events, seconds = _work(asked, desk)
            outcome = _look(home, site, desk, events)
            ends = [event["type"] for event in events if event.get("type") in _ENDS]
            yield Tried(asked, outcome, ends[-1] if ends else "", seconds, before, desk, events)


def snapshot(home: Path) -> dict[str, str]:
    """The user's files and folders (those end in a slash) with what is in them; what programs keep for themselves is left out."""
    found: dict[str, str] = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if name.startswith("."):
            continue
        found[f"{name}/" if path.is_dir() else name] = (
            "" if path.is_dir() else path.read_bytes().decode(errors="replace")
        )
    return found


def _furnish(home: Path, files: Mapping[str, str]) -> None:
    for name in _FOLDERS:
        (home / name).mkdir()
    for name, text in files.items():
        if name.endswith("/"):
            (home / name).mkdir(parents=True)
        else:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8")


@contextmanager
def _desk(home: Path) -> Iterator[EmbeddedDisplay]:
    """An embedded display whose programs have this home folder."""
    desk = EmbeddedDisplay(_SIZE, _BACKGROUND)
    before = dict(os.environ)
    for name in [each for each in os.environ if each.startswith("XDG_")]:
        del os.environ[name]
    os.environ["HOME"] = str(home)
    try:
        desk.start()
    finally:
        os.environ.clear()
        os.environ.update(before)
    try:
        yield desk
    finally:
        desk.stop()


def _work(words: str, desk: EmbeddedDisplay) -> tuple[list[dict[str, Any]], float]:
    """The program at work, as its user would start it; it is ended when it takes too long."""
    # Full permission: nobody is here to say yes to a terminal or to a button that sends.
    command = [sys.executable, "-m", "desktop_agent", "--json", "--target", "local", "--model", "offline"]
    command += ["--permission", "full", "--timeout", str(SECONDS), words]
    around = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and not k.endswith("_API_KEY")}
    with subprocess.Popen(
        command, cwd=ROOT, env=around | dict(desk.environment), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            said = process.communicate(timeout=SECONDS + _END_SECONDS)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
    events = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    times = [event["time"] for event in events if "time" in event]
    return events, max(times) - min(times) if times else 0.0


def _look(home: Path, site: Site, desk: EmbeddedDisplay, events: list[dict[str, Any]]) -> Outcome:
    told = [str(e.get(_ENDS[e["type"]], "")) for e in events if e["type"] in _ENDS]
    elements = desk.elements()
    return Outcome(
        home,
        site,
        tuple(each.title for each in desk.windows()),
        tuple(dict.fromkeys(words for each in elements for words in (each.name, each.value) if words)),
        told[-1] if told else "",
    )


def keep(words: str, came: Tried) -> Path:
    """Put away what tells why it failed: the feed, the log with its pictures, and the screen at the end."""
    folder = KEPT / re.sub(r"\W+", "-", words.lower()).strip("-")[:60]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = (json.dumps(event) + "\n" for event in came.events)
    (folder / "feed.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "screen.png").write_bytes(encode(came.desk.observe(), form="png"))
    for run in came.outcome.home.glob(".local/share/desktop-agent/runs/*"):
        shutil.copytree(run, folder / run.name)
    return folder
