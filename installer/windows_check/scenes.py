"""What the program is seen doing on Windows, scene by scene."""

from __future__ import annotations

import select
import time
from pathlib import Path

from PIL import Image

from desktop_agent.protocol.geometry import Point, Rect
from installer.windows_check.app import (
    END_SECONDS,
    SECOND_TITLE,
    TITLE,
    Lab,
    Run,
    exit_code,
    file_name,
    until,
)
from installer.windows_check.inside import TopWindow
from installer.windows_check.outcome import Broken
from installer.windows_check.probes.keys import ESCAPE, PACKET

SHADES = 20
LOOK_SECONDS, STILL_LOOKS, MOST_LOOKS = 0.25, 3, 20
GAP = 8
"""Pixels between the docked window and the edges."""
MIXED = (
    "Grüße, Ærøskøbing – Καλημέρα, Привет мир! 你好，世界 日本語 한국어 😀🚀𝄞 "
    "e\u0301a\u0308o\u0302 «ﬁn» € ½ x² don't\nsecond line: 100 %; a\\b {c} [d] <e>\n\nthe last one"
)
"""Umlauts, Greek, Cyrillic, Chinese, Japanese, Korean, characters of two UTF-16 units, combining ones, lines."""
SENTENCE = "The quick brown Fox jumps over 13 lazy dogs. "
LONG = SENTENCE * 90
FULL = ("--model", "offline", "--permission", "full")
FIRST_CHARACTERS, MOST_AFTER_ESCAPE = 100, 2
SHOW_BUTTON = Point(-61, -33)
"""In the second start's window, from its right and bottom."""
CONSOLE = "ConsoleWindowClass"


def expect(is_so: object, otherwise: str) -> None:
    """Raises Broken with the words unless it is so."""
    if not is_so:
        raise Broken(otherwise)


# ---- the window ------------------------------------------------------------------------------


def window_up(lab: Lab) -> str:
    """Docked at the right, always on top, in front of a notepad as large as the screen, no console."""
    lab.machine.start(["notepad.exe"])
    notepad = lab.notepad()
    began = time.monotonic()
    with lab.started("--model", "offline"):
        window = lab.ready()
        seconds, area = time.monotonic() - began, lab.probe.work_area()
        place = window.place
        expect(_docked(place, area), f"the window is at {place}, the work area is {area}")
        expect(window.topmost, "the window is not marked as always on top (WS_EX_TOPMOST)")
        until(lambda: len(set(_header(lab, "window", place))) > SHADES, "the painted window")
        alone = _header(lab, "window", place)
        lab.probe.ask("fill_screen", notepad.window)
        until(lambda: lab.probe.ask("foreground") == notepad.window, "notepad with the keyboard")
        covered = _header(lab, "window over notepad", place)
        order = [each.window for each in lab.probe.windows()]
        expect(order.index(window.window) < order.index(notepad.window), "notepad is in front of it")
        expect(alone == covered, "something else is seen where the window's header was")
        shown = [each for each in lab.probe.windows() if each.pid == window.pid]
        consoles = [each.title for each in lab.probe.windows() if each.kind == CONSOLE]
        expect(len(shown) == 1 and not consoles, f"other windows: {[w.title for w in shown]}, {consoles}")
    where = f"{place.width}x{place.height} at {place.x},{place.y}"
    return f"{where} after {seconds:.1f} s, topmost, before notepad, no console"


def _docked(place: Rect, area: Rect) -> bool:
    wanted = (area.right - GAP, area.y + GAP, area.bottom - GAP)
    return (place.right, place.y, place.bottom) == wanted


def _header(lab: Lab, name: str, place: Rect) -> bytes:
    """What is seen of the window's upper part."""
    with Image.open(picture(lab, name)) as screen:
        return screen.crop((place.x + 20, place.y + 5, place.right - 20, place.y + 45)).tobytes()


def picture(lab: Lab, name: str) -> Path:
    """A screenshot, named after the program and what it shows, once all is painted (or will not come to rest)."""
    words = file_name(f"{lab.name}-{name}")
    path, before, same = lab.machine.screenshot(words), b"", 0
    for _ in range(MOST_LOOKS):
        select.select([], [], [], LOOK_SECONDS)
        now = lab.machine.screenshot(words).read_bytes()
        same, before = (same + 1 if now == before else 0), now
        if same == STILL_LOOKS:
            break
    return path


# ---- typing ----------------------------------------------------------------------------------


def text_through_window(lab: Lab) -> str:
    """A goal given in the window; the text it asks for stands in notepad, character by character."""
    with lab.started(*FULL):
        run = lab.until_over(lab.say(lab.ready(), _typing(MIXED)))
        lab.window(f"{TITLE} done")
        picture(lab, "text in notepad")
        return _text_arrived(lab, run)


def text_without_window(lab: Lab) -> str:
    """The same from the command line, without a window; the exit code tells that it is done."""
    before = lab.runs()
    ended = lab.run("--no-window", *FULL, _typing(MIXED))
    run = lab.read(lab.new_run(before))
    words = _text_arrived(lab, run)
    expect(ended.returncode == 0, f"exit code {ended.returncode}: {ended.stdout[-500:]}")
    return f"{words}, exit code 0"


def _typing(text: str) -> str:
    return f'open notepad and type "{text}"'


def _text_arrived(lab: Lab, run: Run) -> str:
    expect(run.state[0] == "done", f"the run ended as {run.state}, {run.results}")
    found = lab.probe.text(lab.notepad().window)
    expect(found == MIXED, f"notepad has {_difference(found, MIXED)}")
    return f"{len(MIXED)} characters exact"


