"""Instructions about files, texts, terminals, spreadsheets and pages by address: three ways of saying each."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.intents import (
    Choose,
    Click,
    Compute,
    CreateFolder,
    Delete,
    Fill,
    GoTo,
    Intent,
    Open,
    Press,
    Read,
    Rename,
    Save,
    Search,
    Submit,
    TypeText,
    Window,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    DeleteLine,
    ListFiles,
    OpenFile,
    Replace,
    Rows,
    RunCommand,
    SetCell,
    SortFiles,
    Total,
    Transfer,
    Undo,
    WriteAt,
)
from tests.extras.offline.things import P

_RESULT = TypeText("", result=True)


def _kept(name: str, folder: str = "") -> tuple[Intent, ...]:
    return (Open("text editor"), _RESULT, Save(name, folder))


TABLE: tuple[tuple[str, tuple[Intent, ...]], ...] = (
    # a file by its name
    ("open shopping.txt from my Documents", (OpenFile("shopping.txt", "DOCUMENTS"),)),
    ("please open the file 'to do.txt' in the Work folder", (OpenFile("to do.txt", "Work"),)),
    ("load sales.csv in LibreOffice Calc", (OpenFile("sales.csv", "", "LibreOffice Calc"),)),
    ("open notes.txt which is in the Old folder inside Documents", (OpenFile("notes.txt", "DOCUMENTS/Old"),)),
    # words added to it
    ("add a line with eggs at the end", (WriteAt("eggs"),)),
    ("append 'see you' to the document", (WriteAt("see you"),)),
    ("at the bottom of the file, write Kind regards", (WriteAt("Kind regards"),)),
    ("add bananas to shopping.txt in Documents", (OpenFile("shopping.txt", "DOCUMENTS"), WriteAt("bananas"), Save())),
    ("put My list at the top of the file", (WriteAt("My list", "start"),)),
    # words replaced
    ("replace every Smith with Jones", (Replace("Smith", "Jones"),)),
    ("in readme.txt, please substitute foo by bar everywhere", (OpenFile("readme.txt"), Replace("foo", "bar"))),
    ("change all occurrences of colour to color in essay.txt", (OpenFile("essay.txt"), Replace("colour", "color"))),
    ('find "Mr Smith" and replace it with "Mrs Jones"', (Replace("Mr Smith", "Mrs Jones"),)),
    # lines deleted
    ("delete the last line of list.txt", (OpenFile("list.txt"), DeleteLine(-1))),
    ("remove line 2", (DeleteLine(2),)),
    ("take out the line with bread", (DeleteLine(holding="bread"),)),
    # closing
    ("close the window without saving", (Window("close", unsaved="discard"),)),
    ("quit and don't save the changes", (Window("close", unsaved="discard"),)),
    ("close the editor and save the changes", (Window("close", "editor", "application", "save"),)),
    # renaming, moving, copying, throwing away
    ("rename the file draft.txt in Documents to final.txt", (Rename("draft.txt", "final.txt", "DOCUMENTS"),)),
    ("change the name of a.txt in Downloads to b.txt", (Rename("a.txt", "b.txt", "DOWNLOAD"),)),
    ("give the folder Old in Documents the name Archive", (Rename("Old", "Archive", "DOCUMENTS"),)),
    ("move report.txt from Downloads to Documents", (Transfer("report.txt", "DOCUMENTS", "DOWNLOAD"),)),
    ("copy budget.csv from Documents to the Desktop", (Transfer("budget.csv", "DESKTOP", "DOCUMENTS", True),)),
    ("put a copy of cv.txt from Documents into Downloads", (Transfer("cv.txt", "DOWNLOAD", "DOCUMENTS", True),)),
    ("put old.txt from my Downloads folder into the trash", (Delete(P("old.txt", quoted=True), "DOWNLOAD"),)),
    ("throw away the file junk.txt that is in Downloads", (Delete(P("junk.txt", quoted=True), "DOWNLOAD"),)),
    ("delete notes.txt from the Documents folder", (Delete(P("notes.txt", quoted=True), "DOCUMENTS"),)),
    # folders
    ("I need a new folder on the desktop, call it Taxes", (CreateFolder("Taxes", "DESKTOP"),)),
    ("in Documents make a folder named Work and in it a folder Reports", (CreateFolder("Work", "DOCUMENTS"), CreateFolder("Reports", "DOCUMENTS/Work"))),
    ("open my Documents folder and sort the files by date", (GoTo("DOCUMENTS"), SortFiles("date"))),
    ("show me the Downloads folder sorted by size", (GoTo("DOWNLOAD"), SortFiles("size"))),
    ("arrange the files by name", (SortFiles("name"),)),
    ("list the files in Documents", (ListFiles("DOCUMENTS"),)),
    ("what files are in my Downloads folder?", (ListFiles("DOWNLOAD"),)),
    # commands
    ("open a terminal, run wc -l poem.txt and tell me what it prints", (Open("terminal"), RunCommand("wc -l poem.txt", True))),
    ("use the terminal to run ls -a and tell me the output", (RunCommand("ls -a", True),)),
    ("what does the command 'hostname' print?", (RunCommand("hostname", True),)),
    ("run df -h in the terminal and write its output into disk.txt in Documents", (RunCommand("df -h", False, "disk.txt", "DOCUMENTS"),)),
    ("in a terminal, list the files in Documents and store the output in list.txt", (RunCommand("ls ~/Documents", False, "list.txt"),)),
    ("in the terminal type date and press Enter", (RunCommand("date"),)),
    # results kept
    ("work out 12 plus 30 and put it into sum.txt", (Compute("12+30"), *_kept("sum.txt"))),
    ("write Hello and save it as hello.txt", (TypeText("Hello"), Save("hello.txt"))),
    ("look up the price of the kettle on example.org/shop and write it into price.txt in my home folder", (GoTo("example.org/shop"), Read(P("price of the kettle")), *_kept("price.txt", "~"))),
    ("copy the opening hours from example.org/museum into a text file named hours.txt", (GoTo("example.org/museum"), Read(P("opening hours")), *_kept("hours.txt"))),
    ("follow the link to the museum and copy its address into a new text file called museum.txt", (Click(P("museum", "link")), Read(P("address")), *_kept("museum.txt"))),
    # pages
    ("on example.org/booking choose 14 March 2027 as the arrival date, half board and sauna", (GoTo("example.org/booking"), Fill(P("arrival"), "14 March 2027"), Choose(P("half board")), Choose(P("sauna")))),
    ("tell me how much the blender costs", (Read(P("price of the blender")),)),
    ("log in at example.org/login with username tom and password secret9", (GoTo("example.org/login"), Fill(P("username"), "tom"), Fill(P("password"), "secret9"), Submit())),
    ("search for kettle on the page example.org/shop", (GoTo("example.org/shop"), Search("kettle"))),
    ("enter Bob as the name and bob@x.org as the email address", (Fill(P("name"), "Bob"), Fill(P("email address"), "bob@x.org"))),
    ("book it", (Click(P("book", "button")),)),
    # spreadsheets
    ("make a spreadsheet with the columns Name and Age and the rows Ada, 36 and Grace, 45", (Rows((("Name", "Age"), ("Ada", "36"), ("Grace", "45"))),)),
    ("open a new spreadsheet, enter Item and Price in row 1, and Tea and 3.50 in row 2", (Open("spreadsheet"), Rows((("Item", "Price"), ("Tea", "3.50")), new=False))),
    ("create a table with columns Country, Capital and rows France, Paris; Italy, Rome", (Rows((("Country", "Capital"), ("France", "Paris"), ("Italy", "Rome"))),)),
    ("change cell B3 to 12", (SetCell("B3", "12"),)),
    ("in cell c3 enter the word paid", (SetCell("C3", "paid"),)),
    ("put the sum of column B into cell B5", (Total("B", "B5"),)),
    ("calculate the average of B2 to B6 in cell B8", (Total("B2:B6", "B8", "AVERAGE"),)),
    ("add up column C and put the result into C10", (Total("C", "C10"),)),
    ("write the total of column B below the last value", (Total("B"),)),
    ("undo that", (Press(("ctrl", "z")),)),
    ('type "some words" and undo it', (TypeText("some words"), Undo("some words"))),
)  # fmt: skip
