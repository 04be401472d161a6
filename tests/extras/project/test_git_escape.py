"""The short form of `./bench git_escape`: a way that holds is told from one that does not."""

from __future__ import annotations

import sys

import pytest

from benchmarks.git_escape import WAYS, Way, held
from desktop_agent.platforms.posix import bubblewrap

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]
FSMONITOR = 'git config core.fsmonitor "touch $MARK;:"'


def test_what_runs_outside_is_told_from_what_does_not() -> None:
    assert held(Way("settings of the copy", FSMONITOR, (("git", "status"),), "no-mark"))
    planted = 'mkdir x; printf "touch %s" "$MARK" > x/run'
    assert not held(Way("a script that the user runs", planted, (("sh", "x/run"),), "no-mark"))


def test_a_change_that_is_told_counts_as_shown() -> None:
    assert held(Way("make", 'printf "all:\\n\\ttrue\\n" > Makefile', (), "shown", file="Makefile"))
    assert not held(Way("another", "echo 1 > notes.txt", (), "shown", file="notes.txt"))
    assert len(WAYS.read_bytes().splitlines()) == 30
