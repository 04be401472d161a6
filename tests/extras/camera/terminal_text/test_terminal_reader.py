"""Characters of a filmed terminal: real pixels of a font that the program brings, through the laboratory's camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.camera_parts import filmed_screen
from benchmarks.camera_parts.screen_painter import LIGHT, Look, paint
from desktop_agent.extras.camera.terminal_text import glyph_templates, learned_glyphs
from desktop_agent.extras.camera.terminal_text.terminal_reader import (
    GridHints,
    Patience,
    TerminalReader,
    learn_glyphs,
    read_terminal,
)
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.support import resources
from tests.support.simulated_camera import FAIR, GOOD, POOR, QUALITIES, CameraQuality

OWN = resources.path("fonts", "DejaVuSansMono.ttf")
SCREEN = (1280, 400)
"""Half as high as a screen: all of this costs half as long."""
LOOK = Look(font=OWN, screen=SCREEN)
LINES = [
    "anna@pi:~/work$ ls -l | grep '0O'",
    "-rw-r--r--  1 anna staff   178 Mar 11 01:02 l1I|l.conf",
    "-rw-r--r--  1 anna staff  9001 Mar 11 01:02 Oo0Q.tar.gz",
    "a;b:c,d.e `x` \"y\" 'z' {}[]()<> ~^_-=+*&%$#@! /?\\",
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789",
    "├── Größen – 89,90 €  • bezahlt ✓ …",
    "anna@pi:~/work$ cat /etc/shadow",
    "cat: /etc/shadow: Permission denied",
    "anna@pi:~/work$ ",
]
CURSOR = (8, 16)


@pytest.fixture(autouse=True)
def _only_own_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on every machine, whatever fonts it has."""
    monkeypatch.setattr(glyph_templates, "font_files", _own)


def _own() -> tuple[Path, ...]:
    return (OWN,)


