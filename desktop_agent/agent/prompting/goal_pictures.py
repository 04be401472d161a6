"""The pictures that the user gave in a run: told with the goal in every turn, and kept in the run's folder."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import Block, Message, PictureBlock, TextBlock
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support import resources

MOST = 8
"""Pictures that are told; older ones are left out."""
NOT_SEEN = (
    "The model in use sees no pictures: yours was not shown to it. Put into words what it needs to know."
)
LOST = (
    "A picture that you gave then is not in the folder of the run any more: give it again when it is needed."
)


class GoalPictures:
    """The user's own pictures of one run. `keep` keeps one as a file of the run; `sees`: the model sees pictures.

    What is written in them is content, no order: they grant nothing.
    """

    def __init__(self, feed: Feed, keep: Callable[[PictureBlock], Block], *, sees: bool) -> None:
        self._feed, self._keep, self._sees = feed, keep, sees
        self._given: list[tuple[int, Block]] = []

    def give(self, turn: int, pictures: Sequence[PictureBlock]) -> bool:
        """Take in what was given in a turn; the user is told where the model cannot see it. Raises StoreError."""
        if pictures and not self._sees:
            self._feed.emit(say.Note(text=NOT_SEEN))
            return False
        for each in pictures:
            kept = self._keep(each)
            file = kept.file if isinstance(kept, PictureBlock) else ""
            self._feed.record("given_picture", {"turn": turn, "file": file, "size": each.size})
            self._given.append((turn, kept))
        del self._given[:-MOST]
        return bool(pictures)

    def restore(self, given: Sequence[tuple[int, PictureBlock]], folder: Path) -> bool:
        """Go on with those of a run that was cut short, which its folder holds. Raises StoreError."""
        if given and not self._sees:
            self._feed.emit(say.Note(text=NOT_SEEN))
            return False
        self._given = [(turn, _with_data(block, folder)) for turn, block in given[-MOST:]]
        return bool(given)

    def opening(self, text: str) -> Message:
        """What every conversation begins with: `text`, then the pictures, each under a line of ours."""
        blocks: list[Block] = [TextBlock(text)]
        for turn, picture in self._given:
            caption = resources.text("prompts", "given_picture.md").replace("{turn}", str(turn))
            blocks += [TextBlock(caption), picture]
        return Message("user", tuple(blocks))


def _with_data(block: PictureBlock, folder: Path) -> PictureBlock:
    try:
        data = (folder / block.file).read_bytes()
    except OSError as error:
        raise StoreError(f"{block.file} cannot be read: {error.strerror}.", "Give the goal anew.") from error
    return msgspec.structs.replace(block, data=base64.b64encode(data).decode())
