"""Names the folders of runs: when one began and a random id, nothing of what it was about."""

from __future__ import annotations

import re
import secrets
import time

_NAME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{16}")


def new_run_name() -> str:
    """A name that no other run has, as in `20261122-214500-0f1e2d3c4b5a6978`; the goal is not in it.

    The names of folders are seen in file dialogs, backups and lists of recent files.
    """
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(8)}"


def is_run_name(name: str) -> bool:
    """Is it the name of a run's folder that `new_run_name` made?"""
    return _NAME.fullmatch(name) is not None
