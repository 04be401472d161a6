import unittest

from shop import Cart, Line, best_discount


class CartTest(unittest.TestCase):
    def test_two_customers(self):
        ann = Cart("Ann").add(Line("pen", 120, 3))
        bob = Cart("Bob").add(Line("ink", 900))
        self.assertEqual(ann.total(), 360)
        self.assertEqual(bob.total(), 900)

    def test_same_article_twice(self):
        cart = Cart("Cyd").add(Line("pad", 250)).add(Line("pad", 250, 2))
        self.assertEqual(cart.lines["pad"].count, 3)

    def test_labels_stay_with_their_line(self):
        Line("pen", 120).label("sale")
        self.assertEqual(Line("ink", 900).labels, [])

    def test_discount(self):
        self.assertEqual(best_discount(20000, ["sale"]), 2000)
