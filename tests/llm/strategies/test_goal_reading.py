"""Goals in everyday words become commands; what may mean two things becomes none."""

from __future__ import annotations

import re

import pytest

from desktop_agent.llm.shell_goals.goal_reading import steps_of


@pytest.mark.parametrize(
    ("goal", "lines"),
    [
        ("create a folder backup and copy notes.txt there", ["mkdir -p backup", "test -d backup && cp -r notes.txt backup"]),
        ('copy "my notes.txt" into the folder "old stuff"', ["test -d 'old stuff' && cp -r 'my notes.txt' 'old stuff'"]),
        ('write "a", "b" and "it\'s" on separate lines into abc.txt', ["printf '%s\\n' a b 'it'\"'\"'s' > abc.txt"]),
        ('replace "1/2" with "a&b" in x.txt', ["grep -qF -- 1/2 x.txt && test $(grep -oF -- 1/2 x.txt | wc -l) -eq $(grep -owF -- 1/2 x.txt | wc -l) && sed -i 's/1\\/2/a\\&b/g' x.txt"]),
        ("delete -rf", ["rm ./-rf"]),
        ("in the folder docs create a file todo.txt with the text buy milk", ["echo 'buy milk' > docs/todo.txt"]),
        ("Wie viele Dateien sind hier?", ["ls -p | grep -v / | wc -l"]),
        ("Lösche den Ordner alt mit allem darin", ["rm -r alt"]),
        ("How many tasks in todo.txt are still open? Open ones are marked [ ], finished ones [x].", ["grep -cF -- '[ ]' todo.txt || test $? -eq 1"]),
        ("Delete the file that is called Bob's list.txt (with the apostrophe) and nothing else.", ["rm 'Bob'\"'\"'s list.txt'"]),
        ("Run `wc a.txt > b.txt` and then tell me what number is in b.txt.", ["wc a.txt > b.txt", "cat b.txt"]),
        ("Something broke today. What is the code of the first ERROR in server.log?", ["grep -m 1 -F -- ERROR server.log"]),
        ("delete reslut.txt", ["rm reslut.txt"]),
        ("pack a.txt into X.ZIP", ["zip -qr X.ZIP a.txt"]),
        ("run `echo '$HOME' > x; ls`", ["echo '$HOME' > x; ls"]),
    ],
)  # fmt: skip
def test_a_goal_becomes_these_lines(goal: str, lines: list[str]) -> None:
    assert [each.line for each in steps_of(goal)] == lines


@pytest.mark.parametrize(
    "goal",
    [
        "make me a sandwich", "delete everything", "list the files and format the disk", "delete all files", "move a.txt to b.txt and keep the original", "count lines x and list the files",
        "write into note.txt: call Bob, then go home", "What is the phone number of Anna in a.txt? Write it into b.txt.", "delete a.txt (but not today)",
        "list the files and don't count x.txt or whatever", "rename reslut to list and raed it to me", "run the tests", "delete *", "delete the files",
        "create a file a.txt with hello and delete everything", "find out what is wrong in server.log", "write it down",
        "write the number of stars into sky.txt", "delete $(ls)", "Backe einen Kuchen", "", "write hello\nworld",
    ],
)  # fmt: skip
def test_what_is_not_understood_whole_becomes_nothing(goal: str) -> None:
    assert steps_of(goal) == ()


def test_a_goal_that_can_be_cut_in_many_ways_is_given_up() -> None:
    assert steps_of("list the files and " * 100 + "sing") == ()


@pytest.mark.parametrize(
    "goal",
    [
        "How many lines does a.txt have? Please write only the number to n.txt",
        "Zähle die Zeilen von a.txt und schreibe bitte nur die Zahl in n.txt",
        "count the words of a.txt, then put just the result into n.txt",
    ],
)
def test_what_is_meant_is_never_written_to_the_letter(goal: str) -> None:
    told = " ".join(step.line for step in steps_of(goal) or ())
    assert not re.search(r"(only|just) the|nur die", told)


def test_a_word_of_courtesy_is_no_part_of_what_is_written() -> None:
    assert [step.line for step in steps_of("schreibe bitte hallo in n.txt")] == ["echo hallo > n.txt"]
    assert steps_of("write hello please into n.txt") == ()


def test_an_archive_is_made_as_its_name_says() -> None:
    for name, how in (("a.zip", "zip -q"), ("a.tar", "tar -cf"), ("a.tar.gz", "tar -czf")):
        (step,) = steps_of(f"pack all .log files into {name}")
        assert how in step.line
