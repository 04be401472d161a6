"""A command of the phrase book with the values of its slots put in, quoted for a shell."""

from __future__ import annotations

import posixpath
import re
import shlex
from dataclasses import dataclass

from desktop_agent.llm.shell_goals.phrase_book import TypedCommand

_TEXTS = frozenset(("text", "old", "new", "who", "key", "adj", "column", "where", "is"))
_TEMPLATE = re.compile(r"\{([a-z]+(?:[/>?|:][^{}\"$=;%]*)?)\}")


@dataclass(frozen=True)
class Step:
    """One step: what is typed (`line`), what is asked afterwards (`test`), and another try of both ("" for none).

    `answer`: what the line prints is what the user wants to be told. `plan` and `done` are words for people. `same`
    prints the same as the line once more (`other_same` as the other one) and changes nothing; "" where nothing does. `told`: the user asked to be told what it prints, so that nothing is not enough.
    """

    name: str
    plan: str
    line: str
    test: str
    other: str
    other_test: str
    answer: bool
    done: str
    same: str = ""
    other_same: str = ""
    told: bool = False


@dataclass(frozen=True)
class Known:
    """What later clauses may speak of: the file, `files` that were chosen, a word to be swapped for another, a column, names that copies have, what printed the lines and their number, and which of both was asked for."""

    it: str = ""
    before: str = ""
    number: str = ""
    result: str = ""
    steps: tuple[Step, ...] = ()
    files: str = ""
    swap: tuple[str, str] = ("", "")
    column: str = ""
    copies: tuple[str, ...] = ()
    clause: str = ""


class NotMeant(Exception):
    """A slot does not hold what it is for."""


def step_of(name: str, command: TypedCommand, slots: Slots) -> Step:
    line, other = slots.fill(command.line), slots.fill(command.other)
    if "\n" in line or "\n" in other:
        raise NotMeant
    done = slots.fill(command.done)
    test, other_test = slots.fill(command.test), slots.fill(command.other_test or command.test)
    same = line if command.again else slots.fill(command.same)
    return Step(
        name,
        slots.fill(command.plan),
        line,
        test,
        other,
        other_test,
        command.answer,
        done,
        same,
        other if command.again else same,
    )


@dataclass(frozen=True)
class Slots:
    """The values of a command's slots, put into its templates as the comments in commands.toml say."""

    values: dict[str, list[str]]
    known: Known
    but: tuple[str, ...] = ()

    def fill(self, template: str) -> str:
        """Raises NotMeant for a slot that is missing."""
        return _TEMPLATE.sub(self._filled, template)

    def _filled(self, found: re.Match[str]) -> str:
        asked = found[1]
        if asked == "but:find":
            return "".join(f" ! -name {quoted_text(each)}" for each in self.but)
        if asked == "but:lines":
            return "".join(f" | grep -vxF -- {quoted_text(each)}" for each in self.but)
        if asked in ("before", "number") and asked not in self.values:
            return self.known.before if asked == "before" else self.known.number
        if asked.endswith("?"):
            return f" {quoted(self._of(asked[:-1])[0])}" if asked[:-1] in self.values else ""
        if "|" in asked:
            slot, usual = asked.split("|")
            return quoted(self.values[slot][0]) if slot in self.values else usual
        if "/" in asked:
            folder, name = asked.split("/")
            return quoted(_within(self._of(folder)[0], self._of(name)[0]))
        slot, _, form = asked.partition(":")
        if form.endswith(" "):
            return " && ".join(f"{form}{quoted(each)}" for each in self._each(slot))
        return self._in_form(slot, form)

    def _each(self, slot: str) -> list[str]:
        """The values of `names`, or of `folder>names` in that folder."""
        folder, _, names = slot.rpartition(">")
        made = self._of(names)
        return [_within(self._of(folder)[0], each) for each in made] if folder else made

    def _in_form(self, slot: str, form: str) -> str:
        if form == "each":
            return " ".join(map(quoted, self._each(slot)))
        if form == "there":
            return f"test -d {quoted(self.values[slot][0])} && " if slot in self.values else ""
        values = self._of(slot)
        if slot in ("files", "lines") and not form:
            return values[0]
        match form:
            case "raw":
                return values[0]
            case "name":
                return ", ".join(values)
            case "pattern":
                return f"'*.{values[0]}'"
            case "glob":
                folder = self.values.get("folder", [""])[0]
                return f"{quoted(folder.rstrip('/'))}/*.{values[0]}" if folder else f"*.{values[0]}"
            case "expression":
                return quoted_text(values[0])
            case "bytes":
                return values[0]
            case "echo":
                plain = not re.match(r"-", values[0]) and "\\" not in values[0]
                return (
                    f"echo {quoted_text(values[0])}" if plain else f"printf '%s\\n' {quoted_text(values[0])}"
                )
            case "print":
                return " -print" if "-exec" in values[0] else ""
            case "patterns":
                return _any_of([f"-name {quoted_text(each)}" for each in values])
            case "part" | "begins" | "ends":
                return quoted_text(_name_pattern(form, values[0]))
            case "minutes":
                return values[0]
            case "end":
                return shlex.quote(f"{_plain_pattern(values[0])}[[:space:]]*$")
            case "aside":
                return f" ! -path {quoted_text(_from_here(values[0]))} ! -path {quoted_text(_from_here(values[0]) + '/*')}"
            case "word":
                return shlex.quote(f"s/\\b{_plain_pattern(values[0])}\\b/{_instead(self._of('new')[0])}/g")
            case "keys":
                return " | ".join(f"grep -iwF -- {quoted_text(each)}" for each in values)
            case "low":
                return quoted_text(values[0].casefold())
            case "answers":
                return " ".join(map(quoted_text, values))
            case "program":
                return _program(values[0])
            case "begin":
                return shlex.quote(f"^{_plain_pattern(values[0])}")
            case "sed_delete":
                return shlex.quote(f"/{_plain_pattern(values[0])}/d")
            case "sed":
                return _replacing(values[0], self._of("new")[0])
            case "script":
                return quoted_text(f"echo {quoted_text(values[0])}")
            case "start":
                return quoted(values[0] if "/" in values[0] else f"./{values[0]}")
            case "packing":
                return _packing(values[0])
            case "unpack":
                return _unpacking(values[0])
        return quoted_text(values[0]) if slot in _TEXTS else quoted(values[0])

    def _of(self, slot: str) -> list[str]:
        if slot not in self.values:
            raise NotMeant
        return self.values[slot]


