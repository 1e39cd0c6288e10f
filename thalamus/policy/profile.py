"""The profile: which lines say who the user is, in which order, and within which budget.

It is worked out of what holds at present and kept nowhere, so that what ends, is corrected or
forgotten is gone from it by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from thalamus.policy.admission import ANSWER_TRUST
from thalamus.policy.entities import USER, fold, key_of
from thalamus.policy.injection import suspicious
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.sensitivity import personal, personal_fact
from thalamus.policy.timeline import moment
from thalamus.records import Fact, Memory, PersonaPrefs, Profile, ProfileLine, Project
from thalamus.text.statements import says_within
from thalamus.text.word_lists import DIETS

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry

LONGEST = 80  # characters of a value; a longer one says more than a profile has room for
LONGEST_SENTENCE = 140  # characters of a memory that is a line by itself
MOST_VALUES = 8  # of one predicate in a line
MOST_PREFERENCES = 8  # lines about what the user likes
FRAME = "<profile>\n</profile>"  # what stands around the lines in a prompt
UNSEEN = 0.5  # how much a value counts that no memory tells of
AGE_HOLDS = timedelta(days=365)  # an age is true for no longer after it was said

# kind of line -> the predicates of which it is made, the most important kind first; ``*`` stands
# for any ending. What is not here is in no profile: illnesses, medicines, addresses, beliefs
KINDS: dict[str, tuple[str, ...]] = {
    "name": ("name", "nickname", "pronouns"),
    "answers": ("answer_tone", "answer_verbosity", "answer_language", "answer_file_format"),
    "home": ("lives_in",),
    "work": ("works_as", "works_at"),
    "studies": ("studies_at", "studies", "learns"),
    "languages": ("native_language", "speaks"),
    "family": (
        *("married_to", "wife", "husband", "partner", "engaged_to", "fiance", "girlfriend"),
        *("boyfriend", "in_relationship_with", "child", "son", "daughter", "stepson"),
        *("stepdaughter", "mother", "father", "sibling", "sister", "brother"),
    ),
    "pets": ("dog", "cat", "horse", "parrot", "rabbit", "hamster", "pet", "has_pet"),
    "birthday": ("birthday", "born_on", "age"),
    "food": ("allergic_to", "diet", "is"),
    "projects": ("current_project",),
    "preferences": ("likes", "dislikes", "prefers", "favourite_*", "favorite_*"),
}
# predicates whose object is a thing, which English does not say without an article
ARTICLES = frozenset(("current_project", "has_pet", "owns", "has"))
_DIETS = frozenset(map(fold, DIETS))
_NAMED = re.compile(r"\b(?:is )?(?:called|named) ")  # says no more than "is"
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?)"
_VERBOSITY = re.compile(
    rf"(?:very |really )?(short|brief|concise|terse|compact|long|detailed|thorough)(?:er)?,? "
    rf"(?:and \w+ )?{_ANSWERS}",
    re.IGNORECASE,
)
_TONE = re.compile(
    rf"(?:an? )?(formal|informal|casual|friendly|warm|dry|humorous|serious|polite|professional) "
    rf"(?:tone|style|{_ANSWERS})",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(rf"(?:{_ANSWERS}|to be answered) in ([^\W\d_]+)", re.IGNORECASE)
_FORMAT = re.compile(
    r"(markdown|pdf|csv|json|yaml|xml|html|docx|xlsx|odt|latex|plain text)"
    r"(?: (?:files?|format|documents?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Field:
    """Something of a profile that is set by hand: the predicate that it is kept under, and whether
    it has many values."""

    predicate: str
    many: bool = False


# how they are named by `profile set`, in the order in which they are shown
FIELDS: dict[str, Field] = {
    "name": Field("name"),
    "pronouns": Field("pronouns"),
    "home": Field("lives_in"),
    "occupation": Field("works_as"),
    "employer": Field("works_at"),
    "school": Field("studies_at"),
    "studies": Field("studies", many=True),
    "languages": Field("speaks", many=True),
    "birthday": Field("birthday"),
    "allergies": Field("allergic_to", many=True),
    "diet": Field("diet", many=True),
    "likes": Field("likes", many=True),
    "dislikes": Field("dislikes", many=True),
    "tone": Field("answer_tone"),
    "verbosity": Field("answer_verbosity"),
    "language": Field("answer_language"),
    "file_formats": Field("answer_file_format", many=True),
}


@dataclass(frozen=True)
class KnownUser:
    """What is known of a user. ``facts``: with the user as subject; ``telling``: by the id of a
    fact, the memories that are about it; ``memories``: preferences that no fact says."""

    facts: Sequence[Fact] = ()
    telling: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    memories: Sequence[Memory] = ()
    projects: Sequence[Project] = ()


@dataclass(frozen=True)
class _Candidate:
    """A line that may be shown: the beginning and the values of its sentence, each with its ids.
    ``start_of_one``: how it begins with one of them, where that is something else."""

    kind: str
    start: str
    values: Sequence[tuple[str, tuple[str, ...]]]
    weight: float = 0.0
    private: bool = False
    start_of_one: str = ""

    def line(self, count: int | None = None) -> ProfileLine:
        """The line with this many of its values, or all."""
        chosen = self.values[:count]
        said = [value for value, _ in chosen]
        text = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
        ids = dict.fromkeys(id for _, ids in chosen for id in ids)
        start = self.start_of_one if self.start_of_one and len(said) == 1 else self.start
        return ProfileLine(text=f"{start}{text}.", kind=self.kind, ids=list(ids))


def compose(
    known: KnownUser, registry: Registry, now: str, budget: int, user: str | None = None
) -> Profile:
    """The profile of a user: what holds ``now``, of the user's own words alone, the most important
    first; of the lines those stand in prompts that find room in ``budget`` tokens."""
    facts = [fact for fact in known.facts if is_shown(fact, now)]
    facts = _one_pref_each(_one_each(facts, registry))
    active = [project for project in known.projects if _is_active(project)]
    by_kind = _by_kind(facts)
    told = list(_told(known, facts))
    candidates = [
        candidate
        for kind in KINDS
        for candidate in _of_kind(kind, by_kind[kind], told, known, active, registry, now)
    ]
    lines, tokens = _within(candidates, budget)
    return Profile(
        user=user,
        persona_prefs=_prefs(facts),
        projects=[project.name for project in active],
        lines=lines,
        tokens=tokens,
    )


def is_shown(fact: Fact, now: str) -> bool:
    """Whether a fact may be shown at all: it holds ``now``, the user said it, it can be read, and
    it is no instruction in disguise."""
    begun = fact.valid_from is None or moment(fact.valid_from) <= moment(now)
    ended = fact.valid_to is not None and moment(fact.valid_to) <= moment(now)
    read_in = fact.provenance.document if fact.provenance else None
    return (
        key_of(fact.subject) == USER
        and fact.retired_at is None
        and begun
        and not ended
        and fact.trust > ANSWER_TRUST
        and read_in is None
        and 0 < len(fact.object) <= LONGEST
        and suspicious(fact.object) is None
    )


def values_of(facts: Iterable[Fact], name: str) -> list[Fact]:
    """Of a user's facts those that are the present values of a field."""
    return [fact for fact in facts if fact.predicate == FIELDS[name].predicate]