def _difference(found: str, wanted: str) -> str:
    same = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(found), len(wanted)) if same is None else same
    return f"{len(found)} of {len(wanted)} characters; from {at} on {found[at : at + 20]!r}, not {wanted[at : at + 20]!r}"


# ---- Esc -------------------------------------------------------------------------------------


def escape_while_typing(lab: Lab) -> str:
    """The human presses Esc in the middle of a long text."""
    before = lab.runs()
    with lab.started(*FULL, _typing(LONG)):
        log, notepad = lab.new_run(before), lab.notepad().window
        lab.probe.ask("watch")
        until(lambda: lab.probe.ask("length", notepad) >= FIRST_CHARACTERS, "the first characters in notepad")
        lab.person.press("escape")
        run = lab.until_over(log)
        expect(run.state[0] == "stopped" and "ESC" in run.state[1], f"the run ended as {run.state}")
        after, seconds = _after_escape(lab)
        hands = lab.hands()
        expect(hands is not None and not hands.holding, f"the ledger says {hands}")
        until(lambda: not lab.probe.held(), "the end of the press of Esc itself", END_SECONDS)
        lab.window(f"{TITLE} stopped")
        picture(lab, "stopped by Esc")
        typed = lab.probe.ask("length", notepad)
    expect(FIRST_CHARACTERS <= typed < len(LONG), f"{typed} of {len(LONG)} characters were typed")
    expect(after <= MOST_AFTER_ESCAPE, f"{after} characters came after Esc")
    return (
        f"stopped after {typed} of {len(LONG)} characters, {after} after Esc "
        f"({seconds * 1000:.1f} ms), nothing held; told as: {run.state[1]}"
    )


def _after_escape(lab: Lab) -> tuple[int, float]:
    """Characters that Windows took after the human's Esc, and seconds to the last of them (0 without one)."""
    events = lab.probe.keys_seen()
    first = next((n for n, e in enumerate(events) if e.code == ESCAPE and not e.injected and not e.up), None)
    if first is None:
        raise Broken("Windows saw no Esc of the human")
    after = [each for each in events[first:] if each.code == PACKET and not each.up]
    return len(after), after[-1].at - events[first].at if after else 0.0


# ---- one of a kind ---------------------------------------------------------------------------


def second_start(lab: Lab) -> str:
    """While it runs: a start in a terminal is refused, one with a window offers to show the first."""
    with lab.started("--model", "offline"):
        first = lab.ready()
        refused = lab.run("--no-window", *FULL, "wait 1 second")
        expect(refused.returncode == 1, f"the second start ended with {refused.returncode}")
        lab.probe.ask("minimise", first.window)
        until(lambda: _minimised(lab, first), "the first window small")
        second = lab.start("--model", "offline")
        message = lab.window(SECOND_TITLE)
        picture(lab, "second start")
        lab.click_until(
            message, SHOW_BUTTON, lambda: not _minimised(lab, first), "the first window shown again"
        )
        code = exit_code(second)
        expect(code == 1, f"the second start with a window ended with {code}")
    return "refused with exit code 1, and with a window it showed the first one, exit code 1"


def _minimised(lab: Lab, window: TopWindow) -> bool:
    return any(each.window == window.window and each.minimised for each in lab.probe.windows())


def folders(lab: Lab) -> str:
    """Settings and store are where Windows wants them, and the log is whole."""
    local = lab.probe.ask("local_data")
    before = lab.runs()
    ended = lab.run("--no-window", *FULL, "open notepad")
    run = lab.read(lab.new_run(before))
    expect(run.state[0] == "done", f"the run ended as {run.state} with {ended.returncode}")
    expect(run.folder.startswith(local), f"the run is kept in {run.folder}, not below {local}")
    checked = lab.run("verify", "--strict", run.folder)
    expect(checked.returncode == 0, f"verify says {checked.returncode}: {checked.stdout[-500:]}")
    with lab.started("--model", "offline") as process:
        lab.click_close(lab.ready())
        exit_code(process)
    settings = lab.probe.ask("files", local, r"desktop-agent\window.ini")
    expect(settings, f"no window.ini in {local}\\desktop-agent")
    return f"store and window.ini in {local}\\desktop-agent, log whole and witnessed"


def clean_exit(lab: Lab) -> str:
    """After a run its user clicks the cross: exit code 0, no process of it is left, nor what it unpacked.

    That of starts before, whose first process was killed, has gone by then, too.
    """
    with lab.started(*FULL) as process:
        run = lab.until_over(lab.say(lab.ready(), "open notepad"))
        expect(run.state[0] == "done", f"the run ended as {run.state}")
        until(lambda: len(_unpacked(lab)) <= 1, "the removal of what killed ones unpacked")
        count, hands = len(lab.ours()), lab.hands()
        if hands is None:
            raise Broken("there was no hand")
        window = lab.window(f"{TITLE} done")
        picture(lab, "done")
        lab.click_close(window)
        code = exit_code(process)
        until(lambda: not lab.ours(), "the end of all its processes", END_SECONDS)
        expect(code == 0, f"exit code {code}")
        expect(not lab.probe.held(), f"virtual keys {lab.probe.held()} are held")
        left = [each.path for each in lab.probe.hands() if each.path == hands.path]
        expect(not left, f"a shared block is left: {left}")
        expect(not _unpacked(lab), f"what it unpacked is left: {_unpacked(lab)}")
    return f"exit code 0, all {count} processes gone, nothing held, nothing unpacked is left"


def _unpacked(lab: Lab) -> list[str]:
    """Folders of programs that are one file."""
    return list(lab.probe.ask("files", lab.probe.ask("environment", "TEMP")["TEMP"], "_MEI*"))
