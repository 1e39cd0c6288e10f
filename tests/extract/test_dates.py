"""The dates of a model, checked against what is written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thalamus.extract.dates import checked, counted, months_in
from thalamus.text.calendar import calendar
from thalamus.text.partial_dates import PartialDate, parse

pytestmark = pytest.mark.storeless

SAID = date(2026, 3, 14)
CALENDAR = calendar()


def kept(given: str | None, quote: str) -> str | None:
    found = checked(given, quote, quote, SAID, CALENDAR)
    return None if found is None else str(found)


@pytest.mark.parametrize("text", ["2026", "2026-03", "2026-03-14", "0987-01"])
def test_a_date_as_precise_as_it_is(text: str) -> None:
    found = parse(text)
    assert found is not None and str(found) == text


@pytest.mark.parametrize(
    "text",
    [None, "", "soon", "2026-13", "2026-02-30", "26-03-14", "2026-3-14", "14.03.2026", "0000", "x"],
)
def test_what_is_no_date(text: str | None) -> None:
    assert parse(text) is None


def test_a_moment_is_its_day() -> None:
    assert parse("2026-03-14T10:00:00Z") == PartialDate.of(SAID)


@pytest.mark.parametrize(
    ("date", "quote"),
    [
        ("2019", "we live here since 2019"),
        ("2018", "von 2018 bis 2020 in Graz"),
        ("1987", "born in '87"),
        ("1950", "Oma, Jahrgang 1950"),
        ("2026-05-03", "on 3 May"),
        ("2026-05-03", "am 3. Mai"),
        ("2026-05-03", "3 maja"),
        ("2026-05-03", "3 мая"),
        ("2026-05-03", "στις 3 Μαΐου"),
        ("2026-05-03", "5月3日に会う"),
        ("2026-05-03", "5월 3일에 만나요"),
        ("2026-05-03", "3.5."),
        ("2026-05-03", "5/3"),
        ("2026-04-01", "ab 1.4. da"),
        ("2026-05", "toukokuussa muutan"),
        ("2019", "२०१९ से यहाँ"),
        ("2019", "2019年から"),
        ("2019", "منذ ٢٠١٩"),
        ("2026-03-28", "in two weeks"),  # relative: as given
        ("2026-03-20", "w piątek"),
        ("2026-03-15", "明天"),
        ("2026-06", "we may go in two months"),  # a verb
        ("2026-03-15", "for 6.52 euros"),  # a price
        ("2026-03-15", "it costs £5.10 from tomorrow"),
        ("2026-03-15", "ab morgen 5.10 €"),
        ("2026-03-15", "at 9.15 tomorrow"),  # a time of day
    ],
)
def test_a_date_that_fits(date: str, quote: str) -> None:
    assert kept(date, quote) == date


@pytest.mark.parametrize(
    ("date", "quote"),
    [
        ("2018", "we live here since 2019"),
        ("2026-04-05", "on 3 May"),
        ("2026-05-04", "on 3 May"),
        ("2026-05-04", "am 3. Mai"),
        ("2026-06-03", "3 мая"),
        ("2026-06-03", "5月3日に会う"),
        ("2026-05-04", "5月3日に会う"),
        ("2026-05-04", "5월 3일에 만나요"),
        ("2026-05-01", "ab 1.4. da"),
        ("2026-06", "toukokuussa muutan"),
        ("2026-07", "ابتداء من يونيو"),
        ("2018", "२०१९ से यहाँ"),
        ("2018", "منذ ٢٠١٩"),
        ("2018", "2019年から"),
        ("1990", "long ago"),  # not written, and far away
        ("2050", "some day"),
    ],
)
def test_a_date_that_cannot_be_right(date: str, quote: str) -> None:
    assert kept(date, quote) is None


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("3 May and 4 June", {5: [3], 6: [4]}),
        ("i may march on", {3: []}),
        ("on 3 may", {5: [3]}),
        ("3 мая", {5: [3]}),
        ("3 जनवरी को", {1: [3]}),
        ("in Mai", {5: []}),
        ("w maju albo 3 czerwca", {6: [3]}),
        ("2026年12月", {12: []}),
        ("13月", {}),
        ("nothing", {}),
    ],
)
def test_months_and_the_days_next_to_them(text: str, months: dict[int, list[int]]) -> None:
    assert months_in(text, CALENDAR) == months


WORDS = st.sampled_from(
    "since in May 2019 1998 '87 3. 5月3日 maja ２０２１ ٢٠٢٢ 3.5. 12 or on".split()
)


@given(st.lists(WORDS, max_size=6).map(" ".join), st.text(max_size=12) | st.dates().map(str))
@example("12", "0001-01-01")
def test_a_date_never_contradicts_the_year_that_is_written(quote: str, given: str) -> None:
    found = checked(given, quote, quote, SAID, CALENDAR)
    if found is None:
        return
    digits = quote.replace("２０２１", "2021").replace("٢٠٢٢", "2022")
    years = {int(word) for word in digits.split() if word.isdecimal() and len(word) == 4}
    assert not years or found.year in years
    assert years or abs(found.year - SAID.year) <= 10 or "'87" in quote


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_checked(given: str, quote: str) -> None:
    found = checked(given, quote, quote, SAID, CALENDAR)
    assert found is None or str(found) == given[:10].strip() or parse(given) == found


@pytest.mark.parametrize(
    ("quote", "begin", "given", "end"),
    [
        ("from 20 June for ten days", "2026-06-20", "2026-06-30", "2026-06-30"),
        ("20 czerwca, na dziesięć dni", "2026-06-20", "2026-06-30", "2026-06-30"),
        ("ab 20.6. für 2 Wochen", "2026-06-20", "2026-07-04", "2026-07-04"),
        ("from 20 June for 10 days", "2026-06-20", "2026-06-29", "2026-06-29"),
        ("from 20 June for 3 months", "2026-06-20", "2026-09-20", "2026-09-20"),
        ("from 20 June for 10 days", "2026-06-20", "2026-07-04", None),
        ("from 20 to 27 June", "2026-06-20", "2026-06-30", None),
        ("from 20 June to 2 July", "2026-06-20", "2026-07-04", None),
        ("on 20 June", "2026-06-21", "2026-06-30", None),
    ],
)
def test_an_end_that_is_counted_from_the_beginning(
    quote: str, begin: str, given: str, end: str | None
) -> None:
    found = counted(given, parse(begin), quote, CALENDAR)
    assert (str(found) if found else None) == end
