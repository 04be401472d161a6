"""A model file on this machine, run by llama.cpp's server inside this process (package xllamacpp), with its cache kept over restarts.

What it has read (the KV cache) stays between questions, and in a file of `cache_folder` over restarts.
"""

from __future__ import annotations

import importlib
import logging
import os
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from desktop_agent.extras.local.slot_files import Binding, open_slot_files
from desktop_agent.llm.base import ContextLimits, Model
from desktop_agent.llm.compatible import ChatModel, ChatOptions
from desktop_agent.llm.openai import connect
from desktop_agent.llm.transport import kept_cache
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.llm.transport.remote_model import Prompt, RawAnswer
from desktop_agent.protocol.errors import ContextExceeded, ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call, paths
from desktop_agent.support.key_store import ApiKey

if TYPE_CHECKING:
    from openai import OpenAI


import http.client
import json
import math
import time
from urllib.parse import urlsplit

from desktop_agent.extras.local.slot_files import SlotFiles

EVERY = 8
"""Questions from one saving to the next."""
CHEAP = 0.5
"""Seconds that saving may take between two questions; where the last took longer or failed, it is done at the end alone."""
LONGEST = 15.0
"""Seconds that reading back or saving may take at all."""


_BATCH = 256
"""Tokens that are read in one go: until they are, the server does not notice that nobody waits any more."""

_LEAST_ROOM = 512
_TOO_SMALL = (
    "Set `context` in [llm.local] to more than {} tokens: the system prompt, a look and the answer must fit. "
    "What does not fit into memory then needs a smaller model file."
)
_FULL = 0.7
"""Part of the room that the conversation may take before it is shortened: the next look comes on top."""

log = logging.getLogger(__name__)


LETTERS = 300
"""Of a text that has no limit of its own: a note, a name, a line."""
LONG_LETTERS = 1_500
"""Of a text that is typed or written into a file. llama.cpp's grammars take at most 2,000 repetitions."""
ITEMS = 8
_LONG = frozenset({"text", "content", "new", "old"})


