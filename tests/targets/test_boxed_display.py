"""An embedded display in a box: what is in it, what is not, and that the hand, the elements and the stop work as ever."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_httpserver import HTTPServer

from desktop_agent.hand.client import Hands
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.x11.embedded.supervisor import descendants
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import ConfigError, TargetError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets import display
from desktop_agent.vision.atspi.bus import BusError
from desktop_agent.vision.atspi.bus_session import find_bus
from tests.desk import Desk, until
from tests.hand.human import Human
from tests.hand.workplace import Workplace

if TYPE_CHECKING:
    from desktop_agent.targets._embedded import EmbeddedDisplay

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]

BOMB = """
import os, signal, time
children = []
try:
    for _ in range(700):
        children.append(os.fork())
        if not children[-1]:
            time.sleep(1000)
except OSError as error:
    print(error.strerror, "after", len(children))
for each in children:
    os.kill(each, signal.SIGKILL)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def make(home: Path) -> Iterator[Callable[..., EmbeddedDisplay]]:
    made: list[EmbeddedDisplay] = []

    def build(**options: object) -> EmbeddedDisplay:
        made.append(display.create(display.Options(boxed=True, workspace=str(home), **options)))  # type: ignore[arg-type]
        made[-1].start()
        return made[-1]

    yield build
    for each in made:
        each.stop()


@pytest.fixture
def box(make: Callable[..., EmbeddedDisplay]) -> EmbeddedDisplay:
    return make()


def within(box: EmbeddedDisplay, home: Path, script: str) -> str:
    """Run a shell script in the box; what it printed."""
    box.launch(["sh", "-c", f"({script}) >out.new 2>&1; mv out.new out"])
    until((home / "out").exists, f"the end of {script}")
    said = (home / "out").read_text()
    (home / "out").unlink()
    return said


