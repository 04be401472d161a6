"""Replaces known secrets in texts by stand-ins, wherever one of their forms is found: as it is, escaped, or encoded.

A secret that the user marks, as in `log in with {{secret: hunter2}}`, gets a stand-in like
`{{secret:1}}`: models, the log and the window get that, and only `fill`, on the way to the hand, puts
the value back. Secrets that were found (API keys, variables with secret names) become `[secret]`.
"""

from __future__ import annotations

import base64
import html
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, quote_plus

import msgspec

from desktop_agent.redaction.secret_reference import is_secret
from desktop_agent.redaction.transformed_secrets import disclosed_by, spread_over

FOUND = "[secret]"
DOTS = "••••••"
LEAST_FOUND, LEAST_MARKED = 8, 4
"""Fewest characters of a secret that was found or marked: a shorter one would be replaced in ordinary words, too."""

# Stand-ins are not searched, also when a secret is the word "secret".
_STANDS = r"\{\{secret:[\w.-]+\}\}|\[secret\]"
# Each of these is one character in JSON: a secret may begin like the end of an escape.
_ESCAPES = r'|\\u[0-9a-fA-F]{4}|\\[\\"/bfnrt]'
_CUT = 8  # characters of a secret's beginning that are taken out where a text was cut
_ADDRESS = 500  # longer ones do not stand in addresses
_LONG = 50  # shorter texts are not cut anywhere
_MARK = re.compile(r"\{\{\s*secret\s*:\s*(.*?)\s*\}\}(?!\})", re.IGNORECASE | re.DOTALL)
_STAND_IN = re.compile(r"\{\{\s*secret\s*:\s*([\w.-]+)\s*\}\}")
_EARLIER = "earlier-"

T = TypeVar("T")


SHORTEST = 4
_LINE = 16
"""Characters from which on a single line of a secret is looked for, too."""
_CORE = 8
"""Letters of base64 from which on they are looked for; fewer would be found by chance."""


class _Known(NamedTuple):
    """What is looked for: every form of every secret with its stand-in, longest first, and patterns of all.

    A text is searched first as JSON, escape by escape, and then letter by letter, as it may not be JSON.
    """

    labels: Mapping[str, str]
    patterns: tuple[re.Pattern[str], ...]
    in_addresses: Mapping[re.Pattern[str], str]


def _known(labels: Mapping[str, str], secrets: Mapping[str, str]) -> _Known:
    forms = sorted(labels, key=len, reverse=True)
    anywhere = "|".join((_STANDS, *map(re.escape, forms)))
    patterns = (re.compile(anywhere + passed_over) for passed_over in (_ESCAPES, ""))
    in_addresses = {
        re.compile(f"{_STANDS}|{in_address(secret)}"): secrets[secret]
        for secret in sorted(secrets, key=len, reverse=True)
        if LEAST_MARKED <= len(secret) <= _ADDRESS
    }
    return _Known({form: labels[form] for form in forms}, tuple(patterns), in_addresses)


