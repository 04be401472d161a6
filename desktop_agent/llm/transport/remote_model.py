"""What all models behind a network connection share: the call, its limits, retries and fallbacks."""

from __future__ import annotations

import importlib
import json
import logging
import os
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import msgspec

from desktop_agent.llm.base import (
    Answer,
    Conversation,
    KeyUse,
    Model,
    PaidBadReply,
    SpokenAnswer,
    Support,
    TokenUsage,
)
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.failures import Failed, Failure, Kind, Service, error_for
from desktop_agent.llm.transport.model_catalog import ModelFacts, Price, facts_of
from desktop_agent.llm.transport.options import RemoteOptions
from desktop_agent.llm.transport.sdk_errors import failure_of
from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    GivenBlock,
    Message,
    PictureBlock,
    ResultBlock,
    for_provider,
)
from desktop_agent.protocol.dialects.base import MAX_REPLY_BYTES, NoteReader
from desktop_agent.protocol.errors import BadReply, ModelError
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call, resources
from desktop_agent.support.key_store import ApiKey, environment_name, find_key
from desktop_agent.support.providers import Provider, key_hosts
from desktop_agent.support.web_origin import server_origin
from desktop_agent.vision.observation import Observation

CONNECT_SECONDS = 10.0
FIRST_DELAY = 1.0
LONGEST_DELAY = 60.0

log = logging.getLogger(__name__)

OptionsT = TypeVar("OptionsT", bound=RemoteOptions)
Form: TypeAlias = Literal["schema", "object", "text"]


