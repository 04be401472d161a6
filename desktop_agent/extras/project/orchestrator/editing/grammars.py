"""Finds definitions by tree-sitter; `grammars.json` says which nodes of a language are definitions.

Each entry: `module` and `language` (its function, `language` unless told), the `suffixes` of its files, the
node types that are `functions`, `classes` and `variables` (`fields` are functions only by their value);
`with_body` are those that only name a class unless they have one; `function_values` and `class_values` make
a function or class of the variable that gets one; a definition begins with the node around it of type
`wrappers`, and with the nodes of type `leading` before it; `scopes` name the field whose text stands before
the names inside, and the name of a definition does unless it is of type `no_scope`; `skipped` nodes hold
none, nor do the functions of a language that is `flat`; variables that begin with a word of
`declared_elsewhere` are none. `as` takes the rest from another entry.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_agent.extras.project.orchestrator.editing.definitions import Definition, Outline

_NAME = re.compile(r"[\w$.~]+|operator\W{1,3}")
_HARMLESS = re.compile(r"[;,\s]*(//.*|/\*.*\*/\s*|#.*)?")
"""What may stand behind a definition in its last line."""
_AROUND = ("reference_declarator", "parenthesized_declarator", "attributed_declarator")


@functools.lru_cache(maxsize=1)
def _grammars() -> dict[str, dict[str, Any]]:
    read: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("grammars.json").read_text("utf-8"))
    return {name: {**read[entry["as"]], **entry} if "as" in entry else entry for name, entry in read.items()}


@functools.lru_cache(maxsize=1)
def _suffixes() -> dict[str, str]:
    return {suffix: name for name, entry in _grammars().items() for suffix in entry["suffixes"]}


def language_of(suffix: str) -> str | None:
    """The language of files that end so, None where it is not known."""
    return _suffixes().get(suffix)


@functools.lru_cache(maxsize=64)
def lacking(language: str) -> str:
    """Which packages the language needs that are not installed, "" for none."""
    needed = ("tree_sitter", _grammars()[language]["module"])
    return " and ".join(name for name in needed if importlib.util.find_spec(name) is None)


@functools.lru_cache(maxsize=16)
def _parser(language: str) -> Any:
    entry = _grammars()[language]
    tree_sitter = importlib.import_module("tree_sitter")
    grammar = getattr(importlib.import_module(entry["module"]), entry.get("language", "language"))
    return tree_sitter.Parser(tree_sitter.Language(grammar()))


def outline(language: str, lines: Sequence[str]) -> Outline:
    """The definitions of these lines in their order, and where the first error is."""
    source = [line.encode("utf-8") for line in lines]
    root = _parser(language).parse(b"\n".join(source)).root_node
    found = _each_once(_Finder(_Rules.of(_grammars()[language]), source).definitions(root))
    error = f"line {_first_error(root)}: syntax error" if root.has_error else ""
    return Outline(tuple(sorted(found, key=lambda each: (each.first, -each.last, each.name))), error)


def _each_once(found: Iterator[Definition]) -> list[Definition]:
    """What two nodes define by one name in the same lines, as a `typedef struct` does, is one definition."""
    once: dict[tuple[str, str, int, int], Definition] = {}
    for each in found:
        key = (each.kind, each.name, each.first, each.last)
        if key not in once or each.alone:
            once[key] = each
    return list(once.values())


def _first_error(root: Any) -> int:
    node = root
    while not (node.is_error or node.is_missing):
        node = next((child for child in node.children if child.has_error), None)
        if node is None:
            return 1
    return int(node.start_point[0]) + 1


@dataclass(frozen=True)
class _Rules:
    kinds: dict[str, str]
    values: dict[str, str]
    scopes: dict[str, str]
    fields: frozenset[str]
    with_body: frozenset[str]
    wrappers: frozenset[str]
    leading: frozenset[str]
    skipped: frozenset[str]
    no_scope: frozenset[str]
    flat: bool
    elsewhere: tuple[bytes, ...]

    @classmethod
    def of(cls, entry: dict[str, Any]) -> _Rules:
        kinds = {"functions": "function", "classes": "class", "variables": "variable", "fields": "variable"}
        values = {"function_values": "function", "class_values": "class"}
        return cls(
            {node: kind for key, kind in kinds.items() for node in entry.get(key, ())},
            {node: kind for key, kind in values.items() for node in entry.get(key, ())},
            entry.get("scopes", {}),
            frozenset(entry.get("fields", ())),
            frozenset(entry.get("with_body", ())),
            frozenset(entry.get("wrappers", ())),
            frozenset(entry.get("leading", ())),
            frozenset(entry.get("skipped", ())),
            frozenset(entry.get("no_scope", ())),
            entry.get("flat", False),
            tuple(word.encode() for word in entry.get("declared_elsewhere", ())),
        )


@dataclass(frozen=True)
class _Finder:
    rules: _Rules
    source: list[bytes]

    def definitions(self, root: Any) -> Iterator[Definition]:
        waiting: list[tuple[Any, str, bool]] = [(root, "", True)]
        while waiting:
            node, prefix, top = waiting.pop()
            found = list(self._of_node(node, prefix, top))
            yield from found
            if self.rules.flat and found and found[0].kind == "function":
                continue
            inside, still_top = self._inside(node, prefix, found), top and not self._is_scope(node, found)
            waiting += [
                (child, inside, still_top)
                for child in node.named_children
                if child.type not in self.rules.skipped
            ]

    def _inside(self, node: Any, prefix: str, found: list[Definition]) -> str:
        if self._is_scope(node, found):
            return f"{found[0].name}."
        field = self.rules.scopes.get(node.type)
        scope = node.child_by_field_name(field) if field else None
        return prefix if scope is None else f"{prefix}{_plain(scope)}."

    def _is_scope(self, node: Any, found: list[Definition]) -> bool:
        return bool(found) and found[0].kind != "variable" and node.type not in self.rules.no_scope

    def _of_node(self, node: Any, prefix: str, top: bool) -> Iterator[Definition]:
        kind = self._kind(node)
        if not kind or (kind == "variable" and (not top or node.type in self.rules.fields)):
            return
        if kind == "variable" and node.text.startswith(self.rules.elsewhere or b"\0"):
            return
        for name in _names(node, kind):
            yield self._definition(kind, f"{prefix}{_receiver(node)}{name}", node)

    def _kind(self, node: Any) -> str:
        kind = self.rules.kinds.get(node.type, "")
        if kind == "variable" and self.rules.values:
            value = node.child_by_field_name("value")
            return kind if value is None else self.rules.values.get(value.type, kind)
        if node.type in self.rules.with_body and node.child_by_field_name("body") is None:
            return ""
        return kind

    def _definition(self, kind: str, name: str, node: Any) -> Definition:
        outer = self._wrapped(node)
        begin = self._begin(outer)
        (row, column), (last, end) = begin.start_point, outer.end_point
        if end == 0 and last > row:
            last, end = last - 1, len(self.source[last - 1])
        behind = self.source[last][end:].decode("utf-8", "replace") if last < len(self.source) else ""
        alone = (
            not self.source[row][:column].strip()
            and _HARMLESS.fullmatch(behind) is not None
            and not outer.has_error
        )
        return Definition(kind, name, row + 1, last + 1, alone)

    def _wrapped(self, node: Any) -> Any:
        """The node with what is around it and belongs to it alone."""
        parent = node.parent
        while parent is not None and parent.type in self.rules.wrappers:
            if sum(child.type == node.type for child in parent.named_children) > 1:
                break
            node, parent = parent, parent.parent
        return node

    def _begin(self, node: Any) -> Any:
        before = node.prev_named_sibling
        while before is not None and before.type in self.rules.leading:
            node, before = before, before.prev_named_sibling
        return node


def _names(node: Any, kind: str) -> Iterator[str]:
    for field in ("name", "declarator", "property"):
        children = node.children_by_field_name(field)
        for child in children:
            name = _declared(child, kind)
            if name and _NAME.fullmatch(name):
                yield name
        if children:
            return


def _declared(node: Any, kind: str) -> str:
    """The name inside of the declarators of C and C++; "" for a function that is only declared."""
    while True:
        if kind == "variable" and node.type == "function_declarator":
            return ""
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in _AROUND and node.named_children:
            inner = node.named_children[-1]
        if inner is None:
            return _plain(node)
        node = inner


def _plain(node: Any) -> str:
    """Its text without type parameters, parts divided by dots."""
    text = re.sub(r"\s+", "", node.text.decode("utf-8", "replace"))
    while "<" in text and not text.startswith("operator"):
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            break
        text = shorter
    return text.replace("::", ".").strip("&*")


def _receiver(node: Any) -> str:
    """`Type.` before the name of a method of Go, "" else."""
    receiver = node.child_by_field_name("receiver")
    match = None if receiver is None else re.search(rb"(\w+)\s*(\[[^\]]*\])?\s*,?\s*\)\s*$", receiver.text)
    return "" if match is None else f"{match[1].decode()}."
