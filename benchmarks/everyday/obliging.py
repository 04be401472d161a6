"""Has the offline model do what is asked on the user's own display, and says yes to everything: events in JSON lines.

`python -m benchmarks.everyday.obliging SECONDS WORDS`
"""

from __future__ import annotations

import sys

import msgspec

from desktop_agent.api import run_agent
from desktop_agent.extras.offline.llm import offline
from desktop_agent.protocol.agent_events import FeedEvent


def main(seconds: str, words: str) -> None:
    """Work on `words` for at most so long."""
    run_agent(
        offline.create(offline.Options()), words, target="local", timeout=float(seconds),
        on_event=_print, approve=lambda _: True,
    )  # fmt: skip


def _print(event: FeedEvent) -> None:
    print(msgspec.json.encode(event).decode(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
