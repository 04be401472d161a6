"""python3 -m weather READING... : a reading is a number, or - where it failed."""
import sys

from . import report


def main(arguments):
    readings = [None if word == "-" else float(word) for word in arguments]
    print(report.day(readings))
    for value in report.alarm(readings):
        print("ALARM", value)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
