"""A message read by the grammar: its clauses, what they state, and what is worth remembering."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from thalamus.policy.language.clauses import Clause, clauses
from thalamus.policy.language.languages import detect, in_unknown_language, lexicon
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.persona import PersonaStatement, persona_statements
from thalamus.policy.language.statements import (
    USER,
    Known,
    Statement,
    statements,
    subject_of,
)
from thalamus.policy.language.third_person import quoted, remembered
from thalamus.policy.language.topic_words import is_topic, telling, topic_words, without_code
from thalamus.records import Importance
from thalamus.text.tokens import content_words, words

FRAGMENT = 4  # words of a clause that says too little without the one before it ("but I stopped")
FEWEST = 3  # words of a clause that says something


@dataclass(frozen=True)
class Remembered:
    """A sentence to remember, of what kind it is, and the clause that it came from."""

    content: str
    clause: Clause
    type: str
    importance: Importance
    topic: str | None = None


@dataclass(frozen=True)
class Reading:
    """What the grammar found in a message. ``loose``: what may be a fact, if a model agrees. ``open``: the clauses that state something of which no
    frame made a fact: a model may find one there. ``unread``: it is in none of the languages that
    the grammar knows."""

    clauses: Sequence[Clause]
    statements: Sequence[Statement] = ()
    loose: Sequence[Statement] = ()
    memories: Sequence[Remembered] = ()
    open: Sequence[Clause] = field(default=())
    unread: bool = False

    @property
    def states(self) -> bool:
        """Whether anything in it is stated at all."""
        return any(clause.states for clause in self.clauses)


def read(message: str, known: Sequence[str] | Known = ()) -> Reading:
    """Reads a message. ``known``: what is known already, or only the names; of others than those
    and the user's own nothing is remembered."""
    known = known if isinstance(known, Known) else Known(known)
    found = clauses(message)
    about = persona_statements(message)
    told = {clause for one in about for clause in one.clauses}
    if in_unknown_language(message) and not about:
        return Reading(found, unread=True)
    found = [clause for clause in found if clause not in told]
    every = statements(found, known)
    stated = [item for item in every if not item.loose]
    memories = _memories(found, stated, known)
    understood = {id(item.clause) for item in stated}
    kept = {id(item.clause) for item in memories}
    rest = [one for one in found if id(one) in kept and id(one) not in understood]
    loose = [item for item in every if item.loose]
    return Reading(found, stated, loose, [*_of_assistant(about), *memories], rest)


def stated_object(text: str, predicate: str) -> str | None:
    """The object that a text states of the user for a predicate, "9 May" of "my birthday is 9 May";
    None where it states none, such as the bare value."""
    found = [one for one in read(text).statements if one.predicate == predicate]
    return found[0].object if len(found) == 1 else None


def _of_assistant(about: Sequence[PersonaStatement]) -> list[Remembered]:
    """What the user tells the assistant about itself, each once."""
    made = {
        one.content: Remembered(one.content, _whole(one.clauses), one.type, "high", "assistant")
        for one in about
    }
    return list(made.values())


def _whole(said: Sequence[Clause]) -> Clause:
    """Clauses of one sentence as one, with the words of the sentence."""
    return said[0] if len(said) == 1 else replace(said[0], text=said[0].sentence)


def _memories(
    found: Sequence[Clause], stated: Sequence[Statement], known: Known
) -> list[Remembered]:
    made: list[Remembered] = []
    named = {name.casefold() for name in known.names} | {
        item.object.casefold() for item in stated if item.subject == USER
    }
    before: Clause | None = None
    factual = {id(item.clause) for item in stated}
    for clause in found:
        short = len(clause.plain.split()) < FEWEST and id(clause) not in factual
        if not clause.states or short or not _says_something(clause):
            before = None
            continue
        if clause.follows and id(clause) not in factual:
            continue
        if _OF_IT.match(clause.plain):
            if made and before is not None:
                made[-1] = _and_so(made[-1], clause)
            continue  # "I hate it" says nothing without what it is
        goes_on = before is not None and made and _goes_on(clause)
        if _of_the_user(clause, named) or (id(clause) in factual and not goes_on):
            kind, importance = kind_of(clause.plain)
            content = remembered(clause)
            short = len(clause.plain.split()) <= FRAGMENT and id(clause) not in factual
            leans = short or (clause.carried and clause.language != "en")
            if leans and made and before is not None and before.sentence == clause.sentence:
                made[-1] = _and_so(made[-1], clause)
            else:
                made.append(Remembered(content, clause, kind, importance, _topic(clause)))
            before = clause
        elif goes_on:
            made[-1] = _and_so(made[-1], clause)
    return made


