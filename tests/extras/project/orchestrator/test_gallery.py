"""The example environments and their page: each is loaded by a real orchestrator, and worked."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.extras.project.commands.new import LIKE, write_environment
from desktop_agent.extras.project.orchestrator import (
    environment_child,
    environment_process,
    module_contract,
    orchestrator,
    own_modules,
)
from desktop_agent.support import resources
from tests.extras.project.orchestrator.asked import Asked

pytestmark = pytest.mark.linux("the orchestrator forks")
PLACE = resources.path("environments")
NO_PROXY = dict.fromkeys(
    ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), ""
)
Start = Callable[..., Asked]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Begins an orchestrator of the folder `project` with the example of this name as the environment `tried`."""
    made = []
    (tmp_path / "project").mkdir()
    temporary = tempfile.mkdtemp(prefix="g-")  # short: Chromium makes a socket there

    def start(like: str, change: tuple[str, str] = ("", ""), **variables: str) -> Asked:
        path = write_environment("tried", tmp_path / "project", like)
        path.write_text(path.read_text().replace(*change))
        variables = {"TMPDIR": temporary, "HOME": temporary, **NO_PROXY, **variables}
        made.append(Asked(tmp_path / "project", **variables))
        assert made[-1].names()["tried"] == "ready"
        return made[-1]

    yield start
    for each in made:
        assert each.close() == 0
    shutil.rmtree(temporary, ignore_errors=True)


class Pages(BaseHTTPRequestHandler):
    """Answers with what it was asked; the paths below do something else."""

    def do_GET(self) -> None:
        self.server.seen.append(self.path)  # type: ignore[attr-defined]
        to = {"/away": self.server.away, "/home": "/plain"}.get(self.path)  # type: ignore[attr-defined]
        self.send_response(302 if to else 404 if self.path == "/missing" else 200, "Answered")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if to:
            self.send_header("Location", to)
        self.end_headers()
        self.wfile.write(
            {"/long": "x" * 20_000, "/": PAGE, "/second": SECOND}.get(self.path, f"got {self.path}").encode()
        )

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.headers['Content-Type']}: {body}".encode())

    def log_message(self, *_: object) -> None:
        pass


PAGE = """<title>First</title><p>Wörds of the page</p><a id="on" href="/second">on</a><input id="name">
<p id="told"></p><button id="say" onclick="alert(1); told.textContent = 'hello ' + document.querySelector('#name').value">say</button>
<a id="other" href="/second" target="_blank">new</a>"""
SECOND = "<title>Second</title><p>It was reached</p>"


@pytest.fixture
def server() -> Iterator[Any]:
    with _served() as made:
        yield made
        made.shutdown()


def _served() -> Any:
    made: Any = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    made.seen, made.away = [], ""
    made.host = f"127.0.0.1:{made.server_port}"
    threading.Thread(target=made.serve_forever, daemon=True).start()
    return made


def allowing(*hosts: str) -> tuple[str, str]:
    return "ALLOWED = ()", f"ALLOWED = {hosts!r}"


# ---- all of them ---------------------------------------------------------------------------------


def test_the_gallery_is_what_can_be_asked_for() -> None:
    assert {each.stem for each in PLACE.glob("[!_]*.py")} == set(LIKE)


@pytest.mark.parametrize("like", [*LIKE, "_template"])
def test_an_example_is_short_and_keeps_the_contract(
    like: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = resources.text("environments", f"{like}.py")
    assert 5 <= len(text.splitlines()) <= 40
    ast.parse(text, feature_version=(3, 9))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(PLACE)) if like == "browser" else None
    spec = importlib.util.spec_from_file_location("tried", PLACE / f"{like}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module_contract.problems_of(module) == []
    assert hasattr(module, "screen") and len(module_contract.description_of(module)) < 500


# ---- the page ------------------------------------------------------------------------------------


def test_the_running_example_of_the_page_is_as_the_page_tells_it(tmp_path: Path) -> None:
    page = (PLACE / "README.md").read_text()
    broken, refusal, mended, answer = [each for _, each in re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL)]
    command = re.findall(r"The command `(.*?)` is answered", page)[0]
    asked = Asked(tmp_path)
    asked.write("notes.py", broken)
    assert len([line for line in broken.splitlines() if line]) == 5
    assert asked.run("bash", "echo goes on") == ("done", "goes on\n")
    assert asked.shown["notes"] == refusal.strip()
    asked.write("notes.py", mended)
    assert asked.run("notes", command) == ("done", answer.strip())
    assert asked.run("notes", command) == ("done", "note 2")
    assert asked.close() == 0


