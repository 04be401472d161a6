"""Whose doing a change of a protected file is: told on real package managers, terminals and programs beside a run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.acting.change_authors import ChangeAuthors
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces, Roots
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings, Config
from tests.agent.test_run_loop import DONE, turn
from tests.desk import Desk, until
from tests.support.memory_desk import Bench, ScriptedModel

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
    return ProtectedPlaces((Roots.of(str(home), {}),))


def apart(*argv: str) -> None:
    """Start a program that is nobody's child, as another terminal or a service would."""
    subprocess.run(
        ["setsid", "--fork", *argv], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return str(path)


class _Beside(ScriptedModel):
    """A model that acts nowhere, and whose first thought lasts for as long as something else goes on beside the run.

    Word of a change may come late: while the run acts it would be the run's as well as another's.
    """

    def __init__(self, beside: Callable[[], object]) -> None:
        super().__init__(DONE, wait=self._wait)
        self._beside = [beside]

    def _wait(self, stop: StopFlag) -> None:
        if self._beside:
            self._beside.pop()()
        stop.check()


def run_beside(
    tmp_path: Path, places: ProtectedPlaces, beside: Callable[[], object], notes: list[str] | None = None
) -> Bench:
    """A whole run, beside which something happens once it is watched."""

    def happen() -> None:
        watch = bench.session._watching
        assert watch is not None and watch.ready.wait(60)
        beside()

    bench = Bench(_Beside(happen), tmp_path / "runs")
    bench.session._circumstances = msgspec.structs.replace(bench.session._circumstances, protected=places)

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Note) and notes is not None:
            notes.append(event.text)

    bench.session.subscribe(hear)
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
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", str(there)], check=True, capture_output=True)
    return f"{there}.deb"


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[list[str]]:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip("only root installs packages, and only where apt is")
    names = [f"desktop-agent-nothing-{number}" for number in range(PACKAGES)]
    yield [package(tmp_path, name) for name in names]
    subprocess.run(["apt-get", "purge", "--yes", "-o", LOCK, *names], check=True, capture_output=True)


@pytest.mark.parametrize("manager", ["dpkg", "apt-get"])
def test_an_installation_beside_a_run_changes_nothing(
    tmp_path: Path, home: Path, packages: list[str], manager: str
) -> None:
    places = ProtectedPlaces((Roots.of(str(home), {"PATH": "/usr/bin"}),))
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
    assert "paused" not in bench.states
    assert not [each for each in bench.of(say.Note) if "desktop-agent-nothing" in each.text]


# ---- what writes into the home folder --------------------------------------------------------


def test_a_program_that_somebody_else_installs_is_told_once_and_the_run_goes_on(
    tmp_path: Path, home: Path, places: ProtectedPlaces
) -> None:
    ended = tmp_path / "ended"
    installs = script(
        tmp_path,
        "version-manager",
        f"cd {home}/bin && for name in one two; do echo 'exit 0' >$name; chmod +x $name; done; echo a >>../.bashrc; touch {ended}\n",
    )

    def install() -> None:
        apart(installs)
        until(ended.exists, "what it installs")
        until(lambda: bench_notes(), "the note of it")

    notes: list[str] = []

    def bench_notes() -> bool:
        return any("another program" in each for each in notes)

    bench = run_beside(tmp_path, places, install, notes)
    assert bench.states[-1] == "done" and "paused" not in bench.states, bench.of(say.Error)
    assert [str(home / "bin") in each for each in notes] == [True]


def test_a_change_while_the_run_acts_makes_it_wait_and_go_on_when_the_user_says_so(
    tmp_path: Path, home: Path, places: ProtectedPlaces
) -> None:
    bench = Bench(ScriptedModel(turn({"op": "wait", "seconds": 20}), DONE), tmp_path / "runs")
    session = bench.session
    session._circumstances = msgspec.structs.replace(session._circumstances, protected=places)
    told: list[str] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Action) and not told:
            watch = session._watching
            assert watch is not None and watch.ready.wait(60)
            (home / ".bashrc").write_text("two\n")
        elif isinstance(event, say.Status) and event.state == "paused":
            told.append(event.detail)
            session.resume()

    session.subscribe(hear)
    bench.run()
    assert bench.states[-1] == "done", bench.of(say.Error)
    assert str(home / ".bashrc") in told[0] and "Another program may have done it" in told[0]


# ---- what the run works ----------------------------------------------------------------------


