"""Is what a model wants to remember really in the turn?

Small models invent, turn likings round, take somebody else's dog for the user's, and hand back as
news what was just recalled to them. So a proposal is checked against the clauses of the message: a
memory is kept only when all its content words stand in what the message states, a fact only when
subject, predicate and object stand in one clause of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from thalamus.policy.entities import subject_name
from thalamus.policy.language.clauses import Clause, clauses
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.statements import USER, statements, subject_of
from thalamus.policy.negation import negated
from thalamus.records import Verdict
from thalamus.text.tokens import content_words, sentences, share_found, words

ENOUGH_IN_ANSWER = 0.8  # the same for what only the whole exchange supports
RECALLED = 0.8  # share of a memory's words in one piece of evidence that makes it no news
ANSWER_TRUST = 0.5  # trust of what rests on the assistant's words

# How the user is spoken of in a memory; these words need no support
_FRAME = frozenset("user users user's assistant person people someone currently called".split())
_PEOPLE = frozenset("user users user's assistant".split())
_SPECIFIC = re.compile(r"\d[\d.,:/-]*\d|\d|\b[A-Z][\w'’-]*")


@dataclass(frozen=True)
class TurnText:
    """What was said in a turn: the message, the answer as far as it counts, and the texts that had
    been recalled for it."""

    message: str
    answer: str = ""
    evidence: Sequence[str] = ()

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """The message as clauses, each with what it does."""
        return clauses(self.message)


def judge(content: str, grounds: TurnText) -> tuple[Verdict, float]:
    """The verdict on a memory's content and the trust it deserves (0 when refused).

    All of its content words must stand in what the message states; a "not" must be in both or in
    neither; and what is said of "the user" must be said in the first person.
    """
    wanted = sorted(_bearing_words(content))
    if not wanted:
        return _refuse(content, "empty", "it says nothing in particular"), 0.0
    if share_found(wanted, words(grounds.message)) == 1.0:
        problem = _memory_problem(content, wanted, grounds.clauses)
        if problem is not None:
            return _refuse(content, *problem), 0.0
        return Verdict(decision="add", rule="grounded", reason="the user said so"), 1.0
    recalled = max((share_found(wanted, words(text)) for text in grounds.evidence), default=0.0)
    if recalled >= RECALLED:
        return _refuse(content, "recalled", "it was recalled for this turn, so it is not new"), 0.0
    strange = [name for name in specifics(content) if not _stands_in(name, _said(grounds))]
    if strange:
        return _refuse(content, "invented", f"“{strange[0]}” is not in the turn"), 0.0
    if grounds.answer and share_found(wanted, words(_said(grounds))) >= ENOUGH_IN_ANSWER:
        if not _PEOPLE.intersection(words(content)):
            return _refuse(content, "echo", "it only repeats the answer"), 0.0
        reason = "it is based on the assistant's answer"
        return Verdict(decision="add", rule="answered", reason=reason), ANSWER_TRUST
    return _refuse(content, "ungrounded", "its words are not in the turn"), 0.0


def _memory_problem(
    content: str, wanted: Sequence[str], clauses: Sequence[Clause]
) -> tuple[str, str] | None:
    """(rule, reason) by which a memory is refused although all its words stand in the message."""
    stating = [clause for clause in clauses if clause.states]
    if not stating:
        return _unstated(clauses)
    said = " ".join(f"{clause.text} {clause.plain}" for clause in stating)
    if share_found(wanted, words(said)) < 1.0:
        return "not_stated", "the message does not state it"
    best = max(stating, key=lambda clause: share_found(wanted, words(clause.plain)))
    if negated(content) != any(clause.negated for clause in _about(wanted, stating, best)):
        return "opposite", "the message says the opposite"
    if _USER_DOES.match(content) and not _by_user(best):
        return "somebody_else", "the message says it of somebody else"
    return None


def _about(wanted: Sequence[str], stating: Sequence[Clause], best: Clause) -> list[Clause]:
    """The clauses that a memory is taken from: the best one, and others that add words to it."""
    missing = [word for word in wanted if share_found([word], words(best.plain)) < 1]
    return [
        clause
        for clause in stating
        if clause is best or (missing and share_found(missing, words(clause.plain)) > 0)
    ]


def _unstated(clauses: Sequence[Clause]) -> tuple[str, str]:
    moods = [clause.mood for clause in clauses]
    if not moods or all(mood == "asks" for mood in moods):
        return "question", "the message only asks"
    reasons = {
        "requests": "the message asks for something",
        "supposes": "the message only supposes it",
        "quotes": "somebody else's words are quoted",
        "jokes": "it was said in jest",
        "taken_back": "the user takes it back",
    }
    found = next((mood for mood in moods if mood in reasons), None)
    return "not_stated", reasons[found] if found else "the message states nothing that lasts"


def _by_user(clause: Clause) -> bool:
    subject = subject_of(clause, lexicon(clause.language))
    return subject is None or subject.name == USER or (subject.own and subject.relation is None)


def within(one: str, other: str) -> bool:
    """Whether ``other`` has all the words of ``one``, and denies as much."""
    return share_found(sorted(_bearing_words(one)), words(other)) == 1.0


def clause_of(subject: str, object: str, clauses: Sequence[Clause]) -> Clause | None:
    """The clause that states something and has the words of a fact's object, and of its subject
    if it can."""
    wanted = content_words(object) or words(object)
    name = [word for word in words(subject) if word not in _FRAME]
    stating = [
        clause
        for clause in clauses
        if clause.states and share_found(wanted, words(clause.plain)) == 1.0
    ]
    return max(stating, key=lambda one: share_found(name, words(one.plain)), default=None)


def judge_fact(
    subject: str,
    predicate: str,
    object: str,
    grounds: TurnText,
    said: re.Pattern[str] | None,
) -> Verdict:
    """The verdict on a fact that a model proposes: subject, predicate and object must stand in
    one clause that states something.

    ``said`` is the pattern of the words by which plain language says the predicate; without one
    nobody knows it, and what it says may be remembered but is no fact.
    """
    content = f"{subject} {predicate} {object}"
    if said is None:
        return _refuse(content, "predicate", f"“{predicate}” is not a known predicate")
    stating = [clause for clause in grounds.clauses if clause.states]
    if not stating:
        return _refuse(content, *_unstated(grounds.clauses))
    problems = [_fact_problem(subject, predicate, object, clause, said) for clause in stating]
    if None in problems:
        return Verdict(decision="add", rule="grounded", reason="the user said so")
    found = [problem for problem in problems if problem is not None]
    return _refuse(content, *max(found, key=lambda problem: _NEARNESS.index(problem[0])))


# what may be meant in other words than those by which it is usually said ("karaoke isn't my thing",
# "off to work at six as a signaller"); where somebody lives, works or studies is said outright: one
# wrong guess would end what is known
BY_SENSE = frozenset(
    "likes dislikes prefers avoids allergic_to has_condition takes_medication has owns practises "
    "plans_to current_project interested_in eats diet skilled_in has_goal "
    "works_as studies uses plays learns speaks drives member_of".split()
)
# what is no longer so when it is said in the past
_STATES = frozenset(
    "likes dislikes prefers avoids practises plays works_at works_as lives_in eats diet uses "
    "drives current_project learns studies studies_at member_of interested_in is".split()
)
_PLANS = frozenset("plans_to has_goal".split())
_SHUNS = frozenset("allergic_to avoids dislikes".split())
_NO_OBJECT = re.compile(
    r"(?:my|our|your|his|her|their|its|me|us|you|him|them|it|this|that|these|those|something|"
    r"anything|nothing|someone|one|the)\b",
    re.I,
)


def meant_fact(subject: str, predicate: str, object: str, grounds: TurnText) -> bool:
    """Whether a fact may be meant although its clause says it in other words, or does not name the
    user as its subject: then a model decides."""
    if predicate not in BY_SENSE or _NO_OBJECT.match(object):
        return False
    return any(
        _fact_problem(subject, predicate, object, clause, None) is None
        for clause in grounds.clauses
        if clause.states and not _shunned(predicate, object, clause)
    )


def _shunned(predicate: str, object: str, clause: Clause) -> bool:
    """Whether a clause says outright that the object is bad for somebody or disliked, so that it
    means nothing friendlier: who is allergic to glue does not use it."""
    if predicate in (*_SHUNS, "has", "has_condition"):
        return False
    wanted = content_words(object) or words(object)
    return any(
        one.predicate in _SHUNS and share_found(wanted, words(one.object)) > 0
        for one in statements([clause])
    )


# what is wrong with a fact, from the farthest to the nearest to being right
_NEARNESS = ("ungrounded", "somebody_else", "not_said", "other_time", "opposite")


def _fact_problem(
    subject: str, predicate: str, object: str, clause: Clause, said: re.Pattern[str] | None
) -> tuple[str, str] | None:
    """(rule, reason) by which a clause does not say a fact. Without ``said`` it may say it in any
    words, and of the user unless it speaks of somebody else."""
    wanted = [word for word in content_words(object) or words(object) if word not in _FRAME]
    strange = [name for name in specifics(object) if not _stands_in(name, clause.plain)]
    part = _of_subject(subject, clause, said is None)
    if not wanted or strange or share_found(wanted, words(clause.plain)) < 1.0:
        return "ungrounded", f"its object “{object}” is not in the message"
    if part is None or share_found(wanted, words(part)) < 1.0:
        return "somebody_else", f"the message does not say it of “{subject}”"
    part, is_reason = _without_the_other(wanted, part)
    if is_reason and said is None:
        return "not_said", f"“{object}” is only given as a reason"
    if said is not None and said.search(part.casefold()) is None:
        return "not_said", f"no word of the clause says “{predicate}”"
    negative = _NEGATIVE.match(predicate) is not None
    if predicate in lexicon(clause.language).kin.values() and not object[:1].isupper():
        return "not_said", f"“{object}” is not a name"
    if predicate == "works_at" and not object[:1].isupper() and not _at_a_place(object, clause):
        return "not_said", f"“{object}” is not an employer"
    if not _at_its_time(predicate, clause):
        return "other_time", "the message says it of another time"
    denied = clause.negated or _DISLIKING.search(clause.plain) is not None
    if denied != negative and not (negative and _DISLIKING.search(clause.plain)):
        return "opposite", "the message says the opposite"
    return None


def _without_the_other(wanted: Sequence[str], part: str) -> tuple[str, bool]:
    """Of what is said and the reason given for it, that which names the object, and whether it is
    the reason: "I use oil because of my allergy to glue" does not say that glue is used."""
    pieces = _REASON.split(part, maxsplit=1)
    if len(pieces) == 1 or share_found(wanted, words(pieces[0])) == 1.0:
        return pieces[0], False
    if share_found(wanted, words(pieces[1])) == 1.0:
        return pieces[1], True
    return part, False


def _at_a_place(object: str, clause: Clause) -> bool:
    at = r"(?:at|for|in|with|on|bei|beim|im|am|chez|à|au|dans|pour|en|para|na|no|em)"
    before = rf"\b{at}\s+(?:\w+\s+)?{re.escape(object)}"
    return re.search(before, clause.plain, re.I) is not None


def _at_its_time(predicate: str, clause: Clause) -> bool:
    """Whether a clause of this tense can say it: a plan is to come, and what was is over."""
    if (predicate in _PLANS) != (clause.tense == "coming"):
        return False
    return predicate not in _STATES or (
        clause.tense != "past" and lexicon(clause.language).over.search(clause.plain) is None
    )


def _of_subject(subject: str, clause: Clause, unsaid: bool) -> str | None:
    """What of a clause is said of the subject; None when nothing is. ``unsaid``: a clause without
    any person as its subject may be about the user."""
    found = subject_of(clause, lexicon(clause.language))
    main = _RELATIVE.split(clause.plain, maxsplit=1)[0]
    if subject_name(subject) == USER:
        mine = found.name == USER if found is not None else unsaid
        return main if mine else None
    name = [word for word in words(subject) if word not in _FRAME]
    if not name or share_found(name, words(clause.plain)) < 1.0:
        return None
    if found is not None and found.name and share_found(name, words(found.name)) == 1.0:
        return clause.plain
    place = clause.plain.casefold().find(name[0])
    behind = clause.plain[place:] if place >= 0 else ""
    return behind if _RELATIVE.search(behind[:60]) else None


_NEGATIVE = re.compile(r"dislikes|hates|avoids|opposes|distrusts|disbelieves")
_DISLIKING = re.compile(
    r"\b(?:dislik|hate|hating|detest|loath|avoid|oppos|distrust|disbeliev|against|hass|odi|détest|"
    r"aborre)\w*",
    re.I,
)
_RELATIVE = re.compile(r"\s(?:who|whose|whom|which|where|that)\s", re.I)
_REASON = re.compile(r"\s(?:because\s+of|due\s+to|owing\s+to|on\s+account\s+of)\s", re.I)
_USER_DOES = re.compile(r"the user\b(?!['’])", re.I)


def _bearing_words(content: str) -> frozenset[str]:
    return frozenset(word for word in content_words(content) if word not in _FRAME)


def quote(content: str, message: str) -> str:
    """The sentence of the message that supports ``content`` best, verbatim."""
    wanted = content_words(content)
    found = sentences(message)
    if not found:
        return message.strip()
    return max(found, key=lambda sentence: share_found(wanted, words(sentence)))


def specifics(text: str) -> list[str]:
    """Names and numbers: what a model must not make up. The first word of a sentence counts only
    when it is no ordinary word."""
    found = []
    for match in _SPECIFIC.finditer(text):
        word = match.group()
        first = _begins(text, match.start())
        lowered = word.casefold()
        if lowered in _FRAME or not content_words(word) or (first and not word[0].isdigit()):
            continue
        found.append(word)
    return found


def _begins(text: str, place: int) -> bool:
    """Whether a sentence begins there."""
    while place and text[place - 1].isspace():
        place -= 1
    return place == 0 or text[place - 1] in ".!?:"


def _stands_in(name: str, text: str) -> bool:
    return share_found(words(name), words(text)) == 1.0


def _said(grounds: TurnText) -> str:
    return f"{grounds.message}\n{grounds.answer}"


def only_asks(message: str) -> bool:
    """Whether a message consists of questions and states nothing."""
    said = sentences(message)
    return bool(said) and all(part.endswith(("?", "？")) for part in said)


def only_requests(message: str) -> bool:
    """Whether a message of one sentence only wants something done ("Write a poem about it")."""
    if len(sentences(message)) != 1:
        return False
    return all(clause.mood in ("requests", "asks") for clause in clauses(message))


def _refuse(content: str, rule: str, reason: str) -> Verdict:
    return Verdict(decision="refuse", rule=rule, reason=reason, content=content)
