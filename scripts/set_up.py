"""Sets up what is missing and then starts what was asked for: `set_up.py run|test|bench|check_windows ARGS`.

It runs before every start: what takes time is in `scripts.stages` and imported only when needed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def start(what: str, arguments: list[str]) -> int:
    """Become the program asked for (Windows has no exec: there, wait for it and return its status)."""
    from scripts.stamps import python_of

    python = str(python_of(ROOT))
    # -P: a module lying in the current directory must not stand in for one of ours.
    command = {
        "run": [python, "-P", "-m", "desktop_agent", *arguments],
        "test": [python, "-m", "scripts.checks", *arguments],
        "bench": [python, "-P", "-m", "benchmarks", *arguments],
        "check_windows": [python, "-P", "-m", "installer.windows_check", *arguments],
    }[what]
    if what == "test":
        os.chdir(ROOT)
    if what in ("bench", "check_windows"):
        os.environ["PYTHONPATH"] = str(ROOT)
    if sys.platform != "win32":
        os.execv(python, command)
    import signal
    import subprocess

    # Ctrl-C is for the program, which ends in good order; we wait for that and pass on its status.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command, check=False).returncode


def main(what: str, arguments: list[str]) -> int:
    """Set up and start; returns an exit status (1 when the set-up cannot be done)."""
    from scripts import stamps

    wanted = stamps.stages_of(what, arguments)
    if not all(stamps.valid(ROOT, stage) for stage in wanted):
        from scripts import stages

        status = stages.set_up(ROOT, wanted, lenient=arguments[:1] == ["doctor"])
        if status:
            return status
    return start(what, arguments)


if __name__ == "__main__":
    sys.path.append(str(ROOT))
    sys.exit(main(sys.argv[1], sys.argv[2:]))