def test_nothing_of_this_computer_is_in_it_but_its_home(
    box: EmbeddedDisplay, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    assert "No such file" in within(box, home, f"cat {tmp_path / 'secret'}")
    assert "denied" in within(box, home, "cat /etc/shadow 2>&1 || echo denied")
    assert within(box, home, "ls /home /root 2>/dev/null").strip() == ""
    assert str(os.getpid()) not in within(box, home, "ls /proc").split()
    assert within(box, home, "echo $HOME; pwd").split() == [str(home), str(home)]
    assert "Permission denied" in within(box, home, "echo x >/proc/sys/kernel/core_pattern")
    assert "failed" in within(box, home, "unshare --user true")
    facts = within(box, home, "cat /proc/self/status")
    assert "CapBnd:\t0000000000000000" in facts and "NoNewPrivs:\t1" in facts


def test_it_reaches_no_port_display_or_abstract_socket_of_this_computer(
    box: EmbeddedDisplay, home: Path, display: object
) -> None:
    outer = display.environment["DISPLAY"]  # type: ignore[attr-defined]
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind("\0boxed-" + home.parent.name)
        abstract.listen()
        port = listener.getsockname()[1]
        assert "refused" in within(box, home, f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'")
        assert (
            "unable" in within(box, home, f"DISPLAY={outer} xterm -e true").lower()
            or "can't open" in within(box, home, f"DISPLAY={outer} xterm -e true").lower()
        )
        abstract_try = (
            f"python3 -c 'import socket; socket.socket(1).connect(chr(0) + \"boxed-{home.parent.name}\")'"
        )
        assert "refused" in within(box, home, abstract_try)
    assert within(box, home, "grep -c : /proc/net/dev").strip() == "1", "a loopback of its own"
    assert within(box, home, "ls /tmp/.X11-unix").split() == [f"X{box.environment['DISPLAY'][1:]}"]


def test_more_processes_or_larger_files_than_it_may_have_it_does_not_get(
    box: EmbeddedDisplay, home: Path
) -> None:
    (home / "bomb.py").write_text(BOMB)
    assert "Resource temporarily unavailable after" in within(box, home, "python3 bomb.py")
    assert "refused" in within(box, home, "truncate -s 2G huge || echo refused")


def test_what_is_typed_in_its_terminal_is_done_in_its_home_and_logged(
    box: EmbeddedDisplay, home: Path
) -> None:
    box.launch(["xterm"])
    until(lambda: (home / "term.log").exists() and box.windows(), "the terminal")
    layout = box.geometry()
    hands = Hands(box.address())
    try:
        hands.start()
        typed = (ops.Type("echo ok >it.txt; echo said\n"),)
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        results = hands.execute(Batch("b", typed, view, {}, hands.generation))
        assert [each.outcome for each in results] == ["done"]
        until((home / "it.txt").exists, "the file")
        until(lambda: "\nsaid" in (home / "term.log").read_text(), "the log")
        opening = (ops.Open("mousepad"),)
        if "mousepad" in box.programs_named("mousepad"):
            hands.execute(Batch("c", opening, view, {}, hands.generation))
            until(lambda: any("Mousepad" in each.title for each in box.windows()), "what the hand opened")
    finally:
        hands.close()


def test_a_command_that_is_given_to_a_terminal_is_logged_too(box: EmbeddedDisplay, home: Path) -> None:
    log = home / "term.log"
    box.launch(["xterm", "-T", "one", "-e", "echo one-$((40 + 2)); sleep 1000"])
    box.launch(["xterm", "-T", "two", "-e", "sh", "-c", 'echo "two $0"; sleep 1000', "a b"])
    until(
        lambda: log.exists() and "one-42" in log.read_text() and "two a b" in log.read_text(),
        "both in the log",
    )


def test_its_programs_have_elements_and_processes_of_this_computer(box: EmbeddedDisplay) -> None:
    box.launch(["mousepad"])
    until(lambda: box.windows(), "the window")
    until(lambda: any(each.name == "File" for each in box.elements()), "its menu")
    (window,) = box.windows()
    assert window.pid in descendants(box.keeper_pid)
    assert box.program_of(window.pid) == "mousepad"
    assert box.elements_of(window.pid)


def test_its_windows_may_be_worked_and_a_terminal_is_known_as_one(box: EmbeddedDisplay) -> None:
    pid = box.launch(["xterm"])
    until(lambda: (found := box.focused_window()) is not None and found.hosts_shell, "the terminal")
    window = box.focused_window()
    assert window is not None and window.pid in (pid, *descendants(pid)), "a box of root's wraps each program"
    assert (window.program, window.foreign) == ("xterm", False)


@pytest.mark.skipif(sys.platform == "linux" and os.geteuid() != 0, reason="only root becomes others")
def test_it_is_read_and_limited_for_any_user() -> None:
    """For one that is neither root nor number 1000, too."""
    script = (
        "import sys\nfrom pathlib import Path\nfrom desktop_agent.targets import display\n"
        "t = display.create(display.Options(boxed=True, workspace=sys.argv[1] + '/home', processes=64)); t.start()\n"
        "t.launch(['sh', '-c', 'python3 bomb.py >out 2>&1; touch end'])\n"
        "while not Path(sys.argv[1], 'home', 'end').exists(): pass\n"
        "t.elements(); print(repr(t.elements_missing), Path(sys.argv[1], 'home', 'out').read_text()); t.stop()\n"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "home").mkdir()
        (folder / "home" / "bomb.py").write_text(BOMB)
        for each in (folder, folder / "home"):
            os.chown(each, 65_534, 65_534)
        as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        found = os.pathsep.join(sys.path)
        variables = {
            "PATH": os.defpath,
            "HOME": name,
            "TMPDIR": name,
            "PYTHONPATH": found,
            "PYTHONDONTWRITEBYTECODE": "1",
        }

        def done(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*as_nobody, *words], env=variables, cwd=name, capture_output=True, text=True
            )

        usable = (
            "import subprocess, sys, desktop_agent.targets._boxed\n"
            f"assert sys.version_info[:2] == {sys.version_info[:2]}\n"
            "subprocess.run([sys.executable, '-c', ''], check=True)"
        )
        pythons = (sys.executable, "/usr/bin/python3")
        python = next((each for each in pythons if done(each, "-c", usable).returncode == 0), None)
        if python is None:
            pytest.skip("nobody can run a Python of ours here")
        said = done(python, "-c", script, name)
    assert said.stdout.startswith("''"), said.stderr
    assert "temporarily unavailable after" in said.stdout


def test_a_bus_that_leads_out_of_it_is_not_taken(
    box: EmbeddedDisplay, home: Path, shared_display: Desk
) -> None:
    """Else what is on another desktop, the user's own, would be read to the model."""
    find_bus(box.environment).close()
    run, other = (Path(each.environment["XDG_RUNTIME_DIR"]) for each in (box, shared_display))
    within(box, home, f"rm {run}/bus; ln -s {other}/bus {run}/bus")
    assert (run / "bus").readlink() == other / "bus"
    by_session = {name: value for name, value in box.environment.items() if name != "DISPLAY"}
    with pytest.raises(BusError, match="out of the box"):
        find_bus(by_session)


def test_one_that_dies_with_keys_held_is_told_and_made_anew(box: EmbeddedDisplay) -> None:
    desk = Desk(box)
    place = Workplace(desk)
    place.hands.start()
    try:
        job = place.begin_holding()
        monitors = [
            p for p in descendants(box.keeper_pid) if Path(f"/proc/{p}/exe").readlink().name == "bwrap"
        ]
        os.kill(monitors[0], signal.SIGKILL)
        with pytest.raises(AssertionError, match=r"The X display :[0-9]+ has gone"):
            job.results()
    finally:
        place.hands.close()
    with pytest.raises(TargetError, match="The sandbox has ended"):
        box.observe()
    box.stop()
    box.start()
    assert desk.held() == (set(), 0)


def test_escape_stops_the_hand_in_it(box: EmbeddedDisplay, home: Path) -> None:
    desk = Desk(box)
    desk.launch("xterm", "-T", "lines", "-e", "sh", "-c", "cat >typed")
    until(lambda: box.focused_window(), "the terminal")
    human, place = Human(desk.environment), Workplace(desk)
    try:
        place.hands.start()
        job = place.begin(ops.Type("x\n" * 2000, delay=0.002))
        until(lambda: (home / "typed").exists() and (home / "typed").stat().st_size > 20, "some typing")
        human.tap()
        (result,) = job.results()
        assert result.outcome == "stopped" and "ESC was pressed" in result.detail
        assert desk.held() == (set(), 0)
    finally:
        place.hands.close()
        human.close()


@pytest.mark.parametrize("path", [Path.home(), Path("/"), Path("/usr/share"), Path.home().parent])
def test_a_home_that_is_more_than_its_own_is_refused(path: Path) -> None:
    with pytest.raises(ConfigError, match="could be changed"):
        display.create(display.Options(boxed=True, workspace=str(path)))


def test_of_a_network_it_reaches_what_is_on_its_list(
    make: Callable[..., EmbeddedDisplay], home: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/").respond_with_data("reached")
    listed = f"127.0.0.1:{httpserver.port}"
    box = make(network="listed", allowed=(listed,))
    ask = "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://%s/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' $0 >&3; cat <&3"
    (home / "ask").write_text(ask)
    asked = f'bash -c "$(cat ask)" {listed}'
    until(lambda: within(box, home, asked).endswith("reached"), "the page")
    assert "not on the list" in within(box, home, f'bash -c "$(cat ask)" localhost:{httpserver.port}')
    assert within(box, home, "echo $https_proxy").strip() == "http://127.0.0.1:3128"


def test_its_launcher_leads_nowhere_else(box: EmbeddedDisplay, home: Path) -> None:
    """A link to the keeper's own launcher, in the place of the one in the box, would have the hand run programs outside."""
    place = Path(box.environment["DESKTOP_AGENT_LAUNCHER"])
    outside = place.parent.parent / "launcher"
    assert outside.exists() and "No such file" in within(box, home, f"ls {outside}")
    within(box, home, f"ln -sf {outside} {place}")
    assert place.is_symlink()
    hands = Hands(box.address())
    try:
        hands.start()
        layout = box.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        (result,) = hands.execute(Batch("b", (ops.Open("xterm"),), view, {}, hands.generation))
        assert result.outcome != "done" and "gone" in result.detail
    finally:
        hands.close()


def test_it_ends_with_its_owner_whatever_runs_in_it(home: Path) -> None:
    script = (
        "import sys\nfrom desktop_agent.targets import display\n"
        "t = display.create(display.Options(boxed=True, workspace=sys.argv[1])); t.start()\n"
        "t.launch(['sh', '-c', 'trap \"\" TERM; touch up; while :; do sleep 1; done'])\n"
        "print(t.keeper_pid, flush=True)\nimport signal; signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(home)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        keeper = int(owner.stdout.readline())
        until((home / "up").exists, "the program")
        processes = [keeper, *descendants(keeper)]
        owner.send_signal(signal.SIGKILL)
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in processes), "the end of all")


def test_without_bubblewrap_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    bubblewrap._why_not.cache_clear()
    monkeypatch.setattr("shutil.which", lambda name, **_: None if name == "bwrap" else f"/usr/bin/{name}")
    try:
        with pytest.raises(TargetError, match="bwrap is not installed") as caught:
            display.create(display.Options(boxed=True, workspace=str(home))).start()
        assert "apt-get install bubblewrap" in caught.value.advice
    finally:
        bubblewrap._why_not.cache_clear()


def test_a_workspace_that_is_no_whole_path_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a whole path"):
        display.create(display.Options(boxed=True, workspace="home"))
