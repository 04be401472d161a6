"""What the tests of the set-up share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def made_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment, to be copied where making one is not what is looked at."""
    place = tmp_path_factory.mktemp("environment") / "made"
    subprocess.run([sys._base_executable, "-I", "-m", "venv", str(place)], check=True)  # type: ignore[attr-defined]
    return place
