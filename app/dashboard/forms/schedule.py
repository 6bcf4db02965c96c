"""The forms of scheduled publications: a local time, its time zone, and where the post goes.

One of them spreads several posts over days, and proposes the times.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from wtforms import DateField, DateTimeLocalField, SelectField, SelectMultipleField, TextAreaField
from wtforms.validators import InputRequired, ValidationError

from app.autopilot.slots import slots_after
from app.dashboard.forms.base import PageForm
from app.dashboard.forms.publishing import first_choice
from app.dashboard.ui.connections import trouble_of
from app.dashboard.ui.zones import profile_zone, reader_zone, remember_zone, zone_text
from app.failures import invalid_field
from app.infra.local_time import moments_of, nearest_moment, start_of, zone_named, zone_names
from app.publishing.model import PublishTarget

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
HOURS: Final = [(hour, f"{hour:02d}:00") for hour in range(24)]
_WORKDAYS: Final = (0, 1, 2, 3, 4)
_HOUR: Final = 9
YEARS: Final = range(2000, 3000)

VISIBILITIES = (("", "As the connection is set"), ("live", "Live"), ("draft", "As a hidden draft there"))


class ZoneForm(PageForm):
    places: ClassVar[Mapping[str, str]] = {"publish_at": "at", "time_zone": "zone"}

    zone = SelectField("Time zone", choices=[], validate_choice=False)

    def __init__(self, formdata: Any = None, data: Mapping[str, Any] | None = None) -> None:
        own = reader_zone().key
        super().__init__(formdata, data={"zone": own, **(data or {})})
        names = zone_names()
        self.zone.choices = [(name, name) for name in (names if own in names else (own, *names))]
        # app.js puts the browser's zone there, which the service may not know yet.
        self.zone.render_kw = {} if profile_zone() else {"data-zone": ""}

    def chosen_zone(self) -> ZoneInfo:
        """Return the chosen time zone. Raises INVALID_REQUEST for an unknown one."""
        zone = zone_named(self.zone.data)
        if zone is None:
            raise invalid_field("/zone", "Choose a time zone of the list.")
        return zone


class TimeForm(ZoneForm):
    at = DateTimeLocalField(
        "Date and time",
        [InputRequired("Choose a date and a time.")],
        format=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
    )

    def moment(self) -> datetime:
        """Return the chosen moment, the first of two, and remember the zone.

        Raises INVALID_REQUEST for a time that clocks of the zone skip, and for an unknown zone.
        """
        zone, local = self.chosen_zone(), self.at.data
        assert local is not None
        found = moment_at(local, zone)
        remember_zone(zone)
        return found

    def remark(self) -> str:
        """Return what to say about a time that comes twice, empty for any other."""
        zone, local = self.chosen_zone(), self.at.data
        if local is None or len(moments_of(local, zone)) < 2:
            return ""
        return f" Clocks are set back then, so that {local:%H:%M} comes twice; the first one is meant."


class ScheduleForm(TimeForm):
    target = SelectField("Where to", coerce=int, validate_choice=False)
    visibility = SelectField("How", choices=VISIBILITIES)
    override_reason = TextAreaField(
        "Publish despite these checks, because …",
        description="Kept with the publication, with what was found then.",
    )

    def offer(self, targets: Sequence[PublishTarget]) -> None:
        self.target.choices = [(target.id, offered_name(target)) for target in targets]

    def values(self) -> dict[str, Any]:
        """Return the members of ScheduleInput. Raises INVALID_REQUEST for the time."""
        reason = (self.override_reason.data or "").strip()
        override = {"override_quality_gate": True, "override_reason": reason} if reason else {}
        return {
            "publish_at": self.moment(),
            "target": self.target.data,
            "visibility": self.visibility.data or None,
            **override,
        }


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


def offered_name(target: PublishTarget) -> str:
    """Return the name of a target in a list to choose from, with what is wrong with it."""
    return f"{target.name} (its last test failed)" if trouble_of(target) else target.name


def moment_at(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment, the first of two, at which clocks of a zone show ``local``.

    Raises INVALID_REQUEST for a time that these clocks skip.
    """
    found = moments_of(local, zone)
    if not found:
        shown = nearest_moment(local, zone).astimezone(zone)
        raise invalid_field(
            "/publish_at",
            f"Clocks in {zone_text(zone)} are set forward then, so that there is no {local:%H:%M} on "
            f"that day. Choose {shown:%H:%M}, for example.",
        )
    return found[0]