def _and_so(last: Remembered, clause: Clause) -> Remembered:
    """A memory with the clause that goes on with it: in one quotation where it is one."""
    if clause.language == "en" or clause.sentence != last.clause.sentence:
        return replace(last, content=f"{last.content} {remembered(clause)}")
    return replace(last, content=quoted(last.clause, clause))


def _says_something(clause: Clause) -> bool:
    return bool(content_words(clause.plain)) and not _EMPTY.match(clause.plain)


def _of_the_user(clause: Clause, named: set[str]) -> bool:
    """Whether a clause is about the user, or about someone or something of the user's."""
    words = lexicon(clause.language)
    if clause.remember or words.first_person.search(clause.plain):
        return True
    if words.duties.match(clause.plain):
        return True
    owner = _OWNER.match(clause.plain) if clause.language == "en" else None
    if owner is not None and owner["name"].casefold() in named:
        return True
    subject = subject_of(clause, words, known=named)
    if subject is None or subject.name is None:
        return False
    return subject.own or any(
        part.casefold() in named for part in (subject.name, *subject.name.split())
    )


def _goes_on(clause: Clause) -> bool:
    return _PRONOUN.match(clause.plain) is not None


_PRONOUN = LazyPattern(
    r"(?:it|she|he|they|her|his|their|its|sie|er|es|ihr|sein|elle|il|ella|él|ela|ele|the)\b", re.I
)
# "Tone's favourite colour is green"; but "Tone's right" says that she is
_OWNER = LazyPattern(
    r"(?P<name>(?-i:[A-Z])[\w-]+)'s\s+(?:[\w-]+\s+){1,3}?(?:is|are|was|were|has|have|lives?|works?|plays?|"
    r"likes?|loves?|hates?|teaches|studies|speaks|starts|turns|moved|died|got|needs|wants)\s+\w",
    re.I,
)
_EMPTY = LazyPattern(
    r"^(?:I|we)\s+(?:am|do|did|have|had|was|will|can|think|guess|see|know|mean|say|said)(?:\s+(?:so|not|too|it|that|this|well))*$"
    # what only a pronoun stands for is remembered by nobody; for "I hate it" see _OF_IT
    r"|^(?:I|we)\s+(?:never\s+|just\s+|used\s+to\s+|have\s+|had\s+)?(?!love|hate)\w+\s+(?:it|that|this|them|the\s+thing)"
    r"(?:\s+(?:unbearable|boring|annoying|great|nice|again|all(?:\s+the\s+time)?|already|a\s+lot|often|too|once|every\s+\w+))?$"
    r"|^(?:I|we)\s+(?:have\s+had|had|have)\s+enough\s+of\s+(?:it|that|this|them|those|these)\b.*"
    r"|^before\s+(?:we|I)\s+(?:start|begin|go\s+on)$|^between\s+(?:us|ourselves|you\s+and\s+(?:me|I))$",
    re.I,
)
_OF_IT = LazyPattern(
    r"^(?:I|we)\s+(?:\w+ly\s+|(?:do|did)\s+not\s+|cannot\s+|could\s+not\s+|have\s+|always\s+|never\s+|still\s+|so\s+|would\s+)*"
    r"(?:love|hate|like|enjoy|stand|dislike|adore|prefer|loathe|detest|bear|miss|regret|want|need)e?d?\s+"
    r"(?:it|that|this|them|those|these|one|him|her)(?:\s+(?:so\s+(?:much|badly)|very\s+much|a\s+lot|more|most|too|now|already|any\s?more|at\s+all))*$",
    re.I,
)
_KIN = (
    r"wife|husband|son|daughter|friend|best friend|brother|sister|mother|father|mom|mum|dad|kids?|"
    r"children|partner|girlfriend|boyfriend|boss|colleague|neighbou?r|uncle|aunt|cousin|niece|"
    r"nephew|grandm\w+|grandf\w+|grandpa|dogs?|cats?|horse|parrot|frau|mann|tochter|sohn|schwester|"
    r"bruder|mutter|vater|hund|katze|mujer|esposa|marido|hij[oa]|herman[oa]|madre|padre|perro|gat[oa]|"
    r"femme|mari|fille|fils|s[oœ]e?ur|fr[eè]re|m[eè]re|p[eè]re|chien|chat|mulher|filh[oa]|irm[aãã]o?|"
    r"m[aã]e|pai|c[aã]o|cachorro"
)
_ADVERB = r"(?:(?:really|also|just|usually|often|still|currently|always|never|now|mostly)\s+)*"
# The first that fits names a memory's type.
_TYPES = [
    (kind, importance, LazyPattern(pattern, re.I))
    for kind, importance, pattern in (
        ("relationship", "high", rf"^(?:my|our|mein\w*|mis?|mon|ma|meu|minha|a minha|o meu)\s+(?:\w+\s+)?(?:{_KIN})\b"
                                 rf"|\b(?:I|we)\s+have\s+an?\s+(?:{_KIN})\b"),
        ("preference", "medium", r"\bfavou?rite\b|lieblings|\bfavorit[oa]\b|\bpréférée?\b"),
        ("goal", "medium", r"\bI(?:'ll|'d like to| would like to| want| plan| hope| will| need)\b"),
        ("goal", "medium", r"\b(?:I|we)(?:'m| am| are) (?:going|planning|hoping) to\b"),
        ("goal", "medium", r"\b(?:is|are) due (?:back |in )?(?:on|by|before|at|the|next|tomorrow|\d)"
                           r"|\b(?:(?:has|have|needs?) to|must) be (?:ready|finished|done|in|handed|submitted|paid|sent|returned|renewed|repaired|fixed|booked|filed|printed|signed|ordered|posted|sold|delivered)\b.*\b(?:by|on|before|in|until)\b"),
        ("project", "medium", r"\b(?:I|we)\b.{0,24}\b(?:working on|building|writing|developing)\b"),
        ("user_identity", "high", r"\bmy (?:name|birthday|age|job|address|e-?mail)\b|\bcall me\b"
                                  r"|\b(?:ich heiße|mein name|me llamo|mi nombre|je m'appelle|(?:eu )?chamo-me|me chamo|meu nome)\b"),
        ("user_identity", "high", rf"\bI(?:'m| am| was) {_ADVERB}(?:an?|from|born|called|allergic|\d+)\b"),
        ("user_identity", "high", rf"\b(?:I|I'm|I am|we) {_ADVERB}(?:live|living|work|working)\b"
                                  r"|\b(?:ich wohne|ich arbeite|ich lebe|vivo|trabajo|j'habite|je travaille|moro|trabalho|vivimos|wir wohnen)\b"),
        ("preference", "medium", r"\b(?:I|we)\b.{0,24}\b(?:like|love|prefer|hate|enjoy|dislike|stand)\b"
                                 r"|\b(?:ich mag|ich liebe|ich hasse|gerne?|me gustan?|odio|prefiero|j'aime|je déteste|je préfère|gosto|adoro|detesto|prefiro)\b"),
        ("event", "medium", r"\b(?:I|we)(?:'ve| have)? ?\b.{0,12}\b(?:moved|bought|went|met|visited|sold|"
                            r"started|finished|got|saw|won|lost|left|married|joined|quit)\b"),
    )
]  # fmt: skip
_TOPICS = {"relationship": "people", "user_identity": "identity", "goal": "plans"}
_CALENDAR = set(
    "January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday I".split()
)


