"""Global shortcuts while a card asks for a yes, so that the keyboard can stay in the application."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_agent.protocol.errors import TargetError
from desktop_agent.ui.shell.x11.focus import display, on_x11

if TYPE_CHECKING:
    from desktop_agent.platforms.x11.connection import Display
    from desktop_agent.ui.shell.windows.windows_hotkeys import WindowsKeys

# X11 keysyms (keysymdef.h).
_RETURN, _KP_ENTER, _BACKSPACE, _E = 0xFF0D, 0xFF8D, 0xFF08, 0x65
_NUM_LOCK, _ALT_L = 0xFF7F, 0xFFE9
KEYS = {_RETURN: "approve", _KP_ENTER: "approve", _BACKSPACE: "skip", _E: "edit"}
LOCK, CONTROL, MOD1 = 2, 4, 8
GRAB_ASYNC = 1
_POLL_S = 0.015
HERE_ONLY = "The shortcuts work only while this window has the keyboard."


@dataclass(frozen=True)
class Chord:
    """A key code with the modifier masks that must be grabbed for it."""

    code: int
    masks: tuple[int, ...]
    meaning: str


class HotKeys(QObject):
    """Signals: `pressed(meaning)` with approve, skip or edit, once all modifiers are up again;
    `trouble(words)` when shortcuts could not be had, empty when they could."""

    pressed = Signal(str)
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: threading.Thread | None = None
        self._read, self._write = os.pipe()
        self._wanted = self._closed = False
        self.held = False
        """True while the shortcuts are ours."""
        self.trouble.connect(self._settled)
        self._windows: WindowsKeys | None = None

    def hold(self, wanted: bool) -> None:
        """Take the shortcuts, or let them go; returns at once."""
        if wanted == self._wanted or self._closed:
            return
        self._wanted = wanted
        self.held = False
        if sys.platform == "win32":
            self.trouble.emit(self._hold_on_windows(wanted))
            return
        if not on_x11():
            self.trouble.emit(HERE_ONLY if wanted else "")
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="hot keys", daemon=True)
            self._thread.start()
        os.write(self._write, b"g" if wanted else b"u")

    def _hold_on_windows(self, wanted: bool) -> str:
        from desktop_agent.ui.shell.windows.windows_hotkeys import CHORDS, WindowsKeys

        if self._windows is None:
            self._windows = WindowsKeys(self.pressed.emit, self)
        if wanted:
            return trouble_words(self._windows.take(), len(CHORDS))
        self._windows.let_go()
        return ""

    def _settled(self, trouble: str) -> None:
        self.held = self._wanted and not trouble

    def close(self) -> None:
        """End the thread; the X server lets go of every grab with its connection."""
        if self._closed:
            return
        self._closed = True
        if self._windows is not None:
            self._windows.let_go()
        if self._thread is not None:
            os.write(self._write, b"q")
            self._thread.join(2)
            self._thread = None
        os.close(self._write)
        os.close(self._read)

    def _run(self) -> None:
        try:
            with display() as x:
                _Grabber(x, self._read, self).run()
        except TargetError:
            self.trouble.emit(HERE_ONLY)


def trouble_words(refused: Sequence[str], of: int) -> str:
    """What to tell when `refused` of so many shortcuts are another program's; empty when none is."""
    if len(refused) == of:
        return "Another program has these shortcuts. " + HERE_ONLY
    names = " and ".join(sorted(set(refused)))
    return f"Another program has the shortcut for {names}." if refused else ""


class _Grabber:
    """Lives in the thread: one X connection, passive grabs on the root window."""

    def __init__(self, x: Display, commands: int, owner: HotKeys) -> None:
        self._x, self._commands, self._owner = x, commands, owner
        setup: Any = x.connection.get_setup()
        self._first, self._last = setup.min_keycode, setup.max_keycode
        self._chords: tuple[Chord, ...] = ()
        self._pressed: Chord | None = None
        self._both = CONTROL | MOD1

    def run(self) -> None:
        files = [self._x.connection.get_file_descriptor(), self._commands]
        while True:
            self._answer()
            while (event := self._x.connection.poll_for_event()) is not None:
                if type(event).__name__ == "KeyPressEvent":
                    self._pressed = next((c for c in self._chords if c.code == event.detail), self._pressed)
            ready, _, _ = select.select(files, [], [], _POLL_S if self._pressed else None)
            if self._commands in ready and not self._obey(os.read(self._commands, 64)):
                return

    def _obey(self, commands: bytes) -> bool:
        if b"q" in commands:
            return False
        self._ungrab()
        if commands.endswith(b"g"):
            self._grab()
        return True

    def _answer(self) -> None:
        """Say what was pressed once the fingers are off: until then the agent's keys would become shortcuts."""
        chord = self._pressed
        if chord is not None and not self._fingers_on(chord):
            self._pressed = None
            self._owner.pressed.emit(chord.meaning)

    def _fingers_on(self, chord: Chord) -> bool:
        """True while the modifiers or the key itself (which keeps the grab alive) are down."""
        pointer, keymap = self._x.core.QueryPointer(self._x.root), self._x.core.QueryKeymap()
        down = keymap.reply().keys[chord.code // 8] >> chord.code % 8 & 1
        return bool(down or pointer.reply().mask & self._both)

    def _grab(self) -> None:
        self._chords = self._find_chords()
        refused = [c.meaning for c in self._chords if not self._grab_one(c)]
        self._x.flush()
        self._owner.trouble.emit(trouble_words(refused, len(self._chords)))

    def _grab_one(self, chord: Chord) -> bool:
        from xcffib.xproto import AccessError

        try:
            for mask in chord.masks:
                self._x.core.GrabKeyChecked(
                    False, self._x.root, mask, chord.code, GRAB_ASYNC, GRAB_ASYNC
                ).check()
        except AccessError:
            return False
        return True

    def _ungrab(self) -> None:
        for chord in self._chords:
            for mask in chord.masks:
                self._x.core.UngrabKey(chord.code, self._x.root, mask)
        self._chords, self._pressed = (), None
        self._x.flush()

    def _find_chords(self) -> tuple[Chord, ...]:
        """The key codes of our keys, and control + alt with every state of the two locks."""
        count = self._last - self._first + 1
        reply = self._x.core.GetKeyboardMapping(self._first, count).reply()
        a_code = reply.keysyms_per_keycode
        symbols = list(reply.keysyms)
        codes = {symbols[i * a_code]: self._first + i for i in reversed(range(count))}
        alt, num = self._modifier(codes.get(_ALT_L, 0), MOD1), self._modifier(codes.get(_NUM_LOCK, 0), 0)
        self._both = CONTROL | alt
        masks = tuple({self._both | lock | numbers for lock, numbers in product((0, LOCK), (0, num))})
        return tuple(Chord(codes[s], masks, meaning) for s, meaning in KEYS.items() if codes.get(s))

    def _modifier(self, code: int, otherwise: int) -> int:
        """The mask bit the key sets."""
        reply = self._x.core.GetModifierMapping().reply()
        keys = list(reply.keycodes)
        width = reply.keycodes_per_modifier
        return next((1 << (i // width) for i, key in enumerate(keys) if code and key == code), otherwise)
