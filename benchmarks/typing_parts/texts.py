"""What is typed: every kind of text that has gone wrong somewhere."""

from __future__ import annotations

import unicodedata

SENTENCE = "The quick brown Fox jumps over 13 lazy dogs"
ALL_ASCII = "".join(map(chr, range(33, 127)))
MIXED = (
    "Grüße aus Köln: ¿qué tal? Ça va à l'œuvre — “naïve” ‘façade’ … €5 £3 ¥7 "
    "Привет, мир! Ελληνικά; עברית العربية हिन्दी ไทย 日本語テスト 中文字符 한국어 "
    "∑∫√≠≤≥ →←↑↓ ½⅓ ☃✓ 😀🎉👍🚀 𝕏 fin. ß "
)
CJK = "我能吞下玻璃而不伤身体。私はガラスを食べられます。それは私を傷つけません。나는 유리를 먹을 수 있어요. 그래도 아프지 않아요 𠀋𪚥"
EMOJI = "x 😀🎉👍🏽🚀 👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 ❤️ 1️⃣ 🧑🏿‍🤝‍🧑🏻 🫠 🏴󠁧󠁢󠁳󠁣󠁴󠁿 fin"
COMBINING = (
    "e\u0301 n\u0303 a\u0308 Z\u0351\u0313\u0347a\u0337\u0322l\u0320\u0303g\u0316\u0349o\u0334\u0310 "
    "क्षत्रिय น้ำ שָׁלוֹם مُحَمَّد Tie\u0302\u0301ng Vie\u0323\u0302t می\u200cخواهم o\u031b\u0323 fin"
)
LAYOUTS: dict[str, tuple[tuple[str, ...], str]] = {
    "de": (("de",), "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich, groß: ^°´`@€{[]}\\~|µ²³ q'y\"z Жя 日本"),
    "fr": (("fr",), "Dès Noël où un zéphyr haï me vêt de glaçons ; l'œuvre, 1234567890 «ça» ^¨~`#{[|\\^@]} ÊËÙ ñ 日本"),
    "us-intl": (("us", "intl"), "\"Quote\" 'l'été' ~ ^ ` ñandú ¿qué? Façade Ü ý 'a \"e ^o ~n `i ''\"\" fin Жя 日本"),
    "ru": (("ru",), "Съешь же ещё этих мягких французских булок, да выпей чаю. Hello, World! [{}]'; №5 @#$ 日本"),
}  # fmt: skip
"""Arguments of setxkbmap by the layout's name, and a text: what is on its keys, on its dead keys, and on none."""


def ascii_text(length: int, end: str = "\n") -> str:
    """Words, and every character there is, in lines with this between them."""
    return _repeated(f"{SENTENCE}. {SENTENCE}!{end}{ALL_ASCII}{end}", length)


def mixed_text(length: int, end: str = "\n") -> str:
    """Nine scripts, signs and emoji: more different characters than there are free key codes on most keyboards."""
    return _repeated(MIXED.strip() + end, length)


def new_characters(length: int, first: int = 0x4E00) -> str:
    """So many different characters, none of which is on any key."""
    return "".join(chr(first + number) for number in range(length))


def every_plane() -> str:
    """Characters of each of the planes that have any, some a plane; marks and tags after what they belong to."""
    found = "x"
    for plane in (0, 1, 2, 3, 14, 15, 16):
        points = range(plane << 16, (plane + 1) << 16)
        usable = [p for p in points if _typed(p)]
        found += "".join(chr(usable[len(usable) * n // 12]) for n in range(12)) + chr(usable[-1])
    return found + "x"


def _typed(point: int) -> bool:
    """Assigned (private use counts), no control, no separator, nothing an application may join or drop."""
    category = unicodedata.category(chr(point))
    return category[0] in "LSPN" or category == "Co" or (point >> 16 == 14 and category == "Mn")


def _repeated(text: str, length: int) -> str:
    """The text again and again, cut to a length; its end is no blank, which some applications drop."""
    return (text * (length // len(text) + 1))[: length - 1] + "."
