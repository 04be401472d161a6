"""A model that is any object with `call(messages, kv_cache) -> (text, kv_cache)`: weights of one's own, say.

`messages` have the form of Claude's API: `{"role": "user" | "assistant", "content": [...]}` with the blocks
`{"type": "text", "text": ...}` and `{"type": "image", "source": {"type": "base64", "media_type": "image/png",
"data": ...}}`; the last is the user's. `kv_cache` is whatever the last call returned; None at first, and where the
messages do not begin any more with those it was made of (the conversation was shortened). `text` is the reply.

An object may also have these, each with the default that stands here:

- `name: str`: its name for people; the name of its class
- `images: bool = True`: it is given pictures; without them it is told elements and words that were read
- `image_edge: int = 1568`: the longest edge of a picture, in pixels
- `dialect: str = "json"`: the form of its text
- `context_words: int = 30_000`: its conversation is summed up by itself beyond that
- `system: str`: is set to the system prompt before each call; or `call` takes the keyword `system`. Without
  either the system prompt is the first text of the first message
- `reuses_prefix: bool = False`: it finds out by itself how far a cache fits the messages, and is always given it
- `fingerprint: str`: its weights' name and version, to which the file of the cache is bound; else its code is
- `cancel()`: ends a call that nobody waits for any more; called from another thread
- `close()`: lets go of everything.
"""

from __future__ import annotations

import inspect
import logging
import re
import threading
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypeVar

import msgspec

from desktop_agent.llm.base import Answer, ContextLimits, Conversation, Model, SpokenAnswer, Support
from desktop_agent.llm.transport import kept_cache
from desktop_agent.llm.transport.kept_cache import KeptCache
from desktop_agent.llm.transport.options import Seconds
from desktop_agent.llm.transport.remote_model import Prompt
from desktop_agent.llm.transport.sdk_errors import clean
from desktop_agent.protocol.chat_messages import ApiMessage, Message, PictureBlock, inline
from desktop_agent.protocol.dialects.base import MAX_REPLY_BYTES
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call, paths
from desktop_agent.vision.observation import Observation

log = logging.getLogger(__name__)

T = TypeVar("T")
_MEND = "Mend its `call`, or choose another model."


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be set for a model that has only `call`. `timeout` bounds one call.

    Its cache is kept over restarts in `context_folder` (empty: a folder of its name in the program's data
    folder), in at most `cache_megabytes` (0: it is not kept).
    """

    timeout: Seconds = 600.0
    context_folder: str = ""
    cache_megabytes: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 2_000


def _parameters_of(call: Any) -> Collection[str]:
    """The names of its parameters; none where it does not tell them, as what is made in C may."""
    try:
        return inspect.signature(call).parameters
    except (TypeError, ValueError):
        return ()


class CallModel(Model):
    """Asks `given.call` in a thread of its own, so that a stop ends the wait for it at once."""

    def __init__(self, given: object, options: Options, name: str = "") -> None:
        self._given = given
        self._options = options
        self.name = _said(given, "name", str, name or getattr(given, "__name__", type(given).__name__))
        self.dialect = _said(given, "dialect", str, "json")
        self.support = Support(
            images=_said(given, "images", bool, True),
            strict_schema=False,
            image_edge=_said(given, "image_edge", int, 1568),
            image_format="png",
            whole_pictures=True,
            questions=True,
            mends=True,
            context=ContextLimits(words=_said(given, "context_words", int, ContextLimits().words)),
        )
        self._system_by_name = "system" in _parameters_of(_call_of(given))
        self._cache = KeptCache(
            _folder(options, self.name),
            _binding(given, self.name),
            options.cache_megabytes * 1_000_000,
            compares=_said(given, "reuses_prefix", bool, False),
        )
        self._one_at_a_time = threading.Lock()

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - the conversation tells and shows it
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        text = self._ask(Prompt(conversation, "text", self.support.images), stop)
        conversation.dialect.note_reader(on_note).feed(text)
        return Answer(conversation.decode(text), text)

    def ask(self, system: str, messages: Sequence[Message], *, stop: StopFlag) -> SpokenAnswer:
        stop.check()
        question = Conversation(goal="", system=system, schema=None, messages=tuple(messages))
        return SpokenAnswer(self._ask(Prompt(question, "text", self.support.images), stop))

    def close(self) -> None:
        if self._one_at_a_time.acquire(blocking=False):  # else a call that never ends has the cache
            try:
                self._cache.save()
            finally:
                self._one_at_a_time.release()
        if callable(close := getattr(self._given, "close", None)):
            try:
                close()
            except Exception:  # boundary: a foreign class may raise anything, and it is over
                log.warning("the model %s could not be closed", self.name, exc_info=True)

    def _ask(self, prompt: Prompt, stop: StopFlag) -> str:
        dropped = threading.Event()
        try:
            return interruptible_call.run(
                partial(self._work, prompt, dropped),
                say=lambda _: None,
                stop=stop,
                seconds=self._options.timeout,
                abandon=partial(self._abandon, dropped),
            )
        except interruptible_call.TookTooLong:
            limit = f"within {self._options.timeout:g} s"
            raise ModelError(
                f"The model {self.name} did not finish its answer {limit}.",
                "Try again, or raise its `timeout`.",
                retryable=True,
            ) from None

    def _abandon(self, dropped: threading.Event) -> None:
        dropped.set()
        if callable(cancel := getattr(self._given, "cancel", None)):
            threading.Thread(target=cancel, name="cancel a call", daemon=True).start()

    def _work(self, prompt: Prompt, dropped: threading.Event, _: interruptible_call.Say) -> str:
        with self._one_at_a_time:  # after a stop the call before may still go on
            if dropped.is_set():
                return ""
            messages = marshaled(prompt.messages(), "" if self._takes_system() else prompt.system)
            kept = False
            try:
                text, cache = self._checked(self._called(prompt.system, messages))
                kept = not dropped.is_set()
            finally:
                if not kept:
                    self._cache.drop()
            if kept:
                self._cache.keep(cache, messages)
            return text

    def _called(self, system: str, messages: list[dict[str, Any]]) -> object:
        cache = self._cache.of(messages)
        call = _call_of(self._given)
        try:
            if self._system_by_name:
                return call(messages, cache, system=system)
            if hasattr(self._given, "system"):
                self._given.system = system
            return call(messages, cache)
        except (Exception, SystemExit) as error:  # boundary: a foreign class may raise anything
            words = clean(f"{type(error).__name__}: {error}")
            raise ModelError(f"The model {self.name} failed ({words}).", _MEND) from error

    def _takes_system(self) -> bool:
        return self._system_by_name or hasattr(self._given, "system")

    def _checked(self, answer: object) -> tuple[str, Any]:
        """The text and the cache in what `call` returned. Raises ModelError."""
        if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], str):
            raise ModelError(
                f"The model {self.name} returned {_kind(answer)} instead of (text, kv_cache).", _MEND
            )
        text, cache = answer
        if len(text) > MAX_REPLY_BYTES:
            raise ModelError(f"{self.name} answered with more text than any reply may have.", _MEND)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), cache


def marshaled(messages: Sequence[ApiMessage], system: str = "") -> list[dict[str, Any]]:
    """The messages in the form of Claude's API; `system` is put before the words of the first one."""
    made = [{"role": each.role, "content": list(map(_block, inline(each.content)))} for each in messages]
    if system:
        head = {"type": "text", "text": system}
        if made and made[0]["role"] == "user":
            made[0]["content"] = [head, *made[0]["content"]]
        else:
            made = [{"role": "user", "content": [head]}, *made]
    return made


