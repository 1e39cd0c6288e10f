"""The time zone in which this process shows and reads days."""

from __future__ import annotations

from datetime import tzinfo

_named = [""]


def use_zone(name: str) -> None:
    """Sets the time zone to the setting ``timezone``: an IANA name, or empty for the system's."""
    _named[0] = name


def zone() -> tzinfo:
    """The time zone; the system's until one is set."""
    from thalamus.clock import time_zone

    return time_zone(_named[0])


def day(moment: str | None) -> str:
    """The local day of an RFC 3339 time; empty without one."""
    from thalamus.text.local_time import local_day

    return local_day(moment, zone())


def minute(moment: str | None) -> str:
    """The local time of an RFC 3339 time, as ``2026-05-08 13:56``; empty without one."""
    from thalamus.text.local_time import local

    return local(moment, zone())[:16].replace("T", " ") if moment else ""
