"""A private X display with a window manager, ended with everything it started."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OPENBOX = """<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast></focus>
  <mouse>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
  </mouse>
</openbox_config>
"""


@contextmanager
def desk(folder: Path, size: str = "1280x900") -> Iterator[dict[str, str]]:
    """The environment of a fresh display of `size`; everything ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    authority = folder / "Xauthority"
    cookie = secrets.token_hex(16)
    read, write = os.pipe()
    # The server is told its cookie before its number is known, so it is written for every display.
    server_auth = folder / "server-authority"
    entry = b"\xff\xff" + b"\0\0" + b"\0\0" + b"\0\x12MIT-MAGIC-COOKIE-1" + b"\0\x10" + bytes.fromhex(cookie)
    for file in (authority, server_auth):
        file.write_bytes(entry)
        file.chmod(0o600)
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp",
         "-auth", str(server_auth)],
        pass_fds=(write,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    number = os.read(read, 16).decode().strip()
    os.close(read)
    environment = {**os.environ, "DISPLAY": f":{number}", "XAUTHORITY": str(authority), "HOME": str(folder)}
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    config = folder / "openbox.xml"
    config.write_text(OPENBOX)
    manager = subprocess.Popen(
        [shutil.which("openbox") or "openbox", "--config-file", str(config), "--sm-disable"],
        env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait_for_manager(environment)
        yield environment
    finally:
        for process in (manager, server):
            with suppress(ProcessLookupError):
                process.terminate()
            process.wait(10)


def _wait_for_manager(environment: dict[str, str]) -> None:
    for _ in range(200):
        done = subprocess.run(
            ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment, capture_output=True, text=True
        )
        if "window id" in done.stdout:
            return
    raise RuntimeError("openbox did not start")
