"""The fenced dialect: one block, whose language is the environment, and nothing run where there is another number of them."""

from __future__ import annotations

import pytest

from desktop_agent.extras.project.protocol.dialects import fenced
from desktop_agent.protocol import ops
from desktop_agent.protocol.chat_messages import text_of
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.reply import Reply

FENCED = dialect_of("fenced", fenced)


def decode(text: str) -> Reply:
    return FENCED.decode(text)


def test_the_form_of_the_commissioned_document() -> None:
    said = "Thoughts, planning, and explanations of what needs to be done next.\n```bash\nls -al\n```"
    reply = decode(said)
    assert reply.actions == (ops.Run("bash", "ls -al"),)
    assert reply.notes == "Thoughts, planning, and explanations of what needs to be done next."


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("```bash\na\n\n  b\n```", "a\n\n  b"),
        ("x\r\n```bash\r\nls\r\n```\r\n", "ls"),
        ("````bash\n```\nls\n```\n````", "```\nls\n```"),
        ("~~~bash\n```python\n1\n```\n~~~", "```python\n1\n```"),
        ("```bash\n    ```\n```", "    ```"),
        ("```bash   \nls\n`````\n", "ls"),
        ("``` bash\nls\n```", "ls"),
        ("  ```bash\nls\n  ```", "ls"),
        ("We use `ls` and ```cat``` in a line.\n```bash\nls\n```", "ls"),
        ("```bash\necho '<<<'\n\\n\t\u00fc\n```\n\n\n", "echo '<<<'\n\\n\t\u00fc"),
    ],
)
def test_a_command_is_taken_letter_by_letter(text: str, command: str) -> None:
    assert decode(text).actions == (ops.Run("bash", command),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Nothing to run.", "no fenced block"),
        ("", "no fenced block"),
        ("```bash\nls", "not closed"),
        ("````bash\nls\n```", "not closed"),
        ("```bash\nls\n~~~", "not closed"),
        ("```bash\nls\n```\n```python\n1\n```", "several"),
        ("```bash\nls\n```\nThe output is: a.txt", "below"),
        ("```\nls\n```", "names no environment"),
        ("```bash -x\nls\n```", "not the name"),
        ("```Bash\nls\n```", "not the name"),
        ("```../bash\nls\n```", "not the name"),
        ("```bash\n\n   \n```", "empty"),
    ],
)
def test_anything_else_is_refused_and_says_why(text: str, words: str) -> None:
    with pytest.raises(BadReply) as caught:
        decode(text)
    assert words in caught.value.problems[0].message


def test_three_languages_end_ask_and_give_up() -> None:
    assert decode("Good.\n```done\nIt runs.\n```").actions == (ops.Done("It runs."),)
    assert decode("```ask\nWhich one?\n```").actions == (ops.Ask("Which one?"),)
    assert decode("```fail\nIt is not there.\n```").actions == (ops.Fail("It is not there."),)


def test_thoughts_and_command_stand_apart_in_the_conversation() -> None:
    found = FENCED.messages("First.\nThen.\n```bash\nls\n```")
    assert [(each.role, text_of((each,))) for each in found] == [
        ("assistant", "First.\nThen."),
        ("command", "```bash\nls\n```"),
    ]
    assert [each.role for each in FENCED.messages("no block")] == ["assistant"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_thoughts_are_passed_on_as_they_come_and_the_command_is_not(size: int) -> None:
    heard: list[str] = []
    reader = FENCED.note_reader(heard.append)
    text = "First `a`.\nThen ``` in a line.\n```bash\nls\n```\n"
    for start in range(0, len(text), size):
        reader.feed(text[start : start + size])
    assert "".join(heard).strip() == "First `a`.\nThen ``` in a line." and reader.started
