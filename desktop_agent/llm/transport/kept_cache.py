"""The cache that a model's `call` hands from one question to the next, its file `kv_cache.pt`, and the fingerprints it is valid for."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import logging
import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from desktop_agent.support.paths import private_folder, write_private

FILE = "kv_cache.pt"
EVERY = 8
"""Questions from one writing of the file to the next; it is written at the end, too."""
ApiMessages: TypeAlias = Sequence[dict[str, Any]]

log = logging.getLogger(__name__)


_TYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "I16": "int16", "U16": "uint16", "F16": "float16",
    "I32": "int32", "U32": "uint32", "F32": "float32", "I64": "int64", "U64": "uint64", "F64": "float64",
    "BF16": "bfloat16",
}  # fmt: skip
"""Types of the format, and how numpy and torch call them."""
_NAMES = {name: code for code, name in _TYPES.items()}
_SIZES = {code: max(1, int("0" + "".join(filter(str.isdigit, code))) // 8) for code in _TYPES}
_LENGTH = struct.Struct("<Q")
_MOST_HEADER = 50_000_000
_DEEPEST = 50
_DIGEST = 32


_END = 1_000_000
"""Bytes read from the beginning of a large file, and from its end."""


class KeptCache:
    """The newest cache of one model, with the messages it was made of.

    It is given to a question only where the messages begin with those it was made of, so that it never stands
    for words that have been taken out since; `compares`: the model finds out by itself how far it fits, and is
    always given it. Only the thread that calls the model uses it, and `close`.
    """

    def __init__(self, folder: Path, binding: str, most_bytes: int, *, compares: bool) -> None:
        self._path, self._binding, self._most, self._compares = folder / FILE, binding, most_bytes, compares
        self._value: Any = None
        self._messages: list[dict[str, Any]] = []
        self._read = most_bytes == 0
        self._known = ""  # digest of the messages where it was read from the file
        self._count = 0
        self._unsaved = 0
        self._saved = False

    def of(self, messages: ApiMessages) -> Any:
        """The cache for a question with these messages; None where there is none that fits."""
        if not self._read:
            self._read = True
            self._read_file()
        if self._value is None or self._compares:
            return self._value
        beginning = list(messages[: self._count])
        same = _digest(beginning) == self._known if self._known else beginning == self._messages
        return self._value if same and len(messages) >= self._count else None

    def keep(self, value: Any, messages: ApiMessages) -> None:
        """Take what a call returned."""
        self._value, self._messages, self._known = value, list(messages), ""
        self._count = len(self._messages)
        self._unsaved += 1
        if not self._saved or self._unsaved >= EVERY:
            self.save()

    def drop(self) -> None:
        """Forget what is in memory: a call that nobody waited for may have changed it."""
        self._value, self._messages, self._known, self._count = None, [], "", 0

    def save(self) -> None:
        """Write the file where something is new; what cannot be written stays in memory, and the log says why."""
        if not self._unsaved or not self._most:
            return
        self._unsaved, self._saved = 0, True
        try:
            if self._value is None:
                return
            known = self._known or _digest(self._messages)
            file = written({"cache": self._value, "messages": known, "count": self._count}, self._binding)
            if len(file) > self._most:
                log.warning("the cache has %s bytes, so it is kept in memory only", len(file))
                return
            private_folder(self._path.parent)
            write_private(self._path, file)
        except NotPlain as error:
            self._most = 0
            log.warning("the cache holds %s, which only pickle could write: it is kept in memory only", error)
        except OSError as error:
            log.warning("the cache cannot be written to %s: %s", self._path, error)
        except Exception as error:  # noqa: BLE001 - boundary: what a foreign class keeps may raise anything
            self._most = 0
            log.warning("the cache cannot be read out, so it is kept in memory only: %r", error)

    def _read_file(self) -> None:
        for part in self._path.parent.glob(f".{FILE}.*"):  # of a process that was killed while writing
            with contextlib.suppress(OSError):
                part.unlink()
        try:
            if self._path.stat().st_size > self._most:
                raise NotOurs("it is larger than may be kept")
            found = read(self._path.read_bytes(), self._binding)
            value, known, count = found["cache"], str(found["messages"]), int(found["count"])
        except FileNotFoundError:
            return
        except (OSError, NotOurs, KeyError, TypeError, ValueError) as error:
            log.warning("%s is not used and made anew: %s", self._path, error)
            with contextlib.suppress(OSError):
                self._path.unlink()
            return
        self._value, self._known, self._count = value, known, count


def _digest(messages: ApiMessages) -> str:
    text = json.dumps(messages, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()


# The file is of the safetensors format (eight bytes with the length of a JSON header, the header, then the tensors'
# bytes), which is only data: reading it runs nothing, whatever stands in it. How the tensors were put together
# (lists, tables, plain values), what the file belongs to, and a digest stand in its `__metadata__`.
# https://huggingface.co/docs/safetensors
class NotPlain(Exception):
    """Something that only pickle could keep; the message names its type."""


class NotOurs(Exception):
    """A file that is damaged, or belongs to something else; the message says which."""


class _Place(msgspec.Struct, frozen=True):
    """Of one tensor in the file."""

    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def written(value: Any, binding: str) -> bytes:
    """The file for a value made of bytes, numpy arrays, torch tensors, lists, tuples, tables with text keys and plain values.

    `binding` says in words what it belongs to. Raises NotPlain for any other object in it.
    """
    writer = _Writer()
    tree = writer.tree(value, 0)
    data = b"".join(writer.pieces)
    # The format allows only texts in its metadata.
    digest = _tensor_digest(binding, json.dumps(tree), json.dumps(writer.places), data)
    metadata = {"binding": binding, "tree": json.dumps(tree), "digest": digest}
    header = json.dumps({"__metadata__": metadata, **writer.places}).encode()
    header += b" " * (-len(header) % 8)
    return _LENGTH.pack(len(header)) + header + data


def read(file: bytes, binding: str) -> Any:
    """The value in a file that `written` made with the same binding. Raises NotOurs for anything else."""
    try:
        (length,) = _LENGTH.unpack_from(file)
        if length > min(_MOST_HEADER, len(file)):
            raise NotOurs("it is damaged")
        header = json.loads(file[_LENGTH.size : _LENGTH.size + length])
        metadata = header.pop("__metadata__")
        if metadata["binding"] != binding:
            raise NotOurs(f"it belongs to {metadata['binding']!r}")
        data = memoryview(file)[_LENGTH.size + length :]
        if metadata["digest"] != _tensor_digest(binding, metadata["tree"], json.dumps(header), data):
            raise NotOurs("it is damaged")
        places = msgspec.convert(header, dict[str, _Place])
        return _value(json.loads(metadata["tree"]), places, data)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        struct.error,
        RecursionError,
    ) as error:
        raise NotOurs("it is damaged") from error


class _Writer:
    """Takes a value apart: a tree of plain data, and the bytes of what it is made of."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.places: dict[str, dict[str, Any]] = {}
        self._at = 0

    def tree(self, value: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            raise NotPlain("something nested too deeply")
        if value is None or isinstance(value, bool | int | str):
            return {"plain": value}
        if isinstance(value, float):
            return {"plain": value} if math.isfinite(value) else {"float": repr(value)}
        if isinstance(value, bytes | bytearray | memoryview):
            return {"bytes": self._keep("U8", (memoryview(value).nbytes,), bytes(value))}
        if isinstance(value, list | tuple) and type(value) in (list, tuple):
            return {type(value).__name__: [self.tree(each, depth + 1) for each in value]}
        if type(value) is dict and all(isinstance(key, str) for key in value):
            return {"dict": {key: self.tree(each, depth + 1) for key, each in value.items()}}
        return self._tensor(value)

    def _tensor(self, value: Any) -> Any:
        kind = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        dtype = getattr(value, "dtype", "")
        code = _NAMES.get(getattr(dtype, "name", str(dtype).removeprefix("torch.")))
        if code is None or kind not in ("numpy.ndarray", "torch.Tensor"):
            raise NotPlain(kind)
        shape = tuple(int(each) for each in value.shape)
        if kind == "numpy.ndarray":
            return {"numpy": self._keep(code, shape, value.astype(value.dtype.newbyteorder("<")).tobytes())}
        flat = value.detach().cpu().contiguous().reshape(-1)
        raw = flat.view(_torch().uint8).numpy().tobytes() if flat.numel() else b""
        return {"torch": self._keep(code, shape, raw)}

    def _keep(self, code: str, shape: tuple[int, ...], data: bytes) -> str:
        name = str(len(self.places))
        self.places[name] = {
            "dtype": code,
            "shape": list(shape),
            "data_offsets": [self._at, self._at + len(data)],
        }
        self.pieces.append(data)
        self._at += len(data)
        return name


def _value(tree: Mapping[str, Any], places: Mapping[str, _Place], data: memoryview) -> Any:
    ((kind, inner),) = tree.items()
    match kind:
        case "plain":
            return inner
        case "float":
            return float(inner)
        case "list":
            return [_value(each, places, data) for each in inner]
        case "tuple":
            return tuple(_value(each, places, data) for each in inner)
        case "dict":
            return {key: _value(each, places, data) for key, each in inner.items()}
    place = places[inner]
    piece = data[place.data_offsets[0] : place.data_offsets[1]]
    if len(piece) != math.prod(place.shape) * _SIZES[place.dtype]:
        raise NotOurs("it is damaged")
    if kind == "bytes":
        return bytes(piece)
    return _torch_tensor(place, piece) if kind == "torch" else _numpy_array(place, piece)


def _numpy_array(place: _Place, piece: memoryview) -> Any:
    import numpy as np

    return np.frombuffer(piece, np.dtype(_TYPES[place.dtype]).newbyteorder("<")).reshape(place.shape).copy()


def _torch_tensor(place: _Place, piece: memoryview) -> Any:
    torch = _torch()
    kind = getattr(torch, _TYPES[place.dtype])
    if not piece:
        return torch.empty(place.shape, dtype=kind)
    return torch.frombuffer(bytearray(piece), dtype=torch.uint8).view(kind).reshape(place.shape)


def _torch() -> Any:
    import importlib

    try:
        return importlib.import_module("torch")  # is there where a model gave its tensors
    except ImportError as error:
        raise NotOurs("its tensors are those of torch, which is not installed") from error


def _tensor_digest(*parts: str | bytes | memoryview) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        piece = part.encode() if isinstance(part, str) else part
        digest.update(_LENGTH.pack(len(piece)))
        digest.update(piece)
    return digest.hexdigest()


def of_file(path: Path) -> str:
    """A name for this content of the file: its size, time of change, and a hash of its first and last megabyte.

    Raises OSError.
    """
    state = path.stat()
    digest = hashlib.blake2b(f"{state.st_size} {state.st_mtime_ns} ".encode(), digest_size=16)
    with path.open("rb") as file:
        digest.update(file.read(_END))
        file.seek(max(0, state.st_size - _END))
        digest.update(file.read())
    return digest.hexdigest()


def of_class(kind: type) -> str:
    """A name for this class as it stands in its module's file; of one without a file, by its name alone."""
    try:
        file = inspect.getfile(kind)
    except (OSError, TypeError):
        file = None
    return of_code(f"{kind.__module__}.{kind.__qualname__}", file)


def of_code(name: str, file: str | None) -> str:
    """The name with a hash of the file it stands in; without a file, or one that cannot be read, of nothing."""
    try:
        source = Path(file).read_bytes() if file else b""
    except OSError:
        source = b""
    return f"{name} {hashlib.blake2b(source, digest_size=16).hexdigest()}"
