"""Time expressions of languages other than English as intervals of days.

The words are those of Unicode CLDR with some of our own (``data/times.json``); how they stand
together is the same for all languages, but for the order of day, month and year. A language is
known by its script and its function words, and its words are read when a message is in it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

import msgspec
from msgspec import Struct

from thalamus import data
from thalamus.text.analyzer import WORD
from thalamus.text.calendar import (
    Interval,
    day_before,
    days_of_year,
    latest_year,
    month_of,
    quarter,
    season,
    third_of,
    unit_of,
)
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import ascii_digits
from thalamus.text.tokens import likely_languages
from thalamus.text.word_lists import UNSPACED, function_words, time_leads

NEAR = 8  # characters between a year and a month of it
_HAN = "〇一二三四五六七八九"
_HAN_NUMBER = lazy_regex(
    "[一二三四五六七八九]?十[一二三四五六七八九]?(?=[年月日号號])|[〇一二三四五六七八九]+(?=[年月日号號])"
)
YEAR_FIRST = ("zh", "ja", "ko", "hu")  # order of dates with the name of a month
POSTPOSED = ("hi", "tr")  # the word for "in" stands behind a month
WHICH_FIRST = ("zh", "ja", "ko")  # "last" stands before the name: 日本 is not 本日
# only a preposition makes a weekday a time: среда is an environment as well
PREPOSED = ("ru", "uk", "pl", "cs")
# names of months, weekdays and seasons have no capitals
SMALL = ("es", "fr", "pt", "it", "nl", "sv", "da", "pl", "cs", "ru", "uk", "ro", "hu", "fi")
OMIT_ONE = ("ru", "uk", "pl", "cs", "fi", "ar", "he")  # "a month ago" has no word for "a"
LONG = 7  # letters of a month's name that hardly is another word
SHORT = 3  # letters of a month's name that may also be another word
MAY = 5  # the month whose full name is short
_LETTER = r"[\w\u0300-\u036f\u0900-\u0963\u0980-\u09e3]"
_YEAR = r"(?:19|20)\d\d"
_LINK = r"(?:de la|de|del|do|di|du|den|der|of|năm|ngày|του|τον|da|dell'|dall'|al|a)"
_WORD_OR_SIGN = lazy_regex(r"[^\W_]+|[^\w\s,;'’-]|\n")
_GAP = rf"(?:\s*(?:[.,/]|{_LINK}(?!{_LETTER}))?\s*)"
_DAY = r"(0?[1-9]|[12]\d|3[01])(?!\d)(?:st|º|°|ª|er|-?(?:го|е|й|ого)|η|ος|:?(?:a|e|en))?\.?"
_COUNTER = r"(?:\s?(?:日|号|號|일)|-?(?:án|én|jén|jei|ei|ig|i|je|e|tól|től)|\.)?"
_TO = r"(?:\s*[-–—~～]\s*|\s?[^\W\d]{1,6}\.?\s(?:[^\W\d]{1,3}\s){0,2}|\s?[^\W\d]{1,2})"


class _Language(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of one language. ``order``: of day, month and year in a date of numbers; a list has
    one pattern for each month, weekday (from Monday), season (from spring) or number (from one).
    ``holidays``: by date, or first and last date ("12-24/12-26"); ``phrases``: by unit and distance
    ("day -1"); ``ago`` and ``ahead``: by unit, with ``{n}`` for the number; ``last``, ``this``,
    ``next``: words beside a unit or a name; ``suffix``, ``prefix``: what may be written together
    with a word; ``not_after``: what makes a number an ordinal."""

    order: str
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    seasons: tuple[str, ...]
    numbers: tuple[str, ...]
    holidays: dict[str, str]
    phrases: dict[str, str]
    ago: dict[str, str]
    ahead: dict[str, str]
    units: dict[str, str]
    last: str
    this: str
    next: str
    weekend: str
    suffix: str
    prefix: str
    not_after: str


class Reading(Struct, frozen=True):
    """The time expressions of a text: ``days`` of each, ``rest`` of the text without them, the
    ``names`` of months, weekdays, seasons and years in them. ``recurring``: one only has a name,
    and may be about every year or week ("in summer")."""

    days: Sequence[Interval] = ()
    rest: str = ""
    names: Sequence[str] = ()
    recurring: bool = False


