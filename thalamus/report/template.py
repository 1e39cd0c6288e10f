"""The templates of the page. Texts in them are only text: nothing is taken for markup, and control
characters are shown, not interpreted."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from thalamus.text.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **values: Any) -> str:
    """A template with these values. Values that are markup already must be ``Markup``."""
    return _environment().get_template(name).render(**values)


def part(name: str) -> str:
    """A part of the page, from its file."""
    return files("thalamus.report").joinpath(name).read_text(encoding="utf-8")


def short(text: str, most: int) -> str:
    """A text on one line, cut to ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_shown,
        loader=FunctionLoader(part),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = short
    environment.filters["figure"] = _figure
    return environment


def _shown(value: Any) -> Any:
    """A value before it is escaped; the parts of markup have passed through here already."""
    return visible(value) if type(value) is str else value


def _figure(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value
