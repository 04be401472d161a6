"""Writes single settings into a TOML file and leaves everything else of it, comments included, as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.support.rights import parts_of


def with_values(text: str, values: Mapping[str, Any]) -> str:
    """The text of a settings file with values set by their dotted names; None takes one out. Raises ConfigError.

    A new setting stands after the commented line that shows its default, else at the end of its table.
    """
    for name, value in values.items():
        text = _without(text, name) if value is None else _with(text, name, value)
    return text


def write_settings(path: Path, text: str) -> None:
    """Replace the settings file, whole or not at all; of a link, the file it leads to. Raises ConfigError."""
    place = path.resolve()
    try:
        private_folder(place.parent) if not place.parent.exists() else None
        write_private(place, text.encode())
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error}.", "Check the rights of that file and its folder."
        ) from error


def _without(text: str, name: str) -> str:
    document = _parse(text)
    table = _table(document, parts_of(name)[:-1])
    if table is not None:
        table.pop(parts_of(name)[-1], None)
    return tomlkit.dumps(document)


def _with(text: str, name: str, value: Any) -> str:
    *above, key = parts_of(name)
    document = _parse(text)
    table = _table(document, above)
    if table is not None and (key in table or not _header(text, above)):
        table[key] = value
        return tomlkit.dumps(document)
    line = f"{tomlkit.key(key).as_string()} = {_as_toml(value)}"
    if table is None or not above:
        header = ".".join(tomlkit.key(each).as_string() for each in above)
        return f"{text.rstrip()}\n\n[{header}]\n{line}\n".lstrip()
    return _inserted(text, above, key, line)


def _as_toml(value: Any) -> str:
    """One line of TOML; tables within a list are inline."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{tomlkit.key(k).as_string()} = {_as_toml(v)}" for k, v in value.items()) + " }"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    return str(tomlkit.item(value).as_string())


def _table(document: AbstractTable | tomlkit.TOMLDocument, above: list[str]) -> Any:
    """The table of that name, None where there is none."""
    table: Any = document
    for part in above:
        table = table.get(part) if isinstance(table, Mapping) else None
    return table


def _header(text: str, above: list[str]) -> re.Match[str] | None:
    """The line that begins a table, `[llm.openai]`."""
    name = r"\s*\.\s*".join(f"[\"']?{re.escape(part)}[\"']?" for part in above)
    return re.search(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][ \t]*(?:#.*)?$", text, re.MULTILINE)


def _inserted(text: str, above: list[str], key: str, line: str) -> str:
    """The text with a line put into a table that has a header and no such key yet."""
    header = _header(text, above)
    if header is None:
        raise ValueError("a table without its header")
    lines = text[header.end() :].split("\n")
    end = _end_of_table(lines)
    shown = re.compile(rf"\s*#\s*{re.escape(key)}\s*=")
    after = next((n for n in range(1, end) if shown.match(lines[n])), None)
    if after is None:
        after = next((n for n in range(end - 1, 0, -1) if _sets(lines[n])), 0)
        after = _end_of_value(lines, after, end)
    lines.insert(after + 1, line)
    return text[: header.end()] + "\n".join(lines)


def _end_of_table(lines: list[str]) -> int:
    """The line of the next table's header, in lines that begin with the rest of a header; their number where there is none."""
    line = 1
    while line < len(lines) and not re.match(r"\s*\[", lines[line]):
        line = 1 + (_end_of_value(lines, line, len(lines)) if _sets(lines[line]) else line)
    return min(line, len(lines))


def _sets(line: str) -> bool:
    return bool(re.match(r"\s*[\w\"'-]+\s*=", line))


def _end_of_value(lines: list[str], first: int, end: int) -> int:
    """The last line of the value that begins in line `first`: the fewest lines that are TOML by themselves."""
    for last in range(first, end):
        try:
            tomlkit.parse("\n".join(lines[first : last + 1]))
        except TOMLKitError:
            continue
        return last
    return end - 1


def _parse(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigError(
            f"The settings file: {error}.", "Mend that line; TOML wants `name = value`."
        ) from error
