"""Is an insight that a model states really in what was said?

A model that is asked for connections invents them: it gives one person's words to another, makes a
cause out of a sequence, leaves a "not" out, praises, advises, and repeats a note as news. So each
word of an insight must be supported: by a clause that states something, said of the person of whom
the insight says it, denied or not as there. What is left is a sentence made of other sentences, and
the connection between them is all that is new.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from thalamus.policy.entities import USER, key_of
from thalamus.policy.grounding import specifics
from thalamus.policy.injection import suspicious
from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.word_classes import NUMBERS
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.statements import subject_of
from thalamus.policy.negation import NEGATIONS
from thalamus.records import Verdict
from thalamus.text.days import MONTHS, day_in_words
from thalamus.text.tokens import Forms, content_words, sentences, share_found, words

MOST = 2  # insights of one island
MOST_TRUST = 0.6  # of what a model concluded
RESTATED = 0.85  # share of an insight's words in one source from which it only repeats that
SAME = 0.8  # share of the words that two insights have in common which say the same
COVERED = 0.5  # share of the words of a memory or fact that an insight says with the rest
LEAST_CONCEPTS = 2
LEAST_SOURCES = 2

# words that say how things are connected, and need no support
_CONNECTING = frozenset(
    """both also share shares shared common together connected connection connects related relates
    linked alike similar similarly again still later earlier first next several times time often
    different days day month months year years later including include includes involves well
    between while whereas although though however either each since during around ago said says
    mentioned mentions spoke talked user user's users""".split()
)
# words of which everything speaks: what two texts share is not what they are about
_LIGHT = frozenset(
    """a able already amazing another awesome back bad be bet big bit blast bring brought
    call called came can care cared change changed chat chatted check close come coming cool
    cute detail details did different do does doing done early end enjoy enjoyed enjoying
    especially even ever every excited exciting experience experiences fam family far
    favorite favorites favourite favourites feel feeling feels felt find finding fingers
    first folks forward found friend friends fun future gave get gets getting give given
    glad go goes going gone gonna good got great guy guys had happen happened happy hard
    have having hear heard help helped helpful helping here hey high home homes hope house
    huge idea important inspiring it journey journeys keep keeping kept kid kids kind kinda
    know known last late lately least left let life like liked likes little lives local long
    look looked looking lot lots love loved lovely loves low luck lucky made make makes
    making matter mean means meant memories memory mind moment moments month months more
    much need needed needs never new next nice now okay old one options own part passion
    passions people person place plan plans play point pretty proud put quite real really
    reason reminds ride right saw say second see seeing seem seen self short show showed
    since small so soon sound sounds special spot start started still stories story strong
    stuff such super sure system take taken taking talk talked talking tell thank thankful
    thing things think thinking third thought time times today together told tomorrow
    tonight took totally tried truly try trying turn up use used user using various want
    wanted wants way ways week weekend weekends weeks well went what while whole wild wish
    wonderful wondering work world wow yeah yes yesterday yet young""".split()
)
_CAUSES = frozenset(
    """because therefore thus hence due caused causes cause causing leads led leading
    results resulted consequently thanks reason why where weil deshalb daher wegen porque parce
    donc portanto"""
    .split()
)  # fmt: skip
_GUESSES = re.compile(
    r"\b(?:may|might|maybe|perhaps|possibly|probably|likely|seems?|appears?|suggest\w*|indicat\w*"
    r"|impl(?:y|ies)|assum\w*|apparently|could|would)\b",
    re.I,
)
# what is true on one day only: an insight is read on another
_RELATIVE = re.compile(
    r"\b(?:just |about |around |only |over )?(?:an?|a few|a couple of|some|several|many|\w+)"
    r" (?:hour|day|night|week|month|year)s? (?:ago|back)\b"
    r"|\b(?:yesterday|today|tonight|tomorrow|ago|recently|soon|right now)\b"
    r"|\b(?:last|next|this|coming) (?:\w+day|week\w*|month|year|spring|summer|autumn|fall|winter"
    r"|night|morning|evening|time)\b",
    re.I,
)
_PART = re.compile(r"(\. |, and |, plus |, but |; |,? (?:where|which|because|while) )")
_OF_A_PART = frozenset(
    "ungrounded somebody_else opposite other_day unowned relative_time cause guess dangling"
    " unfinished strange_script unconnected addressed".split()
)
_NAMELESS = frozenset("she he they her his their him them it its".split())
_SUBJECTS = frozenset(("she", "he"))
_HAVING = frozenset("have has had own owns owned".split())
_DETERMINERS = frozenset(f"a an the some many several no his her their {' '.join(NUMBERS)}".split())
# how a clause says that somebody has something
_OWNED = re.compile(
    r"\b(?:my|our|mine|ours|his|her|hers|their|theirs|have|has|had|having|got|own|owns|owned|owner"
    r"|keep|keeps|mein\w*|unser\w*|habe|hat|mon|ma|mes|ai|mi|mis|tengo|meus?|minhas?|tenho)\b"
    r"|['’]ve\b",
    re.I,
)
_CONTRACTED = re.compile(r"['’](?:s|ve|re|d|ll|m)?$")
_DANGLING = re.compile(
    r"\b(?:that|this|those|these|the) same\b"
    # "welded one from metal", "organizing one with"
    r"|(?<!\bno )(?<!each )(?<!every )\bone\b"
    r"(?=\s*(?:[.,;!]|$|(?:with|from|and|for|in|on|at|to|out)\b))",
    re.I,
)
# a sentence that was cut off
_UNFINISHED = re.compile(
    r"\b(?:a|an|the|and|or|but|for|of|to|with|in|on|at|by|from|about|his|her|their|its|my|your|that"
    r"|which|who|while|because|is|are|was|were|has|have|had)[\s.,…]*$",
    re.I,
)
_ADVICE = re.compile(
    r"\b(?:should|ought|must|needs? to|have to|has to|recommend\w*|consider (?!\w+ed)|try to"
    r"|it is (?:important|best|good|worth)|it's (?:important|best|good|worth)|remember to"
    r"|make sure|advis\w+|let's|let us)\b",
    re.I,
)
_OF_ASSISTANT = re.compile(
    r"\b(?:assistant|chatbot|language model|the model|as an ai|(?:the|these|both) notes?|notes? \d)"
    r"\b",
    re.I,
)
_BEFORE_THINGS = (
    "an?|the|my|our|his|her|their|your|this|that|some|for|of|about|with|at|in|on|new|own|plays?|"
    "playing|another|every|each|any"
)
_OBJECTS = (
    "an?|the|my|our|his|her|their|your|this|that|these|those|some|it|them|him|you|me|us|up|out|to|"
    "with|people|and"
)
_SPEAKERS = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours)\b|\bI'", re.I)
_QUESTION = re.compile(r"[?？]\s*$")
# the first person in the languages that the grammar reads: whoever speaks speaks of themselves
_FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|mine|myself|ich|mich|mir|mein\w*|je|moi|mon|ma|mes|yo|mi|mis|eu|meus?|minhas?)\b"
    r"|\b[jm]['’]"
    # "our homes" may be anybody's, unless the clause begins with them
    r"|^(?:we|our|wir|unser\w*|nous|nos|nosotros|nuestr\w+|nós|nosso\w*)\b",
    re.I,
)
_OF_USER = re.compile(r"(?:the\s+)?user\b(?:'s)?", re.I)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[,;:—–]")
_BREAKS = frozenset("and but while whereas although though however which who , ; : — –".split())
_JOINS = frozenset("and both & , as well".split())
_STATING = ("states", "passing")
_MONTHS = frozenset(month.casefold() for month in MONTHS)


