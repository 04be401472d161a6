"""Has a model that sees read the picture of a terminal, with one prompt and one schema for all providers."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import msgspec

from desktop_agent.llm.base import Model, TokenUsage
from desktop_agent.llm.transport.picture import sized
from desktop_agent.llm.transport.remote_model import RemoteModel, total
from desktop_agent.protocol.chat_messages import Message, TextBlock
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources
from desktop_agent.vision.encoding.encode import image_size
from desktop_agent.vision.observation import Observation

MAX_RAW = 2_000
"""Characters of a reply that an error keeps."""
_OURS = ("frame", "time", "reader")
"""Fields of a state that no model tells."""
_TRIES = 2
_MOST_LINES, _LONGEST = 500, 2_000
_FENCE = re.compile(r"^```(?:json)?\s*\n(.*)\n```\s*$", re.S)


class InterpreterError(ModelError):
    """A reply that tells no state of a terminal: the `provider` it came from, the reply (`raw`), redacted and bounded, and what it cost."""

    def __init__(self, message: str, advice: str, provider: str, raw: str, usage: TokenUsage) -> None:
        super().__init__(message, advice)
        self.usage = usage
        self.provider = provider
        self.raw = redactor().clean(raw)[:MAX_RAW]


def interpret(model: Model, observation: Observation, stop: StopFlag) -> tuple[TerminalState, TokenUsage]:
    """What a terminal shows in the picture of an observation, as the model reads it, and what that cost.

    A reply that cannot be used is asked for once more with every error listed. Raises InterpreterError after that,
    ModelError, Stopped.
    """
    if not model.support.images:
        raise ModelError(
            f"The model {model.name} sees no pictures.", "Set another `interpreter` in [llm.terminal]."
        )
    messages = [_question(model, observation)]
    usages: list[TokenUsage] = []
    for left in reversed(range(_TRIES)):
        answer = model.ask(system_prompt(), messages, stop=stop)
        usages.append(answer.usage)
        state, problems = read_state(answer.text)
        if state is not None:
            known = msgspec.structs.replace(state, time=observation.time, reader=model.name)
            return known, total(usages)
        if left:
            messages += [Message("assistant", (TextBlock(answer.text[:MAX_RAW] or "…"),)), _again(problems)]
    provider = f"{model.label} ({model.name})" if isinstance(model, RemoteModel) else model.name
    raise InterpreterError(
        f"{provider} does not tell the terminal's state: {'; '.join(problems)}.",
        "Try again, or set another `interpreter` in [llm.terminal].",
        provider,
        answer.text,
        total(usages),
    )


@cache
def system_prompt() -> str:
    """What every provider's model is told: how to read, and the JSON Schema of the answer."""
    schema = json.dumps(_schema(), ensure_ascii=False)
    return f"{resources.text('prompts', 'terminal_state.md').strip()}\n\nJSON Schema of the answer:\n{schema}"


@cache
def _told() -> type[msgspec.Struct]:
    """The part of a TerminalState that a model tells, all of it required."""
    kinds = msgspec.structs.fields(TerminalState)
    fields = [(each.name, each.type) for each in kinds if each.name not in _OURS]
    return msgspec.defstruct("State", fields, frozen=True, forbid_unknown_fields=True)


def _schema() -> dict[str, Any]:
    (schema,), parts = msgspec.json.schema_components([_told()], ref_template="{name}")
    found = parts[schema["$ref"]]
    return {**found, "additionalProperties": False}


def read_state(text: str) -> tuple[TerminalState | None, list[str]]:
    """The state that a reply tells; None with every problem where it tells none."""
    fenced = _FENCE.match(text.strip())
    try:
        data = msgspec.json.decode(fenced[1] if fenced else text)
    except (msgspec.DecodeError, UnicodeError) as error:
        return None, [f"it is no JSON ({error})"]
    try:
        told = msgspec.convert(data, _told(), strict=True)
    except msgspec.ValidationError as error:
        return None, [str(error)]
    state = TerminalState(**{name: getattr(told, name) for name in told.__struct_fields__})
    problems = list(_problems(state))
    return (None, problems) if problems else (_trimmed(state), [])


def _problems(state: TerminalState) -> list[str]:
    lines, cursor = state.content, state.cursor
    found = []
    if any(re.search(r"[\x00-\x08\x0a-\x1f\x7f]", each) for each in lines):
        found.append("`content` has a line with a line feed or a control character in it")
    if len(lines) > _MOST_LINES or any(len(each) > _LONGEST for each in lines):
        found.append("`content` is larger than any terminal")
    if not 0 <= state.confidence <= 1:
        found.append("`confidence` is not between 0 and 1")
    if cursor is not None and min(cursor) < 0:
        found.append("`cursor` has a negative number")
    if state.prompt and not any(each.startswith(state.prompt.rstrip()) for each in lines):
        found.append("no line of `content` begins with `prompt`")
    return found


def _trimmed(state: TerminalState) -> TerminalState:
    lines = [each.rstrip() for each in state.content]
    while lines and not lines[-1]:
        lines.pop()
    return msgspec.structs.replace(state, content=tuple(lines))


def _question(model: Model, observation: Observation) -> Message:
    frame = observation.frame
    support = msgspec.structs.replace(model.support, image_format="png")  # a JPEG blurs the edges of letters
    picture = sized(frame, image_size(frame.size, support.image_edge), support)
    return Message("user", (TextBlock("The terminal as it is now."), picture))


def _again(problems: list[str]) -> Message:
    listed = "\n".join(f"- {each}" for each in problems)
    return Message(
        "user",
        (TextBlock(f"This answer cannot be used:\n{listed}\nAnswer anew, with the JSON object alone."),),
    )
