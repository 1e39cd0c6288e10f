"""What a message brings without saying what was wrong: "8!", "no, Thursday", "sorry, my cousin".

It goes into the place of what is of its kind in the message before, or is spelled nearly the same.
"""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import make_plain
from thalamus.policy.language.common_words import common
from thalamus.policy.language.drafts import (
    MOST,
    PRONOUN,
    Draft,
    agreeing,
    become,
    of_the_same,
    plain_of,
    replaced,
    whole_word,
)
from thalamus.policy.language.given_names import given_name
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.reading import read
from thalamus.policy.language.slots import Slot, closest, likeness, one_of, same_noun, slots
from thalamus.policy.tokens import content_words, share_found, words

NEAR = 0.55  # how alike a word is spelled that an announced correction may mean
NEARER = 0.6  # and one that nothing announces
SAME = 0.75  # and one that is a name only in one of the two
SHORTEST = 5  # letters of a word that is compared by its spelling, where nothing announces it
_WHEN = ("day", "month", "date", "time", "season", "year")
_SEASONS = ("month", "season")
_IT_IS = re.compile(r"(?:it\s?'?s|it\s+is|es\s+ist|er\s+ist|c'est|es|é)\b", re.I)
_ENGLISH_ONE = re.compile(r"an?|one", re.I)
_UNITS = re.compile(
    r"(?:years?|old|months?|jahre?|monate?|alt|años|meses|ans|mois|anos|mg|km|o'clock|uhr|euros?|pounds?|percent)\b", re.I
)  # fmt: skip
_HOURS = ("at", "um", "gegen", "las", "la", "à", "às", "until", "till", "bis")
_COUPLE = frozenset("wife husband partner girlfriend boyfriend fiance".split())
_POLITE = re.compile(
    r"(?:thanks?|please|ok(?:ay)?|nothing|none|never|fine|danke|bitte|nichts|nie|gut|gracias|nada|vale|merci|rien|oui|obrigad[oa]|"
    r"(?:the\s+)?(?:other|same)|something|someone|really|seriously|worries|problem|way|not|yes|ja|sí|sim|that|this|it)\b",
    re.I,
)  # fmt: skip
_POSSESSIVE = re.compile(
    r"(?<![^\W\d_])(my|our|mein\w*|unser\w*|mis?|mon|ma|mes|notre|nos|meus?|minhas?|a\s+minha|o\s+meu|nuestr[oa]s?)\s+$",
    re.I,
)
_I_AM = re.compile(r"(?:I'm|I\s+am)\s+(?:\w+\s+)?an?\s|.*\b(?:bin\s+ich|ich\s+bin)\b", re.I)
_SPELLS = re.compile(
    r"\b(?:spell\w*|spelt|schreibt|geschrieben|escrib\w+|escrev\w+|écri\w+)\b", re.I
)
_OBJECT = r"(?P<object>(?:(?!(?:and|but|on|at|in|to|for|from|with|by|und|am|um|im|nach|bei|mit|von|y|en|con|et|à|avec|e|em|com)\b)[\w'’-]+\s*){1,5})"


def fill(draft: Draft, core: str) -> bool:
    """Puts what is right into its place in the earlier message; whether it has one there."""
    plain = plain_of(draft.signs.letters.sub("", core), draft.signs)
    words_here = lexicon(draft.code)
    if (
        not plain
        or _POLITE.match(plain)
        or words_here.negates.search(make_plain(plain, words_here))
    ):
        return False
    things = [one for one in slots(plain, draft.code, False) if one.kind != "name"]
    if things and _may_fill(draft, core, plain, things):
        return _fill_kinds(draft, plain, things)
    if draft.changed or (things and things[0].kind != "kin"):
        return False  # what comes after a correction is news, unless it has a place of its own
    if draft.sure and (_restated(draft, core) or _fill_become(draft, plain)):
        return True
    lead = draft.signs.lead.match(plain)
    prep, right = (lead["prep"], plain[lead.end() :]) if lead else (None, plain)
    article = lead["det"] if lead else None
    short = len(right.split()) <= 4 and PRONOUN.match(right) is None
    return (
        short
        and (
            _fill_spelled(draft, right)
            or (draft.sure > 0 and _fill_before(draft, right))
            or (draft.sure > 0 and _fill_role(draft, right, core))
            or (draft.sure > 0 and _fill_name(draft, right, prep, core))
            or (draft.sure > 0 and prep is not None and _fill_behind(draft, right, prep))
            or (draft.sure > 1 and _fill_only(draft, right, core, bool(article)))
            or (draft.sure > 1 and article is not None and _fill_article(draft, right, article))
        )
    ) or (draft.sure > 1 and _fill_last(draft, plain, core))


