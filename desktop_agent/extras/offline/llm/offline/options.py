"""What can be set of the offline model."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`home` is the folder that "the home folder" means; the user's own when empty."""

    home: str = ""
