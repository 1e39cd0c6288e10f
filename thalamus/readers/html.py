"""Web pages: their text without navigation and advertising, as Markdown, and their links."""

from __future__ import annotations

import codecs
import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag, urljoin

from thalamus.clock import format_time, parse_time
from thalamus.errors import DocumentError
from thalamus.extras import install_command
from thalamus.readers.hidden import remove_hidden
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.readers.text import clean

_ENOUGH = 250  # characters of an extracted text with which no other way is tried
LINKS = 1000  # of a page that are kept
# only dates that a page gives as its own
_DATES = {"extensive_search": False, "original_date": True}
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")


def read_html(data: bytes, name: str, charset: str | None = None) -> ReadDocument:
    """Reads a web page as one page of Markdown, without what it hides from its readers. ``name``:
    its address, against which links are resolved; ``charset``: the one that its server named.

    ``metadata`` has its ``links``, and the ``feeds`` that it announces. A page of nothing but links
    has no text. Raises ``DocumentError`` of kind ``unsupported`` without the extra ``web``.
    """
    trafilatura = _trafilatura(name)
    if not data.strip():
        raise DocumentError(name, "it is empty", kind="no_text")
    tree = trafilatura.load_html(_decoded(data, charset))
    if tree is None:
        raise DocumentError(name, "it is not a web page, despite its name", kind="broken")
    remove_hidden(tree)
    base = urljoin(name, tree.xpath("string(//base/@href)"))
    metadata: dict[str, Any] = {
        "links": list(_addresses(tree.xpath("//a/@href"), base)),
        "feeds": list(_addresses(tree.xpath(_feed_links()), base)),
    }
    title = " ".join(tree.xpath("string(//title)").split())
    about = trafilatura.extract_metadata(tree, name, date_config=_DATES)
    text = trafilatura.extract(
        tree,
        url=name,
        config=_options(len(tree.text_content())),
        output_format="markdown",
        include_comments=False,
        include_formatting=True,
        include_tables=True,
    )
    if about.author:
        metadata["author"] = about.author
    return ReadDocument(
        title=clean(about.title or title or name)[:500],
        format="html",
        pages=[DocumentPage(1, clean(text or ""))],
        created_at=_date(about.date),
        metadata=metadata,
    )


def _trafilatura(name: str) -> Any:
    try:
        import trafilatura
    except ImportError:
        reason = f"reading web pages takes `{install_command('web')}`"
        raise DocumentError(name, reason, kind="unsupported") from None
    return trafilatura


def _options(characters: int) -> Any:
    """Options for a page of this length. Of a short one less text is enough: otherwise its
    navigation is taken for text, too."""
    from trafilatura.settings import DEFAULT_CONFIG

    options = copy.deepcopy(DEFAULT_CONFIG)
    options["DEFAULT"]["MIN_EXTRACTED_SIZE"] = str(max(10, min(_ENOUGH, characters // 4)))
    return options


def _decoded(data: bytes, charset: str | None) -> bytes | str:
    """The text in the server's charset; bytes, for the page to name its own, where that fails."""
    if not charset:
        return data
    try:
        # many servers declare Latin-1 for everything, and other text is hardly ever valid UTF-8
        if codecs.lookup(charset).name.startswith(("iso8859", "cp125")):
            with suppress(UnicodeDecodeError):
                return data.decode("utf-8")
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return data


def _feed_links() -> str:
    types = " or ".join(f"@type='{kind}'" for kind in _FEEDS)
    return f"//link[contains(@rel, 'alternate') and ({types})]/@href"


def _addresses(found: list[str], base: str) -> Iterator[str]:
    """The different addresses of the web among links, without fragments."""
    seen: set[str] = set()
    for link in found:
        try:
            url = urldefrag(urljoin(base, link.strip())).url
        except ValueError:
            continue
        if url.startswith(("http://", "https://")) and url not in seen and len(seen) < LINKS:
            seen.add(url)
            yield url


def _date(found: str | None) -> str | None:
    try:
        return format_time(parse_time(found)) if found else None
    except (ValueError, OverflowError):
        return None