def test_the_page_tells_the_limits_and_names_that_hold() -> None:
    page = (PLACE / "README.md").read_text()
    table = dict(re.findall(r"^\| ([\w ,]+) \| (\d[\d,]*)", page, re.MULTILINE))
    assert {name: int(value.replace(",", "")) for name, value in table.items()} == {
        "environments of a project": own_modules.MOST,
        "bytes of a file": own_modules.MOST_BYTES,
        "characters of an answer, with what was printed": environment_child.MOST_TOLD,
        "characters of a section of the screen": environment_child.MOST_SHOWN,
        "seconds to load": environment_process.LOADING,
        "seconds of a command": orchestrator.SECONDS,
        "seconds of all screens together": orchestrator.SCREEN_SECONDS,
    }
    assert f"{module_contract.MOST_DOC:,} characters" in page
    taken = re.findall(r"Taken are (.*?)\.", page)[0]
    assert set(re.findall(r"`(\w+)`", taken)) == own_modules.TAKEN


# ---- sqlite --------------------------------------------------------------------------------------


def test_sql_goes_round_and_the_tables_are_shown(start: Start) -> None:
    asked = start("sqlite")
    asked.run("bash", "true")
    assert asked.shown["tried"] == "data.db: tables: 0"
    assert asked.run("tried", 'CREATE TABLE "a ""b" (name, size)') == ("done", "")
    assert asked.run("tried", 'INSERT INTO "a ""b" VALUES (\'ü\', 1), (NULL, 2.5)') == (
        "done",
        "rows changed: 2",
    )
    assert asked.run("tried", 'SELECT * FROM "a ""b" ORDER BY size') == (
        "done", "name | size\nü | 1\nNone | 2.5\nrows: 2",
    )  # fmt: skip
    assert asked.shown["tried"] == 'data.db: tables: 1\na ""b: 2 rows'
    seen = (
        "python",
        "import sqlite3; sqlite3.connect('data.db').execute('SELECT count(*) FROM sqlite_master').fetchone()",
    )
    assert asked.run(*seen) == ("done", "(1,)")


def test_sql_errors_are_told_as_sentences(start: Start) -> None:
    asked = start("sqlite")
    assert asked.run("tried", "SELECT * FROM missing") == ("failed", "no such table: missing")
    outcome, text = asked.run("tried", "SELECT 1; SELECT 2")
    assert outcome == "failed" and "one statement" in text
    assert asked.run("tried", f"ATTACH '{asked.folder.parent / 'out.db'}' AS other")[0] == "failed"
    assert asked.run("tried", f"VACUUM INTO '{asked.folder.parent / 'out.db'}'")[0] == "failed"
    assert asked.run("tried", "VACUUM")[0] == "done" and not (asked.folder.parent / "out.db").exists()


def test_a_transaction_is_shown_and_can_be_taken_back(start: Start) -> None:
    asked = start("sqlite")
    asked.run("tried", "CREATE TABLE t (x)")
    asked.run("tried", "BEGIN")
    asked.run("tried", "INSERT INTO t VALUES (1)")
    assert asked.shown["tried"] == "data.db: tables: 1, in a transaction\nt: 1 rows"
    asked.run("tried", "ROLLBACK")
    assert asked.shown["tried"] == "data.db: tables: 1\nt: 0 rows"


