"""A VNC server (Xvnc on this computer) as target: its pictures, and from a key to the pixel that it changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import xcffib
from xcffib.xproto import CW, EventMask, InputFocus, KeyPressEvent, WindowClass

from benchmarks.report import Goal, Report, counted, measured, report
from desktop_agent.extras.sandbox.rfb.rfb_connection import FAR, RfbConnection
from desktop_agent.extras.sandbox.rfb.rfb_input import RfbInput
from desktop_agent.extras.sandbox.targets._rfb import RfbScreen
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import KeyDown, KeyUp, Text
from tests.support.private_desk import Desk
from tests.support.vnc_desk import VncDesk
from tests.support.waiting import until

FRAME, KEY_TO_PIXEL = Goal(5.0), Goal(15.0)
SPOT = Rect(640, 400, 1, 1)
PENDING = 0.04
"""Seconds after which the server has found a change: it looks 60 times a second."""


def run(quick: bool) -> Report:
    """All at 1280x800, times in ms."""
    times = 20 if quick else 300
    target = VncDesk()
    with target:
        server, desk = VncServer("127.0.0.1", target.port), Desk(target)
        screen = target.screen()
        began = time.perf_counter()
        screen.start()
        started = 1000 * (time.perf_counter() - began)
        frames = {
            area: _frames(screen, desk, area, times)
            for area in (Rect(600, 380, 120, 40), Rect(0, 0, 1280, 800))
        }
        unchanged = [_picture(screen) for _ in range(times)]
        packed = _packed(server, max(10, times // 10))
        with keyed(desk):
            pixels, typed = _keys(server, screen, times)
        screen.stop()
    little, whole = frames.values()
    return report(
        "rfb",
        measured("picture, nothing changed", unchanged, "ms", FRAME),
        measured("picture, 120x40 pixels changed", little, "ms", FRAME),
        measured("picture, every pixel changed", whole, "ms", FRAME),
        measured("whole picture by ZRLE (for servers behind a network)", packed, "ms"),
        measured("key to pixel", pixels, "ms", KEY_TO_PIXEL),
        counted("characters a second", typed, 1, "1/s"),
        counted("from connecting to the first picture", started, 1, "ms"),
        notes=["Xvnc looks for changes every 17 ms, which is most of what a key takes to its pixel."],
    )  # fmt: skip


def _picture(screen: RfbScreen) -> float:
    began = time.perf_counter()
    screen.observe()
    return 1000 * (time.perf_counter() - began)


def _frames(screen: RfbScreen, desk: Desk, area: Rect, times: int) -> list[float]:
    """Pictures of a screen on which this area has another colour each time."""
    found = []
    panel = desk.panel(area, 0)
    for number in range(1, times + 1):
        panel.fill(number * 0x030507 % 0x1000000)
        threading.Event().wait(PENDING)
        found.append(_picture(screen))
    panel.close()
    return found


def _packed(server: VncServer, times: int) -> list[float]:
    found = []
    for _ in range(times):
        connection = RfbConnection(server, FAR)
        began = time.perf_counter()
        connection.refresh(10)
        found.append(1000 * (time.perf_counter() - began))
        connection.close()
    return found


def _keys(server: VncServer, screen: RfbScreen, times: int) -> tuple[list[float], float]:
    """From a press until a picture shows what it changed; and how many characters a second go out."""
    hand, found = RfbInput(server), []
    for number in range(times):
        before = screen.observe(SPOT).pixels
        threading.Event().wait(PENDING + number % 17 / 1000)  # at any moment between two looks of the server
        began = time.perf_counter()
        hand.emit(KeyDown("x"))
        while screen.observe(SPOT).pixels == before:
            pass
        found.append(1000 * (time.perf_counter() - began))
        hand.emit(KeyUp("x"))
    began = time.perf_counter()
    for _ in range(100):
        hand.emit(Text("characters of it"))
    typed = 1600 / (time.perf_counter() - began)
    hand.close()
    return found, typed


@contextmanager
def keyed(desk: Desk) -> Iterator[None]:
    """A window over the whole screen that draws 20x20 pixels anew after each key, as for a character."""
    display = Display(desk.environment)
    window = display.connection.generate_id()
    events, mask = EventMask.KeyPress | EventMask.Exposure, CW.BackPixel | CW.OverrideRedirect | CW.EventMask
    display.core.CreateWindow(
        0, window, display.root, 0, 0, 1280, 800, 0, WindowClass.InputOutput, 0, mask, [0, 1, events]
    )
    display.core.MapWindow(window)
    display.sync()
    shown = threading.Event()

    def follow() -> None:
        colour = 0
        try:
            while True:
                event = display.connection.wait_for_event()
                shown.set()
                if isinstance(event, KeyPressEvent):
                    colour = (colour + 0x102030) % 0x1000000
                    display.core.ChangeWindowAttributes(window, CW.BackPixel, [colour])
                    display.core.ClearArea(False, window, 630, 390, 20, 20)
                    display.connection.flush()
        except xcffib.XcffibException:
            return

    threading.Thread(target=follow, daemon=True).start()
    until(shown.is_set, "the window")
    display.core.SetInputFocus(InputFocus.PointerRoot, window, 0)
    display.connection.flush()
    yield
