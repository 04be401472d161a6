"""Clauses about applications, windows, files, folders, addresses, waiting, sums and reading."""

from __future__ import annotations

import re

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import (
    Click,
    CreateFolder,
    Delete,
    GoTo,
    Intent,
    Open,
    Phrase,
    Press,
    Rename,
    Save,
    Thing,
    TypeText,
    Window,
)
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, text_of

_THE = re.compile(r"^(?:the|a|an|my|your|this|that|up)\s+", re.I)
ADDRESS = re.compile(
    r"(?:https?|file|ftp|about|chrome)://?\S*|about:\S+|localhost(?::\d+)?(?:/\S*)?|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?"
    r"|(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|de|no|uk|fr|it|es|nl|eu|ch|at|se|us|info|ai|app|co|me|tv)(?::\d+)?(?:[/?#]\S*)?",
    re.I,
)
PATH = re.compile(r"(?:~|\.{1,2})?/\S.*|~|[A-Za-z]:\\.*")
_FILE_NAME = re.compile(r"[\w.,()+ -]*\.[A-Za-z][A-Za-z0-9]{0,4}")
_IN_FOLDER = r"(?:in|into|to|inside|under|on|at|within)\s+(?P<folder>.+?)"
_FOLDER_WORD = r"(?:folder|directory|desktop|home|documents|downloads|pictures|music|videos)"


def _name(fragment: str, masked: Masked) -> str:
    return masked.literal(_THE.sub("", fragment.strip()))[0]


def _folder(found: re.Match[str], masked: Masked) -> str:
    said = found.groupdict().get("folder")
    return words.folder(masked.literal(_THE.sub("", said.strip()))[0]) if said else ""


