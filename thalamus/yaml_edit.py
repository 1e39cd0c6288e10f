"""Edits of one value in a YAML file; everything else stays as it is, byte for byte.

Places come from the YAML parser; the result of an edit is parsed again and compared with the
intended value, so a file is never changed in any other way.

Libraries that keep comments do less. ruamel.yaml removes the comment above a setting with the
setting before it, and indents the whole file in its own way; yamltrip removes the comment after a
mapping together with it. Both write the text "yes" without quotes, which the configuration's parser
reads as true.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from thalamus.errors import UsageError

BY_HAND = "Edit the file by hand."


def with_value(text: str, path: Sequence[str], value: Any) -> str:
    """The text with ``value`` at ``path``, the names of nested mappings; missing ones are added.
    Raises ``UsageError`` if something on the way is not a mapping, or if the text cannot be edited
    in this way."""
    changed = _set(text, path, value)
    expected = _copied(text)
    inner = expected
    for name in path[:-1]:
        inner[name] = inner[name] if isinstance(inner.get(name), dict) else {}
        inner = inner[name]
    inner[path[-1]] = value
    return _checked(changed, expected)


def without_value(text: str, path: Sequence[str]) -> str | None:
    """The text without the value at ``path`` and without mappings left empty; None if there is no
    value. Raises ``UsageError`` if the text cannot be edited in this way."""
    expected = _copied(text)
    outer: list[dict[str, Any]] = [expected]
    for name in path[:-1]:
        inner = outer[-1].get(name)
        if not isinstance(inner, dict):
            return None
        outer.append(inner)
    if path[-1] not in outer[-1]:
        return None
    names = list(path)
    while len(names) > 1 and len(outer[len(names) - 1]) == 1:
        names.pop()  # nothing else is in it
    del outer[len(names) - 1][names[-1]]
    import yaml

    with suppress(yaml.YAMLError):
        while (shorter := _removed(text, names)) is not None:  # a name may occur twice
            text = shorter
    return _checked(text, expected)


def _copied(text: str) -> dict[str, Any]:
    import yaml

    found = yaml.safe_load(text)
    return _apart(found) if isinstance(found, dict) else {}


def _apart(value: Any) -> Any:
    """A copy that shares no object between two places, as the target of an alias is shared."""
    if isinstance(value, dict):
        return {name: _apart(inner) for name, inner in value.items()}
    return [_apart(inner) for inner in value] if isinstance(value, list) else value


def _checked(text: str, expected: dict[str, Any]) -> str:
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = ...
    if (found or {}) != expected:
        raise UsageError("The file is written in a way that cannot be edited here.", fix=BY_HAND)
    return text


def _root(text: str) -> Any:
    """The node of the file's mapping; None when it is empty. Raises ``UsageError``."""
    import yaml

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None or _is_empty(root):
        return None
    if not isinstance(root, yaml.MappingNode):
        raise UsageError("The file is not a mapping.", fix=BY_HAND)
    return root


def _find(node: Any, name: str) -> tuple[Any, Any] | None:
    """Key and value of a name in a mapping; of duplicates the last, which counts."""
    found = [(key, value) for key, value in node.value if key.value == name]
    return found[-1] if found else None


# -- setting ---------------------------------------------------------------------------------------


def _set(text: str, path: Sequence[str], value: Any) -> str:
    import yaml

    node = _root(text)
    if node is None:
        return _appended(text, _block(path, value, 0))
    for place, name in enumerate(path):
        found = _find(node, name)
        if found is None:
            return _added(text, node, path[place:], value, nested=place > 0)
        key, old = found
        rest = path[place + 1 :]
        if not rest or _is_empty(old):
            written = _written(_nested(rest, value), flow=node.flow_style)
            return _replaced(text, key, old, written)
        if not isinstance(old, yaml.MappingNode):
            where = ".".join(path[: place + 1])
            raise UsageError(f"{where} is not a mapping: it has no {rest[0]!r}.")
        node = old
    raise AssertionError  # the last name has returned


