"""What a message brings without saying what was wrong: "8!", "no, Thursday", "sorry, my cousin".

It goes into the place of what is of its kind in the message before, or is spelled nearly the same.
"""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import clauses, make_plain
from thalamus.policy.language.corrections.draft import (
    MOST,
    PRONOUN,
    Draft,
    changed_role,
    of_the_same,
    plain_of,
    replace_once,
    whole_word,
    with_agreement,
)
from thalamus.policy.language.corrections.slots import (
    Slot,
    closest,
    likeness,
    one_of,
    same_noun,
    slots,
)
from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.reading import read
from thalamus.policy.language.vocabulary.given_names import is_given_name
from thalamus.text.tokens import content_words, share_found, words

NEAR = 0.55  # how alike a word is spelled that an announced correction may mean
NEARER = 0.6  # and one that nothing announces
SAME = 0.75  # and one that is a name only in one of the two
SHORTEST = 5  # letters of a word that is compared by its spelling, where nothing announces it
_WHEN = ("day", "month", "date", "time", "season", "year")
_NTH = LazyPattern(r"\d(?:st|nd|rd|th)$", re.I)
_SEASONS = ("month", "season")
_IT_IS = LazyPattern(r"(?:it\s?'?s|it\s+is|es\s+ist|er\s+ist|c'est|es|é)\b", re.I)
_ENGLISH_ONE = LazyPattern(r"an?|one", re.I)
_UNITS = LazyPattern(
    r"(?:years?|old|months?|jahre?|monate?|alt|años|meses|ans|mois|anos|mg|km|o'clock|uhr|euros?|pounds?|percent)\b", re.I
)  # fmt: skip
_HOURS = ("at", "um", "gegen", "las", "la", "à", "às", "until", "till", "bis")
_COUPLE = frozenset("wife husband partner girlfriend boyfriend fiance".split())
# what one has, is or does once only
_SINGLE = frozenset(
    "lives_in works_at works_as age born_in born_on birthday home_town nationality species breed".split()
)
_MOVES = LazyPattern(
    r"\b(?:mov(?:ed|ing)|zog(?:en)?|zieh\w+|umgezogen|mud\w+|déménag\w+|new|also|used|was|were|war)\b",
    re.I,
)
# what was said holds of a kind of it only: "only hazelnuts"
_ONLY = LazyPattern(
    r"(?:it's\s+|es\s+sind\s+|son\s+|c'est\s+|são\s+)?(?:only|just|nur|bloß|solo|sólo|solamente|seulement|uniquement|só|apenas|somente)\s+",
    re.I,
)
POLITE = LazyPattern(
    r"(?:thanks?|thx|please|(?:right|great)(?![\w-])|alright|bye|ciao|tschüss|cool|nice|haha|wow|genau|super|toll|schön|ok(?:ay)?|nothing|none|never|fine|danke|bitte|nichts|nie|gut|gracias|nada|vale|merci|rien|oui|obrigad[oa]|"
    r"(?:the\s+)?(?:other|same)|something|someone|really|seriously|worries|problem|way|not|yes|ja|sí|sim|that|this|it(?=$|\s+(?:is|was|does|doesn't)\b))\b",
    re.I,
)  # fmt: skip
_POSSESSIVE = LazyPattern(
    r"(?<![^\W\d_])(my|our|mein\w*|unser\w*|mis?|mon|ma|mes|notre|nos|meus?|minhas?|a\s+minha|o\s+meu|nuestr[oa]s?)\s+$",
    re.I,
)
_IN = LazyPattern(r"(?<!\S)(n[ao])\s+$", re.I)
_I_AM = LazyPattern(r"(?:I'm|I\s+am)\s+(?:\w+\s+)?an?\s|.*\b(?:bin\s+ich|ich\s+bin)\b", re.I)
_SPELLS = LazyPattern(
    r"\b(?:spell\w*|spelt|schreibt|geschrieben|escrib\w+|escrev\w+|écri\w+)\b", re.I
)
_OBJECT = r"(?P<object>(?:(?!(?:and|but|on|at|in|to|for|from|with|by|und|am|um|im|nach|bei|mit|von|y|en|con|et|à|avec|e|em|com)\b)[\w'’-]+\s*){1,5})"


