"""Reads from the user's words what has to be true at the end: which files, whether something has to last, what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.policy_tables import scope_words
from desktop_agent.policy.facts.words.claim_words import (
    asks_to_last,
    claim_table,
    file_verbs,
    spaced,
    without_politeness,
    words_of,
)
from desktop_agent.policy.facts.words.scope_from_words import is_file_name
from desktop_agent.policy.facts.words.spoken_words import mentioned, understand

FileAct: TypeAlias = Literal["write", "copy", "move", "delete"]

_QUOTED = r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|(?<!\w)['‘][^'’\n]{2,}['’](?!\w)"
_TOKEN = re.compile(rf"{_QUOTED}|\S+")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_EDGES = ",;:!?()[]<>\"'“”„«»‘’"
_NEAR = 3
"""So many words before a file its negation stands at most."""


@dataclass(frozen=True)
class FileClaim:
    """A file or folder that the words name, and what is to become of it.

    `to` is where it is copied or moved to; one of the user's usual folders is `<DOCUMENTS>` and the like. `sure`: it is
    a file by its name; else only if there is one. `new`: no verb says what becomes of it, so it only has to be there
    at the end if it was not before.
    """

    act: FileAct
    name: str
    to: str = ""
    sure: bool = True
    new: bool = False


@dataclass(frozen=True)
class Claims:
    """What the user's words make true at the end.

    `lasting`: something has to last or reaches others, so that a message is no evidence. `asks`: an answer is wanted.
    `quoted` are the texts in quotation marks that name no file, `named` all files that are spoken of, whatever for.
    """

    files: tuple[FileClaim, ...] = ()
    lasting: bool = False
    asks: bool = False
    quoted: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    deletes: bool = False
    said: str = " "

    def says(self, text: str) -> bool:
        """Does the text stand in the user's words?"""
        return bool(words_of(text)) and spaced(text) in self.said


def claims_of(texts: Sequence[str]) -> Claims:
    """The claims of all that the user has said."""
    sentences = [part for text in texts for part in _SENTENCE.split(text) if part.strip()]
    files = [claim for each in sentences for claim in _files(each)]
    named = tuple(dict.fromkeys(name for each in sentences for name in _names(each)))
    acts = f" {' '.join(words_of(understand(tuple(texts)).acts))} "
    deletes = any(file_verbs().get(word) == "delete" for word in acts.split())
    quoted = (_bare(each) for text in texts for each in re.findall(_QUOTED, text))
    return Claims(
        files=tuple(dict.fromkeys(files)),
        lasting=asks_to_last(acts),
        asks=any(_asks(each) for each in sentences),
        quoted=tuple(dict.fromkeys(each for each in quoted if each and each not in named)),
        named=named,
        deletes=deletes,
        said=" ".join(spaced(text) for text in texts),
    )


def _asks(sentence: str) -> bool:
    """A question begins with a word of it, or is put with one anywhere that is no relative pronoun ("tell me")."""
    bare, polite = without_politeness(re.sub(_QUOTED, " ", sentence))
    if sentence.rstrip(" \"'”").endswith("?") and not polite:
        return True
    phrases = [spaced(each) for each in claim_table().asking]
    return any(bare.startswith(each) or (" " in each.strip() and each in bare) for each in phrases) or bool(
        re.search(r" (and|then|please|to) (count|calculate|compute) | (and|then|please) report ", bare)
    )


def _bare(token: str) -> str:
    return token.strip(_EDGES).rstrip(".").strip()


def _names(sentence: str) -> list[str]:
    return [_bare(token) for token in _TOKEN.findall(sentence) if _is_file(_bare(token))]


def _is_file(name: str) -> bool:
    if "://" in name or name in ("", "/", "~", "~/"):
        return False
    return bool(re.match(r"(~|[A-Za-z]:)?[\\/][^\s]", name)) or is_file_name(
        name.replace("\\", "/").rpartition("/")[2]
    )


def _files(sentence: str) -> list[FileClaim]:
    """The claims of one sentence: each file belongs to the verb before it, with copy and move two belong together."""
    found: list[FileClaim] = []
    act, before, about_folder = "", list[str](), False
    for token in _TOKEN.findall(sentence):
        bare = _bare(token)
        word = fold(bare)
        if token[:1] not in "\"“„«'‘" and file_verbs().get(word):
            act, before = file_verbs()[word], [*before, word]
            about_folder = False
            continue
        about_folder |= word in claim_table().folders
        new = about_folder and _is_quoted(token) and bool(before) and before[-1] in claim_table().naming
        if _is_file(bare) or new or (_is_quoted(token) and act in ("move", "copy", "delete")):
            _claim(found, act, bare, before)
        before = [*before, *words_of(bare)]
    if name := _named_folder(sentence):
        _claim(found, "write" if "write" in {file_verbs().get(word) for word in before} else "read", name, ())
    usual = next(
        (f"<{kind}>" for kind, words in scope_words().folders.items() if mentioned(words, sentence)), ""
    )
    whole = [
        each
        if each.to or each.act not in ("copy", "move")
        else FileClaim(each.act, each.name, usual, each.sure)
        for each in found
    ]
    return [each for each in whole if each.act in ("write", "delete") or each.to]


def _named_folder(sentence: str) -> str:
    """The name of a folder without quotation marks, of up to all the words to the end: “a folder called My pictures”."""
    table = claim_table()
    pattern = rf"\b(?:{'|'.join(table.folders)})\s+(?:{'|'.join(table.naming)})\s+([^\s\"“„«'‘.,;:!?][^\n\"“„«.,;:!?]*)"
    found = re.search(pattern, sentence, re.IGNORECASE)
    return (
        re.split(r"\s(?:in|on|and|then|inside|into|at|for|from|so)\s", found[1])[0].strip() if found else ""
    )


def _is_quoted(token: str) -> bool:
    return token[:1] in "\"“„«'‘" and len(token) > 2


def _claim(found: list[FileClaim], act: str, name: str, before: Sequence[str]) -> None:
    near = before[-_NEAR:]
    if act == "" and _is_file(name) and not (before and before[-1] in claim_table().sources):
        found.append(FileClaim("write", name, new=True))
        return
    if act in ("", "read") or not set(claim_table().negations).isdisjoint(near):
        return
    if act == "write" and before and before[-1] in claim_table().sources:
        return
    last = found[-1] if found else None
    if act in ("copy", "move") and last is not None and last.act == act and not last.to:
        found[-1] = FileClaim(last.act, last.name, name, last.sure)
    else:
        found.append(FileClaim(cast("FileAct", act), name, sure=_is_file(name)))
