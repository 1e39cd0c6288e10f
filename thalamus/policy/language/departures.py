"""What somebody left, "I left the bakery last month", "J'ai quitté Dijon en mai"; what they have
finished; and who died.

The words do not say whether it was a job, a home or a choir: what is known about the user does. And
"I left the bakery at five" is no end of a job: only what is left for good counts.
"""

from __future__ import annotations

import re

from thalamus.policy.language.clauses import Clause
from thalamus.policy.language.patterns import LazyPattern

# what may be over once it was left, and whether the bare words say so: who leaves a city may travel
DEPARTED = {"works_at": True, "member_of": True, "studies_at": True, "lives_in": False}
_OPENER = r"(?:[\w-]+,?\s+){0,2}?"
_EN_LASTING = (
    r"(?:last|this|next)\s+(?:week|month|year|spring|summer|autumn|fall|winter)\b|"
    r"(?:in|since)\s+(?:early\s+|late\s+)?(?:19|20)\d\d\b|in\s+(?:early\s+|late\s+|mid-?)?[A-Z]\w{2,}|"
    r"(?:[\w-]+\s+){1,3}(?:weeks?|months?|years?)\s+ago\b|for\s+(?:good|ever)\b|after\s+.*\byears?\b"
)


def _form(verb: str, lasting: str) -> tuple[LazyPattern, LazyPattern]:
    return LazyPattern(verb, re.IGNORECASE), LazyPattern(lasting)


# the verb, and what shows behind the object that it was for good
_FORMS: dict[str, tuple[LazyPattern, LazyPattern]] = {
    "en": _form(
        rf"^{_OPENER}I\s+(?:have\s+|'ve\s+)?(?:\w+ly\s+|just\s+)?"
        r"(?:left|quit|gave\s+up|given\s+up|dropped\s+out\s+of|packed\s+in|stepped\s+down\s+from)\s+",
        _EN_LASTING,
    ),
    "de": _form(  # the verb stands first there: see ``word_order``
        rf"^{_OPENER}(?:ich\s+habe|habe\s+ich)\s+verlassen\s+",
        r"(?:letzte|vorige)\w*\s+(?:Woche|Monat|Jahr|Sommer|Winter|Frühling|Herbst)|im\s+\w+|"
        r"vor\s+\w+\s+(?:Wochen|Monaten|Jahren?)|für\s+immer|endgültig",
    ),
    "fr": _form(
        rf"^{_OPENER}j['’]ai\s+(?:\w+ment\s+)?quitté\s+",
        r"(?:la\s+semaine|le\s+mois|l['’](?:année|été|hiver|automne)|le\s+printemps)\s+derni[eè]re?|"
        r"en\s+\w+|il\s+y\s+a\s+\w+\s+(?:semaines?|mois|ans?)|pour\s+(?:de\s+bon|toujours)",
    ),
    "es": _form(
        rf"^{_OPENER}(?:yo\s+)?(?:dejé|he\s+dejado|me\s+fui\s+de|me\s+he\s+ido\s+de)\s+",
        r"(?:la\s+semana|el\s+mes|el\s+año|el\s+verano|el\s+invierno)\s+pasad[oa]|en\s+\w+|"
        r"hace\s+\w+\s+(?:semanas?|mes(?:es)?|años?)|para\s+siempre",
    ),
    "pt": _form(
        rf"^{_OPENER}(?:eu\s+)?(?:deixei|saí\s+d[eao]s?)\s+",
        r"(?:na\s+semana|no\s+mês|no\s+ano|no\s+verão|no\s+inverno)\s+passad[oa]|em\s+\w+|"
        r"há\s+\w+\s+(?:semanas?|mes(?:es)?|anos?)|para\s+sempre",
    ),
}
# a reason is none of a journey: "I left the choir, too little time", and not "I left the office early"
_REASON = re.compile(
    r"(?:too|no|not|because|since|as|it(?:'s|’s)?|they|there(?:'s|’s)?|for\s+lack"
    r"|weil|zu|keine?|nicht|es|parce\s+que|car|trop|pas|porque|por|demasiad[oa]|não|sem|falta)\b",
    re.IGNORECASE,
)
_ARTICLE = r"(?:(?:the|my|our|die|der|den|das|meine?n?|le|la|les|l['’]|el|los|las|mi|o|a|os|as|meu|minha)\s*\b)?"


def departs_from(clause: Clause, thing: str, predicate: str) -> bool:
    """Whether the user says in a clause that they left ``thing`` for good, of which a fact with
    this predicate is known. False for languages that are not known here."""
    found = _leaving(clause)
    if found is None:
        return False
    rest = clause.plain[found.end() :]
    named = re.match(rf"{_ARTICLE}{re.escape(thing)}(?!\w)", rest, re.IGNORECASE)
    if not named:
        return False
    tail = rest[named.end() :].strip(" ,.!;–")
    if not tail or _REASON.match(tail):
        return DEPARTED[predicate]
    return _FORMS[clause.language][1].match(tail) is not None


def may_depart(clause: Clause) -> bool:
    """Whether a clause says that the user left something."""
    return _leaving(clause) is not None


