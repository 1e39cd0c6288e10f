"""Labelled statements: messages to an assistant with the facts and memories to keep."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from thalamus.clock import format_time, parse_time
from thalamus.errors import BadRecord, UsageError
from thalamus.evaluation.parse import decode, moment, values
from thalamus.records import Text

PACKAGED = Path(__file__).parent.parent / "data" / "statements.jsonl"
NOON = "T12:00:00Z"  # a bare date is that day in most of the world
_FIX = "docs/evaluation.md describes the fields of a statement."
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T[\d:.]*Z?)?)?)?")

Half = Literal["tune", "report"]
OneOrMore = Text | Annotated[list[Text], Meta(min_length=1)]


class WantedFact(Struct, kw_only=True, forbid_unknown_fields=True):
    """A fact to keep. Each part may have several spellings; ``*`` matches anything.

    ``valid_from`` and ``valid_to``: the beginning of the date, null for no date, unset for any.
    ``over``: it is over by then. ``optional``: right, but not required. Of entries with the same
    ``either`` one is enough.
    """

    subject: OneOrMore
    predicate: OneOrMore
    object: OneOrMore
    valid_from: str | UnsetType | None = UNSET
    valid_to: str | UnsetType | None = UNSET
    over: bool = False
    optional: bool = False
    either: str | None = None


class WantedMemory(Struct, kw_only=True, forbid_unknown_fields=True):
    """A memory to keep: it contains all ``words`` (``moved|lives`` are alternatives) and none of
    those in ``without``. ``optional`` and ``either`` as for a fact."""

    words: Annotated[list[Text], Meta(min_length=1)]
    without: list[Text] = []
    optional: bool = False
    either: str | None = None


class LabelledStatement(Struct, kw_only=True, forbid_unknown_fields=True):
    """A case: the ``message``, sent ``at`` a time and after the messages ``before`` it."""

    message: Text
    id: Text | None = None
    kind: str = ""
    language: str = ""
    half: Half | None = None
    at: str | None = None
    before: list[Text] = []
    facts: list[WantedFact] = []
    memories: list[WantedMemory] = []

    @property
    def empty(self) -> bool:
        """True if it has nothing that may be kept."""
        return not self.facts and not self.memories


class Choice(Struct, frozen=True):
    """Selection of cases; empty: all. ``limit``: the maximum number."""

    half: Half | None = None
    kinds: Sequence[str] = ()
    languages: Sequence[str] = ()
    limit: int | None = None


def read(path: Path) -> list[LabelledStatement]:
    """Statements of a file, each with an id and a time. Raises ``BadRecord`` with line and field,
    and ``UsageError`` for a file that is unreadable or empty."""
    found: dict[str, LabelledStatement] = {}
    for number, (line, text) in enumerate(values(path), start=1):
        case = decode(text, line, LabelledStatement, _FIX)
        _check(case, line)
        id = case.id or str(number)
        if id in found:
            problem = f"duplicate `id` {id!r}"
            raise BadRecord(line, problem, "id", fix="Give each statement an id of its own.")
        found[id] = structs.replace(case, id=id, at=_time(case.at, line))
    if not found:
        raise UsageError(f"{path} has no statements.")
    return list(found.values())


def select(cases: Sequence[LabelledStatement], choice: Choice) -> list[LabelledStatement]:
    """The selected cases. Raises ``UsageError`` for an unknown kind or language, or if no case is
    left."""
    _check_known("--kind", choice.kinds, [case.kind for case in cases])
    _check_known("--language", choice.languages, [case.language for case in cases])
    found = [
        case
        for case in cases
        if choice.half in (None, case.half)
        and (not choice.kinds or case.kind in choice.kinds)
        and (not choice.languages or case.language in choice.languages)
    ]
    if not found:
        raise UsageError("No statement of the file has this half, kind and language.")
    return found[: choice.limit]


def _check_known(option: str, given: Collection[str], choices: Iterable[str]) -> None:
    known = sorted(set(choices) - {""})
    for name in given:
        if name not in known:
            choices = f"choose from {', '.join(known)}" if known else "no statement has one"
            raise UsageError(f"invalid {option} {name!r} ({choices})")


def _time(text: str | None, line: int) -> str | None:
    """Normalizes a time: a bare date becomes noon of that day, None stays the present."""
    if not text:
        return None
    checked = moment(text, line, "at", _FIX)
    return format_time(parse_time(text.strip() + NOON)) if len(text.strip()) == 10 else checked


def _check(case: LabelledStatement, line: int) -> None:
    """Raises ``BadRecord`` for a blank message, an invalid date, or an alternative without
    words."""
    texts = {
        "message": case.message,
        **{f"before[{n}]": text for n, text in enumerate(case.before)},
    }
    for field, text in texts.items():
        if not text.strip():
            raise BadRecord(line, f"`{field}` is blank", field, fix=_FIX)
    for index, fact in enumerate(case.facts):
        for name in ("valid_from", "valid_to"):
            date = getattr(fact, name)
            if isinstance(date, str) and not _DATE.fullmatch(date):
                field = f"facts[{index}].{name}"
                problem = f"`{field}`: {date!r} is not a date or the beginning of one, like 2025-03"
                raise BadRecord(line, problem, field, fix=_FIX)
    for index, memory in enumerate(case.memories):
        for place, words in enumerate(memory.words):
            if not all(word.strip() for word in words.split("|")):
                field = f"memories[{index}].words[{place}]"
                problem = f"`{field}`: a part of {words!r} has no words"
                raise BadRecord(line, problem, field, fix=_FIX)
