"""What the window waits for: neither numpy nor pillow nor the planner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = """
import sys, threading
from desktop_agent import cli
from desktop_agent.protocol.agent_events import LookTaken, Status
from desktop_agent.protocol.geometry import Rect
from desktop_agent.startup import assembly
from desktop_agent.support.config import Config
from desktop_agent.startup import preload
from desktop_agent.startup.arguments import Arguments
from desktop_agent.targets import local
from desktop_agent.ui import run_window
model, _ = assembly.make_model(assembly.with_arguments(Config(), Arguments(model="offline")))
late = [name for name in ("numpy", "PIL", "desktop_agent.extras.offline.llm.offline.model") if name in sys.modules]
assert not late, late
heard = preload.when_looked()
heard(Status(state="planning"))
assert not [each for each in threading.enumerate() if each.name == "preload"]
heard(LookTaken(frame="a", region=Rect(0, 0, 9, 9), elements=0))
[late] = [each for each in threading.enumerate() if each.name == "preload"]
late.join()
assert "numpy" in sys.modules and "desktop_agent.extras.offline.llm.offline.model" in sys.modules
"""


def test_the_window_waits_for_neither_numpy_nor_the_planner() -> None:
    command = [sys.executable, "-c", CODE]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == 0, ran.stderr
