"""A container as a target, on engines that the tests start themselves: what is seen and done there, and what is not."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_httpserver import HTTPServer

from desktop_agent.hand.client import Hands
from desktop_agent.platforms.posix import unix_sockets
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import HandError, Refused, TargetError
from desktop_agent.protocol.geometry import Size, Viewport
from tests.desk import until
from tests.support.container_engines import NoEngine, RunningEngine, running

if TYPE_CHECKING:
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen

pytestmark = pytest.mark.linux("containers of Linux")

SIZE = Size(1024, 700)
BUILD = """
import os, sys, time
from pathlib import Path
from desktop_agent.platforms.sandbox_manifest import Manifest
from desktop_agent.protocol.geometry import Size
from desktop_agent.extras.sandbox.targets._container import ContainerScreen
screen = ContainerScreen("docker", sys.argv[1], Manifest(), Size(640, 480), Path(sys.argv[2]), os.environ)
screen.start()
print(screen._sandbox.id, flush=True)
time.sleep(1000)
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[RunningEngine]:
    try:
        with running("docker") as engine:
            yield engine
    except NoEngine as error:
        pytest.skip(f"No container engine: {error}.")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The program's data folder, with the Dockerfile in it."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        yield folder / "desktop-agent"


@pytest.fixture
def make(
    engine: RunningEngine, base: str, data: Path, tmp_path: Path
) -> Iterator[Callable[..., ContainerScreen]]:
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen
    from desktop_agent.platforms.sandbox_manifest import Manifest

    made: list[ContainerScreen] = []

    def build(**limits: object) -> ContainerScreen:
        manifest = Manifest(**{"memory": 512, **limits})  # type: ignore[arg-type]
        made.append(ContainerScreen("docker", base, manifest, SIZE, tmp_path / "home", engine.environ))
        return made[-1]

    yield build
    for each in made:
        each.stop()


@pytest.fixture
def screen(make: Callable[..., ContainerScreen]) -> ContainerScreen:
    screen = make()
    screen.start()
    return screen


def within(engine: RunningEngine, *command: str) -> tuple[int, str]:
    """Run a command in the one sandbox there is, as its user: the exit status and what it printed."""
    (container,) = engine.client.containers.list()
    result = container.exec_run(list(command))
    return result.exit_code, result.output.decode(errors="replace")


def shows_terminal(screen: ContainerScreen) -> bool:
    """Is the white of the terminal on the screen?"""
    return screen.observe().pixels.count(b"\xff\xff\xff\x00" * 100) > 20


def batch(screen: ContainerScreen, hands: Hands, *operations: ops.Op) -> Batch:
    layout = screen.geometry()
    return Batch(
        "b", operations, Viewport(layout.bounds, layout.bounds.size, layout.epoch), {}, hands.generation
    )


def test_what_is_typed_there_is_done_in_the_workspace_and_logged(
    screen: ContainerScreen, tmp_path: Path
) -> None:
    until(lambda: shows_terminal(screen), "the terminal")
    hands = Hands(screen.address())
    try:
        hands.start()
        typed = hands.execute(
            batch(screen, hands, ops.Click(x=200, y=200), ops.Type("echo $HOME-ok >it.txt; echo said\n"))
        )
        assert [each.outcome for each in typed] == ["done", "done"]
        until(lambda: (tmp_path / "home" / "it.txt").exists(), "the file")
    finally:
        hands.close()
    assert (tmp_path / "home" / "it.txt").read_text() == "/home/agent-ok\n"
    until(lambda: "\nsaid" in (tmp_path / "home" / "term.log").read_text(), "the log of the terminal")


