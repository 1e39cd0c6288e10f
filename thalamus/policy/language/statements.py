"""What plain language says plainly: facts and memories found without a model.

Each comes from one clause that states something, with that clause as its quote. What no frame
fits is left to the model; what states nothing holds nothing for either.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thalamus.policy.language.clauses import Clause
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.lexicon import Frame, Lexicon
from thalamus.policy.language.named_in_list import others_of_list
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.relative_clauses import relative_clauses
from thalamus.policy.language.vocabulary.given_names import is_given_name
from thalamus.policy.language.vocabulary.relations import ANIMALS
from thalamus.policy.language.vocabulary.word_classes import is_demonym
from thalamus.text.tokens import content_words, share_found
from thalamus.text.tokens import words as words_of

USER = "user"
LONGEST = 7  # words of an object
OLDEST = 115  # years that somebody may have
LONGEST_ITEM = 5  # words of an object in a list
_MARKS = LazyPattern(r"[\ufffc?!\"“”„«»]")
_JOINED = LazyPattern(r"\s(?:and|or|und|oder|sowie|y|o|e|et|ou|&)\s|&", re.I)
# what may be said of a name that nobody introduced only where it is one of the user's people
_HISTORY = LazyPattern(
    r"\b(?:was born|(?<!has )(?<!used to )lived|died|wrote|painted|composed|invented|discovered|ruled)\b"
)
# that an animal is no more, in the five languages
_DIED = LazyPattern(
    r"\b(?:died|passed\s+away|put\s+(?:\w+\s+){0,4}?(?:down|to\s+sleep)|sa(?:y|id)\s+goodbye\s+to|lost\s+(?:my|our)|"
    r"buried|(?<!have\s)(?<!has\s)had\s+(?:an?|two|three|our)\b|used\s+to\s+have|rainbow\s+bridge|gestorben|eingeschläfert|einschläfern|verstorben|murió|falleció|sacrificar|"
    r"est\s+morte?|avais|avait|avions|tenía|teníamos|tinha|tínhamos|hatte|hatten|décédée?|piquer|euthanasier|morreu|faleceu|eutanasi\w+)\b",
    re.I,
)
_TITLES = frozenset("dr prof professor mr mrs ms miss sir".split())
_FAITHS = frozenset(("christian",))  # which is a given name too
_COUPLES = frozenset("wife husband partner girlfriend boyfriend fiance".split())
_ACQUAINTANCES = frozenset("neighbour colleague boss landlord flatmate teacher doctor".split())
_IS_DEAD = r"(?:died|passed\s+away|verstarb|gestorben|verstorben|murió|falleció|mort|décédé|morreu|faleceu)"
# that a couple has parted, in the five languages
_PARTED = LazyPattern(
    r"\b(?:(?:broke|broken|split|splitting|breaking)\s+up|split\s+(?:with|from)|(?:am|are|have|we|got|I)\s+separated|"
    r"(?:I|we)\s+(?:am\s+|are\s+|got\s+|have\s+)?divorced|(?:I'm|we're)\s+(?:divorced|separated)|divorced\s+my|no\s+longer\s+together|"
    r"dumped\s+(?:me|my)|left\s+me|(?:uns|mich)\b.*\bgetrennt|sind\s+geschieden|schluss\s+gemacht|nicht\s+mehr\s+zusammen|"
    r"(?:nos|me)\s+separ\w+|me\s+divorcié|nos\s+divorciamos|termin[eé]i?\s+(?:com|con)|rompí\s+con|me\s+separei|"
    r"(?:nous\s+sommes|me\s+suis)\s+séparée?s?|avons\s+divorcé|avons\s+rompu|m'a\s+quittée?)\b",
    re.I,
)
# ages that are told in a word
_AGES = {
    word: str(age)
    for age, word in enumerate(
        """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen twenty""".split(),
        start=1,
    )
}
_NEGATED_FRAMES = ("dislikes", "avoids", "allergic_to")


@dataclass(frozen=True)
class Statement:
    """A fact that a clause states: ``over`` when it says that this is no longer so, ``coming`` when
    it announces it, ``loose`` when a model has to agree first."""

    subject: str
    predicate: str
    object: str
    clause: Clause
    over: bool = False
    coming: bool = False
    loose: bool = False


@dataclass(frozen=True)
class Subject:
    """Whom a clause is about. ``name``: "user", a name, or None for somebody without one;
    ``relation``: what a named one is to the user; ``rest``: the clause behind the subject."""

    name: str | None
    rest: str
    relation: str | None = None
    own: bool = False  # the user, or something that is the user's


@dataclass(frozen=True)
class Known:
    """What is known before a message is read. ``names``: of people and things that the user has
    spoken of; ``people``: names by their relation to the user, where there is only one;
    ``things``: nouns, folded, of what the user makes, has or takes part in."""

    names: Sequence[str] = ()
    people: Mapping[str, str] = field(default_factory=dict)
    things: Iterable[str] = ()


def statements(clauses: Sequence[Clause], already: Known | None = None) -> list[Statement]:
    """The facts that the clauses state, in order, each once."""
    already = already or Known()
    found: list[Statement] = []
    known: set[tuple[str, str, str]] = set()
    speaker: str | None = None
    introduced = {name.casefold() for name in (*already.names, *already.people.values())}
    # by relation: "My brother is called Diego. My brother lives in …"
    named: dict[str, str] = dict(already.people)
    things = set(already.things)
    animals: list[Statement] = []
    before: str | None = None  # the relation last spoken of: "we got a cat, he's called Hugo"
    for clause in clauses:
        if not clause.states:
            continue
        words = lexicon(clause.language)
        subject = subject_of(clause, words, speaker, introduced)
        if subject is not None and _is_history(subject, clause, introduced):
            continue
        if subject is not None and subject.name is None and subject.relation in named:
            subject = replace(subject, name=named[subject.relation])
        elif subject is not None and subject.name is None and subject.own and subject.relation:
            subject = replace(subject, name=f"{USER}'s {subject.relation.replace('_', ' ')}")
        if subject is not None and subject.name != USER:
            speaker = subject.name
        animals += _nameless_animal(clause, subject)
        before = _mentioned(clause, subject, words, before)
        stated = [
            *_of_clause(clause, subject, words, before, named),
            *_of_thing(clause, words, things),
        ]
        stated += _of_relatives(clause, words, introduced, named, stated)
        for statement in stated:
            if statement.predicate in words.kin.values():
                introduced.add(statement.object.casefold())
                speaker = statement.object  # "My wife is called Eva. She works at …"
            if statement.subject == USER:
                things.update(own_things(statement.predicate, statement.object, clause.plain))
                named[statement.predicate] = statement.object
            key = (statement.subject, statement.predicate, statement.object.casefold())
            if key not in known:
                known.add(key)
                found.append(statement)
            elif _says_since_when(statement):
                same = (statement.subject, statement.predicate, statement.object, statement.over)
                found = [
                    statement
                    if (one.subject, one.predicate, one.object, one.over) == same
                    and not _says_since_when(one)
                    else one
                    for one in found
                ]
    said = {object for _, _, object in known} | {kin for who, kin, _ in known if who == USER}
    found = [one for one in found if not _is_told_better(one, found)]
    return found + [one for one in animals if one.object not in said][:1]


def own_things(predicate: str, object: str, quote: str = "") -> Iterator[str]:
    """The nouns, folded, by which the user may speak of what a fact says that they make, have or
    take part in: "the greenhouse", "the chess club" or "the club"; "the choir" also where it was
    said by its name. ``quote``: the words of the fact."""
    if predicate not in _OWNING:
        return
    said = _folded(object).split()
    said = said[1:] if said[0] in _ARTICLES else said
    if said:
        yield from {" ".join(said[-2:]), said[-1]}
    if predicate == "member_of" and (named := _GROUP_CALLED.search(quote)):
        yield _folded(named[1])


def _of_thing(clause: Clause, words: Lexicon, things: Container[str]) -> Iterator[Statement]:
    """What a clause says of a thing of the user's without "my": when it is due or takes place."""
    found = _THE_THING.match(clause.plain)
    if found is None or _folded(found["thing"]) not in things:
        return
    mine = replace(clause, plain=f"my {clause.plain[found.start('thing') :]}")
    for statement in _of_clause(mine, None, words):
        if statement.predicate in _OF_THINGS:
            yield replace(statement, clause=clause)


