"""What a message makes of the one before it: "8!" after "Tara is 7." makes it "Tara is 8."

What is right is put into the place of what is of its kind there (a day, a number, a relation, a
name), or is spelled nearly the same, or is named as wrong ("not Leeds – Leicester"). Where two things
could be meant, nothing is changed. "We're not moving after all" takes the whole message back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thalamus.policy.language.clauses import clauses, make_plain, sentences
from thalamus.policy.language.common_words import common
from thalamus.policy.language.correcting_words import BECOMES, FEMALE, Words, words_of
from thalamus.policy.language.given_names import given_name
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import read
from thalamus.policy.language.slots import Slot, closest, likeness, one_of, same_noun, slots
from thalamus.policy.tokens import content_words, share_found, words

SHORT = 8  # words of a message that calls something off without naming it
LONGEST = 30  # words of a message that corrects
MOST = 6  # words of what is right
NEAR = 0.55  # how alike a word is spelled that an announced correction may mean
NEARER = 0.6  # and one that nothing announces
SAME = 0.75  # and one that is a name only in one of the two
SHORTEST = 5  # letters of a word that is compared by its spelling, where nothing announces it
_PARTS = re.compile(r",\s+|;\s*|:\s+|\s+[–—-]+\s+|\s*[()]\s*|\.\.\.\s*|…\s*")
_ENDS = re.compile(r"^\s*(?:$|[,;:.!–—(-])")
_GOES_ON = re.compile(r"^(?:and|also|plus|und|auch|y|et|e|también|aussi|também)\b", re.I)
# "I also play on Thursdays" changes nothing
_ALSO = re.compile(
    r"\b(?:also|too|as\s+well|auch|ebenfalls|también|aussi|également|também)\b", re.I
)
_POLITE = re.compile(
    r"(?:thanks?|please|ok(?:ay)?|nothing|none|never|fine|danke|bitte|nichts|nie|gut|gracias|nada|vale|merci|rien|oui|obrigad[oa]|"
    r"really|seriously|worries|problem|way|not|yes|ja|sí|sim|that|this|it)\b",
    re.I,
)  # fmt: skip
_FILLER = re.compile(
    r"^(?:oh|ah|well|hm+|uh+|ugh|ok(?:ay)?|yeah|ach|na\s+ja|naja|bueno|bon|bom|ah)\b[\s,.!:]*", re.I
)
_PRONOUN = re.compile(
    r"(?:I|we|he|she|it|they|that|ich|wir|er|sie|es|das|yo|él|ella|je|j'|on|nous|il|elle|ils|eu|ele|ela|a\s+gente)(?![^\W\d_])",
    re.I,
)
_POSSESSIVE = re.compile(
    r"(?<![^\W\d_])(my|our|mein\w*|unser\w*|mis?|mon|ma|mes|notre|nos|meus?|minhas?|a\s+minha|o\s+meu|nuestr[oa]s?)\s+$",
    re.I,
)
_PLACE = re.compile(r"\b(?:there|dort|da|allí|ahí|là|y|lá|aí)\b", re.I)
# "I said Jazz but I meant Civic" and "de mi hermana no, de mi prima", said with a "not" at the front
_SAID = (
    re.compile(r"\bi\s+(?:wrote|said|typed|put)\s+(?P<wrong>.+?),?\s+but\s+(?:i\s+)?mean[t]?\s+(?P<right>.+)", re.I),
    re.compile(r"\bich\s+(?:habe?\s+)?(?P<wrong>.+?)\s+(?:geschrieben|gesagt),?\s+(?:aber\s+)?(?:meinte|gemeint\s+war)\s+(?:aber\s+)?(?P<right>.+)", re.I),
    re.compile(r"\b(?:dije|he\s+dicho|escribí)\s+(?P<wrong>.+?),?\s+pero\s+(?:quería|quise)\s+decir\s+(?P<right>.+)", re.I),
    re.compile(r"\bj'ai\s+(?:dit|écrit)\s+(?P<wrong>.+?),?\s+mais\s+(?:c'est|je\s+voulais\s+dire)\s+(?P<right>.+)", re.I),
    re.compile(r"\b(?:eu\s+)?(?:disse|escrevi)\s+(?P<wrong>.+?),?\s+mas\s+(?:queria|quis)\s+dizer\s+(?P<right>.+)", re.I),
    re.compile(r"(?P<wrong>[^,]+?)\s+(?:no|não),\s+(?P<right>[^,]+)$", re.I),
)  # fmt: skip


@dataclass(frozen=True)
class Amendment:
    """``text``: the earlier message as it should have been. ``rest``: what the message says
    besides. ``denied``: what it says in place of something that is taken back altogether.
    ``since``: it is so by now; what was said was right once."""

    text: str
    rest: str = ""
    denied: str | None = None
    since: bool = False


@dataclass
class _Draft:
    """An earlier message that is being amended: as it was, as it is by now, in which language, and
    by a message of which words. ``sure``: the message announces a correction, in so many words
    (2) or half (1). ``meant``: it says what was meant."""

    earlier: str
    text: str
    code: str
    signs: Words
    sure: int
    meant: bool = False
    rest: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return self.text != self.earlier


def amended(earlier: str, message: str) -> Amendment | None:
    """What the message makes of the earlier one; None when it corrects nothing in it."""
    text = " ".join(message.replace("’", "'").split())
    if not text or text.endswith("?") or len(text.split()) > LONGEST:
        return None
    if _GOES_ON.match(text) or _ALSO.search(text):
        return None
    draft = _draft(" ".join(earlier.replace("’", "'").split()), text)
    if draft.sure < 2 and not any(clause.states for clause in clauses(draft.earlier)):
        return None
    said = _joined([part.strip(" *") for part in sentences(text)], draft)
    for number, sentence in enumerate(said):
        if number > 0 and not (draft.changed or draft.sure):
            break
        if draft.changed:
            sentence = _GOES_ON.sub("", sentence).strip()
        if not (_named_wrong(draft, sentence) or _part_by_part(draft, sentence)):
            draft.rest.append(sentence)
    since = draft.signs.since.search(text) is not None
    if draft.changed:
        return Amendment(draft.text, _kept(draft), since=since)
    return _taken_back(draft, text)


def announces(message: str) -> bool:
    """Whether a message says that it corrects something, and nothing else of its own."""
    draft = _draft("", " ".join(message.replace("’", "'").split()))
    core = _core(message, draft.signs)
    return draft.sure > 1 and len(core.split()) <= MOST and _PRONOUN.match(core) is None


def _draft(earlier: str, text: str) -> _Draft:
    code = detect(earlier or text).code
    signs = words_of(frozenset((code, detect(text).code)))
    said = _FILLER.sub("", text.strip())
    announced = signs.opens.match(said) or (
        signs.closes.search(said) or said.startswith("*") or said.endswith("*")
    )
    parts = [part for sentence in sentences(said) for part in _PARTS.split(sentence)]
    ends = any(signs.closes.search(part) for part in parts)
    sure = (
        2
        if announced or ends or _denies_role(said, code)
        else 1
        if signs.surely.search(said)
        else 0
    )
    meant = _MEANT.search(said) is not None or "*" in said
    return _Draft(earlier, earlier, code, signs, sure, meant)


def _denies_role(text: str, code: str) -> bool:
    """ "We're not married, …" """
    first = _PARTS.split(text)[0]
    last = first.split()[-1] if first.split() else ""
    denied = lexicon(code).negates.search(make_plain(first, lexicon(code))) is not None
    return denied and any(re.fullmatch(pattern, last, re.I) for pattern, *_ in BECOMES)


def _joined(said: list[str], draft: _Draft) -> list[str]:
    """The sentences of a message, "Not Leeds. Leicester!" as one, and without those that only
    announce a correction."""
    made: list[str] = []
    for sentence in said:
        sentence = sentence.strip(" .!*¡")
        denies = made and draft.signs.not_.match(made[-1]) and len(made[-1].split()) <= 3
        if denies:
            made[-1] = f"{made[-1]}, {sentence}"
        elif _core(sentence, draft.signs):
            made.append(sentence)
    return made


def _core(text: str, signs: Words) -> str:
    """A part of a message without what announces a correction."""
    before = None
    text = text.strip(" *.!¡…")
    while before != text:
        before = text
        text = signs.closes.sub("", signs.opens.sub("", _FILLER.sub("", text)))
        text = text.strip(" ,.!:;*¡…–-")
    return text


def _plain(text: str, signs: Words) -> str:
    """The same without adverbs and without "it's"."""
    text = signs.rather.sub(" ", _core(text, signs))
    text = " ".join(text.split()).strip(" ,")
    for _ in range(2):
        text = signs.opens.sub("", signs.is_.sub("", text)).strip(" ,")
    return text


# -- what is named as wrong


def _named_wrong(draft: _Draft, sentence: str) -> bool:
    """ "Leicester, not Leeds": whether the wrong one stands in the earlier message and was
    replaced."""
    for pattern in _SAID:
        found = pattern.search(_core(sentence, draft.signs))
        if found is not None:
            right, *rest = _PARTS.split(found["right"])
            if _swap(draft, right, found["wrong"].strip(" ,")):
                draft.rest += rest
                return True
    denied = draft.signs.not_.finditer(sentence)
    return any(_swap_around(draft, sentence, no) for no in denied)


def _swap_around(draft: _Draft, sentence: str, no: re.Match[str]) -> bool:
    after = sentence[no.end() :]
    wrong, length = _held(draft.text, after)
    tail = after[length:]
    but = draft.signs.but.match(tail)
    if not wrong or not (_ENDS.match(tail) or but):
        return False
    *others, before = _PARTS.split(sentence[: no.start()].rstrip(" ,–-;"))
    if _plain(before, draft.signs):
        rest = [*others, *_PARTS.split(tail.lstrip(" ,;"))]
        right = before
    else:
        right, *rest = _PARTS.split(tail[but.end() :] if but else tail.lstrip(" ,;:.–—-"))
    if not _swap(draft, right, wrong):
        return False
    draft.rest += rest
    return True


def _held(earlier: str, said: str) -> tuple[str, int]:
    """The longest beginning of what is said that stands in the earlier message, without the
    article or preposition before it where that does not, and how long it is there."""
    until = re.search(r"[,;!()]|[.:](?=\s|$)|\s[–—-]+\s|$", said)
    tokens = list(re.finditer(r"\S+", said[: until.start() if until else None]))
    for last in reversed(tokens[:MOST]):
        for first in tokens[:3]:
            phrase = said[first.start() : last.end()]
            if first.start() >= last.end() or not _says_something(phrase):
                continue
            found = re.search(_whole(phrase), earlier, re.I)
            if found is None and phrase.isdigit():  # "78 not 87", the last digits of a number
                found = re.search(rf"{phrase}(?!\d)", earlier)
            if found is not None:
                return found[0], last.end()
    return "", 0


def _says_something(phrase: str) -> bool:
    return bool(content_words(phrase)) or phrase.casefold() in ("he", "she", "they")


def _whole(phrase: str) -> str:
    return rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"


def _swap(draft: _Draft, right: str, wrong: str) -> bool:
    """Puts what is right everywhere in the place of what is wrong; whether it could."""
    if re.search(re.escape(wrong), draft.text, re.I) is None:
        return False
    found = _aligned(draft, right, wrong)
    if found is None or found[0].casefold() == found[1].casefold():
        return False
    right, wrong = found
    pattern = rf"{wrong}(?!\d)" if wrong.isdigit() else _whole(wrong)
    text = re.sub(pattern, lambda _: right, draft.text, flags=re.I)
    last = right.split()[-1]
    draft.text = _agreeing(re.sub(rf"\b({re.escape(last)})\s+\1\b", r"\1", text), right)
    return draft.changed


def _aligned(draft: _Draft, right: str, wrong: str) -> tuple[str, str] | None:
    """What is right and what is wrong, cut to the part in which they differ; None where one can
    not stand for the other."""
    whole, right = right, _plain(right, draft.signs)
    theirs = [one for one in slots(wrong, draft.code, False) if one.kind != "name"]
    if theirs:
        kind = theirs[-1].kind
        same = [one for one in slots(right, draft.code, False) if one.kind == kind]
        if same:
            return same[-1].text, theirs[-1].text
        become = _become(right, wrong) if kind == "kin" else None
        return (become, theirs[-1].text) if become else None
    right, wrong = _without_common_beginning(right, wrong)
    if not right or len(right.split()) > len(wrong.split()) + 2:
        names = [one.text for one in slots(whole, draft.code) if one.kind == "name"]
        if not names or not wrong[:1].isupper():
            return None
        right = names[-1]
    says_more = _PRONOUN.match(right) is not None and _PRONOUN.fullmatch(wrong) is None
    return (right, wrong) if right and wrong and not says_more else None


def _without_common_beginning(right: str, wrong: str) -> tuple[str, str]:
    one, other = right.split(), wrong.split()
    if any(word.casefold() == other[0].casefold() for word in one[:3]):
        while one and one[0].casefold() != other[0].casefold():
            one = one[1:]
    while one and other and one[0].casefold() == other[0].casefold():
        one, other = one[1:], other[1:]
    leads = words_of(frozenset(("en", "de", "es", "fr", "pt"))).lead
    text = " ".join(one)
    if len(one) > len(other):
        text = leads.sub("", text)
    return text, " ".join(other)


def _become(said: str, relation: str) -> str | None:
    """ "we're engaged", said of a husband: a fiancé."""
    for pattern, *becomes in BECOMES:
        if re.fullmatch(pattern, said.strip(), re.I):
            return becomes[-1] if FEMALE.search(relation) else becomes[0]
    return None


# -- what is right, without what was wrong


def _part_by_part(draft: _Draft, sentence: str) -> bool:
    """Whether a part of a sentence brought something that has a place in the earlier message."""
    parts = [part for part in _PARTS.split(sentence) if part.strip()]
    parts = [part for part in parts if not draft.signs.letters.match(part)] or parts
    done = False
    for number, part in enumerate(parts):
        core = _core(part, draft.signs)
        opened = draft.sure or draft.changed
        if core and not done and (number == 0 or opened) and number < 3:
            done = _fill(draft, core)
            if not done and not opened:
                return False
            if done:
                continue
        if core:
            draft.rest.append(core)
    if not done:
        del draft.rest[len(draft.rest) - sum(bool(_core(part, draft.signs)) for part in parts) :]
    return done


def _fill(draft: _Draft, core: str) -> bool:
    """Puts what is right into its place in the earlier message; whether it has one there."""
    plain = _plain(draft.signs.letters.sub("", core), draft.signs)
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
    short = len(right.split()) <= 4 and _PRONOUN.match(right) is None
    return (
        short
        and (
            _fill_spelled(draft, right)
            or (draft.sure > 0 and _fill_role(draft, right, core))
            or (draft.sure > 0 and _fill_name(draft, right, prep, core))
            or (draft.sure > 0 and prep is not None and _fill_behind(draft, right, prep))
            or (
                draft.sure > 1
                and _fill_only(draft, right, core, lead is not None and bool(lead["det"]))
            )
        )
        or (draft.sure > 1 and _fill_last(draft, plain, core))
    )


def _may_fill(draft: _Draft, core: str, plain: str, things: list[Slot]) -> bool:
    """Whether a part says little but what is right: "Thursday at 4", "two cats", "we go in May"."""
    left = plain
    for one in things:
        left = left.replace(one.text, " ", 1)
    others = [word for word in words(draft.signs.lead.sub("", left.strip())) if len(word) > 3]
    new = [word for word in others if share_found([word], words(draft.earlier)) < 1.0]
    kin = things[0].kind in ("kin", "animal")
    verb = re.search(r"\b(?:is|are|was|works?|ist|es|est|é|geht|passt)\b", left) is not None
    if len(left.split()) <= 2 and not verb:
        bare = plain.strip(" .!") == things[0].text or not _PRONOUN.match(core)
        return draft.sure > 0 or draft.changed or (bare and not kin and len(left.split()) <= 1)
    spoken = _PRONOUN.match(core) is not None or core != plain
    return draft.sure > 0 and not kin and spoken and len(new) <= 1 and len(left.split()) <= 5


def _fill_kinds(draft: _Draft, plain: str, things: list[Slot]) -> bool:
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
        draft.text = _agreeing(draft.text, thing.text)
    return draft.text != text


def _place_for(draft: _Draft, plain: str, thing: Slot) -> Slot | None:
    """The one place in the earlier message where a thing belongs."""
    there = slots(draft.text, draft.code)
    noun = re.match(r"\s+([^\W\d_]{3,})", plain[thing.end :])
    found = [one for one in there if one.kind == thing.kind]
    if thing.kind == "number":
        found = [one for one in found if noun is None or _counts(draft.text, one, noun[1])]
        single = one_of(noun[1], draft.text, draft.code) if noun and not found else None
        found = [single] if single else found or _in_dates(there, thing)
    if not found and thing.kind in ("time", "number"):
        found = [one for one in there if one.kind in ("time", "number") and _at(draft, one)]
        found = found if thing.kind == "time" or _at_in(plain, thing) else []
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
    if thing.kind != "number" or not (ours and theirs and same_noun(ours[1], theirs[1])):
        return None
    return f"{thing.text} {ours[1]}", place.end + theirs.end()


def _count_other(draft: _Draft, plain: str, thing: Slot) -> bool:
    """ "Two girls", of two boys: the number is right."""
    ours = re.match(r"\s+([^\W\d_]{3,})$", plain[thing.end :])
    theirs = re.search(rf"{_whole(thing.text)}\s+([^\W\d_]{{3,}})", draft.text, re.I)
    if thing.kind != "number" or ours is None or theirs is None:
        return False
    draft.text = draft.text[: theirs.start(1)] + ours[1] + draft.text[theirs.end(1) :]
    return draft.changed


def _counts(text: str, number: Slot, noun: str) -> bool:
    """Whether a number counts a noun, or nothing at all."""
    after = re.match(r"\s+([^\W\d_]+)", text[number.end :])
    return after is None or len(after[1]) <= 3 or same_noun(after[1], noun)


def _in_dates(there: list[Slot], thing: Slot) -> list[Slot]:
    """The days of the month of the dates in a text, for "the 15th"."""
    made = []
    for one in there:
        day = re.search(r"\d+(?:st|nd|rd|th|º)?", one.text) if one.kind == "date" else None
        if day is not None and thing.text[0].isdigit():
            begin = one.start + day.start()
            made.append(Slot("number", day[0], begin, begin + len(day[0])))
    return made


_HOURS = ("at", "um", "gegen", "las", "la", "à", "às", "until", "till", "bis")


def _at(draft: _Draft, one: Slot) -> bool:
    return one.kind == "time" or _word_before(draft.text, one.start) in _HOURS


def _at_in(plain: str, thing: Slot) -> bool:
    return _word_before(plain, thing.start) in _HOURS


def _word_before(text: str, start: int) -> str:
    before = words(text[:start])
    return before[-1] if before else ""


def _of_gender(draft: _Draft, plain: str, thing: Slot, place: Slot) -> tuple[int, str]:
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


def _restated(draft: _Draft, core: str) -> bool:
    """Whether a part says the same of the same one with something else: "he's vegetarian"."""
    said = _of_the_same(draft.text, draft.signs.rather.sub(" ", core))
    if said is None:
        return False
    known = read(draft.text).statements
    for new in read(said).statements:
        like = [
            old for old in known if (old.subject, old.predicate) == (new.subject, new.predicate)
        ]
        if len(like) == 1 and like[0].object.casefold() != new.object.casefold():
            return _replace(draft, like[0].object, new.object)
    return False


def _replace(draft: _Draft, wrong: str, right: str) -> bool:
    text = re.sub(_whole(wrong), lambda _: right, draft.text, count=1, flags=re.I)
    changed = text != draft.text
    draft.text = _agreeing(text, right)
    return changed


def _of_the_same(earlier: str, said: str) -> str | None:
    """What is said, with whom the earlier message is about in place of "he" or "she"."""
    said = " ".join(said.split())
    if re.match(r"(?:I|we|ich|wir|yo|je|j'|eu|nous|on|nós)(?![^\W\d_])", said, re.I):
        return said
    stated = [clause for clause in clauses(earlier) if clause.states]
    pronoun = re.match(r"(?:he|she|it|they|er|sie|es|él|ella|il|elle|ele|ela)\b(?P<is>'s|'re)?", said, re.I)  # fmt: skip
    found = lexicon(stated[0].language).subject.match(stated[0].plain) if stated else None
    if pronoun is None or found is None:
        return None
    subject = stated[0].plain[: found.start("rest")].strip()
    verb = {"'s": " is", "'re": " is"}.get(pronoun["is"] or "", "")
    return f"{subject}{verb}{said[pronoun.end() :]}"


def _fill_spelled(draft: _Draft, right: str) -> bool:
    """Whether the earlier message has a word that is spelled nearly so."""
    alike, begin, end = closest(draft.text, right)
    there = draft.text[begin:end]
    one, other = right.casefold(), there.casefold()
    if there == right or (one == other and draft.sure < 2) or len(right.split()) > 3:
        return False
    form = right.islower() and (one.startswith(other) or other.startswith(one))
    if not draft.sure and (form or (len(right) < SHORTEST and alike < 1.0)):
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


def _fill_name(draft: _Draft, right: str, prep: str | None, core: str) -> bool:
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


def _lead_before(draft: _Draft, start: int) -> int | None:
    """Where the preposition begins that stands before a place in the earlier message."""
    before = re.search(r"(\S+)\s+$", draft.text[:start])
    lead = draft.signs.lead.match(f"{before[1]} x") if before else None
    return before.start(1) if before and lead and lead["prep"] else None


def _fill_last(draft: _Draft, plain: str, core: str) -> bool:
    """Puts the name at the end of a sentence behind the preposition that it has there: "we're
    going to Portugal"."""
    names = [one for one in slots(plain, draft.code, False) if one.kind == "name"]
    if len(plain.split()) > MOST or not names or names[-1].end < len(plain):
        return False
    prep = _word_before(plain, names[-1].start)
    there = re.search(rf"\b{prep}\s+(?=[A-ZÀ-Ý])", draft.text) if prep else None
    new = [w for w in content_words(plain[: names[-1].start]) if len(w) > 3]
    fits = there is not None and len(new) <= 1 and _PRONOUN.match(core) is not None
    return fits and _fill_name(draft, names[-1].text, prep, core)


