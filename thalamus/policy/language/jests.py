"""Sayings that are not meant as they are said: "I'm allergic to Mondays", "two left feet".

One list for the five languages: a clause that has one of them states nothing.
"""

from __future__ import annotations

import re

_SAYINGS = re.compile(
    r"""
    # allergic to what nobody is allergic to
    \ballerg\w+\s+(?:to|gegen|auf|aux?|à\s+l[ae']?\s?|al?|à|ao?s?|a\s+l[ao]s?)\s*(?:my\s+|the\s+|den\s+|die\s+|das\s+|les\s+|el\s+|las?\s+|los\s+)?
      (?:mondays?|mornings?|work(?:ing)?|people|exercise|drama|stupidity|nonsense|homework|commitment|
      montage?n?|arbeit|menschen|aufräumen|sport|lundis?|matins?|travail|gens|connerie\w*|sport|
      lunes|mañanas?|trabajo|gente|segundas?(?:-feiras?)?|manhãs?|trabalho|pessoas)\b
    |\ballergisch\s+gegen\s+montage?\b|\bgegen\s+(?:montage?|arbeit|menschen|dummheit)\s+allergisch\b
    # memory, feet, languages that are none
    |\b(?:memory|brain|attention\s+span)\s+of\s+an?\s+(?:goldfish|fish|sieve|gnat)|\bmemory\s+like\s+a\s+sieve
    |\bgedächtnis\s+wie\s+ein|\bmémoire\s+de\s+poisson|\bmemoria\s+de\s+pez|\bmemória\s+de\s+peixe
    |\btwo\s+left\s+(?:feet|hands)|\bzwei\s+linke\s+(?:hände|füße)|\bdeux\s+mains\s+gauches
    |\b(?:fluent|fließend|fluent\s+in)\s+(?:sarcasm|nonsense|gibberish|sarkasmus)|\bsarcasmo?\b.*\b(?:courant|fluid|fluent)|\b(?:speak|spreche|hablo|falo|parle)\w*\b.*\bsarca\w*
    # jobs, titles and marriages that are none
    |\b(?:full[- ]time|professional|part[- ]time|world[- ]class|certified|chief)\s+(?:napper|procrastinator|overthinker|worrier|idiot|couch|slacker|dreamer|complainer|snacker|cat\s+servant)
    |\bphd\s+in\s+(?:overthinking|procrastinat\w+|napping|nothing|worrying)|\bmarried\s+to\s+(?:my|the|his|her)\s+(?:job|work|phone|bed|laptop|sofa)
    |\bmy\s+superpower\b|\bmeine\s+superkraft|\bmon\s+superpouvoir|\bmi\s+superpoder|\bmeu\s+superpoder
    |\bmy\s+(?:cat|dog|toddler|baby|bed|sofa|couch)\s+(?:is\s+my\s+boss|and\s+I\s+(?:are|have)\s+.*relationship)
    |\bgrande\s+histoire\s+d'amour|\b(?:dog|hund|chien|perro|cão|cachorro)\s+(?:ate|eaten|hat|a\s+mangé|se\s+comió|comeu)\b.*\b(?:homework|hausaufgaben|devoirs|deberes|tarea|lição)
    |\b(?:diet|body|blood)\s+(?:consists?|is\s+made)\s+.*\b(?:coffee|despair|wine|chocolate)|\bmy\s+blood\s+type\s+is\s+(?:coffee|wine|espresso)
    |\b(?:with|mit)\s+(?:the\s+|den\s+)?(?:dinosaurs?|dinosaurier\w*|dinos)\b
    |\b(?:seafood\s+diet|see-?food)\b|\bother\s+car\s+is\s+a\s+broomstick
    |\bagain,?\s+for\s+the\s+(?:\w+th|\w+nd|\w+rd)\s+time|\bdans\s+ma\s+tête\s*$
    |\b(?:1[2-9]\d|[2-9]\d\d|\d{4,})\s+(?:years\s+old|jahre\s+alt|ans|años|anos)\b
    # as hungry as can be
    |\b(?:dying|starving|could\s+(?:eat\s+(?:a\s+horse|the|my)|kill\s+for|murder\s+a|sleep\s+for\s+a\s+(?:week|year)))\b
    |\b(?:mort|morte|morto|morta|muerto|muerta)\s+de\s+(?:faim|soif|fatigue|rire|fome|sono|sede|cansaço|hambre|sueño|sed|risa)
    |\bsterbe\s+vor\s+hunger|\btotm[üu]de|\bhungrig\s+wie\s+ein
    """,
    re.I | re.X,
)
_DENIED = re.compile(
    r"""^(?:no,?\s+|nein,?\s+|non,?\s+|não,?\s+)?(?:
    not\s+that\s+(?:I|we)\b|it\s+is\s+not\s+(?:that|as\s+if)\b|nicht\s+dass\b|(?:es\s+ist\s+)?(?:ja\s+)?nicht\s+so,?\s+dass\b
    |ce\s+n'est\s+pas\s+que\b|c'est\s+pas\s+que\b|no\s+es\s+que\b|não\s+é\s+que\b
    |(?:I|we)\s+(?:have\s+never\s+(?:said|claimed|told|meant|pretended)|have\s+nothing\s+against|am\s+not\s+(?:saying|claiming|suggesting))\b
    |ich\s+(?:habe\s+)?(?:nie|niemals|nicht)\s+(?:gesagt|behauptet|gemeint)\b|ich\s+habe\s+nichts\s+gegen\b
    |je\s+n'ai\s+(?:jamais|pas)\s+dit\b|j'ai\s+(?:jamais|pas)\s+dit\b|je\s+n'ai\s+rien\s+contre\b
    |(?:yo\s+)?(?:nunca|no)\s+(?:he\s+dicho|dije)\b|no\s+tengo\s+nada\s+(?:en\s+)?contra\b
    |(?:eu\s+)?(?:nunca|não)\s+(?:disse|falei)\b|não\s+tenho\s+nada\s+contra\b
    )""",
    re.I | re.X,
)


def in_jest(text: str) -> bool:
    """Whether a clause is a saying that is not meant as it is said."""
    return _SAYINGS.search(text) is not None


def only_denies(text: str) -> bool:
    """Whether a clause only says what was not said or not meant ("not that I hate dogs")."""
    return _DENIED.match(text) is not None
