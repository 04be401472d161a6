"""What the agent tells the world while it works: one event a fact, one JSON line each.

The `type` tags are stable: the command line's `--json`, the window and the store all read them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Point, Rect

State: TypeAlias = Literal[
    "idle", "planning", "executing", "waiting_for_user", "paused", "stopped", "done", "error"
]
Outcome: TypeAlias = Literal["done", "refused", "failed", "stopped", "skipped"]
Effect: TypeAlias = Literal["changed", "unchanged", "confirmed", "unknown"]


class _Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=False):
    time: float = 0.0
    """Seconds since the epoch, set by whoever emits."""


class Goal(_Event, frozen=True, tag="goal"):
    """The user's words that start or change a run."""

    text: str


class Status(_Event, frozen=True, tag="status"):
    """The agent's state; `detail` says why in a few words (a reason, a question, a limit)."""

    state: State
    detail: str = ""


class Plan(_Event, frozen=True, tag="plan"):
    """The whole plan as it stands; `current` is the index of the step being worked (from 0)."""

    steps: tuple[str, ...]
    current: int


class NoteDelta(_Event, frozen=True, tag="note_delta"):
    """A piece of a note while the model is still speaking; a Note with the whole text follows."""

    text: str


class Note(_Event, frozen=True, tag="note"):
    """Words of the agent for the user."""

    text: str


class LookTaken(_Event, frozen=True, tag="look"):
    """The agent looked. `preview` is a small JPEG (empty in JSON output), `frame` its content hash."""

    frame: str
    region: Rect
    elements: int
    preview: bytes = b""


class Preview(_Event, frozen=True, tag="preview"):
    """What the target shows right now, for people to watch: a JPEG of `region`. Never recorded."""

    region: Rect
    picture: bytes


class Action(_Event, frozen=True, tag="action"):
    """An operation begins. `words` is for people ("Clicked" comes with the result), `exact` is the operation.

    `number` counts the actions of the run from 1; `at` is the screen point acted on, if there is one.
    """

    number: int
    op: str
    words: str
    exact: str
    at: Point | None = None


class Result(_Event, frozen=True, tag="result"):
    """What came of action `number`."""

    number: int
    outcome: Outcome
    words: str
    detail: str = ""
    effect: Effect = "unknown"
    seconds: float = 0.0


class ApprovalAsked(_Event, frozen=True, tag="approval"):
    """The agent waits for a yes. `id` binds the answer to exactly this batch.

    `exact` lists the operations, `window` the window they go to, `why` the reason for asking,
    `source` says where the text comes from, in words ("" when there is none); `lasting` whether
    "always" may be answered. `picture` is a JPEG of the place (empty in JSON output), `at` the place
    in that picture.
    """

    id: str
    words: str
    exact: tuple[str, ...]
    window: str
    why: str
    source: str = ""
    lasting: bool = True
    picture: bytes = b""
    at: Point | None = None


class Question(_Event, frozen=True, tag="question"):
    """The agent asks the user something and waits."""

    text: str


class Usage(_Event, frozen=True, tag="usage"):
    """Running totals of the run: steps, tokens (of which cached) and money, if the price is known."""

    step: int
    max_steps: int
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None


class Turn(_Event, frozen=True, tag="turn"):
    """A turn is over: where its seconds went. `total` includes everything, `model` only the model."""

    number: int
    total: float
    look: float
    model: float
    act: float
    settle: float


class GoalReached(_Event, frozen=True, tag="done"):
    """The goal is reached."""

    summary: str


class Error(_Event, frozen=True, tag="error"):
    """The run ended because something failed; `advice` says what to do next."""

    message: str
    advice: str = ""


class Recording(_Event, frozen=True, tag="recording"):
    """Where the run's log and frames are."""

    path: str


FeedEvent: TypeAlias = (
    Goal | Status | Plan | NoteDelta | Note | LookTaken | Preview | Action | Result
    | ApprovalAsked | Question | Usage | Turn | GoalReached | Error | Recording
)  # fmt: skip
