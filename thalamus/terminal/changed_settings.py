"""The check of a change of the configuration file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thalamus.errors import ConfigError

Values = Mapping[str, Any]


def check_change(home: str, warn: Callable[[str], object]) -> Callable[[Values, Values], None]:
    """A function that takes the settings before and after a change, raises ``ConfigError`` for the
    first new problem, and passes warnings to ``warn``."""

    def check(before: Values, after: Values) -> None:
        from thalamus.diagnostics import new_problems

        for found in new_problems(home, before, after):
            if found.state == "problem":
                detail = found.detail.removeprefix("Invalid configuration: ")
                raise ConfigError(detail, fix=found.fix)
            warn(" ".join(filter(None, [found.detail, found.fix])))

    return check
