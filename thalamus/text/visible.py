"""Untrusted text, made safe to show."""

from __future__ import annotations

from thalamus.text.lazy_regex import lazy_regex

# all control characters except tab and line feed; characters that change the direction of
# writing or end a line; and lone surrogates, which cannot be encoded
_CONTROL = lazy_regex(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Text with control characters made visible: it may be untrusted, and a terminal or a browser
    would obey them."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
