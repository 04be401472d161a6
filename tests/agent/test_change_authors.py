"""Whose doing a change of a protected file is: told on real package managers, terminals and programs beside a run."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from benchmarks.lab.memory_desk import Bench, ScriptedModel
from desktop_agent.agent.acting.change_authors import ChangeAuthors
from desktop_agent.agent.acting.protected_watch import ProtectedWatch
from desktop_agent.agent.policy.files.protected_places import ProtectedPlaces, Roots
from desktop_agent.agent.policy.place import Place
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.stop_flag import StopFlag
from tests.agent.test_run_loop import DONE, turn
from tests.desk import Desk, until

pytestmark = pytest.mark.linux("these are the processes of Linux")
PACKAGES = 10
LOCK = "DPkg::Lock::Timeout=300"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "bin").mkdir(parents=True)
    (folder / ".bashrc").write_text("one\n")
    return folder


@pytest.fixture
def places(home: Path) -> ProtectedPlaces:
    return ProtectedPlaces((Roots.of(str(home), {"PATH": "/usr/local/bin:/usr/bin"}),))


def apart(*argv: str) -> None:
    """Start a program that is nobody's child, as another terminal or a service would."""
    subprocess.run(
        ["setsid", "--fork", *argv], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )  # noqa: S603, S607


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return str(path)


class _Beside(ScriptedModel):
    """A model that thinks for as long as something else goes on beside the run."""

    def __init__(self, beside: Callable[[], object]) -> None:
        super().__init__(turn({"op": "click", "x": 5, "y": 5}), DONE, wait=self._wait)
        self._beside = beside

    def _wait(self, stop: StopFlag) -> None:
        self._beside()
        stop.check()


def run_beside(tmp_path: Path, places: ProtectedPlaces, beside: Callable[[], object]) -> Bench:
    """A whole run, beside which something happens once it is watched."""

    def happen() -> None:
        watch = bench.session._watching
        assert watch is not None and watch.ready.wait(60)
        beside()

    bench = Bench(_Beside(happen), tmp_path / "runs")
    bench.session._settings = msgspec.structs.replace(bench.session._settings, protected=places)
    bench.run()
    return bench


# ---- the system's package manager ------------------------------------------------------------


def package(folder: Path, name: str) -> str:
    """A package with a program, a job of cron and a script that makes a link beside the program."""
    there = folder / name
    for path in ("DEBIAN", "usr/bin", "etc/cron.d"):
        (there / path).mkdir(parents=True)
    (there / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: nothing\n"
    )
    script(there / "DEBIAN", "postinst", f"ln -sf {name} /usr/bin/{name}-link\n")
    script(there / "DEBIAN", "postrm", f"rm -f /usr/bin/{name}-link\n")
    script(there / "usr/bin", name, "exit 0\n")
    (there / f"etc/cron.d/{name}").write_text("# nothing\n")
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", str(there)], check=True, capture_output=True)  # noqa: S603, S607
    return f"{there}.deb"


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[list[str]]:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip("only root installs packages, and only where apt is")
    names = [f"desktop-agent-nothing-{number}" for number in range(PACKAGES)]
    yield [package(tmp_path, name) for name in names]
    subprocess.run(["apt-get", "purge", "--yes", "-o", LOCK, *names], check=True, capture_output=True)  # noqa: S603, S607


@pytest.mark.parametrize("manager", ["dpkg", "apt-get"])
def test_an_installation_beside_a_run_changes_nothing(
    tmp_path: Path, places: ProtectedPlaces, packages: list[str], manager: str
) -> None:
    ended = tmp_path / "ended"
    command = {
        "dpkg": "dpkg --install",
        "apt-get": f"apt-get install --yes --no-install-recommends -o {LOCK}",
    }
    told = script(
        tmp_path,
        "install",
        f'{command[manager]} "$@" >{tmp_path}/log 2>&1; echo $? >{ended}.new; mv {ended}.new {ended}\n',
    )

    def install() -> None:
        apart(told, *packages)
        until(ended.exists, "the end of the installation", 300)
        assert ended.read_text().strip() == "0", (tmp_path / "log").read_text()

    bench = run_beside(tmp_path, places, install)
    assert bench.states[-1] == "done", bench.of(say.Error)
    assert "paused" not in bench.states and bench.of(say.Note) == []
