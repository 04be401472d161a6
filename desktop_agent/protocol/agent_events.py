"""The events of a run, which the agent publishes to the window, the run log and `--json`: one JSON line each.

The `type` tags are stable: all three read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.op_change import Changeable, ChangedWords, NearElement
from desktop_agent.protocol.permission import InputGrant

State: TypeAlias = Literal[
    "idle", "planning", "executing", "waiting_for_user", "paused", "stopped", "done", "error"
]
NEXT_STATES: Mapping[State, frozenset[State]] = {
    "idle": frozenset(("planning", "stopped", "error")),
    "planning": frozenset(
        ("planning", "executing", "waiting_for_user", "paused", "stopped", "done", "error")
    ),
    "executing": frozenset(("planning", "waiting_for_user", "paused", "stopped", "done", "error")),
    "waiting_for_user": frozenset(
        ("planning", "executing", "waiting_for_user", "paused", "stopped", "done", "error")
    ),
    "paused": frozenset(("planning", "executing", "waiting_for_user", "paused", "stopped", "error")),
    "stopped": frozenset(("idle", "planning")),
    "done": frozenset(("idle", "planning", "stopped", "error")),
    "error": frozenset(("idle", "planning", "stopped", "error")),
}
"""What may follow a state. A session begins idle, and a run of it with planning; from executing to done goes only a
policy of numbers, for a model has to look first. Where a state follows itself, its `detail` is another."""
Outcome: TypeAlias = Literal["done", "refused", "failed", "stopped", "skipped"]
Effect: TypeAlias = Literal["changed", "unchanged", "confirmed", "unknown"]
Verdict: TypeAlias = Literal["verified", "unverified", "contradicted"]
EvidenceKind: TypeAlias = Literal[
    "file", "tree", "pixels", "page", "application", "answer", "record", "user", "none"
]
"""Where evidence is from: a file, an element, the picture, a window or page, what the program itself tells (of files of
its own, of a proof), what was read (of an answer), what the run's record says, the user's word, nowhere."""


class Receipt(msgspec.Struct, frozen=True):
    """What is known of one claim, of an action or of a "done": `detail` says in words what the verdict rests on."""

    kind: EvidenceKind
    verdict: Verdict
    detail: str = ""


MOST_OUTPUT = 8_000
"""Characters of what a command printed, its last ones, that the feed is told."""


class _Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=False):
    time: float = 0.0
    """Seconds since the epoch, set when the event is published."""


class Goal(_Event, frozen=True, tag="goal"):
    """The user's text that starts or changes a run; `by` is the program whose text it is instead: it grants nothing."""

    text: str
    by: str = ""


class Status(_Event, frozen=True, tag="status"):
    """The agent's state; `detail` says why in a few words (a reason, a question, a limit)."""

    state: State
    detail: str = ""


class Plan(_Event, frozen=True, tag="plan"):
    """The whole current plan; `current` is the index of the step in progress (from 0)."""

    steps: tuple[str, ...]
    current: int


class NoteDelta(_Event, frozen=True, tag="note_delta"):
    """A streamed piece of a note; a Note with the whole text follows."""

    text: str


class Note(_Event, frozen=True, tag="note"):
    """A message of the agent to the user."""

    text: str


class LookTaken(_Event, frozen=True, tag="look"):
    """The agent took an observation of `region` with so many elements.

    `frame` is the content hash of the masked frame, `preview` a small JPEG of it (empty in JSON output).
    """

    frame: str
    region: Rect
    elements: int
    preview: bytes = b""


class Preview(_Event, frozen=True, tag="preview"):
    """A JPEG of `region` as the target shows it now, for the window's live picture. Never recorded."""

    region: Rect
    picture: bytes


class Upcoming(_Event, frozen=True, tag="upcoming"):
    """An operation is about to act at `at`, and a drag to end at `to` (screen points), for the hints on the screen.

    `words` are for people; what is typed into a password field is not in them. Never recorded.
    """

    op: str
    words: str
    at: Point | None = None
    to: Point | None = None


class Action(_Event, frozen=True, tag="action"):
    """An operation begins. `words` is for people ("Clicked" comes with the result), `exact` is the operation.

    `number` counts the actions of the run from 1; `at` is the screen point acted on, if there is one.
    A `command` is told whole, with the environment that carries it out.
    """

    number: int
    op: str
    words: str
    exact: str
    at: Point | None = None
    environment: str = ""
    command: str = ""


class Result(_Event, frozen=True, tag="result"):
    """The outcome and effect of action `number`; it took `seconds`. `receipt` is what its effect is known by.

    `output` is what a command printed, its last MOST_OUTPUT characters.
    """

    number: int
    outcome: Outcome
    words: str
    detail: str = ""
    effect: Effect = "unknown"
    seconds: float = 0.0
    receipt: Receipt = Receipt("none", "unverified")
    output: str = ""


class EnvironmentsShown(_Event, frozen=True, tag="environments"):
    """What the environments show now, as the model is told it: said when it has changed."""

    text: str


class ScopeSet(_Event, frozen=True, tag="scope"):
    """Where the run may work and what it may do there, when it begins and whenever that has grown.

    `words` are lines for people, `grants` the same as `--allow` takes them, `added` is what came last, for people;
    `front` are those grants that come from what was in front when the goal was given.
    """

    words: tuple[str, ...]
    grants: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    front: tuple[str, ...] = ()


class InputGranted(_Event, frozen=True, tag="input_granted"):
    """What the run may do by itself, when it begins. `text` says in one sentence for people what that opens."""

    grant: InputGrant
    text: str

    @property
    def told(self) -> str:
        """What the user is told without asking: of full access and of limits; "" for the usual."""
        grant = self.grant
        limited = grant.until is not None or grant.applications or grant.inputs
        tells = grant.level == "full" or (grant.level == "restricted" and limited)
        return self.text if tells else ""


