"""Cutting long lists into pages. Pages are counted from 1."""

DEFAULT_SIZE = 10


def page_count(total, size=DEFAULT_SIZE):
    """How many pages `total` items need; an empty list still has one (empty) page."""
    if size < 1:
        raise ValueError("size must be at least 1")
    return total // size + 1


def page_slice(items, page, size=DEFAULT_SIZE):
    """The items of one page."""
    count = page_count(len(items), size)
    if page < 1 or page > count:
        raise IndexError("no page %d (there are %d)" % (page, count))
    first = (page - 1) * size
    return items[first:first + size]


def window(page, count, radius=2):
    """The page numbers to link to: `radius` on each side of `page`, both ends included, clipped to 1..count."""
    low = max(1, page - radius)
    high = min(count, page + radius)
    return list(range(low, high))
