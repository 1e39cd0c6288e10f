"""Frames of English for everyday talk: "every friday we get fish and chips", "I turn forty in May"."""

from __future__ import annotations

import re

from thalamus.policy.language.english.frames import has_no_verb, is_firm
from thalamus.policy.language.english.words import BE, END, HAVE, NAME, WHEN
from thalamus.policy.language.lexicon import Frame, frame

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_REGULARLY = rf"(?:(?:every|each)\s+(?:other\s+|second\s+|single\s+)?(?:{_DAY}|week|weekend|month|morning|evening|night|year|summer|winter|christmas|easter|day)|(?:on\s+)?{_DAY}s|(?:on|at)\s+(?:the\s+)?weekends?|most\s+(?:days|weekends|evenings|mornings|nights|{_DAY}s)|(?:once|twice)\s+a\s+(?:week|month|year)|{_DAY}\s+(?:nights?|evenings?|mornings?|afternoons?))"
_CLASS = (
    r"(?:(?:[\w-]+\s+){0,2}?(?:practice|class|classes|lessons?|training|rehearsals?|club|course|group|therapy|choir|band|orchestra|yoga|pilates|football|tennis|swimming|"
    r"chess|drama|dance|ballet|karate|judo|aikido|physio|bridge|poker|bingo|quiz|spin|zumba|boxing|netball|rugby|hockey|badminton|squash|climbing|knitting|gymnastics|scouts|"
    r"brownies|piano|guitar|violin|cello|drums|singing|german|french|spanish|italian|portuguese|latin|pottery|life\s+drawing|book\s+club|pub\s+quiz|dialysis|chemo|night\s+shifts?))"
)
_FLAT = r"(?:(?:[\w-]+\s+){0,3}?(?:flat|one-?bed|two-?bed|three-?bed|bedsit|studio|apartment|room|place|flatshare|houseshare|maisonette|loft|bungalow|cottage|terrace|council\s+house))"
_SCHOOL = r"(?P<object>(?:(?-i:[A-Z])[\w'.-]*\s+){1,4}?(?-i:Primary|Secondary|Elementary|Middle|Nursery|Kindergarten|Prep|Infants?|Juniors?|Comprehensive|Grammar|Montessori|Academy|High|College|University|School|Uni|Tech|Polytechnic)(?:\s+(?-i:School|College|Academy))?)"
_NUMBER = r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?|eighteen|nineteen|a\s+hundred|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)(?!-))"
_HEIRLOOM = (
    r"(?:(?:[\w-]+\s+){0,2}?(?:watch|clock|ring|necklace|bracelet|brooch|typewriter|gramophone|armchair|rocking\s+chair|writing\s+desk|bureau|dresser|wardrobe|medals?|"
    r"diar(?:y|ies)|letters|recipe\s+book|cookbook|bible|rifle|sword|chess\s+set|toolbox|tools|records|record\s+collection|stamp\s+collection|coin\s+collection|sewing\s+machine|"
    r"wedding\s+dress|teapot|tea\s+set|china|piano|violin|cello|guitar|accordion|camera|car|bike|bicycle|motorbike|tractor|boat|cottage|cabin|rug|quilt|painting|paintings|globe|pocket\s+knife|telescope|radio))"
)


def _meal_or_game(object: str) -> bool:
    """Whether what somebody gets or makes on a certain day is worth a fact."""
    return has_no_verb(object) and not re.search(
        r"\b(?:up|home|back|there|it|this|that|you|ready|tired|paid|bus|train|headaches?|migraines?|mad|sad|nervous|sick)\b",
        object,
        re.I,
    )


_BODY = r"(?:choir|band|orchestra|quartet|trio|ensemble|troupe|committee|scouts|guild|squad)"
_BODY_OF_ITS_KIND = r"(?:club|team|society|league|group|association|union)"  # with a word before it
_MEMBER = rf"(?P<object>(?:(?!night\b|meeting\b|same\b|whole\b|chat\b)[\w'-]+\s+){{1,3}}?{_BODY_OF_ITS_KIND}|(?:[\w'-]+\s+){{0,3}}?{_BODY}){END}"
_TAKES_PART = r"(?:row|sing|play|train|swim|run|sail|cycle|dance|climb|paddle|compete|ride|box|fence|ski|skate|hike|walk|knit|act|perform|volunteer|drum|coach)"

