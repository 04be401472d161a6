"""Holds a filmed screen's pixels still: where nothing changed on the screen, the bytes are those of the last picture.

Everything above compares pictures byte by byte; a camera's differ everywhere, by noise, flicker and changing light. The
gate averages what it sees and takes for a change what is far beyond the differences it has seen so far at that place: so
it needs no threshold that fits a camera.

1. Light: tiles of 16 pixels are compared with the average by their mean; what a whole neighbourhood has in common, up
   to a few percent, is light.
2. Differences from the average are summed up over windows that fit letters, lines and areas. For each tile the largest
   one counts; its mean and spread over time are what the tile does by itself.
3. A tile has changed when its largest difference is far outside of that, or less far twice in a row at one place; or when its average is no longer what it
   was: what is too faint for two pictures shows after some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.opencv import opencv

if TYPE_CHECKING:
    from numpy.typing import NDArray

TILE = 16
_WINDOWS = ((3, 3), (5, 5), (15, 3), (3, 15), (9, 9))
"""Width and height of the areas differences are summed over: a letter's stroke, a blurred one, a line, a cursor, a faint area."""
_FLOOR = ((5.0, 4.0, 3.0, 3.0, 3.0), (8.0, 8.0, 6.0, 6.0, 6.0))
"""Shades below which a window's difference is nothing, in brightness and in colour.

Packing a picture as JPEG rounds each of its squares of 8 (for colour 16) pixels to steps of one to four shades: a square
that lay still at the border between two steps jumps now and then, which nothing told beforehand.
"""
_FINE = 16
"""Steps of a shade that differences are counted in."""
_COLOURS: Any = ((0.25 * _FINE, 0.5 * _FINE, 0.25 * _FINE), (-0.5 * _FINE, 0, 0.5 * _FINE))
"""What is compared, made from blue, green and red: brightness, and red against blue."""
_ONCE, _TWICE, _MAYBE, _BESIDE = 8.0, 6.5, 1.5, 3.5
"""Spreads above the mean: a change in one picture, one in two, a candidate for two, and a changed tile's neighbour."""
_MEMORY, _LEARNT = 16, 40
"""Pictures that are averaged, and over which a tile's differences are learnt."""
_PRIOR = 4
"""Pictures that the noise estimated within the first one counts for."""
_LOCAL, _GLOBAL = 0.06, 0.15
"""The share by which light changes from one picture to the next: at one place against all others, and everywhere."""
_LEAST_SPREAD = 0.12
_SLOWLY = 4
"""Every so many pictures the average itself is compared with what it was."""
_STREAK = 4
"""Pictures in a row in which a tile changes, after which it is taken to be noisy."""


