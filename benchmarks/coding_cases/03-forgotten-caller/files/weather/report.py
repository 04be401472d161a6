"""Reports about a day's readings (degrees Fahrenheit, as the station sends them)."""
from . import units
from .stats import avg, extremes


def show(value):
    return "--" if value is None else "%.1f" % value


def day(readings):
    celsius = [None if r is None else units.to_celsius(r) for r in readings]
    low, high = extremes(celsius)
    return "min %s  mean %s  max %s" % (show(low), show(avg(celsius)), show(high))


def alarm(readings, limit=30.0):
    """The readings, in Celsius, that are above the limit."""
    return [round(units.f2c(r), 1) for r in readings if r is not None and units.f2c(r) > limit]
