"""An observer's snapshot of a whole desktop, by X requests of its own, and the differences between two.

Nothing of the product takes part: it asks the X server as `xset`, `xprop`, `xinput` and `xrandr` do.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import xcffib
import xcffib.dpms
import xcffib.randr
import xcffib.screensaver
import xcffib.xfixes
import xcffib.xinput
import xcffib.xkb
from xcffib.xproto import Atom, GetPropertyType

Facts = dict[str, object]


class Window(msgspec.Struct, frozen=True):
    """A managed window: what it is called, whether it is minimised, its other states, its place and its kind."""

    title: str
    minimised: bool
    states: tuple[str, ...]
    place: tuple[int, ...]


class Snapshot(msgspec.Struct, frozen=True):
    """Facts about a desktop by the room they belong to: windows, pointer, keyboard, clipboard, settings, files."""

    rooms: dict[str, Facts]


def differences(before: Snapshot, after: Snapshot, but: tuple[str, ...] = ()) -> list[str]:
    """Each fact that is another one, as `room: fact: before -> after`; rooms and facts whose name begins with one of `but` are left out."""
    found = []
    for room, facts in before.rooms.items():
        for name in sorted({*facts, *after.rooms[room]}):
            was, now = facts.get(name), after.rooms[room].get(name)
            if was != now and not f"{room}: {name}".startswith(but or ("\0",)):
                found.append(f"{room}: {name}: {_short(was)} -> {_short(now)}")
    return found


def _short(fact: object) -> str:
    words = str(fact)
    return words if len(words) <= 120 else words[:117] + "…"


class Eye:
    """Looks at the display that `environment` leads to, on a connection of its own."""

    def __init__(self, environment: Mapping[str, str], temporary: Path) -> None:
        """`temporary` is the folder of temporary files, in which nothing is to stay."""
        self._temporary = temporary
        self._x: Any
        kept = os.environ.get("XAUTHORITY")
        os.environ["XAUTHORITY"] = environment.get("XAUTHORITY", "")
        try:
            self._x = xcffib.Connection(display=environment["DISPLAY"])  # type: ignore[no-untyped-call]
        finally:
            if kept is None:
                del os.environ["XAUTHORITY"]
            else:
                os.environ["XAUTHORITY"] = kept
        screen = self._x.get_setup().roots[0]
        self._root = screen.root
        self._atoms: dict[str, int] = {}
        self._fixes = self._x(xcffib.xfixes.key)
        self._fixes.QueryVersion(4, 0).reply()
        self._window = self._x.generate_id()
        self._x.core.CreateWindow(0, self._window, self._root, 0, 0, 1, 1, 0, 2, 0, 0, [])

    def close(self) -> None:
        self._x.disconnect()

    def look(self) -> Snapshot:
        """Everything, as it is now."""
        return Snapshot(
            {
                "windows": self._windows(),
                "pointer": self._pointer(),
                "keyboard": self._keyboard(),
                "clipboard": self._clipboard(),
                "settings": self._settings(),
                "files": {"temporary": sorted(each.name for each in self._temporary.iterdir())},
            }
        )

    # ---- windows -----------------------------------------------------------------------------

    def _windows(self) -> Facts:
        stacking = self._numbers(self._root, "_NET_CLIENT_LIST_STACKING")
        active = next(iter(self._numbers(self._root, "_NET_ACTIVE_WINDOW")), 0)
        facts: Facts = {
            "stacking order": [self._called(each) for each in stacking],
            "in front": self._called(active) if active else "nothing",
            "keyboard focus": self._focus(),
            "current desktop": self._numbers(self._root, "_NET_CURRENT_DESKTOP"),
            "showing the desktop": self._numbers(self._root, "_NET_SHOWING_DESKTOP"),
            "work area": self._numbers(self._root, "_NET_WORKAREA"),
            "others on top": self._unmanaged(),
        }
        for each in stacking:
            facts[f"window {each:#x}"] = self._describe(each)
        return facts

    def _describe(self, window: int) -> Window:
        states = {self._name(each) for each in self._numbers(window, "_NET_WM_STATE")}
        iconic = self._numbers(window, "WM_STATE")[:1] == [3]
        minimised = "_NET_WM_STATE_HIDDEN" in states or iconic
        other = tuple(sorted(states - {"_NET_WM_STATE_HIDDEN", "_NET_WM_STATE_FOCUSED"}))
        return Window(self._title(window), minimised, other, self._place(window))

    def _place(self, window: int) -> tuple[int, ...]:
        with suppress(xcffib.Error):
            size = self._x.core.GetGeometry(window).reply()
            at = self._x.core.TranslateCoordinates(window, self._root, 0, 0).reply()
            return at.dst_x, at.dst_y, size.width, size.height
        return ()

    def _focus(self) -> str:
        """The managed window that has the keyboard, or is around what has it."""
        window = int(self._x.core.GetInputFocus().reply().focus)
        managed = self._numbers(self._root, "_NET_CLIENT_LIST")
        while window > 1 and window not in managed and window != self._root:
            with suppress(xcffib.Error):
                window = int(self._x.core.QueryTree(window).reply().parent)
                continue
            break
        return self._called(window) if window in managed else "no window"

    def _unmanaged(self) -> list[str]:
        """Windows of no window manager that can be seen: menus, overlays, panels of our own making."""
        found = []
        for child in self._x.core.QueryTree(self._root).reply().children:
            with suppress(xcffib.Error):
                attributes = self._x.core.GetWindowAttributes(child).reply()
                if attributes.override_redirect and attributes.map_state == 2 and attributes._class == 1:
                    found.append(f"{self._place(child)}")
        return sorted(found)

    # ---- pointer, keyboard -------------------------------------------------------------------

    def _pointer(self) -> Facts:
        at = self._x.core.QueryPointer(self._root).reply()
        speed = self._x.core.GetPointerControl().reply()
        shape = self._fixes.GetCursorImageAndName().reply()
        return {
            "place": (at.root_x, at.root_y),
            "buttons": at.mask & 0x1F00,
            "speed": (
                speed.acceleration_numerator,
                speed.acceleration_denominator,
                speed.threshold,
            ),
            "buttons' order": list(self._x.core.GetPointerMapping().reply().map),
            "shape": (shape.width, shape.height, shape.xhot, shape.yhot, hash(tuple(shape.cursor_image))),
            "devices": self._devices(),
        }

    def _devices(self) -> list[str]:
        """Every input device with its attachment: a device of ours, or one that was switched off, would show."""
        extension = self._x(xcffib.xinput.key)
        extension.XIQueryVersion(2, 2).reply()
        infos = extension.XIQueryDevice(xcffib.xinput.Device.All).reply().infos
        return sorted(
            f"{each.name.to_string()} {each.type} {each.attachment} {each.enabled}" for each in infos
        )

    def _keyboard(self) -> Facts:
        setup = self._x.get_setup()
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        keys = self._x.core.GetKeyboardMapping(first, count).reply()
        control = self._x.core.GetKeyboardControl().reply()
        mask = self._x.core.QueryPointer(self._root).reply().mask
        width = keys.keysyms_per_keycode
        rows = [tuple(keys.keysyms[n * width : (n + 1) * width]) for n in range(count)]
        return {
            "held": [n for n in range(256) if self._x.core.QueryKeymap().reply().keys[n // 8] >> n % 8 & 1],
            "key map": [_meaning(row) for row in rows],
            "modifiers": list(self._x.core.GetModifierMapping().reply().keycodes),
            "locks and layout": mask & ~0x1F00,
            "repeat": (control.global_auto_repeat, list(control.auto_repeats)),
            "lights": control.led_mask,
            "bell and click": (control.bell_percent, control.bell_pitch, control.key_click_percent),
        }

    # ---- clipboard ---------------------------------------------------------------------------

    def _clipboard(self) -> Facts:
        return {"text": self._selection("CLIPBOARD")}

    def _selection(self, name: str) -> str:
        owner = self._x.core.GetSelectionOwner(self._atom(name)).reply().owner
        if not owner:
            return "nobody's"
        into = self._atom("TRACE_OBSERVER")
        self._x.core.ConvertSelection(self._window, self._atom(name), self._atom("UTF8_STRING"), into, 0)
        self._x.flush()
        while (event := self._x.wait_for_event()) is not None:
            if isinstance(event, xcffib.xproto.SelectionNotifyEvent):
                break
        reply = self._x.core.GetProperty(True, self._window, into, GetPropertyType.Any, 0, 1 << 20).reply()
        return bytes(reply.value.raw).decode(errors="replace")

    # ---- settings ----------------------------------------------------------------------------

    def _settings(self) -> Facts:
        return {**dict(self._saver()), **dict(self._screens()), "access": self._access()}

    def _saver(self) -> Iterator[tuple[str, object]]:
        saver = self._x.core.GetScreenSaver().reply()
        yield "screen saver", (saver.timeout, saver.interval, saver.prefer_blanking, saver.allow_exposures)
        if self._has(xcffib.dpms.key):
            dpms = self._x(xcffib.dpms.key)
            times, info = dpms.GetTimeouts().reply(), dpms.Info().reply()
            yield (
                "power saving",
                (
                    times.standby_timeout,
                    times.suspend_timeout,
                    times.off_timeout,
                    info.power_level,
                    info.state,
                ),
            )

    def _screens(self) -> Iterator[tuple[str, object]]:
        root = self._x.core.GetGeometry(self._root).reply()
        yield "screen size", (root.width, root.height, root.depth)
        randr = self._x(xcffib.randr.key)
        randr.QueryVersion(1, 5).reply()
        found = randr.GetScreenResourcesCurrent(self._root).reply()
        for crtc in found.crtcs:
            info = randr.GetCrtcInfo(crtc, found.config_timestamp).reply()
            yield f"crtc {crtc}", (info.x, info.y, info.width, info.height, info.mode, info.rotation)
            with suppress(xcffib.Error):
                gamma = randr.GetCrtcGamma(crtc).reply()
                yield f"gamma {crtc}", hash((tuple(gamma.red), tuple(gamma.green), tuple(gamma.blue)))

    def _access(self) -> bool:
        return bool(self._x.core.ListHosts().reply().mode)

    def _has(self, key: Any) -> bool:
        return bool(self._x.core.QueryExtension(len(key.name), key.name).reply().present)

    # ---- properties --------------------------------------------------------------------------

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._x.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def _name(self, atom: int) -> str:
        return str(self._x.core.GetAtomName(atom).reply().name.to_string())

    def _numbers(self, window: int, name: str) -> list[int]:
        with suppress(xcffib.Error):
            reply = self._x.core.GetProperty(False, window, self._atom(name), Atom.Any, 0, 4096).reply()
            raw = reply.value.raw
            return list(struct.unpack(f"={len(raw) // 4}I", raw)) if reply.format == 32 else []
        return []

    def _called(self, window: int) -> str:
        """Its program and id: a title may change while the window stays the same."""
        with suppress(xcffib.Error):
            reply = self._x.core.GetProperty(False, window, self._atom("WM_CLASS"), Atom.Any, 0, 256).reply()
            program = bytes(reply.value.raw).decode(errors="replace").split("\0")[0]
            return f"{program} ({window:#x})"
        return f"{window:#x}"

    def _title(self, window: int) -> str:
        for name in ("_NET_WM_NAME", "WM_NAME"):
            with suppress(xcffib.Error):
                reply = self._x.core.GetProperty(False, window, self._atom(name), Atom.Any, 0, 256).reply()
                if reply.value_len:
                    return bytes(reply.value.raw).decode(errors="replace")
        return ""


def _meaning(row: tuple[int, ...]) -> tuple[int, ...]:
    """The keysyms of a key without the ones that are repeated for want of others."""
    last = max((n for n, each in enumerate(row) if each), default=-1)
    return row[: last + 1]