def test_much_is_bounded_and_what_takes_too_long_is_interrupted(start: Start) -> None:
    asked = start("sqlite")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    text = asked.run("tried", f"{endless} SELECT x FROM n")[1]
    assert text.startswith("x\n1\n") and text.endswith("50\n… more rows")
    asked.run("tried", f"CREATE TABLE t AS {endless} SELECT x FROM n LIMIT 12000")
    assert "t: 10000 or more rows" in asked.shown["tried"]
    asked.run("tried", "BEGIN")
    assert asked.run("tried", f"{endless} SELECT count(*) FROM n", seconds=0.3)[0] == "failed"
    assert "in a transaction" in asked.shown["tried"] and "restarted" not in asked.shown["tried"]


# ---- http ----------------------------------------------------------------------------------------


def test_no_server_is_allowed_unless_the_module_names_it(start: Start, server: Any) -> None:
    asked = start("http")
    outcome, text = asked.run("tried", f"GET http://{server.host}/")
    assert outcome == "failed" and "not in ALLOWED" in text and not server.seen
    assert asked.shown["tried"].startswith("Allowed: no server")


def test_status_headers_and_a_bounded_answer_are_told(start: Start, server: Any) -> None:
    asked = start("http", allowing(server.host))
    outcome, text = asked.run("tried", f"GET http://{server.host}/plain?q=1")
    head, body = text.split("\n\n")
    assert outcome == "done" and head.startswith(f"200 Answered http://{server.host}/plain?q=1\n")
    assert "Content-Type: text/html; charset=utf-8" in head and body == "got /plain?q=1"
    assert asked.shown["tried"].splitlines() == [
        f"Allowed: {server.host}", f"Last: 200 Answered http://{server.host}/plain?q=1",
    ]  # fmt: skip
    assert asked.run("tried", f"GET http://{server.host}/missing")[1].startswith("404 Answered")
    text = asked.run("tried", f"GET http://{server.host}/long")[1]
    assert text.endswith("x\n… cut after 8000 bytes") and len(text) < 9_000


def test_a_body_is_posted(start: Start, server: Any) -> None:
    asked = start("http", allowing(server.host))
    told = asked.run("tried", f'POST http://{server.host}/\n{{"ü": 1}}')[1]
    assert told.endswith('\n\napplication/json: {"ü": 1}')
    told = asked.run("tried", f"POST http://{server.host}/\na=1&b=2")[1]
    assert told.endswith("\n\napplication/x-www-form-urlencoded: a=1&b=2")


def test_a_redirect_is_followed_on_the_list_and_not_off_it(start: Start, server: Any) -> None:
    other = _served()
    try:
        server.away = f"http://{other.host}/plain"
        asked = start("http", allowing(server.host))
        assert (
            f"200 Answered http://{server.host}/plain"
            in asked.run("tried", f"GET http://{server.host}/home")[1]
        )
        outcome, text = asked.run("tried", f"GET http://{server.host}/away")
        assert outcome == "failed" and other.host in text and "not in ALLOWED" in text and not other.seen
    finally:
        other.shutdown()
        other.server_close()


@pytest.mark.parametrize(
    "command",
    [
        "GET http://127.0.0.1:1/",
        "GET http://{host}@127.0.0.1:1/",
        "GET http://127.0.0.1:1\\@{host}/",
        "GET file:///etc/passwd",
        "GET ftp://{host}/",
        "GET //{host}/",
        "DELETE http://{host}/",
        "",
    ],
)
def test_what_is_not_allowed_is_refused_in_words(start: Start, server: Any, command: str) -> None:
    asked = start("http", allowing(server.host))
    outcome, text = asked.run("tried", command.format(host=server.host))
    assert outcome == "failed" and ("not in ALLOWED" in text or "Say GET" in text) and not server.seen


def test_it_goes_through_the_proxy_of_the_environment(start: Start, server: Any) -> None:
    asked = start("http", allowing("far.example"), http_proxy=f"http://{server.host}", no_proxy="")
    assert asked.run("tried", "GET http://far.example/x")[1].endswith("got http://far.example/x")
    assert server.seen == ["http://far.example/x"]


# ---- git -----------------------------------------------------------------------------------------