def _says_since_when(one: Statement) -> bool:
    """Whether a statement of a home has its year: "I live in Galway, I moved here in 2019"."""
    return one.predicate == "lives_in" and _YEAR.search(one.clause.text) is not None


_YEAR = LazyPattern(r"\b(?:19|20)\d\d\b")


def _is_told_better(one: Statement, found: Sequence[Statement]) -> bool:
    """Whether other facts of a message say more than this one: who the "two cats" or the brother
    are that somebody has, that the exam is to come, where somebody sings, why nuts are avoided, that
    what is planned is being done."""
    if one.predicate == "practises":
        return " " not in one.object and any(
            other.predicate in ("member_of", "sings") and other.clause is one.clause
            for other in found
        )
    if one.predicate == "avoids":
        return any(
            other.predicate == "allergic_to"
            and (other.subject, other.object) == (one.subject, one.object)
            for other in found
        )
    if one.predicate == "plans_to":  # "I am restoring a boat, it has to be ready by June"
        return any(
            other.predicate == "current_project"
            and other.clause is one.clause
            and one.object.endswith(other.object)
            for other in found
        )
    if one.predicate not in ("has", "owns"):
        return False
    relation = lexicon(one.clause.language).kin.get(_folded(one.object))
    return (
        any(
            (other.subject, other.object) == (one.subject, one.object)
            and other.predicate == "plans_to"
            for other in found
        )
        or any(
            other.predicate == relation
            and other.subject == one.subject
            and other.clause is one.clause
            for other in found
        )
        or counts_named(one.object, one.clause.language, found)
    )


