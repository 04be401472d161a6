"""A project of real files and an editor on it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from desktop_agent.extras.project.orchestrator.editing.view_editor import ViewEditor

HELLO_C = '#include <stdio.h>\n\n// greets\nvoid main() {\n  printf("Hello world\\n");\n}\n'
SHOP = """\
import os

LIMIT = 3


class Cart:
    def __init__(self):
        self.items = []

    @property
    def total(self):
        return sum(self.items)


def add(cart, price):
    cart.items.append(price)
    return cart.total


async def pay(cart):
    return None
"""


class EditorDesk:
    """An editor and the folder it works in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.editor = ViewEditor(root)

    def write(self, path: str, text: str | bytes) -> Path:
        """Puts a file there, past the editor."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def data(self, path: str) -> bytes:
        """What the file holds."""
        return (self.root / path).read_bytes()

    def run(self, *lines: str) -> str:
        """The response to a command of these lines."""
        return self.editor.run("\n".join(lines))

    def refused(self, *lines: str) -> str:
        """What the editor says when it refuses the command."""
        with pytest.raises(ValueError) as refusal:
            self.run(*lines)
        return str(refusal.value)

    def screen(self) -> list[str]:
        """The lines of the screen."""
        return self.editor.screen().split("\n")

    def replace(self, path: str, old: str, new: str, size: int = 7) -> list[str]:
        """The lines of a command that replaces text."""
        return [f"replace {path}", "<" * size, old, "=" * size, *([new] if new else []), ">" * size]


def need_grammar(*modules: str) -> None:
    """Skips the test where tree-sitter or a grammar is not installed."""
    for module in ("tree_sitter", *modules):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
