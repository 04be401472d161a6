"""The console in a real browser: from opening the page to its first picture, from a key to what it changes, and many viewers."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from benchmarks.report import BenchmarkError, Goal, Report, counted, measured, report
from benchmarks.rfb import keyed
from desktop_agent.extras.console.page.console_server import Console
from tests.support.private_desk import Desk
from tests.support.served_console import OnDisplays, served
from tests.support.waiting import until

FIRST_FRAME, KEY = Goal(1.0), Goal(60.0)
LOST = Goal(0)
VIEWERS = 8
FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
# In the page: the moment in which the picture of the screen shows this colour at this place.
_SHOWS = """([x, y, want]) => new Promise((done) => {
  const look = () => {
    const canvas = document.querySelector("#screen canvas");
    const at = canvas && canvas.getContext("2d").getImageData(x, y, 1, 1).data;
    if (at && (at[0] << 16 | at[1] << 8 | at[2]) === want) done(performance.now()); else requestAnimationFrame(look);
  };
  look();
})"""


def run(quick: bool) -> Report:
    """Times in s and ms."""
    program = shutil.which("chromium")
    if program is None:
        raise BenchmarkError("chromium is missing: apt-get install chromium")
    build = OnDisplays("{}")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), build, "a") as (console, roster):
        roster.start("a")
        build.desks["a"].start()
        frames, keys = _in_browser(program, console, build, 5 if quick else 20, 10 if quick else 100)
        lost, told = _viewers(console, roster, 50 if quick else 1_000)
    return report(
        "console",
        measured("page to first frame", frames, "s", FIRST_FRAME),
        measured("key to picture, in the browser", keys, "ms", KEY),
        counted(f"viewers of {VIEWERS} that ended with other than the last state", lost, VIEWERS, "", LOST),
        counted("messages to them in all", told, VIEWERS, ""),
        notes=["A viewer is told how things stand by then, so that the number of messages is smaller than that of changes."],
    )  # fmt: skip


def _in_browser(
    program: str, console: Console, build: OnDisplays, opens: int, presses: int
) -> tuple[list[float], list[float]]:
    from playwright.sync_api import sync_playwright

    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as control:
        browser = control.chromium.launch(executable_path=program, args=[*FLAGS, *root])
        frames = []
        for _ in range(opens):
            page = browser.new_page(viewport={"width": 1700, "height": 1000})
            began = time.perf_counter()
            page.goto(console.address)
            page.locator("body[data-screen=a]").wait_for()
            page.evaluate(_SHOWS, [5, 5, 0x3B6EA5])
            frames.append(time.perf_counter() - began)
            page.close()
        page = browser.new_page(viewport={"width": 1700, "height": 1000})
        page.goto(console.address)
        page.locator("body[data-screen=a]").wait_for()
        keys = _keys(page, build, presses)
        browser.close()
    return frames, keys


def _keys(page: Any, build: OnDisplays, presses: int) -> list[float]:
    """From a key pressed in the page to the pixel that it changes on the screen, in the page again."""
    page.locator("#take").click()
    page.locator("#state.taken").wait_for()
    found = []
    with keyed(Desk(build.desks["a"])):
        page.locator("#screen canvas").first.click(position={"x": 400, "y": 300})
        for number in range(1, presses + 1):
            colour = number * 0x102030 % 0x1000000
            watch = f"() => ({{ shown: ({_SHOWS})([635, 395, {colour}]), began: performance.now() }})"
            seen = page.evaluate_handle(watch)
            page.keyboard.press("a")
            found.append(page.evaluate("async (each) => (await each.shown) - each.began", seen))
    return found


def _viewers(console: Console, roster: Any, changes: int) -> tuple[int, int]:
    """How many of the viewers did not end with the last state, and how many messages all got."""
    last: dict[int, str] = {}
    told = [0] * VIEWERS
    over = threading.Event()

    def watch(number: int) -> None:
        origin = Origin(f"http://127.0.0.1:{console.port}")
        offered = [Subprotocol("desktop-agent"), Subprotocol(f"token.{console.token}")]
        with connect(
            f"ws://127.0.0.1:{console.port}/api/events", origin=origin, subprotocols=offered
        ) as socket:
            while not over.is_set():
                try:
                    news = json.loads(socket.recv(timeout=0.5))
                except TimeoutError:
                    continue
                told[number] += 1
                for each in news.get("agents", news.get("changed", ())):
                    last[number] = each["goal"]
                if number == 0:
                    over.wait(0.05)  # one that is slow

    watching = [threading.Thread(target=watch, args=(number,)) for number in range(VIEWERS)]
    for each in watching:
        each.start()
    until(lambda: len(last) == VIEWERS, "all viewers")
    running = roster._running["a"]
    for number in range(changes):
        running.goal = f"goal {number}"
        console._changes.note("a")
    wanted = f"goal {changes - 1}"
    try:
        until(lambda: all(each == wanted for each in last.values()), "the last state", 20)
    finally:
        over.set()
        for each in watching:
            each.join()
    return sum(each != wanted for each in last.values()), sum(told)
