"""What is over in an hour: "my coffee has gone cold", "just popping out to get milk".

States, errands and mishaps of the moment, in the five languages. A clause that says of them that
they last ("always tired", "a bad back since 2019") or names a day for them is not one of these.
"""

from __future__ import annotations

from thalamus.policy.language.english import passing_states as english
from thalamus.policy.language.german import passing_states as german
from thalamus.policy.language.moods.everyday_acts import is_everyday_act
from thalamus.policy.language.patterns import LazyPattern, any_of
from thalamus.policy.language.romance import passing_states as romance

# that something lasts, or has its day
_LASTS = any_of(
    r"""\b(?:always|every|each|usually|often|never|constantly|permanently|chronic\w*|daily|nightly|weekly|whenever|(?-i:[A-Z]?\w+days)|
      most\s+(?:days|mornings|nights|evenings|weeks)|all\s+the\s+time|(?:for|in)\s+(?:\w+\s+){0,2}(?:weeks|months?|years?|decades?|ages)|for\s+(?:everything|a\s+living)|
      these\s+days|by\s+nature|(?:once|twice|times)\s+a\s+(?:day|week|month|year)|since(?!\s+(?:this\s+morning|breakfast|lunch|noon|last\s+night|yesterday|\d{1,2}\b|I\s+(?:woke|got)|the\s+dinosaurs))|
      transplant|visas?|kidney|donor|scars?|council\s+(?:flat|house)|sitting\s+(?:my\s+)?exams|off\s+drugs|home[- ]school\w*|citizenship|out\s+of\s+work|low\s+on\s+\w+|first\s+time|waiting\s+list|asylum|(?:have|need)\s+to\s+(?:wear|use\s+(?:a|an|my|crutches|insulin)|inject|avoid|follow\s+an?|carry|live\s+with|care\s+for|look\s+after|take\s+(?:insulin|medication|tablets|pills|my\s+(?:meds|tablets|pills|medication)))|
      my\s+(?:whole\s+|entire\s+)?life|because\s+of\s+my|due\s+to\s+my|when\s+(?:I|it|the)\s+(?!am\b|was\b))\b
    |\b(?:immer(?!\s+(?:noch|wieder))|ständig|dauernd|jede[nrsm]?|seit(?!\s+(?:heute|gestern|\d{1,2}\s+uhr|stunden|einer\s+(?:halben\s+)?stunde))|chronisch\w*|oft|meistens|täglich|von\s+beruf|(?:mon|diens|mitt|donners|frei|sams|sonn)(?:tag|woch)s)\b
    |\b(?:siempre|cada|todos\s+los|todas\s+las|desde|crónic[oa]|nunca|a\s+menudo|de\s+profesión)\b
    |\b(?:toujours(?!\s+pas)|chaque|tous\s+les|toutes\s+les|depuis|chronique|souvent|jamais)\b
    |\b(?:sempre|cada|todo\s+(?:o\s+)?dia|todos\s+os|todas\s+as|desde|há\s+(?:anos|meses)|faz\s+anos|crônic[oa]|crónic[oa]|nunca)\b"""
)
_DATED = any_of(
    r"""\b(?:tomorrow|next\s+\w+|on\s+(?:the\s+\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|this\s+(?:weekend|summer|winter|spring|autumn|month|year)|
      (?:in|by|until|from)\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d|\w+\s+(?:weeks|months))|christmas|easter|
      last\s+(?:week|month|year|spring|summer|autumn|winter)|(?:days?|weeks?|months?|years?)\s+ago|in\s+20\d\d)\b
    |\b(?:morgen(?!s)|übermorgen|nächste\w*|am\s+(?:\d|mon|diens|mitt|donners|frei|sams|sonn)|letzte[sn]\s+(?:jahr|woche|monat)|im\s+(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember))
    |\b(?:mañana|el\s+(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|próxim[oa]|demain|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b|prochaine?|amanhã|na\s+(?:segunda|terça|quarta|quinta|sexta)|semana\s+que\s+vem)\b"""
)
_BY_LANGUAGE = {"en": english, "de": german, "es": romance, "fr": romance, "pt": romance}
_A_FEW = 9  # words of a remark about what has just happened
_NAMED = LazyPattern(r"\s(?!I\b)[A-ZÀ-Þ]\w|\d{4}")


def is_passing(raw: str, plain: str, code: str) -> bool:
    """Whether a clause, in the language of that code, speaks of what is over in an hour; ``raw`` is
    how it was said."""
    if _DATED.search(plain):
        return False
    if code == "en" and english.JUST_NOW.match(raw):
        return len(raw.split()) <= _A_FEW and _NAMED.search(raw) is None
    if code == "en" and is_everyday_act(raw, plain):
        return True
    return _BY_LANGUAGE[code].PASSING.search(plain) is not None


def is_lasting(raw: str) -> bool:
    """Whether a clause says that what it speaks of lasts or comes again and again."""
    return _LASTS.search(raw) is not None
