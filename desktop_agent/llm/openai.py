"""OpenAI's models through the Responses API."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_agent.llm.base import Model, TokenUsage
from desktop_agent.llm.transport.answer_fields import (
    count,
    field,
    items,
    plain,
    raise_error_in,
    whole_answer,
    words,
)
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.failures import Failed, Failure
from desktop_agent.llm.transport.openai_items import input_items
from desktop_agent.llm.transport.options import ImageEdge, ModelName, RemoteOptions
from desktop_agent.llm.transport.readiness import has_key, of_provider
from desktop_agent.llm.transport.remote_model import (
    GrowingText,
    Prompt,
    RawAnswer,
    RemoteModel,
    http_options,
    is_loopback,
)
from desktop_agent.llm.transport.sdk_errors import clean, of_response, reading
from desktop_agent.protocol.chat_messages import GivenBlock
from desktop_agent.support import interruptible_call

if TYPE_CHECKING:
    from openai import OpenAI


class Options(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.openai]. `detail` is how much of the picture the model looks at."""

    # "Visual reasoning, precise computer use": the provider's model guide, November 2026.
    model: ModelName = "gpt-6.1-terra"
    # In original detail the provider scales nothing of this size: 64 x 64 patches of the 10,000 it takes.
    image_edge: ImageEdge = 2048
    detail: Literal["original", "high", "auto", "low"] = "original"


AUTO_RANK = 10
auto = partial(has_key, "openai")
readiness = partial(of_provider, "openai")
_TELLS_OF_CACHE = "gpt-[6-9]*"
"""Models that say why their cache was missed."""
_API = "https://api.openai.com/v1"


def create(options: Options) -> Model:
    """The model that the options describe."""
    return OpenAIModel(options)


