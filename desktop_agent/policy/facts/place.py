"""The place an operation would act on (window, program, element), and the application or page that a scope knows it by."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import msgspec

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.files.file_records import Chooser, FileTarget
from desktop_agent.policy.facts.programs import BROWSERS, is_one_of

_WRITTEN_IN = frozenset(
    ("entry", "text", "editbar", "spin button", "password text", "document text", "terminal")
)
_FINDS = frozenset(("find", "find in page", "suchen", "auf seite suchen", "rechercher", "buscar", "trova"))


SubjectKind: TypeAlias = Literal["app", "site", "folder"]
UNKNOWN = "?"
"""What stands for an application or an origin that cannot be told: no grant covers it."""


class Place(msgspec.Struct, frozen=True):
    """What an operation would act on, as far as it is known.

    `known` is False when not even the window could be found out; `desktop` says that there is no
    window, only the background. `application` is the window's class, `program` the file name of its
    process; `contained` that it is an environment which reaches only what the user gave it. `role`, `name`, `value` and `states` are the element's, as in `Element`; `words` are
    texts read at the place when there is no element; `choice` says that it is an option of a list that one chooses
    from; `in_page` says that it is part of a document, and
    `origin` of which (`https://host:port` as browsers compare them, hosts in ASCII), "" when that is unknown.
    `fields` are the names and values of the filled fields around it, in the same page or window;
    `buttons` are the names of what can be pressed in the same window, `dialog` what the window says
    when it is a dialog, `nearby` the texts beside the element. `markup` are the class and id of a page's field. `executing` are the names of the
    other elements of the window that carry out what is put into them, `prepared` what stands there for
    something that runs it; `handle` is the element's; `hosts_shell` as in `WindowInfo`. `own`, `foreign` (another user's or one with
    more rights), `simulated`. `leads_to` is the address
    behind a link, `chooser` the file dialog or file manager it is in, `file` the
    file that the operation would reach there, `dropped` the names of files that are let go of there.
    """

    known: bool = False
    desktop: bool = False
    pid: int = 0
    application: str = ""
    program: str = ""
    window: str = ""
    role: str = ""
    name: str = ""
    value: str = ""
    states: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    choice: bool = False
    in_page: bool = False
    origin: str = ""
    buttons: tuple[str, ...] = ()
    dialog: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    markup: str = ""
    executing: tuple[str, ...] = ()
    prepared: str = ""
    hosts_shell: bool = False
    nearby: tuple[str, ...] = ()
    own: bool = False
    foreign: bool = False
    simulated: bool = False
    contained: bool = False
    chooser: Chooser | None = None
    file: FileTarget | None = None
    dropped: tuple[str, ...] = ()
    handle: str = ""
    leads_to: str = ""


def is_address_bar(place: Place) -> bool:
    """Is it a text field of a browser's own, outside the page? Not so the one that searches in the page."""
    browser = is_one_of(BROWSERS, place.application, place.program)
    fields = place.role in ("entry", "text", "combo box", "editbar", "autocomplete")
    return browser and fields and not place.in_page and fold(place.name) not in _FINDS


def editable(place: Place) -> bool:
    """Is it a field for text, where a click only puts the cursor?"""
    return place.role in _WRITTEN_IN or ("editable" in place.states and "button" not in place.role)


class Subject(NamedTuple):
    """An application by its executable (`mousepad`), a page by its origin (`https://shop.example`), or a folder."""

    kind: SubjectKind
    what: str


_ENDS = (".exe", ".bin", "-bin", ".real", ".wrapped")


DESKTOP = "desktop"


"""What stands for the background, where there is no window."""


def program_name(name: str) -> str:
    """A program's file name as scopes compare it: in lower case, without `.exe` and the ends that wrappers add."""
    plain = name.strip().casefold().removesuffix(" (deleted)")
    for end in _ENDS:
        plain = plain.removesuffix(end)
    return plain


def subject_of(place: Place) -> Subject:
    """The page that a place is part of, or else its application.

    Pages that an application shows as a part of itself (`vscode-file://…`, a mail's text) are that application.
    """
    browser = is_one_of(BROWSERS, place.application, place.program)
    if place.in_page and (browser or place.origin.startswith(("http://", "https://"))):
        return Subject("site", place.origin or UNKNOWN)
    if place.desktop:
        return Subject("app", DESKTOP)
    return Subject("app", program_name(place.program or place.application) or UNKNOWN)
