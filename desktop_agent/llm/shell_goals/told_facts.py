"""Takes down a fact that a goal tells, such as what is wrong and how it is right, and does it where that is asked for."""

from __future__ import annotations

from dataclasses import replace

from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant
from desktop_agent.llm.shell_goals.step_making import StepMaker


def known_after_fact(name: str, said: dict[str, str], known: Known, maker: StepMaker) -> Known | None:
    """What is known after the fact `name`, or after what was told is done somewhere; None where it cannot be meant."""
    reader = maker.reader
    if "subject" in said and reader.book.acts(said["subject"]):
        return None
    try:
        match name:
            case "apply":
                return _with_swap_done(said, known, maker)
            case "column":
                return replace(known, column=reader.value("nth", said["nth"], known))
            case "swap":
                old, new = (reader.value("names", said[each], known) for each in ("old", "new"))
                it = reader.value("name", said["name"], known) if "name" in said else known.it
                return replace(known, swap=(old, new), it=it)
            case "files":
                return _with_files(said, known, maker)
        return replace(known, it=reader.value("name", said["name"], known))
    except NotMeant:
        return None


def _with_files(said: dict[str, str], known: Known, maker: StepMaker) -> Known:
    """There are files: "them" are those. Raises NotMeant."""
    folder = maker.reader.value("folder", said["folder"], known) if "folder" in said else maker.setting.folder
    with maker.setting.in_folder(folder):
        found = maker.chosen("files", said["files"], known, narrow=True)
    return replace(known, files=found["files"][0])


def _with_swap_done(said: dict[str, str], known: Known, maker: StepMaker) -> Known | None:
    """ "Correct it in a.txt" after it was told what is wrong."""
    names = maker.reader.names(said["names"], known) if "names" in said else [known.it]
    if not known.swap[0] or not all(names):
        return None
    made: Known | None = known
    for each in names:
        old, new, name = map(maker.reader.quoted.added, (*known.swap, each))
        made = made and maker.made("replace_word", {"old": old, "new": new, "name": name}, made)
    return made