def counts_named(object: str, language: str, found: Sequence[Statement]) -> bool:
    """Whether an object only counts those whom facts name: "two cats" of "I have two cats, Miso and
    Pepper"."""
    said = _folded(object).split()
    if len(said) < 2 or not (said[0].isdigit() or said[0] in _NUMBERS):
        return False
    noun = said[-1]
    relations = {of for word, of in lexicon(language).kin.items() if _plural(noun, word)}
    return any(other.predicate in relations for other in found)


def _plural(noun: str, word: str) -> bool:
    """Whether a noun may be the plural of a word: cats, Katzen, gatos."""
    return len(word) > 2 and noun.startswith(word) and len(noun) - len(word) <= 3


_NUMBERS = frozenset(
    """two three four five six seven eight zwei drei vier fünf sechs sieben acht deux trois quatre cinq
    sept huit dos tres cuatro cinco seis siete ocho dois duas três quatro sete oito""".split()
)
# what somebody may speak of as "the greenhouse" or "the choir"
_OWNING = frozenset(
    "current_project owns has member_of plans_to practises studies learns has_goal plays".split()
)
_GROUP_CALLED = LazyPattern(
    r"\b(choir|band|orchestra|quartet|club|team|league|troupe|society|ensemble)\s+(?:called|named)\b",
    re.I,
)
_OF_THINGS = frozenset(("due_on", "meets_on"))
_ARTICLES = frozenset(("a", "an", "the", "my", "our"))
_THE_THING = LazyPattern(
    r"(?i:the)\s+(?P<thing>[a-z][\w-]*(?:\s+(?!(?:is|has|must|needs?|will|meets?|rehearses?|practi[sc]es?|trains?|takes)\b)[a-z][\w-]*)?)"
    r"(?=\s+(?:is|are|has|have|must|needs?|meets?|rehearses?|practi[sc]es?|trains?|takes|runs|happens|gathers|always|usually)\b)"
)


def _is_history(subject: Subject, clause: Clause, introduced: set[str]) -> bool:
    """Whether a clause is general knowledge about somebody: of a full name that nobody
    introduced, or of one that lived."""
    name = subject.name
    if (
        name is None
        or name == USER
        or name.startswith(f"{USER}'s ")
        or subject.own
        or name.casefold() in introduced
    ):
        return False
    if any(part.casefold() in introduced for part in name.split()):
        return False
    if re.search(r"\bmy\b", clause.plain):
        return False  # "Chinua Achebe is my favourite writer"
    if _folded(name.split()[0]) in lexicon(clause.language).kin:
        return False  # "Aunt Philippa"
    return " " in name or _HISTORY.search(clause.plain) is not None


