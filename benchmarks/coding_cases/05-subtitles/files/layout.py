"""Fitting subtitle text on the screen."""


def fold(text, width=20):
    """Break text into lines of at most `width` characters, at spaces; a longer word has its own line."""
    lines = []
    for word in text.split():
        # „Füße“ are four letters, however many bytes
        if lines and len((lines[-1] + " " + word).encode("utf-8")) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
