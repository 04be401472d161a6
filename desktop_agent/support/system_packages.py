"""The system packages that this program needs, what proves them present, and how to install them.

Only the standard library is imported: the set-up reads this before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from desktop_agent.support.operating_system import WINDOWS


class Need(NamedTuple):
    """One Debian package, proved present by any of its `programs` or by all of its `libraries`.

    A program is a name in PATH, or the pattern of an absolute path. `why` says in a few words what it
    is for. Without an `essential` one this program does not start.
    """

    package: str
    why: str
    programs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    essential: bool = False


def _library(package: str, *names: str) -> Need:
    return Need(package, "the window (Qt)", libraries=names, essential=True)


# What the wheels of Qt 6 load and do not bring: found with readelf over its libraries and plugins.
WINDOW = (
    _library("libegl1", "libEGL.so.1"),
    _library("libgl1", "libGL.so.1"),
    # Depends on GLib under both of its package names (libglib2.0-0, and libglib2.0-0t64 since 2024).
    _library("shared-mime-info", "libglib-2.0.so.0", "libgthread-2.0.so.0"),
    _library("libfontconfig1", "libfontconfig.so.1"),
    _library("libfreetype6", "libfreetype.so.6"),
    _library("libdbus-1-3", "libdbus-1.so.3"),
    _library("libxkbcommon-x11-0", "libxkbcommon-x11.so.0", "libxkbcommon.so.0", "libxcb-xkb.so.1"),
    _library("libx11-xcb1", "libX11-xcb.so.1"),
    _library("libxcb-cursor0", "libxcb-cursor.so.0", "libxcb-image.so.0", "libxcb-render-util.so.0"),
    _library("libxcb-icccm4", "libxcb-icccm.so.4"),
    _library("libxcb-keysyms1", "libxcb-keysyms.so.1"),
    _library("libxcb-xinerama0", "libxcb-xinerama.so.0"),
    _library("libxcb-randr0", "libxcb-randr.so.0"),
    _library("libxcb-shape0", "libxcb-shape.so.0"),
    _library("libxcb-sync1", "libxcb-sync.so.1"),
    _library("libxcb-xfixes0", "libxcb-xfixes.so.0"),
    _library("libxcb-shm0", "libxcb-shm.so.0"),
)
ACCESSIBILITY = Need(
    "at-spi2-core",
    "the accessibility tree",
    programs=("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"),
)
OCR = Need("tesseract-ocr", "reading text in pictures (OCR)", programs=("tesseract",))
SENSES = (ACCESSIBILITY, OCR)
EMBEDDED = (
    Need("xvfb", "an embedded display", programs=("Xvfb",), essential=True),
    Need("openbox", "the embedded display's window manager", programs=("openbox",), essential=True),
    Need("dbus", "the embedded display's session bus", programs=("dbus-daemon",), essential=True),
    ACCESSIBILITY._replace(essential=True),
    Need("fonts-dejavu-core", "letters to show", programs=("/usr/share/fonts/truetype/dejavu",)),
)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPS = (
    Need("mousepad", "a text editor to work with", programs=("mousepad",)),
    Need("galculator", "a calculator to work with", programs=("galculator",)),
    Need("libatk-adaptor", "names in the file manager", programs=("/usr/lib/*/gtk-2.0/modules/libatk-bridge.so",)),
    Need("libgail-common", "names in the file manager", programs=("/usr/lib/*/gtk-2.0/modules/libgail.so",)),
    Need("pcmanfm", "a file manager to work with", programs=("pcmanfm",)),
    Need("xterm", "a terminal to work with", programs=("xterm",)),
    Need("chromium", "a web browser to work with", programs=_BROWSERS),
    # Without it Chromium needs user namespaces, which containers and some systems do not give.
    Need("chromium-sandbox", "the web browser's sandbox", programs=("/usr/lib/chromium/chrome-sandbox", *_BROWSERS[1:])),
)  # fmt: skip
TESTS = (
    Need("tigervnc-standalone-server", "tests that play the human", programs=("Xvnc", "Xtigervnc")),
    Need("xdotool", "tests that look from outside", programs=("xdotool",)),
    Need("x11-xserver-utils", "tests that change the screen's size", programs=("xrandr",)),
    Need("fonts-urw-base35", "tests with other letters", programs=("/usr/share/fonts/opentype/urw-base35",)),
    Need("libatomic1", "tests in the console's page (Playwright's Node)", libraries=("libatomic.so.1",)),
    Need("x11-xkb-utils", "tests with other keyboard layouts", programs=("setxkbmap",)),
)


# What the set-up installs before a start: for the display of the session, for an embedded one, for tests.
SETS: dict[str, tuple[Need, ...]] = {
    "desktop": WINDOW + SENSES,
    "embedded": (*WINDOW, OCR, *EMBEDDED, *APPS),
    "tests": (*WINDOW, OCR, *EMBEDDED, *APPS, *TESTS),
}


def missing(needs: Iterable[Need]) -> tuple[Need, ...]:
    """The needs that this machine does not meet now."""
    libraries = known_libraries()
    return tuple(need for need in needs if not _met(need, libraries))


def _met(need: Need, libraries: frozenset[str] | None) -> bool:
    if need.libraries:
        return libraries is None or libraries.issuperset(need.libraries)
    return any(any(Path("/").glob(name[1:])) if "/" in name else shutil.which(name) for name in need.programs)


def known_libraries() -> frozenset[str] | None:
    """Sonames of the shared libraries the dynamic linker finds; None when it cannot be asked."""
    ldconfig = shutil.which("ldconfig", path="/sbin:/usr/sbin:/bin:/usr/bin")
    if not ldconfig:
        return None
    listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    return frozenset(line.split()[0] for line in listing.splitlines()[1:] if line.strip())


# Its Windows installer leaves PATH as it is.
_ON_WINDOWS = "Install it (winget install UB-Mannheim.TesseractOCR), add its folder to PATH, and start again."


def advice(needs: Iterable[Need]) -> str:
    """One sentence that says how to install them. On Windows only text recognition can be missing."""
    if WINDOWS:
        return _ON_WINDOWS
    return f"Install them: {install_command([need.package for need in needs])}"


def install_command(packages: Sequence[str]) -> str:
    """The command with which this user installs Debian packages; on a system without apt, their names."""
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        return f"{names} (as Debian calls them) with your system's package manager"
    sudo = "sudo " if os.geteuid() != 0 and shutil.which("sudo") else ""
    return f"{sudo}apt-get install --no-install-recommends {names}"
