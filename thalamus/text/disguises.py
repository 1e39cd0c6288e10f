"""Undoing what hides words from a rule that looks for them."""

from __future__ import annotations

import unicodedata

from thalamus.text.analyzer import composed
from thalamus.text.lazy_regex import lazy_regex

_SPACED = lazy_regex(r"(?<!\w)[^\W\d_]([ .*_-])[^\W\d_](?:\1[^\W\d_])+(?!\w)")  # "I G N O R E"
_GAPS = lazy_regex(r"[^\S\n]{2,}")
# letters of other scripts that look like Latin ones (Unicode Technical Standard 39), and hyphens
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝһӏѵкАВЕКМНОРСТУХІЈЅԌԚԜҺѴ"
    "αονρτυικγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "ıɡɑɩʏꓲꓳ"
    "\u2010\u2011\u2012\u2013\u2212",
    "aeopcyxijsdqwhlvkABEKMHOPCTYXIJSGQWHVaovptuikyABEZHIKMNOPTYXigaiyIO-----",
)


def undisguised(text: str) -> str:
    """A text for rules to search besides the original: letters of one width and without accents,
    Latin ones for those of other scripts that look alike, digits as 0 to 9, no invisible
    characters, and words whose letters stand apart joined. Words of other scripts are garbled."""
    if not text.isascii():
        from thalamus.text.names import ascii_digits

        text = unicodedata.normalize("NFKD", composed(text))
        text = "".join(character for character in text if not unicodedata.combining(character))
        text = ascii_digits(text).translate(_LOOK_ALIKES)
    joined = _SPACED.sub(lambda word: word[0][::2], text)
    return _GAPS.sub(" ", joined) if joined != text else text
