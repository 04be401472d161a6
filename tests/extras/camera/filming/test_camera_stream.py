"""A camera's pictures: never older than the question, and an end in words when it goes."""

from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from desktop_agent.extras.camera.filming.camera_source import CameraOptions, shown
from desktop_agent.extras.camera.filming.camera_stream import LOST_AFTER, CameraStream
from desktop_agent.protocol.errors import ConfigError, Stopped, TargetError
from tests.support.simulated_camera import GOOD, Picture, ServedCamera, filming
from tests.support.waiting import until

SMALL = replace(
    GOOD, size=(160, 96), corners=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), blur=0, noise=0, light=0, warmth=0, rate=25
)  # fmt: skip


def go_on() -> None:
    """Nobody stops the waiting."""


class Counter:
    """A screen whose shade is told by the test."""

    def __init__(self) -> None:
        self.shade = 0

    def __call__(self) -> Picture:
        return np.full((96, 160, 3), self.shade, np.uint8)


@contextmanager
def streaming(source: str, options: CameraOptions | None = None) -> Iterator[CameraStream]:
    stream = CameraStream(source, options)
    try:
        yield stream
    finally:
        stream.close()


@pytest.fixture
def screen() -> Counter:
    return Counter()


@pytest.fixture
def served(screen: Counter) -> Iterator[ServedCamera]:
    with filming(screen, SMALL) as camera:
        yield camera


def test_no_picture_is_older_than_its_question(screen: Counter, served: ServedCamera) -> None:
    with streaming(served.address) as stream:
        numbers = []
        for shade in range(0, 250, 12):
            screen.shade = shade
            frame = stream.frame_after(time.monotonic(), 10, go_on)
            assert abs(int(frame.pixels[50, 80, 1]) - shade) <= 3
            numbers.append(frame.number)
        assert numbers == sorted(set(numbers))
        assert not frame.pixels.flags.writeable


def test_pictures_that_nobody_reads_do_not_wait(screen: Counter, served: ServedCamera) -> None:
    with streaming(served.address) as stream:
        first = stream.frame_after(time.monotonic(), 10, go_on)
        before = served.frames
        until(lambda: served.frames > before + 20, "twenty more pictures are sent")
        screen.shade = 200
        frame = stream.frame_after(time.monotonic(), 10, go_on)
        assert frame.pixels[50, 80, 1] > 190
        assert frame.number > first.number + 15


def test_a_picture_is_shared_by_those_whom_it_suits(served: ServedCamera) -> None:
    with streaming(served.address) as stream:
        moment = time.monotonic()
        assert stream.frame_after(moment, 10, go_on) is stream.frame_after(moment, 10, go_on)


def test_unplugging_is_told_and_plugging_in_again_helps(served: ServedCamera) -> None:
    with streaming(served.address) as stream:
        stream.frame_after(time.monotonic(), 10, go_on)
        served.unplug()
        until(lambda: _error(stream) is not None, "the camera is told to be gone", 5)
        served.plug_in()
        until(lambda: _error(stream) is None, "pictures come again", 20)


def _error(stream: CameraStream) -> TargetError | None:
    try:
        stream.frame_after(time.monotonic(), 0.3, go_on)
    except TargetError as error:
        return error
    return None


def test_a_camera_that_falls_silent_is_told(served: ServedCamera) -> None:
    """The connection stands, but nothing comes any more: a pulled network cable."""
    quiet = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))
    _, data = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))
    part = b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + bytes(data) + b"\r\n"

    def serve() -> None:
        with server.accept()[0] as peer:
            peer.recv(4096)
            peer.sendall(
                b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n" + part
            )
            while not quiet.wait(0.02):
                peer.sendall(part)
            until(done.is_set, "the test is over")

    done = threading.Event()
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with server, streaming(f"http://127.0.0.1:{server.getsockname()[1]}/") as stream:
            assert stream.frame_after(time.monotonic(), 10, go_on).pixels.shape == (40, 60, 3)
            quiet.set()
            server.close()
            with pytest.raises(TargetError) as told:
                while True:
                    stream.frame_after(time.monotonic(), 5, go_on)
            assert told.value.advice
    finally:
        quiet.set()
        done.set()
        thread.join()


def test_a_camera_that_stalls_for_a_while_is_not_gone() -> None:
    """A busy program sends nothing for longer than one may take whose connection was closed."""
    server = socket.create_server(("127.0.0.1", 0))
    _, data = cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))
    part = b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + bytes(data) + b"\r\n"
    first, done = threading.Event(), threading.Event()

    def serve() -> None:
        with server.accept()[0] as peer:
            peer.recv(4096)
            peer.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n")
            while not first.wait(0.02):
                peer.sendall(part)
            done.wait(LOST_AFTER + 0.5)
            while not done.wait(0.02):
                peer.sendall(part)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with server, streaming(f"http://127.0.0.1:{server.getsockname()[1]}/") as stream:
            stream.frame_after(time.monotonic(), 10, go_on)
            first.set()
            number = stream.frame_after(time.monotonic(), 10, go_on).number
            assert stream.frame_after(time.monotonic() + LOST_AFTER, 10, go_on).number > number
    finally:
        first.set()
        done.set()
        thread.join()


def test_stop_ends_the_waiting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        calls = iter(range(3))

        def check() -> None:
            if next(calls, None) is None:
                raise Stopped()

        with streaming(f"http://127.0.0.1:{silent.getsockname()[1]}/") as stream, pytest.raises(Stopped):
            stream.frame_after(time.monotonic(), 30, check)


def test_nothing_takes_longer_than_asked(served: ServedCamera) -> None:
    with streaming(served.address) as stream, pytest.raises(TargetError, match=r"in time|reached"):
        stream.frame_after(time.monotonic() + 1000, 0.2, go_on)


def video(path: Path, pictures: int = 12) -> str:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (64, 48))
    for number in range(pictures):
        writer.write(np.full((48, 64, 3), number * 20, np.uint8))
    writer.release()
    return str(path)


def test_a_video_file_ends_in_words_or_loops(tmp_path: Path) -> None:
    name = video(tmp_path / "film.avi")
    with streaming(name) as stream, pytest.raises(TargetError, match="has ended"):
        while True:
            stream.frame_after(time.monotonic(), 5, go_on)
    with streaming(name, CameraOptions(loop=True)) as stream:
        assert until(
            lambda: stream.frame_after(time.monotonic(), 5, go_on).number > 15, "the film begins anew"
        )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "No camera"),
        ("nothing.avi", "no camera or video file"),
        ("ftp://x/y", "no address"),
        ("http://", "no address"),
    ],
)
def test_what_is_no_camera_is_said(source: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        CameraStream(source)


def test_what_cannot_be_opened_is_said_without_the_password(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("no film")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for source in (f"http://me:secret@127.0.0.1:{port}/", str(tmp_path / "text.avi"), "/dev/video-none"):
        with streaming(source) as stream, pytest.raises(TargetError) as told:
            stream.frame_after(time.monotonic(), 10, go_on)
        assert told.value.advice and "secret" not in str(told.value)
    assert shown("rtsp://me:secret@host/x") == "rtsp://host/x"


def test_an_address_that_refuses_says_so() -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(401)

        def log_message(self, *words: object) -> None:
            del words

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}/"
            with streaming(address) as stream, pytest.raises(TargetError, match=r"401.*password"):
                stream.frame_after(time.monotonic(), 10, go_on)
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("wrong", [{"width": -1, "height": 5}, {"width": 640}, {"fps": float("nan")}])
def test_wrong_options_are_said(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"needed|together"):
        CameraOptions(**wrong)  # type: ignore[arg-type]
