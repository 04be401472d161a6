"""Brain, hand and guard ended in turn while a key and a button are held."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from installer.windows_check.app import OVER, Lab, Run, exit_code, until
from installer.windows_check.inside import Hands
from installer.windows_check.machine import SHARED
from installer.windows_check.probes.keys import LEFT_BUTTON, SHIFT
from installer.windows_check.scenes import expect

Victim: TypeAlias = Literal["brain", "hand", "guard"]
HOLDING_SECONDS, RELEASE_SECONDS = 30, 10


def brain_killed(lab: Lab) -> str:
    return _killed(lab, "brain")


def hand_killed(lab: Lab) -> str:
    return _killed(lab, "hand")


def guard_killed(lab: Lab) -> str:
    return _killed(lab, "guard")


def _killed(lab: Lab, victim: Victim) -> str:
    before = lab.runs()
    with holding(lab) as (process, hands):
        log = lab.new_run(before)
        lab.probe.ask("kill", getattr(hands, victim))
        stuck = lab.until_free(RELEASE_SECONDS)
        expect(not stuck, f"virtual keys {stuck} stayed down after the {victim} was killed")
        code = exit_code(process)
        until(lambda: not lab.ours(), f"the end of the other processes after the {victim} was killed")
        expect(not lab.probe.held(), f"virtual keys {lab.probe.held()} are held again")
        run = lab.read(log)
    if victim == "brain":
        _vouched(lab, run)
        return "shift and the left button were held; nothing is, hand and guard ended; the guard vouches for the log"
    expect(run.state[0] in ("error", "stopped"), f"the run ended as {run.state}")
    expect(code != 0, "the program ended as if all were well")
    return f"shift and the left button were held; nothing is; told as {run.state[0]}: {_told(run)}"


def _vouched(lab: Lab, run: Run) -> None:
    """The log is whole, and its guard knew of all of it but perhaps a record just written."""
    said = lab.run("verify", run.folder)
    expect(said.returncode == 0, f"verify says {said.returncode}: {said.stdout[-500:]}")
    expect("records after the last witnessed one" not in said.stdout, f"verify says {said.stdout[-500:]}")


def _told(run: Run) -> str:
    """What the user was told of the end."""
    errors = run.of("error")
    return run.state[1] or (str(errors[-1]["message"]) if errors else "")


def logged_off(lab: Lab) -> str:
    """The session ends while its window shows a run that holds something."""
    before = lab.runs()
    with holding(lab, window=True) as (process, hands):
        log = lab.new_run(before)
        agreed = lab.probe.ask("end_session", hands.brain)
        stuck = lab.until_free(RELEASE_SECONDS)
        expect(not stuck, f"virtual keys {stuck} stayed down at the log-off")
        expect(agreed and all(agreed), f"the program refused the log-off: {agreed}")
        code = exit_code(process)
        until(lambda: not lab.ours(), "the end of all its processes after the log-off")
        run = lab.read(log)
    expect(run.state[0] in OVER, f"the run ended as {run.state}")
    return (
        f"shift and the left button were held; nothing is; {run.state[0]}: {run.state[1]}; exit code {code}"
    )


@contextmanager
def holding(lab: Lab, window: bool = False) -> Iterator[tuple[subprocess.Popen[bytes], Hands]]:
    """The program at work on a recorded answer, with shift and the left button down in notepad."""
    config = _recorded(lab)
    lab.machine.start(["notepad.exe"])
    lab.notepad()
    words = ["--permission", "full", "--model", "replay", *config, "hold"]
    with lab.started(*([] if window else ["--no-window"]), *words) as process:
        until(lambda: {SHIFT, LEFT_BUTTON} <= set(lab.probe.held()), "shift and the left button down")
        yield process, until(lab.hands, "the ledger of its hand")


def _recorded(lab: Lab) -> tuple[str, ...]:
    """The words for a config file, which is put with the answer it names where the program can read them."""
    actions = [
        {"op": "mouse_down", "x": 300, "y": 300},
        {"op": "key_down", "key": "shift"},
        {"op": "wait", "seconds": HOLDING_SECONDS},
    ]
    reply = {"high_level": ["Hold"], "actions": actions}
    (lab.machine.shared / "hold.jsonl").write_text(json.dumps(reply) + "\n", encoding="utf-8")
    text = f"[llm.replay]\npath = '{SHARED}\\hold.jsonl'\n"
    (lab.machine.shared / "hold.toml").write_bytes(text.encode())
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ("--config", rf"{SHARED}\hold.toml", "--trust-config", digest)
