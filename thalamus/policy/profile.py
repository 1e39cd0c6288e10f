"""The profile: its lines about the user, their order, and their token budget.

It is compiled from current records and never stored, so that ended, corrected or forgotten facts
disappear by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct, field

from thalamus.policy.admission import ANSWER_TRUST
from thalamus.policy.entities import USER, key_of
from thalamus.policy.injection import suspicious
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.timeline import moment
from thalamus.records import Fact, Memory, PersonaPrefs, Profile, ProfileLine, Project
from thalamus.text.analyzer import fold
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.statements import says_within
from thalamus.text.word_lists import DIETS

if TYPE_CHECKING:
    from thalamus.policy.predicates import Registry

LONGEST = 80  # characters of a value; a longer one is too detailed for a profile
LONGEST_SENTENCE = 140  # characters of a memory that forms a line of its own
MOST_VALUES = 8  # values of one predicate in a line
MOST_PREFERENCES = 8  # lines about the user's preferences
FRAME = "<profile>\n</profile>"  # text around the lines in a prompt
DEFAULT_WEIGHT = 0.5  # weight of a value without a memory about it
AGE_HOLDS = timedelta(days=365)  # time after which an age is outdated

# kind of line -> its predicates, the most important kind first; ``*`` matches any ending. Other
# predicates are in no profile: illnesses, medicines, addresses, beliefs
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
# personal, and part of prompts all the same, because most suggestions about food depend on an
# allergy; a turn that repeats them is encrypted
_NEEDED = frozenset(("allergic_to", "birthday", "born_on"))
# predicates whose object is a thing, which needs an article in English
ARTICLES = frozenset(("current_project", "has_pet", "owns", "has"))
_DIETS = frozenset(map(fold, DIETS))
_NAMED = re.compile(r"\b(?:is )?(?:called|named) ")  # adds nothing to "is"
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?)"
_VERBOSITY = lazy_regex(
    rf"(?:very |really )?(short|brief|concise|terse|compact|long|detailed|thorough)(?:er)?,? "
    rf"(?:and \w+ )?{_ANSWERS}",
    re.IGNORECASE,
)
_TONE = lazy_regex(
    rf"(?:an? )?(formal|informal|casual|friendly|warm|dry|humorous|serious|polite|professional) "
    rf"(?:tone|style|{_ANSWERS})",
    re.IGNORECASE,
)
_LANGUAGE = lazy_regex(rf"(?:{_ANSWERS}|to be answered) in ([^\W\d_]+)", re.IGNORECASE)
_FORMAT = lazy_regex(
    r"(markdown|pdf|csv|json|yaml|xml|html|docx|xlsx|odt|latex|plain text)"
    r"(?: (?:files?|format|documents?))?",
    re.IGNORECASE,
)


class Field(Struct, frozen=True):
    """A profile field that can be set by hand: its predicate, and whether it has several values."""

    predicate: str
    many: bool = False


# by their names in `profile set`, in display order
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


class KnownUser(Struct, frozen=True):
    """Known records about a user. ``facts``: with the user as subject; ``memories_by_fact``:
    memories about each fact, by its id; ``memories``: preferences that are not facts; ``projects``:
    whatever their status."""

    facts: Sequence[Fact] = ()
    memories_by_fact: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    memories: Sequence[Memory] = ()
    projects: Sequence[Project] = ()


class _Candidate(Struct, frozen=True):
    """A possible line: the beginning of its sentence and the values, each with its ids.
    ``start_of_one``: the beginning for a single value, if it differs."""

    kind: str
    start: str
    values: Sequence[tuple[str, tuple[str, ...]]]
    weight: float = 0.0
    private: bool = False
    start_of_one: str = ""

    def line(self, count: int | None = None) -> ProfileLine:
        """The line with the first ``count`` values, or all."""
        chosen = self.values[:count]
        values = [value for value, _ in chosen]
        text = values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
        ids = dict.fromkeys(id for _, ids in chosen for id in ids)
        start = self.start_of_one if self.start_of_one and len(values) == 1 else self.start
        return ProfileLine(text=f"{start}{text}.", kind=self.kind, ids=list(ids))


def compose(
    known: KnownUser, registry: Registry, now: str, budget: int, user: str | None = None
) -> Profile:
    """The profile of a user: current records in the user's own words, the most important first.
    Lines that fit into ``budget`` tokens are part of prompts."""
    facts = [fact for fact in known.facts if is_shown(fact, now)]
    facts = _latest_preferences(_without_duplicates(facts, registry))
    active = [project for project in known.projects if _is_active(project)]
    by_kind = _by_kind(facts)
    preferences = list(_memory_preferences(known, facts, registry))
    candidates = [
        candidate
        for kind in KINDS
        for candidate in _of_kind(kind, by_kind[kind], preferences, known, active, registry, now)
    ]
    lines, tokens = _fit(candidates, budget)
    return Profile(
        user=user,
        persona_prefs=_prefs(facts),
        projects=[project.name for project in active],
        lines=lines,
        tokens=tokens,
    )


def is_shown(fact: Fact, now: str) -> bool:
    """True if a fact may be shown: it holds ``now``, is the user's own statement, is readable, and
    is not a disguised instruction."""
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
    """The user's facts that are current values of a profile field."""
    return [fact for fact in facts if fact.predicate == FIELDS[name].predicate]


