"""Records the number that a program leaves in a file of the workspace as the reward for what was just done."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.protocol.errors import Refused
from desktop_agent.tools.files import Files

MAX_BYTES = 1_000
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class RewardFile:
    """The file called `name` in the workspace, which some program writes; it may not lead out of the workspace."""

    files: Files
    name: str
    feed: Feed

    def record(self, turn: int, action: int, value: float | None = None) -> None:
        """Record the reward after an action, beside what the model estimated it to be worth. Raises StoreError.

        A file that is missing or holds no number is recorded as such: `reward` is None then, and `problem` says why.
        """
        reward, problem = self.read()
        record = {"turn": turn, "action": action, "reward": reward, "value": value}
        self.feed.record("reward", record | ({"problem": problem} if problem else {}))

    def read(self) -> tuple[float | None, str]:
        """The number there is now, or None and why there is none."""
        try:
            text = self.files.text_of(self.name, MAX_BYTES).strip()
        except Refused as refused:
            return None, refused.message
        except OSError as error:
            return None, f"{error.strerror or error}."
        if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
            return None, f"It holds no number: {text[:40]!r}."
        return float(text), ""
