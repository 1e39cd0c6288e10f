"""A profile as text, for reading and for editing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.terminal.lines import one_line

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Profile

GREETED = ("name", "home", "occupation", "employer", "studies")  # fields that a greeting shows
_NULL = "tag:yaml.org,2002:null"
PROJECTS, WIDTH = 3, 160  # most projects and columns of a greeting

HEADER = """\
# Who the user is. What you change here holds from now on; an empty value clears a field.
# Several values are written as a list: [German, English].
"""


def profile_lines(profile: Profile) -> list[str]:
    """The lines of a profile as in prompts, each with the ids of its sources; below them those that
    are in no prompt."""
    if not profile.lines:
        return ["Nothing is known about the user yet."]
    shown = [line for line in profile.lines if line.in_prompt]
    rest = [line for line in profile.lines if not line.in_prompt]
    lines = [f"{one_line(line.text)}  [{', '.join(line.ids)}]" for line in shown]
    if rest:
        lines.append("Not in prompts (personal, or more than profile_tokens):")
        lines += [f"  {one_line(line.text)}  [{', '.join(line.ids)}]" for line in rest]
    return lines


def known_line(thalamus: Thalamus) -> str:
    """Line about what is known of the user, to greet with; empty if nothing is."""
    values = thalamus.facts.profile_values()
    known = [f"{name} {', '.join(values[name])}" for name in GREETED if values.get(name)]
    projects = [one.name for one in thalamus.projects.find("active")[:PROJECTS]]
    if projects:
        known.append(f"busy with {', '.join(projects)}")
    return f"you: {one_line('; '.join(known), WIDTH)}  (/profile shows more)" if known else ""


def to_yaml(values: Mapping[str, Sequence[str]], many: Mapping[str, bool]) -> str:
    """The fields of a profile as YAML: a list for fields with ``many`` values, a text for
    others."""
    import yaml

    lines = [HEADER]
    for name, several in many.items():
        current = list(values.get(name, ()))
        value: object = current if several else (current[0] if current else None)
        shown = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=1000)
        shown = shown.removesuffix("...\n").strip()
        lines.append(f"{name}: {'' if value in (None, []) else shown}".rstrip())
    return "\n".join(lines) + "\n"


def from_yaml(text: str) -> dict[str, list[str]]:
    """The fields of a YAML text with their values, all read as text. Raises ``UsageError`` for
    invalid YAML."""
    import yaml

    class Loader(yaml.BaseLoader):
        """Reads every value as text, but for what YAML writes for none."""

    Loader.add_implicit_resolver(_NULL, re.compile("~|null|Null|NULL"), "~nN")
    Loader.add_constructor(_NULL, lambda loader, node: "")
    try:
        read = yaml.load(text, Loader=Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else "the text"
        problem = getattr(error, "problem", None) or str(error)
        raise UsageError(f"{place} is not valid YAML: {problem}") from None
    if not isinstance(read, dict):
        raise UsageError("The text must have a line `NAME: VALUE` for each field.")
    found: dict[str, list[str]] = {}
    for name, value in read.items():
        given = value if isinstance(value, list) else [value]
        if not isinstance(name, str) or not all(isinstance(one, str) for one in given):
            raise UsageError(f"{name}: a value must be a text, or a list of texts.")
        found[name] = [one for one in given if one.strip()]
    return found
