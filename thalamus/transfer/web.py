"""Documents from the network: fetched within the rules of ``web``, read in the sandbox, and passed
to ``memory.documents.ingest`` like files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thalamus.errors import DocumentError
from thalamus.memory.documents.ingest import IngestSource, credible, ingest
from thalamus.policy.web_addresses import Allowed, normalized
from thalamus.records import Document
from thalamus.web.fetch import Fetched, Fetcher, FetchLimits
from thalamus.web.resolve import Reachable

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.engine import Engine
    from thalamus.readers.protocol import Format, ReadDocument
    from thalamus.turn_run import TurnRun

_FORMATS: dict[str, Format] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/plain": "text",
}
_UNNAMED = ("", "application/octet-stream", "binary/octet-stream")


def make_fetcher(
    config: Config, sleep: Callable[[float], None], progress: Callable[[str], None] = lambda _: None
) -> Fetcher:
    """A fetcher with the rules and limits of the settings."""
    return Fetcher(
        Reachable(Allowed(config.crawl_allow)),
        FetchLimits(size=config.crawl_megabytes << 20),
        proxy=config.crawl_proxy,
        sleep=sleep,
        progress=progress,
    )


def ingest_address(
    url: str,
    run: TurnRun,
    fetcher: Fetcher,
    summarise: bool,
    include_forgotten: bool = False,
) -> Document:
    """Reads and stores the page or document at an address, see ``ingest``. For an unreadable one,
    the result has the reason."""
    try:
        address = normalized(url)
        reply = fetcher.fetch(address)
        read = read_reply(reply, address, run.engine)
        return ingest(read, run, summarise, include_forgotten)
    except DocumentError as error:
        return failed(url, error)


def failed(url: str, error: DocumentError) -> Document:
    """The result for an address that could not be read."""
    return Document(path=url, status="failed", kind=error.kind, reason=error.reason)


def parse(reply: Fetched, url: str, engine: Engine) -> ReadDocument:
    """A reply, read in the sandbox. Raises ``DocumentError``."""
    from thalamus.readers.sandbox import read_page_with_limit

    format = _format(reply, url)
    return read_page_with_limit(
        reply.data, reply.url or url, format, reply.charset, engine.config.ingest_timeout
    )


def _format(reply: Fetched, url: str) -> Format:
    """Format of a reply by its media type, or by its first bytes where that says nothing; a PDF by
    its first bytes in any case. Raises ``DocumentError`` for anything that is not read."""
    head = reply.data[:1024].lstrip().lower()
    if head.startswith(b"%pdf-"):
        return "pdf"
    if reply.type in _FORMATS:
        markdown = reply.type == "text/plain" and urlsplit(url).path.endswith(".md")
        return "markdown" if markdown else _FORMATS[reply.type]
    if reply.type in _UNNAMED and head.startswith((b"<!doctype html", b"<html")):
        return "html"
    from thalamus.readers.feed import is_feed

    if is_feed(reply.data):
        raise DocumentError(url, f"it is a feed: `thalamus sources add {url}`", kind="unsupported")
    reason = f"it is {reply.type or 'of no known type'}, neither a page nor a document"
    raise DocumentError(url, reason, kind="unsupported")


def as_source(read: ReadDocument, reply: Fetched, url: str, engine: Engine) -> IngestSource:
    """The source of a document that was read. A page is known by its text: its other bytes may
    change with every request. Raises ``DocumentError`` for one without text."""
    read.check_text(url)
    pages = [(page.number, page.text) for page in read.pages]
    now = engine.clock.stamp()
    published = credible(read.created_at, now)
    data = "\f".join(text for _, text in pages).encode() if read.format == "html" else reply.data
    return IngestSource(
        path=url,
        sha256=hashlib.sha256(data).hexdigest(),
        title=read.title,
        format=read.format,
        pages=pages,
        created_at=published or now,
        metadata=read.metadata,
        notes=read.notes,
        published=published,
        etag=reply.etag,
        last_modified=reply.last_modified,
    )


def read_reply(reply: Fetched, url: str, engine: Engine) -> IngestSource:
    """The document in a reply. Raises ``DocumentError``."""
    return as_source(parse(reply, url, engine), reply, url, engine)
