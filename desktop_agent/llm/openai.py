"""OpenAI's models through the Responses API."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_agent.llm.base import Model, Readiness, TokenUsage
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.failures import Failed, Failure
from desktop_agent.llm.transport.options import ImageEdge, ModelName, RemoteOptions
from desktop_agent.llm.transport.readiness import of_provider
from desktop_agent.llm.transport.remote_model import (
    GrowingText,
    Prompt,
    RawAnswer,
    RemoteModel,
    http_options,
    is_loopback,
)
from desktop_agent.llm.transport.sdk_errors import failure_of, of_response, reading
from desktop_agent.protocol.chat_messages import PictureBlock, TextBlock, inline
from desktop_agent.support import interruptible_call
from desktop_agent.support.key_store import find_key

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.responses import Response


class Options(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.openai]. `detail` is how much of the picture the model looks at."""

    # "Visual reasoning, precise computer use": the provider's model guide, November 2026.
    model: ModelName = "gpt-6.1-terra"
    # In original detail the provider scales nothing of this size: 64 x 64 patches of the 10,000 it takes.
    image_edge: ImageEdge = 2048
    detail: Literal["original", "high", "auto", "low"] = "original"


AUTO_RANK = 10
_API = "https://api.openai.com/v1"


def auto(options: Options) -> bool:
    """Is there a key for it?"""
    return find_key("openai", options.key_env) is not None


def readiness(options: Options, configured: bool) -> Readiness:  # noqa: ARG001 - it works without a table
    """Package, key and address, for the doctor."""
    return of_provider("openai", options)


def create(options: Options) -> Model:
    """The model that the options describe."""
    return OpenAIModel(options)


class OpenAIModel(RemoteModel[Options]):
    """Responses API with strict structured output: https://platform.openai.com/docs/api-reference/responses"""

    provider = "openai"
    label = "OpenAI"
    default_host = "api.openai.com"
    base_url_variable = "OPENAI_BASE_URL"
    forms = ("schema", "object")

    def _connect(self, session: Session, secret: str) -> OpenAI:
        named = self.options.base_url or os.environ.get(self.base_url_variable, "")
        return connect(msgspec.structs.replace(self.options, base_url=named or _API), session, secret)

    def _failure_of(self, error: Exception, secret: str) -> Failure | None:
        import openai

        return failure_of(error, openai, secret)

    def _ask(self, client: OpenAI, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        arguments = self._arguments(prompt)
        text = GrowingText(say)
        if not self.options.stream:
            response = client.responses.create(**arguments, stream=False)
            with reading():
                return self._finish(response, text)
        with client.responses.create(**arguments, stream=True) as events, reading():
            return self._follow(events, text)

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        options = self.options
        arguments: dict[str, Any] = {
            "model": options.model,
            "instructions": prompt.system,
            "input": _input(prompt, options.detail),
            "text": {"format": _format(prompt)},
            "max_output_tokens": options.max_output_tokens,
            "prompt_cache_key": _cache_key(options.model, prompt.system),
            "store": False,  # pictures of a desktop are not kept by the provider
        }
        if options.effort:
            arguments["reasoning"] = {"effort": options.effort}
        return arguments

    def _follow(self, events: Any, text: GrowingText) -> RawAnswer:
        seen = False
        for event in events:
            seen = True
            if event.type == "response.output_text.delta":
                text.add(event.delta)
            elif event.type in ("response.completed", "response.incomplete", "response.failed"):
                return self._finish(event.response, text)
            elif event.type == "error":
                raise Failed(of_response(0, {"code": event.code, "message": event.message}, "", {}))
        raise Failed(Failure("broken_off" if seen else "malformed"))

    def _finish(self, response: Response, text: GrowingText) -> RawAnswer:
        if response.error is not None:
            raise Failed(of_response(0, response.error.to_dict(), "", {}))
        if response.incomplete_details is not None:
            cut = response.incomplete_details.reason == "max_output_tokens"
            raise Failed(Failure("cut_off" if cut else "refusal"))
        if response.status != "completed":
            raise Failed(Failure("malformed", f"status {response.status}"))
        _check_refusal(response)
        if not str(text):
            text.add(response.output_text)
        return RawAnswer(str(text), self._usage(response))

    def _usage(self, response: Response) -> TokenUsage:
        used = response.usage
        if used is None:
            return TokenUsage()
        details = used.input_tokens_details
        cached = details.cached_tokens or 0 if details is not None else 0
        kept = getattr(details, "cache_write_tokens", None) or 0  # an older server does not tell
        ages = getattr(details, "cache_write_tokens_details", None)
        half_day = ages.ttl_12h_tokens if ages is not None else 0
        return self.options.usage(
            used.input_tokens,
            cached,
            used.output_tokens,
            written=kept - half_day,
            written_long=half_day,
            price=self.price,
        )


def connect(options: RemoteOptions, session: Session, secret: str) -> OpenAI:
    """A client of the openai SDK with our limits; without a key it sends no Authorization header."""
    import openai

    given = http_options(options, session, options.base_url)
    given["trust_env"] = not is_loopback(options.base_url)  # no proxy reaches this machine
    if not secret:
        given["event_hooks"]["request"].append(_without_key)
    return openai.OpenAI(
        api_key=secret or "none",
        base_url=options.base_url,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(**given),
    )


def _without_key(request: Any) -> None:
    """Request hook: the SDK insists on a key, a server of one's own does not."""
    request.headers.pop("Authorization", None)


def _input(prompt: Prompt, detail: str) -> list[dict[str, Any]]:
    """The conversation as the API takes it."""
    return [
        {"role": each.role, "content": [_part(block, each.role, detail) for block in inline(each.content)]}
        for each in prompt.messages("openai")
    ]


def _part(block: TextBlock | PictureBlock, role: str, detail: str) -> dict[str, Any]:
    if isinstance(block, PictureBlock):
        return {"type": "input_image", "image_url": block.data_url, "detail": detail}
    return {"type": "input_text" if role == "user" else "output_text", "text": block.text}


def _format(prompt: Prompt) -> dict[str, Any]:
    if prompt.form == "schema":
        return {"type": "json_schema", "name": "reply", "strict": True, "schema": prompt.schema}
    return {"type": "json_object" if prompt.form == "object" else "text"}


def _cache_key(model: str, system: str) -> str:
    """Requests that share their beginning are sent to the same cache."""
    return "desktop-agent-" + hashlib.blake2b(f"{model}\n{system}".encode(), digest_size=12).hexdigest()


def _check_refusal(response: Response) -> None:
    for item in response.output:
        for part in item.content or () if item.type == "message" else ():
            if part.type == "refusal":
                raise Failed(Failure("refusal", part.refusal[:200]))
