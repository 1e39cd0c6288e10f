"""Text that anybody may have written, made safe to show."""

from __future__ import annotations

import re

# all control characters but tab and line feed; what changes the direction of writing or ends a
# line; and halves of characters, which cannot be written at all
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Text whose control characters are shown, not done: it may come from anybody, and a terminal
    or a browser would follow them."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
