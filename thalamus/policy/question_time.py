"""Whether a message may be about the time that it is sent at."""

from __future__ import annotations

import re

_TIME = re.compile(
    r"\b(?:to(?:day|night|morrow)|yesterday|now(?:adays)?|currently|still|yet|soon|ago|since|until|till|"
    r"ever|next|last|latest|late|early|upcoming|coming|recent(?:ly)?|past|due|overdue|deadlines?|"
    r"schedules?|calendar|agenda|remind\w*|appointments?|when|how\s+(?:long|old|soon|often|many|much)|"
    r"old(?:er)?|young(?:er)?|age|years?|months?|weeks?|weekends?|days?|dates?|times?|hours?|minutes?|"
    r"o'?clock|morning|noon|afternoon|evening|night|spring|summer|autumn|fall|winter|season|century|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|this|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\d"
    r"|\b(?:heute|gestern|morgens?|jetzt|aktuell|derzeit|noch|schon|bald|seit|bis|wann|wie\s+(?:lange|alt|oft|viele?)|"
    r"jahre?n?|monate?n?|wochen?\w*|tage?n?|datum|uhr\w*|zeit\w*|termine?|frist\w*|fällig\w*|nächste\w*|letzte\w*|diese\w*|"
    r"aujourd'hui|hier|demain|maintenant|encore|déjà|bientôt|depuis|jusqu\w*|quand|âge|ans|années?|mois|"
    r"semaines?|jours?|dates?|heures?|prochaine?s?|derni[eè]re?s?|cette?|combien|"
    r"hoy|ayer|mañana|ahora|todavía|aún|ya|pronto|desde|hasta|cuándo|cuánt\w+|edad|años?|mes(?:es)?|semanas?|"
    r"días?|fechas?|horas?|próxim\w+|últim\w+|est[ae]s?|"
    r"hoje|ontem|amanhã|agora|ainda|já|logo|até|quando|quant\w+|idade|anos?|mês|dias?|datas?)\b",
    re.IGNORECASE,
)


def may_need_time(message: str) -> bool:
    """Whether a message has a word of time, in any of the languages that the grammar reads, or a
    number: then the answer may depend on what day it is."""
    return _TIME.search(message.replace("’", "'")) is not None
