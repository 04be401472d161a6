"""Anthropic's models through the Messages API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

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
from desktop_agent.llm.transport.failures import Failed, Failure, Kind
from desktop_agent.llm.transport.options import ImageEdge, ModelName, RemoteOptions
from desktop_agent.llm.transport.readiness import has_key, of_provider
from desktop_agent.llm.transport.remote_model import (
    GrowingText,
    Prompt,
    RawAnswer,
    RemoteModel,
    http_options,
    total,
)
from desktop_agent.llm.transport.sdk_errors import clean, reading
from desktop_agent.protocol.chat_messages import (
    GivenBlock,
)
from desktop_agent.support import interruptible_call
from desktop_agent.support.providers import Provider

if TYPE_CHECKING:
    from anthropic import Anthropic

from collections.abc import Sequence

from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    Block,
    PictureBlock,
    ResultBlock,
    TextBlock,
)

_TOOLSET, _LEGACY = "computer_toolset_20260801", "computer_20251124"
_LEGACY_BETA = "computer-use-2025-11-24"
_COMPACTION, _COMPACTION_BETA = "compaction", "compact-2026-01-12"
_LEAST_TO_COMPACT = 50_000
"""Tokens; the provider takes no lower trigger."""
_STRICT_TOOLS = 20
_PAUSES = 5
"""Messages of one answer: the provider may pause a long one, which is sent back for it to go on."""
_ENDINGS: dict[str, Kind] = {
    "max_tokens": "cut_off",
    "model_context_window_exceeded": "context",
    "refusal": "refusal",
}


_CACHED_MESSAGES = 3
"""Of the newest messages those of the user end a cached part, so that the part before is found again."""


class Options(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.anthropic]."""

    # "The best combination of speed and intelligence": the provider's models overview, November 2026.
    model: ModelName = "claude-sonnet-5-5"
    # 1456x819 is the largest picture of a wide screen that none of its models has to scale down.
    image_edge: ImageEdge = 1456


PROVIDER = Provider(
    name="anthropic",
    label="Anthropic",
    address="https://api.anthropic.com",
    address_variable="ANTHROPIC_BASE_URL",
    key_prefix="sk-ant-",
    package="anthropic",
)
AUTO_RANK = 20
auto = partial(has_key, PROVIDER)
readiness = partial(of_provider, PROVIDER)


def create(options: Options) -> Model:
    """The model that the options describe."""
    return AnthropicModel(options)


