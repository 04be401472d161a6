"""Carries out the editor's commands on the files of one folder."""

from __future__ import annotations

import difflib
import re
from functools import singledispatchmethod
from pathlib import Path, PurePosixPath

from desktop_agent.extras.project.orchestrator.editing import commands, project_files
from desktop_agent.extras.project.orchestrator.editing.definitions import Definition
from desktop_agent.extras.project.orchestrator.editing.outline import Outlines, has_definitions, outline
from desktop_agent.extras.project.orchestrator.editing.parts import Lines, Named, counted, joined, placed
from desktop_agent.extras.project.orchestrator.editing.text_changes import TextChanges
from desktop_agent.extras.project.orchestrator.editing.text_file import (
    EditRefused,
    Missing,
    ProjectFiles,
    TextFile,
)
from desktop_agent.extras.project.orchestrator.editing.views import Views

_LISTED = 100
"""Lines that a search lists at most."""
_WIDEST = 200
"""Characters of a line that a search lists."""
_PLACES = 20
"""Definitions of one name that are listed at most."""
_GLOB = re.compile(r"(?=.*[*?\[])(?=.*[./])[\w./*?\[\]!-]+")
"""A word that is taken for a pattern of paths: it holds a sign of patterns, and a dot or a slash."""


class ViewEditor:
    """The views and changes of one project."""

    def __init__(self, root: Path) -> None:
        self._files = ProjectFiles(root)
        outlines = Outlines()
        self._views = Views(self._files, outlines)
        self._changes = TextChanges(self._files, outlines)

    def run(self, command: str) -> str:
        """Carries out one command and says what came of it; refused with what was expected."""
        try:
            return self._do(commands.parse(command))
        except Missing as missing:
            raise EditRefused(missing.what, self._perhaps(missing.path)) from None

    def screen(self) -> str:
        """The views as the files are now."""
        return self._views.screen()

    @singledispatchmethod
    def _do(self, command: commands.EditorCommand) -> str:
        raise NotImplementedError(command)

    @_do.register
    def _(self, command: commands.OpenView) -> str:
        return self._views.open(command.path, command.part)

    @_do.register
    def _(self, command: commands.ScrollView) -> str:
        return self._views.scroll(command.number, command.lines)

    @_do.register
    def _(self, command: commands.Close) -> str:
        if command.number is None:
            return f"Closed {counted(self._views.close_all(), 'view')}."
        self._views.close(command.number)
        return f"Closed view {command.number}."

    @_do.register
    def _(self, command: commands.Create) -> str:
        return self._changes.create(command.path, command.text)

    @_do.register
    def _(self, command: commands.Insert) -> str:
        return self._changes.insert(command.path, command.line, command.text)

    @_do.register
    def _(self, command: commands.ReplacePart) -> str:
        if isinstance(command.part, Lines):
            return self._changes.replace_lines(command.path, command.part, command.text)
        return self._changes.replace_definition(command.path, command.part, command.text)

    @_do.register
    def _(self, command: commands.ReplaceText) -> str:
        return self._changes.replace_text(command.path, command.old, command.new)

    @_do.register
    def _(self, command: commands.Undo) -> str:
        return self._changes.undo(command.path)

    @_do.register
    def _(self, command: commands.Search) -> str:
        text, glob = self._meant(command)
        looked = project_files.find(
            self._files, lambda path: glob is None or project_files.matches(path, glob)
        )
        where = "the project" if glob is None else glob
        count, listed = 0, list[str]()
        for path in looked.paths:
            hits = self._hits(path, text)
            count += len(hits)
            listed += hits[: _LISTED - len(listed)]
        few = "" if looked.all else f" Only the first {len(looked.paths):,} files were searched."
        if not count:
            return f'No line of {where} holds "{text}" ({counted(len(looked.paths), "file")} searched).{few}'
        first = f", the first {_LISTED} of them" if count > _LISTED else ""
        return "\n".join([f'{counted(count, "line")} of {where} with "{text}"{first}:{few}', *listed])

    @_do.register
    def _(self, command: commands.GotoDefinition) -> str:
        found = _Definitions(self._files, command.name, command.path)
        if not found.places:
            raise EditRefused(f"{command.name} is not defined in {found.where}", found.hint())
        if len(found.places) > 1:
            listed = joined((_described(path, each) for path, each in found.places), _PLACES)
            return f"{command.name} is defined {len(found.places)} times: {listed}. None is viewed: open one."
        path, definition = found.places[0]
        return self._views.open(path, Named(definition.kind, definition.name))

    def _meant(self, command: commands.Search) -> tuple[str, str | None]:
        """The text and the glob: a last word that is neither pattern nor path belongs to the text."""
        glob = command.glob
        if glob is None or not command.words:
            return command.text, glob
        if _GLOB.fullmatch(glob) or self._is_path(glob):
            return command.text, glob
        return command.words, None

    def _is_path(self, word: str) -> bool:
        try:
            return self._files.exists(word) or self._files.folder(word)
        except (EditRefused, OSError):
            return False

    def _hits(self, path: str, text: str) -> list[str]:
        """The lines of the file that hold the text, each behind its path and number."""
        data = project_files.contents(self._files, path)
        if text.encode("utf-8") not in data:
            return []
        try:
            lines = TextFile.of(path, data).lines
        except EditRefused:
            return []
        return [f"{path}:{i}: {line.strip()[:_WIDEST]}" for i, line in enumerate(lines, 1) if text in line]

    def _perhaps(self, path: str) -> str:
        """What to do instead of naming a file that is not there: files of the same or of a similar name."""
        paths = project_files.find(self._files, lambda _: True).paths
        name = PurePosixPath(path).name
        like = [each for each in paths if PurePosixPath(each).name == name]
        like = like or difflib.get_close_matches(path, paths, 3)
        return f"expected perhaps {joined(like, 3)}" if like else "expected the path of a file of the project"


