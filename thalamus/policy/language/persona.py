"""What the user tells the assistant about itself: who it is ("You are Gwen"), and how it should
speak ("be formal with me", "always answer in French").

Only a whole sentence, or a clause of one, that is nothing else counts. An order about manners holds
from then on when it says so ("always", "from now on", "with me", "your answers"), or when the
message asks for nothing besides; otherwise it is about this one answer ("in French: where is …").
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby

from thalamus.policy.language.clauses import Clause, clauses
from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.languages import CODES
from thalamus.policy.language.patterns import LazyPattern, Pattern
from thalamus.policy.language.vocabulary.given_names import is_given_name
from thalamus.policy.language.vocabulary.word_classes import is_demonym
from thalamus.policy.persona import IDENTITY, MANNER

LONGEST = (
    600  # characters of a message: a longer one is a text, and whose words it holds is unclear
)
KEPT = 256  # messages whose judgement is kept: a turn looks at the last ones several times
LONGEST_PART = 160  # characters of one such sentence
NAME = r"(?P<name>[^\W\d_][\w'’-]*(?:\s+(?-i:[A-ZÄÖÜÉ])[\w'’-]*){0,2})"


@dataclass(frozen=True)
class PersonaForms:
    """How one language says it. All patterns match a whole sentence without what ``aside`` and
    ``lasting`` find.

    ``aside``: politeness, greetings and the like, which may stand anywhere; ``lasting``: words by
    which an order holds from now on, taken out as well; ``not_``: what makes "never use" into "do
    not use". ``names``: sentences that give a name for certain, ``may_name``: those that only do
    with a word that can be nothing else. ``unnames``: those that take one away. ``role``: what the
    assistant is; a name may stand before it. ``asks``: polite beginnings of an order, ``may``:
    beginnings that allow it, ``ends``: those that take it back. ``does``: what the assistant should
    do -> the orders that say so, with a mark "!" where they hold from now on by themselves.
    ``asks_who``: questions about who the assistant is. ``languages``: names of languages. ``role_as``: how a role is put into English.
    """

    aside: Pattern
    lasting: Pattern
    names: Pattern
    may_name: Pattern
    unnames: Pattern
    role: Pattern
    asks: Pattern
    ends: Pattern
    does: Sequence[tuple[str, bool, Pattern]]
    answers_in: Pattern
    languages: dict[str, str]
    asks_who: Pattern
    expand: Sequence[tuple[Pattern, str]] = ()
    free: Pattern = field(default=LazyPattern(r"(?!)"))
    role_as: str = "the user's {}"


@dataclass(frozen=True)
class PersonaStatement:
    """What a part of a message says of the assistant: the sentence to remember, its type, and the
    clauses that it was taken from. ``lasting``: it holds from now on by its own words."""

    content: str
    type: str
    clauses: Sequence[Clause]
    lasting: bool


@lru_cache(KEPT)
def persona_statements(message: str) -> Sequence[PersonaStatement]:
    """What a message says of the assistant, in order."""
    if len(message) > LONGEST:
        return ()
    parts = list(_parts(clauses(message)))
    stated = [(said, about) for said, about in parts if about is not None]
    alone = all(about is not None or _adds_nothing(said) for said, about in parts)
    made: list[PersonaStatement] = []
    for _, statements in stated:
        made += [one for one in statements or () if one.lasting or alone]
    return made


_YOU = LazyPattern(
    r"\b(?:you|your|yours|yourself|du|dich|dir|dein\w*|(?-i:Sie|Ihnen|Ihr\w*)|tú|tu|tus|te|ti|usted|contigo|toi|ton|tes|"
    r"vous|votre|vos|t'\w+|você|teu|tua|teus|tuas|seu|sua|lei|jij|jou|jouw)\b",
    re.I,
)  # fmt: skip


def addressed(sentence: str) -> bool:
    """Whether a sentence speaks to the assistant: of "you", or as an order."""
    if _YOU.search(sentence.replace("’", "'")) is not None:
        return True
    return any(clause.mood == "requests" for clause in clauses(sentence))


def asks_who(text: str, code: str) -> bool:
    """Whether a clause asks who the assistant is ("What's your name?")."""
    return len(text) <= LONGEST_PART and any(
        forms.asks_who.fullmatch(_plain(text, forms)) is not None
        for forms in map(persona_forms, _in_turn(code))
    )


@lru_cache(KEPT)
def only_about_assistant(message: str) -> bool:
    """Whether a message tells the assistant about itself, and says nothing besides."""
    told = {clause for one in persona_statements(message) for clause in one.clauses}
    return bool(told) and all(one in told or _adds_nothing([one]) for one in clauses(message))


def _parts(
    found: Sequence[Clause],
) -> Iterator[tuple[Sequence[Clause], list[PersonaStatement] | None]]:
    """The sentences of a message, or where one as a whole says nothing of the assistant its
    clauses, each with what it says of it."""
    for sentence, group in groupby(found, key=lambda clause: clause.sentence):
        said = list(group)
        # what follows a colon is what the order is about
        if ":" in sentence or any(clause.mood in ("quotes", "jokes") for clause in said):
            yield said, None
            continue
        whole = _read(sentence, said) or _read_each(sentence, said)
        if whole is not None or len(said) == 1:
            yield said, whole
            continue
        for clause in said:
            after_if = clause.mood == "supposes" and _IF.search(sentence) is not None
            read = None if after_if else _read(clause.text, [clause])
            yield [clause], read or (None if after_if else _read_each(clause.text, [clause]))


_IF = LazyPattern(r"\b(?:if|unless|when|wenn|falls|si|se|quand|cuando|quando)\b", re.I)
_NOTHING = LazyPattern(
    r"(?:ok(?:ay)?|thanks?(?:\s+you)?|hi|hello|hey|yes|sure|please|bitte|danke|hallo|gracias|hola|"
    r"merci|bonjour|obrigad[oa]|ol[áa]|por\s+favor|no|nein|non|não)?",
    re.I,
)


def _adds_nothing(said: Sequence[Clause]) -> bool:
    return all(
        clause.mood == "greets" or _NOTHING.fullmatch(clause.plain.strip(" !,.")) is not None
        for clause in said
    )


def _read_each(text: str, clauses: Sequence[Clause]) -> list[PersonaStatement] | None:
    """What each of the parts says that "and" or a comma joins; None unless all say something."""
    parts = [part for part in _JOINED.split(text) if part.strip()]
    read = [_read(part, clauses) for part in parts] if len(parts) > 1 else []
    made = [one for each in read if each is not None for one in each]
    if not read or None in read:
        return None
    lasting = any(one.lasting for one in made)
    return [replace(one, lasting=lasting) for one in made]


_JOINED = LazyPattern(r"\s*,\s*(?:and|und|y|et|e)\s+|\s+(?:and|und|y|et|e)\s+|\s*[,;]\s+", re.I)


def _read(text: str, clauses: Sequence[Clause]) -> list[PersonaStatement] | None:
    if len(text) > LONGEST_PART:
        return None
    asked = text.rstrip(" \"'”)").endswith(("?", "？"))
    for code in _in_turn(clauses[0].language):
        forms = persona_forms(code)
        plain = _plain(text, forms)
        said = _without(forms.lasting, plain)
        lasting = said != plain
        read = None if asked else _identity(said, forms, code)
        order = read is None
        if read is None:
            read, by_itself = _manner(said, forms, asked, lasting)
            lasting = lasting or by_itself
        if read is not None and (not asked or lasting):
            return [
                PersonaStatement(content, kind, clauses, lasting or not order)
                for content, kind in read
            ]
    return None


def _in_turn(code: str) -> list[str]:
    return [code, *(other for other in CODES if other != code)]


def persona_forms(code: str) -> PersonaForms:
    """The forms of a language."""
    module = importlib.import_module(f"thalamus.policy.language.{CODES[code]}.persona")
    forms: PersonaForms = module.PERSONA
    return forms


def _plain(text: str, forms: PersonaForms) -> str:
    text = text.replace("’", "'").strip(" .!?…")
    for pattern, written in forms.expand:
        text = pattern.sub(written, text)
    return _without(forms.aside, text)


def _without(pattern: Pattern, text: str) -> str:
    kept = " ".join(pattern.sub(" ", text).split()).strip(" ,;.!?¿¡…–-")
    return kept if "," not in kept else re.sub(r"\s+,", ",", re.sub(r",(?:\s*,)+", ",", kept))


# -- who it is -------------------------------------------------------------------------------------


def _identity(said: str, forms: PersonaForms, code: str) -> list[tuple[str, str]] | None:
    taken = forms.unnames.fullmatch(said)
    if taken is not None and (name := _name(taken["name"], certain=True)):
        return [(f"The assistant is no longer called {name}.", IDENTITY)]
    for pattern, certain in ((forms.names, True), (forms.may_name, False)):
        found = pattern.fullmatch(said)
        name = _name(found["name"], certain, code == "de") if found is not None else None
        if found is not None and name:
            made = [(f"The assistant is called {name}.", IDENTITY)]
            role = found.groupdict().get("role")
            return [*made, (_role(role, forms), IDENTITY)] if role else made
    found = forms.role.fullmatch(said)
    if found is None:
        return None
    if (free := found.groupdict().get("free")) is not None:
        return [(f"The assistant is {free}.", IDENTITY)]
    return [(_role(found["role"], forms), IDENTITY)]


def _role(role: str, forms: PersonaForms) -> str:
    return f"The assistant is {forms.role_as.format(role)}."


def _name(words: str, certain: bool, capitals: bool = False) -> str | None:
    """A name as it is written; None for words that are none. Where any word has a capital
    (``capitals``), or in small letters, only a name that is common is one."""
    parts = words.split()
    if any(is_common(part) or _NO_NAME.fullmatch(part) or is_demonym(part) for part in parts):
        return None
    written = parts[0][0].isupper() and not (words.isupper() and len(words) > 3)
    if not certain and (capitals or not written) and not is_given_name(parts[0].capitalize()):
        return None
    if written:
        return " ".join(parts)
    return " ".join(part.capitalize() for part in parts) if len(parts) == 1 else None


_NO_NAME = LazyPattern(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|tomorrow|later|back|soon|tonight|funny|wrong|right|great|"
    r"late|early|cool|nice|silly|stupid|ugly|pretty|awesome|amazing|kidding|joking|lovely|weird|lucky|mean|"
    r"morgen|später|gleich|nachher|bald|heute|schön|lustig|komisch|programm|schatz|sie|ihr|"
    r"mañana|luego|tarde|demain|bientôt|amanhã|depois|logo|"
    r"bonito|bonita|feo|raro|joli|belle|beau|drôle|feio|lindo|linda|"
    r"i|you|he|she|we|they|it|not|no|so|a|an|the|my|your|nicht|kein|nie|no|non|não|un|une|uma|um",
    re.I,
)


# -- how it should speak ---------------------------------------------------------------------------


def _manner(
    said: str, forms: PersonaForms, asked: bool, lasting: bool
) -> tuple[list[tuple[str, str]] | None, bool]:
    """What the assistant should do, or no longer has to, and whether the words themselves say that
    this holds from now on."""
    ended = forms.ends.match(said)
    rest = said[ended.end() :] if ended else forms.asks.sub("", said, 1)
    rest = (_ANY_MORE.sub("", rest) if ended else rest).strip(" ,")
    for does, by_itself, pattern in forms.does:
        if pattern.fullmatch(rest):
            return [(_sentence(does, ended is not None), MANNER)], by_itself or ended is not None
    found = forms.answers_in.fullmatch(rest)
    if found is not None:
        said_in = found["language"] or found["other"]
        language = forms.languages.get(said_in.casefold())
        if language:
            does = f"answer in {language}"
            by_itself = ended is not None or bool(found.groupdict().get("lasting"))
            return [(_sentence(does, ended is not None), MANNER)], by_itself
    if (lasting or _EVERY.search(rest)) and not asked and ended is None:
        free = forms.free.fullmatch(rest)
        if free is not None:
            does = _of_the_user(re.sub(r"^do not\b", "never", free["does"]))
            return [(f"The assistant should {does}.", MANNER)], True
    return None, False


_EVERY = LazyPattern(
    r"\b(?:every|each|all)\s+(?:of\s+)?(?:your\s+)?(?:answer|repl|message|response)", re.I
)
_ANY_MORE = LazyPattern(r"\s+(?:any\s*more|any\s+longer|mehr|ya|más|plus|mais)$", re.I)


def _sentence(does: str, ended: bool) -> str:
    if not ended:
        return f"The assistant should {does}."
    return f"The assistant no longer has to {does}."


def _of_the_user(does: str) -> str:
    """An order in English as it is told of the assistant: "my weight" is the user's."""
    does = does[0].lower() + does[1:]
    for pattern, becomes in (
        (r"\byour\b", "its"),
        (r"\byourself\b", "itself"),
        (r"\bmy\b", "the user's"),
        (r"\b(?:me|I)\b", "the user"),
    ):
        does = re.sub(pattern, becomes, does, flags=re.I)
    return does
