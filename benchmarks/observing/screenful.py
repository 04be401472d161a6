"""A terminal full of coloured words, run inside one: each line of a pipe asks for a new page or one word.

Standing alone: python screenful.py PIPE. `words(number, …)` is what page `number` shows.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

_TEXT = """about account address again agenda amount annual answer archive article basket before between
bicycle blanket border bottle budget button calendar camera cancel carpet ceiling chapter circle climate
coffee column comment contact copper corner country credit current danger decimal default deliver desktop
detail device dialog double drawer driver editor effect eleven engine entry evening example export fabric
factor family figure folder forest format garden gather ginger glance global gravel ground handle harbour
height helmet history holiday hunger import improve index insert invoice island jacket journal kettle keyboard
kitchen ladder letter library limit linen listen machine manage margin market master matter meadow member
message middle minute mirror monitor morning mother mountain narrow nature needle network notice number
object office orange orchard outside package pencil people picture planet pocket printer problem profile
project pursue quarter question rabbit railway recent record remove report river rocket saddle sample
school screen second select settings shadow silver simple sister sketch socket spirit spring station stream
summer switch system tablet target theatre thunder ticket timber toggle travel tunnel unable update useful
valley vessel village visitor volume wallet weather window winter wonder yellow yesterday"""
WORDS = _TEXT.split()
_COLOURS = ("0", "31", "32", "34", "35", "36", "1", "37;44", "30;43", "37;41", "32;40", "7")


def words(number: int, columns: int, rows: int) -> list[list[str]]:
    """Line by line, as many as fit; the same for the same numbers."""
    chosen = random.Random(number)  # noqa: S311
    return [_line(chosen, columns) for _ in range(rows)]


def _line(chosen: random.Random, columns: int) -> list[str]:
    line: list[str] = []
    while len(" ".join(line)) <= columns - _LONGEST:
        line.append(chosen.choice(WORDS))
    return line


_LONGEST = max(map(len, WORDS)) + 1


def _page(number: int, columns: int, rows: int) -> Iterator[str]:
    yield "\x1b[2J\x1b[H"
    for row, line in enumerate(words(number, columns, rows)):
        yield f"\x1b[{_COLOURS[row % len(_COLOURS)]}m{' '.join(line)}\x1b[0m\r\n"


def main(pipe: str) -> None:
    """Draw what is asked for until the pipe is gone: a line `page NUMBER COLUMNS ROWS`, or a word."""
    with Path(pipe).open(encoding="utf-8") as orders:
        for order in orders:
            match order.split():
                case ["page", *numbers]:
                    sys.stdout.write("".join(_page(*map(int, numbers))))
                case [word]:
                    sys.stdout.write(f"{word} ")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
