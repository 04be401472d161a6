"""Glyphs that were learned from a filmed sheet of known characters, and the file that keeps them."""

from __future__ import annotations

import io
import string
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text import cell_classifier
from desktop_agent.extras.camera.terminal_text.cell_grid import cells_of, straightened
from desktop_agent.extras.camera.terminal_text.glyph_templates import ASCII, GlyphSet
from desktop_agent.extras.camera.terminal_text.grid_search import GridFit
from desktop_agent.protocol.errors import ConfigError, Refused

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 1
OTHER_LETTERS = "äöüÄÖÜß€§"
_SHIFTS = 3
"""Cells by which the known text may stand further down or to the right than the first one."""
_ALIKE = 0.8
"""The share of cells that must be blank or written as the known text says."""


def sheet(columns: int = 76, rows: int = 22) -> str:
    """A text to print in a terminal so that its glyphs are learned: every printable ASCII character and the
    commonest others of Europe several times. It is shown as UTF-8."""
    letters = string.ascii_letters + string.digits + string.punctuation + OTHER_LETTERS
    step = 37  # has no divisor in common with their number, so that each has other neighbours each time
    line = "".join(letters[number * step % len(letters)] for number in range(len(letters)))
    endless = line * (columns * rows // len(line) + 2)
    return "\n".join(
        endless[row * (columns + 5) :][:columns]
        for row in range(rows)
        if (row + 1) * (columns + 5) < len(endless)
    )


def learned(flat: NDArray[Any], fit: GridFit | None, lines: Sequence[str]) -> GlyphSet:
    """The mean look of each character of `lines` in a picture's cells. Raises Refused as `learn_glyphs`."""
    import numpy as np

    if fit is None:
        raise Refused("No text in regular cells is to be seen in the picture.", _ADVICE)
    grid = fit.grid
    seen = cell_classifier.ink_of(cells_of(straightened(flat, grid), grid))
    spread = np.sqrt(seen.energy / seen.ink.shape[1])
    dark, bright = np.percentile(spread, (5, 95))
    written = (spread > dark + 0.25 * (bright - dark)).reshape(grid.rows, grid.columns)
    down, right = _placed(written, lines)
    cells = defaultdict(list)
    for row, line in enumerate(lines, down):
        for column, letter in enumerate(line, right):
            if letter != " " and row < grid.rows and column < grid.columns:
                cells[letter].append(row * grid.columns + column)
    names = [each for each in ASCII if cells[each]] + [
        each for each in sorted(cells) if each not in ASCII and cells[each]
    ]
    shapes = np.stack([_mean(seen.ink[cells[each]]) for each in names])
    shapes /= np.percentile(np.abs(shapes).max(1), 90)
    shaped = shapes.reshape(-1, grid.cell[1], grid.cell[0]).astype(np.float32)
    shaped.setflags(write=False)
    return GlyphSet("learned", tuple(names), shaped)


_ADVICE = "Print the calibration sheet in the terminal, so that it fills the screen from its first line, and film it again."


def _placed(written: NDArray[Any], lines: Sequence[str]) -> tuple[int, int]:
    """How many cells the known text stands further down and to the right than the first one."""
    import numpy as np

    rows, columns = written.shape
    best, place = 0.0, (0, 0)
    for down in range(_SHIFTS + 1):
        for right in range(_SHIFTS + 1):
            known = np.zeros_like(written)
            for row, line in enumerate(lines[: rows - down], down):
                marks = [letter != " " for letter in line[: columns - right]]
                known[row, right : right + len(marks)] = marks
            alike = float((known == written)[: len(lines) + down].mean())
            if alike > best:
                best, place = alike, (down, right)
    if best < _ALIKE:
        raise Refused("The picture shows another text than the one that is to be learned from.", _ADVICE)
    return place


def _mean(ink: NDArray[Any]) -> NDArray[Any]:
    """The mean of cells of one character; each is made as strong as the others first."""
    import numpy as np

    strength = np.linalg.norm(ink, axis=1, keepdims=True)
    middle = np.median(ink / (strength + 1e-6), axis=0)
    # One that has its colours the other way round, or is hidden by the cursor, is left out.
    fitting = (ink @ middle) / (strength[:, 0] * np.linalg.norm(middle) + 1e-6) > 0.6
    chosen = ink[fitting] if fitting.any() else ink
    mean: NDArray[Any] = chosen.mean(0)
    return mean


def save(glyphs: GlyphSet, path: Path) -> None:
    """Writes learned glyphs to a file (.npz); there is never half a file."""
    import numpy as np

    data = io.BytesIO()
    np.savez_compressed(
        data,
        version=VERSION,
        letters=np.array(glyphs.letters),
        shapes=np.clip(glyphs.shapes * 100, -127, 127).astype(np.int8),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data.getvalue())
    beside.replace(path)


def load(path: Path) -> GlyphSet:
    """Reads what `save` wrote. Raises ConfigError for a file that is missing, broken or of another version."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as read:
            version, letters, shapes = int(read["version"]), read["letters"], read["shapes"]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise ConfigError(
            f"The learned glyphs {path} cannot be read: {error}.", "Learn them again."
        ) from error
    if version != VERSION or shapes.ndim != 3 or len(letters) != len(shapes):
        raise ConfigError(f"The learned glyphs {path} are not of version {VERSION}.", "Learn them again.")
    return GlyphSet(path.stem, tuple(map(str, letters)), shapes.astype(np.float32) / 100)
