"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from desktop_agent.redaction.redactor import redactor
from tests import durations, systems, temporary_folder, tiers

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.desk import Desk
    from tests.hand.human import Human


EXAMPLES = {"unit": 20, "core": 40, "all": 100}
"""How many examples of a property each tier tries."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The words of `./test` (scripts/checks.py)."""
    parser.addoption(
        "--tier", choices=tiers.TIERS, default="all", help="the tests of that tier and of those below it"
    )
    parser.addoption("--record", action="store_true", help="put on record how long each test takes")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """No test is judged by how busy the machine is, and none asks the key store of whoever runs it.

    On a private bus nothing answers for a key store, so that each question would take its ten seconds. Terminals
    run the plain shell: what somebody's own shell does when it starts would count as ours.
    """
    os.environ["SHELL"] = "/bin/sh"
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    tier = config.getoption("tier")
    hypothesis.settings.register_profile("ours", deadline=None, max_examples=EXAMPLES[tier])
    hypothesis.settings.load_profile("ours")
    if tier == "unit":
        config.pluginmanager.register(tiers.NoProcesses())
    else:
        _take_qts_main_thread()
    if temporary_folder.is_wanted(config):
        config.pluginmanager.register(temporary_folder.OwnFolder(config))
    if config.getoption("record") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(durations.Recorder())


def _take_qts_main_thread() -> None:
    """Qt takes the thread that asks it first for that of the windows: a run in a thread of some test must not be it."""
    from PySide6.QtCore import QThread

    QThread.currentThread()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Windows has one desktop: the tests that work on it run one after the other, also with `-n 2`."""
    return systems.one_desktop(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Each system collects what can be run there, and each tier its own."""
    left_out = systems.left_out(collection_path) or tiers.left_out(collection_path, config.getoption("tier"))
    return True if left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """And says why a test of it is not run; long files come first."""
    systems.skip_for_linux(items)
    durations.longest_first(items)


@pytest.fixture(scope="session")
def httpserver_listen_address() -> tuple[str, int]:
    """By number: not every machine knows itself by the name that pytest-httpserver uses."""
    return "127.0.0.1", 0


@pytest.fixture
def display() -> Iterator[Desk]:
    """A private desktop of 1280x800: X server, window manager, session bus, accessibility."""
    with _desk() as desk:
        yield desk


@pytest.fixture(scope="module")
def shared_display() -> Iterator[Desk]:
    """The same, one for all tests of a module; each test cleans up after itself."""
    with _desk() as desk:
        yield desk


@pytest.fixture
def launch(shared_display: Desk) -> Iterator[Callable[..., int]]:
    """Starts a program and waits for its window; it ends with the test."""
    from tests.vision.reading import wait_until_quiet

    pids: list[int] = []

    def start(*argv: str, title: str) -> int:
        pids.append(shared_display.launch(*argv))
        shared_display.wait_for_window(title)
        wait_until_quiet(shared_display)
        return pids[-1]

    yield start
    for pid in pids:
        shared_display.end(pid)


@pytest.fixture
def human(shared_display: Desk) -> Iterator[Human]:
    """Somebody at the keyboard of the shared display."""
    from tests.hand.human import Human  # its X library is not there on Windows

    somebody = Human(shared_display.environment)
    yield somebody
    somebody.close()


@pytest.fixture
def no_secrets() -> Iterator[None]:
    """The process knows none when the test begins, and none of the test's afterwards."""
    redactor.cache_clear()
    yield
    redactor.cache_clear()


@pytest.fixture(scope="session")
def desk() -> Iterator[Desk]:
    """The one desktop of 1280x900 on which all tests of our windows show them."""
    with _desk((1280, 900)) as desk:
        yield desk


@pytest.fixture(scope="session")
def qapp(desk: Desk) -> Iterator[QApplication]:
    """pytest-qt's application, on that desktop; gone before the desktop is.

    Here, because a process has one: a folder's conftest that imported this fixture from another would make it anew.
    """
    from desktop_agent.ui.run_window import make_app

    with pytest.MonkeyPatch.context() as patch:
        desk.lead(patch.setenv)
        app = make_app()
        app.setQuitOnLastWindowClosed(False)
    yield app
    app.shutdown()


@pytest.fixture(autouse=True)
def programs_end_with_their_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """On a shared desktop, too, and when it has failed: one failure is not to make others."""
    if "shared_display" not in request.fixturenames:
        yield
        return
    with request.getfixturevalue("shared_display").ending():
        yield


@contextmanager
def _desk(size: tuple[int, int] = (1280, 800)) -> Iterator[Desk]:
    from desktop_agent.targets import display as embedded
    from tests.desk import Desk  # its X library is not there on Windows

    target = embedded.create(embedded.Options(width=size[0], height=size[1]))
    target.start()
    yield Desk(target)
    target.stop()
