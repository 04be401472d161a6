"""Understands from the user's own words how far a run may go, and which acts they name.

Only what is listed grants (`assets/policy/scope_words.toml`), and what a “not” reaches grants nothing: a word
that is not known, or a sentence that is misunderstood to be forbidding, costs a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import msgspec

from desktop_agent.policy.facts import button_words, policy_tables
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.scope import How
from desktop_agent.policy.facts.words.act_kinds import kinds_ordered
from desktop_agent.policy.facts.words.sentence_reader import speaks_of
from desktop_agent.policy.facts.words.sentence_words import LONGEST, is_others, listed, tokens_of
from desktop_agent.policy.facts.words.withdrawal import called_off, is_own_hand

_SENTENCE = re.compile(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bNr\.)(?<!\bProf\.)(?<!\s[A-Z]\.)(?<=[.!?;:])\s+|[\n。！？；]+"
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)['‘][^'’]{2,}['’](?!\w)")
_CALL = re.compile(r"(?<!\w)\w+\((?=[\"'“)])")
"""A call in a line of code, `send("Bob")`: its name orders nothing."""
_ITEM = re.compile(r"\s*(?:[*•-]|\d{1,2}[.)])(?:\s|\Z)")
_BY_KIND = frozenset(("send", "buy", "delete"))
"""Acts that are named by any word for them; the others (permissions, installing …) only by the button's own words."""
_MOST = 20_000


class Spoken(msgspec.Struct, frozen=True):
    """What the user's words grant: how far, and the words that no “not” reaches, folded, with blanks around each.

    `wanted` are all of them, `named` those that are no text to be typed, `acts` of these the ones that are not quoted.
    `only_presses` tells that they want something pressed, and nothing written or done besides. `sentences` are those
    said, each with its words in `named`.
    """

    how: How
    only_presses: bool
    wanted: str
    named: str
    acts: str
    others: frozenset[str] = frozenset()
    """The kinds of acts that they order in other words."""
    sentences: tuple[tuple[str, str], ...] = ()

    def names(self, name: str) -> bool:
        """Do the words name an element of this name: its words stand in them, or others of the same meaning?"""
        words = _words(name)
        if not words or words in _too_short():
            return False
        return _stands(words, self.wanted) or any(
            words in group and any(_stands(each, self.acts) for each in group) for group in _same()
        )

    def names_act(self, name: str) -> bool:
        """Do they name what pressing something of this name does: it by its name, or an act of that kind?"""
        kind = button_words.kind_of(name)
        by_kind = kind in self._kinds(_BY_KIND) and self._names_object(kind, _words(name))
        return self.names(name) or (bool(kind) and (by_kind or self._leads(name)))

    def names_danger(self, name: str) -> bool:
        """The same for an act that is dangerous by its kind, as the name of a button tells it."""
        kind = button_words.kind_of(name)
        words = _words(name)
        own = words not in _too_short() and _stands(words, self.named)
        return own or self._leads(name) or (kind in self._kinds(_BY_KIND) and self._names_object(kind, words))

    def _names_object(self, kind: str, words: str) -> bool:
        """Is what a button deletes, if it says so, what was spoken of? To delete a letter is not to delete an account."""
        objects = [] if kind != "delete" else button_words.others(kind, words)
        return all(_stands(each, self.wanted) for each in objects)

    def names_kind(self, kind: str) -> bool:
        """Do they name an act of this kind (a key of `button_words.WORDS_FOR`), where no button tells more?"""
        return kind in self._kinds(_BY_KIND)

    def _kinds(self, among: frozenset[str]) -> frozenset[str]:
        return self.others & among

    def _leads(self, name: str) -> bool:
        """“Book it” names the button “Book now”: both begin with what tells the kind."""
        lead = button_words.leading_word(name)
        return bool(lead) and f" {lead} " in self.acts


@lru_cache(maxsize=64)
def understand(texts: Sequence[str]) -> Spoken:
    """What these words of the user, in the order they were said, grant together."""
    wanted, named, acts, bare, objects = [], [], [], [], []
    before = ""
    sentences = _sentences(texts)
    for sentence, off in sentences:
        unquoted = _QUOTED.sub(lambda found: " " * len(found[0]), sentence)
        plain = _ordered(unquoted)
        pressing = _any(table_phrases("act"), plain) or bool(kinds_ordered((_without_quoted(sentence),)))
        wanted.append(_ordered(sentence) if pressing else plain)
        bare.append(plain)
        named.append(_before(_really(sentence, wanted[-1], before, off), table_phrases("quoting")))
        objects.append(_really(sentence, wanted[-1], before, off, nouns=True))
        acts.append(_before(_really(unquoted, plain, before, off), table_phrases("quoting")))
        if not _ITEM.match(sentence):
            goes_on = sentence.rstrip().endswith((":", ";") if before else ":")
            before = f"{before}{sentence} " if goes_on else ""
    said = _joined(bare)
    filling = _any(table_phrases("fill"), said)
    acting = _any(table_phrases("act"), said)
    how = How.ACT if acting else How.FILL if filling else How.LOOK
    more = set(table_phrases("act")) - set(table_phrases("presses"))
    only_presses = acting and not filling and not _any(more, said)
    others = kinds_ordered(map(_without_quoted, texts))
    quoting = table_phrases("quoting")
    pairs = tuple(
        (each, _before(words, quoting)) for (each, _), words in zip(sentences, objects, strict=True)
    )
    return Spoken(how, only_presses, _joined(wanted), _joined(named), _joined(acts), others, pairs)


