"""Each cause of a stop is told as what it is, with one exit code. The real command, real processes, real signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.hand.client import FAILURES, failure_of
from desktop_agent.hand.ipc.address_file import FOLDER_PREFIX, SHARED
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Shared, Word
from desktop_agent.protocol.errors import HandError
from desktop_agent.startup.exit_code import FAILED, STOPPED
from tests.desk import Desk, until
from tests.hand.frozen import freeze_when
from tests.hand.human import Human
from tests.jobs.commands import ROOT, environment

ASKED_FOR = {Reason.NONE, Reason.ESCAPE, Reason.BRAIN, Reason.BRAIN_GONE}


def test_every_cause_is_either_asked_for_or_a_failure() -> None:
    assert {reason for reason in Reason if failure_of(WORDS[reason]) is None} == ASKED_FOR
    assert set(FAILURES) == set(Reason) - ASKED_FOR
    for reason, failure in FAILURES.items():
        assert failure_of(f"{WORDS[reason]} (3 of 40 characters were typed)") == failure
        assert failure.message.endswith(".") and failure.advice.endswith(".")
        assert "still running" not in failure.message


@dataclass
class Command:
    """A command that types for long, in a terminal of the desk; `shared` is what its processes share."""

    process: subprocess.Popen[bytes]
    shared: Shared

    def freeze_hand(self) -> None:
        """While it holds something, and without any stop it is waited for."""
        shared = self.shared
        freeze_when(shared[Word.HAND_PID], lambda: shared.holding and not shared[Word.GRAB_SINCE])

    def ended(self) -> tuple[int, dict[str, Any]]:
        """Its exit code and the last thing it told."""
        told, _ = self.process.communicate(timeout=120)
        return self.process.returncode, json.loads(told.splitlines()[-1])


@pytest.fixture
def typing(shared_display: Desk, tmp_path: Path) -> Iterator[Command]:
    terminal = shared_display.launch("xterm", "-T", "lines", "-e", "cat", title="lines")
    words = (
        "--json",
        "--target",
        "local",
        "--model",
        "offline",
        "--permission",
        "full",
        f'type "{"x" * 4000}"',
    )
    around = (
        environment(tmp_path)
        | shared_display.environment
        | {"TMPDIR": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop_agent", *words], cwd=ROOT, env=around, stdout=subprocess.PIPE
    )

    def block() -> Shared | None:
        for path in tmp_path.glob(f"{FOLDER_PREFIX}*/{SHARED}"):
            with suppress(HandError):  # it is being made
                shared = Shared.attach(path)
                if shared[Word.KEYS]:
                    return shared
                shared.close()
        return None

    command = Command(process, until(block, "some typing"))
    yield command
    command.shared.close()
    process.kill()
    process.communicate()
    shared_display.end(terminal)
    until(lambda: shared_display.held() == (set(), 0), "everything released")


def kill(word: Word) -> Callable[[Command], None]:
    return lambda command: os.kill(command.shared[word], signal.SIGKILL)


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (kill(Word.GUARD_PID), "The guard process"),
        (kill(Word.HAND_PID), "The hand process"),
        (lambda command: command.freeze_hand(), "did not answer any more"),
    ],
    ids=["guard killed", "hand killed", "hand frozen"],
)
def test_a_part_that_breaks_is_a_failure(
    typing: Command, cause: Callable[[Command], None], words: str
) -> None:
    cause(typing)
    code, last = typing.ended()
    assert (code, last["type"], last["state"]) == (FAILED, "status", "error")
    assert words in last["detail"] and "still running" not in last["detail"]


@pytest.mark.parametrize("frozen", [False, True], ids=["hand well", "hand frozen"])
def test_escape_is_the_humans_stop(typing: Command, human: Human, frozen: bool) -> None:
    if frozen:
        typing.freeze_hand()
    human.tap()
    code, last = typing.ended()
    assert (code, last["state"], last["detail"].partition(" (")[0]) == (STOPPED, "stopped", "ESC was pressed")


def test_ctrl_c_is_the_humans_stop(typing: Command) -> None:
    typing.process.send_signal(signal.SIGINT)
    code, last = typing.ended()
    assert (code, last["state"], last["detail"].partition(" (")[0]) == (
        STOPPED,
        "stopped",
        "you pressed Ctrl+C",
    )
