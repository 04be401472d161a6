import unittest

from orders import load_orders, load_prices, monthly


class OrdersTest(unittest.TestCase):
    def test_price_of_a_102(self):
        self.assertEqual(load_prices()["A-102"], 48.0)

    def test_notes(self):
        notes = {row["order"]: row["note"] for row in load_orders()}
        self.assertEqual(notes["2"], "gift, wrapped")
        self.assertEqual(notes["5"], "call, then deliver")

    def test_monthly(self):
        # order 4 is of the last day of February
        self.assertEqual(monthly(load_orders(), load_prices()), {"2024-02": 92.5, "2024-03": 32.49})
