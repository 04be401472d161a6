import random
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_agent.extras.avis.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_theme import theme
from desktop_agent.extras.avis.simulation.painting.drawers import DRAWERS, draw, reach
from desktop_agent.extras.avis.simulation.painting.painter import Painter
from desktop_agent.extras.avis.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.extras.avis.simulation.painting.sheet import blank_sheet
from desktop_agent.protocol.geometry import Rect, Size
from tests.extras.avis.simulation.showcase import SCREEN, WHOLE, piece, showcase, theme_names

STATES = (
    "hovered",
    "pressed",
    "focused",
    "disabled",
    "checked",
    "selected",
    "expanded",
    "read_only",
    "front",
)
TOLD_APART = {
    "button": ("hovered", "pressed", "focused", "disabled"),
    "link": ("hovered", "focused", "disabled"),
    "field": ("hovered", "focused", "disabled", "read_only"),
    "area": ("focused", "disabled"),
    "check": ("hovered", "pressed", "focused", "disabled", "checked"),
    "radio": ("hovered", "pressed", "focused", "disabled", "checked"),
    "drop_down": ("hovered", "focused", "disabled", "expanded"),
    "knob": ("hovered", "pressed", "focused", "disabled"),
    "slider": ("focused", "disabled"),
    "row": ("hovered", "pressed", "selected", "selected focused", "disabled", "odd"),
    "cell": ("selected", "disabled"),
    "tab": ("hovered", "pressed", "selected", "focused", "disabled"),
    "menu": ("hovered", "expanded", "focused", "disabled"),
    "menu_item": ("hovered", "disabled"),
    "expander": ("expanded", "hovered", "disabled"),
    "column": ("hovered",),
    "close": ("hovered", "pressed"),
    "title_bar": ("front",),
    "shadow": ("front",),
    "scroll_thumb": ("hovered", "pressed"),
    "list": ("focused", "disabled"),
    "shape": ("hovered", "selected"),
}


def _picture(painter: Painter) -> NDArray[np.uint8]:
    return np.frombuffer(painter.pixels(WHOLE), np.uint8).reshape(SCREEN.height, SCREEN.width, 4)


def _painted(pieces: list[ScreenPiece], name: str = "light") -> Painter:
    painter = Painter(SCREEN)
    painter.paint(pieces, theme(name))
    return painter


def _inside(rects: list[Rect]) -> NDArray[np.bool_]:
    mask = np.zeros((SCREEN.height, SCREEN.width), bool)
    for rect in rects:
        mask[max(0, rect.y) : max(0, rect.bottom), max(0, rect.x) : max(0, rect.right)] = True
    return mask


def test_there_is_a_drawer_for_every_kind_and_the_showcase_has_them_all() -> None:
    kinds = set(get_args(Kind))
    assert set(DRAWERS) == kinds
    assert {each.kind for each in showcase(theme("light"))} == kinds


@pytest.mark.parametrize("name", theme_names())
def test_the_same_pieces_give_the_same_bytes(name: str) -> None:
    pieces = showcase(theme(name))
    first, second = _painted(pieces, name), Painter(SCREEN)
    second.paint(showcase(theme("dark")), theme("dark"))
    assert second.paint(showcase(theme(name)), theme(name)) == ([] if name == "dark" else [WHOLE])
    assert first.pixels(WHOLE) == second.pixels(WHOLE)


def test_every_theme_looks_different() -> None:
    pictures = {_painted(showcase(theme(name)), name).pixels(WHOLE) for name in theme_names()}
    assert len(pictures) == len(theme_names()) == 5


def test_nothing_is_drawn_when_nothing_differs() -> None:
    painter = _painted(showcase(theme("light")))
    before = painter.pixels(WHOLE)
    assert painter.paint(showcase(theme("light")), theme("light")) == []
    assert painter.pixels(WHOLE) == before


