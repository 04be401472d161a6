"""Every environment: strict options, results instead of errors, a bounded screen, and a stop."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.ops import OPS, Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import MAX_TOLD, Environment, Response
from tests.contract.families import each_of, recorded, refuses_unknown_options

MAY_OFFER = {"run", "read_file", "write_file", "edit_file", "read_terminal"}


def create(module: ModuleType, folder: Path) -> Environment:
    """The environment; what is worked in a sandbox has a folder that is there, and belongs to who works in it."""
    given: dict[str, Any] = {}
    if "folder" in module.Options.__struct_fields__:
        given["folder"] = str(folder / "its own")
    if "sandbox" in module.Options.__struct_fields__:
        if not bubblewrap.is_usable():
            pytest.skip("No sandbox can be made here.")
        from tests.extras.project.orchestrator.project_folder import project_in

        given |= {"folder": str(project_in(folder)), "sandbox": "bubblewrap"}
    environment: Environment = module.create(module.Options(**given))
    return environment


def operations() -> list[Op]:
    """One of each that was ever recorded."""
    return [decode(text).actions[0] for _, text in recorded("json")]


@each_of("environment")
def test_the_options_are_strict(name: str, module: ModuleType) -> None:
    refuses_unknown_options(module)


@each_of("environment")
def test_creating_it_touches_nothing(name: str, module: ModuleType, tmp_path: Path) -> None:
    environment = create(module, tmp_path)
    assert environment.name == name and environment.named()
    assert environment.operations and environment.operations <= MAY_OFFER
    assert not [each for each in tmp_path.rglob("*") if each.is_file() or each.name != "project"]
    environment.stop()


@each_of("environment")
def test_every_operation_has_a_response_and_only_what_it_offers_is_done(
    name: str, module: ModuleType, tmp_path: Path
) -> None:
    environment = create(module, tmp_path)
    environment.start()
    environment.start()
    for op in operations():
        response = environment.execute(op, StopFlag())
        assert isinstance(response, Response) and len(response.text) <= MAX_TOLD
        assert response.outcome == "done" or response.detail
        assert response.outcome != "done" or name_of(op) in environment.operations
        assert len(environment.screen()) <= environment.most_shown
    environment.stop()
    environment.stop()
    environment.start()
    assert isinstance(environment.screen(), str)
    environment.stop()


@each_of("environment")
def test_a_stop_comes_first(name: str, module: ModuleType, tmp_path: Path) -> None:
    environment = create(module, tmp_path)
    environment.start()
    stop = StopFlag()
    stop.set("test")
    for op in operations():
        if name_of(op) in environment.operations:
            began = time.monotonic()
            with pytest.raises(Stopped):
                environment.execute(op, stop)
            assert time.monotonic() - began < 10
    environment.stop()


def test_what_may_be_offered_is_known() -> None:
    assert set(OPS) >= MAY_OFFER and json.loads(recorded("json")[0][1])