class OpenAIModel(RemoteModel[Options]):
    """Responses API, with the provider's computer tool or structured output: https://platform.openai.com/docs/api-reference/responses"""

    provider = sdk = "openai"
    label = "OpenAI"
    default_host = "api.openai.com"
    base_url_variable = "OPENAI_BASE_URL"
    forms = ("schema", "object")
    own_tools = "openai_tools"
    whole_pictures = True
    _last_id = ""

    def _connect(self, session: Session, secret: str) -> OpenAI:
        named = self.options.base_url or os.environ.get(self.base_url_variable, "")
        return connect(msgspec.structs.replace(self.options, base_url=named or _API), session, secret)

    def _ask(self, client: OpenAI, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        arguments = self._arguments(prompt)
        text = GrowingText(say)
        if not self.options.stream:
            response = client.responses.create(**arguments, stream=False)
            with reading():
                return self._finish(response, text, prompt)
        with client.responses.create(**arguments, stream=True) as events, reading():
            whole = whole_answer(events)
            return self._follow(events, text, prompt) if whole is None else self._finish(whole, text, prompt)

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        options = self.options
        arguments: dict[str, Any] = {
            "model": options.model,
            "instructions": prompt.system,
            "input": input_items(prompt.messages("openai"), options.detail),
            "max_output_tokens": options.max_output_tokens,
            "prompt_cache_key": _cache_key(options.model, prompt.system),
            "store": False,  # pictures of a desktop are not kept by the provider
        }
        if options.effort:
            arguments["reasoning"] = {"effort": options.effort}
        if prompt.conversation.tools:
            arguments["tools"] = [{"type": "computer"}, *_functions(prompt)]
            arguments["include"] = ["reasoning.encrypted_content"]  # as the provider keeps nothing
        else:
            arguments["text"] = {"format": _format(prompt)}
        if options.conversation.strategy == "provider":
            arguments["context_management"] = [_compact(options.conversation.tokens)]
        if prompt.is_turn and self._last_id and fnmatchcase(options.model, _TELLS_OF_CACHE):
            arguments["prompt_cache_options"] = {"comparison_response_id": self._last_id}
        return arguments

    def _follow(self, events: Any, text: GrowingText, prompt: Prompt) -> RawAnswer:
        seen = False
        for event in events:
            seen = True
            kind = field(event, "type")
            if kind == "response.output_text.delta":
                text.add(words(field(event, "delta")))
            elif kind in ("response.completed", "response.incomplete", "response.failed"):
                return self._finish(field(event, "response"), text, prompt)
            elif kind == "error":
                told = {"code": field(event, "code"), "message": field(event, "message")}
                raise Failed(of_response(0, told, "an error without words", {}))
            else:
                raise_error_in(event)
        raise Failed(Failure("broken_off" if seen else "malformed"))

    def _finish(self, response: Any, text: GrowingText, prompt: Prompt) -> RawAnswer:
        """The answer of a response that has ended, read from an object of the SDK or the JSON of a server."""
        raise_error_in(response)
        output = [item for each in items(field(response, "output")) if (item := plain(each))]
        _check_refusal(output)
        status, incomplete = field(response, "status"), field(response, "incomplete_details")
        if plain(incomplete) or status == "incomplete":
            cut = field(incomplete, "reason") == "max_output_tokens"
            raise Failed(Failure("cut_off" if cut else "refusal"))
        if status not in ("completed", None):
            raise Failed(Failure("malformed", f"status {clean(str(status))}"))
        if not output and not isinstance(field(response, "output"), list):
            raise Failed(Failure("malformed", "there is no output in its answer"))
        if not str(text):
            text.add("".join(words(item.get("content")) for item in output if item.get("type") == "message"))
        id = field(response, "id")
        self._last_id = id if prompt.is_turn and isinstance(id, str) else self._last_id
        raw = str(text)
        if prompt.conversation.tools:
            raw = json.dumps([each for each in output if not _compacted(each)], ensure_ascii=False)
            GrowingText.check_length(len(raw))
        given = tuple(GivenBlock(self.provider, each) for each in output if _compacted(each))
        return RawAnswer(raw, self._usage(field(response, "usage")), given, _missed(response))

    def _usage(self, used: Any) -> TokenUsage:
        details = field(used, "input_tokens_details")
        kept = count(field(details, "cache_write_tokens")) or 0  # an older server does not tell
        half_day = count(field(details, "cache_write_tokens_details", "ttl_12h_tokens")) or 0
        return self.options.usage(
            count(field(used, "input_tokens")),
            count(field(details, "cached_tokens")) or 0,
            count(field(used, "output_tokens")),
            written=max(kept - half_day, 0),
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


def _functions(prompt: Prompt) -> list[dict[str, Any]]:
    strict = prompt.form == "schema"
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.schema),
            "strict": strict,
        }
        for tool in prompt.conversation.tools
    ]


def _compact(tokens: int) -> dict[str, Any]:
    return {"type": "compaction", **({"compact_threshold": tokens} if tokens else {})}


def _missed(response: Any) -> dict[str, Any]:
    """Why the provider's cache was missed, in its own words, for the log."""
    found = plain(field(response, "prompt_cache_diagnostics"))
    return {"cache_miss_reason": found} if found.get("type") == "cache_miss" else {}


def _compacted(item: dict[str, Any]) -> bool:
    return item.get("type") == "compaction"


def _format(prompt: Prompt) -> dict[str, Any]:
    if prompt.form == "schema":
        return {"type": "json_schema", "name": "reply", "strict": True, "schema": prompt.schema}
    return {"type": "json_object" if prompt.form == "object" else "text"}


def _cache_key(model: str, system: str) -> str:
    """Requests that share their beginning are sent to the same cache."""
    return "desktop-agent-" + hashlib.blake2b(f"{model}\n{system}".encode(), digest_size=12).hexdigest()


def _check_refusal(output: Sequence[dict[str, Any]]) -> None:
    for item in output:
        for part in items(item.get("content")) if item.get("type") == "message" else ():
            if field(part, "type") == "refusal":
                raise Failed(Failure("refusal", clean(words(field(part, "refusal")))))
