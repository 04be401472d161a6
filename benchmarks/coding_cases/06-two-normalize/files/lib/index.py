"""Which files each person wrote."""
from .paths import normalize


class Index:
    def __init__(self):
        self.entries = {}

    def add(self, author, path):
        self.entries.setdefault(normalize(author), set()).add(normalize(path))

    def of(self, author):
        return sorted(self.entries.get(normalize(author), ()))

    def authors(self):
        return sorted(self.entries)