# -- lines ----------------------------------------------------------------------------------------


def _one_each(facts: Sequence[Fact], registry: Registry) -> list[Fact]:
    """The facts without those that say the same, or of which there is one at a time and that are
    not the latest (those of several agents may disagree)."""
    best: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        value = "" if registry.one_valued(fact.predicate) else fold(fact.object)
        key = (fact.predicate, value)
        if key not in best or _begun(fact) > _begun(best[key]):
            best[key] = fact
    return list(best.values())


def _one_pref_each(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with one tone, verbosity and language of answers: what was said last."""
    last: dict[str, Fact] = {}
    for fact in sorted(facts, key=_begun):
        pref = _pref(fact)
        if pref is not None and pref[0] != "file_formats":
            last[pref[0]] = fact
    kept = {id(fact) for fact in last.values()}
    return [
        fact
        for fact in facts
        if (pref := _pref(fact)) is None or pref[0] == "file_formats" or id(fact) in kept
    ]


def _begun(fact: Fact) -> str:
    return fact.valid_from or fact.created_at or ""


def _of_kind(
    kind: str,
    found: Sequence[Fact],
    told: Sequence[_Candidate],
    known: KnownUser,
    active: Sequence[Project],
    registry: Registry,
    now: str,
) -> Iterator[_Candidate]:
    """The lines of a kind, from the facts ``found`` of it and the preferences that were ``told``
    otherwise."""
    if kind == "projects":
        yield from map(_project, active)
        names = {fold(project.name) for project in active}
        found = [one for one in found if not any(name in fold(one.object) for name in names)]
    if kind == "work":
        yield from _work(found, known)
        return
    if kind == "birthday":
        found = [fact for fact in found if _still_that_old(fact, found, now)]
    made = list(_grouped(kind, found, known, registry))
    if kind == "preferences":
        made += told
        made.sort(key=lambda candidate: -candidate.weight)
        yield from made[:MOST_PREFERENCES]
        return
    yield from made


def _by_kind(facts: Sequence[Fact]) -> dict[str, list[Fact]]:
    """The facts of each kind of line."""
    found: dict[str, list[Fact]] = {kind: [] for kind in KINDS}
    for fact in facts:
        kinds = _kinds_of(fact.predicate)
        if fact.predicate == "is":
            kinds = {"food"} if fold(fact.object) in _DIETS else set()
        elif _stated_pref(fact) is not None:
            kinds = kinds - {"preferences"} | {"answers"}
        for kind in kinds:
            found[kind].append(fact)
    return found


@lru_cache(1024)
def _kinds_of(predicate: str) -> Set[str]:
    """The kinds of line that are made of a predicate."""
    return {
        kind
        for kind, names in KINDS.items()
        for name in names
        if (predicate.startswith(name[:-1]) if name.endswith("*") else predicate == name)
    }


def _grouped(
    kind: str, facts: Sequence[Fact], known: KnownUser, registry: Registry
) -> Iterator[_Candidate]:
    """A line for each predicate whose sentence ends with its object or names a relation ("The
    user's sons are Hugo and Teo."), else one for each fact."""
    places = {name: place for place, name in enumerate(KINDS[kind])}
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in sorted(facts, key=lambda one: places.get(one.predicate, len(places))):
        start = registry.sentence(USER, fact.predicate, "\0").partition("\0")
        joins = registry.joins(fact.predicate) or _RELATION.fullmatch(start[0]) is not None
        joins = joins and not _is_private(fact)
        key = (fact.predicate,) if joins else (fact.predicate, fact.id)
        groups.setdefault(key, []).append(fact)
    for group in groups.values():
        group.sort(key=lambda fact: -_weight(fact, known))
        start = registry.sentence(USER, group[0].predicate, "\0").partition("\0")
        values = [
            (f"{_as_said(fact).rstrip('.')}{start[2].rstrip('.')}", _ids(fact, known, registry))
            for fact in group[:MOST_VALUES]
        ]
        private = any(map(_is_private, group))
        opening = _RELATION.sub(_of_several, start[0])
        yield _Candidate(kind, opening, values, _weight(group[0], known), private, start[0])


_RELATION = re.compile(r"(The user's )(\w+) is ")
_PLURALS = {"child": "children", "grandchild": "grandchildren", "stepchild": "stepchildren"}


def _of_several(relation: re.Match[str]) -> str:
    """``The user's sons are `` for ``The user's son is ``."""
    noun = relation[2]
    ending = re.sub(r"(?<=[^aeiou])y$", "ie", noun) + (
        "es" if noun.endswith(("s", "x", "ch")) else "s"
    )
    return f"{relation[1]}{_PLURALS.get(noun, ending)} are "


def _work(facts: Sequence[Fact], known: KnownUser) -> Iterator[_Candidate]:
    """One line of the occupation and the employer."""
    by_name = {fact.predicate: fact for fact in facts}
    occupation, employer = by_name.get("works_as"), by_name.get("works_at")
    if occupation and employer and _is_private(occupation) == _is_private(employer):
        said = f"as {_with_article(occupation.object)} at {employer.object.rstrip('.')}"
        parts = [([occupation, employer], said)]
    else:
        parts = [([occupation], f"as {_with_article(occupation.object)}")] if occupation else []
        parts += [([employer], f"at {employer.object.rstrip('.')}")] if employer else []
    for of, said in parts:
        ids = tuple(fact.id or "" for fact in of)
        same = (id for fact in of for id in _saying(f"The user works {said}", fact, known))
        yield _Candidate(
            "work", "The user works ", [(said, (*ids, *same))], 0, any(map(_is_private, of))
        )


def _as_said(fact: Fact) -> str:
    """The object of a fact with the article that it has where it was said: ``a greenhouse``, and
    ``their greenhouse`` for "my greenhouse". Only for predicates with ``ARTICLES``."""
    if fact.predicate not in ARTICLES or not fact.quote:
        return fact.object
    article = rf"\b(an?|the|my|our)\s+(?={re.escape(fact.object)}(?!\w))"
    found = re.search(article, fact.quote, re.IGNORECASE)
    if found is None:
        return fact.object
    said = found[1].lower()
    return f"{'their' if said in ('my', 'our') else said} {fact.object}"


def _with_article(occupation: str) -> str:
    """``a nurse`` for ``nurse``; what begins with a capital or an article stays as it is."""
    said = occupation.rstrip(".")
    if not said[:1].islower() or not said.isascii() or re.match(r"(?:an?|the|my) ", said):
        return said
    return f"{'an' if said[0] in 'aeiou' else 'a'} {said}"


def _project(project: Project) -> _Candidate:
    about = project.description
    said = (
        f"{project.name}: {about.rstrip('.')}" if about and len(about) <= LONGEST else project.name
    )
    hidden = project.sensitivity == "personal"
    return _Candidate(
        "projects", "The user works on the project ", [(said, (project.id or "",))], 0, hidden
    )


def _told(known: KnownUser, facts: Sequence[Fact]) -> Iterator[_Candidate]:
    """Preferences that memories tell in a sentence and no fact says."""
    said = {id for fact in facts for id in (m.id for m in known.telling.get(fact.id or "", ()))}
    for memory in known.memories:
        if memory.id in said or not _is_plain(memory):
            continue
        text = memory.content.rstrip(".")
        private = memory.sensitivity == "personal" or personal(memory.content) is not None
        yield _Candidate("preferences", "", [(text, (memory.id or "",))], _worth(memory), private)


def _is_plain(memory: Memory) -> bool:
    """Whether a memory is the user's own words, holds, and is short enough to be a line."""
    return (
        memory.status == "active"
        and memory.type == "preference"
        and memory.scope != "core"
        and memory.stale is None
        and memory.trust > ANSWER_TRUST
        and not memory.is_document
        and memory.content.startswith("The user")
        and len(memory.content) <= LONGEST_SENTENCE
        and "\n" not in memory.content
        and suspicious(memory.content) is None
    )


def _is_active(project: Project) -> bool:
    said = f"{project.name}\n{project.description or ''}"
    return project.status == "active" and len(project.name) <= LONGEST and suspicious(said) is None


def _is_private(fact: Fact) -> bool:
    return fact.sensitivity == "personal" or personal_fact(fact) is not None


def _still_that_old(fact: Fact, others: Sequence[Fact], now: str) -> bool:
    """Whether a fact of when somebody was born is true today, as an age soon is not."""
    if fact.predicate != "age":
        return True
    if any(other.predicate == "born_on" for other in others):
        return False
    said = fact.valid_from or fact.created_at
    return said is not None and _time(now) - _time(said) < AGE_HOLDS


def _time(at: str) -> datetime:
    return datetime.fromisoformat(at)


def _weight(fact: Fact, known: KnownUser) -> float:
    """How much a fact counts among others of its kind, by what is remembered of it."""
    told = known.telling.get(fact.id or "", ())
    return max(map(_worth, told), default=1.0 if fact.metadata.get("set_by") else UNSEEN)


def _worth(memory: Memory) -> float:
    return memory.strength * (UNSEEN if memory.salience is None else memory.salience)


def _ids(fact: Fact, known: KnownUser, registry: Registry) -> tuple[str, ...]:
    """The fact, and the memories that say no more than it does."""
    sentence = registry.sentence(fact.subject, fact.predicate, fact.object)
    return (fact.id or "", *_saying(sentence, fact, known))


def _saying(sentence: str, fact: Fact, known: KnownUser) -> list[str]:
    """The memories about a fact that say no more than a sentence does."""
    told = known.telling.get(fact.id or "", ())
    return [m.id or "" for m in told if says_within(_NAMED.sub("", m.content), sentence)]


# -- how the user wants to be answered -------------------------------------------------------------


def _stated_pref(fact: Fact) -> tuple[str, str] | None:
    """(name, value) of how answers are to be, where the user said so of what is preferred."""
    if fact.predicate not in ("prefers", "likes"):
        return None
    return _answering(fact.object.strip(" ."), fact.predicate == "prefers")


@lru_cache(1024)  # asked of each thing that the user likes, several times a turn
def _answering(words: str, with_format: bool) -> tuple[str, str] | None:
    """The same of the words for what is preferred; which may be a file format."""
    patterns = {"verbosity": _VERBOSITY, "tone": _TONE, "language": _LANGUAGE}
    if with_format:
        patterns["file_formats"] = _FORMAT
    for name, pattern in patterns.items():
        found = pattern.fullmatch(words)
        if found is not None:
            value = found[1]
            return name, value if name == "language" else value.lower()
    return None


def _pref(fact: Fact) -> tuple[str, str] | None:
    """The same, also for what was set by hand."""
    for name in ("tone", "verbosity", "language", "file_formats"):
        if fact.predicate == FIELDS[name].predicate:
            return name, fact.object
    return _stated_pref(fact)


def _prefs(facts: Sequence[Fact]) -> PersonaPrefs:
    """How the user wants to be answered."""
    prefs = PersonaPrefs()
    for fact in facts:
        name, value = _pref(fact) or ("", "")
        if name == "file_formats":
            if value not in prefs.file_formats:
                prefs.file_formats.append(value)
        elif name:
            setattr(prefs, name, value)
    return prefs


# -- the budget ------------------------------------------------------------------------------------


def cost(line: ProfileLine) -> int:
    """What a line costs in a prompt, in tokens."""
    return estimate_tokens(f"- {line.text}\n")


def _within(candidates: Sequence[_Candidate], budget: int) -> tuple[list[ProfileLine], int]:
    """The lines, those that find room marked, and what these cost together. Of a line that is too
    long the last values go first."""
    left = budget - estimate_tokens(FRAME)
    lines: list[ProfileLine] = []
    for candidate in candidates:
        count = len(candidate.values)
        while count and (candidate.private or cost(candidate.line(count)) > left):
            count -= 1
        if count:
            lines.append(candidate.line(count))
            left -= cost(lines[-1])
        if count < len(candidate.values):
            rest = _Candidate(candidate.kind, candidate.start, candidate.values[count:])
            hidden = rest.line()
            hidden.in_prompt = False
            lines.append(hidden)
    shown = any(line.in_prompt for line in lines)
    return lines, budget - left if shown else 0


def in_prompt(profile: Profile) -> list[ProfileLine]:
    """The lines that stand in prompts."""
    return [line for line in profile.lines if line.in_prompt]
