"""What each model can do and what it costs, by provider and name: the table assets/models/models.toml."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import resources

ComputerTool: TypeAlias = Literal["", "computer", "computer_toolset_20260801", "computer_20251124"]
"""A provider's own computer tool by the name of its type; "" for none."""

Rate: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]
Tokens: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, pattern=r"^\S(.*\S)?$")]
Date: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^20\d\d-\d\d-\d\d$")]

_DATED = re.compile(r"-20\d\d-?\d\d-?\d\d$")


class Rates(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dollars for a million tokens; None where that is not known.

    `cached` is for what is read from the provider's cache, `write` and `write_long` for what is written into it to
    be kept a short or a long time.
    """

    input: Rate | None = None
    cached: Rate | None = None
    write: Rate | None = None
    write_long: Rate | None = None
    output: Rate | None = None


class LongRates(Rates, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rates for the whole of a request with more than `above` tokens of input."""

    above: Tokens


class Price(Rates, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """List prices as they stood on `date` in `source`."""

    long: LongRates | None = None
    date: Date = ""
    source: str = ""


class ModelFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of a model; None where it is not.

    `cache`: its provider caches the beginning of a prompt, from `cache_from` tokens on. `context` and `max_output`
    are in tokens. `source` says where that is written.
    """

    images: bool | None = None
    computer_tool: ComputerTool | None = None
    strict_schema: bool | None = None
    cache: bool | None = None
    cache_from: Tokens | None = None
    context: Tokens | None = None
    max_output: Tokens | None = None
    price: Price | None = None
    source: str = ""


class CatalogEntry(ModelFacts, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The facts of all models whose names fit one of the patterns."""

    names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]


class TokenCount(msgspec.Struct, frozen=True):
    """Tokens of one call: `cached`, `written` and `written_long` are parts of `input`."""

    input: int = 0
    cached: int = 0
    written: int = 0
    written_long: int = 0
    output: int = 0


def facts_of(provider: str, model: str) -> ModelFacts:
    """What is known of the model; of an unknown name what holds for its provider, of an unknown provider nothing.

    Raises ConfigError when the table is damaged.
    """
    names = (model, _DATED.sub("", model))
    for entry in catalog().get(provider, ()):
        if any(fnmatchcase(name, pattern) for name in names for pattern in entry.names):
            return entry
    return ModelFacts()


def dollars_for(price: Price | None, count: TokenCount) -> float | None:
    """What a call costs in dollars; None when a rate that it needs is not known."""
    if price is None:
        return None
    rates: Rates = price.long if price.long is not None and count.input > price.long.above else price
    fresh = max(0, count.input - count.cached - count.written - count.written_long)
    parts = (
        (fresh, rates.input),
        (count.cached, rates.cached),
        (count.written, rates.write),
        (count.written_long, rates.write_long),
        (count.output, rates.output),
    )
    total = 0.0
    for tokens, rate in parts:
        if tokens and rate is None:
            return None
        total += tokens * (rate or 0.0)
    return total / 1_000_000


@cache
def catalog() -> dict[str, tuple[CatalogEntry, ...]]:
    """The entries of every provider, the first that fits first. Raises ConfigError when the table is damaged."""
    return read_catalog(resources.path("models", "models.toml"))


def read_catalog(path: Path) -> dict[str, tuple[CatalogEntry, ...]]:
    """The table in a file. Raises ConfigError for anything that is not as the types say."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        table = msgspec.convert(data, dict[str, tuple[CatalogEntry, ...]], strict=True)
    except OSError as error:
        raise _unusable(path, f"it cannot be read ({error.strerror})") from error
    except ValueError as error:  # not UTF-8, not TOML, or not as the types say
        raise _unusable(path, str(error)) from error
    for provider, entries in table.items():
        if shadowed := _shadowed(entries):
            raise _unusable(path, f"{provider}: the name {shadowed!r} is never reached")
        for price in (entry.price for entry in entries if entry.price is not None):
            if not price.date or not price.source:
                raise _unusable(path, f"{provider}: a price has no date or no source")
    return table


def _shadowed(entries: tuple[CatalogEntry, ...]) -> str:
    """A pattern that an earlier one covers; "" when there is none."""
    earlier: list[str] = []
    for entry in entries:
        for pattern in entry.names:
            if any(fnmatchcase(pattern, before) for before in earlier):
                return pattern
            earlier.append(pattern)
    return ""


def _unusable(path: Path, words: str) -> ConfigError:
    return ConfigError(
        f"The table of models {path} cannot be used: {words}.", "Correct that entry, or get the file again."
    )