def test_git_works_a_repository(start: Start) -> None:
    asked = start("git")
    asked.run("bash", "true")
    assert "not a git repository" in asked.shown["tried"]
    assert asked.run("tried", "init -q -b main") == ("done", "")
    asked.run("bash", "git config user.name A; git config user.email a@example.org; echo one > a.txt")
    assert "?? a.txt" in asked.shown["tried"] and "No commits yet on main" in asked.shown["tried"]
    assert asked.run("tried", "add a.txt env")[0] == "done"
    assert asked.run("tried", 'commit -q -m "/etc is not ..\'s"') == ("done", "")
    assert asked.shown["tried"] == "## main"
    asked.run("bash", "echo two >> a.txt")
    assert "+two" in asked.run("tried", "diff")[1] and " M a.txt" in asked.shown["tried"]
    asked.run("tried", "restore a.txt")
    asked.run("tried", "switch -c other")
    assert asked.shown["tried"] == "## other" and (asked.folder / "a.txt").read_text() == "one\n"
    assert asked.run("tried", "branch")[1].split() == ["main", "*", "other"]
    assert asked.run("tried", "log --format=%s main..other -- a.txt") == ("done", "")
    assert asked.run("tried", "log --format=%s")[1] == "/etc is not ..'s"
    outcome, text = asked.run("tried", "switch nowhere")
    assert outcome == "failed" and "nowhere" in text
    assert (
        asked.run("tried", "commit --allow-empty")[0] == "failed"
    )  # there is no editor, and it does not wait for one


@pytest.mark.parametrize(
    "command",
    [
        "push", "fetch", "pull", "clone x", "remote add x y", "submodule update", "config core.editor x", "-C / status", "--git-dir=/x status",
        "--work-tree=/ status", "-c core.sshCommand=x status", "-c alias.x=!sh x", "status; ls", "", "diff --no-index /etc/passwd a",
        "diff --output=/tmp/x", "diff --output ../x", "commit -F /etc/passwd", "commit -F/etc/passwd", "add ../x", "add a/../../x",
        "init --separate-git-dir=/tmp/x", "add ..", "diff --outp=../x",
    ],
)  # fmt: skip
def test_what_leaves_the_project_is_refused(start: Start, command: str) -> None:
    asked = start("git")
    asked.run("tried", "init -q")
    outcome, text = asked.run("tried", command)
    assert outcome == "failed" and "is refused" in text


