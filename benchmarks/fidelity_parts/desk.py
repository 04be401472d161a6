"""A private desktop of 1920x1080 with the harness's probes on it, and one run of its checks there."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from PIL import Image

from benchmarks import peers
from benchmarks.fidelity_parts.harness_hand import Action, CannotAct, HarnessHand
from benchmarks.report import BenchmarkError
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay

HARNESS = "cua-auto-harness==0.5.0"
PYTHON = "/usr/bin/python3"  # tkinter and Xlib come with the system's
PROBES = ("desktop_tk.py", "raw_xrecord.py")


class Verdict(NamedTuple):
    """Of one repetition of a check: `pass`, `fail`, `error` (of the harness) or `not measurable`, and why."""

    check: str
    status: str
    reason: str
    shown: bool | None
    """The target's picture showed what the probe had seen last; None when it could not."""


def interpreter() -> Path:
    """The harness's Python. Raises Unavailable, also when the system lacks what the probes need."""
    found = peers.interpreter("cua-auto-harness", HARNESS)
    try:
        ran = subprocess.run([PYTHON, "-c", "import tkinter, Xlib"], capture_output=True, check=False)
    except FileNotFoundError as error:
        raise peers.Unavailable(f"there is no {PYTHON}") from error
    if ran.returncode:
        raise peers.Unavailable(
            "the harness's probes need python3-tk and python3-xlib: apt-get install python3-tk python3-xlib"
        )
    return found


def verdicts(python: Path, repetitions: int, names: Sequence[str]) -> list[Verdict]:
    """Carry out the named checks (none: all) on a desktop of their own. Raises BenchmarkError, Unavailable."""
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder, _desktop() as target:
        ports = _probes(target, python, Path(folder))
        hand = HarnessHand(target)
        try:
            command = [
                str(python),
                str(Path(__file__).with_name("audit.py")),
                folder,
                *ports,
                str(repetitions),
                *names,
            ]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as audit:
                try:
                    return list(_serve(audit, target, hand))
                finally:
                    audit.kill()
        finally:
            hand.close()


@contextmanager
def _desktop() -> Iterator[EmbeddedDisplay]:
    target = display.create(display.Options(width=1920, height=1080))
    target.start()
    try:
        yield target
    finally:
        target.stop()


def _probes(target: EmbeddedDisplay, python: Path, folder: Path) -> list[str]:
    """Start both observers; the ports they answer on."""
    where = subprocess.run(
        [python, "-c", "import autoharness, pathlib; print(pathlib.Path(autoharness.__file__).parent)"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    ports, authority = _free_ports(len(PROBES)), folder / "xauthority"
    authority.touch(mode=0o600)
    authority.write_bytes(_authority(target.environment))
    for script, port in zip(PROBES, ports, strict=True):
        log = folder / f"{script}.jsonl"
        # An input method would swallow keys; the harness switches it off in this way too.
        settings = ["XMODIFIERS=@im=none", f"XAUTHORITY={authority}"]
        target.launch(
            ["env", *settings, PYTHON, f"{where}/probes/{script}", "--log", str(log), "--port", port]
        )
    return ports


def _authority(environment: Mapping[str, str]) -> bytes:
    """The display's cookie for this machine's name: python-xlib knows no entry for every display.

    Format of libXau's XauWriteAuth: family (256 is FamilyLocal), address, number, name, data.
    """
    cookie = Path(environment["XAUTHORITY"]).read_bytes()[-16:]
    number = environment["DISPLAY"].lstrip(":").encode()
    fields = (socket.gethostname().encode(), number, b"MIT-MAGIC-COOKIE-1", cookie)
    return struct.pack(">H", 256) + b"".join(struct.pack(">H", len(each)) + each for each in fields)


def _free_ports(count: int) -> list[str]:
    """Ports that were free a moment ago: the probes cannot be given a socket."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [str(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _serve(audit: subprocess.Popen[bytes], target: EmbeddedDisplay, hand: HarnessHand) -> Iterator[Verdict]:
    """Answer what the harness asks for until it is done."""
    answers = cast(IO[bytes], audit.stdin)
    for line in cast(IO[bytes], audit.stdout):
        said = json.loads(line)
        if not said:
            return
        if "do" in said:
            answers.write(json.dumps({"error": _done(said, target, hand)}).encode() + b"\n")
            answers.flush()
        else:
            yield Verdict(**said)
    raise BenchmarkError(f"the harness ended early with {audit.wait()}: see what it wrote above")


def _done(said: dict[str, Any], target: EmbeddedDisplay, hand: HarnessHand) -> str:
    """What went wrong, or ""."""
    try:
        match said["do"]:
            case "act":
                action: Action = said["action"]
                hand.act(action)
            case "screenshot":
                frame = target.observe()
                Image.frombytes(
                    "RGB", (frame.size.width, frame.size.height), frame.pixels, "raw", "BGRX"
                ).save(said["path"], compress_level=1)
            case "prepare":
                _tidy(target)
    except CannotAct as error:
        return str(error)
    return ""


def _tidy(target: EmbeddedDisplay) -> None:
    """What the harness does before each repetition, but for its ESC, which stops our hand as any human's does."""
    tools = peers.program("xdotool", "xdotool"), peers.program("xset", "x11-xserver-utils")
    state = _output(target, str(tools[1]), "q")
    for lock, key in (("Caps Lock:", "Caps_Lock"), ("Num Lock:", "Num_Lock")):
        if state.partition(lock)[2].split()[:1] == ["on"]:
            _output(target, str(tools[0]), "key", key)
    _output(target, str(tools[0]), "search", "--name", "autoharness-probe", "windowactivate", "--sync")


def _output(target: EmbeddedDisplay, *argv: str) -> str:
    ran = subprocess.run(argv, env=dict(target.environment), capture_output=True, text=True, timeout=30)
    return ran.stdout
