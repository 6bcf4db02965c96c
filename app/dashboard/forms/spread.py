"""The form that spreads several posts over days, and the times that it proposes."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, Final

from wtforms import DateField, SelectField, SelectMultipleField
from wtforms.validators import InputRequired, ValidationError

from app.autopilot.slots import slots_after
from app.dashboard.forms.publishing import first_choice
from app.dashboard.forms.schedule import DAYS, HOURS, VISIBILITIES, ZoneForm, offered_name
from app.infra.local_time import start_of
from app.publishing.model import PublishTarget

YEARS: Final = range(2000, 3000)
"""Years in which a post can be published."""

_WORKDAYS: Final = (0, 1, 2, 3, 4)
_HOUR: Final = 9


class SpreadForm(ZoneForm):
    """One post on each of these weekdays from a day on, at an hour, and where all of them go."""

    first_day = DateField("From", [InputRequired("Choose a day.")])
    weekdays = SelectMultipleField("Days", choices=list(enumerate(DAYS)), coerce=int)
    hour = SelectField("At", choices=HOURS, coerce=int)
    target = SelectField("Where to", coerce=int, validate_choice=False)
    visibility = SelectField("How", choices=VISIBILITIES)

    def __init__(self, given: Any, targets: Sequence[PublishTarget], today: date) -> None:
        usual: Mapping[str, Any] = {
            "first_day": today + timedelta(days=1),
            "weekdays": list(_WORKDAYS),
            "hour": _HOUR,
            "target": first_choice(targets),
            "visibility": "",
        }
        super().__init__(given, data=usual)
        self.target.choices = [(target.id, offered_name(target)) for target in targets]

    def validate_first_day(self, field: DateField) -> None:
        """Refuse days that no clock of a zone may be able to show."""
        if field.data is not None and field.data.year not in YEARS:
            raise ValidationError(f"Choose a day from {YEARS[0]} to {YEARS[-1]}.")

    def times(self, count: int) -> list[datetime]:
        """Return so many times on the clock of the zone. Raises INVALID_REQUEST for an unknown zone."""
        zone, first = self.chosen_zone(), self.first_day.data
        assert first is not None
        weekdays = self.weekdays.data or range(len(DAYS))
        before = start_of(first, zone) - timedelta(microseconds=1)
        found = islice(slots_after(before, weekdays, self.hour.data, zone), count)
        return [slot.astimezone(zone).replace(tzinfo=None) for slot in found]
