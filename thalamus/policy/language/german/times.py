"""The German words for times as the English ones that the rules for dates read.

They are applied to a case-folded quote: "heiße" is "heisse" there.
"""

from __future__ import annotations

from thalamus.policy.language.patterns import LazyPattern

_MONTHS = {
    "januar": "january", "jänner": "january", "februar": "february", "märz": "march",
    "april": "april", "mai": "may", "juni": "june", "juli": "july", "august": "august",
    "september": "september", "oktober": "october", "november": "november",
    "dezember": "december",
}  # fmt: skip
_DAYS = {
    "montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday",
    "freitag": "friday", "samstag": "saturday", "sonnabend": "saturday", "sonntag": "sunday",
}  # fmt: skip
_SEASONS = {"frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn"}
_UNITS = {
    r"tag(?:en|e)?": "days", r"wochen?": "weeks", r"monat(?:en|e|s)?": "months",
    r"jahr(?:en|es|e)?": "years",
}  # fmt: skip
_NUMBERS = {
    r"ein(?:e[mnr]?)?": "one", "zwei": "two", "drei": "three", "vier": "four", "fünf": "five",
    "sechs": "six", "sieben": "seven", "acht": "eight", "neun": "nine", "zehn": "ten",
    "elf": "eleven", "zwölf": "twelve",
}  # fmt: skip
_LAST, _NEXT = r"(?:letzt|vergangen|vorig)e[nmrs]?", r"(?:nächst|kommend)e[nmrs]?"
_THE = r"(?:de[mnrs]\s+|die\s+|das\s+)?"
_ABOUT = r"(?:(?:etwa|ungefähr|rund|knapp|fast|gut|circa|über|schon|genau)\s+)?"
_MONTH = "|".join(_MONTHS.values())
_PAST = (  # what is so no more
    (r"\bnicht\s+(?:mehr|länger)\b|\bkein(?:e[nmrs]?)?\b(?=.*\bmehr\b)", "no longer"),
    (r"\bfrüher\b(?!\s+als)|\bdamals\b", "used to"),
    (r"\b(?:gewohnt|gelebt|wohnte|lebte)\b", "lived"),
    (r"\b(?:gearbeitet|arbeitete)\b", "worked"),
    (r"\b(?:kündige|kündigt|kündigen)\b", "quit"),
    (r"\bhör(?:e|t|en)\b(?=.*\bauf\b)", "stop"),
    (r"\bverlasse\b", "leave"),
    (r"\bverkauf(?:e|en|t)\b", "sell"),
)  # fmt: skip


def _rules() -> list[tuple[str, str]]:
    return [*_calendar(), *_stretches(), *_nearby(), *_limits(), *_PAST]


def _calendar() -> list[tuple[str, str]]:
    """Days, months, years and seasons."""
    return [
        (r"\bwas\b", "what"),
        (r"\bwill\b", "want to"),
        (r"\bam\s+(?=\d)", "on "),
        # 3.3.2024 and 3. März
        *(
            (rf"\b(\d{{1,2}})\.\s?0?{number}\.\s?((?:19|20)\d\d)\b", rf"\1 {name} \2")
            for number, name in enumerate(dict.fromkeys(_MONTHS.values()), 1)
        ),
        *((rf"\b{word}\b", name) for word, name in _MONTHS.items()),
        *((rf"\b{word}\b", name) for word, name in _DAYS.items()),
        *((rf"\b{word}\b", name) for word, name in _SEASONS.items()),
        (rf"\b(\d{{1,2}})\.\s*(?=(?:{_MONTH})\b)", r"\1 "),
        # the end of a month or a year is not its beginning
        (rf"\bende\s+({_MONTH})\b", r"28 \1"),
        (r"\bende\s+((?:19|20)\d\d)\b", r"december \1"),
        (r"\bmitte\s+((?:19|20)\d\d)\b", r"june \1"),
        (rf"\b(?:anfang|mitte)\s+(?={_MONTH}|(?:19|20)\d\d)", ""),
    ]  # fmt: skip


def _stretches() -> list[tuple[str, str]]:
    """How long ago, and since then."""
    return [
        *(
            (rf"\b(vor|seit)\s+{_ABOUT}{number}\s+(?={'|'.join(_UNITS)})", rf"\1 {word} ")
            for number, word in _NUMBERS.items()
        ),
        *(
            (rf"\b(?:schon\s+)?seit\s+{_ABOUT}(\d{{1,3}}|[a-z]+)\s+{unit}\b", rf"since \1 {word} ago")
            for unit, word in _UNITS.items()
        ),
        *(
            (rf"\bvor\s+{_ABOUT}(\d{{1,3}}|[a-z]+)\s+{unit}\b", rf"\1 {word} ago")
            for unit, word in _UNITS.items()
        ),
    ]  # fmt: skip


def _nearby() -> list[tuple[str, str]]:
    """What is named from today: last, this and next; yesterday and tomorrow."""
    return [
        *(
            (rf"\b(?:(im|in|am)\s+)?{_THE}{which}\s+{word}\b", f"{english} {unit}")
            for which, english in ((_LAST, "last"), (_NEXT, "next"), (r"diese[nmrs]?", "this"))
            for word, unit in (
                ("jahr(?:es)?", "year"), ("monats?", "month"), ("woche", "week"),
                ("wochenende", "weekend"), ("sommer", "summer"), ("summer", "summer"),
                ("spring", "spring"), ("autumn", "autumn"), ("winter", "winter"),
                *((day, day) for day in dict.fromkeys(_DAYS.values())),
            )
        ),
        (rf"\b{_LAST}\s+(?={_MONTH})", "last "),
        (rf"\b{_NEXT}\s+(?={_MONTH})", "next "),
        (r"\bvorgestern\b", "day before yesterday"),
        (r"\bgestern\b", "yesterday"),
        (r"\bheute\s+(?:morgen|abend|nacht|früh|nachmittag|vormittag)\b", "today"),
        (r"\bheute\b", "today"),
        (r"(?<!am )(?<!jeden )(?<!guten )(?<!schönen )(?<!früh am )\bmorgen\b", "tomorrow"),
    ]  # fmt: skip


def _limits() -> list[tuple[str, str]]:
    """From when, until when."""
    return [
        (rf"\bseit\s+{_THE}(?:letzte[mnrs]?\s+)?(?=\w)", "since "),
        (rf"\bbis\s+(?:zum?\s+|zur\s+|einschließlich\s+|in\s+)?{_THE}(?=\w)", "until "),
        (rf"\bab\s+(?!und\b){_THE}(?=\w)", "from "),
        (r"\bzwischen\s+(.{2,24}?)\s+und\s+", r"between \1 and "),
        (rf"\bvo[nm]\s+{_THE}(?=(?:{_MONTH}|\d))", "from "),
        (rf"\b(?:im|in)\s+(?=(?:{_MONTH}|spring|summer|autumn|winter|\d{{4}})\b)", "in "),
        (rf"\bam\s+(?=(?:{'|'.join(_DAYS.values())})\b)", "on "),
        (r"\bam\b", "at the"),
    ]  # fmt: skip


TIME_WORDS = tuple((LazyPattern(pattern), word) for pattern, word in _rules())
