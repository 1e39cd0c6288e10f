"""A summary replaces its sources only if it holds what they say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.memory.retention.prune import PruneOptions
from thalamus.policy.summarization import MOST, complete, omitted
from thalamus.records import Memory
from thalamus.store.values import Filter

Run = Callable[..., Result]

ENGLISH = [
    "The user keeps the spare fuse in the green jar.",
    "The user borrowed a ladder from Ingrid.",
    "The bicycle lock opens with 7306.",
    "The user does not eat celery.",
    "The choir rehearses in Harbour Lane on Mondays.",
    "oleg waters the ferns.",
]
RUSSIAN = [
    "Запасной ключ лежит в синей коробке.",
    "Пользователь одолжил Олегу дрель.",
    "Код от котла 4812.",
    "У пользователя аллергия на ос.",
]
JAPANESE = ["鍵は青い缶に入っている。", "ドリルはオスカーに貸した。", "暗証番号は4812です。"]
ARABIC = ["المفتاح في العلبة الزرقاء.", "أعار المستخدم المثقاب ليوسف.", "رمز الغلاية 4812."]
COMMON = ["She was there.", "It was not.", "He is with her."]


def pruned(thalamus: Thalamus, script: Path, texts: Sequence[str], summary: str) -> list[str]:
    """Contents of the active memories long after the texts were summarized as ``summary``."""
    script.write_text(json.dumps([{"role": "summary", "reply": {"summary": summary}}]))
    home, model = str(thalamus.engine.config.home), f"scripted:{script}"
    with Thalamus(clock=thalamus.clock, home=home, model=model, embedder="none") as engine:
        engine.remember([Memory(content=text, created_at="2025-12-01") for text in texts])
        engine.memories.prune(PruneOptions())
        engine.clock.fixed = parse_time("2027-01-01T00:00:00Z")
        engine.memories.prune(PruneOptions())
        assert not engine.memories.find(Filter(status="retired"))
        return [memory.content for memory in engine.memories.find()]


@pytest.mark.parametrize(
    ("texts", "summary"),
    [
        (ENGLISH, ENGLISH[0]),
        (ENGLISH, "The user keeps a fuse, eats celery, has a lock and a ladder."),
        (ENGLISH[:2], ENGLISH[1]),
        ([f"The user put box {n} into room {n + 50}." for n in range(40)], "The user has boxes."),
        (RUSSIAN, RUSSIAN[0]),
        (JAPANESE, JAPANESE[0]),
        (ARABIC, ARABIC[1]),
        (COMMON, COMMON[0]),
        ([ENGLISH[0], "🎂🎂"], ENGLISH[0]),
        (["The rate is 3.14 percent.", "The notes are on mill.example."], "The rate is 3."),
    ],
)
def test_nothing_is_deleted_for_a_summary_that_omits_it(
    thalamus: Thalamus, tmp_path: Path, texts: list[str], summary: str
) -> None:
    left = pruned(thalamus, tmp_path / "script.yaml", texts, summary)
    assert all(any(text.rstrip(".。") in content for content in left) for text in texts[1:])
    assert all(len(content) < MOST + 80 for content in left) and len(left) <= len(texts) // 2


def test_a_summary_that_holds_everything_is_taken_as_it_is(
    thalamus: Thalamus, tmp_path: Path
) -> None:
    texts = ["Ingrid lent the user a ladder.", "The bicycle lock opens with 7306."]
    summary = "The ladder is Ingrid's, and 7306 opens the bicycle lock."
    [left] = pruned(thalamus, tmp_path / "script.yaml", texts, summary)
    assert left.endswith(f": {summary}")


def test_a_text_longer_than_a_summary_stays(thalamus: Thalamus, tmp_path: Path) -> None:
    text = " ".join(f"On day {n} the user saw bird {n * 7}." for n in range(60))
    left = pruned(thalamus, tmp_path / "script.yaml", [text, *ENGLISH], "The user saw birds.")
    assert text in left and len(left) == 2


def test_a_period_is_part_of_what_is_held(thalamus: Thalamus) -> None:
    engine = thalamus
    engine.remember(
        [
            Memory(content="Ann runs a mill.", created_at="2025-12-01", valid_to="2019"),
            Memory(content="Ann has a boat.", created_at="2025-12-01", valid_from="2021-05"),
        ]
    )
    engine.memories.prune(PruneOptions(use_model=False))
    [summary] = engine.memories.find()
    assert summary.content.endswith("Ann runs a mill (until 2019). Ann has a boat (since 2021-05).")


def test_a_year_of_summaries_of_summaries_loses_nothing(thalamus: Thalamus, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    own = "observation: {days: 20}\nsummary: {keep: days, days: 20, then: compress}\n"
    (home / "config" / "retention.yaml").write_text(own)
    said = []
    for month in range(1, 13):
        thalamus.clock.fixed = parse_time(f"2027-{month:02}-01T00:00:00Z")
        texts = [f"Locker {month * 10 + n} belongs to team {n}." for n in range(3)]
        said += texts
        thalamus.remember([Memory(content=text, topic="lockers") for text in texts])
        thalamus.memories.prune(PruneOptions())
    thalamus.clock.fixed = parse_time("2028-03-01T00:00:00Z")
    thalamus.memories.prune(PruneOptions())
    left = [memory.content for memory in thalamus.memories.find()]
    assert all(any(text in content for content in left) for text in said)
    assert all(len(content) < MOST + 80 for content in left)
    assert all(content.count("Observations about lockers") == 1 for content in left)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_what_is_worth_more_does_not_make_room_for_a_summary(run: Run, most: int) -> None:
    low = [{"content": text, "importance": "low"} for text in ENGLISH]
    high = [
        {"content": "Ingrid is the user's sister.", "type": "relationship", "importance": "high"},
        {"content": "The user speaks Frisian.", "type": "skill", "importance": "high"},
    ]
    lines = (json.dumps({"record": "memory", **fields}) for fields in [*low, *high])
    run("store", input="\n".join(lines))
    run("prune", "--max-memories", str(most))
    left = [memory["content"] for memory in run("memory", "--json").records]
    assert len(left) == most
    assert len({text["content"] for text in high} & set(left)) == min(most, 2)


def test_a_summary_is_worth_no_more_than_its_sources(thalamus: Thalamus) -> None:
    said = [Memory(content=text, created_at="2025-12-01") for text in ENGLISH]
    most = max(memory.salience or 0 for memory in thalamus.remember(said))  # type: ignore[union-attr]
    thalamus.memories.prune(PruneOptions())
    assert [memory.salience for memory in thalamus.memories.find()] == [most]


@pytest.mark.parametrize(
    ("summary", "texts", "left_out"),
    [
        ("The user has a ladder of Ingrid.", [ENGLISH[1]], []),
        ("The user has a ladder.", [ENGLISH[1]], [ENGLISH[1]]),
        ("Ingrid knows the user.", [ENGLISH[1]], [ENGLISH[1]]),
        ("The user eats celery.", [ENGLISH[3]], [ENGLISH[3]]),
        ("The user eats no celery.", [ENGLISH[3]], []),
        ("Anna sold 3 boats.", ["Anna sold 3 boats. She kept 2 canoes"], ["She kept 2 canoes."]),
        ("", ["Tea is liked.", "tea is liked"], ["Tea is liked."]),
    ],
)
def test_what_a_summary_omits(summary: str, texts: list[str], left_out: list[str]) -> None:
    assert [text.casefold() for text in omitted(summary, texts)] == [
        text.casefold() for text in left_out
    ]


def test_a_completed_summary_is_never_too_long() -> None:
    texts = [f"Door {n} needs key {n + 100} of the north wing." for n in range(20)]
    made = complete("x" * 500, texts, MOST)
    assert len(made) <= MOST and all(text in made for text in texts)
