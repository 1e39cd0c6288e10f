"""Feeds: RSS, Atom and JSON Feed."""

from __future__ import annotations

import calendar
import hashlib
import io
from codecs import BOM_UTF8
from datetime import UTC, datetime
from html import escape
from typing import Any

from msgspec import DecodeError, Struct, json

from thalamus.clock import format_time, parse_time
from thalamus.errors import DocumentError
from thalamus.extras import install_command
from thalamus.readers.text import clean

ENTRIES = 500  # of a feed that are read


class FeedEntry(Struct, frozen=True):
    """An entry: the address of its page and its own content as HTML, either of which may be empty;
    ``id``: the same each time that the feed is read."""

    link: str
    id: str
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
    if _is_json(data):
        return _read_json(data, name)
    try:
        import feedparser
    except ImportError:
        reason = f"reading feeds takes `{install_command('web')}`"
        raise DocumentError(name, reason, kind="unsupported") from None
    # as a file: text could be taken for a file name or an address
    try:
        parsed = feedparser.parse(io.BytesIO(data), response_headers={"content-location": name})
    except Exception as error:  # of many kinds, as for an encoding with a broken name
        raise DocumentError(name, f"its XML is broken ({error})") from None
    if not parsed.get("version"):
        raise DocumentError(name, "it is not a feed")
    return _feed(_text(parsed.feed, "title"), [_entry(item) for item in parsed.entries])


def _feed(title: str, entries: list[FeedEntry]) -> ReadFeed:
    entries.sort(key=lambda entry: entry.published or "", reverse=True)
    return ReadFeed(title=clean(title), entries=entries[:ENTRIES])


def is_feed(data: bytes) -> bool:
    """True for data that begins like a feed."""
    head = data[:4096].lower()
    return _is_json(data) or any(mark in head for mark in (b"<rss", b"<feed", b"<rdf:rdf"))


class _Item(Struct):
    """An entry of a JSON Feed."""

    id: str | int | float = ""
    url: str | None = None
    external_url: str | None = None
    title: str | None = None
    content_html: str | None = None
    content_text: str | None = None
    summary: str | None = None
    date_published: str | None = None
    date_modified: str | None = None


class _JsonFeed(Struct):
    items: list[_Item]
    title: str | None = None


def _is_json(data: bytes) -> bool:
    """True for data that begins like a JSON Feed."""
    head = data[:4096].removeprefix(BOM_UTF8).lstrip()
    return head.startswith(b"{") and b"jsonfeed.org/version" in head.replace(b"\\/", b"/")


def _read_json(data: bytes, name: str) -> ReadFeed:
    """Reads a JSON Feed. Raises ``DocumentError`` of kind ``broken``."""
    try:
        feed = json.decode(data.removeprefix(BOM_UTF8), type=_JsonFeed)
    except (DecodeError, UnicodeDecodeError) as error:
        raise DocumentError(name, f"its JSON is broken ({error})") from None
    entries = []
    for item in feed.items:
        text = item.content_text or item.summary or ""
        content = item.content_html or "".join(f"<p>{escape(part)}</p>" for part in _parts(text))
        link = (item.url or item.external_url or "").strip()
        title = clean(item.title or "")
        at = item.date_published or item.date_modified
        id = _id(str(item.id), link, title, content)
        entries.append(FeedEntry(link, id, title, _date(at), content))
    return _feed(feed.title or "", entries)


def _parts(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part.strip()]


def _date(found: str | None) -> str | None:
    try:
        return format_time(parse_time(found)) if found else None
    except (ValueError, OverflowError):
        return None


def _id(own: str, link: str, title: str, content: str) -> str:
    """The id of an entry: its own or its link, else a digest of what it says."""
    said = hashlib.sha256(f"{title}\n{content}".encode("utf-8", "replace")).hexdigest()[:16]
    return own.strip() or link or said


def _entry(item: Any) -> FeedEntry:
    contents = [_text(part, "value") for part in item.get("content") or ()]
    content = max([*contents, _text(item, "summary")], key=len)
    link, title = _text(item, "link").strip(), clean(_text(item, "title"))
    return FeedEntry(
        link=link,
        id=_id(_text(item, "id"), link, title, content),
        title=title,
        published=_time(item.get("published_parsed") or item.get("updated_parsed")),
        content=content,
    )


def _text(item: Any, name: str) -> str:
    """A text of an entry, which may have null for it."""
    return str(item.get(name) or "")


def _time(found: Any) -> str | None:
    try:
        return format_time(datetime.fromtimestamp(calendar.timegm(found), UTC)) if found else None
    except (ValueError, OverflowError, OSError):
        return None
