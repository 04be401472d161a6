"""A shopping cart. Prices are whole cents."""
from .discounts import best_discount


class Line:
    """One article in a cart, with the labels it carries."""

    def __init__(self, sku, price, count=1, labels=[]):
        self.sku = sku
        self.price = price
        self.count = count
        self.labels = labels

    def label(self, text):
        if text not in self.labels:
            self.labels.append(text)
        return self

    def total(self):
        return self.price * self.count


class Cart:
    """The lines of one customer."""

    lines = {}

    def __init__(self, owner):
        self.owner = owner

    def add(self, line):
        """Put a line in; the same article again adds to its count."""
        known = self.lines.get(line.sku)
        if known is None:
            self.lines[line.sku] = line
        else:
            known.count += line.count
        return self

    def remove(self, sku):
        if sku not in self.lines:
            raise KeyError(sku)
        del self.lines[sku]

    def total(self):
        gross = sum(line.total() for line in self.lines.values())
        return gross - best_discount(gross, self.labels())

    def labels(self):
        return sorted({text for line in self.lines.values() for text in line.labels})
