import unittest

from paginate import page_count, page_slice
from render import footer


class PaginateTest(unittest.TestCase):
    def test_count(self):
        self.assertEqual(page_count(21, 10), 3)
        self.assertEqual(page_count(20, 10), 2)

    def test_slice(self):
        self.assertEqual(page_slice(list(range(25)), 3, 10), [20, 21, 22, 23, 24])

    def test_no_page_after_the_last(self):
        with self.assertRaises(IndexError):
            page_slice(list(range(20)), 3, 10)

    def test_footer(self):
        self.assertEqual(footer(2, 45, 10), "page 2 of 5: 1 [2] 3 4")


if __name__ == "__main__":
    unittest.main()
