"""Process supervisor of an embedded session: starts its programs and ends them all when the owner is gone.

Run as a script (`python -I -S supervisor.py FOLDER OWNER [WRAPPER …]`), standard library only so that it starts fast.
Standard input is a SEQPACKET socket to the owner; the session ends when that is closed or the process OWNER
ends. With OWNER 0, in a box, there is neither: it ends with whoever made the box. WRAPPER is put before what is run,
unless a request says `"plain": true`. The same requests are accepted on the socket `FOLDER/launcher`, through which the hand opens programs
that belong to the session and not to the hand. One request, one answer, in JSON:
`{"run": [argv], "vital": bool, "plain": bool}` → `{"pid": n}` or `{"error": words}`; `{"environment": {…}}` → `{}`.
A request may carry one file descriptor, which becomes the program's standard output. When a vital
program ends, the session ends.

As a child subreaper (prctl(2)) it inherits orphans, so descendants that a program leaves behind are ended too.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:  # the typing module is as slow to load as all the rest
    from typing import IO, Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
REQUEST_BYTES = 256_000
GRACE_SECONDS = 1.0


class Supervisor:
    """Starts programs on request, reaps them, and ends what is left at the end."""

    def __init__(self, folder: Path, owner: int, wrapper: list[str]) -> None:
        self._folder, self._wrapper = folder, wrapper
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._environment = dict(os.environ)
        self._vital: set[int] = set()
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._selector = selectors.DefaultSelector()
        self._owner = os.pidfd_open(owner) if owner else None
        self._running = True
        self._log = (folder / "log").open("ab", buffering=0)

    def run(self) -> None:
        """Serve until the owner is gone, a vital program has ended or SIGTERM came; then end everything."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(str(self._folder / "launcher"))
        listener.listen()
        wake, waker = socket.socketpair()
        waker.setblocking(False)
        wake.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._end)
        self._selector.register(listener, selectors.EVENT_READ, "listener")
        self._selector.register(wake, selectors.EVENT_READ, "signal")
        if self._owner is not None:
            control = socket.socket(fileno=os.dup(0))
            self._selector.register(control, selectors.EVENT_READ, "owner")
            self._selector.register(self._owner, selectors.EVENT_READ, "gone")
            control.send(b"{}")
        while self._running:
            for key, _ in self._selector.select():
                self._serve(key)
        self._end_everything()

    def _end(self, *_: object) -> None:
        self._running = False

    def _serve(self, key: selectors.SelectorKey) -> None:
        if key.data == "gone":
            self._running = False
        elif key.data == "signal":
            with contextlib.suppress(BlockingIOError):
                key.fileobj.recv(4096)  # type: ignore[union-attr]
            self._reap()
        elif key.data == "listener":
            client, _ = key.fileobj.accept()  # type: ignore[union-attr]
            self._selector.register(client, selectors.EVENT_READ, "client")
        else:
            self._take_request(key)

    def _take_request(self, key: selectors.SelectorKey) -> None:
        connection: socket.socket = key.fileobj  # type: ignore[assignment]
        try:
            message, descriptors, _, _ = socket.recv_fds(connection, REQUEST_BYTES, 1)
            if message:
                # Only output of the session's own programs is logged: what the hand opens may print without limit.
                log = self._log if key.data == "owner" else subprocess.DEVNULL
                connection.send(json.dumps(self._answer(message, descriptors, log)).encode())
                return
        except OSError:
            pass
        self._selector.unregister(connection)
        connection.close()
        self._running = self._running and key.data != "owner"

    def _answer(self, message: bytes, descriptors: list[int], log: IO[bytes] | int) -> dict[str, Any]:
        output = descriptors[0] if descriptors else log
        try:
            request = json.loads(message)
            self._environment.update(request.get("environment", {}))
            if "run" not in request:
                return {}
            argv = [*([] if request.get("plain") else self._wrapper), *request["run"]]
            return {"pid": self._start(argv, output, log, bool(request.get("vital")))}
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return {"error": str(error)}
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _start(self, argv: list[str], output: IO[bytes] | int, log: IO[bytes] | int, vital: bool) -> int:
        child = subprocess.Popen(
            argv,
            env=self._environment,
            cwd=self._environment.get("HOME", "/"),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=log,
            start_new_session=True,
            preexec_fn=self._die_with_supervisor,
        )
        self._children[child.pid] = child
        if vital:
            self._vital.add(child.pid)
        return child.pid

    def _die_with_supervisor(self) -> None:
        # Only matters when the supervisor itself is killed; SIGTERM lets Xvfb remove its lock and socket.
        self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)

    def _reap(self) -> bool:
        """Collect ended children; False when there is none left at all."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                child = self._children.pop(found[0], None)
                if child:
                    child.returncode = os.waitstatus_to_exitcode(found[1])
                if found[0] in self._vital:
                    self._running = False
        except ChildProcessError:
            return False
        return True

    def _end_everything(self) -> None:
        import shutil  # slow to load, and only wanted at the end

        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # sigtimedwait takes it instead
        deadline = time.monotonic() + GRACE_SECONDS
        self._signal_descendants(signal.SIGTERM)
        while self._reap():
            late = time.monotonic() > deadline
            if late:
                self._signal_descendants(signal.SIGKILL)
            signal.sigtimedwait({signal.SIGCHLD}, 0.02)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _signal_descendants(self, number: int) -> None:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def descendants(root: int) -> list[int]:
    """Process ids of all descendants of `root`, from /proc/PID/stat (proc(5)), whose field 4 is the parent."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.parent.name))
    found: list[int] = []
    ahead = [root]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


if __name__ == "__main__":
    Supervisor(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]).run()
