"""The strategy `shell` in real sessions on a real shell: results are judged by the file system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.llm.offline import create as create_offline
from desktop_agent.llm.offline.options import Options as OfflineOptions
from desktop_agent.protocol.terminal_state import TerminalState
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


LATER: tuple[tuple[str, dict[str, str | None]], ...] = (
    (
        "List the files in this folder and write their number into count.txt. Don't count fruit.txt itself.",
        {"count.txt": "3\n"},
    ),
    (
        "Make a folder project with the folders src and docs inside. Then put a file README.md into project that has the line Owner: Ruth Okafor in it.",
        {"project/README.md": "Owner: Ruth Okafor\n"},
    ),
    (
        'Make a file quote.txt with exactly this one line in it: She said "it\'s done" & left for $5.',
        {"quote.txt": 'She said "it\'s done" & left for $5.\n'},
    ),
    (
        "Bitte einen Ordner namens Übungen anlegen und die Datei fruit.txt hineinkopieren; das Original soll bleiben.",
        {"Übungen/fruit.txt": "pear\napple\ncherry\n", "fruit.txt": "pear\napple\ncherry\n"},
    ),
    (
        "sort teh lines in fruit.txt alphabeticaly and put the reslut in sorted.txt",
        {"sorted.txt": "apple\ncherry\npear\n"},
    ),
    ("calculate 12 times 4 and save the result in r.txt", {"r.txt": "48\n"}),
    (
        "Delete all .txt files except fruit.txt, and leave everything else alone",
        {"r.txt": GONE, "fruit.txt": "pear\napple\ncherry\n", "project/README.md": "Owner: Ruth Okafor\n"},
    ),
    (
        "make a folder trip, and inside it a file plan.txt with the text pack the bags",
        {"trip/plan.txt": "pack the bags\n"},
    ),
)


def test_several_goals_in_one_shell(bench: Made, home: Path) -> None:
    shell = bench()
    for goal, files in (*GOALS, *LATER):
        assert shell.run(goal).ended == "done", (goal, shell.told, shell.target.shell.lines)
        found = {name: (home / name).read_text() if (home / name).exists() else GONE for name in files}
        assert found == files, (goal, shell.target.shell.lines)


def test_answers_are_what_the_shell_printed(bench: Made) -> None:
    shell = bench()
    assert shell.run("how many lines does fruit.txt have?").ended == "done"
    assert "3" in shell.told
    assert shell.run("find the word cherry in fruit.txt").ended == "done"
    assert "3:cherry" in shell.told


def _looks_alike(state: TerminalState) -> TerminalState:
    """As a reader does that takes capital letters O and I for figures."""
    return msgspec.structs.replace(
        state, content=tuple(each.replace("O", "0").replace("I", "1") for each in state.content)
    )


def test_an_answer_that_was_misread_is_spelled(bench: Made, home: Path) -> None:
    (home / "label.txt").write_text("Model  KX\nSerial  rN8-0OqZ-l1I5\n")
    shell = bench(misread=_looks_alike).run("Read me the serial number in label.txt")
    assert shell.ended == "done", shell.told
    assert "rN8-0OqZ-l1I5" in shell.told
    assert "rN8-0OqZ-l1I5" not in shell.typed


def test_an_answer_that_cannot_be_read_is_not_told(bench: Made, home: Path) -> None:
    def blind(state: TerminalState) -> TerminalState:
        return msgspec.structs.replace(
            state, content=tuple(each.replace("8", "B").replace("38", "3B") for each in state.content)
        )

    (home / "label.txt").write_text("Serial  888\n")
    shell = bench(misread=blind).run("Read me the serial number in label.txt")
    assert shell.ended == "error"
    assert "cannot read" in shell.told or "this did not work" in shell.told


@pytest.mark.parametrize(
    "goal",
    [
        "Look up the phone number of Anna Berg in fruit.txt and write it into anna.txt",
        "Add up the numbers in fruit.txt and write the sum into anna.txt",
        "What is the code of the first ERROR in fruit.txt?",
        "Delete all .tmp files",
        "Rename all .jpeg files to .jpg",
        "Tell me what the 7th line of fruit.txt is",
        "Join fruit.txt and nothing.txt into anna.txt",
    ],
)
def test_what_cannot_be_done_is_never_done(bench: Made, home: Path, goal: str) -> None:
    (home / "fruit.txt").write_text("pear 1 2\n")
    assert bench().run(goal).ended == "error"
    assert not (home / "anna.txt").exists()


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
    shell = bench(rows=10).run("run `seq 200; sleep 0.3`")
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
