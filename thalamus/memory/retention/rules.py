"""Retention rules: the packaged file, overridden by the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from thalamus.errors import ConfigError
from thalamus.policy.retention import Keep, Rule, Rules, Then
from thalamus.records import Scope

FILE = "retention.yaml"
PACKAGED = Path(__file__).parents[2] / "data" / FILE
_CHOICES = {"scope": get_args(Scope), "keep": get_args(Keep), "then": get_args(Then)}
_FIELDS = [name for name in Rule.__struct_fields__ if name != "kind"]


def load_rules(config_dir: Path) -> Rules:
    """Rules by kind. Raises ``ConfigError`` with file, line and field."""
    rules = _read(PACKAGED, {})
    own = config_dir / FILE
    return _read(own, rules) if own.is_file() else rules


def _read(path: Path, known: Rules) -> Rules:
    """Rules of a file on top of ``known``; a new kind starts from the default."""
    rules = dict(known)
    for kind, line, given in _kinds(path):
        before = rules.get(kind) or rules.get("default") or Rule()
        rule = replace(before, kind=kind, **given)
        problem = _incomplete(rule, given)
        if problem:
            raise ConfigError(f"{path}, line {line}: {kind}: {problem}", fix=_FIX)
        rules[kind] = rule
    return rules


_FIX = "`thalamus prune --rules` prints the rules in effect; docs/retention.md explains them."


def _kinds(path: Path) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(kind, line, fields) of each entry of a file."""
    for kind, line, node in _entries(path, _compose(path), "a kind"):
        given = {}
        for name, at, value in _entries(path, node, kind):
            if name not in _FIELDS:
                known = ", ".join(_FIELDS)
                problem = f"unknown field {name!r} (choose {known})"
                raise ConfigError(f"{path}, line {at}: {kind}: {problem}", fix=_FIX)
            given[name] = _value(path, at, kind, name, value)
        yield kind, line, given


def _compose(path: Path) -> Any:
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        # libyaml takes a fifteenth of the time, but may be missing, and its errors quote no line
        with suppress(yaml.YAMLError, AttributeError):
            return yaml.compose(text, Loader=yaml.CSafeLoader)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {error}", fix=_FIX) from None


def _entries(path: Path, node: Any, noun: str) -> Iterator[tuple[str, int, Any]]:
    """(name, line, node) of each entry of a mapping; duplicate names are an error."""
    import yaml

    if node is None:
        return
    line = node.start_mark.line + 1
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{path}, line {line}: {noun} must be `name: value` pairs", fix=_FIX)
    seen = set()
    for key, value in node.value:
        at = key.start_mark.line + 1
        if key.value in seen:
            raise ConfigError(f"{path}, line {at}: {key.value!r} is defined twice", fix=_FIX)
        seen.add(key.value)
        yield str(key.value), at, value


def _value(path: Path, line: int, kind: str, name: str, node: Any) -> Any:
    import yaml

    value = yaml.SafeLoader("").construct_object(node, deep=True)
    expected = ""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if name in _CHOICES:
        expected = "" if value in _CHOICES[name] else " or ".join(_CHOICES[name])
    elif name == "pressure":
        expected = "" if isinstance(value, bool) else "true or false"
    elif name == "days":
        whole = number and int(value) == value and value >= 1
        expected = "" if whole else "an integer of at least 1"
    elif name == "half_life":
        expected = "" if number and value > 0 else "a positive number of days"
    elif name == "floor":
        expected = "" if number and 0 <= value <= 1 else "a number from 0 to 1"
    if expected:
        problem = f"{kind}.{name} must be {expected}, not {value!r}"
        raise ConfigError(f"{path}, line {line}: {problem}", fix=_FIX)
    return int(value) if name == "days" else value


def _incomplete(rule: Rule, given: dict[str, Any]) -> str:
    """Names of the missing fields, or an empty string."""
    if rule.keep != "forever" and not rule.days:
        return f"keep: {rule.keep} requires days"
    if rule.keep != "window" and given.get("floor"):
        return "floor requires keep: window"
    return ""
