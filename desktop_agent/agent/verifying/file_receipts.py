"""Receipts from files: those the user's words name, and those in which a program keeps what it was given.

Each is compared with what it was when the run began: a file that is missing, empty, as it was or without the
text is no success, whatever a screen says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePath

from desktop_agent.agent.verifying.claims import Claims, FileClaim, claims_of
from desktop_agent.agent.verifying.file_changes import ChangeCheck, Meant
from desktop_agent.agent.verifying.file_entries import change_of
from desktop_agent.agent.verifying.file_states import (
    FileState,
    holds,
    is_evidence,
    missing_words,
    own_places,
    state_of,
    states_in,
)
from desktop_agent.policy.facts.files.real_paths import is_whole, joined
from desktop_agent.policy.facts.policy_tables import scope_words
from desktop_agent.policy.facts.words.claim_words import (
    asked_part,
    asks_to_remove,
    content_words,
    spaced,
    words_of,
)
from desktop_agent.protocol.agent_events import Receipt, Verdict
from desktop_agent.support import paths
from desktop_agent.vision.elements.describe import one_line

_INTO = "in|into|to|on|onto|inside|from|im|in|auf|aus|nach|dans|sur|vers|en|de|nel|sul|na|no|op|naar"
"""Words before the name of a folder that something is in or goes to."""
_LOOSE = ("DOCUMENTS", "DESKTOP", "DOWNLOAD")
_PLAIN = frozenset((
    "", ".txt", ".md", ".csv", ".tsv", ".log", ".py", ".json", ".ini", ".cfg", ".conf", ".toml", ".yaml", ".yml",
))  # fmt: skip
"""In these a text stands as it was typed."""
_DATA = frozenset((".csv", ".tsv", ".json", ".xml", ".html", ".vcf", ".ics", ".ods", ".xlsx"))
"""What programs write out of their lists."""
_FEW_ROWS = 3
"""Fewer rows that were seen say little of what has to be in such a file."""
_SHOWN = 60
_RANK: dict[Verdict, int] = {"verified": 0, "unverified": 1, "contradicted": 2}


@dataclass(frozen=True)
class Expected:
    """What the files have to hold: all of `texts` and `chosen`, none of `gone`, switches as in `switched`.

    `rows` are those that each list or table showed: where nothing was typed a file of data should hold all of one.
    `entered` is all that was typed, whatever for, and `searched` what was only looked for by it; `written` as in Meant.
    """

    texts: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    entered: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    switched: Mapping[str, bool] = field(default_factory=dict)
    written: tuple[str, ...] = ()


@dataclass
class FileEvidence:
    """Knows the files of one run as they were: those named from the start, a program's from when it was first seen.

    `home` is the user's home folder. `began` is in nanoseconds since the epoch: what was first met later counts as
    changed when it was written after that. `worked` is when a run that goes on had worked before, in nanoseconds:
    from when to when. `elsewhere`: the place that is worked has other files than this computer's, which tell nothing.
    """

    home: str
    began: int
    worked: Sequence[tuple[int, int]] = ()
    elsewhere: bool = False
    claims: Claims = field(default_factory=Claims)
    _said: tuple[str, ...] = ()
    _before: dict[str, FileState] = field(default_factory=dict)
    _loose: Mapping[str, FileState] = field(default_factory=dict)
    _own: dict[str, FileState] = field(default_factory=dict)
    _places: dict[int, frozenset[str]] = field(default_factory=dict)
    unproven: bool = False
    """Is there a file that the words name and that is not as they want it, by the last receipts?"""
    unaccounted: bool = False
    """Is there a file in which something changed that nothing accounts for, by the last receipts?"""
    covers_all: bool = False
    """Is there a file in which it is so for all of its kind, by the last receipts?"""
    newest: int = 0
    """When the last of the files that the receipts rest on was written, in nanoseconds since the epoch."""

    def hear(self, texts: Sequence[str]) -> None:
        """Take in all that the user has said so far, before what it asks for is done."""
        self._said, self.claims = tuple(texts), claims_of(texts)
        if self.elsewhere:
            self.claims = replace(self.claims, files=())
            return
        if not self._loose:
            self._loose = states_in(self._loose_folders(), depth=1)
        for each in self._watched():
            self._before.setdefault(each, state_of(each))

    def reached(self, path: str) -> None:
        """A file is about to be written: what it is before that."""
        self._before.setdefault(path, state_of(path))

    def met(self, pid: int, *, keeps_files: bool) -> None:
        """A program is seen for the first time; `keeps_files`: its own files change by what the user does alone."""
        if pid in self._places:
            return
        self._places[pid] = own_places(pid, self.home) if keeps_files else frozenset()
        for path, state in states_in(self._places[pid]).items():
            self._own.setdefault(path, state)

    # ---- receipts ----------------------------------------------------------------------------

    def receipts(self, expected: Expected) -> list[Receipt]:
        """One for each file that was named, and those that show what a program has kept."""
        self.newest, self.unaccounted, self.covers_all = 0, False, False
        if self.elsewhere:
            return []
        meant = [each for each in self.claims.files if self._is_meant(each)]
        named = [self._of_claim(claim, expected) for claim in meant]
        self.unproven = any(each.verdict != "verified" for each in named)
        return [*named, *self._kept(expected)]

    def _is_meant(self, claim: FileClaim) -> bool:
        """Not what only may be a name and was not there, and not a folder that is the place for something else."""
        were = [self._was(each) for each in self._candidates(claim.name, anywhere=claim.act != "write")]
        if claim.act == "write":
            return not any(each.folder or (claim.new and each.exists) for each in were)
        return claim.sure or any(each.exists for each in were)

    def _of_claim(self, claim: FileClaim, expected: Expected) -> Receipt:
        places = self._candidates(claim.name, anywhere=claim.act != "write")
        if claim.act == "write":
            found = _best(self._written(each, expected) for each in places) or _NO_FILE
            unsure = not claim.sure and found.verdict == "contradicted"
            return Receipt("file", "unverified", found.detail) if unsure else found
        if claim.act == "delete":
            return _best(self._deleted(each) for each in places if self._was(each).exists) or Receipt(
                "file", "unverified", f"no file “{claim.name}” was there"
            )
        brought = [
            self._brought(source, target, moved=claim.act == "move")
            for source in places
            if self._was(source).exists
            for target in self._destinations(claim.to, source)
        ]
        return _best(brought) or Receipt("file", "unverified", f"no file “{claim.name}” was there")

    def _written(self, path: str, expected: Expected) -> Receipt:
        name, was, now = self._shown(path), self._was(path), state_of(path)
        if not now.exists:
            return Receipt("file", "contradicted", f"{name} is not there")
        if now.folder:
            new = not was.exists
            return Receipt("file", "verified" if new else "unverified", f"the folder {name} is there")
        if not now.size:
            return Receipt("file", "contradicted", f"{name} is empty")
        if now.same(was) and now.modified <= was.modified and self._was_written_before(now):
            return Receipt("file", "unverified", f"{name} was written before the run was cut short")
        if now.same(was) and now.modified <= was.modified:
            return Receipt("file", "contradicted", f"{name} was not written since the start")
        self.newest = max(self.newest, now.modified)
        if (told := self._content(was, now, expected)) is not None:
            return told
        return Receipt("file", "verified", f"{name} was written")

    def _content(self, was: FileState, now: FileState, expected: Expected) -> Receipt | None:
        """What the content tells; None when nothing in particular has to be in it or its kind is not read."""
        if not expected.texts:
            return self._exported(now, expected.rows)
        name, told = self._shown(now.path), {text: holds(now, text) for text in expected.texts}
        if not told or None in told.values():
            return None
        missing = [text for text, there in told.items() if not there]
        if missing and (check := self._check(was, now, expected)) and not check.objection():
            self.covers_all |= check.covers_all()
            return Receipt("file", "verified", f"{name} holds what was put for {_quoted(missing[0])}")
        if missing:
            # A program may write a text in a form of its own, and not all that was typed is for the file.
            plain = PurePath(now.path).suffix.lower() in _PLAIN and not any(told.values())
            verdict: Verdict = "contradicted" if plain else "unverified"
            return Receipt("file", verdict, f"{name} does not hold {_quoted(missing[0])}")
        return self._held(was, now, expected)

    def _held(self, was: FileState, now: FileState, expected: Expected) -> Receipt:
        """That a file holds all that was typed, which counts when nothing else changed in it."""
        name, text = self._shown(now.path), expected.texts[-1]
        check = self._check(was, now, expected)
        if check is None and was.exists and not now.same(was) and holds(was, text) is not False:
            return Receipt("file", "unverified", f"{name} holds {_quoted(text)}, and may have held it before")
        if check is not None and (words := check.objection()):
            self.unaccounted = True
            return Receipt("file", "unverified", f"{name} holds {_quoted(text)}, but {words}")
        self.covers_all |= check is not None and check.covers_all()
        return Receipt("file", "verified", f"{name} holds {_quoted(text)}")

    def _check(self, was: FileState, now: FileState, expected: Expected) -> ChangeCheck | None:
        """The check of how the file changed; None where that is not known or it did not change."""
        if now.same(was) or (was.exists and was.content is None) or (change := change_of(was, now)) is None:
            return None
        meant = Meant(
            self._words,
            texts=expected.texts,
            chosen=expected.chosen,
            gone=expected.gone,
            quoted=(*self.claims.quoted, *expected.searched),
            entered=expected.entered,
            switched=expected.switched,
            written=expected.written,
        )
        return ChangeCheck(change, meant, PurePath(now.path).name, _day(now.modified))

    def _exported(self, now: FileState, lists: Sequence[Sequence[str]]) -> Receipt | None:
        """What is to be said against a file of data that was written out; None when nothing is."""
        long = [rows for rows in lists if len(rows) >= _FEW_ROWS]
        if not long or PurePath(now.path).suffix.lower() not in _DATA:
            return None
        missing = [missing_words(now, rows) for rows in long]
        if None in missing or not all(missing):
            self.covers_all |= [] in missing
            return None
        fewest, of = min(
            ((each or [], rows) for each, rows in zip(missing, long, strict=True)),
            key=lambda each: len(each[0]),
        )
        words = f"{self._shown(now.path)} holds {len(of) - len(fewest)} of {len(of)} that the list showed"
        return Receipt("file", "unverified", words)

    def _deleted(self, path: str) -> Receipt:
        gone = not os.path.lexists(path)
        words = f"{self._shown(path)} is {'gone' if gone else 'still there'}"
        return Receipt("file", "verified" if gone else "contradicted", words)

    def _brought(self, source: str, target: str, *, moved: bool) -> Receipt:
        was, now = self._was(source), state_of(target)
        if not now.exists or (not was.folder and not now.same(was)):
            what = "is not there" if not now.exists else f"is not as {self._shown(source)} was"
            return Receipt("file", "contradicted", f"{self._shown(target)} {what}")
        if moved and os.path.lexists(source):
            return Receipt("file", "contradicted", f"{self._shown(source)} is still there")
        return Receipt("file", "verified", f"{self._shown(target)} is there, as {self._shown(source)} was")

    def _kept(self, expected: Expected) -> list[Receipt]:
        """The files that changed in which programs keep what they were given; loose ones need a text that is in them."""
        found: list[Receipt] = []
        places = frozenset[str]().union(*self._places.values())
        own = states_in(places)
        loose = states_in(self._loose_folders(), depth=1) if expected.texts else {}
        named = [each for each in self._before if state_of(each).exists]
        meant = [each for each in named if self._is_named(each)]
        if not meant:
            found += self._vanished(own)
        for path in dict.fromkeys(meant or (*own, *named, *loose)):
            was, now = self._as_it_was(path), state_of(path)
            if now.folder or not now.size or now.same(was):
                continue
            if not was.exists and now.modified < self.began:
                continue  # it was there, and met only now
            receipt = self._kept_in(was, now, expected, own=path in own or path in named)
            if receipt is not None:
                self.newest = max(self.newest, now.modified)
                found.append(receipt)
        return found

    def _vanished(self, own: Mapping[str, FileState]) -> Iterable[Receipt]:
        """The files of programs that are there no more: evidence where the words mean just these, else a loss."""
        words = content_words(asked_part(self._words))
        gone = {
            path: words & set(words_of(PurePath(path).stem))
            for path in self._own
            if not os.path.lexists(path)
        }
        left = [words & set(words_of(PurePath(path).stem)) for path in own]
        best = max(map(len, gone.values()), default=0)
        for path, fit in gone.items():
            alone = len(fit) == best and all(len(fit) > len(each) for each in left)
            meant = asks_to_remove(self._words) and fit and alone
            self.unaccounted |= not meant
            yield Receipt("file", "verified" if meant else "unverified", f"{self._shown(path)} is gone")

    def _kept_in(self, was: FileState, now: FileState, expected: Expected, *, own: bool) -> Receipt | None:
        name = self._shown(now.path)
        if expected.texts and all(holds(now, text) for text in expected.texts):
            return self._held(was, now, expected)
        if not own:
            return None
        check = self._check(was, now, expected)
        if check is None:
            return Receipt("file", "unverified", f"{name} was written; what in it is new is not known")
        if words := check.objection():
            self.unaccounted |= bool(check.damage())
            return Receipt("file", "unverified", f"{name} changed, but {words}")
        if not check.shows_it():
            return Receipt("file", "unverified", f"{name} was written; what in it is new is not known")
        self.covers_all |= check.covers_all()
        gone = expected.gone and not expected.texts
        words = f"{_quoted(expected.gone[0])} is gone from {name}" if gone else f"{name} was written"
        return Receipt("file", "verified", words)

    def pointed_at(self, name: str, text: str) -> list[Receipt]:
        """The receipt for a file that the model points to: written in this run, below the home folder or a program's, with the text."""
        allowed = [self.home, *self._program_folders()]
        if "\0" in name or not is_evidence(name):
            return []
        for path in self._candidates(name):
            now = state_of(path)
            real = os.path.realpath(path)
            inside = any(Path(real).is_relative_to(os.path.realpath(each)) for each in allowed)
            fresh = now.modified >= self.began and not now.same(self._as_it_was(path))
            if (
                inside
                and (fresh or self._was_written_before(now))
                and holds(now, text)
                and not self.unaccounted
            ):
                return [Receipt("file", "verified", f"{self._shown(path)} holds {_quoted(text)}")]
        return []

    def _is_named(self, path: str) -> bool:
        """Do the words name this file? Then no other one is evidence for what is to be in it."""
        return any(path in self._candidates(each) for each in self.claims.named) and Path(path).is_file()

    # ---- places ------------------------------------------------------------------------------

    def keep_anything(self) -> bool:
        """Is there a program that keeps files of its own? Then what it was given has to be in one of them."""
        return bool(self._own)

    def _was(self, path: str) -> FileState:
        return self._before.get(path) or FileState(path)

    @property
    def _words(self) -> str:
        """All that the user has said."""
        return "\n".join(self._said)

    def _as_it_was(self, path: str) -> FileState:
        """The file when it was first met, wherever it was."""
        return self._own.get(path) or self._before.get(path) or self._loose.get(path) or FileState(path)

    def _was_written_before(self, now: FileState) -> bool:
        """Was the file written while this run worked, before it was cut short? What was in it until then is not known."""
        return any(start <= now.modified <= end for start, end in self.worked)

    def _watched(self) -> Iterable[str]:
        for name in self.claims.named:
            yield from self._candidates(name)
        for claim in self.claims.files:
            yield from self._candidates(claim.name, anywhere=True)
            if claim.to:
                yield from self._candidates(claim.to)

    def _candidates(self, name: str, *, anywhere: bool = False) -> list[str]:
        """Where a file of this name is meant to be; in the folder that the words name, when they name one, or `anywhere`."""
        if name.strip("<>") in paths.USUAL and name.startswith("<"):
            return [str(paths.of_user(name.strip("<>"), self.home))]
        if is_whole(name):
            return [joined(name, "", self.home)]
        whole = [joined(each, "", self.home) for each in self.claims.named if is_whole(each)]
        if same := [each for each in whole if PurePath(each).name == name]:
            return same
        named = self._named_folders()
        folders = (not anywhere and named) or [
            *named,
            self.home,
            *self._loose_folders(),
            *self._program_folders(),
        ]
        return list(dict.fromkeys(joined(name, folder, self.home) for folder in folders))

    def _destinations(self, to: str, source: str) -> list[str]:
        beside = str(Path(source).parent / to) if not is_whole(to) and not to.startswith("<") else ""
        found = [each for each in dict.fromkeys((beside, *self._candidates(to))) if each]
        return [
            str(Path(each) / Path(source).name) if os.path.isdir(each) else each  # noqa: PTH112
            for each in found
        ]

    def _named_folders(self) -> list[str]:
        """The folders that the words name: the usual ones by their names, others by their paths."""
        words = " ; ".join(spaced(re.sub(r"\S*[\\/]\S*", " ", each)) for each in self._said)
        usual = [
            str(paths.of_user(kind, self.home))
            for kind, phrases in scope_words().folders.items()
            if any(re.search(rf" (?:{_INTO})(?: \w+)?{spaced(each)}", words) for each in phrases)
        ]
        home = [self.home] if " home " in words else []
        whole = [joined(each, "", self.home) for each in self.claims.named if is_whole(each)]
        return [*home, *usual, *(each for each in whole if os.path.isdir(each))]  # noqa: PTH112

    def _loose_folders(self) -> frozenset[str]:
        return frozenset((self.home, *(str(paths.of_user(each, self.home)) for each in _LOOSE)))

    def _program_folders(self) -> list[str]:
        return sorted(
            each
            for places in self._places.values()
            for each in places
            if os.path.isdir(each)  # noqa: PTH112
        )

    def _shown(self, path: str) -> str:
        plain = f"~{path.removeprefix(self.home)}" if path.startswith(self.home + "/") else path
        return one_line(plain, 2 * _SHOWN)


_NO_FILE = Receipt("file", "unverified", "the file that is meant is not known")


def _day(nanoseconds: int) -> str:
    """The day of a file's time, as 2026-01-31; today for a time that is none."""
    try:
        when = datetime.fromtimestamp(nanoseconds / 1e9)
    except (OSError, OverflowError, ValueError):
        when = datetime.now()
    return f"{when.year:04}-{when:%m-%d}"


def _best(receipts: Iterable[Receipt]) -> Receipt | None:
    return min(receipts, key=lambda each: _RANK[each.verdict], default=None)


def _quoted(text: str) -> str:
    return f"“{one_line(text, _SHOWN)}{'…' if len(text) > _SHOWN else ''}”"