# -- lines ----------------------------------------------------------------------------------------


def _without_duplicates(facts: Sequence[Fact], registry: Registry) -> list[Fact]:
    """The facts without duplicates; of single-valued predicates only the latest (several agents may
    disagree)."""
    best: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        value = "" if registry.one_valued(fact.predicate) else fold(fact.object)
        key = (fact.predicate, value)
        if key not in best or _start_time(fact) > _start_time(best[key]):
            best[key] = fact
    return list(best.values())


def _latest_preferences(facts: Sequence[Fact]) -> list[Fact]:
    """The facts with only the latest preferred tone, verbosity and language of answers."""
    last: dict[str, Fact] = {}
    for fact in sorted(facts, key=_start_time):
        pref = _pref(fact)
        if pref is not None and pref[0] != "file_formats":
            last[pref[0]] = fact
    kept = {id(fact) for fact in last.values()}
    return [
        fact
        for fact in facts
        if (pref := _pref(fact)) is None or pref[0] == "file_formats" or id(fact) in kept
    ]


def _start_time(fact: Fact) -> str:
    return fact.valid_from or fact.created_at or ""


def _of_kind(
    kind: str,
    found: Sequence[Fact],
    preferences: Sequence[_Candidate],
    known: KnownUser,
    active: Sequence[Project],
    registry: Registry,
    now: str,
) -> Iterator[_Candidate]:
    """Lines of one kind, from its facts (``found``) and from preferences stated in memories
    (``preferences``)."""
    if kind == "projects":
        yield from map(_project, active)
        found = [fact for fact in found if not any(_is_record_of(p, fact) for p in known.projects)]
    if kind == "work":
        yield from _work(found, known)
        return
    if kind == "birthday":
        found = [fact for fact in found if _is_current_age(fact, found, now)]
    candidates = list(_grouped(kind, found, known, registry))
    if kind == "preferences":
        candidates += preferences
        candidates.sort(key=lambda candidate: -candidate.weight)
        yield from candidates[:MOST_PREFERENCES]
        return
    yield from candidates


def _by_kind(facts: Sequence[Fact]) -> dict[str, list[Fact]]:
    """The facts by kind of line."""
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
    """The kinds of line that use a predicate."""
    return {
        kind
        for kind, names in KINDS.items()
        for name in names
        if (predicate.startswith(name[:-1]) if name.endswith("*") else predicate == name)
    }


