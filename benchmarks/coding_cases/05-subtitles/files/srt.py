"""Reading and writing subtitle files (SubRip)."""
import re

TIME = re.compile(r"(\d+):(\d\d):(\d\d),(\d\d\d)")
ENCODING = "latin-1"


def milliseconds(text):
    found = TIME.fullmatch(text.strip())
    if found is None:
        raise ValueError("not a time: %r" % text)
    hours, minutes, seconds, rest = map(int, found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def clock(value):
    seconds, rest = divmod(value, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return "%02d:%02d:%02d,%03d" % (hours, minutes, seconds, rest)


def read(path):
    """A list of (start, end, text). The file is UTF-8, with or without a byte order mark."""
    with open(path, encoding=ENCODING) as handle:
        blocks = re.split(r"\n\s*\n", handle.read().strip())
    cues = []
    for block in blocks:
        if not block:
            continue
        number, times, *lines = block.split("\n")
        int(number)
        start, end = times.split("-->")
        cues.append((milliseconds(start), milliseconds(end), "\n".join(lines)))
    return cues


def write(path, cues):
    """UTF-8 without a byte order mark, lines ended with a bare newline."""
    with open(path, "w", encoding=ENCODING, newline="\n") as handle:
        for number, (start, end, text) in enumerate(cues, 1):
            handle.write("%d\n%s --> %s\n%s\n\n" % (number, clock(start), clock(end), text))
