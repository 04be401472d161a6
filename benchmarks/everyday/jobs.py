"""The everyday jobs, in the words of people who want something done and do not know our grammar."""

from __future__ import annotations

import csv
import io

from benchmarks.everyday.job import Job, Outcome

LETTER = "Dear Mr Smith,\n\nthank you for the parcel, Mr Smith. It came on Friday.\n\nYours, Ada Smith\n"


def rows(outcome: Outcome, name: str) -> list[list[str]]:
    """The rows of a file of comma-separated values."""
    return list(csv.reader(io.StringIO(outcome.text(name))))


def _number(text: str) -> float | None:
    try:
        return float(text.strip())
    except ValueError:
        return None


EDITOR = (
    Job(
        "mousepad",
        "Write a note that says Dentist on Tuesday at 4 pm and save it as dentist.txt in my Documents folder.",
        lambda o: o.text("Documents/dentist.txt") == "Dentist on Tuesday at 4 pm",
    ),
    Job(
        "mousepad",
        "Open shopping.txt from my Documents, add a line with eggs at the end and save it.",
        lambda o: o.text("Documents/shopping.txt") == "milk\nbread\neggs",
        {"Documents/shopping.txt": "milk\nbread\n"},
    ),
    Job(
        "mousepad",
        "In the file letter.txt in my home folder, replace every Smith with Jones and save the file.",
        lambda o: o.text("letter.txt") == LETTER.replace("Smith", "Jones").rstrip("\n"),
        {"letter.txt": LETTER},
    ),
    Job(
        "mousepad",
        "Open diary.txt, type nonsense at the top, then close the window without saving.",
        lambda o: o.text("diary.txt") == "Monday: rain" and not o.open("diary.txt"),
        {"diary.txt": "Monday: rain\n"},
    ),
)

SUMS = (
    Job(
        "galculator",
        "What is 18 percent of 250? Please use the calculator.",
        lambda o: "45" in o.shown and "45" in o.told,
    ),
    Job(
        "galculator",
        "Add up 12.50, 7.25 and 30 with the calculator and write the result into total.txt in Documents.",
        lambda o: _number(o.text("Documents/total.txt")) == 49.75,
    ),
)

FILES = (
    Job(
        "pcmanfm",
        "Make a new folder named Invoices 2027 inside Documents.",
        lambda o: (o.home / "Documents" / "Invoices 2027").is_dir(),
    ),
    Job(
        "pcmanfm",
        "Rename the file draft.txt in Documents to final.txt.",
        lambda o: o.text("Documents/final.txt") == "A draft" and not o.has("Documents/draft.txt"),
        {"Documents/draft.txt": "A draft\n", "Documents/other.txt": "Another\n"},
    ),
    Job(
        "pcmanfm",
        "Put old.txt from my Downloads folder into the trash.",
        lambda o: o.has(".local/share/Trash/files/old.txt") and o.has("Downloads/new.txt"),
        {"Downloads/old.txt": "old\n", "Downloads/new.txt": "new\n"},
    ),
    Job(
        "pcmanfm",
        "Move report.txt from Downloads to Documents.",
        lambda o: o.text("Documents/report.txt") == "All is well" and not o.has("Downloads/report.txt"),
        {"Downloads/report.txt": "All is well\n", "Downloads/music.txt": "la\n"},
    ),
)

TERMINAL = (
    Job(
        "xterm",
        "Open a terminal, run wc -l poem.txt and tell me what it prints.",
        lambda o: "37 poem.txt" in " ".join(o.told.split()),
        {"poem.txt": "A line\n" * 37},
    ),
    Job(
        "xterm",
        "Run the command ls Pictures in a terminal and save its output to pictures.txt in my home folder.",
        lambda o: o.text("pictures.txt").split() == ["cat.png", "dog.png"],
        {"Pictures/cat.png": "", "Pictures/dog.png": ""},
    ),
)

WEB = (
    Job(
        "chromium",
        "Go to {site}/contact and fill in the form: name Maria Lopez, e-mail maria@example.org, topic Support. "
        "Tick the newsletter box and send it.",
        lambda o: (
            o.site.sent("/thanks")
            == [
                {"name": "Maria Lopez", "email": "maria@example.org", "topic": "Support", "newsletter": "yes"}
            ]
        ),
    ),
    Job(
        "chromium",
        "Look up the price of the kettle on {site}/shop and write it into price.txt in my home folder.",
        lambda o: o.text("price.txt") == "31.50",
    ),
    Job(
        "chromium",
        "Open {site}/login and sign in as anna with the password tulip-42.",
        lambda o: o.site.sent("/welcome") == [{"user": "anna", "password": "tulip-42"}],
    ),
    Job(
        "chromium",
        "On {site}/booking choose 14 March 2027 as the arrival date, half board, parking and sauna, then book it.",
        lambda o: (
            o.site.sent("/booked") == [{"arrival": "2027-03-14", "board": "half", "extra": "parking, sauna"}]
        ),
    ),
    Job(
        "chromium",
        "Go to {site}/town, follow the link to the museum, and copy its address into a new text file called museum.txt.",
        lambda o: o.text("museum.txt") == "12 Harbour Street, Old Town",
    ),
)

SHEETS = (
    Job(
        "soffice",
        "Make a spreadsheet with the columns Name and Age and the rows Ada, 36 and Grace, 45. "
        "Save it as people.csv in Documents.",
        lambda o: rows(o, "Documents/people.csv") == [["Name", "Age"], ["Ada", "36"], ["Grace", "45"]],
    ),
    Job(
        "soffice",
        "Open sales.csv in LibreOffice Calc, put the sum of column B into cell B5 and save the file.",
        lambda o: [row[:2] for row in rows(o, "sales.csv")][4:] in ([["", "60"]],)
        and rows(o, "sales.csv")[3] == ["March", "30"],
        {"sales.csv": "Month,Sales\nJanuary,10\nFebruary,20\nMarch,30\n"},
    ),
    Job(
        "soffice",
        "In stock.csv in my Documents folder, change cell B3 to 12 and save it.",
        lambda o: rows(o, "Documents/stock.csv") == [["Article", "Pieces"], ["Cups", "4"], ["Plates", "12"]],
        {"Documents/stock.csv": "Article,Pieces\nCups,4\nPlates,9\n"},
    ),
)  # fmt: skip

JOBS = (*EDITOR, *SUMS, *FILES, *TERMINAL, *WEB, *SHEETS)
QUICK = (EDITOR[0], FILES[0], WEB[0])
