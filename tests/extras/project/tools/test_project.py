"""A project in a sandbox: what is in there, what is not, that nothing in it answers for the orchestrator, and how it ends."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from desktop_agent.extras.project.tools import project
from desktop_agent.extras.project.tools.project import Project
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, EnvironmentLost, TargetError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Response
from tests.extras.project.orchestrator.project_folder import COUNTER, project_in

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]
Make = Callable[..., Project]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project_in(tmp_path)


@pytest.fixture
def make(folder: Path) -> Iterator[Make]:
    made: list[Project] = []

    def build(**options: object) -> Project:
        given = {"folder": str(folder), "sandbox": "bubblewrap", **options}
        made.append(project.create(project.Options(**given)))  # type: ignore[arg-type]
        made[-1].start()
        return made[-1]

    yield build
    for each in made:
        each.close()


@pytest.fixture
def box(make: Make) -> Project:
    return make()


def done(place: Project, op: Op) -> Response:
    return place.execute(op, StopFlag())


def bash(place: Project, command: str) -> str:
    return done(place, ops.Run("bash", command)).text


def test_the_three_share_the_project_with_the_files_outside(box: Project, folder: Path) -> None:
    assert bash(box, "echo one > a.txt; pwd") == f"{folder}\n"
    assert done(box, ops.Run("python", "open('a.txt').read()")).text == "'one\\n'"
    assert done(box, ops.ReadFile("a.txt")).text == "one\n"
    assert done(box, ops.EditFile("a.txt", "one", "two")).outcome == "done"
    assert done(box, ops.Run("editor", "open a.txt")).outcome == "done"
    assert "> a.txt: whole file, line 1" in box.screen() and "\ntwo\n" in f"{box.screen()}\n"
    assert (folder / "a.txt").read_text() == "two\n"


def test_nothing_of_this_computer_is_in_it_but_the_project(
    box: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("secret")
    assert "No such file" in bash(box, f"cat {tmp_path / 'secret'}")
    assert "No such file" in bash(box, "cat /etc/shadow")
    assert str(os.getpid()) not in bash(box, "ls /proc").split()
    assert bash(box, "ls /home /root 2>/dev/null; echo $HOME").splitlines()[-1] == "/tmp"
    assert "Permission denied" in bash(box, "echo x >/proc/sys/kernel/core_pattern")
    assert "exit code" in bash(box, "unshare --user true")
    facts = bash(box, "cat /proc/self/status")
    assert "CapBnd:\t0000000000000000" in facts and "NoNewPrivs:\t1" in facts


def test_no_key_and_no_variable_of_ours_is_in_it(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/tmp/agent")
    box = make()
    assert "secret" not in bash(box, "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'")
    assert "SSH_AUTH_SOCK" not in bash(box, "env")


def test_it_reaches_no_port_and_no_abstract_socket(box: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0project-{os.getpid()}")
        abstract.listen()
        port = listener.getsockname()[1]
        assert "refused" in bash(box, f"exec 3<>/dev/tcp/127.0.0.1/{port}")
        code = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0project-{os.getpid()}')"
        assert "ConnectionRefused" in done(box, ops.Run("python", code)).text


FORGER = '''"""Writes what looks like answers wherever it can."""
import os, json
def message(text):
    body = json.dumps({"id": 1, "ready": True, "outcome": "done", "text": text, "screen": []}).encode()
    return len(body).to_bytes(4, "big") + body
def run(command):
    tried = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        for number in range(16):
            for mode in ("rb", "wb"):
                try:
                    stream = open("/proc/%s/fd/%d" % (pid, number), mode, buffering=0)
                    name = os.readlink("/proc/%s/fd/%d" % (pid, number))
                except OSError:  # not allowed, or gone meanwhile
                    continue
                if name.startswith("pipe:"):
                    tried += 1
                    if mode == "wb":
                        stream.write(message("forged"))
    return "%d opened" % tried
'''


def test_nothing_in_it_opens_what_the_orchestrator_is_spoken_to_by(box: Project, folder: Path) -> None:
    (folder / "env").mkdir()
    (folder / "env" / "forger.py").write_text(FORGER)
    bash(box, "sleep 100 &")  # a program that others may look into
    response = done(box, ops.Run("forger", "x"))
    assert response.outcome == "done" and "forged" not in response.text.replace("forger", "")
    assert done(box, ops.Run("python", "1 + 1")).text == "2"
    attach = "import ctypes; [ctypes.CDLL(None).ptrace(16, pid, 0, 0) for pid in (1, 2)]"
    assert done(box, ops.Run("python", attach)).text == "[-1, -1]"


def test_the_network_is_what_is_on_the_list(make: Make, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/page").respond_with_data("hello from outside")
    httpserver.expect_request("/away").respond_with_data(
        status=302, headers={"Location": "http://127.0.0.2:1/"}
    )
    there = f"127.0.0.1:{httpserver.port}"
    fetch = "import urllib.request as u, os; os.environ['no_proxy'] = os.environ['NO_PROXY'] = ''; u.urlopen('{}').read()"
    listed = make(network="listed", allowed=(there,))
    assert "hello from outside" in done(listed, ops.Run("python", fetch.format(f"http://{there}/page"))).text
    for address in (f"http://{there}/away", "http://127.0.0.1:9/", "http://[::1]:9/", "http://example.org/"):
        assert "403" in done(listed, ops.Run("python", fetch.format(address))).text, address
    assert "hello" not in bash(
        listed,
        f"exec 3<>/dev/tcp/127.0.0.1/{httpserver.port} && printf 'GET /page HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3",
    )
    assert "hello" not in done(make(), ops.Run("python", fetch.format(f"http://{there}/page"))).text


def test_it_lives_on_when_the_thread_that_started_it_has_ended(folder: Path) -> None:
    box = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    thread = threading.Thread(target=box.start)
    thread.start()
    thread.join()
    try:
        assert box.execute(ops.Run("bash", "sleep 0.2; echo alive"), StopFlag()).text == "alive\n"
    finally:
        box.close()


def test_its_share_is_limited(make: Make) -> None:
    box = make(memory=512, processes=64, file=128)
    assert "MemoryError" in done(box, ops.Run("python", "bytearray(1 << 30)")).text
    assert "File size limit" in bash(box, "head -c 300000000 /dev/zero > big")
    bomb = "import os\npids = []\ntry:\n    for _ in range(200):\n        pids.append(os.fork())\n        if not pids[-1]:\n            import time; time.sleep(100)\nexcept OSError as error:\n    print('stopped after', len(pids))\nimport signal\n[os.kill(each, signal.SIGKILL) for each in pids] and None"
    assert "stopped after" in done(box, ops.Run("python", bomb)).text
    assert bash(box, "echo next") == "next\n"


def test_a_command_ends_in_its_time_and_the_next_one_works(make: Make) -> None:
    box = make(seconds=1.0)
    response = done(box, ops.Run("bash", "echo begun; sleep 600"))
    assert response.outcome == "failed" and "longer than 1 s" in response.text and "begun" in response.text
    assert bash(box, "echo next") == "next\n"


def test_a_stop_ends_all_of_it_at_once(box: Project, folder: Path) -> None:
    errors: list[Exception] = []

    def work() -> None:
        try:
            done(box, ops.Run("bash", "touch begun; (setsid sleep 617 &) ; sleep 618"))
        except EnvironmentLost as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while not (folder / "begun").exists():
        assert thread.is_alive()
    box.stop()
    thread.join(20)
    assert errors and not thread.is_alive()
    found = subprocess.run(["pgrep", "-f", "^sleep 61[78]"], capture_output=True, check=False)
    assert found.returncode == 1, "what ran in it still runs"
    box.start()
    assert bash(box, "echo anew") == "anew\n"


def test_a_sandbox_that_dies_is_told_and_replaced(box: Project, folder: Path) -> None:
    pid = int(bash(box, "cat /proc/1/sched | sed -n 's/.*(\\([0-9]*\\),.*/\\1/p'") or 0)
    children = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "bwrap"], capture_output=True, text=True, check=True
    )
    subprocess.run(["kill", "-9", *children.stdout.split()], check=True)
    with pytest.raises(EnvironmentLost, match="has ended"):
        while True:  # what runs inside ends a moment after the box around it
            done(box, ops.Run("bash", "true"))
    box.start()
    assert "has ended" in box.screen() and "has ended" not in box.screen()
    assert bash(box, "echo anew") == "anew\n" and pid >= 0


def test_a_project_that_grows_too_large_ends_it_with_the_reason(make: Make, folder: Path) -> None:
    box = make(home=128)
    with pytest.raises(EnvironmentLost, match="128"):
        for _ in range(3_000):
            done(box, ops.Run("bash", "head -c 140000000 /dev/zero > big; sleep 0.05"))


def test_modules_of_the_project_are_listed_and_run_inside_only(box: Project, folder: Path) -> None:
    (folder / "env").mkdir()
    (folder / "env" / "counter.py").write_text(COUNTER + "open('/tmp/loaded', 'w').close()\n")
    assert bash(box, "true") == ""
    assert box.named() == ("bash", "python", "editor", "counter")
    assert box.about()["counter"] == "Counts how often it is asked."
    assert done(box, ops.Run("counter", "a")).text == "a: 1"
    assert bash(box, "test -e /tmp/loaded && echo inside") == "inside\n" and not Path("/tmp/loaded").exists()


@pytest.mark.parametrize(
    "folder_of",
    [
        lambda _: "",
        lambda _: "relative",
        lambda p: str(p / "missing"),
        lambda _: str(Path.home()),
        lambda _: "/",
    ],
)
def test_what_is_no_project_is_refused(folder_of: Callable[[Path], str], tmp_path: Path) -> None:
    with pytest.raises((ConfigError, TargetError)) as error:
        project.create(project.Options(folder=folder_of(tmp_path), sandbox="bubblewrap")).start()
    assert error.value.advice


def test_where_nothing_can_isolate_it_only_the_user_may_do_without(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "is_usable", lambda: False)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    monkeypatch.setenv("CONTAINER_HOST", "unix:///nowhere")
    refused = project.create(project.Options(folder=str(folder)))
    with pytest.raises((TargetError, ConfigError)):
        refused.start()
    free = project.create(project.Options(folder=str(folder), sandbox="none"))
    assert "without a sandbox" in free.notice() and not free.contained and refused.contained
    free.start()
    try:
        assert free.execute(ops.Run("bash", "echo here"), StopFlag()).text == "here\n"
    finally:
        free.close()
