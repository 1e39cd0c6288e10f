"""Since when and until when, from the words."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.policy.fact_dates import Said, dates

NOW = date(2026, 5, 8)  # a Friday


@pytest.mark.parametrize(
    ("words", "predicate", "object", "begin", "end"),
    [
        ("I moved to Lisbon in May.", "lives_in", "Lisbon", "2026-05-01", None),
        ("I moved to Lisbon last spring.", "lives_in", "Lisbon", "2025-03-01", None),
        ("I joined Acme two years ago.", "works_at", "Acme", "2024-05-08", None),
        ("I have lived in Rome since 2019.", "lives_in", "Rome", "2019-01-01", None),
        ("I've worked at Acme for three months.", "works_at", "Acme", "2026-02-08", None),
        ("I started at Acme yesterday.", "works_at", "Acme", "2026-05-07", None),
        ("I will move to Rome next week.", "lives_in", "Rome", "2026-05-11", None),
        ("I worked at Acme from 2019 to 2021.", "works_at", "Acme", "2019-01-01", "2021-01-01"),
        ("I lived in Oslo in 2019.", "lives_in", "Oslo", "2019-01-01", "2020-01-01"),
        ("I am in Rome until June.", "lives_in", "Rome", None, "2026-06-01"),
        ("I worked at Acme until last month.", "works_at", "Acme", None, "2026-04-01"),
        ("I live in Rome and I moved to Acme in May.", "lives_in", "Rome", None, None),
        ("I may move to Rome.", "lives_in", "Rome", None, None),
        ("I was born in Rome in 1990.", "born_in", "Rome", None, None),
        ("I like tea.", "likes", "tea", None, None),
    ],
)
def test_dates(words: str, predicate: str, object: str, begin: str | None, end: str | None) -> None:
    found = dates(words, predicate, object, NOW)
    assert (found.begin and str(found.begin), found.end and str(found.end)) == (begin, end)


@pytest.mark.parametrize(
    ("words", "predicate", "object", "end"),
    [
        ("I used to live in Porto.", "lives_in", "Porto", "2026-05-08"),
        ("I no longer work at Acme.", "works_at", "Acme", "2026-05-08"),
        ("I quit Acme in March.", "works_at", "Acme", "2026-03-01"),
        ("In March, I quit Acme.", "works_at", "Acme", "2026-03-01"),
        ("I don't like tea any more.", "likes", "tea", "2026-05-08"),
        ("I moved from Porto to Lisbon in May.", "lives_in", "Porto", "2026-05-01"),
        ("I sold my car yesterday.", "owns", "car", "2026-05-07"),
    ],
)
def test_what_is_no_longer_so(words: str, predicate: str, object: str, end: str) -> None:
    found = dates(words, predicate, object, NOW)
    assert found.ended and found.begin is None and str(found.end) == end


@pytest.mark.parametrize(
    ("words", "predicate", "object"),
    [
        ("I moved from Porto to Lisbon in May.", "lives_in", "Lisbon"),
        ("I don't like tea any more.", "dislikes", "tea"),
        ("I quit Acme and joined Initech.", "works_at", "Initech"),
        ("I left my keys in Porto.", "lives_in", "Porto"),
    ],
)
def test_what_only_looks_like_an_end(words: str, predicate: str, object: str) -> None:
    assert not dates(words, predicate, object, NOW).ended


@pytest.mark.parametrize(
    ("words", "begin", "end"),
    [
        ("I lived in Rome between 2012 and 2014.", "2012-01-01", "2014-01-01"),
        ("I lived in Rome in 2010.", "2010-01-01", "2011-01-01"),
        ("Until 2019 I lived in Rome.", None, "2019-01-01"),
        ("I have no longer lived in Rome since 2019.", None, "2019-01-01"),
    ],
)
def test_what_is_over_held_for_the_time_that_is_named(
    words: str, begin: str | None, end: str
) -> None:
    found = dates(words, "lives_in", "Rome", NOW, Said(tense="past", over=True))
    assert (found.begin and str(found.begin), str(found.end)) == (begin, end)
