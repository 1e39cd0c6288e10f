"""The frames of English: how a clause ("I live in Porto") is a fact."""

from __future__ import annotations

import re

from thalamus.policy.language.english.verb_forms import as_plan
from thalamus.policy.language.english.word_classes import NUMBERS
from thalamus.policy.language.english.words import (
    BE,
    DAY,
    DO_NOT,
    DUTY,
    END,
    EVENT,
    GROUP,
    HATE,
    HAVE,
    KIN_WORD,
    KIND,
    LIKE,
    LIST,
    MEETS,
    MONTH,
    NAME,
    ON_MORE,
    PROPER,
    STILL,
    THING,
    WEDDING_DAY,
    WEEKDAYS,
    WHEN,
)
from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.patterns import LazyPattern
from thalamus.policy.language.vocabulary.word_classes import (
    DEMONYMS,
    has_capital,
    is_animal_or_illness,
    is_demonym,
    is_illness,
    is_medicine,
    is_occupation,
    is_trait,
)
from thalamus.policy.language.vocabulary.word_classes import is_possession as owned

_HOMES = "flat|house|apartment|cottage|room|place|studio|bungalow|village|town|suburb|city|hamlet|loft|terrace"


def is_town(object: str) -> bool:
    """A place that has a name, or a kind of place."""
    if "'s" in object or re.search(rf"\b(?:{_HOMES})$", object, re.I):
        return False
    return has_capital(object) or object.split()[0].lower() not in (
        *(
            "peace",
            "fear",
            "hope",
            "chaos",
            "area",
            "region",
            "neighbourhood",
            "neighborhood",
            "country",
        ),
        *("train", "bus", "street", "park"),
    )


def is_ground(object: str) -> bool:
    """What one may live on, in a town or outside: a street, an island, a boat; not rice."""
    return has_capital(object) or _GROUND.search(object) is not None


_GROUND = LazyPattern(
    r"\b(?:island|coast|farm|boat|barge|houseboat|narrowboat|canal|river|lake|hill|estate|street|road|lane|avenue|square|floor|campus|base|"
    r"outskirts|border|edge|ranch|beach|seafront|mountain|ship|site|bank|corner|riverside|moor|peninsula|fjord|croft|vineyard|smallholding|reserve|reservation)\b",
    re.I,
)


def has_no_verb(object: str) -> bool:
    """Whether a phrase is a thing and no clause: "the cello", not "it was fun"."""
    return not re.search(
        r"\b(?:(?:first|second|third|last|other)\s+(?:one|version|option|draft)|the\s+(?:first|second|latter)$|me|you|him|them|it|making\s+sure|is|are|am|was|will|would|do|does|did)\b",
        object,
        re.I,
    )


def is_firm(object: str) -> bool:
    """Whether "I work at X" names an employer, not "home" or "night"."""
    return not re.match(
        r"(?:home|night|nights|hours|days|weekends|free|myself|living|least|first|"
        r"moment|years|months|weeks|\d+|time|money|this|that|it|them)\b",
        object,
        re.I,
    )


def is_likeable(object: str) -> bool:
    """Whether somebody may like it for long: no clause, and nothing pointed at."""
    return (
        object.casefold() not in ("up", "still", "out")
        and has_no_verb(object)
        and not re.match(
            r"(?:these|those|(?:first|second|third|last|next|other|former|latter)\s+(?:one|version|option|draft|idea)|answer\b|that|this|it|how|what|when|where|why|if|something|anything|more\b|number\b|of\b|the\s+(?:idea|fact|way|sound|look|thought)|idea|"
            r"fact|way|sound(?!\s+of)|thought|know|hear|ask|see\s+you|your|you)\b",
            object,
            re.I,
        )
    )


# "I love the colours": something that only this conversation has; "the sea" everybody has
AT_HAND = (
    r"(?!(?:all\s+)?(?:these|those|this|that|your|his|her|their|its)\b|all\s+the\b|"
    r"the\s+(?!(?:sea|seaside|sun|sunshine|rain|snow|cold|heat|mountains?|woods|forest|countryside|outdoors|"
    r"beach|theatre|theater|opera|cinema|circus|gym|ocean|water|dark|night|smell|taste|feel|sound|noise|feeling|quiet|"
    r"silence|city|winter|summer|spring|autumn|fall|north|south|coast|guitar|piano|violin|radio|"
    r"news|zoo|library|dentist|cold|wind|(?-i:[A-Z]))))"
)


def is_food(object: str) -> bool:
    """Whether what somebody does not eat or have is food: no time, idea or money."""
    return is_likeable(object) and not re.search(
        r"\b(?:time|idea|money|car|kids|children|job|clue|plans?|problem|permission|access|energy|space|"
        r"luck|sense|choice|way|siblings|pets?|licen[cs]e|tv|television|reason|place|lunch|breakfast|dinner)\b",
        object,
        re.I,
    )


def is_project(object: str) -> bool:
    """Whether what somebody makes is a project: no plans, progress, calls or dinner."""
    return has_no_verb(object) and not re.search(
        r"\b(?:together|sure|plans?|progress|sense|friends|money|calls?|notes?|dinner|lunch|breakfast|coffee|tea|list|"
        r"changes|decisions?|mistakes?|fun|it|this|that|these|those|them|myself|something|time|way|effort|"
        r"email|emails|message|letter|you)\b",
        object,
        re.I,
    )


def is_business(object: str) -> bool:
    """Whether a phrase names a shop, a workshop or another business that somebody may have."""
    return (
        re.search(
            r"(?:bakery|caf[eé]|shop|store|business|company|restaurant|bar|pub|studio|salon|farm|"
            r"practice|agency|workshop|brewery|bookshop|gallery|garage|gym|nursery|vineyard|"
            r"hotel|hostel|b&b|firm|startup)$",
            object,
            re.I,
        )
        is not None
    )


def is_game(object: str) -> bool:
    """Whether what is played is a game or an instrument, not "with fire" or "a role"."""
    return not re.match(
        r"(?:with|in|for|as|a\s+role|role|part|along|around|together|on|music\b|games?\b|"
        r"some|it|this|that|level|favou?rite|outside|next|tonight)\b",
        object,
        re.I,
    )


