"""The worded jobs: what is there before, what must be so afterwards, and eight ways of asking for it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

KINDS = ("short", "polite", "roundabout", "reversed", "synonyms", "references", "typos", "impossible")
"""How a wording was meant; one of them asks for something besides that cannot be done."""

_FOLDER = Path(__file__).parent / "jobs"


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields that must arrive at a path of the pages."""

    path: str
    fields: dict[str, str]


class WordedJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A job: the files before, and all that must be so afterwards.

    `after` are files with exactly that text, `gone` names that must not be there, `folders` and `trashed` names
    that must, `told` words of the last message, `sent` forms; `changed` may change without being judged.
    """

    name: str
    program: str
    wordings: dict[str, str]
    files: dict[str, str] = {}
    after: dict[str, str] = {}
    gone: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    trashed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    sent: tuple[Form, ...] = ()
    changed: tuple[str, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """One wording of a job."""

    job: WordedJob
    kind: str

    @property
    def words(self) -> str:
        return self.job.wordings[self.kind]

    @property
    def possible(self) -> bool:
        return self.kind != "impossible"

    @property
    def aside(self) -> bool:
        """Is it set aside: a third of the jobs, and a quarter of the wordings of the others?"""
        return _share(self.job.name) < 1 / 3 or _share(f"{self.job.name}/{self.kind}") < 1 / 4


def cases() -> tuple[Case, ...]:
    """Every wording of every job. Raises msgspec.ValidationError when a file is wrong."""
    return tuple(Case(job, kind) for job in jobs() for kind in KINDS)


def jobs() -> Iterator[WordedJob]:
    """The jobs of all files, in the order of their names. Raises ValueError for one without all kinds of wordings."""
    for path in sorted(_FOLDER.glob("*.toml")):
        read: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        for job in msgspec.convert(read["job"], list[WordedJob]):
            if set(job.wordings) != set(KINDS):
                raise ValueError(f"{path.name}: {job.name!r} has not the wordings {KINDS}")
            yield job


def _share(name: str) -> float:
    """A number from 0 to 1 that only depends on the name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) / 2**32
