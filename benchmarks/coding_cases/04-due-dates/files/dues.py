"""Due dates of invoices."""
import calendar
from datetime import date, datetime, timedelta, timezone

UTC = timezone.utc


def parse_stamp(text):
    """An ISO time stamp ("2024-03-01T00:30:00+02:00", or with Z) as an aware time in UTC.

    A stamp without an offset is taken as UTC.
    """
    moment = datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
    return moment.replace(tzinfo=UTC)


def add_months(day, months):
    """The same day some months on (or back); the month's last day where it has no such day."""
    month = day.month + months
    year = day.year + month // 12
    return date(year, month % 12, day.day)


def month_end(day):
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def days_late(due, now):
    """Whole days since the end (UTC) of the day `due`; 0 where it is not late."""
    end = datetime(due.year, due.month, due.day, tzinfo=UTC) + timedelta(days=1)
    return max(0, (now - end).days)
