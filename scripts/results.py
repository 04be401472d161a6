"""The folder `test-results`, kept out of git: one file of JSON lines for each kind of record."""

from __future__ import annotations

import json
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "test-results"


def add(name: str, **told: Any) -> None:
    """Append a line to the record `name`: the date, the machine, the commit, and what else is given."""
    line = {
        "date": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "machine": platform.node(),
        "commit": _commit(),
    }
    FOLDER.mkdir(exist_ok=True)
    with path(name).open("a", encoding="utf-8") as file:
        print(json.dumps(line | told), file=file)


def read(name: str) -> list[dict[str, Any]]:
    """The lines of the record `name`, the oldest first."""
    if not path(name).exists():
        return []
    return [json.loads(line) for line in path(name).read_text(encoding="utf-8").splitlines()]


def path(name: str) -> Path:
    """The file of the record `name`."""
    return FOLDER / f"{name}.jsonl"


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return ""