@dataclass(frozen=True)
class SourceText:
    """Something that an insight may rest on.

    ``number``: under which the model saw it; ``text``: its words, without who said them;
    ``speaker``: the key of who said it, empty where it is told in the third person; ``origin``:
    what was said at once, so that two sources of one origin are one; ``day``: ISO 8601. An insight
    that others rest on is read as one, with the keys of the ``people`` that it may speak of.
    """

    number: int
    id: str
    text: str
    speaker: str = USER
    origin: str = ""
    day: str = ""
    people: frozenset[str] | None = None

    @cached_property
    def said(self) -> Sequence[Statement]:
        """What it states, clause by clause."""
        if self.people is not None:
            return [
                Statement(self.text, piece.who, frozenset(piece.words), piece.negated)
                for piece in _pieces(self.text, [self])
            ]
        return _statements(self.text, self.speaker)

    @property
    def stated(self) -> str:
        """What of it is said of somebody, which is all that an insight can rest on."""
        return self.stated_about(())

    def stated_about(self, concepts: Sequence[str]) -> str:
        """Only the clauses that have a word of these concepts; all where none has."""
        said = [one for one in self.said if one.who]
        near = [one for one in said if any(one.has(word) for word in concepts)]
        return ". ".join(dict.fromkeys(one.text.strip(" .,;-") for one in near or said))

    @property
    def day_words(self) -> frozenset[str]:
        """The words of its day: 8, May, 2023."""
        return frozenset(words(day_in_words(self.day)))


