"""Reads settings.ini and prints the greeting page. (This file has Windows line ends, and keeps them.)"""
import sys

DEFAULTS = {"title": "Untitled", "width": "7", "upper": "no"}


def read_settings(path):
    """The settings as a dict: `name = value` lines; # starts a comment."""
    settings = dict(DEFAULTS)
    with open(path, "rb") as handle:
        text = handle.read().decode("utf-8")
    for line in text.split("\n"):
        line = line.split("#")[0]
        if not line:
            continue
        name, value = line.split("=", 1)
        settings[name.strip()] = value
    return settings


def heading(settings):
    """The title between two rules that are as wide as the setting says (default 30)."""
    title = settings["title"]
    if settings["upper"] == "yes":
        title = title.upper()
    rule = "=" * int(settings["width"])
    return rule + "\n" + title.center(int(settings["width"])).rstrip() + "\n" + rule


def main(arguments):
    print(heading(read_settings(arguments[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
