"""Whether a model can be reached: one short question where it answers questions, else what it says of itself."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from desktop_agent.llm.base import Model
from desktop_agent.llm.transport.call_model import as_model
from desktop_agent.llm.transport.remote_model import RemoteModel
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr, tr_sentence

SECONDS, SECONDS_LOCAL = 30.0, 180.0
"""How long an answer is waited for; a model on this computer may have to be loaded first."""
QUESTION_TOKENS, ANSWER_TOKENS = 60, 1_000
"""What the question has about, and what the answer may have at most: its thinking counts too."""


class Reached(NamedTuple):
    """What came of it, in words: "ok" it answered, "ready" all that can be told without asking is there."""

    state: Literal["ok", "ready", "failed", "stopped"]
    words: str


def reach(settings: Config, chosen: str, stop: StopFlag) -> Reached:
    """Ask the chosen model (as in `agent.model`) for a word; blocks until it answers, fails or is stopped."""
    try:
        made = short_model(settings, chosen)
        try:
            return _ask(made, stop) if made.support.questions else _readiness(settings, chosen, made)
        finally:
            made.close()
    except Stopped:
        return Reached("stopped", tr("Cancelled."))
    except DesktopAgentError as error:
        return Reached("failed", redactor().clean(tr_sentence(str(error))))


def cost_words(settings: Config, chosen: str) -> str:
    """What `reach` sends and costs at most, in words. Raises ConfigError or ModelError."""
    made = short_model(settings, chosen)
    try:
        if not made.support.questions:
            return tr("Nothing is sent: it only looks whether everything is there.")
        if not made.server():
            return tr("One short question to a model on this computer. It costs nothing.")
        price = made.price if isinstance(made, RemoteModel) else None
        if price is None or price.input is None or price.output is None:
            return tr("One short question, of about {n} tokens with its answer.").format(
                n=QUESTION_TOKENS + 40
            )
        most = (price.input * QUESTION_TOKENS + price.output * ANSWER_TOKENS) / 1_000_000
        return tr("One short question. It costs {dollars} $ at most.").format(dollars=f"{most:.3f}")
    finally:
        made.close()


def _ask(made: Model, stop: StopFlag) -> Reached:
    if (use := made.foreign_key_use()) is not None:
        told = tr("The key from {source} was not given for {origin}, so nothing was sent.")
        advice = tr("Paste a key for this server, or confirm it at the next start.")
        return Reached("failed", f"{told.format(source=use.source, origin=use.origin)} {advice}")
    answer = made.ask("Answer with one word.", [words_of("Say OK.")], stop=stop)
    words = tr("{model} answered.").format(model=made.name)
    if answer.usage.dollars:
        words = f"{words} {tr('It cost {dollars} $.').format(dollars=f'{answer.usage.dollars:.5f}')}"
    return Reached("ok", words)


def _readiness(settings: Config, chosen: str, made: Model) -> Reached:
    name = chosen.partition(":")[0]
    module = plugins.load("llm", name)
    if hasattr(module, "readiness"):
        ready = module.readiness(_options(settings, name, ""), name in settings.llm)
        if ready.state != "ok":
            return Reached("failed", f"{tr_sentence(ready.detail)}. {tr_sentence(ready.advice)}")
    return Reached("ready", tr("{model} is ready on this computer.").format(model=made.name))


def short_model(settings: Config, chosen: str) -> Model:
    """The chosen model, with short limits. Raises ConfigError or ModelError."""
    name, _, variant = chosen.partition(":")
    module = plugins.load("llm", name)
    return as_model(module.create(_options(settings, name, variant)), name)


def _options(settings: Config, name: str, variant: str) -> Any:
    module = plugins.load("llm", name)
    options = config.options(settings, "llm", name, module.Options)
    field = getattr(module, "VARIANT", "model")
    if variant and not hasattr(options, field):
        raise ConfigError(f"{name} has no choice of {field}.", f"Say just {name}.")
    short = {
        "timeout": SECONDS_LOCAL if name == "local" else SECONDS,
        "idle_timeout": SECONDS_LOCAL if name == "local" else SECONDS,
        "retries": 0,
        "max_output_tokens": ANSWER_TOKENS,
    }
    changes: dict[str, Any] = {key: value for key, value in short.items() if hasattr(options, key)}
    return msgspec.structs.replace(options, **changes, **({field: variant} if variant else {}))
