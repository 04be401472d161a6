"""Writes a run's conversation as JSON lines: `{"role", "content": [{"type": "text" …} or {"type": "image" …}]}`.

Four roles: user, assistant, command, environment. Neighbours of one role are one line. Pictures stand in it as PNG in
base64; what a summary replaced stays, and the summary follows as the assistant's.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from desktop_agent.agent.runlog.hash_chained_log import Record, fields_of
from desktop_agent.history.exporting.export_file import written_whole
from desktop_agent.history.logged_run import LoggedRun
from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import StoryPicture, story_of
from desktop_agent.protocol.chat_messages import (
    Block,
    GivenBlock,
    Message,
    PictureBlock,
    ResultBlock,
    Role,
    TextBlock,
    append_to,
)
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.redaction.redactor import redactor

_UNKNOWN_PICTURE = "[a picture that was not kept]"


def write_conversation_jsonl(run: LoggedRun, path: Path, *, replace: bool = False) -> None:
    """Write the conversation of a run at `path`, what was said and done where none was recorded. Raises ExportError."""
    pictures = RunPictures(run.folder)
    for record in run.records:
        pictures.know(record)
    with written_whole(path, replace=replace) as part, part.open("wb") as file:
        for message in list(_conversation(run.records)) or list(told_messages(run)):
            file.write(line_of(message, pictures))


def line_of(message: Message, pictures: RunPictures) -> bytes:
    """The line that a message is, with its end; b"" for one in which nothing can be shown."""
    content = [plain for block in message.content for plain in pictures.plain(block)]
    if not content:
        return b""
    return msgspec.json.encode(redactor().scrub({"role": message.role, "content": content})) + b"\n"


def opening_of(record: Record) -> Message | None:
    """The goal in a record of a run, whose first one stands before all messages; None where it is of something else."""
    text = str(fields_of(record).get("text", "")) if record.kind == "goal" else ""
    return Message("user", (TextBlock(text),)) if text else None


def message_of(record: Record) -> Message | None:
    """What was said in a record of a run; None where it is of something else."""
    data = fields_of(record)
    if record.kind == "summary":
        data = data.get("message") or {}
    if record.kind not in ("message", "summary") or not data:
        return None
    try:
        return msgspec.convert(data, Message)
    except msgspec.ValidationError:
        return None


def _conversation(records: Iterable[Record]) -> Iterator[Message]:
    """The recorded messages, neighbours of one role joined."""
    found: list[Message] = []
    opening: Message | None = None
    for record in records:
        opening = opening or opening_of(record)
        if (message := message_of(record)) is not None:
            if opening is not None and not found:
                append_to(found, opening)
            append_to(found, message)
    yield from found


def told_messages(run: LoggedRun) -> Iterator[Message]:
    """What was said and done, for a model that read no conversation."""
    story = story_of(run)
    found: list[Message] = []
    shown = -1
    for moment in story.moments:
        role: Role = "user" if moment.kind == "goal" else "environment"
        if moment.kind in ("note", "plan", "question", "done", "answered"):
            role = "assistant"
        if moment.kind == "action":
            append_to(found, Message("command", (TextBlock(moment.exact),)))
            words = f"{moment.words}: {moment.outcome}, {moment.effect}"
            append_to(
                found, Message("environment", (TextBlock("\n".join(filter(None, (words, moment.detail)))),))
            )
        else:
            append_to(found, Message(role, (TextBlock(moment.words),)))
        if moment.picture not in (shown, -1):
            shown = moment.picture
            picture = story.pictures[shown]
            kind = "image/png" if picture.file.endswith(".png") else "image/jpeg"
            block = PictureBlock(kind, Size(picture.region.width, picture.region.height), file=picture.file)
            append_to(found, Message("environment", (TextBlock("[LOOK]"), block)))
    yield from found


class RunPictures:
    """The blocks of a run as plain data, with its pictures in them; `last` is the last picture, as PNG."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hashes: dict[str, str] = {}
        self.last = b""

    def know(self, record: Record) -> None:
        """Take in the hash of a picture that a record tells of: one that was changed since is not shown."""
        if record.kind == "frame":
            frame = fields_of(record)
            self._hashes[str(frame.get("file"))] = str(frame.get("hash"))

    def plain(self, block: Block) -> Iterator[dict[str, Any]]:
        match block:
            case TextBlock():
                yield {"type": "text", "text": block.text}
            case PictureBlock():
                yield self._picture(block)
            case GivenBlock():
                yield from ({"type": "text", "text": block.text},) if block.text else ()
            case ResultBlock():
                for each in block.content:
                    yield from self.plain(each)

    def _picture(self, block: PictureBlock) -> dict[str, Any]:
        kept = StoryPicture(block.file, self._hashes.get(block.file, ""), Rect(0, 0, 1, 1))
        png = _as_png(picture_bytes(self._folder, kept))
        if not png:
            return {"type": "text", "text": _UNKNOWN_PICTURE}
        self.last = png
        source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(png).decode("ascii")}
        return {"type": "image", "source": source}


def _as_png(picture: bytes) -> bytes:
    """The picture as PNG; b"" for one that cannot be read."""
    if picture.startswith(b"\x89PNG"):
        return picture
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(picture), formats=("JPEG",)) as image:
            image.save(out, "PNG", compress_level=1)
    except (OSError, ValueError, Image.DecompressionBombError):
        return b""
    return out.getvalue()