def subject_of(
    clause: Clause, words: Lexicon, before: str | None = None, known: Container[str] = ()
) -> Subject | None:
    """Whom a clause is about; ``before`` is whom "he" or "she" may mean. ``known``: names, folded,
    which are names even if they are ordinary words ("Grace has a dog")."""
    found = words.subject.match(clause.plain)
    if found is None:
        return None
    groups = found.groupdict()
    rest = groups["rest"] or ""
    if groups.get("me"):
        return Subject(USER, rest, own=True)
    if groups.get("kin"):
        relation = words.kin.get(_folded(groups["kin"]))
        return Subject(groups.get("kin_name"), rest, relation, own=True)
    if groups.get("name"):
        first = clause.plain.startswith(groups["name"])
        if first and groups["name"].casefold() not in known and words.ordinary(groups["name"]):
            return None
        role = groups.get("role")
        relation = words.kin.get(_folded(role)) if role else None
        return Subject(groups["name"], rest, relation, own=role is not None)
    return Subject(before, rest)


def _mentioned(
    clause: Clause, subject: Subject | None, words: Lexicon, before: str | None
) -> str | None:
    """The user's relation that a clause speaks of last, else the one ``before`` it. The baby that a
    sister had is not one, nor the friend whose dog it speaks of."""
    mentions = list(words.mentions.finditer(clause.plain))
    if any(words.owners.search(clause.plain[: one.start()]) for one in mentions):
        return None  # "a friend with a dog": "he" may be either
    found = [words.kin.get(_folded(one["kin"])) for one in mentions]
    if subject is None or subject.name == USER:
        return found[-1] if found else before
    if not found:
        return before
    return subject.relation if set(found) == {subject.relation} else None


def _related(clause: Clause, words: Lexicon) -> Iterator[Statement]:
    """Whom a clause names as one of the user's people or animals, or as one of theirs."""
    for pattern in words.relations:
        for related in pattern.finditer(clause.plain):
            relation = words.kin.get(_folded(related["kin"]))
            name = related["object"].split("'s")[0].strip()
            if "given" in related.groupdict() and not _is_name(name):
                continue  # "my boss is Scottish"
            if relation and _MARKS.search(name) is None:
                over = _is_gone(relation, clause) or _has_died(name, relation, clause)
                owner = words.kin.get(_folded(related.groupdict().get("owner") or ""))
                whose = f"{USER}'s {owner.replace('_', ' ')}" if owner else USER
                yield Statement(whose, relation, name, clause, over=over)


def _of_relatives(
    clause: Clause,
    words: Lexicon,
    introduced: Container[str],
    named: Mapping[str, str],
    stated: Sequence[Statement],
) -> Iterator[Statement]:
    """What the relative clauses of a clause say of those who are known, or whom it introduces."""
    people = {one.object.casefold() for one in stated if one.predicate in words.kin.values()}
    for relative in relative_clauses(clause):
        subject = subject_of(relative, words, known=people)
        if subject is None or subject.name == USER:
            continue
        if subject.name is None and subject.relation is not None:
            own = f"{USER}'s {subject.relation.replace('_', ' ')}"
            subject = replace(subject, name=named.get(subject.relation, own))
        name = (subject.name or "").casefold()
        if subject.relation is None and name not in people and name not in introduced:
            continue
        for statement in _of_clause(relative, subject, words, None, named):
            if statement.predicate not in words.kin.values():
                yield statement


def _is_name(name: str) -> bool:
    """Whether "my boss is X" says what the boss is called, and no faith or nation."""
    first, *rest = name.split()
    if rest and first.casefold().rstrip(".") in _TITLES:
        return True  # "my supervisor is Dr Helen Marsh"
    return is_given_name(first) and first.casefold() not in _FAITHS and not is_demonym(first)


