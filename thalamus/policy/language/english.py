"""English, as the grammar of plain statements reads it."""

from __future__ import annotations

import re

from thalamus.policy.language.kinds import (
    DEMONYMS,
    animal_or_illness,
    capitalised,
    demonym,
    illness,
    medicine,
    occupation,
    trait,
)
from thalamus.policy.language.lexicon import Frame, Lexicon, Pattern


def _any(text: str) -> Pattern:
    return re.compile(text, re.I | re.X)


KIN = {
    **{word: word for word in "wife husband partner girlfriend boyfriend sister brother mother "
       "father son daughter uncle aunt cousin nephew niece grandmother grandfather grandson "
       "granddaughter friend boss colleague neighbour dog cat horse parrot rabbit hamster".split()},
    "mom": "mother", "mum": "mother", "mam": "mother", "mama": "mother", "dad": "father",
    "papa": "father", "grandma": "grandmother", "granny": "grandmother", "gran": "grandmother",
    "nana": "grandmother", "auntie": "aunt", "grandpa": "grandfather", "granddad": "grandfather",
    "kid": "child", "child": "child", "baby": "child", "boy": "son", "girl": "daughter",
    "neighbor": "neighbour", "coworker": "colleague", "co-worker": "colleague",
    "colleague": "colleague", "manager": "boss", "supervisor": "boss", "puppy": "dog",
    "kitten": "cat", "fiance": "fiance", "fiancé": "fiance", "fiancée": "fiance",
    "fiancee": "fiance", "best friend": "best_friend", "twin": "sibling", "sibling": "sibling",
    "mother-in-law": "mother_in_law", "father-in-law": "father_in_law",
    "sister-in-law": "sister_in_law", "brother-in-law": "brother_in_law",
    "mother in law": "mother_in_law", "father in law": "father_in_law",
    "sister in law": "sister_in_law", "brother in law": "brother_in_law",
    "mate": "friend", "pal": "friend", "buddy": "friend", "roommate": "flatmate",
    "flatmate": "flatmate", "housemate": "flatmate", "stepson": "stepson",
    "stepdaughter": "stepdaughter", "stepmother": "stepmother", "stepfather": "stepfather",
    "godson": "godson", "goddaughter": "goddaughter", "godfather": "godfather",
    "godmother": "godmother", "pet": "pet", "tortoise": "pet", "goldfish": "pet", "bird": "pet",
    "budgie": "pet", "guinea pig": "pet", "pony": "horse", "teacher": "teacher",
    "doctor": "doctor", "dentist": "dentist", "therapist": "therapist",
    "best mate": "best_friend", "bestie": "best_friend", "hubby": "husband", "missus": "wife",
    "other half": "partner", "gf": "girlfriend", "bf": "boyfriend", "bro": "brother", "sis": "sister",
    "nan": "grandmother", "nanna": "grandmother", "grandad": "grandfather", "mummy": "mother",
    "lad": "son", "toddler": "child", "newborn": "child", "foster son": "child",
    "foster daughter": "child", "foster child": "child", "co-founder": "colleague",
    "cofounder": "colleague", "landlord": "landlord", "landlady": "landlord",
    "mare": "horse", "gelding": "horse", "stallion": "horse", "tomcat": "cat", "pup": "dog",
    "bunny": "rabbit", "hound": "dog",
    **dict.fromkeys(
        ("axolotl ferret gecko snake python lizard iguana turtle fish chinchilla donkey goat hen rooster "
         "cockerel cockatiel cockatoo canary tarantula spider rat mouse gerbil alpaca llama sheep pig duck "
         "goose owl crow pigeon hedgehog chameleon budgerigar macaw lovebird koi").split(), "pet"),
    **dict.fromkeys(
        ("labrador lab poodle terrier spaniel beagle collie dachshund husky greyhound whippet retriever "
         "bulldog pug chihuahua corgi dalmatian lurcher alsatian labradoodle cockapoo rottweiler boxer "
         "mutt mongrel").split(), "dog"),
}  # fmt: skip
_KIN = "|".join(
    sorted((re.escape(word).replace(r"\ ", r"\s+") for word in KIN), key=len, reverse=True)
)
_KIND = (  # what may stand between "my" and the relation
    r"(?:(?:older|younger|elder|eldest|oldest|youngest|big|little|twin|half|dear|old|new|first|"
    r"second|middle|only|lovely|beloved|baby|late|wee|rescue|retired|foster|adopted|elderly|tiny|fat|\d+[- ]year[- ]old)\s+)*"
)
_PROPER = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'-]*[\w](?:\s+(?:(?:van|von|de|da|del|der|bin|al|el|la)\s+)*[A-ZÀ-ÖØ-Þ][\w'-]*[\w])*)"
_NOT_NAMES = (
    r"(?!(?-i:The|A|An|This|That|These|Those|It|There|Here|What|Who|When|Where|Why|How|Which|You|"
    r"Your|Everyone|Everybody|Nobody|Someone|Somebody|People|No|Yes|Not|One|Some|All|Most|Each|If|"
    r"But|And|So|Or|Also|Then|Now|Today|Tomorrow|Yesterday|Please|Thanks|Maybe|Since|After|Before|"
    r"While|Until|In|On|At|For|From|With|To|By|As|His|Her|Their|Its|Our|Both|Every|Last|Next|Let|"
    r"Just|Ok|Okay|Well|God|They|We|I|My|Mine|Life|Work|Monday|Tuesday|Wednesday|Thursday|Friday|"
    r"Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|He|She|Sounds?|Looks?|Seems?|Feels?|Events?|Things?|Thanks|Love|Great|Good|Nice|Kids|Parents|Children|Friends|Any|Many|Much|Such|Other|Others|Being|Having|Getting)\b)"
)
NAME = rf"{_NOT_NAMES}{_PROPER}"
_END = (
    r"(?=\s+(?:(?:up|down|over|out|back|based)\s+(?:in|at|on)|in|on|at|with|and|but|because|since|for|last|next|this|when|where|who|which|that|"
    r"yesterday|today|tomorrow|recently|as|now|after|before|so|again|to|over|than|rather|very|most|"
    r"any|anymore|until|till|from|if|though|although|while|every|each|or|nor|not|by|near|about|ago|"
    r"moored|overlooking|living|based|working|more|better|too|once|twice|of\s+course|is|are|was|were|has|have|will|these\s+days|right|"
    r"instead|ever|especially|even|like|lately|tonight)\b|\s+(?:about\s+|around\s+|almost\s+|over\s+)?(?:an?|one|"
    r"two|three|four|five|six|seven|eight|nine|ten|\d+|a\s+few|a\s+couple\s+of)\s+(?:days?|weeks?|months?|years?)\s+ago"
    r"|\s*[,.;:!?()–—]|\s+-\s|$)"
)
THING = rf"(?:(?:an?|the|my|our|some)\s+)?(?P<object>[^\s,.;:!?()][^,.;:!?()]*?){_END}"
# a list: "hiking, cooking and jazz"
LIST = (
    r"(?:(?:an?|the|my|our|some)\s+)?(?P<object>[^\s,.;:!?()][^.;:!?()]*?)"
    r"(?=\s+(?:in|on|at|with|but|because|since|for|last|next|this|when|where|who|which|that|as|now|"
    r"after|before|so|to|over|than|rather|very|most|any|anymore|until|from|if|though|while|every|"
    r"more|better|too|not|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|a\s+few)\s+(?:days?|weeks?|months?|years?)\s+ago|these\s+days|especially|even|lately|a\s+lot|is|are|was|will)\b"
    r"|\s*[.;:!?()–—]|\s+-\s|$)"
)
_BE = r"(?:am|are|is)"
_HAVE = r"(?:have|has)"
_ON_MORE = r"(?!.*\bany\s?(?:more|longer)\b)"
_DO_NOT = r"(?:(?:do|does)\s+not)"
_STILL = rf"(?:{_HAVE}\s+been\s+|{_BE}\s+)?"


def _f(predicate: str, pattern: str, **more: object) -> Frame:
    return Frame(predicate, re.compile(pattern, re.I), **more)  # type: ignore[arg-type]


_HOMES = "flat|house|apartment|cottage|room|place|studio|bungalow|village|town|suburb|city|hamlet|loft|terrace"


