"""Discounts, in cents, for a gross sum and the labels in a cart."""

RULES = [
    # (label that must be there or None, lowest gross sum, percent)
    (None, 10000, 5),
    ("sale", 0, 10),
    ("member", 5000, 15),
]


def best_discount(gross, labels):
    """The highest discount for which the cart qualifies; halves are rounded down."""
    best = 0
    for label, lowest, percent in RULES:
        if label is not None and label not in labels:
            continue
        if gross >= lowest:
            best = max(best, gross * percent // 100)
    return best
