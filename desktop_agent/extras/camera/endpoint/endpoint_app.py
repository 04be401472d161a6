"""What can be asked of the endpoint: keys and texts are typed, and acknowledged. No answer holds anything that the shell prints.

The contract is small so that any machine can take keys by it; `Idempotency-Key` is an addition to it, told in /health.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections import OrderedDict
from typing import Annotated, Any, Protocol

from fastapi import FastAPI, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from desktop_agent import __version__
from desktop_agent.extras.camera.endpoint.key_sequences import KeySequence, key_sequence
from desktop_agent.protocol.errors import Refused

MOST_REMEMBERED = 1_000
LONGEST_TEXT = 4_000
_KEY_PATTERN = r"^[\x21-\x7e]{1,200}$"
_NO_TEXT = frozenset(("Cc", "Cs", "Cn", "Co", "Zl", "Zp"))
_NO_CHARACTERS = (
    frozenset(range(0x202A, 0x202F)) | frozenset(range(0x2066, 0x206A)) | {0x200E, 0x200F, 0x061C}
)
"""What turns the direction of the text beside it: what is read would not be what is typed."""


class TypedShell(Protocol):
    """What takes the keys."""

    @property
    def alive(self) -> bool: ...

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    def press(self, keys: KeySequence) -> None:
        """Type what a key types. Raises Refused where nothing can be typed."""

    def type(self, text: str) -> None:
        """Type a text. Raises Refused where nothing can be typed."""


class ShellDisplay(Protocol):
    """What shows the shell."""

    kind: str
    """In a word."""

    def follow(self) -> None:
        """Something is typed: show the newest lines. From any thread."""


class NoDisplay:
    """Nothing shows it."""

    kind = "none"

    def follow(self) -> None:
        """Nothing to do."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class KeystrokeBody(_Body):
    """One key, pressed and released."""

    key: str = Field(min_length=1, max_length=40)


class KeyComboBody(_Body):
    """A key while modifiers are held."""

    modifiers: list[Annotated[str, Field(min_length=1, max_length=40)]] = Field(max_length=3)
    key: str = Field(min_length=1, max_length=40)


class TextBody(_Body):
    """A text to type; without Enter, which is a key."""

    text: str = Field(min_length=1, max_length=LONGEST_TEXT)


class UnfitRequest(Exception):
    """A request has the right form, and cannot be typed: why."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message, self.advice = message, advice


class TypedRequests:
    """The keys of requests that were typed, the last MOST_REMEMBERED."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._known: OrderedDict[str, bytes] = OrderedDict()

    def is_repeated(self, key: str | None, content: bytes) -> bool:
        """Was a request with this key typed? Raises UnfitRequest where that was another one."""
        known = self._known.get(key) if key is not None else None
        if known is not None and known != hashlib.sha256(content).digest():
            raise UnfitRequest(
                "This Idempotency-Key was another request's.", "Use each for one request alone."
            )
        return known is not None

    def remember(self, key: str | None, content: bytes) -> None:
        """It is typed."""
        if key is None:
            return
        self._known[key] = hashlib.sha256(content).digest()
        while len(self._known) > self._most:
            self._known.popitem(last=False)


RepeatKey = Annotated[str | None, Header(alias="Idempotency-Key", pattern=_KEY_PATTERN)]


def create_app(shell: TypedShell, display: ShellDisplay | None = None) -> FastAPI:
    """The application without its checks (see `loopback_access`): keys go to `shell`, which `display` shows."""
    shown = display or NoDisplay()
    typed = TypedRequests()
    app = FastAPI(
        title="desktop-agent endpoint",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.add_exception_handler(RequestValidationError, _unfit_form)
    app.add_exception_handler(HTTPException, _of_no_use)
    app.add_exception_handler(UnfitRequest, _unfit)
    app.add_exception_handler(Refused, _not_typed)

    # These run on the event loop itself, one after the other: nothing in them waits, and keys keep their order.
    @app.post("/keystroke")
    async def keystroke(body: KeystrokeBody, repeat_key: RepeatKey = None) -> dict[str, Any]:
        return once(repeat_key, f"key {body.key}", _keys(body.key, ()))

    @app.post("/key-combo")
    async def key_combo(body: KeyComboBody, repeat_key: RepeatKey = None) -> dict[str, Any]:
        content = f"combo {sorted(body.modifiers)} {body.key}"
        return once(repeat_key, content, _keys(body.key, tuple(body.modifiers)))

    # Keys of requests are remembered by this start alone: a sender has to see that another one began.
    instance = secrets.token_hex(8)

    @app.post("/text")
    async def text(body: TextBody, repeat_key: RepeatKey = None) -> dict[str, Any]:
        _check_text(body.text)
        return once(repeat_key, f"text {body.text}", body.text)

    @app.get("/health")
    async def health() -> dict[str, Any]:
        alive = shell.alive
        return {
            "status": "ok" if alive else "ended",
            "idempotency": True,
            "instance": instance,
            "shell": "alive" if alive else "ended",
            "columns": shell.columns,
            "rows": shell.rows,
            "display": shown.kind,
            "version": __version__,
        }

    def once(repeat_key: str | None, content: str, what: KeySequence | str) -> dict[str, Any]:
        data = content.encode("utf-8", "surrogatepass")
        if typed.is_repeated(repeat_key, data):
            return {"status": "ok", "repeated": True}
        if isinstance(what, str):
            shell.type(what)
        else:
            shell.press(what)
        typed.remember(repeat_key, data)
        shown.follow()
        return {"status": "ok"}

    return app


def _keys(key: str, modifiers: tuple[str, ...]) -> KeySequence:
    try:
        found = key_sequence(key, modifiers)
    except (Refused, UnicodeEncodeError) as error:
        message = error.message if isinstance(error, Refused) else "This is no character."
        raise UnfitRequest(message, error.advice if isinstance(error, Refused) else "") from error
    if len(key) == 1 and not _is_text(key) and key not in "\n\t":
        raise UnfitRequest(f"The character U+{ord(key):04X} is no key.")
    return found


def _check_text(text: str) -> None:
    for place, character in enumerate(text):
        if not _is_text(character):
            raise UnfitRequest(
                f"Character {place + 1} of the text is U+{ord(character):04X}, which is no text.",
                "Send Enter, Tab and the like as keys.",
            )


def _is_text(character: str) -> bool:
    return unicodedata.category(character) not in _NO_TEXT and ord(character) not in _NO_CHARACTERS


async def _unfit_form(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - as FastAPI calls it
    found = error.errors() if isinstance(error, RequestValidationError) else []
    words = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found[:5])
    return JSONResponse({"error": f"This is not understood, and nothing was typed: {words}"[:1_000]}, 422)


async def _of_no_use(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    """No such path or method; 400 is what FastAPI says of a body that is no text."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 400:
        return JSONResponse({"error": "The body is no JSON, and nothing was typed."}, 422)
    return JSONResponse({"error": "There is nothing of that name here."}, status)


async def _unfit(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    message, advice = (error.message, error.advice) if isinstance(error, UnfitRequest) else ("", "")
    return JSONResponse({"error": f"{message} Nothing was typed.", "advice": advice}, 422)


async def _not_typed(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    message, advice = (error.message, error.advice) if isinstance(error, Refused) else ("", "")
    return JSONResponse({"error": message, "advice": advice}, 409)
