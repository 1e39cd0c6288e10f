"""Frames of German for everyday talk: "Jeden Freitag essen wir Pizza", "Ab Januar bin ich bei Nokia"."""

from __future__ import annotations

from thalamus.policy.language.german_order import PROPER
from thalamus.policy.language.lexicon import frame

_HOME = r"(?:[\wäöüß-]+e\s+)?(?:[\wäöüß-]*wohnung|[\wäöüß-]*zimmer|haus|wg|apartment|bude)"
_EATEN_TOGETHER = r"(?:esse|essen|koche|kochen|backe|backen|bestelle|bestellen|grille|grillen|gucke|gucken|schaue|schauen|besuche|besuchen)"

EVERYDAY = (
    frame("works_at", rf"bin\s+(?:bei|beim)\s+(?:der\s+)?(?P<object>{PROPER})(?=\s*–.*\bab\b)", coming=True),
    frame("lives_in", rf"(?:habe|haben)\s+(?:gefunden|gemietet|bekommen|bezogen)\s+(?:ein|eine|unsere|meine)\s+(?:erste\s+|eigene\s+)?{_HOME}\s+in\s+(?P<object>{PROPER})"),
    frame("practises", rf"(?P<object>{_EATEN_TOGETHER}\s+(?!nicht|kein|nie|nichts|es\b|das\b)[^,;:!?()–]+?)(?=\s*–\s*(?:jede[nrsm]?|an\s+jedem|(?:mon|diens|mitt|donners|frei|sams|sonn)(?:tag|woch)s)\b)"),
)  # fmt: skip
