"""Verifying finds every change of a log, and only changes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.runlog import heads
from desktop_agent.agent.runlog.audit import AuditResult, verify
from desktop_agent.agent.runlog.hash_chained_log import Record, RunStore, read
from desktop_agent.agent.runlog.heads import Head, Heads
from desktop_agent.agent.runlog.run_names import is_run_name, new_run_name
from desktop_agent.protocol.errors import StoreError
from tests.systems import kept_private

thousands = pytest.mark.linux(
    "writes a file thousands of times, which takes minutes there; the sums are the same"
)


def unheard(path: Path, text: str, last: bool) -> bool:
    """No guard."""
    return False


def recorded(data: Path, count: int = 5, close: bool = True) -> Path:
    """A run's folder with `count` notes and a picture; not closed, it is as a killed program leaves it."""
    run = data / "runs" / "run"
    store = RunStore(run, Heads(run, unheard))
    store.keep_frame("abc", b"a picture", "jpg")
    for number in range(count):
        store.append("note", {"text": f"fact {number} ünï", "ratio": 0.1 + number})
    if close:
        store.close()
    return run


def lines_of(run: Path) -> list[bytes]:
    return (run / "events.jsonl").read_bytes().splitlines(keepends=True)


def write(run: Path, lines: list[bytes]) -> AuditResult:
    (run / "events.jsonl").write_bytes(b"".join(lines))
    return verify(run)


def words(verdict: AuditResult) -> str:
    return "\n".join(map(str, verdict.problems))


