"""The server as a process: stdout holds the protocol alone, nonsense does no harm, and it ends with its client."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from tests.desk import Desk, until
from tests.extras.mcp.server.served import SERVER, around
from tests.jobs.commands import ROOT, environment

HELLO = {
    "protocolVersion": "2024-11-05",
    "capabilities": {},
    "clientInfo": {"name": "raw\nclient", "version": "1"},
}


class Raw:
    """A server spoken to in lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._id = 0

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def begin(self, method: str, **params: Any) -> None:
        self._id += 1
        call = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.write(json.dumps(call).encode() + b"\n")

    def answer(self) -> dict[str, Any]:
        """The answer to the last request; every line until then is JSON-RPC."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            assert said["jsonrpc"] == "2.0"
            if said.get("id") == self._id:
                return dict(said["result"])
        raise AssertionError("it has ended")

    def greet(self) -> dict[str, Any]:
        self.begin("initialize", **HELLO)
        answer = self.answer()
        self.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        return answer

    def leave(self) -> int:
        """Go as a client that dies does; returns the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(100)

    @property
    def children(self) -> list[int]:
        folder = Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for task in folder.iterdir() for pid in (task / "children").read_text().split()]


@contextmanager
def started(desk: Desk, home: Path, *words: str) -> Iterator[Raw]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*SERVER, *words], cwd=ROOT, env=around(desk, home), stdin=pipe, stdout=pipe
    ) as process:
        try:
            yield Raw(process)
        finally:
            process.kill()


def test_nonsense_on_stdin_does_no_harm(shared_display: Desk, tmp_path: Path) -> None:
    with started(shared_display, tmp_path, "--no-window") as server:
        server.write(b"\xff\xfe\0 what?\n{}\n[1, 2\n\n" + b"x" * 200_000 + b"\n")
        assert server.greet()["protocolVersion"] == "2024-11-05"
        server.begin("tools/call", name="act", arguments={"look": 3})
        assert server.answer()["isError"]
        server.begin("tools/call", name="look", arguments={"region": {"x": -1}})
        assert "x" in server.answer()["content"][0]["text"]
        server.begin("tools/list")
        tools = {tool["name"]: tool["inputSchema"] for tool in server.answer()["tools"]}
        offered = tools["act"]["properties"]["actions"]["items"]["anyOf"]
        names = {each["properties"]["op"]["enum"][0] for each in offered}
        assert {"click", "type", "done"} <= names and not names & {"pause", "stop", "approve", "run"}
        assert server.leave() == 0


def test_a_client_that_goes_in_the_middle_leaves_nothing_held(shared_display: Desk, tmp_path: Path) -> None:
    with started(shared_display, tmp_path, "--no-window", "--permission", "full") as server:
        server.greet()
        server.begin("tools/call", name="look", arguments={})
        look = json.loads(server.answer()["content"][0]["text"])["look"]
        actions = [{"op": "mouse_down", "x": 600, "y": 500}, {"op": "wait", "seconds": 30}]
        server.begin("tools/call", name="act", arguments={"look": look, "actions": actions})
        until(lambda: shared_display.held()[1], "a button that is held")
        children = server.children
        assert len(children) >= 2
        assert server.leave() == 0
        assert shared_display.held() == (set(), 0)
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children), "the end of hand and guard")


@pytest.mark.parametrize("words", [("open it",), ("--json",), ("--no-such-option",)])
def test_what_is_no_option_of_it_is_wrong_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    ran = subprocess.run(
        [*SERVER, *words], cwd=ROOT, env=environment(tmp_path), capture_output=True, stdin=subprocess.DEVNULL
    )
    assert ran.returncode == 2 and not ran.stdout and b"desktop-agent mcp" in ran.stderr


def test_without_the_package_the_advice_says_how_to_get_it(tmp_path: Path) -> None:
    without = "import sys; sys.modules['mcp'] = None; from desktop_agent.cli import main; main(['mcp'])"
    ran = subprocess.run(
        [sys.executable, "-c", without],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 2 and b'pip install "desktop-agent[mcp]"' in ran.stderr and not ran.stdout
