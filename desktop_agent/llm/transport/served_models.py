"""What a server of one's own on this computer says of its models: Ollama, LM Studio, llama.cpp and vLLM.

All of them list their models in OpenAI's form; what a model can do each tells in a form of its own. Nothing is sent
but the question, nothing leaves this computer, no key and no redirect is followed.
"""

from __future__ import annotations

import http.client
import re
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import msgspec

Kind: TypeAlias = Literal["Ollama", "LM Studio", "llama.cpp", "vLLM", "a server"]

SECONDS = 1.5
MOST_BYTES = 2_000_000
MOST_MODELS = 50
# A name is shown and typed into a terminal: others than these are passed over.
_NAME = re.compile(r"[\w.:/@+-]{1,200}")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

T = TypeVar("T")


class ServedModel(msgspec.Struct, frozen=True):
    """One model of a server. `context` is in tokens, at most; None where the server does not tell."""

    name: str
    images: bool | None = None
    context: int | None = None


class ModelServer(msgspec.Struct, frozen=True):
    """A server that answered at `address` (`http://127.0.0.1:1234`), with its models."""

    kind: Kind
    address: str
    models: tuple[ServedModel, ...] = ()

    @property
    def base_url(self) -> str:
        """The address as `base_url` in the config takes it."""
        return f"{self.address}/v1"


def ask_server(
    address: str, usual: Kind = "a server", seconds: float = SECONDS, only: str = ""
) -> ModelServer | None:
    """The server at an address of this computer with its models; None when none answers as a model server.

    A path in the address does not count. `usual` is what it is taken for where it does not tell. With `only`, the
    name of a model, no other need be asked about. Takes about `seconds` at most, a little longer with a server that
    answers piece by piece.
    """
    try:
        parts = urlsplit(address)
        port = parts.port or 80
    except ValueError:
        return None
    if parts.scheme != "http" or parts.hostname not in _LOOPBACK:
        return None
    client = _Client(parts.hostname, port, time.monotonic() + seconds)
    listed = client.ask("/v1/models", _List)
    if listed is None:
        return None
    entries = listed.data[:MOST_MODELS]
    kind = _kind(entries, usual)
    if kind == "Ollama" and only:  # it is asked about each model
        entries = [each for each in entries if each.id == only]
    models = tuple(each for each in _described(kind, entries, client) if _NAME.fullmatch(each.name))
    return ModelServer(kind, f"http://{parts.netloc.rpartition('@')[2]}", models)


# ---- the forms -------------------------------------------------------------------------------------------------------


class _Meta(msgspec.Struct):
    n_ctx: int | None = None
    n_ctx_train: int | None = None


class _Architecture(msgspec.Struct):
    input_modalities: list[str] | None = None


class _Entry(msgspec.Struct):
    id: str
    owned_by: str = ""
    max_model_len: int | None = None  # vLLM
    meta: _Meta | None = None  # llama.cpp
    architecture: _Architecture | None = None  # llama.cpp with several models


class _List(msgspec.Struct):
    data: list[_Entry]


class _Settings(msgspec.Struct):
    n_ctx: int | None = None


class _Modalities(msgspec.Struct):
    vision: bool | None = None


class _Props(msgspec.Struct):
    """llama.cpp, GET /props."""

    default_generation_settings: _Settings = msgspec.field(default_factory=_Settings)
    modalities: _Modalities = msgspec.field(default_factory=_Modalities)


class _Abilities(msgspec.Struct):
    vision: bool | None = None


class _Loading(msgspec.Struct):
    context_length: int | None = None


class _Instance(msgspec.Struct):
    config: _Loading = msgspec.field(default_factory=_Loading)


class _StudioModel(msgspec.Struct):
    key: str
    type: str = ""  # llm, embedding
    max_context_length: int | None = None
    loaded_instances: list[_Instance] = []
    capabilities: _Abilities = msgspec.field(default_factory=_Abilities)


class _StudioList(msgspec.Struct):
    """LM Studio from 0.4 on, GET /api/v1/models."""

    models: list[_StudioModel]


class _OldStudioModel(msgspec.Struct):
    id: str
    type: str = ""  # llm, vlm, embeddings
    max_context_length: int | None = None
    loaded_context_length: int | None = None


class _OldStudioList(msgspec.Struct):
    """LM Studio, GET /api/v0/models."""

    data: list[_OldStudioModel]


