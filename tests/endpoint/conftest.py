"""A shell in a sandbox that is typed to over HTTP: one for a module, at an empty prompt for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the extra endpoint is not installed")
pytest.importorskip("pyte", reason="the extra endpoint is not installed")

from benchmarks.lab.served_endpoint import EndpointClient, at_prompt, served, shell_at_work, workplace
from benchmarks.lab.waiting import until
from desktop_agent.endpoint.persistent_shell import PersistentShell
from desktop_agent.platforms.posix import bubblewrap


@pytest.fixture(scope="module")
def module_shell() -> Iterator[PersistentShell]:
    if not bubblewrap.is_usable():
        pytest.skip("no sandbox can be made here")
    with workplace() as folder, shell_at_work(folder) as shell:
        yield shell


@pytest.fixture(scope="module")
def port(module_shell: PersistentShell) -> Iterator[int]:
    with served(module_shell) as server:
        yield server.port


@pytest.fixture
def shell(module_shell: PersistentShell) -> PersistentShell:
    """It waits at its prompt, with nothing else on the screen."""
    module_shell.type("\x03")
    until(lambda: at_prompt(module_shell), "the prompt")
    module_shell.type("\x0c")
    until(lambda: len([line for line in module_shell.screen.text() if line]) == 1, "an empty screen")
    return module_shell


@pytest.fixture
def client(port: int) -> Iterator[EndpointClient]:
    with EndpointClient(port) as client:
        yield client
