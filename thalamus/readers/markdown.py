"""Markdown: front matter becomes metadata, the text stays unchanged."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Any

from thalamus.clock import format_time, parse_time
from thalamus.errors import DocumentError
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.readers.text import clean, decode

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_MATTER_LIMIT = 65536
_TITLE = re.compile(r"^ {0,3}#[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_UNDERLINED_TITLE = re.compile(r"^ {0,3}(\S.*?)[ \t]*\n={3,}[ \t]*$", re.MULTILINE)
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_DATES = ("date", "created", "created_at", "published")


def read_markdown(data: bytes, name: str) -> ReadDocument:
    """Reads Markdown as one page: headings are kept, YAML front matter is removed.

    The title comes from the front matter, else the first top-level heading, else the file name
    without suffix; the date comes from the front matter. Front matter that is not YAML stays in the
    text. Raises ``DocumentError`` of kind ``unsupported`` for binary data, ``no_text`` if it is
    empty.
    """
    raw, guessed = decode(data, name)
    front, body = _split(clean(raw))
    if not body.strip():
        raise DocumentError(name, "it contains no text", kind="no_text")
    metadata = {key: value for key, value in front.items() if key != "title"}
    if guessed:
        metadata["encoding"] = guessed
    return ReadDocument(
        title=str(front.get("title") or "").strip() or _heading(body) or PurePath(name).stem,
        format="markdown",
        pages=[DocumentPage(1, body)],
        created_at=_date(front),
        metadata=metadata,
    )


def _split(text: str) -> tuple[dict[str, Any], str]:
    found = _FRONT_MATTER.match(text)
    if not found or found.end() > _FRONT_MATTER_LIMIT:
        return {}, text
    import yaml

    try:
        loaded = yaml.safe_load(found[1] or "")
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: an impossible date
        return {}, text
    if loaded is not None and not isinstance(loaded, dict):
        return {}, text  # text between two rules
    return _plain(loaded or {}), text[found.end() :].strip("\n")


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


def _date(front: dict[str, Any]) -> str | None:
    for key in _DATES:
        try:
            return format_time(parse_time(str(front[key])))
        except (KeyError, ValueError, OverflowError):
            continue
    return None


def _heading(body: str) -> str:
    prose = _FENCED.sub("", body)
    found = [m for m in (_TITLE.search(prose), _UNDERLINED_TITLE.search(prose)) if m]
    return min(found, key=lambda m: m.start())[1].strip() if found else ""