@pytest.mark.parametrize("seed", range(8))
def test_drawing_what_differs_gives_what_drawing_everything_gives(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    name = chance.choice(theme_names())
    pieces = showcase(theme(name))
    painter = _painted(pieces, name)
    for _ in range(5):
        before = _picture(painter)
        pieces = _altered(pieces, chance)
        dirty = painter.paint(pieces, theme(name))
        after = _picture(painter)
        changed = (before != after).any(axis=2)
        assert not (changed & ~_inside(dirty)).any()
        assert np.array_equal(after, _picture(_painted(pieces, name)))


def _altered(pieces: list[ScreenPiece], chance: random.Random) -> list[ScreenPiece]:
    """Some pieces with other states, moved, clipped, taken away, doubled or in another order."""
    found = list(pieces)
    for _ in range(chance.choice((1, 2, 5, 40))):
        place = chance.randrange(1, len(found))
        old = found[place]
        change = chance.randrange(6)
        if change == 0:
            found[place] = _with(old, states=frozenset(chance.sample(STATES, chance.randrange(4))))
        elif change == 1:
            moved = old.rect.moved(chance.randrange(-30, 30), chance.randrange(-30, 30))
            found[place] = _with(old, rect=moved)
        elif change == 2:
            found[place] = _with(old, clip=old.rect.grown(-chance.randrange(8), chance.randrange(-8, 8)))
        elif change == 3:
            del found[place]
        elif change == 4:
            found.insert(chance.randrange(1, len(found)), old)
        else:
            found.append(found.pop(place))
    return found


def _with(old: ScreenPiece, **fields: object) -> ScreenPiece:
    return ScreenPiece(**{name: getattr(old, name) for name in old.__struct_fields__} | fields)


@pytest.mark.parametrize("name", ["light", "serif", "tiny_mono"])
def test_a_piece_changes_nothing_outside_of_its_reach(name: str) -> None:
    look = PreparedTheme(theme(name))
    sheet = blank_sheet(Rect(0, 0, 300, 200))
    chance = random.Random(name)  # noqa: S311
    for each in showcase(theme(name))[1:]:
        for tiny in (False, True):
            x, y = 100, 80
            wide = chance.randrange(60) if tiny else min(each.rect.width, 120)
            high = chance.randrange(40) if tiny else min(each.rect.height, 60)
            rect = Rect(x, y, wide, high)
            text = chance.choice((each.text, "Á long text y" * 9))
            clip = chance.choice((WHOLE, rect.grown(-3, -4)))
            states = frozenset(chance.sample(STATES, chance.randrange(4)))
            points = (x, y, x + 20, y + 10) if each.points else None
            tried = _with(each, text=text, rect=rect, clip=clip, states=states, points=points)
            alone = sheet.cut(sheet.area)
            draw(alone, look, tried)
            drawn = np.frombuffer(alone.image.tobytes(), np.uint32).reshape(200, 300) != 0
            may = reach(tried).intersection(sheet.area)
            drawn[may.y : may.bottom, may.x : may.right] = False
            assert not drawn.any(), tried


@pytest.mark.parametrize("name", theme_names())
def test_states_are_told_apart(name: str) -> None:
    size = Size(160, 60)
    screen = Rect(0, 0, size.width, size.height)
    for kind, states in TOLD_APART.items():
        pictures: dict[bytes, str] = {}
        for state in ("", *states):
            painter = Painter(size)
            pieces = [
                piece("window", 0, 0, 160, 60),
                piece(kind, 20, 15, 120, 30, "Text", state, ratio=0.5, colour="#3a7bd5"),  # type: ignore[arg-type]
            ]
            painter.paint(pieces, theme(name))
            pixels = painter.pixels(screen)
            if name == "contrast" and kind == "shadow":
                continue  # black on black
            assert pixels not in pictures, f"{kind}: {state!r} looks like {pictures[pixels]!r}"
            pictures[pixels] = state


def test_one_change_draws_a_small_part() -> None:
    pieces = showcase(theme("light"))
    place = next(i for i, each in enumerate(pieces) if each.kind == "button" and not each.states)
    painter = _painted(pieces)
    pieces[place] = _with(pieces[place], states=frozenset({"hovered"}))
    assert painter.paint(pieces, theme("light")) == [pieces[place].rect]


def test_two_changes_far_from_each_other_are_two_parts() -> None:
    ground = piece("desktop", 0, 0, WHOLE.width, WHOLE.height)
    one, other = piece("button", 10, 10, 80, 30, "A"), piece("button", 1000, 700, 80, 30, "B")
    painter = _painted([ground, one, other])
    again = [ground, _with(one, text="C"), _with(other, text="D")]
    assert set(painter.paint(again, theme("light"))) == {one.rect, other.rect}


def test_a_window_that_is_raised_is_drawn_over_the_other() -> None:
    ground = piece("desktop", 0, 0, WHOLE.width, WHOLE.height)
    one, other = piece("window", 100, 100, 300, 200), piece("panel", 250, 150, 300, 200, style="framed")
    painter = _painted([ground, one, other])
    dirty = painter.paint([ground, other, one], theme("light"))
    assert len(dirty) == 1
    assert np.array_equal(_picture(painter), _picture(_painted([ground, other, one])))


def test_pixels_are_blue_green_red() -> None:
    painter = _painted([piece("shape", 0, 0, 1280, 900, colour="#102030", style="rect")])
    assert painter.pixels(Rect(640, 450, 2, 1))[:3] == bytes((0x30, 0x20, 0x10))
    assert painter.image().getpixel((640, 450)) == (0x10, 0x20, 0x30)


def test_pixels_of_a_part_are_rows_without_padding() -> None:
    painter = _painted(showcase(theme("light")))
    area = Rect(33, 47, 101, 53)
    part = np.frombuffer(painter.pixels(area), np.uint8).reshape(53, 101, 4)
    assert np.array_equal(part, _picture(painter)[47:100, 33:134])
    rgb = np.asarray(painter.image())
    assert np.array_equal(rgb[47:100, 33:134], part[:, :, 2::-1])


def test_pixels_outside_of_the_screen_are_refused() -> None:
    with pytest.raises(ValueError, match="not on the screen"):
        _painted([]).pixels(Rect(1200, 0, 100, 10))
