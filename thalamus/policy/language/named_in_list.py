"""The others of a list of people or animals with their names: "a tortoise called Agnes, a parrot named Rico"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from thalamus.policy.language.patterns import LazyPattern

# "a half-blind cat called Moss", in the five languages
_ONE = LazyPattern(
    r"\b(?:an?|one|ein\w*|une?|un[oa]?|uma?|another)\s+"
    r"(?P<said>(?:(?!(?:with|of|for|and|who|whose|in|has|to|from|by|mit|von|und|con|de|y|avec|et|com|e)\s)[\w-]+,?\s+){1,5}?)"
    r"(?:called|named|namens|(?:qui\s+s(?:'|e\s+)appelle|appelée?|nommée?)|llamad[oa]|(?:que\s+)?se\s+llama|chamad[oa]|(?:que\s+)?se\s+chama)\s+"
    r"(?P<object>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+(?:\s+(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+)*)",
    re.I,
)
_BETWEEN = re.compile(r"\s*,?\s*(?:and|und|y|et|e)?\s*", re.I)


def others_of_list(text: str, name: str, kin: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The relation and the name of all those whom a text lists together with one of this name.
    ``kin``: the relations of a language by their words."""
    rows: list[list[re.Match[str]]] = []
    for found in _ONE.finditer(text):
        if rows and _BETWEEN.fullmatch(text, rows[-1][-1].end(), found.start()):
            rows[-1].append(found)
        else:
            rows.append([found])
    for row in rows:
        if any(found["object"] == name for found in row):
            for found in row:
                said = reversed(found["said"].casefold().replace(",", "").split())
                relation = next((kin[word] for word in said if word in kin), None)
                if relation is not None and found["object"] != name:
                    yield relation, found["object"]