def _grouped(
    kind: str, facts: Sequence[Fact], known: KnownUser, registry: Registry
) -> Iterator[_Candidate]:
    """One line per predicate if its sentence ends with its object or names a relation ("The user's
    sons are Hugo and Teo."), otherwise one per fact."""
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
            (
                f"{_with_quoted_article(fact).rstrip('.')}{start[2].rstrip('.')}",
                _ids(fact, known, registry),
            )
            for fact in group[:MOST_VALUES]
        ]
        private = any(map(_is_private, group))
        opening = _RELATION.sub(_plural, start[0])
        yield _Candidate(kind, opening, values, _weight(group[0], known), private, start[0])


_RELATION = re.compile(r"(The user's )(\w+) is ")
_PLURALS = {"child": "children", "grandchild": "grandchildren", "stepchild": "stepchildren"}


def _plural(relation: re.Match[str]) -> str:
    """``The user's sons are `` for ``The user's son is ``."""
    noun = relation[2]
    ending = re.sub(r"(?<=[^aeiou])y$", "ie", noun) + (
        "es" if noun.endswith(("s", "x", "ch")) else "s"
    )
    return f"{relation[1]}{_PLURALS.get(noun, ending)} are "


def _work(facts: Sequence[Fact], known: KnownUser) -> Iterator[_Candidate]:
    """One line for occupation and employer."""
    by_name = {fact.predicate: fact for fact in facts}
    occupation, employer = by_name.get("works_as"), by_name.get("works_at")
    if occupation and employer and _is_private(occupation) == _is_private(employer):
        text = f"as {_with_article(occupation.object)} at {employer.object.rstrip('.')}"
        parts = [([occupation, employer], text)]
    else:
        parts = [([occupation], f"as {_with_article(occupation.object)}")] if occupation else []
        parts += [([employer], f"at {employer.object.rstrip('.')}")] if employer else []
    for of, text in parts:
        ids = tuple(fact.stored_id for fact in of)
        same = (
            id for fact in of for id in _equivalent_memories(f"The user works {text}", fact, known)
        )
        yield _Candidate(
            "work", "The user works ", [(text, (*ids, *same))], 0, any(map(_is_private, of))
        )


def _with_quoted_article(fact: Fact) -> str:
    """The object of a fact with its article from the quote: ``a greenhouse``, and ``their
    greenhouse`` for "my greenhouse". Only for predicates in ``ARTICLES``."""
    if fact.predicate not in ARTICLES or not fact.quote:
        return fact.object
    article = rf"\b(an?|the|my|our)\s+(?={re.escape(fact.object)}(?!\w))"
    found = re.search(article, fact.quote, re.IGNORECASE)
    if found is None:
        return fact.object
    text = found[1].lower()
    return f"{'their' if text in ('my', 'our') else text} {fact.object}"


def _with_article(occupation: str) -> str:
    """``a nurse`` for ``nurse``; an occupation with a capital or an article stays as it is."""
    text = occupation.rstrip(".")
    if not text[:1].islower() or not text.isascii() or re.match(r"(?:an?|the|my) ", text):
        return text
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def _project(project: Project) -> _Candidate:
    about = project.description
    text = (
        f"{project.name}: {about.rstrip('.')}" if about and len(about) <= LONGEST else project.name
    )
    hidden = project.sensitivity == "personal"
    return _Candidate(
        "projects", "The user works on the project ", [(text, (project.stored_id,))], 0, hidden
    )


def _memory_preferences(
    known: KnownUser, facts: Sequence[Fact], registry: Registry
) -> Iterator[_Candidate]:
    """Preferences in memories that are not facts."""
    covered = {m.id for fact in facts for m in known.memories_by_fact.get(fact.stored_id, ())}
    plain = [one for one in known.memories if one.id not in covered and _is_plain(one)]
    if not plain:
        return
    stated = [registry.sentence(USER, fact.predicate, fact.object) for fact in facts]
    for memory in plain:
        if any(says_within(memory.content, sentence) for sentence in stated):
            continue
        text = memory.content.rstrip(".")
        private = memory.sensitivity == "personal"
        yield _Candidate(
            "preferences", "", [(text, (memory.stored_id,))], _memory_weight(memory), private
        )