def fill(draft: Draft, core: str) -> bool:
    """Puts what is right into its place in the earlier message; whether it has one there."""
    plain = plain_of(draft.signs.letters.sub("", core), draft.signs)
    words_here = lexicon(draft.code)
    if not plain or POLITE.match(plain) or words_here.negates.search(make_plain(plain, words_here)):
        return False
    things = [one for one in slots(plain, draft.code, False) if one.kind != "name"]
    if things and _may_fill(draft, core, plain, things):
        return _fill_kinds(draft, plain, things)
    if draft.changed or (things and things[0].kind != "kin"):
        return False  # what comes after a correction is news, unless it has a place of its own
    if restated(draft, core) or (draft.sure and _fill_become(draft, plain)):
        return True
    lead = draft.signs.lead.match(plain)
    prep, right = (lead["prep"], plain[lead.end() :]) if lead else (None, plain)
    article = lead["det"] if lead else None
    short = len(right.split()) <= 4 and PRONOUN.match(right) is None
    return (
        short
        and (
            _fill_spelled(draft, right, core)
            or _fill_narrower(draft, right, core)
            or _fill_shared(draft, right, core)
            or (draft.sure > 0 and _fill_before(draft, right))
            or (draft.sure > 0 and _fill_role(draft, right, core))
            or (draft.sure > 0 and _fill_name(draft, right, prep, core))
            or (draft.sure > 0 and prep is not None and _fill_behind(draft, right, prep, article))
            or (draft.sure > 1 and _fill_only(draft, right, plain[: len(plain) - len(right)]))
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
    if (kin and _I_AM.match(core)) or _of_another(draft, core):
        return False
    verb = re.search(r"\b(?:is|are|was|works?|ist|es|est|é|geht|passt)\b", left) is not None
    if len(left.split()) <= 2 and not verb:
        dated = things[0].kind in _WHEN or _NTH.search(things[0].text)
        if _IT_IS.match(core) and dated and len(left.split()) <= 1:
            return True
        if things[0].kind == "breed" and len(things) == 1:
            return True
        bare = plain.strip(" .!") == things[0].text or not PRONOUN.match(core)
        kin = kin and not _compound(things[0].text, draft.text)
        return draft.sure > 0 or draft.changed or (bare and not kin and len(left.split()) <= 1)
    spoken = PRONOUN.match(core) is not None or core != plain or (others and not new)
    return (
        draft.sure > 0
        and not draft.changed
        and not kin
        and bool(spoken)
        and len(new) <= 1
        and len(left.split()) <= 5
    )


def _of_another(draft: Draft, core: str) -> bool:
    """Whether "I'm 28" is said after what somebody else is: that is news."""
    if re.match(r"(?:I|ich|yo|je|eu)(?![^\W\d_])", core, re.I) is None:
        return False
    mine = r"\b(?:I|we|my|ich|wir|mein\w*|yo|me|mi|je|on|nous|eu|minha|meu)\b"
    stated = [clause for clause in clauses(draft.earlier) if clause.states]
    found = lexicon(draft.code).subject.match(stated[0].plain) if stated else None
    return (
        found is not None and not found["me"] and re.search(mine, draft.earlier, re.I) is not None
    )


def _compound(kin: str, text: str) -> bool:
    """Whether a relation is a kind of one in a text: "Uroma", of "Oma"."""
    return any(
        len(word) > 2 and kin.casefold() != word and kin.casefold().endswith(word)
        for word in words(text)
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
        draft.text = with_agreement(draft.text, thing.text)
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
    if not found and _NTH.search(thing.text):
        found = [one for one in there if one.kind == "ordinal"]  # "4th", of "third"
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
    there_in = _IN.search(draft.text[: place.start])
    if draft.code == "pt" and thing.kind == "day" and there_in:  # "no sábado", of "na sexta"
        male = thing.text.casefold().startswith(("sábado", "domingo"))
        return there_in.start(1), f"{'no' if male else 'na'} {thing.text}"
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


def restated(draft: Draft, core: str, single: bool = False) -> bool:
    """Whether a part says the same of the same one with something else: "he's vegetarian".
    ``single``: only what one can be, have or live in once."""
    told = draft.signs.rather.sub(" ", core)
    said = of_the_same(draft.text, told)
    if said is None and single and draft.code in ("es", "pt"):  # "y vive en Vigo"
        said = of_the_same(draft.text, f"ella {told}")
    news = draft.sure < 2 and draft.signs.since.search(core) is not None  # "I live in Lagos now"
    if said is None or news or (not draft.sure and not _plainly_of(core, told == said)):
        return False
    single = single or not draft.sure
    known = read(draft.text).statements
    for new in read(said).statements:
        if single and new.predicate not in _SINGLE:
            continue
        like = [
            old for old in known if (old.subject, old.predicate) == (new.subject, new.predicate)
        ]
        if len(like) == 1 and like[0].object.casefold() != new.object.casefold():
            return replace_once(draft, like[0].object, new.object)
    return False


def _plainly_of(core: str, mine: bool) -> bool:
    """Whether a sentence that announces no correction may be one: it is short, says nothing of a
    change, and is of somebody else, of whom one says less in passing."""
    return not mine and len(core.split()) <= MOST and _MOVES.search(core) is None


def _fill_narrower(draft: Draft, right: str, core: str) -> bool:
    """Puts a kind of a thing into the place of the thing: "only hazelnuts", of nuts."""
    single = core == right and " " not in right
    bare = single and draft.code == "de" and right[0].isupper()  # "Grundschullehrer"
    if not bare and _ONLY.match(core) is None:
        return False
    said = right.casefold().split()
    for place in re.finditer(r"[^\W\d_]{3,}", draft.text):
        word = place[0].casefold()
        compound = len(said) == 1 and said[0].endswith(word) and not (bare and place[0].islower())
        compound = compound and len(said[0]) > len(word) + 1
        if (compound or (len(said) > 1 and word in said)) and content_words(word):
            draft.text = f"{draft.text[: place.start()]}{right}{draft.text[place.end() :]}"
            draft.text = with_agreement(draft.text, right)
            return True
    return False


def _fill_shared(draft: Draft, right: str, core: str) -> bool:
    """Puts a name into the place of one that shares a word with it: "Mill Road", of "Mill Lane"."""
    if not (draft.sure or _IT_IS.match(core)) or right.split()[0].islower():
        return False
    names = [one for one in slots(draft.text, draft.code) if one.kind == "name"]
    alike = [one for one in names if _share_a_part(one.text, right)]
    if len(alike) != 1:
        return False
    draft.text = draft.text[: alike[0].start] + right + draft.text[alike[0].end :]
    return draft.changed


def _share_a_part(one: str, other: str) -> bool:
    """Whether two names of as many words differ in a single one; or two single words ("Lindenweg",
    "Lindenstraße") in what comes after a common beginning."""
    ours, theirs = one.casefold().split(), other.casefold().split()
    if len(ours) != len(theirs) or ours == theirs:
        return False
    if len(ours) > 1:
        return sum(a != b for a, b in zip(ours, theirs, strict=True)) == 1
    return ours[0][:SHORTEST] == theirs[0][:SHORTEST]


def _fill_spelled(draft: Draft, right: str, core: str) -> bool:
    """Whether the earlier message has a word that is spelled nearly so."""
    alike, begin, end = closest(draft.text, right)
    there = draft.text[begin:end]
    one, other = right.casefold(), there.casefold()
    if there == right or (one == other and draft.sure < 2) or len(right.split()) > 3:
        return False
    if not draft.sure and right.islower() and PRONOUN.match(core) and not _IT_IS.match(core):
        return False  # "I'm starving", after "for the surfing"
    form = right.islower() and (one.startswith(other) or other.startswith(one))
    few = alike < 1.0 and (len(right) < SHORTEST or len(there) < SHORTEST - 1)
    spelled = draft.spelled or _IT_IS.match(core) is not None
    named = [one.text for one in slots(draft.text, draft.code) if one.kind == "name"]
    names = spelled and there in named and right[0].isupper() and there[:1].isupper()
    if not draft.sure and (form or (few and not names) or (right.islower() and is_common(right))):
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
    given = is_given_name(right.split()[0])
    if draft.meant and draft.code == "de" and not prep:  # "Gitarre", of "Gitarre in einer Band"
        names = [one for one in names if not _behind_preposition(draft, one.text)] or names
    person = [one for one in same or names if is_given_name(one.text.split()[0]) == given]
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
    right = changed_role(plain, couple[0].text) if len(couple) == 1 else None
    return right is not None and replace_once(draft, couple[0].text, right)


def _fill_role(draft: Draft, right: str, core: str) -> bool:
    """Puts what somebody is into the place of what the earlier message says that they work as."""
    roles = [s.object for s in read(draft.text).statements if s.predicate == "works_as"]
    bare = draft.sure > 1 and core == right and not right[:1].isdigit()
    fits = (bare or _I_AM.match(core) is not None) and (draft.code != "de" or right[0].isupper())
    return fits and len(roles) == 1 and replace_once(draft, roles[0], right)


def _fill_behind(draft: Draft, right: str, prep: str, article: str | None) -> bool:
    """Puts what is right behind the only preposition of its kind."""
    found = list(re.finditer(rf"\b{prep}\s+{_OBJECT}", draft.text, re.I))
    if len(found) != 1 or draft.sure < 2:
        return False
    begin, end = found[0].span("object")
    there = draft.text[begin:end].rstrip()
    lead = draft.signs.lead.match(there)
    if article and lead and lead["det"] and not lead["prep"]:
        right = f"{article} {right}"
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
    draft.text = with_agreement(draft.text[:begin] + first + draft.text[end:], first)
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


def _fill_only(draft: Draft, right: str, lead: str) -> bool:
    """Puts what was meant into the place of the only thing that the earlier message says. ``lead``:
    the article and the preposition before what is right."""
    kin = set(lexicon(draft.code).kin.values())
    stated = [item for item in read(draft.text).statements if item.predicate not in kin]
    stated = [s for s in stated if s.predicate != "is" or " " not in s.object]
    objects = {item.object for item in stated if item.object.islower() == right.islower()}
    if len(objects) > 1:  # "bass" of "I play bass in a band"
        objects = {one for one in objects if not _behind_preposition(draft, one)}
    thing = lead or draft.meant or (draft.code == "en" and not any(map(is_common, right.split())))
    if len(objects) != 1 or not thing or len(right.split()) > 3:
        return False
    wrong = objects.pop()
    if re.search(rf"\b(?:I|we|ich|wir)\s+{re.escape(wrong)}", draft.text, re.I):
        wrong = wrong.partition(" ")[2] or wrong  # "collect stamps", of "I collect stamps"
    return _with_lead(draft, wrong, right, lead) or replace_once(draft, wrong, right)


def _with_lead(draft: Draft, wrong: str, right: str, lead: str) -> bool:
    """Puts what is right with its own article into the place of what is wrong with that: "el bajo",
    of "la guitarra"."""
    place = re.search(rf"(?P<lead>(?:\S+\s+){{1,2}}){whole_word(wrong)}", draft.text, re.I)
    if draft.code == "en" or not lead or place is None:
        return False
    words_before = place["lead"].split()
    there = [one for one in words_before if (m := draft.signs.lead.match(f"{one} x")) and m.end()]
    if not there or there[-1] != words_before[-1]:
        return False
    begin = draft.text.rfind(there[-1], 0, place.end() - len(wrong))
    draft.text = draft.text[:begin] + f"{lead.strip()} {right}" + draft.text[place.end() :]
    return draft.changed


def _behind_preposition(draft: Draft, said: str) -> bool:
    place = re.search(whole_word(said), draft.text, re.I)
    before = draft.text[: place.start()].split()[-2:] if place is not None else []
    leads = [draft.signs.lead.match(f"{word} x") for word in before]
    return any(lead is not None and lead["prep"] is not None for lead in leads)
