"""Cuts a screen's pixels out of a camera's picture: perspective, distortion, uneven light and colour cast removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.light import LightMap
from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Rect, Size

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Rectifier:
    """Makes pictures of a camera into the screen's pixels, or those of `crop`, an area of the screen."""

    def __init__(self, place: ScreenPlace, light: LightMap | None = None, crop: Rect | None = None) -> None:
        """Raises Refused for a crop that is not on the screen."""
        whole = Rect(0, 0, place.size.width, place.size.height)
        self.place, self.crop = place, crop or whole
        area = self.crop
        if area.x < 0 or area.y < 0 or area.right > whole.right or area.bottom > whole.bottom or area.width < 1 or area.height < 1:  # fmt: skip
            raise Refused(
                f"The crop {area.width}x{area.height} at {area.x},{area.y} is not on the screen of "
                f"{whole.width}x{whole.height} pixels.",
                "Choose an area inside it.",
            )
        self._maps = _maps(place, area)
        self._light = _levels(light, place.size, area) if light else None

    @property
    def size(self) -> Size:
        return self.crop.size

    def flat(self, picture: NDArray[Any]) -> NDArray[Any]:
        """The screen's pixels (rows, columns, blue green red). Raises TargetError for a picture of another size."""
        cv2, there = opencv(), self.place.camera
        height, width = picture.shape[:2]
        if (width, height) != (there.width, there.height):
            raise TargetError(
                f"The camera sends pictures of {width}x{height} pixels; it was set up with {there.width}x{there.height}.",
                "Set the camera to that size, or run: desktop-agent calibrate",
            )
        flat: NDArray[Any] = cv2.remap(
            picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        if self._light is not None:
            black, gain = self._light
            cv2.subtract(flat, black, dst=flat)
            cv2.multiply(flat, gain, dst=flat, dtype=cv2.CV_8U)
        return flat


def _maps(place: ScreenPlace, area: Rect) -> tuple[Any, Any]:
    """For each pixel of the screen its place in the camera's picture, in OpenCV's form with whole numbers."""
    import numpy as np

    columns = np.arange(area.x, area.right, dtype=np.float64) + 0.5
    rows = np.arange(area.y, area.bottom, dtype=np.float64) + 0.5
    points = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    there = place.to_camera(points).astype(np.float32).reshape(area.height, area.width, 2)
    cv2 = opencv()
    maps: tuple[Any, Any] = cv2.convertMaps(there, None, cv2.CV_16SC2)
    return maps


def _levels(light: LightMap, size: Size, area: Rect) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each pixel the shade of black, and by what the rest is multiplied so that white becomes 255."""
    import numpy as np

    shape = (light.rows, light.columns, 3)
    black = _spread(np.array(light.black, np.float32).reshape(shape), size, area)
    white = _spread(np.array(light.white, np.float32).reshape(shape), size, area)
    gain = 255 / np.maximum(white - black, 16)
    return np.clip(np.round(black), 0, 255).astype(np.uint8), gain.astype(np.float32)


def _spread(grid: NDArray[Any], size: Size, area: Rect) -> NDArray[Any]:
    """A coarse grid from edge to edge, interpolated to each pixel of an area."""
    import numpy as np

    rows, columns = grid.shape[:2]
    across = (np.arange(area.x, area.right) + 0.5) / size.width * (columns - 1)
    down = (np.arange(area.y, area.bottom) + 0.5) / size.height * (rows - 1)
    x, y = np.meshgrid(across.astype(np.float32), down.astype(np.float32))
    result: NDArray[Any] = opencv().remap(grid, x, y, opencv().INTER_LINEAR)
    return result
