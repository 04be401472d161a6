"""Which commands need somebody at a terminal, and what to do instead."""

from __future__ import annotations

import json
import shlex
from functools import lru_cache
from pathlib import Path

_DATA = Path(__file__).with_name("interactive_programs.json")
_PREFIXES = frozenset(
    (
        "sudo",
        "env",
        "time",
        "exec",
        "nohup",
        "nice",
        "command",
        "builtin",
        "setsid",
        "stdbuf",
        "then",
        "do",
        "else",
        "!",
        "{",
    )
)
_ENDS = frozenset((";", "&", "&&", "||", "|", "|&", "(", ")", "\n", ";;"))
_REDIRECTIONS = ("<", "<<", "<<<", "<<-")


def refusal(command: str) -> str:
    """Why a command cannot be carried out without a terminal, with what to do instead; "" for one that can.

    What a command does in functions, scripts or behind variables is not looked into: such a program finds no terminal, and ends.
    """
    for words, piped in _simple_commands(command):
        program, arguments = Path(words[0]).name, words[1:]
        if hint := _programs()["always"].get(program):
            return f"{program} needs a terminal, which is not here: {hint}"
        hint = _programs()["alone"].get(program)
        if hint and not piped and not any(each for each in arguments if each != "-i"):
            return f"{program} without arguments waits for somebody at a terminal, which is not here: {hint}"
    return ""


@lru_cache(maxsize=1)
def _programs() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return found


def _simple_commands(command: str) -> list[tuple[list[str], bool]]:
    """The words of each simple command, and whether it reads what another one or a file gives it; [] where it cannot be told."""
    lexer = shlex.shlex(
        command.replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars=";&|()<>"
    )
    lexer.commenters = ""
    if "<<" in command:  # what a here-document holds are no commands
        return [_first_of(command)] if _first_of(command)[0] else []
    found: list[tuple[list[str], bool]] = []
    words: list[str] = []
    piped = False
    try:
        for word in [*lexer, ";"]:
            if word in _ENDS:
                if stripped := _without_prefixes(words):
                    found.append((stripped, piped))
                words, piped = [], word in ("|", "|&")
            elif word in _REDIRECTIONS:
                piped = True
            else:
                words.append(word)
    except ValueError:  # quotes that do not close: bash says so itself
        return []
    return found


def _first_of(command: str) -> tuple[list[str], bool]:
    return _without_prefixes(command.split("<<")[0].split()), True


def _without_prefixes(words: list[str]) -> list[str]:
    for number, word in enumerate(words):
        if word not in _PREFIXES and not ("=" in word and word.split("=")[0].isidentifier()):
            return words[number:]
    return []