def is_no_dream(object: str) -> bool:
    """Whether a plan says what it is about, in a few words."""
    if re.fullmatch(
        r"starting|having|taking|getting|doing|giving|going|hosting|visiting|making|due(?:\s+on)?|expecting|"
        r"training|planning|seeing|spending|preparing|(?:considering|thinking|wondering|loving|enjoying|liking|hating)\b.*|.*\s(?:the|an?|my|our|to|of|with|and)",
        object,
        re.I,
    ):
        return False
    if re.match(rf"turn(?:ing)?\s+(?:\d+|{'|'.join(NUMBERS)})\b", object, re.I):
        return False  # a birthday
    if re.match(
        r"expecting\b(?!.*\b(?:bab\w+|child|twins|kid|girl|boy|visitors?|guests?)\b)", object, re.I
    ):
        return False  # a parcel is no plan
    return len(object.split()) <= 12 and not re.search(
        r"\b(?:you|your|it|this(?!\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|"
        r"\w+day|morning|afternoon|evening))|that|these|those|them)\b",
        object,
        re.I,
    )


_FLEETING = LazyPattern(
    r"\b(?:birthday|question|questions|problem|problems|issue|idea|ideas|thought|feeling|chance|look|try|go|time|day|"
    r"moment|minute|meeting|call|appointment|interview|exam|test|party|good|great|bad|hard|tough|lot|lots|bit|few|"
    r"couple|bunch|ton|fun|blast|plan|plans|reason|point|doubt|clue|choice|option|favou?r|request|it|them|that|"
    r"this|these|those|you|your|me|him|her)\b",
    re.I,
)


def is_owned(object: str) -> bool:
    """Whether a short phrase names what somebody keeps, not what is over soon."""
    return len(object.split()) <= 6 and _FLEETING.search(object) is None


PLAN_END = (
    r"(?=\s+(?:because|so|but|when|if|which|where|at|for|with|until|after|before|tomorrow|tonight|next|this\s+(?:week|weekend|month|year|"
    r"spring|summer|autumn|fall|winter|\w+day)|on\s+(?:the\s+)?(?:\d\w*|\w+day|(?-i:[A-Z])\w+\s+\d)|(?:in|by|from)\s+(?:the\s+)?(?:\d|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|spring|summer|autumn|fall|winter|(?:two|three|four|five|six|a\s+few|a\s+couple)\b))"
    r"\b|\s*[,.;:!?()]|$)"
)
NO_PLAN = (  # what "I am going to …" says without planning anything that lasts
    r"(?!be\s+(?:happy|glad|fine|back|late|ok|honest|there|sure|able|\w+ty|\d+)\b|try\b|have\s+to|need|see\b|"
    r"let\b|ask\b|tell\b|check\b|do\b|like\b|love\b|hate\b|miss\b|keep\b|make\s+sure|say\b|think\b|"
    r"look\s+(?:into|at|up)|give\b|use\b|go\s+(?:with|now|home|to\s+bed)|get\s+(?:on|back|to)\b|consider\b|follow\b|"
    r"experiment\b|remember\b|take\s+(?:a\s+look|note)|stick\b|need\b|want\b|explain\b|show\b|be\s+using)"
)


_NO_NAMES = frozenset(
    """african asian catholic christian muslim jewish hindu buddhist vegan vegetarian ok okay dr mr
    mrs ms sorry happy""".split()
)


def is_plain_name(object: str) -> bool:
    """Whether "I am X" gives a name: not where somebody is from."""
    return object.split()[0].casefold() not in _NO_NAMES | DEMONYMS


def as_one_date(object: str) -> str:
    """A day as it is written down: "March 9th" of "March, the 9th", "June" of "next June"."""
    return re.sub(r",?\s+(?:on\s+)?the\s+|^next\s+", " ", object, flags=re.I).strip()


def as_weekdays(object: str) -> str:
    """Days on which something is every week, in the plural: "Tuesdays", "Tuesday evenings"."""
    part = re.fullmatch(r"(\w+day)s?\s+(morning|afternoon|evening|night)s?", object, re.I)
    return f"{part[1]} {part[2]}s" if part else re.sub(r"\b(\w+day)\b", r"\1s", object)


def as_activity(object: str) -> str:
    """What somebody does, "kayaking" of "go kayaking"."""
    return re.sub(r"^(?:go|goes|going)\s+(?=\w{3,}ing\b)", "", object, flags=re.I)


