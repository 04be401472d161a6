"""The folders of the agents: made, renamed, thrown away and brought back, whatever happens in between."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.protocol.errors import Refused

CUT_OFF = """
import os, signal, sys
from pathlib import Path
from desktop_agent.extras.console.agents import agent_folders
root, what, at = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
steps = iter(range(100))
def cut_off(function):
    def step(*arguments, **more):
        if next(steps) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **more)
    return step
Path.rename = cut_off(Path.rename)
agent_folders.write_private = cut_off(agent_folders.write_private)
folders = agent_folders.AgentFolders(root)
{"trash": lambda: folders.trash("a"), "rename": lambda: folders.rename("a", "b"), "restore": lambda: folders.restore(folders.trashed()[0])}[what]()
print(next(steps), flush=True)
"""
MAKE_MANY = """
import sys
from pathlib import Path
from desktop_agent.extras.console.agents.agent_folders import AgentFolders
for _ in range(8):
    AgentFolders(Path(sys.argv[1])).create()
"""


@pytest.fixture
def folders(tmp_path: Path) -> AgentFolders:
    return AgentFolders(tmp_path / "data")


def test_the_list_is_as_the_seed_has_it_and_folders_are_there(folders: AgentFolders) -> None:
    first, second = folders.create(), folders.create("Second-2")
    assert json.loads((folders.root / "agents.json").read_text()) == [
        {"name": "agent_1", "novnc_port": 6080},
        {"name": "Second-2", "novnc_port": 6081},
    ]
    assert first.context.is_dir() and second.workspace.is_dir()
    assert first.context == folders.root / "context" / "agent_1"
    assert first.workspace == folders.root / "workspace" / "agent_1"
    assert folders.agents() == (first, second) and folders.agent("Second-2") == second


@pytest.mark.parametrize(
    "name", ["..", "a/b", "con", "LPT1", "x" * 41, "-a", "ä", "a b", "a\n", ".a", "a.b", "😀"]
)
def test_no_name_leads_out_or_cannot_be_a_folder(name: str, folders: AgentFolders) -> None:
    with pytest.raises(Refused, match="no agent's name"):
        folders.create(name)
    folders.create("a")
    with pytest.raises(Refused):
        folders.rename("a", name)
    with pytest.raises(Refused):
        folders.agent(name)
    with pytest.raises(Refused):
        folders.restore(name)
    with pytest.raises(Refused):
        folders.delete(name)


def test_names_are_taken_whatever_their_capitals(folders: AgentFolders) -> None:
    folders.create("Alice")
    with pytest.raises(Refused, match="already"):
        folders.create("alice")
    (folders.root / "workspace" / "left").mkdir()
    with pytest.raises(Refused, match="folder workspace/left"):
        folders.create("left")


def test_an_agent_is_renamed_thrown_away_and_brought_back_with_all_it_has(folders: AgentFolders) -> None:
    made = folders.create("a")
    (made.workspace / "work.txt").write_text("mine")
    made.original.write_text("{}\n")
    renamed = folders.rename("a", "b")
    assert (renamed.workspace / "work.txt").read_text() == "mine" and renamed.novnc_port == made.novnc_port
    place = folders.trash("b")
    assert folders.agents() == () and folders.trashed() == (place,)
    folders.create("other")
    back = folders.restore(place)
    assert back.name == "b" and (back.workspace / "work.txt").read_text() == "mine"
    assert back.original.read_text() == "{}\n" and folders.trashed() == ()
    assert len({each.novnc_port for each in folders.agents()}) == 2, "a port is given once"
    folders.delete(folders.trash("b"))
    assert folders.trashed() == () and not (folders.root / "workspace" / "b").exists()


def test_two_of_one_name_lie_side_by_side_in_the_trash(folders: AgentFolders) -> None:
    for _ in range(3):
        folders.create("a")
        folders.trash("a")
    assert len(folders.trashed()) == 3


def _there(folders: AgentFolders, name: str) -> bool:
    return any(each.name == name and (each.workspace / "work.txt").exists() for each in folders.agents())


@pytest.mark.linux("kills a program by a signal")
@pytest.mark.parametrize(("what", "whole"), [
    ("rename", lambda folders: _there(folders, "b")),
    ("trash", lambda folders: folders.agents() == () and len(folders.trashed()) == 1),
    ("restore", lambda folders: _there(folders, "a") and not folders.trashed()),
])  # fmt: skip
def test_a_move_that_is_cut_off_anywhere_is_finished_by_the_next_look(
    what: str, whole: Callable[[AgentFolders], bool], folders: AgentFolders
) -> None:
    at, ended = 0, False
    while not ended:
        shutil.rmtree(folders.root, ignore_errors=True)
        (folders.create("a").workspace / "work.txt").touch()
        if what == "restore":
            folders.trash("a")
        before = (folders.agents(), folders.trashed())
        done = subprocess.run(
            [sys.executable, "-c", CUT_OFF, folders.root, what, str(at)], capture_output=True, check=False
        )
        ended = done.returncode == 0
        assert ended or done.returncode == -9, done.stderr
        after = (folders.agents(), folders.trashed())
        # Cut off before it was written down what is to be done, nothing is; else all of it.
        assert whole(folders) or (at == 0 and after == before), f"cut off at step {at}: {after}"
        kept = list(folders.root.rglob("work.txt"))
        assert len(kept) == 1
        at += 1
    assert at > 3


def test_two_programs_make_agents_at_once(folders: AgentFolders) -> None:
    made = [subprocess.Popen([sys.executable, "-c", MAKE_MANY, folders.root]) for _ in range(2)]
    assert [each.wait() for each in made] == [0, 0]
    found = folders.agents()
    assert len({each.name for each in found}) == len({each.novnc_port for each in found}) == 16


def test_a_damaged_list_is_kept_aside_and_made_anew(folders: AgentFolders) -> None:
    folders.create("a")
    folders.create("b")
    (folders.root / "agents.json").write_text('[{"name": "a"')
    assert [each.name for each in folders.agents()] == ["a", "b"]
    (aside,) = folders.root.glob("agents.json.damaged-*")
    assert aside.read_text() == '[{"name": "a"'


def test_all_of_it_works_elsewhere(folders: AgentFolders, tmp_path: Path) -> None:
    (folders.create("a").workspace / "work.txt").write_text("mine")
    shutil.copytree(folders.root, tmp_path / "copy")
    (copied,) = AgentFolders(tmp_path / "copy").agents()
    assert (copied.workspace / "work.txt").read_text() == "mine"
    texts = [each.read_text() for each in folders.root.rglob("*.json")]
    assert not any(str(tmp_path) in text for text in texts)


@pytest.mark.linux("links need a right there")
def test_a_link_in_the_trash_is_nothing_to_bring_back(folders: AgentFolders, tmp_path: Path) -> None:
    folders.create("a")
    (tmp_path / "elsewhere").mkdir()
    (folders.root / "trash").mkdir()
    (folders.root / "trash" / "x-1").symlink_to(tmp_path / "elsewhere")
    assert folders.trashed() == ()
    with pytest.raises(Refused):
        folders.delete("x-1")
    assert (tmp_path / "elsewhere").is_dir()
