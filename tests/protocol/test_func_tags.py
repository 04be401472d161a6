"""What stands in `<func>` tags is done, what stands in `<param>` is literal, and what is not closed is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol import ops
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.dialects import func_tags
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.ops import MAX_TEXT, Op
from desktop_agent.protocol.reply import Reply

FUNC = dialect_of("func_tags", func_tags)


def said(text: str) -> Reply:
    return FUNC.decode(text)


def actions(text: str) -> tuple[Op, ...]:
    return said(text).actions


def problem(text: str) -> str:
    with pytest.raises(BadReply) as caught:
        FUNC.decode(text)
    return caught.value.problems[0].message


def test_the_line_of_the_commissioned_log() -> None:
    reply = said("ok i will begin <func>TYPE cd ~/Desktop</func>")
    assert reply.notes == "ok i will begin" and reply.actions == (ops.Type("cd ~/Desktop"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<func>MOVE</func><param>1</param><param>2</param>", (ops.Move(1, 2),)),
        ("<func>MOVE 10 20</func>", (ops.Move(10, 20),)),
        ("<func>MOVE</func>\n  <param>10</param>\n  <param>20</param>", (ops.Move(10, 20),)),
        ("<func>LCLICK</func>", (ops.Click(),)),
        ("<func>LCLICK</func> and again <func>LCLICK</func>", (ops.Click(count=2),)),
        ("<func>LCLICK</func><func>RCLICK</func>", (ops.Click(), ops.Click(button="right"))),
        ("<func>LDOWN</func><func>MOVE 3 4</func><func>LUP</func>", (ops.MouseDown(), ops.Move(3, 4), ops.MouseUp())),
        ("<func>RDOWN</func><func>RUP</func>", (ops.MouseDown("right"), ops.MouseUp("right"))),
        ("<func>SCROLLUP</func>" * 3 + "<func>SCROLLDOWN</func>", (ops.Scroll(dy=3), ops.Scroll(dy=-1))),
        ("<func>KEY Return</func>", (ops.KeyCombo(("enter",)),)),
        ("<func>KEY ctrl shift s</func>", (ops.KeyCombo(("ctrl", "shift", "s")),)),
        ("<func>KEY</func><param>ctrl</param><param>s</param>", (ops.KeyCombo(("ctrl", "s")),)),
        ("<func>LOOK</func>", (ops.Look(),)),
        ("<func>READ a b.txt</func>", (ops.ReadFile("a b.txt"),)),
        ("<func>READ</func><param>a.txt</param><param>3</param><param>9</param>", (ops.ReadFile("a.txt", 3, 9),)),
        ("<func>EDIT</func><param>f</param><param>a</param><param>b</param>", (ops.EditFile("f", "a", "b"),)),
        (
            "<func>EDIT</func><param>f</param><param>a</param><param></param><param>-all</param>",
            (ops.EditFile("f", "a", "", all=True),),
        ),
        ("<func>DONE</func><param>It is saved.</param>", (ops.Done("It is saved."),)),
    ],
)  # fmt: skip
def test_a_command_is_an_operation(text: str, expected: tuple[Op, ...]) -> None:
    assert actions(text) == expected


TAGS = "</func> <func>LCLICK</func>\n<param>1</param X></param> &amp; <func>\n"


def test_tags_in_an_argument_are_text() -> None:
    written = f"<func>WRITE</func><param>a.md</param><param END>{TAGS}</param END>"
    assert actions(written) == (ops.WriteFile("a.md", TAGS),)
    assert actions("<func>TYPE</func><param><func>LCLICK</func></param>") == (
        ops.Type("<func>LCLICK</func>"),
    )


@given(
    content=st.text(st.characters(codec="utf-8"), max_size=400).filter(
        lambda text: "</param END>" not in text
    )
)
def test_any_content_is_written_letter_by_letter(content: str) -> None:
    text = f"I write.<func>WRITE</func><param>a</param><param END>{content}</param END>Done."
    reply = said(text)
    assert reply.actions == (ops.WriteFile("a", content),) and reply.notes == "I write.\nDone."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one\n<func>LCLICK", "line 2: <func> is not closed by </func>"),
        ("<func>LCLICK<func>LCLICK</func>", "line 1: <func> inside <func>"),
        ("<func>TYPE<param>a</param></func>", "line 1: <param> inside <func>"),
        ("<func>TYPE</func>\n<param>a", "line 2: <param> is not closed by </param>"),
        ("<func>TYPE</func><param END>a</param>", "line 1: <param END> is not closed by </param END>"),
        ("so </func> it is", "line 1: </func> stands where no command is open"),
        ("<param>1</param>", "line 1: <param> stands where no command is open"),
        ("<func>LCLICK</func><param>1</param>", "LCLICK takes 0 arguments, not 1"),
        ("<func>MOVE 1</func>", "MOVE takes 2 arguments, not 1"),
        ("<func>MOVE a b</func>", "MOVE x: expected a whole number, got 'a'"),
        ("<func>MOVE 1 2</func><param>3</param>", "arguments behind its name and in <param>"),
        ("<func>EDIT</func><param>f</param><param>a</param><param>b</param><param>all</param>", "the fourth argument is -all"),
        ("<func>lclick</func>", "there is no command 'lclick'"),
        ("<func>CLICK 1 2</func>", "there is no command 'CLICK'"),
        ("<func>EXEC rm</func>", "there is no command 'EXEC'"),
        ("<func></func>", "there is no command ''"),
        ("<func>KEY</func>", "KEY takes the names of keys"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_with_its_place(text: str, words: str) -> None:
    assert words in problem(text)


def test_a_text_of_any_length_is_typed_in_pieces() -> None:
    text = "ä" * (2 * MAX_TEXT + 5)
    pieces = actions(f"<func>TYPE</func><param>{text}</param>")
    assert all(isinstance(each, ops.Type) for each in pieces)
    assert [len(each.text) for each in pieces if isinstance(each, ops.Type)] == [MAX_TEXT, MAX_TEXT, 5]


def test_what_the_user_is_told_beside_the_commands() -> None:
    reply = said(
        "First I look.\n<func>PLAN</func><param>Open it</param><param>Save it</param><func>STEP 2</func>\nThen I save."
    )
    assert reply.notes == "First I look.\nThen I save."
    assert reply.high_level == ("Open it", "Save it") and reply.step == 2 and not reply.actions


def test_commands_are_told_apart_in_the_conversation() -> None:
    text = "ok <func>TYPE ls</func>\n<func>MOVE</func><param>1</param> <param>2</param> so"
    assert func_tags.messages(text) == (
        words_of("ok ", "assistant"),
        words_of("<func>TYPE ls</func>", "command"),
        words_of("<func>MOVE</func><param>1</param> <param>2</param>", "command"),
        words_of(" so", "assistant"),
    )


@given(
    text=st.lists(
        st.sampled_from(
            ["a", " ", "\n", "<", ">", "<func>LOOK</func>", "<func>TYPE</func><param>", "</param>"]
        )
    ).map("".join)
)
def test_what_is_passed_on_as_it_comes_is_never_taken_back(text: str) -> None:
    heard: list[str] = []
    reader = func_tags.NoteStream(heard.append)
    for letter in text:
        reader.feed(letter)
    try:
        note = said(text).notes
    except BadReply:
        return
    assert note.startswith("".join(heard))
