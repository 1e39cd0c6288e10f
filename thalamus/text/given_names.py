"""Given names common in English, German, French, Spanish and Portuguese: they identify persons in a
text, in addition to the names that the store knows. Words that usually mean something else (Will,
Rose, May) are left out."""

from __future__ import annotations

from thalamus import data
from thalamus.text.analyzer import fold

GIVEN_NAMES = frozenset(fold(data.read("given_names.txt").decode()).split())