_COUPLE = frozenset("wife husband partner girlfriend boyfriend fiance".split())


def _fill_become(draft: _Draft, plain: str) -> bool:
    """ "We're divorced", of a wife."""
    kin = lexicon(draft.code).kin
    there = [one for one in slots(draft.text, draft.code) if one.kind == "kin"]
    couple = [one for one in there if kin.get(one.text.casefold()) in _COUPLE]
    right = _become(plain, couple[0].text) if len(couple) == 1 else None
    return right is not None and _replace(draft, couple[0].text, right)


_I_AM = re.compile(r"(?:I'm|I\s+am)\s+(?:\w+\s+)?an?\s|.*\b(?:bin\s+ich|ich\s+bin)\b", re.I)


def _fill_role(draft: _Draft, right: str, core: str) -> bool:
    """Puts what somebody is into the place of what the earlier message says that they work as."""
    roles = [s.object for s in read(draft.text).statements if s.predicate == "works_as"]
    fits = _I_AM.match(core) is not None and (draft.code != "de" or right[0].isupper())
    return fits and len(roles) == 1 and _replace(draft, roles[0], right)


_SPELLS = re.compile(
    r"\b(?:spell\w*|spelt|schreibt|geschrieben|escrib\w+|escrev\w+|écri\w+)\b", re.I
)
_OBJECT = r"(?P<object>(?:(?!(?:and|but|on|at|in|to|for|from|with|by|und|am|um|im|nach|bei|mit|von|y|en|con|et|à|avec|e|em|com)\b)[\w'’-]+\s*){1,5})"


