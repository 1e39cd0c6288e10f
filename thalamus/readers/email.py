"""E-mails in files: subject, correspondents and text."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import PurePath

from thalamus.clock import format_time
from thalamus.errors import DocumentError
from thalamus.readers.html import read_html
from thalamus.readers.protocol import DocumentPage, ReadDocument
from thalamus.readers.text import clean, read_text

_SHOWN = ("From", "To", "Cc", "Date", "Subject")


def read_email(data: bytes, name: str) -> ReadDocument:
    """Reads an e-mail as one page: its headers and its texts, from HTML where there is no other.
    Attachments are left out. A file that is none is read as text. Raises ``DocumentError``."""
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    fields = {field: text for field in _SHOWN if (text := _header(message, field))}
    if not (fields.get("From") or fields.get("Subject")):
        return read_text(data, name)
    headers = [f"{field}: {text}" for field, text in fields.items()]
    try:
        body = "\n\n".join(text for text in _texts(message, name) if text.strip())
    except DocumentError:
        raise
    except Exception as error:  # the parser has faults of many kinds
        raise DocumentError(name, f"its parts are broken ({error})") from None
    if not body.strip():
        raise DocumentError(name, "it contains no text", kind="no_text")
    return ReadDocument(
        title=clean(fields.get("Subject", "")).strip()[:500] or PurePath(name).stem,
        format="email",
        pages=[DocumentPage(1, clean("\n".join(headers) + "\n\n" + body))],
        created_at=_date(fields.get("Date")),
        metadata={"author": clean(fields["From"])} if "From" in fields else {},
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header in words, or as it is where it is broken; empty if there is none."""
    try:
        return str(message[name] or "")
    except Exception:  # the parser has faults of many kinds
        return next(str(value) for key, value in message.raw_items() if key.lower() == name.lower())


def _texts(part: EmailMessage, name: str) -> Iterator[str]:
    """The texts of a part of a message in words; of several forms of the same one, the plain one
    unless it is blank."""
    kind = part.get_content_type()
    if part.is_attachment() or part.get_filename():
        return
    if kind in ("text/plain", "text/html"):
        yield _words(part, name)
    elif kind.startswith("multipart/") and part.is_multipart():
        parts = [one for one in part.iter_parts() if isinstance(one, EmailMessage)]
        if kind != "multipart/alternative":
            for one in parts:
                yield from _texts(one, name)
            return
        parts.sort(key=lambda one: one.get_content_type() != "text/plain")
        forms = ("\n\n".join(_texts(one, name)) for one in parts)
        yield next((form for form in forms if form.strip()), "")


def _words(part: EmailMessage, name: str) -> str:
    """The text of a part."""
    try:
        content = str(part.get_content())
    except (LookupError, ValueError):  # a charset or an encoding that is not known
        raw = part.get_payload(decode=True)
        content = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    if part.get_content_type() == "text/html" and content.strip():
        if "<html" not in content.lower():  # a fragment is no web page
            content = f"<html><body><div>{content}</div></body></html>"
        return "\n".join(page.text for page in read_html(content.encode(), name, "utf-8").pages)
    return content


def _date(found: str | None) -> str | None:
    try:
        return format_time(parsedate_to_datetime(found)) if found else None
    except (ValueError, TypeError, OverflowError):
        return None