class AnthropicModel(RemoteModel[Options]):
    """Messages API, with the provider's computer tool or structured output: https://platform.claude.com/docs/en/api/messages"""

    provider, label, sdk = PROVIDER.name, PROVIDER.label, PROVIDER.package
    home = PROVIDER
    forms = ("schema", "text")
    own_tools = "anthropic_tools"
    _last_id: str | None = None

    def _connect(self, session: Session, secret: str) -> Anthropic:
        import anthropic

        return anthropic.Anthropic(
            api_key=secret,
            base_url=self._address(),
            max_retries=0,
            open_telemetry=False,
            http_client=anthropic.DefaultHttpxClient(**http_options(self.options, session, self._address())),
        )

    def _ask(self, client: Anthropic, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        arguments = self._arguments(prompt)
        messages, content, parts = arguments["messages"], [], []
        text = GrowingText(say)
        for _ in range(_PAUSES):
            part = self._part(client, arguments, text)
            content += part.content
            parts.append(part)
            if part.reason != "pause_turn":
                break
            # What was said so far is sent back as it came, and the model goes on with it.
            arguments = {**arguments, "messages": [*messages, {"role": "assistant", "content": content}]}
        _check_ending(part.reason, part.details, bool(content))
        self._last_id = part.id if prompt.is_turn and part.id else self._last_id
        said = [block for block in content if block.get("type") != _COMPACTION]
        return RawAnswer(
            json.dumps(said, ensure_ascii=False) if prompt.conversation.tools else str(text),
            total([self._usage(*used) for each in parts for used in each.used]),
            tuple(
                GivenBlock(self.provider, block, str(block.get("content") or ""))
                for block in content
                if block.get("type") == _COMPACTION
            ),
            part.missed,
        )

    def _part(self, client: Anthropic, arguments: dict[str, Any], text: GrowingText) -> _Part:
        create: Any = client.beta.messages.create if "betas" in arguments else partial(_post, client)
        if not self.options.stream:
            message = create(**arguments, stream=False)
            with reading():
                return _whole(message, text)
        with create(**arguments, stream=True) as events, reading():
            whole = whole_answer(events)
            return _follow(events, text) if whole is None else _whole(whole, text)

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        options = self.options
        arguments: dict[str, Any] = {
            "model": options.model,
            "max_tokens": options.max_output_tokens,
            "system": [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}],
            "messages": messages_param(prompt.messages(self.provider)),
        }
        if prompt.is_turn:
            arguments["diagnostics"] = {"previous_message_id": self._last_id}
        output: dict[str, Any] = {"effort": options.effort} if options.effort else {}
        betas: list[str] = []
        if prompt.conversation.tools:
            arguments["tools"] = [self._own_tool(prompt), *_functions(prompt)]
            betas += [_LEGACY_BETA] if self.support.computer_tool == _LEGACY else []
        elif prompt.form == "schema":
            output["format"] = {"type": "json_schema", "schema": _schema_of(prompt.schema)}
        if output:
            arguments["output_config"] = output
        if options.conversation.strategy == "provider":
            arguments["context_management"] = {"edits": [_compact(options.conversation.tokens)]}
            betas.append(_COMPACTION_BETA)
        return {**arguments, "betas": betas} if betas else arguments

    def _own_tool(self, prompt: Prompt) -> dict[str, Any]:
        """The provider's computer tool, which the toolset declares alone and the older one with the size of the picture."""
        if self.support.computer_tool != _LEGACY:
            return {"type": _TOOLSET}
        size = {"display_width_px": prompt.screen.width, "display_height_px": prompt.screen.height}
        return {"type": _LEGACY, "name": "computer", **size, "enable_zoom": True}

    def _usage(self, used: Any, written: int | None) -> TokenUsage:
        """`input_tokens` of the API are only those neither read from nor written to the cache.

        `cache_creation` tells how long what was written is kept; where it is missing, it is the usual 5 minutes.
        """
        cached = count(field(used, "cache_read_input_tokens")) or 0
        kept = count(field(used, "cache_creation_input_tokens")) or 0
        hour = count(field(used, "cache_creation", "ephemeral_1h_input_tokens")) or 0
        fresh = count(field(used, "input_tokens"))
        read = None if fresh is None else fresh + cached + kept
        return self.options.usage(
            read, cached, written, written=max(kept - hour, 0), written_long=hour, price=self.price
        )


def _post(client: Anthropic, *, stream: bool, **arguments: Any) -> Any:
    """What `client.messages.create` does, with the body encoded here.

    The SDK copies every container of a body before its encoder goes through it again: of a long conversation with
    1 MB of pictures that takes 5 ms, and msgspec 0.4.
    """
    from anthropic import Stream
    from anthropic.types import Message, RawMessageStreamEvent

    return client.post(
        "/v1/messages",
        cast_to=Message,
        content=msgspec.json.encode({**arguments, "stream": stream}),
        stream=stream,
        stream_cls=Stream[RawMessageStreamEvent],
    )


@dataclass
class _Part:
    """One message of the provider: `content` as it came, what it cost in pairs for `_usage`, why it ended."""

    id: str
    content: list[dict[str, Any]]
    used: list[tuple[Any, int | None]]
    reason: str | None
    details: Any
    missed: dict[str, Any]


