"""Records of file dialogs and of the files an operation would reach."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

ChooserKind: TypeAlias = Literal["save", "open", "rename", "manager", "unread"]
"""`manager` is a window of a file manager, `unread` a file dialog that does not tell what is in it."""
FileAction: TypeAlias = Literal["write", "open", "leave", "delete"]


class Chooser(msgspec.Struct, frozen=True):
    """What a file dialog or a file manager shows.

    `name` is what stands in the name field, "" when it is empty or there is none (`has_field`); `folder` the
    whole path of the folder shown, "" when only names are shown: `trail`, the last of the path's names.
    `selected` are names of files that are selected.
    """

    kind: ChooserKind
    pid: int = 0
    name: str = ""
    has_field: bool = False
    folder: str = ""
    trail: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()


class FileTarget(msgspec.Struct, frozen=True):
    """A file that an operation would write, open, delete or send away.

    `path` is where it really is, `why` for what reason it is protected ("" when it is not), `own` that it
    belongs to this program; `overwrites` that a file is there that this run has not made; `named` that the
    user's own words name it. `unknown` says why the path cannot be told; then `path` is what is known of it.
    """

    action: FileAction
    path: str = ""
    why: str = ""
    own: bool = False
    overwrites: bool = False
    named: bool = False
    unknown: str = ""

    @property
    def concern(self) -> int:
        """How much it matters: of several files that may be meant, the one with the most is judged."""
        if self.own:
            return 5
        return 4 * bool(self.why) or 3 * bool(self.unknown) or 2 * (self.overwrites and not self.named)
