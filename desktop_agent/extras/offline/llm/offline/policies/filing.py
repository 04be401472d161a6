"""Files by name: opening them, and moving, copying and sorting them in a file manager."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from desktop_agent.extras.offline.llm.offline.files_said import folder_of
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.intents_desk import ListFiles, OpenFile, SortFiles, Transfer
from desktop_agent.extras.offline.llm.offline.likeness import likeness, read_name
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies.locate import locate
from desktop_agent.extras.offline.llm.offline.policies.opening import DOUBLE, bring_up, need
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.support import paths
from desktop_agent.vision.observation import Element

_USUAL = ("~", "DOCUMENTS", "DESKTOP", "DOWNLOAD")
_LOOKS = 13
_ABSENT = re.compile(r"no file or folder", re.I)
_CONFLICT = re.compile(
    r"already exists|exists already|same name|overwrite|replace|not permitted|error|cannot", re.I
)
_CUT, _COPY, _PASTE = ops.KeyCombo(("ctrl", "x")), ops.KeyCombo(("ctrl", "c")), ops.KeyCombo(("ctrl", "v"))
_SIGNS = frozenset(("warning", "information", "error", "question"))
_ORDERS = {
    "name": r"(?:by )?name", "size": r"(?:by )?size|largest.*|biggest.*", "type": r"(?:by )?(?:file )?type|kind",
    "date": r"(?:by )?(?:modification |modified )?(?:time|date)|(?:last )?modified|date modified",
}  # fmt: skip


# ---- opening -------------------------------------------------------------------------------------


def open_file(intent: OpenFile, scene: Scene) -> Move:
    """Reached when a window with the file's name is in front.

    One of no known folder is opened where it is shown, else tried where files usually are.
    """
    if names_it(intent.name, scene.look.window) and (scene.deeds or not intent.folder):
        if not intent.within or scene.sight.shows(intent.within):
            return Reached(f"“{intent.name}” is open.")
        return scene.wait(3) or Question(
            f"“{intent.name}” is open in “{scene.look.window}”, and not in {intent.within}. What shall I do?"
        )
    if scene.done(ops.Open) or _opened(intent.name, scene):
        asked = "" if scene.sight.dialog is None else scene.sight.dialog.name
        if asked and scene.patience:
            return Question(f"I opened “{intent.name}”, and “{asked}” has come up. What shall I do there?")
        return scene.wait(_LOOKS) or Question(
            f"I opened “{intent.name}”, but no window with that name has come up. What shall I do?"
        )
    shown = None if intent.folder or scene.deeds else _open_item(intent.name, scene)
    if shown is not None:
        return shown
    said = folder_of(scene.answer, Masked(scene.answer), sure=True) if scene.answer else ""
    folders = (said,) if said else (intent.folder,) if intent.folder else _USUAL
    tried = {d.op.target for d in scene.deeds if isinstance(d.op, ops.Open)}
    refused = scene.refused(ops.Open)
    if refused is not None and not _ABSENT.search(refused.detail):
        return Question(f"I could not open “{intent.name}”: {refused.detail} What shall I do?")
    for folder in folders:
        path = scene.path(folder, intent.name)
        if path not in tried:
            return Act((ops.Open(path),), "" if tried else f"I open “{intent.name}”.")
    return Question(f"I find no “{intent.name}” {_where(folders)}. In which folder is it?")


def names_it(name: str, title: str) -> bool:
    """Has a window's title the file's name, with or without its suffix?"""
    stem = PurePosixPath(name).stem
    return re.search(rf"(?<![\w-]){re.escape(name)}(?!\w|\.\w)", title, re.I) is not None or (
        len(stem) > 2 and re.match(rf"\W*{re.escape(stem)}(?:\s+[-–—]|$)", title, re.I) is not None
    )


def _where(folders: tuple[str, ...]) -> str:
    if len(folders) > 1:
        return "in the home folder, in Documents, on the desktop or in Downloads"
    return f"in {folders[0].capitalize() if folders[0].isupper() else folders[0]}"


# ---- in the file manager -------------------------------------------------------------------------


def shows_folder(folder: str, scene: Scene) -> Move | None:
    """The file manager in front with this folder ("" for whichever it shows, or the home folder); None when it is so.

    A bare name is that of a folder among those that are shown, else of one in the home folder.
    """
    if not folder:
        return None if scene.sight.sort == "files" else bring_up(scene.path("~"), scene)
    if scene.sight.sort == "files" and _shows(folder, scene):
        return None
    if _opened(folder, scene):
        return scene.wait(_LOOKS) or Question(
            f"I opened “{folder}”, but I see “{scene.look.window}”. What shall I do?"
        )
    going = (_open_item(folder, scene) if _is_bare(folder) else None) or bring_up(scene.path(folder), scene)
    if going is None and location(scene):  # a window of that name, but of another folder
        return scene.wait(3)
    return going


def _shows(folder: str, scene: Scene) -> bool:
    """Is this the folder in front, by its path or, where no path is shown, by the window's title?"""
    path, shown = scene.path(folder), location(scene)
    if shown and not _is_bare(folder):
        return shown == path
    return likeness(_last(path), _last(shown) if shown else scene.look.window) >= 95


def _is_bare(folder: str) -> bool:
    """Is it a mere name, and no path and none of the folders that every desktop has?"""
    return "/" not in folder and folder != "~" and folder not in paths.USUAL