def _block(block: Any) -> dict[str, Any]:
    if isinstance(block, PictureBlock):
        source = {"type": "base64", "media_type": block.media_type, "data": block.data}
        return {"type": "image", "source": source}
    return {"type": "text", "text": block.text}


def as_model(made: object, name: str = "") -> Model:
    """What somebody gave for a model (a model, an object with `call`, or its class). Raises ModelError for what is none."""
    if isinstance(made, Model):
        return made
    if callable(getattr(made, "call", None)):
        return _create(made, name, Options())
    raise ModelError(
        f"The model {name or 'given'} is {_kind(made)} without `call`.", "Give an object that has it."
    )


def adapted(thing: object, name: str) -> object:
    """For what an entry point names: a module with `Options` and `create` of a class, an object or a module with `call`.

    Anything else is returned as it is.
    """
    complete = isinstance(thing, ModuleType) and callable(getattr(thing, "create", None))
    if complete or not callable(getattr(thing, "call", None)):
        return thing
    module: Any = ModuleType(name, inspect.getdoc(thing) or "")
    module.Options = Options
    module.create = partial(_create, thing, name)
    return module


def _create(thing: Any, name: str, options: Options) -> Model:
    if not isinstance(thing, type):
        return CallModel(thing, options, name)
    try:
        made = thing()
    except (Exception, SystemExit) as error:  # boundary: a foreign class may raise anything
        words = clean(f"{type(error).__name__}: {error}")
        raise ModelError(
            f"The model {name or thing.__name__} cannot be made ({words}).", "Mend its class."
        ) from error
    return CallModel(made, options, name)


def _said(given: object, name: str, kind: type[T], usual: T) -> T:
    """What the object says in an attribute. Raises ModelError where that is of another type."""
    found = getattr(given, name, usual)
    if type(found) is not kind:
        raise ModelError(
            f"`{name}` of the model {type(given).__name__} is {_kind(found)}, not {kind.__name__}.", _MEND
        )
    return found


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def _call_of(given: Any) -> Callable[..., object]:
    call: Callable[..., object] = given.call
    return call


def _folder(options: Options, name: str) -> Path:
    if options.context_folder:
        return Path(options.context_folder)
    return paths.kv_caches() / (re.sub(r"[^\w-]+", "_", name) or "model")


def _binding(given: object, name: str) -> str:
    if said := _said(given, "fingerprint", str, ""):
        return f"{name} {said}"
    if isinstance(given, ModuleType):
        return f"{name} {kept_cache.of_code(given.__name__, getattr(given, '__file__', None))}"
    return f"{name} {kept_cache.of_class(type(given))}"
