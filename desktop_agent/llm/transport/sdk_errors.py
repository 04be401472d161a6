"""Turns what an SDK raises into a Failure.

The openai and anthropic SDKs have the same error classes (APIStatusError, APITimeoutError, …) over
the same transport (httpx2), so one reading serves both.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import logging
import re
import ssl
import time
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from desktop_agent.llm.transport.failures import Failed, Failure, Kind
from desktop_agent.redaction.redactor import redactor

log = logging.getLogger(__name__)

MAX_DETAIL = 300

# Names of errors in a body (`type` or `code`), whatever the HTTP status: streams send them after 200.
# Names that say nothing (server_error, invalid_request_error) are not among them.
# OpenAI: https://platform.openai.com/docs/guides/error-codes
# Anthropic: https://docs.anthropic.com/en/api/errors · llama.cpp: exceed_context_size_error
_BY_NAME: dict[str, Kind] = {
    "invalid_api_key": "key",
    "authentication_error": "key",
    "permission_error": "forbidden",
    "insufficient_quota": "credit",
    "billing_error": "credit",
    "rate_limit_exceeded": "rate",
    "rate_limit_error": "rate",
    "overloaded_error": "overload",
    "model_not_found": "unknown_model",
    "not_found_error": "unknown_model",
    "context_length_exceeded": "context",
    "exceed_context_size_error": "context",
    "request_too_large": "context",
    "string_above_max_length": "context",
    "image_too_large": "image_size",
    "image_file_too_large": "image_size",
    "bio_policy": "refusal",
    "misalignment_policy_violation": "refusal",
    "image_content_policy_violation": "refusal",
    "content_policy_violation": "refusal",
    "content_filter": "refusal",
}

# Words of a message, for servers that name nothing. In this order: the first that fits counts.
_BY_WORDS: tuple[tuple[Kind, str], ...] = (
    ("credit", r"credit balance|exceeded your current quota|insufficient (balance|credit|funds)"),
    ("context", r"context (length|size|window)|maximum context|(prompt|input) is too long"),
    ("context", r"too many (input )?tokens|exceeds? the (maximum|available) number of tokens"),
    ("image_size", r"oversized.image|\bimage\b.{0,80}(exceed|too large|larger than|maximum)"),
    (
        "no_images",
        r"not support(ed)?\b.{0,30}(image|vision|multimodal)|no endpoints found that support image",
    ),
    ("no_images", r"\bimages?\b.{0,30}not supported|not a multimodal model|mmproj"),
    ("no_images", r"unknown (variant|type).{0,10}image_url|content.{0,20}must be a string"),
    ("schema", r"response_format|json.schema|output_config|output_format|text\.format|structured output"),
    ("schema", r"grammar|guided|union types|invalid schema|schema is too"),
)
_BY_STATUS: dict[int, Kind] = {
    401: "key",
    402: "credit",
    403: "forbidden",
    404: "unknown_model",
    408: "overload",
    409: "overload",
    413: "context",
    429: "rate",
}


def failure_of(error: Exception, sdk: ModuleType, secret: str = "") -> Failure | None:
    """The failure behind an exception of `sdk` or its transport; None for any other exception.

    `secret` never appears in the failure's detail.
    """
    import httpx2

    for each in _chain(error):  # an SDK takes what a hook raises for an error of its connection
        if isinstance(each, Failed):
            return each.failure
    if isinstance(error, sdk.APITimeoutError | httpx2.TimeoutException):
        return Failure(_kind_of_timeout(error))
    if isinstance(
        error, sdk.APIConnectionError | httpx2.TransportError | httpx2.StreamError | httpx2.InvalidURL
    ):
        return _of_connection(error)
    if isinstance(error, sdk.APIStatusError):
        return of_response(error.status_code, error.body, error.message, error.response.headers, secret)
    if isinstance(error, sdk.APIResponseValidationError | json.JSONDecodeError | UnicodeDecodeError):
        return Failure("malformed", "it is no JSON of the expected form")
    if isinstance(error, sdk.APIError):
        return of_response(0, error.body, error.message, {}, secret)
    return None


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """Around the code that reads an answer: a field that is missing or of a wrong type is the server's fault."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        log.debug("an answer cannot be read", exc_info=True)
        raise Failed(Failure("malformed", "a field is missing or of another type")) from None


