"""Models against the fake server, and something to ask them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.protocol.chat_messages import Message, TextBlock
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.schema import reply_schema
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.providers import key_hosts
from desktop_agent.support.web_origin import server_origin
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Observation

OPERATIONS = tuple(sorted(set(OPS) - RESERVED))
SYSTEM = "You work a desktop. Answer in JSON."
TEXT = "Goal: say grüß Gott. Elements: [e1] push button 'OK'."
NOTE = 'Ich grüße mit "\U0001f44b" —\nund\twarte.'
REPLY: dict[str, Any] = {
    "notes": NOTE,
    "high_level": ["Greet"],
    "step": 1,
    "actions": [{"op": "click", "x": 3, "y": 4, "button": "left", "count": 1, "modifiers": []}],
}
GOOD = json.dumps(REPLY)  # ASCII: the note travels in escapes
PROVIDERS = ("openai", "compatible", "anthropic")


def answer_good(_: Any) -> str:
    """What a fake server's model says."""
    return GOOD


def trust(provider: str, url: str) -> None:
    """Let the provider's key go to a server, as its user has confirmed."""
    for name in (f"env:{provider.upper()}_API_KEY", f"store:{provider}"):
        key_hosts().confirm(name, server_origin(url))


def make(provider: str, url: str, **given: Any) -> Model:
    """The model of a provider, asking the server at `url`, which its key may be sent to."""
    trust(provider, url)
    if "key_env" in given:
        key_hosts().confirm(f"env:{given['key_env']}", server_origin(url))
    if provider == "openai":
        return openai.create(openai.Options(base_url=f"{url}/v1", **given))
    if provider == "anthropic":
        return anthropic.create(anthropic.Options(base_url=url, **given))
    given = {"model": "fake-model", **given}
    return compatible.create(compatible.Options(base_url=f"{url}/v1", **given))


def conversation(support: Support | None = None, text: str = TEXT, **given: Any) -> Conversation:
    """The picture of `observation` and a text, as a model with that `support` is told them."""
    plain: dict[str, Any] = {
        "goal": "say grüß Gott",
        "system": SYSTEM,
        "messages": (Message("user", (TextBlock(text), Pictures().of(observation(), support or Support()))),),
        "schema": reply_schema(OPERATIONS),
        "operations": OPERATIONS,
    }
    return Conversation(**{**plain, **given})


def observation() -> Observation:
    """A screen of 96x64 with a gradient, shown at half its size."""
    pixels = b"".join(bytes((x * 2, y * 3, 90, 0)) for y in range(64) for x in range(96))
    region = Rect(0, 0, 96, 64)
    return Observation(Frame(pixels, region, 7, 0.0), Viewport(region, Size(48, 32), 7))


def ask(
    model: Model,
    stop: StopFlag | None = None,
    on_note: Callable[[str], None] = lambda _: None,
    **given: Any,
) -> Answer:
    return model.reply(
        conversation(model.support, **given), observation(), on_note=on_note, stop=stop or StopFlag()
    )


def failure(model: Model, **given: Any) -> ModelError:
    """The ModelError that asking ends with."""
    try:
        answer = ask(model, **given)
    except ModelError as error:
        return error
    raise AssertionError(f"no error but {answer}")
