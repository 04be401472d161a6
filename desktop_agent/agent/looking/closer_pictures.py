"""Pictures that a model asks for in the middle of a batch: of that moment, or of a region closer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop_agent.agent.looking.observer import Observer
from desktop_agent.llm.transport.picture import closer, frame_for, sized
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.ops import Region
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

MOMENT = "The screen after operation {}:"
CLOSER = "Closer: x {} to {}, y {} to {} of the whole picture. Coordinates stay those of the whole picture."


@dataclass(frozen=True)
class CloserPictures:
    """Takes pictures beside the look of a turn; `looked` is told of each what could be read in it."""

    observer: Observer
    looked: Callable[[Observation], None]

    def of_moment(self, number: int, stop: StopFlag) -> tuple[str, PictureBlock]:
        """The whole screen as it is now, with a caption; `number` is the operation it was asked for with, from 1."""
        seen, support = self.observer.glance(stop), self.observer.model.support
        self.looked(seen)
        return MOMENT.format(number), sized(frame_for(seen, support), seen.viewport.image, support)

    def of_region(self, region: Region, shown: Observation, stop: StopFlag) -> tuple[str, PictureBlock]:
        """A region of the picture of `shown` as it is now and as large as it can be. Raises OutOfBounds."""
        place = shown.viewport.rect_to_screen(Rect(region.x, region.y, region.width, region.height))
        seen = self.observer.glance(stop, place)
        self.looked(seen)
        right, bottom = region.x + region.width - 1, region.y + region.height - 1
        return (
            CLOSER.format(region.x, right, region.y, bottom),
            closer(seen.frame, self.observer.model.support),
        )

    def pointer(self, shown: Observation) -> Point:
        """Where the pointer is, in pixels of the picture of `shown`. Raises OutOfBounds."""
        scene = self.observer.target.scene()
        if scene is None:
            raise OutOfBounds("It cannot be told here where the pointer is.")
        return shown.viewport.to_image(scene.pointer)
