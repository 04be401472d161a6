"""The notes in one run: what the model is told of them when it begins, and what it has kept.

They are no more trusted than what is read on the screen: anybody who can write to the folder may have changed
them, and the model may have been made to write one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from desktop_agent.agent.notes.note_file import KeptNote
from desktop_agent.agent.notes.note_folder import NoteFolder
from desktop_agent.policy.facts.provenance import Origin, Provenance
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.ops import Remember
from desktop_agent.redaction.redactor import holds_secret, redactor
from desktop_agent.vision.elements.describe import one_line

MAX_WORDS = 1_500
"""Words of notes that a run is told, the newest first, as blanks part them."""
MAX_CHARACTERS = 12_000
"""Characters of them: what has no blanks in it is few words, however long."""
WHERE = "your notes"
"""Where a text was read that a note brought."""
_LINE = 300
_SOURCES = 8


class RunNotes:
    """The notes of the run called `run`, kept in `folder`; `provenance` tells where what it keeps comes from."""

    def __init__(self, folder: NoteFolder, run: str, provenance: Provenance) -> None:
        self._folder = folder
        self._run = run
        self._provenance = provenance

    def told(self) -> str:
        """What the model is told; "" without notes. It counts as read from then on."""
        text = told_notes(self._folder.notes())
        self._provenance.read(text, WHERE)
        return text

    def remember(self, op: Remember) -> str:
        """Keep, replace or remove a note; says what was done. Raises Refused with the reason why it was not."""
        words = (op.title, op.text, *op.about)
        if any(holds_secret(each) or redactor().discloses(each) for each in words):
            raise Refused("A note may not hold a secret.", "Leave it out.")
        try:
            if not op.text.strip():
                self._folder.remove(op.title)
                return f"The note “{op.title}” is removed."
            path = self._folder.keep(self._note(op))
        except OSError as error:
            raise Refused(f"The note cannot be written: {error.strerror}.") from error
        return f"Noted “{op.title}” in {path.name}."

    def _note(self, op: Remember) -> KeptNote:
        return KeptNote(
            title=op.title,
            text=op.text,
            written=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            run=self._run,
            source=tuple(_sources(self._provenance.located(self._provenance.of(op.text)))),
            about=op.about,
        )


def told_notes(notes: Iterable[KeptNote]) -> str:
    """The notes as the model is told them, as many of the newest as MAX_WORDS and MAX_CHARACTERS hold."""
    told: list[str] = []
    words, characters, untold = 0, 0, 0
    for note in notes:
        text = "\n".join(_lines(note))
        words, characters = words + len(text.split()), characters + len(text)
        if words > MAX_WORDS or characters > MAX_CHARACTERS:
            untold += 1
        else:
            told.append(text)
    more = [f"({untold} older notes are not told.)"] if untold else []
    return "\n\n".join((*told, *more)) if told else ""


def _lines(note: KeptNote) -> Iterator[str]:
    facts = (
        f"written {note.written}" if note.written else "",
        f"from {', '.join(note.source)}" if note.source else "nobody knows from where",
        f"about {', '.join(note.about)}" if note.about else "",
    )
    yield one_line(f"{note.title} ({'; '.join(filter(None, facts))}):", _LINE)
    yield from (f"| {line}" for line in note.text.splitlines())


def _sources(origin: Origin) -> Iterator[str]:
    if origin.source == "user":
        yield "the user's words"
    elif origin.source == "model":
        yield "the model's own words"
    else:
        if origin.where:
            yield one_line(f"read in “{origin.where}”", _LINE)
        for subject in sorted(origin.sources)[:_SOURCES]:
            yield one_line(f"made after reading {subject.what}", _LINE)
