"""What a goal asks for on a form: the values by their fields, the button that sends, and the words that had no place."""

from __future__ import annotations

import msgspec


class Placed(msgspec.Struct, frozen=True):
    """A value for the field of that number: a text, a choice, or for a box whether it is to be ticked."""

    field: int
    value: str = ""
    on: bool | None = None


class FormReading(msgspec.Struct, frozen=True):
    """What a goal asks for on a form. `send` is the button to press, "" for none; `left` are words that are not placed,
    `trouble` says in words why it cannot be carried out whatever else is seen."""

    placed: tuple[Placed, ...] = ()
    send: str = ""
    sends: bool = False
    left: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def whole(self) -> bool:
        """Is every word of the goal placed?"""
        return not self.left and not self.trouble
