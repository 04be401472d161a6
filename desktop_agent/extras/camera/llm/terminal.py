"""The model `terminal`: works a terminal that is seen in pictures, by a strategy that decides which keys to press.

Each turn: the picture is interpreted (by what the target read, or by a model that sees), the strategy judges whether the
goal is reached, and decides on the next action, which is judged again with the next picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, cast

import msgspec

from desktop_agent.llm.base import Answer, Conversation, KeyUse, Model, Readiness, Remark, Support, TokenUsage
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.support import plugins
from desktop_agent.vision.observation import Observation

if TYPE_CHECKING:
    from desktop_agent.extras.camera.llm.strategies.base import AgentStrategy, TerminalContext
    from desktop_agent.wire.base import KeyboardAction

VARIANT = "strategy"
_ENTER = ops.KeyCombo(("enter",))
_PAUSES = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0)
"""Seconds until the next picture, the longer the more in a row showed nothing to act on."""
_MOST_WORDS = 4_000


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.terminal].

    `strategy` decides what is pressed. `interpreter` reads the pictures: "" is what the target has read itself, else a
    model, as in "anthropic:NAME". So many errors in a row (`max_errors`: a picture that cannot be read, or is read with
    less confidence than `min_confidence`) and so many actions (`max_steps`) end the run. `patience` are seconds that one
    command may run. A strategy gets those of these options that it has itself.
    """

    strategy: Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]*$")] = "shell"
    interpreter: str = ""
    max_errors: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 5
    max_steps: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 60
    min_confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.6
    patience: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 120.0


def readiness(options: Options, configured: bool) -> Readiness:  # noqa: ARG001 - it is always ready
    """For the doctor."""
    return Readiness("ok", "needs a terminal that is seen through a camera, and no key")


def create(options: Options) -> Model:
    """The model; its strategy is loaded here, too. Raises ConfigError for one that is not there."""
    return TerminalModel(options)


class TerminalModel(Model):
    """Follows one run at a time. Where the options name an interpreter, `read_with` must be called with it first."""

    name = "terminal"
    support = Support(images=False, messages=False, proves_done=True)

    def __init__(self, options: Options) -> None:
        self.interpreter = options.interpreter
        self._driver = TerminalDriver(options)
        self._reader: Model | None = None

    def read_with(self, model: Model) -> None:
        """Have this model read the pictures."""
        self._reader = model

    def server(self) -> str:
        return self._reader.server() if self._reader is not None else ""

    def foreign_key_use(self) -> KeyUse | None:
        return self._reader.foreign_key_use() if self._reader is not None else None

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """The next turn. Raises Stopped; ModelError where an interpreter is named but not there."""
        stop.check()
        interpreted = self._interpreted(observation, stop)
        if interpreted.state is not None:
            # A target reads a picture that has not changed once; the time that is waited goes on.
            state = msgspec.structs.replace(interpreted.state, time=observation.time)
            interpreted = msgspec.structs.replace(interpreted, state=state)
        return self._driver.reply(conversation, interpreted, on_note)

    def _interpreted(self, observation: Observation, stop: StopFlag) -> Interpreted:
        if not self.interpreter:
            return Interpreted(observation.terminal, "" if observation.terminal else _UNREAD)
        if self._reader is None:
            raise ModelError(
                f"The interpreter {self.interpreter!r} is not there.", "Set `interpreter` in [llm.terminal]."
            )
        from desktop_agent.extras.camera.llm._terminal_interpreter import (  # loads numpy
            InterpreterError,
            interpret,
        )

        try:
            state, usage = interpret(self._reader, observation, stop)
        except InterpreterError as error:
            told = {"provider": error.provider, "raw": error.raw}
            return Interpreted(None, error.message, error.usage, Remark("interpreter", error.message, told))
        except ModelError as error:
            return Interpreted(None, f"{error.message} {error.advice}".strip())
        return Interpreted(state, usage=usage)


class Interpreted(msgspec.Struct, frozen=True):
    """A picture's state, or why there is none; what reading it cost, and what a bad reading was, for the log."""

    state: TerminalState | None
    error: str = ""
    usage: TokenUsage = TokenUsage(dollars=0.0)
    remark: Remark | None = None


