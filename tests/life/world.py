"""A life: who lived, worked and liked what, and the sentences in which it was told.

The world is drawn first, then the news of it: in order and out of order, with dates and without,
said again, wrong and put right. What the answers must be is computed here, from the news alone and
without the product's rules: by painting one statement over another on a row of moments.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

PLACES = (
    "Porto Lisbon Madrid Rome Oslo Bergen Bonn Paris Lyon Vienna Graz Prague Brno Riga Tartu "
    "Helsinki Turku Dublin Cork York Leeds Bath Ghent Bruges Basel Bern Zurich Milan Turin Naples"
).split()
FIRMS = (
    "Acme Initech Globex Umbrella Hooli Vandelay Stark Wayne Tyrell Cyberdyne Wonka Oscorp "
    "Soylent Nakatomi Duff Gringotts Monarch Aperture Massive Virtucon Sirius Zorin Prestige"
).split()
THINGS = (
    "tea coffee jazz chess hiking opera sushi rain tennis poetry gardening cycling swimming "
    "baking olives cinema rowing knitting physics pottery fishing karaoke judo ballet"
).split()
TONGUES = "Portuguese Czech Finnish Basque Welsh Latin Frisian Maltese Catalan Swahili".split()
PEOPLE = ["user", "Ana", "Bruno", "Carla"]
BIRTH = datetime(2015, 1, 1, tzinfo=UTC)
TELLING = datetime(2021, 1, 1, 9, 30, tzinfo=UTC)

Kind = Literal["tell", "end", "retract", "correct", "delete"]
Row = tuple[str, str, str]  # subject, predicate, object


@dataclass
class News:
    """One thing that is told: when, what, how."""

    at: datetime
    kind: Kind
    row: Row
    begin: datetime | None = None
    end: datetime | None = None
    new: str = ""  # the right object, where one is corrected
    text: str = ""  # the words, when it is said in a turn


@dataclass
class Spell:
    """A stretch of the world in which a row was true."""

    row: Row
    begin: datetime
    end: datetime | None
    visit: bool = False  # it only interrupts


@dataclass
class Life:
    spells: list[Spell] = field(default_factory=list)
    news: list[News] = field(default_factory=list)


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def day(at: datetime) -> str:
    return at.date().isoformat()


# -- the world -----------------------------------------------------------------------------------


def live(seed: int, count: int) -> Life:
    """A life with ``count`` pieces of news."""
    draw = random.Random(seed)
    life = Life()
    for person in PEOPLE:
        life.spells += _chain(draw, person, "lives_in", PLACES)
        life.spells += _chain(draw, person, "works_at", FIRMS)
    life.spells += _tastes(draw)
    for tongue in draw.sample(TONGUES, 6):
        life.spells.append(Spell(("user", "speaks", tongue), _date(draw, 2015, 2022), None))
    _tell(life, draw, count)
    return life


def _date(draw: random.Random, first: int, last: int) -> datetime:
    return datetime(first, 1, 1, tzinfo=UTC) + timedelta(
        days=draw.randrange((datetime(last, 1, 1) - datetime(first, 1, 1)).days)
    )


def _chain(draw: random.Random, who: str, predicate: str, names: list[str]) -> list[Spell]:
    """One value at a time: changes, gaps, and visits that only interrupt."""
    spells: list[Spell] = []
    at = BIRTH + timedelta(days=draw.randrange(300))
    objects = draw.sample(names, 12)
    while at < datetime(2025, 6, 1, tzinfo=UTC) and objects:
        name = objects.pop()
        if draw.random() < 0.15 and spells:  # back to where it was once
            name = draw.choice(spells).row[2]
            if spells[-1].row[2] == name:
                continue
        stay = timedelta(days=draw.randrange(200, 1200))
        spell = Spell((who, predicate, name), at, at + stay)
        spells.append(spell)
        if draw.random() < 0.25 and objects:
            begin = at + timedelta(days=draw.randrange(30, 100))
            row = (who, predicate, objects.pop())
            length = timedelta(days=draw.randrange(10, 60))
            spells.append(Spell(row, begin, begin + length, visit=True))
        at += stay
        if draw.random() < 0.25:
            at += timedelta(days=draw.randrange(20, 300))
    main = [spell for spell in spells if not spell.visit]
    main[-1].end = None
    return spells


def _tastes(draw: random.Random) -> list[Spell]:
    """Likes that end, or turn into dislikes and back."""
    spells = []
    for thing in draw.sample(THINGS, 16):
        at, predicate = _date(draw, 2015, 2022), draw.choice(["likes", "dislikes"])
        for _ in range(draw.randrange(1, 4)):
            end = at + timedelta(days=draw.randrange(100, 900))
            spells.append(Spell(("user", predicate, thing), at, end))
            predicate = "dislikes" if predicate == "likes" else "likes"
            at = end
        if draw.random() < 0.6:
            spells[-1].end = None
    return spells


# -- the news of it ------------------------------------------------------------------------------


def _tell(life: Life, draw: random.Random, count: int) -> None:
    """Draws what is told, at moments that grow; its order is not that of the world."""
    queue = _true_news(life, draw)
    draw.shuffle(queue)
    at = TELLING
    fresh = {
        "lives_in": [f"Falseville{n}" for n in range(90)],
        "works_at": [f"Falsecorp{n}" for n in range(90)],
        "likes": [f"falsehood{n}" for n in range(90)],
    }
    open_: list[tuple[int, News]] = []  # what is to be put right, and when
    made = 0
    while made < count:
        at += timedelta(days=draw.randrange(1, 9), minutes=draw.randrange(600))
        due = [item for item in open_ if item[0] <= made]
        if due:
            open_.remove(due[0])
            item = due[0][1]
        elif draw.random() < 0.12:
            item = _wrong(draw, at, fresh, open_, made)
        elif draw.random() < 0.25 or not queue:
            said = _now(life, draw, at)
            if said is None:
                continue
            item = said
        else:
            item = queue.pop()
            if (item.begin and item.begin > at) or (item.end and item.end > at):
                continue  # nobody tells what is still to come
        item.at = at
        item.text = item.text and _words(draw, item)
        life.news.append(item)
        made += 1


def _true_news(life: Life, draw: random.Random) -> list[News]:
    found = []
    spells = life.spells
    for spell in spells:
        changes = any(s.begin == spell.end and s.row[:1] == spell.row[:1] for s in spells)
        say = "say" if draw.random() < 0.9 else ""
        if (spell.visit or draw.random() < 0.2) and spell.end is not None:
            found.append(News(TELLING, "tell", spell.row, spell.begin, spell.end, text=say))
            continue
        found.append(News(TELLING, "tell", spell.row, spell.begin, text=say))
        if spell.end is not None and not changes:
            end = News(TELLING, "end", spell.row, end=spell.end, text=say)
            found.append(end)
        if draw.random() < 0.1 and spell.end is not None:  # "I used to … until"
            found.append(News(TELLING, "tell", spell.row, None, spell.end, text=say))
    return found


def _now(life: Life, draw: random.Random, at: datetime) -> News | None:
    """What is true today, said without a date."""
    true = [
        s
        for s in life.spells
        if s.begin <= at and (s.end is None or at < s.end) and not s.visit
        and not any(
            v.visit and v.row[:2] == s.row[:2] and v.begin <= at and (v.end or at) > at
            for v in life.spells
        )
    ]  # fmt: skip
    if not true:
        return None
    return News(at, "tell", draw.choice(true).row, text="say" if draw.random() < 0.6 else "")


def _wrong(
    draw: random.Random,
    at: datetime,
    fresh: dict[str, list[str]],
    open_: list[tuple[int, News]],
    made: int,
) -> News:
    """What never was true, to be retracted, corrected or deleted later."""
    predicate = draw.choice(list(fresh))
    row = (
        "user" if predicate == "likes" else draw.choice(PEOPLE),
        predicate,
        fresh[predicate].pop(),
    )
    begin = _date(draw, 2015, 2020)
    end = begin + timedelta(days=90) if draw.random() < 0.3 else None
    what: Kind = draw.choice(["retract", "correct", "delete"])
    new = fresh[predicate].pop() if what == "correct" else ""
    repair = News(at, what, row, new=new)
    if what == "correct" and draw.random() < 0.5:  # the date was wrong
        repair.new, repair.begin = "", begin - timedelta(days=draw.randrange(10, 200))
    open_.append((made + draw.randrange(2, 40), repair))
    return News(at, "tell", row, begin, end)


_VERBS = {"lives_in": "live in", "works_at": "work at", "likes": "love"}


def _words(draw: random.Random, item: News) -> str:
    """The news as a sentence; empty for what the scripted model does not read."""
    who, predicate, what = item.row
    if who != "user" or predicate not in _VERBS or item.kind == "end" or item.end:
        return ""
    if not item.begin:
        return f"I {_VERBS[predicate]} {what}."
    if predicate == "lives_in" and draw.random() < 0.8:
        return f"I moved to {what} on {day(item.begin)}."
    return ""


# -- what must be answered -----------------------------------------------------------------------


def believed(news: list[News], known: datetime, moments: list[datetime]) -> list[set[Row]]:
    """For each moment the rows that hold there, by what had been told by ``known``."""
    told = [item for item in news if item.at <= known]
    statements = _standing(told)
    held: list[set[Row]] = [set() for _ in moments]
    for group in {_group(item.row) for item in statements}:
        mine = [item for item in statements if _group(item.row) == group]
        for cell, row in zip(held, _paint(mine, moments), strict=True):
            if row is not None:
                cell.add(row)
    return held


def _standing(told: list[News]) -> list[News]:
    """What was told and not taken back, with corrections made."""
    standing: list[News] = []
    for item in told:
        if item.kind in ("tell", "end"):
            standing.append(item)
            continue
        [wrong] = [s for s in standing if s.row == item.row]
        standing.remove(wrong)
        if item.kind == "correct":
            row = (*item.row[:2], item.new or item.row[2])
            standing.append(News(item.at, "tell", row, item.begin or wrong.begin, wrong.end))
    return standing


def _group(row: Row) -> tuple[str, ...]:
    who, predicate, what = row
    if predicate in ("lives_in", "works_at"):
        return who, predicate
    return who, what if predicate in ("likes", "dislikes") else f"{predicate} {what}"


def _paint(statements: list[News], moments: list[datetime]) -> list[Row | None]:
    """Brush strokes in the order of their beginnings: open ones to the end of time, ones with
    both ends no further than that; where an open one ended, nothing is left."""
    strokes: list[tuple[datetime, datetime, Row, datetime | None, bool]] = []
    for item in statements:
        if item.kind == "end" or (item.end and not item.begin):
            continue
        begin = item.begin or item.at
        within = item.begin is None and any(
            s.begin and s.end and s.row == item.row and s.begin <= begin < s.end for s in statements
        )
        if not within:
            strokes.append((begin, item.at, item.row, item.end, item.end is not None))
    ends: dict[tuple[Row, datetime], tuple[datetime, datetime]] = {}
    for item in statements:
        if item.end is None or item.begin is not None:
            continue
        before = [
            b for b, _, row, end, bounded in strokes
            if row == item.row and b <= item.end and not (bounded and end and end <= item.end)
        ]  # fmt: skip
        if before:
            key = (item.row, max(before))
            ends[key] = max(ends.get(key, (item.at, item.end)), (item.at, item.end))
        else:
            strokes.append((datetime.min.replace(tzinfo=UTC), item.at, item.row, item.end, True))
    picture: list[Row | None] = [None] * len(moments)
    unknown = datetime.min.replace(tzinfo=UTC)
    strokes.sort(key=lambda s: s[:2])
    strokes.sort(key=lambda s: s[3] if s[0] == unknown and s[3] else unknown, reverse=True)
    strokes.sort(key=lambda s: s[0])  # of those that began nobody knows when the last ended first
    for begin, _, row, end, bounded in strokes:
        said = ends.get((row, begin))
        stop = said[1] if said else None
        for n, moment in enumerate(moments):
            if moment < begin:
                continue
            if bounded:
                if moment < min(end or moment, stop or end or moment):
                    picture[n] = row
            else:
                picture[n] = row if stop is None or moment < stop else None
    return picture
