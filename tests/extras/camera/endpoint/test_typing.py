"""What is asked over HTTP is typed into one shell that lives on, once each, and no answer holds what the shell prints."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.extras.camera.endpoint.endpoint_app import LONGEST_TEXT, MOST_REMEMBERED, create_app
from desktop_agent.extras.camera.endpoint.endpoint_server import EndpointServer
from desktop_agent.extras.camera.endpoint.key_sequences import KeySequence
from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell
from desktop_agent.platforms.posix import bubblewrap, process_files
from desktop_agent.protocol.errors import ConfigError, Refused
from tests.support.served_endpoint import EndpointClient, at_prompt, served, shell_at_work, shown, workplace
from tests.support.waiting import until

needs_sandbox = pytest.mark.skipif(not bubblewrap.is_usable(), reason="no sandbox can be made here")
EVERYWHERE = "0.0.0.0"  # noqa: S104 - what is tried
UNFIT: list[tuple[str, Any]] = [
    ("/keystroke", {}),
    ("/keystroke", {"key": "NoSuchKey"}),
    ("/keystroke", {"key": ""}),
    ("/keystroke", {"key": 5}),
    ("/keystroke", {"key": None}),
    ("/keystroke", {"key": ["a"]}),
    ("/keystroke", {"key": "a", "more": 1}),
    ("/keystroke", {"key": "ctrl"}),
    ("/keystroke", {"key": "\x03"}),
    ("/keystroke", {"key": "\ud800"}),
    ("/keystroke", {"key": "\u202e"}),
    ("/keystroke", [{"key": "a"}]),
    ("/keystroke", "a"),
    ("/keystroke", b"{"),
    ("/keystroke", b"\xff"),
    ("/keystroke", b""),
    ("/key-combo", {"key": "a"}),
    ("/key-combo", {"modifiers": "ctrl", "key": "a"}),
    ("/key-combo", {"modifiers": ["ctrl", 1], "key": "a"}),
    ("/key-combo", {"modifiers": ["win"], "key": "a"}),
    ("/key-combo", {"modifiers": ["ctrl", "ctrl"], "key": "a"}),
    ("/key-combo", {"modifiers": ["ctrl", "alt", "shift", "ctrl"], "key": "a"}),
    ("/key-combo", {"modifiers": ["ctrl"], "key": "no such"}),
    ("/text", {}),
    ("/text", {"text": ""}),
    ("/text", {"text": 1}),
    ("/text", {"text": "a\nb"}),
    ("/text", {"text": "a\tb"}),
    ("/text", {"text": "a\x1b[31mb"}),
    ("/text", {"text": "a\u2028b"}),
    ("/text", {"text": "a\u202eb"}),
    ("/text", {"text": "a\udc80b"}),
    ("/text", {"text": "a" * (LONGEST_TEXT + 1)}),
    ("/text", {"text": "a", "enter": True}),
]


def test_the_shell_lives_on_between_lines(client: EndpointClient, shell: PersistentShell) -> None:
    client.line("here=kept")
    client.line('echo "[$here-$((6 * 7))]"')
    until(lambda: "[kept-42]" in shown(shell), "the line's output")


def test_unfit_requests_are_told_so_and_type_nothing(client: EndpointClient, shell: PersistentShell) -> None:
    for path, body in UNFIT:
        status, answer = client.ask("POST", path, body)
        assert status == 422 and "othing was typed" in answer["error"], (path, body)
    assert client.text("end")[0] == 200
    until(lambda: "end" in shown(shell), "what was typed last")
    assert [line for line in shell.screen.text() if line] == [f"{shown(shell).splitlines()[0][:-3]}end"]
    assert shown(shell).splitlines()[0].endswith("$ end")


def test_what_the_shell_prints_is_in_no_answer(client: EndpointClient, shell: PersistentShell) -> None:
    client.line("echo $((111111 * 7))-printed; printf '\\e]0;777777-title\\a'")
    until(lambda: "777777-printed" in shown(shell), "the line's output")
    client.health()
    client.text("$((1))")
    client.key("NoSuchKey")
    client.key("c", "ctrl")
    client.ask("GET", "/nothing")
    client.ask("DELETE", "/text", {"text": "x"})
    assert len(client.answers) == 8 and not any(b"777777" in each for each in client.answers)


def test_control_and_c_ends_what_runs(client: EndpointClient, shell: PersistentShell) -> None:
    client.line("sh -c 'echo run-$((1 + 1)); exec sleep 1000'")
    until(lambda: "run-2" in shell.screen.text(), "the program itself")
    assert client.key("c", "ctrl")[0] == 200
    until(lambda: at_prompt(shell) and "^C" in shown(shell), "the prompt")


@needs_sandbox
def test_control_and_c_ends_what_runs_where_this_process_ignores_it() -> None:
    """As it does when a script starts it with `&`; a program that ignores it as well could not be ended."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with workplace() as folder, shell_at_work(folder) as shell:
            shell.type("sh -c 'echo run-$((1 + 1)); exec sleep 1000'\r")
            until(lambda: "run-2" in shell.screen.text(), "the program itself")
            shell.type("\x03")
            until(lambda: at_prompt(shell) and "^C" in shown(shell), "the prompt")
    finally:
        signal.signal(signal.SIGINT, before)


