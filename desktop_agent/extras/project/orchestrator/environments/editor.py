"""Views and changes text files of the project. What is viewed stands on the screen, as it is at that moment.

One command in a block: the first line is the command, the lines behind it are its text.

open PATH                     view a whole file
open PATH 10-30               view these lines
open PATH function NAME       view a function, wherever it moves to; a method is Class.name
open PATH class NAME          view a class
open PATH search TEXT         view every line that holds TEXT, with 2 lines around
goto_definition NAME [PATH]   find where a function, class or top-level variable is defined, and view it
search TEXT [GLOB]            list the lines of the project that hold TEXT; no view; "TEXT" where unclear
scroll N up|down [LINES]      move view N, by 20 lines unless told
close N                       close view N; close all: every view
create PATH                   a new file of the text
insert PATH LINE              the text before that line; LINE one past the last appends
replace PATH A-B              the text in the place of these lines; no text removes them
replace PATH function NAME    the text in the place of the whole definition, decorators too; or class NAME
replace PATH                  old text by new, which must occur exactly once. The text is:
<<<<<<<
old
=======
new
>>>>>>>
                              (longer markers, all of one length, where old or new holds such a line)
undo [PATH]                   take back the last change (of PATH) that was made here

Paths are from the project's folder; in quotes where they hold blanks. At most 12 views, 400 lines in all: a
longer view is cut and says so.
"""

from __future__ import annotations

from pathlib import Path

from desktop_agent.extras.project.orchestrator.editing.view_editor import ViewEditor

_editor: ViewEditor | None = None


def run(command: str) -> str:
    """Carries out one command and says what came of it."""
    return _here().run(command)


def screen() -> str:
    """The views as the files are now."""
    return _here().screen()


def _here() -> ViewEditor:
    global _editor
    if _editor is None:
        _editor = ViewEditor(Path.cwd())
    return _editor
