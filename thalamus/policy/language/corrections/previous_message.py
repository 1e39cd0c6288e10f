"""What a message makes of the one before it: "8!" after "Tara is 7." makes it "Tara is 8."

What is right is put into the place of what is of its kind there (a day, a number, a relation, a
name), or is spelled nearly the same, or is named as wrong ("not Leeds – Leicester"). Where two things
could be meant, nothing is changed. "We're not moving after all" takes the whole message back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from thalamus.policy.language.clauses import clauses, make_plain, sentences
from thalamus.policy.language.corrections.bare_values import fill, restated
from thalamus.policy.language.corrections.contrasts import kind_of
from thalamus.policy.language.corrections.draft import (
    MOST,
    PARTS,
    PRONOUN,
    Draft,
    core_of,
    denies_role,
    draft_of,
    of_the_same,
    plain_of,
)
from thalamus.policy.language.corrections.excuses import is_excuse, is_remark
from thalamus.policy.language.corrections.named_errors import explained_wrong, named_wrong
from thalamus.policy.language.corrections.no_longer import became, now_instead, says_once
from thalamus.policy.language.corrections.rescheduled import at_new_time, rescheduled
from thalamus.policy.language.corrections.slots import slots
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.patterns import LazyPattern
from thalamus.text.tokens import content_words, share_found, words

SHORTER = 12  # words of a message that says what has become of an age
SHORT = 8  # words of a message that calls something off without naming it
LONGEST = 24  # words of a message that corrects
LONGEST_DENIAL = 16  # words of a message that takes something back
LONGEST_VALUE = 8  # words of a date with its day and time
_VALUES = ("date", "day", "month", "time", "year", "number")
_GOES_ON = LazyPattern(
    r"^(?:and|also|plus(?!\s+(?:maintenant|vrai))|und|auch|y|et|e|también|aussi|também)\b", re.I
)
# "I also play on Thursdays" changes nothing
_ALSO = LazyPattern(
    r"\b(?:also|too|as\s+well|auch|ebenfalls|también|aussi|également|também)\b", re.I
)
_PLACE = LazyPattern(r"\b(?:there|dort|da|allí|ahí|là|y|lá|aí)\b", re.I)


@dataclass(frozen=True)
class Amendment:
    """``text``: the earlier message as it should have been. ``rest``: what the message says
    besides. ``denied``: what it says in place of something that is taken back altogether.
    ``since``: it is so by now; what was said was right once."""

    text: str
    rest: str = ""
    denied: str | None = None
    since: bool = False


@lru_cache(maxsize=1024)  # a conversation is gone through in every turn
def amend(earlier: str, message: str) -> Amendment | None:
    """What the message makes of the earlier one; None when it corrects nothing in it, such as one
    that puts itself right ("in Bremen, sorry, Hamburg")."""
    text, earlier = _on_one_line(message), _on_one_line(earlier)
    if text in ("", earlier) or text.endswith("?") or len(text.split()) > LONGEST:
        return None
    if _GOES_ON.match(text) or _ALSO.search(text) or any(one.amended for one in clauses(text)):
        return None
    moved = rescheduled(text)
    if moved is not None:  # it names what it is about, so it changes nothing else
        # "the receptionist moved it to Wednesday": what was spoken of last
        made = at_new_time(earlier, moved, anything=moved.by_whom)
        return Amendment(made, moved.rest, since=True) if made is not None else None
    by_now = became(earlier, text) if len(text.split()) <= SHORTER else None
    text = by_now or text
    draft = draft_of(earlier, text)
    if draft.sure < 2 and not any(clause.states for clause in clauses(draft.earlier)):
        return None
    instead = now_instead(draft, text)
    if instead is not None and says_once(draft, text):
        return Amendment(draft.earlier, denied=_sentence(instead), since=True)
    _put_right(draft, text)
    since = by_now is not None or draft.signs.since.search(text) is not None
    if draft.changed:
        draft.rest = [part for part in _parts_of(draft.rest) if not _has_its_place(draft, part)]
        return Amendment(draft.text, _kept(draft), since=since)
    if instead is not None:
        return Amendment(draft.earlier, denied=_sentence(instead), since=True)
    return _taken_back(draft, text)


def with_value(sentence: str, value: str) -> str | None:
    """A sentence with a bare value ("8", "Friday at nine") in the place of what is of its kind
    there; None for another sentence, and where the value has no place or several."""
    if len(value.split()) > LONGEST_VALUE or kind_of(value) not in _VALUES:
        return None
    amendment = amend(sentence, value)
    fits = amendment is not None and amendment.denied is None and not amendment.rest
    return amendment.text if amendment is not None and fits else None


def _on_one_line(text: str) -> str:
    return " ".join(text.replace("’", "'").split())


def _put_right(draft: Draft, text: str) -> None:
    """Puts what a message brings into the earlier one, and what it says besides into the rest."""
    said = _joined([part.strip(" *") for part in sentences(text)], draft)
    said = [one for one in said if not all(map(is_remark, PARTS.split(one)))]
    if explained_wrong(draft, _parts_of(said)):
        return
    for number, sentence in enumerate(said):
        if number > 0 and not (draft.changed or draft.sure):
            break
        if draft.changed:
            sentence = _GOES_ON.sub("", sentence).strip()
        if not (named_wrong(draft, sentence) or _part_by_part(draft, sentence)):
            draft.rest.append(sentence)


def _parts_of(said: list[str]) -> list[str]:
    return [part for one in said for part in PARTS.split(one)]


def _has_its_place(draft: Draft, part: str) -> bool:
    """Whether another part of a correction corrects something else: "1959, and it was Bursa, not
    Izmir"; "she's a cousin, not a sister. And she lives in Wells"."""
    core = core_of(_GOES_ON.sub("", part.strip()).strip(), draft.signs)
    before = draft.text
    things = [one for one in slots(core, draft.code, False) if one.kind not in ("name", "kin")]
    bare = len(things) == 1 and len(core.split()) <= len(things[0].text.split()) + 1
    fills = fill(draft, core) if bare else restated(draft, core, single=True)
    return fills and draft.text != before