class Redactor:
    """Knows the secrets of this process and their stand-ins. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._secrets: dict[str, str] = {}  # value → stand-in
        self._slots: dict[str, str] = {}  # name → value
        self._known = _known({}, {})

    # ---- learning ----------------------------------------------------------------------------

    def know(self, *secrets: str) -> None:
        """Add secrets that were found; those shorter than LEAST_FOUND are ignored."""
        with self._lock:
            fresh = [each for each in secrets if len(each) >= LEAST_FOUND and each not in self._secrets]
            self._learn(dict.fromkeys(fresh, FOUND))

    def know_marked(self, secrets: Iterable[str]) -> None:
        """Add secrets that the user marked, in a process that never fills them in."""
        with self._lock:
            self._learn({each: FOUND for each in secrets if len(each) >= LEAST_MARKED})

    def know_environment(self, environ: Mapping[str, str]) -> None:
        """Add the values of all variables with secret names."""
        self.know(*(value for name, value in environ.items() if is_secret(name)))

    def keep(self, name: str, secret: str) -> str:
        """Add a secret that the user marked, under a name of letters, digits and `_.-`; returns its stand-in."""
        with self._lock:
            self._slots[name] = secret
            self._learn({secret: stand_in(name)} if len(secret) >= LEAST_MARKED else {})
        return stand_in(name)

    def mark(self, words: str) -> str:
        """The user's words with stand-ins for the secrets they mark and for those that are known already."""
        marked = _MARK.sub(lambda found: self._slot_of(found[1]), words)
        with self._lock:
            secrets = sorted(self._secrets, key=len, reverse=True)
        # A stand-in is passed over, also where a secret is called "secret".
        either = re.compile("|".join((_STAND_IN.pattern, *map(re.escape, secrets))))
        return either.sub(lambda found: found[0] if found[1] else self._slot_of(found[0]), marked)

    def _slot_of(self, secret: str) -> str:
        """The stand-in for a marked secret, or for the name of one; a new one when it is neither yet."""
        with self._lock:
            if secret in self._slots:
                return stand_in(secret)
            name = next((name for name, value in self._slots.items() if value == secret), "")
            name = name or next(str(n) for n in range(1, len(self._slots) + 2) if str(n) not in self._slots)
        return self.keep(name, secret)

    def _learn(self, secrets: Mapping[str, str]) -> None:
        self._secrets |= secrets
        labels: dict[str, str] = {}
        for secret, label in sorted(self._secrets.items(), key=lambda each: len(each[0])):
            labels |= dict.fromkeys(forms_of(secret), label)
            labels[secret] = label
        self._known = _known(labels, self._secrets)

    # ---- taking out --------------------------------------------------------------------------

    def clean(self, text: str) -> str:
        """The text with a stand-in for every known secret, also for a beginning of one at the end of a cut text."""
        known = self._known
        if any(form in text for form in known.labels):
            for pattern in known.patterns:
                text = pattern.sub(lambda found: known.labels.get(found[0], found[0]), text)
        if "%" in text:
            for pattern, label in known.in_addresses.items():
                text = pattern.sub(partial(_replaced, label), text)
        return _without_cut(text, known) if len(text) >= _LONG else text

    def hides(self, text: str) -> bool:
        """True when a known secret is in the text."""
        return self.clean(text) != text

    def discloses(self, text: str) -> bool:
        """Can a marked secret be read in the text in a form that `clean` does not take out (reversed, spaced out …)?"""
        with self._lock:
            secrets = tuple(self._slots.values())
        return disclosed_by(text, secrets)

    def spread_over(self, texts: Sequence[str]) -> frozenset[int]:
        """The numbers of the texts that together spell a marked secret."""
        with self._lock:
            secrets = tuple(self._slots.values())
        return spread_over(texts, secrets)

    def scrub(self, value: T) -> T:
        """A copy of structs, mappings and lists with every text in them cleaned; the same object when nothing changes."""
        return self._scrub(value)  # type: ignore[no-any-return]

    def _scrub(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, msgspec.Struct):
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            changed = {n: new for n, old in fields.items() if (new := self._scrub(old)) is not old}
            return msgspec.structs.replace(value, **changed) if changed else value
        if isinstance(value, Mapping):
            cleaned = {self._scrub(key): self._scrub(each) for key, each in value.items()}
            return cleaned if cleaned != value else value
        if isinstance(value, list | tuple):
            items = [self._scrub(each) for each in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else type(value)(items)
        return value

    def held_back(self, text: str) -> int:
        """How many characters at the end of an unfinished text may be the beginning of a secret."""
        return max((_overlap(text, form) for form in self._known.labels), default=0)

    # ---- putting back ------------------------------------------------------------------------

    def stand_ins(self, text: str) -> tuple[str, ...]:
        """The names of the stand-ins in a text."""
        return tuple(_STAND_IN.findall(text))

    def stand_ins_alone(self, text: str) -> str:
        """The stand-ins of a text that consists of secrets; "" when anything else is in it."""
        clean = self.clean(text).strip()
        return clean if clean and not _STAND_IN.sub("", clean).strip() else ""

    def has(self, name: str) -> bool:
        """Is there a marked secret of that name?"""
        with self._lock:
            return name in self._slots

    def fill(self, text: str) -> str:
        """The text with the secrets themselves for its stand-ins, for the hand alone; unknown stand-ins stay."""
        with self._lock:
            slots = dict(self._slots)
        return _STAND_IN.sub(lambda found: slots.get(found[1], found[0]), text)


def stand_in(name: str) -> str:
    """The stand-in for the marked secret of that name, as in `{{secret:1}}`."""
    return f"{{{{secret:{name}}}}}"


def outdated(text: str) -> str:
    """A text of an earlier process, its numbered stand-ins renamed, so that they name no secret of this one.

    Numbers are given anew by every process; names come from the settings and stay.
    """
    return _STAND_IN.sub(
        lambda found: stand_in(_EARLIER + found[1]) if found[1].isdecimal() else found[0], text
    )


def has_outdated(text: str) -> bool:
    """Does a stand-in in the text name a secret of an earlier process, which is not known any more?"""
    return any(name.startswith(_EARLIER) for name in _STAND_IN.findall(text))


def _replaced(label: str, found: re.Match[str]) -> str:
    return found[0] if re.fullmatch(_STANDS, found[0]) else label


def dotted(text: str) -> str:
    """A text to be typed as it is shown to people: with dots for each secret."""
    return _STAND_IN.sub(DOTS, redactor().clean(text)).replace(FOUND, DOTS)


def holds_secret(text: str) -> bool:
    """Would typing this text enter a secret?"""
    return _STAND_IN.search(text) is not None or redactor().hides(text)


@lru_cache(maxsize=1)
def redactor() -> Redactor:
    """The only redactor of this process: secrets belong to a process, as its environment and streams do."""
    return Redactor()


def _overlap(text: str, form: str) -> int:
    most = min(len(text), len(form) - 1)
    return next((count for count in range(most, 0, -1) if text.endswith(form[:count])), 0)


def _without_cut(text: str, known: _Known) -> str:
    body = text.rstrip("…")
    tail = body[-_CUT:]
    for form, label in known.labels.items():
        place = form.find(tail)
        if place >= 0 and len(form) > place + _CUT and body.endswith(form[: place + _CUT]):
            return body[: -(place + _CUT)] + label + text[len(body) :]
    return text


class StreamRedactor:
    """Cleans a text that comes in pieces: what may be the beginning of a secret waits for the next piece."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._waiting = ""

    def more(self, piece: str) -> str:
        """The cleaned text that is complete with this piece."""
        text = self._redactor.clean(self._waiting + piece)
        held = self._redactor.held_back(text)
        self._waiting = text[len(text) - held :]
        return text[: len(text) - held]

    def end(self) -> None:
        """Forget what waits: the text is over, and is cleaned as a whole elsewhere."""
        self._waiting = ""


def forms_of(secret: str) -> tuple[str, ...]:
    """The secret in every form of at least SHORTEST characters, without repeats, the longest first.

    The lines of a secret of several lines (a private key, say) count as secrets of their own when long enough.
    """
    found = {secret, *(line for line in secret.splitlines() if len(line) >= _LINE)}
    for each in tuple(found):
        found.update(_written(each))
        found.update(_in_base64(each.encode("utf-8", "surrogatepass")))
    return tuple(sorted((each for each in found if len(each) >= SHORTEST), key=len, reverse=True))


def _written(text: str) -> Iterator[str]:
    """Escaped for JSON (once, and again inside another JSON), Python, HTML and addresses."""
    for ascii_only in (True, False):
        once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        yield from (once, once.replace("/", r"\/"), json.dumps(once, ensure_ascii=ascii_only)[1:-1])
    yield repr(text)[1:-1]
    yield html.escape(text)
    yield html.escape(text, quote=False)
    bare = text.encode("utf-8", "surrogatepass")
    yield from (quote(bare, safe=""), quote(bare), quote_plus(bare))


def in_address(secret: str) -> str:
    """A regular expression that matches it in an address, whichever of its letters are percent-encoded."""
    return "".join(_letter_in_address(letter) for letter in secret)


def _letter_in_address(letter: str) -> str:
    coded = "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
    plus = r"|\+" if letter == " " else ""
    return f"(?:{re.escape(letter)}|(?i:{coded}){plus})"


def _in_base64(data: bytes) -> Iterator[str]:
    """In base64 by itself, and the letters of base64 that it alone decides inside longer data (`user:secret`)."""
    found = {base64.b64encode(data).decode().rstrip("=")}
    for before in (1, 2):
        letters = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        found.add(letters[(8 * before + 5) // 6 : 8 * (before + len(data)) // 6])
    whole = 8 * len(data) // 6
    found.add(base64.b64encode(data).decode()[:whole])
    for each in found:
        if len(each) >= _CORE or each == base64.b64encode(data).decode().rstrip("="):
            yield each
            yield each.replace("+", "-").replace("/", "_")
