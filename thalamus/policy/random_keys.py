"""Keys and tokens without a label or a known prefix, recognized by their form: long words in which
letters and at least two digits stand in random order.

The bounds find 95 % of random words of 32 characters in base 58, 62 and 64, and 98 % of those of
40; of 142,000 messages, paragraphs and pieces of code eight have such a word.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from thalamus.text.lazy_regex import lazy_regex

MIXED = 0.42  # share of neighbours of different kinds (capital, small letter, digit); random: 0.62
ENTROPY = 4.15  # bits per character; at most 5 with 32 characters
_LONG = re.compile(r"[A-Za-z0-9_+/-]{24}").search
# not part of an address, nor a public key (AAAA…) or digest
_WORD = lazy_regex(
    r"(?<![\w/+.=%&?#@-])(?!AAAA|sha\d{3}-)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])(?=(?:[\w+/-]*\d){2})"
    r"[A-Za-z0-9_+/-]{24,128}={0,2}(?![\w/+=-]|\.\w)"
)


def random_keys(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the keys in a text: start, end (exclusive)."""
    if _LONG(text):
        for found in _WORD.finditer(text):
            if _mixed(found[0]) > MIXED and _entropy(found[0]) > ENTROPY:
                yield found.span()


def _mixed(word: str) -> float:
    """Share of neighbouring letters and digits that are of different kinds."""
    kinds = [(c.isupper(), c.isdigit()) for c in word if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) / len(kinds)


def _entropy(word: str) -> float:
    """Shannon entropy of the characters, in bits."""
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())
