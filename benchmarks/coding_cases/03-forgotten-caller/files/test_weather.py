import unittest

from weather import report


class ReportTest(unittest.TestCase):
    def test_day(self):
        self.assertEqual(report.day([50, None, 68]), "min 10.0  mean 15.0  max 20.0")

    def test_freezing_point_counts(self):
        self.assertEqual(report.day([32, 50]), "min 0.0  mean 5.0  max 10.0")

    def test_no_readings(self):
        self.assertEqual(report.day([None]), "min --  mean --  max --")

    def test_alarm(self):
        self.assertEqual(report.alarm([95, None, 50]), [35.0])
