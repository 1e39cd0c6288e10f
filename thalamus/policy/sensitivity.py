"""Rule-based detection of personal content, which should not be readable in the store's files.

Only certain matches count: e-mail addresses, international telephone numbers, keys and tokens by
their form, card, account and identity numbers by their check digits, other numbers next to a label,
passwords next to a label or a user name or after a colon. Content that is personal by its meaning
(health, money, streets …) is left to the model's label, to the predicate of a fact
(``memory.personal``) or to the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from thalamus.policy.identity_numbers import identity_numbers
from thalamus.policy.random_keys import random_keys
from thalamus.text.analyzer import fold, has_digit
from thalamus.text.disguises import undisguised
from thalamus.text.lazy_regex import lazy_regex

SHORTEST_IBAN = 15  # characters: of Norway
_MANY_DIGITS = re.compile(r"\d(?:[ -]?\d){12}").search
_DIGITS = lazy_regex(
    r"(?<![A-Za-z0-9_.,-])(?:[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5}"
    r"|[2-6](?:[ -]?\d){12,18})(?![A-Za-z0-9_-])"
)  # first digits of cards
_IBAN_BEGINS = re.compile(r"\d\d(?<=[A-Za-z]{2}\d\d)").search
_IBAN = lazy_regex(r"(?<![A-Z0-9_])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}", re.IGNORECASE | re.ASCII)
_ALONE = r"(?<![A-Za-z0-9_"  # scripts without spaces have words right before a number
# not the name of an image ("icon@2x.png"), a place in a repository ("git@host.org:name") or a
# handle ("@ana@example.social")
EMAIL = lazy_regex(
    rf"{_ALONE}.+@/-])[^\W_][\w.+'’-]{{0,63}}@(?!\dx\.)(?:[^\W_](?:[\w-]{{0,61}}[^\W_])?\.){{1,8}}"
    r"(?:[A-Za-z]{2,24}(?![A-Za-z0-9_-]|:[\w~/])|xn--[a-z0-9-]{2,}|[^\W\d_a-zA-Z][^\W\d_]{1,23})"
)
_COUNTRY = (
    r"(?:7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|50\d"
    r"|59\d|6[789]\d|8[058]\d|9[679]\d)"
)
_SPACE = r"[ ./-]{0,2}"
# the number without its prefix: of North America with its area code, or of another country; not a
# count of thousands
_NUMBER = (
    rf"(?!\d{{1,3}}(?:[ .]000)+(?!\d))(?:1\)?{_SPACE}\(?[2-9]\d\d\)?{_SPACE}\d{{3}}{_SPACE}\d{{4}}"
    rf"|(?={_COUNTRY})\d{{1,3}}\)?(?:{_SPACE}\(\d{{1,5}}\))?(?:{_SPACE}\d){{6,12}})"
    r"(?![A-Za-z0-9_@]|[.,]\d)"
)
PHONE = lazy_regex(
    rf"{_ALONE}.,+*/=-])(?:\+{_NUMBER}|(?:\+ |(?<!\d[ -])00 ?)(?=(?:1|{_COUNTRY})[ ./(-]){_NUMBER})"
)
# words after "my password is" that are not a password
_NO_PASSWORD = (
    r"(?!(?:an?|the|my|your|his|her|our|their|this|that|it|in|on|at|by|of|for|from|with|to|too|so|"
    r"not|no|now|never|always|still|also|already|very|really|quite|rather|just|only|about|as|"
    r"being|getting|going|gone|wrong|incorrect|invalid|valid|weak|strong|stronger|"
    r"secure|insecure|safe|unsafe|secret|simple|complex|hard|easy|long|longer|short|shorter|old|"
    r"new|good|bad|same|different|broken|missing|empty|blank|lost|due|unknown|unique|hidden|known|"
    r"kept|sent|set|what|where|when|how|why|required|written|case|\w{3,}ed|\w{4,}ing|"
    r"zu|nicht|falsch|richtig|weg|sicher|unsicher|kaputt|noch|schon|nur|sehr|leer|lang|kurz|"
    r"demasiado|muy|incorrecta|inv[áa]lida|segura|larga|corta|trop|pas|incorrect|invalide|perdu|"
    r"muito|errada|incorreta|curta|longa|n[ãa]o|ge\w+[nt]|ab\w+en|ver\w+en|\w+ad[ao]|\w+ée?)\b)"
)
_PASSWORD = (
    r"(?:pass ?words?|pass ?phrase|pass ?code|passwort|kennwort|contrase[ñn]a|mot de passe|senha|"
    r"palavra-passe)"
)
_WHOSE = (
    r"(?:my|our|his|her|the user['’]s|mein|unser|mi|nuestra|mon|notre|a minha|minha|nossa)\s+"
    r"(?:[\w-]+\s+){0,3}?"
)
_IS = r"(?:\s+(?:is|was|ist|lautet|war|es|est|é)\s*:?\s+|\s*[:=]\s*)"
_SECRET = lazy_regex(
    # any word, if it is stated to be someone's password
    rf"\b{_WHOSE}{_PASSWORD}{_IS}(?:[\"'“‘«`]|{_NO_PASSWORD}\S)"
    # or one that looks like a password: with a symbol or digit inside
    rf"|\b(?:{_PASSWORD}(?:(?:\s+[\w-]+){{0,4}}?\s+(?:is|ist|lautet|es|est|é)\s+"
    r"|(?:[ \t]+[\w-]{1,30}){0,2}[ \t]?:[ \t]*)"
    rf"|(?:changed|set)\s+(?:my|our|the)\s+(?:[\w-]+\s+){{0,2}}?{_PASSWORD}\s+to\s+)"
    r"[\"'“‘«`]?(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}[a-z])[\w!@#$%^&*+-]{6,}"
    # assigned, in a file of settings, a command or a log
    r"|(?:(?<![a-z])(?:pass(?:word|wd|phrase)|secret|pwd?)|_(?:pass|pwd?))\s*[=:]\s*[\"'`]?"
    r"(?=[^\s\"'`]{0,60}\d)(?=[^\s\"'`]{0,60}[a-z])[^\s\"'`,;()\[\]{}<>]{6,}"
    r"|\b(?:pin(?:[ -]?(?:code|number))?|c[óo]digo pin)(?: (?:of|for|to|von|f[üu]r|de|da|do) "
    rf"(?:[\w-]+ ?){{1,4}}?)?{_IS}\d{{4,8}}(?!\d)",
    re.IGNORECASE,
)
# with letters, a digit and a symbol inside that other words do not have there
_AFTER_COLON = lazy_regex(
    r"[:：](?:(?<=[^\W\d_]:)|(?<=[^\W\d_] :)|(?<=：))[ \t]*[\"'“‘«`]?(?P<value>(?=[!-~]{0,40}\d)"
    r"(?=(?:[!-~]{0,40}?[A-Za-z]){4})"
    r"(?=[!-~]{1,40}?(?<=[A-Za-z0-9])(?:[!%^&*](?=[A-Za-z0-9])|[#$](?=[A-Za-z])))"
    r"[A-Za-z0-9][A-Za-z0-9_!#$%^&*.()+-]{7,40})(?=[\"'”’»`]?[.,]?(?:\s|$))"
)
_AFTER_USER_NAME = lazy_regex(
    r"(?<![\w-])(?:user[ _-]?name|log[ -]?in)\s*[:=]\s*[\"'`]?[\w.@+-]{2,40}[\"'`]?[ \t]*"
    r"(?:[,;/|]|\n)[ \t]*(?:pass(?:word)?|pwd?)?[ \t]*[:=]?[ \t]*[\"'`]?"
    r"(?P<value>(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[A-Za-z])"
    r"[A-Za-z0-9_!#$%^&*@~?+-]{6,40})(?=[\"'`]?[.,;]?(?:\s|$))",
    re.IGNORECASE,
)
_IDENTITY = lazy_regex(
    r"\b(?:ssn|social security)\b[^\d\n]{0,25}(?!000|666|9)\d{3}[ -]?(?!00)\d\d[ -]?(?!0000)\d{4}"
    r"(?!\w)"
    r"|\bnational insurance\b[^\d\n]{0,25}\b[a-z]{2} ?\d\d ?\d\d ?\d\d ?[a-d]\b"
    r"|\b(?:sozial|renten)versicherungsnummer\b[^\d\n]{0,25}\d\d ?\d{6} ?[a-z] ?\d{3}\b"
    r"|\bs[ée]curit[ée] sociale\b[^\d\n]{0,25}[12] ?\d\d ?\d\d ?\w\w ?\d{3} ?\d{3}\b"
    r"|\bseguridad social\b[^\d\n]{0,25}\d\d[ /]?\d{8}[ /]?\d\d\b"
    r"|\bpassport(?: (?:number|no\.?|nr\.?)(?: is|:)?| is|:) ?[a-z]{0,2}\d{6,9}\b",
    re.IGNORECASE,
)
_TOKEN = lazy_regex(
    rf"{_ALONE}-])(?:"
    r"sk-[\w-]{20,}|(?:sk|rk)_(?:live|test)_\w{16,}|gh[pousr]_\w{36,}|github_pat_\w{22,}"
    r"|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|A(?:KIA|SIA)[A-Z0-9]{16}(?!\w)|AIza[\w-]{35}"
    r"|ya29\.[\w-]{20,}|npm_\w{36}|pypi-[\w-]{50,}|hf_[A-Za-z]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|xai-\w{40,}|gsk_\w{40,}|r8_\w{32,}|nvapi-[\w-]{40,}|pplx-\w{32,}|tvly-[\w-]{20,}"
    r"|dop_v1_[a-f0-9]{64}|dckr_pat_[\w-]{20,}|shp(?:at|ss)_[a-fA-F0-9]{32}|lin_api_\w{32,}"
    r"|figd_[\w-]{30,}|ATATT3[\w=-]{50,}|sntrys_[\w+/=-]{30,}|hvs\.[\w-]{24,}"
    r"|\d{8,10}:AA[\w-]{33}(?![\w-])"  # of a Telegram bot
    r"|https://hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}"
    r"|https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,}/[\w-]{40,}"
    r"|whsec_\w{24,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}"
    # labelled as such, and random-looking
    r"|(?i:(?:\w{1,20}_)?(?:api|access|secret|auth|bearer)[ _-]?(?:key|token)s?(?: is|:| ?=)\s*"
    r"[\"'`]?(?=[\w/+-]*\d)(?=[\w/+-]*[a-z])(?![\w/+-]*(?:your|xxx|1234))[\w/+-]{20,})"
    # a password in a URL
    r"|[a-z][a-z0-9+]{1,15}://[^\s:/@<>\[\]{}]{1,40}:(?=[^\s/@]*[\W\d])[^\s/@<>\[\]{}$]{6,60}@"
    r"[\w-]+)"
)
_PRIVATE_KEY = lazy_regex(r"-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----")
_KEY_ENDS = lazy_regex(r"-----END [A-Z0-9 ]+-----")
_REST_OF_SECRET = lazy_regex(r"[^\s,;\"'”’»]*")

# name, pattern, needs a digit, and substrings of which every match has at least one: looking for
# all of these at once takes a hundredth of the time
RULES = (
    ("private_key", _PRIVATE_KEY, False, ("private key",)),
    (
        "token",
        _TOKEN,
        False,
        tuple(
            "sk- sk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox akia asia aiza ya29. npm_"
            " pypi- hf_ sg. xai- gsk_ r8_ nvapi- pplx- tvly- dop_v1 dckr_ shpat_ shpss_ lin_api"
            " figd_ atatt3 sntrys_ hvs. :aa whsec_ age-secret eyj key token ://".split()
        ),
    ),
    (
        "secret",
        _SECRET,
        False,
        ("pass", "kennwort", "contrase", "senha", "pin", "pw", "secret"),
    ),
    ("secret", _AFTER_COLON, True, (":", "：")),
    ("secret", _AFTER_USER_NAME, True, ("user", "log")),
    (
        "identity",
        _IDENTITY,
        True,
        ("ssn", "social", "insurance", "versicherung", "passport"),
    ),
    ("email", EMAIL, False, ("@",)),
    ("phone", PHONE, True, ("+", "00")),
)
_SIGNS = [(place, sign) for place, (_, _, _, signs) in enumerate(RULES) for sign in signs]


@lru_cache(maxsize=2048)  # called several times for each record that is stored
def personal(text: str) -> str | None:
    """Name of the first rule that finds something personal; None if none does. Disguises hide
    nothing."""
    found = _first_match(text)
    if found is None and (plain := undisguised(text)) != text:
        return _first_match(plain)
    return found


def _first_match(text: str) -> str | None:
    digits = has_digit(text)
    if digits:
        if any(_cards(text)):
            return "card"
        if any(_accounts(text)):
            return "iban"
        if any(identity_numbers(text)):
            return "identity"
        if any(random_keys(text)):
            return "token"
    folded = text.casefold().encode("utf-8", "replace")
    for place in sorted({_SIGNS[n][0] for n, *_ in _find_signs()(folded, overlapping=True)}):
        name, rule, numbers, _ = RULES[place]
        if (digits or not numbers) and rule.search(text):
            return name
    return None


def _cards(text: str) -> Iterator[tuple[int, int]]:
    """Spans of card numbers with a right check digit."""
    if not _MANY_DIGITS(text):
        return
    from stdnum import luhn

    for found in _DIGITS.finditer(text):
        digits = found[0].replace(" ", "").replace("-", "")
        if len(set(digits)) > 1 and luhn.is_valid(digits):
            yield found.span()


def _accounts(text: str) -> Iterator[tuple[int, int]]:
    """Spans of account numbers in the form of their country with right check digits; words may
    follow."""
    if not _IBAN_BEGINS(text):
        return
    from stdnum import iban

    found = _IBAN.search(text)
    while found is not None:
        start = found.start()
        end = next((e for e in _ends(found[0]) if iban.is_valid(found[0][:e], False)), None)
        if end is not None:
            yield start, start + end
        found = _IBAN.search(text, start + (end or 1))  # what is none may overlap one


def _ends(text: str) -> Iterator[int]:
    """Where an account number that begins with a text may end: remainder 1 of 97 (ISO 13616)."""
    country, remainder = int("".join(str(int(one, 36)) for one in text[:4])), 0
    for end, character in enumerate(text[4:], 5):
        if character != " ":
            value = int(character, 36)
            remainder = (remainder * (100 if value > 9 else 10) + value) % 97
            if end >= SHORTEST_IBAN and (remainder * 10**6 + country) % 97 == 1:
                yield end


@cache
def _find_signs() -> Any:
    import ahocorasick_rs

    signs = [sign.encode() for _, sign in _SIGNS]
    return ahocorasick_rs.BytesAhoCorasick(signs).find_matches_as_indexes


def personal_spans(text: str) -> list[tuple[int, int, str]]:
    """Spans of personal content in a text, in order: start, end (exclusive), rule. A secret extends
    to the end of its word, a private key to its end marker."""
    found = [(*span, "card") for span in _cards(text)]
    found += [(*span, "iban") for span in _accounts(text)]
    found += [(*span, "identity") for span in identity_numbers(text)]
    found += [(*span, "token") for span in random_keys(text)]
    for name, rule, _, _ in RULES:
        for match in rule.finditer(text):
            end = match.end()
            if name == "secret":
                end += len(_REST_OF_SECRET.match(text, end)[0])  # type: ignore[index]
            elif name == "private_key":
                close = _KEY_ENDS.search(text, end)
                end = close.end() if close else len(text)
            begin = match.start("value" if "value" in match.re.groupindex else 0)
            found.append((begin, end, name))
    return sorted(found)


def with_shared_words(private: Sequence[bool], words: Sequence[Sequence[str]]) -> list[bool]:
    """Personal items among several of one source: those in ``private``, and those that share words
    with one, because a model may label only one of them. ``words``: the texts of each item. Words
    are shared if a text of one is part of a text of the other."""
    folded = [[fold(text) for text in texts if text] for texts in words]
    known = [texts for marked, texts in zip(private, folded, strict=True) if marked]
    return [
        marked or any(_within(texts, other) or _within(other, texts) for other in known)
        for marked, texts in zip(private, folded, strict=True)
    ]


def _within(parts: Sequence[str], texts: Sequence[str]) -> bool:
    return any(part in text for part in parts for text in texts)
