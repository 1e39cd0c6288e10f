"""Moments and days in a time zone, on ordinary days and when the clocks change."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.clock import format_time, parse_time, time_zone
from thalamus.text.local_time import local, local_date, local_day, midnight

pytestmark = pytest.mark.storeless

ZONES = (
    "UTC Pacific/Kiritimati America/Los_Angeles Europe/Lisbon Asia/Kathmandu Africa/Cairo"
    " America/Havana Australia/Lord_Howe America/Sao_Paulo"
).split()


@pytest.mark.parametrize(
    ("at", "zone", "there"),
    [
        ("2026-05-08T13:56:00Z", "UTC", "2026-05-08T13:56:00"),
        ("2026-05-08T09:59:59Z", "Pacific/Kiritimati", "2026-05-08T23:59:59"),
        ("2026-05-08T10:00:00Z", "Pacific/Kiritimati", "2026-05-09T00:00:00"),
        ("2026-05-08T06:59:59.500Z", "America/Los_Angeles", "2026-05-07T23:59:59"),
        ("2026-05-08T07:00:00Z", "America/Los_Angeles", "2026-05-08T00:00:00"),
        ("2026-01-08T07:30:00Z", "America/Los_Angeles", "2026-01-07T23:30:00"),
        ("2026-05-08", "America/Los_Angeles", "2026-05-07T17:00:00"),
        ("long ago", "America/Los_Angeles", "long ago"),
        ("0001-01-01T00:00:00Z", "America/Los_Angeles", "0001-01-01T00:00:00Z"),
    ],
)
def test_a_moment_as_it_is_there(at: str, zone: str, there: str) -> None:
    assert local(at, time_zone(zone)) == there
    assert local_day(at, time_zone(zone)) == there[:10]


@pytest.mark.parametrize(
    ("day", "zone", "at"),
    [
        ("2026-05-08", "UTC", "2026-05-08T00:00:00Z"),
        ("2026-05-08", "Pacific/Kiritimati", "2026-05-07T10:00:00Z"),
        ("2026-05-08", "America/Los_Angeles", "2026-05-08T07:00:00Z"),
        ("2026-03-08", "America/Los_Angeles", "2026-03-08T08:00:00Z"),  # forward at two
        ("2026-03-09", "America/Los_Angeles", "2026-03-09T07:00:00Z"),
        ("2026-11-01", "America/Los_Angeles", "2026-11-01T07:00:00Z"),  # back at two
        ("2026-11-02", "America/Los_Angeles", "2026-11-02T08:00:00Z"),
        ("2025-04-25", "Africa/Cairo", "2025-04-24T22:00:00Z"),  # there is no midnight
        ("2025-11-02", "America/Havana", "2025-11-02T04:00:00Z"),  # it comes twice
        ("0001-01-01", "Asia/Tokyo", "0001-01-01T00:00:00Z"),  # before all days
        ("9999-12-31", "America/Los_Angeles", "9999-12-31T08:00:00Z"),
    ],
)
def test_the_first_moment_of_a_day(day: str, zone: str, at: str) -> None:
    assert midnight(date.fromisoformat(day), time_zone(zone)) == at


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2037, 12, 31)).map(lambda m: m.replace(tzinfo=UTC)),
    st.sampled_from(ZONES),
)
def test_a_moment_is_in_the_day_that_it_is_said_to_be_in(moment: datetime, name: str) -> None:
    zone = time_zone(name)
    at = format_time(moment)
    day = local_date(at, zone)
    begun, over = midnight(day, zone), midnight(date.fromordinal(day.toordinal() + 1), zone)
    assert parse_time(begun) <= parse_time(at) < parse_time(over)
    assert local_day(begun, zone) == day.isoformat()


def test_the_systems_zone_knows_summer_and_winter() -> None:
    code = """
        from datetime import UTC, date, datetime
        from thalamus.clock import parse_time, time_zone
        from thalamus.text.local_time import local, midnight
        zone = time_zone("")
        for at in ("2026-01-08T07:30:00Z", "2026-05-08T06:30:00Z", "2026-11-01T08:30:00Z",
                   "2026-11-01T09:30:00Z"):
            print(local(at, zone))
        print(midnight(date(2026, 3, 8), zone), midnight(date(2026, 3, 9), zone))
        there = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
        assert there.astimezone(zone).astimezone(UTC) == there
        print(parse_time("2026-07-01", zone).isoformat(), there.astimezone(zone).tzname())
    """
    for name in ("America/Los_Angeles", "PST8PDT,M3.2.0,M11.1.0"):
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(line[8:] for line in code.splitlines())],
            env={**os.environ, "TZ": name},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [
            "2026-01-07T23:30:00",
            "2026-05-07T23:30:00",
            "2026-11-01T01:30:00",
            "2026-11-01T01:30:00",
            "2026-03-08T08:00:00Z",
            "2026-03-09T07:00:00Z",
            "2026-07-01T07:00:00+00:00",
            "PST",
        ]


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "/etc/passwd", "Europe", "\0"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="is not a time zone"):
        time_zone(name)
