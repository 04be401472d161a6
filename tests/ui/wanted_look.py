"""What is asked of a process that shows the program's windows, and what it answers."""

from __future__ import annotations

import msgspec

from desktop_agent.support.language import Language
from desktop_agent.ui.widgets.theme import Mode


class Wanted(msgspec.Struct, frozen=True):
    """A state of `every_window.STATES`, and how it is shown; `size` in logical pixels, (0, 0) for the window's own.

    `picture` names the PNG file that it is saved to, if any.
    """

    state: str
    mode: Mode = "light"
    language: Language = "en"
    rtl: bool = False
    size: tuple[int, int] = (0, 0)
    picture: str = ""

    @property
    def file_name(self) -> str:
        """The name of its baseline."""
        extras = (self.mode, self.language, *(("rtl",) if self.rtl else ()))
        return f"{self.state.replace(' ', '-')}.{'.'.join(extras)}.txt"


class Shown(msgspec.Struct, frozen=True):
    """What is there: its `look`, the words that are `cut`, the names of its `controls`; `family` and `scale` in force."""

    title: str
    look: list[str]
    cut: list[str]
    controls: list[str]
    family: str
    scale: float
