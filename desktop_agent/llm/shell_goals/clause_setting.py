"""What holds for the clauses of a goal: the folder or file they are about, and the files that are left out or must stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from desktop_agent.llm.shell_goals.command_slots import Known, quoted_text


@dataclass
class ClauseSetting:
    """What holds for the clause that is read; each `with` of it ends with what held before.

    `but` are files that are left out, and `without` whether something was done without them. `spared` are files that
    must stay as they are; with `keeps` all originals must. `taken` is what is no longer as it was. With `no_texts` no
    text may be said without quotation marks.
    """

    folder: str = ""
    file: str = ""
    but: list[str] = field(default_factory=list)
    without: bool = False
    spared: list[str] = field(default_factory=list)
    keeps: bool = False
    taken: set[str] = field(default_factory=set)
    no_texts: bool = False

    @contextmanager
    def in_folder(self, folder: str) -> Iterator[None]:
        """The clause is about this folder: what it makes or takes is in there."""
        before, self.folder = self.folder, folder
        try:
            yield
        finally:
            self.folder = before

    @contextmanager
    def about_file(self, file: str) -> Iterator[None]:
        """The clause is about this file where it names none."""
        before, self.file = self.file, file
        try:
            yield
        finally:
            self.file = before

    @contextmanager
    def leaving_out(self, names: list[str]) -> Iterator[None]:
        """These files are left out, too; `without` tells inside whether the clause did so."""
        but, without = self.but, self.without
        self.but, self.without = [*but, *names], False
        try:
            yield
        finally:
            self.but, self.without = but, without or self.without

    @contextmanager
    def only_quoted_texts(self) -> Iterator[None]:
        """No text may be said without quotation marks."""
        before, self.no_texts = self.no_texts, True
        try:
            yield
        finally:
            self.no_texts = before

    def is_kept(self, found: Known) -> bool:
        """Do the steps leave out all that was to be left out, and does all stay that was to stay?"""
        if self.but and not self.without:
            return False
        if not all(_spares(each.line, name) for name in self.spared for each in found.steps):
            return False
        return not self.keeps or self.taken <= set(found.copies)


def _spares(line: str, name: str) -> bool:
    """Does a line leave the file alone? One that looks for files, or names them by a pattern, must leave it out itself."""
    quoted = quoted_text(name)
    if f"! -name {quoted}" in line:
        return True
    return quoted not in line and not re.search(r"\bfind |\*\.|grep -r", line)
