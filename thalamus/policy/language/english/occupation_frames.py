"""Frames of English for trades told by what is done: "drives a tram", "teaches chemistry"."""

from __future__ import annotations

from thalamus.policy.language.english.frames import has_no_verb, is_firm
from thalamus.policy.language.english.verb_forms import occupation
from thalamus.policy.language.english.words import END, NAME
from thalamus.policy.language.lexicon import Frame, frame

_VEHICLE = r"(?:(?:night|school|city|delivery)\s+)?(?:bus|tram|taxi|cab|lorry|hgv|forklift|ambulance|tube\s+train|train|black\s+cab|snow\s?plough|crane|coach|minibus|rickshaw|digger)"
_NO_SUBJECT = r"(?!(?:me|him|her|them|you|us|my|our|people|how|that|kids|children|adults|students|pupils|classes|lessons|evening|part|full|at|in|to|for|there|here|it|online|part-time|full-time|a|an|the|some|both|night)\b)"
_SOLD = r"(?:(?:used|second-hand|vintage|life|home|health)\s+)?(?:insurance|cars|houses|property|real\s+estate|shoes|furniture|carpets|kitchens|books|phones|software|fish|fruit|vegetables|flowers|jewellery|advertising|wine|tickets|boats|windows|mattresses|medical\s+\w+)"
_MENDED = r"(?:(?:old|vintage|broken|antique)\s+)?(?:bikes|bicycles|cars|clocks|watches|shoes|phones|pianos|violins|guitars|instruments|lifts|boilers|boats|roofs|computers|engines|tractors|washing\s+machines|organs|houses|kitchens|fences|solar\s+panels)"
_HOUR = r"(?:\d{1,2}(?:[:.]\d\d)?(?:\s?(?:am|pm|o'clock))?|midnight|noon|dawn|half\s+past\s+\w+)"

TRADES: tuple[Frame, ...] = (
    frame("works_as", rf"drives?\s+(?:an?\s+|the\s+)(?P<object>{_VEHICLE})\b(?!\s+(?:pass|stop))", called="{} driver"),
    frame("works_at", rf"drives?\s+(?:(?:an?|the)\s+{_VEHICLE}|(?:[\w-]+\s+)?(?:buses|trams|taxis|cabs|lorries|trucks|ambulances|trains|coaches|vans))\s+for\s+(?P<object>{NAME})", fits=is_firm),
    frame("works_at", rf"drives?\s+the\s+(?:number\s+|night\s+)?\w*\d\w*(?:\s+(?:bus|tram|route))?\s+for\s+(?P<object>{NAME})", fits=is_firm),
    frame("works_as", rf"(?:teach|teaches)\s+{_NO_SUBJECT}(?P<object>[\w-]+(?:\s(?!for\b)[\w-]+)??){END}", called="{} teacher", fits=has_no_verb),
    frame("works_as", rf"(?P<object>sells?\s+{_SOLD}){END}", called=occupation),
    frame("works_as", rf"(?P<object>(?:repair|mend|fix|restore|build|install)(?:s|es)?\s+{_MENDED}){END}", called=occupation),
    frame("practises", r"(?P<object>runs?\s+(?:ultra-?marathons|ultras|marathons|half[- ]marathons|10ks|5ks|cross[- ]country)|(?:does|do)\s+(?:triathlons|ironmans|parkour|stand-?up|improv)|lifts?\s+weights)\b"),
    frame("practises", rf"(?!.*\b(?:tomorrow|today|tonight|yesterday|this|last)\b)(?P<object>(?:(?:go|goes)\s+to\s+(?:bed|sleep)|gets?\s+up|wakes?\s+up|leaves?\s+work)\s+(?:at|after|before|around|by)\s+(?:about\s+)?{_HOUR})"),
    frame("practises", r"(?P<object>breeds?\s+[a-z]+(?:\s[a-z]+)?s)" + END, fits=has_no_verb),
)  # fmt: skip
