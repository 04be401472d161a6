"""Classes of everyday goals in many wordings, carried out by a real bash; and traps, which must become nothing at all."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.llm.shell_goals.command_slots import Step
from desktop_agent.llm.shell_goals.goal_reading import steps_of

_END = "@@end@@"
GONE = None
FILES = {
    "fruit.txt": "pear\napple\ncherry\n",
    "more.txt": "apple\nfig\n",
    "empty.txt": "",
    "hollow.log": "",
    "app.log": "INFO start\nERROR disk\nINFO go\nERROR net\n",
    "note.md": "the cat sat; a category\n",
    "costs.csv": "day,kind,amount\n1,food,10\n2,travel,4.5\n3,travel,8\n",
    "old/a.tmp": "1\n",
    "old/b.txt": "apple\n",
    "x.tmp": "2\n",
    "say.sh": "echo code Q7\n",
}


class Bash:
    """One shell for all goals: what a line prints, and its test's answer."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def run(self, text: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{text}\necho; echo '{_END}'\n")
        self._process.stdin.flush()
        return "".join(iter(self._process.stdout.readline, f"{_END}\n")).strip()

    def step(self, step: Step) -> tuple[bool, str]:
        for line, test in ((step.line, step.test), (step.other, step.other_test)):
            *told, answer = self.run(f"{line}\n{test} && echo yes || echo no").split("\n") if line else [""]
            if answer == "yes":
                return True, "\n".join(told)
        return False, ""

    def goal(self, goal: str) -> tuple[bool, str]:
        told = ""
        for step in steps_of(goal):
            done, said = self.step(step)
            told += said
            if not done:
                return False, told
        return bool(steps_of(goal)), told

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def bash() -> Iterator[Bash]:
    shell = Bash()
    yield shell
    shell.close()


def lay_out(folder: Path, bash: Bash) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    bash.run(f"cd {folder}")
    return folder