def quoted(name: str) -> str:
    """A file's name as one word of a shell, never taken for an option; a leading ~/ stays the home folder."""
    if name == "~" or name.startswith("~/"):
        rest = name[2:]
        return f"~/{shlex.quote(rest)}" if rest else "~"
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def quoted_text(text: str) -> str:
    """A text as one word of a shell."""
    return shlex.quote(text)


def _within(folder: str, name: str) -> str:
    return f"{folder.rstrip('/') or '/'}/{posixpath.basename(name.rstrip('/'))}"


def _plain_pattern(text: str) -> str:
    """What finds a text as it is in sed."""
    return re.sub(r"([][/.*^$\\])", r"\\\1", text)


def _replacing(old: str, new: str) -> str:
    return shlex.quote(f"s/{_plain_pattern(old)}/{_instead(new)}/g")


def _instead(new: str) -> str:
    return re.sub(r"([/&\\])", r"\\\1", new)


def _any_of(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else rf"\( {' -o '.join(tests)} \)"


def _name_pattern(form: str, text: str) -> str:
    """What finds a text as it is in a name, for `find`."""
    plain = re.sub(r"([][*?\\])", r"\\\1", text)
    return {"part": f"*{plain}*", "begins": f"{plain}*", "ends": f"*{plain}"}[form]


def _from_here(name: str) -> str:
    """A name as `find .` has it."""
    return name if name.startswith(("/", "./", "../", "~")) else f"./{name.rstrip('/')}"


def _program(name: str) -> str:
    """What runs a script that may not be executable."""
    for ending, program in ((".py", "python3"), (".sh", "bash"), (".bash", "bash")):
        if name.casefold().endswith(ending):
            return program
    return "sh"


def _packing(name: str) -> str:
    """How `tar` packs into an archive of this name."""
    for ending, flags in ((".tar", "-cf"), (".bz2", "-cjf"), (".xz", "-cJf")):
        if name.casefold().endswith(ending):
            return flags
    return "-czf"


def _unpacking(name: str) -> str:
    low = name.casefold()
    if low.endswith(".zip"):
        return f"unzip -nq {quoted(name)}"
    if re.search(r"\.(tar(\.\w+)?|tgz|tbz2?|txz)$", low):
        return f"tar -xkf {quoted(name)}"
    if low.endswith(".gz"):
        return f"gunzip -k {quoted(name)}"
    raise NotMeant
