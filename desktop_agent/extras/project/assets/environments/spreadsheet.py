"""A spreadsheet: open FILE.xlsx, read A1:C5, set A1 VALUE, add VALUES (a row a line, with commas). All is saved at once.

Charts and pictures that the file holds are lost then."""

import csv
import re
from pathlib import Path

NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?")
file = [Path("table.xlsx")]


def run(command):
    try:
        import openpyxl
    except ImportError:
        raise ValueError("openpyxl is not installed here: pip install --target env openpyxl") from None
    word, rest = [*command.split(None, 1), "", ""][:2]
    if word == "open" and Path.cwd() in Path(rest).resolve().parents:
        file[0] = Path(rest)
    elif word not in ("read", "set", "add"):
        raise ValueError("Say open FILE (in the project), read A1:C5, set A1 VALUE or add VALUES.")
    book = openpyxl.load_workbook(file[0]) if file[0].exists() else openpyxl.Workbook()
    sheet, (cell, _, value) = book.active, rest.partition(" ")
    if word == "read":  # no further than what is used
        left, top, right, bottom = openpyxl.utils.range_boundaries(rest)
        found = sheet.iter_rows(top, min(bottom, sheet.max_row), left, min(right, sheet.max_column), True)
        rows = (" | ".join("" if each is None else str(each) for each in row) for row in found)
        return "\n".join([f"sheet {sheet.title}, used: {sheet.dimensions}", *rows])
    for row in csv.reader(rest.splitlines() if word == "add" else ()):
        sheet.append([float(each) if NUMBER.fullmatch(each) else each for each in row])
    if word == "set":
        sheet[cell] = float(value) if NUMBER.fullmatch(value) else value
    if word != "open":
        book.save(file[0])
    return ""


def screen():
    return f"{file[0]}\n{run('read A1:J30')}"
