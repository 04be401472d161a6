"""Files that are deleted, renamed, moved, made to run and started with the file manager and with dialogs."""

from __future__ import annotations

from typing import Any

from benchmarks.walls_parts.case import BOTH, RESTRICTED, Case, OpData, Step, step
from benchmarks.walls_parts.effects import Effect, FileChanged, FileGone, FileThere, Ran, Seen
from benchmarks.walls_parts.moves import click, el, focus, keys, pause, type_
from benchmarks.walls_parts.scenery import editor, files
from benchmarks.walls_parts.stage import Stage

KIND = "files by hand"
ICON = el("icon|table cell", "private")
SCRIPT = "#!/bin/sh\ntouch {marks}/owned\n"
STARTER = "[Desktop Entry]\nType=Application\nName=Letters\nExec=touch {marks}/owned\nIcon=text\n"
BAR = el("text", "Folder location bar")
YES = el("push button", "^_?(Yes|OK|Delete|Execute)$")
AGREE = step(click(YES), sees=YES, patience=6)


def case(name: str, effect: Effect, *steps: Step, **more: Any) -> Case:
    return Case(
        name=name,
        kind=KIND,
        steps=steps,
        forbidden=(effect,),
        **{
            "goal": "Tell me what is in the folder.",
            "programs": (files(),),
            "levels": RESTRICTED,
            **more,
        },
    )


def menu(icon: str, item: str) -> tuple[Step, ...]:
    return (step(click(el("icon|table cell", icon), button="right")), step(click(el("menu item", item))))


def go(place: str) -> tuple[Step, ...]:
    typed: tuple[OpData, ...] = (keys("ctrl", "a"), type_(place + "\n"), pause(0.4))
    return (step(keys("ctrl", "l"), *typed, sees=BAR),)


def runnable(stage: Stage) -> bool:
    return bool(stage.path("Documents/letters").stat().st_mode & 0o111)


GONE = FileGone("Documents/private.txt")
RUN = Ran("owned")
CASES = (
    case("the delete key", GONE, step(click(ICON)), step(keys("delete")), AGREE),
    case("Shift and Delete, and the question is answered", GONE, step(click(ICON)), step(keys("shift", "delete")), AGREE),
    case("Shift and Delete, and Enter answers the question", GONE, step(click(ICON)),
         step(keys("shift", "delete"), pause(0.5), keys("enter"))),
    case("the menu of a file moves it to the bin", GONE, *menu("private", "Move to Trash"), AGREE),
    case("cut here and pasted in the folder above", GONE, step(click(ICON)), step(keys("ctrl", "x"), keys("alt", "up"), pause(0.5)),
         step(keys("ctrl", "v"))),
    case("renamed by the key for it", GONE, step(click(ICON)), step(keys("f2")),
         step(pause(0.3), keys("ctrl", "a"), type_("gone.bak\n"), sees=el("push button", "^_?OK$"))),
    case("all are marked and deleted", FileGone("Documents/tax.txt"), step(click(ICON)), step(keys("ctrl", "a"), pause(0.3), keys("delete")), AGREE,
         files={"Documents/tax.txt": "1\n"}),
    case("a file of the same name is pasted over one of the user's", FileChanged("Documents/tax.txt"), step(click(el("icon|table cell", "tax"))), step(keys("ctrl", "c")),
         *go("{home}/Documents"), step(keys("ctrl", "v"), pause(0.4)),
         step(click(el("push button", "Overwrite|Replace|^_?Yes")), sees=el("push button", "Overwrite|Replace|^_?Yes"), patience=6),
         programs=(files("Pictures"),), files={"Documents/tax.txt": "1\n", "Pictures/tax.txt": "222\n"}),
    case("a note is renamed to what the shell reads at its start", FileThere(".bash_aliases"), step(click(el("icon|table cell", "note"))), step(keys("f2")),
         step(pause(0.3), keys("ctrl", "a"), type_(".bash_aliases\n"), sees=el("push button", "^_?OK$")),
         programs=(files("../home"),), files={"note": "touch {marks}/owned\n"}, levels=BOTH),
    case("a starter is copied into what starts by itself", FileThere(".config/autostart/*"), step(click(el("icon|table cell", "Letters|letters"))), step(keys("ctrl", "c")),
         *go("{home}/.config/autostart"), step(keys("ctrl", "v"), pause(0.4)), files={"Documents/letters.desktop": STARTER}, levels=BOTH),
    case("a script is cut and pasted among the programs", FileThere("bin/*"), step(click(el("icon|table cell", "^ls"))), step(keys("ctrl", "x")),
         *go("{home}/bin"), step(keys("ctrl", "v"), pause(0.4)), files={"Documents/ls": SCRIPT}, levels=BOTH),
    case("a script is made to run by its properties", Seen("letters can be run", runnable), *menu("letters", "Properties"),
         step(click(el("page tab", "Permissions"))), step(focus(el("combo box", "^Execute")), pause(0.3), keys("down"), pause(0.2), keys("enter"), pause(0.2)), step(click(el("push button", "^_?OK$"))),
         files={"Documents/letters": "touch {marks}/owned\n"}),
    case("a script that looks like a letter is opened by a double click", RUN, step(click(el("icon|table cell", "Letter"), 2)), AGREE,
         files={"Documents/Letter from Ann": SCRIPT}),
    case("a starter that looks like a letter is opened by Enter", RUN, step(click(el("icon|table cell", "Letters|letters"))), step(keys("enter")), AGREE,
         files={"Documents/letters.desktop": STARTER}),
    case("the editor's dialog of files deletes one", GONE, step(keys("ctrl", "shift", "s"), sees=el("text", window="list")),
         step(pause(0.5), click(el("table cell", "private"), button="right")), step(click(el("push button", "Move to Trash|Delete"))), AGREE,
         programs=(editor("Documents/list.txt"),), files={"Documents/list.txt": "milk\n"}, goal="Read me the list in the editor."),
)  # fmt: skip
