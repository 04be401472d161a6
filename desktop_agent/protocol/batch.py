"""The messages between the brain and the hand: a batch of operations with its seal, its progress, and results."""

from __future__ import annotations

import hashlib
from typing import Annotated, TypeAlias

import msgspec

from desktop_agent.protocol.agent_events import Outcome
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.ops import Op

LET_GO = "What was kept held has been let go."
"""The detail of a batch that goes on from what is not held any more."""


class Expect(msgspec.Struct, frozen=True):
    """The precondition of operation `index`: what must still be on the screen as it was observed.

    `windows` are the top-level windows of which one must be at the screen point `at`, or have the
    keyboard when `at` is None; () when that was not known. `owner` is a process whose windows will do
    as well, 0 for none. `pixels` (B, G, R, unused; rows without padding) is what was to be seen in the
    screen rectangle `patch`, b"" when only the window matters; `caret` tells that a text cursor may
    blink there. `pointer` is where the pointer was; None when something has been done since, and so
    hovering and focus may show elsewhere.
    """

    index: int
    at: Point | None = None
    windows: tuple[int, ...] = ()
    owner: int = 0
    patch: Rect = Rect(0, 0, 0, 0)
    pixels: bytes = b""
    caret: bool = True
    pointer: Point | None = None


class Batch(msgspec.Struct, frozen=True, tag="batch"):
    """Operations to carry out in order, against one observation.

    `viewport` ties their coordinates to the screen as it was seen (its epoch must still be current),
    `elements` gives the screen bounds of the elements they name. `generation` is the stop
    generation the batch was made in: a batch from before a stop is refused. `seconds` bounds the
    whole batch, waits included. `expects` is checked right before each operation. `approval`, when
    not empty, is the seal (`protocol.seal`) of what the human said yes to: a batch with other content
    is refused. `hidden` are secrets among the texts: the hand writes them nowhere.
    `keeps` is for a policy that acts tick by tick: what is held at the end, all operations done, stays held for so
    many seconds (never longer than the hand's lease) in which another batch that keeps may take it on. One that
    `goes_on` counts on that, and is refused (LET_GO) where it was let go.
    With `holds_buttons` the mouse buttons that are down at the end, all operations done, stay down without a limit of
    time, until an operation of a later such batch lets go of them, or a stop, a pause or the human's own input does.
    """

    id: str
    operations: tuple[Op, ...]
    viewport: Viewport
    elements: dict[str, Rect] = {}
    generation: int = 0
    seconds: float = 60.0
    expects: tuple[Expect, ...] = ()
    approval: str = ""
    hidden: tuple[str, ...] = ()
    keeps: float = 0.0
    goes_on: bool = False
    holds_buttons: bool = False


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """Operation `index` of the batch begins; `at` is the screen point it acts on."""

    batch: str
    index: int
    at: Point | None = None


class OpResult(msgspec.Struct, frozen=True, tag="result"):
    """The outcome of operation `index`; unless it is `done`, `detail` explains it for model and user.

    `typed` is how many characters of a text went out, `output` what a command printed. `stale` is true when it was refused because the screen no longer meets its precondition,
    `acted` when a press, a turn of the wheel or a character of it went out.
    """

    batch: str
    index: int
    outcome: Outcome
    detail: str = ""
    seconds: float = 0.0
    stale: bool = False
    typed: int = 0
    output: str = ""
    acted: bool = False


class BatchDone(msgspec.Struct, frozen=True, tag="batch_done"):
    """The batch is over and nothing it pressed is still held, but for what it keeps."""

    batch: str


class Protect(msgspec.Struct, frozen=True, tag="protect"):
    """Processes whose windows may never be clicked or typed into (our own window)."""

    pids: tuple[int, ...]


class Confine(msgspec.Struct, frozen=True, tag="confine"):
    """Screen rectangle outside which no pointer event may land; None lifts it."""

    region: Rect | None


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The hand is ready to take batches; `pid` is its process."""

    pid: Annotated[int, msgspec.Meta(ge=1)]


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """The hand cannot work any more, for example because its display has gone."""

    message: str
    advice: str = ""


ToHand: TypeAlias = Batch | Protect | Confine
FromHand: TypeAlias = Ready | Progress | OpResult | BatchDone | Broken


def fingerprint(*parts: object) -> str:
    """Return the BLAKE2b hash of the parts as 24 hexadecimal digits; equal content gives equal hashes."""
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=12).hexdigest()


def sealed(batch: Batch) -> Batch:
    """Return the batch with its seal in `approval`: the hand refuses it when its content no longer matches."""
    return msgspec.structs.replace(batch, approval=seal(batch))


def seal(batch: Batch) -> str:
    """Return the hash of what a batch does: its operations, viewport, element bounds and preconditions."""
    # As they arrive: a whole number given for a float is a float then.
    operations = msgspec.msgpack.decode(msgspec.msgpack.encode(batch.operations), type=tuple[Op, ...])
    return fingerprint(operations, batch.viewport, batch.elements, batch.expects)
