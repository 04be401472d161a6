"""Packages that are not always installed: an extra of this program brings them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from desktop_agent.protocol.errors import ConfigError


def require(package: str, purpose: str, extra: str = "") -> None:
    """Check that a package is there that an extra brings, one of the same name unless told. Raises ConfigError where it is not."""
    if importlib.util.find_spec(package) is None:
        raise ConfigError(
            f"The package {package}, which {purpose} needs, is not installed.",
            f'Install it with: {_pip()} install "desktop-agent[{extra or package}]"',
        )


def _pip() -> str:
    """How pip is started for the Python that runs this: there may be others on this computer."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    return f"{python} -m pip"