def mentioned(phrases: Iterable[str], text: str) -> bool:
    """Does one of the phrases stand in the text, as whole words?"""
    return _any(tuple(_words(phrase) for phrase in phrases), _words(text))


def _without_quoted(text: str) -> str:
    """The text with a mark for each quotation, whose words order nothing."""
    return _QUOTED.sub(" \N{REFERENCE MARK} ", text)


def _sentences(texts: Sequence[str]) -> list[tuple[str, int]]:
    """The sentences of the texts, each with how many of its characters are called off by later words."""
    last, so_far = called_off(tuple(texts))
    found = []
    for at, text in enumerate(texts):
        until = len(text) if at < last else so_far if at == last else 0
        start = 0
        for end, following in [*((m.start(), m.end()) for m in _SENTENCE.finditer(text[:_MOST])), (_MOST, 0)]:
            if (part := text[start:end]).strip():
                plain = _CALL.sub(lambda found: " " * len(found[0]), part)
                found.append((plain, min(max(0, until - start), len(part))))
            start = following
    return found


def _ordered(sentence: str) -> str:
    """The words of a sentence that order something: without those that a “not” or a “whether” reaches."""
    left = [_words(sentence)]
    for phrase in table_phrases("contrast"):
        left = [part for each in left for part in _split(each, phrase)]
    kept = (
        _before(part, (*table_phrases("not_after"), *table_phrases("only_asked")))
        for part in left
        if not _any(table_phrases("not_at_all"), part)
    )
    return " ; ".join(part for part in kept if part.strip())


def _really(sentence: str, plain: str, before: str, off: int, *, nouns: bool = False) -> str:
    """The ordered words without those that are told, asked or said to others, as `orders` reads them behind “…:”.

    Nor are those of the first characters, `off` of them, which are called off.

    Words that are verbs and nouns, as “trash”, are taken for verbs only beside one, but where `nouns` are wanted, too.
    """
    told, free = set[str](), set[str]()
    for word, is_told in _told_words(sentence, before, off):
        (told if is_told else free).add(word)
    table = policy_tables.order_words()
    if not nouns and not (told | free) & {*table.with_nouns}:
        told |= set(table.nouns)
        free -= told
    return " ".join(";" if word in told - free else word for word in plain.split())


@lru_cache(maxsize=256)
def _told_words(sentence: str, before: str, off: int) -> tuple[tuple[str, bool], ...]:
    """Each word, and whether it is told, called off, left to the user's hand, another's, or too far behind to be read."""
    ends = _word_ends(sentence)
    pairs = zip(ends, [*ends[1:], (0, "")], strict=False)
    tokens = tokens_of(sentence)
    own = (is_own_hand(tokens) and not set(tokens) & listed("secret")) or is_others(tokens)
    return tuple(
        (word, own or not off < at <= LONGEST - len(before) or speaks_of(before + sentence[:at], following))
        for (at, word), (_, following) in pairs
    )


def _word_ends(sentence: str) -> list[tuple[int, str]]:
    """Each word, folded, with where it ends."""
    return [(m.end(), fold(m[0])) for m in re.finditer(r"[^\W_]+", sentence)]


def _split(words: str, phrase: str) -> list[str]:
    parts = words.split(phrase) if _unspaced(phrase) else f" {words} ".split(f" {phrase} ")
    return [part.strip() for part in parts]


def _before(words: str, phrases: Iterable[str]) -> str:
    """The words up to the first of the phrases."""
    for phrase in phrases:
        words = _split(words, phrase)[0]
    return words


def _any(phrases: Iterable[str], words: str) -> bool:
    spaced = f" {words} "
    return any(phrase in spaced if _unspaced(phrase) else f" {phrase} " in spaced for phrase in phrases)


def _stands(words: str, said: str) -> bool:
    return _any((words,), said) if words else False


def _joined(parts: Iterable[str]) -> str:
    return " " + " ; ".join(part.strip() for part in parts if part.strip()) + " "


def _words(text: str) -> str:
    """The folded words of a text, with single blanks between."""
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


@lru_cache(maxsize=4096)
def _unspaced(phrase: str) -> bool:
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in phrase)


@cache
def table_phrases(field: str) -> tuple[str, ...]:
    """A list of the table, as `_words` spells it."""
    entries: tuple[str, ...] = getattr(policy_tables.scope_words(), field)
    return tuple(dict.fromkeys(words for each in entries if (words := _words(each))))


@cache
def _too_short() -> frozenset[str]:
    return frozenset(table_phrases("too_short"))


@cache
def _same() -> tuple[frozenset[str], ...]:
    groups = policy_tables.scope_words().same.values()
    return tuple(frozenset(_words(each) for each in group) for group in groups)
