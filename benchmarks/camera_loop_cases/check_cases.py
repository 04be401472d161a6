"""Checks the cases themselves: `python -m benchmarks.camera_loop_cases.check_cases [--no-browser]`.

Every possible job must be passed by its reference and failed by doing nothing, every impossible job the other
way round; every screen must fit a terminal. Prints one line a problem and returns 1 when there is one. The
forms are filled in a headless Chromium, which is left out with --no-browser.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from benchmarks.camera_loop_cases import judge

HERE = Path(__file__).resolve().parent
SECONDS_FOR_FORMS = 60
COLUMNS = 80

# Fills a form as a job expects, sends it, and goes on to the next one. Where a field is needed it is sent empty
# before, which must show the error box and must not arrive.
FILL = """<script>
addEventListener("load", () => {
  const form = document.getElementById("form"), error = document.getElementById("error");
  const press = () => form.querySelector("button[type=submit]").click();
  const next = () => { if (document.body.innerText.includes("Thank you")) location = "/NEXT"; };
  new MutationObserver(next).observe(document.body, { childList: true, subtree: true });
  if (error) { press(); if (getComputedStyle(error).display === "none") return; }
  for (const [name, value] of Object.entries(VALUES)) {
    const field = form.elements[name];
    if (typeof value === "boolean") field.checked = value; else field.value = value;
  }
  press();
});
</script>"""


def main(arguments: Sequence[str]) -> int:
    """Prints the problems of all cases; 1 if there are any."""
    found = [*terminal_problems(), *screen_problems()]
    found += [] if "--no-browser" in arguments else form_problems()
    print("\n".join(found) or "all cases hold")
    return 1 if found else 0


def read(name: str) -> dict[str, Any]:
    """A TOML file of this folder."""
    return tomllib.loads((HERE / name).read_text("utf-8"))


def terminal_problems() -> Iterator[str]:
    """What is wrong with the terminal jobs."""
    jobs, solutions = read("terminal_jobs.toml")["jobs"], read("reference_solutions.toml")
    if len({job["id"] for job in jobs}) != len(jobs):
        yield "an id stands twice in terminal_jobs.toml"
    for job in jobs:
        impossible = job.get("impossible", False)
        idle, wrong = after(job, None, not impossible), after(job, None, impossible)
        if impossible and (idle or not wrong):
            yield f"{job['id']}: doing nothing and saying so must pass, claiming it must not: {idle}"
        if not impossible and not idle:
            yield f"{job['id']}: doing nothing passes"
        if not impossible and (faults := after(job, solutions[job["id"]], True)):
            yield f"{job['id']}: the reference fails: {faults}"


def after(job: Mapping[str, Any], solution: Mapping[str, str] | None, done: bool) -> list[str]:
    """The faults of a job after its reference solution, or after nothing, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        judge.lay_out(job, Path(name))
        if solution:
            argv = ["bash", "-c", solution["run"]]
            subprocess.run(argv, cwd=name, check=True, capture_output=True, timeout=SECONDS_FOR_FORMS)
        return judge.terminal_faults(job, Path(name), done, (solution or {}).get("answer", ""))


def screen_problems() -> Iterator[str]:
    """What is wrong with the screens."""
    for path in sorted(HERE.glob("screens/*/*.txt")):
        text = path.read_text("utf-8")
        rows = judge.screen_rows(text)
        if len(rows) > judge.ROWS or max(map(len, rows)) > COLUMNS or "\t" in text:
            yield f"{path.name} does not fit {judge.ROWS} rows of {COLUMNS} columns, or holds a tab"


def form_problems() -> Iterator[str]:
    """What is wrong with the forms and their jobs, by a browser that fills them in."""
    cases = read("form_jobs.toml")
    jobs = [job for job in cases["jobs"] if not job.get("impossible", False)]
    server = FormServer(jobs)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        fill_in_browser(server)
    finally:
        server.shutdown()
        server.server_close()
    for job, sent in zip(jobs, server.submitted, strict=True):
        defaults = cases["defaults"][job["page"]]
        if faults := judge.form_faults(job, defaults, True, sent):
            yield f"{job['id']}: filled as expected it fails: {faults}"
        if not judge.form_faults(job, defaults, True, [defaults]):
            yield f"{job['id']}: sending it as it was passes"


class FormServer(ThreadingHTTPServer):
    """Serves /0, /1 and so on: the forms of the jobs, each with the script that fills it; keeps what is sent."""

    def __init__(self, jobs: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(("127.0.0.1", 0), FormHandler)
        self.jobs = jobs
        self.submitted: list[list[dict[str, Any]]] = [[] for _ in jobs]
        self.finished = threading.Event()

    def page(self, number: int) -> bytes:
        """The page of a job with its script; an empty one, and the end, after the last job."""
        if number >= len(self.jobs):
            self.finished.set()
            return b""
        job = self.jobs[number]
        script = FILL.replace("NEXT", str(number + 1)).replace("VALUES", json.dumps(job["expected"]))
        return ((HERE / "forms" / f"{job['page']}.html").read_text("utf-8") + script).encode()


class FormHandler(BaseHTTPRequestHandler):
    """One request of the browser; which job a form belongs to is read from the Referer."""

    def do_GET(self) -> None:
        self.reply(self.serving().page(int(self.path[1:])) if self.path[1:].isdigit() else b"")

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/submitted":
            self.serving().submitted[int(self.headers["Referer"].rsplit("/", 1)[1])].append(sent)
        self.reply(b"")

    def serving(self) -> FormServer:
        """The server this request came to."""
        return cast(FormServer, self.server)

    def reply(self, body: bytes) -> None:
        """Answers with a page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def fill_in_browser(server: FormServer) -> None:
    """Lets a headless Chromium go through all forms, for a minute at most."""
    browser = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        argv = [browser, "--headless", "--no-sandbox", "--window-size=1280,800", f"--user-data-dir={profile}"]
        argv += ["--remote-debugging-port=0", f"http://127.0.0.1:{server.server_address[1]}/0"]
        with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            server.finished.wait(SECONDS_FOR_FORMS)
            process.terminate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