def _whole(message: Any, text: GrowingText) -> _Part:
    """A message that came whole, as an object of the SDK or the JSON of a server."""
    raise_error_in(message)
    content = [block for each in items(field(message, "content")) if (block := plain(each))]
    for block in content:
        if block.get("type") == "text":
            text.add(words(block.get("text")))
        else:
            text.count(json.dumps(block))
    usage = field(message, "usage")
    used = [(usage, count(field(usage, "output_tokens"))), *_compacting(usage)]
    reason, details = field(message, "stop_reason"), field(message, "stop_details")
    return _Part(words(field(message, "id")), content, used, reason, details, _missed(message))


def _follow(events: Any, text: GrowingText) -> _Part:
    start: Any = None
    end: Any = None
    seen = False
    blocks: dict[str, _GrowingBlock] = {}
    for event in events:
        seen = True
        kind, index = field(event, "type"), str(field(event, "index"))
        if kind == "message_start":
            start = field(event, "message")
        elif kind == "content_block_start":
            blocks[index] = _GrowingBlock(plain(field(event, "content_block")), text)
        elif kind == "content_block_delta" and index in blocks:
            blocks[index].add(field(event, "delta"))
        elif kind == "message_delta":
            end = event
        elif kind == "message_stop" and end is not None:
            usage = field(end, "usage")
            used = [(field(start, "usage"), count(field(usage, "output_tokens"))), *_compacting(usage)]
            content = [block for each in _in_order(blocks) if (block := each.whole())]
            reason, details = field(end, "delta", "stop_reason"), field(end, "delta", "stop_details")
            return _Part(words(field(start, "id")), content, used, reason, details, _missed(start))
        else:
            raise_error_in(event)
    raise Failed(Failure("broken_off" if seen else "malformed"))


def _in_order(blocks: Mapping[str, _GrowingBlock]) -> list[_GrowingBlock]:
    """The blocks by their numbers; as they came where a server gives none."""
    numbered = all(index.isdecimal() for index in blocks)
    return [blocks[index] for index in (sorted(blocks, key=int) if numbered else blocks)]


class _GrowingBlock:
    """A content block that comes in pieces, to be handed back as it was."""

    def __init__(self, block: dict[str, Any], text: GrowingText) -> None:
        self._block = block
        self._text = text
        self._input = ""
        if block.get("type") == "text":
            text.add(words(block.get("text")))

    def add(self, delta: Any) -> None:
        match field(delta, "type"):
            case "text_delta":
                piece = words(field(delta, "text"))
                self._text.add(piece)
                self._append("text", piece)
            case "input_json_delta":
                piece = words(field(delta, "partial_json"))
                self._text.count(piece)
                self._input += piece
            case "citations_delta":
                more = plain(field(delta, "citation"))
                self._block["citations"] = [*items(self._block.get("citations")), more]
            case _:  # thinking, signature, compaction: named fields, each a piece of the field of that name
                for name, piece in plain(delta).items():
                    if name != "type" and isinstance(piece, str):
                        self._text.count(piece)
                        self._append(name, piece)

    def _append(self, name: str, piece: str) -> None:
        self._block[name] = words(self._block.get(name)) + piece

    def whole(self) -> dict[str, Any]:
        if self._input:
            self._block["input"] = _input_of(self._input)
        return self._block


def _input_of(text: str) -> dict[str, Any]:
    """The input of a call; where it is no JSON, a field that no tool has, so that the call cannot be used."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"unreadable": text[:200]}


def _compacting(usage: Any) -> list[tuple[Any, int | None]]:
    """What summing up older messages cost, which the provider counts apart."""
    rounds = items(field(usage, "iterations"))
    return [
        (each, count(field(each, "output_tokens"))) for each in rounds if field(each, "type") == _COMPACTION
    ]


def _missed(message: Any) -> dict[str, Any]:
    """Why the provider's cache was missed, in its own words, for the log."""
    reason = plain(field(message, "diagnostics", "cache_miss_reason"))
    return {"cache_miss_reason": reason} if reason else {}


