"""Any server that speaks OpenAI's Chat Completions: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter, …"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from desktop_agent.llm.base import Model, Readiness, TokenUsage
from desktop_agent.llm.openai import connect
from desktop_agent.llm.transport import local_servers
from desktop_agent.llm.transport.answer_fields import (
    count,
    field,
    is_whole,
    items,
    plain,
    raise_error_in,
    whole_answer,
    words,
)
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.failures import Failed, Failure
from desktop_agent.llm.transport.options import BaseUrl, RemoteOptions, Seconds
from desktop_agent.llm.transport.readiness import of_server
from desktop_agent.llm.transport.remote_model import (
    GrowingText,
    OptionsT,
    Prompt,
    RawAnswer,
    RemoteModel,
    host_of,
    is_loopback,
)
from desktop_agent.llm.transport.sdk_errors import clean, reading
from desktop_agent.protocol.chat_messages import ApiMessage, PictureBlock, inline, text_of
from desktop_agent.support import interruptible_call

if TYPE_CHECKING:
    from openai import OpenAI

    from desktop_agent.llm.transport.served_models import ServedModel

_THOUGHT = "<think>"
_THOUGHT_END = "</think>"


class ChatOptions(RemoteOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What differs for servers with open models: before its first word a local one may need minutes.

    An empty `model` takes the one the server has, if it has only one.
    """

    model: Annotated[str, msgspec.Meta(max_length=200)] = ""
    timeout: Seconds = 600.0
    idle_timeout: Seconds = 300.0
    max_output_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 4_000


