"""Checks and tests of the project, in tiers.

    ./test          the checks, and the tests of the core
    ./test all      the checks and every test, as continuous integration runs them
    ./test unit     the tests that start no process
    ./test lint     the checks alone
    ./test fix      what ruff can put right by itself
    ./test PATH…    pytest with these arguments; after core, all or unit with the tests of that tier alone
    ./test --help   this

tests/tiers.toml assigns the tests to tiers. A few tests that failed are run again alone; one that passes then is told
as unsteady, and the second time it has failed. test-results/ holds the record of that, and of each test's duration.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from scripts import results

BIN = Path(sys.executable).parent
CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy", "--num-workers=2"],
    "import rules": ["lint-imports", "--no-logo"],
    "package rules": ["python", "-m", "scripts.package_rules"],
}
FIXES = {
    "lint": ["ruff", "check", "--fix", "."],
    "format": ["ruff", "format", "."],
}
# Windows' Python has neither the system calls of Linux's parts nor the packages that they use.
OF_LINUX = frozenset({"types"})
# schemathesis is a plug-in for one test of `all`, which takes two seconds to load.
QUICK = ["-m", "not slow", "-p", "no:schemathesis"]
TIERS = {
    "unit": ["--tier=unit", *QUICK],
    "core": ["--tier=core", *QUICK],
    "all": ["--tier=all"],
}
# Most tests wait for displays and programs, so that two processors have room for three at a time. Files are handed out
# in the order tests/conftest.py gives them, long ones first: xdist's own order puts files of one long test last.
AT_A_TIME = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
TIMED = ["--durations=10", "--record"]
# A handful of failures is looked at again, each test alone: many act on real programs, which a busy machine delays.
# More than that, and failures that come back, are the code's.
FEW = 5
COMPILED = ("desktop_agent", "benchmarks", "tests")
CACHE = Path(".pytest_cache/v/cache/lastfailed")


def main(arguments: list[str]) -> int:
    """Do what the arguments ask for, as the module's text says; checks also after one has failed, and pytest last.

    Returns pytest's exit status, or 1 when pytest passed and another check did not.
    """
    tier, *words = arguments or ["core"]
    if tier in ("-h", "--help"):
        print(__doc__)
        return 0
    if tier == "lint":
        return _all_pass(checks())
    if tier == "fix":
        return _all_pass(FIXES)
    if tier not in TIERS:
        # conftest.py, which has the words of TIMED, is read before them where nothing outside tests/ is named.
        outside = any(Path(word).exists() and not word.startswith("tests") for word in arguments)
        return _pytest(*(() if outside else TIMED), *arguments)
    if words:
        return _pytest(*TIERS[tier], *TIMED, *words)
    _compile()
    failed = 0 if tier == "unit" else _checked(TIERS[tier])
    return _whole(TIERS[tier]) or failed


def _checked(tier: list[str]) -> int:
    """Make the checks; 1 when one failed. Beside them pytest compiles the tests of a tier once for all its workers.

    A test that it cannot collect fails when the tests are run.
    """
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-qq", *tier]
    nothing = subprocess.DEVNULL
    with subprocess.Popen(collecting, stdin=nothing, stdout=nothing, stderr=nothing, env=_environment()):
        return _all_pass(checks())


def _whole(tier: list[str]) -> int:
    """Run all tests of a tier; the status. A few that failed are run again alone."""
    status = _pytest("--cache-clear", *tier, *AT_A_TIME, *TIMED)
    failures = _failed()
    if status != 1 or not 0 < len(failures) <= FEW:
        return status
    print(f"== again, alone: {len(failures)} that failed", flush=True)
    status = _pytest("--last-failed", "--last-failed-no-failures", "none", *tier)
    unsteady = [test for test in failures if test not in _failed()]
    return max(status, _unsteady(unsteady) if unsteady else 0)


def _failed() -> list[str]:
    return list(json.loads(CACHE.read_text())) if CACHE.exists() else []


def _unsteady(tests: list[str]) -> int:
    """Put on record which tests passed only alone; 1 if one of them was there before."""
    before = {line["test"] for line in results.read("unsteady")}
    print("=" * 100)
    for test in tests:
        known = test in before
        results.add("unsteady", test=test)
        print(f"{'FAILED, for the second time' if known else 'UNSTEADY,'} passed only alone: {test}")
    print("On record in test-results/unsteady.jsonl; take its lines out there once it is repaired.")
    return int(not before.isdisjoint(tests))


def _compile() -> None:
    """Write byte code for the thousand processes that the tests start."""
    folders = [name for name in COMPILED if Path(name).is_dir()]
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-j", "2", *folders], check=False)


def _pytest(*arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env=_environment(), check=False).returncode


def _environment() -> dict[str, str]:
    """This process's variables without PYTHONDONTWRITEBYTECODE, with which each worker would compile all tests for itself."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def checks() -> dict[str, list[str]]:
    """The checks besides pytest that can be made on this system: their names and commands."""
    left_out = OF_LINUX if sys.platform == "win32" else ()
    return {name: command for name, command in CHECKS.items() if name not in left_out}


def _all_pass(commands: dict[str, list[str]]) -> int:
    """Run all, also after one has failed; 1 when one has."""
    failed = [name for name, command in commands.items() if not _passes(name, command)]
    if failed:
        print(f"FAILED: {', '.join(failed)} (above)", flush=True)
    return int(bool(failed))


def _passes(name: str, command: list[str]) -> bool:
    print(f"== {name}", flush=True)
    return subprocess.run([BIN / command[0], *command[1:]], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
