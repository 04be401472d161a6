"""How alike a name that was said and one that is seen are."""

from __future__ import annotations

import difflib
import re

_SYNONYMS = (
    {"ok", "okay", "confirm", "accept"}, {"cancel", "abort", "dismiss"}, {"close", "x", "×", "✕", "✖"},
    {"search", "find", "go", "🔍"}, {"submit", "send", "send form", "go", "apply"}, {"log in", "login", "sign in", "signin", "log on"},
    {"log out", "logout", "sign out"}, {"sign up", "register", "create account"},
    {"email", "e-mail", "mail", "email address", "e-mail address", "mail address"},
    {"phone", "telephone", "phone number", "telephone number", "tel", "mobile"}, {"name", "full name", "your name"},
    {"surname", "last name", "family name"}, {"first name", "given name", "forename"},
    {"username", "user name", "user", "login", "user id"}, {"password", "pass word", "pin"}, {"zip", "zip code", "postcode", "postal code"},
    {"preferences", "settings", "options"}, {"delete", "remove"}, {"trash", "bin", "wastebasket", "recycle bin", "rubbish bin", "trash can"},
    {"next", "continue", "forward", ">"}, {"back", "previous", "<"}, {"add", "+", "plus", "new"},
    {"+", "plus", "add"}, {"-", "−", "–", "minus", "subtract"}, {"*", "×", "x", "times", "multiply"}, {"/", "÷", "divide", "divided by"},
    {"=", "equals", "equal"}, {"address", "address and search bar", "location", "url", "address bar", "location bar"},
    {"comment", "comments", "message", "remarks"}, {"colour", "color"}, {"refresh", "reload"}, {"yes", "y"}, {"no", "n"},
    {"menu", "≡", "☰", "⋮"}, {"quantity", "amount", "qty"}, {"birthday", "date of birth", "birth date", "birthdate"},
)  # fmt: skip
_TURNING = ("don.?t", "not", "no", "never", "without", "all", "everything", "permanently", "delete", "remove", "discard")  # fmt: skip
"""Words that turn a name into another: "Save" is no short form of "Don't save"."""


def likeness(said: str, seen: str, *, exact: bool = False) -> float:
    """How alike a spoken name and a seen one are: 100 the same, 0 not at all.

    `exact` names fit as a whole, but for case, mnemonics and dots at the end.
    """
    one, other = plain(said), plain(seen)
    if not one or not other:
        return 0.0
    if said.strip() == seen.strip():
        return 100.0
    if one == other:
        return 98.0
    if _squeezed(one) and _squeezed(one) == _squeezed(other):
        return 95.0
    if any(one in group and other in group for group in _SYNONYMS):
        return 84.0
    if exact:
        return 0.0
    return _partly(one, other)


_DIGITS = re.compile(r"\d+")


def read_name(text: str) -> str:
    """Recognised text without shortcut and what an icon was taken for: "oF New Tab Ctrl+T" → New Tab."""
    bare = re.sub(r"\s+(?:(?:shift|ctrl|alt|super)\s*\+\s*)+\S+$", "", text, flags=re.I)
    return re.sub(r"^(?:\W|\w{1,2}\s)+(?=\w{3})|\s+\W*\w?$", "", bare) or text


def _partly(one: str, other: str) -> float:
    if any(re.search(rf"(?<!\w){word}(?!\w)", other) and word not in one for word in _TURNING):
        return 0.0
    if re.match(rf"{re.escape(one)}(?!\w)", other):
        return 80.0 - min(10.0, len(other) / 20)
    if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", other):
        return 72.0 - min(10.0, len(other) / 20)
    if _singular(one) == _singular(other):
        return 78.0
    words, seen = one.split(), set(re.findall(r"\w+", other))
    if len(words) > 1 and all(word in seen for word in words):
        return 64.0 - min(8.0, len(other) / 20)
    if len(one) > 3 and abs(len(one) - len(other)) <= 3 and _DIGITS.findall(one) == _DIGITS.findall(other):
        ratio = difflib.SequenceMatcher(None, one, other).ratio()
        return 75.0 * ratio if ratio >= 0.82 else 0.0
    most = len(other) > 3 and len(other) >= 0.6 * len(one)
    return 60.0 if most and re.search(rf"(?<!\w){re.escape(other)}(?!\w)", one) else 0.0


def _singular(name: str) -> str:
    """ "countries" → country, "the boxes" → the boxe; only to be compared with another."""
    return re.sub(r"(?<=\w\w[^s])s$", "", re.sub(r"(?<=\w\w)ies$", "y", name))


def plain(name: str) -> str:
    """A name as it is compared: lower case, without shortcut, dots, colon or mnemonic mark."""
    text = name.split("\t")[0].lower()
    text = re.sub(r"(?<!\w)_(?=\w)|(?<=\w)_(?=\w)", lambda f: "" if f.start() == 0 else "_", text)
    text = re.sub(r"\s*(?:…|\.{3}|[:*])+\s*$", "", " ".join(text.split()))
    text = re.sub(r"\s*\((?:required|optional)\)$", "", text)
    return text.strip() or name.strip().lower()


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)