def announces_correction(message: str) -> bool:
    """Whether a message is a correction in so many words, and little else."""
    text = _on_one_line(message)
    return len(text.split()) <= MOST and draft_of("", text).sure > 1


def _joined(said: list[str], draft: Draft) -> list[str]:
    """The sentences of a message, "Not Leeds. Leicester!" and "Leicester! Not Leeds." as one, and
    without those that only announce a correction."""
    made: list[str] = []
    for sentence in said:
        sentence = sentence.strip(" .!*¡")
        if made and (_only_denies(made[-1], draft) or _only_denies(sentence, draft)):
            made[-1] = f"{made[-1]}, {sentence}"
        elif core_of(sentence, draft.signs):
            made.append(sentence)
    return made


def _only_denies(sentence: str, draft: Draft) -> bool:
    return draft.signs.not_.match(sentence) is not None and len(sentence.split()) <= 3


def _part_by_part(draft: Draft, sentence: str) -> bool:
    """Whether a part of a sentence brought something that has a place in the earlier message."""
    parts = [part for part in PARTS.split(sentence) if core_of(part, draft.signs)]
    parts = [part for part in parts if not draft.signs.letters.match(part)] or parts
    done = False
    rest: list[str] = []
    for number, part in enumerate(parts):
        core = core_of(part, draft.signs)
        opened = draft.sure or draft.changed
        half = draft.sure == 1 and not draft.signs.surely.search(part)
        if not done and (number == 0 or (opened and not half)) and number < 3:
            done = fill(draft, core)
            if not done and not opened:
                return False
            if done:
                continue
        rest.append(part)
    if done:
        draft.rest += rest
    return done


def _taken_back(draft: Draft, text: str) -> Amendment | None:
    """ "We're not moving after all", "it's been called off": what the message says in place of the
    earlier one."""
    signs, parts = draft.signs, [p for s in sentences(text) for p in PARTS.split(s.strip(" .!"))]
    gone = signs.cancelled.search(text) is not None
    gone = gone or (draft.sure > 1 and signs.stays.search(text) is not None)
    if not gone and not signs.after_all.search(text):
        return None
    words_here = lexicon(draft.code)
    no = words_here.negates
    denies = [p for p in parts if no.search(make_plain(p, words_here)) and core_of(p, signs)]
    off = [part for part in parts if signs.cancelled.search(part)]
    denies = denies or off or ([text] if gone else [])
    planned = _is_planned(draft) and len(text.split()) <= SHORT
    if (
        len(text.split()) > LONGEST_DENIAL
        or not denies
        or not (_about_it(draft.earlier, denies[0]) or (gone and planned))
    ):
        return None
    after = parts[parts.index(denies[0]) + 1 :] if denies[0] in parts else []
    positive = [part for part in after if of_the_same(draft.earlier, part) and PRONOUN.match(part)]
    told = positive[0] if positive else signs.opens.sub("", denies[0])
    rest = [part for part in after if part not in positive]
    denied = of_the_same(draft.earlier, told) or told
    return Amendment(draft.earlier, ". ".join(rest), denied=_sentence(denied))


def _is_planned(draft: Draft) -> bool:
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


def _without_excuses(part: str, draft: Draft) -> list[str]:
    parts = PARTS.split(part) if draft.signs.excuses.search(part) else [part]
    return [one for one in parts if draft.signs.excuses.search(one) is None and not is_excuse(one)]


def _kept(draft: Draft) -> str:
    """What of the rest of a message says something of its own: no excuse, and nothing that only
    the earlier message makes plain."""
    said = [part for one in draft.rest for part in _without_excuses(one, draft)]
    parts = [part.strip(" .!¡") for part in said if plain_of(part, draft.signs)]
    known = words(draft.text)
    kept = [
        part
        for part in parts
        if share_found(content_words(part), known) < 1.0
        and not draft.signs.letters.match(part)
        and not denies_role(part, draft.code)
        and not _PLACE.search(part)
        and not (draft.signs.not_.match(part) and len(part.split()) <= 3)
    ]
    return ". ".join(kept)
