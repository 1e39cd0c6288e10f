"""Time phrases of questions, and days in words."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy import time_expressions
from thalamus.text.days import day_in_words

pytestmark = pytest.mark.storeless

NOW = date(2023, 4, 22)  # a Saturday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Who came to dinner yesterday?", "2023-04-21", "2023-04-21"),
        ("What did I buy the day before yesterday?", "2023-04-20", "2023-04-20"),
        ("Who sang last Saturday?", "2023-04-15", "2023-04-15"),
        ("What did we eat on Monday?", "2023-04-17", "2023-04-17"),
        ("What broke two weeks ago?", "2023-04-05", "2023-04-11"),
        ("What did I say 3 days ago?", "2023-04-19", "2023-04-19"),
        ("a couple of days ago I ordered what?", "2023-04-20", "2023-04-20"),
        ("How often did I run in the last 3 weeks?", "2023-04-01", "2023-04-22"),
        ("What did I watch last week?", "2023-04-10", "2023-04-16"),
        ("Where was I last weekend?", "2023-04-15", "2023-04-16"),
        ("What did I finish last month?", "2023-03-01", "2023-03-31"),
        ("Which book was it last year?", "2022-01-01", "2022-12-31"),
        ("What have I read this month?", "2023-04-01", "2023-04-22"),
        ("Where did I go in May?", "2022-05-01", "2022-05-31"),
        ("Wo war ich im März?", "2023-03-01", "2023-03-31"),
        ("Wo war ich im Ma\u0308rz?", "2023-03-01", "2023-03-31"),  # as a Mac may write it
        ("Où étions-nous en février 2021 ?", "2021-02-01", "2021-02-28"),
        ("Mitä teimme helmikuussa?", "2023-02-01", "2023-02-28"),
        ("फ़रवरी में हम कहाँ थे?", "2023-02-01", "2023-02-28"),
        ("Was haben wir am Donnerstag besprochen?", "2023-04-20", "2023-04-20"),
        ("Where did I go in February 2023?", "2023-02-01", "2023-02-28"),
        ("What happened on March 3rd, 2021?", "2021-03-03", "2021-03-03"),
        ("What happened on 3 March?", "2023-03-03", "2023-03-03"),
        ("What happened on 2022-12-24?", "2022-12-24", "2022-12-24"),
        ("What changed in 2021?", "2021-01-01", "2021-12-31"),
        ("How often did I run in the past month?", "2023-03-23", "2023-04-22"),
        ("What did I do the past weekend?", "2023-04-15", "2023-04-16"),
        ("Whom did I meet on the Wednesday two months ago?", "2023-02-22", "2023-02-22"),
        ("What did he do the week before August 3, 2022?", "2022-07-27", "2022-08-02"),
        ("Where did we go the weekend before 10 April 2023?", "2023-04-08", "2023-04-09"),
        ("Where was he in the last two weeks of August 2022?", "2022-08-18", "2022-08-31"),
        ("What was it in the first weekend of October 2022?", "2022-10-01", "2022-10-02"),
        ("Where was I in the last week of October 2022?", "2022-10-25", "2022-10-31"),
        ("What did I plant in early March?", "2023-03-01", "2023-03-10"),
        ("What did I plant at the end of March 2022?", "2022-03-21", "2022-03-31"),
        ("What did I read between May and July 2022?", "2022-05-01", "2022-07-31"),
        ("What did we eat at Christmas?", "2022-12-24", "2022-12-26"),
        ("Who rang on New Year's Eve?", "2022-12-31", "2022-12-31"),
        ("Where were we on Valentine’s Day 2021?", "2021-02-14", "2021-02-14"),
        ("What did we eat at Christmas in 2020?", "2020-12-24", "2020-12-26"),
        ("Was gab es an Heiligabend?", "2022-12-24", "2022-12-24"),
        ("Wo waren wir Weihnachten 2020?", "2020-12-24", "2020-12-26"),
        ("Où étions-nous à Noël ?", "2022-12-24", "2022-12-26"),
        ("¿Qué hicimos en Nochevieja?", "2022-12-31", "2022-12-31"),
        ("Dove eravamo a Ferragosto?", "2022-08-15", "2022-08-15"),
        ("Где мы были на Новый год?", "2022-12-31", "2023-01-01"),
        ("2021年国庆节我们去了哪里？", "2021-10-01", "2021-10-01"),
        ("大晦日に何を食べましたか", "2022-12-31", "2022-12-31"),
        ("What did I read from November to February?", "2022-11-01", "2023-02-28"),
    ],
)
def test_a_phrase_is_a_span_of_days(question: str, first: str, last: str) -> None:
    expected = (date.fromisoformat(first), date.fromisoformat(last))
    assert time_expressions.intervals(question, NOW) == (expected,)


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        (
            "the novels of January and March",
            [("2023-01-01", "2023-01-31"), ("2023-03-01", "2023-03-31")],
        ),
        (
            "in May, June or July 2022",
            [
                ("2022-05-01", "2022-05-31"),
                ("2022-06-01", "2022-06-30"),
                ("2022-07-01", "2022-07-31"),
            ],
        ),
        (
            "Who called on 3/5/2019?",
            [("2019-05-03", "2019-05-03"), ("2019-03-05", "2019-03-05")],
        ),
        ("Who called on 03.05.2019?", [("2019-05-03", "2019-05-03")]),
        ("Who called on 5-5-2019?", [("2019-05-05", "2019-05-05")]),
        ("Who called on 05-13-2019?", [("2019-05-13", "2019-05-13")]),
        (
            "What did she finish last Friday on 23 January, 2022?",
            [("2022-01-23", "2022-01-23"), ("2022-01-21", "2022-01-21")],
        ),
    ],
)
def test_several_phrases_are_several_spans(question: str, spans: list[tuple[str, str]]) -> None:
    expected = [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in spans]
    assert time_expressions.intervals(question, NOW) == tuple(expected)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("in October", "2020-10-01", "2020-10-31"),
        ("May 3", "2020-05-03", "2020-05-03"),
        ("the first weekend of October", "2020-10-03", "2020-10-04"),
        ("from November to February", "2020-11-01", "2021-02-28"),
        ("in the summer", "2020-06-01", "2020-08-31"),
        ("3. Januar", "2021-01-03", "2021-01-03"),
        ("vom 3. bis 7. Mai", "2020-05-03", "2020-05-07"),
        ("im Sommer", "2020-06-01", "2020-08-31"),
        ("в октябре", "2020-10-01", "2020-10-31"),
        ("10月15日", "2020-10-15", "2020-10-15"),
        ("Was war am 15.10. los?", "2020-10-15", "2020-10-15"),
    ],
)
def test_a_time_of_the_year_may_be_that_of_an_earlier_year(
    question: str, first: str, last: str
) -> None:
    expected = (date.fromisoformat(first), date.fromisoformat(last))
    assert time_expressions.intervals(question, NOW, back=2) == (expected,)


@pytest.mark.parametrize(
    "question",
    [
        "yesterday",
        "last week",
        "on Monday",
        "last May",
        "last summer",
        "in May 2021",
        "2022-12-24",
        "in 2019",
        "am Montag",
        "letzten Sommer",
        "im Oktober letzten Jahres",
        "Was war am 15.10.21 los?",
        "vor zwei Jahren",
        "2021年10月",
    ],
)
def test_other_times_are_of_one_year(question: str) -> None:
    found = time_expressions.intervals(question, NOW)
    assert found and time_expressions.intervals(question, NOW, back=2) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday", "2023-04-21 2023-04-21"),
        ("in May 2021", "2021-05-01 2021-05-31"),
        ("October", "2022-10-01 2022-10-31"),
        ("May", "2022-05-01 2022-05-31"),
        ("summer", "2022-06-01 2022-08-31"),
        ("April 30", "2022-04-30 2022-04-30"),  # has not been this year
        ("30. April", "2022-04-30 2022-04-30"),
        ("a year ago", "2022-04-22 2022-04-22"),
        ("vor einem Jahr", "2022-04-22 2022-04-22"),
        ("hier", "2023-04-21 2023-04-21"),  # which is "here" in German
        ("seit letzter Woche", "2023-04-10 2023-04-16"),
        ("в октябре", "2022-10-01 2022-10-31"),
        ("先週", "2023-04-10 2023-04-16"),
        ("10月15日", "2022-10-15 2022-10-15"),
        ("13/5/2019", "2019-05-13 2019-05-13"),
        ("3/5/2019", None),
        ("yesterday and today", None),
        ("yesterday the cat was ill", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_text_that_is_only_a_time(text: str, expected: str | None) -> None:
    found = time_expressions.whole_time(text, NOW)
    assert (found and f"{found[0]} {found[1]}") == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is my dog called?",
        "May I ask?",
        "on 31 June?",
        "Can it last a while?",
        "Stop and may I ask?",
        "When did the protesters march?",
        "Senin adın ne?",
        "",
    ],
)
def test_without_a_phrase_there_is_no_span(question: str) -> None:
    assert time_expressions.intervals(question, NOW) == ()


@given(st.text(max_size=80), st.dates())
def test_any_text_on_any_day_is_taken(text: str, now: date) -> None:
    for first, last in time_expressions.intervals(text, now):
        assert first <= last


@given(st.dates(), st.integers(0, 400), st.integers(0, 60))
def test_nearness_falls_with_the_days_outside(day: date, outside: int, length: int) -> None:
    first = date(2020, 1, 1)
    spans = [(first, first + timedelta(days=length))]
    assert time_expressions.nearness("2020-01-01T10:00:00Z", spans) == 1.0
    before = (first - timedelta(days=outside)).isoformat()
    after = (first + timedelta(days=length + outside)).isoformat()
    assert (
        time_expressions.nearness(before, spans) <= time_expressions.nearness(after, spans) <= 1.0
    )
    assert 0.0 <= time_expressions.nearness(day.isoformat(), spans) <= 1.0


def test_nothing_is_near_without_span_or_date() -> None:
    assert time_expressions.nearness(None, [(NOW, NOW)]) == 0.0
    assert time_expressions.nearness("soon", [(NOW, NOW)]) == 0.0
    assert time_expressions.nearness("2023-04-22", []) == 0.0


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2023-04-22", "today"),
        ("2023-04-21", "yesterday"),
        ("2023-04-17", "5 days ago"),
        ("2023-04-06", "2 weeks ago"),
        ("2023-02-20", "2 months ago"),
        ("2022-04-20", "1 year ago"),
        ("2019-04-20", "4 years ago"),
        ("2023-05-01", ""),
        ("whenever", ""),
    ],
)
def test_how_long_ago(at: str, words: str) -> None:
    assert time_expressions.ago(at, NOW.isoformat()) == words


def test_a_day_in_words() -> None:
    assert day_in_words("2023-05-08T13:56:00Z") == "8 May 2023"
    assert day_in_words("not a date") == ""


def test_a_time_that_fits_everything_tells_nothing() -> None:
    assert time_expressions.selectivity([1.0] * 20) == 0
    assert time_expressions.selectivity([]) == 0
    assert time_expressions.selectivity([0.0] * 20) == 0
    few = time_expressions.selectivity([1.0, *[0.0] * 19])
    some = time_expressions.selectivity([1.0] * 10 + [0.0] * 10)
    assert 0 < some < few <= 1


def test_questions_for_a_time_and_texts_that_say_one() -> None:
    assert time_expressions.asks_when("When did we move?")
    assert time_expressions.asks_when("How long have I lived here?")
    assert not time_expressions.asks_when("Where did we move when it rained?")
    assert time_expressions.says_when("We moved last Friday.")
    assert time_expressions.says_when("Since 2019 I live here.")
    assert not time_expressions.says_when("We moved to Porto.")


def test_what_was_said_is_asked_for() -> None:
    assert time_expressions.asks_what_was_said("What did I tell you yesterday?")
    assert time_expressions.asks_what_was_said("Was haben wir am Donnerstag besprochen?")
    assert not time_expressions.asks_what_was_said("Tell me what I did yesterday.")
    assert time_expressions.asks_what_was_said("我前天说了什么？")
    assert not time_expressions.asks_what_was_said("告诉我我昨天在哪里")
    assert not time_expressions.asks_what_was_said("Hôm qua tôi ở nơi nào?")  # a place, no talk
