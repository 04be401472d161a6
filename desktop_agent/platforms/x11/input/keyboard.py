"""Types text exactly and presses keys by name, through the XTest extension."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import xcffib
import xcffib.xtest

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.drain_wait import DrainWait
from desktop_agent.platforms.x11.input.layout import KeyboardState, Layout, Stroke
from desktop_agent.platforms.x11.input.spare_keycodes import READ_SECONDS, SpareKeycodes
from desktop_agent.platforms.x11.prepared_requests import PreparedRequest
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.support import keysyms

HURRY_SECONDS = 0.2
"""Longest wait, once the human has stopped us, for an application to read characters that were typed before the key
map is as it was: one that is slower may read others."""
PIECE = 2
"""Characters typed between two stop checks, so at most so many follow a stop. A check costs a round trip."""


PRESS, RELEASE = 2, 3  # event codes KeyPress and KeyRelease of the X protocol
_FAKE_INPUT = 2  # request number in the XTEST protocol
# The opcodes and the length, which libxcb fills in; then type, detail, delay, root, x, y, device.
_FORM = struct.Struct("=4xBB2xII8xhh7xB")


class Keyboard:
    """The keyboard of one display; characters that its layout lacks are mapped onto spare keycodes."""

    def __init__(self, display: Display, ask_ahead: Callable[[], None]) -> None:
        """`ask_ahead` sends what the display's `check` is going to read, so that both share a round trip."""
        self._display, self._ask_ahead = display, ask_ahead
        self._fake = XTestKeys(display).fake
        self._drain = DrainWait(display)
        self._state = KeyboardState(display)
        group, self._caps = self._state.read()
        self._layout = Layout(display, group)
        self._spares = SpareKeycodes(display, self._drain, self._layout.spare)
        self._down: dict[str, tuple[int, ...]] = {}
        self._text, self._at = "", 0
        self._looked_up = ""
        self._read_seconds = READ_SECONDS
        self.typed = 0
        """How many characters of the current or interrupted chunk have been typed."""

    @property
    def escape_codes(self) -> frozenset[int]:
        """The keycodes of ESC."""
        return self._layout.escapes

    @property
    def spare_codes(self) -> tuple[int, ...]:
        """The keycodes whose mapping may change."""
        return self._spares.codes

    # ---- keys --------------------------------------------------------------------------------

    def codes_of_key(self, name: str) -> tuple[int, ...]:
        """The keycodes that a key presses, modifiers first. Raises Refused for a key this keyboard cannot produce."""
        if name in self._down:
            return self._down[name]
        stroke = self._stroke_of_key(name)
        return (*stroke.modifiers, stroke.code)

    def press(self, name: str) -> None:
        """Press a key, and the modifiers it needs, until `release`. Raises Refused."""
        codes = self.codes_of_key(name)
        self._layout.modifiers.await_free(self._state.mask, self._modified_by(()))
        held = {code for other in self._down.values() for code in other}
        self._down[name] = codes
        self._spares.pressed(codes)
        for code in codes:
            if code not in held:
                self._fake(PRESS, code)
        self._display.sync()

    def release(self, name: str) -> None:
        """Release a key and its modifiers, except those that another pressed key needs."""
        codes = self.codes_of_key(name)
        self._down.pop(name, None)
        held = {code for other in self._down.values() for code in other}
        for code in reversed(codes):
            if code not in held:
                self._fake(RELEASE, code)
        self._display.sync()

    def _stroke_of_key(self, name: str) -> Stroke:
        self._refresh()
        keysym = keysyms.of_key(name)
        if len(name) == 1 and (stroke := self._layout.stroke(keysym)):
            return stroke
        code = self._layout.key(keysym)
        return Stroke(self._spares.key(keysym) if code is None else code)

    # ---- text --------------------------------------------------------------------------------

    def codes_of_text(self, chunk: str) -> tuple[int, ...]:
        """Every keycode that typing a chunk may press. Raises Refused when a character cannot be typed."""
        self._refresh()
        codes: dict[int, None] = {}
        for character in chunk:
            stroke = self._layout.stroke(keysyms.of_character(character))
            used = (*stroke.modifiers, stroke.code) if stroke else self._unknown_codes(chunk)
            codes.update(dict.fromkeys(used))
        self._looked_up = chunk
        caps = self._layout.key(keysyms.CAPS_LOCK) if self._caps else None
        return (*codes, caps) if caps else tuple(codes)

    def prepare(self, text: str) -> None:
        """Map the unknown characters of a text that follows in chunks, as many as there are spare keycodes for."""
        self.codes_of_text(text)
        self._text, self._at, self._looked_up, self.typed = text, 0, "", 0
        self._spares.provide(self._unknown(text)[: self._spares.capacity])

    def type(self, chunk: str) -> None:
        """Type a chunk exactly; returns when the server has processed it. Raises Refused before the first key.

        The display's `check` is called before each PIECE; when it raises, nothing stays pressed.
        """
        self.typed = 0
        if chunk != self._looked_up:
            self.codes_of_text(chunk)
        self._looked_up = ""  # valid once only: the layout may change
        self._layout.modifiers.await_free(self._state.mask, self._modified_by(()))
        self._follow(chunk)
        with self._caps_lock_off():
            for run, unknown in self._runs(chunk):
                self._spares.provide(unknown, self._unknown(self._text[self._at :]) if unknown else ())
                self._type_run(run)
        self.typed = 0

    def _type_run(self, run: str) -> None:
        down: tuple[int, ...] = ()
        try:
            for start in range(0, len(run), PIECE):
                with self._display.grabbed(flush=False):  # no window can take the keyboard after the check
                    state = self._state.asked()
                    self._ask_ahead()
                    self._display.sync()
                    self._display.check()
                    self._layout.modifiers.check(self._state.mask(state), self._modified_by(down))
                    piece = run[start : start + PIECE]
                    for character in piece:
                        stroke = self._stroke(keysyms.of_character(character))
                        down = self._shift(down, stroke.modifiers)
                        self._fake(PRESS, stroke.code)
                        self._fake(RELEASE, stroke.code)
                self.typed += len(piece)
        finally:
            self._shift(down, ())
            self._display.sync()

    def _stroke(self, keysym: int) -> Stroke:
        known = self._layout.stroke(keysym)
        if known:
            return known
        place = self._spares.find(keysym)
        if place is None:
            raise TargetError("The keyboard layout changed while typing.", "Look at what was typed.")
        self._spares.pressed(place[:1])
        return Stroke(place[0], self._shift_codes() if place[1] else ())

    def _shift(self, down: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
        """Press and release modifiers until `wanted` are down; those held by a pressed key are left alone."""
        held = {code for codes in self._down.values() for code in codes}
        for code in reversed(down):
            if code not in wanted and code not in held:
                self._fake(RELEASE, code)
        for code in wanted:
            if code not in down and code not in held:
                self._fake(PRESS, code)
        return wanted

    def _modified_by(self, down: tuple[int, ...]) -> int:
        """The modifier bits we hold: those of pressed keys and of the keycodes `down`."""
        held = {*down, *(code for codes in self._down.values() for code in codes)}
        made = [keysym for keysym in (keysyms.SHIFT, keysyms.LEVEL3) if self._layout.key(keysym) in held]
        return self._layout.modifiers.of((*made, *map(keysyms.of_key, self._down)))

    def _runs(self, chunk: str) -> Iterator[tuple[str, list[int]]]:
        """The chunk in runs whose unknown characters fit onto the spare keycodes, each with their keysyms."""
        start, unknown = 0, dict[int, None]()
        for index, character in enumerate(chunk):
            keysym = keysyms.of_character(character)
            if self._layout.stroke(keysym) or keysym in unknown:
                continue
            if len(unknown) == self._spares.capacity:
                yield chunk[start:index], list(unknown)
                start, unknown = index, {}
            unknown[keysym] = None
        yield chunk[start:], list(unknown)

    def _unknown(self, text: str) -> list[int]:
        """The keysyms of a text that the layout lacks, each once, in order."""
        found = (keysyms.of_character(character) for character in dict.fromkeys(text))
        return [keysym for keysym in found if not self._layout.stroke(keysym)]

    def _unknown_codes(self, chunk: str) -> tuple[int, ...]:
        if not self._spares.capacity or not self._shift_codes():
            without = [c for c in dict.fromkeys(chunk) if not self._layout.stroke(keysyms.of_character(c))]
            raise Refused(
                f"The keyboard has no keys for {''.join(without)!r}, and other programs have taken every free key code.",
                "Leave these characters out, or ask the user to copy them and paste them from the clipboard. "
                "Logging in again frees key codes.",
            )
        return (*self._shift_codes(), *self._spares.codes)

    def _shift_codes(self) -> tuple[int, ...]:
        shift = self._layout.key(keysyms.SHIFT)
        return (shift,) if shift else ()

    def _follow(self, chunk: str) -> None:
        """Advance the position in the prepared text, so that the characters after it can be mapped ahead."""
        if not self._text.startswith(chunk, self._at):
            self._text, self._at = chunk, 0
        self._at += len(chunk)

    @contextmanager
    def _caps_lock_off(self) -> Iterator[None]:
        """Switch Caps Lock off inside the context, if it was on: clients differ in how it changes letters."""
        code = self._layout.key(keysyms.CAPS_LOCK) if self._caps else None
        self._tap(code)
        try:
            yield
        finally:
            self._tap(code)

    def _tap(self, code: int | None) -> None:
        if code is not None:
            self._fake(PRESS, code)
            self._fake(RELEASE, code)
            self._display.sync()

    # ---- the server --------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read the layout again when it was changed or another group is active."""
        group, self._caps = self._state.read()
        self._drain.take_events()  # after a reply, so all events that the server sent before have arrived
        if self._drain.mapping_changed or group != self._layout.group:
            self._drain.mapping_changed = False
            self._layout = Layout(self._display, group, self._spares.codes)
            self._spares.reconcile(self._layout.ours)

    def hurry(self) -> None:
        """From now on `close` waits HURRY_SECONDS at most."""
        self._read_seconds = HURRY_SECONDS

    def close(self) -> None:
        """Restore the key map, once the applications have read what was typed."""
        self._spares.restore(self._read_seconds)


class XTestKeys:
    """Presses and releases keycodes; like every request these are sent with the next flush or round trip."""

    def __init__(self, display: Display) -> None:
        self._connection = display.connection
        self._extension: Any = display.extension(xcffib.xtest.key)
        self._root = display.root
        self._request = cache(self._build)

    def fake(self, kind: int, code: int) -> None:
        """Press or release a keycode; `kind` is PRESS or RELEASE."""
        self._request(kind, code).send()

    def _build(self, kind: int, code: int) -> PreparedRequest:
        content = _FORM.pack(kind, code, 0, self._root, 0, 0, 0)
        return PreparedRequest(self._connection, _FAKE_INPUT, content, extension=self._extension)
