"""`desktop-agent doctor`: tells what works on this machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from desktop_agent.startup.exit_code import USAGE

EXAMPLES = (
    ("doctor", "what works on this machine"),
    ("doctor --deep", "the same, and tries this desktop: asks before it does"),
)


def main(words: Sequence[str]) -> int:
    """Print the findings; returns the exit code."""
    from desktop_agent.doctor import run_doctor

    parser = argparse.ArgumentParser(prog="desktop-agent doctor", description="What works on this machine.")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--config", metavar="FILE", help="the config file to check")
    parser.add_argument(
        "--deep",
        action="store_true",
        help="try the real desktop too; asks before it takes mouse and keyboard",
    )
    parser.add_argument("--yes", action="store_true", help="with --deep: do not ask")
    given = parser.parse_args(list(words))
    if given.deep and not given.yes:
        from desktop_agent.doctor.deep import run as deep
        from desktop_agent.startup.windows_console import can_answer

        if not deep.agreed(sys.stdin if can_answer(sys.stdin) else None):
            return USAGE
    return run_doctor(json=given.json, config=given.config, deep=given.deep)
