"""What has been spoken of so far in an instruction: the file, the folder, the text, the result that "it" may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid

Topic: TypeAlias = Literal["", "document", "file", "folder", "result", "thing", "app"]


@dataclass
class Talk:
    """`topic` is what was spoken of last; `document` that something is being worked on, `app` what was brought up.

    `told_of` says that the thing was named in a sentence that only tells how things are, `announced` are words that
    ask for something only together with what follows ("fill in the form: …"); `last` is what was asked for last, `mine` what was said to be the user's name, address and so on.
    """

    topic: Topic = ""
    file: FileSaid | None = None
    folder: str = ""
    thing: Phrase | None = None
    app: str = ""
    document: bool = False
    command: bool = False
    labelled: bool = False
    page: bool = False
    selected: bool = False
    result: bool = False
    typed: bool = False
    moved: bool = False
    closing: bool = False
    told_of: bool = False
    fact: str = ""
    announced: str = ""
    last: tuple[str, dict[str, Any]] | None = None
    mine: tuple[tuple[Phrase, str], ...] = ()
    numbers: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()

    def of_file(self, file: FileSaid, *, open_now: bool = False) -> None:
        self.file, self.topic = file, "folder" if file.is_folder else "file"
        if file.is_folder:
            self.folder = f"{file.folder}/{file.name}" if file.folder else file.name
        if open_now:
            self.document, self.topic = True, "document"

    def forget(self) -> None:
        """What "it" was is not known any more."""
        self.file, self.thing, self.topic = None, None, ""

    def of_folder(self, folder: str) -> None:
        self.folder, self.topic = folder, "folder"

    def of_document(self) -> None:
        self.document, self.topic = True, "document"

    def of_result(self) -> None:
        self.topic, self.result = "result", True

    def of_thing(self, thing: Phrase) -> None:
        self.thing, self.topic, self.told_of = thing, "thing", False

    def of_page(self) -> None:
        self.thing, self.page = None, True

    def of_app(self, app: str) -> None:
        self.app, self.topic = app, "app"
