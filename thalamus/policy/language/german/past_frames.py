"""Frames of German for what is over: "Wir hatten mal Hühner", "nicht mehr im Chor".

They are read before the others: what a clause says to be over is not a fact of the present as well.
"""

from __future__ import annotations

import re

from thalamus.policy.language.german.word_order import GIVEN, PROPER
from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_medicine,
    is_possession,
)

_HAVE = r"(?:habe|hab|hat|haben)"
_BE = r"(?:bin|ist|sind)"
_NO_MORE = r"(?:nicht\s+(?:mehr|länger)|nie\s+mehr)"
_ONCE = r"(?:(?:mal|einmal|früher|lange|mehrere|auch|noch|selbst|zwei|drei|vier|fünf|\d+|eine?n?|viele|ein\s+paar)\s+)*"
_END = r"(?=\s+(?:und|aber|in|im|bei|mit|auf|bis|als|namens|gehabt|besessen|heißt|die|der|das|vor|von|aus)\b|\s*[,.;:!?()–—]|$)"
_CIRCLE = r"(?:[\wäöüß-]*(?:chor|verein|band|orchester|club|klub|partei|kirche|gewerkschaft|feuerwehr|mannschaft|team|gruppe|ensemble|vorstand|rat|bund|bundeswehr|theatergruppe|trachtengruppe|elternbeirat)|SPD|CDU|FDP|THW)"
_PLAYED = r"(?:klavier|geige|cello|gitarre|flöte|querflöte|trompete|schlagzeug|posaune|klarinette|saxophon|saxofon|akkordeon|orgel|bass|bratsche|harfe|ukulele|fußball|handball|tennis|tischtennis|badminton|volleyball|basketball|hockey|golf|schach|skat|rugby)"
_DID = r"(?:yoga|pilates|karate|judo|aikido|taekwondo|ballett|turnen|fechten|boxen|reiten|rudern|schwimmen|klettern|tanzen|joggen|zumba|kampfsport|leichtathletik|triathlon|töpfern|rauchen|trinken|kiffen|laufen|segeln|tauchen|kirche|fitnessstudio|sport|gymnastik)"
_STUDY = r"(?P<object>(?-i:[A-ZÄÖÜ])[\wäöüß-]+(?:\s+und\s+(?-i:[A-ZÄÖÜ])[\wäöüß-]+)?)"


def _kept(object: str) -> bool:
    """Whether what somebody had is a thing or an animal that is kept for long."""
    return (is_animal_or_illness(object) or is_possession(object)) and not re.search(
        r"\bge\w+(?:t|en)\b", object
    )


