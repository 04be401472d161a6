"""The console in a real browser: from its address to the first picture, from a key to the picture, and eight viewers at once."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.lab.private_desk import Desk
from benchmarks.lab.served_console import OnDisplays, given, in_memory, serving, watching
from benchmarks.lab.waiting import until
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from benchmarks.rfb import keyed
from desktop_agent.agents.roster import Roster
from desktop_agent.console.console_server import Console

FIRST_PICTURE, KEY_TO_PICTURE = Goal(1000.0), Goal(60.0)
VIEWERS = 8
_FLAGS = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")  # fmt: skip
_PIXEL = """() => {
  const canvas = document.querySelector("#screen canvas");
  const [red, green, blue] = canvas?.width >= 1280 ? canvas.getContext("2d").getImageData(640, 400, 1, 1).data : [0, 0, 0];
  return (red << 16) | (green << 8) | blue;
}"""
_FIRST = f"""() => new Promise((done) => {{
  const pixel = {_PIXEL};
  const look = () => (pixel() ? done(performance.now()) : requestAnimationFrame(look));
  look();
}})"""
_NEXT = f"""() => {{
  const pixel = {_PIXEL};
  window.keyToPicture = new Promise((done) => addEventListener("keydown", () => {{
    const before = pixel(), began = performance.now();
    const look = () => (pixel() !== before ? done(performance.now() - began) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  }}, {{ capture: true, once: true }}));
}}"""


def run(quick: bool) -> Report:
    """Xvnc at 1280x800, and the browser without a graphics card; times in ms as the page itself sees them."""
    pages, keys, words = (3, 20, 10) if quick else (15, 200, 50)
    with tempfile.TemporaryDirectory(prefix="console-") as folder:
        first, typed = _in_browser(Path(folder) / "displays", pages, keys)
        watched = _watched(Path(folder) / "memory", words)
    return report(
        "console",
        measured("from the address to the first picture", first, "ms", FIRST_PICTURE),
        measured("from a key in a taken screen to the picture", typed, "ms", KEY_TO_PICTURE),
        *watched,
        notes=["A browser without a graphics card shows 60 pictures a second, and Xvnc looks for changes as often."],
    )  # fmt: skip


# ---- in the browser ------------------------------------------------------------------------------


def _in_browser(root: Path, pages: int, keys: int) -> tuple[list[float], list[float]]:
    building = OnDisplays()
    with serving(root, building, "a") as (console, roster), _browser() as new_page:
        roster.start("a")
        roster.say("a", "wait for me")
        until(lambda: roster.agent("a").state == "asking", "the agent")
        with keyed(Desk(building.desks["a"]), shown=0x204060):
            first = [_first(new_page, console) for _ in range(pages)]
            page = new_page()
            page.goto(console.address)
            page.evaluate(_FIRST)
            page.locator("#take").click()
            page.locator("#screen.mine canvas:focus").wait_for()
            typed = [_typed(page) for _ in range(keys)]
    return first, typed


def _first(new_page: Any, console: Console) -> float:
    """As the page of somebody who has never been there sees it."""
    page: Page = new_page()
    page.goto(console.address, wait_until="commit")
    found = float(page.evaluate(_FIRST))
    page.context.close()
    return found


def _typed(page: Page) -> float:
    page.evaluate(_NEXT)
    page.keyboard.press("x")
    return float(page.evaluate("() => window.keyToPicture"))


@contextmanager
def _browser() -> Iterator[Any]:
    """Makes a new page, each as in a browser that was just installed. Raises BenchmarkError where there is no browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise BenchmarkError("there is no chromium here")
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*_FLAGS, *sandbox])
        try:
            yield lambda: browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        finally:
            browser.close()


# ---- many viewers --------------------------------------------------------------------------------


def _watched(root: Path, words: int) -> list[Figure]:
    """Viewers that follow an agent to which something is said again and again, beside one that reads nothing."""
    with serving(root, in_memory, "a") as (console, roster):
        roster.start("a")
        with watching(console) as asleep:
            asleep.recv()
            viewers = [_Viewer(console) for _ in range(VIEWERS)]
            until(lambda: all(each.views for each in viewers), "the viewers")
            took = [_say(roster, number) for number in range(words)]
            want = len(roster.messages("a"))
            view = json.loads(json.dumps(given(console, "/api/agents")))[0]
            until(lambda: all(each.views["a"] == view for each in viewers), "how things stand", 20)
            until(lambda: all(len(each.lines) >= want for each in viewers), "all that was said", 20)
            known = given(console, "/api/agents/a/messages")
            for each in viewers:
                each.leave()
            missing = sum(each.lines[: len(known)] != known for each in viewers)
    events = words * VIEWERS
    return [
        counted("viewers that missed something, of eight beside one that reads nothing", missing, events, "viewers", Goal(0)),
        measured("words to an agent while they watch, until it is done", took, "ms"),
    ]  # fmt: skip


def _say(roster: Roster, number: int) -> float:
    began = time.perf_counter()
    goal = f"word {number}"
    roster.say("a", goal)
    until(lambda: (view := roster.agent("a")).goal == goal and view.state == "waiting", goal)
    return 1000 * (time.perf_counter() - began)


class _Viewer:
    """What a page would know: the agents by name, and all lines of the conversation of one."""

    def __init__(self, console: Console) -> None:
        self.views: dict[str, Any] = {}
        self.lines: list[Any] = []
        self._console = console
        self._socket = watching(console)
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        for message in self._socket:
            news = json.loads(message)
            for each in news.get("agents") or news.get("changed") or ():
                self.views[each["name"]] = each
            self.lines += given(self._console, f"/api/agents/a/messages?after={len(self.lines)}")

    def leave(self) -> None:
        self._socket.close()
        self._thread.join(20)
