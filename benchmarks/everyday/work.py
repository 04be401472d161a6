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
from typing import Any, TypeAlias

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

Events: TypeAlias = list[dict[str, Any]]

_SIZE, _BACKGROUND = Size(1280, 800), 0x3B6EA5
_FOLDERS = ("Desktop", "Documents", "Downloads", "Pictures")
_END_SECONDS = 20.0


class Done(msgspec.Struct, frozen=True):
    """How a job went: was it carried out, what the program said last, how long it took, and where its log is if not."""

    words: str
    right: bool
    told: str
    seconds: float
    kept: str = ""


def carry_out(job: Job) -> Done:
    """Do one job from a user's words to the check of what came of it. Raises TargetError without a display."""
    with tempfile.TemporaryDirectory(prefix="desktop-job-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        furnish(home, job.files)
        with served() as site, desk_at(home) as desk:
            words = job.words.replace("{site}", site.url)
            events, seconds = let_work(words, desk, SECONDS)
            outcome = _look(home, site, desk, events)
            right = job.check(outcome)
            kept = "" if right else str(keep(_folder_of(job), home, desk, events))
    return Done(job.words, right, outcome.told, seconds, kept)


_OPENERS = """[Default Applications]
inode/directory=pcmanfm.desktop
text/plain=org.xfce.mousepad.desktop
"""
"""What opens folders and texts: a machine that only just got these programs may have no table of that yet, and asks."""


def furnish(home: Path, files: Mapping[str, str]) -> None:
    """Make the folders that everybody has, and these files: a name ending in a slash is a folder, `#!` a program."""
    for name in _FOLDERS:
        (home / name).mkdir(exist_ok=True)
    for name, text in ({".config/mimeapps.list": _OPENERS} | dict(files)).items():
        if name.endswith("/"):
            (home / name).mkdir(parents=True)
            continue
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            (home / name).chmod(0o755)


@contextmanager
def desk_at(home: Path) -> Iterator[EmbeddedDisplay]:
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


def let_work(words: str, desk: EmbeddedDisplay, limit: float) -> tuple[Events, float]:
    """The program at work, as its user would start it: its events, and how long it took in seconds.

    It has `limit` seconds, and is killed when it has not ended soon after.
    """
    # Full permission: nobody is here to say yes to a terminal or to a button that sends.
    command = [
        sys.executable, "-m", "desktop_agent", "--json", "--target", "local", "--model", "offline",
        "--permission", "full", "--timeout", str(limit), words,
    ]  # fmt: skip
    around = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and not k.endswith("_API_KEY")}
    with subprocess.Popen(
        command, cwd=ROOT, env=around | dict(desk.environment), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            said = process.communicate(timeout=limit + _END_SECONDS)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
    events = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    times = [event["time"] for event in events if "time" in event]
    return events, max(times) - min(times) if times else 0.0


def _look(home: Path, site: Site, desk: EmbeddedDisplay, events: list[dict[str, Any]]) -> Outcome:
    ends = {"done": "summary", "question": "text", "error": "message"}
    told = [str(e.get(ends[e["type"]], "")) for e in events if e["type"] in ends]
    elements = desk.elements()
    return Outcome(
        home,
        site,
        tuple(each.title for each in desk.windows()),
        tuple(dict.fromkeys(words for each in elements for words in (each.name, each.value) if words)),
        told[-1] if told else "",
    )


def _folder_of(job: Job) -> Path:
    return KEPT / re.sub(r"\W+", "-", job.words.lower()).strip("-")[:60]


def keep(folder: Path, home: Path, desk: EmbeddedDisplay, events: list[dict[str, Any]]) -> Path:
    """Put into `folder` what tells why it failed: the feed, the log with its pictures, and the screen at the end."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = (json.dumps(event) + "\n" for event in events)
    (folder / "feed.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "screen.png").write_bytes(encode(desk.observe(), form="png"))
    for run in home.glob(".local/share/desktop-agent/runs/*"):
        shutil.copytree(run, folder / run.name)
    return folder
