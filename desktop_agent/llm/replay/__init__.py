"""Plays the recording of a run again: its answers come in the order they were given, whatever is asked now.

Where the run that is going on differs from the recorded one, the first difference is told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from desktop_agent.llm.base import Model
from desktop_agent.llm.replay.recording import RecordedRun, RecordedTurn, read_recording
from desktop_agent.llm.replay.replay_model import ReplayModel
from desktop_agent.protocol.errors import ModelError

__all__ = ["VARIANT", "Options", "RecordedRun", "RecordedTurn", "ReplayModel", "create", "read_recording"]

VARIANT = "path"
"""What the words after `replay:` set."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.replay]. `path` is a run's folder, its log, or a JSON Lines file of replies.

    In a file of replies each line is a reply (an object) or a raw answer (a string). `on_divergence` "report" tells
    the first difference from the recorded run and goes on, "stop" ends the run there. With "report" an answer of which
    nothing was carried out, because the screen changed meanwhile, is given again, and that is told.
    """

    path: str = ""
    on_divergence: Literal["report", "stop"] = "report"


def create(options: Options) -> Model:
    """The model that the options describe. Raises ModelError when there is nothing to replay."""
    if not options.path:
        raise ModelError(
            "No recording to replay is named.",
            "Say --model replay:PATH, or set `path` in [llm.replay].",
        )
    path = Path(options.path).expanduser()
    return ReplayModel(
        read_recording(path), name=path.name, stops_at_divergence=options.on_divergence == "stop"
    )