def _may_fill(draft: Draft, core: str, plain: str, things: list[Slot]) -> bool:
    """Whether a part says little but what is right: "Thursday at 4", "two cats", "we go in May"."""
    left = plain
    for one in things:
        left = left.replace(one.text, " ", 1)
    others = [word for word in words(draft.signs.lead.sub("", left.strip())) if len(word) > 3]
    new = [word for word in others if share_found([word], words(draft.earlier)) < 1.0]
    kin = things[0].kind in ("kin", "animal")
    if kin and _I_AM.match(core):
        return False
    verb = re.search(r"\b(?:is|are|was|works?|ist|es|est|é|geht|passt)\b", left) is not None
    if len(left.split()) <= 2 and not verb:
        if _IT_IS.match(core) and things[0].kind in _WHEN and len(left.split()) <= 1:
            return True
        bare = plain.strip(" .!") == things[0].text or not PRONOUN.match(core)
        return draft.sure > 0 or draft.changed or (bare and not kin and len(left.split()) <= 1)
    spoken = PRONOUN.match(core) is not None or core != plain
    return (
        draft.sure > 0
        and not draft.changed
        and not kin
        and spoken
        and len(new) <= 1
        and len(left.split()) <= 5
    )


def _fill_kinds(draft: Draft, plain: str, things: list[Slot]) -> bool:
    text = draft.text
    for number, thing in enumerate(things):
        place = _place_for(draft, plain, thing)
        if place is None:
            if number == 0:
                return draft.sure > 1 and _count_other(draft, plain, thing)
            continue
        begin, right = _of_gender(draft, plain, thing, place)
        right, end = _with_noun(draft.text, plain, thing, place) or (right, place.end)
        draft.text = f"{draft.text[:begin]}{right}{draft.text[end:]}"
        draft.text = agreeing(draft.text, thing.text)
    return draft.text != text


def _place_for(draft: Draft, plain: str, thing: Slot) -> Slot | None:
    """The one place in the earlier message where a thing belongs."""
    there = slots(draft.text, draft.code)
    noun = re.match(r"\s+([^\W\d_]{3,})", plain[thing.end :])
    found = [one for one in there if one.kind == thing.kind]
    if not found and thing.kind in _SEASONS:
        found = [one for one in there if one.kind in _SEASONS]
    if thing.kind == "number":
        found = [one for one in found if noun is None or _counts(draft.text, one, noun[1])]
        of = noun[1] if noun else None
        single = one_of(of, draft.text, draft.code) if not found and draft.sure else None
        found = [single] if single else found or _in_dates(there, thing)
    if not found and thing.kind in ("time", "number"):
        found = [one for one in there if one.kind in ("time", "number") and _at(draft, one)]
        bare = _at_in(plain, thing) or plain == thing.text
        found = found if thing.kind == "time" or bare else []
    if len(found) > 1:
        before = _word_before(plain, thing.start)
        found = [one for one in found if before and _word_before(draft.text, one.start) == before]
    if len(found) > 1 and thing.kind in ("email", "phone"):
        found = [max(found, key=lambda one: likeness(one.text, thing.text))]
    same = found and found[0].text.casefold() == thing.text.casefold()
    return found[0] if len(found) == 1 and not same else None


def _with_noun(text: str, plain: str, thing: Slot, place: Slot) -> tuple[str, int] | None:
    """What is right with the noun that it counts, and where the place of both ends: "one cat",
    "two cats"."""
    ours = re.match(r"\s+([^\W\d_]{3,})", plain[thing.end :])
    theirs = re.match(r"\s+([^\W\d_]{3,})", text[place.end :])
    if thing.kind == "number" and not ours and theirs and _ENGLISH_ONE.fullmatch(place.text):
        return f"{thing.text} {theirs[1]}s", place.end + theirs.end()
    if thing.kind != "number" or not (ours and theirs and same_noun(ours[1], theirs[1])):
        return None
    return f"{thing.text} {ours[1]}", place.end + theirs.end()


def _count_other(draft: Draft, plain: str, thing: Slot) -> bool:
    """ "Two girls", of two boys: the number is right."""
    ours = re.match(r"\s+([^\W\d_]{3,})$", plain[thing.end :])
    theirs = re.search(rf"{whole_word(thing.text)}\s+([^\W\d_]{{3,}})", draft.text, re.I)
    if thing.kind != "number" or ours is None or theirs is None:
        return False
    draft.text = draft.text[: theirs.start(1)] + ours[1] + draft.text[theirs.end(1) :]
    return draft.changed