class _Shown(msgspec.Struct):
    """Ollama, POST /api/show: `model_info` has the context length under the name of the architecture."""

    capabilities: list[str] | None = None
    model_info: dict[str, Any] = msgspec.field(default_factory=dict)
    parameters: str = ""


def _kind(entries: list[_Entry], usual: Kind) -> Kind:
    """Which program it is, by what it writes into its list."""
    owners = {each.owned_by for each in entries}
    if "vllm" in owners or any(each.max_model_len for each in entries):
        return "vLLM"
    if "llamacpp" in owners:
        return "llama.cpp"
    if "organization_owner" in owners:
        return "LM Studio"
    return "Ollama" if "library" in owners else usual


def _described(kind: Kind, entries: list[_Entry], client: _Client) -> list[ServedModel]:
    match kind:
        case "vLLM":
            return [ServedModel(each.id, context=each.max_model_len) for each in entries]
        case "llama.cpp":
            return _of_llama_cpp(entries, client)
        case "Ollama":
            return [model for each in entries if (model := _of_ollama(each.id, client)) is not None]
    return _of_lm_studio(entries, client)  # also where nothing tells what it is


def _of_llama_cpp(entries: list[_Entry], client: _Client) -> list[ServedModel]:
    if len(entries) != 1:
        return [_of_list(each) for each in entries]
    (only,) = (_of_list(each) for each in entries)
    told = client.ask("/props", _Props) or _Props()  # about the model that is loaded
    images = only.images if told.modalities.vision is None else told.modalities.vision
    return [ServedModel(only.name, images, told.default_generation_settings.n_ctx or only.context)]


def _of_list(entry: _Entry) -> ServedModel:
    """What llama.cpp's list itself tells of a model."""
    meta = entry.meta or _Meta()
    takes = entry.architecture.input_modalities if entry.architecture is not None else None
    return ServedModel(
        entry.id, "image" in takes if takes is not None else None, meta.n_ctx or meta.n_ctx_train
    )


def _of_lm_studio(entries: list[_Entry], client: _Client) -> list[ServedModel]:
    if (now := client.ask("/api/v1/models", _StudioList)) is not None:
        return [_of_studio(each) for each in now.models[:MOST_MODELS] if each.type != "embedding"]
    told = client.ask("/api/v0/models", _OldStudioList)
    if told is None:
        return [ServedModel(each.id) for each in entries]
    return [
        ServedModel(
            each.id,
            {"vlm": True, "llm": False}.get(each.type),
            each.loaded_context_length or each.max_context_length,
        )
        for each in told.data[:MOST_MODELS]
        if each.type != "embeddings"
    ]


def _of_studio(model: _StudioModel) -> ServedModel:
    loaded = [each.config.context_length for each in model.loaded_instances if each.config.context_length]
    return ServedModel(model.key, model.capabilities.vision, min(loaded, default=model.max_context_length))


def _of_ollama(name: str, client: _Client) -> ServedModel | None:
    """None for a model that writes no text."""
    told = client.ask("/api/show", _Shown, {"model": name})
    if told is None or told.capabilities is None:
        return ServedModel(name)
    if "completion" not in told.capabilities:
        return None
    lengths = [value for key, value in told.model_info.items() if key.endswith(".context_length")]
    context = _set_context(told.parameters) or next((each for each in lengths if isinstance(each, int)), None)
    return ServedModel(name, "vision" in told.capabilities, context)


def _set_context(parameters: str) -> int | None:
    """The context set for a model of Ollama, from lines such as `num_ctx  8192`."""
    for line in parameters.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "num_ctx" and words[1].isdecimal():
            return int(words[1])
    return None


# ---- asking ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Client:
    host: str
    port: int
    deadline: float

    def ask(self, path: str, kind: type[T], body: dict[str, str] | None = None) -> T | None:
        """What stands at `path`, decoded; None for any other answer than that, and for none in time."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return None
        connection = http.client.HTTPConnection(self.host, self.port, timeout=left)
        try:
            if body is None:
                connection.request("GET", path)
            else:
                given = msgspec.json.encode(body)
                connection.request("POST", path, given, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            raw = answer.read(MOST_BYTES) if answer.status == 200 else b""
            return msgspec.json.decode(raw, type=kind) if raw else None
        except (
            OSError,
            http.client.HTTPException,
            ValueError,
            RecursionError,
        ):  # the last two: not of this form
            return None
        finally:
            connection.close()
