"""Redaction of names, addresses, numbers and secrets with placeholders, consistent within a row. It
is rule-based: what no rule matches stays."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.policy.sensitivity import personal_spans
from thalamus.text.analyzer import fold
from thalamus.text.given_names import GIVEN_NAMES

Span = tuple[int, int, str]  # start, end (exclusive), kind

_PHONE = re.compile(
    r"(?<![\w/.,-])(?:(?:\+|00)\d{1,3}[ ./-]?)?(?:\(\d{1,5}\)[ ./-]?)?"
    r"\d(?:[ ./-]?\d){6,13}(?![\w-])"
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ]?[01]?\d[-./ ]?[0-3]?\d|[0-3]?\d[-./ ][01]?\d[-./ ](?:19|20)\d\d"
)
_STREET = (
    r"(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Ln\.?|Drive|Boulevard|Blvd\.?|Court|Square"
    r"|Close|Terrace|Crescent|Way|Place)"
)
_ADDRESS = re.compile(
    rf"\b\d+[a-zA-Z]?,? (?:[A-Z][\w'’-]+ ){{1,4}}{_STREET}(?!\w)"
    r"|\b[A-ZÄÖÜ][\wäöüß-]*(?:straße|strasse|str\.|weg|gasse|allee|platz|damm|ufer) \d+[a-z]?\b"
    r"|\b(?:Calle|Avenida|Plaza|Rua|Travessa|Praça|Rue|Boulevard|Place|Largo|Via)"
    r" (?:(?:de|del|da|do|das|dos|du|des|la|las|los|le|les|el) )*[A-ZÀ-Ý][\w'’-]*"
    r"(?: (?:(?:de|da|do|du) )?[A-ZÀ-Ý][\w'’-]*){0,3},? \d+[a-z]?\b"
    r"|\b\d+,? (?:rue|avenue|boulevard|place) (?:(?:de|du|des|la|le|les) )*[A-ZÀ-Ý][\w'’-]*"
)
_CAPITALIZED = re.compile(r"(?<!\w)[A-ZÀ-Ý][\w'’-]*")
_SURNAME = re.compile(r" (?:(?:van|von|de|da|dos|del|der|den) )*[A-ZÀ-Ý][a-zß-ÿ][\w-]*")
# kinds in order of certainty: a match of one is not matched by the next
PERSON, EMAIL, PHONE, ADDRESS, SECRET = "PERSON", "EMAIL", "PHONE", "ADDRESS", "SECRET"
_KINDS = {"email": EMAIL, "phone": PHONE}  # by the name of a rule; the others find secrets


class Redactor:
    """Redacts the texts of one row. ``names``: additional known names of people. ``replaced``:
    counts by kind."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        known = sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True)
        joined = "|".join(re.escape(name) for name in known)
        self._names = re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE) if known else None
        self._placeholders: dict[tuple[str, str], str] = {}
        self.replaced: dict[str, int] = {}

    def __call__(self, text: str) -> str:
        """The text with placeholders such as ``[PERSON_1]``."""
        parts, last = [], 0
        for start, end, kind in self._spans(text):
            parts += [text[last:start], self._placeholder(kind, text[start:end])]
            last = end
        return "".join([*parts, text[last:]])

    def each(self, value: Any, leave: frozenset[str] = frozenset()) -> Any:
        """A JSON value with every text redacted, except under the keys in ``leave``."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, list):
            return [self.each(item, leave) for item in value]
        if isinstance(value, dict):
            return {k: v if k in leave else self.each(v, leave) for k, v in value.items()}
        return value

    def person(self, name: str) -> str:
        """The placeholder of a person."""
        return self._placeholder(PERSON, name)

    def _placeholder(self, kind: str, text: str) -> str:
        """A placeholder, the same for the same text; a given name alone stands for the person whose
        name begins with it."""
        name = text.removesuffix("'s").removesuffix("’s")
        folded, whose = fold(name), text[len(name) :]
        known = self._placeholders.get((kind, folded))
        if known is None and kind == PERSON:
            first = (folded.split() or [folded])[0]
            known = self._placeholders.get((kind, first))
            self._placeholders.setdefault((kind, first), known or self._next(kind))
            known = self._placeholders[kind, first]
        if known is None:
            known = self._next(kind)
        self._placeholders[kind, folded] = known
        self.replaced[kind] = self.replaced.get(kind, 0) + 1
        return f"[{known}]{whose}"

    def _next(self, kind: str) -> str:
        used = {name for (of, _), name in self._placeholders.items() if of == kind}
        return f"{kind}_{len(used) + 1}"

    def _spans(self, text: str) -> list[Span]:
        """Spans to replace, in order and without overlaps."""
        taken: list[Span] = []
        for span in self._candidates(text):
            place = bisect(taken, span)
            free = place == 0 or taken[place - 1][1] <= span[0]
            if free and (place == len(taken) or span[1] <= taken[place][0]):
                taken.insert(place, span)
        return taken

    def _candidates(self, text: str) -> Iterator[Span]:
        for start, end, rule in personal_spans(text):
            yield start, end, _KINDS.get(rule, SECRET)
        for found in _ADDRESS.finditer(text):
            yield found.start(), found.end(), ADDRESS
        for found in _PHONE.finditer(text):
            if not _DATE.fullmatch(found[0]):
                yield found.start(), found.end(), PHONE
        if self._names is not None:
            for found in self._names.finditer(text):
                yield found.start(), _with_surname(text, found.end()), PERSON
        for found in _CAPITALIZED.finditer(text):
            word = fold(found[0]).removesuffix("'s")
            if word in GIVEN_NAMES:
                yield found.start(), _with_surname(text, found.end()), PERSON


def _with_surname(text: str, end: int) -> int:
    """End of a name that ends at ``end``, with a surname after it."""
    surname = _SURNAME.match(text, end)
    return surname.end() if surname else end
