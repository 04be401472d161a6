"""The benchmark of looks in short: what changes is another picture, what does not is the same one."""

from __future__ import annotations

from benchmarks.observe import Way
from benchmarks.observing.stage import stage
from desktop_agent.protocol.geometry import Size


def test_only_what_changed_is_another_picture() -> None:
    with stage(Size(1280, 800)) as shown:
        way = Way(960)
        hashes, pictures = [], []
        for change in (shown.change_little, shown.show_few, shown.change_all, shown.change_little):
            change()
            frame, picture = way.take(shown, way.all_new)
            later, again = way.take(shown, way.same)
            assert again is picture
            assert later.digest == frame.digest
            hashes.append(frame.digest)
            pictures.append(picture.data)
        assert len(set(hashes)) == len(set(pictures)) == 4
        assert shown.words()
