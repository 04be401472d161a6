"""The command line words that start the program with a config file nobody is there to confirm."""

from __future__ import annotations

import hashlib
from pathlib import Path


def trusted(config: Path) -> tuple[str, ...]:
    """`--config` with the file, and `--trust-config` with the hash of what it holds now."""
    return ("--config", str(config), "--trust-config", hashlib.sha256(config.read_bytes()).hexdigest())