# A class of goals: its wordings, what is in files afterwards (GONE: they are not there), and what is told.
CLASSES: dict[str, tuple[tuple[str, ...], dict[str, str | None], tuple[str, ...]]] = {
    "delete what is empty": (
        ("delete all empty files", "Could you please remove the empty files here? Thanks!", "get rid of every file that is empty, but keep the others",
         "alle leeren Dateien löschen, der Rest bleibt", "Kannst du bitte die leeren Dateien entfernen?", "leere dateien können weg"),
        {"empty.txt": GONE, "hollow.log": GONE, "fruit.txt": FILES["fruit.txt"]}, (),
    ),
    "delete by two filters": (
        ("delete all empty .log files", "remove the .log files that are empty", "lösche alle leeren .log-Dateien"),
        {"hollow.log": GONE, "empty.txt": "", "app.log": FILES["app.log"]}, (),
    ),
    "delete by ending, here and there": (
        ("delete all .tmp files, also those in old", "throw away every file ending in .tmp, also the ones inside old", "alle .tmp-dateien löschen, auch die im ordner old"),
        {"x.tmp": GONE, "old/a.tmp": GONE, "old/b.txt": "apple\n"}, (),
    ),
    "delete but spare one": (
        ("delete all .log files and leave app.log alone", "delete all .log files but keep app.log", "delete every .log file except app.log", "alle .log-Dateien löschen, aber app.log behalten"),
        {"app.log": FILES["app.log"], "hollow.log": GONE}, (),
    ),
    "delete and tell how many": (
        ("delete the empty files. How many were there?", "There are a few empty files. Delete them. How many were they?", "Hier liegen ein paar leere Dateien. Die können weg. Wie viele waren das?"),
        {"empty.txt": GONE, "hollow.log": GONE}, ("2",),
    ),
    "move into a new folder": (
        ("create a folder logs and move all .log files into it", "put every .log file into a new folder called logs. leave the rest where it is", "Verschiebe alle .log-Dateien in einen neuen Ordner namens logs"),
        {"logs/app.log": FILES["app.log"], "app.log": GONE, "fruit.txt": FILES["fruit.txt"]}, (),
    ),
    "copy what holds a text": (
        ("copy all files that contain cherry into old", "find all .txt files here that contain the word cherry and copy them into old"),
        {"old/fruit.txt": FILES["fruit.txt"], "fruit.txt": FILES["fruit.txt"], "old/more.txt": GONE}, (),
    ),
    "count files": (
        ("how many .txt files are there?", "tell me the number of files that end in .txt", "wie viele .txt-Dateien gibt es hier?", "Zähle alle Dateien mit der Endung .txt"),
        {}, ("3",),
    ),
    "a number into a file": (
        ("How many lines does fruit.txt have? Write only the number into n.txt", "write the number of lines in fruit.txt into n.txt", "count the lines of fruit.txt and put just the number in n.txt",
         "Wie viele Zeilen hat fruit.txt? Bitte nur die Zahl in n.txt schreiben.", "schreibe die Anzahl der Zeilen von fruit.txt in n.txt"),
        {"n.txt": "3\n"}, (),
    ),
    "count lines that hold a text": (
        ("how many lines in app.log contain ERROR?", "count the lines with ERROR in app.log", "How many lines does app.log have, and how many of those contain ERROR?", "Wie viele Zeilen in app.log enthalten ERROR?"),
        {}, ("2",),
    ),
    "first and last lines": (
        ("write the last 2 lines of fruit.txt into end.txt", "I need the last two lines of fruit.txt in a new file, call it end.txt", "Ich hätte gern die letzten 2 Zeilen von fruit.txt in einer neuen Datei, nenn sie end.txt"),
        {"end.txt": "apple\ncherry\n"}, (),
    ),
    "lines out of a file": (
        ("delete all lines that contain ERROR from app.log", "remove the ERROR lines from app.log", "Lösche alle Zeilen mit ERROR aus app.log"),
        {"app.log": "INFO start\nINFO go\n"}, (),
    ),
    "sort": (
        ("sort fruit.txt into s.txt", "sort the lines of fruit.txt alphabetically and save the result as s.txt", "sortiere fruit.txt alphabetisch und schreibe das Ergebnis in s.txt"),
        {"s.txt": "apple\ncherry\npear\n"}, (),
    ),
    "join, sort, once": (
        ("merge fruit.txt and more.txt into all.txt, sorted and without duplicates", "join fruit.txt and more.txt into all.txt, sorted, and lines that are in both should appear only once"),
        {"all.txt": "apple\ncherry\nfig\npear\n"}, (),
    ),
    "replace a whole word": (
        ("replace the word cat with dog in note.md", "In note.md, change the word cat to dog", "Ersetze in note.md das Wort cat durch dog", "My pet isn't called cat anymore, it's dog now. Please change that in note.md. Leave fruit.txt as it is"),
        {"note.md": "the dog sat; a category\n"}, (),
    ),
    "which files": (
        ("which files contain the word cherry?", "which .txt files mention cherry?", "welche Dateien enthalten das Wort cherry?"),
        {}, ("fruit.txt",),
    ),
    "largest file": (
        ("what is the largest .txt file?", "which .txt file is the biggest", "Welche .txt-Datei ist die größte?"), {}, ("fruit.txt",),
    ),
    "a column of a table": (
        ("add up the column amount in costs.csv for all rows where kind is travel", "what is the sum of the amounts of all rows of the kind travel in costs.csv?"), {}, ("12.5",),
    ),
    "a column told before": (
        ("We went away for a day. The costs are in costs.csv, one per line, the amount is in the third column. What do they add up to?",), {}, ("22.5",),
    ),
    "run a script": (
        ("make say.sh executable, run it and tell me what it prints", "run the script say.sh and tell me the code it prints", "Führe say.sh aus und sag mir, was es ausgibt", "launch the script say.sh, this may take a while. As soon as it is done, tell me the code it prints"),
        {}, ("Q7",),
    ),
    "compare": (
        ("are fruit.txt and more.txt the same?", "do the files fruit.txt and more.txt differ?", "sind fruit.txt und more.txt gleich?"), {}, ("different",),
    ),
    "pack": (
        ("pack all .log files into logs.tar and delete the originals", "bundle every .log file into an archive named old/l.tar (no compression) and get rid of the originals then"),
        {"app.log": GONE, "hollow.log": GONE, "x.tmp": "2\n"}, (),
    ),
    "make with a text": (
        ("make a folder letters and in there a file bank.txt that says exactly: Close it, please.", "create a folder letters and in it a file bank.txt with the text: Close it, please."),
        {"letters/bank.txt": "Close it, please.\n"}, (),
    ),
    "copy, and move the copy": (
        ("kopiere bitte fruit.txt nach f2.txt und verschieb die Kopie danach in den Ordner old, die Originaldatei soll da bleiben",),
        {"old/f2.txt": FILES["fruit.txt"], "f2.txt": GONE, "fruit.txt": FILES["fruit.txt"]}, (),
    ),
}  # fmt: skip

