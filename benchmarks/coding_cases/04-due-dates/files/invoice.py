"""An invoice and its reminders."""
from dues import add_months, days_late, parse_stamp


class Invoice:
    def __init__(self, number, stamp, months=1):
        self.number = number
        self.issued = parse_stamp(stamp)
        self.months = months

    @property
    def due(self):
        return add_months(self.issued.date(), self.months)

    def reminder(self, now):
        """None, or the reminder's text."""
        late = days_late(self.due, parse_stamp(now))
        if late == 0:
            return None
        return "invoice %s is %d day%s late" % (self.number, late, "" if late == 1 else "s")