def _leaving(clause: Clause) -> re.Match[str] | None:
    """The beginning of a clause, up to what was left."""
    if clause.language not in _FORMS or not clause.states:
        return None
    return _FORMS[clause.language][0].match(clause.plain)


def finished(clause: Clause) -> str | None:
    """What a clause says that the user has finished or given up, without its article: "boat" of
    "I've finished building the boat"; None where it says that of nothing."""
    if not clause.states:
        return None
    for pattern in _FINISHED.get(clause.language, ()):
        found = pattern.match(clause.plain)
        if found is not None:
            return found["thing"].strip()
    return None


_DOING = (
    r"(?:working\s+on|writing|building|restoring|renovating|making|developing|designing|translating|composing|"
    r"knitting|sewing|painting|editing|recording|organi[sz]ing|planning)\s+"
)
_OWN_THING = r"(?:the|my|our|that)\s+(?P<thing>[^,.;:!?()]+?)"
_FINISHED = {
    "en": (
        LazyPattern(
            rf"(?:[\w-]+,?\s+){{0,2}}?(?:I|we)\s+(?:(?:have|had)\s+)?(?:\w+ly\s+|just\s+|also\s+)?(?:(?:finished|completed|abandoned|gave\s+up|"
            rf"given\s+up|shelved|scrapped|dropped|wrapped\s+up)\s+(?:{_DOING})?|(?:am|are)\s+done\s+with\s+|stopped\s+{_DOING}|"
            rf"(?:am|are)\s+no\s+longer\s+{_DOING}){_OWN_THING}"
            r"(?=\s*$|\s*[,;]|\s+(?:last|this|in|on|at|yesterday|today|because|and|but|after|now|for|too|early|late|already|finally|any\s?more|any\s+longer)\b)",
            re.IGNORECASE,
        ),
        LazyPattern(
            rf"(?:I|we)\s+(?:am|are)\s+not\s+{_DOING}{_OWN_THING}\s+any\s?(?:more|longer)\b",
            re.IGNORECASE,
        ),
        LazyPattern(
            rf"{_OWN_THING}\s+(?:is|are|was|has\s+been)\s+(?:\w+ly\s+|now\s+|all\s+)?(?:finished|done|completed?|abandoned|shelved)"
            r"(?=\s*$|\s*[,;]|\s+(?:and|but|now|since|last|in)\b)",
            re.IGNORECASE,
        ),
    ),
    "de": (
        LazyPattern(  # the verb stands first there: see ``word_order``
            r"(?:ich\s+habe|wir\s+haben|habe\s+ich|haben\s+wir)\s+(?:beendet|abgeschlossen|fertiggestellt|aufgegeben)\s+"
            r"(?:das|die|den|mein\w*|unser\w*)\s+(?P<thing>[^,.;:!?()]+?)(?=\s*$|\s*[,;])",
            re.IGNORECASE,
        ),
    ),
    "fr": (
        LazyPattern(
            r"(?:j['’]ai|nous\s+avons|on\s+a)\s+(?:\w+ment\s+)?(?:fini|terminé|achevé|abandonné)\s+(?:d['’]écrire\s+|de\s+\w+\s+)?"
            r"(?:le|la|les|mon|ma|notre)\s+(?P<thing>[^,.;:!?()]+?)(?=\s*$|\s*[,;])",
            re.IGNORECASE,
        ),
    ),
    "es": (
        LazyPattern(
            r"(?:yo\s+)?(?:he\s+|hemos\s+)?(?:terminado|acabado|abandonado|terminé|acabé|abandoné|terminamos|acabamos)\s+(?:de\s+\w+\s+)?"
            r"(?:el|la|los|mi|nuestr[oa])\s+(?P<thing>[^,.;:!?()]+?)(?=\s*$|\s*[,;])",
            re.IGNORECASE,
        ),
    ),
    "pt": (
        LazyPattern(
            r"(?:eu\s+|já\s+)?(?:terminei|acabei|concluí|abandonei|terminamos|acabamos)\s+(?:de\s+\w+\s+)?"
            r"(?:[oa]s?|meu|minha|nosso|nossa)\s+(?P<thing>[^,.;:!?()]+?)(?=\s*$|\s*[,;])",
            re.IGNORECASE,
        ),
    ),
}  # fmt: skip


def who_died(clause: Clause) -> str | None:
    """The name of whom a clause says that they died ("Pip died last week"); None where it says
    that of nobody by a name."""
    found = _DIED.match(clause.plain) if clause.states and not clause.negated else None
    return found["name"] if found is not None else None


_DIED = LazyPattern(
    r"(?:(?:yesterday|today|sadly|poor|gestern|leider|ayer|hier|ontem)\s+)?(?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]*)\s+(?:(?:has|had|sadly|peacefully|is|ist|est|ha|a)\s+)*"
    r"(?:died|passed\s+away|(?:was|had\s+to\s+be|been)\s+put\s+(?:down|to\s+sleep)|gestorben|starb|(?:est\s+)?morte?|décédée?|murió|muerto|falleció|morreu|faleceu)\b",
    re.IGNORECASE,
)
