"""date_math: dates before and after another, and the time between two dates."""

from __future__ import annotations

from datetime import date
from typing import Any

from thalamus.policy.arithmetic import between, shifted
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters

_SHIFTS = ("years", "months", "weeks", "days")
_NUMBER = {"type": "integer"}
_DATE = {"type": "string", "description": "YYYY-MM-DD, or today"}


def date_math(args: dict[str, Any], workspace: Workspace) -> ToolOutput:
    start = _day("date", args.get("date") or "today", workspace)
    if args.get("until"):
        end = _day("until", args["until"], workspace)
        found = between(start, end)
        result = {"date": start.isoformat(), "until": end.isoformat(), **found}
        text = f"From {start} to {end}: {found['days']} days"
        return ToolOutput(result, text=text)
    try:
        end = shifted(start, **{name: int(args.get(name) or 0) for name in _SHIFTS})
    except ValueError as error:
        raise ToolError(str(error)) from None
    shifts = ", ".join(f"{int(args[name]):+d} {name}" for name in _SHIFTS if args.get(name))
    text = f"{start}{f' {shifts}' if shifts else ''} is {end:%A}, {end}"
    return ToolOutput({"date": end.isoformat(), "weekday": f"{end:%A}"}, text=text)


def _day(name: str, value: str, workspace: Workspace) -> date:
    if value.strip().lower() in ("today", "now"):
        return workspace.today
    try:
        return date.fromisoformat(value.strip()[:10])
    except ValueError:
        raise ToolError(f"{name} must be YYYY-MM-DD or today, not {value!r}") from None


TOOLS = (
    Tool(
        name="date_math",
        description=(
            "Work out a date: `date` plus `days`, `weeks`, `months` or `years` (negative: before),"
            " or with `until` the days from `date` until then."
        ),
        parameters=parameters(
            date=_DATE, days=_NUMBER, weeks=_NUMBER, months=_NUMBER, years=_NUMBER, until=_DATE
        ),
        result={
            "type": "object",
            "properties": {
                "date": {"type": "string"},
                "weekday": {"type": "string"},
                "until": {"type": "string"},
                "days": {"type": "integer"},
                "years": {"type": "integer"},
                "months": {"type": "integer"},
                "rest_days": {"type": "integer"},
            },
        },
        function=date_math,
    ),
)
