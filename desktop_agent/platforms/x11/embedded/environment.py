"""Prepares the environment of an embedded session's programs: variables, settings, session bus, accessibility, mouse bindings."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from desktop_agent.redaction.secret_reference import without_secrets

# Variables that tie a program to another session, or would change how it draws or what it reports.
_OTHER_SESSION = frozenset((
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DBUS_STARTER_ADDRESS",
    "SESSION_MANAGER", "XDG_RUNTIME_DIR", "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP",
    "DESKTOP_SESSION", "DESKTOP_STARTUP_ID", "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "GTK_MODULES",
    "GDK_BACKEND", "QT_QPA_PLATFORM", "QT_PLUGIN_PATH", "WINDOWID",
))  # fmt: skip

_CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
)
_CHROMIUM_FLAGS = (
    "--force-renderer-accessibility",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-crash-restore-bubble",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--password-store=basic",
)

_OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"/></keybind>
  </keyboard>
  {mouse}
</openbox_config>
"""
# A still screen is a settled screen: no blinking, no animations.
_GTK3 = "[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n"
# With GTK 3 (from Debian 13 on) the icons of this file manager have no names in the accessibility tree; rows of a list have.
# The settings in /etc/xdg and the user's own override ours in its default profile, so it gets another.
_PCMANFM_PROFILE = "desktop-agent"
_PCMANFM = "[ui]\nview_mode=list\n"


_ANY = ("Left", "Middle", "Right")
_EDGES = {
    "Top": "top",
    "Bottom": "bottom",
    "Left": "left",
    "Right": "right",
    "TLCorner": "topleft",
    "TRCorner": "topright",
    "BLCorner": "bottomleft",
    "BRCorner": "bottomright",
}
_BUTTONS = {"Close": "Close", "Maximize": "ToggleMaximize", "Iconify": "Iconify"}


def inherited(environ: Mapping[str, str]) -> dict[str, str]:
    """The part of `environ` that the session's programs inherit.

    Secrets are left out: the model works in these programs, a terminal among them.
    """
    return {name: value for name, value in without_secrets(environ).items() if name not in _OTHER_SESSION}


def prepare(folder: Path, environ: Mapping[str, str], *, boxed: bool = False) -> dict[str, str]:
    """Write the session's settings into its folder; returns the environment variables that point to them.

    `boxed`: its programs run in a sandbox, in which a browser cannot make one of its own.
    """
    (folder / "run").mkdir(mode=0o700)
    (folder / "config" / "gtk-3.0").mkdir(parents=True)
    (folder / "config" / "gtk-3.0" / "settings.ini").write_text(_GTK3)
    (folder / "config" / "pcmanfm" / _PCMANFM_PROFILE).mkdir(parents=True)
    (folder / "config" / "pcmanfm" / _PCMANFM_PROFILE / "pcmanfm.conf").write_text(_PCMANFM)
    (folder / "openbox.xml").write_text(_OPENBOX.format(mouse=section()))
    data = environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    _wrap_programs(folder, data.split(":"), sandboxed=boxed or os.geteuid() == 0)
    return {
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "XDG_CONFIG_DIRS": f"{folder / 'config'}:{environ.get('XDG_CONFIG_DIRS') or '/etc/xdg'}",
        "XDG_DATA_DIRS": f"{folder / 'data'}:{data}",
        "PATH": f"{folder / 'bin'}:{environ.get('PATH', os.defpath)}",
        "HOME": str(Path.home()),
        "ACCESSIBILITY_ENABLED": "1",
        "GNOME_ACCESSIBILITY": "1",
        "GTK_MODULES": "gail:atk-bridge",  # GTK 2 speaks AT-SPI through these; GTK 3 by itself
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "GDK_BACKEND": "x11",
        "GSETTINGS_BACKEND": "memory",
        **_locale(environ),
    }


def _locale(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables for a UTF-8 locale where none is set: without one xterm and GTK do not accept all of Unicode."""
    if any(environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        return {}
    return {"LANG": "C.UTF-8"}


def _wrap_programs(folder: Path, data: list[str], *, sandboxed: bool) -> None:
    """Write wrappers that start every Chromium and the file manager with the session's flags and a profile of its own.

    Debian's launcher empties CHROMIUM_FLAGS, so the flags go in by a wrapper that comes first on PATH
    and in the desktop entries.
    """
    (folder / "bin").mkdir()
    (folder / "data" / "applications").mkdir(parents=True)
    flags = {name: _chromium_flags(folder / f"profile-{name}", sandboxed) for name in _CHROMIUMS}
    for name, words in {**flags, "pcmanfm": [f"--profile={_PCMANFM_PROFILE}"]}.items():
        program = shutil.which(name)
        if program is not None:
            wrapper = folder / "bin" / name
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([program, *words])} "$@"\n')
            wrapper.chmod(0o755)
            _write_entries(folder, name, data)


def _chromium_flags(profile: Path, sandboxed: bool) -> list[str]:
    flags = [*_CHROMIUM_FLAGS, f"--user-data-dir={profile}"]
    # The latter hides the warning bar about the former.
    return [*flags, "--no-sandbox", "--test-type"] if sandboxed else flags


def _write_entries(folder: Path, name: str, data: list[str]) -> None:
    """Write copies of the program's desktop entries that start the wrapper."""
    pattern = re.compile(rf"^((?:Try)?Exec)=(?:\S*/)?{re.escape(name)}(?=\s|$)", re.MULTILINE)
    for directory in data:
        for entry in Path(directory, "applications").glob("*.desktop"):
            words = entry.read_text(encoding="utf-8", errors="replace")
            changed = pattern.sub(rf"\1={folder / 'bin' / name}", words)
            if changed != words:
                (folder / "data" / "applications" / entry.name).write_text(changed, encoding="utf-8")


def bus_command(folder: Path) -> list[str]:
    """The argv of a session bus with its socket in the folder; it prints its address."""
    address = f"unix:path={folder / 'run' / 'bus'}"
    return [
        "dbus-daemon",
        "--session",
        "--nofork",
        "--nopidfile",
        "--print-address=1",
        f"--address={address}",
    ]


# Given in full because openbox's defaults use Alt with clicks and drags to move windows, so these would never
# reach an application. Source: openbox.org/wiki/Help:Bindings.
def section() -> str:
    """The `<mouse>` element of openbox's rc.xml."""
    times = "<dragThreshold>8</dragThreshold><doubleClickTime>500</doubleClickTime>"
    return f"<mouse>{times}{''.join(_contexts())}</mouse>"


def _contexts() -> Iterator[str]:
    taken = "".join(_rule(button, "Press", "Focus", "Raise") for button in _ANY)
    yield _context("Client", taken)
    yield _context("Desktop", taken)
    title = _rule("Left", "Drag", "Move") + _rule("Left", "DoubleClick", "ToggleMaximize")
    yield _context("Titlebar", taken + title)
    for edge, side in _EDGES.items():
        resize = f'<action name="Resize"><edge>{side}</edge></action>'
        yield _context(edge, f'{taken}<mousebind button="Left" action="Drag">{resize}</mousebind>')
    for button, action in _BUTTONS.items():
        yield _context(button, taken + _rule("Left", "Click", action))


def _context(name: str, rules: str) -> str:
    return f'<context name="{name}">{rules}</context>'


def _rule(button: str, when: str, *actions: str) -> str:
    done = "".join(f'<action name="{action}"/>' for action in actions)
    return f'<mousebind button="{button}" action="{when}">{done}</mousebind>'
