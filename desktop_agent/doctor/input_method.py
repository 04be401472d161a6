"""Finds input methods (IBus, Fcitx) that get the keys before the programs do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_agent.doctor.check import Check

_SETTINGS = ("XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE", "QT_IM_MODULES")
_PLAIN = frozenset(("", "none", "simple", "gtk-im-context-simple", "xim", "compose", "local", "wayland"))
"""Values that name no input method: these do dead keys and Compose only."""


def checks(environ: Mapping[str, str]) -> Sequence[Check]:
    """A note for each input method that the session's variables name: no fault, but it changes what typing does."""
    values = (environ.get(name, "").removeprefix("@im=") for name in _SETTINGS)
    names = {each.casefold() for value in values for each in value.split(";")} - _PLAIN
    return [_note(name) for name in sorted(names)]


def _note(name: str) -> Check:
    detail = (
        f"{name} gets every key before the program does, the agent's too: while it composes (Pinyin, Kana, "
        "Hangul), letters become other characters. Switch it to plain letters before a task that types."
    )
    return Check("input method", "ok", detail)