class NoiseGate:
    """Passes pictures of one size; a picture of another size begins anew. For one thread."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] = ()

    def begin_anew(self) -> None:
        """Forget all pictures: the next one passes as it is. What the noise is like stays known."""
        self._shape = ()

    def let_through(self, flat: NDArray[Any], *more: NDArray[Any]) -> bytes:
        """Four bytes a pixel (blue, green, red, 255), the last ones where nothing changed on the screen.

        `flat` is rows x columns x 3 bytes. With `more`, later pictures for the same look, what changed is the average
        of those since it did, and a faint change is found at once.
        """
        for picture in (flat, *more):
            if picture.shape != self._shape:
                self._start(picture)
            else:
                self._look(picture)
        self._emit()
        return self._held.tobytes()

    # ---- state ------------------------------------------------------------------------------------------

    def _start(self, picture: NDArray[Any]) -> None:
        import numpy as np

        height, width = picture.shape[:2]
        self._shape = picture.shape
        self._rows, self._columns = -(-height // TILE), -(-width // TILE)
        grid = (self._rows, self._columns)
        self._average = self._padded(picture).astype(np.float32)
        self._count = np.ones(grid, np.float32)
        self._light = np.ones((*grid, 3), np.float32)
        self._settled = self._average.copy()
        self._has_settled = np.zeros(grid, bool)
        self._looks = 0
        self._dirty = np.ones(grid, bool)
        self._held = np.full((height, width, 4), 255, np.uint8)
        noise = _spatial_noise(self._average)
        sizes = np.array([w * h for w, h in _WINDOWS], np.float32)
        # Neighbours are alike in an interpolated picture: the noise of a sum falls more slowly than with its area.
        usual = 4.0 * noise[None] / np.sqrt(sizes / 3)[:, None, None, None]
        self._mean = usual.astype(np.float32)
        self._variance = np.square(usual * 0.2).astype(np.float32)
        self._known = np.full(grid, _PRIOR, np.float32)
        self._maybe: tuple[Any, list[Any]] | None = None
        self._streak = np.zeros(grid, np.int32)
        self._fresh = True

    def _padded(self, picture: NDArray[Any]) -> NDArray[Any]:
        """Whole tiles: the last row and column are repeated."""
        cv2 = opencv()
        down, right = self._rows * TILE - picture.shape[0], self._columns * TILE - picture.shape[1]
        if not down and not right:
            return picture
        padded: NDArray[Any] = cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE)
        return padded

    def _look(self, picture: NDArray[Any]) -> None:
        """Find the tiles that changed, and take the picture into the average."""
        import numpy as np

        cv2 = opencv()
        seen = self._evened(self._padded(picture).astype(np.float32))
        apart = cv2.transform(cv2.subtract(seen, self._average), np.array(_COLOURS, np.float32)).astype(
            np.int16
        )
        sums = [cv2.blur(apart, window) for window in _WINDOWS]
        # An average of few pictures has noise of its own.
        own = np.sqrt(1 + 1 / self._count)[..., None]
        largest = np.stack([_largest(each) for each in sums]) / _FINE / own
        if self._fresh:
            self._fit_prior(largest)
        spread = np.maximum(np.sqrt(self._variance), _LEAST_SPREAD * self._mean)
        floor = np.array(_FLOOR, np.float32).T[:, None, None, :]
        unsure = 1 + 4 / self._known[..., None]  # what was learnt from few pictures
        bound = np.maximum(self._mean + _ONCE * spread * unsure, floor)
        hit = (largest > bound).any(axis=(0, 3))
        hit |= self._twice(sums, np.maximum(self._mean + _TWICE * spread * unsure, floor))
        near = (largest > np.maximum(self._mean + _BESIDE * spread * unsure, floor)).any(axis=(0, 3))
        changed = hit.astype(np.uint8)
        for _ in range(4):
            wider = cv2.dilate(changed, np.ones((3, 3), np.uint8)) & near.astype(np.uint8) | changed
            if (wider == changed).all():
                break
            changed = wider
        moved = changed.astype(bool)
        self._looks += 1
        if self._looks % _SLOWLY == 0:
            moved |= self._crept(spread * unsure, floor)
        self._remember(sums, (largest > self._mean + _MAYBE * spread).any(axis=(0, 3)) & ~moved)
        self._learn(largest, spread, moved)
        self._take(seen, moved)

    # ---- steps of a look --------------------------------------------------------------------------------

    def _evened(self, seen: NDArray[Any]) -> NDArray[Any]:
        """The picture in the average's light."""
        import numpy as np

        cv2 = opencv()
        small = (self._columns, self._rows)
        now = cv2.resize(seen, small, interpolation=cv2.INTER_AREA)
        then = cv2.resize(self._average, small, interpolation=cv2.INTER_AREA)
        share = (now + 16) / (then + 16) / self._light
        bright = then.min(axis=2) > 40
        whole = np.median(share[bright], axis=0) if bright.sum() >= 8 else np.ones(3, np.float32)
        if (np.abs(whole - 1) > _GLOBAL).any():
            whole = np.ones(3, np.float32)  # not light: another picture
        local = cv2.medianBlur((share / whole).astype(np.float32), 5)
        local = np.where(np.abs(local - 1) > _LOCAL, 1, local)
        field = cv2.GaussianBlur((local * whole * self._light).astype(np.float32), (0, 0), 1.5)
        self._light += 0.1 * (field - self._light)
        full = cv2.resize(
            1 / np.clip(field, 0.3, 3), (seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_LINEAR
        )
        evened: NDArray[Any] = cv2.multiply(seen, full)
        return evened

    def _twice(self, sums: list[Any], bound: NDArray[Any]) -> NDArray[Any]:
        """The tiles that were candidates in the last picture and are far off in both together."""
        import numpy as np

        hit = np.zeros((self._rows, self._columns), bool)
        if self._maybe is None:
            return hit
        where, before = self._maybe
        own = np.sqrt(2 + 4 / self._count[where])[:, None]
        for index, (now, then) in enumerate(zip(sums, before, strict=True)):
            both = np.abs(_tiles(now)[where].astype(np.int32) + then).max(axis=(1, 2)) / _FINE / own
            hit[where] |= (both > bound[index][where]).any(axis=1)
        return hit

    def _remember(self, sums: list[Any], candidates: NDArray[Any]) -> None:
        where = candidates.nonzero()
        self._maybe = (where, [_tiles(each)[where] for each in sums]) if where[0].size else None

    def _fit_prior(self, largest: NDArray[Any]) -> None:
        """Scale the noise estimated within one picture to what most tiles do between two.

        An interpolated picture has less noise from pixel to pixel than from one picture to the next.
        """
        import numpy as np

        times = np.percentile(largest / self._mean, 75, axis=(1, 2), keepdims=True)
        times = np.clip(times, 0.25, 4)  # beyond, it is another picture
        self._mean *= times
        self._variance *= np.square(times)
        self._fresh = False

    def _crept(self, spread: NDArray[Any], floor: NDArray[Any]) -> NDArray[Any]:
        """The tiles whose average is another than it was: what was too faint for two pictures, or came slowly."""
        import numpy as np

        cv2 = opencv()
        none = np.zeros((self._rows, self._columns), bool)
        if not self._has_settled.any():
            return none
        small = (self._columns, self._rows)
        now, then = (
            cv2.resize(each, small, interpolation=cv2.INTER_AREA) for each in (self._average, self._settled)
        )
        field = cv2.GaussianBlur(cv2.medianBlur((then + 16) / (now + 16), 5), (0, 0), 1.5)
        size = (self._average.shape[1], self._average.shape[0])
        even = cv2.multiply(self._average, cv2.resize(field, size, interpolation=cv2.INTER_LINEAR))
        apart = cv2.transform(cv2.subtract(even, self._settled), np.array(_COLOURS, np.float32)).astype(
            np.int16
        )
        sums = [cv2.blur(apart, window) for window in _WINDOWS]
        # Both are averages of _MEMORY pictures, the running one weighted towards the latest; the steps of JPEG are too.
        own = np.sqrt(1.5 / _MEMORY)
        largest = np.stack([_largest(each) for each in sums]) / _FINE / own
        hit = (largest > np.maximum(self._mean + _ONCE * spread, floor / 2 / own)).any(axis=(0, 3))
        crept: NDArray[Any] = hit & self._has_settled
        return crept

    def _learn(self, largest: NDArray[Any], spread: NDArray[Any], moved: NDArray[Any]) -> None:
        """What each tile does by itself, from those that did not change."""
        import numpy as np

        still = ~moved
        rate = (still / (self._known + 1))[None, ..., None]
        off = np.minimum(largest - self._mean, 5 * spread)
        self._mean += rate * off
        self._variance += rate * (np.square(off) - self._variance)
        # What changes in each picture is noisier than was thought, or moves: it is seen less sharply for a while.
        self._streak = np.where(moved, self._streak + 1, 0)
        louder = self._streak >= _STREAK
        self._mean[:, louder] *= 1.2
        self._variance[:, louder] *= 1.44
        self._known = np.where(
            still, np.minimum(self._known + 1, _LEARNT), np.minimum(self._known, _PRIOR * 2)
        )

    def _take(self, seen: NDArray[Any], moved: NDArray[Any]) -> None:
        import numpy as np

        cv2 = opencv()
        self._dirty |= moved
        self._has_settled &= ~moved
        if not moved.any() and float(self._count.min()) >= _MEMORY:
            cv2.accumulateWeighted(seen, self._average, 1 / _MEMORY)
            self._settle()
            return
        self._count = np.where(moved, 1, np.minimum(self._count + 1, _MEMORY)).astype(np.float32)
        share = (1 / self._count).repeat(TILE, axis=0).repeat(TILE, axis=1)
        cv2.blendLinear(seen, self._average, share, 1 - share, self._average)
        self._settle()

    def _settle(self) -> None:
        """Keep the average of the tiles that have been still for as long as it reaches back."""
        new = (self._count >= _MEMORY) & ~self._has_settled
        if new.any():
            where = new.repeat(TILE, axis=0).repeat(TILE, axis=1)
            self._settled[where] = self._average[where]
            self._has_settled |= new

    def _emit(self) -> None:
        """Renew the bytes of the tiles that changed."""
        import numpy as np

        if not self._dirty.any():
            return
        height, width = self._shape[:2]
        where = self._dirty.repeat(TILE, axis=0).repeat(TILE, axis=1)[:height, :width]
        new = np.clip(np.rint(self._average[:height, :width]), 0, 255).astype(np.uint8)
        self._held[..., :3][where] = new[where]
        self._dirty[:] = False


def _tiles(sums: NDArray[Any]) -> NDArray[Any]:
    """Rows of tiles x columns of tiles x TILE x TILE x channels, without a copy."""
    height, width, channels = sums.shape
    return sums.reshape(height // TILE, TILE, width // TILE, TILE, channels).transpose(0, 2, 1, 3, 4)


def _largest(sums: NDArray[Any]) -> NDArray[Any]:
    """The largest absolute value of each tile and channel."""
    import numpy as np

    height, width = sums.shape[:2]
    rows = np.abs(sums).reshape(height // TILE, TILE, width * 2).max(axis=1)
    result: NDArray[Any] = rows.reshape(height // TILE, width // TILE, TILE, 2).max(axis=2).astype(np.float32)
    return result


def _spatial_noise(picture: NDArray[Any]) -> NDArray[Any]:
    """The noise's standard deviation in each tile and channel, from one picture alone.

    Immerkær's operator ("Fast Noise Variance Estimation", 1996) is blind to areas, slopes and straight edges; tiles with
    text would pass for noisy, so none counts for more than twice the noisier ones.
    """
    import numpy as np

    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    cv2 = opencv()
    weights = np.array(_COLOURS, np.float32) / _FINE
    rough = np.abs(cv2.filter2D(cv2.transform(picture, weights), cv2.CV_32F, kernel))
    noise = np.median(_tiles(rough), axis=(2, 3)) / 0.6745 / 6
    usual, high = np.percentile(noise, (50, 90), axis=(0, 1))
    # White that is cut off at 255 hides its noise: the noisier tiles tell what there is.
    result: NDArray[Any] = np.maximum(np.clip(noise, (usual + high) / 2, 2 * np.maximum(high, usual)), 0.3)
    return result


__all__ = ["TILE", "NoiseGate"]