@dataclass(frozen=True)
class Prompt:
    """One question: the conversation, and how the form of the reply is asked for.

    Without `images` no picture of the conversation is sent; `marked` tells that ids are drawn on them.
    """

    conversation: Conversation
    form: Form  # always "text" for a dialect without a schema
    images: bool = True
    marked: bool = False
    screen: Size = Size(0, 0)
    """Of the picture whose pixels a provider's computer tool works by."""

    @property
    def system(self) -> str:
        """The system prompt; with the schema in it when the server is not given it apart."""
        system = self.conversation.system
        if self.marked and self.shows_pictures:
            system += f"\n\n{resources.text('prompts', 'marks.md')}"
        if self.form == "schema" or self.conversation.schema is None:
            return system
        schema = json.dumps(self.schema, ensure_ascii=False)
        return f"{system}\n\nJSON Schema of the reply:\n{schema}"

    @property
    def is_turn(self) -> bool:
        """True for a turn of a run, false for a question that is answered in words."""
        return bool(self.conversation.operations)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema that the text is held to; empty for a dialect without one."""
        return dict(self.conversation.schema or {})

    @cached_property
    def shows_pictures(self) -> bool:
        """True when a picture is sent."""
        return self.images and any(
            isinstance(each, PictureBlock)
            for message in self.conversation.messages
            for block in message.content
            for each in (block.content if isinstance(block, ResultBlock) else (block,))
        )

    def messages(self, provider: str = "") -> list[ApiMessage]:
        """The conversation in the two roles that providers know, ending with the user."""
        go_on = resources.text("prompts", "go_on.md").strip()
        calls = bool(self.conversation.tools)
        found = for_provider(self.conversation.messages, go_on, provider, calls=calls)
        return found if self.images else [ApiMessage(each.role, _unseen(each.content)) for each in found]


def _unseen(content: tuple[Any, ...]) -> tuple[Any, ...]:
    """The blocks without pictures, also within results."""
    kept = (each for each in content if not isinstance(each, PictureBlock))
    return tuple(
        msgspec.structs.replace(each, content=_unseen(each.content))
        if isinstance(each, ResultBlock)
        else each
        for each in kept
    )


@dataclass(frozen=True)
class RawAnswer:
    """A complete answer before decoding; `given` and `detail` as in `Answer`."""

    text: str
    usage: TokenUsage
    given: tuple[GivenBlock, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)


class RemoteModel(Model, Generic[OptionsT]):
    """A model behind an SDK. Subclasses connect and ask; both run in a worker thread."""

    provider: ClassVar[str]
    sdk: ClassVar[str]
    """The package of its SDK."""
    label: str  # the provider in a sentence
    home: ClassVar[Provider | None] = None
    """Whose own server is asked where neither the options nor the environment name another; None: only theirs."""
    forms: ClassVar[tuple[Form, ...]]  # from the strictest to the plainest
    form_refusals: ClassVar[frozenset[Kind]] = frozenset({"schema"})
    works_without_images: ClassVar[bool] = False
    key_needed: ClassVar[bool] = True
    own_tools: ClassVar[str] = ""
    """The dialect of its provider's own computer tool."""
    whole_pictures: ClassVar[bool] = False
    """Its computer tool is answered with whole pictures only."""

    def __init__(self, options: OptionsT) -> None:
        self.options = options
        self.name = options.model or self.provider
        self.facts = facts_of(self.provider, options.model)
        self.support = _support(options, self.facts)
        if self.own_tools and self.support.computer_tool and self.support.images:
            self.dialect = self.own_tools
            self.support = msgspec.structs.replace(self.support, whole_pictures=self.whole_pictures)
        self._form: Form = self.forms[0 if self.support.strict_schema else 1]
        self._session: Session | None = None
        self._key_source = ""

    @property
    def price(self) -> Price | None:
        """The list price of the model at its provider; None where that is not known, as at any other address."""
        there = self.home.origin if self.home is not None else ""
        return self.facts.price if self._origin() == there else None

    @abstractmethod
    def _connect(self, session: Session, secret: str) -> Any:
        """Import the SDK and make its client, with `session.watch` as a request hook."""

    @abstractmethod
    def _ask(self, client: Any, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        """Ask and wait; passes pieces of the text to `say` as they come. Raises Failed or the SDK's errors."""

    def _failure_of(self, error: Exception, secret: str) -> Failure | None:
        """What an error of the SDK means; None for any other error."""
        return failure_of(error, importlib.import_module(self.sdk), secret)

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        dialect = conversation.dialect
        if dialect.provider not in ("", self.provider):
            raise ModelError(
                f"{self.label} does not speak the dialect {dialect.name}.", 'Set dialect = "auto" in [agent].'
            )
        held = conversation.schema is not None or bool(conversation.tools)
        prompt = Prompt(
            conversation,
            self._form if held else "text",
            self.support.images,
            self.support.marks,
            observation.viewport.image,
        )
        spoken = self._persist(prompt, on_note, stop)
        text = _sound(spoken.text)
        try:
            reply = conversation.decode(text)
        except BadReply as error:
            raise PaidBadReply(error, spoken.usage) from None
        return Answer(reply, text, spoken.usage, conversation.calls(text), spoken.given, spoken.detail)

    def ask(self, system: str, messages: Sequence[Message], *, stop: StopFlag) -> SpokenAnswer:
        stop.check()
        question = Conversation(goal="", system=system, schema=None, messages=tuple(messages))
        spoken = self._persist(Prompt(question, "text", self.support.images), _silent, stop)
        return SpokenAnswer(_sound(spoken.text), spoken.usage)

    def close(self) -> None:
        self._disconnect()

    def _disconnect(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _persist(self, prompt: Prompt, on_note: Callable[[str], None], stop: StopFlag) -> RawAnswer:
        """Ask, adapt to what the server cannot do, and ask again after errors that pass."""
        deadline = time.monotonic() + self.options.timeout
        refusals: list[Failure] = []
        repeats = 0
        while True:
            notes = prompt.conversation.dialect.note_reader(on_note)
            try:
                spoken = self._attempt(prompt, notes, stop, deadline)
            except Failed as failed:
                failure = failed.failure
            else:
                self._learn(prompt)
                return spoken
            if notes.started:
                on_note = _silent  # another answer has other words; the whole note follows anyway
            plainer = self._plainer(prompt, failure)
            if plainer is not None:
                refusals.append(failure)
                prompt = plainer
                continue
            delay = self._delay(failure, repeats, deadline)
            if delay is None:
                # When plainer requests are refused as well, the first refusal says best why.
                said = refusals[0] if refusals and failure.kind == "bad_request" else failure
                raise error_for(said, self._service()) from None
            stop.wait(delay)
            repeats += 1

    def _attempt(self, prompt: Prompt, notes: NoteReader, stop: StopFlag, deadline: float) -> RawAnswer:
        session = self._session = self._session or Session()
        try:
            return interruptible_call.run(
                partial(self._work, session, prompt),
                say=notes.feed,
                stop=stop,
                seconds=max(0.0, deadline - time.monotonic()),
                abandon=self._disconnect,
            )
        except interruptible_call.TookTooLong:
            raise Failed(Failure("timeout")) from None
        except Failed:
            self._key_source = session.key.source if session.key else ""
            self._disconnect()  # the next attempt looks the key up anew and connects anew
            raise

    def _work(self, session: Session, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        try:
            with session.in_use():
                if session.client is None:
                    session.client = self._connect(session, self._secret(session))
                return self._ask(session.client, prompt, say)
        except ModelError:
            raise
        except Exception as error:  # thread boundary; a foreign error may quote the key or an address
            failure = self._failure_of(error, session.key.reveal() if session.key else "")
            if failure is None:
                log.debug("the call of %s failed", self.label, exc_info=True)
                failure = Failure("unexpected", type(error).__name__)
            raise Failed(failure) from None

    def _secret(self, session: Session) -> str:
        session.key = self._find_key()
        if session.key is None and self.key_needed:
            raise Failed(Failure("no_key"))
        if session.key is None:
            return ""
        if not self._origin() and session.key.name:
            raise Failed(Failure("unreachable"))
        secret = session.key.reveal_to(self._origin())
        if secret is None:
            raise Failed(Failure("key_elsewhere"))
        return secret

    def foreign_key_use(self) -> KeyUse | None:
        try:
            key = self._find_key()
        except ModelError:  # no key at all; the first call says so
            return None
        origin = self._origin()
        if key is None or key.is_for(origin):
            return None
        given_for = key.given_for or key_hosts().own(key.name)
        return KeyUse(self.provider, key.name, key.source, given_for, origin)

    def server(self) -> str:
        return "" if is_loopback(self._address()) else self._origin() or self._address()

    def _address(self) -> str:
        """The address that is asked: the options', the environment's, or the provider's own."""
        if self.options.base_url or self.home is None:
            return self.options.base_url
        return os.environ.get(self.home.address_variable, "") or self.home.address

    def _origin(self) -> str:
        return server_origin(self._address())

    def _find_key(self) -> ApiKey | None:
        return find_key(self.provider, self.options.key_env)

    def _plainer(self, prompt: Prompt, failure: Failure) -> Prompt | None:
        """The same question without what the server refused; None when nothing can be left out."""
        if failure.kind == "no_images" and self.works_without_images and prompt.shows_pictures:
            return replace(prompt, images=False)
        if prompt.conversation.schema is None and not prompt.conversation.tools:
            return None  # plain text is asked for already
        left = self.forms[self.forms.index(prompt.form) + 1 :]
        if failure.kind in self.form_refusals and left:
            return replace(prompt, form=left[0])
        return None

    def _learn(self, prompt: Prompt) -> None:
        """Remember for the session what the server turned out not to support."""
        self.support = msgspec.structs.replace(self.support, images=prompt.images)
        if prompt.conversation.schema is not None or prompt.conversation.tools:
            self._form = prompt.form
            self.support = msgspec.structs.replace(self.support, strict_schema=prompt.form == "schema")

    def _delay(self, failure: Failure, repeats: int, deadline: float) -> float | None:
        """Seconds to wait before the same call is made again; None when it is not."""
        if not failure.again or repeats >= self.options.retries:
            return None
        wished = failure.retry_after
        delay = FIRST_DELAY * 2**repeats if wished is None else wished
        return None if delay > LONGEST_DELAY or time.monotonic() + delay >= deadline else delay

    def _service(self) -> Service:
        options = self.options
        return Service(
            provider=self.label,
            model=self.name,
            host=host_of(self._address()),
            origin=self._origin(),
            table=f"llm.{self.provider}",
            key_name=environment_name(self.provider, options.key_env),
            store_name=self.provider,
            key_source=self._key_source,
            timeout=options.timeout,
            idle_timeout=options.idle_timeout,
            max_output_tokens=options.max_output_tokens,
        )


class GrowingText:
    """The text of an answer as it grows; each piece is passed on."""

    def __init__(self, say: interruptible_call.Say) -> None:
        self._say = say
        self._pieces: list[str] = []
        self._length = 0

    def add(self, piece: str) -> None:
        """Raises Failed when the answer is longer than any reply may be."""
        self._length += len(piece)
        self.check_length(self._length)
        self._pieces.append(piece)
        self._say(piece)

    @staticmethod
    def check_length(length: int) -> None:
        """Raises Failed when a text of this length is too long for a reply."""
        if length > MAX_REPLY_BYTES:
            raise Failed(Failure("too_long"))

    def count(self, piece: str) -> None:
        """Counts a piece of the answer that is not text. Raises Failed as `add` does."""
        self._length += len(piece)
        self.check_length(self._length)

    def __str__(self) -> str:
        return "".join(self._pieces)


def total(usages: Sequence[TokenUsage]) -> TokenUsage:
    """The sum of what several calls cost; what is not known of one is not known of all."""
    columns = {name: [getattr(each, name) for each in usages] for name in TokenUsage.__struct_fields__}
    sums = {name: None if None in column else sum(column) for name, column in columns.items()}
    return msgspec.convert(sums, TokenUsage, strict=False)


def http_options(options: RemoteOptions, session: Session, address: str) -> dict[str, Any]:
    """Arguments for an SDK's own httpx2 client: our time limits, the session's hook, and no other host than that of `address`."""
    import httpx2

    # An answer that comes in one piece is silent until it is there: `timeout` bounds the whole call.
    silence = options.idle_timeout if options.stream else options.timeout + CONNECT_SECONDS
    return {
        "timeout": httpx2.Timeout(silence, connect=min(CONNECT_SECONDS, silence)),
        "event_hooks": {"request": [partial(_stay_at, server_origin(address)), session.watch]},
    }


def _stay_at(origin: str, request: Any) -> None:
    """Request hook, also of every redirect: neither key nor pictures follow one to another host. Raises Failed."""
    if not origin:
        raise Failed(Failure("unreachable"))
    if server_origin(str(request.url)) != origin:
        raise Failed(Failure("redirected", server_origin(str(request.url))))


def _support(options: RemoteOptions, facts: ModelFacts) -> Support:
    """What the model can do: as the options say, else as the table of models does; unknown counts as able to see."""
    tool = facts.computer_tool if options.computer_tool is None else options.computer_tool
    return Support(
        images=facts.images is not False if options.images is None else options.images,
        strict_schema=facts.strict_schema is not False,
        image_edge=options.image_edge,
        image_format=options.image_format,
        marks=options.marks,
        questions=True,
        mends=True,
        context=options.conversation,
        computer_tool=tool or "",
        cache=bool(facts.cache),
        context_tokens=options.context_tokens or facts.context or 0,
    )


def is_loopback(address: str) -> bool:
    """True for an address on this machine."""
    name = host_of(address).rpartition(":")[0] or host_of(address)
    return name in ("localhost", "127.0.0.1", "[::1]")


def host_of(address: str) -> str:
    """Host and port of an address, without user, path and query; whatever stands there when it is none."""
    return re.sub(r"^\w*:?/*", "", address).partition("/")[0].partition("?")[0].rpartition("@")[2]


def _sound(text: str) -> str:
    """Pairs of surrogates joined (a server may split them), single ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _silent(_: str) -> None:
    """Takes the note of an answer that is given a second time."""
