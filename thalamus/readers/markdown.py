"""Markdown: front matter becomes metadata, the text stays unchanged."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Any

from thalamus.clock import format_time, parse_time
from thalamus.errors import DocumentError
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.readers.text import clean, decode

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?\n)?\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:=](.*)$", re.MULTILINE)
_QUOTES = re.compile(r"^[\"']|[\"']$")
_FRONT_MATTER_LIMIT = 65536
_TITLE = re.compile(r"^ {0,3}#[ \t]+(\S.*)$", re.MULTILINE)
_UNDERLINED_TITLE = re.compile(r"^ {0,3}(\S.*)\n={3,}[ \t]*$", re.MULTILINE)
_CLOSING = re.compile(r"(?:^|[ \t])#+$")  # of a title: # Tides #
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_DATES = ("date", "created", "created_at", "published")


def read_markdown(data: bytes, name: str) -> ReadDocument:
    """Reads Markdown as one page: headings are kept, front matter in YAML or TOML is removed.

    The title comes from the front matter, else the first top-level heading, else the file name
    without suffix; the date comes from the front matter. ``notes`` has what cannot be read of it.
    Text between two rules that has no fields stays in the text. Raises ``DocumentError`` of kind
    ``unsupported`` for binary data, ``no_text`` if it is empty.
    """
    raw, guessed = decode(data, name)
    notes: list[str] = []
    front, body = _split(clean(raw), notes)
    if not body.strip():
        raise DocumentError(name, "it contains no text", kind="no_text")
    metadata = {key: value for key, value in front.items() if key != "title"}
    if guessed:
        metadata["encoding"] = guessed
    return ReadDocument(
        title=str(front.get("title") or "").strip() or _heading(body) or PurePath(name).stem,
        format="markdown",
        pages=[DocumentPage(1, body)],
        created_at=_date(front, notes),
        metadata=metadata,
        notes=notes,
    )


def _split(text: str, notes: list[str]) -> tuple[dict[str, Any], str]:
    """The front matter and the text behind it."""
    found = _FRONT_MATTER.match(text) or _TOML.match(text)
    if not found or found.end() > _FRONT_MATTER_LIMIT:
        return {}, text
    inner = found[1] or ""
    try:
        loaded = _loaded(inner, toml=text.startswith("+"))
    except (ValueError, RecursionError) as error:
        if not _has_only_fields(inner):
            return {}, text  # text between two rules
        notes.append(f"its front matter is broken: {' '.join(str(error).split())[:200]}")
        fields = _FIELD.findall(inner)
        loaded = {key: _QUOTES.sub("", value.strip()) for key, value in fields}
    if not isinstance(loaded, dict):
        return {}, text
    return _plain(loaded), text[found.end() :].strip("\n")


def _loaded(inner: str, toml: bool) -> Any:
    """Front matter as fields. Raises ``ValueError``."""
    if toml:
        return tomllib.loads(inner)
    import yaml

    try:
        loaded = yaml.safe_load(inner)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    return {} if loaded is None else loaded


def _has_only_fields(inner: str) -> bool:
    """True for lines that begin with a name and a colon or an equals sign, or continue one."""
    lines = [line for line in inner.splitlines() if line.strip()]
    return bool(lines) and all(_FIELD.match(line) or line[0] in " \t-#[]{}" for line in lines)


def _plain(front: dict[Any, Any]) -> dict[str, Any]:
    """Front matter with scalars and lists of scalars only: nested aliases could grow without bound
    as JSON."""
    plain: dict[str, Any] = {}
    for key, value in front.items():
        if isinstance(value, list):
            plain[str(key)] = [_scalar(item) for item in value if not _nested(item)]
        elif value is not None and not _nested(value):
            plain[str(key)] = _scalar(value)
    return plain


def _nested(value: Any) -> bool:
    return isinstance(value, (dict, list, set, tuple, bytes))


def _scalar(value: Any) -> Any:
    if isinstance(value, date):
        return _rfc3339(value)
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return str(value)
    known = value is None or isinstance(value, (str, bool, float))
    small = isinstance(value, int) and abs(value) < 2**53
    return value if known or small else str(value)


def _rfc3339(value: date) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    return format_time(value if value.tzinfo else value.replace(tzinfo=UTC))


def _date(front: dict[str, Any], notes: list[str]) -> str | None:
    """The first date that can be read. Others are noted if there is none."""
    unread = []
    for key in _DATES:
        given = str(front.get(key, "")).strip()
        try:
            if given:
                return format_time(parse_time(given))
        except (ValueError, OverflowError):
            unread.append(f"its {key} “{given[:60]}” is no date such as 2026-05-08")
    notes += unread
    return None


def _heading(body: str) -> str:
    prose = _FENCED.sub("", body)
    found = [m for m in (_TITLE.search(prose), _UNDERLINED_TITLE.search(prose)) if m]
    if not found:
        return ""
    title = min(found, key=lambda m: m.start())
    text = title[1].strip()
    return _CLOSING.sub("", text).rstrip() if title.re is _TITLE else text