def filmed(drawn: NDArray[Any], quality: CameraQuality, seed: int = 1) -> NDArray[Any]:
    """The picture of a screen of that size, as many of the camera's pixels to each of its own as usual."""
    return filmed_screen.filmed(drawn, replace(quality, size=(quality.size[0], quality.size[1] // 2)), seed)


def _read(lines: tuple[str, ...]) -> list[str]:
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize("quality", QUALITIES, ids=lambda each: each.name)
def test_every_character_and_the_state_are_read(quality: CameraQuality) -> None:
    state = read_terminal(filmed(paint(LINES, LOOK, CURSOR), quality))
    assert _read(state.content) == _read(tuple(LINES))
    assert state.prompt == "anna@pi:~/work$"
    assert state.cursor == CURSOR
    assert state.activity == "idle"
    assert state.error == "cat: /etc/shadow: Permission denied"
    assert state.reader == "glyphs"
    assert state.confidence > 0.3


@pytest.mark.parametrize(("shape", "cursor"), [("bar", CURSOR), ("underline", CURSOR)])
def test_cursors_of_other_shapes_are_found_and_are_no_text_on_a_light_ground(
    shape: str, cursor: tuple[int, int]
) -> None:
    look = replace(LOOK, theme=LIGHT, cursor_shape=shape)
    state = read_terminal(filmed(paint(LINES, look, cursor), FAIR))
    assert _read(state.content) == _read(tuple(LINES))
    assert state.cursor == cursor


def test_reverse_video_is_read() -> None:
    look = replace(LOOK, reversed_rows=frozenset({2, 7}))
    state = read_terminal(filmed(paint(LINES, look, CURSOR), FAIR))
    assert _read(state.content) == _read(tuple(LINES))


def test_a_single_prompt_is_enough() -> None:
    state = read_terminal(filmed(paint(["anna@pi:~$ "], LOOK, (0, 11)), FAIR))
    assert [line.strip() for line in state.content] == ["anna@pi:~$"]
    assert state.activity == "idle"


@pytest.mark.parametrize("quality", QUALITIES, ids=lambda each: each.name)
def test_a_clear_picture_of_a_single_prompt_is_sure(quality: CameraQuality) -> None:
    """Without noise the edge of the screen has more cells of faint ink than the prompt has letters."""
    page = paint(["anna@pi:~$ "], LOOK, (0, 11))
    page[-4:] = 12
    pictures = [filmed(page, quality, seed) for seed in range(4)]
    state = read_terminal(np.mean(pictures, axis=0).astype(np.uint8))
    assert (state.text, state.activity) == ("anna@pi:~$", "idle")
    assert state.confidence > 0.6


def test_later_looks_read_what_changed_and_keep_the_rest() -> None:
    reader = TerminalReader(GridHints(80, 12))
    before = filmed(paint(LINES, LOOK, CURSOR), GOOD)
    reader.read(before)
    after = before.copy()
    top = LOOK.origin[1] + 8 * LOOK.cell[1]
    typed = filmed(paint([*LINES[:-1], LINES[-1] + "whoami"], LOOK), GOOD)
    after[top : top + LOOK.cell[1]] = typed[top : top + LOOK.cell[1]]
    read = reader.read(after)
    assert read is not None
    assert _read(read.lines[:9]) == _read((*LINES[:-1], LINES[-1] + "whoami"))


def test_what_is_printed_below_a_single_prompt_is_read_whatever_the_distance_of_lines() -> None:
    look = replace(LOOK, size=20, cell=(12, 27), coloured=False)
    reader = TerminalReader()
    shown = []
    for number, count in enumerate((1, 9)):
        lines = LINES[-count:]
        picture = filmed(paint(lines, look, (count - 1, 16)), FAIR, number + 1)
        shown.append(_read(reader.state(picture).content) == _read(tuple(lines)))
    assert shown == [True, True]
    kept = reader.fit
    assert kept is not None and round(kept.grid.size[1], 1) == 27


def test_something_else_for_a_moment_does_not_cost_the_grid() -> None:
    reader = TerminalReader()
    picture = filmed(paint(LINES, LOOK, CURSOR), FAIR)
    reader.state(picture)
    noise = np.random.default_rng(1).integers(0, 255, (20, 64, 3)).astype(np.uint8)
    reader.state(np.kron(noise, np.ones((20, 20, 1), np.uint8)))
    assert _read(reader.state(picture).content) == _read(tuple(LINES))


def test_attempts_that_came_to_nothing_become_rarer_until_more_is_written() -> None:
    patience = Patience()
    assert [patience.allows(5) for _ in range(7)] == [True, False, True, False, False, False, True]
    assert patience.allows(9)


def test_a_picture_without_a_terminal_gives_no_text() -> None:
    chance = np.random.default_rng(3)
    desktop = np.full((400, 1280, 3), (120, 90, 60), np.uint8)
    for _ in range(40):
        x, y = int(chance.integers(1200)), int(chance.integers(360))
        desktop[y : y + int(chance.integers(10, 200)), x : x + int(chance.integers(10, 300))] = (
            chance.integers(0, 255, 3)
        )
    state = read_terminal(filmed(desktop, FAIR))
    assert (state.content, state.confidence) == ((), 0.0)


def test_an_empty_screen_gives_no_text() -> None:
    assert read_terminal(filmed(np.zeros((400, 1280, 3), np.uint8), POOR)).content == ()


def test_a_font_of_its_own_is_learned_kept_and_read(tmp_path: Path) -> None:
    small = replace(
        LOOK, size=20, coloured=False
    )  # letters that stand apart, as no font that is tried has them
    sheet = learned_glyphs.sheet(78, 11).split("\n")
    glyphs = learn_glyphs(filmed(paint(sheet, small), FAIR), sheet)
    learned_glyphs.save(glyphs, tmp_path / "glyphs.npz")
    lines = [line for line in LINES if line.isascii()]
    picture = filmed(paint(lines, small), FAIR, 2)
    plain = TerminalReader().state(picture)
    state = read_terminal(picture, learned=learned_glyphs.load(tmp_path / "glyphs.npz"))
    assert _read(state.content) == _read(tuple(lines))
    assert plain.confidence < state.confidence


def test_another_text_is_not_learned_from() -> None:
    with pytest.raises(Refused, match="another text"):
        learn_glyphs(filmed(paint(LINES, LOOK), GOOD), learned_glyphs.sheet(78, 11))


def test_a_broken_record_is_told(tmp_path: Path) -> None:
    (tmp_path / "glyphs.npz").write_bytes(b"no archive")
    with pytest.raises(ConfigError, match="cannot be read"):
        learned_glyphs.load(tmp_path / "glyphs.npz")
