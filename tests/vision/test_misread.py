"""What may be a misreading of a text, and what is another text."""

import pytest

from desktop_agent.vision.ocr.misread import reads_as


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ("Anna Berg", "Anna Berg"),
        ("AnnaBerg", "Anna Berg"),
        ("room lO4", "room 104"),
        ("BiII 1Z", "Bill 12"),
    ],
)
def test_look_alikes_and_blanks_are_misread(seen: str, text: str) -> None:
    assert reads_as(seen, text)


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ("Anna Ber", "Anna Berg"),
        ("Anna BergAnna Berg", "Anna Berg"),
        ("Anna Berq", "Anna Berg"),
        ("Katy", "Katz"),
        ("Ruckruf", "Rückruf"),
        ("", "Anna"),
        ("O", "0"),
        ("12 Mill Lane", "13 Mill Lane"),
        ("room 104", "room 140"),
    ],
)
def test_another_text_is_not(seen: str, text: str) -> None:
    assert not reads_as(seen, text)
