"""Runs one goal without the window: prints the live feed, asks at the terminal, returns the exit code."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import msgspec

from desktop_agent.agent.port import AgentPort
from desktop_agent.agent.runlog.publisher import without_pictures
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.startup.exit_code import DONE, FAILED, NEEDS_USER, STOPPED

Printer = Callable[[FeedEvent], None]

_ENDS = {"done": DONE, "error": FAILED, "stopped": STOPPED}
_LEAVE_SECONDS = 20.0
# Windows has Ctrl+Break for SIGTERM.
_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
_HERE = "  Press Enter here and I look again, then go on. Ctrl+C stops."
_NOBODY = "  Nobody is here to resume. Give the goal again when the mouse and keyboard are free."
_NO_YES = """\
  Nobody is here to say yes. Start it in a terminal or with the window, or allow it beforehand:
  [[policy.allow]] in config.toml for this place, or --permission full."""
_NO_YES_SCOPE = """\
  Nobody is here to say yes. Start it in a terminal or with the window, or allow it beforehand:
  {flags}   (or the same in [policy] allow_scope of config.toml)"""
_NO_ANSWER = "  Nobody is here to answer. Start it in a terminal or with the window, or say it in the goal."


def run_headless(port: AgentPort, goal: str, printer: Printer, terminal: TextIO | None) -> int:
    """Serve `port` in a thread, run `goal` to its end and return the exit code.

    `terminal` is where questions are answered from; None means nobody is there: a question, an
    approval or a pause then ends the run with NEEDS_USER.
    """
    events: queue.SimpleQueue[FeedEvent] = queue.SimpleQueue()
    port.subscribe(events.put)
    thread = threading.Thread(target=port.serve, name="agent", daemon=True)
    with _signals_stop(port):
        thread.start()
        port.send(goal)
        try:
            return _follow(port, events, printer, terminal)
        finally:
            port.quit()
            thread.join(_LEAVE_SECONDS)


def _follow(
    port: AgentPort, events: queue.SimpleQueue[FeedEvent], printer: Printer, terminal: TextIO | None
) -> int:
    while True:
        event = events.get()
        try:
            printer(event)
        except BrokenPipeError:  # nobody watches any more: an agent nobody watches does not act
            return _nobody_reads(port)
        if isinstance(event, say.Status) and event.state in _ENDS:
            return _ENDS[event.state]
        if not _waits_for_the_user(event):
            continue
        if terminal is None:
            print(_nobody_here(event), file=sys.stderr)
            return NEEDS_USER
        if isinstance(event, say.Status):
            print(_HERE, file=sys.stderr)
        _answer(port, event, terminal)


def _waits_for_the_user(event: FeedEvent) -> bool:
    paused = isinstance(event, say.Status) and event.state == "paused"
    return paused or isinstance(event, say.Question | say.ApprovalAsked)


def _nobody_here(event: FeedEvent) -> str:
    """The advice for an event that needs the user where nobody can answer."""
    match event:
        case say.ApprovalAsked(adds=(_, *_)):
            flags = " ".join(f"--allow {shlex.quote(each)}" for each in event.adds)
            return _NO_YES_SCOPE.format(flags=flags)
        case say.ApprovalAsked():
            return _NO_YES
        case say.Question():
            return _NO_ANSWER
    return _NOBODY


def _nobody_reads(port: AgentPort) -> int:
    port.stop("nobody reads the feed any more")
    with Path(os.devnull).open("wb") as sink:  # or Python complains once more when it ends
        os.dup2(sink.fileno(), sys.stdout.fileno())
    return STOPPED


def _answer(port: AgentPort, event: FeedEvent, terminal: TextIO) -> None:
    """Read the answer in a thread of its own, so that Ctrl+C and the end of the run are not delayed."""

    def read() -> None:
        line = terminal.readline().strip()
        if isinstance(event, say.Question):
            port.send(line or "go on")
        elif isinstance(event, say.ApprovalAsked) and line.lower() in ("y", "yes", "always"):
            port.approve(event.id, always=line.lower() == "always" and event.lasting)
        elif isinstance(event, say.ApprovalAsked):
            port.skip(event.id)
        else:
            if line:
                port.send(line)
            port.resume()

    threading.Thread(target=read, name="answer", daemon=True).start()


@contextmanager
def _signals_stop(port: AgentPort) -> Iterator[None]:
    """While it lasts, Ctrl+C and SIGTERM (Ctrl+Break on Windows) stop the run as Esc does."""

    def stop(number: int, _frame: object) -> None:
        port.stop("you pressed Ctrl+C" if number == signal.SIGINT else "the program was asked to end")

    before = {each: signal.signal(each, stop) for each in _ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


# ---- printing --------------------------------------------------------------------------------


def json_printer(out: TextIO) -> Printer:
    """A printer that writes every event as one JSON line."""

    def show(event: FeedEvent) -> None:
        _write(out, msgspec.json.encode(without_pictures(event)).decode() + "\n")

    return show


def text_printer(out: TextIO) -> Printer:
    """A printer that writes the live feed for people."""

    def show(event: FeedEvent) -> None:
        lines = _lines(event)
        if lines:
            _write(out, "\n".join(lines) + "\n")

    return show


def _lines(event: FeedEvent) -> list[str]:
    match event:
        case say.Plan():
            marks = [
                "✓" if i < event.current else "▸" if i == event.current else "·"
                for i in range(len(event.steps))
            ]
            return ["", *(f"  {mark} {step}" for mark, step in zip(marks, event.steps, strict=True))]
        case say.ScopeSet():
            return _scope_lines(event)
        case say.Note():
            return ["", event.text]
        case say.Action():
            return [f"    … {event.words}  [{event.exact}]"]
        case say.Result():
            return [f"    {_MARKS[event.outcome]} {_result_words(event)}"]
        case say.Question():
            return ["", f"? {event.text}"]
        case say.ApprovalAsked():
            return [
                "",
                f"? May I? {event.words}",
                f"    {'; '.join(event.exact)}  in {event.window or 'the screen'}",
                f"    {' '.join(filter(None, (event.why, event.source)))} [{'y/N/always' if event.lasting else 'y/N'}]",
            ]
        case say.GoalReached():
            return ["", f"Done: {event.summary}"]
        case say.Error():
            return ["", f"Failed: {event.message}", *([f"  {event.advice}"] if event.advice else [])]
        case say.Status(state="paused" | "stopped"):
            return ["", f"{event.state.capitalize()}{': ' + event.detail if event.detail else ''}"]
        case say.Recording():
            return [f"Recording: {event.path}"]
    return []


def _scope_lines(event: say.ScopeSet) -> list[str]:
    """The whole scope when it is told first, afterwards what was added."""
    if event.added:
        return ["", f"This run may now also: {'; '.join(event.added)}"]
    return [
        "",
        "This run may:",
        *(f"    {line}" for line in event.words or ("Look; all else is asked about",)),
    ]


_MARKS = {"done": "✓", "refused": "✗", "failed": "✗", "stopped": "■", "skipped": "-"}


def _result_words(event: say.Result) -> str:
    effect = {
        "changed": "screen changed",
        "unchanged": "no effect",
        "confirmed": "confirmed",
        "unknown": "",
    }
    outcome = "" if event.outcome == "done" else event.outcome
    parts = (event.words, outcome, event.detail, effect[event.effect], f"{event.seconds:.1f} s")
    return " · ".join(part for part in parts if part)


def _write(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()
