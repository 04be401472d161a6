"""A model file on this machine, run by llama.cpp's server inside this process (package xllamacpp)."""

from __future__ import annotations

import importlib
import os
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from desktop_agent.llm.base import Model
from desktop_agent.llm.compatible import ChatModel, ChatOptions
from desktop_agent.llm.openai import connect
from desktop_agent.llm.transport.cuttable_connection import Session
from desktop_agent.protocol.errors import ModelError
from desktop_agent.support.key_store import ApiKey

if TYPE_CHECKING:
    from openai import OpenAI


class Options(ChatOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.local]. `path` is the .gguf file of the model, `projector` that of its eyes (mmproj), if any.

    `context` is in tokens; `threads` 0 means one for each processor.
    """

    path: str = ""
    projector: str = ""
    marks: bool = True
    context: Annotated[int, msgspec.Meta(ge=512, le=1_000_000)] = 16_384
    threads: Annotated[int, msgspec.Meta(ge=0, le=256)] = 0


def create(options: Options) -> Model:
    """The model that the options describe. Raises ModelError when its file is missing."""
    for path in filter(None, (options.path, options.projector)):
        if not Path(path).is_file():
            raise ModelError(f"There is no model file {path}.", "Check `path` in [llm.local].")
    if not options.path:
        raise ModelError("No model file is named.", "Set `path` in [llm.local] to a .gguf file.")
    return LocalModel(options)


class LocalModel(ChatModel[Options]):
    """Starts the server with the first question; its address is open to this process only (random key)."""

    provider = "local"
    label = "the local model"

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.name = Path(options.path).stem
        self.support = msgspec.structs.replace(
            self.support, images=bool(options.projector), context_tokens=options.context
        )
        self._lock = threading.Lock()
        self._server: Any = None
        self._token = ApiKey(secrets.token_hex(16), "this process")

    def close(self) -> None:
        super().close()
        with self._lock:
            self._server = None  # its destructor ends the server

    def _model_name(self, client: OpenAI) -> str:  # noqa: ARG002
        return self.name

    def _find_key(self) -> ApiKey | None:
        return self._token

    def _connect(self, session: Session, secret: str) -> OpenAI:
        with self._lock:
            self._server = self._server or _start(self.options, secret)
            address = self._server.listening_address
        there = msgspec.structs.replace(self.options, base_url=f"{address}/v1")
        return connect(there, session, secret)


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
