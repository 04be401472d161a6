import unittest

from bank import Account, Ledger, statement


class BankTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ann = Account(self.ledger, "Ann")
        self.bob = Account(self.ledger, "Bob", limit=500)
        self.ann.pay_in(2000)
        self.bob.pay_in(300)

    def test_balance(self):
        self.assertEqual(self.ann.balance(), 2000)

    def test_limit(self):
        self.bob.pay_out(800)
        self.assertEqual(self.bob.balance(), -500)
        with self.assertRaises(ValueError):
            self.bob.pay_out(1)

    def test_statement(self):
        self.ann.pay_out(505, "rent")
        self.assertEqual(statement(self.ann).split("\n")[1:], [
            "in              20.00", "rent            -5.05", "balance         14.95"])


if __name__ == "__main__":
    unittest.main()
