"""`desktop-agent endpoint`: what it prints, whom it lets type, and that nothing of it is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra endpoint is not installed")
pytest.importorskip("pyte", reason="the extra endpoint is not installed")

from desktop_agent.extras.camera.commands.endpoint import main
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.startup.exit_code import USAGE
from tests.desk import Desk
from tests.support.served_endpoint import EndpointClient
from tests.support.waiting import until

ARGV = [sys.executable, "-m", "desktop_agent", "endpoint", "--port", "0", "--shell", "/bin/bash"]


@contextmanager
def started(folder: Path, *words: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The command with its data in `folder`, and what it has printed once it takes keys."""
    if not bubblewrap.is_usable():
        pytest.skip("no sandbox can be made here")
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        [*ARGV, *words],
        env={**os.environ, **own, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = list[str]()
        for line in process.stdout:
            said.append(line.rstrip())
            if line.startswith("Ctrl+C"):
                break
        yield process, said
    finally:
        process.kill()
        process.communicate(timeout=30)


def port_in(said: list[str]) -> int:
    found = re.search(r"http://127\.0\.0\.1:(\d+)$", "\n".join(said), re.MULTILINE)
    assert found, said
    return int(found[1])


def test_it_prints_once_what_who_is_to_type_needs_and_leaves_nothing(tmp_path: Path) -> None:
    with started(tmp_path, "--no-window") as (process, said):
        token = re.search(r"export DESKTOP_AGENT_WIRE_TOKEN=([0-9a-f]{64})$", "\n".join(said), re.MULTILINE)
        assert token, said
        with EndpointClient(port_in(said), token[1]) as client:
            assert client.health() == client.health() | {
                "status": "ok",
                "display": "none",
                "columns": 80,
                "rows": 24,
            }
            client.line("echo kept > here")
            folder = next((tmp_path / "desktop-agent" / "endpoint").iterdir())
            until((folder / "here").exists, "the shell's file")
            client.line("rm here")
            until(lambda: not (folder / "here").exists(), "its end")
        files = [each for each in tmp_path.rglob("*") if each.is_file()]
        assert not any(token[1] in each.read_text(errors="replace") for each in files)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert not folder.exists()


def test_its_window_ends_with_it(tmp_path: Path, display: Desk) -> None:
    words = ("--token-from", "env:OWN", "--columns", "40", "--theme", "contrast", "--no-sandbox")
    with started(tmp_path, *words, OWN="a-token-of-ones-own", **display.environment) as (process, said):
        assert "no sandbox" in said[0] and not any("export" in line for line in said)
        with EndpointClient(port_in(said), "a-token-of-ones-own") as client:
            assert client.health() == client.health() | {"display": "window", "columns": 40, "status": "ok"}
        display.wait_for_window("Terminal")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_without_a_token_it_says_so(tmp_path: Path) -> None:
    with started(tmp_path, "--no-window", "--no-token") as (_, said):
        assert "every program and every user" in said[0]
        with EndpointClient(port_in(said), "") as client:
            assert client.health()["status"] == "ok"
            assert client.ask("POST", "/text", {"text": "x"}, {"Origin": "http://rebound.example"})[0] == 403


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--no-token", "--listen", "0.0.0.0"], "everybody on the network"),  # noqa: S104 - what is refused
        (["--token-from", "abcdefabcdefabcdef"], "never what it is"),
        (["--token-from", "env:NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE holds no token"),
        (["--folder", "/no/such/folder"], "There is no folder"),
        (["--shell", "/no/such/shell"], "There is no shell"),
        (["--columns", "3"], "--columns"),
        (["--folder", "/usr"], "could be changed"),
    ],
)
def test_what_cannot_be_is_told_in_words(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "/usr" in words and not bubblewrap.is_usable():
        pytest.skip("no sandbox can be made here")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["--no-window", "--port", "0", *words]) == USAGE
    assert said in capsys.readouterr().err
