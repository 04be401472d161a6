"""Runs the program as its users do: as a command, with its own home folder, and reads its JSON feed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SECONDS = 800
"""A job takes 20 seconds; on two processors that four others keep busy, at a lower priority, it took 230."""


@dataclass(frozen=True)
class Ran:
    """How a run ended: exit code, feed events and what went to stderr."""

    code: int
    events: list[dict[str, Any]]
    complaints: str

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def story(self) -> str:
        """The feed in short, for a failing test's message."""
        kept = ("plan", "note", "action", "result", "question", "error", "done", "status")
        lines = [
            json.dumps({k: v for k, v in e.items() if k != "time"}) for e in self.events if e["type"] in kept
        ]
        return f"exit {self.code}\n" + "\n".join(lines) + f"\n{self.complaints}"


def environment(home: Path, **more: str) -> dict[str, str]:
    """A fresh user's environment: no display, no keys, a home of its own."""
    dropped = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and not name.endswith("_API_KEY") and not name.startswith("XDG_")
    }
    homes = {"HOME": str(home), "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(home)}  # the second is for Windows
    return kept | homes | {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"} | more


def welcomed(home: Path) -> None:
    """Make the user one who has seen the first page."""
    folder = home / ".config/desktop-agent"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "window.ini").write_text("[window]\nwelcomed=true\n")


def run(home: Path, *words: str, **more: str) -> Ran:
    """Run `desktop-agent --json WORDS` to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "--json", *words],
        cwd=ROOT,
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return Ran(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr)
