"""Arithmetic as people and models write it (``15% of 240``), and with calendar days."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

LONGEST = 300  # characters of an expression
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "sum": lambda *values: sum(values),
    **{name: getattr(math, name) for name in ("sqrt", "floor", "ceil", "log", "log10", "exp")},
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "radians", "degrees")},
}
_NAMES = {"pi": math.pi, "e": math.e}
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**"})
_PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent)\s*of\b", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%(?!\s*[\d(.])")
# "100 + 15%", as a pocket calculator: the percentage is one of what is before it
_PERCENT_MORE = re.compile(
    r"(?P<before>.*?[^%\s(*/+-])\s*(?P<sign>[+-])\s*(?P<rate>\d+(?:\.\d+)?)\s*%(?=\s*(?:$|[+-]))"
)
_FACTOR = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*\(")  # 2(3+4)
_FACTORS = re.compile(r"\)\s*(?=[\d(])")  # (1+2)(3+4)
_COMMA = re.compile(r"\d,\d")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDS = (
    (re.compile(r"\bdivided by\b|\bover\b", re.IGNORECASE), "/"),
    (re.compile(r"\b(?:times|multiplied by)\b|(?<=\d)\s*x\s*(?=\d)", re.IGNORECASE), "*"),
    (re.compile(r"\bplus\b", re.IGNORECASE), "+"),
    (re.compile(r"\bminus\b", re.IGNORECASE), "-"),
)


def calculate(expression: str) -> int | float:
    """Value of an expression. Raises ``ValueError`` with the problem: an unknown name, a division
    by zero, a number too large."""
    text = _normalized(expression)
    if not text:
        raise ValueError("the expression is empty")
    if len(text) > LONGEST:
        raise ValueError(f"the expression is longer than {LONGEST} characters")
    if ";" in text or "\n" in text:
        raise ValueError(f"{expression!r} is more than one expression: calculate one at a time")
    import simpleeval

    try:
        value = simpleeval.simple_eval(text, functions=_FUNCTIONS, names=_NAMES)
    except simpleeval.NumberTooHigh:
        raise ValueError("the result is too large") from None
    except (simpleeval.NameNotDefined, simpleeval.FunctionNotDefined) as error:
        raise ValueError(str(error)) from None
    except (simpleeval.InvalidExpression, SyntaxError):
        raise ValueError(_not_arithmetic(expression)) from None
    except ZeroDivisionError:
        raise ValueError("division by zero") from None
    except (OverflowError, MemoryError, RecursionError):
        raise ValueError("the result is too large") from None
    except Exception as error:  # errors of the functions for their arguments
        raise ValueError(str(error) or _not_arithmetic(expression)) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("the result is not a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("the result is not finite")
    return value


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


def _not_arithmetic(expression: str) -> str:
    hint = ": write decimals with a point, as in 1234.5" if _COMMA.search(expression) else ""
    return f"{expression!r} is not arithmetic{hint}"


def in_words(value: float) -> str:
    """A number without rounding noise of binary fractions: 0.1 + 0.2 is 0.3."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.12g}"
    return text if "e" in text else text.rstrip("0").rstrip(".") if "." in text else text


def _normalized(expression: str) -> str:
    text = expression.strip().rstrip("=?").translate(_SIGNS)
    text = _THOUSANDS.sub("", text)
    text = _FACTORS.sub(")*", _FACTOR.sub(r"\1*(", text))
    while (found := _PERCENT_MORE.match(text)) and _balanced(before := found["before"]):
        text = f"({before})*(1{found['sign']}{found['rate']}/100){text[found.end() :]}"
    text = _PERCENT_OF.sub(r"(\1/100)*", text)
    text = _PERCENT.sub(r"(\1/100)", text)
    for pattern, sign in _WORDS:
        text = pattern.sub(sign, text)
    return text.strip()


def shifted(day: date, *, years: int = 0, months: int = 0, weeks: int = 0, days: int = 0) -> date:
    """A day the given distance after ``day`` (before it if negative). Years and months are added
    first; a day that the month does not have becomes its last one. Raises ``ValueError`` for a day
    outside the years 1 to 9999."""
    month = day.year * 12 + day.month - 1 + years * 12 + months
    year, month = divmod(month, 12)
    if not date.min.year <= year <= date.max.year:
        raise ValueError(f"the year {year} is not between 1 and 9999")
    last = calendar.monthrange(year, month + 1)[1]
    try:
        return date(year, month + 1, min(day.day, last)) + timedelta(weeks=weeks, days=days)
    except OverflowError:
        raise ValueError("the date is not between the years 1 and 9999") from None


def between(first: date, second: date) -> dict[str, int]:
    """The days from one day to another (negative if it is earlier), and the same distance as whole
    years, months and days."""
    days = (second - first).days
    early, late = sorted((first, second))
    months = (late.year - early.year) * 12 + late.month - early.month
    if shifted(early, months=months) > late:
        months -= 1
    rest = (late - shifted(early, months=months)).days
    return {"days": days, "years": months // 12, "months": months % 12, "rest_days": rest}
