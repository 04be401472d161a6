"""Batches that hold something down, drawn at random but the same for the same seed."""

from __future__ import annotations

from random import Random

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.input_events import Button

HELD_KEYS = ("shift", "ctrl", "alt", "x", "j", "f9", "down")
PLAIN_KEYS = ("x", "j", "f9", "down")  # text may be typed while these are held
BUTTONS: tuple[Button, ...] = ("left", "middle", "right")
LETTERS = "the quick brown fox jumps over the lazy dog 0123456789 "
FOREIGN = "λ→жя你好世界ąęłżŁŚšđčåøæßñ€†‡•ªºµ¿½¾αβγδεζηθιàéîöūабвгдежзийк"


def holding(random: Random, left: int, room: Size) -> tuple[ops.Op, ...]:
    """Keys and a button, held for long."""
    keys = random.sample(HELD_KEYS, random.randint(1, 3))
    button = ops.MouseDown(random.choice(BUTTONS), *_point(random, left, room))
    return (*map(ops.KeyDown, keys), button, ops.Wait(20))


def dragging(random: Random, left: int, room: Size) -> tuple[ops.Op, ...]:
    """A long drag, now and then with modifiers."""
    path = tuple(ops.Spot(*_point(random, left, room)) for _ in range(12))
    return (ops.Drag(path, random.choice(BUTTONS), random.choice(((), ("shift",), ("ctrl", "alt")))),)


def typing(random: Random, left: int, room: Size) -> tuple[ops.Op, ...]:
    """Plain text, quick or slow, while a key and a button are held."""
    words = "".join(random.choice(LETTERS) for _ in range(3000))
    return (*_held(random, left, room), ops.Type(words, random.choice((0.0, 0.002))))


def typing_foreign(random: Random, left: int, room: Size) -> tuple[ops.Op, ...]:
    """Text with more strange characters than there are free key codes, while a key and a button are held."""
    words = "".join(random.choice(FOREIGN) for _ in range(3000))
    return (*_held(random, left, room), ops.Type(words, random.choice((0.0, 0.002))))


KINDS = (holding, dragging, typing, typing_foreign)


def _held(random: Random, left: int, room: Size) -> tuple[ops.Op, ...]:
    return (ops.KeyDown(random.choice(PLAIN_KEYS)), ops.MouseDown("left", *_point(random, left, room)))


def _point(random: Random, left: int, room: Size) -> tuple[int, int]:
    return random.randrange(left, room.width), random.randrange(room.height)


# ---- every operation once --------------------------------------------------------------------

ELEMENTS = {"e1": Rect(100, 120, 40, 20), "e2": Rect(300, 300, 40, 20)}


def reference() -> dict[str, tuple[ops.Op, ...]]:
    """Batches that use every operation of the hand, most of them while something is held."""
    spots = (ops.Spot(200, 200), ops.Spot(224, 210))
    return {
        "holding": (ops.KeyDown("shift"), ops.MouseDown("left", 150, 150), ops.KeyDown("x")),
        "letting go": (
            ops.KeyDown("f9"),
            ops.KeyUp("f9"),
            ops.MouseDown("right", 9, 9),
            ops.MouseUp("right"),
        ),
        "clicking": (ops.Move(50, 60), ops.Click(120, 130, "middle", 2, ("ctrl", "shift"))),
        "dragging": (ops.Drag(spots, "left", ("alt",)),),
        "combining": (ops.KeyCombo(("ctrl", "alt", "j")), ops.KeyDown("ctrl"), ops.ReleaseAll()),
        "scrolling": (ops.KeyDown("shift"), ops.Scroll(1, -2, 100, 100), ops.Wait(0.01)),
        "typing": (ops.KeyDown("f9"), ops.Type("Hand\n\tgloves and more")),
        "typing slowly": (ops.KeyDown("f9"), ops.Type("abc", 0.001)),
        "typing foreign": (ops.MouseDown("left", 70, 500), ops.Type("aλ→Ж好")),
        "elements": (
            ops.KeyDown("shift"),
            ops.ClickElement("e1"),
            ops.HoverElement("e2"),
            ops.FocusElement("e1"),
            ops.ScrollElement("e2", 0, 1),
            ops.DragElement("e1", "e2"),
        ),
        "opening": (ops.KeyDown("x"), ops.Open("no such application")),
    }