def _replaced(text: str, key: Any, old: Any, written: str) -> str:
    begin, end = old.start_mark.index, _end(old)
    if old.start_mark.line == key.end_mark.line and begin < end:
        tail = "\n" if text[begin:end].endswith("\n") else ""
        return text[:begin] + written + tail + text[end:]
    colon = text.index(":", key.end_mark.index) + 1
    if begin == end:  # there is no value
        return f"{text[:colon]} {written}{text[colon:]}"
    line = text.find("\n", colon)  # a comment may follow the colon
    return f"{text[:colon]} {written}{text[colon:line]}{text[end:]}"


def _added(text: str, node: Any, path: Sequence[str], value: Any, *, nested: bool) -> str:
    """The text with a new name in a mapping, after the others."""
    if node.flow_style:
        pair = f"{_flow(path[0])}: {_flow(_nested(path[1:], value))}"
        if not node.value:
            begin = node.start_mark.index + 1
            return text[:begin] + pair + text[begin:]
        end = _end_of_pair(*node.value[-1])
        return f"{text[:end]}, {pair}{text[end:]}"
    if not nested:
        return _appended(text, _block(path, value, 0))
    lines = _block(path, value, node.value[0][0].start_mark.column)
    end = _line_end(text, _end_of_pair(*node.value[-1]))
    return _appended(text[:end], lines) + text[end:]


def _appended(text: str, lines: list[str]) -> str:
    """The text with lines appended, with its own line ends."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    return text + "".join(f"{line}{newline}" for line in lines)


def _block(path: Sequence[str], value: Any, indent: int) -> list[str]:
    """A value in nested mappings, as lines."""
    lines = [f"{' ' * (indent + 2 * n)}{_flow(name)}:" for n, name in enumerate(path)]
    return [*lines[:-1], f"{lines[-1]} {_written(value)}"]


def _nested(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _written(value: Any, *, flow: bool = False) -> str:
    """A value on one line; a text is quoted only where needed."""
    if flow or isinstance(value, (dict, list)):
        return _flow(value)
    import yaml

    text = yaml.safe_dump({"x": value}, allow_unicode=True, width=float("inf"))
    plain = str(text).removeprefix("x:").strip(" \n")
    return _flow(value) if "\n" in plain else plain


def _flow(value: Any) -> str:
    """A value on one line that is valid anywhere, even in braces."""
    import yaml

    text = yaml.safe_dump(
        [value], default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False
    )
    return str(text).strip()[1:-1]


# -- removing --------------------------------------------------------------------------------------


def _removed(text: str, path: Sequence[str]) -> str | None:
    """The text without the last value at ``path``; None if there is none."""
    import yaml

    node = _root(text)
    for name in path[:-1]:
        found = _find(node, name)
        if found is None or not isinstance(found[1], yaml.MappingNode):
            return None
        node = found[1]
    found = _find(node, path[-1]) if node is not None else None
    if found is None:
        return None
    begin, end = found[0].start_mark.index, _end_of_pair(*found)
    if not node.flow_style:
        begin = text.rfind("\n", 0, begin) + 1
        return text[:begin] + text[_line_end(text, end) :]
    pairs = [key.start_mark.index for key, _ in node.value]
    after = [at for at in pairs if at > begin]
    if after:
        return text[:begin] + text[after[0] :]
    before = [_end_of_pair(*pair) for pair in node.value[:-1]]
    return text[: before[-1] if before else begin] + text[end:]


# -- places ----------------------------------------------------------------------------------------


def _is_empty(node: Any) -> bool:
    import yaml

    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _end(node: Any) -> int:
    """End of a value: for the parser, a block ends where the next node begins, after comments and
    empty lines."""
    import yaml

    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end_of_pair(*last) if isinstance(node, yaml.MappingNode) else _end(last)


def _end_of_pair(key: Any, value: Any) -> int:
    return max(int(key.end_mark.index), _end(value))


def _line_end(text: str, at: int) -> int:
    """End of the line that contains a place, after its line break."""
    if at > 0 and text[at - 1] == "\n":
        return at
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1
