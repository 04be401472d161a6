"""Monthly sums of the orders in data/. The data are kept by hand; a fault in them is a fault to be mended there.

Price list of January 2024 (as printed): A-100 12.50, A-101 3.20, A-102 48.00, A-103 7.75, B-200 0.99, B-201 1.49
"""
import csv
import json
import os
from datetime import date

HERE = os.path.dirname(os.path.abspath(__file__))


def load_prices(path=os.path.join(HERE, "data", "prices.json")):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)["prices"]


def load_orders(path=os.path.join(HERE, "data", "orders.csv")):
    orders = []
    with open(path, encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            if None in row:
                raise ValueError("order %s has too many fields" % row["order"])
            row["day"] = date(*map(int, row["day"].split("-")))
            row["count"] = int(row["count"])
            orders.append(row)
    return orders


def monthly(orders, prices):
    sums = {}
    for row in orders:
        month = row["day"].strftime("%Y-%m")
        sums[month] = round(sums.get(month, 0) + row["count"] * prices[row["sku"]], 2)
    return sums


if __name__ == "__main__":
    for name, total in sorted(monthly(load_orders(), load_prices()).items()):
        print(name, "%.2f" % total)
