"""The setting `mcp`: the MCP servers, their connections, and the tools that may be used."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from thalamus.errors import ConfigError
from thalamus.tools.tool import MAX_BYTES, TIMEOUT

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
_LONGEST = 3600.0  # maximum time-out of a call in seconds
_MOST_BYTES = 1_000_000
_MOST_CALLS = 1_000_000  # a day
KEYS = (
    "command args env cwd url key_env tools write timeout max_bytes quota notes".split()
)  # of one server
_LOCAL_ONLY = ("args", "env", "cwd")
START_SHARE = 3  # a server's start time-out as a multiple of its call time-out


class NoteTools(Struct, frozen=True):
    """Names of a server's tools to search notes and to read one; empty if it has none."""

    search: str = ""
    read: str = ""


class ServerSettings(Struct, frozen=True):
    """One MCP server, started by ``command`` or reached at ``url``. ``tools``: the only ones to
    use; empty: all. ``write``: also allow tools that change something. ``timeout``: of a call in
    seconds; ``max_bytes``: of its result; ``quota``: calls a day, 0 for any number."""

    name: str
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    key_env: str = ""
    tools: tuple[str, ...] = ()
    write: bool = False
    timeout: float = TIMEOUT
    max_bytes: int = MAX_BYTES
    quota: int = 0
    notes: NoteTools | None = None

    @property
    def start_timeout(self) -> float:
        """Seconds until it must have started: programs that are downloaded first take a while."""
        return START_SHARE * self.timeout


def read_servers(setting: Mapping[str, Any]) -> dict[str, ServerSettings]:
    """The servers by name. Raises ``ConfigError`` for invalid settings."""
    found = {str(name): _server(str(name), value) for name, value in setting.items()}
    with_notes = [name for name, server in found.items() if server.notes is not None]
    if len(with_notes) > 1:
        raise ConfigError(
            f"mcp: notes can be read from one server only, not from {' and '.join(with_notes)}"
        )
    return found


def _server(name: str, value: Any) -> ServerSettings:
    place = f"mcp.{name}"
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{place}: a server's name is a letter, then letters, digits, - or _, 32 in all at most"
        )
    if not isinstance(value, Mapping):
        raise ConfigError(f"{place} must be a mapping with `command` or `url`, not {value!r}")
    for key in value:
        if key not in KEYS:
            close = difflib.get_close_matches(str(key), KEYS, n=1)
            advice = f"; did you mean {close[0]!r}?" if close else f" (choose {', '.join(KEYS)})"
            raise ConfigError(f"{place}: unknown key {key!r}{advice}")
    if ("command" in value) == ("url" in value):
        raise ConfigError(f"{place} must have either `command` or `url`")
    for key in _LOCAL_ONLY:
        if "url" in value and key in value:
            raise ConfigError(f"{place}.{key} is for a server with `command`, not with `url`")
    return ServerSettings(
        name=name,
        command=_command(place, value) if "command" in value else (),
        env=_env(f"{place}.env", value.get("env", {})),
        cwd=_expand_home(_text(f"{place}.cwd", value.get("cwd", ""))),
        url=_url(f"{place}.url", value["url"]) if "url" in value else "",
        key_env=_variable(f"{place}.key_env", value.get("key_env", "")),
        tools=_allowed(f"{place}.tools", value["tools"]) if "tools" in value else (),
        write=_boolean(f"{place}.write", value.get("write", False)),
        timeout=_number(f"{place}.timeout", value.get("timeout", TIMEOUT), 0.1, _LONGEST),
        max_bytes=int(
            _number(f"{place}.max_bytes", value.get("max_bytes", MAX_BYTES), 100, _MOST_BYTES)
        ),
        quota=int(_number(f"{place}.quota", value.get("quota", 0), 0, _MOST_CALLS)),
        notes=_notes(f"{place}.notes", value["notes"]) if "notes" in value else None,
    )


def _allowed(place: str, value: Any) -> tuple[str, ...]:
    """The names of the only tools to use."""
    names = _texts(place, value)
    if not any(name.strip() for name in names):
        raise ConfigError(f"{place} is empty", fix="Name tools; without `tools` all are used.")
    return tuple(names)


def _command(place: str, value: Mapping[str, Any]) -> tuple[str, ...]:
    command = value["command"]
    if isinstance(command, str):
        try:
            command = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"{place}.command: {error} in {command!r}") from None
    parts = [
        *_texts(f"{place}.command", command),
        *_texts(f"{place}.args", value.get("args", [])),
    ]
    if not parts or not parts[0]:
        raise ConfigError(f"{place}.command is empty")
    return tuple(_expand_home(part) for part in parts)


def _expand_home(text: str) -> str:
    """The text, with a path in the user's home directory expanded as by a shell."""
    return str(Path(text).expanduser()) if text.startswith("~/") else text


def _env(place: str, value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{place} must be a mapping of variables, not {value!r}")
    found = {}
    for name, raw in value.items():
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise ConfigError(f"{place}.{name} must be a string, not {raw!r}")
        found[_variable(place, str(name))] = str(raw)
    return found


def _url(place: str, value: Any) -> str:
    text = _text(place, value)
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"{place} must begin with http:// or https://, not {text!r}")
    if parts.username or parts.password:
        raise ConfigError(f"{place} holds a key: put it into a variable, named by `key_env`")
    return text


def _notes(place: str, value: Any) -> NoteTools:
    if not isinstance(value, Mapping) or not value or not {*value} <= {"search", "read"}:
        raise ConfigError(
            f"{place} must be a mapping of `search`, `read` or both to names of tools"
        )
    return NoteTools(**{key: _text(f"{place}.{key}", name) for key, name in value.items()})


def _variable(place: str, value: Any) -> str:
    text = _text(place, value)
    if text and not re.fullmatch(r"[A-Za-z_]\w*", text, re.ASCII):
        raise ConfigError(f"{place}: {text!r} cannot be the name of an environment variable")
    return text


def _text(place: str, value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ConfigError(f"{place} must be a string, not {value!r}")
    return value


def _texts(place: str, value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{place} must be a list of strings, not {value!r}")
    return [_text(place, item) for item in value]


def _boolean(place: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{place} must be true or false, not {value!r}")
    return value


def _number(place: str, value: Any, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ConfigError(f"{place} must be between {least:,g} and {most:,g}, not {value!r}")
    return float(value)
