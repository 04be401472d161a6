"""Maps characters and keys that the layout lacks onto free keycodes, temporarily.

A client looks a keycode up in the key map some time after the key event, at the latest when it takes the
event from its queue. So a keycode whose character was typed is remapped only after the client has read the
input sent so far. A new mapping can be used at once: the client gets the change before the key, in the same
queue, and reads a map that is at least as new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.drain_wait import DrainWait
from desktop_agent.protocol.errors import Refused, TargetError

LEVELS = 2  # plain and shift
ROOMY = 16  # keycodes: a stretch of so many takes all new characters of a chunk of text
READ_SECONDS = 20.0
"""Longest wait for an application that is busy with input typed before, perhaps thousands of characters."""


class SpareKeycodes:
    """Maps keysyms onto free keycodes, two per keycode (plain and Shift), and restores the key map."""

    def __init__(self, display: Display, drain: DrainWait, codes: Sequence[int]) -> None:
        self._display, self._drain = display, drain
        self._pairs: dict[int, list[int]] = {code: [0] * LEVELS for code in _chosen(codes)}
        self._whole: set[int] = set()
        self._unread: set[int] = set()  # windows

    @property
    def codes(self) -> tuple[int, ...]:
        """The keycodes whose mapping may change."""
        return tuple(self._pairs)

    @property
    def capacity(self) -> int:
        """How many keysyms can be mapped at the same time for typing."""
        return LEVELS * (len(self._pairs) - len(self._whole))

    def find(self, keysym: int) -> tuple[int, int] | None:
        """Keycode and level (0 plain, 1 Shift) of a mapped keysym; None when it is not mapped."""
        for code, pair in self._pairs.items():
            if keysym in pair:
                return code, pair.index(keysym)
        return None

    def pressed(self, codes: Sequence[int]) -> None:
        """Record that keycodes are pressed: spare ones may not be remapped until the focus window has read them."""
        if any(code in self._pairs for code in codes):
            self._unread.add(self._display.focus())

    def provide(self, wanted: Sequence[int], ahead: Iterable[int] = ()) -> None:
        """Map every wanted keysym (at most `capacity`), and as many as fit of those needed later (`ahead`).

        Raises TargetError when the application does not read its input in time.
        """
        if all(self.find(keysym) for keysym in wanted):
            return
        keep = list(dict.fromkeys((*wanted, *ahead)))[: self.capacity]
        missing = [keysym for keysym in keep if not self.find(keysym)]
        changes: dict[int, list[int]] = {}
        for keysym, (code, level) in zip(missing, self._places(set(keep)), strict=False):
            changes.setdefault(code, list(self._pairs[code]))[level] = keysym
        self._change(changes)

    def key(self, keysym: int) -> int:
        """A keycode that produces a keysym without modifiers, for a key that is pressed and held.

        Raises Refused when there is no free keycode left.
        """
        found = next((code for code in self._whole if self._pairs[code][0] == keysym), None)
        if found is not None:
            return found
        code = next((code for code in reversed(self._pairs) if code not in self._whole), None)
        if code is None:
            raise Refused(
                "The keyboard has no such key, and no free key code to make one.",
                "Use a menu or a button instead. Logging in again frees key codes.",
            )
        self._whole.add(code)
        self._change({code: [keysym] * LEVELS})
        return code

    def _places(self, keep: set[int]) -> Iterator[tuple[int, int]]:
        """The (keycode, level) places to map onto: empty ones first, then those of keysyms not in `keep`."""
        places = [(c, level) for c in self._pairs if c not in self._whole for level in range(LEVELS)]
        places = [(c, level) for c, level in places if self._pairs[c][level] not in keep]
        return iter(sorted(places, key=lambda place: self._pairs[place[0]][place[1]] != 0))

    def _change(self, changes: dict[int, list[int]]) -> None:
        if any(any(self._pairs[code]) for code in changes):
            self._wait_until_read()
        self._write(changes)

    def reconcile(self, rows: Mapping[int, Sequence[int]]) -> None:
        """Forget mappings that the server's key map (`rows` by keycode) no longer has: another layout may be loaded."""
        for code, row in rows.items():
            if list(row[:LEVELS]) != _both(self._pairs[code]):
                self._whole.discard(code)
                self._pairs[code] = [0] * LEVELS
                if any(row):
                    del self._pairs[code]

    def _wait_until_read(self) -> None:
        if self._unread and not self._drain.wait(READ_SECONDS, self._unread):
            raise TargetError(
                "The application in front does not read what is typed.", "Wait until it answers again."
            )
        self._unread.clear()

    def restore(self, seconds: float = READ_SECONDS) -> None:
        """Unmap everything, once the clients have read their input, at most after so many seconds."""
        used = [code for code, pair in self._pairs.items() if any(pair)]
        if not used:
            return
        if self._unread:
            self._drain.wait(seconds, self._unread)
        self._whole.clear()
        self._write({code: [0] * LEVELS for code in used})

    def _write(self, changes: dict[int, list[int]]) -> None:
        """Send changes to the server, adjacent keycodes in one request.

        Each request makes every client, the window manager above all, read the whole map again.
        """
        self._pairs.update(changes)
        for first, last in _stretches(sorted(changes)):
            keysyms = [keysym for code in range(first, last + 1) for keysym in _both(changes[code])]
            self._display.core.ChangeKeyboardMapping(last - first + 1, first, LEVELS, keysyms)
        self._display.sync()


def _both(pair: Sequence[int]) -> list[int]:
    """A pair of keysyms as sent to the server: a single one goes on both levels, or the server adds its capital."""
    return [pair[0] or pair[1], pair[1] or pair[0]]


def _stretches(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last keycode of each run of adjacent ones."""
    for index, code in enumerate(codes):
        if index == 0 or codes[index - 1] != code - 1:
            first = code
        if index + 1 == len(codes) or codes[index + 1] != code + 1:
            yield first, code


def _chosen(codes: Sequence[int]) -> list[int]:
    """The keycodes to use: only the longest run when it is long enough (one request), else all, longest runs first."""
    stretches = sorted(_stretches(sorted(codes)), key=lambda stretch: stretch[0] - stretch[1])
    if stretches and stretches[0][1] - stretches[0][0] >= ROOMY:
        stretches = stretches[:1]
    return [code for first, last in stretches for code in range(first, last + 1)]
