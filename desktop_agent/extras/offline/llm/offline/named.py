"""How a person names a thing on the screen."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Side: TypeAlias = Literal["", "near", "below", "above", "left", "right"]


Zone: TypeAlias = Literal["", "left", "right", "top", "bottom"]


class Phrase(msgspec.Struct, frozen=True):
    """How a person names a thing on the screen.

    `name` are the words on or beside it, `kind` the sort of thing ("button", "field", … or "" when
    not said), `ordinal` the n-th of several (1 is the first, -1 the last, 0 not said), `near` and
    `side` its place beside another thing, `within` the window or part it is in. `quoted` means that
    the name was in quotation marks and must fit exactly. `spoken` is all that was said, article
    apart: "first name field" may be the field called "First name". With `any` ("a button", "any
    link") one of several is as good as another. `zone` is the part of the window it is said to be in.
    """

    name: str
    kind: str = ""
    ordinal: int = 0
    near: str = ""
    side: Side = ""
    within: str = ""
    quoted: bool = False
    spoken: str = ""
    any: bool = False
    zone: Zone = ""
