"""`desktop-agent folders`: prints where this user's settings, data and logs are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

EXAMPLES = (("folders", "where settings, runs and logs are"),)


def main(words: Sequence[str]) -> int:
    """Print the folders, a line each; returns the exit code."""
    from desktop_agent.support import paths

    description = "Where this user's settings, data and logs are."
    argparse.ArgumentParser(prog="desktop-agent folders", description=description).parse_args(list(words))
    places = {"settings": paths.settings(), "data": paths.data(), "logs": paths.logs()}
    print("\n".join(f"{name:9} {place}" for name, place in places.items()))
    return 0
