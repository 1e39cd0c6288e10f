"""What in a text is personal, by rule: what nobody else should read in the store's files.

Card numbers and IBANs are believed only when their check digits are right; other numbers only
beside a word that says what they are. Health and money are recognised by plain English words.
"""

from __future__ import annotations

import re
from functools import lru_cache

_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(
    r"(?<!\w)\+\d(?:[ ()./-]{0,2}\d){6,14}(?!\w)"
    r"|\b(?:phone|mobile|telephone|cell)\b[^\d\n]{0,20}\d(?:[ ()./-]{0,2}\d){5,14}",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\b(?:password|passphrase|passcode|pin code|api key|secret key|private key)\b\W{0,3}"
    r"(?:\w+\W{1,3}){0,3}?(?:is|was|:|=)\s*\S",
    re.IGNORECASE,
)
_IDENTITY = re.compile(
    r"\b(?:passport|social security|ssn|tax id|national id|id card|insurance|driving licen[cs]e)\b"
    r"[^\d\n]{0,30}\d[\w -]{3,}",
    re.IGNORECASE,
)
_HEALTH = re.compile(
    r"\b(?:diagnos(?:ed|is)|depressi(?:on|ve)|hiv|cancer|tumou?r|pregnan(?:t|cy)|miscarriage|"
    r"diabet(?:es|ic)|epilepsy|bipolar|schizophreni[ac]|chemotherapy|psychiatrist|"
    r"psychotherap(?:y|ist)|antidepressants?|addict(?:ed|ion)|suicid(?:e|al)|medication)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"\b(?:salary|in debt|debts?|bankrupt(?:cy)?|mortgage|credit score|overdraft|account number)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)  # a record is asked about several times while it is stored
def personal(text: str) -> str | None:
    """The name of the first rule that finds something personal; None when none does."""
    if not text:
        return None
    digits = _DIGIT.search(text) is not None
    if digits and any(luhn(found) for found in _DIGITS.findall(text)):
        return "card"
    if digits and any(iban(found) for found in _IBAN.findall(text)):
        return "iban"
    folded = text.casefold()
    for name, rule, numbers, signs in RULES:
        likely = (digits or not numbers) and any(sign in folded for sign in signs)
        if likely and rule.search(text):
            return name
    return None


# name, rule, whether a number must be in it, and what every text that it finds has one of: a look
# for these costs a fiftieth of the rule
RULES = (
    ("email", _EMAIL, False, ("@",)),
    ("phone", _PHONE, True, ("+", "phone", "mobile", "cell")),
    ("secret", _SECRET, False, ("pass", "pin code", " key")),
    ("identity", _IDENTITY, True, ("passport", "social", "ssn", "id", "insurance", "licen")),
    (
        "health",
        _HEALTH,
        False,
        tuple(
            "diagnos depressi hiv cancer tumo pregnan miscarriage diabet epilep bipolar schizo"
            " chemo psych antidep addict suicid medication".split()
        ),
    ),
    (
        "money",
        _MONEY,
        False,
        ("salary", "debt", "bankrupt", "mortgage", "credit", "overdraft", "account"),
    ),
)


def luhn(number: str) -> bool:
    """Whether the digits are those of a card: 13 to 19 whose last one is right."""
    digits = [int(character) for character in number if character.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


def iban(text: str) -> bool:
    """Whether it is an account number: the remainder by 97 must be 1 (ISO 13616)."""
    compact = text.replace(" ", "")
    if not 15 <= len(compact) <= 34 or not compact.isascii():
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1
