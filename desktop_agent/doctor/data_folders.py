"""The config file, and the folders that runs and logs are written to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.doctor.check import Check
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import config, plugins
from desktop_agent.support import paths as places
from desktop_agent.support.config import Config

ENOUGH = 200_000_000
"""Bytes a run of an hour may need for its pictures."""


def config_file(explicit: str | None) -> tuple[Config, Check]:
    """The settings (the defaults when they cannot be read) and how the file is."""
    try:
        path = config.find_file(explicit, places.of_config())
        settings = config.load(path)
        for family in config.TABLES:
            for name in getattr(settings, family):
                module = plugins.load(family, name)
                config.options(settings, family, name, module.Options)
    except ConfigError as error:
        return Config(), Check("config file", "broken", error.message, error.advice, needed=True)
    return settings, Check("config file", "ok", str(path) if path else "none, so the defaults count")


def checks() -> Sequence[Check]:
    """The folder of the runs, without which nothing may be done, and that of the log."""
    return [
        folder("runs", places.data() / "runs", needed=True),
        folder("log", places.logs(), needed=False),
    ]


def folder(name: str, path: Path, needed: bool) -> Check:
    """Whether files can be written there, and the space that is left."""
    title = f"{name} folder"
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\0" * 4096)
        free = shutil.disk_usage(path).free
    except OSError as error:
        return Check(
            title, "broken", f"{path}: {error.strerror}", "Give yourself the right to write there.", needed
        )
    if free < ENOUGH:
        return Check(title, "broken", f"{path}: only {free // 1_000_000} MB free", "Free some space.", needed)
    return Check(title, "ok", f"{path}, {free / 1e9:.0f} GB free", needed=needed)
