"""Exports: a page that loads and carries out nothing of the run, films, the conversation, a bundle without secrets."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import zipfile
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from desktop_agent.agent.context.context import Context
from desktop_agent.history.exporting import export_file, video_film
from desktop_agent.history.exporting.export_file import ExportError, written_whole
from desktop_agent.history.exporting.failure_bundle import safe_text, write_failure_bundle
from desktop_agent.history.exporting.film_frames import FilmFrame, film_frames
from desktop_agent.history.logged_run import read_logged_run
from desktop_agent.history.run_export import EXPORT_WORDS, ExportKind, export_run
from desktop_agent.history.run_story import read_story
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import PictureBlock, ResultBlock, TextBlock
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Point, Size
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.terminal_text import visible
from tests.support.recorded_run import RecordedRun, desktop_picture, recorded
from tests.systems import kept_private

NEEDS_AV = pytest.mark.linux("PyAV is not among the packages of the Windows check")
EVIL = "</script><script>document.title='pwned'</script><img src=x onerror=alert(1)>\u2028<!-- <script>"
BUTTON = (47, 107, 255)
SECRET = "correct-horse-battery-9"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def exported(folder: Path, kind: ExportKind, **options: Any) -> Path:
    path = folder.parent.parent / f"out{EXPORT_WORDS[kind].ending}"
    export_run(folder, kind, path, **options)
    return path


# ---- files -------------------------------------------------------------------------------------


def test_a_file_that_is_there_is_replaced_only_when_that_is_said(runs: Path) -> None:
    folder = recorded(runs, 1)
    path = exported(folder, "html")
    path.write_text("mine")
    with pytest.raises(ExportError, match="is there already"):
        exported(folder, "html")
    assert path.read_text() == "mine"
    exported(folder, "html", replace=True)
    assert path.read_text("utf-8").startswith("<!doctype html>") and kept_private(path)


@pytest.mark.parametrize(
    ("number", "words"),
    [(28, "no room left"), (13, "may not write"), (30, "nothing can be written on that disk")],
)
def test_a_failed_export_says_why_and_leaves_nothing(tmp_path: Path, number: int, words: str) -> None:
    path = tmp_path / "out.html"
    path.write_text("before")
    with pytest.raises(ExportError, match=words), written_whole(path, replace=True) as part:
        part.write_text("half of it")
        raise OSError(number, "as the system says it")
    assert [each.name for each in tmp_path.iterdir()] == ["out.html"] and path.read_text() == "before"


@pytest.mark.parametrize("kind", ["html", "jsonl", "bundle"])
def test_a_full_disk_is_told_in_plain_words(
    runs: Path, kind: ExportKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_agent.history.exporting.failure_bundle.doctor_report", lambda: "{}")
    folder = recorded(runs, 1)
    monkeypatch.setattr(export_file, "part_of", lambda path: Path("/dev/full"))
    with pytest.raises(ExportError, match="no room left"):
        exported(folder, kind)


@NEEDS_AV
def test_a_film_on_a_full_disk_is_told_in_plain_words(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_file, "part_of", lambda path: Path("/dev/full"))
    with pytest.raises(ExportError, match=r"no room left|cannot be made"):
        exported(recorded(runs, 1), "mp4")


def test_a_folder_that_is_not_there(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="that folder does not exist"):
        export_run(recorded(runs, 1), "html", tmp_path / "none" / "out.html")


# ---- the page ----------------------------------------------------------------------------------


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def hostile(runs: Path) -> Path:
    run = RecordedRun(runs)
    run.begin(EVIL, window=EVIL)
    run.feed.emit(say.Plan(steps=(EVIL,), current=0))
    run.click(words=EVIL)
    run.feed.emit(say.Action(number=2, op="run", words=EVIL, exact=EVIL, environment="bash", command=EVIL))
    run.feed.emit(say.Result(number=2, outcome="done", words=EVIL, output=f"{EVIL}\x1b[2J\u202e\n"))
    run.done(EVIL)
    return run.close()


def test_texts_of_a_run_are_no_part_of_the_page(runs: Path) -> None:
    page = exported(hostile(runs), "html").read_text("utf-8")
    elements = Elements()
    elements.feed(page)
    tags = [tag for tag, _ in elements.found]
    assert (
        tags.count("img") == 1 and page.count("</script>") == tags.count("script") == 4
    )  # data, 2 pictures, ours
    assert not any(name.startswith("on") for _, attributes in elements.found for name in attributes)
    assert not any("src" in attributes or "href" in attributes for _, attributes in elements.found)
    ours = re.sub(r'<script type="[^"]*".*?</script>', "", page, flags=re.S)
    assert "://" not in ours.replace("http://www.w3.org/2000/svg", "") and "url(" not in ours
    told = json.loads(re.search(r'id="run">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert told["goal"] == EVIL and told["plans"][1] == [EVIL]
    (ran,) = (each for each in told["moments"] if "output" in each)
    shown = visible(EVIL)
    assert ran["exact"] == shown and ran["output"] == f"{shown}‹ESC›[2J‹U+202E›"


def test_the_policy_of_the_page_forbids_every_request(runs: Path) -> None:
    elements = Elements()
    elements.feed(exported(recorded(runs, 1), "html").read_text("utf-8"))
    policy = next(
        a["content"] or "" for _, a in elements.found if a.get("http-equiv") == "Content-Security-Policy"
    )
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'" and parts["img-src"] == "data:"
    assert "unsafe" not in policy and parts["script-src"].startswith("'sha256-")


@pytest.mark.linux("this is Debian's Chromium")
def test_a_browser_plays_the_page_and_carries_out_nothing_of_the_run(runs: Path, tmp_path: Path) -> None:
    page = exported(hostile(runs), "html")
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=2000", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "<title>pwned" not in dom and dom.count("<img") == 1
    assert 'src="data:image/jpeg;base64,' in dom, "our own script has run and shows the picture"
    assert re.search(r'<output id="clock">1 / 8', dom)
    assert "&lt;/script&gt;&lt;script&gt;" in dom.partition('id="words"')[2][:200]


# ---- films -------------------------------------------------------------------------------------


def film(runs: Path) -> Path:
    run = RecordedRun(runs)
    run.begin("A film")
    run.click(480, 270)
    run.drag(Point(300, 300), Point(900, 700))
    run.done()
    return run.close()


@NEEDS_AV
def test_a_video_zooms_in_on_each_click(runs: Path) -> None:
    import av

    path = exported(film(runs), "mp4")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = [(float(frame.time or 0), picture_of(frame)) for frame in container.decode(stream)]
        assert stream.codec_context.name == "h264" and (stream.width, stream.height) == (960, 624)
    assert len(frames) == 1 + 3 + 3 + 2  # goal, click, drag, the end and its end
    assert frames[-1][0] == pytest.approx(0.9 + 0.9 + 0.12 + 0.9 + 0.45 + 0.12 + 0.9 + 2.7, abs=0.1)
    whole, zoomed = frames[1][1], frames[3][1]
    assert _amount(whole, BUTTON) > 20 and _amount(zoomed, BUTTON) == 0, "the button is out of sight"


def picture_of(frame: Any) -> Image.Image:
    image: Image.Image = frame.to_image()
    return image


def _amount(image: Image.Image, color: tuple[int, int, int]) -> int:
    """How many pixels are nearly of this colour."""
    pixels = np.asarray(image.resize((160, 104)).convert("RGB"), dtype=int)
    return int((np.abs(pixels - color).max(axis=2) < 40).sum())


def frames_of(folder: Path) -> list[FilmFrame]:
    return list(film_frames(read_story(folder), folder))


def test_the_frames_of_a_film_and_their_times(runs: Path) -> None:
    lasting = [round(each.seconds * 1_000) for each in frames_of(film(runs))]
    assert lasting == [900, 900, 120, 900, 450, 120, 900, 2700]


def test_without_the_package_its_extra_is_named(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_agent.support.optional_package.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"desktop-agent\[video\]"):
        exported(recorded(runs, 1), "mp4")


@NEEDS_AV
def test_another_encoder_is_taken_where_the_first_is_missing(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import av

    monkeypatch.setattr(video_film, "ENCODERS", (("no-such-encoder", {}), ("mpeg4", {})))
    with av.open(str(exported(film(runs), "mp4"))) as container:
        assert container.streams.video[0].codec_context.name == "mpeg4"


def test_pictures_that_cannot_be_read_do_not_end_a_film(runs: Path) -> None:
    run = RecordedRun(runs, picture=lambda number: b"\xff\xd8\xff no picture " + bytes([number]))
    run.begin()
    run.click()
    run.done()
    assert len(frames_of(run.close())) == 5


@NEEDS_AV
def test_a_run_without_moments_cannot_be_filmed(runs: Path) -> None:
    folder = runs / "20200101-000000-0123456789abcdef"
    folder.mkdir(parents=True)
    with pytest.raises(ExportError, match="nothing that could be shown"):
        exported(folder, "mp4")


# ---- the conversation --------------------------------------------------------------------------


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_conversation_has_four_roles_and_its_pictures_as_png(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin("do it")
    jpeg = base64.b64encode(desktop_picture(7)).decode()
    context = Context(run.feed)
    context.add(
        "environment", TextBlock("[LOOK]", passing=True), PictureBlock("image/jpeg", Size(480, 270), jpeg)
    )
    context.add("assistant", TextBlock("ok"))
    context.add("assistant", TextBlock("I begin"))
    context.add("command", TextBlock('{"op": "click"}'))
    context.add("environment", ResultBlock("c1", (TextBlock("clicked"),)))
    context.summarize("All of it so far.", 1)
    run.done()
    told = lines(exported(run.close(), "jsonl"))
    assert [each["role"] for each in told] == [
        "user",
        "environment",
        "assistant",
        "command",
        "environment",
        "assistant",
    ]
    assert told[0] == {"role": "user", "content": [{"type": "text", "text": "do it"}]}
    assert [each["text"] for each in told[2]["content"]] == ["ok", "I begin"]
    picture = told[1]["content"][1]
    assert picture["type"] == "image" and picture["source"]["media_type"] == "image/png"
    with Image.open(io.BytesIO(base64.b64decode(picture["source"]["data"]))) as image:
        assert (image.format, image.size) == ("PNG", (480, 270))
    assert told[-1]["content"][0]["text"].startswith("SUMMARIZED CONTEXT: ")


def test_a_run_without_conversation_tells_what_was_said_and_done(runs: Path) -> None:
    told = lines(exported(recorded(runs, 2, goal="the goal"), "jsonl"))
    assert told[0]["role"] == "user" and told[0]["content"][0]["text"] == "the goal"
    assert {each["role"] for each in told} == {"user", "assistant", "command", "environment"}
    assert all(one["role"] != other["role"] for one, other in pairwise(told))
    assert sum(part["type"] == "image" for each in told for part in each["content"]) == 3


# ---- secrets -----------------------------------------------------------------------------------


@pytest.fixture
def knows() -> None:
    redactor().know(SECRET)


def planted(runs: Path) -> Path:
    """A run whose log was written before anybody knew that this is a secret: it stands everywhere."""
    coded = base64.b64encode(f"user:{SECRET}".encode()).decode()
    run = RecordedRun(runs)
    store = run.store
    texts = {"goal": f"log in with {SECRET}", "note": f"base64: {coded}", "error": f"no {SECRET}"}
    run.look(f"{SECRET} – Browser")
    for kind, text in texts.items():
        store.append(kind, {"type": kind, "text": text, "message": text, "advice": "", "by": "", "time": 1.0})
    action = {
        "type": "action",
        "number": 1,
        "op": "type",
        "words": f"Typing {SECRET}",
        "exact": f"type('{SECRET}')",
        "at": None,
    }
    store.append("action", action)
    store.append("intent", {"operations": [{"op": "type", "text": SECRET, SECRET: 1}], "elements": {}})
    store.append(
        "message", {"role": "user", "content": [{"type": "text", "text": f"password={SECRET} {coded}"}]}
    )
    return run.close()


@pytest.mark.usefixtures("knows")
@pytest.mark.parametrize("kind", ["html", "jsonl", "bundle"])
def test_no_export_holds_a_known_secret(
    runs: Path, kind: ExportKind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "desktop_agent.history.exporting.failure_bundle.doctor_report", lambda: f"env has {SECRET}"
    )
    settings = tmp_path / "config.toml"
    settings.write_text(f'[llm.compatible]\nbase_url = "http://u:{SECRET}@127.0.0.1/"\napi_key = "short7"\n')
    path = exported(planted(runs), kind, settings=settings, pictures=True)
    coded = base64.b64encode(f"user:{SECRET}".encode()).decode()
    for text in _contents(path):
        assert (
            SECRET not in text
            and coded not in text
            and SECRET.encode().hex() not in text
            and "short7" not in text
        )


def _contents(path: Path) -> list[str]:
    if path.suffix != ".zip":
        return [path.read_text("utf-8")]
    with zipfile.ZipFile(path) as bundle:
        return [
            bundle.read(name).decode("utf-8", "replace") for name in bundle.namelist()
        ] + bundle.namelist()


@pytest.mark.parametrize(
    "secret",
    ["sk-" + "ant-a1B2" * 5, "ghp_" + "a1b2c3d4" * 3, "AKIA" + "IOSF" * 4, "eyJ" + "hbGci" * 4 + ".eyJzdWIiOiIx.abc-def_1"],
)  # fmt: skip
def test_what_looks_like_a_key_is_taken_out_though_nobody_knows_it(secret: str) -> None:
    assert secret not in safe_text(f"curl -H 'x: {secret}' there")


@pytest.mark.parametrize(
    "text",
    ["password=hunter2x", "PASSWORD: hunter2x", "Authorization: Bearer hunter2x", "api_key=hunter2x&a=1"],
)
def test_what_follows_the_word_for_a_secret_is_taken_out(text: str) -> None:
    assert "hunter2x" not in safe_text(text)


def test_pictures_are_in_a_bundle_only_when_asked_for(runs: Path, tmp_path: Path) -> None:
    run = read_logged_run(recorded(runs, 8))
    for pictures, count in ((False, 0), (True, 5)):
        path = tmp_path / f"{count}.zip"
        write_failure_bundle(run, path, pictures=pictures, doctor=lambda: "{}")
        with zipfile.ZipFile(path) as bundle:
            assert sum(name.startswith("frames/") for name in bundle.namelist()) == count
            assert {"README.txt", "events.jsonl", "settings.json", "versions.json", "doctor.json"} <= set(
                bundle.namelist()
            )
            assert str(Path.home()) not in bundle.read("events.jsonl").decode() or str(Path.home()) == "/"