class _Match(Struct, frozen=True):
    """A time expression: where it stands in the text, its days, and if it names its year."""

    start: int
    end: int
    days: Interval
    exact: bool = False


_Reading = Callable[[re.Match[str], date], Interval]


class _Rule(Struct, frozen=True):
    """A pattern, which takes milliseconds to compile, and its meaning; ``needs``: what a text must
    have for it to match, by the names of ``_Words``."""

    needs: str
    pattern: re.Pattern[str]
    meaning: _Reading
    alone: bool  # it is only a name
    of_year: bool  # its days are those of one year


@functools.cache
def _languages() -> dict[str, _Language]:
    return msgspec.json.decode(data.read("times.json"), type=dict[str, _Language])


@functools.lru_cache(256)  # each step of a search asks for those of the same question
def languages(text: str) -> tuple[str, ...]:
    """Codes of the languages that a text in lower case may be in; of several that are as likely,
    those of which it has a word for a time, and English."""
    likely = likely_languages(text)
    if len(likely) == 1:
        return tuple(likely)
    return tuple(code for code in likely if code == "en" or with_times(text, (code,)))


def with_times(text: str, codes: Iterable[str] = ()) -> list[str]:
    """The languages, or those of ``codes``, of which a text in lower case has a word for a time."""
    distinct = set(WORD.findall(text))
    return [code for code in codes or _languages() if _has_time(distinct, code)]


def _has_time(words: Collection[str], code: str) -> bool:
    """True if one of the words may begin an expression of a language."""
    whole, beginnings = _first_words(code)
    return not whole.isdisjoint(words) or any(word.startswith(beginnings) for word in words)


