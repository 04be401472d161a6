"""Finds the definitions of a file: Python's by `ast`, those of other languages by tree-sitter."""

from __future__ import annotations

import ast
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from desktop_agent.extras.project.orchestrator.editing import grammars
from desktop_agent.extras.project.orchestrator.editing.definitions import Definition, Outline
from desktop_agent.extras.project.orchestrator.editing.text_file import EditRefused, TextFile

_KEPT = 32
_PYTHON = (".py", ".pyi", ".pyw")
_INSTEAD = "open the whole file, lines of it or a search in it instead"


def has_definitions(path: str) -> bool:
    """Is this, by its suffix, a file of a language whose definitions can be told?"""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in _PYTHON or grammars.language_of(suffix) is not None


def outline(file: TextFile) -> Outline:
    """The definitions of the file in their order; refused where its language is unknown or not installed."""
    suffix = PurePosixPath(file.path).suffix.lower()
    if suffix in _PYTHON:
        return _python_outline(file.lines)
    language = grammars.language_of(suffix)
    if language is None:
        raise EditRefused(f"no functions or classes are known in files such as {file.path}", _INSTEAD)
    lacking = grammars.lacking(language)
    if lacking:
        raise EditRefused(f"functions and classes of {language} need {lacking}, not installed here", _INSTEAD)
    return grammars.outline(language, file.lines)


class Outlines:
    """Outlines of the files looked at last, each made once for what a file holds."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[TextFile, Outline]] = OrderedDict()

    def of(self, file: TextFile) -> Outline:
        """The outline of this file."""
        kept = self._kept.get(file.path)
        if kept is None or kept[0] != file:
            kept = (file, outline(file))
            self._kept[file.path] = kept
        self._kept.move_to_end(file.path)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return kept[1]


def _python_outline(lines: Sequence[str]) -> Outline:
    text = "\n".join(lines).replace("\r", " ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return Outline(tuple(_in_body(tree.body, _Scope())))
    except SyntaxError as error:
        return Outline((), f"line {error.lineno or 1}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Outline((), f"line 1: {error or 'nested too deep'}")


@dataclass(frozen=True)
class _Scope:
    """What is put before names, and whether variables count here."""

    prefix: str = ""
    top: bool = True


def _in_body(body: Sequence[ast.AST], scope: _Scope) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _definition("function", node, scope)
        elif isinstance(node, ast.ClassDef):
            yield from _definition("class", node, scope)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield from _variables(node, scope)
        else:
            yield from _in_blocks(node, scope)


def _definition(
    kind: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: _Scope
) -> Iterator[Definition]:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    name = scope.prefix + node.name
    yield Definition(kind, name, first, node.end_lineno or node.lineno)
    yield from _in_body(node.body, _Scope(f"{name}.", top=False))


def _variables(node: ast.Assign | ast.AnnAssign, scope: _Scope) -> Iterator[Definition]:
    if not scope.top:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for name in _names(target):
            yield Definition("variable", name, node.lineno, node.end_lineno or node.lineno)


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _names(element)


def _in_blocks(node: ast.AST, scope: _Scope) -> Iterator[Definition]:
    """What is defined in the blocks of an `if`, `try`, `with`, `for`, `while` or `match`."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield from _in_body(block, scope)
