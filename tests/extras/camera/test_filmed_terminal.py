"""A terminal that is filmed is a terminal to the policy: what is typed into it is asked about, unless it is the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.protocol.permission import Level
from tests.extras.camera.llm.strategies.shell_bench import ShellBench

Made = Callable[..., ShellBench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Made]:
    made: list[ShellBench] = []
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "a.txt").write_text("a\n")

    def make(**given: Any) -> ShellBench:
        made.append(ShellBench(tmp_path / "home", tmp_path / "runs", **given))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("level", ["restricted", "full"])
def test_a_line_of_ours_is_asked_about_and_shown_whole(bench: Made, level: Level) -> None:
    shell = bench(permission=level).run("run `rm a.txt`")
    assert shell.ended == "done"
    words = ["\n".join((*each.exact, each.why)) for each in shell.asked]
    check = "test $? -eq 0 && echo yes || echo no"
    assert any(check in each and "carried out as a command" in each for each in words)


def test_what_the_user_worded_needs_no_yes_at_restricted(bench: Made) -> None:
    shell = bench(permission="restricted").run("run `wc -l a.txt`")
    assert shell.ended == "done"
    assert not any(
        "wc -l a.txt" in "\n".join(each.exact) and "carried out" in each.why for each in shell.asked
    )


def test_only_looking_types_nothing(bench: Made) -> None:
    shell = bench(permission="simulation_only").run("run `rm a.txt`")
    assert shell.ended == "error"
    assert shell.typed == ""
