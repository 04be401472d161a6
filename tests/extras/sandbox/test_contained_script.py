"""One Python script in a container, on a Docker that the test starts itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.extras.sandbox.containers.contained_script import run_contained
from desktop_agent.platforms.script_limits import KILLED, ScriptEnd, ScriptLimits
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from tests.support.container_engines import NoEngine, RunningEngine, running
from tests.support.host_image import imported

pytestmark = pytest.mark.linux("containers of Linux")


@pytest.fixture(scope="module")
def engine() -> Iterator[RunningEngine]:
    try:
        with running("docker") as engine, pytest.MonkeyPatch.context() as patch:
            for name, value in engine.environ.items():
                patch.setenv(name, value)
            yield engine
    except NoEngine as error:
        pytest.skip(f"No container engine: {error}.")


@pytest.fixture(scope="module")
def base(engine: RunningEngine) -> str:
    try:
        return imported(engine.client)
    except NoEngine as error:
        pytest.skip(f"No base image: {error}.")


def test_a_script_is_run_limited_and_stopped(
    engine: RunningEngine,
    base: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "data of sandboxes"))
    secret = tmp_path / "secret"
    secret.write_text("mine")

    def ran(code: str, stop: StopFlag | None = None, **limits: float) -> ScriptEnd:
        given = ScriptLimits(**limits)  # type: ignore[arg-type]
        return run_contained(code, given, (stop or StopFlag()).check, "docker", base)

    code = "import sys; print('Ω'); print('no', file=sys.stderr); open('made', 'w'); sys.exit(3)"
    assert ran(code) == ScriptEnd(3, "Ω\n", "no\n")
    assert "FileNotFoundError" in ran(f"open({str(secret)!r})").stderr
    assert "unreachable" in ran("import socket; socket.create_connection(('192.0.2.7', 80))").stderr
    late = ran("print('begun', flush=True)\nwhile True: pass", seconds=5.0)
    assert late == ScriptEnd(KILLED, "begun\n", "", "it took longer than 5 seconds")
    stop = StopFlag()
    threading.Timer(1.0, stop.set, ["Esc"]).start()
    with pytest.raises(Stopped):
        ran("while True: pass", stop, seconds=120)
    assert engine.client.containers.list(all=True) == []
