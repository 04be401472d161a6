"""The other end of a USB cable without hardware: takes reports as a Linux kernel does and gives an X display their input.

It knows nothing of the program's own wires but the form of their reports, which is that of the HID specification; keys
become the kernel's key codes (drivers/hid/hid-input.c), which X shifts by 8.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import xcffib.xtest

from benchmarks.report import BenchmarkError
from desktop_agent.platforms.x11.connection import Display

KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 2, 3, 4, 5, 6
KEYBOARD, MOUSE, READY = "hidg0", "hidg1", b"ready\n"
NOWHERE = 0xFFFF
_SHIFT_OF_X = 8
_FIRST_MODIFIER = 0xE0
_MODIFIERS = (29, 42, 56, 125, 97, 54, 100, 126)
_KEYS = (
    0, 0, 0, 0, 30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44,
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 28, 1, 14, 15, 57, 12, 13, 26, 27, 43, 43, 39, 40, 41, 51, 52, 53, 58, 59, 60, 61,
    62, 63, 64, 65, 66, 67, 68, 87, 88, 99, 70, 119, 110, 102, 104, 111, 107, 109, 106, 105, 108, 103, 69, 98, 55, 74,
    78, 96, 79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 83, 86, 127,
)  # fmt: skip
"""Linux key codes by usage id."""
_BUTTONS = (1, 3, 2, 8, 9)
"""X buttons by the bits of a report: left, right, middle, back, forward."""
_AXIS = 0x8000


class _Host:
    """Takes reports from two named pipes and injects what they say."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._display = Display(environment)
        connection = self._display.connection
        setup = connection.get_setup().roots[connection.pref_screen]
        self._size = setup.width_in_pixels, setup.height_in_pixels
        self._xtest = connection(xcffib.xtest.key)
        # Open for both, so that a writer who closes it does not end it.
        self._files = [os.open(folder / name, os.O_RDWR | os.O_NONBLOCK) for name in (KEYBOARD, MOUSE)]
        self._keys: set[int] = set()
        self._buttons = 0

    def serve(self) -> None:
        """Until the process that started this one closes its pipe to it; then all is let go of, as by a cable that is pulled."""
        keyboard, mouse = self._files
        while True:
            ready, _, _ = select.select([*self._files, sys.stdin], [], [])
            if keyboard in ready:
                self._take_keys(os.read(keyboard, 8))
            if mouse in ready:
                self._take_mouse(os.read(mouse, 7))
            if sys.stdin in ready:
                break
            self._display.connection.flush()
        self._take_keys(bytes(8))
        self._take_mouse(struct.pack("<BHHbb", 0, NOWHERE, NOWHERE, 0, 0))
        self._display.sync()

    def _take_keys(self, report: bytes) -> None:
        now = {_MODIFIERS[bit] for bit in range(8) if report[0] >> bit & 1}
        now |= {_KEYS[each] for each in report[2:] if 3 < each < len(_KEYS)}
        codes = {each + _SHIFT_OF_X for each in now if each}
        for code in self._keys - codes:
            self._inject(KEY_RELEASE, code)
        # Modifiers first, as the kernel reports them.
        for code in sorted(codes - self._keys, key=lambda each: each - _SHIFT_OF_X not in _MODIFIERS):
            self._inject(KEY_PRESS, code)
        self._keys = codes

    def _take_mouse(self, report: bytes) -> None:
        buttons, x, y, wheel, pan = struct.unpack("<BHHbb", report)
        if x < _AXIS and y < _AXIS:
            width, height = self._size
            self._inject(MOTION, 0, x * width // _AXIS, y * height // _AXIS)
        for bit, button in enumerate(_BUTTONS):
            if (buttons ^ self._buttons) >> bit & 1:
                self._inject(BUTTON_PRESS if buttons >> bit & 1 else BUTTON_RELEASE, button)
        self._buttons = buttons
        self._turn(wheel, 4, 5)
        self._turn(pan, 7, 6)

    def _turn(self, notches: int, positive: int, negative: int) -> None:
        for _ in range(abs(notches)):
            button = positive if notches > 0 else negative
            self._inject(BUTTON_PRESS, button)
            self._inject(BUTTON_RELEASE, button)

    def _inject(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        self._xtest.FakeInput(kind, detail, 0, self._display.root, x, y, 0)


class UsbDisplay:
    """The devices `keyboard` and `mouse`, plugged into a display; a process of its own takes the reports, as a kernel would at once."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self.keyboard, self.mouse = folder / KEYBOARD, folder / MOUSE
        for path in (self.keyboard, self.mouse):
            os.mkfifo(path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.usb_display", str(folder)],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        if self._process.stdout is None or self._process.stdout.readline() != READY:
            raise BenchmarkError("the far end of the cable has not started")

    def unplug(self) -> None:
        """The cable is pulled: what was down is let go of by this end, and the devices are gone."""
        self.keyboard.unlink(missing_ok=True)
        self.mouse.unlink(missing_ok=True)
        self._process.communicate(timeout=10)

    def close(self) -> None:
        if self._process.poll() is None:
            self.unplug()


@contextmanager
def usb_display(environment: Mapping[str, str], folder: Path) -> Iterator[UsbDisplay]:
    """A display at the end of a USB cable while this lasts, with its devices in `folder`."""
    host = UsbDisplay(environment, folder)
    try:
        yield host
    finally:
        host.close()


if __name__ == "__main__":
    host = _Host(os.environ, Path(sys.argv[1]))
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    host.serve()
