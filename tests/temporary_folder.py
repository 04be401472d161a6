"""Gives a test run of root a temporary folder that no other run closes to the users whose programs its tests start."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


class OwnFolder:
    """The folder of one run, kept when a test of it failed.

    Root's runs share /tmp/pytest-of-root otherwise, and each run that begins, one inside a test too, takes everybody
    else's rights to it: git, as the user a project belongs to, was then refused in the middle of another run's test.
    """

    def __init__(self, config: pytest.Config) -> None:
        """To be made before pytest makes its own."""
        self.path = Path(tempfile.mkdtemp(prefix="agent-tests-"))
        config.option.basetemp = self.path

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, exitstatus: int) -> Iterator[None]:
        """Remove it once all fixtures have ended."""
        yield
        if exitstatus == pytest.ExitCode.OK:
            # By a program: Python's own way calls itself for each folder in a folder.
            subprocess.run(["rm", "-rf", "--", str(self.path)], check=False)


def is_wanted(config: pytest.Config) -> bool:
    """Does root run this, in no folder that was chosen?"""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and config.option.basetemp is None
