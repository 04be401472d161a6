"""The first process of the namespaces: mounts what it is told, then reaps until its input ends.

Run as `python -I -S init.py`, with a JSON list of commands as one line on its input. It answers `ready`,
or why not. With it die all processes in the namespaces, and with them go their mounts.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys


def main() -> int:
    """Returns 1 when a command failed, else 0 after the end of the input."""
    for command in json.loads(sys.stdin.readline()):
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            words = " ".join(ran.stderr.split()) or f"status {ran.returncode}"
            print(f"{' '.join(command)}: {words}", flush=True)
            return 1
    print("ready", flush=True)
    _reap_until_the_end()
    return 0


def _reap_until_the_end() -> None:
    reader, writer = os.pipe()
    for end in (reader, writer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writer)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([0, reader], [], [])
        if reader in ready:
            os.read(reader, 4096)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        if 0 in ready and not os.read(0, 4096):
            return


if __name__ == "__main__":
    sys.exit(main())