def test_nothing_of_this_computer_is_in_it(
    screen: ContainerScreen, engine: RunningEngine, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    assert within(engine, "cat", str(tmp_path / "secret"))[0] != 0
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        status, said = within(engine, "bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}")
        assert status != 0 and "refused" in said
    assert within(engine, "cat", "/proc/net/dev")[1].count(":") == 1, "there is no network but a loopback"
    assert within(engine, "sh", "-c", "echo x >/usr/x")[0] != 0
    _, status_file = within(engine, "cat", "/proc/self/status")
    facts = dict(line.split(":\t", 1) for line in status_file.splitlines() if ":\t" in line)
    assert int(facts["CapBnd"], 16) == 0 and facts["NoNewPrivs"] == "1" and facts["Seccomp"] == "2"
    assert int(facts["Uid"].split()[0]) != 0


def test_its_limits_hold(make: Callable[..., ContainerScreen], engine: RunningEngine) -> None:
    make(memory=256, processes=64, file=128).start()
    bomb = "import os, time\nfor _ in range(500):\n    if not os.fork(): time.sleep(1000)"
    assert "Resource temporarily unavailable" in within(engine, "python3", "-c", bomb)[1]


def test_a_large_file_and_much_memory_are_refused(
    make: Callable[..., ContainerScreen], engine: RunningEngine
) -> None:
    make(memory=256, file=128).start()
    hog = "python3 -c 'x = bytearray(400 << 20)'"
    assert within(engine, "sh", "-c", hog)[0] != 0
    assert within(engine, "sh", "-c", "head -c 200M /dev/zero >huge")[0] != 0
    assert within(engine, "stat", "-c", "%s", "huge")[1].strip() == str(128 << 20)


def test_one_whose_home_grows_too_large_is_ended_and_says_so(
    make: Callable[..., ContainerScreen], engine: RunningEngine
) -> None:
    screen = make(home=128)
    screen.start()
    within(engine, "sh", "-c", "head -c 100M /dev/zero >one; head -c 100M /dev/zero >two")
    until(lambda: screen._sandbox is not None and screen._sandbox.ended(), "its end")
    with pytest.raises(TargetError, match="may have 128"):
        screen.observe()


def test_it_can_only_be_narrowed(screen: ContainerScreen, engine: RunningEngine) -> None:
    from desktop_agent.platforms.sandbox_manifest import Manifest

    screen.narrow(Manifest(memory=256, cpus=0.5))
    (container,) = engine.client.containers.list()
    assert container.attrs["HostConfig"]["Memory"] == 256 << 20
    with pytest.raises(Refused, match="no more memory"):
        screen.narrow(Manifest(memory=512))
    with pytest.raises(Refused, match="network"):
        screen.narrow(Manifest(memory=256, cpus=0.5, network="on"))


ASK = """exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://%s/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' $0 >&3; cat <&3"""


def asked(engine: RunningEngine, server: str) -> str:
    """What a program in the sandbox gets that asks its proxy for a page of this server."""
    return within(engine, "bash", "-c", ASK, server)[1]


def test_of_a_network_it_reaches_what_is_on_its_list_and_can_lose_that(
    make: Callable[..., ContainerScreen], engine: RunningEngine, httpserver: HTTPServer
) -> None:
    from desktop_agent.platforms.sandbox_manifest import Manifest

    httpserver.expect_request("/").respond_with_data("reached")
    listed = f"127.0.0.1:{httpserver.port}"
    screen = make(network="listed", allowed=(listed,))
    screen.start()
    assert within(engine, "sh", "-c", "echo $https_proxy")[1].strip() == "http://127.0.0.1:3128"
    until(lambda: asked(engine, listed).endswith("reached"), "the page on the list")
    assert "not on the list" in asked(engine, f"localhost:{httpserver.port}")
    assert "not on the list" in asked(engine, "169.254.169.254")
    assert within(engine, "bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{httpserver.port}")[0] != 0
    with pytest.raises(Refused, match="nothing on its list"):
        screen.narrow(Manifest(memory=512, network="listed", allowed=(listed, "example.org")))
    screen.narrow(Manifest(memory=512, network="listed"))
    assert "not on the list" in asked(engine, listed)
    assert len(httpserver.log) == 1


def test_one_that_dies_with_a_button_held_is_told_and_replaced(
    screen: ContainerScreen, engine: RunningEngine, tmp_path: Path
) -> None:
    hands = Hands(screen.address())
    try:
        hands.start()
        press = batch(screen, hands, ops.MouseDown("left", 500, 600), ops.Wait(2))
        results: list[str] = []

        def hold() -> None:
            try:
                results.extend(each.outcome for each in hands.execute(press))
            except HandError as error:
                results.append(str(error))

        holding = threading.Thread(target=hold)
        holding.start()
        (container,) = engine.client.containers.list()
        container.kill()
        holding.join(30)
        assert not holding.is_alive() and results and results[-1] != "done"
    finally:
        hands.close()
    with pytest.raises(TargetError, match="has ended"):
        screen.observe()
    screen.start()
    assert screen.observe().region.size == SIZE
    assert len(engine.client.containers.list(all=True)) == 1, "the dead one is gone"


def test_nothing_is_left_of_one_that_is_stopped(
    screen: ContainerScreen, engine: RunningEngine, tmp_path: Path
) -> None:
    folder = Path(screen.address().environment["DESKTOP_AGENT_RFB_HOST"]).parents[1]
    assert folder.is_dir()
    screen.stop()
    screen.stop()
    assert not folder.exists() and not engine.client.containers.list(all=True)
    assert (tmp_path / "home").is_dir(), "but what was made there"


def test_one_whose_program_is_killed_ends_by_itself_and_is_removed_by_the_next(
    engine: RunningEngine, base: str, make: Callable[..., ContainerScreen], data: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", BUILD, base, str(tmp_path / "other")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=dict(engine.environ) | {"XDG_DATA_HOME": str(data.parent)}
    ) as other:
        assert other.stdout is not None
        id_ = other.stdout.readline().decode().strip()
        other.send_signal(signal.SIGKILL)
        other.wait()
    until(lambda: engine.client.containers.get(id_).status == "exited", "its end")
    make().start()
    assert [each.id for each in engine.client.containers.list(all=True)] != [id_]
    assert len(engine.client.containers.list(all=True)) == 1


def test_a_dockerfile_that_the_user_changed_is_built_and_stays(
    engine: RunningEngine, base: str, make: Callable[..., ContainerScreen], data: Path
) -> None:
    from desktop_agent.extras.sandbox.containers import sandbox_image

    place = sandbox_image.keep_dockerfile(data / "docker_build")
    original = place.read_text()
    try:
        place.write_text(original.replace("USER ", "RUN echo mine >/etc/mine\nUSER ", 1))
        make().start()
        assert within(engine, "cat", "/etc/mine") == (0, "mine\n")
        assert "mine" in place.read_text()
    finally:
        place.write_text(original)


def test_without_an_engine_it_says_what_to_do(tmp_path: Path) -> None:
    from desktop_agent.extras.sandbox.containers import engines

    with pytest.raises(TargetError, match="No such file") as caught:
        engines.connect("docker", {"DOCKER_HOST": f"unix://{tmp_path / 'none'}"})
    assert "apt-get install docker.io" in caught.value.advice
    with pytest.raises(TargetError, match="No container engine answers"):
        engines.connect(
            "auto", {"DOCKER_HOST": f"unix://{tmp_path / 'none'}", "CONTAINER_HOST": f"unix://{tmp_path}"}
        )


def test_podman_runs_them_too(data: Path, tmp_path: Path) -> None:
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen
    from desktop_agent.platforms.sandbox_manifest import Manifest
    from tests.support.host_image import imported

    try:
        with running("podman") as engine:
            screen = ContainerScreen(
                "podman",
                imported(engine.client),
                Manifest(memory=512),
                SIZE,
                tmp_path / "home",
                engine.environ,
            )
            try:
                screen.start()
                until(lambda: shows_terminal(screen), "the terminal")
                assert within(engine, "id", "-u")[1].strip() != "0"
                assert within(engine, "unshare", "--user", "true")[0] != 0, "no namespaces of its own"
                assert "denied" in asked(engine, "x") or "refused" in asked(engine, "x"), "nor a network"
            finally:
                screen.stop()
            assert not engine.client.containers.list(all=True)
    except NoEngine as error:
        pytest.skip(f"No Podman: {error}.")


def test_a_link_in_the_place_of_a_socket_leads_nowhere(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "real"))
        listener.listen()
        unix_sockets.connect(str(tmp_path / "real"), 5).close()
        (tmp_path / "link").symlink_to("real")
        (tmp_path / "file").touch()
        for name in ("link", "file", "none"):
            with pytest.raises(OSError):
                unix_sockets.connect(str(tmp_path / name), 5)


def test_a_path_that_is_not_whole_is_refused() -> None:
    from desktop_agent.extras.sandbox.targets import container
    from desktop_agent.protocol.errors import ConfigError

    with pytest.raises(ConfigError, match="not a whole path"):
        container.create(container.Options(workspace="home"))
    for mine in ("~", "/", "/etc/x"):
        with pytest.raises(ConfigError, match="could be changed"):
            container.create(container.Options(workspace=mine))
