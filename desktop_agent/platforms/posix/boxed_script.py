"""Runs one Python script in a bubblewrap box that holds nothing but that script, and tells how it ended."""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import INSIDE, Box, BoxLimits
from desktop_agent.platforms.script_limits import KILLED, BoundedOutput, ScriptEnd, ScriptLimits
from desktop_agent.protocol.stop_flag import StopFlag

_WORKPLACE = "/tmp"  # noqa: S108 - the box's own, in memory
_SCRIPT = f"{INSIDE}/script.py"
_KILL_SECONDS = 10.0


def run_boxed(code: str, limits: ScriptLimits, stop: StopFlag) -> ScriptEnd:
    """Run it to its end or its limits. Raises TargetError where no box can be made, OSError, and Stopped.

    It must be called from a thread that lives as long: a box ends with the thread that made it. What the script writes is in
    memory and goes with the box; the file with the script, which can only be read in there, goes too.
    """
    bubblewrap.require_bubblewrap()
    folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
    try:
        return _followed(_command(folder, code, limits), limits, stop)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _command(folder: Path, code: str, limits: ScriptLimits) -> list[str]:
    home, script = folder / "home", folder / "script.py"
    home.mkdir(mode=0o700)
    script.write_bytes(code.encode("utf-8"))
    for each in (home, script):
        bubblewrap.give(each)
    python, placed = bubblewrap.interpreter()
    box = Box(
        str(home),
        placed=(*placed, *bubblewrap.write_identity(folder), (str(script), _SCRIPT)),
        kept=(str(home),),
        limits=BoxLimits(limits.processes, limits.memory, limits.file),
    )
    run = ["env", "-C", _WORKPLACE, f"HOME={_WORKPLACE}", python, "-I", "-B", "-X", "utf8", _SCRIPT]
    return box.command([*bubblewrap.confining(_WORKPLACE), *run])


def _followed(command: list[str], limits: ScriptLimits, stop: StopFlag) -> ScriptEnd:
    """Run a command, read its outputs as far as they are told, and kill it at its time or at a stop."""
    stop.check()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"LANG": "C.UTF-8", **bubblewrap.variables(os.environ)},
        start_new_session=True,
    )
    until = time.monotonic() + limits.seconds
    outputs = (BoundedOutput(limits.output), BoundedOutput(limits.output))
    forget = stop.on_set(process.kill)  # and with it, at once, all that runs in the box
    try:
        late = not _ends(process, outputs, until)
    finally:
        forget()
        process.kill()
        process.wait(_KILL_SECONDS)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    stop.check()
    code = KILLED if late else process.returncode
    why = f"it took longer than {limits.seconds:g} seconds" if late else ""
    return ScriptEnd(code if code >= 0 else 128 - code, outputs[0].text(), outputs[1].text(), why)


def _ends(
    process: subprocess.Popen[bytes], outputs: tuple[BoundedOutput, BoundedOutput], until: float
) -> bool:
    """Read until it has ended; False when it has not by then."""
    with selectors.DefaultSelector() as ready:
        for stream, output in zip((process.stdout, process.stderr), outputs, strict=True):
            if stream is not None:
                ready.register(stream, selectors.EVENT_READ, output)
        while ready.get_map():
            left = until - time.monotonic()
            if left <= 0:
                return False
            for key, _ in ready.select(left):
                if data := os.read(key.fd, 1 << 16):
                    key.data.add(data)
                else:
                    ready.unregister(key.fileobj)
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, until - time.monotonic()))
        return True
    return False
