"""Anthropic's models through the Messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.llm.base import Model, Readiness, TokenUsage
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.failures import Failed, Failure, Kind
from desktop_agent.llm.transport.options import ImageEdge, ModelName, RemoteOptions
from desktop_agent.llm.transport.readiness import of_provider
from desktop_agent.llm.transport.remote_model import GrowingText, Prompt, RawAnswer, RemoteModel, http_options
from desktop_agent.llm.transport.sdk_errors import clean, failure_of, reading
from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    Block,
    GivenBlock,
    PictureBlock,
    ResultBlock,
    TextBlock,
)
from desktop_agent.support import interruptible_call
from desktop_agent.support.key_store import find_key

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

_CACHED_MESSAGES = 3
"""Of the newest messages those of the user end a cached part, so that the part before is found again."""
_ENDINGS: dict[str, Kind] = {
    "max_tokens": "cut_off",
    "model_context_window_exceeded": "context",
    "refusal": "refusal",
}


class Options(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.anthropic]."""

    # "The best combination of speed and intelligence": the provider's models overview, November 2026.
    model: ModelName = "claude-sonnet-5-5"
    # 1456x819 is the largest picture of a wide screen that none of its models has to scale down.
    image_edge: ImageEdge = 1456


AUTO_RANK = 20


def auto(options: Options) -> bool:
    """Is there a key for it?"""
    return find_key("anthropic", options.key_env) is not None


def readiness(options: Options, configured: bool) -> Readiness:  # noqa: ARG001 - it works without a table
    """Package, key and address, for the doctor."""
    return of_provider("anthropic", options)


def create(options: Options) -> Model:
    """The model that the options describe."""
    return AnthropicModel(options)


class AnthropicModel(RemoteModel[Options]):
    """Messages API with structured output: https://platform.claude.com/docs/en/api/messages"""

    provider = "anthropic"
    label = "Anthropic"
    default_host = "api.anthropic.com"
    base_url_variable = "ANTHROPIC_BASE_URL"
    forms = ("schema", "text")

    def _connect(self, session: Session, secret: str) -> Anthropic:
        import anthropic

        return anthropic.Anthropic(
            api_key=secret,
            base_url=self._address(),
            max_retries=0,
            open_telemetry=False,
            http_client=anthropic.DefaultHttpxClient(**http_options(self.options, session, self._address())),
        )

    def _failure_of(self, error: Exception, secret: str) -> Failure | None:
        import anthropic

        return failure_of(error, anthropic, secret)

    def _ask(self, client: Anthropic, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        arguments = self._arguments(prompt)
        text = GrowingText(say)
        if not self.options.stream:
            message = client.messages.create(**arguments, stream=False)
            with reading():
                return self._finish(message, text)
        with client.messages.create(**arguments, stream=True) as events, reading():
            return self._follow(events, text)

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        options = self.options
        arguments: dict[str, Any] = {
            "model": options.model,
            "max_tokens": options.max_output_tokens,
            "system": [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}],
            "messages": _messages(prompt),
        }
        output: dict[str, Any] = {"effort": options.effort} if options.effort else {}
        if prompt.form == "schema":
            output["format"] = {"type": "json_schema", "schema": _schema(prompt.schema)}
        if output:
            arguments["output_config"] = output
        return arguments

    def _follow(self, events: Any, text: GrowingText) -> RawAnswer:
        start: Any = None
        end: Any = None
        seen = False
        for event in events:
            seen = True
            if event.type == "message_start":
                start = event.message.usage
            elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                text.add(event.delta.text)
            elif event.type == "message_delta":
                end = event
            elif event.type == "message_stop" and start is not None and end is not None:
                _check_ending(end.delta.stop_reason, end.delta.stop_details)
                return RawAnswer(str(text), self._usage(start, end.usage.output_tokens))
        raise Failed(Failure("broken_off" if seen else "malformed"))

    def _finish(self, message: Message, text: GrowingText) -> RawAnswer:
        _check_ending(message.stop_reason, message.stop_details)
        for block in message.content:
            if block.type == "text":
                text.add(block.text)
        return RawAnswer(str(text), self._usage(message.usage, message.usage.output_tokens))

    def _usage(self, used: Any, written: int) -> TokenUsage:
        """`input_tokens` of the API are only those neither read from nor written to the cache.

        `cache_creation` tells how long what was written is kept; where it is missing, it is the usual 5 minutes.
        """
        cached = used.cache_read_input_tokens or 0
        kept = used.cache_creation_input_tokens or 0
        hour = used.cache_creation.ephemeral_1h_input_tokens if used.cache_creation is not None else 0
        read = used.input_tokens + cached + kept
        return self.options.usage(
            read, cached, written, written=kept - hour, written_long=hour, price=self.price
        )


def _messages(prompt: Prompt) -> list[dict[str, Any]]:
    """The conversation as the API takes it; what is before the newest message is read from the cache next time."""
    messages = prompt.messages("anthropic")
    first_cached = len(messages) - _CACHED_MESSAGES
    return [
        {"role": each.role, "content": _content(each, ends_cached=index >= first_cached)}
        for index, each in enumerate(messages)
    ]


def _content(message: ApiMessage, *, ends_cached: bool) -> list[dict[str, Any]]:
    content = [param for block in message.content for param in _block(block)]
    if ends_cached and message.role == "user":
        content[-1] |= {"cache_control": {"type": "ephemeral"}}
    return content


def _block(block: Block) -> list[dict[str, Any]]:
    match block:
        case TextBlock():
            return [{"type": "text", "text": block.text}]
        case PictureBlock():
            source = {"type": "base64", "media_type": block.media_type, "data": block.data}
            # A picture scaled down in silence would shift every coordinate.
            return [{"type": "image", "source": source, "transformations": {"oversized_image": "error"}}]
        case GivenBlock():
            return [dict(block.data)]
        case ResultBlock():
            return [each for inner in block.content for each in _block(inner)]


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema in the subset the API takes.

    It allows 16 properties of a union type but 24 optional ones, so nullable properties are made
    optional; what else it refuses (ranges, lengths) the SDK moves into descriptions.
    """
    import anthropic

    return anthropic.transform_schema(_without_null(schema))


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


def _check_ending(reason: str | None, details: Any) -> None:
    if reason in _ENDINGS:
        explanation = getattr(details, "explanation", None) or ""
        raise Failed(Failure(_ENDINGS[reason], clean(str(explanation))))
    if reason not in ("end_turn", "stop_sequence"):
        raise Failed(Failure("malformed", f"stop reason {clean(str(reason))}"))
