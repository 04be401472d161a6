"""Every dialect decodes what was ever recorded in it, and refuses the rest with the path of each error."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.dialects.base import MAX_REPLY_BYTES, Dialect, dialect_of
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.ops import OPS, RESERVED, name_of
from desktop_agent.support import plugins
from tests.contract.families import each_of, recorded

OPERATIONS = tuple(sorted(set(OPS) - RESERVED))


def operations_of(dialect: Dialect) -> tuple[str, ...]:
    """Those that it has a form for."""
    return tuple(each for each in OPERATIONS if dialect.operations is None or each in dialect.operations)


@each_of("dialect")
def test_every_recorded_reply_decodes(name: str, module: ModuleType) -> None:
    dialect = dialect_of(name, module)
    said = [(version, dialect.decode(text, OPERATIONS)) for version, text in recorded(name)]
    first = {name_of(reply.actions[0]) for version, reply in said if version == "v1"}
    assert first == set(operations_of(dialect))
    assert all(reply.notes for _, reply in said)


@each_of("dialect")
@pytest.mark.parametrize("text", ["\x00\xff", "][", "{}}", '"', "[1, 2", "9" * 5_000])
def test_garbage_is_refused_with_a_path_or_is_only_said(name: str, module: ModuleType, text: str) -> None:
    try:
        reply = dialect_of(name, module).decode(text)
    except BadReply as error:
        assert all(each.path and each.message for each in error.problems)
    else:
        assert not reply.actions and text.startswith(reply.notes) and reply.notes


@each_of("dialect")
def test_a_text_without_end_is_refused(name: str, module: ModuleType) -> None:
    with pytest.raises(BadReply) as caught:
        dialect_of(name, module).decode("x" * (MAX_REPLY_BYTES + 1))
    assert [each.path for each in caught.value.problems] == ["$"]


@each_of("dialect")
def test_an_operation_that_is_not_offered_is_refused_where_it_stands(name: str, module: ModuleType) -> None:
    dialect = dialect_of(name, module)
    text = next(
        text
        for _, text in recorded(name)
        if name_of(dialect.decode(text).actions[0]) == ("write_file" if dialect.operations is None else "run")
    )
    with pytest.raises(BadReply) as caught:
        dialect.decode(text, ("click", "done"))
    assert "actions[0].op" in {each.path for each in caught.value.problems}


@each_of("dialect")
def test_the_prompt_names_the_operations(name: str, module: ModuleType) -> None:
    dialect = dialect_of(name, module)
    prompt = dialect.prompt(operations_of(dialect), 7)
    tools = {tool.name for tool in dialect.tools(OPERATIONS)} if dialect.tools is not None else set()
    untold = {each for each in operations_of(dialect) if each not in prompt} - tools - dialect.covered
    assert ("7" in prompt or dialect.max_actions == 1) and not untold
    described = [tool.description for tool in dialect.tools(OPERATIONS)] if dialect.tools is not None else []
    assert not re.search(r"\b[A-Z][a-z]+[A-Z]\w*", "\n".join((prompt, *described))), (
        "a class of ours is no word"
    )
    assert dialect.reminder.strip()
    if dialect.schema is not None:
        assert dialect.schema(("click",), 7)["type"] == "object"


@each_of("dialect")
def test_notes_come_out_of_the_stream_as_they_stand_in_the_reply(name: str, module: ModuleType) -> None:
    dialect = dialect_of(name, module)
    for _, text in recorded(name):
        heard: list[str] = []
        reader = dialect.note_reader(heard.append)
        # Beside calls of tools the note comes in a stream of its own.
        for letter in dialect.decode(text).notes if dialect.tools is not None else text:
            reader.feed(letter)
        assert not reader.started or "".join(heard) == dialect.decode(text).notes


ALL = [dialect_of(each.name, each.module) for each in plugins.discover("dialect") if each.module is not None]


@given(dialect=st.sampled_from(ALL), noise=st.text() | st.binary())
def test_noise_never_crashes(dialect: Dialect, noise: str | bytes) -> None:
    try:
        dialect.decode(noise)
    except BadReply as error:
        assert error.problems
