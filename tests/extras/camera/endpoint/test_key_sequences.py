"""Keys become what xterm sends for them, and what types nothing in a terminal is refused."""

from __future__ import annotations

import pytest

from desktop_agent.extras.camera.endpoint.key_sequences import key_sequence
from desktop_agent.protocol.errors import Refused


@pytest.mark.parametrize(
    ("key", "modifiers", "typed"),
    [
        ("Enter", (), b"\r"),
        ("Tab", (), b"\t"),
        ("Tab", ("shift",), b"\x1b[Z"),
        ("Escape", (), b"\x1b"),
        ("Backspace", (), b"\x7f"),
        ("Backspace", ("ctrl",), b"\x08"),
        ("Delete", (), b"\x1b[3~"),
        ("ArrowUp", (), b"\x1b[A"),
        ("ArrowLeft", ("ctrl",), b"\x1b[1;5D"),
        ("ArrowLeft", ("ctrl", "shift"), b"\x1b[1;6D"),
        ("PageDown", (), b"\x1b[6~"),
        ("F1", (), b"\x1bOP"),
        ("F5", (), b"\x1b[15~"),
        ("F12", ("alt",), b"\x1b[24;3~"),
        ("a", (), b"a"),
        ("a", ("shift",), b"A"),
        ("1", ("shift",), b"!"),
        ("c", ("ctrl",), b"\x03"),
        ("C", ("ctrl",), b"\x03"),
        ("c", ("Control",), b"\x03"),
        ("space", ("ctrl",), b"\0"),
        ("[", ("ctrl",), b"\x1b"),
        ("_", ("ctrl",), b"\x1f"),
        ("b", ("alt",), b"\x1bb"),
        ("c", ("ctrl", "alt"), b"\x1b\x03"),
        ("ß", (), "ß".encode()),
        (" ", (), b" "),
    ],
)
def test_a_key_types_what_xterm_sends(key: str, modifiers: tuple[str, ...], typed: bytes) -> None:
    assert key_sequence(key, modifiers).usual == typed


def test_cursor_keys_have_a_form_of_their_own_for_full_screen_programs() -> None:
    assert key_sequence("up").application == b"\x1bOA"
    assert key_sequence("up", ("ctrl",)).application == b"\x1b[1;5A"


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [("ctrl", ()), ("volume_up", ()), ("caps_lock", ()), ("f30", ()), ("nothing", ()), ("\x07", ()), ("a", ("win",)),
     ("a", ("b",)), ("a", ("ctrl", "control"))],
)  # fmt: skip
def test_what_types_nothing_is_refused(key: str, modifiers: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        key_sequence(key, modifiers)
