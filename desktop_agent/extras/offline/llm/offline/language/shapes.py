"""Brings a clause into one form, whatever form it was said in: request, passive, wish, cleft, with the place before the verb."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from desktop_agent.extras.offline.llm.offline.language.inflection import Form
from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon, Verb
from desktop_agent.extras.offline.llm.offline.language.slot_places import as_app, as_file, as_item
from desktop_agent.extras.offline.llm.offline.language.slot_words import DETERMINERS
from desktop_agent.extras.offline.llm.offline.language.tokens import Span, Token
from desktop_agent.extras.offline.llm.offline.words import known_folder

_LONGEST_VALUE, _LONGEST_PUT = 4, 6
_LONGEST = 120
"""Words of a clause beyond which only its beginning is looked at for a verb."""
AWAITED = "wait until"


class Shape(msgspec.Struct, frozen=True):
    """A clause brought into one form: its verb, and pieces that hold the object and the other arguments.

    `front` are arguments that stood before the verb, each a piece of its own.
    """

    verb: Verb
    rest: Span
    front: tuple[Span, ...] = ()
    object: Span | None = None
    denied: bool = False


def with_verb(clause: Span, verb: str) -> Span:
    """The clause with a verb before it that it was said without."""
    at = clause.tokens[0].start
    words = tuple(Token(f"{word} ", word, "word", at, at) for word in verb.split())
    return Span((*words, *clause.tokens), clause.whole, clause.memory)


def stripped(span: Span, lexicon: Lexicon) -> Span:
    """The clause without politeness, time words and marks at its ends."""
    if (
        len(span) > 1
        and span.tokens[-1].low in "!?"
        and lexicon.trail.before(span.lows[:-1]) == len(span) - 1
    ):
        return span.part(0, 0)
    changed = True
    while changed and len(span):
        changed = False
        if span.tokens[0].kind == "mark" and (span.tokens[0].low in ",.;:!\n" or _bullet(span)):
            span, changed = span.part(1), True
        elif span.tokens[-1].kind == "mark" and span.tokens[-1].low in ",.;-–—\n":
            span, changed = span.part(0, -1), True
        elif numbered(span):
            span, changed = span.part(2), True
        elif (led := lexicon.lead.at(span.lows)) and led >= max(
            lexicon.gerund_lead.at(span.lows), lexicon.past_lead.at(span.lows)
        ):
            span, changed = span.part(led), True
        elif (trailed := lexicon.trail.before(span.lows)) and not _is_numbered_thing(span, trailed):
            span, changed = span.part(0, -trailed), True
    return span


def _is_numbered_thing(span: Span, trailed: int) -> bool:
    """Does “first” stand for a thing: “close the first”?"""
    return trailed == 1 and span.lows[-1] == "first" and span.lows[-2:-1] == ("the",)


def _bullet(span: Span) -> bool:
    """Is the first mark that of a list's entry, with a space behind it?"""
    return span.tokens[0].low in "-–—*•" and len(span) > 1 and span.tokens[1].start > span.tokens[0].end


def numbered(span: Span) -> bool:
    """Does it begin with the number of a list's entry: "2." or "2)"?"""
    return (
        len(span) > 2
        and span.tokens[0].text.isdigit()
        and span.tokens[1].kind == "mark"
        and span.tokens[1].low in ".)"
    )


def shapes(clause: Span, lexicon: Lexicon, marked: bool) -> Iterator[Shape]:
    yield from _imperative(clause, lexicon, "base")
    if led := lexicon.gerund_lead.at(clause.lows):
        yield from _imperative(clause.part(led), lexicon, "gerund")
    if led := lexicon.past_lead.at(clause.lows):
        yield from _imperative(clause.part(led), lexicon, "participle")
    if marked:
        done = (*_imperative(clause, lexicon, "gerund"), *_imperative(clause, lexicon, "participle"))
        yield from (
            done
            if done and clause.text[0].islower()
            else _imperative(with_verb(clause, AWAITED), lexicon, "base")
        )
    if asked := lexicon.knowing.at(clause.lows):
        wondered = clause.part(asked)
        if len(wondered) and wondered.lows[0] in _QUESTIONS:
            yield from _imperative(wondered, lexicon, "base")
            yield from _imperative(with_verb(wondered, "tell me"), lexicon, "base")
    yield from _bare(clause, lexicon)
    yield from _of_subject(clause, lexicon)
    yield from _placed(clause, lexicon)
    yield from _passive(clause, lexicon)
    yield from _wanted(clause, lexicon)
    yield from _cleft(clause, lexicon)
    yield from _inverted(clause, lexicon)
    yield from _asked_whether(clause, lexicon)


