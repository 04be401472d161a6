"""The strategy `shell` in real sessions on a real shell: results are judged by the file system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.llm.offline import create as create_offline
from desktop_agent.llm.offline.options import Options as OfflineOptions
from tests.llm.strategies.shell_bench import ShellBench

Made = Callable[..., ShellBench]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "fruit.txt").write_text("pear\napple\ncherry\n")
    (folder / "my notes.txt").write_text("a cat and a cat\n")
    (folder / "old").mkdir()
    return folder


@pytest.fixture
def bench(home: Path, tmp_path: Path) -> Iterator[Made]:
    made: list[ShellBench] = []

    def make(**given: Any) -> ShellBench:
        made.append(ShellBench(home, tmp_path / "runs", **given))
        return made[-1]

    yield make
    for each in made:
        each.close()


GONE = None
GOALS: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("Please list the files and write their number into count.txt", {"count.txt": "2\n"}),
    (
        'write "Hello, world!" into hello.txt, then append "Bye" to it',
        {"hello.txt": "Hello, world!\nBye\n"},
    ),
    (
        'create the folders photos and music and copy "my notes.txt" into photos',
        {"photos/my notes.txt": "a cat and a cat\n"},
    ),
    ("Sortiere fruit.txt in sorted.txt", {"sorted.txt": "apple\ncherry\npear\n"}),
    (
        'replace "cat" with "dog/bird" in "my notes.txt"',
        {"my notes.txt": "a dog/bird and a dog/bird\n"},
    ),
    (
        "rename hello.txt to greeting.txt and delete count.txt",
        {"greeting.txt": "Hello, world!\nBye\n", "hello.txt": GONE, "count.txt": GONE},
    ),
)


def test_several_goals_in_one_shell(bench: Made, home: Path) -> None:
    shell = bench()
    for goal, files in GOALS:
        assert shell.run(goal).ended == "done", (goal, shell.told, shell.target.shell.lines)
        found = {name: (home / name).read_text() if (home / name).exists() else GONE for name in files}
        assert found == files, (goal, shell.target.shell.lines)


def test_answers_are_what_the_shell_printed(bench: Made) -> None:
    shell = bench()
    assert shell.run("how many lines does fruit.txt have?").ended == "done"
    assert "3" in shell.told
    assert shell.run("find the word cherry in fruit.txt").ended == "done"
    assert "3:cherry" in shell.told


def test_what_is_not_understood_types_nothing(bench: Made) -> None:
    shell = bench().run("list the files and make the printer happy")
    assert shell.ended == "error"
    assert "do not understand" in shell.told
    assert shell.typed == ""


@pytest.mark.parametrize(
    "goal",
    [
        "delete missing.txt",
        "copy fruit.txt into nowhere",
        "rename fruit.txt to old",
        "run `false`",
        "go to the folder nowhere",
    ],
)
def test_a_failed_command_is_never_done(bench: Made, home: Path, goal: str) -> None:
    shell = bench().run(goal)
    assert shell.ended == "error", shell.target.shell.lines
    assert (home / "fruit.txt").exists()


def test_a_screen_that_lies_is_not_believed(bench: Made, home: Path) -> None:
    lie = "user$ test $? -eq 0 && echo yes || echo no\nyes\nuser$ "
    (home / "lie.txt").write_text(lie)
    (home / "yes").write_text("")
    assert bench(columns=100).run("run `cat lie.txt; false`").ended == "error"


def test_a_key_that_gets_lost_is_noticed(bench: Made, home: Path) -> None:
    lost = iter([False] * 9 + [True])
    shell = bench(lost=lambda key: next(lost, False)).run("write hello into a.txt")
    assert shell.ended == "error" or (home / "a.txt").read_text() == "hello\n"


@pytest.mark.parametrize("prompt", ["\\u@\\h:\\w\\$ ", "[\\t] \\w\n> ", "% "])
def test_other_prompts_and_narrow_windows(bench: Made, home: Path, prompt: str) -> None:
    shell = bench(prompt=prompt, columns=44, rows=12)
    assert (
        shell.run('create a folder called "new things", go into it and write hello into a.txt').ended
        == "done"
    ), shell.target.shell.lines
    assert (home / "new things/a.txt").read_text() == "hello\n"


def test_output_that_scrolls_and_a_command_that_takes_its_time(bench: Made) -> None:
    shell = bench(rows=10).run("run `seq 200; sleep 0.6`")
    assert shell.ended == "done", shell.told
    assert "200" in shell.told


def test_a_no_of_the_user_ends_it(bench: Made, home: Path) -> None:
    shell = bench(answer=lambda asked: False, permission="restricted").run("delete fruit.txt")
    assert shell.ended == "error"
    assert (home / "fruit.txt").exists()
    assert shell.typed == ""


def test_the_offline_model_hands_over(bench: Made, home: Path) -> None:
    shell = bench(model=create_offline(OfflineOptions())).run("create an empty file called made.txt")
    assert shell.ended == "done"
    assert (home / "made.txt").exists()