def test_a_whole_log(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    verdict = verify(run)
    assert verdict == verify(run / "events.jsonl")
    assert verdict.certain and not verdict.notes and verdict.lines == verdict.witnessed == 7


@thousands
def test_a_changed_bit_of_any_byte_is_found_and_its_line_named(tmp_path: Path) -> None:
    run = recorded(tmp_path, 2)
    data = (run / "events.jsonl").read_bytes()
    for position, changed in with_a_changed_bit(data):
        verdict = write(run, [changed])
        assert not verdict.whole, position
        if data[position] != ord("\n"):
            assert verdict.problems[0].line == data.count(b"\n", 0, position) + 1


def with_a_changed_bit(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each position with the bytes in which a bit of that one is another: a different bit from byte to byte."""
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= 1 << position % 8
        yield position, bytes(changed)


def test_a_change_that_means_the_same_is_found_too(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    lines = lines_of(run)
    for old, new in (
        (b'"seq":', b'"seq": '),
        (b"fact 1", b"fact \\u0031"),
        (b'"ratio":1.1', b'"ratio":1.10'),
    ):
        assert old in lines[3]
        assert "line 4: was changed" in words(
            write(run, [*lines[:3], lines[3].replace(old, new), *lines[4:]])
        )


def test_a_line_cut_out_put_in_moved_or_doubled_is_named(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    lines = lines_of(run)
    assert "line 3: 1 record before it is missing" in words(write(run, lines[:2] + lines[3:]))
    assert "line 1: 2 records before it are missing" in words(write(run, lines[2:]))
    assert "line 4: record 2 stands here again" in words(write(run, [*lines[:3], *lines[2:]]))
    moved = write(run, [*lines[:2], lines[3], lines[2], *lines[4:]])
    assert [problem.line for problem in moved.problems] == [3, 4, 5]
    assert "line 3: was changed" in words(write(run, [*lines[:2], b"\n", *lines[2:]]))


def chained_anew(lines: list[bytes], at: int, text: str, **facts: object) -> list[bytes]:
    """The log with other facts at `at`, and every hash after it made anew."""
    records = [msgspec.json.decode(line, type=Record) for line in lines]
    head = records[at].prev
    for index in range(at, len(records)):
        data = {"text": text, **facts} if index == at else records[index].data
        records[index] = msgspec.structs.replace(records[index], data=data, prev=head).seal()
        head = records[index].hash
    return [msgspec.json.encode(record) + b"\n" for record in records]


def test_a_log_chained_anew_is_not_what_was_witnessed(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    for at in range(7):
        verdict = write(run, chained_anew(lines_of(run), at, "never happened"))
        assert "line 7: is not what was witnessed" in words(verdict)


def test_a_log_that_ends_too_early(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    lines = lines_of(run)
    for left in range(7):
        lost = 7 - left
        are = "record is" if lost == 1 else "records are"
        assert f"{lost} {are} missing at its end" in words(write(run, lines[:left]))


def test_what_is_added_after_the_end_is_found(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    lines = lines_of(run)
    last = msgspec.json.decode(lines[-1], type=Record)
    more = msgspec.structs.replace(last, seq=7, prev=last.hash).seal()
    assert "line 8: was added after the end" in words(write(run, [*lines, msgspec.json.encode(more) + b"\n"]))
    assert "line 8: was added after the end" in words(write(run, [*lines, b"half a li"]))


def test_a_run_that_was_cut_short_is_whole_and_said_to_be_so(tmp_path: Path) -> None:
    verdict = verify(recorded(tmp_path, close=False))
    assert verdict.whole and not verdict.certain
    assert "cut short; 6 records after the last witnessed one" in verdict.notes[0]


def test_a_torn_line_is_a_crash_and_not_a_change(tmp_path: Path) -> None:
    run = recorded(tmp_path, close=False)
    verdict = write(run, [*lines_of(run), b'{"seq":7,"ti'])
    assert verdict.whole and "torn (12 bytes" in verdict.notes[-1]


def test_opening_a_torn_log_says_what_it_cut(tmp_path: Path) -> None:
    run = recorded(tmp_path, close=False)
    write(run, [*lines_of(run), b'{"seq":7,"ti'])
    store = RunStore(run, Heads(run, unheard))
    store.append("note", {"text": "after"})
    store.close()
    records = list(read(store.path))
    assert [(r.kind, r.data.get("bytes")) for r in records[7:]] == [("repaired", 12), ("note", None)]
    assert verify(run).certain


def test_records_that_were_lost_before_it_was_opened_again_stay_found(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    write(run, lines_of(run)[:-2])
    store = RunStore(run, Heads(run, unheard))
    store.close()
    assert "line 6: 2 records had been lost" in words(verify(run))


def test_a_broken_log_is_not_written_to(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    lines = lines_of(run)
    write(run, [*lines[:2], *lines[3:]])
    before = (run / "events.jsonl").read_bytes()
    with pytest.raises(StoreError, match="line 3: the log was cut or changed"):
        RunStore(run, Heads(run, unheard))
    assert (run / "events.jsonl").read_bytes() == before


# ---- the head --------------------------------------------------------------------------------


@thousands
def test_a_changed_bit_of_any_byte_of_the_head_is_found(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    path = tmp_path / "heads" / "run.head"
    data = path.read_bytes()
    assert kept_private(path)
    for position, changed in with_a_changed_bit(data):
        path.write_bytes(changed)
        assert not verify(run).whole, position


def test_a_head_made_without_the_key_is_found(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    kept = write(run, chained_anew(lines_of(run), 3, "never happened"))
    last = list(read(run / "events.jsonl"))[-1]
    forged = Head("run", kept.lines - 1, last.hash, ended=True).sealed(b"another key")
    (tmp_path / "heads/run.head").write_bytes(msgspec.json.encode(forged) + b"\n")
    assert "its seal does not fit" in words(verify(run))


def test_a_head_or_key_that_is_gone_is_missed(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    (tmp_path / "heads/key").rename(tmp_path / "key")
    assert "key" in words(verify(run)) and "gone" in words(verify(run))
    (tmp_path / "heads/run.head").unlink()
    assert "head of this log is missing" in words(verify(run))


def test_the_head_of_another_run_is_found(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    other = tmp_path / "runs" / "other"
    run.rename(other)
    (tmp_path / "heads/run.head").rename(tmp_path / "heads/other.head")
    assert "belongs to another run" in words(verify(other))


def test_a_chain_in_another_folder_is_told_from_its_own(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    other = run.rename(tmp_path / "runs" / "other")
    verdict = verify(other)
    assert words(verdict) == "line 1: This log was moved from run: it is not that of other."
    assert verdict.witnessed == verdict.lines, "its own head vouches for the rest of it"
    assert verify(other.rename(run)).certain


def test_chains_that_were_exchanged_are_told_apart(tmp_path: Path) -> None:
    one, two = recorded(tmp_path), tmp_path / "runs" / "two"
    RunStore(two, Heads(two, unheard)).close()
    for name in ("events.jsonl", "frames"):
        shutil.move(one / name, tmp_path / name)
        shutil.move(two / name, one / name)
        shutil.move(tmp_path / name, two / name)
    assert "moved from two: it is not that of run" in words(verify(one))
    assert "moved from run: it is not that of two" in words(verify(two))


def test_a_moved_chain_does_not_become_its_own_by_new_words(tmp_path: Path) -> None:
    """Without the key of the seal: chained anew with the new name, with or without a head."""
    run = recorded(tmp_path)
    other = run.rename(tmp_path / "runs" / "other")
    renamed = chained_anew(lines_of(other), 0, "x", run="other")
    assert "head of this log is missing" in words(write(other, renamed))
    RunStore(tmp_path / "runs" / "third", Heads(tmp_path / "runs" / "third", unheard)).close()
    shutil.copy(tmp_path / "heads/third.head", tmp_path / "heads/other.head")
    assert "belongs to another run" in words(verify(other))


def test_a_log_of_ours_cannot_lose_its_first_line(tmp_path: Path) -> None:
    run = tmp_path / "runs" / new_run_name()
    store = RunStore(run)  # without a head, as after the first line was taken out and the rest chained anew
    store.append("note", {"text": "x"})
    store.close()
    assert "does not name its run" in words(verify(run))


def test_the_name_of_a_moved_log_leads_nowhere_else(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "run"
    store = RunStore(run)
    store.append("opened", {"run": "../../secret"})
    store.close()
    assert "secret" not in words(verify(run)) and str(Path("heads", "run.head")) in words(verify(run))


def test_the_name_of_a_run_says_nothing_of_it() -> None:
    names = {new_run_name() for _ in range(100)}
    assert len(names) == 100 and all(map(is_run_name, names))
    assert not is_run_name("20261122-214500-123456-send-the-letter")


@pytest.mark.linux("files have other rights on Windows")
def test_only_their_owner_may_read_what_a_run_leaves(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir(mode=0o755)
    before = os.umask(0o022)
    try:
        run = recorded(tmp_path / "new" / "data")
    finally:
        os.umask(before)
    for path in (tmp_path / "new").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    assert (run / "frames").is_dir() and (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_log_without_a_witness_is_said_to_be_so(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs" / "run")
    store.append("note", {"text": "x"})
    store.close()
    verdict = verify(store.folder)
    assert verdict.whole and not verdict.certain and "Nobody witnessed" in verdict.notes[0]


def test_a_run_that_was_moved_is_verified_with_the_folder_of_heads(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    away = tmp_path / "away" / "there" / "run"
    shutil.copytree(run, away)
    assert "head of this log is missing" in words(verify(away))
    assert verify(away, tmp_path / "heads").certain


def test_two_programs_share_one_key(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run = tmp_path / "runs" / name
        RunStore(run, Heads(run, unheard)).close()
    assert all(heads.read(tmp_path / "heads", name) for name in ("one", "two"))
    assert sorted(each.name for each in (tmp_path / "heads").iterdir()) == ["key", "one.head", "two.head"]
    assert kept_private(tmp_path / "heads/key")


# ---- pictures and odd facts ------------------------------------------------------------------


def test_a_picture_that_was_changed_removed_or_put_there(tmp_path: Path) -> None:
    run = recorded(tmp_path)
    (picture,) = (run / "frames").iterdir()
    (run / "frames/def.jpg").write_bytes(b"another")
    assert verify(run).whole and "1 picture beside the log" in verify(run).notes[0]
    picture.write_bytes(b"A picture")
    assert f"line 2: the picture frames/{picture.name} was changed" in words(verify(run))
    picture.unlink()
    assert re.search(r"line 2: .* cannot be read: No such file", words(verify(run)))


def test_a_forged_picture_name_reaches_no_other_file(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "run"
    store = RunStore(run)
    for data in ({"file": "../../secret", "hash": "0"}, {"file": 7}, [1], "text", None):
        store.append("frame", data)
        store.append("repaired", data)
    store.close()
    assert words(verify(run)).count("a name that no picture has") == 5


def test_half_a_surrogate_pair_is_recorded_as_what_can_be_read(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.append("note", {"text": "a\udcff \U0001f600", "list": ["\ud83d"]})
    store.close()
    (record,) = read(store.path)
    assert record.data == {"text": "a\ufffd \U0001f600", "list": ["\ufffd"]}
