"""OpenAI's models through the Responses API."""

from __future__ import annotations

import hashlib
import json
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
from desktop_agent.support.providers import Provider

if TYPE_CHECKING:
    from openai import OpenAI

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    Block,
    PictureBlock,
    ResultBlock,
    TextBlock,
    inline,
)

Item = dict[str, Any]


class Options(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.openai]. `detail` is how much of the picture the model looks at."""

    # "Visual reasoning, precise computer use": the provider's model guide, November 2026.
    model: ModelName = "gpt-6.1-terra"
    # In original detail the provider scales nothing of this size: 64 x 64 patches of the 10,000 it takes.
    image_edge: ImageEdge = 2048
    detail: Literal["original", "high", "auto", "low"] = "original"


PROVIDER = Provider(
    name="openai",
    label="OpenAI",
    address="https://api.openai.com/v1",
    address_variable="OPENAI_BASE_URL",
    key_prefix="sk-",
    package="openai",
)
AUTO_RANK = 10
auto = partial(has_key, PROVIDER)
readiness = partial(of_provider, PROVIDER)
_TELLS_OF_CACHE = "gpt-[6-9]*"
"""Models that say why their cache was missed."""


def create(options: Options) -> Model:
    """The model that the options describe."""
    return OpenAIModel(options)


class OpenAIModel(RemoteModel[Options]):
    """Responses API, with the provider's computer tool or structured output: https://platform.openai.com/docs/api-reference/responses"""

    provider, label, sdk = PROVIDER.name, PROVIDER.label, PROVIDER.package
    home = PROVIDER
    forms = ("schema", "object")
    own_tools = "openai_tools"
    whole_pictures = True
    _last_id = ""

    def _connect(self, session: Session, secret: str) -> OpenAI:
        return connect(msgspec.structs.replace(self.options, base_url=self._address()), session, secret)

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
            "input": input_items(prompt.messages(self.provider), options.detail),
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


# A `computer_call` is taken back only with the picture of the screen that answers it, with what it warned of allowed,
# and with the reasoning it came from. Where that cannot be, all the model said in that answer is told in words.
def input_items(messages: Sequence[ApiMessage], detail: str) -> list[Item]:
    """The messages as items; `detail` is how much of a picture the model looks at."""
    writer = _Writer(detail)
    for number, message in enumerate(messages):
        if message.role == "assistant":
            answers = messages[number + 1].content if number + 1 < len(messages) else ()
            writer.said(message.content, [each for each in answers if isinstance(each, ResultBlock)])
        else:
            writer.shown(message.content)
    return writer.items


@dataclass
class _Writer:
    """Writes item after item; `_picture` is the newest whole picture so far, `_calls` the calls to be answered."""

    detail: str
    items: list[Item] = dataclasses.field(default_factory=list)
    _picture: PictureBlock | None = None
    _calls: dict[str, GivenBlock] = dataclasses.field(default_factory=dict)

    def said(self, blocks: Sequence[Block], answers: Sequence[ResultBlock]) -> None:
        """What the model said, and what will answer it."""
        given = {block.call: block for block in blocks if isinstance(block, GivenBlock) and block.call}
        whole = all(self._can_be_answered(given[each.call], each) for each in answers if each.call in given)
        self._calls = given if whole else {}
        for block in blocks:
            if isinstance(block, GivenBlock) and (whole or block.is_compaction):
                self.items.append(dict(block.data))
            else:
                self._message("assistant", list(inline((block,))))

    def _can_be_answered(self, call: GivenBlock, answer: ResultBlock) -> bool:
        if call.data.get("type") != "computer_call":
            return True
        shown = self._picture is not None or any(isinstance(each, PictureBlock) for each in answer.content)
        return shown and (answer.accepted or not call.data.get("pending_safety_checks"))

    def shown(self, blocks: Sequence[Block]) -> None:
        """What answers the calls, then what the user and the environment said."""
        rest: list[TextBlock | PictureBlock] = []
        for block in blocks:
            call = self._calls.get(block.call) if isinstance(block, ResultBlock) else None
            if not isinstance(block, ResultBlock) or call is None:
                rest += inline((block,))
            elif call.data.get("type") == "computer_call":
                newest = next(
                    (p for p in reversed(block.content) if isinstance(p, PictureBlock)), self._picture
                )
                rest += self._screenshot(call, block, newest) if newest else block.content
            else:
                output = [self._part(each, "user") for each in block.content]
                self.items.append({"type": "function_call_output", "call_id": block.call, "output": output})
        whole = [each for each in blocks if isinstance(each, PictureBlock)]
        self._picture = whole[-1] if whole else self._picture
        self._message("user", rest)

    def _screenshot(
        self, call: GivenBlock, answer: ResultBlock, picture: PictureBlock
    ) -> Iterator[TextBlock | PictureBlock]:
        """Answers a call of the computer tool with its newest picture; the rest of the answer is told after it."""
        self._picture = picture
        item: Item = {
            "type": "computer_call_output",
            "call_id": answer.call,
            "output": {"type": "computer_screenshot", "image_url": picture.data_url},
        }
        if checks := call.data.get("pending_safety_checks"):
            item["acknowledged_safety_checks"] = checks
        self.items.append(item)
        yield from (each for each in answer.content if each is not picture)

    def _message(self, role: str, blocks: Sequence[TextBlock | PictureBlock]) -> None:
        if blocks:
            self.items.append({"role": role, "content": [self._part(each, role) for each in blocks]})

    def _part(self, block: TextBlock | PictureBlock, role: str) -> Item:
        if isinstance(block, PictureBlock):
            return {"type": "input_image", "image_url": block.data_url, "detail": self.detail}
        return {"type": "input_text" if role == "user" else "output_text", "text": block.text}
