"""What travels between the brain and the hand: a batch of operations, progress, and results."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from desktop_agent.protocol.feed import Outcome
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.ops import Op


class Batch(msgspec.Struct, frozen=True, tag="batch"):
    """Operations to carry out in order, against one observation.

    `viewport` ties their coordinates to the screen as it was seen (its epoch must still be current),
    `elements` gives the screen bounds of the elements they name. `generation` is the stop
    generation the batch was made in: a batch from before a stop is refused. `seconds` bounds the
    whole batch, waits included. `hidden` are secrets among the texts: the hand writes them nowhere.
    """

    id: str
    operations: tuple[Op, ...]
    viewport: Viewport
    elements: dict[str, Rect] = {}
    generation: int = 0
    seconds: float = 60.0
    hidden: tuple[str, ...] = ()


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """Operation `index` of the batch begins; `at` is the screen point it acts on."""

    batch: str
    index: int
    at: Point | None = None


class OpResult(msgspec.Struct, frozen=True, tag="result"):
    """What came of operation `index`. `detail` explains everything but `done`, in words for model and user."""

    batch: str
    index: int
    outcome: Outcome
    detail: str = ""
    seconds: float = 0.0


class BatchDone(msgspec.Struct, frozen=True, tag="batch_done"):
    """The batch is over and nothing it pressed is still held."""

    batch: str


class Protect(msgspec.Struct, frozen=True, tag="protect"):
    """Processes whose windows may never be clicked or typed into (our own window)."""

    pids: tuple[int, ...]


class Confine(msgspec.Struct, frozen=True, tag="confine"):
    """Screen rectangle outside which no pointer event may land; None lifts it."""

    region: Rect | None


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The hand can take batches."""

    pid: Annotated[int, msgspec.Meta(ge=1)]


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """The hand cannot work any more (its display vanished, say)."""

    message: str
    advice: str = ""


ToHand: TypeAlias = Batch | Protect | Confine
FromHand: TypeAlias = Ready | Progress | OpResult | BatchDone | Broken