def test_a_repository_around_the_project_is_not_this_one(start: Start, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    asked = start("git", GIT_DIR=str(tmp_path / ".git"))
    outcome, text = asked.run("tried", "status")
    assert outcome == "failed" and "not a git repository" in text


# ---- spreadsheet ---------------------------------------------------------------------------------


USED = "sheet Sheet, used: A1:B4"


def test_a_spreadsheet_goes_round(start: Start) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    asked = start("spreadsheet")
    assert asked.run("tried", "open my table.xlsx") == ("done", "")
    assert asked.run("tried", 'add name,size\n"a, b",2\nc,0.5') == ("done", "")
    assert asked.run("tried", "set B4 =SUM(B2:B3)") == ("done", "")
    assert asked.run("tried", "set A4 007 and more, as text") == ("done", "")
    sheet = openpyxl.load_workbook(asked.folder / "my table.xlsx").active
    rows = [("name", "size"), ("a, b", 2), ("c", 0.5), ("007 and more, as text", "=SUM(B2:B3)")]
    assert list(sheet.values) == rows
    assert asked.run("tried", "read A2:B3") == ("done", f"{USED}\na, b | 2\nc | 0.5")
    assert asked.run("tried", "read A1:XFD1048576")[1].count("\n") == 4
    assert asked.shown["tried"].startswith(f"my table.xlsx\n{USED}\nname | size\n")
    sheet["A1"] = "changed elsewhere"
    sheet.parent.save(asked.folder / "my table.xlsx")
    assert asked.run("tried", "read A1:A1") == ("done", f"{USED}\nchanged elsewhere")


def test_what_is_no_command_of_a_spreadsheet_is_told(start: Start) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    asked = start("spreadsheet")
    for command in ("open ../out.xlsx", "open /tmp/out.xlsx", "close", ""):
        assert asked.run("tried", command)[1].startswith("Say open FILE (in the project)")
    asked.write("_no.txt", "")
    asked.run("bash", "echo no zip > no.xlsx")
    asked.run("tried", "open no.xlsx")
    assert "BadZipFile" in asked.run("tried", "read A1:A1")[1]


def test_a_spreadsheet_without_openpyxl_says_so_when_it_is_used(start: Start) -> None:
    asked = start("spreadsheet", ("import openpyxl", "import openpyxl_that_is_not_there as openpyxl"))
    outcome, text = asked.run("tried", "open a.xlsx")
    assert outcome == "failed" and text.startswith("openpyxl is not installed here: pip install")


# ---- browser -------------------------------------------------------------------------------------


@pytest.fixture
def browsing(start: Start) -> Asked:
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")
    return start("browser")


def test_a_browser_goes_reads_fills_clicks_and_takes_pictures(browsing: Asked, server: Any) -> None:
    asked, first = browsing, f"http://{server.host}/"
    assert asked.names().keys() == {"bash", "python", "editor", "tried"}
    asked.run("bash", "true")
    assert asked.shown["tried"].startswith("No page yet")
    assert asked.run("tried", f"goto {first}") == ("done", "")
    assert asked.shown["tried"].startswith(f"First\n{first}\nWörds of the page")
    assert asked.run("tried", "fill #name a 'b' %s") == ("done", "")
    assert asked.run("tried", "click #say") == ("done", "")  # its dialog is dismissed
    assert "hello a 'b' %s" in asked.run("tried", "text")[1]
    assert asked.run("tried", "click #other") == ("done", "")
    assert asked.shown["tried"].startswith(f"First\n{first}\n")
    assert asked.run("tried", "screenshot seen.png") == ("done", "")
    assert (asked.folder / "seen.png").read_bytes().startswith(b"\x89PNG")
    assert asked.run("tried", "click p ~ a#on") == ("done", "")
    assert asked.shown["tried"] == f"Second\n{first}second\nIt was reached"
    assert asked.run("tried", "click #nothing") == ("failed", "Error: #nothing is not there")
    outcome, text = asked.run("tried", "goto http://127.0.0.1:1/")
    assert outcome == "failed" and "refused" in text.lower()


def test_a_browser_opens_files_of_the_project_alone(browsing: Asked, tmp_path: Path) -> None:
    asked = browsing
    (tmp_path / "out.html").write_text("<title>Out</title>outside")
    page = "<title>In</title><a id=out href='../out.html'>out</a> inside"
    (asked.folder / "in.html").write_text(page)
    assert asked.run("tried", f"goto file://{asked.folder}/in.html")[0] == "done"
    assert "inside" in asked.shown["tried"]
    for address in (
        "file:///etc/passwd",
        f"file://{asked.folder}/../out.html",
        "chrome://version",
        "data:text/html,x",
        "javascript:1",
    ):
        outcome, text = asked.run("tried", f"goto {address}")
        assert outcome == "failed" and "is refused" in text
    for command in ("click #out", "text", "screenshot x.png"):
        outcome, text = asked.run("tried", command)
        assert outcome == "failed" and "is refused" in text and "outside" not in asked.shown["tried"]
    assert not (asked.folder / "x.png").exists()


def test_a_browser_that_ended_is_started_anew(browsing: Asked, server: Any) -> None:
    asked = browsing
    asked.run("tried", f"goto http://{server.host}/")
    pids = [
        int(each.name)
        for each in Path("/proc").iterdir()
        if each.name.isdigit() and _is_browser(each, asked.folder)
    ]
    for pid in pids:
        os.kill(pid, 9)
    assert pids
    asked.run("tried", "text")
    assert asked.run("tried", f"goto http://{server.host}/second")[0] == "done"
    assert "It was reached" in asked.shown["tried"]


def _is_browser(process: Path, folder: Path) -> bool:
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
        return (
            (process / "cwd").resolve() == folder
            and b"--remote-debugging-pipe" in words
            and not any(each.startswith(b"--type") for each in words)
        )
    except OSError:
        return False