def _is_plain(memory: Memory) -> bool:
    """True if a memory is the user's own current statement and short enough for a line."""
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
    text = f"{project.name}\n{project.description or ''}"
    return project.status == "active" and len(project.name) <= LONGEST and suspicious(text) is None


def _is_record_of(project: Project, fact: Fact) -> bool:
    """True if a project is the record of what a fact says: its status counts then. A fact since it
    was closed is news."""
    closed = project.closed_at
    return fold(project.name) in fold(fact.object) and (
        closed is None or moment(_start_time(fact)) <= moment(closed)
    )


def _is_private(fact: Fact) -> bool:
    """True for a personal fact that is not part of prompts."""
    return fact.sensitivity == "personal" and fact.predicate not in _NEEDED


def _is_current_age(fact: Fact, others: Sequence[Fact], now: str) -> bool:
    """True if an age or date of birth is still current."""
    if fact.predicate != "age":
        return True
    if any(other.predicate == "born_on" for other in others):
        return False
    text = fact.valid_from or fact.created_at
    return text is not None and _time(now) - _time(text) < AGE_HOLDS


def _time(at: str) -> datetime:
    return datetime.fromisoformat(at)


def _weight(fact: Fact, known: KnownUser) -> float:
    """Weight of a fact among others of its kind, by the memories about it."""
    preferences = known.memories_by_fact.get(fact.stored_id, ())
    return max(
        map(_memory_weight, preferences),
        default=1.0 if fact.metadata.get("set_by") else DEFAULT_WEIGHT,
    )


def _memory_weight(memory: Memory) -> float:
    return memory.strength * (DEFAULT_WEIGHT if memory.salience is None else memory.salience)


def _ids(fact: Fact, known: KnownUser, registry: Registry) -> tuple[str, ...]:
    """The fact, and the memories that say no more than it does."""
    sentence = registry.sentence(fact.subject, fact.predicate, fact.object)
    return (fact.stored_id, *_equivalent_memories(sentence, fact, known))


def _equivalent_memories(sentence: str, fact: Fact, known: KnownUser) -> list[str]:
    """Memories about a fact that say no more than the sentence."""
    preferences = known.memories_by_fact.get(fact.stored_id, ())
    return [m.stored_id for m in preferences if says_within(_NAMED.sub("", m.content), sentence)]


# -- how the user wants to be answered -------------------------------------------------------------


def _stated_pref(fact: Fact) -> tuple[str, str] | None:
    """(name, value) of a preferred style of answers, stated as a preference."""
    if fact.predicate not in ("prefers", "likes"):
        return None
    return _style_in(fact.object.strip(" ."), fact.predicate == "prefers")


@lru_cache(1024)  # called for each of the user's preferences, several times a turn
def _style_in(words: str, with_format: bool) -> tuple[str, str] | None:
    """(name, value) of a preferred style of answers, from the object of a preference;
    ``with_format`` includes file formats."""
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
    """(name, value) of a preferred style of answers, stated or set by hand."""
    for name in ("tone", "verbosity", "language", "file_formats"):
        if fact.predicate == FIELDS[name].predicate:
            return name, fact.object
    return _stated_pref(fact)


def _prefs(facts: Sequence[Fact]) -> PersonaPrefs:
    """The user's preferred style of answers."""
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
    """Tokens of a line in a prompt."""
    return estimate_tokens(f"- {line.text}\n")


def _fit(candidates: Sequence[_Candidate], budget: int) -> tuple[list[ProfileLine], int]:
    """The lines, marked if they fit into the prompt, and the tokens of those. Of a line that is too
    long, the last values are left out first."""
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


def within(lines: Iterable[ProfileLine], budget: int) -> list[ProfileLine]:
    """The lines that fit into ``budget`` tokens, in order."""
    left = budget - estimate_tokens(FRAME)
    found = []
    for line in lines:
        if (tokens := cost(line)) <= left:
            left -= tokens
            found.append(line)
    return found


def in_prompt(profile: Profile) -> list[ProfileLine]:
    """The lines that are part of prompts."""
    return [line for line in profile.lines if line.in_prompt]
