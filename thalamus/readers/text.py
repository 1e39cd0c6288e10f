"""Plain text: decoding, cleaning, pages at form feeds."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from thalamus.errors import DocumentError
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.text.storable import storable

_BOMS = (  # longer ones first: UTF-32's begins with UTF-16's
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SAMPLE = 65536
_BINARY = re.compile(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufff9-\ufffb\ufffe\uffff]")
_LINE_END = re.compile(r"[\r\v\f\x85]")
_LIGATURE = re.compile(r"[\ufb00-\ufb06]")
_SOFT_HYPHEN_AT_END = re.compile("\u00ad[ \t]*\n[ \t]*")
_TRAILING = re.compile(r"[ \t]+(?=\n|\Z)")
_BLANK_LINES = re.compile(r"\n{4,}")


def read_text(data: bytes, name: str) -> ReadDocument:
    """Reads plain text; form feeds separate pages, the title is the name without its suffix.

    Raises ``DocumentError`` of kind ``unsupported`` for binary data, ``no_text`` when empty.
    """
    text, guessed = decode(data, name)
    pages = [DocumentPage(n, clean(part)) for n, part in enumerate(text.split("\f"), start=1)]
    while len(pages) > 1 and not pages[-1].text:
        pages.pop()  # printers like a form feed at the end
    if not any(page.text for page in pages):
        raise DocumentError(name, "it is empty", kind="no_text")
    metadata = {"encoding": guessed} if guessed else {}
    return ReadDocument(title=PurePath(name).stem, format="text", pages=pages, metadata=metadata)


def decode(data: bytes, name: str) -> tuple[str, str | None]:
    """The text of ``data``, and the encoding if it was guessed.

    UTF-8, UTF-16 and UTF-32 by their marks, then UTF-8, then Windows-1252, then Latin-1. Raises
    ``DocumentError`` of kind ``unsupported`` for data that is not text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), None
    if is_binary(data):
        raise DocumentError(
            name, "it is neither PDF, Markdown nor plain text (binary data)", kind="unsupported"
        )
    for encoding, guessed in (("utf-8", None), ("cp1252", "windows-1252 (guessed)")):
        try:
            return data.decode(encoding), guessed
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1 (guessed)"


def is_binary(data: bytes) -> bool:
    """True if bytes without a byte-order mark cannot be text: zero bytes, or many controls."""
    sample = data[:_SAMPLE]
    return b"\0" in data or len(_BINARY.findall(sample)) * 100 > len(sample)


def clean(text: str) -> str:
    """Text without characters that cause trouble for readers and databases.

    Control characters, byte-order marks and lone surrogates are dropped (surrogate pairs are
    joined), ligatures become letters, soft hyphens go (at a line's end the word is joined), line
    ends are ``\\n`` without blanks before them, and the whole is stripped of blank lines.
    """
    text = storable(text).replace("\r\n", "\n")
    text = _CONTROL.sub("", _LINE_END.sub("\n", text))
    text = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _SOFT_HYPHEN_AT_END.sub("", text).replace("\u00ad", "")
    text = _BLANK_LINES.sub("\n\n\n", _TRAILING.sub("", text))
    return text.strip("\n")
