"""A shell in a sandbox that is typed to over HTTP: one for a module, at an empty prompt for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

pytest.importorskip("fastapi", reason="the extra endpoint is not installed")
pytest.importorskip("pyte", reason="the extra endpoint is not installed")

from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell
from desktop_agent.platforms.posix import bubblewrap
from tests.support.served_endpoint import EndpointClient, at_prompt, served, shell_at_work, workplace
from tests.support.waiting import Late, until


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
    for number in range(10):
        module_shell.type(f"\x15echo fence-$(({number} + 100))\r")
        with suppress(
            Late
        ):  # a Ctrl+C of the test before may still be on its way: it is no byte among others
            until(lambda: _fenced(module_shell, number + 100), "the fence", 3)  # noqa: B023 - asked at once
            break
    module_shell.type("\x0c")
    until(lambda: len([line for line in module_shell.screen.text() if line]) == 1, "an empty screen")
    return module_shell


def _fenced(shell: PersistentShell, number: int) -> bool:
    return f"fence-{number}" in shell.screen.text() and at_prompt(shell)


@pytest.fixture
def client(port: int) -> Iterator[EndpointClient]:
    with EndpointClient(port) as client:
        yield client
