"""What is known of the definitions of a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Definition:
    """One function, class or top-level variable; `alone` where its lines hold that only, well formed."""

    kind: str
    name: str
    first: int
    last: int
    alone: bool = True

    def is_called(self, name: str) -> bool:
        """Is this its name, or the last part of it?"""
        return self.name == name or self.name.endswith(f".{name}")


@dataclass(frozen=True)
class Outline:
    """The definitions of a file; `error` says where it cannot be parsed ("line 3: …"), "" where it can."""

    definitions: tuple[Definition, ...]
    error: str = ""

    def named(self, kind: str, name: str) -> list[Definition]:
        """All of this kind and name."""
        return [each for each in self.definitions if each.kind == kind and each.name == name]

    def names(self, kind: str) -> list[str]:
        """The names of all of this kind, each once."""
        return list(dict.fromkeys(each.name for each in self.definitions if each.kind == kind))