def _of_clause(
    clause: Clause,
    subject: Subject | None,
    words: Lexicon,
    before: str | None = None,
    named: Mapping[str, str] | None = None,
) -> Iterator[Statement]:
    yield from _related(clause, words)
    taken: set[str] = set()
    said: list[str] = []
    for frame in words.frames:
        if frame.coming and clause.tense != "coming":
            continue
        who, text, where = _place(frame, subject, clause)
        found = frame.pattern.search(text) if where else frame.pattern.match(text)
        if found is None or who is None:
            continue
        if before is None and "{before}" in frame.predicate:
            continue
        predicate = _predicate(frame, found, words, before)
        who = _of_whom(who, predicate, found, words, named or {})
        denied = _denied(frame, text[found.start("object") if where else 0 : found.end()], words)
        if who is None or denied:
            continue
        if any(_excludes(predicate, other) for other in taken):
            continue
        objects = list(_objects(frame, found["object"], words))
        if frame.loose:
            objects = [item for item in objects if not _is_said(item, said)]
        if objects:
            taken.add(predicate)
        said += objects
        for item in objects:
            over = frame.over or _is_gone(predicate, clause)
            called = frame.called
            what = called.format(item) if isinstance(called, str) else called(item)
            what = words.activity(what) if predicate == "practises" else what
            whose, what = _of_relative(who, what, clause, words, named or {})
            yield Statement(whose, predicate, what, clause, over, frame.coming, frame.loose)
            if frame.predicate == "{kin}":
                for relation, name in others_of_list(clause.plain, what, words.kin):
                    gone = frame.over or _is_gone(relation, clause)
                    yield Statement(whose, relation, name, clause, gone, frame.coming)


def _of_whom(
    who: str, predicate: str, found: re.Match[str], words: Lexicon, named: Mapping[str, str]
) -> str | None:
    """Whom a fact is about: ``who``, or a thing or a person of theirs that the frame names; None
    for a stranger."""
    groups = found.groupdict()
    if groups.get("own"):
        return f"{USER}'s {_folded(groups['own'])}"
    who = _whose(found, words, named) or who
    if who != USER or predicate not in words.kin.values():
        return who
    begin = found.start("kin" if groups.get("kin") else "object")
    return _owner(found.string[:begin], words, named)


def _owner(before: str, words: Lexicon, named: Mapping[str, str]) -> str | None:
    """Whose an animal or a relative is, by what stands before it: the user's, or the neighbour's of
    "I met my neighbour who has a cat called Tom"; None for a stranger's, of "a friend with"."""
    found = words.owners.search(before)
    if found is None:
        return USER
    relation = words.kin.get(_folded(found["kin"] or ""))
    if not found["mine"] or relation is None:
        return None
    return found["name"] or _called(relation, named)


def _of_relative(
    who: str, what: str, clause: Clause, words: Lexicon, named: Mapping[str, str]
) -> tuple[str, str]:
    """Whose a thing is, and the thing: the mother's, of "my mum's car is at the garage"."""
    found = _RELATIVES.match(clause.plain) if who == USER else None
    relation = words.kin.get(_folded(found["kin"])) if found is not None else None
    if found is None or relation is None or not what.startswith(f"{found['kin']}'s "):
        return who, what
    return _called(relation, named), what[len(found["kin"]) + 3 :]


_RELATIVES = LazyPattern(r"(?:my|our)\s+(?P<kin>[\w-]+)'s\s", re.I)


def _called(relation: str, named: Mapping[str, str]) -> str:
    """The name of the one of the user's people, or what they are to the user."""
    return named.get(relation) or f"{USER}'s {relation.replace('_', ' ')}"


def _whose(found: re.Match[str], words: Lexicon, named: Mapping[str, str]) -> str | None:
    """The one of the user's people whom a frame names as the owner: "l'anniversaire de ma mère"."""
    groups = found.groupdict()
    if not groups.get("whose"):
        return None
    said = _folded(groups["whose"])
    relation = words.kin.get(said) or words.kin.get(said.removesuffix("s"))
    if relation is None:
        return None
    return groups.get("whose_name") or _called(relation, named)


def _nameless_animal(clause: Clause, subject: Subject | None) -> Iterator[Statement]:
    """That the user has the animal of which a clause says something: "my cat is 16"."""
    if subject is not None and subject.own and subject.relation in ANIMALS:
        animal = subject.relation
        if subject.name == f"{USER}'s {animal}" and not clause.negated:
            yield Statement(USER, "has", animal, clause, over=_is_gone(animal, clause))


def _is_gone(relation: str, clause: Clause) -> bool:
    """Whether a clause says of an animal that it is no more, or of a couple that they parted."""
    if relation in _COUPLES:
        return _PARTED.search(clause.sentence) is not None
    return relation in ANIMALS and _DIED.search(clause.plain) is not None


