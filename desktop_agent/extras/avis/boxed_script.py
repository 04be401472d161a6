"""Runs one Python script in a bubblewrap box that holds nothing but that script, and tells how it ended."""

from __future__ import annotations

import math
import os
import selectors
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import INSIDE, Box, BoxLimits, Mount
from desktop_agent.platforms.script_limits import (
    CHECK_SECONDS,
    KILLED,
    BoundedOutput,
    ScriptEnd,
    ScriptLimits,
)

_WORKPLACE = "/tmp"  # noqa: S108 - the box's own, in memory
_SCRIPT = f"{INSIDE}/script.py"
_KILL_SECONDS = 10.0


def run_boxed(code: str, limits: ScriptLimits, check: Callable[[], None]) -> ScriptEnd:
    """Run it to its end or its limits. Raises TargetError where no box can be made, OSError, and what `check` raises, which ends it.

    It must be called from a thread that lives as long: a box ends with the thread that made it. What the script writes is in
    memory and goes with the box; the file with the script, which can only be read in there, goes too.
    """
    bubblewrap.require_bubblewrap()
    folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
    try:
        return _followed(_command(folder, code, limits), limits, check)
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
        over=(Mount(str(home), str(home)),),
        limits=BoxLimits(limits.processes, limits.memory, limits.file),
    )
    # Should all who watch it die at once, its processor time ends it.
    most = math.ceil(limits.seconds) + 2
    run = [
        "prlimit",
        f"--cpu={most}",
        "env",
        "-C",
        _WORKPLACE,
        f"HOME={_WORKPLACE}",
        python,
        "-I",
        "-B",
        "-X",
        "utf8",
        _SCRIPT,
    ]
    return box.command([*bubblewrap.confining(_WORKPLACE), *run])


def _followed(command: list[str], limits: ScriptLimits, check: Callable[[], None]) -> ScriptEnd:
    """Run a command, read its outputs as far as they are told, and kill it at its time or when `check` raises."""
    check()
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
    try:
        late = not _ends(process, outputs, until, check)
    finally:
        process.kill()  # and with it, at once, all that runs in the box
        process.wait(_KILL_SECONDS)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    code = KILLED if late else process.returncode
    why = f"it took longer than {limits.seconds:g} seconds" if late else ""
    return ScriptEnd(code if code >= 0 else 128 - code, outputs[0].text(), outputs[1].text(), why)


def _ends(
    process: subprocess.Popen[bytes],
    outputs: tuple[BoundedOutput, BoundedOutput],
    until: float,
    check: Callable[[], None],
) -> bool:
    """Read until it has ended; False when it has not by then. Raises what `check` raises."""
    with selectors.DefaultSelector() as ready:
        for stream, output in zip((process.stdout, process.stderr), outputs, strict=True):
            if stream is not None:
                ready.register(stream, selectors.EVENT_READ, output)
        while (left := until - time.monotonic()) > 0:
            check()
            if not ready.get_map():  # it has closed its outputs, and may go on
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(left, CHECK_SECONDS))
                    return True
            for key, _ in ready.select(min(left, CHECK_SECONDS)) if ready.get_map() else ():
                if data := os.read(key.fd, 1 << 16):
                    key.data.add(data)
                else:
                    ready.unregister(key.fileobj)
    return False
