"""The noise gate: a still screen keeps its bytes, a changed letter shows within two pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from desktop_agent.extras.camera.filming.noise_gate import NoiseGate
from tests.support.filmed_changes import FilmedDesk, changes, desk, differing, flaps, seen
from tests.support.simulated_camera import FAIR, GOOD, POOR, CameraQuality, Picture

FAINT = {".", ",", ":", ";", "l", "i"}
"""Letters that differ in one or two pixels, which the poor camera hardly tells from its noise."""


@pytest.mark.parametrize("quality", [GOOD, FAIR, POOR])
def test_a_still_screen_is_still_and_changed_letters_show(quality: CameraQuality) -> None:
    filmed, gate = FilmedDesk(quality, part=2), NoiseGate()
    assert flaps(filmed, gate, 10) == 0
    chosen = [each for each in changes(2) if quality is not POOR or each.first not in FAINT]
    _, missed, elsewhere = seen(filmed, gate, chosen)
    assert (missed, elsewhere) == ([], 0)


def noisy(picture: Picture, chance: np.random.Generator, light: float | Picture = 1.0) -> Picture:
    return np.clip(picture * light + chance.standard_normal(picture.shape) * 3, 0, 255).astype(np.uint8)


def small_desk() -> Picture:
    return desk()[:320, 20:500].copy()


def test_slow_light_is_no_change_but_a_line_and_a_cursor_are() -> None:
    chance, gate, screen = np.random.default_rng(3), NoiseGate(), small_desk()
    first = gate.let_through(noisy(screen, chance))
    for step in range(40):
        assert gate.let_through(noisy(screen, chance, 1 - 0.004 * step)) == first
    for area in (np.s_[300:301, 40:300], np.s_[60:76, 470:472]):
        screen[area] = 120
        gate.let_through(noisy(screen, chance, 0.84))
        now = gate.let_through(noisy(screen, chance, 0.84))
        differ = (np.frombuffer(first, np.uint32) != np.frombuffer(now, np.uint32)).reshape(320, 480)
        assert differ[area].any()
        first = now


def test_what_is_too_faint_for_two_pictures_shows_later() -> None:
    chance, gate, screen = np.random.default_rng(8), NoiseGate(), small_desk()
    for _ in range(24):
        first = gate.let_through(noisy(screen, chance))
    screen[301:304, 400:403] -= 5
    shows = [gate.let_through(noisy(screen, chance)) != first for _ in range(30)]
    assert shows[-1] and not shows[0]


def test_flicker_is_no_change() -> None:
    chance, gate, screen = np.random.default_rng(4), NoiseGate(), small_desk()
    bands = np.sin(np.linspace(0, 6, 320))[:, None, None]
    first = gate.let_through(noisy(screen, chance))
    for step in range(30):
        assert gate.let_through(noisy(screen, chance, 1 + 0.02 * np.roll(bands, 37 * step, axis=0))) == first


def test_another_picture_passes_whole_and_at_once() -> None:
    chance, gate = np.random.default_rng(5), NoiseGate()
    for _ in range(5):
        gate.let_through(noisy(small_desk(), chance))
    dark = 255 - small_desk()
    out = np.frombuffer(gate.let_through(noisy(dark, chance)), np.uint8).reshape(320, 480, 4)[..., :3]
    assert np.abs(cv2.blur(out, (5, 5)).astype(int) - cv2.blur(dark, (5, 5))).max() < 12


def test_pictures_of_one_look_are_averaged() -> None:
    chance, screen = np.random.default_rng(6), small_desk()
    flat = screen[100:120, 460:478].astype(float)
    spread = []
    for count in (1, 8):
        out = NoiseGate().let_through(*(noisy(screen, chance) for _ in range(count)))
        spread.append((np.frombuffer(out, np.uint8).reshape(320, 480, 4)[100:120, 460:478, :3] - flat).std())
    assert spread[1] < spread[0] / 2


def test_another_size_begins_anew_and_need_not_be_of_whole_tiles() -> None:
    gate, chance = NoiseGate(), np.random.default_rng(7)
    assert len(gate.let_through(small_desk())) == 320 * 480 * 4
    odd = small_desk()[:301, :463]
    first = gate.let_through(noisy(odd, chance))
    assert len(first) == 301 * 463 * 4
    assert gate.let_through(noisy(odd, chance)) == first


def test_differing_tells_where() -> None:
    one = np.zeros((800, 1280, 4), np.uint8)
    two = one.copy()
    two[5, 7] = 1
    assert np.argwhere(differing(one.tobytes(), two.tobytes())).tolist() == [[5, 7]]
