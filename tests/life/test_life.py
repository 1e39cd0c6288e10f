"""A life of dated statements, told and asked for: every answer must be right."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.life.world import Life, News, believed, live, stamp
from tests.stored import stored
from thalamus.api import Thalamus
from thalamus.cli import main
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.views.explain import links
from thalamus.records import Fact, Turn
from thalamus.text.analyzer import fold

Answer = set[tuple[str, str, str]]


def row_of(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object


class Told:
    """A store that a life is told to, statement by statement on a clock that moves."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self._environment = monkeypatch
        self._clock = Clock(parse_time("2021-01-01"))
        settings = {"home": str(home), "model": "scripted", "embedder": "none"}
        self.engine = Thalamus(clock=self._clock, **settings)
        for name, value in settings.items():
            monkeypatch.setenv(f"THALAMUS_{name.upper()}", value)

    def tell(self, item: News, by_command: bool) -> None:
        self._clock.fixed = item.at
        if item.text:
            turn = self.engine.turn(
                Turn(message=item.text, session=stamp(item.at)), flow="reflect,store"
            )
            assert turn.reflection and len(turn.reflection.facts) == 1, (item, turn.reflection)
        elif by_command:
            self._command(item)
        else:
            self._call(item)

    def _command(self, item: News) -> None:
        self._environment.setenv("THALAMUS_NOW", stamp(item.at))
        dates = [("--from", item.begin), ("--to", item.end)]
        options = [word for name, at in dates if at for word in (name, stamp(at))]
        arguments = {
            "tell": lambda: ["add", *item.row, *options],
            "end": lambda: ["end", *item.row, "--at", stamp(item.end or item.at)],
            "retract": lambda: ["retract", self._id(item)],
            "correct": lambda: [
                "correct",
                self._id(item),
                *([item.new] * bool(item.new)),
                *options,
            ],
        }
        if item.kind == "delete" or (item.kind == "end" and not self._began(item)):
            self._call(item)
            return
        with pytest.raises(SystemExit) as done:
            main(["facts", *arguments[item.kind]()])
        assert not done.value.code

    def _began(self, item: News) -> bool:
        """Whether a fact is known that can be ended then: `facts end` asks for one."""
        assert item.end is not None
        return any(
            (fact.predicate, fact.object) == item.row[1:]
            and fact.retired_at is None
            and (fact.valid_from or fact.created_at or "") <= stamp(item.end)
            for fact in self.engine.facts.find(item.row[0], history=True)
        )

    def _call(self, item: News) -> None:
        begin, end = (at and stamp(at) for at in (item.begin, item.end))
        subject, predicate, object = item.row
        if item.kind in ("tell", "end"):
            given = {"subject": subject, "predicate": predicate, "object": object}
            self.engine.remember([Fact(**given, valid_from=begin, valid_to=end)])
        elif item.kind == "retract":
            self.engine.facts.retract(self._id(item), "it was wrong")
        elif item.kind == "correct":
            self.engine.facts.correct(self._id(item), item.new or None, valid_from=begin)
        else:
            report = self.engine.forget(ForgetOptions(ids=(self._id(item),)))
            assert report.complete, (item, report.residue)

    def _id(self, item: News) -> str:
        [fact] = [
            fact
            for fact in self.engine.facts.find(item.row[0], history=True)
            if (fact.predicate, fact.object) == item.row[1:] and fact.retired_at is None
        ]
        assert fact.id is not None
        return fact.id

    def ask(self, now: datetime, as_of: datetime | None, known_at: datetime | None) -> Answer:
        self._clock.fixed = now
        given = {"as_of": as_of and stamp(as_of), "known_at": known_at and stamp(known_at)}
        facts = self.engine.facts.find(**given)
        rows = [(fact.subject, fact.predicate, fact.object) for fact in facts]
        assert len(rows) == len(set(rows)), "a fact is told twice"
        return set(rows)

    def check_marks(self, now: datetime) -> None:
        """What was said as being so is marked when it is so no more, and only then; what itself
        tells of the end is not."""
        store, marked, right = self.engine.database, 0, 0
        told = {fact.id: fact for fact in self.engine.facts.find(history=True)}
        facts = self.engine.facts.find()
        since = {row_of(fact): fact.valid_from or fact.created_at or "" for fact in facts}
        for memory in self.engine.memories.find(limit=1000):
            ends = re.search(r"longer|quit| from | until | to live | to work ", memory.content)
            for link in links(store, memory.id or ""):
                if link.relation == "about" and link.source == memory.id:
                    row = row_of(told[link.target])
                    if ends or since.get(row, stamp(now)) <= (memory.created_at or ""):
                        right += 1
                        assert memory.stale is None, (memory, told[link.target])
                    elif row not in since:
                        marked += 1
                        assert memory.stale, (memory, told[link.target])
        assert marked > 0 and right > 0

    def check_files(self, forgotten: set[str]) -> None:
        """No file and no table of the store holds what was deleted."""
        for name, data in stored(self.home / "data"):
            lower = data.lower()
            assert [word for word in forgotten if word.lower().encode() in lower] == [], name


