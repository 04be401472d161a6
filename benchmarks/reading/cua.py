"""The tree of a window as cua-driver reads it: one process over its stdio protocol (MCP), telemetry off."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, cast

from benchmarks.peers import Unavailable, interpreter

VERSION = "0.37.0"
SECONDS = 60.0
# Each of them by itself switches off what it would send home.
_SILENT = {
    "DO_NOT_TRACK": "1",
    "CUA_TELEMETRY_ENABLED": "false",
    "CUA_DRIVER_RS_TELEMETRY_ENABLED": "false",
    "CUA_DRIVER_RS_UPDATE_CHECK": "false",
}
_WHOLE = {"include_screenshot": False, "max_elements": 5000, "timeout_ms": 20_000}


class CuaDriver:
    """One running driver on the display that `environment` leads to. Raises Unavailable."""

    def __init__(self, environment: Mapping[str, str], home: Path) -> None:
        program = interpreter("cua-driver", f"cua-driver=={VERSION}").parent / "cua-driver"
        variables = {**os.environ, **environment, **_SILENT, "HOME": str(home)}
        subprocess.run(
            [program, "telemetry", "disable"], env=variables, capture_output=True, timeout=SECONDS, check=True
        )
        self._process = subprocess.Popen(
            [program, "mcp"],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._to, self._from = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        self._number, self._rest = 0, b""
        hello = {
            "protocolVersion": "2024-11-05",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        self._ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tree(self, pid: int, window: int) -> dict[str, Any]:
        """The whole tree of a window, with the places of its elements, and nothing besides."""
        return self.call(
            "get_window_state", {"pid": pid, "window_id": window, "tree_format": "elements", **_WHOLE}
        )

    def snapshot(self, pid: int, window: int, since: str = "") -> str:
        """Read the tree as text, or only what is new `since` an earlier snapshot; returns the snapshot's id."""
        wanted = {"pid": pid, "window_id": window, **_WHOLE} | ({"since": since} if since else {})
        return str(self.call("get_window_state", wanted).get("snapshot_id", ""))

    def window(self, pid: int, title: str) -> int:
        """Its number of the window of a process with this in the title."""
        found = self.call("list_windows", {"pid": pid}).get("windows", [])
        return next(int(each["window_id"]) for each in found if title in str(each.get("title")))

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The structured answer of a tool. Raises Unavailable when it fails."""
        answer = self._ask("tools/call", {"name": tool, "arguments": dict(arguments)})
        if answer.get("isError"):
            raise Unavailable(f"cua-driver: {str(answer.get('content'))[:300]}")
        return dict(answer.get("structuredContent") or {})

    def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        deadline = time.monotonic() + SECONDS
        while (message := self._line(deadline)).get("id") != self._number:
            pass
        if "error" in message:
            raise Unavailable(f"cua-driver: {message['error']}")
        return dict(message["result"])

    def _send(self, message: Mapping[str, Any]) -> None:
        self._to.write(json.dumps(message).encode() + b"\n")
        self._to.flush()

    def _line(self, deadline: float) -> dict[str, Any]:
        while b"\n" not in self._rest:
            ready = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))[0]
            piece = os.read(self._from.fileno(), 1 << 20) if ready else b""
            if not piece:
                raise Unavailable("cua-driver does not answer")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return dict(json.loads(line))

    def close(self) -> None:
        """End it."""
        self._to.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
