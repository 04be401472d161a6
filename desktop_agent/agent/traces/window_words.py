"""Tells which windows a user's words name, and whether they are about windows at all."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import msgspec

from desktop_agent.platforms.base import StandingWindow
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import resources

SHORTEST = 3
_WORD = re.compile(rf"[^\W_]{{{SHORTEST},}}")


class WindowWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`assets/traces/window_words.toml`."""

    about_windows: tuple[str, ...]
    in_titles: tuple[str, ...]


@cache
def window_words() -> WindowWords:
    """The word lists. Raises ConfigError when the file is not whole."""
    try:
        return msgspec.convert(tomllib.loads(resources.text("traces", "window_words.toml")), WindowWords)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"window_words.toml: {error}", "Install the program again.") from error


def about_windows(text: str) -> bool:
    """Is a text about windows themselves, as in "minimise it"?"""
    return any(word.startswith(window_words().about_windows) for word in _words(text))


def named(window: StandingWindow, text: str) -> bool:
    """Does a text name a window, by a word of its title or its application?"""
    own = _words(f"{window.title} {window.application}") - set(window_words().in_titles)
    return any(_alike(word, each) for word in _words(text) for each in own)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _alike(one: str, other: str) -> bool:
    """The same word, or one begins with the other ("note" and "notes")."""
    return one.startswith(other) or other.startswith(one)
