"""Packages that are not always installed: an extra of this program brings them."""

from __future__ import annotations

import importlib

from desktop_agent.protocol.errors import ConfigError


def require(package: str, purpose: str) -> None:
    """Import a package that the extra of the same name brings. Raises ConfigError where it is not installed."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        raise ConfigError(
            f"The package {package}, which {purpose} needs, is not installed.",
            f'Install it with: pip install "desktop-agent[{package}]"',
        ) from error
