"""Every check of the project, in the order of how fast they tell: `python -m scripts.checks [pytest's arguments]`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "import rules": ["lint-imports", "--no-logo"],
    "package rules": ["python", "-m", "scripts.package_rules"],
}
# Windows' Python has neither the system calls of Linux's parts nor the packages that they use.
OF_LINUX = frozenset({"types"})
# Most tests wait for displays and programs, so that two processors have room for three at a time. Files are handed out
# in the order tests/conftest.py gives them, long ones first: xdist's own order puts files of one long test last.
AT_A_TIME = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
# A handful of failures is looked at again, each test alone: many act on real programs, which a busy machine delays.
# More than that, and failures that come back, are the code's.
FEW = 5
COMPILED = ("desktop_agent", "benchmarks", "tests")
CACHE = Path(".pytest_cache/v/cache/lastfailed")


def main(arguments: list[str]) -> int:
    """Run every check, also after one has failed, and pytest last; with arguments run only pytest with them.

    Returns pytest's exit status, or 1 when pytest passed and another check did not.
    """
    failed = [] if arguments else [name for name, command in checks().items() if not _passes(name, command)]
    if failed:
        print(f"FAILED: {', '.join(failed)} (above)", flush=True)
    status = _pytest(*arguments) if arguments else _whole()
    return status or int(bool(failed))


def _whole() -> int:
    """Run all tests; the status. A few that failed are run again alone, and those that pass then are named as unsteady."""
    _compile()
    status = _pytest("--cache-clear", *AT_A_TIME)
    failures = list(json.loads(CACHE.read_text())) if status == 1 and CACHE.exists() else []
    if not 0 < len(failures) <= FEW:
        return status
    print(f"== again, alone: {len(failures)} that failed", flush=True)
    status = _pytest("--last-failed", "--last-failed-no-failures", "none")
    if status == 0:
        print("UNSTEADY, passed alone: " + ", ".join(failures), flush=True)
    return status


def _compile() -> None:
    """Write byte code for the thousand processes that the tests start: where Python is told to write none, each would compile anew."""
    folders = [name for name in COMPILED if Path(name).is_dir()]
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-j", "2", *folders], check=False)


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def checks() -> dict[str, list[str]]:
    """The checks besides pytest that can be made on this system: their names and commands."""
    left_out = OF_LINUX if sys.platform == "win32" else ()
    return {name: command for name, command in CHECKS.items() if name not in left_out}


def _passes(name: str, command: list[str]) -> bool:
    print(f"== {name}", flush=True)
    return subprocess.run([BIN / command[0], *command[1:]], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
