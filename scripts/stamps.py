"""What has been set up: one small file for each stage, holding a hash of all that the stage depends on.

Read before every start, so only cheap imports here.
"""

from __future__ import annotations

import hashlib
import os
import sys
from itertools import pairwise
from pathlib import Path

_SYSTEM = ("desktop_agent/support/system_packages.py", "scripts/system.py")
# The files each stage depends on, below the project's root.
INPUTS = {
    "desktop": _SYSTEM,
    "embedded": _SYSTEM,
    "tests": _SYSTEM,
    "app": ("requirements/build.txt", "requirements/app.txt", "scripts/stages.py"),
    "project": ("pyproject.toml", "requirements/build.txt"),
    "dev": ("requirements/app.txt", "requirements/dev.txt", "requirements/model.txt"),
}
PYTHON_STAGES = ("app", "project", "dev")


def stages_of(what: str, arguments: list[str]) -> list[str]:
    """The stages that starting `what` needs, in their order: a set of system packages, then Python's."""
    python = ["app", "project", "dev"] if what == "test" else ["app", "project"]
    checks_alone = what == "test" and arguments[:1] in (["lint"], ["fix"])
    if sys.platform != "linux" or checks_alone:
        return python
    if what in ("test", "bench"):  # both need the programs that play the human
        return ["tests", *python]
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    embedded = "--target=display" in arguments or ("--target", "display") in pairwise(arguments)
    if what == "run" and has_display and not embedded:
        return ["desktop", *python]
    return ["embedded", *python]


def python_of(root: Path) -> Path:
    """The virtual environment's interpreter."""
    return root / (".venv/Scripts/python.exe" if sys.platform == "win32" else ".venv/bin/python")


def valid(root: Path, stage: str) -> bool:
    """Whether the stage was finished for exactly the inputs there are now."""
    try:
        return _path(root, stage).read_text(encoding="ascii") == _key(root, stage)
    except OSError:
        return False


def write(root: Path, stage: str) -> None:
    """Record that the stage is finished; the record appears whole or not at all."""
    path = _path(root, stage)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".new")
    unfinished.write_text(_key(root, stage), encoding="ascii")
    unfinished.replace(path)


def remove(root: Path, stage: str) -> None:
    """Forget that the stage was finished."""
    _path(root, stage).unlink(missing_ok=True)


def _path(root: Path, stage: str) -> Path:
    return root / ".venv" / "stamps" / stage


def _key(root: Path, stage: str) -> str:
    # The interpreter and the project's place count too: both are written into the environment.
    place = f"{root}\0{os.path.realpath(sys.executable)}\0{sys.version_info[:2]}\0"
    digest = hashlib.sha256(place.encode())
    for name in INPUTS[stage]:
        digest.update((root / name).read_bytes() + b"\0")
    return digest.hexdigest()
