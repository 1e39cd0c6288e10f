"""Plain text: decoding, cleaning, pages at form feeds."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
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
_TRAILING = re.compile(r"(?<![ \t])[ \t]+(?=\n|\Z)")
_BLANK_LINES = re.compile(r"\n{4,}")
_DATA_ADDRESS = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w=.+-]+)*,[^\s)\"'<>\]]*", re.IGNORECASE)
# up to the end of the same block: what is signed ends with another one, and is text
_ARMOURED = re.compile(
    r"(-----BEGIN ([A-Z0-9 ]+)-----)[ \t]*\n(?:(?!-----).)*(-----END \2-----)", re.DOTALL
)
_LETTERS = r"[A-Za-z0-9+/_-]"
_ENCODED = re.compile(
    rf"(?<!{_LETTERS})(?:{_LETTERS}{{40,}}[ \t]*\n[ \t>]*)*{_LETTERS}{{40,}}"
    rf"(?:[ \t]*\n[ \t>]*(?=[A-Za-z]*[0-9+/]){_LETTERS}{{2,}}(?![^=\s]))?={{0,2}}(?!{_LETTERS})"
)
_LEAST_ENCODED = 100  # characters of base64 that are left out
_SAMPLED = 2000  # characters of a run that are looked at, at both ends and in the middle
_LEAST_MIXED = 0.25  # share of changes between letters of either case and digits in base64
_LEAST_DIGITS = 0.03  # share of digits in it: a sixth where it is random


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


def without_encoded(text: str) -> str:
    """Text without base64, which is data in the form of text: addresses that hold their data, keys
    and certificates, long runs in one line or in several."""
    text = _ARMOURED.sub(r"\1 … \3", _DATA_ADDRESS.sub("", text))
    return _ENCODED.sub(lambda found: "…" if _is_encoded(found[0]) else found[0], text)


def _is_encoded(run: str) -> bool:
    """True for a run of characters as base64 mixes them, somewhere in it: letters with digits."""
    middle = len(run) // 2
    samples = (run[:_SAMPLED], run[middle : middle + _SAMPLED], run[-_SAMPLED:])
    return len(run) >= _LEAST_ENCODED and any(map(_is_mixed, samples))


def _is_mixed(sample: str) -> bool:
    kinds = [(one.isupper(), one.isdigit()) for one in sample if one.isalnum()]
    changes = sum(one != other for one, other in pairwise(kinds))
    digits = sum(digit for _, digit in kinds)
    return changes >= _LEAST_MIXED * len(kinds) and digits >= _LEAST_DIGITS * len(kinds) > 0


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
