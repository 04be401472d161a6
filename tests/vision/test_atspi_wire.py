"""Our fast D-Bus encoding and decoding agree with jeepney's."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jeepney import DBusAddress, new_error, new_method_call, new_method_return, new_signal  # type: ignore[import-untyped]
from jeepney.low_level import HeaderFields, Parser  # type: ignore[import-untyped]

from desktop_agent.vision.atspi.gather import ITEMS, decode_items
from desktop_agent.vision.atspi.wire import (
    BusReply,
    Call,
    Signal,
    bits,
    decimal,
    decode,
    encode,
    message_size,
    number,
    reference,
    references,
    text,
)

NAMES = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=12)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: "/" + "/".join(names))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
U32 = st.integers(0, 2**32 - 1)
I32 = st.integers(-(2**31), 2**31 - 1)
REFERENCE = st.tuples(st.just(":1.7"), PATHS)
ROW = st.tuples(
    REFERENCE, REFERENCE, REFERENCE, I32, I32, st.lists(TEXTS, max_size=4), TEXTS, U32, TEXTS,
    st.lists(U32, min_size=2, max_size=2),
)  # fmt: skip


def _asked() -> Any:
    request = new_method_call(DBusAddress("/a", ":1.2", "x.Y"), "Ask")
    request.header.serial = 9
    request.header.fields[HeaderFields.sender] = ":1.1"
    return request


def _answer(signature: str, *values: Any) -> BusReply:
    reply = decode(new_method_return(_asked(), signature, values).serialise(serial=4))
    assert isinstance(reply, BusReply)
    return reply


ARGUMENTS = st.one_of(
    st.just(("", ())),
    st.tuples(st.just("s"), st.tuples(TEXTS)),
    st.tuples(st.just("su"), st.tuples(TEXTS, U32)),
    st.tuples(st.just("asu"), st.tuples(st.lists(TEXTS, max_size=3), U32)),
)


@given(PATHS, ARGUMENTS, st.integers(1, 2**32 - 1))
def test_a_call_is_what_jeepney_reads(path: str, arguments: tuple[str, tuple[Any, ...]], serial: int) -> None:
    call = Call(":1.42", path, "org.a11y.atspi.Text", "GetText", *arguments)
    parser = Parser()
    parser.add_data(encode(call, serial))
    message = parser.get_next_message()
    fields = message.header.fields
    assert message.header.serial == serial
    assert fields[HeaderFields.destination] == ":1.42"
    assert fields[HeaderFields.path] == path
    assert fields[HeaderFields.interface] == "org.a11y.atspi.Text"
    assert fields[HeaderFields.member] == "GetText"
    assert message.body == arguments[1]


@given(st.lists(ROW, max_size=6), U32)
def test_rows_are_those_jeepney_reads(rows: list[Any], wanted: int) -> None:
    answer = _answer(ITEMS, rows)
    found, children = decode_items(answer.body, wanted)
    (expected,) = answer.values()
    kept = [row for row in expected if row[9][0] & wanted == wanted]
    assert [tuple(item[:4]) for item in found] == [(r[0][1], r[2][1], r[3], r[4]) for r in kept]
    assert [tuple(item[5:]) for item in found] == [(r[6], r[7], r[8], r[9][0] | r[9][1] << 32) for r in kept]
    assert children.total() == len(rows)
    assert all(name.encode() in item.interfaces for item, r in zip(found, kept, strict=True) for name in r[5])


@given(st.tuples(I32, I32, I32, I32))
def test_extents_are_those_jeepney_reads(extents: tuple[int, int, int, int]) -> None:
    answer = _answer("(iiii)", extents)
    assert answer.extents() == extents
    assert answer.values() == (extents,)


@given(st.lists(REFERENCE, max_size=5), TEXTS, U32, I32, st.floats(allow_nan=False))
def test_single_answers_are_those_jeepney_reads(
    some: list[tuple[str, str]], words: str, word: int, whole: int, decimal_: float
) -> None:
    assert references(_answer("a(so)", some)) == some
    assert [text(_answer("s", words)), text(_answer("v", ("s", words)))] == [words, words]
    assert [number(_answer("i", whole)), number(_answer("v", ("i", whole)))] == [whole, whole]
    assert bits(_answer("au", [word, word])) == word | word << 32
    assert decimal(_answer("v", ("d", decimal_))) == decimal_
    for name, path in some:
        assert references(_answer("(so)", (name, path))) == [(name, path)]
        assert reference(_answer("v", ("(so)", (name, path)))) == path


@given(PATHS, TEXTS, I32)
def test_a_signal_is_heard_whole(path: str, words: str, whole: int) -> None:
    message = new_signal(DBusAddress(path, interface="x.Y"), "Changed", "si", (words, whole))
    message.header.fields[HeaderFields.sender] = ":1.9"
    signal = decode(message.serialise(serial=3))
    assert isinstance(signal, Signal)
    assert (signal.sender, signal.path, signal.member, signal.signature) == (":1.9", path, "Changed", "si")


def test_an_answer_of_another_kind_is_none_of_ours() -> None:
    answer = _answer("s", "words")
    assert answer.extents() is None
    assert references(answer) == []
    assert text(_answer("u", 3)) == ""


def test_an_error_carries_its_name_and_no_values() -> None:
    reply = decode(new_error(_asked(), "org.example.No", "s", ("because",)).serialise(serial=4))
    assert isinstance(reply, BusReply)
    assert (reply.serial, reply.error, reply.values()) == (9, "org.example.No", ())


def test_a_call_to_us_is_not_a_reply() -> None:
    assert decode(new_method_call(DBusAddress("/a", ":1.2", "x.Y"), "Ask").serialise(serial=1)) is None


def test_a_message_is_measured_before_it_has_all_arrived() -> None:
    message = new_method_return(_asked(), "s", ("a long answer",)).serialise(serial=4)
    assert message_size(message[:15], 0) == 0
    assert message_size(message[:16], 0) == len(message)
    assert message_size(b"xx" + message, 2) == len(message)


def test_another_byte_order_is_refused() -> None:
    with pytest.raises(ValueError, match="byte order"):
        message_size(b"B" + bytes(15), 0)
