"""What was put on another day: "the dentist has been moved to Thursday", "they come on the 8th instead".

A message that names what has moved and when it is now is applied to what was said of that thing
before, however long ago: its day, its time of day or both are replaced, and nothing else of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from thalamus.policy.language.clauses import sentences
from thalamus.policy.language.corrections.slots import DAYS, MONTHS
from thalamus.policy.language.languages import detect
from thalamus.policy.language.patterns import LazyPattern
from thalamus.text.tokens import content_words, share_found, words

LONGEST = 40  # words of a message that says it

_MONTH, _WEEKDAY = "|".join([*MONTHS, "jänner"]), "|".join([*DAYS, "sonnabend"])
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.|er|º|ª)?"
_DATE = (
    rf"(?:{_ORDINAL}\s+(?:of\s+|de\s+)?(?:{_MONTH})|(?:{_MONTH})\s+(?:the\s+)?{_ORDINAL})(?!\w)"
    r"(?:,?\s+(?:de\s+)?(?:19|20)\d\d\b)?"
)
_DAY = rf"(?:{_WEEKDAY})s?(?:-feira)?(?!\w)"
_DAY_WITH_DATE = rf"{_DAY}(?:,?\s+(?:the\s+|den\s+|dem\s+|le\s+|el\s+|dia\s+)?(?:{_DATE}))?|{_DATE}"
_RELATIVE = (
    r"(?:next|nächste[nrs]?|la\s+próxima|la\s+semaine|na\s+próxima)\s+\w+(?:\s+(?:prochaine|que\s+viene))?"
    r"|tomorrow|morgen|mañana|demain|amanhã"
)
_CLOCK = (
    r"(?:half\s+past|quarter\s+(?:past|to)|halb|viertel\s+(?:vor|nach))\s+\w+"
    r"|\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\b\.?|uhr\b|h\b|o'clock\b|heures?\b|horas?\b)|\d{1,2}:\d\d(?!\d)"
)
_AT = r"(?:(?:at|um|a\s+las?|à|às|as)\s+)"
_NUMBER = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
_LEAD = r"(?:on|at|in|am|um|im|den|dem|el|al|en|le|au|em|no|na|dia|the|o|a)\s+"

# the parts of "Wednesday 2 December at 10", with the words that lead them
_ON = re.compile(
    rf"(?P<lead>(?<!\w){_LEAD}(?:the\s+|el\s+|den\s+|dia\s+)?)?(?P<on>\b(?:{_DAY_WITH_DATE}))"
    rf"|(?P<lead_month>(?<!\w){_LEAD})(?P<month>(?:{_MONTH})(?:\s+(?:de\s+)?(?:19|20)\d\d)?)(?!\w)",
    re.I,
)
_TIME = re.compile(rf"(?<!\w)(?:{_AT}(?P<at>{_CLOCK}|{_NUMBER})|(?P<clock>{_CLOCK}))(?!\w)", re.I)
_RELATIVELY = re.compile(rf"(?<!\w)(?:{_RELATIVE})(?!\w)", re.I)
_DAY_OF_MONTH = re.compile(
    r"(?:the\s+|den\s+|el\s+|le\s+|dia\s+)?(\d{1,2})(?:st|nd|rd|th|\.|er|º)", re.I
)

_WHEN = (
    rf"(?P<when>(?:{_LEAD}){{0,2}}(?:(?:{_DAY_WITH_DATE}|{_RELATIVE}|(?:{_MONTH})\b|\d{{1,2}}(?:st|nd|rd|th)\b"
    rf"|{_AT}?(?:{_CLOCK}|{_NUMBER}))(?!\w))(?:,?\s+{_AT}(?:{_CLOCK}|{_NUMBER})(?!\w))?)"
)
_END = r"(?=\s*(?:$|[,.;:!–—(-]|because\b|since\b|as\b|due\b|so\b|and\b|but\b|now\b|weil\b|porque\b|parce\b|car\b|pois\b))"
_THING = r"(?P<what>(?:(?!\bit\b|\bthey\b|\bhe\b|\bshe\b|\bthat\b)[\w'’&-]+)(?:\s+[\w'’&-]+){0,7}?)"
_MOVED = (
    r"(?:moved?|push(?:ed)?(?:\s+back)?|put\s+(?:back|off)|postponed?|rescheduled?|brought\s+forward|changed?|"
    r"shift(?:ed)?|delay(?:ed)?|defer(?:red)?)"
)
_FROM = rf"(?:\s+(?:from|vom|von|del?|du|da)\s+(?:{_LEAD})?(?:{_DAY_WITH_DATE}|{_MONTH}|{_CLOCK}|{_NUMBER}))?"
_OWNED = r"(?P<what>(?:my|our|the|his|her|their|your)\s+(?:[\w'’&-]+\s+){0,5}?[\w'’&-]+)"
# each: what has moved, and to when
_SAYINGS = tuple(
    LazyPattern(pattern, re.I)
    for pattern in (
        # "my dentist appointment has been moved from Wednesday to Thursday"
        rf"(?:^|[,.;:]\s+|\b(?:that|and|but)\s+){_THING}\s+(?:(?:has|have|had|is|was|were|are|got|gets|will|now|just|been|being|be)\s+|'s\s+){{1,4}}"
        rf"{_MOVED}{_FROM}\s+(?:back\s+)?(?:to|till|until|for)\s+{_WHEN}{_END}",
        # "they moved my appointment to Thursday", "the school postponed the hike until June"
        rf"(?:^|\s){_MOVED}\s+{_OWNED}{_FROM}\s+(?:back\s+|forward\s+)?(?:to|till|until|for)\s+{_WHEN}{_END}",
        # "the fitters come on 8 December instead"
        rf"(?:^|[,.;:]\s+|\b(?:that|and|but)\s+){_THING}\s+(?:is|are|will\s+be|comes?|takes?\s+place|starts?|begins?|meets?|happens?)\s+"
        rf"(?:(?:now|going\s+to\s+be|coming|happening|taking\s+place|starting|due)\s+)?(?=\b(?:on|at|in|next|tomorrow)\b){_WHEN}\s+instead\b",
        # "the fitters called: they're coming on 8 December instead"
        r"(?P<what>\b(?:the|my|our)\s+(?:[\w'’-]+\s+){0,3}?[\w'’-]+|[A-Z][\w'’-]+)\s+(?:just\s+|has\s+|have\s+)?(?:called|rang|phoned|wrote|texted|emailed|says?|said|told\s+(?:me|us))[:,]?\s+(?:that\s+)?"
        r"(?:it|they|he|she)(?:'s|'re|'ll|\s+(?:is|are|will|can|has|have))?\s+(?:only\s+)?(?:be\s+)?(?:come|comes|coming|arrive|arriving|deliver|delivering|here)\s+"
        rf"(?:only\s+)?{_WHEN}\s+(?:instead|now)\b",
        rf"(?:^|[,.;:]\s+|\b(?:dass|und|aber)\s+){_THING}\s+(?:wurde|wurden|ist|sind|wird|hat\s+sich)\s+(?:(?:jetzt|nun|leider|schon|heute|gestern)\s+)*"
        rf"{_FROM}\s*auf\s+(?:den\s+|die\s+)?{_WHEN}\s+(?:vor|nach|weiter)?(?:verschoben|verlegt|gezogen)",
        rf"(?:^|[,.;:]\s+){_THING}\s+(?:ist|sind|kommt|kommen|findet|beginnt|trifft\s+sich)\s+(?:jetzt|nun|stattdessen|erst)\s+(?:(?:stattdessen|erst)\s+)?{_WHEN}(?=\s*(?:$|[,.;!]|statt\b|stattdessen\b))",
        rf"(?:^|[,.;:]\s+|\b(?:que|y|pero)\s+){_THING}\s+(?:se\s+)?(?:ha|han|fue|fueron|está|están)?\s*(?:sido\s+)?"
        rf"(?:aplaz|pospuest|mov|cambi|adelant|retras|pas)(?:ad|id)?(?:ó|o|a|os|as|aron)\b{_FROM}\s+(?:al?|para(?:\s+el)?|hasta(?:\s+el)?)\s+{_WHEN}{_END}",
        rf"(?:^|[,.;:]\s+|\b(?:que|et|mais)\s+){_THING}\s+(?:a|ont|est|sont)\s+(?:été\s+)?(?:reporté|déplacé|décalé|avancé|repoussé|remis)e?s?{_FROM}\s+"
        rf"(?:au|à|en|pour|jusqu'au|jusqu'à)\s+{_WHEN}{_END}",
        rf"(?:^|[,.;:]\s+|\b(?:que|e|mas)\s+){_THING}\s+(?:foi|foram|está|ficou|passou)\s+(?:(?:adiad|antecipad|remarcad|mudad|transferid|passad|reagendad)[oa]s?{_FROM}\s+)?"
        rf"para\s+(?:o\s+dia\s+|a\s+|o\s+)?{_WHEN}{_END}",
    )
)  # fmt: skip
# "the eye doctor moved it to Wednesday", "the garage has put me back to Friday"; who moved it may be
# somebody else than whom the appointment is with
_MOVED_IT = LazyPattern(
    rf"(?:^|[,.;:]\s+|\b(?:that|and|but)\s+){_THING}\s+(?:(?:has|have|had|just)\s+){{0,2}}(?:{_MOVED}|put|brought)\s+"
    rf"(?:it|me|us|(?:my|our|the)\s+(?:appointment|meeting|slot|date|visit)){_FROM}\s+(?:back\s+|forward\s+)?(?:to|till|until|for)\s+{_WHEN}{_END}",
    re.I,
)  # fmt: skip
# words of what has moved that are not always said with it: "the dentist" is "my dentist appointment"
_NOT_NAMED = frozenset(
    "appointment meeting visit date deadline new annual yearly termin treffen besuch cita reunión visita rendez-vous "
    "réunion visite consulta reunião".split()
)
_DETERMINER = re.compile(
    r"^(?:my|our|the|his|her|their|your|mein\w*|unser\w*|de[rnm]|die|das|mis?|nuestr[oa]s?|el|las?|los|mon|ma|mes|"
    r"notre|nos|les?|l'|[ao]s?|meus?|minhas?|nosso|nossa)\s+|'s(?=\s|$)",
    re.I,
)
_PREPOSITIONS = {  # of a day or date, of a month, of a time
    "en": ("on", "in", "at"),
    "de": ("am", "im", "um"),
    "es": ("el", "en", "a las"),
    "fr": ("le", "en", "à"),
    "pt": ("em", "em", "às"),
}


@dataclass(frozen=True)
class Rescheduled:
    """``what`` has moved, in the message's words; ``on``: its new day, date or month, ``at``: its
    new time of day. ``kind`` of ``on``: "day", "month", "number" (a day of the month) or "relative".
    ``rest``: the other sentences of the message. ``by_whom``: ``what`` is who moved it."""

    what: str
    kind: str | None
    on: str | None
    at: str | None
    code: str
    rest: str = ""
    by_whom: bool = False


def rescheduled(message: str) -> Rescheduled | None:
    """What a message puts on another day or time; None where it names nothing, or not when."""
    text = " ".join(message.replace("’", "'").split())
    if text.endswith("?") or len(text.split()) > LONGEST:
        return None
    said = sentences(text)
    for number, sentence in enumerate(said):
        for pattern in _SAYINGS:
            found = pattern.search(sentence.rstrip(" .!"))
            if found is not None:
                rest = " ".join(said[:number] + said[number + 1 :])
                return _made(found["what"], found["when"], detect(text).code, rest)
        found = _MOVED_IT.search(sentence.rstrip(" .!"))
        if found is not None:
            rest = " ".join(said[:number] + said[number + 1 :])
            made = _made(found["what"], found["when"], detect(text).code, rest)
            return replace(made, by_whom=True) if made is not None else None
    return None


def _made(what: str, when: str, code: str, rest: str) -> Rescheduled | None:
    if not _things(what):
        return None
    time = _TIME.search(when)
    at = (time["at"] or time["clock"]) if time is not None else None
    left = when if time is None else when.replace(time[0], " ")
    left = " ".join(left.split()).strip(" ,")
    on, relative, number = _ON.search(left), _RELATIVELY.search(left), _DAY_OF_MONTH.search(left)
    bare_month = re.search(rf"\b(?:{_MONTH})\b", left, re.I)
    if on is not None and on["on"]:
        return Rescheduled(what, "day", on["on"], at, code, rest)
    if relative is not None:
        return Rescheduled(what, "relative", relative[0], at, code, rest)
    if bare_month is not None:
        return Rescheduled(what, "month", bare_month[0], at, code, rest)
    if number is not None:
        return Rescheduled(what, "number", number[1], at, code, rest)
    if at is None and re.fullmatch(_NUMBER, re.sub(f"^(?:{_LEAD})+", "", left, flags=re.I), re.I):
        at = left.split()[-1]
    return Rescheduled(what, None, None, at, code, rest) if at else None


def _things(what: str) -> list[str]:
    said = content_words(_DETERMINER.sub("", what))
    return [word for word in said if word not in _NOT_NAMED] or said


def at_new_time(text: str, moved: Rescheduled, anything: bool = False) -> str | None:
    """A sentence about what has moved, with its new day and time; None where it is about something
    else (unless it may be about ``anything``), says no day or time, or several."""
    if not anything and share_found(_things(moved.what), words(text)) < 1.0:
        return None
    made = _with_day(text, moved) if moved.on is not None else text
    if made is None or moved.at is None:
        return None if made == text else made
    times = list(_TIME.finditer(made))
    if len(times) > 1:
        return None
    new = f"{_PREPOSITIONS[moved.code][2]} {moved.at}"
    if times:
        made = made[: times[0].start()] + new + made[times[0].end() :]
    else:
        days = list(_ON.finditer(made)) or list(_RELATIVELY.finditer(made))
        if len(days) != 1:
            return None
        made = f"{made[: days[0].end()]} {new}{made[days[0].end() :]}"
    return None if made == text else made


def _with_day(text: str, moved: Rescheduled) -> str | None:
    days = list(_ON.finditer(text)) or list(_RELATIVELY.finditer(text))
    if len(days) != 1:
        return None
    old, groups = days[0], days[0].groupdict()
    new = moved.on or ""
    if moved.kind == "number":  # "the 23rd", of the month that was said
        said = groups.get("on")
        number = re.search(r"\d{1,2}", said) if said else None
        if said is None or number is None or _weekday(said):
            return None
        made = said[: number.start()] + new + said[number.end() :]
        return (
            text[: old.start("on")]
            + re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", made)
            + text[old.end("on") :]
        )
    if moved.kind == "day" and groups.get("on"):
        return text[: old.start("on")] + new + text[old.end("on") :]
    day, month, _ = _PREPOSITIONS[moved.code]
    before = {"day": f"{day} ", "month": f"{month} "}.get(moved.kind or "", "")
    return text[: old.start()] + before + new + text[old.end() :]


def _weekday(text: str) -> bool:
    return re.search(rf"\b(?:{_WEEKDAY})\b", text, re.I) is not None