class Options(ChatOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.local]. `path` is the .gguf file of the model, `projector` that of its eyes (mmproj), if any.

    `context` is in tokens; `threads` 0 means one for each processor. `cache_folder` is where what it has read is
    kept over restarts (empty: in the program's data folder), in at most `cache_megabytes` (0: it is not kept);
    `conversation` follows from `context` where it names no tokens.
    The beginning of a long conversation is dropped, not summed up: that would be one more long reading, by a small model.
    """

    path: str = ""
    projector: str = ""
    marks: bool = True
    context: Annotated[int, msgspec.Meta(ge=512, le=1_000_000)] = 16_384
    threads: Annotated[int, msgspec.Meta(ge=0, le=256)] = 0
    cache_folder: str = ""
    cache_megabytes: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 2_000
    conversation: ContextLimits = ContextLimits(strategy="truncate")

    @property
    def room(self) -> int:
        """Tokens for what the model is told: the context without the answer."""
        return self.context - self.max_output_tokens

    @property
    def limits(self) -> ContextLimits:
        """When the conversation is shortened; unless it is set, early enough for another look to fit."""
        tokens = self.conversation.tokens or int(self.room * _FULL)
        return msgspec.structs.replace(self.conversation, tokens=tokens)


def create(options: Options) -> Model:
    """The model that the options describe. Raises ModelError when its file is missing."""
    for path in filter(None, (options.path, options.projector)):
        if not Path(path).is_file():
            raise ModelError(f"There is no model file {path}.", "Check `path` in [llm.local].")
    if not options.path:
        raise ModelError("No model file is named.", "Set `path` in [llm.local] to a .gguf file.")
    if options.room < _LEAST_ROOM:
        raise ModelError(
            f"A context of {options.context} tokens has no room for the system prompt, a look and an answer of "
            f"{options.max_output_tokens}.",
            "Set a larger `context` in [llm.local], or a smaller `max_output_tokens`.",
        )
    return LocalModel(options)


class LocalModel(ChatModel[Options]):
    """Starts the server with the first question; its address is open to this process only (random key)."""

    provider = "local"
    label = "the local model"

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.name = Path(options.path).stem
        self.support = msgspec.structs.replace(
            self.support,
            images=options.images is not False and bool(options.projector),
            context=options.limits,
            context_tokens=options.context,
        )
        self._lock = threading.Lock()
        self._server: Any = None
        self._slot: ServerSlot | None = None
        self._token = ApiKey(secrets.token_hex(16), "this process")

    def close(self) -> None:
        super().close()
        with self._lock:
            slot, self._slot = self._slot, None
            if slot is not None:
                slot.close()
            self._server = None  # its destructor ends the server

    def _model_name(self, client: OpenAI) -> str:  # noqa: ARG002
        return self.name

    def _find_key(self) -> ApiKey | None:
        return self._token

    def _connect(self, session: Session, secret: str) -> OpenAI:
        with self._lock:
            if self._server is None:
                self._server = _start(self.options, secret)
                self._slot = _slot_of(self._server, self.options, secret)
            address = self._server.listening_address
        there = msgspec.structs.replace(self.options, base_url=f"{address}/v1")
        return connect(there, session, secret)

    def _ask(self, client: OpenAI, prompt: Prompt, say: interruptible_call.Say) -> RawAnswer:
        slot = self._slot
        if slot is not None:
            slot.begin(prompt.system)
        try:
            answer = super()._ask(client, prompt, say)
        finally:
            if slot is not None:
                slot.asked()
        if slot is not None:
            slot.save_if_due()
        return answer

    def _persist(self, prompt: Prompt, on_note: Callable[[str], None], stop: StopFlag) -> RawAnswer:
        try:
            return super()._persist(prompt, on_note, stop)
        except (
            ContextExceeded
        ) as error:  # the agent drops what it can; where that is not enough, the user reads this
            raise ContextExceeded(error.message, _TOO_SMALL.format(self.options.context)) from error

    def _arguments(self, prompt: Prompt) -> dict[str, Any]:
        arguments = super()._arguments(prompt)
        form = arguments.get("response_format", {})
        if "json_schema" in form:
            form["json_schema"]["schema"] = bounded(prompt.schema)
        return arguments


def _folder(options: Options) -> Path:
    return Path(options.cache_folder) if options.cache_folder else paths.kv_caches() / "local"


def _slot_of(server: Any, options: Options, token: str) -> ServerSlot | None:
    """The slot of a server that was started, None where it is not kept over restarts."""
    if not options.cache_megabytes:
        return None
    version = str(importlib.import_module("xllamacpp").__version__)
    try:
        model = kept_cache.of_file(Path(options.path))
        binding = Binding(model, options.context, f"xllamacpp {version}")
        files = open_slot_files(_folder(options), binding, options.cache_megabytes * 1_000_000)
    except OSError as error:
        log.warning("the cache cannot be kept in %s: %s", _folder(options), error)
        return None
    if files is None:
        log.info(
            "the cache in %s is in use by another process; ours is kept in memory only", _folder(options)
        )
        return None
    return ServerSlot(server.listening_address, token, files)


def _start(options: Options, token: str) -> Any:
    """Load the model and listen on a free port of this machine."""
    try:
        xllamacpp = importlib.import_module("xllamacpp")  # an optional package
    except ImportError as error:
        raise ModelError(
            "The package xllamacpp, which runs local models, is not installed.",
            "Install it with: pip install xllamacpp",
        ) from error
    given = xllamacpp.CommonParams()
    given.model.path = options.path
    given.mmproj.path = options.projector
    given.n_ctx = options.context
    given.n_parallel = 1
    given.n_batch = given.n_ubatch = _BATCH
    given.cache_prompt = True
    given.cache_ram_mib = 0  # there is one conversation, and the slot has it
    if options.cache_megabytes:
        given.slot_save_path = f"{_folder(options)}{os.sep}"
    given.cpuparams.n_threads = options.threads or os.cpu_count() or 1
    given.cpuparams_batch.n_threads = given.cpuparams.n_threads
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.api_keys = [token]
    given.ui = False
    given.verbosity = 0
    try:
        return xllamacpp.Server(given)
    except (RuntimeError, ValueError) as error:
        raise ModelError(
            f"The model file {options.path} cannot be loaded: {str(error).rstrip('.')}.",
            "Check that it is a whole .gguf file and that there is enough memory.",
        ) from error


def bounded(schema: Any, name: str = "") -> Any:
    """The schema with `maxLength` and `maxItems` wherever they are missing; `name` is that of the field it is for.

    Neither is below the least that is asked for: llama.cpp takes all memory for a grammar where it is.
    """
    if isinstance(schema, list):
        return [bounded(each, name) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: bounded(value, name) for key, value in schema.items() if key != "properties"}
    if "properties" in schema:
        made["properties"] = {key: bounded(value, key) for key, value in schema["properties"].items()}
    if made.get("type") == "string" and "enum" not in made:
        usual = LONG_LETTERS if name in _LONG else LETTERS
        made.setdefault("maxLength", max(usual, made.get("minLength", 0)))
    if made.get("type") == "array":
        made["maxItems"] = max(min(made.get("maxItems", ITEMS), ITEMS), made.get("minItems", 0))
    return made


# https://github.com/ggml-org/llama.cpp/tree/master/tools/server (POST /slots/{id}?action=save|restore)
class SlotRefused(Exception):
    """The server did not save or restore; the message says why."""


class ServerSlot:
    """The slot of the server at `address`, kept in `files`."""

    def __init__(self, address: str, token: str, files: SlotFiles) -> None:
        self._address, self._token, self._files = address, token, files
        self._begun = False
        self._system = ""
        self._asked = 0  # since it was saved
        self._saved = False
        self._took = 0.0

    def begin(self, system: str) -> None:
        """Before a question: read back what was saved, once, where the question begins like that."""
        self._system = system
        if self._begun:
            return
        self._begun = True
        name = self._files.usable(system)
        if not name:
            return
        try:
            done = self._ask("restore", name)
        except (OSError, http.client.HTTPException, SlotRefused) as error:
            log.warning("the saved cache could not be read back and is made anew: %s", error)
            self._files.forget()
        else:
            log.info("%s tokens of the last conversation were read back", done.get("n_restored"))

    def asked(self) -> None:
        """After a question, whatever came of it: the slot has read it."""
        self._asked += 1

    def save_if_due(self) -> None:
        """Between two questions: save where that is due and quick."""
        due = not self._saved or self._asked >= EVERY
        if due and self._took <= CHEAP:
            self.save()

    def save(self) -> None:
        """Save what the slot has read, unless nothing has been asked since; a failure is logged."""
        if not self._asked:
            return
        began = time.monotonic()
        try:
            with self._files.saving(self._system) as name:
                done = self._ask("save", name)
        except (OSError, http.client.HTTPException, SlotRefused) as error:
            log.warning("the cache could not be saved: %s", error)
            self._took = math.inf
        else:
            log.info("saved %s tokens in %s bytes", done.get("n_saved"), done.get("n_written"))
            self._took = time.monotonic() - began
        self._asked, self._saved = 0, True

    def close(self) -> None:
        """Save a last time and leave the files to others."""
        self.save()
        self._files.close()

    def _ask(self, action: str, name: str) -> dict[str, Any]:
        connection = http.client.HTTPConnection(urlsplit(self._address).netloc, timeout=LONGEST)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}
        try:
            connection.request(
                "POST", f"/slots/0?action={action}", json.dumps({"filename": name}).encode(), headers
            )
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise SlotRefused(f"{answer.status} {body[:300].decode('utf-8', 'replace')}")
        try:
            done = json.loads(body)
        except ValueError as error:
            raise SlotRefused(f"what it says is no JSON: {body[:100]!r}") from error
        return done if isinstance(done, dict) else {}
