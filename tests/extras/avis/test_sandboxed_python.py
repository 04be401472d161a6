"""One Python script in a sandbox: how it ends, what it is told to have printed, and what it cannot reach."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from desktop_agent.extras.avis.sandboxed_python import SandboxedPython
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.script_limits import KILLED, BoundedOutput, ScriptEnd, ScriptLimits
from desktop_agent.protocol.errors import Stopped, TargetError
from desktop_agent.protocol.stop_flag import StopFlag

pytestmark = pytest.mark.linux("sandboxes of Linux")
boxed = pytest.mark.skipif(
    sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
)


def ran(code: str, **limits: float) -> ScriptEnd:
    return SandboxedPython(ScriptLimits(**limits)).run(code, lambda: None)  # type: ignore[arg-type]


@boxed
@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("print(6 * 7)", ScriptEnd(0, "42\n", "")),
        ("import sys; print('no', file=sys.stderr); sys.exit(3)", ScriptEnd(3, "", "no\n")),
        ("import os; os.kill(os.getpid(), 9)", ScriptEnd(KILLED, "", "")),
        ("print('Ω', end='')", ScriptEnd(0, "Ω", "")),
        ("import os, signal\nif os.fork(): print('parent')\nelse: signal.pause()", ScriptEnd(0, "parent\n", "")),
    ],
    ids=["prints", "fails", "killed", "unicode", "leaves a child"],
)  # fmt: skip
def test_it_tells_how_a_script_ended(code: str, end: ScriptEnd) -> None:
    assert ran(code) == end


@boxed
def test_a_script_that_takes_too_long_is_killed_though_it_closed_its_outputs() -> None:
    end = ran(
        "import os\nprint('begun', flush=True)\nos.close(1)\nos.close(2)\nwhile True: pass", seconds=3.0
    )
    assert end == ScriptEnd(KILLED, "begun\n", "", "it took longer than 3 seconds")


@boxed
def test_of_a_long_output_the_beginning_and_the_end_are_told() -> None:
    end = ran("print('a' * 5_000_000 + 'z')", output=100)
    assert end.exit_code == 0 and len(end.stdout) < 200
    assert end.stdout.startswith("aaa") and "4999902 bytes are left out" in end.stdout
    assert end.stdout.endswith("az\n")


@boxed
def test_processes_memory_and_files_are_limited() -> None:
    bomb = "import os, signal\ntry:\n while True: os.fork() or signal.pause()\nexcept OSError as e: print(type(e).__name__)"
    assert ran(bomb).stdout == "BlockingIOError\n"
    assert "MemoryError" in ran("bytearray(1 << 30)", memory=256).stderr
    assert ran("open('large', 'wb').write(bytes(2 << 20))", file=1).exit_code != 0


@boxed
def test_it_reaches_no_network_no_file_of_this_computer_and_no_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    assert "FileNotFoundError" in ran(f"open({str(secret)!r})").stderr
    assert "KeyError" in ran("import os; os.environ['OPENAI_API_KEY']").stderr
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert (
            "ConnectionRefused"
            in ran(f"import socket; socket.create_connection(('127.0.0.1', {port}))").stderr
        )
    assert ran("import os; print(os.getuid() == 0)").stdout == "False\n"


@boxed
def test_nothing_of_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert ran("open('made', 'w').write('x'); print(__file__)").exit_code == 0
    assert ran("import os; print(os.path.exists('made'))").stdout == "False\n"
    assert "Read-only" in ran("open(__file__, 'a')").stderr
    assert list(tmp_path.iterdir()) == []


@boxed
def test_a_stop_ends_it_at_once() -> None:
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set, ["Esc"])
    timer.start()
    with pytest.raises(Stopped, match="Esc"):
        SandboxedPython(ScriptLimits(seconds=120)).run("while True: pass", stop.check)
    with pytest.raises(Stopped):
        SandboxedPython().run("print(1)", stop.check)


def test_without_a_box_and_a_container_it_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`bwrap` and the engines are taken out of reach, as on a computer without them."""
    bubblewrap._why_not.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("DOCKER_HOST", "CONTAINER_HOST"):
        monkeypatch.setenv(name, f"unix://{tmp_path}/none.sock")
    assert shutil.which("bwrap") is None
    try:
        with pytest.raises(TargetError, match=r"No sandbox can be had here.*Install bubblewrap"):
            ran("print(1)")
    finally:
        bubblewrap._why_not.cache_clear()


@pytest.mark.parametrize("sizes", [[10], [1] * 10, [3, 7], [9, 1]])
def test_a_bounded_output_is_whole_up_to_its_size(sizes: list[int]) -> None:
    output, data = BoundedOutput(10), b"0123456789"
    for size in sizes:
        piece, data = data[:size], data[size:]
        output.add(piece)
    assert output.text() == "0123456789"
    output.add(b"x")
    assert output.text() == "01234\n… 1 bytes are left out here …\n6789x"