class _Definitions:
    """All definitions of one name in the project, or in one file or folder of it."""

    def __init__(self, files: ProjectFiles, name: str, path: str | None) -> None:
        self.places: list[tuple[str, Definition]] = []
        self.where = "the project" if path is None else files.name(path)
        self._name = name
        last = name.rpartition(".")[2]
        self._word = re.compile(rb"(?<!\w)" + re.escape(last.encode("utf-8")) + rb"(?!\w)")
        self._unread: list[str] = []
        self._all = True
        for each in self._paths(files, path):
            self._look(files, each)

    def hint(self) -> str:
        """What to do where none is there."""
        cut = "" if self._all else f"only the first {project_files.MOST_FILES:,} files were looked at; "
        if self._unread:
            return f"{cut}not looked at: {joined(self._unread, 3)}"
        return f'{cut}expected the name of a function, class or top-level variable; try search "{self._name}"'

    def _paths(self, files: ProjectFiles, path: str | None) -> list[str]:
        if path is not None and not files.folder(path):
            files.read_bytes(path)
            return [files.name(path)]
        looked = project_files.find(files, has_definitions, "." if path is None else files.name(path))
        self._all = looked.all
        return looked.paths

    def _look(self, files: ProjectFiles, path: str) -> None:
        data = project_files.contents(files, path)
        if not self._word.search(data):
            return
        try:
            found = outline(TextFile.of(path, data))
        except EditRefused as refusal:
            self._unread.append(f"{path} ({refusal.what})")
            return
        if found.error:
            self._unread.append(f"{path} (cannot be parsed: {found.error})")
        self.places += [(path, each) for each in found.definitions if each.is_called(self._name)]


def _described(path: str, definition: Definition) -> str:
    place = placed(definition.first, definition.last)
    return f'{definition.kind} "{definition.name}" of {path}, {place}'