def _counts(text: str, number: Slot, noun: str) -> bool:
    """Whether a number counts a noun, or nothing at all."""
    after = re.match(r"\s+([^\W\d_]+)", text[number.end :])
    if after is not None and same_noun(after[1], noun):
        return True
    return (after is None or len(after[1]) <= 3) and _UNITS.match(noun) is not None


def _in_dates(there: list[Slot], thing: Slot) -> list[Slot]:
    """The days of the month of the dates in a text, for "the 15th"."""
    made = []
    for one in there:
        day = re.search(r"\d+(?:st|nd|rd|th|º)?", one.text) if one.kind == "date" else None
        if day is not None and thing.text[0].isdigit():
            begin = one.start + day.start()
            made.append(Slot("number", day[0], begin, begin + len(day[0])))
    return made


def _at(draft: Draft, one: Slot) -> bool:
    return one.kind == "time" or _word_before(draft.text, one.start) in _HOURS


def _at_in(plain: str, thing: Slot) -> bool:
    return _word_before(plain, thing.start) in _HOURS


def _word_before(text: str, start: int) -> str:
    before = words(text[:start])
    return before[-1] if before else ""


def _of_gender(draft: Draft, plain: str, thing: Slot, place: Slot) -> tuple[int, str]:
    """What is right and where it begins: with the possessive before it, where that has to agree."""
    theirs = _POSSESSIVE.search(plain[: thing.start])
    ours = _POSSESSIVE.search(draft.text[: place.start])
    if thing.kind != "kin" or theirs is None or ours is None or draft.code == "en":
        return place.start, thing.text
    said, there = theirs[1].casefold(), ours[1]
    if draft.code == "de":
        if there.casefold() not in ("mein", "meine", "unser", "unsere"):
            return place.start, thing.text
        female = said in ("meine", "meiner", "unsere", "unserer")
        said = ("mein" if said.startswith("m") else "unser") + ("e" if female else "")
    said = said[0].upper() + said[1:] if there[0].isupper() else said
    return ours.start(1), f"{said} {thing.text}"


def _restated(draft: Draft, core: str) -> bool:
    """Whether a part says the same of the same one with something else: "he's vegetarian"."""
    said = of_the_same(draft.text, draft.signs.rather.sub(" ", core))
    news = draft.sure < 2 and draft.signs.since.search(core) is not None  # "I live in Lagos now"
    if said is None or news:
        return False
    known = read(draft.text).statements
    for new in read(said).statements:
        like = [
            old for old in known if (old.subject, old.predicate) == (new.subject, new.predicate)
        ]
        if len(like) == 1 and like[0].object.casefold() != new.object.casefold():
            return replaced(draft, like[0].object, new.object)
    return False


def _fill_spelled(draft: Draft, right: str) -> bool:
    """Whether the earlier message has a word that is spelled nearly so."""
    alike, begin, end = closest(draft.text, right)
    there = draft.text[begin:end]
    one, other = right.casefold(), there.casefold()
    if there == right or (one == other and draft.sure < 2) or len(right.split()) > 3:
        return False
    form = right.islower() and (one.startswith(other) or other.startswith(one))
    few = alike < 1.0 and (len(right) < SHORTEST or len(there) < SHORTEST - 1)
    if not draft.sure and (form or few or (right.islower() and common(right))):
        return False
    # "Porto" is no other spelling of the verb in "Moro em Lisboa"
    verb = right[0].isupper() and (begin == 0 or there[0].islower())
    if alike < (SAME if verb else NEAR if draft.sure > 1 else NEARER):
        return False
    draft.text = draft.text[:begin] + _as_there(right, there) + draft.text[end:]
    return draft.changed


def _as_there(right: str, there: str) -> str:
    """What is right with a capital where what was there had one."""
    return right[0].upper() + right[1:] if there[0].isupper() else right


def _fill_name(draft: Draft, right: str, prep: str | None, core: str) -> bool:
    """Puts a name into the place of a name: of one behind the same preposition, of a given name
    where it is one; of the last, if several are left."""
    named = slots(right, draft.code, False)
    whole = len(named) == 1 and named[0].kind == "name" and named[0].text == right
    if not whole and not _SPELLS.search(core):
        return False
    names = [one for one in slots(draft.text, draft.code) if one.kind == "name"]
    same = [one for one in names if prep and _word_before(draft.text, one.start) == prep.casefold()]
    given = given_name(right.split()[0])
    person = [one for one in same or names if given_name(one.text.split()[0]) == given]
    places = person or same or names
    last = max(places, key=lambda one: one.start, default=None)
    if last is None or last.text.casefold() == right.casefold():
        return False
    begin, right = last.start, _as_there(right, last.text)
    before = _lead_before(draft, last.start)
    if prep and not same and before is None and len(names) > 1:
        return False
    if prep and not same and before is not None:  # "em Lisboa", "no Porto"
        begin, right = before, f"{prep} {right}"
    draft.text = draft.text[:begin] + right + draft.text[last.end :]
    return True