def _fill_behind(draft: _Draft, right: str, prep: str) -> bool:
    """Puts what is right behind the only preposition of its kind."""
    found = list(re.finditer(rf"\b{prep}\s+{_OBJECT}", draft.text, re.I))
    if len(found) != 1 or draft.sure < 2:
        return False
    begin, end = found[0].span("object")
    there = draft.text[begin:end].rstrip()
    draft.text = draft.text[:begin] + right + draft.text[begin + len(there) :]
    return draft.changed


_MEANT = re.compile(r"\b(?:meant|mean|meinte|meine|decir|dire|dizer|make\s+(?:that|it))\b", re.I)


def _fill_only(draft: _Draft, right: str, core: str, named: bool) -> bool:
    """Puts what was meant into the place of the only thing that the earlier message says. ``named``:
    with an article, so that it is a thing."""
    kin = set(lexicon(draft.code).kin.values())
    stated = [item for item in read(draft.text).statements if item.predicate not in kin]
    objects = {item.object for item in stated if item.object.islower() == right.islower()}
    thing = named or draft.meant or (draft.code == "en" and not any(map(common, right.split())))
    if len(objects) != 1 or not thing or len(right.split()) > 3:
        return False
    return _replace(draft, objects.pop(), right)


def _agreeing(text: str, right: str) -> str:
    """English: "a" or "an" before what is right; the verb after "they"."""
    if right.casefold() == "they":
        text = re.sub(r"\bthey\s+(\w{3,}?)s\b", r"they \1", text)
        return re.sub(r"\bthey\s+(?:is|was)\b", "they are", text).replace("they ha ", "they have ")

    def article(found: re.Match[str]) -> str:
        a = "an" if found[2].casefold() in "aeio" else "a"
        return a.capitalize() if found[1][0].isupper() else a

    first = re.escape(right.split()[0])
    return re.sub(rf"\b(an?)(?=\s+{first}\b)\s+(\w)", lambda f: f"{article(f)} {f[2]}", text)


