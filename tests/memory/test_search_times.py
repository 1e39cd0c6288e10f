"""Questions that name a time find what was said then, and what was said about it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.records import Memory
from thalamus.store.values import Filter

# said on a day of 2025; the questions are asked on Wednesday, 26 November
SAID = {
    "2025-02-11": "We climbed the Teide.",
    "2025-03-09": "Heute waren wir beim Griechen.",
    "2025-04-20": "Comimos una paella enorme.",
    "2025-11-20": "We're off to Tenerife in February.",
    "2025-11-21": "The bakery at the corner has the best rye bread.",
    "2025-11-22": "Wir fliegen im März nach Kreta.",
    "2025-11-23": "En abril visitamos a mis suegros.",
    "2025-11-25": "My brother bought a red bicycle.",
}
NOW = "2025-11-26T10:00:00Z"


# questions of a month, and what is found: a plan for it, and what was said in it
MONTHS = {
    "Where are we going in February?": ("Tenerife", "Teide"),
    "What did we do in February?": ("Tenerife", "Teide"),
    "Was machen wir im März?": ("Kreta", "Griechen"),
    "¿Qué hicimos en abril?": ("suegros", "paella"),
}
# questions for what was said at a time, and all that is found
DAYS = {
    "What did I tell you yesterday?": "bicycle",
    "What did we talk about on Thursday?": "Tenerife",
    "Was haben wir am Donnerstag besprochen?": "Tenerife",
    "¿Qué te dije ayer?": "bicycle",
    "Cosa ti ho detto ieri?": "bicycle",
    "Вчера что я говорил?": "bicycle",
    "Τι σου είπα χθες;": "bicycle",
    "Dün sana ne söyledim?": "bicycle",
    "ماذا قلت لك أمس؟": "bicycle",
    "Hôm qua tôi đã nói gì?": "bicycle",
    "我昨天说了什么？": "bicycle",
    "昨日私は何を言いましたか": "bicycle",
    "어제 내가 뭐라고 말했지?": "bicycle",
    "เมื่อวานฉันพูดอะไร": "bicycle",
}


def test_a_question_that_names_a_time(thalamus: Thalamus, run: Callable[..., Result]) -> None:
    for day, content in SAID.items():
        at = f"{day}T10:00:00Z"
        thalamus.clock.fixed = parse_time(at)
        thalamus.remember([Memory(content=content, created_at=at)])
    thalamus.close()

    def search(question: str) -> list[str]:
        command = ("memory", "search", "--embedder", "none", question)
        return run(*command, env={"THALAMUS_NOW": NOW}).stdout.splitlines()

    for question, (plan, then) in MONTHS.items():
        found = " ".join(search(question))
        assert plan in found and then in found and "rye bread" not in found, question
    for question, answer in DAYS.items():
        [only] = search(question)
        assert answer in only, question
    for question in ("What happens in June?", "Was machen wir im Juni?"):
        assert search(question) == [], question
    # next to other words a time only weighs
    assert "bicycle" in " ".join(search("What did I tell you about the bicycle last week?"))


def test_what_was_said_at_a_named_time_is_found_without_a_shared_word(thalamus: Thalamus) -> None:
    """Among more memories that share words with the question than a search returns."""
    said = [
        Memory(content=f"The garden needs water, bed {n}.", created_at=f"2025-0{n % 9 + 1}-02")
        for n in range(150)
    ]
    thalamus.clock.fixed = parse_time(NOW)
    thalamus.remember([*said, Memory(content="Planted three quinces.", created_at="2025-10-15")])
    for question in ("What did the garden need on 15 October?", "Garden water am 15. Oktober?"):
        found = thalamus.recall(question, limit=200)
        assert "Planted three quinces." in [one.text for one in found], question


def test_a_time_without_its_year_is_the_last_one_that_has_something(thalamus: Thalamus) -> None:
    said = {
        "2021-10-15": "Picked eleven quinces.",
        "2022-01-03": "Der Kessel war kaputt.",
        "2022-07-09": "Swam across the lake.",
        "2023-10-15": "Planted three quinces.",
        "2025-06-01": "Mowed the lawn.",
    }
    thalamus.clock.fixed = parse_time(NOW)
    thalamus.remember([Memory(content=text, created_at=day) for day, text in said.items()])
    asked = {
        "What did I do in October?": "2023-10-15",
        "What did I tell you in October?": "2023-10-15",
        "10月15日我做了什么？": "2023-10-15",
        "Ekimde ne yaptım?": "2023-10-15",
        "Was war am 3. Januar?": "2022-01-03",
        "What did I do in the summer?": "2025-06-01",
        "Was war am 9. Juli?": "2022-07-09",
        "What did I do in June?": "2025-06-01",
    }
    found = {question: thalamus.recall(question, limit=1) for question in asked}
    first = {question: best[0].at[:10] for question, best in found.items()}  # type: ignore[index]
    assert first == asked
    times = {question: best[0].scores["time"] for question, best in found.items()}
    assert times == dict.fromkeys(asked, 1.0)
    # neither a day relative to today, nor a time in which nothing was ever said
    for question in ("What did I do last October?", "What did I do in February?"):
        assert all(one.scores.get("time", 0) < 1 for one in thalamus.recall(question)), question
    bounded = thalamus.recall(
        "What did I do in October?", where=Filter(since="2024-01-01T00:00:00Z")
    )
    assert all(one.scores.get("time", 0) < 1 for one in bounded)


def test_another_time_than_the_named_one_shares_no_words_with_it(thalamus: Thalamus) -> None:
    said = {
        "2025-09-20": "Bisikletim bozuldu.",
        "2025-10-12": "Annem bizi ziyaret etti.",
        "2025-11-03": "A November walk in the park.",
        "2025-11-15": "Ekip arkadaşlarımla yemek yedik.",
        "2025-11-20": "Bugün ne oldu bilmiyorum, ekmek yaptım.",
    }
    thalamus.clock.fixed = parse_time(NOW)
    thalamus.remember([Memory(content=text, created_at=day) for day, text in said.items()])
    for question, day in {
        "Ekimde ne oldu?": "2025-10-12",
        "What happened in September?": "2025-09-20",
    }.items():
        assert thalamus.recall(question)[0].at == f"{day}T00:00:00Z", question


def test_a_day_is_the_conversation_of_what_has_no_session(thalamus: Thalamus) -> None:
    """What was written on the day of a hit comes before what was written on other days."""
    hit = Memory(content="The boiler broke, Rui came.", created_at="2025-03-01T09:00:00Z")
    rain = [
        Memory(content="Rain.", created_at=f"2025-03-0{day}T08:00:00Z", metadata={"day": day})
        for day in (1, 2)
    ]
    thalamus.remember([hit, *rain])
    with thalamus.sibling(config=structs.replace(thalamus.config, min_score=0.0)) as lenient:
        found = lenient.recall("Was there rain when Rui repaired the boiler?", limit=3)
    assert [one.metadata.get("day") for one in found] == [None, 1, 2]


def test_a_day_that_most_years_do_not_have(thalamus: Thalamus) -> None:
    """29 February is no reason to fail in a year without one."""
    thalamus.remember(
        [
            Memory(content="We baked pretzels.", created_at="2024-02-29T10:00:00Z"),
            Memory(content="The ferry was late.", created_at="2020-05-02T10:00:00Z"),
        ]
    )
    for now in ("2025-03-02T12:00:00Z", "2026-11-29T12:00:00Z", "2028-06-02T12:00:00Z"):
        for question in ("What did we bake on February 29?", "What did we do on 29 February?"):
            thalamus.recall(question, where=Filter(now=now))
    found = thalamus.recall("What did we do on February 29?", where=Filter(now="2025-03-02"))
    assert found[0].text == "We baked pretzels."