@dataclass(frozen=True)
class Statement:
    """A clause of a source: its text, of whom it is said, its words, and whether it denies
    something."""

    text: str
    who: frozenset[str]
    words: frozenset[str]
    negated: bool

    @cached_property
    def forms(self) -> Forms:
        """Its words, to find forms of others among them."""
        return Forms({form for word in self.words for form in (word, stem(word))})

    def has(self, word: str) -> bool:
        """Whether it has a form of a word."""
        return self.forms.has(word) or self.forms.has(stem(word))


@dataclass(frozen=True)
class Judged:
    """The verdict on an insight, the names of what it connects, and the sources that it rests on:
    those that support a word of it."""

    verdict: Verdict
    concepts: Sequence[str] = ()
    sources: Sequence[SourceText] = ()


@dataclass(frozen=True)
class _Piece:
    """A part of an insight: of whom it says its ``words``, on which days (``dates``: words of a
    day), and whether it says that they have it (``owned``)."""

    who: frozenset[str]
    words: tuple[str, ...]
    dates: frozenset[str]
    negated: bool
    owned: bool = False


def judge(
    content: str, concepts: Sequence[str], numbers: Sequence[int], island: Sequence[SourceText]
) -> Judged:
    """Whether an insight may be kept, with what it connects and what it rests on.

    ``numbers`` are those of its sources in the ``island``. Refused: what is no statement about what
    was said, what one source says alone, what no clause supports. To be quarantined: an
    instruction, and a name or number that its sources do not hold.
    """
    problem = _form_problem(content)
    if problem is not None:
        return Judged(_no(content, *problem))
    pattern = suspicious(content)
    if pattern is not None:
        reason = f"it reads like an instruction to the assistant: {pattern}"
        return Judged(_no(content, "injection", reason, "quarantine"))
    sources = [source for source in island if source.number in numbers]
    if _origins(sources) < LEAST_SOURCES:
        return Judged(_no(content, "one_source", "it rests on fewer than two sources"))
    script = _strange_script(content, sources)
    if script is not None:
        return Judged(_no(content, "strange_script", f"no source is written in {script} letters"))
    strange = _strange(content, sources)
    if strange is not None:
        reason = f"“{strange}” does not stand in its sources"
        return Judged(_no(content, "invented", reason, "quarantine"), concepts, sources)
    return _judge_support(content, concepts, sources)


def judge_parts(
    content: str, concepts: Sequence[str], numbers: Sequence[int], island: Sequence[SourceText]
) -> Judged:
    """The same; of what is refused because of one part, the rest where that stands by itself. Small
    models say something right and go on with something else. Words for times that are other ones
    on another day are left out."""
    content = timeless(content)
    whole = judge(content, concepts, numbers, island)
    if whole.verdict.rule not in _OF_A_PART:
        return whole
    parts = _PART.split(content)
    texts, joints = parts[::2], ["", *parts[1::2]]
    for size in range(len(texts) - 1, 0, -1):
        for first in range(len(texts) - size + 1):
            kept = range(first, first + size)
            said = "".join(joints[n] * (n > first) + texts[n] for n in kept).strip(" ,;")
            found = judge(_sentence(said), concepts, numbers, island)
            if found.verdict.decision == "add":
                return found
    return whole


