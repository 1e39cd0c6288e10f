"""PDF by pypdf: the text of each page, or the reason why there is none.

A PDF may be hostile: call this through ``sandbox.read_with_limit``, which limits time and memory.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.readers.text import clean

if TYPE_CHECKING:
    from pypdf import DocumentInformation, PdfReader

MAX_CHARACTERS = 64_000_000
_WORD_PREFIX = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ")
_NO_TITLE = {"", "untitled", "untitled document", "none"}


def read_pdf(data: bytes, name: str) -> ReadDocument:
    """Reads a PDF as one ``DocumentPage`` per page, in order; an unreadable page is empty, with
    its number in ``metadata["unreadable_pages"]``.

    Raises ``DocumentError`` of kind ``encrypted`` (needs a password), ``no_text`` (probably
    scanned), ``too_large`` (more text than ``MAX_CHARACTERS``) or ``broken``.
    """
    with _quiet():
        reader = _open(data, name)
        pages, failures = _pages(reader, name)
        if not pages:
            raise DocumentError(name, "it has no pages", kind="broken")
        if not any(page.text for page in pages):
            _raise_no_text(reader, name, failures)
        document = ReadDocument(title=PurePath(name).stem, format="pdf", pages=pages)
        _describe(reader, document)
        if failures:
            document.metadata["unreadable_pages"] = sorted(failures)
    return document


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences pypdf, which logs every oddity of a file, and the warnings of its libraries."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _open(data: bytes, name: str) -> PdfReader:
    from pypdf.errors import DependencyError, WrongPasswordError

    try:
        reader = _parse(data)
        if reader.is_encrypted and not reader.decrypt(""):
            raise WrongPasswordError
    except WrongPasswordError:
        raise DocumentError(
            name, "it is encrypted and needs a password; save a copy without one", kind="encrypted"
        ) from None
    except DependencyError as error:
        raise DocumentError(name, f"it is encrypted: {_short(error)}", kind="encrypted") from None
    except MemoryError:
        raise
    except Exception as error:  # pypdf raises many exceptions for damaged files
        raise DocumentError(name, f"it is damaged or malformed ({_short(error)})") from None
    return reader


def _parse(data: bytes) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        return PdfReader(BytesIO(data))
    except (PyPdfError, KeyError):
        start = data.find(b"%PDF-", 0, 1024)
        if start <= 0:
            raise
        return PdfReader(BytesIO(data[start:]))  # its offsets count from its own first byte


def _pages(reader: PdfReader, name: str) -> tuple[list[DocumentPage], dict[int, str]]:
    """The pages, and the reasons of those that are unreadable."""
    pages: list[DocumentPage] = []
    failures: dict[int, str] = {}
    total = 0
    try:
        count = len(reader.pages)
    except MemoryError:
        raise
    except Exception as error:
        raise DocumentError(name, f"it is damaged or malformed ({_short(error)})") from None
    for number in range(1, count + 1):
        text = ""
        try:
            text = clean(reader.pages[number - 1].extract_text())
        except MemoryError:
            raise
        except Exception as error:
            failures[number] = _short(error)
        total += len(text)
        if total > MAX_CHARACTERS:
            raise DocumentError(
                name, f"it contains more than {MAX_CHARACTERS:,} characters", kind="too_large"
            )
        pages.append(DocumentPage(number, text if text.strip() else ""))
    return pages, failures


def _raise_no_text(reader: PdfReader, name: str, failures: dict[int, str]) -> None:
    count = len(reader.pages)
    if len(failures) == count:
        reason = next(iter(failures.values()))
        raise DocumentError(name, f"none of its pages can be read ({reason})")
    pages = f"{count} pages" if count > 1 else "1 page"
    try:
        blank = all(page.get_contents() is None for page in reader.pages)
    except Exception:
        blank = False
    if blank:
        raise DocumentError(
            name, f"its {pages} are blank" if count > 1 else "it is blank", "no_text"
        )
    raise DocumentError(
        name,
        f"no text on its {pages}; it is probably scanned: run OCR over it first",
        kind="no_text",
    )


def _describe(reader: PdfReader, document: ReadDocument) -> None:
    """Sets title, date and other metadata, as far as they are readable."""
    try:
        info = reader.metadata
    except Exception:
        return
    if info is None:
        return
    title = _WORD_PREFIX.sub("", _text(info, "title"))
    if title.lower() not in _NO_TITLE:
        document.title = title
    for key in ("author", "subject", "keywords"):
        if value := _text(info, key):
            document.metadata[key] = value
    document.created_at = _date(info)


def _text(info: DocumentInformation, key: str) -> str:
    try:
        value: Any = info.get(f"/{key.capitalize()}")
        return " ".join(clean(str(value)).split())[:500] if isinstance(value, str) else ""
    except Exception:
        return ""


def _date(info: DocumentInformation) -> str | None:
    try:
        moment: datetime | None = info.creation_date
        if moment is None:
            return None
        return format_time(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except Exception:
        return None


def _short(error: Exception) -> str:
    """An exception as a short text; of a missing program, with the way to install it."""
    if "jbig2dec" in str(error):
        return (
            "it has images in JBIG2 format: install jbig2dec 0.19 or later (`apt install jbig2dec`,"
            " `brew install jbig2dec`), then ingest it again"
        )
    text = " ".join(clean(str(error)).split())
    return text[:160].rstrip(".") if text else type(error).__name__
