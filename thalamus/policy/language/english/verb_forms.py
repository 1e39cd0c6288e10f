"""Forms of English verbs: the infinitive of an -ing form, and what somebody is called who does
something for a living."""

from __future__ import annotations

import re

# stems whose infinitive ends in -e although their ending does not show it
_WITH_E = frozenset(
    """tak mak hav com giv liv lov mov driv writ us rid hir shar bak smok chang arrang challeng
    exchang restor explor prepar retir acquir measur captur manufactur stor ensur insur rewir clos
    rais purchas nurs rehears licens choos los hik bik cycl cod tun pil til fil styl schedul handl
    juggl settl wrestl paddl tackl sampl assembl recycl declin combin imagin examin refin defin din
    complet compet invit promot devot vot skat wak hous trad upgrad decid provid guid gam nam tim
    wip typ hop shap escap pos propos becom rehom figur lectur danc fenc""".split()
)
_E_ENDINGS = re.compile(r"(?:v|c|u|at|[iy][sz]|dg)$")
_NO_E = frozenset(
    """eat beat treat heat seat repeat defeat float boat coat chat retreat sweat cheat ski focus
    visit edit exhibit""".split()
)
_DOUBLED = frozenset("bb dd gg mm nn pp rr tt".split())
_DOUBLED_L = frozenset("travell cancell controll patroll modell labell propell".split())

# what one is called who does it
_AGENTS = {
    **{
        verb: f"{verb}er"
        for verb in """clean paint teach design brew grow breed train sell walk install build weld print
        test develop review research perform keep farm interpret import export roast groom sing photograph
        pack play craft proofread catch bind""".split()
    },
    **{
        verb: f"{verb}r"
        for verb in "restore carve make bake tune drive write manage weave dance dye trade code "
        "ride produce compose".split()
    },
    **{
        verb: f"{verb.removesuffix('e')}or"
        for verb in "translate decorate illustrate edit inspect audit act sculpt animate".split()
    },
    **{verb: f"{verb}{verb[-1]}er" for verb in "fit cut plan program".split()},
    **dict.fromkeys("mend fix repair".split(), "repairer"),
    **{verb: verb for verb in "cook coach guard guide".split()},
}
_PEOPLE = frozenset("people kids children adults students pupils beginners teenagers folks".split())
_NO_NOUN = re.compile(
    r"\b(?:it|them|that|this|those|these|what|things?|stuff|up|for|in|at|on|with|to|of|and|or|from|own|"
    r"full[- ]time|part[- ]time|online|too|also|mostly|mainly)\b",
    re.I,
)
LONGEST = 4  # words of what somebody does for a living


def infinitive(phrase: str) -> str:
    """A phrase that begins with an -ing form with its infinitive in place of it: "restoring a boat"
    becomes "restore a boat". Another phrase stays as it is."""
    first, _, rest = phrase.partition(" ")
    lower = first.lower()
    if not lower.endswith("ing") or len(lower) < 5:
        return phrase
    return f"{_base(lower.removesuffix('ing'))} {rest}".strip()


def as_plan(phrase: str) -> str:
    """What somebody plans to do, without a second word for planning: "host a barbecue" for
    "planning to host a barbecue", "trip to Japan" for "planning a trip to Japan", "have a baby" for
    "expecting a baby"."""
    phrase = re.sub(r"^be\s+(?=\w{3,}ing\b)", "", phrase, flags=re.I)
    if (thing := _PLANS_A.match(phrase)) is not None:
        return phrase[thing.end() :]
    phrase = _PLANS_TO.sub("", phrase)
    phrase = re.sub(r"^expecting\b", "having", phrase, flags=re.I)
    return infinitive(phrase)


def activity(phrase: str) -> str:
    """What somebody does as a noun: "swimming" for "swim" or "swims", "walking the dog" for "walk the
    dog", "yoga" for "do yoga". A phrase that begins with no verb stays as it is."""
    first, _, rest = phrase.partition(" ")
    verb = _verb(first.lower())
    if verb is None or _COMPOUND.match(rest):
        return phrase
    if verb in ("do", "have", "practise", "practice", "attend") and rest and " " not in rest:
        return rest
    if verb == "go" and (done := re.match(r"[a-z]{3,}ing\b", rest)) is not None:
        return rest if done[0] not in _NO_GERUNDS else f"going {rest}"
    return f"{_gerund(verb)} {rest}".strip()