@functools.cache
def _first_words(code: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The first words of the expressions of a language: whole ones, and beginnings of those that
    have several forms."""
    own = _languages()[code]
    lists = (
        *(*own.months, *own.weekdays, *own.seasons),
        *(words for each in (own.holidays, own.phrases, own.units) for words in each.values()),
    )
    whole, beginnings = set(), set()
    for pattern in (one for listed in lists for one in _split(listed)):
        begins = re.split(r"[\\(\[?. ]", pattern, maxsplit=1)[0]
        sign = pattern[len(begins) : len(begins) + 1]
        if sign in ("", "\\", " ") and not own.suffix:
            whole.add(begins)
        elif len(begins) > SHORT:
            beginnings.add(begins[:-1] if sign == "?" else begins)
    return frozenset(whole), tuple(beginnings)


@functools.cache
def known_names() -> frozenset[str]:
    """Names of months and weekdays that are read in these languages."""
    lists = ((*own.months, *own.weekdays) for own in _languages().values())
    return frozenset(one for listed in lists for names in listed for one in _split(names))


def times(text: str, now: date, then: date | None = None) -> Reading:
    """The time expressions of a text, relative to the day ``now``, or ``then`` if they name a time
    of the year without the year, in the one of its ``languages`` in which most of it is time.
    English has rules of its own."""
    lowered, capitals = text.casefold(), _capitals(text)
    codes = [code for code in languages(lowered) if code != "en"]
    readings = [read(lowered, now, code, then, capitals) for code in codes]
    default = Reading(rest=lowered)
    return min(readings, key=lambda one: len("".join(one.rest.split())), default=default)


def _capitals(text: str) -> Sequence[tuple[str, str]]:
    """The words with a capital inside a sentence, each with the word before it, in lower case."""
    found = pairwise(_WORD_OR_SIGN.findall(text))
    return [
        (before.casefold(), word.casefold())
        for before, word in found
        if word.istitle() and before[0].isalnum()
    ]


def read(
    text: str,
    now: date,
    code: str,
    then: date | None = None,
    capitals: Sequence[tuple[str, str]] = (),
) -> Reading:
    """As ``times``, of a text in lower case and in the language ``code``. In most languages a name
    of its ``capitals`` is that of somebody or of a place: "con Julio", "Rio de Janeiro", but not
    "en Julio"."""
    words, rules = _rules(code)
    leads = time_leads(code)
    people = [pair for pair in capitals if pair[0] not in leads] if code in SMALL else []
    text = left = _digits(text, code)
    found, names, recurring, present = [], [], False, words.present(text)
    for rule in rules:
        for match in list(rule.pattern.finditer(left)) if rule.needs in present else ():
            exact = re.search(_YEAR, match[0]) is not None
            alone = rule.alone and not exact
            start, end = match.start("at" if "at" in match.re.groupindex else 0), match.end()
            if alone and rule.needs != "holiday" and _is_at(start, text, people):
                continue
            try:
                days = rule.meaning(match, then if then and rule.of_year and not exact else now)
            except (ValueError, OverflowError):  # the 31st of June
                continue
            found.append(_Match(start, end, days, exact))
            names += words.names(left[start:end])
            recurring = recurring or alone
            left = f"{left[:start]}{' ' * (end - start)}{left[end:]}"
    return Reading([one.days for one in _joined(found, text)], left, names, recurring)


def _is_at(start: int, text: str, words: Iterable[tuple[str, str]]) -> bool:
    """True if one of the ``words`` stands at a place of the text, behind the word before it."""
    return any(
        text.startswith(word, start) and text[:start].rstrip(" ,;'’-").endswith(before)
        for before, word in words
    )


def _digits(text: str, code: str) -> str:
    """The text with the digits of other scripts as Latin ones."""
    text = ascii_digits(text)
    return _HAN_NUMBER.sub(_han, text) if code in ("zh", "ja") else text


def _han(found: re.Match[str]) -> str:
    """A Chinese number before a unit: 二〇二五, 十五."""
    tens, ten, ones = found[0].rpartition("十")
    digits = "".join(str(_HAN.index(sign)) for sign in ones)
    if not ten:
        return digits
    return f"{_HAN.index(tens) if tens else 1}{digits or 0}"


def _joined(found: Sequence[_Match], text: str) -> list[_Match]:
    """The matches in their order, of which two may be one: "from June to August", "in October of
    last year"."""
    kept: list[_Match] = []
    for match in sorted(found, key=lambda one: one.start):
        before = kept[-1] if kept else None
        between = text[before.end : match.start] if before else ""
        if before and _are_alike(before.days, match.days) and re.fullmatch(_TO, between):
            kept[-1] = _Match(before.start, match.end, _range(before, match), True)
        elif before and len(between) <= NEAR and (days := _within(before.days, match.days)):
            kept[-1] = _Match(before.start, match.end, days, True)
        else:
            kept.append(match)
    return kept


def _range(one: _Match, other: _Match) -> Interval:
    """From one to the other, which may have the year of both."""
    first, last = one.days, other.days
    if one.exact and not other.exact:
        last = _in_year(last, first[0].year)
        last = last if last[1] > first[0] else _in_year(last, first[0].year + 1)
    elif not one.exact:
        first = _in_year(first, last[0].year)
        first = first if first[0] < last[1] else _in_year(first, last[0].year - 1)
    return first[0], last[1]


def _are_alike(one: Interval, other: Interval) -> bool:
    """True for two days or two months, of which the first may be the beginning of a range."""
    return all(first == last for first, last in (one, other)) or all(map(_is_month, (one, other)))


def _is_month(days: Interval) -> bool:
    return days == month_of(days[0].year, days[0].month)


def _within(one: Interval, other: Interval) -> Interval | None:
    """The month, season or day in the year next to it, or the weekday in the week next to it."""
    for whole, within in ((one, other), (other, one)):
        if (whole[1] - whole[0]).days == 6 and within[0] == within[1]:
            day = whole[0] + timedelta(days=within[0].weekday())
            return day, day
        if (whole[1] - whole[0]).days > 360 and (within[1] - within[0]).days < 100:
            return _in_year(within, whole[0].year)
    return None


def _in_year(days: Interval, year: int) -> Interval:
    first, last = days
    length = last - first
    if _is_month(days):
        return month_of(year, first.month)
    try:
        first = first.replace(year=year)
    except ValueError:  # 29 February
        return days
    return first, first + length


# -- rules -----------------------------------------------------------------------------------------


@functools.cache
def _rules(code: str) -> tuple[_Words, list[_Rule]]:
    """The words of a language and its rules, those of the longest expressions first."""
    words = _Words(code)
    numeric, days = _numeric_rules(words), _day_rules(words)
    relative, names = _relative_rules(words), _name_rules(words)
    rules = [
        _Rule(
            needs,
            lazy_regex(pattern),
            meaning,
            alone=part is names,
            of_year=part is not relative and needs != "day",
        )
        for part in (numeric, days, relative, names)
        for needs, pattern, meaning in part
    ]
    return words, rules


class _Words:
    """The words of a language as patterns. ``left``, ``right``: what may stand before and after a
    word; ``before``: a function word, which marks the next word as a part of its sentence."""

    def __init__(self, code: str) -> None:
        own = self.own = _languages()[code]
        self.code = code
        self.unspaced = code in UNSPACED
        self.left, self.right = _edges(code, own)
        self.prefixed = rf"(?<!{_LETTER})(?:{own.prefix})" if own.prefix else self.left
        self.space = r"\s?" if self.unspaced else r"\s"
        self.month, self.day, self.season = map(_any, (own.months, own.weekdays, own.seasons))
        self.number = _any((r"\d{1,3}", *own.numbers))
        functions = "|".join(map(re.escape, sorted(function_words(code))))
        self.before = rf"(?<!{_LETTER})(?:(?:{functions})\s+|[dlnq]u?['’])(?P<at>)"
        self.function = rf"(?:{functions})(?!{_LETTER})"
        self.in_year = rf"(?:{own.units['year']})" + ("" if self.unspaced else f"(?!{_LETTER})")
        self.year = rf"({_YEAR})(?!\d)(?:\s?{self.in_year})?"
        self.holiday = _any((*own.holidays.values(),))
        names = {
            "month": self.month,
            "day": self.day,
            "season": self.season,
            "weekend": own.weekend,
            "holiday": self.holiday,
        }
        patterns = names | {"digit": r"\d", "unit": _any((*own.units.values(),))}
        self._has = {name: lazy_regex(pattern) for name, pattern in patterns.items()}
        named = (self.month, self.day, self.season, self.holiday)
        self._names = [lazy_regex(f"{self.left}({one}){self.right}") for one in named]

    def present(self, text: str) -> set[str]:
        """Kinds of words that a text has, by the needs of rules."""
        return {name for name, pattern in self._has.items() if pattern.search(text)} | {""}

    def names(self, text: str) -> list[str]:
        """The names of months, weekdays, seasons, holidays and years in a time expression, without
        short words of a long name."""
        names = [name for pattern in self._names for name in pattern.findall(text)]
        words = [name.split() for name in names]
        return [
            *re.findall(_YEAR, text),
            *(one for parts in words for one in parts if len(one) > SHORT or len(parts) == 1),
        ]


def _numeric_rules(words: _Words) -> Iterator[tuple[str, str, _Reading]]:
    own = words.own
    yield "digit", r"(?<![\d.,/-])(\d{4})([./-])\s?(\d\d?)\2\s?(\d\d?)(?!\d)", _year_first
    end = r"(?!\d|[.,/-]\d)"
    year = r"(?:\2\s?|\s(?:năm\s)?)((?:19|20)\d\d)|\2(\d\d)"
    yield "digit", rf"(?<![\d.,/-])(\d\d?)([./-])\s?(\d\d?)(?:{year}){end}", _numeric(own)
    if words.code not in YEAR_FIRST:
        yield "digit", r"(?<![\d.,/-])(\d\d?)(\.)\s?(\d\d?)()()\.(?!\d)", _numeric(own)
    # without a year, only where it cannot be a fraction
    yield "digit", r"(?<![\w.,/-])(?!24/7)(1[3-9]|2\d|3[01])(/)(\d\d?)()()(?![\d/])", _numeric(own)
    if words.code in YEAR_FIRST:
        yield "digit", r"(?<![\w.,/-])(\d\d?)(/)(1[3-9]|2\d|3[01])()()(?![\d/])", _numeric(own)
    yield "digit", rf"(?<![\d.,/-])(\d\d?)/({_YEAR})(?!\d)", _numeric_month


def _day_rules(words: _Words) -> Iterator[tuple[str, str, _Reading]]:
    """Days and months with the name of the month."""
    own, left, month, right, year = words.own, words.left, words.month, words.right, words.year
    if words.code in YEAR_FIRST:
        named = rf"(?:{year}\.?\s*)?({month})\.?{right}"
        day = rf"(0?[1-9]|[12]\d|3[01])(?!\d){_COUNTER}"
        yield (
            "month",
            rf"{left}{named}\s*{day}{_TO}(?:{month}\.?\s*)?{day}",
            _days(own, (3, 4, 2, 1)),
        )
        yield "month", rf"{left}{named}\s*{day}", _days(own, (3, 3, 2, 1))
        yield "month", rf"{left}{year}\.?\s*({month})\.?{right}", _month(own, 2, 1)
    else:
        named = rf"({month})\.?{right}(?:{_GAP}{year})?"
        yield (
            "month",
            rf"{left}{_DAY}(?!\s*{month}){_TO}{_DAY}{_GAP}{named}",
            _days(own, (1, 2, 3, 4)),
        )
        yield "month", rf"{left}{_DAY}{_GAP}{named}", _days(own, (1, 1, 2, 3))
        yield "month", rf"{left}{year}\s({month})\.?{right}", _month(own, 2, 1)
    yield "month", rf"{left}({month})\.?{right}{_GAP}{year}", _month(own, 1, 2)
    if words.code in ("zh", "ja"):
        yield "month", rf"{left}({month})\s?(上|中|下)旬", _third(own)


def _relative_rules(words: _Words) -> Iterator[tuple[str, str, _Reading]]:
    own, left, right = words.own, words.left, words.right
    besides = [(-1, own.last), (0, own.this), (1, own.next)]

    def beside(which: str, name: str) -> str:
        before = rf"(?:{which}){words.space}{name}{right}"
        behind = rf"{name}{right}{words.space}(?:{which}){right}"
        orders = [behind] * (words.code not in WHICH_FIRST) + [before] * (words.code != "th")
        return rf"{left}(?:{'|'.join(orders)})"

    for offset, which in besides:
        yield "weekend", beside(which, f"(?:{own.weekend})"), _weekend(offset)
        yield "day", beside(which, f"({words.day})"), _weekday(own, offset)
        yield "season", beside(which, f"({words.season})"), _season(own, offset)
        yield "month", beside(which, f"({words.month})"), _month(own, None, None, offset)
    for sign, by_unit in ((-1, own.ago), (1, own.ahead)):
        for unit, pattern in by_unit.items():
            counted = _with_number(pattern, words.number, words.code in OMIT_ONE)
            yield "unit", rf"{left}(?:{counted}){right}", _counted(own, unit, sign)
    phrases = {one: key for key, pattern in own.phrases.items() for one in _split(pattern)}
    yield "", rf"{left}({_any((*phrases,))}){right}", _phrase(phrases)
    for offset, which in besides:
        yield "unit", beside(which, f"({_any((*own.units.values(),))})"), _named_unit(own, offset)


def _name_rules(words: _Words) -> Iterator[tuple[str, str, _Reading]]:
    """Seasons, months, weekdays and years that stand alone."""
    own, left, month, right = words.own, words.left, words.month, words.right
    season, before = words.season, words.before
    yield "holiday", rf"{left}({words.holiday}){right}(?:{_GAP}{words.year})?", _holiday(own)
    yield "season", rf"{left}({season}){right}{_GAP}{words.year}", _season(own, 0)
    yield (
        "season",
        rf"{words.prefixed}(?!{words.function})({season}){right}[にの에]?",
        _season(own, 0),
    )
    if words.unspaced:
        yield "month", rf"{left}({month})", _month(own, 1)
    else:
        prefix = f"(?:{own.prefix})?" if own.prefix else ""
        yield "month", rf"{before}{prefix}({month})\.?{right}", _month(own, None)
        of_month = rf"(?:{own.units['month']})"
        named = rf"{of_month}{right}\s(?:d['’])?({month})|({month}){right}\s{of_month}"
        yield "month", rf"{left}(?:{named}){right}", _month(own, None)
        names = [one for name in own.months for one in _split(name) if len(one) >= LONG]
        yield "month", rf"{left}({_any(names)}){right}", _month(own, 1)
        if words.code in POSTPOSED:
            yield "month", rf"{left}({month}){right}(?=\s{words.function})", _month(own, 1)
        if own.suffix:
            yield "month", rf"{left}({month})['’]?(?:{own.suffix})(?!{_LETTER})", _month(own, 1)
        if own.prefix:
            yield "month", rf"{words.prefixed}({month})(?!{_LETTER})", _month(own, 1)
        several = [one for name in own.weekdays for one in _split(name) if " " in one]
        yield "day", rf"{left}({_any(several)}){right}", _weekday(own, -1)
    on = words.prefixed
    if words.code in PREPOSED:
        on = rf"(?<!{_LETTER})(?:{'|'.join(time_leads(words.code))})\s(?P<at>)"
    yield "day", rf"{on}({words.day}){right}", _weekday(own, -1)
    alone = r"(?![\d%])(?![.,:/-]\d)"
    units = own.units["year"]
    yield "digit", rf"(?<![\d.,:/-])({_YEAR})(?!\d){words.space}(?:{units}){right}", _whole_year
    yield (
        "digit",
        rf"{left}(?:(?:{units})\.?{words.space}|[^\W\d]\.\s?)({_YEAR}){alone}",
        _whole_year,
    )
    if own.suffix:
        yield "digit", rf"(?<![\d.,:/-])({_YEAR})['’-]?(?:{own.suffix})(?!{_LETTER})", _whole_year
    yield "digit", rf"(?<={_LETTER}\s)({_YEAR})(?=\s*[?.!？]*$)", _whole_year
    no_amount = r"(?!\s?[^\w\s.,;!?\"')»”])"  # 2000 €
    yield "digit", rf"{before}({_YEAR})(?:['’-]{_LETTER}{{1,4}})?{alone}{no_amount}", _whole_year


def _edges(code: str, own: _Language) -> tuple[str, str]:
    """Patterns of what may stand before and after a word."""
    if code in UNSPACED:
        return r"(?<!\d)", r""
    prefix = f"(?:{own.prefix})?" if own.prefix else ""
    suffix = rf"(?:['’]?(?:{own.suffix}))?" if own.suffix else ""
    ordinal = f"(?<!{own.not_after})" if own.not_after else ""
    return rf"(?<!{_LETTER}){ordinal}{prefix}", rf"{suffix}(?!{_LETTER})"


def _any(patterns: Sequence[str]) -> str:
    """One pattern for any, the longest first."""
    alternatives = [one for pattern in patterns for one in _split(pattern)]
    return f"(?:{'|'.join(sorted(alternatives, key=len, reverse=True)) or '(?!)'})"


def _split(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern."""
    depth, start = 0, 0
    for place, sign in enumerate(pattern):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and not depth:
            yield pattern[start:place]
            start = place + 1
    if pattern[start:]:
        yield pattern[start:]


def _place(text: str, patterns: Sequence[str]) -> int:
    """The place of the pattern that matches a text. Raises ``ValueError`` if none does."""
    for place, pattern in enumerate(patterns):
        if pattern and re.fullmatch(pattern, text):
            return place
    raise ValueError(text)


def _named(found: re.Match[str]) -> str:
    """The first group of a match that has a text."""
    return next(filter(None, found.groups()), "")


def _with_number(pattern: str, number: str, optional: bool) -> str:
    """A pattern with a number, which may be missing for one."""
    if optional:
        pattern = pattern.replace("{n} ", f"(?:({number})\\s)?")
    return pattern.replace("{n}", f"({number})")


# -- meanings --------------------------------------------------------------------------------------


def _year_first(found: re.Match[str], now: date) -> Interval:
    day = date(int(found[1]), int(found[3]), int(found[4]))
    return day, day


def _numeric(own: _Language) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        day, month = int(found[1]), int(found[3])
        year = found[4] or found[5]
        if month > 12 or (own.order == "YMD" and day <= 12 and not year and found[2] == "/"):
            day, month = month, day
        return _dated(day, day, month, year, now)

    return meaning


def _numeric_month(found: re.Match[str], now: date) -> Interval:
    return month_of(int(found[2]), int(found[1]))


def _dated(first: int, last: int, month: int, year: str | None, now: date) -> Interval:
    if first > last:
        raise ValueError(first)
    if year:
        number = int(year) if len(year) == 4 else 2000 + int(year)
    else:
        number = latest_year(now, month, first)
    return date(number, month, first), date(number, month, last)


def _days(own: _Language, groups: tuple[int, int, int, int]) -> _Reading:
    first, last, month, year = groups

    def meaning(found: re.Match[str], now: date) -> Interval:
        number = _place(found[month], own.months) + 1
        return _dated(int(found[first]), int(found[last]), number, found[year], now)

    return meaning


def _month(
    own: _Language, group: int | None, year: int | None = None, offset: int = -1
) -> _Reading:
    """The month of a ``group``, or of the first one that matched; without a ``year`` the last that
    has begun, or the next one."""

    def meaning(found: re.Match[str], now: date) -> Interval:
        name = found[group] if group else _named(found)
        number = _place(name, own.months) + 1
        short = len(name) <= SHORT and name.isalpha() and name[0] < "\u0250"
        if short and number != MAY and not year:
            raise ValueError(name)
        if year:
            return month_of(int(found[year]), number)
        if offset > 0:
            return month_of(now.year + (number <= now.month), number)
        return month_of(latest_year(now, number), number)

    return meaning


def _third(own: _Language) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        number = _place(found[1], own.months) + 1
        return third_of(latest_year(now, number), number, "上中下".index(found[2]))

    return meaning


def _phrase(phrases: Mapping[str, str]) -> _Reading:
    """The meaning of a phrase by its pattern: "day -1", "ago month 2"."""

    def meaning(found: re.Match[str], now: date) -> Interval:
        key = phrases.get(found[1]) or list(phrases.values())[_place(found[1], (*phrases,))]
        *ago, unit, offset = key.split()
        if ago:
            day = day_before(unit, int(offset), now)
            return day, day
        return unit_of(unit, int(offset), now)

    return meaning


def _named_unit(own: _Language, offset: int) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        name = _named(found)
        return unit_of(list(own.units)[_place(name, (*own.units.values(),))], offset, now)

    return meaning


def _counted(own: _Language, unit: str, sign: int) -> _Reading:
    """So many units from ``now``: a day."""

    def meaning(found: re.Match[str], now: date) -> Interval:
        word = _named(found) or "1"
        number = int(word) if word.isdecimal() else _place(word, own.numbers) + 1
        day = day_before(unit, -sign * number, now)
        return day, day

    return meaning


def _weekday(own: _Language, offset: int) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        number = _place(_named(found), own.weekdays)
        ahead = (number - now.weekday()) % 7
        away = (ahead or 7) if offset > 0 else ahead - 7
        if offset == 0 and not ahead:
            away = 0
        day = now + timedelta(days=away)
        return day, day

    return meaning


def _weekend(offset: int) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        saturday = now + timedelta(days=5 - now.weekday() + 7 * (offset if offset < 0 else 0))
        saturday += timedelta(days=7 * (offset > 0 and now.weekday() > 4))
        return saturday, saturday + timedelta(days=1)

    return meaning


def _season(own: _Language, offset: int) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        names = [group for group in found.groups() if group]
        if len(found[0]) < (2 if found[0] > "\u0900" else 4):  # 春 is part of many words
            raise ValueError(found[0])
        begins = 3 * _place(names[0], own.seasons) + 3
        return quarter(int(names[1]), begins) if names[1:] else season(begins, offset, now)

    return meaning


def _holiday(own: _Language) -> _Reading:
    def meaning(found: re.Match[str], now: date) -> Interval:
        dates = list(own.holidays)[_place(found[1], (*own.holidays.values(),))]
        return days_of_year(dates, int(found[2]) if found[2] else None, now)

    return meaning


def _whole_year(found: re.Match[str], now: date) -> Interval:
    year = int(_named(found))
    if year > now.year + 1:  # Blade Runner 2049
        raise ValueError(year)
    return date(year, 1, 1), date(year, 12, 31)