def _open_item(name: str, scene: Scene) -> Act | None:
    """Open the file or folder of that name in the folder that is shown; None where it shows none.

    Behind a click on another item it is clicked and Enter pressed: PCManFM takes a double click then for one on the other.
    """
    if scene.sight.sort != "files":
        return None
    named = Phrase(name, quoted=True, spoken=name)
    found = resolve(named, scene.sight, allow=lambda e: e.role in DOUBLE and scene.sight.in_front(e)).element
    if found is None:
        return None
    scene.memo["opened"] = name
    one_click = (scene.click(found), ops.KeyCombo(("enter",)))
    return Act(one_click if scene.clicks() else (scene.click(found, count=2),), f"I open “{found.name}”.")


def _opened(name: str, scene: Scene) -> bool:
    return scene.memo.get("opened") == name


def location(scene: Scene) -> str:
    """The path in the file manager's location bar, "" when it has none."""
    found = [e.value for e in scene.sight.editable if e.value.startswith("/")]
    return found[0].rstrip("/") if found else ""


def _last(path: str) -> str:
    return Path(path).name or path


def is_item(element: Element) -> bool:
    """Can it be a file or folder in a list of them?"""
    return element.role in ROLES["item"] | ROLES["icon"] or element.source == "ocr"


def item(name: str, scene: Scene) -> Element | Act | Question:
    """The file or folder of that name in the folder that is shown."""
    return locate(scene, Phrase(name, quoted=True, spoken=name), allow=is_item)


def shows_item(name: str, scene: Scene) -> bool:
    """Is a file or folder of that name in the folder that is shown, and no dialog before it?"""
    if scene.sight.sort != "files" or scene.sight.dialog is not None:
        return False
    seen = resolve(Phrase(name, quoted=True, spoken=name), scene.sight, allow=is_item)
    return seen.element is not None or seen.ambiguous


def transfer(intent: Transfer, scene: Scene) -> Move:
    """Cut or copy it where it is, paste it where it shall be, and see it there."""
    verb = "copy" if intent.copy else "move"
    if scene.trouble:
        return Question(f"I could not {verb} “{intent.what}”: {scene.trouble.detail} How shall I go on?")
    if scene.done(ops.KeyCombo, lambda op: op == _PASTE):
        return _pasted(intent, scene)
    if scene.done(ops.KeyCombo, lambda op: op in (_CUT, _COPY)):
        return shows_folder(intent.into, scene) or Act(
            (_PASTE,), f"I put it into “{_last(scene.path(intent.into))}”."
        )
    going = shows_folder(intent.folder, scene)
    if going is not None:
        return going
    found = item(intent.what, scene)
    if isinstance(found, Act | Question):
        return found
    return Act((scene.click(found), _COPY if intent.copy else _CUT), f"I {verb} “{found.name}”.")


def _pasted(intent: Transfer, scene: Scene) -> Move:
    place = _last(scene.path(intent.into))
    asked = next(
        (e.name for e in scene.sight.front if e.role in ("label", "alert") and _CONFLICT.search(e.name)), ""
    )
    if scene.sight.dialog is not None and asked:
        return Question(f"It asks: “{asked.strip()}” What shall I do?")
    if shows_item(intent.what, scene):
        return Reached(f"I see “{intent.what}” in “{place}”.", f"“{intent.what}” is in {place} now")
    return scene.look_closer(3) or Question(
        f"I pasted “{intent.what}”, but I do not see it in “{place}”. What shall I do?"
    )


def list_files(intent: ListFiles, scene: Scene) -> Move:
    """Have the file manager show the folder, and tell the names in it."""
    going = shows_folder(intent.folder, scene)
    if going is not None:
        return going
    waiting = None if scene.patience else scene.wait(1)  # the names come after the window
    names = _names(scene)
    place, told = _last(scene.path(intent.folder)), ", ".join(names)
    return waiting or Reached(f"In {place}: {told or 'nothing'}.", f"In {place}: {told or 'nothing'}", told)


def _names(scene: Scene) -> list[str]:
    """The files and folders that are shown: icons, or the lines of a list; not what the window itself has."""
    seen = [e for e in reading_order(scene.sight.front) if e.source == "tree" and e.name]
    icons = [e.name for e in seen if e.role == "icon" and e.name.lower() not in _SIGNS]
    lines = [e.name for e in seen if e.role in ("table cell", "list item")]
    return list(dict.fromkeys(icons or lines))


def sort_files(intent: SortFiles, scene: Scene) -> Move:
    """Through the menus of the file manager: View, something with "sort" or "arrange", then the order."""
    ready = need("files", scene)
    if ready is not None:
        return ready
    wanted = [_ORDERS[intent.key], *((r"descending|reversed.*",) if intent.descending else ())]
    clicked = [d.words for d in scene.clicks()]
    done = sum(any(re.search(rf"“(?:{order})”", words, re.I) for words in clicked) for order in wanted)
    if done == len(wanted):
        return Reached(f"The files are sorted by {intent.key}.")
    for name in (wanted[done], r"(?:sort|arrange).*", r"view"):
        found = _entry(name, scene)
        if found is not None:
            return Act((scene.click(found),), f"I sort the files by {intent.key}." if not clicked else "")
    # Menus that the tree does not show are read from the picture.
    reading = scene.read() if clicked and scene.patience else None
    return reading or scene.wait(3) or Question("I see no menu to sort the files with. How shall I go on?")


def _entry(name: str, scene: Scene) -> Element | None:
    roles = ROLES["menu"] | ROLES["menuitem"]
    fits = [
        e
        for e in scene.sight.front
        if (e.role in roles or e.source == "ocr")
        and re.fullmatch(name, read_name(e.name).strip("_ …."), re.I)
    ]
    return next((e for e in fits if not scene.clicks(f"“{e.name}”")), None)
