"""Runs one goal without the window: prints the live feed, asks at the terminal, returns the exit code."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec

from desktop_agent.agent.bill_words import run_in_a_line
from desktop_agent.agent.port import AgentPort
from desktop_agent.agent.readable_text import ENTER, NEW_LINE, in_one
from desktop_agent.agent.runlog.publisher import without_pictures
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.startup.exit_code import DONE, FAILED, NEEDS_USER, STOPPED
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.support.terminal_text import MOST, block, json_safe, one_line

Printer = Callable[[FeedEvent], None]

_ENDS = {"done": DONE, "error": FAILED, "stopped": STOPPED}
_LEAVE_SECONDS = 20.0
# Windows has Ctrl+Break for SIGTERM.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
_HERE = "  Press Enter here and I look again, then go on. Ctrl+C stops."
_NOBODY = "  Nobody is here to resume. Give the goal again when the mouse and keyboard are free."
_NO_YES = """\
  Nobody is here to say yes. Start it in a terminal or with the window, or allow it beforehand:
  [[scope.allow]] in config.toml for this place, or --permission full. What --for, --in and --with leave out is asked."""
_NO_YES_SCOPE = """\
  Nobody is here to say yes. Start it in a terminal or with the window, or allow it beforehand:
  {flags}   (or the same in [scope] places of config.toml)
  What is dangerous by its name needs a [[scope.allow]] for this place, too, or --permission full."""
_NO_ANSWER = "  Nobody is here to answer. Start it in a terminal or with the window, or say it in the goal."


def run_headless(
    port: AgentPort, goal: str, printer: Printer, terminal: TextIO | None, *, resume: str = ""
) -> int:
    """Serve `port` in a thread, run `goal` (or go on with the run `resume`) to its end and return the exit code.

    `terminal` is where questions are answered from; None means nobody is there: a question, an
    approval or a pause then ends the run with NEEDS_USER.
    """
    events: queue.SimpleQueue[FeedEvent] = queue.SimpleQueue()
    port.subscribe(events.put)
    thread = threading.Thread(target=port.serve, name="agent", daemon=True)
    with _signals_stop(port):
        thread.start()
        if resume:
            port.resume_run(resume)
        else:
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
        if terminal is not None and isinstance(event, say.ApprovalAsked):
            forget_typed_ahead(terminal)
        try:
            printer(event)
        except BrokenPipeError:  # nobody watches any more: an agent nobody watches does not act
            return _nobody_reads(port)
        if isinstance(event, say.Status) and event.state in _ENDS:
            return _ENDS[event.state]
        if not _waits_for_the_user(event):
            continue
        if terminal is None:
            print(nobody_here(event), file=sys.stderr)
            return NEEDS_USER
        if isinstance(event, say.Status):
            print(_HERE, file=sys.stderr)
        _answer(port, event, terminal)


def _waits_for_the_user(event: FeedEvent) -> bool:
    paused = isinstance(event, say.Status) and event.state == "paused"
    return paused or isinstance(event, say.Question | say.ApprovalAsked)


def nobody_here(event: FeedEvent) -> str:
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
            port.send(_picked(line, event.choices) or "go on")
        elif isinstance(event, say.ApprovalAsked) and line.lower() in ("y", "yes", "always"):
            port.approve(event.id, always=line.lower() == "always" and event.lasting)
        elif isinstance(event, say.ApprovalAsked):
            port.skip(event.id)
        else:
            if line:
                port.send(line)
            port.resume()

    threading.Thread(target=read, name="answer", daemon=True).start()


def _picked(line: str, choices: Sequence[str]) -> str:
    """The choice whose number was typed; any other line as it is."""
    return {str(number): choice for number, choice in enumerate(choices, 1)}.get(line, line)


@contextmanager
def _signals_stop(port: AgentPort) -> Iterator[None]:
    """While it lasts, Ctrl+C and SIGTERM (Ctrl+Break on Windows) stop the run as Esc does."""

    def stop(number: int, _frame: object) -> None:
        port.stop("you pressed Ctrl+C" if number == signal.SIGINT else "the program was asked to end")

    before = {each: signal.signal(each, stop) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


# ---- printing --------------------------------------------------------------------------------


def json_printer(out: TextIO) -> Printer:
    """A printer that writes every event as one JSON line."""

    def show(event: FeedEvent) -> None:
        _write(out, json_safe(msgspec.json.encode(without_pictures(event)).decode()) + "\n")

    return show


def text_printer(out: TextIO) -> Printer:
    """A printer that writes the live feed for people.

    What comes from the model, pages and windows never begins a line, and reaches the terminal as visible text.
    """
    width = shutil.get_terminal_size().columns if out.isatty() else 0
    used = ""

    def show(event: FeedEvent) -> None:
        nonlocal used
        lines = _lines(event, width)
        if isinstance(event, say.Usage):
            used = run_in_a_line(event)
        elif isinstance(event, say.Status) and event.state in _ENDS and used:
            lines, used = [*lines, used], ""
        if lines:
            _write(out, "\n".join(lines) + "\n")

    return show


def _lines(event: FeedEvent, width: int) -> list[str]:
    match event:
        case say.Plan():
            marks = [
                "✓" if i < event.current else "▸" if i == event.current else "·"
                for i in range(len(event.steps))
            ]
            return [
                "",
                *(f"  {mark} {one_line(step)}" for mark, step in zip(marks, event.steps, strict=True)),
            ]
        case say.ScopeSet():
            return _scope_lines(event, width)
        case say.Note():
            return ["", *block(event.text, "  ", width, MOST)]
        case say.InputGranted() if event.told:
            return _begun("!", event.told, width)
        case say.InputGrantOver():
            return _begun("!", event.text, width)
        case say.Action():
            return [f"    … {one_line(event.words)}  [{one_line(event.exact)}]"]
        case say.Result():
            words = f"    {_MARKS[event.outcome]} {one_line(_result_words(event))}"
            return [words, *_printed_lines(event.output, width)]
        case say.Question():
            return [*_begun("?", event.text, width), *_choice_lines(event.choices, width)]
        case say.ApprovalAsked():
            return _asked(event, width)
        case say.GoalReached():
            return [
                *_begun(_done_word(event), event.summary, width),
                *_receipt_lines(event.receipts, width),
            ]
        case say.Error():
            advice = block(event.advice, "  ", width, MOST) if event.advice else []
            return [*_begun("Failed:", event.message, width), *advice]
        case say.Status(state="paused" | "stopped"):
            return ["", f"{event.state.capitalize()}{': ' + one_line(event.detail) if event.detail else ''}"]
        case say.Recording():
            return [f"Recording: {one_line(event.path)}"]
    return []


def _begun(word: str, text: str, width: int) -> list[str]:
    """An empty line, then the text with a word of ours before it and its further lines indented."""
    first, *more = block(text, "  ", width, MOST)
    return ["", f"{word} {first.strip()}", *more]


_VERDICTS = {"verified": "✓", "unverified": "?", "contradicted": "✗"}


def _done_word(event: say.GoalReached) -> str:
    if event.answered:
        return "Answered:"
    if event.verdict == "verified":
        return "Done:"
    return "Done, as you said:" if event.said_by_user else "Done, not checked:"


def _receipt_lines(receipts: Sequence[say.Receipt], width: int) -> list[str]:
    """What each claim is known by, in the order of `receipts`: a mark, a word and the reason."""
    lines = (f"{_VERDICTS[each.verdict]} {each.verdict}: {one_line(each.detail)}" for each in receipts)
    return [line for each in lines for line in block(each, _INDENT, width)]


def _choice_lines(choices: Sequence[str], width: int) -> list[str]:
    """The choices with their numbers; what is wrapped stands further in than any number, so that it fakes none."""
    lines = []
    for number, choice in enumerate(choices, 1):
        first, *more = block(one_line(choice), _UNDER_NUMBER, width)
        lines += [f"{_INDENT}{number}. {first.strip()}", *more]
    span = f"1-{len(choices)}" if len(choices) > 1 else "1"
    return [*lines, f"{_INDENT}[{span}, or your own words]"] if choices else []


def _asked(event: say.ApprovalAsked, width: int) -> list[str]:
    """The question whole: nothing of what is asked for is cut, and each line of it stands behind a bar."""
    shown = [line for row in event.rows for line in _row(row, width)]
    if not event.rows:
        shown = block("; ".join(event.exact), _INDENT, width)
    reason = " ".join(filter(None, (event.why, event.source)))
    always = (
        block(f"Always: {event.covers}, until you close the program.", _INDENT, width) if event.covers else []
    )
    return [
        *_begun("? May I?", event.words, width),
        *shown,
        *block(f"in {one_line(event.window) or 'the screen'}", _INDENT, width),
        *block(one_line(reason), _INDENT, width),
        *always,
        f"{_INDENT}[{'y/N/always' if event.lasting else 'y/N'}]",
    ]


def _row(row: say.AskedRow, width: int) -> list[str]:
    if row.kind == "does":
        return block(in_one(row.text), _INDENT, width)
    if row.kind == "host":
        marked = f"  (registered: {row.strong})" if row.strong else ""
        return block(f"{row.label}: {in_one(row.text)}{marked}", _INDENT, width)
    if row.kind == "fact":
        return block(f"{row.label}: {in_one(row.text)}", _INDENT, width)
    line_feed = ENTER if row.kind == "typed" else NEW_LINE * (not row.seen)
    text = in_one(row.text, line_feed).removesuffix("\n") or "‹nothing›"
    return [f"{_INDENT}{row.label}:", *block(text, f"{_INDENT}│ ", width)]


_INDENT = "    "
_PRINTED = _INDENT + "│ "
_UNDER_NUMBER = _INDENT + " " * len("1. ")


def _scope_lines(event: say.ScopeSet, width: int) -> list[str]:
    """The whole scope when it is told first, afterwards what was added."""
    if event.added:
        return _begun("+", f"This run may now also: {'; '.join(event.added)}", width)
    return [
        "",
        "This run may:",
        *(
            shown
            for line in event.words or ("Look; all else is asked about",)
            for shown in block(one_line(line), _INDENT, width)
        ),
    ]


_MARKS = {"done": "✓", "refused": "✗", "failed": "✗", "stopped": "■", "skipped": "-"}


def _result_words(event: say.Result) -> str:
    effect = {
        "changed": "unverified: screen changed",
        "unchanged": "no effect",
        "confirmed": "verified",
        "unknown": "",
    }
    outcome = "" if event.outcome == "done" else event.outcome
    parts = (event.words, outcome, event.detail, effect[event.effect], f"{event.seconds:.1f} s")
    return " · ".join(part for part in parts if part)


MOST_PRINTED = 20
"""Lines of what a command printed."""


def _printed_lines(output: str, width: int) -> list[str]:
    """What a command printed, its first lines."""
    text = output.strip("\n")
    lines = block(text, _PRINTED, width) if text.strip() else []
    more = len(lines) - MOST_PRINTED
    if more <= 0:
        return lines
    return [*lines[:MOST_PRINTED], f"{_INDENT}… {more:,} more {'line' if more == 1 else 'lines'}"]


def _write(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()


def forget_typed_ahead(terminal: TextIO) -> None:
    """Drop what waits to be read at a terminal; a pipe or a file keeps what it has."""
    with contextlib.suppress(OSError, ValueError):  # it is gone, or has no descriptor
        if not terminal.isatty():
            return
        if WINDOWS:
            _forget_keys()
        else:
            import termios

            termios.tcflush(terminal.fileno(), termios.TCIFLUSH)


def _forget_keys() -> None:
    import msvcrt  # is there on Windows only

    runtime: Any = msvcrt
    while runtime.kbhit():
        runtime.getwch()
