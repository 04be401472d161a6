r"""The folders of settings, runs and logs, those of the user (Documents, Downloads …), and files that only their owner may read.

All of it stays on this machine. On Windows that is the local application data, not the roaming one:
pictures of a screen do not belong on a server, and the window's place and private regions are pixels of
these monitors. The one thing that may roam is a key, in the system's key store.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import platformdirs

from desktop_agent.support.operating_system import WINDOWS

NAME = "desktop-agent"
LONGEST, ROOM = 260, 150
r"""What Windows takes as a path without `\\?\` in front, and what is added to a folder: a run, `frames`, a picture's name."""
USUAL = {
    "DESKTOP": "Desktop", "DOCUMENTS": "Documents", "DOWNLOAD": "Downloads", "MUSIC": "Music", "PICTURES": "Pictures",
    "PUBLICSHARE": "Public", "TEMPLATES": "Templates", "VIDEOS": "Videos",
}  # fmt: skip
"""The user's own folders by their names in XDG's user-dirs, and what they are called in English."""
_PLACES: dict[str, Callable[[], str]] = {
    "DESKTOP": platformdirs.user_desktop_dir,
    "DOCUMENTS": platformdirs.user_documents_dir,
    "DOWNLOAD": platformdirs.user_downloads_dir,
    "MUSIC": platformdirs.user_music_dir,
    "PICTURES": platformdirs.user_pictures_dir,
    "PUBLICSHARE": platformdirs.user_publicshare_dir,
    "TEMPLATES": platformdirs.user_templates_dir,
    "VIDEOS": platformdirs.user_videos_dir,
}
PORTABLE = "portable"
WINDOW_STATE, INPUT_HISTORY = "window.ini", "input-history.json"
"""Files in the settings folder: where the window keeps its place, and earlier goals."""
CRASH_REPORTS, TOLD_CRASHES = "crash-*.txt", "told-crashes"
"""Files in the log folder: reports of crashes, and the names of those the user has been told of."""
_PREFIX, _SHARE = "\\\\?\\", "UNC\\"


FOLDER, FILE = 0o700, 0o600
# On Windows a descriptor would change line ends.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def portable() -> Path | None:
    """The folder beside a packaged program that keeps all it writes there; None for any other program.

    It has a file `portable` beside it, as the zip brings it. Keys are in the system's key store all the same.
    """
    folder = Path(sys.executable).parent
    here = getattr(sys, "frozen", False) and (folder / PORTABLE).is_file()
    return folder / "data" if here else None


def settings() -> Path:
    """The folder of config.toml and of what the window remembers."""
    if beside := portable():
        return _usable(str(beside))
    return _usable(platformdirs.user_config_dir(NAME, appauthor=False))


def data() -> Path:
    """The folder of the runs and of their heads."""
    if beside := portable():
        return _usable(str(beside))
    return _usable(platformdirs.user_data_dir(NAME, appauthor=False))


def kv_caches() -> Path:
    """The folder in which each model on this machine has one for what it has read."""
    return data() / "context"


def logs() -> Path:
    """The folder of the log and of reports of crashes."""
    if beside := portable():
        return _usable(str(beside / "Logs"))
    return _usable(platformdirs.user_log_dir(NAME, appauthor=False))


def of_user(kind: str, home: str = "") -> Path:
    """One of the user's own folders (a key of `USUAL`), wherever the system has it and whatever it is called there.

    In a `home` that is not the user's it has its English name.
    """
    if home and Path(home) != Path.home():
        return Path(home) / USUAL[kind]
    return Path(_PLACES[kind]())


def of_config() -> tuple[Path, ...]:
    """The folders where config.toml is looked for: the user's settings folder, then the checkout."""
    return (settings(), Path(__file__).parents[2])


def elsewhere(path: Path) -> str:
    """A sentence with the real place of the user's folder (Documents, say) that `path` looks for in the home folder.

    "" when it is there, or `path` is in none of the user's folders.
    """
    for kind, name in USUAL.items():
        usual = Path.home() / name
        if path.is_relative_to(usual) and (place := of_user(kind)) != usual:
            return f"The user's {name} folder is {place}."
    return ""


def _usable(path: str) -> Path:
    return Path(lengthened(path)) if WINDOWS else Path(path)


def lengthened(path: str) -> str:
    r"""A Windows folder in the form that files of any length can be in (`\\?\`), when what we put there may be too long.

    Source: "Maximum Path Length Limitation" of the Windows API: the other way, `longPathAware`, needs a
    setting that most machines do not have.
    """
    if len(path) + ROOM < LONGEST or path.startswith(_PREFIX):
        return path
    plain = str(PureWindowsPath(path))  # the long form knows no forward slashes
    return _PREFIX + (_SHARE + plain[2:] if plain.startswith("\\\\") else plain)


def shortened(path: str) -> str:
    """A path without the long form's prefix, as people write it and Qt takes it."""
    bare = path.removeprefix(_PREFIX)
    return "\\\\" + bare.removeprefix(_SHARE) if bare != path and bare.startswith(_SHARE) else bare


def private_folder(path: Path) -> None:
    """Make a folder with its parents, readable by its owner only; one that others could read is closed to them.

    Parents that are there stay as they are. Raises OSError.
    """
    if not path.parent.is_dir():
        private_folder(path.parent)  # mkdir would give parents the usual rights
    path.mkdir(exist_ok=True, mode=FOLDER)
    if path.stat().st_mode & 0o077:
        path.chmod(FOLDER)


def write_private(path: Path, data: bytes) -> None:
    """Replace a file's content, whole or not at all, readable by its owner only. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(part, _FLAGS, FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
