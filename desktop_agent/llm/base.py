"""A model: what turns a conversation and an observation into a reply.

Adding one is one new file `llm/NAME.py`, or a module of an installed package that an entry point of the
group `desktop_agent.models` names. It defines an `Options` struct (its `[llm.NAME]` table in config.toml)
and `create(options: Options) -> Model`, which needs no network. Real SDKs are imported on first use, never
at import of the module. It may also define

- `VARIANT: str`: the option that the words after the colon set, as in `replay:PATH`; without it that is `model`;
- `auto(options: Options) -> bool`: whether it can be used when no model is named, and `AUTO_RANK: int`: of
  several that can, the lowest is taken;
- `readiness(options: Options, configured: bool) -> Readiness`: what the doctor says about it; `configured`
  tells whether config.toml has its table. Without one the doctor creates it and says what that raised.

Instead of a `Model`, `create` may return any object with `call(messages, kv_cache) -> (text, kv_cache)`; an entry
point may also name such a class, or a module with that function (llm/transport/call_model.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from desktop_agent.protocol.agent_events import Effect, Outcome
from desktop_agent.protocol.chat_messages import GivenBlock, Message, text_of
from desktop_agent.protocol.dialects.base import Dialect, FunctionTool, ToolCall
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import BadReply, ModelError, Problem
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import Button
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.mapping.desktop_map import DesktopMap
from desktop_agent.vision.observation import Observation


class ContextLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a conversation may grow before it is shortened, and how.

    It is shortened beyond `words`, or when the last call had more than `tokens` (0: a share of the model's window,
    where that is known); `keep` messages stay as they are. `strategy` "summary" has the model sum the others up, "truncate" drops them, "provider" leaves
    it to the provider's own compaction.
    """

    words: Annotated[int, msgspec.Meta(ge=500)] = 30_000
    tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    keep: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    strategy: Literal["summary", "truncate", "provider"] = "summary"


UnshownDone: TypeAlias = Literal["refused", "asked", "told"]


class Support(msgspec.Struct, frozen=True):
    """What a model can do, stated so that nothing is guessed.

    `images`: it sees pictures. `strict_schema`: its text is held to the dialect's JSON Schema by its server.
    `proves_done`: it says "done" only after it has itself checked the effect outside of what a screen says, and bounds
    its own waiting. `unshown_done` is what comes of a "done" that nothing shows: it is refused and the model goes on; the
    user is asked at once, where telling it changes nothing; or it ends the run and is told as it was found.
    `image_edge` is the longest edge in pixels of a picture it sees without being scaled again, `marks`
    whether the ids of the elements are drawn on it. `messages`: it reads the messages of the conversation, so
    they are kept for it; `whole_pictures`: of a change it wants the whole picture, never a part. `questions`:
    `ask` works. `context` says when its conversation is shortened, `context_tokens` how much it can read (0 where
    that is not known). `computer_tool` is the type of its provider's own computer tool ("" for none), `cache`
    whether its provider caches the beginning of a prompt. `mends`: told what its reply lacks it words another one, so
    a plan is demanded of it; not so what stands beforehand, or comes from another program.
    """

    images: bool = True
    strict_schema: bool = True
    image_edge: int = 1568
    image_format: str = "jpeg"
    marks: bool = False
    proves_done: bool = False
    unshown_done: UnshownDone = "refused"
    messages: bool = True
    whole_pictures: bool = False
    questions: bool = False
    context: ContextLimits = ContextLimits()
    computer_tool: str = ""
    cache: bool = False
    context_tokens: int = 0
    mends: bool = False

    @property
    def paces_itself(self) -> bool:
        """Does it bound its own waiting, or stand beforehand?"""
        return self.proves_done or self.unshown_done != "refused"


class Readiness(msgspec.Struct, frozen=True):
    """Whether a model can be used now: `detail` says why or why not, `advice` what to do when it cannot."""

    state: Literal["ok", "missing", "broken"]
    detail: str
    advice: str = ""


class KeyUse(msgspec.Struct, frozen=True):
    """A key that would be sent to an origin it was not given for.

    `name` is what it is called in `support.key_hosts`, `source` says in words where it was found, `given_for`
    is the origin it is for ("" when that is not known), `provider` the model's name.
    """

    provider: str
    name: str
    source: str
    given_for: str
    origin: str


