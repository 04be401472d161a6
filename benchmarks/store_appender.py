"""A process that the store benchmark kills: a store written to as fast as can be.

It says on stdout `kept SEQ` for each record.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.heads import Heads


def _nobody(path: Path, text: str, last: bool) -> bool:  # noqa: ARG001
    """No guard."""
    return False


def write(folder: Path) -> None:
    """Write records and pictures, as fast as can be, until killed."""
    store = RunStore(folder, Heads(folder, _nobody))
    for number in itertools.count():
        if number % 20 == 0:
            store.keep_frame(f"{number:032x}", os.urandom(20_000), "jpg")
        record = store.append("note", {"text": f"fact {number}", "more": "x" * (number * 37 % 900)})
        os.write(1, f"kept {record.seq}\n".encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
