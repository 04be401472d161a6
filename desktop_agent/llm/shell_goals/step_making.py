"""Makes the step of a shell for one command of the phrase book and what a clause says for its slots."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from desktop_agent.llm.shell_goals.chosen_things import Values, chosen
from desktop_agent.llm.shell_goals.clause_setting import ClauseSetting
from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant, Slots, step_of
from desktop_agent.llm.shell_goals.phrase_book import TypedCommand, commands
from desktop_agent.llm.shell_goals.quoted_parts import is_mark
from desktop_agent.llm.shell_goals.value_reading import ValueReader

_INTO_IT = frozenset(("copy_into", "move_into", "copy_ending", "move_ending"))
"""Commands that go into what was spoken of before where the clause names no place."""
_TAKING = frozenset(
    (
        "move",
        "move_into",
        "move_into_new",
        "move_ending",
        "move_ending_new",
        "rename",
        "rename_ending",
        "replace",
        "replace_word",
        "replace_all",
        "delete_lines",
        "delete",
        "lines_deleted",
        "lines_kept",
        "chosen_moved",
        "chosen_moved_new",
        "chosen_deleted",
        "chosen_replaced",
        "chosen_replaced_word",
        "chosen_renamed",
        "chosen_prefixed",
        "chosen_names_replaced",
    )
)
"""Commands after which something is no longer as it was: none of them fits "the original stays"."""
_FREE = frozenset(("text", "items", "command", "who", "named"))
"""Slots that may hold anything."""
_PHRASES = frozenset(("files", "lines"))
_IN_THE_FOLDER = ("name", "names", "named", "to")


@dataclass
class StepMaker:
    """Makes steps in one goal: `reader` reads the values, `setting` is what holds for the clause."""

    reader: ValueReader
    setting: ClauseSetting = field(default_factory=ClauseSetting)

    def made(self, name: str, said: dict[str, str], known: Known, clause: str = "") -> Known | None:
        """What is known after the command `name` too, None where it cannot be meant; `clause` is all that was said."""
        if name.endswith("_each"):
            return self._made_for_each(name.removesuffix("_each"), said, known)
        if name == "pack":
            said = {**said, "to": said["archive"]}
        name = self._variant(name, said, known)
        command = commands()[name]
        if not (self._has_needed(command, known) and self._may_hold(said)):
            return None
        try:
            values = self._values(name, command, said, known, clause)
            slots = Slots(values, known, tuple(self.setting.but))
            step = step_of(name, command, slots)
            self._check_setting(command, values)
            known = replace(known, files=slots.fill(command.files), steps=(*known.steps, step))
            after = _with_result(known, command, slots)
        except NotMeant:
            return None
        if name in _TAKING:
            self.setting.taken.update(values.get("names") or values.get("name") or ["?"])
        return replace(after, copies=(*after.copies, *values["to"])) if name == "copy" else after

    def chosen(self, phrase: str, said: str, known: Known, *, narrow: bool) -> Values:
        """The values of a noun phrase. Raises NotMeant where it has no meaning, or is too wide for what is `narrow`."""

        def value(slot: str, text: str) -> list[str]:
            return self.reader.values(slot, text, known)

        for filters in self.reader.book.phrases[phrase].readings(said):
            try:
                found = chosen(phrase, filters, value, known, self.setting)
            except NotMeant:
                continue
            if narrow and not found.narrow:
                continue
            values = {
                phrase: [found.shell],
                "said": [self.reader.quoted.unquoted(said)],
                "kind": [found.kind],
            }
            if phrase == "files":
                self.setting.without = self.setting.without or bool(self.setting.but)
                return values
            return values | {"name": [found.name]} | ({"rest": [found.rest]} if found.rest else {})
        raise NotMeant

    def _made_for_each(self, name: str, said: dict[str, str], known: Known) -> Known | None:
        """The same in several files, one step for each."""
        try:
            names = self.reader.names(said["names"], known)
        except NotMeant:
            return None
        others = {slot: text for slot, text in said.items() if slot != "names"}
        made: Known | None = known
        for each in names:
            made = made and self.made(name, {**others, "name": self.reader.quoted.added(each)}, made)
        return made

    def _variant(self, name: str, said: dict[str, str], known: Known) -> str:
        """The command of this name for an archive of this kind, for what is known, and for files that are left out."""
        if name in ("pack", "chosen_packed"):
            archive = self.reader.quoted.unquoted(said["to"]).casefold()
            name = f"{name}_zip" if archive.endswith(".zip") else name
        if name.startswith("value_"):
            name = name.replace("value", "number" if known.result == "number" else "lines")
        return f"{name}_but" if self.setting.but and f"{name}_but" in commands() else name

    def _has_needed(self, command: TypedCommand, known: Known) -> bool:
        """Is there what the command needs?"""
        match command.needs:
            case "lines":
                return bool(known.before)
            case "number":
                return bool(known.number)
            case "but":
                return bool(self.setting.but)
        return not command.needs.startswith("result") or command.needs == f"result: {known.result}"

    def _may_hold(self, said: dict[str, str]) -> bool:
        """May the slots hold what was said?"""
        return not self.setting.no_texts or all(is_mark(text) for slot, text in said.items() if slot in _FREE)

    def _values(
        self, name: str, command: TypedCommand, said: dict[str, str], known: Known, clause: str
    ) -> Values:
        """The values of all slots, also of those that need not be said. Raises NotMeant."""
        values = {
            slot: self.reader.values(slot, text, known) for slot, text in said.items() if slot not in _PHRASES
        }
        for phrase in _PHRASES & said.keys():
            values |= self.chosen(phrase, said[phrase], known, narrow=command.narrow)
        if "nth" in values and "{column" in command.line:
            values.setdefault("column", values["nth"])
        if self.setting.file and "{name" in command.line:
            values.setdefault("name", [self.setting.file])
        self.reader.check_texts(name, said, clause)
        values = self._placed(name, values)
        if "to" not in values and name.removesuffix("_but") in _INTO_IT and known.it:
            values["to"] = [known.it]
        if "pronoun" in values:
            values["name"] = values["pronoun"]
        if name == "sum_told":
            if not known.column or not known.it:
                raise NotMeant
            values = {"column": [known.column], "name": [known.it]}
        if "who" in values:
            values["key"] = [self.reader.key_of(values["who"][0])]
        return values

    def _placed(self, name: str, values: Values) -> Values:
        """The values with names that lie in the folder of the clause."""
        folder = self.setting.folder
        if folder:
            placed = {
                slot: _in_folder(folder, each) for slot, each in values.items() if slot in _IN_THE_FOLDER
            }
            return {"folder": [folder]} | values | placed
        if name == "write" and "folder" in values:
            return values | {"to": [f"{values['folder'][0].rstrip('/')}/{values['to'][0]}"]}
        return values

    def _check_setting(self, command: TypedCommand, values: Values) -> None:
        """Raises NotMeant for a command that is not about the folder of its clause; notes whether it leaves files out."""
        if self.setting.folder and not _is_placed(command, values):
            raise NotMeant
        if any("{but" in each for each in (command.line, command.lines, command.number)):
            self.setting.without = True


def _in_folder(folder: str, names: list[str]) -> list[str]:
    return [f"{folder.rstrip('/')}/{each}" if each[0] not in "/~" else each for each in names]


def _is_placed(command: TypedCommand, values: Values) -> bool:
    """Is the command about the folder of its clause?"""
    named = any(each in values for each in (*_IN_THE_FOLDER, "files"))
    return named or "{folder" in command.line or ":glob}" in command.line


def _with_result(known: Known, command: TypedCommand, slots: Slots) -> Known:
    """What later clauses may speak of after the command. Raises NotMeant."""
    lines, number = slots.fill(command.lines), slots.fill(command.number)
    it = slots.values.get(command.it, [""])[0] or known.it
    if lines and not number:
        number = f"{lines} | wc -l"
    if command.answer and command.needs not in ("number", "lines"):  # "them" is what was asked for last
        result = "number" if command.number else "lines" if lines else ""
        return replace(known, it=it, before=lines, number=number, result=result)
    if command.lines:
        known = replace(known, before=lines, number=number)
    return replace(known, it=it, result="")
