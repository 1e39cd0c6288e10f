"""Feeds: RSS and Atom."""

from __future__ import annotations

import calendar
import io
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.extras import install_command
from thalamus.readers.text import clean

ENTRIES = 500  # of a feed that are read


class FeedEntry(Struct, frozen=True):
    """An entry: the address of its page, and its own content as HTML, which may be empty."""

    link: str
    title: str
    published: str | None
    content: str


class ReadFeed(Struct, frozen=True):
    """A feed that was read, with its entries, newest first."""

    title: str
    entries: list[FeedEntry]


def read_feed(data: bytes, name: str) -> ReadFeed:
    """Reads a feed. Raises ``DocumentError`` of kind ``unsupported`` without the extra ``web``,
    ``broken`` for something else."""
    try:
        import feedparser
    except ImportError:
        reason = f"reading feeds takes `{install_command('web')}`"
        raise DocumentError(name, reason, kind="unsupported") from None
    # as a file: text could be taken for a file name or an address
    parsed = feedparser.parse(io.BytesIO(data), response_headers={"content-location": name})
    if not parsed.get("version"):
        raise DocumentError(name, "it is not a feed")
    entries = [_entry(item) for item in parsed.entries[:ENTRIES]]
    entries.sort(key=lambda entry: entry.published or "", reverse=True)
    return ReadFeed(title=clean(str(parsed.feed.get("title", ""))), entries=entries)


def is_feed(data: bytes) -> bool:
    """True for data that begins like a feed."""
    head = data[:4096].lower()
    return any(mark in head for mark in (b"<rss", b"<feed", b"<rdf:rdf"))


def _entry(item: Any) -> FeedEntry:
    contents = [part.get("value", "") for part in item.get("content", ())]
    content = max([*contents, item.get("summary", "")], key=len)
    return FeedEntry(
        link=str(item.get("link", "")).strip(),
        title=clean(str(item.get("title", ""))),
        published=_time(item.get("published_parsed") or item.get("updated_parsed")),
        content=content,
    )


def _time(found: Any) -> str | None:
    try:
        return format_time(datetime.fromtimestamp(calendar.timegm(found), UTC)) if found else None
    except (ValueError, OverflowError, OSError):
        return None
