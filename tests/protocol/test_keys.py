"""One key vocabulary with many aliases."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.keys import NAMES, canonical, is_modifier


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("control", "ctrl"), ("Ctrl", "ctrl"), ("Control_L", "ctrl_left"), ("cmd", "super"), ("win", "super"),
        ("super", "super"), ("Super_L", "super_left"), ("meta", "alt"), ("option", "alt"), ("Return", "enter"),
        ("enter", "enter"), ("KP_Enter", "kp_enter"), ("Page_Up", "page_up"), ("pageup", "page_up"),
        ("PgDn", "page_down"), ("Prior", "page_up"), ("Next", "page_down"), ("Escape", "escape"), ("esc", "escape"),
        ("BackSpace", "backspace"), ("F1", "f1"), ("f35", "f35"), ("KP_0", "kp_0"), ("num9", "kp_9"),
        ("XF86AudioPlay", "media_play_pause"), ("volumeup", "volume_up"), ("ArrowLeft", "left"), ("a", "a"),
        ("A", "A"), ("ß", "ß"), (" ", "space"), ("plus", "+"), ("ISO_Level3_Shift", "altgr"), ("Print", "print_screen"),
    ],
)  # fmt: skip
def test_aliases(alias: str, name: str) -> None:
    assert canonical(alias) == name


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_canonical_name_stands_for_itself(name: str) -> None:
    assert canonical(name) == name
    assert canonical(name.upper()) == name


@pytest.mark.parametrize("bad", ["", "entr", "f36", "f0", "ctrl+c", "\x1b", "\x00", "x" * 40])
def test_unknown_names_are_refused(bad: str) -> None:
    with pytest.raises(Refused):
        canonical(bad)


def test_modifiers() -> None:
    assert is_modifier("ctrl") and is_modifier("shift_right") and not is_modifier("enter")


@pytest.mark.parametrize(
    ("names", "pressed"),
    [
        (("CTRL", "A"), ("ctrl", "a")),
        (("ctrl", "shift", "A"), ("ctrl", "shift", "a")),
        (("A",), ("A",)),
        (("Control_L", "É"), ("ctrl_left", "é")),
        (("ctrl", "+"), ("ctrl", "+")),
        (("ctrl", "ß"), ("ctrl", "ß")),
        (("ctrl", "İ"), ("ctrl", "İ")),
        (("alt", "Return"), ("alt", "enter")),
    ],
)
def test_a_letter_beside_other_keys_is_the_key(names: tuple[str, ...], pressed: tuple[str, ...]) -> None:
    assert keys.together(names) == pressed