def timeless(text: str) -> str:
    """A text without words for times that are other ones on another day."""
    return re.sub(r"\s+(?=[.,;])", "", " ".join(_RELATIVE.sub("", text).split()))


def says_same(one: str, other: str) -> bool:
    """Whether two insights say the same: each has most words of the other, all its numbers, and
    denies as much."""
    mine, theirs = _bearing(one), _bearing(other)
    if not mine or not theirs or bool(_denied(one)) != bool(_denied(other)):
        return False
    if _numbers(mine) != _numbers(theirs):
        return False
    return min(share_found(mine, theirs), share_found(theirs, mine)) >= SAME


def speaks_of(content: str, made: str) -> bool:
    """Whether an insight says what was made of one of its sources: most words of that stand in
    it."""
    mine = [word for word in _bearing(made) if word != USER]
    return bool(mine) and share_found(mine, words(content)) >= COVERED


def concept_keys(concepts: Sequence[str]) -> frozenset[str]:
    """What concepts are compared by; the user is none."""
    return frozenset(key for name in concepts if (key := key_of(name)) != USER)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without a common English ending: running, runs → run."""
    for ending in ("ing", "ed", "es", "s"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= 3:
            doubled = len(bare) > 3 and bare[-1] == bare[-2] and ending in ("ing", "ed")
            return bare[:-1] if doubled else bare
    return word


def is_telling(word: str) -> bool:
    """Whether two texts that share a word are about something in common."""
    return (
        len(word) >= 3 and not word.isdigit() and word not in _LIGHT and bool(content_words(word))
    )


def names_thing(word: str, text: str) -> bool:
    """Whether a text speaks of a thing by this word: an article or a preposition stands before it,
    perhaps with one word between, and what is no thing but done ("about creating a library") has
    no object."""
    before = rf"\b(?:{_BEFORE_THINGS})\s+(?:[\w-]+\s+)?{re.escape(word)}\b"
    if word.endswith("ing"):
        before += rf"(?!\s+(?:{_OBJECTS})\b)"
    return re.search(before, text, re.I) is not None


def doing(name: str | None) -> bool:
    """Whether a word at the beginning of a clause says what is done, and is no name."""
    return bool(name) and str(name).endswith("ing")


def person_key(name: str) -> str:
    """What a person's name is compared by: its first word, for full names are rarely said."""
    key = key_of(re.sub(r"['’]s?$", "", name.strip()))
    return key if key == USER or not key else key.split()[0]


# -- what an insight must not be -------------------------------------------------------------------


def _form_problem(content: str) -> tuple[str, str] | None:
    """(rule, reason) by which a text is no insight, whatever was said."""
    if not _bearing(content):
        return "empty", "it says nothing in particular"
    checks = (
        (_QUESTION, "question", "it asks"),
        (_OF_ASSISTANT, "about_notes", "it is about the notes or the assistant"),
        (_SPEAKERS, "addressed", "it speaks to somebody instead of stating something"),
        (_ADVICE, "advice", "it advises"),
        (_RELATIVE, "relative_time", "it says a time that is another one on another day"),
        (_DANGLING, "dangling", "it points at something that it does not name"),
        (_GUESSES, "guess", "it guesses"),
        (_UNFINISHED, "unfinished", "it breaks off"),
    )
    for pattern, rule, reason in checks:
        if pattern is _GUESSES and pattern.search(content.replace("May ", "")) is None:
            continue  # the month
        if pattern.search(content):
            return rule, reason
    return None