def test_keys_of_the_seed_edit_the_line(client: EndpointClient, shell: PersistentShell) -> None:
    client.text("echo ac")
    client.key("ArrowLeft")
    client.text("b")
    client.key("Home")
    client.key("Delete")
    client.text("e")
    client.key("Enter")
    until(lambda: "abc" in shell.screen.text(), "what the line printed")


def test_a_request_that_is_sent_again_is_typed_once(client: EndpointClient, shell: PersistentShell) -> None:
    again = {"Idempotency-Key": "one"}
    assert client.text("once", again) == (200, {"status": "ok"})
    assert client.text("once", again) == (200, {"status": "ok", "repeated": True})
    assert client.text("other", again)[0] == 422
    assert client.text("x", {"Idempotency-Key": "bad\tkey"})[0] == 422
    client.text("|", {"Idempotency-Key": "two"})
    until(lambda: shown(shell).rstrip().endswith("once|"), "what was typed")


class StandIn:
    """A shell and a display that remember what they were told."""

    alive, columns, rows, kind = True, 80, 24, "stand-in"

    def __init__(self) -> None:
        self.typed = list[object]()
        self.followed = 0
        self.refuses = False

    def press(self, keys: KeySequence) -> None:
        self.typed.append(keys.usual)

    def type(self, text: str) -> None:
        if self.refuses:
            raise Refused("It does not read.")
        self.typed.append(text)

    def follow(self) -> None:
        self.followed += 1


def test_the_application_takes_another_shell_and_display() -> None:
    there = StandIn()
    server = EndpointServer(create_app(there, there), "")
    server.start()
    try:
        with EndpointClient(server.port, "") as client:
            client.line("hi")
            assert (there.typed, there.followed, client.health()["display"]) == (["hi", b"\r"], 2, "stand-in")
            there.refuses = True
            key = {"Idempotency-Key": "refused"}
            assert client.text("no", key) == (409, {"error": "It does not read.", "advice": ""})
            there.refuses = False
            assert client.text("no", key) == (200, {"status": "ok"})
            for number in range(MOST_REMEMBERED):
                client.text("x", {"Idempotency-Key": str(number)})
            assert client.text("no", key) == (200, {"status": "ok"}), "a thousand later ones are remembered"
    finally:
        server.end()


def test_it_answers_while_something_prints_without_end(
    client: EndpointClient, shell: PersistentShell
) -> None:
    client.line("yes")
    until(lambda: shell.screen.text()[0] == "y" and shell.screen.view().above, "a full screen")
    for _ in range(20):
        assert client.health()["status"] == "ok"
    assert len(shell.screen.view().rows) == 24
    client.key("c", "ctrl")
    until(lambda: at_prompt(shell), "the prompt")


@needs_sandbox
def test_what_nobody_reads_is_refused_at_last() -> None:
    with (
        workplace() as folder,
        shell_at_work(folder) as shell,
        served(shell) as server,
        EndpointClient(server.port) as client,
    ):
        client.line("stty raw -echo; echo deaf-$((1 + 1)); sleep 1000 < /dev/null")
        until(lambda: "deaf-2" in shown(shell), "the program")
        text = "x" * LONGEST_TEXT
        refused = [status for status in (client.text(text)[0] for _ in range(100)) if status != 200]
        assert refused and set(refused) == {409}
        assert client.health()["status"] == "ok"


@needs_sandbox
def test_the_terminal_has_the_size_it_is_given() -> None:
    with workplace() as folder, shell_at_work(folder, columns=50, rows=10) as shell:
        shell.type("stty size\r")
        until(lambda: "10 50" in shown(shell), "its size")
        shell.resize(61, 17)
        shell.type("stty size\r")
        until(lambda: "17 61" in shown(shell), "its new size")


