"""What was right once: "not any more, 42 since Sunday"; "used to, I mean. I cycle now"."""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import sentences
from thalamus.policy.language.corrections.draft import PARTS, Draft, core_of, plain_of
from thalamus.policy.language.corrections.excuses import is_excuse
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.reading import read

_DAY = (
    r"(?:(?:last|this|letzte[nrsm]?|diese[nrsm]?|heute|el|la|le|a|o|den|dem)\s+)*"
    r"(?:\w+day|week|month|year|yesterday|today|\w+tag|mittwoch|woche|monat|jahr|gestern|heute|vorgestern|kurzem|früh|"
    r"lunes|martes|miércoles|jueves|viernes|sábado|domingo|ayer|hoy|semana\s+pasada|mes\s+pasado|semana|mes|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|hier|aujourd'hui|semaine\s+dernière|mois\s+dernier|"
    r"segunda|terça|quarta|quinta|sexta|ontem|hoje|semana\s+passada|mês\s+passado)(?:-feira)?"
)
_SINCE = LazyPattern(
    rf",?\s*\b(?:as\s+of|since|seit|ab|desde|depuis|a\s+partir\s+de)\s+{_DAY}(?![^\W\d_])"
    rf"|,?\s*\b(?:last\s+(?:week|month|\w+day)|on\s+\w+day|yesterday|just|gestern|letzte\s+woche|ayer|hier|ontem)\b(?=[\s.!]*(?:$|,))",
    re.I,
)
# that it was so, and is no more; "stimmt gar nicht mehr" announces what is right by now, too
_NO_MORE = LazyPattern(
    r"(?:(?:that's|that\s+is|it's|well|no|nein|nee|das|c'est|ce\s+n'est|isso)\s+)?(?:(?:is\s+)?not\s+(?:(?:true|right|correct|the\s+case|so)\s+)?any\s?more|(?:is\s+)?no\s+longer(?:\s+(?:true|right|the\s+case))?|"
    r"stimmt\s+(?:so\s+|ja\s+|gar\s+|schon\s+|auch\s+)*nicht\s+mehr|(?:jetzt\s+|schon\s+|inzwischen\s+)?nicht\s+mehr|ya\s+no(?:\s+es\s+(?:así|verdad|cierto))?|"
    r"(?:ce\s+n'est\s+)?plus\s+(?:maintenant|vrai|le\s+cas)|já\s+não(?:\s+é\s+(?:assim|verdade))?|não\s+mais)",
    re.I,
)
_ONCE = LazyPattern(
    r"(?:(?:I|we|he|she|they)\s+)?(?:used\s+to|did|formerly|once|in\s+the\s+past|back\s+then|früher(?:\s+(?:mal|einmal))?|damals|antes|avant|autrefois|antigamente|antes\s+sim)"
    r"(?:,?\s+(?:that\s+is|sorry))?",
    re.I,
)  # fmt: skip
_AGES = ("age",)


def became(earlier: str, text: str) -> str | None:
    """A message about an age without since when it is so and without that the other is over: "42",
    of "not any more, 42 since Sunday". None where it says neither."""
    if not any(one.predicate in _AGES for one in read(earlier).statements):
        return None
    found = _NO_MORE.match(text)
    left = text[found.end() :].lstrip(" ,;:.!–—-") if found is not None else text
    made = " ".join(_SINCE.sub("", left).split()).strip(" ,")
    return made if made != text and re.search(r"\d", made) else None


def says_once(draft: Draft, text: str) -> bool:
    """Whether a message begins with "used to", by itself."""
    return _ONCE.fullmatch(core_of(_parts(text)[0], draft.signs)) is not None


def now_instead(draft: Draft, text: str) -> str | None:
    """What a message says in place of what it calls over; that it is over, where it says no more.
    None where it calls nothing over."""
    parts = _parts(text)
    first = core_of(parts[0], draft.signs) if parts else ""
    over = _NO_MORE.fullmatch(first) is not None
    once = _ONCE.fullmatch(first) is not None
    now = any(draft.signs.since.search(part) for part in parts[1:])
    if not over and not (once and (now or draft.sure > 1)):
        return None  # "before that, I taught maths" calls nothing over
    said = [p for p in parts[1:] if plain_of(p, draft.signs) and not is_excuse(p)]
    said = [p for p in said if not _NO_MORE.fullmatch(core_of(p, draft.signs))]
    return ". ".join(said) or first


def _parts(text: str) -> list[str]:
    return [p for one in sentences(text) for p in PARTS.split(one.strip(" .!")) if p.strip(" .!")]