FRAMES: tuple[Frame, ...] = (
    # -- names -----------------------------------------------------------------------------------
    frame("name", rf"my\s+(?:full\s+|first\s+|real\s+)?name\s+is\s+(?P<object>{PROPER}|[a-z]+$)",
       whole=True, mine=True),
    frame("name", rf"(?:am|go\s+by|am\s+known\s+as)\s+(?:called|named)?\s*(?P<object>{NAME})"
       r"(?=\s*[,.;!]|\s+(?:and|from|but|by\s+the\s+way)\b|$)", mine=True, fits=lambda o: is_plain_name(o)),
    frame("name", rf"^(?P<object>{NAME})\s+here(?=\s*,|$)", whole=True, mine=True),
    frame("name", rf"^(?:just\s+|please\s+|so\s+)*call\s+me\s+(?!crazy\b|weird\b|old\b|lazy\b|stupid\b|later\b|back\b|names\b|biased\b|boring\b|picky\b|mad\b|when\b|tomorrow\b)(?P<object>{PROPER}|[a-z]+$)", whole=True, mine=True),
    frame("name", rf"^(?P<object>{NAME})\s+here\b(?=\s*[,.;!-]|\s+(?:from|in)\b)", whole=True, mine=True),
    frame("name", rf"you\s+(?:can|may)\s+call\s+me\s+(?!crazy\b|weird\b|old\b|lazy\b|stupid\b|later\b|back\b|names\b|biased\b|boring\b|picky\b|mad\b|when\b|tomorrow\b)(?P<object>{PROPER}|[a-z]+$)", whole=True, mine=True),
    frame("nickname", r"(?:everyone|everybody|people|friends|my\s+(?:friends|family|mates|colleagues)|they|most\s+people|some)\s+"
       rf"(?:all\s+|just\s+|mostly\s+)*calls?\s+me\s+(?P<object>{NAME})", whole=True, mine=True),
    frame("home_town", rf"grew\s+up\s+(?:in|near|on)\s+{THING}", fits=is_town),
    frame("home_town", rf"(?:{BE}\s+originally\s+from|come\s+(?:originally\s+)?from|{BE}\s+from|hail\s+from)\s+(?P<object>{NAME})"),
    # -- home ------------------------------------------------------------------------------------
    frame("lives_in", rf"(?:used\s+to\s+live|lived|was\s+living|were\s+living|had\s+lived|no\s+longer\s+"
       rf"lives?|{DO_NOT}\s+live(?=.*\bany\s?(?:more|longer)\b))\s+in\s+{THING}", over=True, fits=is_town),
    frame("lives_in", rf"{STILL}(?:live|lives|living|lived|based|settled|residing|resides?)(?:\s+(?:here|alone|"
       rf"together|out|back|with\s+[\w ]{{2,24}}?))?\s+in\s+{THING}", fits=is_town),
    frame("lives_in", rf"{STILL}(?:live|lives|living)\s+(?:aboard|near|outside)\s+{THING}", fits=is_town),
    frame("lives_in", rf"{STILL}(?:live|lives|living)\s+on\s+{THING}", fits=is_ground),
    frame("lives_in", rf"{BE}\s+(?:only\s+|just\s+)?(?:here\s+)?in\s+(?P<object>{NAME})\s+(?=(?:until|till)\s+(?:the\s+end|next|further|summer|winter|spring|autumn|christmas|easter|\d{{4}}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"),
    frame("lives_in", rf"{STILL}(?:live|lives|living|lived)\s+in\s+(?:an?|the|my|our)\s+[\w' -]*?(?:{_HOMES})\s+(?:in|near|"
       rf"outside|called)\s+{THING}", fits=is_town),
    frame("lives_in", rf"{STILL}(?:rent|rents|renting)\s+(?:an?|my|our)\s+[\w -]+?\s+in\s+{THING}", fits=is_town),
    frame("lives_in", rf"(?:{HAVE}\s+)?moved\s+into\s+{THING}", fits=lambda o: not re.search(r"\b(?:place|flat|house|apartment|home|own|bigger|together)\b", o, re.I)),
    frame("lives_in", rf"{HAVE}\s+been\s+in\s+(?P<object>{NAME})\s+(?:since|for)\b"),
    frame("lives_in", rf"{HAVE}\s+lived\s+in\s+{THING}", fits=is_town),
    frame("lives_in", rf"(?:{HAVE}\s+)?(?:moved|relocated|emigrated)\s+(?:back\s+|over\s+|house\s+|out\s+|on\s+)?"
       rf"(?:from\s+.+?\s+)?to\s+{THING}", fits=is_town),
    frame("lives_in", rf"(?:will\s+(?:be\s+)?|{BE}\s+going\s+to\s+|{BE}\s+)?(?:move|moves|moving|"
       rf"relocate|relocating)\s+(?:back\s+|over\s+)?(?:from\s+.+?\s+)?to\s+{THING}",
       coming=True, fits=is_town),
    # -- work ------------------------------------------------------------------------------------
    frame("works_at", rf"(?:used\s+to\s+work|worked|was\s+working|had\s+worked|no\s+longer\s+works?|"
       rf"{DO_NOT}\s+work(?=.*\bany\s?(?:more|longer)\b))\s+(?:as\s+.+?\s+)?(?:at|for)\s+{THING}",
       over=True, fits=is_firm),
    frame("works_at", rf"(?:{HAVE}\s+)?(?:(?:quit|resigned\s+from|retired\s+from)\s+(?:my\s+job\s+at\s+)?|left\s+my\s+job\s+at\s+)"
       rf"(?P<object>{NAME})", over=True),
    frame("works_at", rf"(?:was|were|got)\s+(?:fired|laid\s+off|let\s+go)\s+(?:from|by)\s+{THING}", over=True),
    frame("works_at", rf"(?:will\s+(?:be\s+)?|{BE}\s+(?:going\s+to\s+)?)?(?:start|starts|starting|join|joins|"
       rf"joining|work|working)\s+(?:(?:a\s+new\s+job|work|working|as\s+.+?)\s+)?(?:on\s+\w+\s+|in\s+\w+\s+|next\s+\w+\s+)?"
       rf"(?:at|with|for)?\s*(?:an?\s+[\w ]+?\s+called\s+)?"
       rf"(?P<object>{NAME})", coming=True),
    frame("works_at", rf"{STILL}(?:work|works|working|employed)\s+(?:full[- ]time\s+|"
       rf"part[- ]time\s+|remotely\s+|nights\s+)?(?:as\s+(?!a\s+rule).+?\s+)?(?:at|for)\s+{THING}",
       fits=is_firm),
    frame("works_at", rf"{HAVE}\s+worked\s+(?:full[- ]time\s+|part[- ]time\s+)?(?:as\s+.+?\s+)?(?:at|for)\s+{THING}",
       fits=is_firm),
    frame("works_as", rf"{HAVE}\s+worked\s+(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}"),
    frame("works_at", rf"(?:{HAVE}\s+)?(?:joined|started\s+(?:working\s+|work\s+|a\s+(?:new\s+)?job\s+)?"
       rf"(?:at|with))\s+(?P<object>{NAME})"),
    frame("works_at", rf"(?:{HAVE}|got|found)\s+a\s+(?:new\s+)?job\s+(?:at|with)\s+{THING}", fits=is_firm),
    frame("works_at", rf"{BE}\s+(?:an?|the)\s+(?![\w -]*\b(?:student|pupil|fan|patient|regular|customer|undergraduate|sucker|place|name|word)\b)[\w -]+?\s+(?:at|for)\s+(?P<object>{NAME})"),
    frame("works_as", rf"(?:used\s+to\s+work|worked|was\s+working|had\s+worked|no\s+longer\s+works?)\s+"
       rf"(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}", over=True),
    frame("works_as", rf"(?:used\s+to\s+be|was|were)\s+an?\s+{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"{STILL}(?:work|works|working|employed)\s+(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}"),
    frame("works_as", rf"{BE}\s+(?:an?\s+)?(?:retired|former|ex-?)\s*{THING}", over=True, fits=is_occupation),
    frame("works_as", rf"{BE}\s+(?:an?|the)\s+(?!retired\b|former\b){THING}", fits=is_occupation),
    frame("works_as", rf"{STILL}(?:work|works|working)\s+(?:[\w-]+\s+){{1,6}}?as\s+an?\s+(?!rule\b|team\b|result\b){THING}"),
    frame("works_at", rf"(?:{HAVE}\s+)?(?:started|got|found|landed)\s+(?:an?\s+)?(?:new\s+)?(?:job|position|role|post|work)\s+(?:at|with|for)\s+{THING}", fits=is_firm),
    frame("works_as", rf"(?:got\s+|was\s+|have\s+been\s+)?(?:promoted\s+to|trained\s+as|qualified\s+as|training\s+(?:to\s+be|as))\s+{THING}", fits=is_occupation),
    frame("works_as", rf"{HAVE}\s+been\s+an?\s+{THING}", fits=is_occupation),
    # -- family and pets -------------------------------------------------------------------------
    frame("{kin}", rf"(?:{HAVE}|had|got|adopted)\s+(?:an?|one)\s+{KIND}(?:(?!(?:with|of|for|and|who|whose|in|that|from)\b)[\w-]+\s+){{0,3}}?(?P<kin>{KIN_WORD})\s*,?\s+"
       rf"(?:(?:who\s+is\s+)?(?:called|named)\s+|whose\s+name\s+is\s+)(?P<object>{PROPER})"),
    frame("{kin}", rf"(?:{HAVE}\s+)?(?:have|has|had|got|adopted|rescued|bought)\s+an?\s+(?:[\w-]+\s+)??{KIND}(?P<kin>{KIN_WORD}),\s+(?P<object>{NAME})(?=\s*(?:,|$))",
       mine=True),
    *(
        frame(kin, rf"{HAVE}\s+(?:got\s+)?(?:(?:an?|one|two|three)\s[^.;:!?()]*?(?:,\s+and|,|\s+and)\s+)?(?:two|three|four|five|six|\d)\s+(?:(?:older|younger|little|big|lovely|grown-up)\s+)*{plural}\s*[,:–-]\s*(?:called\s+|named\s+)?"
           rf"(?P<object>{NAME}(?:\s*(?:,|and|&)\s*(?:and\s+)?{NAME})+)", several=True, mine=True)
        for kin, plural in (("sister", "sisters"), ("brother", "brothers"), ("dog", "dogs"), ("cat", "cats"), ("horse", "horses"), ("rabbit", "rabbits"))
    ),
    frame("child", rf"{HAVE}\s+(?:got\s+)?(?:two|three|four|five|six|\d)\s+(?:kids|children|little\s+ones)\s*[,:–-]\s*(?:called\s+|named\s+)?"
       rf"(?P<object>{NAME}(?:\s*(?:,|and|&)\s*(?:and\s+)?(?:wee\s+|little\s+|baby\s+)?{NAME})+)", several=True, mine=True),
    frame("married_to", rf"(?:(?:{BE}|got|(?:{HAVE}\s+)?been|{HAVE}\s+got(?:ten)?)\s+married\s+to|married)\s+(?P<object>{NAME})"),
    frame("engaged_to", rf"(?:{BE}|got|{HAVE}\s+got(?:ten)?|became)\s+engaged\s+to\s+(?P<object>{NAME})"),
    frame("owns", rf"(?:{HAVE}\s+(?:got\s+)?|got\s+)(?P<object>an?\s+[\w -]{{3,30}}?)(?=\s+(?:nobody|no\s+one|none\s+of\s+us|everyone|that\s+(?:nobody|no\s+one)|we\s+never|I\s+(?:never|cannot))\b)", mine=True, fits=lambda o: owned(o) or is_animal_or_illness(o)),
    frame("owns", rf"{HAVE}\s+(?:got\s+)?(?P<object>(?:over\s+|about\s+|almost\s+|some\s+)?\d+\s+(?:\w+\s+)?(?:records|books|vinyls?|lps|cds|comics|stamps|plants|houseplants|cacti|orchids|board\s+games|watches|guitars|teapots|mugs|dolls|fountain\s+pens|cameras|bikes|hats|hens|cookbooks|typewriters|puzzles)){END}(?!\s+to\b)", mine=True),
    # -- what someone has ------------------------------------------------------------------------
    frame("has", rf"{HAVE}\s+(?:got\s+|had\s+)?(?P<object>(?:(?:an?|one|two|three|four|five|six|\d+|type\s+\d)\s+)"
       r"?[\w', -]+?)(?=\s+(?:but|who|that|which|in|at|with|since|for|from|so|because|last|this|when|to|"
       r"as|on|now|these)\b|\s*[.;:!?()–—]|$)", several=True, fits=is_animal_or_illness),
    frame("has", rf"(?:{HAVE}\s+been|was|were)\s+diagnosed\s+with\s+{THING}"),
    frame("has", rf"(?:suffer|suffers)\s+from\s+{THING}"),
    frame("has", rf"(?:get|gets|have|has)\s+(?:bad\s+|terrible\s+|regular\s+|frequent\s+)?{THING}", fits=is_illness),
    frame("has", rf"(?:{BE}\s+)?(?:living|dealing|struggling)\s+with\s+(?:my\s+)?{THING}", fits=is_illness),
    frame("has", rf"\b(?:with|for|of|because\s+of|from)\s+my\s+(?P<object>(?:[\w-]+\s+)?[\w'-]+){END}",
       whole=True, mine=True, fits=is_illness),
    frame("has", r"^my\s+(?P<object>(?:[\w-]+\s+)?[\w'-]+)\s+(?:is|has|was|gets|keeps|means|makes|flares?|acts?)\b",
       whole=True, mine=True, fits=is_illness),
    frame("blood_type", r"my\s+blood\s+(?:group|type)\s+is\s+(?P<object>[ABO]{1,2}\s*(?:[+-]|positive|negative|rh\w*)?[+-]?(?:\s*(?:positive|negative))?)", whole=True, mine=True),
    frame("owns", rf"(?:own|owns)\s+(?P<object>(?:(?:an?|two|three|\d+)\s+)?[\w' -]+?){END}"),
    frame("drives", rf"(?:drive|drives)\s+an?\s+{THING}"),
    frame("owns", rf"(?:run|runs|own|owns)\s+(?:an?|my\s+own|our\s+own)\s+(?P<object>[\w' -]+?){END}", fits=is_business),
    frame("owns", rf"used\s+to\s+(?:own|have|drive(?!\s+an?\s+(?:\w+\s+)?(?:bus|tram|taxi|cab|lorry|train|truck|ambulance|coach|forklift|crane|hgv)\b)|ride)\s+(?P<object>(?:an?|my|our|the|two|three)\s+[\w' -]+?){END}", over=True, fits=is_owned),
    frame("owns", rf"(?:{HAVE}\s+)?(?:sold|gave\s+away|got\s+rid\s+of|scrapped)\s+(?:my|our|the)\s+(?P<object>[\w' -]+?){END}",
       over=True),
    # -- what someone does -----------------------------------------------------------------------
    frame("practises", rf"(?:{BE}\s+|{HAVE}\s+been\s+)?(?P<object>(?:swim|run|jog|cycle|meditate|climb|hike|row|box|ski|surf|"
       r"knit|crochet|swimming|running|jogging|cycling|climbing|rowing|boxing|dancing|knitting)s?(?:\s+(?!every|each|on|most|twice|once|before|after|daily)"
       r"[\w-]+){0,3}?)\s+(?:every|each|on|most|twice|once|three\s+times|before|after|daily|at\s+least)\b"),
    frame("practises", rf"(?P<object>(?:swim|jog|meditate|climb|hike|row|ski|surf|knit|crochet|bake|garden|paint|sketch|sing|dance|fence|box|cycle|sail|kayak|volunteer(?!\s+(?:at|in|for|with)\b)|bird-?watch|forage|fish|weave|quilt|bodyboard|skate|journal)s?){END}"),
    frame("practises", r"^(?:every|each|most|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b[\w ]*?\bI\s+(?P<object>(?:swim|run|jog|"
       r"cycle|meditate|climb|hike|row|box|ski|surf|knit|dance|paint|sing|practise|practice|do\s+yoga)\b(?:\s+[\w-]+){0,2}?)"
       r"(?=\s+(?:at|in|on|with|before|after|for|to)\b|\s*[,.;!]|$)", whole=True, mine=True),
    frame("practises", rf"(?:{BE}\s+|{HAVE}\s+been\s+)?(?:do|does|doing|practise|practises|practice|practicing|practising|go|goes\s+to|go\s+to|going\s+to)\s+(?:my\s+|a\s+|the\s+)?(?P<object>(?:yoga|"
       r"pilates|parkrun|karate|judo|aikido|tai\s+chi|crossfit|zumba|ballet|salsa|meditation|swimming|running|climbing|choir)(?:\s+\w+)?)"
       rf"{END}"),
    frame("practises", rf"(?:{HAVE}\s+)?(?:gave\s+up|given\s+up|quit|stopped)\s+(?!eating\b|drinking\b|taking\b|using\b|doing\b|playing\b|going\b|practi[sc]ing\b|having\b|seeing\b|buying\b|reading\b|listening\b|watching\b|looking\b|writing\b|working\b|talking\b|being\b|trying\b)(?P<object>\w+ing(?:\s+[\w-]+){{0,3}}?){END}", over=True),
    frame("practises", rf"used\s+to\s+(?P<object>(?:smoke|swim|run|row|climb|cycle|dance|sing|paint|surf|ski|skate|box|fence|jog)\b(?!\s+in\s+(?:an?|the|our|my)\s)(?:\s+[\w-]+){{0,4}}?){END}", over=True),
    frame("practises", rf"(?:{HAVE}\s+)?(?:taken|took)\s+up\s+(?!(?:residence|arms|position|space|time|room|office|most|all|half|much|too|so|an?\s|the\s|my\s|our\s|this|that|where)){THING}", fits=lambda o: is_likeable(o) and not re.search(r"\b(?:jobs?|posts?|positions?|offers?|roles?|challenges?|cause|slack|work)$", o, re.I)),
    frame("plays", rf"used\s+to\s+play\s+{THING}", over=True, fits=is_game),
    frame("plays", rf"{STILL}(?:play|plays|playing)\s+{THING}", fits=is_game),
    frame("sings", r"(?:sing|sings|singing)\s+(?:the\s+)?(?P<object>(?:first\s+|second\s+)?(?:soprano|mezzo(?:-soprano)?|alto|contralto|countertenor|tenor|baritone|bass))\b"),
    frame("learns", rf"(?:{STILL}|(?:{HAVE}\s+)?(?:started|began)\s+)(?:learning|teaching\s+myself)\s+(?:to\s+)?{THING}",
       fits=has_no_verb),
    frame("wedding_on", rf"(?:{BE}|will\s+be)\s+(?:finally\s+)?(?:getting\s+married|marrying|to\s+be\s+married)\b[^,.;:!?()]*?\s(?:on\s+|in\s+|(?=next\b))(?P<object>(?:the\s+)?{WEDDING_DAY})", called=as_one_date),
    frame("wedding_on", rf"(?:gets?|will\s+get|{BE}\s+going\s+to\s+get)\s+married\b[^,.;:!?()]*?\s(?:on\s+|in\s+|(?=next\b))(?P<object>(?:the\s+)?{WEDDING_DAY})", called=as_one_date),
    frame("wedding_on", rf"^(?:my|our)\s+wedding\s+(?:day\s+)?(?:is|will\s+be)\s+(?:(?:planned|set)\s+(?=for\b))?(?:(?:in|at)\s+(?!the\s+(?:spring|summer|autumn|winter)\b)[^,.;:!?()]+?\s+(?=on\b|in\b|next\b))?(?:for\s+|on\s+|in\s+)?(?P<object>(?:the\s+)?{WEDDING_DAY})", whole=True, mine=True, called=as_one_date),
    frame("wedding_on", rf"has\s+a\s+wedding\s+(?:on|in)\s+(?P<object>(?:the\s+)?{WEDDING_DAY})", called=as_one_date),
    frame("plans_to", rf"(?:(?:am|are|is)\s+(?:hoping|aiming|saving\s+up)\s+to|hopes?\s+to|aims?\s+to)\s+(?P<object>{NO_PLAN}[^,.;:!?()]+?){PLAN_END}", fits=is_no_dream, called=as_plan),
    frame("plans_to", rf"(?:{BE}\s+going\s+to(?!\s+(?:the\s+)?(?-i:[A-Z]))|plans?\s+(?:to|on)|{BE}\s+planning\s+(?:to|on)|intends?\s+to|"
       rf"will(?=.*\b{WHEN}))\s+(?P<object>{NO_PLAN}[^,.;:!?()]+?)"
       r"(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=is_no_dream, called=as_plan),
    frame("plans_to", r"(?:have\s+|has\s+)?(?:signed\s+up\s+for|booked|registered\s+for|enrolled\s+(?:in|on))\s+(?P<object>[^,.;:!?()]+?)"
       r"(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=is_no_dream),
    frame("plans_to", rf"(?=.*\b{WHEN})(?:am|are|is)\s+(?P<object>(?:getting|flying|travell?ing|moving|starting|having|taking|visiting|hosting|running|launching|"
       r"selling|buying|leaving|marrying|retiring|graduating|going(?!\s+to\b(?!\s+(?-i:[A-Z])))|doing|attending|performing|competing|driving|expecting|meeting|giving|"
       rf"playing|singing|defending|opening|off\s+to|due)\b[^,.;:!?()]*?){PLAN_END}", fits=is_no_dream, called=as_plan),
    frame("plans_to", rf"(?=.*\b{WHEN})(?P<object>(?:retire|graduate|defend|marry|emigrate|fly)s?\b[^,.;:!?()]*?){PLAN_END}", coming=True, fits=is_no_dream, called=as_plan),
    frame("plans_to", rf"{BE}\s+(?P<object>off\s+to\s+(?:the\s+)?{NAME})", fits=is_no_dream),
    frame("plans_to", r"(?:have\s+|has\s+)?decided\s+to\s+(?P<object>[^,.;:!?()]+?)(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=is_no_dream),
    frame("plans_to", rf"{HAVE}\s+(?:got\s+)?(?:an?|my|our|another)\s+(?P<object>[^,.;:!?()]*?{EVENT}\b[^,.;:!?()]*?)(?=\s+(?:on|at(?!\s+(?:the|my|our)\s+(?!end\b|beginning\b|start\b|weekend\b))|next|tomorrow|this|in)\b)(?=.*\b{WHEN})", fits=is_no_dream),
    frame("plans_to", rf"^(?:my|our)\s+(?!{KIND}(?:{KIN_WORD})(?:\s+{NAME})?'s?\s)(?P<object>[\w' -]*?{EVENT}(?:\s+(?:with|at)\s+[^,.;:!?()]+?)?)\s+(?:is|are|will\s+be)\s+(?=(?:.*\s)?{WHEN})", whole=True, mine=True, fits=is_no_dream),
    frame("meets_on", rf"^(?:my|our)\s+(?P<own>{GROUP})\s+{MEETS}\s+(?:on\s+|every\s+|each\s+)?(?P<object>{WEEKDAYS})(?!\s+\d)", whole=True, mine=True, called=as_weekdays),
    frame("due_on", rf"^(?:my|our)\s+(?!(?:{KIN_WORD})(?:'s|\s+(?:and|is|has)\b))(?P<own>[a-z][\w-]*(?:\s+(?!(?:is|are|was|were|has|have|had|must|needs?|that|which|who|I|we)\b)[\w-]+){{0,3}}?)\s+{DUTY}"
       rf"\s+(?:on|by|before|in|at|until|till)?\s*(?P<object>(?:the\s+)?(?:(?:very\s+)?(?:end|beginning|start|middle)\s+of\s+)?(?:the\s+)?(?:{DAY}|{MONTH}))", whole=True, mine=True, called=as_one_date),
    # -- what someone is -------------------------------------------------------------------------
    frame("nationality", rf"{BE}\s+(?:half\s+)?(?P<object>(?-i:[A-Z]\w+))(?=\s*[,.;!]|\s+(?:and|but|by|originally|though|so)\b|$)", fits=is_demonym),
    frame("is", rf"(?:{BE}|{HAVE}\s+been)\s+(?:an?\s+)?(?:strict\s+|strictly\s+|also\s+|type\s+\d\s+)?(?P<object>(?:[\w-]+[\s-])?[\w-]+?)(?=\s*[,.;!]|\s+(?:and|but|since|for|"
       r"because|so|now|from|which)\b|$)", fits=is_trait),
    # -- health ----------------------------------------------------------------------------------
    frame("allergic_to", rf"(?:{BE}|{HAVE}\s+(?:always\s+)?been)\s+(?:[\w -]+?\s+and\s+)?(?:severely\s+|deathly\s+|highly\s+|quite\s+|very\s+|badly\s+)?"
       rf"allergic\s+to\s+{LIST}", several=True),
    frame("allergic_to", rf"{HAVE}\s+(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+)?allergy\s+to\s+{LIST}",
       several=True),
    frame("allergic_to", rf"{HAVE}\s+an?\s+(?:severe\s+|bad\s+|serious\s+|mild\s+)?(?P<object>[\w-]+(?:\s[\w-]+)?)"
       r"\s+allergy\b"),
    frame("takes", rf"{HAVE}\s+been\s+(?:on|taking)\s+(?:\d+\s?\w*\s+(?:of\s+)?)?(?P<object>[\w-]+(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)[\w-]+)*){END}", several=True, fits=is_medicine),
    frame("takes", r"(?:take|takes|taking)\s+(?:my\s+|an?\s+|some\s+|\d+\s+|two\s+|three\s+)?(?P<object>(?:(?!my\b|the\b|some\b|a\b)[\w-]+\s+){1,3}(?:tablets?|pills?|medication|medicine|capsules|injections))\b"),
    frame("takes", rf"(?:take|takes|taking|{BE}\s+(?:taking|on))\s+(?:\d+\s?\w*\s+(?:of\s+)?)?"
       rf"(?P<object>[\w-]+(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)[\w-]+)*){END}", several=True, fits=is_medicine),
    # -- likes and dislikes ----------------------------------------------------------------------
    frame("likes", rf"(?:used\s+to\s+{LIKE}|no\s+longer\s+{LIKE}|{DO_NOT}\s+{LIKE}"
       rf"(?=.*\bany\s?(?:more|longer)\b))\s+{THING}", over=True, fits=is_likeable),
    frame("dislikes", rf"{ON_MORE}{HATE}\s+(?!at\s+all\b){AT_HAND}{LIST}", several=True, fits=is_likeable),
    frame("prefers", r"(?:would\s+(?:rather\s+(?:have\s+)?)?)?prefers?\s+(?P<object>[^,.;:!?()]+?\s+"
       r"(?:to|over|rather\s+than)\s+[^,.;:!?()]+?)(?=\s+(?:because|since|when|in|on|at|these|any)\b|"
       r"\s*[,.;:!?()]|$)", fits=has_no_verb),
    frame("dislikes", rf"(?:am|are|is)\s+not\s+(?:really\s+|much\s+)?(?:one\s+for|a\s+(?:\w+\s+)?(?:lover|drinker|eater)\s+of|that\s+into|too\s+keen\s+on)\s+{LIST}", several=True, fits=is_likeable),
    frame("dislikes", rf"(?:never\s+(?:been\s+(?:one\s+for|into|a\s+fan\s+of|keen\s+on|fond\s+of)|could\s+stand|cared\s+for|got\s+into|took\s+to)|could\s+never\s+stand|could\s+not\s+care\s+less\s+about|{HAVE}\s+(?:gone\s+off|never\s+(?:liked|been\s+(?:one\s+for|into|a\s+fan\s+of|keen\s+on|fond\s+of)))|am\s+sick\s+of|am\s+(?:(?:so|really|a\s+bit|absolutely)\s+)*(?:scared|terrified|afraid|petrified|frightened)\s+of)\s+{AT_HAND}{LIST}", several=True, fits=is_likeable),
    frame("dislikes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:is|are)\s+(?:just\s+|really\s+|so\s+)*not\s+(?:really\s+)?(?:my\s+(?:thing|cup\s+of\s+tea|bag|jam|style|scene)|for\s+me)\b", whole=True, mine=True, fits=is_likeable),
    frame("dislikes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:leaves?\s+me\s+cold|does\s+nothing\s+for\s+me|do\s+nothing\s+for\s+me|bores?\s+me|makes?\s+me\s+(?:gag|sick|heave)|drives?\s+me\s+(?:mad|crazy|nuts|up\s+the\s+wall)|gives?\s+me\s+the\s+(?:creeps|ick))", whole=True, mine=True, fits=is_likeable),
    frame("dislikes", r"(?:find|finds)\s+(?P<object>(?!(?:that|this|it|them|myself|him|her)\b)[\w' -]{3,30}?)\s+(?:(?:really|so|very|utterly|quite|a\s+bit|incredibly)\s+)*(?:unbearable|boring|disgusting|awful|tedious|horrible|revolting|annoying|dull|vile|gross|exhausting|overrated)\b", fits=is_likeable),
    frame("likes", r"(?:find|finds)\s+(?P<object>(?!(?:that|this|it|them|myself|him|her)\b)[\w' -]{3,30}?)\s+(?:(?:really|so|very|utterly|quite|incredibly)\s+)*(?:relaxing|fascinating|soothing|calming|delicious|addictive)\b", fits=is_likeable),
    frame("likes", r"(?:am|are|is)\s+(?:an?\s+)?(?:(?:total|huge|big|massive|bit\s+of\s+an?|real|avid|keen)\s+)*(?P<object>[\w-]+)\s+(?:lover|nerd|geek|fanatic|addict|enthusiast|nut|junkie|buff)\b", fits=is_likeable),
    frame("likes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:is|are)\s+(?:my\s+(?:favou?rite(?:\s+thing)?(?!\s+of\b)|passion|guilty\s+pleasure|happy\s+place|weakness|idea\s+of\s+(?:heaven|a\s+good\s+time))|what\s+I\s+(?:really\s+)?(?:love|look\s+forward\s+to|live\s+for))\b", whole=True, mine=True, fits=is_likeable),
    frame("likes", r"could\s+(?:happily\s+)?(?:eat|drink|watch|listen\s+to|live\s+on)\s+(?P<object>[^,.;:!?()]+?)(?=\s+(?:every|all|any|for|until|and|by\s+the)\b|\s*[,.;:!?()]|$)", fits=is_likeable),
    frame("likes", rf"my\s+(?:great\s+|big\s+|one\s+)?(?:passion|guilty\s+pleasure|weakness|comfort\s+food|go-to\s+\w+)\s+is\s+{THING}", whole=True, mine=True, fits=is_likeable),
    frame("likes", rf"(?:am|is|are)\s+(?:completely\s+|totally\s+|really\s+)?(?:obsessed\s+with|hooked\s+on|passionate\s+about|in\s+love\s+with|partial\s+to|nuts\s+about)\s+{AT_HAND}{LIST}", several=True, fits=is_likeable),
    frame("avoids", rf"(?:{DO_NOT}|never|cannot|{BE}\s+not\s+(?:allowed|supposed)\s+to|stopped|{HAVE}\s+stopped)\s+(?:eat|drink|touch|tolerate|digest|eating|drinking|(?<=cannot\s)have)\s+(?!enough|much|well|that|this|it\b|a\s+clue|time|any\s+(?:idea|time|plans)|breakfast\s+today){LIST}", several=True, fits=is_food),
    frame("avoids", rf"(?:{STILL})?(?:avoid|avoids|avoiding|stay\s+away\s+from|steer\s+clear\s+of|{HAVE}\s+cut\s+out|cut\s+out)\s+{LIST}", several=True, fits=is_likeable),
    frame("allergic_to", rf"react\s+(?:badly\s+|very\s+badly\s+)?to\s+{LIST}", several=True),
    frame("prefers", r"would\s+(?:always\s+)?(?:take|choose|pick)\s+(?P<object>[^,.;:!?()]+?\s+over\s+[^,.;:!?()]+?)(?=\s+(?:any\s+day|every\s+time|because|even|any\s+time)\b|\s*[,.;:!?()]|$)", fits=has_no_verb),
    frame("prefers", r"would\s+(?:much\s+)?(?:rather|sooner)\s+(?:have\s+|be\s+|take\s+|use\s+|drink\s+|eat\s+|go\s+by\s+|travel\s+by\s+)?(?P<object>[^,.;:!?()]+?)\s+than\b",
       fits=has_no_verb),
    frame("prefers", rf"would\s+(?:much\s+)?(?:rather|sooner)\s+(?:have|drink|eat|take|use)\s+{THING}", fits=is_likeable),
    frame("prefers", rf"prefers?\s+{THING}", fits=is_likeable),
    frame("prefers", rf"{LIKE}\s+(?P<object>[\w' -]+?)\s+(?:much\s+|way\s+|far\s+|a\s+lot\s+)?(?:more|better)\s+"
       r"than\b", fits=is_likeable),
    frame("likes", rf"{LIKE}\s+{AT_HAND}{LIST}(?!\s+(?:more|better)\s+than)", several=True, fits=is_likeable),
    frame("likes", rf"{BE}\s+(?:an?\s+)?(?:big\s+|huge\s+|great\s+)?(?:fan\s+of|fond\s+of|keen\s+on|crazy\s+"
       rf"about|mad\s+about|into)\s+{AT_HAND}{LIST}", several=True, fits=is_likeable),
    frame("favourite_{noun}", rf"my\s+(?:all-time\s+)?favou?rite\s+(?P<noun>(?!part\b|bit\b|thing\b|one\b|of\b)\w+)\s+(?:of\s+all\s+time\s+|ever\s+|in\s+the\s+world\s+)?(?:is|are)\s+{THING}",
       whole=True, mine=True, fits=is_likeable),
    frame("current_project", rf"(?:{BE}|{HAVE}\s+been)\s+(?:currently\s+|busy\s+|slowly\s+)*(?:working\s+on|building|writing|restoring|renovating|developing|translating|designing|"
       rf"composing|recording|illustrating|coding|programming|sewing|knitting|crocheting|carving|researching|converting|doing\s+up|putting\s+together|organi[sz]ing|training\s+for|making(?=\s+an?\s))\s+(?=(?:an?|my|our|the|two|three)\s|(?-i:[A-Z]\w+(?:\s|$))){THING}",
       fits=is_project),
    frame("current_project", r"my\s+(?:current\s+|latest\s+|big\s+|main\s+|new\s+)?project\s+(?:right\s+now\s+|at\s+the\s+moment\s+)?is\s+(?:called\s+|named\s+)?(?P<object>[^\s,.;:!?()][^,.;:!?()]*?)"
       r"(?=\s+(?:and|but|because|so|since|now|at\s+the\s+moment)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=lambda o: is_project(o) and not re.match(r"(?:to|due|over|done|finished|going|doing|late|behind|in|on|at|not|about|stuck|still|almost|nearly|coming|ready|growing|too|very|so|really|complete[d]?|called|funded|progressing)\b", o, re.I)),
    frame("current_project", rf"(?:the|my)\s+(?:app|game|novel|book|project|thesis|film|website|tool|blog|podcast|album|startup)\s+(?:that\s+)?I\s+am\s+(?:building|writing|making|developing|working\s+on)\s+is\s+(?:called|named)\s+(?P<object>{PROPER})",
       whole=True, mine=True),
    # -- the rest --------------------------------------------------------------------------------
    frame("speaks", r"(?:speak|speaks)\s+(?:fluent\s+|some\s+|a\s+little\s+|a\s+bit\s+of\s+|good\s+|basic\s+)?"
       r"(?P<object>(?-i:[A-Z]\w+)(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:some\s+|a\s+little\s+|a\s+bit\s+of\s+)?"
       r"(?-i:[A-Z]\w+))*)", several=True),
    frame("born_in", rf"was\s+born\s+(?:and\s+raised\s+)?in\s+{THING}", fits=lambda o: has_capital(o)),
    frame("born_on", r"was\s+born\s+(?:on|in)\s+(?P<object>(?:the\s+)?(?:\d[\w ]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*[\w ,]*?)?\d{4}(?:-\d\d-\d\d)?)"),
    frame("birthday", rf"has\s+(?:an?|his|her|their)\s+birthday\s+(?:on|in)\s+(?:the\s+)?(?P<object>{DAY}|{MONTH})", called=as_one_date),
    frame("died_on", r"(?:died|passed\s+away)\s+(?:in|on)\s+(?P<object>[\w ,]*?\d{4})(?=\W|$)"),
    frame("birthday", rf"my\s+birthday\s+is\s+(?:on\s+|in\s+)?(?:the\s+)?(?P<object>{DAY}|{MONTH}|\d{{1,2}}(?:st|nd|rd|th))",
       whole=True, mine=True, called=as_one_date),
    frame("age", rf"{BE}\s+(?P<object>1[01]\d|\d{{1,2}})(?:\s+years?\s+old)?(?=\s*[,.;!]|\s+(?:and|now|but|not|today|"
       r"this|in)\b|$)"),
    frame("age", r"(?:have\s+|has\s+)?turned\s+(?P<object>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
       r"(?:-\w+)?|eighteen|nineteen|a\s+hundred)(?!-|\w)"),
    frame("age", r"(?:have\s+|has\s+)?(?:just\s+)?turned\s+(?P<object>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
       r"sixteen|seventeen)(?=\s*(?:[,.;!]|$)|\s+(?:in|on|last|this|yesterday|today|recently|and|but|years)\b)"),
    frame("age", rf"am\s+{NAME},\s+(?P<object>\d{{1,3}})(?=\s*,|\s+and\b|$)", mine=True),
    frame("studies_at", rf"{STILL}(?:study|studies|studying|a\s+student)\s+(?:[\w -]+?\s+)?at\s+{THING}",
       fits=is_firm),
    frame("studies", rf"{STILL}(?:study|studies|studying)\s+(?!at\b|in\b|for\b|hard\b|every\b|each\b|most\b|on\b|with\b|from\b|all\b|until\b|late\b|too\b|a\s+lot\b|together\b)(?P<object>[\w -]+?){END}"),
    frame("phone", r"my\s+(?:phone|mobile|cell|telephone)(?:\s+number)?\s+is\s+(?P<object>[+\d][\d ()/-]{5,})",
       whole=True, mine=True),
    frame("email", r"my\s+e-?mail(?:\s+address)?\s+is\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
    frame("address", r"my\s+(?:home\s+|postal\s+)?address\s+is\s+(?P<object>[^;!?]+)", whole=True, mine=True),
)  # fmt: skip
# what only a model can tell from what sounds alike
LOOSE: tuple[Frame, ...] = (
    frame("has", rf"{HAVE}\s+(?:got\s+)?(?P<object>(?:an?|my|our|one|two|three|four|five|six|seven|eight|ten|twelve|\d+|some|"
       rf"type\s+\d)\s+[^,.;:!?()]+?){END}", loose=True, fits=is_owned),
    frame("owns", rf"(?:{HAVE}\s+)?(?:just\s+)?(?:bought|got|inherited|adopted|picked\s+up|built)\s+(?:myself\s+|ourselves\s+)?(?P<object>(?:an?|our|my|two|three|\d+)\s+"
       rf"[^,.;:!?()]+?){END}", loose=True, fits=is_owned),
    frame("works_as", rf"{BE}\s+(?:an?|the)\s+{THING}", loose=True, fits=lambda o: has_no_verb(o) and not re.search(r"\d|\bold\b", o)),
    frame("works_at", rf"{STILL}(?:work|works|working|volunteer|volunteers|volunteering)\s+(?:[\w-]+\s+)??(?:at|for|in|on)\s+{THING}", loose=True, fits=is_firm),
    frame("practises", r"(?P<object>(?!am\b|is\b|are\b|have\b|has\b|will\b|was\b|can\b|cannot\b|do\s+not\b)[a-z]+\s*[^,.;:!?()]*?)\s+(?:(?:every|each)\s+(?:single\s+|other\s+)?(?:day|morning|evening|night|week|weekend|month|year|winter|summer|spring|autumn|\w+day)|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
       r"(?:once|twice|three\s+times|four\s+times)\s+a\s+(?:day|week|month|year)|most\s+(?:days|mornings|evenings|nights|weekends))\b", loose=True, fits=is_no_dream, called=as_activity),
    frame("likes", r"(?:adores?|(?:am|is|are)\s+(?:really\s+|totally\s+|completely\s+)?(?:obsessed\s+with|addicted\s+to|in\s+love\s+with|hooked\s+on|"
       rf"partial\s+to|nuts\s+about)|could\s+(?:eat|drink|watch|listen\s+to)|cannot\s+(?:live\s+without|get\s+enough\s+of)|live\s+for|swear\s+by)\s+{LIST}",
       loose=True, fits=is_likeable),
    frame("uses", rf"(?:use|uses|using|{BE}\s+using)\s+{THING}", loose=True, fits=has_no_verb),
    frame("learns", rf"(?:{BE}|{HAVE}\s+been)\s+(?:taking|doing)\s+(?P<object>[^,.;:!?()]*?(?:lessons?|course|class|classes|degree|diploma)){END}", loose=True),
    frame("visited", rf"(?:{HAVE}\s+)?(?:went|been|visited|travelled|traveled)\s+(?:to\s+)?(?P<object>{NAME})", loose=True),
)  # fmt: skip
