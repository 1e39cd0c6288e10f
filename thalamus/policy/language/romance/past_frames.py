"""Frames of Spanish, French and Portuguese for what is over: "j'avais un chien", "ya no hago yoga"."""

from __future__ import annotations

from collections.abc import Mapping

from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.romance.words import alternatives
from thalamus.policy.language.vocabulary.activities import is_hobby, is_instrument_or_sport
from thalamus.policy.language.vocabulary.word_classes import is_animal_or_illness

_PETS = ("dog", "cat", "horse", "pet", "rabbit", "parrot", "hamster")
_NAME = r"(?-i:[A-ZÁÉÍÓÚÀÂÇÈÊËÎÏÔÛÑÕ][\wÀ-ÿ'-]+)"
_AND_NO_MORE = r"(?=\s*(?:[,.;!–]|$)|\s+(?:y|e|et|mais|pero|mas|porque|parce|cuando|quand|quando|de|que|qui|quando|hasta|até|jusqu'\w*)\b)"


def ended(
    kin: Mapping[str, str], had: str, named: str, plays_no_more: str, does_no_more: str
) -> tuple[Frame, ...]:
    """The frames of a language. ``kin``: its words for relations; the others are patterns: what
    says that somebody had something, that it has a name, and that somebody no longer plays and
    no longer does what follows."""
    pets = alternatives({word: of for word, of in kin.items() if of in _PETS})
    one = r"(?:una?|une|uma?|dos|deux|dois|duas|tres|trois|três|des|unos|unas|uns|umas|\d+)"
    return (
        frame("{kin}", rf"(?:{had})\s+{one}\s+(?P<kin>{pets})\s*(?:,|{named})\s*(?P<object>{_NAME})", over=True, mine=True),
        frame("has", rf"(?:{had})\s+{one}\s+(?P<object>(?:{pets})s?){_AND_NO_MORE}", over=True),
        frame("has", rf"(?:já\s+)?(?:{had})\s+{one}\s+(?P<object>[\wÀ-ÿ-]+)(?=\s*,?\s+(?:pero|mas|e|y|et|mais)\s+(?:l[ao]\s+|je\s+l['’]ai\s+|já\s+|eu\s+)?(?:vend|regal|perd|cambi|dei|troqu|don))", over=True, fits=is_animal_or_illness),
        frame("plays", rf"(?:{plays_no_more})\s*(?P<object>[\wÀ-ÿ-]+)", over=True, fits=is_instrument_or_sport),
        frame("practises", rf"(?:{does_no_more})\s*(?P<object>[\wÀ-ÿ-]+)", over=True, fits=is_hobby),
    )  # fmt: skip
