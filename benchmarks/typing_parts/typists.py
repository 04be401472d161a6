"""Who types: our hand, and the tools of others, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar, Self, cast

from benchmarks import peers
from benchmarks.typing_parts.desk import Desk
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Viewport

HERE = Path(__file__).parent


class CannotType(Exception):
    """The tool gave up; the message is its own."""


class Typist(ABC):
    """Types into the window that has the keyboard. `slow` ones are given short texts."""

    name: ClassVar[str]
    slow: ClassVar[bool] = False

    @abstractmethod
    def type(self, text: str) -> float:
        """Returns the seconds until the tool says that it is done. Raises CannotType."""

    def close(self) -> None:
        """Give back what it uses."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Ours(Typist):
    """The product's hand and guard, given a batch with one operation."""

    name = "our hand"

    def __init__(self, desk: Desk) -> None:
        self._hands = Hands(desk.target.address())
        self._hands.start()
        layout = desk.target.geometry()
        self._view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)

    def type(self, text: str) -> float:
        batch = Batch("b", (ops.Type(text),), self._view, {}, self._hands.generation, 120.0)
        result = self._hands.execute(batch)[0]
        if result.outcome != "done":
            raise CannotType(f"{result.outcome}: {result.detail}")
        return result.seconds

    def close(self) -> None:
        self._hands.close()


class XDoTool(Typist):
    """`xdotool type` with its own pause between the keys."""

    name = "xdotool"
    slow = True
    pause: ClassVar[Sequence[str]] = ()

    def __init__(self, desk: Desk) -> None:
        self._program = peers.program("xdotool", "xdotool")
        self._environment = desk.environment

    def type(self, text: str) -> float:
        began = time.monotonic()
        ran = subprocess.run(
            [self._program, "type", *self.pause, "--file", "-"],
            input=text.encode(), env=self._environment, capture_output=True, timeout=120,
        )  # fmt: skip
        if ran.returncode:
            raise CannotType(ran.stderr.decode(errors="replace").strip())
        return time.monotonic() - began


class HastyXDoTool(XDoTool):
    """The same without pauses."""

    name = "xdotool --delay 0"
    slow = False
    pause = ("--delay", "0")


class _Scripted(Typist):
    """A peer's own Python with a small script in it: a line with the text in JSON, a line with seconds or words."""

    packages: ClassVar[tuple[str, ...]]
    script: ClassVar[str]

    def __init__(self, desk: Desk) -> None:
        python = peers.interpreter(self.name, *self.packages)
        self._process = subprocess.Popen(
            [python, HERE / self.script], env=desk.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def type(self, text: str) -> float:
        _write(self._process, json.dumps(text))
        answer = _read(self._process)
        if isinstance(answer, str):
            raise CannotType(answer)
        return float(answer)

    def close(self) -> None:
        cast(IO[bytes], self._process.stdin).close()
        self._process.wait(20)


class PynPut(_Scripted):
    """pynput.keyboard.Controller.type."""

    name = "pynput"
    packages = ("pynput==1.8.1",)
    script = "with_pynput.py"


class PyAutoGui(_Scripted):
    """pyautogui.write without pauses."""

    name = "pyautogui"
    packages = ("pyautogui==0.9.54",)
    script = "with_pyautogui.py"


class CuaDriver(Typist):
    """cua-driver's type_text, over the model context protocol; its telemetry is off."""

    name = "cua-driver"
    slow = True

    def __init__(self, desk: Desk) -> None:
        program = peers.interpreter("cua", "cua-driver==0.37.0").with_name("cua-driver")
        home = desk.folder / "cua-home"
        home.mkdir(exist_ok=True)
        environment = {**desk.environment, "HOME": str(home)}
        subprocess.run([program, "telemetry", "disable"], env=environment, check=True, capture_output=True)
        self._process = subprocess.Popen(
            [program, "mcp"], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._number = 0
        about = {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        self._ask("initialize", about)
        _write(self._process, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def type(self, text: str) -> float:
        began = time.monotonic()
        answer = self._ask(
            "tools/call", {"name": "type_text", "arguments": {"text": text, "scope": "desktop"}}
        )
        if answer.get("isError"):
            raise CannotType(" ".join(part.get("text", "") for part in answer["content"]))
        return time.monotonic() - began

    def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        _write(
            self._process,
            json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}),
        )
        while (answer := _read(self._process)).get("id") != self._number:
            pass
        if "error" in answer:
            raise CannotType(str(answer["error"]))
        return dict(answer["result"])

    def close(self) -> None:
        cast(IO[bytes], self._process.stdin).close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _write(process: subprocess.Popen[bytes], line: str) -> None:
    pipe = cast(IO[bytes], process.stdin)
    pipe.write(line.encode() + b"\n")
    pipe.flush()


def _read(process: subprocess.Popen[bytes]) -> Any:
    line = cast(IO[bytes], process.stdout).readline()
    if not line:
        raise CannotType("it ended")
    return json.loads(line)


PEERS: tuple[Callable[[Desk], Typist], ...] = (HastyXDoTool, XDoTool, PynPut, PyAutoGui, CuaDriver)
