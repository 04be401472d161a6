import unittest

from lib.index import Index
from lib import names, paths


class IndexTest(unittest.TestCase):
    def test_same_author(self):
        index = Index()
        index.add("Dvořák, Antonín", "docs//a.txt")
        index.add("antonin  dvorak", "docs\\b.txt")
        self.assertEqual(index.authors(), ["antonin dvorak"])
        self.assertEqual(index.of("Antonín Dvořák"), ["docs/a.txt", "docs/b.txt"])

    def test_initials(self):
        self.assertEqual(names.initials("Curie, Marie"), "MC")
        self.assertEqual(names.initials("Marie Curie"), "MC")

    def test_paths(self):
        self.assertEqual(paths.normalize("/a//b/./c/"), "/a/b/c")
        self.assertEqual(paths.parent("a/b/c"), "a/b")
