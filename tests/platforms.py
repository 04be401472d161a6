"""Which tests are for which system: decided here, and nowhere else.

A module is left out on Windows when it, or a module of tests or benchmarks that it imports, needs a library
that is only there on Linux (what stands under `if TYPE_CHECKING` or another `if` does not count). A single
test is skipped there when it works on a private X display, or says `@pytest.mark.linux("why")`. What only
Windows can do is in modules called `test_*_on_windows.py`.

So on every system the whole of it is `python -m pytest tests`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

WINDOWS = sys.platform == "win32"
_ROOT = Path(__file__).resolve().parent.parent
_OF_LINUX = re.compile(r"fcntl|resource|pwd|pty|xcffib|jeepney|desktop_agent\..*(x11|xauth|atspi|embedded).*")
_OF_WINDOWS = re.compile(r"test_.*_on_windows\.py")
_OF_TESTS = ("tests.", "benchmarks.", "installer.")
_DISPLAYS = frozenset(("display", "shared_display", "desk", "private_server"))
"""Fixtures that are an X server."""


def left_out(path: Path) -> bool:
    """Whether no test of this file can be run on this system."""
    if path.suffix != ".py":
        return False
    return _needs_linux(path) if WINDOWS else bool(_OF_WINDOWS.fullmatch(path.name))


def skip_for_linux(items: Iterable[pytest.Item]) -> None:
    """On Windows mark with the reason what is for Linux alone."""
    for item in items if WINDOWS else ():
        if _DISPLAYS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.skip(reason="works on a private X display"))
        elif (marker := item.get_closest_marker("linux")) is not None:
            item.add_marker(pytest.mark.skip(reason=marker.args[0]))


@cache
def _needs_linux(path: Path) -> bool:
    names = set(_imported(path))
    return any(map(_OF_LINUX.fullmatch, names)) or any(map(_needs_linux, filter(None, map(_file, names))))


def _imported(path: Path) -> Iterator[str]:
    """Names of the modules that are imported when this one is; `from a import b` gives `a` and `a.b`."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Import):
            yield from (each.name for each in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{each.name}" for each in statement.names)


def _file(module: str) -> Path | None:
    """The file of a module of ours that is no part of the product: that one has to be importable anywhere."""
    path = _ROOT / (module.replace(".", "/") + ".py")
    return path if module.startswith(_OF_TESTS) and path.is_file() else None
