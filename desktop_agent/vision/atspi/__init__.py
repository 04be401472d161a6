"""Reads the accessibility tree of a Linux desktop over AT-SPI."""
