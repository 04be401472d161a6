"""Keyboards and mice at the end of a wire: what is pressed arrives at another computer, on which nothing is installed."""
