"""Everyday jobs as data: what is there before, the words of eight people, and the effects that are asked for."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from benchmarks.report import BenchmarkError

JOBS = Path(__file__).parent / "jobs"
IMPOSSIBLE = "impossible"
KINDS = (
    "short", "polite", "roundabout", "reversed", "synonyms", "references", "typos", IMPOSSIBLE,
)  # fmt: skip
"""How people say it. The last is the job with a part added that cannot be done here."""

_DRAW = "half 17116"
"""The draw that sets aside half of the runs, some jobs of each file, and about as many of each kind."""


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields that a form sent to a path of the site."""

    path: str
    fields: Mapping[str, str] = {}
    method: str = "POST"


class WantedEffects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that shall come of a job; whatever else changes was not asked for.

    `files` are texts by path below the home folder (a path that ends in a slash is a folder), `gone` paths that
    shall not exist. One of `told` shall be in the last message, none of `not_told`. `sent` and `visits` are seen
    by the site. Where there are `commands`, shells may be given these and no others. `window`, `closed`, `front` and
    `maximised` are regular expressions for titles of windows.
    """

    files: Mapping[str, str] = {}
    gone: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    not_told: tuple[str, ...] = ()
    sent: tuple[Posted, ...] = ()
    visits: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    window: str = ""
    closed: str = ""
    front: str = ""
    maximised: str = ""


class SpokenJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A job: the programs (`{home}` is the home folder) and the page that are open before, and the words by kind."""

    wanted: WantedEffects
    words: Mapping[str, str]
    start: tuple[tuple[str, ...], ...] = ()
    page: str = ""
    files: Mapping[str, str] = {}
    name: str = ""


class Wording(msgspec.Struct, frozen=True):
    """A job as one of the eight says it."""

    job: SpokenJob
    kind: str

    @property
    def words(self) -> str:
        return self.job.words[self.kind]

    @property
    def possible(self) -> bool:
        return self.kind != IMPOSSIBLE

    @property
    def aside(self) -> bool:
        return aside(self.job.name, self.kind)

    def __str__(self) -> str:
        return f"{self.job.name}: {self.kind}"


def aside(job: str, kind: str) -> bool:
    """Is it in the half that is not looked at while working? A quarter of the jobs, and a third of the others' wordings.

    Only the names decide, by checksum.
    """
    return _drawn(job) % 4 == 0 or _drawn(f"{job}: {kind}") % 3 == 0


def _drawn(name: str) -> int:
    return zlib.crc32(f"{_DRAW} {name}".encode())


def spoken_jobs(folder: Path = JOBS) -> tuple[SpokenJob, ...]:
    """The jobs of all files, by file. Raises BenchmarkError for a file that does not say what it should."""
    found = tuple(job for path in sorted(folder.glob("*.toml")) for job in _read(path))
    for job in found:
        if tuple(job.words) != KINDS:
            raise BenchmarkError(f"{job.name}: its wordings are {list(job.words)}, not {list(KINDS)}")
    return found


def wordings() -> tuple[Wording, ...]:
    """Every job in every wording."""
    return tuple(Wording(job, kind) for job in spoken_jobs() for kind in KINDS)


def _read(path: Path) -> list[SpokenJob]:
    try:
        jobs = msgspec.toml.decode(path.read_bytes(), type=dict[str, SpokenJob])
    except msgspec.DecodeError as error:
        raise BenchmarkError(f"{path.name}: {error}") from error
    return [msgspec.structs.replace(job, name=name) for name, job in jobs.items()]