class TerminalDriver:
    """Keeps the history of a run, and turns what a strategy decides into a reply of the loop."""

    def __init__(self, options: Options) -> None:
        module = plugins.load("strategy", options.strategy)
        own = {
            each: getattr(options, each)
            for each in module.Options.__struct_fields__
            if hasattr(options, each)
        }
        self._strategy = cast("AgentStrategy", module.create(module.Options(**own)))
        self._options = options
        self._context: TerminalContext | None = None
        self._begun = ""
        self._turn = 0
        self._acted = 0
        """The turn in which the last action was decided; 0 where its outcome is known."""
        self._errors = self._idle = 0

    def reply(
        self, conversation: Conversation, interpreted: Interpreted, on_note: Callable[[str], None]
    ) -> Answer:
        """What to do at a picture: act, wait for the next one, or end."""
        note, actions = self._decided(self._follow(conversation), interpreted)
        note = note[:_MOST_WORDS]
        if note:
            on_note(note)
        reply = Reply(notes=note, actions=actions)
        raw = msgspec.json.encode(reply).decode()
        return Answer(reply, raw, interpreted.usage, remark=interpreted.remark)

    def _decided(self, context: TerminalContext, interpreted: Interpreted) -> tuple[str, tuple[Op, ...]]:
        """The words and the operations of the turn."""
        state, error = interpreted.state, interpreted.error
        if state is not None and state.confidence < self._options.min_confidence:
            error = f"The picture can be read with a confidence of {state.confidence:.2f} only."
        if state is None or error:
            return self._unreadable(context, error or _UNREAD)
        self._errors = 0
        self._context = context = context.add_observation(state)
        done = self._strategy.evaluate_completion(context, state)
        if done.status == "completed":
            return done.why, (ops.Done(done.why[:_MOST_WORDS] or "It is done."),)
        if done.status == "failed":
            return "", (ops.Fail(done.why[:_MOST_WORDS] or "It did not work."),)
        return self._next(context, state)

    def _next(self, context: TerminalContext, state: TerminalState) -> tuple[str, tuple[Op, ...]]:
        decision = self._strategy.decide_action(context, state)
        if decision.action is None:
            return decision.reasoning, (self._pause(),)
        if len(context.actions) >= self._options.max_steps:
            return "", (ops.Fail(f"The goal is not reached after {self._options.max_steps} actions."),)
        self._idle, self._acted = 0, self._turn
        self._context = context.add_action(decision.action, decision.reasoning)
        return decision.reasoning, operations(decision.action)

    def _unreadable(self, context: TerminalContext, error: str) -> tuple[str, tuple[Op, ...]]:
        self._context = context.add_error(error)
        self._errors += 1
        if self._errors > self._options.max_errors:
            return "", (
                ops.Fail(
                    f"I could not read the terminal {self._errors} times in a row: {error}"[:_MOST_WORDS]
                ),
            )
        return error, (self._pause(),)

    def _pause(self) -> Op:
        self._idle += 1
        return ops.Wait(_PAUSES[min(self._idle, len(_PAUSES)) - 1])

    def _follow(self, conversation: Conversation) -> TerminalContext:
        """The history of the run that the conversation is of, with what came of the last action."""
        from desktop_agent.extras.camera.llm.strategies.base import TerminalContext

        goal = "\n".join((conversation.goal, *(words for _, words in conversation.said)))
        if self._context is None or conversation.turn <= self._turn or goal != self._begun:
            self._context, self._begun, self._acted = TerminalContext(goal), goal, 0
            self._errors = self._idle = 0
        self._turn = conversation.turn
        deeds = [each for each in conversation.deeds if each.turn == self._acted] if self._acted else []
        if deeds:
            worst = next((each for each in deeds if each.outcome != "done"), deeds[0])
            self._context = self._context.with_outcome(worst.outcome, worst.detail)
            self._acted = 0
        return self._context


_UNREAD = "No terminal can be read in the picture."


def operations(action: KeyboardAction) -> tuple[Op, ...]:
    """The operations of the loop that press what an action says; a line feed at the end of a text is Enter.

    A line and its Enter are one operation, so that people are asked about them once.
    """
    from desktop_agent.wire.base import Keystroke, ModifiedKey

    match action:
        case Keystroke(key):
            return (ops.KeyCombo((key,)),)
        case ModifiedKey(modifiers, key):
            return (ops.KeyCombo((*modifiers, key)),)
    text = action.text
    return (ops.Type(text),) if text.strip("\n") else (_ENTER,)
