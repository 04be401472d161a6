"""Reads the settings that a desktop session publishes to its X clients (XSETTINGS Registry of freedesktop.org)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from desktop_agent.platforms.x11.connection import Display, reply_or_none

INTEGER, STRING, COLOR = 0, 1, 2
WORDS = 65_536


def integers(display: Display) -> dict[str, int]:
    """The settings that are whole numbers, by name; {} where no session publishes any."""
    return {name: value for name, value in _published(display).items() if isinstance(value, int)}


def theme_name(display: Display) -> str:
    """What the theme of the session's programs is called; "" where it does not say."""
    return str(_published(display).get("Net/ThemeName", ""))


def _published(display: Display) -> dict[str, int | str]:
    selection = display.atom(f"_XSETTINGS_S{display.connection.pref_screen}")
    owner = display.core.GetSelectionOwner(selection).reply().owner
    found = reply_or_none(display.ask_property(owner, "_XSETTINGS_SETTINGS", WORDS)) if owner else None
    try:
        return dict(_settings(bytes(found.value.raw))) if found is not None else {}
    except (struct.error, UnicodeDecodeError):  # another program's, and malformed
        return {}


def animated(display: Display) -> bool:
    """False where the session says that it wants no animations."""
    return integers(display).get("Gtk/EnableAnimations", 1) != 0


def _settings(raw: bytes) -> Iterator[tuple[str, int | str]]:
    order = ">" if raw[:1] == b"\1" else "<"
    (count,) = struct.unpack_from(f"{order}I", raw, 8)
    at = 12
    for _ in range(count):
        kind, length = struct.unpack_from(f"{order}BxH", raw, at)
        name = raw[at + 4 : at + 4 + length].decode("ascii")
        at += 4 + _padded(length) + 4  # the serial of its last change follows the name
        (value,) = struct.unpack_from(f"{order}i", raw, at)
        if kind == INTEGER:
            yield name, value
        elif kind == STRING:
            yield name, raw[at + 4 : at + 4 + value].decode()
        at += {INTEGER: 4, STRING: 4 + _padded(value), COLOR: 8}.get(kind, 4)


def _padded(length: int) -> int:
    return length + -length % 4