def _lead_before(draft: Draft, start: int) -> int | None:
    """Where the preposition begins that stands before a place in the earlier message."""
    before = re.search(r"(\S+)\s+$", draft.text[:start])
    lead = draft.signs.lead.match(f"{before[1]} x") if before else None
    return before.start(1) if before and lead and lead["prep"] else None


def _fill_last(draft: Draft, plain: str, core: str) -> bool:
    """Puts the name at the end of a sentence behind the preposition that it has there: "we're
    going to Portugal"."""
    names = [one for one in slots(plain, draft.code, False) if one.kind == "name"]
    if len(plain.split()) > MOST or not names or names[-1].end < len(plain):
        return False
    prep = _word_before(plain, names[-1].start)
    there = re.search(rf"\b{prep}\s+(?=[A-ZÀ-Ý])", draft.text) if prep else None
    new = [w for w in content_words(plain[: names[-1].start]) if len(w) > 3]
    fits = there is not None and len(new) <= 1 and PRONOUN.match(core) is not None
    return fits and _fill_name(draft, names[-1].text, prep, core)


def _fill_become(draft: Draft, plain: str) -> bool:
    """ "We're divorced", of a wife."""
    kin = lexicon(draft.code).kin
    there = [one for one in slots(draft.text, draft.code) if one.kind == "kin"]
    couple = [one for one in there if kin.get(one.text.casefold()) in _COUPLE]
    right = become(plain, couple[0].text) if len(couple) == 1 else None
    return right is not None and replaced(draft, couple[0].text, right)


def _fill_role(draft: Draft, right: str, core: str) -> bool:
    """Puts what somebody is into the place of what the earlier message says that they work as."""
    roles = [s.object for s in read(draft.text).statements if s.predicate == "works_as"]
    fits = _I_AM.match(core) is not None and (draft.code != "de" or right[0].isupper())
    return fits and len(roles) == 1 and replaced(draft, roles[0], right)


def _fill_behind(draft: Draft, right: str, prep: str) -> bool:
    """Puts what is right behind the only preposition of its kind."""
    found = list(re.finditer(rf"\b{prep}\s+{_OBJECT}", draft.text, re.I))
    if len(found) != 1 or draft.sure < 2:
        return False
    begin, end = found[0].span("object")
    there = draft.text[begin:end].rstrip()
    draft.text = draft.text[:begin] + right + draft.text[begin + len(there) :]
    return draft.changed


def _fill_before(draft: Draft, right: str) -> bool:
    """Puts a word into the place of the one before the same noun: "right arm", of "left arm"."""
    if len(right.split()) != 2:
        return False
    first, noun = right.split()
    found = list(re.finditer(rf"(?P<thing>[\w'-]+)\s+{re.escape(noun)}(?!\w)", draft.text, re.I))
    if len(found) != 1 or len(noun) < 3 or found[0]["thing"].casefold() == first.casefold():
        return False
    lead = draft.signs.lead.match(f"{found[0]['thing']} x")
    if lead is None or lead["det"] or lead["prep"]:
        return False
    begin, end = found[0].span("thing")
    draft.text = agreeing(draft.text[:begin] + first + draft.text[end:], first)
    return True


def _fill_article(draft: Draft, right: str, article: str) -> bool:
    """Puts a thing into the place of the only one with its article: "the tram", of "the bus"."""
    found = list(re.finditer(rf"\b{article}\s+(?P<thing>[\w'-]+)", draft.text, re.I))
    if (
        len(found) != 1
        or len(right.split()) > 2
        or right[0].isupper() != found[0]["thing"][0].isupper()
    ):
        return False
    begin, end = found[0].span("thing")
    draft.text = draft.text[:begin] + right + draft.text[end:]
    return draft.changed


def _fill_only(draft: Draft, right: str, core: str, named: bool) -> bool:
    """Puts what was meant into the place of the only thing that the earlier message says. ``named``:
    with an article, so that it is a thing."""
    kin = set(lexicon(draft.code).kin.values())
    stated = [item for item in read(draft.text).statements if item.predicate not in kin]
    objects = {item.object for item in stated if item.object.islower() == right.islower()}
    thing = named or draft.meant or (draft.code == "en" and not any(map(common, right.split())))
    if len(objects) != 1 or not thing or len(right.split()) > 3:
        return False
    return replaced(draft, objects.pop(), right)