def kind_of(text: str) -> tuple[str, Importance]:
    """The type of a memory and how important it is, by the words of its clause."""
    for kind, importance, pattern in _TYPES:
        if pattern.search(text):
            return kind, importance  # type: ignore[return-value]
    return "observation", "low"


def _topic(clause: Clause) -> str | None:
    kind = kind_of(clause.plain)[0]
    if kind in _TOPICS:
        return _TOPICS[kind]
    text = without_code(clause.plain)
    names = re.findall(r"(?<![.!?]\s)(?<!^)(?<![\w'])[A-Z][\w-]+", text)
    names = [name for name in names if is_topic(name)]
    about = _ABOUT.match(text) if clause.language == "en" else None
    left = topic_words(about["thing"]) if about is not None else []
    left = left or topic_words(_BESIDES.sub("", text)) or topic_words(text)
    return (names[0] if names else telling(left)).lower() if names or left else None


# when, where and with whom something is done is not what it is about: "I bake after school"
_BESIDES = LazyPattern(
    r"\s(?:after|before|during|until|till|since|with|at|from|near|outside|behind|next\s+to|while|than|instead\s+of|because\s+of)"
    r"(?:\s+(?!(?:to|in|on|for|of|and|about)\b)[\w'-]+)+",
    re.I,
)
# "the school concert is at eight" is about the concert
_ABOUT = LazyPattern(
    r"(?:my|our|the)\s+(?P<thing>(?:[\w-]+\s+){0,3}?[\w-]+)\s+(?:is|are|was|were|has|have|had|will|must|needs?|ends?|starts?|"
    r"begins?|expires?|meets?|rehearses?|leaves?|arrives?|takes?|opens?|closes?|costs?|hurts?|broke|died)\b",
    re.I,
)