class Options(ChatOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.compatible]. The address is where Ollama listens unless told otherwise."""

    base_url: BaseUrl = local_servers.USUAL_BASE_URL


def readiness(options: Options, configured: bool) -> Readiness:
    """Whether its server listens, for the doctor."""
    return of_server("llm.compatible", options, configured)


def create(options: Options) -> Model:
    """The model that the options describe."""
    return CompatibleModel(options)


class ChatModel(RemoteModel[OptionsT]):
    """Chat Completions, adapting to what the server can do.

    A server that refuses the schema is asked for any JSON object, then for plain text with the schema
    in the prompt; one that refuses pictures works from the elements in the text. Both are remembered
    and shown in `support`. https://platform.openai.com/docs/api-reference/chat
    """

    sdk = "openai"
    forms = ("schema", "object", "text")
    form_refusals = frozenset({"schema", "bad_request"})
    works_without_images = True
    key_needed = False

    def _connect(self, session: Session, secret: str) -> OpenAI:
        return connect(msgspec.structs.replace(self.options, base_url=self._address()), session, secret)

    def _ask(self, client: OpenAI, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        self.name = self._model_name(client)
        if self._cannot_see() and prompt.shows_pictures:
            raise Failed(Failure("no_images"))
        arguments = self._arguments(prompt)
        text = AnswerText(say)
        if not self.options.stream:
            completion = client.chat.completions.create(**arguments, stream=False)
            with reading():
                return self._whole(completion, text)
        arguments["stream_options"] = {"include_usage": True}
        with client.chat.completions.create(**arguments, stream=True) as chunks, reading():
            whole = whole_answer(chunks)
            return self._follow(chunks, text) if whole is None else self._whole(whole, text)

    def _model_name(self, client: OpenAI) -> str:
        return self.options.model or _only_model(client)

    def _cannot_see(self) -> bool:
        """True when the server says that the model takes no pictures: then none is sent, not even once."""
        return False

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": prompt.system},
                *({"role": each.role, "content": _content(each)} for each in prompt.messages()),
            ],
            "max_tokens": self.options.max_output_tokens,
        }
        if self.options.effort:
            arguments["reasoning_effort"] = self.options.effort
        if prompt.form == "object":
            arguments["response_format"] = {"type": "json_object"}
        elif prompt.form == "schema":
            schema = {"name": "reply", "strict": True, "schema": prompt.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments

    def _whole(self, completion: Any, text: GrowingText) -> RawAnswer:
        raise_error_in(completion)
        choices = items(field(completion, "choices"))
        if not choices or not plain(field(choices[0], "message")):
            raise Failed(Failure("malformed", "there is no message in its answer"))
        text.add(words(field(choices[0], "message", "content")))
        _check_ending(field(choices[0], "finish_reason"), words(field(choices[0], "message", "refusal")))
        return RawAnswer(str(text), self._usage(field(completion, "usage")))

    def _follow(self, chunks: Any, text: GrowingText) -> RawAnswer:
        used: Any = None
        refusal = ""
        ending: Any = None
        seen = False
        for chunk in chunks:
            seen = True
            raise_error_in(chunk)
            used = field(chunk, "usage") or used
            for choice in items(field(chunk, "choices"))[:1]:
                text.add(words(field(choice, "delta", "content")))
                refusal += words(field(choice, "delta", "refusal"))
                ending = field(choice, "finish_reason") or ending
        if ending is None and not refusal and not is_whole(str(text)):
            raise Failed(Failure("broken_off" if seen else "malformed"))
        _check_ending(ending, refusal)
        return RawAnswer(str(text), self._usage(used))

    def _usage(self, used: Any) -> TokenUsage:
        details = field(used, "prompt_tokens_details")
        return self.options.usage(
            count(field(used, "prompt_tokens")),
            count(field(details, "cached_tokens")) or 0,
            count(field(used, "completion_tokens")),
            written=count(field(details, "cache_write_tokens")) or 0,
            price=self.price,
        )


class CompatibleModel(ChatModel[Options]):
    """The model at the address in the options."""

    provider = "compatible"

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.label = f"the server at {host_of(options.base_url)}"
        self._told: ServedModel | None = None

    def _cannot_see(self) -> bool:
        if self._told is None:
            self._told = self._ask_about(self.name)
            context = self.support.context_tokens or self._told.context or 0
            self.support = msgspec.structs.replace(self.support, context_tokens=context)
        return self._told.images is False and self.options.images is None

    def _ask_about(self, name: str) -> ServedModel:
        """What a server on this computer says of the model; nothing of any other server."""
        from desktop_agent.llm.transport.served_models import ServedModel, ask_server  # slow to load

        server = ask_server(self.options.base_url, only=name)
        named = {each.name: each for each in server.models} if server is not None else {}
        return named.get(name) or ServedModel(name)

    def _failure_of(self, error: Exception, secret: str) -> Failure | None:
        failure = super()._failure_of(error, secret)
        address = self.options.base_url
        if failure is None or failure.kind != "unreachable" or not (is_loopback(address) or not address):
            return failure
        others = local_servers.find_servers()
        found = local_servers.in_words(others, address) if len(others) == 1 else ""
        return Failure(failure.kind, "; ".join(filter(None, (failure.detail, clean(found)))))


class AnswerText(GrowingText):
    """Leaves out the thoughts that some open models write before their answer."""

    def __init__(self, say: interruptible_call.Say) -> None:
        super().__init__(say)
        self._held: str | None = ""

    def add(self, piece: str) -> None:
        if self._held is None:
            super().add(piece)
            return
        self._held += piece
        self.check_length(len(self._held))
        begun = self._held.lstrip()
        if begun.startswith(_THOUGHT):
            _, ended, begun = begun.partition(_THOUGHT_END)
            if not ended:
                return
        elif _THOUGHT.startswith(begun):
            return  # may still become the beginning of a thought
        self._held = None
        super().add(begun)


def _only_model(client: OpenAI) -> str:
    names = [name for model in client.models.list() if (name := words(field(model, "id")))]
    if len(names) == 1:
        return names[0]
    listed = clean(", ".join(names)) or "none"
    raise Failed(Failure("which_model", listed))


def _content(message: ApiMessage) -> str | list[dict[str, Any]]:
    blocks = list(inline(message.content))
    # Plain text where there is no picture: not every server takes a list of parts.
    if not any(isinstance(each, PictureBlock) for each in blocks):
        return text_of([message])
    return [
        {"type": "image_url", "image_url": {"url": each.data_url}}
        if isinstance(each, PictureBlock)
        else {"type": "text", "text": each.text}
        for each in blocks
    ]


def _check_ending(reason: object, refusal: str) -> None:
    if refusal:
        raise Failed(Failure("refusal", clean(refusal)))
    if reason == "length":
        raise Failed(Failure("cut_off"))
    if reason == "content_filter":
        raise Failed(Failure("refusal"))
