"""A project in a container, on Docker and Podman that the tests start themselves."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from desktop_agent.extras.project.tools import project
from desktop_agent.extras.project.tools.project import Project
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import EnvironmentLost
from desktop_agent.protocol.stop_flag import StopFlag
from tests.extras.project.orchestrator.project_folder import project_in
from tests.extras.project.tools.test_project import FORGER
from tests.extras.project.tools.test_project_git import NAMES, outside, repository_in, try_way_out, way_out
from tests.support.container_engines import NoEngine, RunningEngine, running

pytestmark = pytest.mark.linux("containers of Linux")
Make = Callable[..., Project]
on_both = pytest.mark.parametrize("engine", ["docker", "podman"], indirect=True, scope="module")
on_docker = pytest.mark.parametrize("engine", ["docker"], indirect=True, scope="module")
"""Where the engine is not asked: `./test all` has not the time for both."""


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> Iterator[RunningEngine]:
    try:
        with running(request.param) as engine, pytest.MonkeyPatch.context() as patch:
            for name, value in engine.environ.items():
                patch.setenv(name, value)
            yield engine
    except NoEngine as error:
        pytest.skip(f"No container engine: {error}.")


@pytest.fixture
def make(
    engine: RunningEngine,
    base: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Make]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "data of sandboxes"))
    made: list[Project] = []

    def build(**options: object) -> Project:
        engine_name = "podman" if "CONTAINER_HOST" in engine.environ else "docker"
        given = {
            "folder": str(project_in(tmp_path)),
            "sandbox": "container",
            "engine": engine_name,
            "base": base,
            "memory": 512,
            **options,
        }
        made.append(project.create(project.Options(**given)))  # type: ignore[arg-type]
        made[-1].start()
        return made[-1]

    yield build
    for each in made:
        each.close()


def run(place: Project, environment: str, command: str) -> str:
    return place.execute(ops.Run(environment, command), StopFlag()).text


@on_both
def test_the_orchestrator_is_its_main_process_and_only_the_project_is_in_it(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    (tmp_path / "secret").write_text("secret")
    box = make()
    assert "orchestrator" in run(box, "bash", "tr '\\0' ' ' < /proc/1/cmdline")
    assert run(box, "bash", "echo one > a.txt; id -u").strip() == str(os.getuid() or 1_000)
    assert (tmp_path / "project" / "a.txt").read_text() == "one\n"
    assert run(box, "python", "open('a.txt').read()") == "'one\\n'"
    assert "1. a.txt" in run(box, "editor", "search one") or "a.txt" in run(box, "editor", "search one")
    assert "No such file" in run(box, "bash", f"cat {tmp_path / 'secret'}")
    assert "sk-secret" not in run(box, "bash", "env; tr '\\0' '\\n' < /proc/1/environ")
    assert "exit code" in run(box, "bash", "echo > /etc/evil") and "exit code" in run(
        box, "bash", "unshare --user true"
    )


@on_docker
def test_nothing_in_it_answers_for_the_orchestrator(make: Make, tmp_path: Path) -> None:
    box = make()
    (tmp_path / "project" / "env").mkdir()
    (tmp_path / "project" / "env" / "forger.py").write_text(FORGER)
    assert "opened" in run(box, "forger", "x")
    assert run(box, "python", "1 + 1") == "2"


@on_both
def test_the_network_is_what_is_on_the_list(make: Make, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/page").respond_with_data("hello from outside")
    there = f"127.0.0.1:{httpserver.port}"
    fetch = "import urllib.request as u, os; os.environ['no_proxy'] = os.environ['NO_PROXY'] = ''; u.urlopen('{}').read()"
    box = make(network="listed", allowed=(there,))
    assert "hello from outside" in run(box, "python", fetch.format(f"http://{there}/page"))
    for address in ("http://127.0.0.1:9/", "http://[::1]:9/", "http://example.org/"):
        assert "403" in run(box, "python", fetch.format(address)), address


@on_both
def test_commits_come_back_and_git_outside_runs_nothing_of_it(make: Make, tmp_path: Path) -> None:
    folder = repository_in(tmp_path)
    box = make()
    printed = run(box, "bash", f"{NAMES}; echo b >> a; git commit -q -am Second; git status")
    assert outside(folder, "log", "--format=%s").split() == ["Second", "First"], printed
    assert outside(folder, "status", "--porcelain") == ""
    for way in (
        "renamed, and a copy with other settings", "commondir", "a hook", "a repository in a folder", "the nested one's folder renamed",
    ):  # fmt: skip
        run(box, "bash", way_out(way, folder))
    try_way_out("a file that names another", folder, box)


@on_docker
def test_a_stop_removes_it_in_the_middle_of_a_command(
    make: Make, engine: RunningEngine, tmp_path: Path
) -> None:
    box = make()
    errors: list[Exception] = []

    def work() -> None:
        try:
            run(box, "bash", "touch begun; sleep 600")
        except EnvironmentLost as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while not (tmp_path / "project" / "begun").exists():
        assert thread.is_alive()
    box.stop()
    thread.join(20)
    assert errors and not engine.client.containers.list(all=True)
    box.start()
    assert run(box, "bash", "echo anew") == "anew\n"


@on_docker
def test_one_that_is_killed_is_told_and_replaced(make: Make, engine: RunningEngine) -> None:
    box = make()
    (container,) = engine.client.containers.list()
    container.kill()
    with pytest.raises(EnvironmentLost, match="has ended"):
        run(box, "bash", "true")
    box.start()
    assert run(box, "bash", "echo anew") == "anew\n"