def _town(object: str) -> bool:
    """A place that has a name, or a kind of place."""
    if "'s" in object or re.search(rf"\b(?:{_HOMES})$", object, re.I):
        return False
    return capitalised(object) or object.split()[0].lower() not in (
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


def _no_verb(object: str) -> bool:
    return not re.search(
        r"\b(?:me|you|him|them|it|making\s+sure|is|are|am|was|will|would|do|does|did)\b",
        object,
        re.I,
    )


def _firm(object: str) -> bool:
    return not re.match(
        r"(?:home|night|nights|hours|days|weekends|free|myself|living|least|first|"
        r"moment|years|months|weeks|\d+|time|money|this|that|it|them)\b",
        object,
        re.I,
    )


def _liked(object: str) -> bool:
    return _no_verb(object) and not re.match(
        r"(?:that|this|it|how|what|when|where|why|if|something|anything|more\b|number\b|of\b|the\s+(?:idea|fact|way|sound|look|thought)|idea|"
        r"fact|way|sound(?!\s+of)|thought|know|hear|ask|see\s+you|your|you)\b",
        object,
        re.I,
    )


# "I love the colours": something that only this conversation has; "the sea" everybody has
_AT_HAND = (
    r"(?!(?:all\s+)?(?:these|those|this|that|your|his|her|their|its)\b|all\s+the\b|"
    r"the\s+(?!(?:sea|seaside|sun|sunshine|rain|snow|cold|heat|mountains?|woods|forest|countryside|outdoors|"
    r"beach|theatre|theater|opera|cinema|circus|gym|ocean|water|dark|night|smell|taste|feel|sound|noise|feeling|quiet|"
    r"silence|city|winter|summer|spring|autumn|fall|north|south|coast|guitar|piano|violin|radio|"
    r"news|zoo|library|dentist|cold|wind|(?-i:[A-Z]))))"
)


def _food(object: str) -> bool:
    """Whether what somebody does not eat or have is food: no time, idea or money."""
    return _liked(object) and not re.search(
        r"\b(?:time|idea|money|car|kids|children|job|clue|plans?|problem|permission|access|energy|space|"
        r"luck|sense|choice|way|siblings|pets?|licen[cs]e|tv|television|reason|place|lunch|breakfast|dinner)\b",
        object,
        re.I,
    )


def _project(object: str) -> bool:
    """Whether what somebody makes is a project: no plans, progress, calls or dinner."""
    return _no_verb(object) and not re.search(
        r"\b(?:together|sure|plans?|progress|sense|friends|money|calls?|notes?|dinner|lunch|breakfast|coffee|tea|list|"
        r"changes|decisions?|mistakes?|fun|it|this|that|these|those|them|myself|something|time|way|effort|"
        r"email|emails|message|letter|you)\b",
        object,
        re.I,
    )


def _business(object: str) -> bool:
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


def _game(object: str) -> bool:
    return not re.match(
        r"(?:with|in|for|as|a\s+role|role|part|along|around|together|on|music\b|games?\b|"
        r"some|it|this|that|level|favou?rite|outside|next|tonight)\b",
        object,
        re.I,
    )


def _no_dream(object: str) -> bool:
    return len(object.split()) <= 12 and not re.search(
        r"\b(?:you|your|it|this(?!\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|"
        r"\w+day|morning|afternoon|evening))|that|these|those|them)\b",
        object,
        re.I,
    )


_FLEETING = re.compile(
    r"\b(?:question|questions|problem|problems|issue|idea|ideas|thought|feeling|chance|look|try|go|time|day|"
    r"moment|minute|meeting|call|appointment|interview|exam|test|party|good|great|bad|hard|tough|lot|lots|bit|few|"
    r"couple|bunch|ton|fun|blast|plan|plans|reason|point|doubt|clue|choice|option|favou?r|request|it|them|that|"
    r"this|these|those|you|your|me|him|her)\b",
    re.I,
)


def _possession(object: str) -> bool:
    return len(object.split()) <= 6 and _FLEETING.search(object) is None


_WHEN = (  # a time to come
    r"(?:tomorrow|tonight|next\s+\w+|this\s+(?:week|weekend|month|year|spring|summer|autumn|fall|"
    r"winter|\w+day|evening|afternoon)|on\s+(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|(?:in|from|by|until)\s+(?:the\s+)?(?:\d|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|spring|summer|autumn|fall|winter|new\s+year|"
    r"(?:two|three|four|five|six|a\s+few|a\s+couple\s+of)\s+(?:days|weeks|months|years)|an?\s+(?:week|month|year)\b))"
)
_EVENT = (
    r"(?:appointment|interview|exam|test|surgery|operation|wedding|meeting|flight|check-?up|scan|root\s+canal|"
    r"viewing|audition|recital|concert|gig|match|game|race|marathon|trip|holiday|vacation|hearing|deadline|"
    r"graduation|party|reunion|conference|workshop|presentation|viva|defen[cs]e|mri|x-?ray|therapy|session|birthday\s+party)"
)
_PLAN_END = (
    r"(?=\s+(?:because|so|but|when|if|which|where|at|for|with|until|after|before|tomorrow|tonight|next|this\s+(?:week|weekend|month|year|"
    r"spring|summer|autumn|fall|winter|\w+day)|on\s+(?:the\s+)?(?:\d|\w+day|(?-i:[A-Z])\w+\s+\d)|(?:in|by|from)\s+(?:the\s+)?(?:\d|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|spring|summer|autumn|fall|winter|(?:two|three|four|five|six|a\s+few|a\s+couple)\b))"
    r"\b|\s*[,.;:!?()]|$)"
)
_NO_PLAN = (  # what "I am going to …" says without planning anything that lasts
    r"(?!be\s+(?:happy|glad|fine|back|late|ok|honest|there|sure|able|\w+ty|\d+)\b|try\b|have\s+to|need|see\b|"
    r"let\b|ask\b|tell\b|check\b|do\b|like\b|love\b|hate\b|miss\b|keep\b|make\s+sure|say\b|think\b|"
    r"look\s+(?:into|at|up)|give\b|use\b|go\s+(?:with|now|home|to\s+bed)|get\s+(?:on|back|to)\b|consider\b|follow\b|"
    r"experiment\b|remember\b|take\s+(?:a\s+look|note)|stick\b|need\b|want\b|explain\b|show\b|be\s+using)"
)


_LIKE = r"(?:like|likes|love|loves|enjoy|enjoys|adore|adores)"
_HATE = (
    rf"(?:hate|hates|dislike|dislikes|detest|detests|loathe|loathes|{_DO_NOT}\s+(?:like|enjoy|love|"
    r"care\s+for)|cannot\s+(?:stand|bear|abide)|(?:am|is|are)\s+not\s+(?:(?:a|an)\s+)?(?:big\s+|huge\s+|"
    r"great\s+)?(?:fan\s+of|fond\s+of|keen\s+on|into)|never\s+liked)"
)
FRAMES = (
    # -- names -----------------------------------------------------------------------------------
    _f("name", rf"my\s+(?:full\s+|first\s+|real\s+)?name\s+is\s+(?P<object>{_PROPER}|[a-z]+$)",
       whole=True, mine=True),
    _f("name", rf"(?:am|go\s+by|am\s+known\s+as)\s+(?:called|named)?\s*(?P<object>{NAME})"
       r"(?=\s*[,.;!]|\s+(?:and|from|but|by\s+the\s+way)\b|$)", mine=True, fits=lambda o: plain_name(o)),
    _f("name", rf"^(?P<object>{NAME})\s+here(?=\s*,|$)", whole=True, mine=True),
    _f("name", rf"^(?:just\s+|please\s+|so\s+)*call\s+me\s+(?P<object>{_PROPER}|[a-z]+$)", whole=True, mine=True),
    _f("name", rf"^(?P<object>{NAME})\s+here\b(?=\s*[,.;!-]|\s+(?:from|in)\b)", whole=True, mine=True),
    _f("name", rf"you\s+(?:can|may)\s+call\s+me\s+(?P<object>{_PROPER}|[a-z]+$)", whole=True, mine=True),
    _f("nickname", r"(?:everyone|everybody|people|friends|my\s+(?:friends|family|mates|colleagues)|they|most\s+people|some)\s+"
       rf"(?:all\s+|just\s+|mostly\s+)*calls?\s+me\s+(?P<object>{NAME})", whole=True, mine=True),
    _f("home_town", rf"grew\s+up\s+(?:in|near|on)\s+{THING}", fits=_town),
    _f("home_town", rf"(?:{_BE}\s+originally\s+from|come\s+(?:originally\s+)?from|{_BE}\s+from|hail\s+from)\s+(?P<object>{NAME})"),
    # -- home ------------------------------------------------------------------------------------
    _f("lives_in", rf"(?:used\s+to\s+live|lived|was\s+living|were\s+living|had\s+lived|no\s+longer\s+"
       rf"lives?|{_DO_NOT}\s+live(?=.*\bany\s?(?:more|longer)\b))\s+in\s+{THING}", over=True, fits=_town),
    _f("lives_in", rf"{_STILL}(?:live|lives|living|lived|based|settled|residing|resides?)(?:\s+(?:here|alone|"
       rf"together|out|back|with\s+[\w ]{{2,24}}?))?\s+in\s+{THING}", fits=_town),
    _f("lives_in", rf"{_STILL}(?:live|lives|living)\s+(?:on|aboard|near|outside)\s+{THING}", fits=_town),
    _f("lives_in", rf"{_STILL}(?:live|lives|living|lived)\s+in\s+(?:an?|the|my|our)\s+[\w' -]*?(?:{_HOMES})\s+(?:in|near|"
       rf"outside|called)\s+{THING}", fits=_town),
    _f("lives_in", rf"{_STILL}(?:rent|rents|renting)\s+(?:an?|my|our)\s+[\w -]+?\s+in\s+{THING}", fits=_town),
    _f("lives_in", rf"(?:{_HAVE}\s+)?moved\s+into\s+{THING}", fits=lambda o: not re.search(r"\b(?:new\s+place|own|bigger|together)\b", o, re.I)),
    _f("lives_in", rf"{_HAVE}\s+been\s+in\s+(?P<object>{NAME})\s+since\b"),
    _f("lives_in", rf"{_HAVE}\s+lived\s+in\s+{THING}", fits=_town),
    _f("lives_in", rf"(?:{_HAVE}\s+)?(?:moved|relocated|emigrated)\s+(?:back\s+|over\s+|house\s+|out\s+|on\s+)?"
       rf"(?:from\s+.+?\s+)?to\s+{THING}", fits=_town),
    _f("lives_in", rf"(?:will\s+(?:be\s+)?|{_BE}\s+going\s+to\s+|{_BE}\s+)?(?:move|moves|moving|"
       rf"relocate|relocating)\s+(?:back\s+|over\s+)?(?:from\s+.+?\s+)?to\s+{THING}",
       coming=True, fits=_town),
    # -- work ------------------------------------------------------------------------------------
    _f("works_at", rf"(?:used\s+to\s+work|worked|was\s+working|had\s+worked|no\s+longer\s+works?|"
       rf"{_DO_NOT}\s+work(?=.*\bany\s?(?:more|longer)\b))\s+(?:as\s+.+?\s+)?(?:at|for)\s+{THING}",
       over=True, fits=_firm),
    _f("works_at", rf"(?:{_HAVE}\s+)?(?:(?:quit|resigned\s+from|retired\s+from)\s+(?:my\s+job\s+at\s+)?|left\s+my\s+job\s+at\s+)"
       rf"(?P<object>{NAME})", over=True),
    _f("works_at", rf"(?:was|were|got)\s+(?:fired|laid\s+off|let\s+go)\s+(?:from|by)\s+{THING}", over=True),
    _f("works_at", rf"(?:will\s+(?:be\s+)?|{_BE}\s+(?:going\s+to\s+)?)?(?:start|starts|starting|join|joins|"
       rf"joining|work|working)\s+(?:(?:a\s+new\s+job|work|working|as\s+.+?)\s+)?(?:on\s+\w+\s+|in\s+\w+\s+|next\s+\w+\s+)?"
       rf"(?:at|with|for)?\s*(?:an?\s+[\w ]+?\s+called\s+)?"
       rf"(?P<object>{NAME})", coming=True),
    _f("works_at", rf"{_STILL}(?:work|works|working|employed)\s+(?:full[- ]time\s+|"
       rf"part[- ]time\s+|remotely\s+|nights\s+)?(?:as\s+(?!a\s+rule).+?\s+)?(?:at|for)\s+{THING}",
       fits=_firm),
    _f("works_at", rf"{_HAVE}\s+worked\s+(?:full[- ]time\s+|part[- ]time\s+)?(?:as\s+.+?\s+)?(?:at|for)\s+{THING}",
       fits=_firm),
    _f("works_as", rf"{_HAVE}\s+worked\s+(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}"),
    _f("works_at", rf"(?:{_HAVE}\s+)?(?:joined|started\s+(?:working\s+|work\s+|a\s+(?:new\s+)?job\s+)?"
       rf"(?:at|with))\s+(?P<object>{NAME})"),
    _f("works_at", rf"(?:{_HAVE}|got|found)\s+a\s+(?:new\s+)?job\s+(?:at|with)\s+{THING}", fits=_firm),
    _f("works_at", rf"{_BE}\s+(?:an?|the)\s+[\w -]+?\s+(?:at|for)\s+(?P<object>{NAME})"),
    _f("works_as", rf"(?:used\s+to\s+work|worked|was\s+working|had\s+worked|no\s+longer\s+works?)\s+"
       rf"(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}", over=True),
    _f("works_as", rf"(?:used\s+to\s+be|was|were)\s+an?\s+{THING}", over=True, fits=occupation),
    _f("works_as", rf"{_STILL}(?:work|works|working|employed)\s+(?:(?:at|for|in)\s+.+?\s+)?as\s+an?\s+{THING}"),
    _f("works_as", rf"{_BE}\s+(?:an?\s+)?(?:retired|former|ex-?)\s*{THING}", over=True, fits=occupation),
    _f("works_as", rf"{_BE}\s+(?:an?|the)\s+(?!retired\b|former\b){THING}", fits=occupation),
    _f("works_as", rf"{_STILL}(?:work|works|working)\s+(?:[\w-]+\s+){{1,6}}?as\s+an?\s+(?!rule\b|team\b|result\b){THING}"),
    _f("works_at", rf"(?:{_HAVE}\s+)?(?:started|got|found|landed)\s+(?:an?\s+)?(?:new\s+)?(?:job|position|role|post|work)\s+(?:at|with|for)\s+{THING}", fits=_firm),
    _f("works_as", rf"(?:got\s+|was\s+|have\s+been\s+)?(?:promoted\s+to|trained\s+as|qualified\s+as|training\s+(?:to\s+be|as))\s+{THING}", fits=occupation),
    _f("works_as", rf"{_HAVE}\s+been\s+an?\s+{THING}", fits=occupation),
    _f("works_as", rf"{_STILL}(?P<object>(?:teach|drive|repair|restore|build|make|paint|tune|translate|design|bake|brew|grow|breed|train|fix)s?\s+[^,.;:!?()]+?)\s+for\s+a\s+living\b"),
    # -- family and pets -------------------------------------------------------------------------
    _f("{kin}", rf"(?:{_HAVE}|had|got|adopted)\s+(?:an?|one)\s+{_KIND}(?:[\w-]+\s+)?(?P<kin>{_KIN})\s*,?\s+"
       rf"(?:(?:who\s+is\s+)?(?:called|named)\s+|whose\s+name\s+is\s+)(?P<object>{_PROPER})", mine=True),
    _f("{kin}", rf"(?:{_HAVE}\s+)?(?:have|has|got|adopted|rescued|bought)\s+an?\s+(?:[\w-]+\s+)??{_KIND}(?P<kin>{_KIN}),\s+(?P<object>{NAME})(?=\s*(?:,|$))",
       mine=True),
    *(
        _f(kin, rf"{_HAVE}\s+(?:got\s+)?(?:two|three|four|five|six|\d)\s+(?:(?:older|younger|little|big|lovely|grown-up)\s+)*{plural}\s*[,:–-]\s*(?:called\s+|named\s+)?"
           rf"(?P<object>{NAME}(?:\s*(?:,|and|&)\s*(?:and\s+)?{NAME})+)", several=True, mine=True)
        for kin, plural in (("sister", "sisters"), ("brother", "brothers"), ("dog", "dogs"), ("cat", "cats"), ("horse", "horses"), ("rabbit", "rabbits"))
    ),
    _f("child", rf"{_HAVE}\s+(?:got\s+)?(?:two|three|four|five|six|\d)\s+(?:kids|children|sons|daughters|boys|girls|little\s+ones)\s*[,:–-]\s*(?:called\s+|named\s+)?"
       rf"(?P<object>{NAME}(?:\s*(?:,|and|&)\s*(?:and\s+)?(?:wee\s+|little\s+|baby\s+)?{NAME})+)", several=True, mine=True),
    _f("married_to", rf"{_BE}\s+married\s+to\s+(?P<object>{NAME})"),
    _f("engaged_to", rf"{_BE}\s+engaged\s+to\s+(?P<object>{NAME})"),
    # -- what someone has ------------------------------------------------------------------------
    _f("has", rf"{_HAVE}\s+(?:got\s+)?(?P<object>(?:(?:an?|one|two|three|four|five|six|\d+|type\s+\d)\s+)"
       r"?[\w', -]+?)(?=\s+(?:but|who|that|which|in|at|with|since|for|from|so|because|"
       r"as|on|now|these)\b|\s*[.;:!?()–—]|$)", several=True, fits=animal_or_illness),
    _f("has", rf"(?:{_HAVE}\s+been|was|were)\s+diagnosed\s+with\s+{THING}"),
    _f("has", rf"(?:suffer|suffers)\s+from\s+{THING}"),
    _f("has", rf"(?:get|gets|have|has)\s+(?:bad\s+|terrible\s+|regular\s+|frequent\s+)?{THING}", fits=illness),
    _f("has", rf"(?:{_BE}\s+)?(?:living|dealing|struggling)\s+with\s+(?:my\s+)?{THING}", fits=illness),
    _f("has", rf"\b(?:with|for|of|because\s+of|from)\s+my\s+(?P<object>(?:[\w-]+\s+)?[\w'-]+){_END}",
       whole=True, mine=True, fits=illness),
    _f("has", r"^my\s+(?P<object>(?:[\w-]+\s+)?[\w'-]+)\s+(?:is|has|was|gets|keeps|means|makes|flares?|acts?)\b",
       whole=True, mine=True, fits=illness),
    _f("blood_type", r"my\s+blood\s+(?:group|type)\s+is\s+(?P<object>[ABO]{1,2}\s*(?:[+-]|positive|negative|rh\w*)?[+-]?(?:\s*(?:positive|negative))?)", whole=True, mine=True),
    _f("owns", rf"(?:own|owns)\s+(?P<object>(?:(?:an?|two|three|\d+)\s+)?[\w' -]+?){_END}"),
    _f("drives", rf"(?:drive|drives)\s+an?\s+{THING}"),
    _f("owns", rf"(?:run|runs|own|owns)\s+(?:an?|my\s+own|our\s+own)\s+(?P<object>[\w' -]+?){_END}", fits=_business),
    _f("owns", rf"used\s+to\s+(?:own|have|drive|ride)\s+(?P<object>(?:an?|my|our|the|two|three)\s+[\w' -]+?){_END}", over=True, fits=_possession),
    _f("owns", rf"(?:{_HAVE}\s+)?(?:sold|gave\s+away|got\s+rid\s+of|scrapped)\s+(?:my|our|the)\s+(?P<object>[\w' -]+?){_END}",
       over=True),
    # -- what someone does -----------------------------------------------------------------------
    _f("practises", rf"(?:{_BE}\s+|{_HAVE}\s+been\s+)?(?P<object>(?:swim|run|jog|cycle|meditate|climb|hike|row|box|ski|surf|"
       r"knit|crochet|swimming|running|jogging|cycling|climbing|rowing|boxing|dancing|knitting)s?(?:\s+(?!every|each|on|most|twice|once|before|after|daily)"
       r"[\w-]+){0,3}?)\s+(?:every|each|on|most|twice|once|three\s+times|before|after|daily|at\s+least)\b"),
    _f("practises", rf"(?P<object>(?:swim|jog|meditate|climb|hike|row|ski|surf|knit|crochet|bake|garden|paint|sketch|sing|dance|fence|box|cycle|sail|kayak|volunteer|bird-?watch|forage|fish|weave|quilt|bodyboard|skate|journal)s?){_END}"),
    _f("practises", r"^(?:every|each|most|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b[\w ]*?\bI\s+(?P<object>(?:swim|run|jog|"
       r"cycle|meditate|climb|hike|row|box|ski|surf|knit|dance|paint|sing|practise|practice|do\s+yoga)\b(?:\s+[\w-]+){0,2}?)"
       r"(?=\s+(?:at|in|on|with|before|after|for|to)\b|\s*[,.;!]|$)", whole=True, mine=True),
    _f("practises", rf"(?:{_BE}\s+|{_HAVE}\s+been\s+)?(?:do|does|doing|practise|practises|practice|practicing|practising|go|goes\s+to|go\s+to|going\s+to)\s+(?:my\s+|a\s+|the\s+)?(?P<object>(?:yoga|"
       r"pilates|parkrun|karate|judo|aikido|tai\s+chi|crossfit|zumba|ballet|salsa|meditation|swimming|running|climbing|choir)(?:\s+\w+)?)"
       rf"{_END}"),
    _f("practises", rf"(?:{_HAVE}\s+)?(?:gave\s+up|given\s+up|quit|stopped)\s+(?!eating\b|drinking\b|working\b|talking\b|being\b|trying\b)(?P<object>\w+ing(?:\s+[\w-]+){{0,3}}?){_END}", over=True),
    _f("practises", rf"used\s+to\s+(?P<object>(?:smoke|swim|run|row|climb|cycle|dance|sing|paint|surf|ski|skate|box|fence|jog)(?:\s+[\w-]+){{0,2}}?){_END}", over=True),
    _f("plays", rf"used\s+to\s+play\s+{THING}", over=True, fits=_game),
    _f("plays", rf"{_STILL}(?:play|plays|playing)\s+{THING}", fits=_game),
    _f("learns", rf"(?:{_STILL}|(?:{_HAVE}\s+)?(?:started|began)\s+)(?:learning|teaching\s+myself)\s+(?:to\s+)?{THING}",
       fits=_no_verb),
    _f("plans_to", rf"(?:(?:am|are|is)\s+(?:hoping|aiming|saving\s+up)\s+to|hopes?\s+to|aims?\s+to)\s+(?P<object>{_NO_PLAN}[^,.;:!?()]+?){_PLAN_END}", fits=_no_dream),
    _f("plans_to", rf"(?:{_BE}\s+going\s+to(?!\s+(?:the\s+)?(?-i:[A-Z]))|plans?\s+(?:to|on)|{_BE}\s+planning\s+(?:to|on)|intends?\s+to|"
       rf"will(?=.*\b{_WHEN}))\s+(?P<object>{_NO_PLAN}[^,.;:!?()]+?)"
       r"(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=_no_dream),
    _f("plans_to", r"(?:have\s+|has\s+)?(?:signed\s+up\s+for|booked|registered\s+for|enrolled\s+(?:in|on))\s+(?P<object>[^,.;:!?()]+?)"
       r"(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=_no_dream),
    _f("plans_to", rf"(?=.*\b{_WHEN})(?:am|are|is)\s+(?P<object>(?:getting|flying|travell?ing|moving|starting|having|taking|visiting|hosting|running|launching|"
       r"selling|buying|leaving|marrying|retiring|graduating|going(?!\s+to\b(?!\s+(?-i:[A-Z])))|doing|attending|performing|competing|driving|expecting|meeting|giving|"
       rf"playing|singing|defending|opening|off\s+to|due)\b[^,.;:!?()]*?){_PLAN_END}", fits=_no_dream),
    _f("plans_to", rf"(?=.*\b{_WHEN})(?P<object>(?:retire|graduate|defend|marry|emigrate|fly)s?\b[^,.;:!?()]*?){_PLAN_END}", coming=True, fits=_no_dream),
    _f("plans_to", rf"{_BE}\s+(?P<object>off\s+to\s+(?:the\s+)?{NAME})", fits=_no_dream),
    _f("plans_to", r"(?:have\s+|has\s+)?decided\s+to\s+(?P<object>[^,.;:!?()]+?)(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", fits=_no_dream),
    _f("plans_to", rf"{_HAVE}\s+(?:got\s+)?(?:an?|my|our|another)\s+(?P<object>[^,.;:!?()]*?{_EVENT}\b[^,.;:!?()]*?)(?=\s+(?:on|at|next|tomorrow|this|in)\b)(?=.*\b{_WHEN})", fits=_no_dream),
    _f("plans_to", rf"^(?:my|our)\s+(?P<object>[\w' -]*?{_EVENT}(?:\s+(?:with|at)\s+[^,.;:!?()]+?)?)\s+(?:is|are|will\s+be)\s+(?=(?:.*\s)?{_WHEN})", whole=True, mine=True, fits=_no_dream),
    # -- what someone is -------------------------------------------------------------------------
    _f("nationality", rf"{_BE}\s+(?:half\s+)?(?P<object>(?-i:[A-Z]\w+))(?=\s*[,.;!]|\s+(?:and|but|by|originally|though|so)\b|$)", fits=demonym),
    _f("is", rf"(?:{_BE}|{_HAVE}\s+been)\s+(?:an?\s+)?(?:strict\s+|strictly\s+|also\s+|type\s+\d\s+)?(?P<object>(?:[\w-]+[\s-])?[\w-]+?)(?=\s*[,.;!]|\s+(?:and|but|since|for|"
       r"because|so|now|from|which)\b|$)", fits=trait),
    # -- health ----------------------------------------------------------------------------------
    _f("allergic_to", rf"{_BE}\s+(?:[\w -]+?\s+and\s+)?(?:severely\s+|deathly\s+|highly\s+|quite\s+|very\s+|badly\s+)?"
       rf"allergic\s+to\s+{LIST}", several=True),
    _f("allergic_to", rf"{_HAVE}\s+(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+)?allergy\s+to\s+{LIST}",
       several=True),
    _f("allergic_to", rf"{_HAVE}\s+an?\s+(?:severe\s+|bad\s+|serious\s+|mild\s+)?(?P<object>[\w-]+(?:\s[\w-]+)?)"
       r"\s+allergy\b"),
    _f("takes", rf"{_HAVE}\s+been\s+(?:on|taking)\s+(?:\d+\s?\w*\s+(?:of\s+)?)?(?P<object>[\w-]+){_END}", fits=medicine),
    _f("takes", rf"(?:take|takes|taking|{_BE}\s+(?:taking|on))\s+(?:\d+\s?\w*\s+(?:of\s+)?)?"
       rf"(?P<object>[\w-]+){_END}", fits=medicine),
    # -- likes and dislikes ----------------------------------------------------------------------
    _f("likes", rf"(?:used\s+to\s+{_LIKE}|no\s+longer\s+{_LIKE}|{_DO_NOT}\s+{_LIKE}"
       rf"(?=.*\bany\s?(?:more|longer)\b))\s+{THING}", over=True, fits=_liked),
    _f("dislikes", rf"{_ON_MORE}{_HATE}\s+(?!at\s+all\b){_AT_HAND}{LIST}", several=True, fits=_liked),
    _f("prefers", r"(?:would\s+(?:rather\s+(?:have\s+)?)?)?prefers?\s+(?P<object>[^,.;:!?()]+?\s+"
       r"(?:to|over|rather\s+than)\s+[^,.;:!?()]+?)(?=\s+(?:because|since|when|in|on|at|these|any)\b|"
       r"\s*[,.;:!?()]|$)", fits=_no_verb),
    _f("dislikes", rf"(?:am|are|is)\s+not\s+(?:really\s+|much\s+)?(?:one\s+for|a\s+(?:\w+\s+)?(?:lover|drinker|eater)\s+of|that\s+into|too\s+keen\s+on)\s+{LIST}", several=True, fits=_liked),
    _f("dislikes", rf"(?:never\s+(?:been\s+(?:one\s+for|into|a\s+fan\s+of|keen\s+on|fond\s+of)|could\s+stand|cared\s+for|got\s+into|took\s+to)|could\s+never\s+stand|could\s+not\s+care\s+less\s+about|{_HAVE}\s+(?:gone\s+off|never\s+(?:liked|been\s+(?:one\s+for|into|a\s+fan\s+of|keen\s+on|fond\s+of)))|am\s+sick\s+of|am\s+scared\s+of|am\s+terrified\s+of)\s+{_AT_HAND}{LIST}", several=True, fits=_liked),
    _f("dislikes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:is|are)\s+(?:just\s+|really\s+|so\s+)*not\s+(?:really\s+)?(?:my\s+(?:thing|cup\s+of\s+tea|bag|jam|style|scene)|for\s+me)\b", whole=True, mine=True, fits=_liked),
    _f("dislikes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:leaves?\s+me\s+cold|does\s+nothing\s+for\s+me|do\s+nothing\s+for\s+me|bores?\s+me|makes?\s+me\s+(?:gag|sick|heave)|drives?\s+me\s+(?:mad|crazy|nuts|up\s+the\s+wall)|gives?\s+me\s+the\s+(?:creeps|ick))", whole=True, mine=True, fits=_liked),
    _f("dislikes", r"(?:find|finds)\s+(?P<object>(?!(?:that|this|it|them|myself|him|her)\b)[\w' -]{3,30}?)\s+(?:(?:really|so|very|utterly|quite|a\s+bit|incredibly)\s+)*(?:unbearable|boring|disgusting|awful|tedious|horrible|revolting|annoying|dull|vile|gross|exhausting|overrated)\b", fits=_liked),
    _f("likes", r"(?:find|finds)\s+(?P<object>(?!(?:that|this|it|them|myself|him|her)\b)[\w' -]{3,30}?)\s+(?:(?:really|so|very|utterly|quite|incredibly)\s+)*(?:relaxing|fascinating|soothing|calming|delicious|addictive)\b", fits=_liked),
    _f("likes", r"(?:am|are|is)\s+(?:an?\s+)?(?:(?:total|huge|big|massive|bit\s+of\s+an?|real|avid|keen)\s+)*(?P<object>[\w-]+)\s+(?:lover|nerd|geek|fanatic|addict|enthusiast|nut|junkie|buff)\b", fits=_liked),
    _f("likes", r"^(?P<object>(?!(?:that|this|it|which|what)\b)[\w' -]{3,30}?)\s+(?:is|are)\s+(?:my\s+(?:favou?rite(?:\s+thing)?|passion|guilty\s+pleasure|happy\s+place|weakness|idea\s+of\s+(?:heaven|a\s+good\s+time))|what\s+I\s+(?:really\s+)?(?:love|look\s+forward\s+to|live\s+for))\b", whole=True, mine=True, fits=_liked),
    _f("likes", r"could\s+(?:happily\s+)?(?:eat|drink|watch|listen\s+to|live\s+on)\s+(?P<object>[^,.;:!?()]+?)(?=\s+(?:every|all|any|for|until|and|by\s+the)\b|\s*[,.;:!?()]|$)", fits=_liked),
    _f("likes", rf"my\s+(?:great\s+|big\s+|one\s+)?(?:passion|guilty\s+pleasure|weakness|comfort\s+food|go-to\s+\w+)\s+is\s+{THING}", whole=True, mine=True, fits=_liked),
    _f("likes", rf"(?:am|is|are)\s+(?:completely\s+|totally\s+|really\s+)?(?:obsessed\s+with|hooked\s+on|passionate\s+about|in\s+love\s+with|partial\s+to|nuts\s+about)\s+{_AT_HAND}{LIST}", several=True, fits=_liked),
    _f("avoids", rf"(?:{_DO_NOT}|never|cannot|{_BE}\s+not\s+(?:allowed|supposed)\s+to|stopped|{_HAVE}\s+stopped)\s+(?:eat|drink|touch|tolerate|digest|eating|drinking|(?<=cannot\s)have)\s+(?!enough|much|well|that|this|it\b|a\s+clue|time|any\s+(?:idea|time|plans)|breakfast\s+today){LIST}", several=True, fits=_food),
    _f("avoids", rf"(?:{_STILL})?(?:avoid|avoids|avoiding|stay\s+away\s+from|steer\s+clear\s+of|{_HAVE}\s+cut\s+out|cut\s+out)\s+{LIST}", several=True, fits=_liked),
    _f("allergic_to", rf"react\s+(?:badly\s+|very\s+badly\s+)?to\s+{LIST}", several=True),
    _f("prefers", r"would\s+(?:always\s+)?(?:take|choose|pick)\s+(?P<object>[^,.;:!?()]+?\s+over\s+[^,.;:!?()]+?)(?=\s+(?:any\s+day|every\s+time|because|even|any\s+time)\b|\s*[,.;:!?()]|$)", fits=_no_verb),
    _f("prefers", r"would\s+(?:much\s+)?(?:rather|sooner)\s+(?:have\s+|be\s+)?(?P<object>[^,.;:!?()]+?)\s+than\b",
       fits=_no_verb),
    _f("prefers", rf"would\s+(?:much\s+)?(?:rather|sooner)\s+(?:have|drink|eat)\s+{THING}", fits=_liked),
    _f("prefers", rf"prefers?\s+{THING}", fits=_liked),
    _f("prefers", rf"{_LIKE}\s+(?P<object>[\w' -]+?)\s+(?:much\s+|way\s+|far\s+|a\s+lot\s+)?(?:more|better)\s+"
       r"than\b", fits=_liked),
    _f("likes", rf"{_LIKE}\s+{_AT_HAND}{LIST}(?!\s+(?:more|better)\s+than)", several=True, fits=_liked),
    _f("likes", rf"{_BE}\s+(?:an?\s+)?(?:big\s+|huge\s+|great\s+)?(?:fan\s+of|fond\s+of|keen\s+on|crazy\s+"
       rf"about|mad\s+about|into)\s+{_AT_HAND}{LIST}", several=True, fits=_liked),
    _f("favourite_{noun}", rf"my\s+(?:all-time\s+)?favou?rite\s+(?P<noun>\w+)\s+(?:of\s+all\s+time\s+|ever\s+|in\s+the\s+world\s+)?(?:is|are)\s+{THING}",
       whole=True, mine=True, fits=_liked),
    _f("current_project", rf"(?:{_BE}|{_HAVE}\s+been)\s+(?:currently\s+|busy\s+|slowly\s+)*(?:working\s+on|building|writing|restoring|renovating|developing|translating|designing|"
       rf"composing|recording|illustrating|coding|programming|sewing|knitting|crocheting|carving|researching|converting|doing\s+up|putting\s+together|organi[sz]ing|training\s+for|making(?=\s+an?\s))\s+(?=(?:an?|my|our|the|two|three)\s|(?-i:[A-Z]\w+(?:\s|$))){THING}",
       fits=_project),
    _f("current_project", rf"(?:the|my)\s+(?:app|game|novel|book|project|thesis|film|website|tool|blog|podcast|album|startup)\s+(?:that\s+)?I\s+am\s+(?:building|writing|making|developing|working\s+on)\s+is\s+(?:called|named)\s+(?P<object>{_PROPER})",
       whole=True, mine=True),
    # -- the rest --------------------------------------------------------------------------------
    _f("speaks", r"(?:speak|speaks)\s+(?:fluent\s+|some\s+|a\s+little\s+|a\s+bit\s+of\s+|good\s+|basic\s+)?"
       r"(?P<object>(?-i:[A-Z]\w+)(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:some\s+|a\s+little\s+|a\s+bit\s+of\s+)?"
       r"(?-i:[A-Z]\w+))*)", several=True),
    _f("born_in", rf"was\s+born\s+(?:and\s+raised\s+)?in\s+{THING}", fits=lambda o: capitalised(o)),
    _f("born_on", r"was\s+born\s+(?:on|in)\s+(?P<object>(?:the\s+)?(?:\d[\w ]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*[\w ,]*?)?\d{4}(?:-\d\d-\d\d)?)"),
    _f("died_on", r"(?:died|passed\s+away)\s+(?:in|on)\s+(?P<object>[\w ,]*?\d{4})(?=\W|$)"),
    _f("birthday", r"my\s+birthday\s+is\s+(?:on\s+)?(?:the\s+)?(?P<object>[\w /.]*\d[\w ]*)",
       whole=True, mine=True),
    _f("age", rf"{_BE}\s+(?P<object>1[01]\d|\d{{1,2}})(?:\s+years?\s+old)?(?=\s*[,.;!]|\s+(?:and|now|but|not|today|"
       r"this|in)\b|$)"),
    _f("age", r"(?:have\s+|has\s+)?turned\s+(?P<object>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
       r"(?:-\w+)?|eighteen|nineteen|a\s+hundred)(?!-|\w)"),
    _f("age", rf"am\s+{NAME},\s+(?P<object>\d{{1,3}})(?=\s*,|\s+and\b|$)", mine=True),
    _f("studies_at", rf"{_STILL}(?:study|studies|studying|a\s+student)\s+(?:[\w -]+?\s+)?at\s+{THING}",
       fits=_firm),
    _f("studies", rf"{_STILL}(?:study|studies|studying)\s+(?!at\b|in\b|for\b|hard\b)(?P<object>[\w -]+?){_END}"),
    _f("phone", r"my\s+(?:phone|mobile|cell|telephone)(?:\s+number)?\s+is\s+(?P<object>[+\d][\d ()/-]{5,})",
       whole=True, mine=True),
    _f("email", r"my\s+e-?mail(?:\s+address)?\s+is\s+(?P<object>[\w.+-]+@[\w.-]+\w)", whole=True, mine=True),
    _f("address", r"my\s+(?:home\s+|postal\s+)?address\s+is\s+(?P<object>[^;!?]+)", whole=True, mine=True),
    # -- what only a model can tell from what sounds alike ----------------------------------------
    _f("has", rf"{_HAVE}\s+(?:got\s+)?(?P<object>(?:an?|my|our|one|two|three|four|five|six|seven|eight|ten|twelve|\d+|some|"
       rf"type\s+\d)\s+[^,.;:!?()]+?){_END}", loose=True, fits=_possession),
    _f("owns", rf"(?:{_HAVE}\s+)?(?:just\s+)?(?:bought|got|inherited|adopted|picked\s+up|built)\s+(?:myself\s+|ourselves\s+)?(?P<object>(?:an?|our|my|two|three|\d+)\s+"
       rf"[^,.;:!?()]+?){_END}", loose=True, fits=_possession),
    _f("works_as", rf"{_BE}\s+(?:an?|the)\s+{THING}", loose=True, fits=lambda o: _no_verb(o) and not re.search(r"\d|\bold\b", o)),
    _f("works_at", rf"{_STILL}(?:work|works|working|volunteer|volunteers|volunteering)\s+(?:[\w-]+\s+)??(?:at|for|in|on)\s+{THING}", loose=True, fits=_firm),
    _f("practises", r"(?P<object>(?!am\b|is\b|are\b|have\b|has\b|will\b|was\b|can\b|cannot\b|do\s+not\b)[a-z]+\s*[^,.;:!?()]*?)\s+(?:(?:every|each)\s+(?:single\s+|other\s+)?(?:day|morning|evening|night|week|weekend|month|year|winter|summer|spring|autumn|\w+day)|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
       r"(?:once|twice|three\s+times|four\s+times)\s+a\s+(?:day|week|month|year)|most\s+(?:days|mornings|evenings|nights|weekends))\b", loose=True, fits=_no_dream),
    _f("likes", r"(?:adores?|(?:am|is|are)\s+(?:really\s+|totally\s+|completely\s+)?(?:obsessed\s+with|addicted\s+to|in\s+love\s+with|hooked\s+on|"
       rf"partial\s+to|nuts\s+about)|could\s+(?:eat|drink|watch|listen\s+to)|cannot\s+(?:live\s+without|get\s+enough\s+of)|live\s+for|swear\s+by)\s+{LIST}",
       loose=True, fits=_liked),
    _f("uses", rf"(?:use|uses|using|{_BE}\s+using)\s+{THING}", loose=True, fits=_no_verb),
    _f("learns", rf"(?:{_BE}|{_HAVE}\s+been)\s+(?:taking|doing)\s+(?P<object>[^,.;:!?()]*?(?:lessons?|course|class|classes|degree|diploma)){_END}", loose=True),
    _f("visited", rf"(?:{_HAVE}\s+)?(?:went|been|visited|travelled|traveled)\s+(?:to\s+)?(?P<object>{NAME})", loose=True),
)  # fmt: skip

_NO_NAMES = frozenset(
    """african asian catholic christian muslim jewish hindu buddhist vegan vegetarian ok okay dr mr
    mrs ms sorry happy""".split()
)


def plain_name(object: str) -> bool:
    """Whether "I am X" gives a name: not where somebody is from."""
    return object.split()[0].casefold() not in _NO_NAMES | DEMONYMS


_LEAD = r"(?:(?:in|since|until|from|on|after|before|by|at|for|last|next|this|these|when|once|every|right)\s+(?:[\w'-]+\s+){0,5}?[\w'-]+,?\s+|(?:yesterday|today|tomorrow|now|recently|lately|nowadays|currently|formerly|originally),?\s+|(?:a|one|two|three|four|five|six|ten|\d+)\s+(?:days?|weeks?|months?|years?)\s+ago,?\s+|back\s+in\s+\w+,?\s+)?"
LEXICON = Lexicon(
    code="en",
    first_person=_any(
        r"\b(?:I|my|me|mine|myself|we|our|us|ours)\b"
        r"|^(?-i:Grandma|Grandpa|Granny|Gran|Nana|Mum|Mom|Dad|Auntie|Aunt|Uncle)\b"
    ),
    subject=re.compile(
        rf"(?i:{_LEAD})(?:(?i:(?P<me>I|we|my\s+(?:{_KIN})\s+and\s+I|me\s+and\s+my\s+\w+)\b)"
        rf"|(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN}))(?:\s*,?\s+(?P<kin_name>{NAME})\b\s*,?)?(?!['\w-])"
        rf"|(?P<name>{NAME})(?:,\s+(?i:(?:my|our)\s+{_KIND}(?P<role>{_KIN})),)?(?!['\w])"
        r"|(?i:(?P<pronoun>he|she)\b))\s+(?P<rest>(?(name)(?!(?:like|love|hate|enjoy|prefer|have|live|work|am|do)\b)|).*)",
        re.S,
    ),
    asks=_any(
        r"""^(?:and\s+|but\s+|so\s+)?(?:(?:who|whom|whose|what|which|where|why|how)\b(?!.*,\s*(?:I|my|we)\b)
        |when\s+(?:is|are|was|were|do|does|did|will|can|should)\b
        |(?:do|does|did|is|are|am|was|were|can|could|would|will|should|may|shall|have|has)\s+
         (?:not\s+)?(?:I|you|we|he|she|it|they|there|the|that|this|my|your|any|someone|anyone)\b
        |(?:any\s+(?:idea|chance|tips|thoughts|suggestions|advice))\b
        |I\s+(?:wonder|was\s+wondering|am\s+wondering|am\s+curious))"""
    ),
    requests=_any(
        r"""^(?:please\s+|pls\s+|kindly\s+|now\s+)?(?:tell|write|give|show|explain|help|make|list|describe|
        remind|translate|summari[sz]e|find|create|generate|calculate|compare|read|play|open|repeat|
        suggest|recommend|convert|check|correct|fix|rewrite|rephrase|draft|proofread|compose|design|
        outline|send|look\s+up|search|count|sort|name|come\s+up|let\s+(?:me|us)|tell\s+me|answer|
        continue|stop|start\s+(?:with|by)|try|add|turn|set|do\s+not|don't|forget|imagine|pretend|say|
        spell|define|plan|pick|choose|guess|act|be|go\s+(?:on|ahead)|use\s|keep|put|call\s+(?!me\b)|
        wish\s+me|could\s+you|can\s+you|would\s+you|will\s+you)\b
        |^(?:I|we)\s+(?:need|want|would\s+like|would\s+love|could\s+use|am\s+looking\s+for|expect)\s+
         (?!to\s)(?!.*\b(?:I|my)\s+own\b)
        |^(?:I|we)\s+(?:need|want|would\s+like|would\s+love|am\s+trying)\s+to\s+(?:know|ask|see|hear|
         understand|find|figure|check|say|tell|thank|talk|discuss|learn\s+(?:more|about\s+how)|get\s+(?:a|an|some)\s)
        |^(?:I|we)\s+(?:have|had)\s+(?:a|an|another|one|some|two|few)\s+(?:quick\s+|small\s+|more\s+|silly\s+)*(?:question|request|favou?r|questions)
        """
    ),
    remember=_any(
        r"""^(?:(?:hey|hi|ok|okay|so|and|also|oh)[,!]?\s+)?(?:please\s+|pls\s+)?(?:can\s+you\s+|could\s+you\s+)?
        (?:remember|note(?:\s+down)?|keep\s+in\s+mind|bear\s+in\s+mind|do\s+not\s+forget|don't\s+forget|
        make\s+a\s+note|for\s+the\s+record|fyi)(?:\s+this)?(?:\s+for\s+(?:me|later))?
        (?:\s*[:,-]\s*|\s+that\s+|\s+(?=(?:I|my|the|our|we)\b))"""
    ),
    supposes=_any(
        r"""\b(?:(?<!even\s)if(?!\s+I\s+am\s+honest)|unless|i\s+wish|we\s+wish|imagine|(?<!I\s)suppose|supposing|pretend|what\s+if|assuming|hypothetically|maybe|
        perhaps|might|as\s+though|in\s+theory|dreamt|dreamed|in\s+my\s+dream|daydream\w*|
        would\s+have|could\s+have|should\s+have|let\s+us\s+say|let's\s+say|say\s+I)\b
        |\b(?:I|we|he|she|they|it|that)\s+(?:would(?!\s+(?:prefer|rather|say|call|like\s+to|love\s+to|(?:always\s+)?(?:take|choose|pick)\b.+\bover))|could(?!\s+(?:not\s+care|never\s+stand|eat|drink))|may|should)\b
        |^(?:were|had)\s+I\b"""
    ),
    reports=_any(
        r"""\ufffc|\b(?:(?:he|she|they|it|everyone|everybody|somebody|someone|people|nobody|who|doctors?|
        leaflet|label|article|book|film|movie|song|lyrics?|poem|quote|sign|email|mail|letter|note|text|
        post|tweet|headline|character|hero|narrator|(?:the|my|our|his|her|a)\s+[a-z]+(?:\s[a-z]+)?)\s+)(?:says?|said|claims?|
        claimed|writes?|wrote|reads?|thinks?|thought|asks?|asked|tells?|told|insists?|insisted|shouts?|
        sings?|sang|quotes?|states?|replied|answered|believes?)\b(?!\s+me\s+to\b)(?<!I\ssaid)(?<!I\sread)(?<!I\swrote)
        (?<!I\sthink)(?<!I\sbelieve)(?<!we\sread)(?<!to\sread)(?<!to\sask)(?<!I\sthought)
        |\b(?:he|she|they)\s+(?:goes\s+to\s+me|goes\s*,|goes$|(?:is|was)\s+like\b)
        |\baccording\s+to\b|\bas\s+the\s+saying\s+goes\b|\b(?:lyrics?|quote|line|scene|chorus)\s+(?:from|of|in|is)\b
        |\b(?:in\s+the\s+(?:film|movie|book|novel|song|story|game|show|series)|from\s+the\s+(?:film|movie|song))\b
        |\b(?:the|a|this)\s+(?:leaflet|label|headline|quote|lyrics?|caption|sentence)\b
        |\b(?:translate|translation|proofread|in\s+(?:french|german|spanish|portuguese|italian|english)\s*:)\b"""
    ),
    jokes=_any(
        r"""\b(?:just\s+kidding|only\s+kidding|kidding|jk|j/k|yeah,?\s+right|yeah\s+sure|as\s+if|lol|lmao|rofl|
        ha\s?ha\w*|haha\w*|hehe\w*|sarcasm|sarcastic\w*|joking|said\s+no\s+one|not\s+really,?\s+just|pinky|
        kidding\s+aside|ba\s?dum|next\s+question|bow\s+down|(?:king|queen|emperor|pope|sultan)\s+of|
        highlight\s+of\s+my\s+(?:life|day|week)|oh\s+(?:yeah|yes|great|joy|sure|wonderful|brilliant|fantastic|lovely)|
        (?:[2-9]\d\d|\d{4,})\s+years\s+old|(?-i:LOVE|ADORE)|april\s+fools?|in\s+my\s+dreams|obviously\s+joking|wink)\b|/s(?:\W|$)
        |^(?:sure|yeah|right|yep),?\s+because\b
        |[\U0001f602\U0001f923\U0001f609\U0001f61c\U0001f61d\U0001f644\U0001f921\U0001f643]|;-?\)"""
    ),
    greets=_any(
        r"""^(?:hi|hello|hey|yo|hiya|good\s+(?:morning|evening|day|night|afternoon)|thanks?|thank\s+you|
        thx|cheers|bye|goodbye|see\s+(?:you|ya)|ok(?:ay)?|sure|great|cool|nice|wow|awesome|perfect|
        exactly|right|yes|yep|yeah|no|nope|got\s+it|sounds\s+good|never\s?mind|welcome|sorry|
        happy\s+\w+|merry\s+\w+|cheers|have\s+a\s+\w+)(?:\s+(?:there|again|everyone|all|you|so\s+much|
        very\s+much|a\s+lot|a\s+(?:ton|bunch|million)|mate|buddy|friend|for\s+.*|to\s+you|it|that|then|later|soon|tomorrow|too|day|one|
        evening|weekend|thanks?))*\W*$"""
    ),
    meta=_any(
        rf"""^(?:(?:I|we)\s+(?:(?:did|do|have|would|am)\s+not\s+(?:say|said|mean|meant|ask|asked|tell|told|know|think|
        understand|care|mind|remember|recall|get|saying|asking|sure)|never\s+(?:said|told|asked|claimed|mentioned)|said|mean|meant|asked|told\s+you|
        see|understand|agree|disagree|guess|know|remember|forget|forgot|suppose|think\s+(?:so|not|you|that\s+is|it\s+is)|
        hope\s+(?:so|not|you|that\s+helps)|am\s+(?:asking|saying|joking|serious|talking\s+to)|was\s+(?:asking|saying|joking|kidding|wondering)|
        thank|appreciate|believe\s+(?:so|you)|trust\s+you|love\s+(?:it|that|you|this)|like\s+(?:it|that|this|your)|
        (?:will|can|shall)\s+(?:try|see|check|think|wait|take\s+(?:it|that)|do\s+(?:it|that)|go\s+with)|
        got\s+it|get\s+it|do\b.{{0,12}}$|am\s+good|am\s+fine|am\s+ok)\b.*
        |(?:I|we)\s+(?:(?:think|guess|suppose)\s+(?:that\s+)?(?:I|we)\s+)?will\s+(?:try|see|check|think|give|make\s+sure|be\s+sure|keep|look|begin\s+with|
         start\s+(?:by|with)|explore|consider|go\s+(?:with|for|ahead)|take|use|follow|let|do|experiment|read\s+through|reach\s+out|incorporate|add|include|get\s+back|
         stick|remember|implement|apply|follow|focus|share|ask|tell|report)\b(?!.*\b{_WHEN}).*
        |(?:I|we)\s+(?:think|guess|believe)\s+(?:that\s+)?(?:the|this|that|these|those|it|they|all)\b.*
        |(?:I|we)\s+(?:have|had)\s+no\s+(?:idea|clue)\b.*
        |(?:I|we)\s+(?:am|are|was|were)\s+(?:(?:so|very|most)\s+)?(?:excited|keen|eager|ready|interested|curious|looking|intrigued|fascinated|surprised|impressed|amazed|relieved|shocked|unsure|confused)\b
          (?:.*\b(?:learn(?:ing)?\s+(?:more|about)|know(?:ing)?|hear(?:ing)?|(?:this|that|these|those|it|them)\b|more\s+(?:about|info\w*)|move\s+on|how|what|why|which|by)|\s+to\s+(?:try|explore|start|see|check|find|get))\b.*
        |(?:I|we)\s+would\s+(?:like|love)\s+(?:to\s+(?:explore|ask|know|learn\s+more|hear|see|try|get|discuss|understand)|some|your|any|the|a\s+(?:list|few))\b.*
        |(?:I|we)\s+(?:have\s+)?(?:heard|read|seen|noticed)\s+(?:that\b|about\b|a\s+lot\b|(?:good|great|many|mixed)\s+things).*
        |(?:I|we)\b.*\b(?:you\s+(?:mentioned|suggested|recommended|said|listed|gave|provided|described|shared|wrote)|your\s+(?:suggestions?|recommendations?|advice|tips|answer|explanation|help|list|response))\b.*
        |(?:it|that|this|there|here)\s+(?:is|was|will|sounds?|looks?|seems?|works?|worked|did|does|makes?)\b.*
        |the\s+(?:first|second|last|next|third)?\s*(?:paragraph|answer|sentence|reply|joke|version|poem|story|draft|suggestion|response)\s+.*
        |you\s+(?!(?:can|may)\s+call\s+me\b).*|your\s+.*|not\s+.{{0,12}}$|let\s+.*)$"""
    ),
    passing=_any(
        r"""^(?:I|we|my\s+[\w-]+(?:\s+[\w-]+)?)\s+(?:am|are|is|feel|feels|was|were|got|have\s+been)\s+(?:feeling\s+)?(?:so\s+|very\s+|a\s+bit\s+|a\s+little\s+|too\s+|
        pretty\s+|quite\s+|completely\s+|all\s+|kind\s+of\s+|kinda\s+|not\s+|totally\s+)*(?:tired|hungry|bored|back|here|there|ready|sorry|fine|good|great|
        okay|ok|sure|afraid\s+(?:I|that|not)|glad|happy\s+to|curious|wondering|confused|stuck|lost|done|
        late|busy|cold|hot|sleepy|knackered|shattered|wrecked|drained|stressed|fed\s+up|wiped\s+out|beat|dying|off(?!\s+to\b)|home|freezing|starving|exhausted|thirsty|sleeping|waiting|running\s+late|running\s+out|sweating|
        hungover|awake|about\s+to|heading|on\s+(?:my|the|a)\s+(?:way|bus|train|phone|call|tram|plane|sofa|couch|toilet)|
        in\s+(?:a\s+)?(?:hurry|meeting|rush|bed|traffic|line|the\s+(?:car|bath|shower|kitchen|middle))|at\s+(?:the\s+)?(?:work|home|lunch|dinner|office|
        store|shop|airport|station|supermarket|door|gym)\b\s*(?:now|right\s+now)?$)\b
        |\b(?:right\s+now|just\s+a\s+(?:sec|second|minute|moment)|hang\s+on|hold\s+on|
        one\s+(?:sec|second|moment|minute)|wait\s+a|brb|be\s+right\s+back|gotta\s+go|have\s+to\s+go\b|need\s+to\s+go\b|got\s+to\s+(?:go|run)|must\s+(?:go|run)\b|need\s+(?:a\s+)?(?:coffee|break|nap|sleep)|
        have\s+a\s+(?:headache|cold|minute|second)|cannot\s+(?:see|hear|find|open|log|sleep\s+tonight|believe|wait)|
        phone\s+is\s+ringing|doorbell|slept\s+(?:badly|poorly|well|like))\b
        |^(?:I|we)\s+(?:need|have|must|am\s+about)\s+to\s+(?!.*\b(?:by|on|until|before|every|each|daily|in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december))\b)
        |^(?:my|our)\s+(?:tea|coffee|food|dinner|lunch|battery|phone|laptop|internet|wifi|computer|screen|mouse|screen|app|
         bus|train|taxi|connection|keyboard|pizza|soup)\s+(?:is|has|was|are|died|keeps?|went|arrived|will|froze|crashed|stopped)\b
        |^(?:I|we)\s+(?:am|are)\s+(?:just\s+)?(?:eating|drinking|sitting|standing|lying|typing|dying|melting|freezing|half\s+asleep|listening\s+to\s+(?:the|some)|watching\s+(?:the\s+news|tv|telly|the\s+rain))\b
        |^(?:I|we)\s+(?:have\s+)?(?:just\s+)?(?:burn(?:ed|t)|spilled|spilt|dropped|missed)\s+(?:my|the)\s+(?:toast|coffee|tea|dinner|lunch|breakfast|phone|keys?|bus|train|tram|spoon|cup|alarm|call)\b
        |^(?:my|the)\s+(?:head|back|feet|neck|stomach|tummy|eyes|legs|throat)\s+(?:hurts?|aches?|is\s+killing|are\s+killing)\b(?!.*\b(?:since|for|every|always|years)\b)
        |\b(?:it\s+is\s+raining|(?:the|this|what|such|nice|lovely|awful)\s+weather\b(?!\s+changes))\b"""
    ),
    negates=_any(
        r"\b(?:not|never|no\s+longer|no|none|neither|nor|without|cannot|nothing|nobody|hardly|stopped|"
        r"quit|gave\s+up|given\s+up|n't|far\s+from|anything\s+but|instead\s+of|refuse[ds]?)\b"
    ),
    past=_any(
        r"\b(?:was|were|had|did|used\s+to|ago|yesterday|last\s+(?:night|week|month|year|summer|winter|"
        r"spring|autumn|fall)|(?:have|has)\s+(?!been\b)\w+(?:ed|en|t|ne)\b|moved|quit|left|got|went|bought|"
        r"started|began|became|joined|took|met|saw|lived|worked|stopped|finished|ended|sold|won|lost|"
        r"married|divorced|graduated|retired|adopted|(?!called|named|based|used\b)\w{3,}ed(?=\s+(?:to|from|at|in|my|the|a|an|for)\b))\b"
    ),
    coming=_any(
        rf"""\b(?:will|shall|going\s+to|gonna|about\s+to|plan(?:ning|s)?\s+(?:to|on)|want(?:s)?\s+to|hop(?:e|es|ing)\s+to|
        intend(?:s|ing)?\s+to|aim(?:s|ing)?\s+to|would\s+(?:like|love)\s+to|need(?:s)?\s+to|tomorrow|next\s+(?:week|month|year|summer|winter|spring|
        autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|
        april|may|june|july|august|september|october|november|december)|soon)\b
        |\b(?:am|are|is)\s+(?:moving|starting|joining|leaving|quitting|getting|flying|travell?ing|visiting|changing|
         switching|selling|buying|retiring|marrying|going|taking|having|running|expecting|graduating|becoming|beginning|finishing|stopping|coming|turning)\b
        |\b(?:move|moves|start|starts|leave|leaves|join|joins|begin|begins|fly|flies|retire|retires|quits|stop|stops|finish|finishes|turns?(?!\s+out))\b
         (?=.*\b(?:on|in|from|next|tomorrow|this)\b)(?!.*\b(?:every|always|usually)\b)
        |\b{_EVENT}\b.*\s(?:(?:is|are)\s+)?(?:on\s+(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|tomorrow\b)"""
    ),
    over=_any(
        r"\b(?:used\s+to|no\s+longer|any\s?more|any\s+longer|quit|left|stopped|gave\s+up|given\s+up|retired\s+from|resigned)\b"
    ),
    kin=KIN,
    relations=tuple(
        re.compile(pattern)
        for pattern in (
            rf"\b(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN})),?\s+(?:(?i:called|named)\s+)?(?P<object>{NAME})",
            rf"\b(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN})\s+is\s+(?:called|named)\s+)(?P<object>{_PROPER})",
            rf"\b(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN})'s\s+name\s+is\s+)(?P<object>{_PROPER})",
            rf"\b(?i:the\s+name\s+of\s+(?:my|our)\s+{_KIND}(?P<kin>{_KIN})\s+is\s+)(?P<object>{_PROPER})",
            rf"\b(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN}))\s+\((?P<object>{NAME})\b",
            rf"\b(?i:an?\s+(?:\w+\s+)?(?P<kin>{_KIN})\s+of\s+(?:mine|ours)),?\s+(?:(?i:called|named)\s+)?(?P<object>{NAME})",
            rf"\b(?i:(?:my|our)\s+{_KIND}(?P<kin>{_KIN})\s+of\s+\w+\s+years),\s+(?P<object>{NAME})",
            rf"\b(?P<kin>Grandma|Grandpa|Granny|Gran|Nana|Auntie|Aunt|Uncle)\s+(?P<object>{NAME})",
            rf"(?P<object>{NAME}),?\s+(?i:(?:is\s+)?(?:my|our)\s+{_KIND}(?P<kin>{_KIN}))\b(?!'s|\s+and)",
        )
    ),
    frames=FRAMES,
    articles=_any(
        r"^(?:a\s+(?:little|bit\s+of|lot\s+of)|lots?\s+of|(?:wee|little|baby)\s+(?=(?-i:[A-Z]))|an?|the|my|our|some|any|his|her)\s+"
    ),
    tail=_any(
        r"\s+(?:too|a\s+bit|a\s+little|now|again|as\s+well|a\s+lot|very\s+much|so\s+much|lately|these\s+days|right\s+now|"
        r"any\s?more|any\s+longer|though|actually|at\s+all|at\s+the\s+moment|instead|most|best|either|"
        r"to\s+be|anyway|yesterday|today|tomorrow|already|yet|together|tbh|honestly|though|imo|imho|ok|okay|fine|sorry|lol|thanks|of\s+course)$"
    ),
    not_objects=frozenset(
        """it that this them him her you me us one everything nothing something anything someone
        anyone everyone here there so to do go way things stuff all both either what how who which
        myself yourself i no not yes your""".split()
    ),
    elided=_any(
        r"""(?:(?P<i_was>(?:diagnosed|promoted|raised|brought\s+up)\b|born\s+(?:in|on|and)\b)|(?P<i_am>(?:(?:vegan|vegetarian|pescatarian|lactose|gluten|allergic|married|engaged|single|divorced|left-handed|off\s+to|flying\s+to|getting\s+married|expecting)\b|an?\s+(?:huge|big|massive)\s+fan|(?:huge|big|massive)\s+fan|(?:originally\s+)?from\s+(?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun))(?-i:[A-Z]\w+)(?=\s*(?:[,.;]|originally|and\s+(?!I\b)|$))|retired\b|trained\s+as|self-employed)|not\s+(?:an?\s+(?:big\s+|huge\s+|great\s+)?fan|keen|into|fond)\b|(?:working|living|learning|building|writing|training|studying|saving|trying|
         planning|volunteering|renting|teaching)\s+(?!.*\s(?:is|was|are|can|will|helps?|takes?)\b))
        |(?P<i_have>been\b|never\s+been\b|got\s+(?:an?|two|three)\s|have\b(?!\s+(?:a\s+(?:good|nice|great|lovely)|fun|you)))
        |(?P<i>(?:had|went|took|gave|made|met|saw|spent|lost|found|broke|wrote|built|ran|won|fell|drove|flew|left|became|grew|bought|sold|
         tried|failed|applied|signed|painted|planted|baked|cooked|visited|married|retired|graduated|switched|cancelled|ordered|stayed)
         \s+(?!by\b|of\b)|(?:have|had)\s+not\b|(?:started|moved|finished|bought|adopted|quit|joined|turned|passed|signed\s+up|gave\s+up|
         switched|became|sold|used\s+to|grew\s+up|cannot\s+stand|lived|worked|studied|live|work|study|speak|prefer|never\s+(?:could|liked|cared|got)|am|do\s+not\s+(?:like|eat|drink|drive|smoke)|cannot\s+(?:eat|drink|have)|inherited|(?:love|hate)(?!\s+(?:and|is|was|can|will|the|how|hearing|that|your|this|it|to\s+(?:see|hear))\b)|
         used\s+to|got\s+(?:promoted|married|engaged|divorced|fired|hired|a\s+(?:new\s+)?(?:job|dog|cat|puppy|kitten|car|bike)))\b))"""
    ),
    expand=tuple(
        (re.compile(pattern, re.I if not pattern.startswith("(?-i") else 0), replacement)
        for pattern, replacement in (
            (r"\bi(?=\s|'|$)", "I"),
            (r"\bim\b", "I am"),
            (r"\bive\b", "I have"),
            (r"\b(I)'m\b", "I am"),
            (r"\b(I|we|you|they)'ve\b", r"\1 have"),
            (r"\b(\w+)'ll\b", r"\1 will"),
            (
                r"\b(I|we|you|he|she|they)'d\b(?=\s+(?:like|love|rather|prefer|be|say|hate|want|need|go|do|have\s+to))",
                r"\1 would",
            ),
            (
                r"\b(I|we|you|he|she|they)'d\b(?=\s+(?:been|had|gone|never|already|just|\w+ed)\b)",
                r"\1 had",
            ),
            (r"\b(I|we|you|he|she|they)'d\b", r"\1 would"),
            (r"\b(we|you|they)'re\b", r"\1 are"),
            (
                r"\b(he|she|it|that|there|here|what|who|where)'s\b(?=\s+(?:been|got|had|become|gone|moved|worked|lived|started))",
                r"\1 has",
            ),
            (r"\b(he|she|it|that|there|here|what|who|where|how)'s\b", r"\1 is"),
            (r"^(?:the\s+)?name(?:'?s|\s+is)\b", "my name is"),
            (r"\bname's\b", "name is"),
            (
                r"\b(\w+)'s\b(?=\s+(?:(?:an?|the|not|called|named|from|in|at|allergic|\d+|turning|moving|starting|"
                r"working|living|got|been|my|now|also|vegetarian|vegan|pregnant|married|coeliac|celiac|diabetic|deaf|blind|asthmatic|autistic|dyslexic|"
                r"retired|divorced|epileptic|next|tomorrow|on\s+(?:the|\d|\w+day))\b))",
                r"\1 is",
            ),
            (r"\bcan't\b|\bcan\s+not\b|\bcant\b", "cannot"),
            (r"\bwon't\b|\bwont\b", "will not"),
            (r"\bain't\b", "am not"),
            (
                r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must)n't\b",
                r"\1 not",
            ),
            (r"\b(do|does|did|is|was|has|have)nt\b", r"\1 not"),
            (r"\bw/(?=\s)", "with"),
            (r"\b(is|are|was|do|does|did|have|has|would|could)nt\b", r"\1 not"),
            (r"\bgonna\b", "going to"),
            (r"\bwanna\b", "want to"),
        )
    ),
    fillers=_any(
        r"""^(?:(?:(?:hi|hello|hey|hiya|yo|well|yes|yeah|yep|no|nope|ok|okay|so|also|and|but|by\s+the\s+way|btw|ngl|lowkey|oh|ah|um|ugh|argh|hm|hmm|aw|wow|uh|hmm|
        actually|honestly|anyway|anyways|thanks|thank\s+you|please|sure|right|true|sorry|fyi|for\s+the\s+record|
        just\s+so\s+you\s+know|fun\s+fact|to\s+be\s+honest|tbh|in\s+fact|first\s+of\s+all|besides|plus|
        guess\s+what|good\s+news|bad\s+news|small\s+update|quick\s+update|update|news|you\s+know|listen|look|
        if\s+I\s+am\s+honest|if\s+I'm\s+honest|if\s+you\s+must\s+know|if\s+you\s+ask\s+me|one\s+more\s+thing|
        (?:good\s+)?(?:morning|evening|afternoon)|everyone|there|again|because|since\s+you\s+ask(?:ed)?|
        (?:I\s+)?(?:just\s+)?wanted\s+to\s+(?:say|let\s+you\s+know|tell\s+you)(?:\s+that)?|as\s+you\s+know|
        I\s+(?:must|have\s+to|should)\s+(?:say|admit)(?:\s+that)?|let\s+me\s+(?:introduce\s+myself|tell\s+you)|
        I\s+think(?=\s+I\s+(?:prefer|like|hate|love))|too|then|
        before\s+we\s+start|currently|recently|finally|just|lately|nowadays|these\s+days|sadly|luckily|unfortunately|fortunately|apparently|
        for\s+(?:future\s+)?reference|small\s+correction|ngl|lowkey|ugh|argh|hm+|aw+|wow)(?:[,!:.–—-]+\s*|\s+))+)
        (?=\S)"""
    ),
    adverbs=_any(
        r"\s(?:really|also|just|actually|currently|still|recently|mostly|usually|basically|absolutely|"
        r"totally|definitely|simply|already|presently|nowadays|truly|honestly|mainly|officially|finally|"
        r"literally|obviously|normally|generally|personally|kinda|sort\s+of|kind\s+of|quite|always|often|sometimes|now)(?=\s)"
    ),
    cut=_any(
        rf""";\s*|,?\s+(?=(?:if|unless|in\s+case)\s+(?:I|we|you|he|she|it|they|my|the|that|there)\b)|,\s+so\s+(?=[a-z])|\s+[–—-]\s+
        |,?\s+(?:and|but|so|(?<!for\sa\s)while|whereas|though|although|because|cause|cos)\s+
          (?=(?:(?:(?:a|an|one|two|three|four|five|six|ten|\d+|last|this|next|in|since|until|on|every)\s+(?:[\w]+\s+){{1,3}}?)(?=(?:I|we|my)\b))?
             (?:I|I'm|I've|I'll|I'd|my|we|we're|we've|our|he|she|he's|she's|his|her|they|it|im|ive|the|now|then|since\s+then)\b)
        |,?\s+(?:and|but)\s+(?=(?:am|are|is|live|lives|work|works|have|has|love|loves|like|likes|hate|hates|cannot|can't|
          don't|doesn't|do\s+not|prefer|prefers|speak|speaks|enjoy|enjoys|study|studies|moved|was|used|drive|drives|play|plays|
          started|quit|left|will|want|wants|plan|got|never|no\s+longer)\b)
        |,\s+(?=(?:I|I'm|I've|I'll|I'd|we|he|she|he's|she's|we're|my\s+(?:{_KIN})(?!\s*,)|now|then)\b)
        |\s+(?:and|but)\s+(?=(?-i:[A-Z][\w-]+)\s+(?:is|was|lives?|works?|likes?|loves?|hates?|has|moved|plays|studies|and)\b)
        |,\s+(?:and\s+)?(?=(?:lives|works|studies|moved|loves|hates|speaks|(?:living|working|based|studying)\s+(?:in|at|as|for))\b)
        |,\s+(?:so\s+)?(?=(?:can|could|would|will)\s+you\b|please\b|pls\b|how\s+(?:do|can|should)\b|what\s+(?:can|should|do|would)\b|(?:is|are)\s+(?:an?|the|it|there)\b|do\s+I\b|need\s+a\b|think\s+of\b)
        |,\s+(?=(?:isn't|aren't|don't|right|wish\s+me|fingers\s+crossed|send\s+help|any\s+(?:tips|ideas))\b)"""
    ),
    carried=_any(
        r"^(?:(?:living|working|based|studying)\s+(?:in|at|as|for)|speaks|am|are|is|live|lives|work|works|have|has|love|loves|like|likes|hate|hates|cannot|do\s+not|does\s+not|"
        r"prefer|prefers|speak|speaks|enjoy|enjoys|study|studies|moved|was|used|drive|drives|play|plays|"
        r"started|quit|left|will|want|wants|plan|got|never|no\s+longer|not)\b"
    ),
    lists=_any(r"\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*"),
    time_words=(),
)
