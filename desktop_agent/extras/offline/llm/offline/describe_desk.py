"""Intents about files, texts, terminals and spreadsheets in words."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline import intents_desk as say

_FOLDERS = {"~": "the home folder", "DOWNLOAD": "Downloads", "PUBLICSHARE": "Public"}
_KINDS = {
    "SUM": "sum",
    "AVERAGE": "average",
    "MAX": "largest number",
    "MIN": "smallest number",
    "COUNT": "count",
}


def describe_desk(intent: object) -> str:
    """A step like `Move report.txt to Documents`."""
    match intent:
        case say.OpenFile(name, folder, within):
            return f"Open {name}{_in(folder)}" + (f" with {within}" if within else "")
        case say.Transfer(what, into, folder, copy):
            return f"{'Copy' if copy else 'Move'} {what}{_in(folder)} to {_folder(into)}"
        case say.ListFiles(folder):
            return f"Tell what is in {_folder(folder)}"
        case say.SortFiles(key, descending):
            return f"Sort the files by {key}" + (", the other way round" if descending else "")
        case say.RunCommand(command, tell, into):
            more = (
                ", and tell what it prints"
                if tell
                else f", and keep what it prints in {into}"
                if into
                else ""
            )
            return f"Run {command} in the terminal{more}"
        case say.Rows(rows):
            return f"Enter {len(rows)} rows into a spreadsheet"
        case say.SetCell(cell, text):
            return f"Set cell {cell} to {text}"
        case say.Total(of, cell, function):
            return f"Put the {_KINDS[function]} of {of if ':' in of else f'column {of}'} {f'into {cell}' if cell else 'below it'}"
        case _:
            return _editing(intent)


def _editing(intent: object) -> str:
    match intent:
        case say.WriteAt(text, at, _, result):
            words = "the result" if result else f"“{text}”"
            return f"Add {words} at the {'top' if at == 'start' else 'end'}"
        case say.Replace(old, new):
            return f"Replace “{old}” with “{new}”" if new else f"Delete “{old}” wherever it is"
        case say.DeleteLine(number, holding):
            which = {-1: "the last line", 0: f"the line with “{holding}”"}.get(number, f"line {number}")
            return f"Delete {which}"
        case say.Undo(text):
            return f"Undo “{text}”"
        case say.KeepResult(name, folder, add):
            return f"{'Add the result to' if add else 'Save the result as'} {name}{_in(folder)}"
    raise TypeError(f"no words for {type(intent).__name__}")


def _in(folder: str) -> str:
    return f" in {_folder(folder)}" if folder else ""


def _folder(folder: str) -> str:
    head, slash, rest = folder.partition("/")
    return f"{_FOLDERS.get(head, head.capitalize() if head.isupper() else head)}{slash}{rest}"