def names_in(message: str) -> list[str]:
    """The words of a message that may be names, each once."""
    found = re.findall(r"\b[^\W\d_a-z][\w-]+(?:\s+[^\W\d_a-z][\w-]+)*", message)
    singles = [part for name in found for part in (name, *name.split())]
    return [name for name in dict.fromkeys(singles) if name not in _CALENDAR][:20]


def relations_in(message: str) -> set[str]:
    """The user's relations that a message speaks of: partner, sister, dog."""
    kin = lexicon(detect(message).code).kin
    said = {part for word in words(message) for part in (word, word.removesuffix("'s"))}
    return {kin[word] for word in said if word in kin}


def insisted(clause: Clause) -> Remembered:
    """A clause to remember that says nothing of the user, because the user came back to it."""
    kind, importance = kind_of(clause.plain)
    return Remembered(remembered(clause), clause, kind, importance, _topic(clause))


def asks_for_value(answer: str) -> bool:
    """Whether an answer ends by asking for a number, a time or a name, which the next message may
    be."""
    last = answer.rstrip().rpartition("\n")[2]
    return last.endswith("?") and _VALUE.search(re.split(r"[.!]\s", last)[-1]) is not None


_VALUE = LazyPattern(
    r"\b(?:how\s+(?:old|many|much|long)|when|which|what(?:'s|\s+is|\s+time|\s+day|\s+year)|who|wie\s+(?:alt|viele?|lange|heißt)|wann|welche\w*|"
    r"cuánt\w+|cuándo|cuál|qué|combien|quel\w*|quand|quant\w+|quando|qual)\b",
    re.I,
)


def leans_on_answer(message: str) -> bool:
    """Whether a message says nothing without what the assistant said before it ("yes, that one")."""
    return len(message.split()) <= 8 and _LEANS.match(message.strip()) is not None


_LEANS = LazyPattern(
    r"(?:(?:yes|yep|yeah|ok|okay|sure|exactly|right|ja|genau|sí|oui|sim)\b[,.! ]*)*"
    r"(?:(?:let's\s+(?:take|do|go\s+with)|I(?:'ll)?\s+(?:take|prefer|like|want|choose)|go\s+with|make\s+it)\s+)?"
    r"(?:that|this|the\s+(?:first|second|third|last|former|latter|other)|both|neither|the\s+\w+\s+one|"
    r"das|den|die\s+erste|ese|esa|celui|celle|esse|essa)\b",
    re.I,
)