ENDED: tuple[Frame, ...] = (
    frame("partner", rf"{_BE}\s+(?:zusammen\s+|verheiratet\s+|liiert\s+)?{_NO_MORE}\s+(?:zusammen\s+|verheiratet\s+|liiert\s+)?mit\s+(?P<object>{GIVEN})", over=True, mine=True),
    frame("practises", rf"{_HAVE}\s+aufgehört\s+mit\s+(?:dem|der)\s+(?P<object>[\wäöüß-]+)(?=\s+\d{{4}}\b)", over=True),
    frame("is", r"(?:war|waren)\s+(?:(?:mal|früher|damals|einmal|lange|jahrelang|(?:zwei|drei|vier|fünf|zehn|\d+)\s+jahre(?:\s+lang)?)\s+)*(?P<object>Pfadfinder(?:in)?|Messdiener(?:in)?|Ministrant(?:in)?|Au-?pair|Vegetarier(?:in)?|Veganer(?:in)?|Raucher(?:in)?|Punk|Schülersprecher(?:in)?|Klassensprecher(?:in)?|Leistungssportler(?:in)?|Turner(?:in)?|Austauschschüler(?:in)?|Zivi)(?=\s*(?:[,.;!–]|$)|\s+(?:in|bei|bis|und|als)\b)", over=True),
    frame("partner", rf"{_BE}\s+getrennt\s+von\s+(?P<object>{GIVEN})", over=True, mine=True),
    frame("has", rf"{_HAVE}\s+(?:gekündigt|abbestellt)\s+(?:mein\w*|unser\w*|das|den|die)\s+(?P<object>[\wäöüß-]*(?:abo|abonnement|mitgliedschaft|vertrag|versicherung|zeitung))\b", over=True),
    frame("partner", rf"{_HAVE}\s+(?:(?:mich|uns|getrennt|schluss|gemacht)\s+)*(?:von|mit)\s+(?P<object>{GIVEN})(?=\s+(?:getrennt|schluss)|\s*[,.;–]|$)(?<!gesprochen)", over=True, mine=True),
    frame("has", rf"(?:hatte|hatten)\s+{_ONCE}(?P<object>(?!kein)[\wäöüß-]+(?:\s[\wäöüß-]+)??){_END}", over=True, fits=lambda o: _animals(o)),
    frame("has", rf"(?:hatte|hatten|besaß|besaßen)\s+(?=.*\b(?:mal|einmal|früher|damals|bis|jahre\s+lang|jahrelang|als)\b){_ONCE}(?P<object>(?!kein)[\wäöüß-]+(?:\s[\wäöüß-]+)??){_END}", over=True, fits=_kept),
    frame("owns", rf"{_HAVE}\s+(?:kein(?:e|en)?)\s+(?P<object>[\wäöüß-]+)\s+mehr", over=True, fits=_kept),
    frame("owns", rf"{_HAVE}\s+(?:verkauft|verschenkt|abgegeben|verschrottet|weggegeben)\s+(?:mein\w*|unser\w*|das|den|die)\s+(?:alte[sn]?\s+)?(?P<object>[\wäöüß-]+){_END}", over=True, fits=_kept),
    frame("member_of", rf"{_BE}\s+{_NO_MORE}\s+(?:mitglied\s+)?(?:im|in\s+(?:der|einer|einem|unserem|meinem)|bei\s+der|beim|der|des)\s+(?P<object>{_CIRCLE})(?!\w)", over=True),
    frame("member_of", rf"(?:singe|spiele|tanze|turne|singt|spielt)\s+{_NO_MORE}\s+(?:im|in\s+(?:der|einer|einem|unserem))\s+(?P<object>{_CIRCLE})(?!\w)", over=True),
    frame("member_of", rf"(?:war|waren)\s+(?:(?:mitglied|lange|früher)\s+)*(?:im|in\s+(?:der|einer|einem)|bei\s+der|beim)\s+(?P<object>{_CIRCLE})(?!\w)", over=True),
    frame("plays", rf"(?:spiele|spielt)\s+{_NO_MORE}\s+(?:mehr\s+)?(?P<object>{_PLAYED})\b", over=True),
    frame("plays", rf"(?:spielte|spielten)\s+(?:\w+\s+)?(?P<object>{_PLAYED})\b", over=True),
    frame("plays", rf"{_HAVE}\s+(?:aufgehört\s+)?(?:mit\s+(?:dem\s+)?)(?P<object>{_PLAYED})(?:spielen)?\s*(?:aufgehört)?(?=\s*[,.;–]|$)", over=True),
    frame("practises", rf"(?:mache|macht|gehe|geht)\s+(?:kein\s+(?P<object>{_DID})\s+mehr)\b", over=True),
    frame("practises", rf"(?:mache|macht|gehe|geht)\s+{_NO_MORE}\s+(?:zum|zur|ins|in\s+die|in\s+den)?\s*(?P<object>{_DID})\b", over=True),
    frame("practises", rf"{_HAVE}\s+(?:gemacht\s+)(?:\w+\s+)?(?P<object>{_DID})(?=.*–.*\b(?:früher|jahre|als\s+kind|damals|bis))", over=True),
    frame("takes", r"(?:nehme|nimmt)\s+(?=.*\bmehr\b)(?:(?:nicht|mehr|kein\w*|die|das|den|mein\w*|länger)\s+)*(?P<object>[\wäöüß-]+)", over=True, fits=lambda o: o.casefold() == "pille" or is_medicine(o)),
    frame("takes", rf"{_HAVE}\s+(?:abgesetzt)\s+(?:die|das|mein\w*)\s+(?P<object>[\wäöüß-]+)", over=True),
    frame("studies", rf"{_HAVE}\s+(?:abgebrochen|geschmissen)\s+(?:mein|das)\s+(?P<object>[\wäöüß]+?)-?studium", over=True),
    frame("studies", rf"{_HAVE}\s+studiert\s+(?:\w+\s+(?:semester|jahre)\s+(?:lang\s+)?){_STUDY}", over=True),
    frame("lives_in", rf"{_HAVE}\s+verbracht\s+(?:\w+\s+)?(?:jahre?|monate|semester)\s+in\s+(?P<object>{PROPER})", over=True),
    frame("lives_in", rf"{_BE}\s+(?:weggezogen|ausgezogen|fortgezogen)\s+(?:aus|von)\s+(?P<object>{PROPER})", over=True),
)  # fmt: skip


def _animals(object: str) -> bool:
    """Whether what somebody had is an animal, which needs no "once" to be over."""
    return (
        re.search(
            r"(?:hund|hunde|katze|katzen|kater|hühner|huhn|kaninchen|hasen?|hamster|pferde?|pony|ponys|ziegen?|schafe|wellensittiche?|papagei|"
            r"meerschweinchen|schildkröten?|enten|gänse|goldfische?|ratten?|bienen|esel)$",
            object,
            re.I,
        )
        is not None
    )
