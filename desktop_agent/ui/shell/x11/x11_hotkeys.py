"""Global shortcuts on X11: passive grabs on the root window, held by a thread with a connection of its own."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.errors import TargetError
from desktop_agent.support.hotkey import Hotkey
from desktop_agent.support.keysyms import of_key
from desktop_agent.ui.shell.x11.own_windows import display

if TYPE_CHECKING:
    from desktop_agent.platforms.x11.connection import Display

# X11 keysyms (keysymdef.h).
_KP_ENTER, _NUM_LOCK, _ALT_L, _SUPER_L = 0xFF8D, 0xFF7F, 0xFFE9, 0xFFEB
SHIFT, LOCK, CONTROL, MOD1, MOD4 = 1, 2, 4, 8, 64
GRAB_ASYNC = 1
_POLL_S = 0.015


@dataclass(frozen=True)
class Chord:
    """A key code with the masks that must be grabbed for it; `held` is the mask of its modifiers alone."""

    code: int
    masks: tuple[int, ...]
    held: int
    meaning: str


class X11HotKeys:
    """Grabs shortcuts in a thread of its own; Enter is that of the keypad, too.

    Calls, from that thread: `pressed(meaning)`; `taken(refused, of)` after each
    attempt to grab, with the meanings other programs hold and how many there are; `lost()` when the display
    has gone.
    """

    def __init__(
        self,
        pressed: Callable[[str], None],
        taken: Callable[[Sequence[str], int], None],
        lost: Callable[[], None],
    ) -> None:
        self.pressed, self.taken, self.lost = pressed, taken, lost
        self.hotkeys: Mapping[str, Hotkey] = {}
        self._read, self._write = os.pipe()
        self._thread = threading.Thread(target=self._run, name="hot keys", daemon=True)
        self._thread.start()

    def hold(self, wanted: Mapping[str, Hotkey]) -> None:
        """Grab these shortcuts, by their meanings, or release all with {}; returns at once."""
        self.hotkeys = wanted
        os.write(self._write, b"g" if wanted else b"u")

    def close(self) -> None:
        """End the thread; the X server releases every grab with its connection."""
        os.write(self._write, b"q")
        self._thread.join(2)
        os.close(self._write)
        os.close(self._read)

    def _run(self) -> None:
        try:
            with display() as x:
                _Grabber(x, self._read, self).run()
        except TargetError:
            self.lost()


class _Grabber:
    """The thread's work: grabs keys on the root window and waits for presses and commands.

    `commands` is a pipe: `g` grabs, `u` releases, `q` ends.
    """

    def __init__(self, x: Display, commands: int, owner: X11HotKeys) -> None:
        self._x, self._commands, self._owner = x, commands, owner
        setup: Any = x.connection.get_setup()
        self._first, self._last = setup.min_keycode, setup.max_keycode
        self._chords: tuple[Chord, ...] = ()
        self._pressed: Chord | None = None

    def run(self) -> None:
        """Serve until the command `q`. Raises TargetError when the display has gone."""
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
        """Report the shortcut once all its keys are up: before, keys the agent presses would combine with them."""
        chord = self._pressed
        if chord is not None and not self._fingers_on(chord):
            self._pressed = None
            self._owner.pressed(chord.meaning)

    def _fingers_on(self, chord: Chord) -> bool:
        """True while the modifiers or the key itself (which keeps the grab alive) are down."""
        pointer, keymap = self._x.core.QueryPointer(self._x.root), self._x.core.QueryKeymap()
        down = keymap.reply().keys[chord.code // 8] >> chord.code % 8 & 1
        return bool(down or pointer.reply().mask & chord.held)

    def _grab(self) -> None:
        self._chords = self._find_chords()
        refused = [c.meaning for c in self._chords if not self._grab_one(c)]
        self._x.flush()
        self._owner.taken(refused, len(self._chords))

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
        """The chords to grab: key codes, and their modifiers with every combination of Caps Lock and Num Lock."""
        count = self._last - self._first + 1
        reply = self._x.core.GetKeyboardMapping(self._first, count).reply()
        a_code = reply.keysyms_per_keycode
        symbols = list(reply.keysyms)
        codes = {symbols[i * a_code]: self._first + i for i in reversed(range(count))}
        num = self._modifier(codes.get(_NUM_LOCK, 0), 0)
        bits = {
            "ctrl": CONTROL,
            "shift": SHIFT,
            "alt": self._modifier(codes.get(_ALT_L, 0), MOD1),
            "super": self._modifier(codes.get(_SUPER_L, 0), MOD4),
        }
        chords = []
        for meaning, hotkey in self._owner.hotkeys.items():
            held = sum(bits[each] for each in hotkey.modifiers)
            masks = tuple({held | lock | numbers for lock, numbers in product((0, LOCK), (0, num))})
            wanted = (of_key(hotkey.key), *((_KP_ENTER,) if hotkey.key == "enter" else ()))
            chords += [Chord(codes[each], masks, held, meaning) for each in wanted if codes.get(each)]
        return tuple(chords)

    def _modifier(self, code: int, otherwise: int) -> int:
        """The modifier mask bit that key code `code` sets, or `otherwise` when it is no modifier."""
        reply = self._x.core.GetModifierMapping().reply()
        keys = list(reply.keycodes)
        width = reply.keycodes_per_modifier
        return next((1 << (i // width) for i, key in enumerate(keys) if code and key == code), otherwise)