EVERYDAY: tuple[Frame, ...] = (
    frame("member_of", rf"(?:{BE}\s+(?:an?\s+)?(?:[\w-]+\s+)?(?:member|part)\s+of|belongs?\s+to|(?:{HAVE}\s+)?joined)\s+(?:the\s+|an?\s+|our\s+|my\s+){_MEMBER}"),
    frame("member_of", rf"{BE}\s+(?:in|on)\s+(?:the\s+|an?\s+|our\s+|my\s+){_MEMBER}(?!\s+(?:right\s+)?now\b)"),
    frame("member_of", rf"(?:^|\b(?:I|we)\s+){_TAKES_PART}\s+(?:[\w-]+\s+)?(?:with|for)\s+(?:the|an?|our|my)\s+{_MEMBER}", whole=True, mine=True),
    frame("member_of", rf"{BE}?\s*{_TAKES_PART}(?:s|es|ing|n?ing|m?ing)?\s+(?:[\w-]+\s+)?(?:with|for|in|at)\s+(?:the|an?|our|my|his|her|their)\s+{_MEMBER}"),
    frame("age", rf"(?:will\s+(?:be|turn)|turns?|{BE}\s+turning|{BE}\s+going\s+to\s+(?:be|turn)|hits?)\s+(?P<object>{_NUMBER})(?=\s+(?:years\s+old\s+)?{WHEN}|\s+(?:in|on|next|tomorrow|this)\b)", coming=True),
    frame("works_at", rf"^(?:as\s+of|from|starting)\s+[\w ]+?,?\s+(?:I|we)\s+(?:am|are|will\s+be)\s+(?:(?:working\s+)?(?:with|at|for))\s+(?P<object>{NAME})", whole=True, mine=True, coming=True, fits=is_firm),
    frame("works_at", rf"{BE}\s+(?:with|at)\s+(?P<object>{NAME})\s+(?:as\s+of|from|starting)\s+(?=\w)", coming=True, fits=is_firm),
    frame("works_as", rf"^(?:as\s+of|from|starting)\s+[\w ]+?,?\s+(?:I|we)\s+(?:am|will\s+be)\s+(?:working\s+as\s+)?an?\s+(?P<object>[\w -]+?){END}", whole=True, mine=True, coming=True, fits=lambda o: re.search(r"(?:er|or|ist|nurse|cook|chef|clerk|guide|ian)$", o) is not None),
    frame("lives_in", rf"(?:{HAVE}\s+)?(?:got|found|rented|moved\s+into|bought)\s+(?:an?|my\s+(?:own|first)|our\s+(?:own|first)|our|ourselves\s+an?|myself\s+an?)\s+{_FLAT}\s+in\s+(?P<object>{NAME})(?![\w'-])(?!\s+to\s+(?:rent\s+out|let))"),
    frame("lives_in", rf"{HAVE}\s+(?:got\s+)?(?:an?|my\s+own|our\s+own)\s+{_FLAT}\s+in\s+(?P<object>{NAME})(?=\s+(?:since|now|with)\b)"),
    frame("studies_at", rf"(?:go|goes|went|{BE}|start|starts|started|attend|attends|study|studies|{BE}\s+(?:going|starting|studying))\s+(?:school\s+|to\s+school\s+|[\w ]{{0,20}}?)?(?:to|at|in)\s+(?:the\s+)?{_SCHOOL}"),
    frame("studies_at", rf"(?:attend|attends)\s+{_SCHOOL}"),
    frame("practises", rf"{HAVE}\s+(?:got\s+)?(?:my\s+|an?\s+)?(?P<object>{_CLASS})\s+(?={_REGULARLY})"),
    frame("practises", rf"^(?:on\s+)?(?:every\s+|each\s+|most\s+)?(?:other\s+)?(?:{_DAY}s?|week|weekend|month|morning|evening|night|year|summer|christmas|easter)(?:\s+(?:nights?|evenings?|mornings?))?,?\s+(?:(?:I|we)\s+have\s+(?:got\s+)?(?:my\s+|our\s+|an?\s+)?|is\s+|means\s+)(?P<object>{_CLASS}){END}", whole=True, mine=True),
    frame("practises", rf"^(?:every|each|most|on)\s+(?:other\s+|single\s+)?(?:{_DAY}s?|week|weekend|month|morning|evening|night|year|summer|winter|christmas|easter|day)(?:\s+(?:nights?|evenings?|mornings?))?,?\s+(?:I|we|my\s+\w+\s+and\s+I)\s+(?:always\s+|usually\s+|all\s+)?(?P<object>(?:get|have|order|make|meet|eat|drink|bake|cook|watch|visit|call|phone|go|do|take|clean|host|hike|buy)\s+[^,.;:!?()]+?)(?=\s+(?:because|but|so|since|with\s+no|and\s+I)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=_meal_or_game),
    frame("practises", rf"(?P<object>(?:get|gets|order|orders|make|makes|buy|buys)\s+[^,.;:!?()]+?)\s+(?=(?:every|each)\s+(?:other\s+|single\s+)?(?:{_DAY}|week|weekend|month|evening|night|sunday|summer|winter)\b)", fits=_meal_or_game),
    frame("owns", rf"(?:{HAVE}\s+(?:got\s+)?|own\s+|kept\s+|inherited\s+|wear\s+|drive\s+|play\s+|use\s+)(?P<object>(?:my|our)\s+(?:late\s+|great-?\s?)?(?:grandfather|grandmother|grandad|granddad|grandpa|grandma|gran|nan|father|mother|dad|mum|mom|uncle|aunt|grandparents|parents)(?:'s|s'|')\s+(?:old\s+)?{_HEIRLOOM}){END}"),
)  # fmt: skip