# -- what is taken back


def _taken_back(draft: _Draft, text: str) -> Amendment | None:
    """ "We're not moving after all", "it's been called off": what the message says in place of the
    earlier one."""
    signs, parts = draft.signs, [p for s in sentences(text) for p in _PARTS.split(s.strip(" .!"))]
    gone = signs.cancelled.search(text) is not None
    if not gone and not signs.after_all.search(text):
        return None
    words_here = lexicon(draft.code)
    no = words_here.negates
    denies = [p for p in parts if no.search(make_plain(p, words_here)) and _core(p, signs)]
    denies = denies or ([text] if gone else [])
    planned = _is_planned(draft) and len(text.split()) <= SHORT
    if not denies or not (_about_it(draft.earlier, denies[0]) or (gone and planned)):
        return None
    after = parts[parts.index(denies[0]) + 1 :] if denies[0] in parts else []
    positive = [
        part for part in after if _of_the_same(draft.earlier, part) and _PRONOUN.match(part)
    ]
    told = positive[0] if positive else signs.opens.sub("", denies[0])
    rest = [part for part in after if part not in positive]
    denied = _of_the_same(draft.earlier, told) or told
    return Amendment(draft.earlier, ". ".join(rest), denied=_sentence(denied))


def _is_planned(draft: _Draft) -> bool:
    """Whether the earlier message speaks of a day, or of what is to come."""
    coming = any(clause.tense == "coming" for clause in clauses(draft.earlier))
    dated = any(one.kind in ("date", "day", "month") for one in slots(draft.earlier, draft.code))
    return coming or dated


def _about_it(earlier: str, denied: str) -> bool:
    said = [word for word in content_words(denied) if len(word) > 2]
    return any(share_found([word], words(earlier)) > 0 for word in said)


def _sentence(text: str) -> str:
    text = text.strip(" ,.")
    return text[0].upper() + text[1:] + "."


def _kept(draft: _Draft) -> str:
    """What of the rest of a message says something of its own: no excuse, and nothing that only
    the earlier message makes plain."""
    parts = [_core(part, draft.signs) for part in draft.rest]
    known = words(draft.text)
    kept = [
        part
        for part in parts
        if share_found(content_words(part), known) < 1.0
        and not draft.signs.excuses.search(part)
        and not draft.signs.letters.match(part)
        and not _PLACE.search(part)
        and not (draft.signs.not_.match(part) and len(part.split()) <= 3)
    ]
    return ". ".join(kept)
