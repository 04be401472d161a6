"""`desktop-agent models`: lists the models that are here, what each can do and costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

EXAMPLES = (("models", "which models are here, what each can do and costs"),)


def main(words: Sequence[str]) -> int:
    """Print the list; returns the exit code."""
    from desktop_agent.doctor.model_list import run_models

    description = "The models that are here, what each can do and what it costs."
    parser = argparse.ArgumentParser(prog="desktop-agent models", description=description)
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.add_argument("--config", metavar="FILE", help="a config file instead of the usual one")
    given = parser.parse_args(list(words))
    return run_models(given.json, given.config)
