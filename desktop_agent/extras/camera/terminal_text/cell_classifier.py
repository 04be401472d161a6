"""Tells which character stands in each cell of a terminal's picture, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_agent.extras.camera.terminal_text.glyph_templates import GlyphSet

FAINTEST = 0.12
"""Ink of a character that is read, as a share of the usual contrast of the screen."""
_LEAST_CONTRAST, _LEAST_EXPLAINED = 14.0, 0.3
FAINT, JUNK = 0.35, 0.5
"""The contrast, as a share of the usual, and the share of ink that is explained, below which it is no character."""
BLOCK = "█"
"""The template of a full cell: a cursor with no character under it."""
_BEYOND = 2.0
"""How many times the noise it takes for what is unlike a character not to be one in noise."""
_SAME = {"─": "–"}
"""Characters that look alike, and are told apart by what stands beside them."""
CLEAR = 0.5
"""The contrast, as a share of the usual, from which on a cell tells how the camera sees the font."""
_TURNED = 0.06
"""By how much more a character must explain whose ink covers most of its cell."""


@dataclass(frozen=True)
class CellInk:
    """What stands in cells, apart from its colour.

    `ink` (cells, height * width) is the distance in shades from the colour behind it, along the colour of what is
    written, without its mean; `energy` its sum of squares; `ground` (cells, 3) the colour behind it (BGR), `colour`
    the direction from there to the writing's, of length 1.
    """

    ink: NDArray[Any]
    energy: NDArray[Any]
    ground: NDArray[Any]
    colour: NDArray[Any]

    def with_part(self, start: int, part: CellInk) -> CellInk:
        """The same with the cells from number `start` on replaced by those of `part`."""
        end = start + len(part.ink)
        changed = []
        for name in ("ink", "energy", "ground", "colour"):
            values = getattr(self, name).copy()
            values[start:end] = getattr(part, name)
            changed.append(values)
        return CellInk(*changed)


def ink_of(cells: NDArray[Any]) -> CellInk:
    """The ink in (cells, height, width, 3) pixels, whatever their colours: dark on light, light on dark, reversed."""
    import numpy as np

    count, height, width, _ = cells.shape
    pixels = cells.reshape(count, height * width, 3)
    # Above and below a character there is nothing, however dense it is; the outermost row may be the next cell's.
    deep = max(1, height // 8)
    ends = np.concatenate([cells[:, 1 : deep + 1], cells[:, -deep - 1 : -1]], axis=1)
    ground = np.median(ends.reshape(count, -1, 3), axis=1).astype(np.float32)
    difference = pixels.astype(np.float32) - ground[:, None, :]
    strength = np.square(difference).sum(2)
    # What stands out most has the writing's colour: everything weak is noise or an edge.
    weight = np.where(strength > 0.25 * strength.max(1, keepdims=True), strength, 0)
    colour = np.einsum("npc,np->nc", difference, weight)
    length = np.linalg.norm(colour, axis=1)
    colour /= length[:, None] + 1e-6
    ink = np.einsum("npc,nc->np", difference, colour)
    ink -= ink.mean(1, keepdims=True)
    return CellInk(ink, np.square(ink).sum(1), ground, colour)


@dataclass(frozen=True)
class Templates:
    """Shapes made ready for comparing: without their mean and of length 1; `length` is what it was."""

    letters: tuple[str, ...]
    rows: NDArray[Any]
    length: NDArray[Any]
    handicap: NDArray[Any]
    """By how much more than the others each must explain, as a share."""


def ready(glyphs: GlyphSet, rare: frozenset[str] = frozenset()) -> Templates:
    """The shapes of a set made ready; those of `rare` characters must fit better than others."""
    import numpy as np

    flat = glyphs.shapes.reshape(len(glyphs.letters), -1).astype(np.float32)
    flat = flat - flat.mean(1, keepdims=True)
    length = np.linalg.norm(flat, axis=1) + 1e-6
    rows = flat / length[:, None]
    # A full cell differs from its mean at its border only: the noise of a blank would pass for one of high contrast.
    full = np.array([each == BLOCK for each in glyphs.letters])
    length[full] = np.maximum(length[full], np.median(length))
    handicap = np.array([0.03 if each in rare else 0.0 for each in glyphs.letters], np.float32)
    return Templates(glyphs.letters, rows, length, handicap)


@dataclass(frozen=True)
class Levels:
    """What is usual on a screen: `usual` is the contrast of its writing in shades, `noise` the variance of a pixel where
    nothing is written, `spread` that of what characters do not explain."""

    usual: float
    noise: float
    spread: float


@dataclass(frozen=True)
class CellReading:
    """What stands in each cell.

    `best` is the number of the template, -1 for a blank; `contrast` its strength in shades; `explained` the share of the
    ink's energy that it explains; `sure` how probable it is that the character is right; `turned` tells where most of
    the cell is ink. `misfit` is the share of the usual character that neither its template nor the noise explains;
    `levels` are those that `classified` takes.
    """

    best: NDArray[Any]
    contrast: NDArray[Any]
    explained: NDArray[Any]
    sure: NDArray[Any]
    turned: NDArray[Any]
    misfit: float
    levels: Levels


def classified(seen: CellInk, templates: Templates, levels: Levels | None = None) -> CellReading:
    """Which template each cell's ink is. Without `levels` they are found from these cells."""
    import numpy as np

    usual, noise = (levels.usual, levels.noise) if levels else (0.0, 0.0)

    fit = seen.ink @ templates.rows.T
    # Less than nothing where most of a cell is ink, so that this was taken for what is behind it.
    energy = np.square(fit) * np.where(fit > 0, 1 - templates.handicap, 1 - templates.handicap - _TURNED)
    best = energy.argmax(1)
    every = np.arange(len(best))
    top = energy[every, best]
    contrast = np.abs(fit[every, best]) / templates.length[best]
    explained = top / (seen.energy + 1e-6)
    usual = usual or usual_contrast(contrast, explained, seen.energy)
    pixels = seen.ink.shape[1]
    rest = np.maximum(seen.energy - top, 1e-6)
    written = contrast > max(_LEAST_CONTRAST, FAINTEST * usual)
    if not noise and (~written).any():
        noise = float(np.median(seen.energy[~written])) / pixels
    # What is faint must look like a character, or a light that falls on the glass is read as a line.
    faint = contrast < FAINT * usual
    written &= (top > 25 * noise) & (explained > np.where(faint, JUNK, _LEAST_EXPLAINED))
    light = faint & (explained <= JUNK) & (rest > _BEYOND * noise * pixels)
    # What is faint beside the writing may be the screen's glass: in a clear picture of an empty screen it is the most.
    clear = written & (contrast > CLEAR * usual)
    spread = (
        levels.spread
        if levels
        else max(noise, float(np.median(rest[clear])) / pixels if clear.any() else 0.0) + 0.5
    )
    sure = np.ones(len(best))
    sure[written] = _sureness(
        energy[written], best[written], templates, np.maximum(rest[written] / pixels, spread)
    )
    blank = 1 / (1 + np.exp(-np.clip((0.12 * usual - contrast) / (0.03 * usual + 1e-3) + 1.0, -30, 30)))
    sure = np.where(written, sure, np.where((explained > 0.2) & ~light, np.maximum(blank, 0.5), 1.0))
    turned = written & (fit[every, best] < 0)
    beyond = (rest - noise * pixels)[clear] / seen.energy[clear]
    misfit = _middle(beyond, seen.energy[clear])
    return CellReading(
        np.where(written, best, -1), contrast, explained, sure, turned, misfit, Levels(usual, noise, spread)
    )


