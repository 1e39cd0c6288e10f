"""Keys and tokens without a label or a known prefix, recognized by their form: long words in which
letters and at least two digits stand in random order.

The bounds find 93 % of random words of 32 characters in base 58, 62 and 64, and 98 % of those of
40; of 142,000 messages, paragraphs and pieces of code six have such a word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from thalamus.text.lazy_regex import lazy_regex

MIXED = 0.42  # share of neighbours of different kinds (capital, small letter, digit); random: 0.62
CAMEL = 0.85  # share of the capitals that begin a word, as in CamelCase; random: 0.42
APART = 8  # letters and digits for each sign between them, at least; base 64: 32
ENTROPY = 4.15  # bits per character; at most 5 with 32 characters
_LONG = re.compile(r"[A-Za-z0-9_+/-]{30}").search
# not part of an address, nor a public key, a digest or a name of C++
_WORD = lazy_regex(
    r"(?<![\w/+.%&?#@-])(?<!SHA256:)(?<!h1:)(?!AAAA|MCow|MII|sha\d{3}-|_Z)(?=[\w+/-]*[a-z])"
    r"(?=[\w+/-]*[A-Z])(?=(?:[\w+/-]*\d){2})[A-Za-z0-9_+/-]{30,128}={0,2}(?![\w/+=-]|\.\w)"
)
_OF_QUERY = re.compile(r"[?&][\w.-]{1,40}=$").search  # before a value in an address
_BEGINS_WORD = re.compile(r"[A-Z](?=[a-z])")


def random_keys(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the keys in a text: start, end (exclusive)."""
    if _LONG(text):
        for found in _WORD.finditer(text):
            start, end = found.span()
            if _is_random(found[0]) and not _OF_QUERY(text, max(0, start - 42), start):
                yield start, end


def _is_random(word: str) -> bool:
    kinds = [(c.isupper(), c.isdigit()) for c in word if c.isalnum()]
    capitals = sum(upper for upper, _ in kinds)
    return (
        sum(a != b for a, b in pairwise(kinds)) > MIXED * len(kinds)
        and len(_BEGINS_WORD.findall(word)) < CAMEL * capitals
        and len(word) - len(kinds) <= len(kinds) / APART
        and _entropy(word) > ENTROPY
    )


def _entropy(word: str) -> float:
    """Shannon entropy of the characters, in bits."""
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())
