"""What can go wrong in a call of a model, and the one clear message for each case."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from desktop_agent.protocol.errors import ContextExceeded, ImagesUnsupported, KeyRefused, ModelError
from desktop_agent.support.language import capitalized

Kind: TypeAlias = Literal[
    "no_key", "key", "forbidden", "credit", "rate", "overload", "unknown_model", "bad_request",
    "schema", "no_images", "image_size", "context", "cut_off", "refusal", "unreachable", "broken_off",
    "connect_timeout", "idle_timeout", "timeout", "malformed", "too_long", "which_model", "unexpected",
    "key_elsewhere", "redirected",
]  # fmt: skip

# Asked again within one reply; the others would fail the same way, or have used up the time.
_AGAIN: frozenset[Kind] = frozenset({"rate", "overload", "broken_off", "idle_timeout", "malformed"})
# Asking again later may help.
_LATER: frozenset[Kind] = _AGAIN | {"timeout", "connect_timeout", "unreachable"}


@dataclass(frozen=True)
class Failure:
    """One failed call. `detail` is what the server said, cleaned; `retry_after` in seconds."""

    kind: Kind
    detail: str = ""
    retry_after: float | None = None

    @property
    def again(self) -> bool:
        """True when the same call may be made again shortly."""
        return self.kind in _AGAIN


class Failed(Exception):
    """Carries a Failure out of a call."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


@dataclass(frozen=True)
class Service:
    """Whom a message is about.

    `table` is the model's table in config.toml, `key_source` where its key was found, `key_name` the
    environment variable and `store_name` the key store's name for it; `timeout` and `idle_timeout` are the limits in seconds.
    """

    provider: str
    model: str
    host: str
    table: str
    key_name: str
    store_name: str
    key_source: str = ""
    timeout: float = 0.0
    idle_timeout: float = 0.0
    max_output_tokens: int = 0
    origin: str = ""


# Kind → what happened, what to do next.
_WORDS: dict[Kind, tuple[str, str]] = {
    "no_key": (
        "There is no key for {provider}.",
        "Set the environment variable {key_name}, or keep it in the system's key store with "
        "`keyring set desktop-agent {store_name}`; the model `offline` works without one.",
    ),
    "key_elsewhere": (
        "The key from {key_source} was not given for {origin}, so it is not sent there.",
        "Start it in a terminal or with the window, where you are asked, or with --send-key {store_name}:{origin}.",
    ),
    "redirected": (
        "{host} passes the request on to another host, which is sent neither the key nor pictures.",
        "Set `base_url` in [{table}] to the address that is meant.",
    ),
    "key": (
        "{provider} did not accept the key from {key_source}.",
        "Check that it is complete, current and meant for {host}.",
    ),
    "forbidden": (
        "{provider} does not let this key use the model {model}.",
        "Use another model or key, or ask the owner of the account for access.",
    ),
    "credit": (
        "The account at {provider} has no credit left.",
        "Add credit or raise the limit there, or choose another model.",
    ),
    "rate": (
        "{provider} is getting too many requests from this account.",
        "Try again {wait}.",
    ),
    "overload": (
        "{provider} is overloaded or has a fault of its own.",
        "Try again {wait}.",
    ),
    "unknown_model": (
        "{provider} knows no model {model} (at {host}).",
        "Set `model` in [{table}] to one it has, and check `base_url` if you set one.",
    ),
    "bad_request": (
        "{provider} refused the request.",
        "Check the options in [{table}].",
    ),
    "schema": (
        "{model} at {provider} cannot be held to the form of a reply.",
        "Choose another model in [{table}].",
    ),
    "no_images": (
        "{model} at {provider} cannot see pictures.",
        "Choose a model that can, or set `images = false` in [{table}] to work from elements as text.",
    ),
    "image_size": (
        "The picture of the screen is too large for {model}.",
        "Set a smaller `image_edge` in [{table}].",
    ),
    "context": (
        "The conversation has become too long for {model}.",
        "Start a new task, or choose a model with a larger context.",
    ),
    "cut_off": (
        "The answer of {model} was cut off after {max_output_tokens} tokens.",
        "Raise `max_output_tokens` in [{table}], or lower `effort`.",
    ),
    "refusal": (
        "{model} declined to answer.",
        "Put the task in other words, or choose another model.",
    ),
    "unreachable": (
        "{host} cannot be reached.",
        "Check the network and `base_url` in [{table}], and that the server is running.",
    ),
    "broken_off": (
        "The connection to {host} broke off.",
        "Check the network, then try again.",
    ),
    "connect_timeout": (
        "{host} could not be connected to in time.",
        "Check the network and `base_url` in [{table}].",
    ),
    "idle_timeout": (
        "{provider} sent nothing for {idle_timeout:g} s.",
        "Try again, or raise `idle_timeout` in [{table}].",
    ),
    "timeout": (
        "{provider} did not finish its answer within {timeout:g} s.",
        "Try again, or raise `timeout` in [{table}].",
    ),
    "malformed": (
        "{host} sent an answer that cannot be read.",
        "Check that `base_url` in [{table}] is the address of a model server.",
    ),
    "too_long": (
        "{model} answered with more text than any reply may have.",
        "Choose another model in [{table}].",
    ),
    "which_model": (
        "{provider} does not have exactly one model.",
        "Set `model` in [{table}] to the one you want.",
    ),
    "unexpected": (
        "Asking {provider} failed in an unexpected way.",
        "Try again; if it happens again, report it with the log.",
    ),
}  # fmt: skip


def error_for(failure: Failure, service: Service) -> ModelError:
    """The error a caller sees. It names no key and no query of an address."""
    kind: Kind = "no_key" if failure.kind == "key" and not service.key_source else failure.kind
    message, advice = (text.format(**_values(failure, service)) for text in _WORDS[kind])
    message = capitalized(message)
    if failure.detail:
        message = f"{message} ({failure.detail})"
    if failure.kind == "no_images":
        return ImagesUnsupported(message, advice)
    if failure.kind == "context":
        return ContextExceeded(message, advice)
    if kind in ("key", "forbidden"):
        return KeyRefused(message, advice)
    return ModelError(message, advice, retryable=failure.kind in _LATER)


def _values(failure: Failure, service: Service) -> dict[str, object]:
    seconds = failure.retry_after
    values = asdict(service)
    values["wait"] = "in a minute" if seconds is None else f"in {max(1, round(seconds))} s"
    return values
