"""Whether a question is about a member of the user's family, or a pet, of which nothing is known.

A small model that is asked for the father's job, and has a note with the user's own, gives that;
asked for a pet, it says yes to any notes.
"""

from __future__ import annotations

from collections.abc import Iterable

from thalamus.policy.language.languages import CODES, detect, lexicon
from thalamus.policy.language.vocabulary.relations import ANIMALS
from thalamus.text.tokens import words

# who is meant, and who may be meant besides: "my kids" are a son, or a daughter
_PARTNER = {"wife", "husband", "partner", "girlfriend", "boyfriend", "fiance"}
_MEANT: dict[str, set[str]] = {
    "mother": {"mother", "parents"},
    "father": {"father", "parents"},
    "parents": {"mother", "father", "parents"},
    "sister": {"sister", "sibling"},
    "brother": {"brother", "sibling"},
    "sibling": {"sister", "brother", "sibling"},
    "son": {"son", "child"},
    "daughter": {"daughter", "child"},
    "child": {"son", "daughter", "child"},
    "grandmother": {"grandmother", "grandparents"},
    "grandfather": {"grandfather", "grandparents"},
    "grandparents": {"grandmother", "grandfather", "grandparents"},
    **dict.fromkeys(_PARTNER, _PARTNER),
    **{relation: {relation} for relation in ("uncle", "aunt", "cousin", "nephew", "niece")},
    **{animal: {animal, "pet"} for animal in ANIMALS},
    "pet": {"pet", *ANIMALS},
}


def asks_for_unknown_relative(question: str, notes: Iterable[str]) -> bool:
    """Whether a question names relatives or pets, and the notes none of those that may be meant."""
    asked = _relations(question, [detect(question).code])
    if not asked:
        return False
    known = _relations("\n".join(notes), list(CODES))
    return not any(_MEANT[relation] & known for relation in asked)


def _relations(text: str, codes: Iterable[str]) -> set[str]:
    """The relatives that a text names, in any of some languages."""
    said = {part for word in words(text.replace("_", " ")) for part in _forms(word)}
    found = {lexicon(code).kin.get(word) for code in codes for word in said}
    return {relation for relation in found if relation in _MEANT}


def _forms(word: str) -> set[str]:
    """A word, and it without the ending of a genitive or a plural."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return {bare, bare.removesuffix("s")}
