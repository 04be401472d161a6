"""What a real shell prints is told once, as it stands on the terminal, once the shell waits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools import terminal
from desktop_agent.tools.base import MAX_TOLD
from desktop_agent.tools.terminal import Options, TerminalLog, plain_output
from tests.desk import until

PROMPT = "ready> "


class Shell:
    """A shell on a terminal of its own, all of whose output goes into a log."""

    def __init__(self, log: Path) -> None:
        import pty

        ours, theirs = pty.openpty()
        self._terminal = os.fdopen(ours, "r+b", buffering=0)
        self.log = log
        environment = {"PATH": os.environ["PATH"], "PS1": PROMPT, "TERM": "xterm"}
        self._process = subprocess.Popen(
            ["sh", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self._copier = threading.Thread(target=self._copy)
        self._copier.start()

    def _copy(self) -> None:
        with self.log.open("ab", buffering=0) as log:
            try:
                while data := self._terminal.read(4096):
                    log.write(data)
            except OSError:  # the shell has ended
                return

    def type(self, line: str) -> None:
        self._terminal.write(line.encode() + b"\n")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._copier.join()
        self._terminal.close()


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    if sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals of this kind")
    made = Shell(tmp_path / "term.log")
    yield made
    made.close()


def told(environment: TerminalLog) -> str:
    return environment.screen().removeprefix("[TERM]\n")


def test_what_a_shell_prints_is_told_once(shell: Shell) -> None:
    environment = TerminalLog(shell.log)
    until(lambda: PROMPT.encode() in (shell.log.read_bytes() if shell.log.exists() else b""), "the prompt")
    assert environment.screen().startswith("[TERM]\n") and shell.log.read_bytes()
    assert environment.screen() == ""
    shell.type("printf 'one\\ntwo\\n'")
    until(lambda: shell.log.read_bytes().count(PROMPT.encode()) == 2, "the next prompt")
    assert told(environment).split("\n")[1:] == ["one", "two", PROMPT.rstrip()]
    assert environment.screen() == ""
    again = environment.execute(ops.ReadTerminal(), StopFlag())
    assert again.outcome == "done" and again.text.count(PROMPT.rstrip()) == 2


def test_it_waits_until_a_command_has_printed(shell: Shell) -> None:
    environment = TerminalLog(shell.log)
    until(shell.log.exists, "the log")
    environment.screen()
    shell.type("for n in 1 2 3 4; do sleep 0.1; echo line $n; done")
    until(lambda: b"line 1" in shell.log.read_bytes(), "the first line")
    printed = told(environment)
    assert "line 4" in printed and printed.endswith(PROMPT.rstrip())


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\x1b]0;title\x07\x1b[01;34mdir\x1b[0m  file\r\n", "dir  file"),
        ("50 %\r75 %\r100 %\r\ndone\r\n", "100 %\ndone"),
        ("tyop\b\b\bypo\x1b[K\r\n", "typo"),
        ("\x1b[?2004hsh$ ls\r\n\x1b[?2004la\r\n", "sh$ ls\na"),
        ("one\r\ntwo\r\n\x1b[2Atwo lines up\r\n", "two lines up\ntwo"),
        ("日本語 ü\r\n", "日本語 ü"),
        ("\x1b", ""),
    ],
)
def test_control_sequences_are_carried_out(data: str, text: str) -> None:
    assert plain_output(data, 80) == text


def test_the_head_that_script_writes_is_left_out_and_its_width_kept(tmp_path: Path) -> None:
    log = tmp_path / "term.log"
    head = b'Script started on 2026-11-26 12:00:00+00:00 [TERM="xterm" TTY="/dev/pts/1" COLUMNS="120" LINES="30"]\n'
    log.write_bytes(head + b"x" * 130 + b"\r\n$ ")
    assert TerminalLog(log).screen() == "[TERM]\n" + "x" * 120 + "\n" + "x" * 10 + "\n$"


def test_of_much_output_the_end_is_told(tmp_path: Path) -> None:
    log = tmp_path / "term.log"
    log.write_bytes(b"$ ")
    environment = TerminalLog(log)
    environment.screen()
    with log.open("ab") as more:
        more.write(b"".join(b"line %d\r\n" % number for number in range(20_000)) + b"$ ")
    printed = environment.screen()
    assert len(printed) <= MAX_TOLD and printed.endswith("line 19998\nline 19999\n$")
    assert "before is in the log" in printed.split("\n")[1]


def test_a_log_that_is_cut_begins_anew(tmp_path: Path) -> None:
    log = tmp_path / "term.log"
    log.write_bytes(b"a long line before\r\n$ ")
    environment = TerminalLog(log)
    environment.screen()
    log.write_bytes(b"new\r\n$ ")
    assert told(environment) == "new\n$"


def test_a_log_that_is_none_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret\n$ ")
    log = tmp_path / "term.log"
    assert TerminalLog(log).screen() == ""
    if sys.platform != "win32":
        log.symlink_to(secret)
        assert TerminalLog(log).screen() == ""
        assert TerminalLog(log).execute(ops.ReadTerminal(), StopFlag()).text == ""


def test_a_path_that_is_not_whole_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a whole path"):
        terminal.create(Options(log="term.log"))