def _cleft(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Postpone is the button to press”, “the button to press is Postpone”, “Postpone is what you should press”."""
    lows = clause.lows
    for at in range(1, min(len(clause) - 1, _LONGEST)):
        length = lexicon.copulas.at(lows, at)
        if not length:
            continue
        before, behind = stripped(clause.part(0, at), lexicon), stripped(clause.part(at + length), lexicon)
        for named, thing in ((behind, before), (before, behind)):
            if not len(named) or not len(thing):
                continue
            if asked := lexicon.cleft.at(named.lows):
                yield from _imperative_of(named.part(asked), thing, lexicon)
            wished = lexicon.wished.before(named.lows)
            if wished and wished < len(named):
                source = named.part(0, -wished)
                for verb in lexicon.verbs_at(("choose",), 0, "base"):
                    alone = source.text.lower() in lexicon.nameless
                    yield Shape(verb, thing.part(0, 0) if alone else with_verb(source, "from"), (), thing)
            yield from _wished_done(named, thing, lexicon)
            if named.lows[0] == "how":
                yield from _how_it_should_be(named, thing, lexicon)
            if named.lows[0] == "the":
                yield from _told_of(named, thing, lexicon)
            if named.lows[0] == "what":
                yield from _what_becomes(named.part(1), thing, lexicon)


def _how_it_should_be(named: Span, state: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Ticked is how Newsletter should be”, “closed is how I want it”."""
    wish = lexicon.wanting.at(named.lows, 1)
    end = next((at for at in range(2, len(named) - 1) if lexicon.obliging.at(named.lows, at)), 0)
    thing = named.part(1 + wish) if wish else named.part(1, end) if named.lows[-1] == "be" and end else None
    if thing is None:
        return
    for verb in lexicon.verbs_at(state.lows, 0, "participle"):
        yield from _with_particle(verb, state.part(len(verb.words)), thing)


def _wished_done(named: Span, thing: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Hello is what I want typed”, “dark is the theme I'd like chosen”: a wish that tells what is to be done with a thing."""
    for at in range(1, min(len(named) - 1, 6)):
        wish = lexicon.wanting.at(named.lows, at)
        skip = lexicon.states.at(named.lows, at + wish) if wish else 0
        for verb in lexicon.verbs_at(named.lows, at + wish + skip, "participle") if wish else ():
            source = named.part(0, at - (named.lows[at - 1] in ("that", "which")))
            tail = named.part(at + wish + skip + len(verb.words))
            if source.text.lower() not in lexicon.nameless:
                tail = Span((*tail.tokens, *with_verb(source, "from").tokens), named.whole, named.memory)
            yield from _with_particle(verb, tail, thing)


def _what_becomes(said: Span, thing: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“final.txt is what draft.txt should be called”: what a thing is to become, named first."""
    for at in range(1, len(said)):
        length = lexicon.obliging.at(said.lows, at)
        rest = said.part(at + length)
        for became in lexicon.became_at(rest.lows, "base") if length and len(rest) else ():
            if len(became.words) == len(rest) and became.led:
                subject = said.part(0, at - (said.lows[at - 1] == ","))
                for each in lexicon.verbs_at(became.verb, 0, "base"):
                    if each.words == became.verb:
                        yield Shape(each, with_verb(thing, became.led), (), subject)


def _told_of(named: Span, thing: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“The button that you should press”, of a thing that is named elsewhere."""
    for at in range(2, min(len(named) - 1, 6)):
        if asked := lexicon.to_be_done.at(named.lows, at):
            noun = " ".join(named.lows[:at])
            object_ = thing if noun in lexicon.nameless else with_verb(thing, noun)
            yield from _imperative_of(named.part(at + asked), object_, lexicon)


def _imperative_of(words: Span, thing: Span, lexicon: Lexicon) -> Iterator[Shape]:
    for verb in lexicon.verbs_at(words.lows, 0, "base"):
        yield Shape(verb, words.part(len(verb.words)), (), thing)


def _bare(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """A sum or a price without a verb: “18 % of 250?”, “12 + 30 into total.txt”, “price of the kettle?”."""
    figures = sum(each.kind == "number" for each in clause.tokens)
    yield from _telegraphed(clause, lexicon)
    if len(clause) == 1 and clause.tokens[0].kind == "address":
        yield from _imperative(with_verb(clause, "go to"), lexicon, "base")
    if figures > 1 and (clause.tokens[0].kind == "number" or clause.lows[0] == "("):
        for verb in ("calculate", "put"):
            yield from _imperative(with_verb(clause, verb), lexicon, "base")
    elif _is_pair(clause) and (clause.lows[1] == ":" or not any(lexicon.verbs_at(clause.lows, 0, "base"))):
        yield from _imperative(with_verb(clause, "fill the form :"), lexicon, "base")
    elif clause.whole[: clause.tokens[0].start].endswith("(") and as_app(clause):
        yield from _imperative(with_verb(clause, "use"), lexicon, "base")
    elif _is_put(clause) and not any(lexicon.verbs_at(clause.lows, 0, "base")):
        yield from _imperative(with_verb(clause, "put"), lexicon, "base")
    elif known_folder(clause.text):
        yield from _imperative(with_verb(clause, "it's in"), lexicon, "base")
    elif _asked(clause) and not any(lexicon.verbs_at(clause.lows, 0, "base")):
        yield from _imperative(with_verb(clause, "tell me"), lexicon, "base")
    elif clause.text.startswith("./"):
        yield from _imperative(with_verb(clause, "run"), lexicon, "base")
    elif clause.lows[:2] in (("price", "of"), ("cost", "of")) or clause.lows[:3] in (
        ("the", "price", "of"),
        ("the", "cost", "of"),
    ):
        yield from _imperative(with_verb(clause, "tell me"), lexicon, "base")


def _telegraphed(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Editor front”, “newsletter off”, “date in terminal”: a few words without a verb, the thing first."""
    if len(clause) > _LONGEST_TELEGRAPHED or any(lexicon.verbs_at(clause.lows, 0, "base")):
        return
    for said, verb in lexicon.telegraph:
        thing = clause.part(0, -len(said))
        if len(thing) and clause.lows[-len(said) :] == said and thing.lows[-1] not in _LINKS:
            if verb == "run":
                yield from _imperative(with_verb(clause, verb), lexicon, "base")
            else:
                yield from _imperative(with_verb(thing, verb), lexicon, "base")


_LONGEST_TELEGRAPHED = 5
_LINKS = frozenset(("is", "are", "was", "were", "be", "not", "isn't", "aren't", "and", "the", "a", "to"))


def _asked(clause: Span) -> bool:
    """Is the whole instruction a few words with a question mark: “phone number on this page?”?"""
    alone = clause.text.rstrip(" ?") == clause.whole.strip(" ?\n") and "?" in clause.whole
    plain = not clause.lows[0].endswith("ing") and clause.lows[0] not in _QUESTIONS
    return alone and plain and len(clause) <= _LONGEST_PUT


_QUESTIONS = frozenset(
    ("what", "which", "who", "when", "where", "why", "how", "is", "are", "was", "were", "am", "does", "do", "did", "can",
     "could", "should", "shall", "will", "would", "may", "might", "must", "has", "have", "had", "i", "we")
)  # fmt: skip


def _is_put(clause: Span) -> bool:
    """Does it say what goes into a file: “the price into total.txt”?"""
    plain = clause.lows[0] in DETERMINERS or clause.tokens[0].kind in ("number", "quote")
    into = clause.lows.index("into") if "into" in clause.lows[1:] else 0
    return plain and 0 < into <= _LONGEST_PUT and any(each.kind == "file" for each in clause.tokens[into:])


def _is_pair(clause: Span) -> bool:
    """Is it a field and what it shall show, among other things that are asked for: “Country: Norway, then Save”?"""
    if clause.text == clause.whole.strip(" .\n"):
        return False
    if clause.tokens[0].kind != "word" or ":" not in clause.lows[1:3]:
        return False
    value = clause.part(clause.lows.index(":") + 1)
    named = len(value) and (value.tokens[0].kind != "word" or value.text[:1].isupper() or "@" in value.text)
    return bool(named) and len(value) <= _LONGEST_VALUE and not as_app(clause.part(0, clause.lows.index(":")))


def _inverted(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Into the box called City goes Bergen”: the place first, the thing last."""
    if not lexicon.places.at(clause.lows):
        return
    yield from _where_belongs(clause, lexicon)
    for at in range(2, min(len(clause) - 1, _LONGEST)):
        length = lexicon.inverted.at(clause.lows, at)
        thing = clause.part(at + length)
        if not length or not len(thing):
            continue
        before = clause.part(0, at - 1 if clause.lows[at - 1] == "," else at)
        fronts = _fronts(before, lexicon)
        for verb in ("put",) if as_file(thing) else ("put", "write"):
            for each in lexicon.verbs_at((verb,), 0, "base"):
                yield Shape(each, thing.part(len(thing)), fronts, thing)


def _where_belongs(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“In the trash is where old.txt belongs”."""
    for at in range(2, min(len(clause) - 2, _LONGEST)):
        said = clause.part(at + 2)
        if clause.lows[at : at + 2] == ("is", "where") and (length := lexicon.inverted.before(said.lows)):
            thing = said.part(0, -length)
            for each in lexicon.verbs_at(("put",), 0, "base") if len(thing) else ():
                yield Shape(each, thing.part(len(thing)), _fronts(clause.part(0, at), lexicon), thing)


def _asked_whether(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“Could the folder be renamed …?”, “may the editor fill the screen?”: said of a thing, as a question."""
    if clause.lows[0] not in lexicon.modals:
        return
    lows = clause.lows
    for at in range(2, min(len(clause), _LONGEST)):
        thing = clause.part(1, at)
        while len(thing) > 1 and thing.lows[-1] in lexicon.softening:
            thing = thing.part(0, -1)
        yield from _becoming(clause.part(at), thing, lexicon)
        if length := lexicon.passive.at(("should", *lows[at:])):
            done = clause.part(at + length - 1)
            for verb in lexicon.verbs_at(done.lows, 0, "participle"):
                yield from _with_particle(verb, done.part(len(verb.words)), thing)


def with_done(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“With the box ticked, …”: a thing, and what is to have been done with it."""
    if clause.lows[0] not in lexicon.absolute:
        return
    clause = clause.part(1)
    for at in range(1, min(len(clause), _LONGEST)):
        for verb in lexicon.verbs_at(clause.lows, at, "participle"):
            yield from _with_particle(verb, clause.part(at + len(verb.words)), clause.part(0, at))


def _of_subject(clause: Span, lexicon: Lexicon, *, wanted: bool = False) -> Iterator[Shape]:
    """“The file should go into the trash”: what is said of a thing that is to become so.

    Behind a wish it may be told as it shall be (“make sure it ends up in …”); else that only tells how things are, save
    for words like “belongs”.
    """
    for at in range(1, min(len(clause), _LONGEST)):
        strong = lexicon.obliging.at(clause.lows, at)
        length = strong or lexicon.allowing.at(clause.lows, at)
        if length and as_app(clause.part(0, at)):
            using = with_verb(clause.part(0, at), "with")
            for shape in _imperative(clause.part(at + length), lexicon, "base"):
                yield msgspec.structs.replace(shape, front=(using, *shape.front))
        if length:
            yield from _becoming(
                clause.part(at + length),
                clause.part(0, at),
                lexicon,
                be=bool(strong) and clause.lows[at] != "must",
            )
        else:
            yield from _becoming(
                clause.part(at), clause.part(0, at), lexicon, be=wanted, form="third", wanted=wanted
            )


def _becoming(
    said: Span, thing: Span, lexicon: Lexicon, *, be: bool = True, form: Form = "base", wanted: bool = True
) -> Iterator[Shape]:
    """What is asked for by words that tell what is to become of a thing: “go into the trash”."""
    for became in lexicon.became_at(said.lows, form):
        if not be and became.words[0] == "be":
            continue  # “it can be in the trash” tells where it may be
        rest = said.part(len(became.words))
        if not wanted and (
            became.words[0] not in lexicon.habitual or not (len(rest) or len(became.words) > 1)
        ):
            continue
        if not wanted and rest.lows[:1] == ("to",) and not as_item(thing):
            continue  # “the bus goes to Oslo”
        tail = with_verb(rest, became.led) if became.led and len(rest) else rest
        for each in lexicon.verbs_at(became.verb, 0, "base"):
            if each.words == became.verb:
                yield Shape(each, tail, (), thing)


def _imperative(clause: Span, lexicon: Lexicon, form: Form) -> Iterator[Shape]:
    for verb in lexicon.verbs_at(clause.lows, 0, form):
        rest = clause.part(len(verb.words))
        yield from _particled(Shape(verb, rest))


def _particled(shape: Shape) -> Iterator[Shape]:
    """With a particle behind the object: “switch the light off”."""
    particle = shape.verb.particle
    if not particle:
        yield shape
        return
    lows = shape.rest.lows
    for at in range(1, len(lows) - len(particle) + 1):
        if lows[at : at + len(particle)] == particle:
            yield Shape(shape.verb, shape.rest.part(at + len(particle)), shape.front, shape.rest.part(0, at))


def _placed(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“In Documents, make a folder …”: a place before the verb."""
    if clause.tokens[0].kind == "address" and len(clause) > 2 and clause.lows[1] in ":,":
        after = stripped(clause.part(2), lexicon)
        for shape in _imperative(after, lexicon, "base") if len(after) else ():
            yield msgspec.structs.replace(shape, front=(with_verb(clause.part(0, 1), "on"), *shape.front))
    if ":" in clause.lows[1:4] and as_app(named := clause.part(0, clause.lows.index(":"))):
        after = stripped(clause.part(len(named) + 1), lexicon)
        for shape in (*_imperative(after, lexicon, "base"), *_bare(after, lexicon)) if len(after) else ():
            yield msgspec.structs.replace(shape, front=(with_verb(named, "in"), *shape.front))
    if not lexicon.places.at(clause.lows):
        return
    for at in range(2, min(len(clause), _LONGEST)):
        fronts = _fronts(clause.part(0, at), lexicon)
        after = stripped(clause.part(at), lexicon)
        for shape in (
            *_imperative(after, lexicon, "base"),
            *_passive(after, lexicon),
            *_of_subject(after, lexicon),
            *_wanted(after, lexicon),
            *_cleft(after, lexicon),
        ):
            yield msgspec.structs.replace(shape, front=(*fronts, *shape.front))


def _fronts(before: Span, lexicon: Lexicon) -> tuple[Span, ...]:
    """What stands before a verb, cut at commas that have a place behind them: “under that name, in Documents, …”."""
    pieces, start = list[Span](), 0
    for at in range(1, len(before) + 1):
        if at == len(before) or (before.lows[at] == "," and lexicon.places.at(before.lows, at + 1)):
            pieces.append(before.part(start, at))
            start = at + 1
    ended = pieces[-1]
    return (*pieces[:-1], ended.part(0, -1) if len(ended) > 1 and ended.lows[-1] == "," else ended)


def _passive(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“The file should be renamed …”, “the file needs renaming”: the object before the verb."""
    lows = clause.lows
    for at in range(1, min(len(clause), _LONGEST)):
        for phrases, form, denied in (
            (lexicon.passive, "participle", False),
            (lexicon.passive_denied, "participle", True),
            (lexicon.gerund_passive, "gerund", False),
        ):
            length = phrases.at(lows, at)
            if not length:
                continue
            rest = clause.part(at + length)
            for verb in lexicon.verbs_at(rest.lows, 0, form):  # type: ignore[arg-type]
                tail = rest.part(len(verb.words))
                for shape in _with_particle(verb, tail, clause.part(0, at)):
                    yield msgspec.structs.replace(shape, denied=denied)


_IT_IS = frozenset(("it's", "that's"))


def _wanted(clause: Span, lexicon: Lexicon) -> Iterator[Shape]:
    """“I want the file renamed …”."""
    length = lexicon.wanting.at(clause.lows)
    rest = clause.part(length)
    if not length:
        return
    if len(rest) > 1 and rest.lows[0] in _IT_IS:
        it = with_verb(rest.part(1), "it").part(0, 1)
        for verb in lexicon.verbs_at(rest.lows, 1, "participle"):
            yield from _with_particle(verb, rest.part(1 + len(verb.words)), it)
    yield from _of_subject(rest, lexicon, wanted=True)
    for at in range(1, min(len(rest), _LONGEST)):
        yield from _becoming(rest.part(at + (rest.lows[at] == "to")), rest.part(0, at), lexicon)
        skip = lexicon.states.at(rest.lows, at)
        if rest.lows[at - 1] in ("is", "are", "be", "not", "isn't", "aren't"):
            continue
        denied = bool(skip) and {"not", "isn't", "aren't"} & set(rest.lows[at : at + skip])
        for verb in (done := tuple(lexicon.verbs_at(rest.lows, at + skip, "participle"))):
            for shape in _with_particle(verb, rest.part(at + skip + len(verb.words)), rest.part(0, at)):
                yield msgspec.structs.replace(shape, denied=bool(denied))
        if any(rest.lows[at + skip + len(each.words) :][:1] in ((",",), ("and",)) for each in done):
            return  # “the box ticked, the other one …”: what follows is another one


def _with_particle(verb: Verb, tail: Span, thing: Span) -> Iterator[Shape]:
    if not verb.particle:
        yield Shape(verb, tail, (), thing)
    elif tail.lows[: len(verb.particle)] == verb.particle:
        yield Shape(verb, tail.part(len(verb.particle)), (), thing)