@pytest.mark.parametrize("sandboxed", [pytest.param(True, marks=needs_sandbox), False])
def test_all_it_has_begun_ends_with_it(
    sandboxed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with workplace() as folder:
        monkeypatch.setenv("HOME", str(tmp_path))  # what somebody's own shell does when it starts is not ours
        with shell_at_work(folder, sandboxed) as shell:
            shell.type("sleep 98761 & setsid nohup sleep 98762 & disown -a; echo begun\r")
            until(lambda: len(sleepers()) == 2 and "begun\n" in shown(shell), "what it begins")
        until(lambda: not sleepers(), "their ends")


def sleepers() -> list[int]:
    pids = (int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit())
    return [pid for pid in pids if process_files.arguments(pid) in (("98761",), ("98762",))]


@needs_sandbox
def test_an_ended_shell_is_told_of_and_another_can_be_started() -> None:
    with (
        workplace() as folder,
        shell_at_work(folder) as shell,
        served(shell) as server,
        EndpointClient(server.port) as client,
    ):
        client.line("exit 7")
        until(lambda: client.health()["shell"] == "ended", "its end")
        assert client.health()["status"] == "ended" and shell.exit_code == 7
        status, answer = client.text("x")
        assert status == 409 and "has ended" in answer["error"]
        shell.start()
        until(lambda: at_prompt(shell), "another's prompt")
        assert "exit" not in shown(shell)
        client.line("echo again-$((1 + 1))")
        until(lambda: "again-2" in shown(shell), "what it prints")


@needs_sandbox
def test_another_is_started_by_itself_where_that_is_wanted() -> None:
    with workplace() as folder, shell_at_work(folder, restarts=True) as shell:
        before = shell.pid
        shell.type("exit\r")
        until(lambda: shell.pid != before and at_prompt(shell), "another")


@needs_sandbox
def test_the_sandbox_has_its_folder_and_nothing_of_this_computer() -> None:
    with workplace() as folder, shell_at_work(folder) as shell:
        shell.type(
            "pwd > it; ls -A /home /root > homes 2>&1; env > variables; cat /proc/net/route | wc -l > routes\r"
        )
        until(lambda: (folder / "routes").exists() and (folder / "routes").read_text(), "the files")
        assert (folder / "it").read_text().strip() == str(folder)
        assert (folder / "routes").read_text().strip() == "1"
        assert "TOKEN" not in (folder / "variables").read_text()


def test_who_has_no_token_or_comes_from_elsewhere_is_not_typed(port: int, shell: PersistentShell) -> None:
    text = {"text": "intruder"}
    with EndpointClient(port) as client:
        cases: list[tuple[dict[str, str | None], int]] = [
            ({"Authorization": None}, 401),
            ({"Authorization": "Bearer x"}, 401),
            ({"Host": f"rebound.example:{port}"}, 421),
            ({"Origin": "http://rebound.example"}, 403),
            ({"Content-Type": "text/plain"}, 415),
        ]
        for headers, status in cases:
            assert client.ask("POST", "/text", text, headers)[0] == status
        assert client.ask("GET", "/health", None, {"Authorization": None})[0] == 401
        assert client.ask("POST", "/text", {"text": "x" * 70_000})[0] == 413
    with EndpointClient(port) as client:
        client.text("end")
    until(lambda: "end" in shown(shell), "what was typed last")
    assert "intruder" not in shown(shell)


def test_without_a_token_nobody_else_than_this_computer_reaches_it() -> None:
    there = StandIn()
    with pytest.raises(ConfigError, match="everybody on the network"):
        EndpointServer(create_app(there), "", listen=EVERYWHERE)
    with pytest.raises(ConfigError, match="no address"):
        EndpointServer(create_app(there), "x", listen="example.org")


def test_on_the_network_it_is_asked_by_numbers_and_its_own_name() -> None:
    there = StandIn()
    server = EndpointServer(create_app(there), "x" * 20, listen=EVERYWHERE)
    server.start()
    try:
        with EndpointClient(server.port, "x" * 20) as client:
            assert client.ask("GET", "/health", None, {"Host": f"192.0.2.7:{server.port}"})[0] == 200
            assert client.ask("GET", "/health", None, {"Host": f"rebound.example:{server.port}"})[0] == 421
            assert client.ask("GET", "/health", None, {"Authorization": None})[0] == 401
    finally:
        server.end()
