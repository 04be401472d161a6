"""A plain text footer for a page of results."""
from paginate import page_count, window


def footer(page, total, size):
    count = page_count(total, size)
    parts = []
    for number in window(page, count):
        parts.append("[%d]" % number if number == page else str(number))
    return "page %d of %d: %s" % (page, count, " ".join(parts))
