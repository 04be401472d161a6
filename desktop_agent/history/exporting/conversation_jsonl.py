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
    messages = list(_conversation(run.records)) or list(_told(run))
    pictures = _Pictures(run)
    with written_whole(path, replace=replace) as part, part.open("wb") as file:
        for message in messages:
            content = [plain for block in message.content for plain in pictures.plain(block)]
            if content:
                line = redactor().scrub({"role": message.role, "content": content})
                file.write(msgspec.json.encode(line) + b"\n")


def _conversation(records: Iterable[Record]) -> Iterator[Message]:
    """The recorded messages, neighbours of one role joined."""
    found: list[Message] = []
    for record in records:
        data = fields_of(record)
        if record.kind == "summary":
            data = data.get("message") or {}
        if record.kind in ("message", "summary") and data:
            try:
                append_to(found, msgspec.convert(data, Message))
            except msgspec.ValidationError:
                continue
    yield from found


def _told(run: LoggedRun) -> Iterator[Message]:
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


class _Pictures:
    """The blocks of a run as plain data, with its pictures in them."""

    def __init__(self, run: LoggedRun) -> None:
        self._folder = run.folder
        frames = (fields_of(each) for each in run.records if each.kind == "frame")
        self._hashes = {str(each.get("file")): str(each.get("hash")) for each in frames}

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