def _strange(content: str, sources: Sequence[SourceText]) -> str | None:
    """A name or a number that stands in no source."""
    said = {word for source in sources for word in words(source.text)}
    for source in sources:
        said |= source.day_words | set(words(source.speaker))
    for name in [*specifics(content), *_first_names(content)]:
        if person_key(name) == USER:
            continue
        if share_found(words(re.sub(r"['’]s$", "", name)), said) < 1:
            return name
    return None


def _strange_script(content: str, sources: Sequence[SourceText]) -> str | None:
    """A script of which no source, and no name in one, has a letter: small models change the
    language in the middle of a sentence."""
    said = _scripts(" ".join(source.text for source in sources))
    return next((script for script in sorted(_scripts(content)) if script not in said), None)


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters, by the first words of their Unicode names: Latin, Cjk."""
    letters = {letter for letter in text if letter.isalpha()}
    return {unicodedata.name(letter, "Unknown").split()[0].title() for letter in letters}


def _first_names(content: str) -> list[str]:
    """The first words of sentences that are no ordinary words."""
    found = [sentence.split()[0] for sentence in sentences(content)]
    return [
        word
        for word in found
        if word[0].isupper()
        and not is_common(re.sub(r"['’]s?$", "", word).casefold())
        and content_words(word)
        and word.casefold() not in _CONNECTING
    ]


# -- what supports it ------------------------------------------------------------------------------


def _judge_support(content: str, concepts: Sequence[str], sources: Sequence[SourceText]) -> Judged:
    cause = _unsaid_cause(content, sources)
    if cause is not None:
        return Judged(_no(content, "cause", f"no source says “{cause}”"))
    pieces = list(_pieces(content, sources))
    if _is_nameless(content, _people(sources)):
        return Judged(_no(content, "nameless", "it does not say of whom"))
    support: dict[tuple[str, str], set[str]] = {}  # (person, word) -> origins that support it
    for piece in pieces:
        for word in piece.words:
            for who in piece.who or {""}:
                found = _supporting(word, who, piece, sources)
                if not found:
                    return Judged(_no(content, *_why_not(word, who, piece, sources)))
                support.setdefault((who, word), set()).update(s.origin for s in found)
    bearing = [key for key in support if key[1]]
    if not bearing:
        return Judged(_no(content, "empty", "it says nothing in particular"))
    used = [source for source in sources if any(source.origin in by for by in support.values())]
    problem = _connection_problem(support, used, pieces)
    if problem is not None:
        return Judged(_no(content, *problem))
    names = _concepts(content, concepts, support, used)
    if len(names) < LEAST_CONCEPTS:
        return Judged(_no(content, "one_concept", "it connects fewer than two concepts"))
    verdict = Verdict(decision="add", rule="grounded", reason="its sources say so", content=content)
    return Judged(verdict, names, used)


def _is_nameless(content: str, people: Collection[str]) -> bool:
    """Whether an insight says of somebody what it says, without a name before that."""
    tokens = [token.casefold() for token in _TOKEN.findall(content)]
    if tokens and tokens[0] in _NAMELESS:
        return True
    for token in tokens:
        if person_key(token) in people or person_key(token) == USER:
            return False
        if _CONTRACTED.sub("", token) in _SUBJECTS:
            return True
    return False


def _connection_problem(
    support: dict[tuple[str, str], set[str]], used: Sequence[SourceText], pieces: Sequence[_Piece]
) -> tuple[str, str] | None:
    """(rule, reason) by which a supported text connects nothing."""
    if _origins(used) < LEAST_SOURCES:
        return "restated", "one of its sources says all of it"
    people = frozenset().union(*(piece.who for piece in pieces))
    for origin in {source.origin for source in used}:
        mine = sum(origin in by for by in support.values())
        if mine / len(support) >= RESTATED and len(people) < 2:
            return "restated", "one of its sources says all of it"
    shared = _shared_words(support, used)
    if not _all_connected({source.origin for source in used}, list(shared.values())):
        return "unconnected", "its sources have nothing in common that it is about"
    return None


def _all_connected(origins: Collection[str], shared: Sequence[set[str]]) -> bool:
    """Whether one can come from each origin to every other by what some of them share."""
    reached = set(shared[0]) if shared else set()
    while more := [by for by in shared if by & reached and not by <= reached]:
        reached.update(*more)
    return set(origins) <= reached


def _shared_words(
    support: dict[tuple[str, str], set[str]], used: Sequence[SourceText]
) -> dict[str, set[str]]:
    """The words of an insight that name a thing and stand in two of its sources, with the origins
    of these."""
    by_word: dict[str, set[str]] = {}
    for who, word in support:
        stating = {source.origin for source in used if _states(source, word, who)}
        by_word.setdefault(word, set()).update(stating)
    return {
        word: by
        for word, by in by_word.items()
        if len(by) >= LEAST_SOURCES
        and is_telling(word)
        and any(names_thing(word, source.text) for source in used)
    }


def _states(source: SourceText, word: str, who: str) -> bool:
    """Whether a source states something with a word, of somebody or (for none) of anybody."""
    return any(said.has(word) and (not who or who in said.who) for said in source.said)


def _supporting(
    word: str, who: str, piece: _Piece, sources: Sequence[SourceText]
) -> list[SourceText]:
    """The sources that say a word of somebody (or of anybody), as the piece does: on its days, and
    denied where it denies."""
    found = []
    for source in sources:
        if piece.dates and not piece.dates <= source.day_words:
            continue
        if any(
            said.has(word)
            and said.negated == piece.negated
            and (not who or who in said.who)
            and (not piece.owned or _OWNED.search(said.text))
            for said in source.said
        ):
            found.append(source)
    return found


def _why_not(word: str, who: str, piece: _Piece, sources: Sequence[SourceText]) -> tuple[str, str]:
    """(rule, reason) for a word that nothing supports."""
    everything = [said for source in sources for said in source.said if said.has(word)]
    if not everything:
        return "ungrounded", f"no source states “{word}”"
    of_person = [said for said in everything if not who or who in said.who]
    if not of_person:
        name = "the user" if who == USER else who.capitalize()
        return "somebody_else", f"“{word}” is not said of {name}"
    if all(said.negated != piece.negated for said in of_person):
        return "opposite", f"the sources say the opposite about “{word}”"
    if piece.owned and not any(_OWNED.search(said.text) for said in of_person):
        return "unowned", f"no source says that anybody has “{word}”"
    return "other_day", f"“{word}” was not said on that day"


def _unsaid_cause(content: str, sources: Sequence[SourceText]) -> str | None:
    """A word that makes a cause of something, and that no source has."""
    said = {word for source in sources for word in words(source.text)}
    return next((word for word in words(content) if word in _CAUSES and word not in said), None)


def _concepts(
    content: str,
    given: Sequence[str],
    support: dict[tuple[str, str], set[str]],
    used: Sequence[SourceText],
) -> list[str]:
    """The concepts that stand in the insight and in its sources; where the model names too few, the
    words that two sources have in common are added, and the people."""
    said = {word for source in used for word in (*words(source.text), *words(source.speaker))}
    stated = set(words(content))
    found: dict[str, str] = {}
    for name in given:
        parts = words(re.sub(r"['’]s\b", "", name))
        grounded = parts and share_found(parts, said) == 1 and share_found(parts, stated) == 1
        if grounded and key_of(name) != USER:
            found.setdefault(key_of(name), " ".join(name.split()))
    shared = _shared_words(support, used)
    people = [who for who, _ in support if who not in ("", USER)]
    for name in [*shared, *(person.capitalize() for person in people)]:
        if len(found) < LEAST_CONCEPTS and not any(name in words(key) for key in found):
            found.setdefault(key_of(name), name)
    return list(found.values())


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _statements(text: str, speaker: str) -> Sequence[Statement]:
    found = []
    for clause in clauses(text):
        if clause.mood not in _STATING:
            continue
        who = _who(clause, speaker)
        said = set(words(f"{clause.plain} {clause.text}"))
        if speaker and _FIRST_PERSON.search(clause.text):
            said.add(speaker)  # "he taught me"
        found.append(Statement(clause.text, frozenset(who), frozenset(said), clause.negated))
    return found


def _who(clause: object, speaker: str) -> set[str]:
    """The people of whom a clause is said: its subject; else whoever speaks, in the first person.
    What is said to somebody ("that boat sounds great, Bo") is said of nobody."""
    plain: str = clause.plain  # type: ignore[attr-defined]
    if _OF_USER.match(plain):
        return {USER}
    subject = subject_of(clause, lexicon(clause.language))  # type: ignore[arg-type, attr-defined]
    if subject is not None and subject.name not in (None, "", USER) and not doing(subject.name):
        return {person_key(subject.name)}
    if subject is not None and subject.name == USER:
        return {speaker} if speaker else set()
    if not speaker:  # told in the third person: whoever is named first
        names = re.match(r"[A-Z][\w'’-]*", plain)
        return {person_key(names.group())} if names else set()
    return {speaker} if _FIRST_PERSON.search(plain) else set()


def _pieces(content: str, sources: Sequence[SourceText]) -> Iterator[_Piece]:
    """The parts of an insight: a new one begins where something is added. The first person in it is
    of whom it is said, or the people ("Ana and Bo"); one who is named after that ("with Bo") is a
    word like others. What has no person of its own is said of the one before."""
    people = _people(sources)
    days = {word for source in sources for word in source.day_words}
    tokens = [
        token.casefold() for token in _TOKEN.findall(re.sub(r"\bthe user\b", "user", content))
    ]
    who: frozenset[str] = frozenset()
    open_head, headed, denied, owned = False, False, False, False
    kept: list[str] = []
    dates: set[str] = set()
    for place, token in enumerate(tokens):
        name = person_key(token)
        if name in people or name == USER:
            if headed and not open_head:
                kept.append(name)
                continue
            who = who | {name} if open_head else frozenset({name})
            open_head, headed = True, True
            continue
        if token in _JOINS and open_head:
            continue
        if token in _BREAKS:
            yield from _piece(who, kept, dates, denied, owned)
            kept, dates, headed, denied, owned = [], set(), False, False, False
            continue
        open_head = False
        denied = denied or token in NEGATIONS
        owned = owned or (token in _HAVING and _is_noun_next(tokens[place + 1 : place + 3]))
        token = _CONTRACTED.sub("", token)
        if token in days and (token in _MONTHS or token.isdigit()):
            dates.add(token)
        elif token not in NEGATIONS and token not in _CONNECTING and content_words(token):
            kept.append(token)
    yield from _piece(who, kept, dates, denied, owned)


def _is_noun_next(following: Sequence[str]) -> bool:
    """Whether what follows "has" is had, and no verb: "a dog", or a last word, "pets"."""
    if not following or following[0] in _DETERMINERS:
        return bool(following)
    alone = len(following) == 1 or following[1] in _BREAKS
    return alone and not following[0].endswith(("ed", "en", "ne"))


def _piece(
    who: frozenset[str], kept: Sequence[str], dates: set[str], denied: bool, owned: bool
) -> Iterator[_Piece]:
    if kept:
        yield _Piece(who, tuple(kept), frozenset(dates), denied, owned)


def _people(sources: Sequence[SourceText]) -> set[str]:
    """The keys of the people that sources speak of."""
    found = {source.speaker for source in sources if source.speaker}
    for source in sources:
        if source.people is not None:
            found |= source.people
            continue
        for said in source.said:
            found |= said.who
    return found


def _sentence(text: str) -> str:
    """The text as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _bearing(content: str) -> list[str]:
    return [word for word in content_words(content) if word not in _CONNECTING]


def _numbers(found: Sequence[str]) -> set[str]:
    return {word for word in found if word in NUMBERS or word[0].isdigit()}


def _denied(content: str) -> set[str]:
    return set(words(content)) & NEGATIONS


def _origins(sources: Sequence[SourceText]) -> int:
    return len({source.origin or source.id for source in sources})


def _no(content: str, rule: str, reason: str, decision: str = "refuse") -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason, content=content)  # type: ignore[arg-type]