class TokenUsage(msgspec.Struct, frozen=True):
    """Tokens of one call; `cached` and `written` are the parts of `input` read from a cache and written into one.

    `dollars` is None when the price is not known.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    dollars: float | None = None
    written: int = 0


class PaidBadReply(BadReply):
    """A reply that cannot be used, with what it cost all the same."""

    def __init__(self, error: BadReply, usage: TokenUsage) -> None:
        super().__init__(error.problems, error.raw)
        self.usage = usage


MISSED = "it stands elsewhere than was told, so the click missed it"
"""Detail of a click that came to nothing because the place of the thing was an old one."""


@dataclass(frozen=True)
class Deed:
    """One operation of the past and what came of it, oldest first in a conversation.

    `output` is what a command printed; `too_late`: the screen changed before anything of it was carried out.
    """

    turn: int
    op: Op
    words: str
    outcome: Outcome
    detail: str = ""
    effect: Effect = "unknown"
    output: str = ""
    too_late: bool = False


@dataclass(frozen=True)
class Conversation:
    """All a model is told besides the observation.

    `system` and `messages` are for models that read prose: the whole conversation, the newest look last.
    The rest is the same as facts: `goal` is the user's first words, `said` later words of the user with the
    turn they came in (answers, changes), `plan`/`step` the plan as it stands (step from 0), `deeds` the last
    operations with outcomes, `operations` the names it may use, `dialect` the form of its text and `schema` the
    JSON Schema of that (None where there is none), `tools` what it may call beside its provider's own computer
    tool (in a dialect of such tools), `max_actions` how many operations its reply may have, `problems` what was wrong
    with its last reply; `map` is where things were in earlier looks; `facts` carries extras by name.
    """

    goal: str
    system: str
    schema: Mapping[str, Any] | None
    messages: tuple[Message, ...] = ()
    operations: tuple[str, ...] = ()
    said: tuple[tuple[int, str], ...] = ()
    plan: tuple[str, ...] = ()
    step: int = 0
    turn: int = 1
    deeds: tuple[Deed, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    dialect: Dialect = JSON
    tools: tuple[FunctionTool, ...] = ()
    max_actions: int | None = None
    map: DesktopMap | None = None

    @property
    def text(self) -> str:
        """The words of all messages."""
        return text_of(self.messages)

    def decode(self, text: str) -> Reply:
        """A model's text as a Reply with these operations, and no more of them than it may have. Raises BadReply."""
        return self.dialect.decode(text, self.operations or None, self.max_actions)

    def calls(self, text: str) -> tuple[ToolCall, ...]:
        """The calls that the operations of such a text came of."""
        most = self.dialect.max_actions if self.max_actions is None else self.max_actions
        return self.dialect.calls(text, most)


class Remark(msgspec.Struct, frozen=True):
    """What a model has to tell beside its reply: `words` for the user, `facts` for the log under this `kind`."""

    kind: str
    words: str
    facts: dict[str, Any] = {}


@dataclass(frozen=True)
class Answer:
    """A decoded reply with its raw text and cost.

    `calls` tell which operations came of which call of a tool. `given` are blocks of the provider that stand for the
    conversation before the answer (its own compaction). `detail` is what it said beside that, for the log, like why
    its cache was missed; `remark` is for the user, too.
    """

    reply: Reply
    raw: str
    usage: TokenUsage = TokenUsage()
    calls: tuple[ToolCall, ...] = ()
    given: tuple[GivenBlock, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    remark: Remark | None = None


@dataclass(frozen=True)
class SpokenAnswer:
    """An answer in plain words with its cost."""

    text: str
    usage: TokenUsage = TokenUsage()


class Model(ABC):
    """One model of one provider."""

    name: str
    support: Support
    dialect: str = "json"
    """The dialect it speaks where the config does not say."""
    interpreter: str = ""
    """Another model that it has read its pictures, as in `anthropic:NAME`; "" for none."""

    @abstractmethod
    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """Ask for the next turn.

        `on_note` receives pieces of the note while it streams. Raises BadReply (with every problem)
        when the answer does not follow the protocol, ModelError with one clear message and advice,
        Stopped as soon as `stop` is set, however the server behaves.
        """

    def ask(self, system: str, messages: Sequence[Message], *, stop: StopFlag) -> SpokenAnswer:  # noqa: ARG002
        """The answer in plain words to the last message; no operations are offered.

        Only where `support.questions` says so. Raises ModelError, also for an answer that was cut off, and Stopped.
        """
        raise ModelError(f"The model {self.name} answers no questions.", "Choose another model.")

    def foreign_key_use(self) -> KeyUse | None:
        """The key that it would send to an origin the key was not given for; None for one that sends no such key.

        It sends none then: the user can be asked first. May ask the key store, nobody else.
        """
        return None

    def server(self) -> str:
        """The origin that pictures and texts go to, or who gets them in words; "" when they stay on this computer."""
        return f"the model {self.name}"

    def read_with(self, model: Model) -> None:
        """Have this model read the pictures, which is closed with this one. Before the first turn, where it names an `interpreter`."""
        del model

    def close(self) -> None:
        """Let go of connections."""


class Tick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a numeric policy says at one moment: where the pointer is, in pixels of the frame, and what is held down.

    `keys` are names as in the operations (a, ctrl, enter). `value` is what the policy estimates the moment to be
    worth, None where it estimates nothing; `done` ends the run.
    """

    x: int
    y: int
    buttons: frozenset[Button] = frozenset()
    keys: frozenset[str] = frozenset()
    value: float | None = None
    done: bool = False


class NumericPolicy(Model):
    """A model whose output is not text: frame by frame it says where pointer, buttons and keys are.

    What `create` returns where a plug-in is one. It is worked thirty times a second; what it holds down is let go when
    it thinks longer than a tenth of a second.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.support = Support(images=False, strict_schema=False, messages=False)

    @abstractmethod
    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        """The tick for a frame of this size: rows of pixels of four bytes (blue, green, red, unused), top row first.

        `tick` counts from 0. Raises ModelError. An exception of any other kind ends the run as a failure inside.
        """

    def begin(self, goal: str) -> None:
        """A run begins; the words of the goal are there for whoever can use them. Raises ModelError."""

    def abandon(self) -> None:
        """The tick under way is not waited for any more: it should end soon. From any thread."""

    def server(self) -> str:
        return ""

    def reply(
        self,
        conversation: Conversation,  # noqa: ARG002
        observation: Observation,  # noqa: ARG002
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        raise ModelError(f"{self.name} gives numbers, no replies.", "Choose another model.")
