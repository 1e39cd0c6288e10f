"""The German words by which a message says that it corrects the one before."""

from __future__ import annotations

from thalamus.policy.language.cues import Cues, ReplacementCues

CUES = Cues(
    opens=(
        "nein|nee|nö|moment|sorry|entschuldigung|entschuldige|ups|hoppla|korrektur|quatsch|halt|"
        r"stimmt\s+(?:gar\s+)?nicht|falsch|ich\s+mein(?:t)?e|gemeint\s+war|vergiss\s+(?:das|es)|"
        r"verschrieben|vertippt|pardon|doch\s+nicht|mein\s+fehler|besser\s+gesagt|andersrum|"
        r"anders\s+herum|umgekehrt|falscher\s+(?:name|tag)|falsches\s+wort|"
        r"mach(?:en\s+wir)?(?=\s+\S+(?:\s+\S+)?\s+d(?:a)?raus\b)|sollte\s+heißen|soll\s+heißen|ach"
    ),
    closes=(
        r"mein(?:t?e)?\s+ich|um\s+genau\s+zu\s+sein|genauer\s+gesagt|besser\s+gesagt|quatsch|"
        r"unsinn|sorry|entschuldigung|ups|verschrieben|vertippt|(?:mein\s+)?tippfehler|"
        r"(?:hab(?:e)?\s+)?mich\s+(?:vertippt|verschrieben|vertan|geirrt)"
    ),
    rather=(
        r"eigentlich|in\s+wirklichkeit|sogar|inzwischen|mittlerweile|jetzt|schon|nur|erst|genau|"
        "gesagt|stattdessen|draus|daraus|doch|ja|da|aber|lieber"
    ),
    surely=r"eigentlich|in\s+wirklichkeit|sogar|inzwischen|mittlerweile|doch|stattdessen",
    since="inzwischen|mittlerweile|jetzt|seit",
    is_=(
        r"(?:ich\s+bin|er\s+ist|sie\s+ist)\s+(?:\d+\s+)?geworden|(?:ich|er|sie)\s+wurde|"
        r"(?:es|das|er|sie|wir|ich)\s+(?:ist|sind|war|bin|heißt|heiße|wird|schreibt\s+sich)|"
        r"(?:bin|ist|sind)\s+(?:ich|er|sie|es|wir)|ist|sind|heißt|mach(?:en)?(?:\s+wir)?|wird|"
        r"wir\s+es|(?:man\s+)?schreibt\s+(?:man|sich)|geschrieben|"
        r"die\s+letzten?\s+(?:\w+\s+)?ziffern?\s+(?:sind|ist)"
    ),
    not_=(
        r"(?:(?:es|das|er|sie|wir|ich)\s+(?:ist|sind|war|bin|heißt)\s+)?(?:nicht|kein(?:e[nmrs]?)?)|"
        "statt"
    ),
    but="sondern|aber",
    after_all=(
        r"doch\s+(?:nicht|kein\w*)|vergiss\s+(?:das|es)|jetzt\s+doch|hat\s+sich\s+erledigt|"
        r"nun\s+doch|stellt\s+sich\s+heraus"
    ),
    cancelled=(
        r"^(?:fehlalarm|falscher\s+alarm)|"
        r"^(?:leider\s+)?(?:abgesagt|gestrichen|storniert|abgeblasen)|"
        r"(?:haben|hab|habe)\s+(?:uns|mich)\b.*\b(?:gegen|dagegen)\b.*\bentschieden|"
        r"anders\s+überlegt|"
        r"(?:ist|wurde|wird|haben|hab|habe)\b.*\b(?:abgesagt|gestrichen|storniert|abgeblasen|abgelehnt)|"
        r"(?:fällt|fallen)\b.*\b(?:aus|flach|ins\s+wasser)"
    ),
    stays=r"(?:ich|wir)\s+bleiben?|bleiben\s+wir|bleibe\s+ich",
)
REPLACEMENT_CUES = ReplacementCues(
    opens=(
        r"(?:nein|nee|moment|sorry|entschuldigung|ups|korrektur|quatsch|halt|stimmt\s+nicht|"
        r"falsch|ich\s+meinte|ich\s+meine)"
    ),
    is_=r"(?:es\s+ist|es\s+sind|das\s+ist|ich\s+mein(?:t)?e|sie\s+ist|er\s+ist|am|um|im|in)",
    not_=r"(?:und\s+)?nicht",
    but="sondern",
    meant=(
        r"ich\s+(?:habe\s+)?(?P<wrong>{w})\s+(?:geschrieben|"
        r"gesagt),?\s+(?:aber\s+)?(?:meinte\s+)(?:aber\s+)?(?P<right>{w})"
    ),
)
