"""Nothing secret comes out where words come out: log, terminal, crash reports, doctor, feed, run log, hand."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.redaction import redactor
from desktop_agent.redaction.redactor import forms_of
from desktop_agent.redaction.streams import CleanStream
from desktop_agent.startup.crash_boundary import KEPT, CrashReports
from desktop_agent.support import log_file
from tests.jobs.commands import ROOT, environment
from tests.systems import kept_private

SECRET = 'planted "value"/1234'
CRASHING = """
import sys, threading
from desktop_agent import __main__, cli

def inside(value):
    local = value + "!"
    raise ValueError(f"the server did not like {value}")

def run():
    import os
    value = os.environ["SOME_PASSWORD"]
    if sys.argv[1] == "thread":
        thread = threading.Thread(target=inside, args=(value,), name="worker")
        thread.start()
        thread.join()
        return 0
    inside(value)

cli.main = run
sys.exit(__main__.main())
"""


@pytest.fixture(autouse=True)
def known(no_secrets: None) -> None:
    del no_secrets
    redactor.redactor().know(SECRET)


def leaks(text: str) -> list[str]:
    return [form for form in forms_of(SECRET) if form in text]


# ---- log -------------------------------------------------------------------------------------


def test_a_traceback_in_the_log_is_clean(tmp_path: Path) -> None:
    root = logging.getLogger("desktop_agent")
    before = root.handlers[:], root.level, root.propagate
    try:
        log_file.set_up(tmp_path)
        try:
            raise LookupError(f"no such thing: {SECRET}")
        except LookupError:
            root.exception("it failed with %r", SECRET)
    finally:
        root.handlers[:], root.level, root.propagate = before
    text = (tmp_path / "desktop-agent.log").read_text()
    assert "LookupError: no such thing: [secret]" in text and leaks(text) == []


# ---- terminal --------------------------------------------------------------------------------


def test_a_secret_written_in_pieces_does_not_reach_the_terminal() -> None:
    out = io.StringIO()
    stream = CleanStream(out, redactor.redactor())
    for piece in ("a ", SECRET[:5], SECRET[5:], " b\n", "rest ", SECRET[:7]):
        stream.write(piece)
        stream.flush()
    assert out.getvalue() == "a [secret] b\nrest "
    stream.write(SECRET[7:])
    stream.finish()
    assert out.getvalue() == "a [secret] b\nrest [secret]"


def test_a_prompt_is_shown_at_once() -> None:
    out = io.StringIO()
    stream = CleanStream(out, redactor.redactor())
    stream.write("What shall we do? ")
    stream.flush()
    assert out.getvalue() == "What shall we do? "


@pytest.mark.parametrize("words", [["--config", SECRET, "--no-window", "x"], ["doctor", "--config", SECRET]])
def test_complaints_of_the_command_line(words: list[str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "desktop_agent", *words],
        cwd=ROOT, env=environment(tmp_path, SOME_PASSWORD=SECRET), capture_output=True, text=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "[secret]" in ran.stdout + ran.stderr
    assert leaks(ran.stdout + ran.stderr) == []


# ---- crashes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["main", "thread"])
def test_a_crash_is_told_plainly_and_kept_without_secrets(where: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CRASHING, where],
        cwd=ROOT, env=environment(tmp_path, SOME_PASSWORD=SECRET), capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == (1 if where == "main" else 0)
    assert "something went wrong inside (ValueError)" in ran.stderr
    assert "Traceback" not in ran.stderr
    (report,) = tmp_path.rglob("crash-*.txt")
    text = report.read_text()
    assert str(report) in ran.stderr
    assert "ValueError: the server did not like [secret]" in text and "in inside" in text
    assert kept_private(report)
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert leaks(ran.stdout + ran.stderr + written) == []


def test_only_the_last_reports_are_kept(tmp_path: Path) -> None:
    reports = CrashReports(tmp_path, redactor.redactor())
    paths = [reports.write(ValueError(str(n)), "here") for n in range(KEPT + 3)]
    assert sorted(tmp_path.iterdir()) == sorted(path for path in paths[-KEPT:] if path)


def test_a_folder_that_takes_no_report_is_no_second_crash() -> None:
    assert CrashReports(Path("/proc/nowhere"), redactor.redactor()).write(ValueError(), "here") is None


# ---- feed and run log ------------------------------------------------------------------------


def test_every_event_is_clean_for_everybody(tmp_path: Path) -> None:
    heard: list[FeedEvent] = []
    feed = Feed()
    feed.subscribe(heard.append)
    feed.store = RunStore(tmp_path)
    feed.emit(say.Note(text=f"see {SECRET}"))
    feed.emit(say.Plan(steps=(SECRET,), current=0))
    feed.emit(say.Error(message=SECRET, advice=f"https://x/?q={SECRET}"))
    feed.tell(say.Status(state="error", detail=SECRET))
    feed.record("reply", {"raw": json.dumps({"text": SECRET})})
    feed.store.close()
    assert leaks((tmp_path / "events.jsonl").read_text()) == []
    assert leaks(repr(heard)) == [] and len(heard) == 4


def test_a_note_that_streams_never_shows_one(tmp_path: Path) -> None:
    heard: list[FeedEvent] = []
    feed = Feed()
    feed.subscribe(heard.append)
    for letter in f"It is {SECRET}, and {SECRET[:6]}!":
        feed.emit(say.NoteDelta(text=letter))
    streamed = "".join(event.text for event in heard if isinstance(event, say.NoteDelta))
    assert streamed == f"It is [secret], and {SECRET[:6]}!"
    feed.emit(say.NoteDelta(text=SECRET[:4]))
    feed.emit(say.Note(text="another"))
    feed.emit(say.NoteDelta(text="next"))
    assert heard[-1] == say.NoteDelta(text="next", time=heard[-1].time)


# ---- the hand's own process ------------------------------------------------------------------


def test_what_the_hand_writes_to_its_log_is_clean(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from desktop_agent.hand.injector import main\n"
        "from desktop_agent.redaction.redactor import redactor\n"
        "main._take_pipes()\n"
        "redactor().know_marked([os.environ['WORD']])\n"
        "raise ValueError('typing ' + os.environ['WORD'])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"WORD": "pin4"}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "ValueError: typing [secret]" in ran.stderr and "pin4" not in ran.stderr