WORDINGS = [(name, goal) for name, (goals, _, _) in CLASSES.items() for goal in goals]


@pytest.mark.parametrize(("name", "goal"), WORDINGS, ids=[goal[:60] for _, goal in WORDINGS])
def test_a_class_of_goals_in_many_wordings(tmp_path: Path, bash: Bash, name: str, goal: str) -> None:
    _, files, answer = CLASSES[name]
    home = lay_out(tmp_path / "home", bash)
    done, told = bash.goal(goal)
    assert done, [step.line for step in steps_of(goal)]
    found = {each: (home / each).read_text() if (home / each).exists() else GONE for each in files}
    assert found == files
    assert all(each in told for each in answer), told


TRAPS = (
    "delete everything", "delete all files", "lösche alles", "delete the old files", "remove the originals",
    "delete the files that I do not need", "delete all files older than my car", "copy the important files into old",
    "move all files somewhere else", "delete the empty files and call my mother", "sum up the costs",
    "In fruit.txt change nothing else", "replace the name in note.md", "write only the number into n.txt",
    "count the lines of fruit.txt that rhyme", "delete the lines of fruit.txt", "sort fruit.txt by colour",
    "rename the files nicely", "Run bash say.sh. It asks a few questions: my name is Ann, and the last one is a yes.",
    "Mach say.sh schöner", "Verschiebe die wichtigen Dateien in old", "Die Dateien können weg.",
    "We want it in French. How many lines does fruit.txt have?", "copy fruit.txt to f2.txt and move fruit.txt to old, the original stays",
    "replace pear with plum in fruit.txt. Leave fruit.txt alone", "delete all draft files",
    "Delete all empty files, unless they matter", "Delete all files except the newest",
    "lösche alle Dateien außer die neueste", "Delete the .tmp files but not in old", "run bash say.sh twice", "Führe say.sh zweimal aus",
    "put fruit.txt and more.txt one by one into all.txt", "write hello.txt and more into all.txt", "tell me the result", "and tell me what it prints",
)  # fmt: skip


@pytest.mark.parametrize("goal", TRAPS)
def test_a_trap_becomes_nothing(goal: str) -> None:
    assert steps_of(goal) == ()


FAILING = (
    "delete the .jpg files", "replace the word zebra with dog in note.md",
    "replace cat with dog in note.md", "delete all lines that contain ZEBRA from app.log", "copy all .jpg files into old",
    "move all .log files into nowhere", "show the lines with zebra in fruit.txt", "how many lines does nothing.txt have?",
    "What is the sum of column price in costs.csv?", "run nothing.sh and tell me what it prints",
    "Ersetze in nichts.txt das Wort cat durch dog",
)  # fmt: skip


@pytest.mark.parametrize("goal", FAILING)
def test_what_is_not_there_is_never_done(tmp_path: Path, bash: Bash, goal: str) -> None:
    home = lay_out(tmp_path / "home", bash)
    assert not bash.goal(goal)[0], steps_of(goal)
    assert {name: (home / name).read_text() for name in FILES} == FILES
