"""Tells whether what an act would reach is the object of the order for that act: the file, the recipient, the amount.

Only an object that is read and stands in the order is one; all else costs a question.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.policy.facts import button_words, policy_tables
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.execution_places import is_recipients
from desktop_agent.policy.facts.files.file_choosers import FILES
from desktop_agent.policy.facts.files.file_records import Chooser
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.programs import FILE_MANAGERS, is_one_of
from desktop_agent.policy.facts.words.act_kinds import kinds_ordered
from desktop_agent.policy.facts.words.sentence_words import listed, without_tag
from desktop_agent.policy.facts.words.spoken_words import Spoken, mentioned, table_phrases

_List: TypeAlias = Literal[
    "all",
    "pronouns",
    "several",
    "selected",
    "leaving_out",
    "part_of",
    "collections",
    "otherwise",
    "plain",
    "within",
    "towards",
    "giving",
    "at_most",
    "amount_fields",
]
_PIECES = re.compile(r"[,;:]\s+|\s+(?:and|then|und|dann|&)\s+|\s+(?=(?:but|aber)\s)", re.IGNORECASE)
_ENDS = ".,;:!?\"'“”„«»‘’()[]{}<>…"
_QUOTES = "\"'“”„«»‘’()[]{}<>"
_FILE = re.compile(r"[^\s\"'“”„«»]*[^\W_][^\s\"'“”„«»]*\.[a-z]\w{0,5}", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)[\"“”„«‘']([^\"“”„«»‘’']{1,200})[\"“”»’'](?!\w)")
_BLANKS = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)['‘][^'’]{2,}['’](?!\w)")
_MARK = " \N{REFERENCE MARK} "
"""Stands for a quotation, whose words order nothing."""
_BLANK = "\N{SYMBOL FOR SPACE}"
"""Stands for a blank in a quotation while a sentence is taken apart."""
_MAIL = re.compile(r"[\w.+-]+@[\w.-]+\.\w+")
_NUMBER = r"\d+(?:[., \N{NO-BREAK SPACE}]\d{3})*(?:[.,]\d{1,2})?"
_MONEY = r"(?:€|\$|£|¥|eur|euros?|usd|dollars?|gbp|pounds?|chf|franken|jpy|yen|sek|nok|dkk|kronor|pln|czk|cad|aud|inr|rupees)"
_AMOUNT = re.compile(rf"(?<![\w.,])(?:{_MONEY}\s*({_NUMBER})|({_NUMBER})\s*{_MONEY})(?!\w)", re.IGNORECASE)
_NEAR = 5
"""Words behind “from” among which what it is from is named."""
_LEAST, _LONG = 2, 6
"""Letters of a name that tells somebody apart, and of a number that does."""


class _Clause(NamedTuple):
    """A part of a sentence with a verb of its own: the acts it orders, and the words that are ordered, a quotation as one.

    `said` are all its words; `whole` tells that no “not” and no “except” reaches into its sentence; `fills` that it says
    what is written; `leads` that a colon ends it.
    """

    kinds: frozenset[str]
    tokens: tuple[str, ...]
    said: tuple[str, ...]
    whole: bool
    fills: bool
    leads: bool = False


def is_of_order(kind: str, place: Place, spoken: Spoken) -> bool:
    """Is what an act of this kind would reach at the place what the user's words order it for?

    Words that only order to press something have the button for their object.
    """
    if spoken.only_presses:
        return True
    if kind == "delete":
        return _deletes(place, spoken)
    if kind in ("send", "buy"):
        shown = (place.name, place.window, *place.nearby, *place.dialog, *(each for _, each in place.fields))
        right = is_recipient_of_order(kind, place.fields, shown, spoken)
        return right and (kind == "send" or is_amount_of_order(place.name, place.fields, shown, spoken))
    return True


def _deletes(place: Place, spoken: Spoken) -> bool:
    """By the files that a dialog asks about, in a file manager else by what is dropped or selected there."""
    in_files = is_one_of(FILE_MANAGERS, place.application, place.program) or place.desktop
    asking = [text for text in place.dialog[1:] if button_words.speaks("delete", text)]
    said = tuple(dict.fromkeys(name for text in asking for name in _files_in(text, quoted=in_files)))
    chooser = place.chooser or Chooser("manager")
    folder = PurePath(chooser.folder).parts if chooser.folder else chooser.trail
    there = place.dropped or chooser.selected or ((place.name,) if place.role in FILES else ())
    return are_files_of_order(said or there, folder, spoken) if said or in_files else True


def are_files_of_order(names: Sequence[str], folder: Sequence[str], spoken: Spoken) -> bool:
    """Are these files, in a folder of which the last names are known, all to be deleted by an order?

    False when there is none: then it cannot be told what would go.
    """
    orders = tuple(_objects("delete", spoken))
    return bool(names) and all(
        any(_covers(each, name, folder, len(names)) for each in orders) for name in names
    )


def is_recipient_of_order(
    kind: str, fields: Iterable[tuple[str, str]], shown: Iterable[str], spoken: Spoken
) -> bool:
    """Does all that stands in the fields for recipients stand in the order, or where there are none, is who it is for shown?"""
    tokens = tuple(token for each in _objects(kind, spoken, fills=True) for token in each.tokens)
    there = [part for name, value in fields if is_recipients(name) for part in _people(value)]
    if there:
        return all(_is_said(each, tokens) for each in there)
    wanted = [_folded(each) for each in _for_whom(tokens)]
    texts = [f" {' '.join(_parts(each))} " for each in shown]
    return all(any(f" {' '.join(_parts(each))} " in text for text in texts) for each in wanted)


def is_amount_of_order(
    name: str, fields: Iterable[tuple[str, str]], shown: Iterable[str], spoken: Spoken
) -> bool:
    """Is the amount shown the one of the order, or below the most that it allows? True where the order names none."""
    orders = tuple(_objects("buy", spoken, fills=True)) or _clauses(spoken.sentences)
    said = " . ".join(" ".join(each.tokens) for each in orders)
    wanted = _amounts(said)
    if not wanted:
        return True
    on_fields = [
        value
        for field, value in fields
        if mentioned(_raw("amount_fields"), field) and re.search(r"\d", value)
    ]
    named = [_amounts(name), {each for value in on_fields for each in _amounts(f"{value} €", value)}]
    exact = set[Decimal]().union(*named)
    found = exact or {each for text in shown for each in _amounts(text)}
    if mentioned(_raw("at_most"), said):
        return bool(found) and max(found) <= max(wanted)
    return found <= wanted if exact else bool(found & wanted)


# ---- the words of the order ----------------------------------------------------------------------


def _objects(kind: str, spoken: Spoken, *, fills: bool = False) -> Iterator[_Clause]:
    """The clauses that order an act of this kind, with those that fill in.

    Where they say “it” or “him”, with what was spoken of before; behind a colon with what follows.
    """
    clauses = _clauses(spoken.sentences)
    before: _Clause | None = None
    for each, following in zip(clauses, [*clauses[1:], None], strict=True):
        chats = kind == "send" and fills and {_folded(token) for token in each.tokens} & listed("chats")
        if kind in each.kinds or (fills and each.fills) or chats:
            refers = {_folded(token) for token in each.tokens} & _list("pronouns")
            empty = not any(_content(each, kind))
            told = _exact(each.said) or (kind != "delete" and _names(_told_before(each), kind))
            if refers and not _exact(each.tokens) and told:  # "if a.txt is there get rid of it"
                yield each._replace(tokens=_referred(each.said, each.tokens))
            own = refers and _exact(each.said)
            if before is not None and not own and (empty or (refers and not _exact(each.tokens))):
                yield before._replace(
                    tokens=_referred(before.said, each.tokens), whole=each.whole and before.whole
                )
            yield each
            leads = each.leads and _folded((*each.tokens, "")[0]) not in _list("within") | {"into"}
            if following is not None and leads and not _has_verb(following):
                words = [_folded(token) for token in following.said]
                asked = set(words[:1]) & (listed("question") | listed("subject") | listed("clause"))
                spoken_of = asked or set(words) & (listed("speech") | listed("negation"))
                yield following if spoken_of else following._replace(tokens=following.said)
        if (kind not in each.kinds or any(_content(each, kind))) and any(
            map(str.isalnum, "".join(each.said))
        ):
            aside = (
                before is not None
                and _names(before, kind)
                and not _names(each, kind)
                and not _brings_up(each, kind)
            )
            before = before if aside else each  # “a.txt is too old. That date has passed; delete it”


def _names(clause: _Clause, kind: str) -> bool:
    """Does a clause name what such an act is done to: a file, an amount, somebody?"""
    if kind == "delete":
        return _exact(clause.said)
    if kind == "buy" and _amounts(" ".join(clause.said)):
        return True
    return any(each[:1].isupper() for each in clause.said[1:]) and not _exact(clause.said)


def _told_before(clause: _Clause) -> _Clause:
    """What a clause tells before it orders: “I owe Bob 5 €, send it to him”."""
    ordered = {each for each in clause.tokens if _parts(each)}
    first = next((n for n, each in enumerate(clause.said) if each in ordered), 0)
    return clause._replace(said=clause.said[:first])


def _brings_up(clause: _Clause, kind: str) -> bool:
    """Does a clause order something with another thing: “make a new file”, but not “open it”?"""
    return _has_verb(clause) and any(not _acts((each,)) for each in _content(clause, kind))


def _referred(said: tuple[str, ...], by: Sequence[str]) -> tuple[str, ...]:
    """The words that “it” stands for; without the file that they name where several things are meant (“them”)."""
    several = {_folded(each) for each in by} & _list("several")
    files = [each for each in said if _exact((each,))]
    return tuple(each for each in said if each not in files) if several and len(files) == 1 else said


@lru_cache(maxsize=64)
def _clauses(sentences: tuple[tuple[str, str], ...]) -> tuple[_Clause, ...]:
    found: list[_Clause] = []
    for (sentence, ordered), (behind, _) in zip(sentences, [*sentences[1:], ("", "")], strict=True):
        allowed = set(ordered.split())
        whole = _parts(sentence) == [each for each in ordered.split() if each != ";"]
        whole = whole and not mentioned(_raw("leaving_out"), sentence)
        goes_on = f"{sentence} {behind}" if sentence.rstrip().endswith(":") else sentence
        ordering = kinds_ordered((_QUOTED.sub(_MARK, goes_on),))
        begun, left_out, speaking, sentence = len(found), False, False, without_tag(sentence)
        excepted = False
        for piece in _PIECES.split(_BLANKS.sub(lambda match: match[0].replace(" ", _BLANK), sentence)):
            new = _clause(tuple(_tokens(piece)), allowed, whole=whole, begins=len(found) == begun)
            begins = {_folded(each) for each in new.said[:1]}
            aside = not _has_verb(new) and bool(
                begins & _list("otherwise")
                or {_folded(each) for each in new.said} & (listed("negation") | {"finger"})
            )
            if aside or (excepted and not _has_verb(new)):
                new = new._replace(tokens=())  # “…, but the 80 € to Gerd can wait”
            excepted = aside or (excepted and not _has_verb(new))
            if new.kinds & ordering and not speaking:
                new = new._replace(tokens=_up_to_clause(new))
            speaking = speaking or bool({_folded(each) for each in new.said} & listed("speech"))
            kept = () if left_out and not _has_verb(new) else _before_exception(new.tokens)
            left_out, new = kept != new.tokens, new._replace(tokens=kept)
            if not _has_verb(new) and len(found) > begun:  # "a.txt, b.txt and c.txt"
                found[-1] = _joined(found[-1], new)._replace(kinds=found[-1].kinds, fills=found[-1].fills)
            elif len(found) > begun and not _has_verb(found[-1]) and _acts(new.tokens[-1:]):
                found[-1] = _joined(found[-1], new)  # "a.txt und b.txt löschen"
            else:
                found.append(new)
        if sentence.rstrip().endswith(":") and len(found) > begun:
            found[-1] = found[-1]._replace(leads=True)
        if more := ordering - frozenset[str]().union(
            *(each.kinds for each in found[begun:])
        ):  # "make a.txt disappear"
            found[begun:] = [
                each._replace(kinds=each.kinds | more) if each.tokens or goes_on == sentence else each
                for each in found[begun:]
            ]
        if any(_folded(each) in listed("machines") for part in found[begun:] for each in part.said):
            found[begun:] = [each._replace(kinds=each.kinds - {"send"}) for each in found[begun:]]
        if "buy" in ordering:  # “send Rosa 40 pounds, by bank transfer”
            found[begun:] = [
                each._replace(kinds=each.kinds | {"buy"}) if "send" in each.kinds else each
                for each in found[begun:]
            ]
    return tuple(found)


def _up_to_clause(clause: _Clause) -> tuple[str, ...]:
    """The words of an order, all up to one that leads a clause that depends on it: “because”, “which”."""
    first = next((n for n, each in enumerate(clause.said) if each in clause.tokens), 0)
    ends = (
        n
        for n, each in enumerate(clause.said)
        if first < n < len(clause.said) - 1
        and _folded(each) in listed("clause") | {"about", "after", "but", "than"}
    )
    end = next(ends, len(clause.said))
    return clause.said[:end] + tuple(each for each in clause.said[end:] if each in clause.tokens)


def _before_exception(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The words up to “except”."""
    spelled = [" ".join(_parts(" ".join(tokens[at:]))) + " " for at in range(len(tokens))]
    ends = (
        at for at, each in enumerate(spelled) if each.startswith(tuple(f"{e} " for e in _list("leaving_out")))
    )
    return tokens[: next(ends, len(tokens))]