def _verb(word: str) -> str | None:
    """The base form of a verb for what somebody does regularly; None for another word."""
    bases = [word, word.removesuffix("s"), word.removesuffix("es")]
    if word.endswith("ies"):
        bases.append(f"{word[:-3]}y")
    return next((base for base in bases if base in _DONE), None)


def _gerund(verb: str) -> str:
    if verb in _DOUBLING:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        verb = verb[:-1]
    return f"{verb}ing"


_DONE = frozenset(
    """attend babysit bake bike bird-watch birdwatch bodyboard box breed brew busk buy call catch clean climb
    coach collect commute cook crochet cycle dance do donate draw drink drive eat exercise fast fence fish
    forage foster garden get go grow have help hike hill-walk host hunt jog journal kayak keep knit leave lift
    listen make meditate meet nap order paddle paint phone play practice practise pray quilt read referee ride
    ring roast row run sail sew sing skate sketch ski skip smoke spin stretch study surf swim take teach train
    travel tutor umpire vape visit volunteer wake walk watch weave weld work write""".split()
)
_DOUBLING = frozenset("swim run jog knit skip nap get spin babysit".split())
_NO_GERUNDS = frozenset(("spring", "evening", "morning", "king", "ring"))
# "dance classes", "ski lessons": a noun stands first
_COMPOUND = re.compile(
    r"(?:\w+\s)?(?:class(?:es)?|lessons?|practice|training|rehearsals?|clubs?|courses?|groups?|school|team|therapy|night|camp)\b",
    re.I,
)
_PLANS_TO = re.compile(r"^(?:planning|hoping|aiming)\s+(?:to|on)\s+", re.I)
_PLANS_A = re.compile(r"^planning\s+(?!(?:to|on)\s)(?:an?\s+|my\s+|our\s+|the\s+)?", re.I)


def _base(stem: str) -> str:
    if stem in _DOUBLED_L or (stem[-2:] in _DOUBLED and stem not in ("add", "err")):
        return stem[:-1]
    if stem in _NO_E:
        return stem
    if stem in _WITH_E or _E_ENDINGS.search(stem):
        return f"{stem}e"
    return stem


def occupation_of(work: str) -> str | None:
    """What somebody is called who does this for a living: "piano tuner" of "tune pianos"; None where
    nobody would say it so."""
    said = work.split()
    if not said or len(said) > LONGEST:
        return None
    agent = _agent(said[0].lower())
    things = " ".join(said[1:])
    if agent is None or _NO_NOUN.search(things):
        return None
    things = re.sub(r"^(?:an?|the|my|our|some)\s+", "", things, flags=re.I)
    if not things or things.split()[-1].lower() in _PEOPLE:
        return agent
    return f"{_one(things)} {agent}"


def has_occupation(work: str) -> bool:
    """Whether who does this for a living is called something."""
    return occupation_of(work) is not None


def occupation(work: str) -> str:
    """As ``occupation_of``, and the words themselves where there is no name for it."""
    return occupation_of(work) or work


def _agent(verb: str) -> str | None:
    for base in (verb, verb.removesuffix("s"), verb.removesuffix("es")):
        if base in _AGENTS:
            return _AGENTS[base]
    return None


def _one(things: str) -> str:
    """The last noun of a phrase in the singular: "old clocks" becomes "old clock"."""
    for ending, one in _ENDINGS:
        if things.endswith(ending):
            return things[: len(things) - len(ending)] + one
    return things


_ENDINGS = (
    ("ics", "ics"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("news", "news"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("glasses", "glasses"),
    ("clothes", "clothes"),
    ("knives", "knife"),
    ("shelves", "shelf"),
    ("ies", "y"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("sses", "ss"),
    ("xes", "x"),
    ("s", ""),
)