def _open(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    body = _THE.sub("", found["obj"].strip())
    within = _name(found.groupdict().get("within") or "", masked)
    literal, quoted = masked.literal(body)
    if not literal or re.fullmatch(r"(?:it|that|them|this|up|out)", literal, re.I):
        return None
    if ADDRESS.fullmatch(literal):
        return (GoTo(literal),)
    if words.known_folder(literal) and not quoted:
        return (GoTo(words.known_folder(literal)),)
    if re.match(r"(?:https?|file|about|ftp):", literal, re.I):
        return (GoTo(literal),)
    thing = phrase(found["obj"], masked)
    if thing.kind in ("link", "tab", "button", "icon", "combo", "menu") or thing.ordinal or thing.near:
        return (Click(thing, count=2 if thing.kind == "icon" else 1),)
    literal = re.sub(r"\s+(?:application|app|program|software|folder|directory)$", "", literal, flags=re.I)
    literal = re.sub(
        r"^(?:application|app|program|file|document|folder|web ?site|page)\s+(?:(?:called|named)\s+|(?=[\"'“~/])|(?=\S+\.\w{1,5}$))",
        "", literal, flags=re.I,
    )  # fmt: skip
    return (Open(masked.literal(body)[0] if quoted else literal.strip("\"'“”"), within),)


def _goto(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    literal = _name(found["obj"], masked)
    literal = re.sub(r"^(?:address|url|site|website|web ?page|page)\s+(?=\S)", "", literal, flags=re.I)
    if ADDRESS.fullmatch(literal) or PATH.fullmatch(literal):
        return (GoTo(literal),)
    bare = re.search(rf"\b{_FOLDER_WORD}$", literal, re.I)
    if bare:
        return (GoTo(words.folder(literal)),)
    if re.search(r"\s(?:website|web ?site|homepage|home page)$", literal, re.I):
        return (Open(re.sub(r"(?:'s)?\s+\S*(?:site|page)$", "", literal, flags=re.I)),)
    return (
        (Open(literal),)
        if found.re.pattern.startswith("(?:visit")
        else (Click(phrase(found["obj"], masked)),)
    )


def _save(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    name = _name(groups.get("name") or "", masked).rstrip(".,") if groups.get("name") else ""
    where = _folder(found, masked)
    if not name and where and (_FILE_NAME.fullmatch(where.rsplit("/", 1)[-1]) and not where.startswith("~.")):
        head, _, tail = where.rpartition("/")
        name, where = tail, head or ("/" if where.startswith("/") else "")
    elif "/" in name and not where:
        head, _, tail = name.rpartition("/")
        name, where = tail, head or "/"
    return (Save(name, where),)


def _window(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    verb = found["verb"].lower()
    verb = "close" if verb in ("close", "quit", "exit", "leave", "shut", "shut down", "terminate") else verb
    verb = {"minimise": "minimize", "maximise": "maximize", "unmaximize": "restore"}.get(verb, verb)
    what, thing = _what_window(found.groupdict().get("obj") or "", masked)
    if what is None:
        return None
    return (Window(verb, what, thing),)  # type: ignore[arg-type]


_THINGS: tuple[tuple[str, Thing], ...] = (
    ("dialog", "dialog"), ("pop", "dialog"), ("message", "dialog"), ("app", "application"), ("program", "application"),
    ("tab", "tab"), ("menu", "menu"),
)  # fmt: skip


def _what_window(fragment: str, masked: Masked) -> tuple[str | None, Thing]:
    body = _THE.sub("", fragment.strip())
    if re.match(r"(?:to|in|on|for|by|with|at|about|from|the door|my eyes)\b", body, re.I):
        return None, ""
    if re.fullmatch(r"(?:it|that|this|current|active|window|current window|active window|)", body, re.I):
        return "", "window"
    found = re.fullmatch(
        r"(?:(?P<name>.+?)\s+)?(?P<thing>window|tab|dialog(?:ue)?(?: box)?|pop-?up|message|menu|application|app|program)",
        body,
        re.I | re.S,
    )
    if not found:
        return masked.literal(body)[0], "application"
    word = found["thing"].lower()
    thing: Thing = next((thing for start, thing in _THINGS if word.startswith(start)), "window")
    name = masked.literal(found["name"] or "")[0]
    return ("" if name.lower() in ("current", "active", "open") else name), thing


def _switch(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what, thing = _what_window(found["obj"], masked)
    if thing == "tab":
        return (Click(Phrase(what or "", "tab", spoken=f"{what} tab")),)
    return (Window("switch", what, thing),) if what else None


def _create_folder(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    said = _FOR.sub("", found["name"])  # "a folder for my holiday pictures" says what it is called, too
    name = masked.literal(said)[0].rstrip(".,")
    name = name if said == found["name"] else name[:1].upper() + name[1:]
    return (CreateFolder(name, _folder(found, masked)),) if name else None


def _create_file(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """A text file comes from the text editor: open it, type, save."""
    groups = found.groupdict()
    text = text_of(groups["text"], masked) if groups.get("text") else ""
    typing = (TypeText(text),) if text else ()
    save = Save(masked.literal(found["name"])[0].rstrip(".,"), _folder(found, masked))
    return (Open("text editor"), *typing, save)


def _create_text(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Open("text editor"), TypeText(text_of(found["text"], masked)))


def _run(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """A command goes to the terminal."""
    command = masked.literal(found["obj"])[0]
    return (Window("switch", "terminal", "application"), TypeText(command), Press(("enter",)))


def _delete(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Delete(phrase(found["obj"], masked)),)


def _rename(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = re.sub(
        r"^(?:file|folder|directory)\s+(?:called\s+|named\s+)?",
        "",
        _THE.sub("", found["obj"].strip()),
        flags=re.I,
    )
    return (Rename(masked.literal(what)[0], masked.literal(found["name"])[0].rstrip(".")),)


_FOR = re.compile(r"^for\s+(?:(?:all|my|our|the|your|some)\s+)*(?=\w)", re.I)
_CALLED = r"(?:called|named|titled|with (?:the )?name|by the name(?: of)?|and (?:call|name) it)"
_SAVED = r"(?:(?:it|this|that|them|everything|(?:the|this|that|my)\s+(?:current\s+|new\s+|open\s+)?(?:file|document|text|note|page|work|changes|image|drawing|picture|result|spreadsheet|data))\s*)?"
_AS = r"(?:under the name|with (?:the )?(?:file ?)?name|as a file (?:called|named)|as (?:the )?file|as|under|named|called)"

FIRST: tuple[Rule, ...] = (
    _rule(rf"save\s+{_SAVED}{_AS}\s+(?P<name>{QUOTED}|.+?)(?:\s+{_IN_FOLDER})?", _save),
    _rule(rf"save\s+{_SAVED}{_IN_FOLDER}\s+{_AS}\s+(?P<name>.+)", _save),
    _rule(rf"save\s+{_SAVED}{_IN_FOLDER}", _save),
    _rule(rf"save\s+(?P<name>(?:{QUOTED}|[\w~/.-]+\.\w{{1,5}}))(?:\s+{_IN_FOLDER})?", _save),
    _rule(rf"save\s*{_SAVED}(?:now|again)?", _save),
    _rule(rf"(?:create|make|add|start)\s+(?:me\s+)?(?:a|an|the|another)?\s*(?:new\s+)?(?:folder|directory|subfolder|sub-?directory)\s+{_IN_FOLDER}\s+{_CALLED}\s+(?P<name>.+)", _create_folder),
    _rule(rf"(?:create|make|add|start)\s+(?:me\s+)?(?:a|an|the|another)?\s*(?:new\s+)?(?:folder|directory|subfolder|sub-?directory)\s+(?:{_CALLED}\s+)?(?P<name>{QUOTED}|.+?)(?:\s+{_IN_FOLDER})?", _create_folder),
    _rule(rf"(?:create|make|add)\s+(?:{_IN_FOLDER},?\s+)(?:a|an)\s+(?:new\s+)?(?:folder|directory)\s+(?:{_CALLED}\s+)?(?P<name>.+)", _create_folder),
    _rule(rf"(?:create|make|add)\s+(?:a|an|the)\s+(?:new\s+)?(?P<name>{QUOTED}|[\w.-]+)\s+(?:folder|directory)(?:\s+{_IN_FOLDER})?", _create_folder),
    _rule(rf"(?:create|make|add)\s+(?:a|an|the)?\s*(?:new\s+)?(?:text\s+|empty\s+|plain\s+)*(?:file|document|note)\s+(?:{_CALLED}\s+)?(?P<name>{QUOTED}|\S+?)(?:\s+{_IN_FOLDER})?\s+(?:containing|with|that (?:says|contains|reads)|which (?:says|contains))\s+(?:the\s+)?(?:text\s+|contents?\s+|words?\s+)?(?P<text>.+)", _create_file),
    _rule(rf"(?:create|make|add)\s+(?:a|an|the)?\s*(?:new\s+)?(?:text\s+|empty\s+|plain\s+)*(?:file|document)\s+{_CALLED}\s+(?P<name>{QUOTED}|\S+?)(?:\s+{_IN_FOLDER})?", _create_file),
    _rule(r"(?:create|make|start|write)\s+(?:a|an)\s+(?:new\s+)?(?:text\s+|plain\s+)*(?:file|document|note)\s+(?:containing|with|that (?:says|contains|reads)|saying)\s+(?:the\s+)?(?:text\s+|contents?\s+|words?\s+)?(?P<text>.+)", _create_text),
    _rule(r"(?:run|execute|enter|type)\s+(?:the\s+)?(?:shell\s+|terminal\s+)?command\s+(?P<obj>.+?)(?:\s+in (?:the|a) (?:terminal|console|shell))?", _run),
    _rule(r"(?:run|execute)\s+(?P<obj>.+?)\s+in (?:the|a) (?:terminal|console|shell)", _run),
    _rule(r"(?:delete|remove|trash|throw away)\s+(?P<obj>(?:the\s+)?(?:file|folder|directory)\s+.+|(?:the\s+)?\S+\s+(?:file|folder|directory)|\S+\.\w{1,5})", _delete),
    _rule(r"rename\s+(?P<obj>.+?)\s+(?:to|as|into)\s+(?P<name>.+)", _rename),
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    _rule(r"(?:go to|navigate to|browse to|head to|open)\s+(?P<obj>(?:the\s+)?(?:address|url|site|website|web ?page)\s+.+)", _goto),
    _rule(r"(?P<verb>close|quit|exit|leave|shut down|shut|terminate|minimi[sz]e|maximi[sz]e|unmaximize|restore)(?:\s+(?:out of\s+)?(?P<obj>.+))?", _window),
    _rule(r"(?:switch|change|go back|return|alt-tab)\s+(?:over\s+)?to\s+(?P<obj>.+)", _switch),
    _rule(r"(?:bring|raise)\s+(?P<obj>.+?)(?:\s+to (?:the )?(?:front|foreground|top))", _switch),
    _rule(r"activate\s+(?P<obj>.+?\s+window)", _switch),
    _rule(r"(?:visit|browse to|navigate to|surf to)\s+(?P<obj>.+)", _goto),
    _rule(r"(?:go|head|jump|take me|get)\s+(?:over\s+)?to\s+(?P<obj>.+)", _goto),
    _rule(rf"(?:open|load|show|display|bring up)\s+(?P<obj>{QUOTED}|\S+)\s+(?:in|with|using|inside)\s+(?P<within>.+)", _open),
    _rule(r"(?:open|launch|start|run|bring up|fire up|load|pull up|start up|open up)\s+(?!(?:over|again|afresh|anew|from)\b)(?P<obj>.+)", _open),
)  # fmt: skip
