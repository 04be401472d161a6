"""`desktop-agent schema`: prints the JSON Schema of a model's replies, with its version."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

EXAMPLES = (("schema", "the JSON Schema of a model's replies"),)


def main(words: Sequence[str]) -> int:
    """Print the schema; returns the exit code."""
    from desktop_agent.protocol.schema import published_schema

    description = "The JSON Schema of a model's replies, with its version."
    argparse.ArgumentParser(prog="desktop-agent schema", description=description).parse_args(list(words))
    print(json.dumps(published_schema(), indent=2, ensure_ascii=False))
    return 0
