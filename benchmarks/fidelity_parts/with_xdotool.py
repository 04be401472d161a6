"""Runs in the Python of cua-auto-harness: for each action (a line of JSON) what it has xdotool do."""

from __future__ import annotations

import json
import sys

from autoharness.adapters.gym_anything import build_xdotool_commands  # type: ignore[import-not-found, unused-ignore]
from autoharness.contracts import action_from_dict  # type: ignore[import-not-found, unused-ignore]

for line in sys.stdin:
    action = json.loads(line)
    wait = action["kind"] == "wait"
    commands = (
        [["sleep", str(action["seconds"])]] if wait else build_xdotool_commands(action_from_dict(action))
    )
    print(json.dumps(commands), flush=True)
