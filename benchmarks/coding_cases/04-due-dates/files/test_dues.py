import unittest
from datetime import date

from dues import add_months, month_end
from invoice import Invoice


class DuesTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(add_months(date(2024, 3, 5), 2), date(2024, 5, 5))

    def test_short_month(self):
        self.assertEqual(add_months(date(2024, 1, 31), 1), date(2024, 2, 29))

    def test_december(self):
        self.assertEqual(add_months(date(2023, 11, 15), 1), date(2023, 12, 15))

    def test_month_end(self):
        self.assertEqual(month_end(date(2023, 2, 3)), date(2023, 2, 28))

    def test_offset(self):
        self.assertEqual(Invoice("7", "2024-03-01T00:30:00+02:00").due, date(2024, 3, 29))

    def test_reminder(self):
        bill = Invoice("8", "2024-04-10T12:00:00Z")
        self.assertIsNone(bill.reminder("2024-05-10T23:59:59Z"))
        self.assertEqual(bill.reminder("2024-05-12T00:00:00Z"), "invoice 8 is 1 day late")
