"""Packages that are not always installed: an extra of this program brings them."""

from __future__ import annotations

import importlib.util
import os
import sys

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
    python = (
        os.path.relpath(sys.executable) if sys.executable.startswith(os.getcwd() + os.sep) else sys.executable
    )  # noqa: PTH109
    return f"{python} -m pip" if python else "pip"
