"""Small statistics over readings; None is a reading that failed."""


def avg(values):
    """The mean of the readings that did not fail; None where there is none."""
    good = [value for value in values if value]
    return sum(good) / len(good)


def extremes(values):
    good = [value for value in values if value is not None]
    if not good:
        return None, None
    return min(good), max(good)
