"""Changes of the user's configuration file: one checked setting at a time, and nothing else."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thalamus import files, yaml_edit
from thalamus.config import SETTINGS, check_settings, read_file, read_setting, unknown_setting
from thalamus.errors import CannotWrite, ConfigError, UnknownSetting, UsageError

# called with the settings before and after; raises ``ConfigError`` to refuse the change
Check = Callable[[Mapping[str, Any], Mapping[str, Any]], None]
EXAMPLES = {"models": "models.answer", "remember": "remember.health", "flows": "flows.mine"}


def set_value(path: Path, name: str, value: str, check: Check, *, dry_run: bool = False) -> str:
    """Sets a setting, or with dots an entry of one (``models.answer``), in a file that is created
    if missing. Returns the change as lines of a diff; empty for no change.

    Comments and the order of the file are kept. Raises ``ConfigError`` for an unknown setting, an
    invalid value or a broken file, and ``CannotWrite``; then nothing is changed, as with
    ``dry_run``.
    """
    names = _names(name)

    def edit(text: str, values: Mapping[str, Any]) -> str:
        return yaml_edit.with_value(text, names, _value(names, value, values))

    return _change(path, edit, check, dry_run)


def unset_value(path: Path, name: str, check: Check, *, dry_run: bool = False) -> str:
    """Removes a setting, or an entry of one, from a file, so that it has its default again. Returns
    and raises as ``set_value``; nothing happens if it is not there."""
    names = name.split(".")

    def edit(text: str, values: Mapping[str, Any]) -> str:
        shorter = yaml_edit.without_value(text, names)
        if shorter is None and names[0] not in SETTINGS:
            raise UnknownSetting(unknown_setting(names[0]))
        return text if shorter is None else shorter

    return _change(path, edit, check, dry_run)


def write_new(path: Path, text: str) -> bool:
    """Creates a file with this text that only its owner may read, unless it exists; returns True if
    it was created. Raises ``ConfigError``, ``CannotWrite``."""
    check_settings(read_file(path, text.encode()), str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return files.create(path, text.encode())
    except OSError as error:
        raise CannotWrite(path, error) from None


def _change(
    path: Path, edit: Callable[[str, Mapping[str, Any]], str], check: Check, dry_run: bool
) -> str:
    """Edits the file under a lock; a missing file is an empty one."""
    path = path.resolve()  # replaces the target of a symbolic link, not the link
    try:
        if not dry_run:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(path.parent):
            data = path.read_bytes() if path.exists() else b""
            before = read_file(path, data)
            text = data.decode()
            changed = edit(text, before)
            after = read_file(path, changed.encode())
            check(before, after)
            if changed != text and not dry_run:
                mode = path.stat().st_mode & 0o777 if path.exists() else files.PRIVATE
                with files.replacing(path, mode=mode, sync_folder=True) as file:
                    file.write(changed.encode())
    except UsageError as error:
        raise ConfigError(f"{path}: {error.message}", fix=error.advice) from None
    except OSError as error:
        raise CannotWrite(path, error) from None
    return _diff(text, changed, path)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Locks a folder against other processes of Thalamus, without leaving a file behind."""
    if not folder.exists():  # in a dry run
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _names(name: str) -> list[str]:
    names = name.split(".")
    if names[0] not in SETTINGS:
        raise UnknownSetting(unknown_setting(names[0]))
    if len(names) > 1 and not _is_mapping(names[0]):
        raise ConfigError(f"{names[0]} is not a mapping: it has no {'.'.join(names[1:])!r}")
    if not all(names):
        raise ConfigError(f"invalid name {name!r}: something is missing next to a dot")
    return names


def _is_mapping(name: str) -> bool:
    return SETTINGS[name] not in (str, int, float, bool)


def _value(names: list[str], given: str, values: Mapping[str, Any]) -> Any:
    """The value to write to the file. Raises ``ConfigError`` for an invalid one."""
    name = names[0]
    if not _is_mapping(name):
        return read_setting(name, given, "flag")
    value = given if SETTINGS[name] == Mapping[str, str] and names[1:] else _parsed(name, given)
    if len(names) == 1:
        if not isinstance(value, dict):
            example = EXAMPLES.get(name, f"{name}.NAME")
            raise ConfigError(
                f"{name} is a mapping, not {given!r}", fix=f"Set an entry of it, such as {example}."
            )
        read_setting(name, value, "flag")
        return value
    whole = dict(values.get(name) or {})
    whole[names[1]] = value if len(names) == 2 else whole.get(names[1])
    read_setting(name, whole, "flag")
    return value


def _parsed(name: str, given: str) -> Any:
    import yaml

    try:
        found = yaml.safe_load(given)
    except (yaml.YAMLError, RecursionError):
        raise ConfigError(f"{name}: {given!r} is not YAML") from None
    return "" if found is None else found


def _diff(before: str, after: str, path: Path) -> str:
    from difflib import unified_diff

    lines = (before.splitlines(), after.splitlines())
    return "\n".join(unified_diff(*lines, str(path), str(path), lineterm="", n=1))