def of_response(
    status: int, body: object, message: str, headers: Mapping[str, str], secret: str = ""
) -> Failure:
    """The failure an error response stands for; `status` 0 for one that came inside a stream."""
    inner = _inner(body)
    said = inner.get("message") if isinstance(inner.get("message"), str) else message
    kind = _kind_of(status, (inner.get("code"), inner.get("type")), str(said))
    # What a server says about a key may quote the key.
    detail = "" if kind in ("key", "forbidden") else clean(str(said), secret)
    return Failure(kind, detail, _retry_after(headers))


def clean(text: str, secret: str = "") -> str:
    """One short line of a server's words without the key, without queries of addresses."""
    if secret:
        text = text.replace(secret, "…")
    text = redactor().clean(text)
    text = re.sub(r"\bsk-[\w*-]{4,}|(?<=Bearer )\S+", "…", text)
    text = re.sub(r"(\w+://)[^\s/@]*@", r"\1", text)
    text = re.sub(r"(\w+://[^\s?'\"]*)\?[^\s'\")]*", r"\1", text)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= MAX_DETAIL else line[: MAX_DETAIL - 1] + "…"


def _inner(body: object) -> Mapping[str, Any]:
    """The `error` object of a body, or the body itself (the openai SDK unwraps it already)."""
    if not isinstance(body, Mapping):
        return {}
    error = body.get("error")
    if isinstance(error, Mapping):
        return error
    return {"message": error} if isinstance(error, str) else body


def _kind_of(status: int, names: tuple[object, ...], said: str) -> Kind:
    for name in names:
        # A not-found error may be about the address, a rate limit about money: the words tell.
        if isinstance(name, str) and name in _BY_NAME:
            return "credit" if _BY_NAME[name] == "rate" and _says(said, "credit") else _BY_NAME[name]
    for kind, words in _BY_WORDS:
        # OpenRouter answers 404 when it has no endpoint for pictures.
        if (status not in (401, 403, 404) or kind == "no_images") and _has(said, words):
            return kind
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return "bad_request" if 400 <= status < 500 or "invalid_request_error" in names else "overload"


def _says(said: str, kind: Kind) -> bool:
    return any(kind == each and _has(said, words) for each, words in _BY_WORDS)


def _has(said: str, words: str) -> bool:
    return re.search(words, said, re.IGNORECASE) is not None


def _kind_of_timeout(error: BaseException) -> Kind:
    names = {type(each).__name__ for each in _chain(error)}
    return "connect_timeout" if names & {"ConnectTimeout", "PoolTimeout"} else "idle_timeout"


def _of_connection(error: BaseException) -> Failure:
    chain = list(_chain(error))
    for each in chain:
        if isinstance(each, ssl.SSLCertVerificationError):
            return Failure("unreachable", f"its certificate is not trusted: {each.verify_message}")
    named = {type(each).__name__ for each in chain}
    reason = next((e.strerror for e in reversed(chain) if isinstance(e, OSError) and e.strerror), "")
    if named & {"ConnectError", "UnsupportedProtocol", "ProxyError", "InvalidURL"}:
        return Failure("unreachable", reason)
    return Failure("broken_off", reason)


def _chain(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or each.__context__


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait: `retry-after-ms`, or `retry-after` as seconds or as a date (RFC 9110, 10.2.3)."""
    try:
        if "retry-after-ms" in headers:
            return _sane(float(headers["retry-after-ms"]) / 1000)
        return _sane(float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return _sane(moment.timestamp() - time.time())


def _sane(seconds: float) -> float | None:
    return seconds if 0 <= seconds < 86_400 else None