def _has_died(name: str, relation: str, clause: Clause) -> bool:
    """Whether a clause says that a neighbour or colleague died: nobody has one who is dead, while
    a grandmother remains one."""
    died = rf"{re.escape(name)}\s+(?:(?:has|is|ist|est|sadly|just)\s+)*{_IS_DEAD}"
    return relation in _ACQUAINTANCES and re.search(died, clause.plain) is not None


def _is_said(object: str, said: Sequence[str]) -> bool:
    """Whether another frame made a fact of these words already."""
    return any(share_found(content_words(object), words_of(other)) > 0 for other in said)


def _place(frame: Frame, subject: Subject | None, clause: Clause) -> tuple[str | None, str, bool]:
    """Whom a frame is about, the text that it reads, and whether it may begin anywhere there."""
    if frame.whole:
        return USER, clause.plain, True
    if subject is None or (frame.mine and subject.name != USER):
        return None, "", False
    return subject.name, subject.rest, False


def _excludes(one: str, other: str) -> bool:
    """Whether a clause that was read one way is not to be read the other way as well."""
    liking = {"likes", "dislikes", "prefers", "avoids"}
    dated = ("works_at", "works_as", "lives_in", "studies_at", "wedding_on")
    if one == "practises" and other == "takes":
        return True  # "I take blood pressure tablets every morning"
    if one == "drives" and other == "works_as":
        return True  # "I drive a city bus" is the trade
    if one == "plans_to" and other in dated:
        return True  # "from May I will be working at …" is dated, a plan is not
    return one == other or (one in liking and other in liking)


def _denied(frame: Frame, said: str, words: Lexicon) -> bool:
    if frame.over or frame.predicate in _NEGATED_FRAMES:
        return False
    return words.negates.search(said) is not None


def _predicate(
    frame: Frame, found: re.Match[str], words: Lexicon, before: str | None = None
) -> str:
    groups = found.groupdict()
    kin = words.kin.get(_folded(groups["kin"]), "") if groups.get("kin") else ""
    noun = _folded(groups["noun"]) if groups.get("noun") else ""
    return frame.predicate.format(kin=kin, noun=noun.replace(" ", "_"), before=before)


def _objects(frame: Frame, text: str, words: Lexicon) -> Iterator[str]:
    items = _items(text, words) if frame.several else [text]
    longest = LONGEST_ITEM if len(items) > 1 else LONGEST
    if frame.predicate == "age" and text.isdigit() and int(text) > OLDEST:
        return
    for item in items:
        cleaned = clean(item, words)
        if not cleaned or _MARKS.search(cleaned) or len(cleaned.split()) > longest:
            continue
        empty = cleaned.split()[0].casefold() in words.not_objects
        if empty and len(cleaned.split()) < 3 and frame.predicate != "practises":
            continue
        if frame.fits is None or frame.fits(cleaned):
            yield _AGES.get(cleaned.casefold(), cleaned) if frame.predicate == "age" else cleaned


def _items(text: str, words: Lexicon) -> list[str]:
    """What a list names. "the taste of spinach and artichokes" is one thing, and of "helping people
    and making it better" only the first can stand alone."""
    items = words.lists.split(text)
    if len(items) < 2:
        return items
    if not _JOINED.search(text):
        return items[:1]  # "I like tea, sorry": a comma alone makes no list
    if _HELD_TOGETHER.search(items[0]):
        return [text] if len(text.split()) <= LONGEST else []
    return [item for item in items if item is items[0] or _LEANING.search(item) is None]


# one thing of several parts, in the words of the five languages
_HELD_TOGETHER = LazyPattern(
    r"\b(?:of|between|both|von|zwischen|entre|mezcla|mélange|mistura|combina\w+|mix\w*)\b", re.I
)
_LEANING = LazyPattern(
    r"\b(?:it|them|that|this|how|you|what|is|are|was|were|has|have|can|will)\b", re.I
)


def clean(object: str, words: Lexicon) -> str:
    """An object without articles and without what only follows it ("a lot", "these days")."""
    text = object.strip(" ,.;:-")
    before = None
    while before != text:
        before = text
        text = words.tail.sub("", words.articles.sub("", text)).strip(" ,.;:-")
    return text


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
