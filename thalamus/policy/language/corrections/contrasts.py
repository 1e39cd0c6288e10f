"""Corrections: "Tara is 8, not 7", "no, I meant Thursday", "my sister, not my wife".

A correction names what is right, and often what was wrong. What was wrong is looked for in what was
remembered before; where only the right is named, it takes the place of the one thing of its kind
(a day, a number, a name, a relation) in the last statement, and of nothing where there are two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from thalamus.policy.language.corrections.slots import DAYS, MONTHS
from thalamus.policy.language.english import cues as english
from thalamus.policy.language.french import cues as french
from thalamus.policy.language.german import cues as german
from thalamus.policy.language.languages import detect
from thalamus.policy.language.patterns import LazyPattern, Pattern
from thalamus.policy.language.portuguese import cues as portuguese
from thalamus.policy.language.spanish import cues as spanish
from thalamus.text.tokens import content_words, share_found, words

MOST = 6  # words of what is corrected
LONGEST = 30  # words of a message that corrects
KEPT = 0.5  # share of a message's words that its correction keeps


@dataclass(frozen=True)
class Correction:
    """``right`` takes the place of ``wrong``; without ``wrong`` of the one thing of its kind, or
    where it is of no kind, of the object of the last statement. ``about``: the subject that the
    correction names, if any."""

    right: str
    wrong: str | None = None
    about: str | None = None


_CUES = {
    "en": english.REPLACEMENT_CUES,
    "de": german.REPLACEMENT_CUES,
    "es": spanish.REPLACEMENT_CUES,
    "fr": french.REPLACEMENT_CUES,
    "pt": portuguese.REPLACEMENT_CUES,
}
_WORDS = r"(?:[^,.;:!?()]|[.:](?=\d))+?"
_STOP = r"(?=[,;!]|[.:](?!\d)|$)"
# "it's been pushed back to the 23rd"; a noun in place of "it" may mean something else
_MOVED = (
    LazyPattern(
        r"\b(?:it|it's|its|that|that's|they|they've)\s+(?:\w+\s+){0,3}?(?:it\s+)?(?:moved|pushed\s+back|pushed|put\s+back|"
        r"postponed|rescheduled|brought\s+forward|changed|shifted)\s+(?:it\s+)?(?:back\s+)?(?:to|till|until)\s+"
        r"(?:the\s+)?(?P<right>[^,;!?()]+)",
        re.I,
    ),
    LazyPattern(
        r"\b(?:er|es|sie|das|der|ihn)\b(?:\s+\w+){0,3}?\s+auf\s+(?:den\s+)?(?P<right>[^,;!?()]+?)\s+(?:verschoben|verlegt)",
        re.I,
    ),
)
# "its ghent not bruges": without a comma and without capitals
_NOT_THAT = LazyPattern(
    r"^(?:it's|its|it\s+is|that's|he's|she's)\s+(?P<right>[\w-]+),?\s+not\s+(?P<wrong>[\w-]+)(?=\s*[,;.!]|$)",
    re.I,
)
_MOVED_AT_ALL = LazyPattern(
    r"\b(?:put\s+off|postponed|rescheduled|pushed\s+back|cancelled|verschoben|verlegt|aplazad|reporté|adiad)\w*",
    re.I,
)
_NO_RIGHT = frozenset("nice good bad fine great ok true right wrong sad funny hot cold".split())
_SAYS_MEANT = LazyPattern(
    r"\b(?:meant|mean|meinte|ich\s+meine|meine\s+ich|decir|dire|dizer)\b", re.I
)
# "I mean, I love tea" says something new, "the other one" does not say what
_SAYS_MORE = LazyPattern(
    r"(?:I|we|you|he|she|it|they|ich|wir|yo|je|eu)\b|(?:the\s+)?other\b|.*\belse\b", re.I
)
_LEAD = LazyPattern(
    r"^(?:on|at|in|to|for|from|with|am|um|im|le|la|el|on\s+the|the|a|an|my|our|is|are|mein\w*|ma|mon|mi|minha|meu|o|der|die|das)\s+",
    re.I,
)

_KIN = ("wife husband partner girlfriend boyfriend sister brother mother father son daughter uncle aunt "
        "cousin nephew niece grandmother grandfather friend boss colleague neighbour neighbor frau mann "
        "schwester bruder mutter vater sohn tochter tante onkel oma opa freundin freund mujer esposa marido "
        "hermana hermano madre padre hijo hija tía tío prima primo femme mari sœur frère mère père fils "
        "fille oncle cousine mulher irmã irmão mãe pai filho filha tia tio")  # fmt: skip
_MONTH = "|".join(MONTHS)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.|er|º)?"
_KINDS: tuple[tuple[str, Pattern], ...] = (
    ("date", LazyPattern(rf"(?:\b(?:{'|'.join(DAYS)}),?\s+(?:the\s+|den\s+|dem\s+|le\s+)?)?(?:(?<!\w){_ORDINAL}\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})\b"
                         rf"|\b(?P<month_first>{_MONTH})\s+{_ORDINAL}(?!\w))(?:,?\s+(?:de\s+)?(?:19|20)\d\d\b)?", re.I)),
    ("day", LazyPattern(rf"\b(?:{'|'.join(DAYS)})s?\b", re.I)),
    ("month", LazyPattern(rf"\b(?:{'|'.join(MONTHS)})\b", re.I)),
    ("time", LazyPattern(r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|uhr|h)\b|\b\d{1,2}:\d\d\b", re.I)),
    ("kin", LazyPattern(rf"\b(?:{'|'.join(_KIN.split())})\b", re.I)),
    ("year", LazyPattern(r"\b(?:19|20)\d\d\b")),
    ("number", LazyPattern(r"\b\d[\d.,]*(?:st|nd|rd|th)?\b")),
    ("name", LazyPattern(r"(?<![.!?“]\s)(?<!^)(?<!^“)\b(?!I\b)[^\W\d_a-z][\w'-]+(?:\s+[^\W\d_a-z][\w'-]+)*")),
)  # fmt: skip
_DATE = next(pattern for name, pattern in _KINDS if name == "date")


def correction_in(message: str) -> Correction | None:
    """The correction that a message makes, if it makes one."""
    code = detect(message).code
    text = _on_one_line(message).rstrip(" .!")
    if text.endswith("?"):
        return None
    return _told_both(text, code) or _told_moved(text) or _told_right(text, code)


def _on_one_line(message: str) -> str:
    return " ".join(message.replace("’", "'").split())


def may_correct(message: str) -> bool:
    """Whether a message sounds like a correction, whatever it corrects."""
    code = detect(message).code
    text = _on_one_line(message)
    if text.endswith("?") or len(text.split()) > LONGEST:
        return False
    return (
        re.match(rf"(?:{_CUES[code].opens}|{_CUES[code].not_})\b", text, re.I) is not None
        or _SAYS_MEANT.search(text) is not None
        or re.search(rf",\s+{_CUES[code].not_}\s", text, re.I) is not None
        or _MOVED_AT_ALL.search(text) is not None
    )


def accept_rewrite(earlier: str, message: str, reply: str) -> str | None:
    """The earlier message as a model corrected it; None where it does not say the earlier one with
    something of the new one in it, and nothing else."""
    text = " ".join(reply.split()).strip(' "“”')
    before, after = content_words(earlier), content_words(text)
    code = detect(message).code
    said = re.sub(rf"\b{_CUES[code].not_}\s+(?:\w+\s+)?\w+", " ", message, flags=re.I)
    known = [*words(earlier), *words(said)]
    if not after or len(text.split()) > len(earlier.split()) + MOST or "\n" in reply.strip():
        return None
    if share_found(after, known) < 1.0 or share_found(before, words(text)) < KEPT:
        return None
    return text if share_found(after, words(earlier)) < 1.0 else None


def _told_moved(text: str) -> Correction | None:
    for pattern in _MOVED:
        found = pattern.search(text)
        right = _LEAD.sub("", found["right"].strip()) if found is not None else ""
        fits = kind_of(right) in ("date", "day", "month", "time", "number")
        if right and fits and len(right.split()) <= MOST:
            return Correction(right)
    return None


def _told_both(text: str, code: str) -> Correction | None:
    plain = _NOT_THAT.match(text)
    if plain is not None and "," not in plain[0] and plain["right"].lower() not in _NO_RIGHT:
        return Correction(plain["right"], plain["wrong"])
    meant = _CUES[code].meant
    # without a comma ("it's Ruaridh not Rory") only where a correction was announced
    comma = ",?" if re.match(rf"{_CUES[code].opens}\b", text, re.I) else ","
    patterns = [
        *([meant.replace("{w}", _WORDS)] if meant else []),
        rf"(?P<right>{_WORDS}){comma}\s+{_CUES[code].not_}\s+(?P<wrong>{_WORDS})",
        rf"{_CUES[code].not_}\s+(?P<wrong>{_WORDS}),?\s+{_CUES[code].but}\s+(?P<right>{_WORDS})",
    ]
    for pattern in patterns:
        found = re.search(rf"(?:^|[,.;:!]\s+|\s){pattern}{_STOP}", text, re.I)
        if found is None:
            continue
        opened = re.match(rf"{_CUES[code].opens}\b", text, re.I) is not None
        right, about = _aligned(_bare(found["right"], code), _bare(found["wrong"], code))
        wrong = _bare(found["wrong"], code)
        same = kind_of(right) is not None and kind_of(right) == kind_of(wrong)
        first, last = sorted((found.span("right"), found.span("wrong")))
        between = text[first[1] : last[0]].lower()
        parted = "," in between or _CUES[code].but.split("(")[0] in between
        if not (same or (opened and parted)) or len(wrong.split()) > MOST:
            continue
        if not right or not wrong:
            continue  # "I mean, not on Friday" does not say what is right
        if right.casefold() != wrong.casefold():
            return Correction(right, wrong, about)
    return None


def _told_right(text: str, code: str) -> Correction | None:
    found = re.match(
        rf"{_CUES[code].opens}\b[,:!. ]*(?:{_CUES[code].opens}\b[,:!. ]*)*(?:{_CUES[code].is_}\s+)*(?P<right>{_WORDS}){_STOP}",
        text,
        re.I,
    )
    if found is None:
        return None
    right = _bare(found["right"], code)
    if not right or len(right.split()) > MOST or re.match(rf"{_CUES[code].not_}\b", right, re.I):
        return None
    if _SAYS_MORE.match(right):
        return None
    meant = _SAYS_MEANT.search(text[: found.start("right")]) is not None
    if kind_of(right) is None and not meant:
        return None
    return Correction(right)


def _bare(text: str, code: str) -> str:
    text = text.strip()
    text = re.sub(
        rf"^(?:{_CUES[code].opens}\b[,: ]*|{_CUES[code].is_}\s+)+", "", text, flags=re.I
    ).strip()
    before = None
    while before != text:
        before, text = text, _LEAD.sub("", text).strip()
    return text


def _aligned(right: str, wrong: str) -> tuple[str, str | None]:
    """ "Tara is 8" against "7": what is right is the 8, and it is about Tara."""
    if len(right.split()) <= len(wrong.split()):
        return right, None
    kind = kind_of(wrong)
    pattern = next((pattern for name, pattern in _KINDS if name == kind), None)
    places = list(pattern.finditer(right)) if pattern is not None else []
    if not places:
        words = right.split()
        return " ".join(words[-len(wrong.split()) :]), " ".join(words[: -len(wrong.split())])
    last = places[-1]
    # a name is none at the beginning of a sentence, where any word has a capital
    named = list(pattern.finditer(f"x {wrong}" if kind == "name" else wrong)) if pattern else []
    counted = bool(named) and not wrong.endswith(named[-1][0])
    # "14 rooms", of "the house has 14 rooms", against "12 rooms"
    said = right[last.start() :] if counted else last[0]
    return said, right[: last.start()].strip() or None


def kind_of(text: str) -> str | None:
    """What kind of thing a text is: a day, a month, a time, a relation, a number, a name."""
    for name, pattern in _KINDS:
        probe = f"x {text}" if name == "name" else text
        if pattern.search(probe):
            return name
    return None


def apply_correction(content: str, correction: Correction) -> str | None:
    """A remembered sentence with what was wrong replaced; None when it is not about that."""
    wrong = correction.wrong or _of_same_kind(content, correction.right)
    if wrong is None or wrong.casefold() == correction.right.casefold():
        return None
    if not _about(content, correction.about):
        return None
    made = _replaced(content, wrong, correction.right)
    if made is None:
        return None
    # "Ingeborg Vik" corrected to "Ingrid Vik" by the first name alone
    last = correction.right.split()[-1]
    return re.sub(rf"\b({re.escape(last)})\s+\1\b", r"\1", made)


def _replaced(content: str, wrong: str, right: str) -> str | None:
    """A sentence with what is right in every place of what is wrong; a date also where it is
    spelled differently ("30th of May"). None where it is not there."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])", re.I)
    places = [place.span() for place in pattern.finditer(content)]
    day = _day_of_month(wrong)
    if day is not None:
        places = [p.span() for p in _DATE.finditer(content) if _day_of_month(p[0]) == day]
    for begin, end in reversed(places):
        content = f"{content[:begin]}{right}{content[end:]}"
    return content if places else None


def _day_of_month(text: str) -> tuple[int, str] | None:
    """The day and the month of a text that is a date."""
    found = _DATE.search(text)
    day = re.search(r"\d+", found[0]) if found is not None else None
    if found is None or day is None:
        return None
    return int(day[0]), (found["month"] or found["month_first"]).casefold()


def _of_same_kind(content: str, right: str) -> str | None:
    kind = kind_of(right)
    if kind == "date" and _DATE.search(content) is None:
        kind = "month"  # "in June", of which "12 July" tells more
    pattern = next((pattern for name, pattern in _KINDS if name == kind), None)
    if pattern is None:
        return None
    found = {place[0] for place in pattern.finditer(content)}
    if kind == "name":
        found = {name for name in found if name.casefold() not in ("the", "they", "she", "he")}
    return found.pop() if len(found) == 1 else None


def _about(content: str, about: str | None) -> bool:
    if not about:
        return True
    said = {word.casefold() for word in re.findall(r"\w+", content)}
    names = [word for word in re.findall(r"\w+", about) if word[0].isupper() and word != "I"]
    return all(name.casefold() in said for name in names)
