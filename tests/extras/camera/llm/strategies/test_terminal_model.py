"""The driver of strategies: errors in a row, limits, and the history it keeps; and how lines are found on a screen."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.extras.camera.llm.strategies._printed_lines import printed, waiting_prompt
from desktop_agent.extras.camera.llm.strategies.base import TerminalContext
from desktop_agent.extras.camera.llm.terminal import Options, TerminalModel, operations
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.wire.base import Keystroke, ModifiedKey, TextInput
from tests.llm.asking import conversation, observation

CHECK = "test $? -eq 0 && echo yes || echo no"


def state(*lines: str, confidence: float = 0.95) -> TerminalState:
    prompt = "user$" if lines and lines[-1] == "user$" else ""
    return TerminalState(lines, prompt, None, "idle" if prompt else "unknown", "", confidence)


class Turns:
    """Asks a model turn by turn; every action is carried out."""

    def __init__(self, goal: str, **options: float) -> None:
        self.model = TerminalModel(Options(**options))  # type: ignore[arg-type]
        self.goal, self.turn = goal, 0
        self.deeds: tuple[Deed, ...] = ()

    def __call__(self, seen: TerminalState | None, outcome: str = "done", at: float = 0.0) -> Op:
        self.turn += 1
        look = msgspec.structs.replace(observation(), terminal=seen, time=at)
        asked = conversation(goal=self.goal, turn=self.turn, deeds=self.deeds)
        actions = self.model.reply(asked, look, on_note=lambda _: None, stop=StopFlag()).reply.actions
        self.deeds = tuple(Deed(self.turn, op, "", outcome, "The user said no.") for op in actions)  # type: ignore[arg-type]
        return actions[0]


def test_errors_in_a_row_end_the_run_and_a_good_picture_forgets_them() -> None:
    ask = Turns("run `ls`", max_errors=2)
    assert isinstance(ask(None), ops.Wait)
    assert isinstance(ask(state("user$", confidence=0.2)), ops.Wait)
    assert ask(state("user$")) == ops.Type("ls\n")
    assert isinstance(ask(None), ops.Wait)
    assert isinstance(ask(None), ops.Wait)
    failed = ask(None)
    assert isinstance(failed, ops.Fail)
    assert "3 times in a row" in failed.reason


def test_a_limit_of_actions_and_one_of_time() -> None:
    ask = Turns("run `ls`", max_steps=1)
    ask(state("user$"))
    assert isinstance(ask(state("user$ ls", "user$")), ops.Fail)
    slow = Turns("run `make`", patience=10)
    slow(state("user$"), at=1.0)
    assert isinstance(slow(state("user$ make"), at=2.0), ops.Wait)
    ended = slow(state("user$ make"), at=13.0)
    assert isinstance(ended, ops.Fail)
    assert "still be running" in ended.reason


def test_a_terminal_that_is_busy_is_waited_for_and_what_stands_there_is_taken_away() -> None:
    ask = Turns("run `ls`")
    assert isinstance(ask(state("user$ make", "compiling")), ops.Wait)
    begun = TerminalState(("user$ rm -r",), "user$", None, "idle", "", 0.9)
    assert ask(begun) == ops.KeyCombo(("ctrl", "u"))
    assert ask(state("user$")) == ops.Type("ls\n")


def test_a_check_of_which_nothing_can_be_read_is_no_success() -> None:
    ask = Turns("run `touch a.txt`")
    ask(state("user$"))
    assert ask(state("user$ touch a.txt", "user$")) == ops.Type(f"{CHECK}\n")
    shown = state("user$ touch a.txt", f"user$ {CHECK}", "v85", "user$")
    *looks, last = (ask(shown) for _ in range(4))
    assert all(isinstance(each, ops.Wait) for each in looks)
    assert isinstance(last, ops.Fail)
    assert "cannot tell" in last.reason


def test_a_refused_line_ends_the_run() -> None:
    ask = Turns("run `rm a.txt`")
    ask(state("user$"), "refused")
    failed = ask(state("user$"))
    assert isinstance(failed, ops.Fail)
    assert "said no" in failed.reason


def test_a_screen_that_already_shows_our_check_is_not_taken_for_its_answer() -> None:
    lie = state("user$ touch a.txt", f"user$ {CHECK}", "yes", "user$")
    assert printed(lie, lie, CHECK).came == "unread"
    now = state("user$ touch a.txt", f"user$ {CHECK}", "yes", f"user$ {CHECK}", "no", "user$")
    assert printed(lie, now, CHECK).lines == ("no",)


@pytest.mark.parametrize("width", [20, 31, 43, 44])
def test_a_line_that_wraps(width: int) -> None:
    whole = f"user$ {CHECK}"
    rows = [whole[at : at + width].rstrip() for at in range(0, len(whole), width)]
    found = printed(state("user$"), state(*rows, "yes", "user$"), CHECK)
    assert (found.came, found.lines, found.whole) == ("printed", ("yes",), True)


def test_letters_that_look_alike_may_be_misread_but_none_may_be_missing() -> None:
    before, tail = state("user$"), ("yes", "user$")
    assert printed(before, state(f"user$ {CHECK.replace('-e', '~e')}", *tail), CHECK).lines == ("yes",)
    assert printed(before, state(f"user$ {CHECK.replace('test', 'tes')}", *tail), CHECK).came == "unread"
    assert printed(before, state(f"user$ {CHECK.replace('test', 'rest')}", *tail), CHECK).came == "unread"


def test_a_prompt_alone_waits_and_a_line_behind_it_does_not() -> None:
    assert waiting_prompt(state("user$"))
    assert not waiting_prompt(TerminalState(("user$ ls",), "user$", None, "idle"))
    assert not waiting_prompt(TerminalState(("compiling",), "", None, "unknown"))
    assert waiting_prompt(TerminalState(("ready",), "", (0, 6), "idle"))


def test_actions_become_operations() -> None:
    assert operations(Keystroke("enter")) == (ops.KeyCombo(("enter",)),)
    assert operations(ModifiedKey(("ctrl",), "c")) == (ops.KeyCombo(("ctrl", "c")),)
    assert operations(TextInput("ls")) == (ops.Type("ls"),)
    assert operations(TextInput("ls\n")) == (ops.Type("ls\n"),)
    assert operations(TextInput("\n")) == (ops.KeyCombo(("enter",)),)


def test_a_context_is_frozen_and_an_unknown_strategy_is_named() -> None:
    context = TerminalContext("goal")
    with pytest.raises(AttributeError):
        context.goal = "other"  # type: ignore[misc]
    assert context.add_observation(state("user$")).add_action(Keystroke("a"), "why").actions[0].seen == 1
    with pytest.raises(ConfigError, match="Known: shell"):
        TerminalModel(Options(strategy="magic"))