def tell_and_ask(seed: int, count: int, told: Told, asked: int) -> int:
    """Tells a life and asks about it along the way and at the end; returns how often."""
    life = live(seed, count)
    draw = random.Random(seed + 1)
    questions = 0
    for n, item in enumerate(life.news, start=1):
        told.tell(item, by_command=draw.random() < 0.1)
        questions += _check(told, life.news[:n], item.at, [(None, None)])
    last = life.news[-1].at
    days = [draw.randrange((last - parse_time("2014-06-01")).days) for _ in range(asked)]
    moments = [parse_time("2014-06-01") + timedelta(days=days_, hours=5) for days_ in days]
    moments += [spell.begin for spell in draw.sample(life.spells, 10)]
    knowns = [draw.choice(life.news).at + timedelta(seconds=1) for _ in moments]
    pairs: list[tuple[datetime | None, datetime | None]] = [(moment, None) for moment in moments]
    pairs += [(None, known) for known in knowns]
    pairs += [(moment, known) for moment in moments for known in draw.sample(knowns, 5)]
    questions += _check(told, life.news, last + timedelta(days=1), pairs)
    told.check_marks(last + timedelta(days=1))
    told.check_files({item.row[2] for item in life.news if item.kind == "delete"})
    return questions


def _check(
    told: Told,
    news: list[News],
    now: datetime,
    pairs: list[tuple[datetime | None, datetime | None]],
) -> int:
    gone = {item.row for item in news if item.kind == "delete"}
    for as_of, known_at in pairs:
        moment = as_of or known_at or now
        [right] = believed(news, known_at or now, [moment])
        answer = told.ask(now, as_of, known_at)
        assert answer == right - gone, (as_of, known_at, now, answer ^ (right - gone))
    return len(pairs)


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    return Told(tmp_path / "home", monkeypatch)


@pytest.mark.parametrize("seed", [2, 3])
def test_every_question_about_a_life_is_answered_rightly(seed: int, told: Told) -> None:
    assert tell_and_ask(seed, 60, told, asked=20) >= 60 + 2 * 30 + 30 * 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [10, *(pytest.param(seed, marks=pytest.mark.torture) for seed in range(13, 20))],
)
def test_every_question_about_a_long_life_is_answered_rightly(seed: int, told: Told) -> None:
    assert tell_and_ask(seed, 300, told, asked=60) >= 300 + 2 * 70 + 70 * 5


@pytest.mark.parametrize("seed", range(5))
def test_what_was_told_in_full_is_the_world(seed: int) -> None:
    """The painter itself: it is told the whole truth and must come to the world's picture."""
    life: Life = live(seed, 1)
    news = [
        News(parse_time("2026-01-01") + timedelta(minutes=n), "tell", spell.row, spell.begin)
        if spell.end is None
        else News(parse_time("2026-01-01"), "tell", spell.row, spell.begin, spell.end)
        for n, spell in enumerate(life.spells)
        if not spell.visit
    ]
    for year in range(2015, 2026):
        at = parse_time(f"{year}-03-03")
        true = {
            spell.row
            for spell in life.spells
            if not spell.visit and spell.begin <= at and (spell.end is None or at < spell.end)
        }
        assert believed(news, parse_time("2027-01-01"), [at]) == [true]


def test_spellings_of_the_world_are_told_apart() -> None:
    """Otherwise two rows would be one to the store and two to the painter."""
    life = live(1, 60)
    rows = {item.row for item in life.news}
    assert len({tuple(map(fold, row)) for row in rows}) == len(rows)