def _functions(prompt: Prompt) -> list[dict[str, Any]]:
    """Our own tools; the first of them are held to their schemas, as many as the provider holds."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": _schema_of(tool.schema),
            **({"strict": True} if prompt.form == "schema" and number < _STRICT_TOOLS else {}),
        }
        for number, tool in enumerate(prompt.conversation.tools)
    ]


def _compact(tokens: int) -> dict[str, Any]:
    trigger = {"trigger": {"type": "input_tokens", "value": max(tokens, _LEAST_TO_COMPACT)}} if tokens else {}
    return {"type": "compact_20260112", **trigger}


def _schema_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    return msgspec.json.decode(_api_schema(msgspec.json.encode(schema)), type=dict[str, Any])


@lru_cache(maxsize=256)
def _api_schema(schema: bytes) -> bytes:
    """The schema in the subset the API takes, both as JSON; it is the same in every call of a run.

    It allows 16 properties of a union type but 24 optional ones, so nullable properties are made
    optional; what else it refuses (ranges, lengths) the SDK moves into descriptions.
    """
    import anthropic

    return msgspec.json.encode(anthropic.transform_schema(_without_null(msgspec.json.decode(schema))))


def _without_null(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_null(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {key: _without_null(value) for key, value in node.items()}
    properties = made.get("properties")
    if made.get("type") != "object" or not isinstance(properties, dict):
        return made
    plain = {name: _not_null(each) for name, each in properties.items()}
    optional = {name for name in plain if plain[name] is not properties[name]}
    required = [name for name in made.get("required", []) if name not in optional]
    return {**made, "properties": plain, "required": required}


def _not_null(node: Any) -> Any:
    """The other type of a union with null; any other schema as it is."""
    choices = node.get("anyOf") if isinstance(node, dict) else None
    if not isinstance(choices, list) or len(choices) != 2 or {"type": "null"} not in choices:
        return node
    return next(each for each in choices if each != {"type": "null"})


def _check_ending(reason: object, details: Any, said: bool) -> None:
    """Raise Failed unless the message ended as one does that can be used; some servers give no reason."""
    if isinstance(reason, str) and reason in _ENDINGS:
        raise Failed(Failure(_ENDINGS[reason], clean(words(field(details, "explanation")))))
    if reason not in ("end_turn", "stop_sequence", "tool_use") and (reason is not None or not said):
        raise Failed(Failure("malformed", f"stop reason {clean(str(reason))}"))


def messages_param(messages: Sequence[ApiMessage]) -> list[dict[str, Any]]:
    """The messages as the API takes them; what is before the newest is read from the cache next time."""
    toolsets = {
        block.call: block.data.get("toolset_name")
        for each in messages
        for block in each.content
        if isinstance(block, GivenBlock) and block.call
    }
    first_cached = len(messages) - _CACHED_MESSAGES
    return [
        {"role": each.role, "content": _content(each, toolsets, ends_cached=index >= first_cached)}
        for index, each in enumerate(messages)
    ]


def _content(message: ApiMessage, toolsets: Mapping[str, Any], *, ends_cached: bool) -> list[dict[str, Any]]:
    content = [_block(block, toolsets) for block in message.content]
    if ends_cached and message.role == "user":
        content[-1] |= {"cache_control": {"type": "ephemeral"}}
    return content


def _block(block: Block, toolsets: Mapping[str, Any]) -> dict[str, Any]:
    match block:
        case TextBlock():
            return {"type": "text", "text": block.text}
        case PictureBlock():
            source = {"type": "base64", "media_type": block.media_type, "data": block.data}
            # A picture scaled down in silence would shift every coordinate.
            return {"type": "image", "source": source, "transformations": {"oversized_image": "error"}}
        case GivenBlock():
            return dict(block.data)
        case ResultBlock():
            result: dict[str, Any] = {
                "type": "tool_result",
                "tool_use_id": block.call,
                "content": [_block(each, toolsets) for each in block.content],
            }
            if block.error and not any(isinstance(each, PictureBlock) for each in block.content):
                result["is_error"] = True  # the provider takes no pictures with it
            toolset = toolsets.get(block.call)
            return {**result, "toolset_name": toolset} if toolset else result