def usual_contrast(contrast: NDArray[Any], explained: NDArray[Any], energy: NDArray[Any]) -> float:
    """The contrast of the screen's writing in shades, 0 where nothing is written: that of the cell in the middle by ink.

    A count of cells would be ruled by the screen's border where a clear picture shows it and little is written.
    """
    written = (explained > 0.5) & (contrast > _LEAST_CONTRAST)
    return _middle(contrast[written], energy[written])


def _middle(values: NDArray[Any], weights: NDArray[Any]) -> float:
    """The median of values that have weights; 0 of none."""
    import numpy as np

    if not values.size:
        return 0.0
    ranked = np.argsort(values)
    sums = np.cumsum(weights[ranked])
    return float(values[ranked[np.searchsorted(sums, sums[-1] / 2)]])


def _sureness(
    energy: NDArray[Any], best: NDArray[Any], templates: Templates, spread: NDArray[Any]
) -> NDArray[Any]:
    """The share of probability that the best character has among all; shapes of one character count together."""
    import numpy as np

    names, number = np.unique([_SAME.get(each, each) for each in templates.letters], return_inverse=True)
    most = np.full((energy.shape[0], len(names)), -np.inf, np.float32)
    for column in range(len(templates.letters)):
        np.maximum(most[:, number[column]], energy[:, column], out=most[:, number[column]])
    top = energy[np.arange(len(best)), best]
    # Neighbouring pixels err alike, so a cell has fewer independent ones than pixels.
    odds = np.exp(np.clip((most - top[:, None]) / (2 * spread[:, None] * _ALIKE), -50, 0))
    share: NDArray[Any] = 1 / odds.sum(1)
    return share


_ALIKE = 6.0