def _may_be_verb(tokens: Sequence[str], at: int) -> bool:
    """May this word be a verb? Not with a capital in the middle, as in a title (“the chapter Send Word …”), unless it is pressed (“press Send”)."""
    pressed = at > 0 and _folded(tokens[at - 1]) in listed("pressing")
    return pressed or not tokens[at][:1].isupper()


def _before_relayed(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The words up to what somebody else shall do: “ask him to send …”."""
    folded = [_folded(each) for each in tokens]
    asks = next((n for n, each in enumerate(folded) if each in listed("relayed")), len(folded))
    ends = (
        n
        for n in range(asks + 2, len(folded) - 1)
        if folded[n] in ("to", "zu") and _acts(tokens[n + 1 :][:1])
    )
    return tokens[: next(ends, len(tokens))]


def _joined(first: _Clause, second: _Clause) -> _Clause:
    return second._replace(tokens=first.tokens + second.tokens, said=first.said + second.said)


def _clause(said: tuple[str, ...], allowed: set[str], *, whole: bool, begins: bool) -> _Clause:
    tokens = _before_relayed(tuple(each for each in said if set(_parts(each)) <= allowed))
    plain = _plain(tokens)
    small = _plain(each for n, each in enumerate(tokens) if (begins and not n) or _may_be_verb(tokens, n))
    kinds = frozenset(kind for kind in ("send", "buy") if button_words.speaks(kind, small))
    kinds |= {"delete"} if button_words.speaks("delete", plain) else set()
    kinds |= kinds_ordered((" ".join(_MARK if " " in each else each for each in said),))
    naming = listed("naming") | {"named", "called"}
    if (n := next((n for n, each in enumerate(tokens) if _folded(each) in naming), 0)) and not any(
        button_words.speaks(kind, _plain(tokens[:n])) for kind in ("send", "buy")
    ):
        kinds -= {"send", "buy"}  # “a list named Send Bob a card”
    first = next((at for at, each in enumerate(tokens) if _folded(each) not in _list("plain")), 0)
    if "delete" in kinds and not button_words.speaks("delete", " ".join(tokens[: first + 2])):
        at = next((n for n, each in enumerate(tokens) if button_words.speaks("delete", each)), 0)
        if (
            _acts(tokens[first : first + 1])
            and tokens[at + 1 :]
            and _folded(tokens[first]) not in _list("plain")
        ):
            tokens = tokens[at:]  # "open the folder in which you delete a.txt"
    return _Clause(kinds, tokens, said, whole, mentioned(table_phrases("fill"), plain))


def _has_verb(clause: _Clause) -> bool:
    return bool(clause.kinds) or clause.fills or _acts(clause.tokens)


def _acts(tokens: Iterable[str]) -> bool:
    return mentioned(table_phrases("act"), _plain(tokens))


def _plain(tokens: Iterable[str]) -> str:
    """The words that may be verbs: no file, no path and no quotation."""
    return " ".join(each for each in tokens if not _FILE.fullmatch(each) and not {"/", " ", "("} & set(each))


def _tokens(text: str) -> list[str]:
    stripped = (each.lstrip(_QUOTES).rstrip(_ENDS) for each in text.split())
    return [each.replace(_BLANK, " ") for each in stripped if each]


# ---- files -------------------------------------------------------------------------------------


def _covers(order: _Clause, name: str, folder: Sequence[str], count: int) -> bool:
    """Does the order name this file: by its name, by its kind, as the one selected, or as one of all in a folder?"""
    tokens = [_folded(each) for each in order.tokens]
    if not _is_where(tokens, folder):
        return False
    whole = _folded(name).split()
    known = _list("plain") | _list("pronouns") | _list("all") | _list("selected")
    spelled = _folded(name) in tokens or _run(whole, [each.rsplit("/", 1)[-1] for each in tokens])
    bracketed = "(" in name and _run(_parts(name), [part for each in tokens for part in _parts(each)])
    spelled = spelled or bracketed
    if spelled and not set(whole) <= known:  # a folder may be called "a", or "the file"
        return _is_under(tokens, whole, folder) and not _is_part(tokens, whole)
    stem = _folded(PurePath(name).stem).split()
    if stem != whole and len("".join(stem)) > 1 and not set(stem) <= known and _run(stem, tokens):
        return True
    if not order.whole or _exact(order.tokens):
        return False
    if set(tokens) & _list("selected"):
        return True
    content = [each for each in _content(order, "delete") if not _is_place(each, tokens, folder)]
    every = bool(set(tokens) & _list("all")) or any(each.endswith(("s", "en", "er")) for each in content)
    if not content:
        somewhere = bool(_within(tokens)) or mentioned(_here(), " ".join(tokens))
        return bool(set(tokens) & _list("all")) and somewhere
    return (every or count == 1) and all(_is_kind(each, name) for each in content)


def _is_part(tokens: Sequence[str], whole: Sequence[str]) -> bool:
    """Is it what a part goes from, or what is taken off a list: “the last line of a.txt”, “a.txt from the favourites”?"""
    at = next((n for n, each in enumerate(tokens) if each.rsplit("/", 1)[-1] == whole[0]), -1)
    if at < 0:
        return False
    light = _list("plain") - _list("part_of")
    lead = next((n for n in range(at - 1, -1, -1) if tokens[n] not in light), -1)
    aside = light | {
        word
        for each in policy_tables.order_words().acts["delete"].leading
        for word in re.split(r"[ |]", each)
    }
    object_words = [
        each for each in tokens[:lead] if each not in aside and not button_words.speaks("delete", each)
    ]
    within = _list("part_of") if object_words else _list("part_of") - {"of", "von", "vom"}
    behind = [
        each for each in tokens[at + 1 :] if each not in aside and not button_words.speaks("delete", each)
    ]
    if {"wieder", "back"} & set(tokens):
        return True  # “take a.txt out of the bin again”
    thrown = {"trash", "bin", "papierkorb"} & set(tokens[max(lead, 0) : at])
    if lead >= 0 and tokens[lead] in within and not thrown and (object_words or behind):
        return True
    taken = next(
        (n for n in range(at + 1, len(tokens)) if tokens[n] in ("from", "off", "of", "aus", "von", "vom")),
        len(tokens),
    )
    return bool(set(tokens[taken : taken + _NEAR]) & _list("collections"))


def _exact(tokens: Iterable[str]) -> bool:
    """Is a file named by its whole name?"""
    return any(
        re.search(r"\S\.[a-z]\w{0,5}$", each, re.IGNORECASE) and not each.startswith((".", "*"))
        for each in tokens
    )


def _content(order: _Clause, kind: str) -> list[str]:
    """The words that say which thing it is."""
    aside = _list("plain") | _list("pronouns") | _list("all") | _list("selected")
    aside |= {*policy_tables.order_words().acts[kind].leading}
    tokens = (_folded(each) for each in order.tokens)
    return [each for each in tokens if each not in aside and not button_words.speaks(kind, each)]


def _is_kind(word: str, name: str) -> bool:
    """Does a word such as “screenshots”, “.tmp”, “*.log”, “PDFs” or “pictures” tell the kind of this file?"""
    folded = _folded(name)
    if "*" in word:
        return PurePath(folded).match(word)
    singular = {word, *(word.removesuffix(end) for end in ("s", "es", "e", "n", "en", "er"))} - {""}
    ending = folded.rpartition(".")[2] if "." in folded else ""
    if ending and ending in {each.removeprefix(".") for each in singular}:
        return True
    media = mimetypes.guess_type(folded)[0] or ""
    if any(media.startswith(kind) and word in map(fold, said) for kind, said in _media().items()):
        return True
    return any(len(each) > _LEAST and each in _parts(name) for each in singular)


def _is_where(tokens: Sequence[str], folder: Sequence[str]) -> bool:
    """Is the folder shown one that the order names, where it names one of the user's own (“in my Downloads”)?"""
    wanted = [phrases for each in _within(tokens) if (phrases := _own_folder(each))]
    there = {_folded(each) for each in folder}
    return not wanted or not there or any(there & phrases for phrases in wanted)


def _is_under(tokens: Sequence[str], whole: Sequence[str], folder: Sequence[str]) -> bool:
    """Is it in the folder of the path by which it was named?"""
    paths = [each for each in tokens if "/" in each and whole[0] == each.rsplit("/", 1)[-1]]
    if not paths or not folder:
        return True
    parts = [[part for part in each.split("/")[:-1] if part not in ("", "~", ".")] for each in paths]
    there = [_folded(each) for each in folder]
    return any(there[max(0, len(there) - len(each)) :] == each[-len(there) :] or not each for each in parts)


def _is_place(word: str, tokens: Sequence[str], folder: Sequence[str]) -> bool:
    """Does the word say where it is, and is that the folder shown?"""
    within = _within(tokens)
    name = word.rstrip("/").rsplit("/", 1)[-1]
    there = {_folded(each) for each in folder[-1:]}
    return word in within and (name in there or bool(_own_folder(word) & there))


def _within(tokens: Sequence[str]) -> list[str]:
    """The words right behind “in”, “from” …, with the articles between left out."""
    found = []
    for at, each in enumerate(tokens):
        if each in _list("within"):
            behind = [word for word in tokens[at + 1 :] if word not in _list("plain") or word == "papierkorb"]
            found += (
                behind[:1] or [word for word in tokens[at + 1 :] if button_words.speaks("delete", word)][:1]
            )
    return found


@lru_cache(maxsize=256)
def _own_folder(word: str) -> frozenset[str]:
    """The names of the user's own folder that a word means, none for no such word."""
    for phrases in policy_tables.scope_words().folders.values():
        if word in (names := frozenset(map(_folded, phrases))):
            return names
    bins = frozenset(("trash", "trash can", "papierkorb", "bin", "recycle bin", "trash:///"))
    return bins if word in bins else frozenset()


def _files_in(text: str, *, quoted: bool) -> list[str]:
    """The names of files that a text shows: in quotes, or by their endings."""
    found = [match[1].strip() for match in _QUOTED.finditer(text)] if quoted else []
    return found or [each.rstrip(_ENDS) for each in _FILE.findall(text)]


# ---- people and amounts --------------------------------------------------------------------------


def _people(value: str) -> list[str]:
    return [part for each in re.split(r"[,;\n]", value) if (part := each.strip())]


def _is_said(person: str, tokens: Sequence[str]) -> bool:
    """Does a recipient, as a field shows it, stand in the order: its address, or its name?

    Where the order has an address, an address shown must be that one; where it has a surname, that surname.
    """
    folded = [_folded(each) for each in tokens]
    mails = {_folded(each) for each in _MAIL.findall(person)}
    said = {_folded(each) for token in tokens for each in _MAIL.findall(token)}
    if mails and said:
        return mails <= said
    squeezed = "".join(_parts(person))
    if len(squeezed) >= _LONG and squeezed in "".join("".join(_parts(each)) for each in tokens):
        return True
    shown = _MAIL.sub(" ", person)
    names = [each for each in _parts(shown) if len(each) > _LEAST - 1]
    names = names or [each for mail in mails for each in _parts(mail.partition("@")[0]) if len(each) > _LEAST]
    at = [n for n, each in enumerate(folded) if {each, *_parts(each.removesuffix("'s"))} & set(names)]
    return any(not _goes_on(tokens, n, names) for n in at)


def _goes_on(tokens: Sequence[str], at: int, names: Sequence[str]) -> bool:
    """Is a first name followed by another surname than the one shown?"""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    another = following.isalpha() and following[:1].isupper() and _folded(following) not in names
    return another and len(names) > 1


def _for_whom(tokens: Sequence[str]) -> Iterator[str]:
    """Those whom the order names: addresses, a name behind “to”, a name right behind the verb."""
    for at, each in enumerate(tokens):
        before = _folded(tokens[at - 1]) if at else ""
        name = each.isalpha() and each[:1].isupper() and len(each) > _LEAST - 1
        lead = before in _list("towards") or before in _list("giving")
        if name and lead and _folded(each) not in _list("plain") | _list("pronouns"):
            yield each


def _amounts(*texts: str) -> set[Decimal]:
    found = (match[1] or match[2] for text in texts for match in _AMOUNT.finditer(text))
    return {_decimal(each) for each in found}


def _decimal(text: str) -> Decimal:
    """The number of “1.200,50”, “1,200.50”, “20” and “20,5”."""
    match = re.fullmatch(r"(.*?)(?:[.,](\d{1,2}))?", text)
    whole = re.sub(r"\D", "", match[1] if match else text)
    return Decimal(f"{whole or 0}.{(match[2] if match else '') or 0}")


# ---- words -------------------------------------------------------------------------------------


def _folded(text: str) -> str:
    return fold(text).strip()


def _parts(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(text))


def _run(part: Sequence[str], tokens: Sequence[str]) -> bool:
    """Do the words of a name stand in the tokens one behind the other?"""
    size = len(part)
    return bool(size) and any(list(tokens[at : at + size]) == list(part) for at in range(len(tokens)))


@cache
def _list(field: _List) -> frozenset[str]:
    return frozenset(map(fold, _raw(field)))


def _raw(field: _List) -> tuple[str, ...]:
    entries: tuple[str, ...] = getattr(policy_tables.object_words(), field)
    return entries


def _media() -> dict[str, tuple[str, ...]]:
    return policy_tables.object_words().media


def _here() -> tuple[str, ...]:
    return policy_tables.scope_words().here
