r"""Where the program keeps what: settings, runs with their pictures, the log.

All of it stays on this machine. On Windows that is the local application data, not the roaming one:
pictures of a screen do not belong on a server, and the window's place and private regions are pixels of
these monitors. The one thing that may roam is a key, in the system's key store.
"""

from __future__ import annotations

import sys
from pathlib import Path, PureWindowsPath

import platformdirs

NAME = "desktop-agent"
LONGEST, ROOM = 260, 150
r"""What Windows takes as a path without `\\?\` in front, and what is added to a folder: a run, `frames`, a picture's name."""
_PREFIX, _SHARE = "\\\\?\\", "UNC\\"


def settings() -> Path:
    """The folder of config.toml and of what the window remembers."""
    return _usable(platformdirs.user_config_dir(NAME, appauthor=False))


def data() -> Path:
    """The folder of the runs and of their heads."""
    return _usable(platformdirs.user_data_dir(NAME, appauthor=False))


def logs() -> Path:
    """The folder of the log and of reports of crashes."""
    return _usable(platformdirs.user_log_dir(NAME, appauthor=False))


def _usable(path: str) -> Path:
    return Path(lengthened(path)) if sys.platform == "win32" else Path(path)


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
    """The same as people write it, and as Qt takes it."""
    bare = path.removeprefix(_PREFIX)
    return "\\\\" + bare.removeprefix(_SHARE) if bare != path and bare.startswith(_SHARE) else bare
