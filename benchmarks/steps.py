"""One step of the whole loop (look, act, wait for the screen to settle) at 1920x1080, without the model's own time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, BenchmarkError, Figure, Goal, Report, counted, measured, report
from tests.support.trusted_config import trusted

SECONDS = 600.0
WORDS = "twenty letters, {:03} "
LETTERS = len(WORDS.format(0))
Turn = dict[str, Any]


def run(quick: bool) -> Report:
    """Let the real agent click and type in a text editor on an embedded display, its answers recorded before."""
    times = 5 if quick else 50
    with tempfile.TemporaryDirectory() as folder:
        events = _work(Path(folder), list(_answers(times)))
    turns = [event for event in events if event["type"] == "turn"]
    acting = turns[1 : 1 + 2 * times]  # after the one that opens the editor, before the one that is done
    clicks, typing = acting[0::2], acting[1::2]
    done = [event for event in events if event["type"] == "result" and event["outcome"] == "done"]
    return report(
        "steps",
        _figure("a step that clicks", clicks, _whole, Goal(0.1)),
        _figure(f"a step that types {LETTERS} letters", typing, _whole, Goal(0.1)),
        _figure("of a step: looking", acting, lambda turn: turn["look"]),
        _figure("of a step: acting", acting, lambda turn: turn["act"]),
        _figure("of a step: settling", acting, lambda turn: turn["settle"]),
        _figure("of a step: all else", acting, _rest),
        counted(
            "operations done of those asked for",
            len(done) / (2 * times + 1),
            2 * times + 1,
            "share",
            Goal(1.0, at_least=True),
        ),
    )


def _figure(
    name: str, turns: Sequence[Turn], seconds: Callable[[Turn], float], goal: Goal | None = None
) -> Figure:
    return measured(name, [seconds(turn) for turn in turns], "s", goal)


def _whole(turn: Turn) -> float:
    return float(turn["total"] - turn["model"])


def _rest(turn: Turn) -> float:
    return _whole(turn) - float(turn["look"] + turn["act"] + turn["settle"])


def _answers(times: int) -> Iterator[dict[str, Any]]:
    """What the model says: open the editor, then click and type in turn, then done."""
    yield {
        "high_level": ["Open the editor", "Click and type"],
        "actions": [{"op": "open", "target": "mousepad"}],
    }
    for number in range(times):
        # Near the middle of the screen, where the editor is; each time so far from the last place that it
        # can be no double click, which the hand would wait for.
        yield {"step": 2, "actions": [{"op": "click", "x": 900 + 20 * (number % 7), "y": 550 + number % 5}]}
        yield {"step": 2, "actions": [{"op": "type", "text": WORDS.format(number)}]}
    yield {"actions": [{"op": "done", "summary": "clicked and typed"}]}


def _work(folder: Path, answers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run the program with the recorded answers; returns its events."""
    recording, config = folder / "answers.jsonl", folder / "config.toml"
    recording.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    config.write_text(
        f"[llm.replay]\npath = {json.dumps(str(recording))}\n[target.display]\nwidth = 1920\nheight = 1080\n",
        encoding="utf-8",
    )
    words = ["--json", "--target", "display", "--model", "replay", *trusted(config)]
    kept = {k: v for k, v in os.environ.items() if k != "DISPLAY" and not k.startswith("XDG_")}
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "desktop_agent",
            *words,
            "--max-steps",
            str(len(answers) + 1),
            "click and type in the text editor",
        ],
        cwd=ROOT,
        env=kept | {"HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if ran.returncode != 0:
        last = (ran.stdout.strip().splitlines() or [""])[-1]
        raise BenchmarkError(f"the run ended with {ran.returncode}: {last} {ran.stderr.strip()[-2000:]}")
    return [json.loads(line) for line in ran.stdout.splitlines()]