class InTerminal:
    """A run that types a command into a terminal, and how it has ended."""

    def __init__(self, desk: Desk, folder: Path, places: ProtectedPlaces, command: str) -> None:
        typed = ({"op": "type", "text": command}, {"op": "key_combo", "keys": ["enter"]})
        self.states: list[str] = []
        self.told = ""
        self.on_thinking: Callable[[], object] = lambda: None
        model = ScriptedModel(turn(*typed), turn({"op": "wait", "seconds": 1}), DONE, wait=self._think)
        make_hand = partial(Hands, takeover=False)
        parts = Parts(
            desk.target,
            model,
            lambda address, on_stop: make_hand(address, on_stop=on_stop),
            lambda frame, stop: (),
        )
        settings = Config(agent=AgentSettings(permission="full"))
        circumstances = Circumstances(folder, protected=places)
        self.session = AgentSession(
            parts, settings, circumstances, AgentInfo("display", "scripted", "off", 60, True)
        )
        self.session.subscribe(self._hear)
        self._thought = 0

    def run(self, command: str) -> None:
        self.session.send(f"Type `{command}` into the terminal and press Enter")
        self.session.run_next()
        self.session.quit()
        self.session.serve()

    def _think(self, stop: StopFlag) -> None:
        self._thought += 1
        watch = self.session._watching
        assert watch is not None and watch.ready.wait(60)
        if self._thought == 2:
            self.on_thinking()
            stop.wait(60)

    def _hear(self, event: say.FeedEvent) -> None:
        match event:
            case say.ApprovalAsked():
                self.session.approve(event.id)
            case say.Status():
                self.states.append(event.state)
                if event.state == "paused":
                    self.told = event.detail
                    self.session.stop("enough was seen")
            case say.Error():
                self.told = event.message


@pytest.fixture
def terminal(display: Desk) -> Desk:
    display.launch("xterm", "-T", "Terminal", "-e", "sh", title="Terminal")
    return display


def test_what_the_run_types_into_a_terminal_stops_it(
    terminal: Desk, tmp_path: Path, home: Path, places: ProtectedPlaces
) -> None:
    command = f"cp /bin/true {home}/bin/tool"
    run = InTerminal(terminal, tmp_path / "runs", places, command)
    run.run(command)
    assert run.states[-1] == "error" and str(home / "bin" / "tool") in run.told, (run.states, run.told)


def test_what_a_command_of_the_run_does_later_makes_it_wait(
    terminal: Desk, tmp_path: Path, home: Path, places: ProtectedPlaces
) -> None:
    go = tmp_path / "go"
    command = f"(until [ -e {go} ]; do sleep 0.1; done; echo a >>{home}/.bashrc) &"
    run = InTerminal(terminal, tmp_path / "runs", places, command)

    def later() -> None:
        until(lambda: not run.session._authors.acting, "the end of what it did")
        go.touch()

    run.on_thinking = later
    run.run(command)
    assert "paused" in run.states and str(home / ".bashrc") in run.told, (run.states, run.told)
    assert run.states[-1] != "done"


# ---- evidence --------------------------------------------------------------------------------


def test_who_holds_the_file_open_has_written_it(tmp_path: Path, home: Path) -> None:
    authors, path = ChangeAuthors((str(home),)), home / ".bashrc"
    with path.open("a"):
        assert authors.of(str(path)) == "run"
    began = tmp_path / "began"
    holder = script(
        tmp_path, "holder", f"exec 3>>{path}; echo $$ >{began}.new; mv {began}.new {began}; exec sleep 600\n"
    )
    apart(holder)
    until(began.exists, "the other program")
    pid = int(began.read_text())
    try:
        assert authors.of(str(path)) == "other"
        authors.work(ops.Click(1, 1), Place(known=True, pid=pid))
        assert authors.of(str(path)) == "run", "it is one that the run works"
    finally:
        os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_what_the_user_has_no_right_to_change_is_another_s_doing_unless_a_command_was_given(
    home: Path,
) -> None:
    """A command may have asked for more rights."""
    path, read = "/etc/cron.d/desktop-agent-nothing", os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.setresuid(65534, 65534, 65534)
            authors = ChangeAuthors((str(home),))
            authors.hear(say.Status(state="executing"))
            found = authors.of(path)
            authors.work(ops.Type("sudo"), Place(known=True, hosts_shell=True))
            os.write(read[1], f"{found} {authors.of(path)}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read[0], 100).decode() == "other run"