class InputGrantOver(_Event, frozen=True, tag="input_grant_over"):
    """The time of what was granted is over, before the run is."""

    text: str


RowKind: TypeAlias = Literal["does", "typed", "content", "host", "fact"]


class AskedRow(msgspec.Struct, frozen=True):
    """One row of what an approval is asked for: `label` is ours, `text` whatever the model, page or window says.

    `does` is an operation without a text. `typed` goes to the keyboard or is opened or run, `content` is a text
    with lines of its own; both are shown whole, every character readable. In a `host` the part `strong` is what
    somebody registered. `seen` rows come from the window; `told` ones say what words and places of the question say, too.
    """

    label: str
    text: str
    kind: RowKind = "fact"
    strong: str = ""
    seen: bool = False
    told: bool = False


Whose: TypeAlias = Literal["", "user", "model", "read"]
"""Whose words a text is: "" where there is none; what was read, or made by the model after reading, is `read`."""


class AskedPlace(msgspec.Struct, frozen=True):
    """Where it would be done: the program, its window's title, and a page's origin with the part somebody registered."""

    program: str = ""
    window: str = ""
    site: str = ""
    strong: str = ""


class ApprovalAsked(_Event, frozen=True, tag="approval"):
    """The agent asks the user to approve a batch and waits. `id` binds the answer to exactly this question.

    `words` say in short what is asked, `rows` whole: every text, the hosts it names, and what the yes rests on.
    `exact` lists the operations, also whole; `window` is the window they go to, `why` the reason for asking,
    `source` says where the text comes from, in words ("" when there is none); `lasting` whether
    "always" may be answered, and `covers` what that would allow until the program ends; `adds` is what a yes adds
    to the scope of the run, as `--allow` takes it. `picture` is a JPEG of the place (empty in JSON output), `at`
    the place in that picture, `region` the screen pixels that the picture shows one by one (None: it is scaled).

    For a glance: `places` say where, `whose` whose words they are and `whose_from` what was read. `changeable` are the
    parts that the user may change first, `near` elements to click instead; `changed` says what was changed of it,
    `fault` why the last change could not be made.
    """

    id: str
    words: str
    exact: tuple[str, ...]
    window: str
    why: str
    source: str = ""
    lasting: bool = True
    adds: tuple[str, ...] = ()
    picture: bytes = b""
    at: Point | None = None
    rows: tuple[AskedRow, ...] = ()
    covers: str = ""
    region: Rect | None = None
    places: tuple[AskedPlace, ...] = ()
    whose: Whose = ""
    whose_from: str = ""
    changeable: tuple[Changeable, ...] = ()
    near: tuple[NearElement, ...] = ()
    changed: tuple[ChangedWords, ...] = ()
    fault: str = ""


class StandingGrant(msgspec.Struct, frozen=True):
    """Something the user allowed with "always": `words` say what it covers, `since` is in seconds since the epoch."""

    id: str
    words: str
    since: float


class StandingSet(_Event, frozen=True, tag="standing"):
    """All that "always" covers now, whenever that has changed. It ends with the program."""

    grants: tuple[StandingGrant, ...] = ()


class Question(_Event, frozen=True, tag="question"):
    """The agent asks the user something and waits.

    `choices` are answers to pick from, at most four; the text of one, sent as the answer, picks it. Any other
    text is an answer, too. `on_screen`: the user has to do something on the screen themselves, as a login.
    """

    text: str
    choices: tuple[str, ...] = ()
    on_screen: bool = False


class Spent(msgspec.Struct, frozen=True):
    """Tokens and money: `cached_tokens` and `written_tokens` are the parts of the input read from and written to a cache.

    `dollars` is None when no price is known; when `dollars_complete` is false, it leaves out calls whose price is
    not known.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    dollars_complete: bool = True


class Usage(_Event, frozen=True, tag="usage"):
    """Running totals of the run: steps, and the figures of Spent; `this_step` are those of its last step alone."""

    step: int
    max_steps: int
    input_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    dollars_complete: bool = True
    this_step: Spent = Spent()


class Turn(_Event, frozen=True, tag="turn"):
    """The seconds turn `number` took: `total`, and of that observing, the model, acting, and settling."""

    number: int
    total: float
    look: float
    model: float
    act: float
    settle: float


class GoalReached(_Event, frozen=True, tag="done"):
    """The goal is reached: `verdict` tells whether that was checked, `receipts` by what, claim by claim.

    `answered`: nothing was done, and none of it is claimed: `summary` is an answer in words.
    `unverified` is the user's own word for it (a receipt of the kind `user`), the end of what nobody checks (a policy
    of numbers, a client's visit), or stands in a log older than receipts.
    """

    summary: str
    verdict: Verdict = "unverified"
    receipts: tuple[Receipt, ...] = ()
    answered: bool = False

    @property
    def said_by_user(self) -> bool:
        """Has the user said that it is done?"""
        return any(each.kind == "user" for each in self.receipts)


class Error(_Event, frozen=True, tag="error"):
    """The run ended because something failed; `advice` says what to do next."""

    message: str
    advice: str = ""


class Recording(_Event, frozen=True, tag="recording"):
    """Where the run's log and frames are."""

    path: str


FeedEvent: TypeAlias = (
    Goal | Status | Plan | NoteDelta | Note | LookTaken | Preview | Upcoming | Action | Result
    | EnvironmentsShown | ScopeSet | InputGranted | InputGrantOver | ApprovalAsked | StandingSet | Question | Usage | Turn | GoalReached | Error | Recording
)  # fmt: skip
