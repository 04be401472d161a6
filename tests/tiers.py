"""Which tests belong to which tier of `./test` (tiers.toml), and what holds unit tests to starting no process."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TIERS = ("unit", "core", "all")
"""Each runs the tests of those before it, too."""
_ROOT = Path(__file__).resolve().parent.parent
_STARTS = frozenset(
    ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system")
)
"""Audit events of Python on the way to another process."""


@cache
def listed() -> Mapping[str, str]:
    """The least tier of each folder and file in tiers.toml."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {place: tier for tier, places in table.items() for place in places}


def tier_of(name: str) -> str:
    """The least tier that runs the tests of a folder or file: that of its nearest entry."""
    near = (place for place in listed() if _in(name, place))
    return listed().get(max(near, key=len, default=""), "core")


def left_out(path: Path, tier: str) -> bool:
    """Whether a tier runs nothing of a folder or file."""
    if not path.is_relative_to(_ROOT):
        return False
    name = path.relative_to(_ROOT).as_posix()
    tiers = [tier_of(name), *(listed()[place] for place in listed() if _in(place, name))]
    return min(map(TIERS.index, tiers)) > TIERS.index(tier)


def _in(name: str, place: str) -> bool:
    return name == place or name.startswith(f"{place}/")


class NoProcesses:
    """Pytest plug-in: fails a test that starts a process, or that connects to anything but a server of its own.

    No X server or Wayland can be reached, and Qt draws its windows in memory.
    """

    def __init__(self) -> None:
        self._working = False
        self._refused: list[str] = []
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        sys.addaudithook(self._heard)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Listen while a test runs, its fixtures included."""
        self._working = True
        try:
            return (yield)
        finally:
            self._working = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """Fail also where the test took the refusal for an ordinary error."""
        yield
        refused, self._refused = self._refused, []
        if refused:
            pytest.fail(f"No unit test (tests/tiers.toml): {', '.join(refused)}", pytrace=False)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._working and (event in _STARTS or (event == "socket.connect" and not _own(arguments[1]))):
            self._refused.append(f"{event} {arguments[:2]}")
            raise RuntimeError(f"a unit test may not do this: {self._refused[-1]}")


def _own(address: object) -> bool:
    return isinstance(address, tuple) and address[0] in ("127.0.0.1", "::1", "localhost")
