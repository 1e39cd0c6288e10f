"""More frames of English: what people tell of their lives in passing, mostly in a few words."""

from __future__ import annotations

import re

from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.frames import (
    NO_PLAN,
    PLAN_END,
    as_activity,
    has_no_verb,
    is_firm,
    is_food,
    is_likeable,
    is_no_dream,
    is_plain_name,
    is_town,
)
from thalamus.policy.language.english.verb_forms import (
    as_plan,
    has_occupation,
    infinitive,
    occupation,
)
from thalamus.policy.language.english.words import (
    BE,
    DO_NOT,
    END,
    HAVE,
    KIND,
    LIST,
    NAME,
    PROPER,
    STILL,
    THING,
    WHEN,
)
from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.vocabulary.word_classes import (
    has_capital,
    is_demonym,
    is_illness,
    is_medicine,
    is_occupation,
    is_possession,
    is_trait,
)

_NAMES = rf"{NAME}(?:\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:(?:wee|little|baby)\s+)?{NAME})+"
_PLURALS = (
    ("sister", "sisters"), ("brother", "brothers"), ("dog", "dogs|pups|puppies|labradors|terriers|spaniels|collies|greyhounds|pugs|huskies"),
    ("cat", "cats|kittens"), ("horse", "horses|ponies"), ("rabbit", "rabbits|bunnies"), ("son", "sons|boys|lads"),
    ("daughter", "daughters|girls"), ("child", "kids|children|twins|triplets|little\\s+ones|babies|toddlers"),
    ("pet", "hens|chickens|goats|ferrets|guinea\\s+pigs|budgies|rats|tortoises|goldfish|pets|gerbils|ducks|donkeys|parrots|mice|alpacas"),
    ("friend", "friends|mates|best\\s+friends"), ("flatmate", "flatmates|housemates|roommates"), ("colleague", "colleagues|coworkers"),
    ("grandson", "grandsons"), ("granddaughter", "granddaughters"), ("niece", "nieces"), ("nephew", "nephews"),
    ("cousin", "cousins"), ("uncle", "uncles"), ("aunt", "aunts|aunties"),
)  # fmt: skip
FIELD = (
    r"(?:(?:[\w-]+\s+){0,2}?(?:logistics|it|tech|sales|finance|banking|hr|human\s+resources|construction|hospitality|insurance|"
    r"marketing|advertising|education|retail|healthcare|health\s+care|publishing|law|recruitment|catering|real\s+estate|"
    r"property|engineering|accounting|accountancy|manufacturing|consulting|consultancy|tourism|transport|procurement|"
    r"nursing|teaching|childcare|social\s+(?:work|care)|pr|public\s+relations|journalism|television|agriculture|farming|"
    r"shipping|aviation|telecoms|cyber\s?security|software|biotech|pharma|pharmaceuticals|research|academia|customer\s+(?:service|support)|"
    r"(?:it|tech|technical|it\s+tech)\s+support|quality\s+(?:assurance|control)|admin|payroll|compliance|cybersecurity|data\s+science|web\s+development|the\s+(?:army|navy|air\s+force|"
    r"police|military|civil\s+service|fire\s+service|nhs|film\s+industry|music\s+industry|public\s+sector|oil\s+industry|wine\s+trade)))"
)
SITE = (
    r"(?:bakery|school|primary|nursery|kindergarten|college|university|hospital|clinic|surgery|practice|pharmacy|warehouse|factory|plant|"
    r"kitchen|call\s+cent(?:re|er)|office|care\s+home|nursing\s+home|hospice|library|archive|archives|museum|gallery|lab|laboratory|garage|"
    r"workshop|shop|store|supermarket|caf[eé]|coffee\s+shop|restaurant|pub|bar|hotel|hostel|bank|brewery|distillery|vineyard|farm|stables|"
    r"zoo|theatre|theater|cinema|gym|spa|salon|barber'?s|florist'?s?|butcher'?s?|law\s+firm|firm|agency|start-?up|airport|port|harbour|shipyard|"
    r"abattoir|crematorium|quarry|mine|sawmill|mill|foundry|prison|court|council|charity|ngo|post\s+office|fire\s+station|police\s+station|"
    r"garden\s+cent(?:re|er)|bookshop|bookstore|bike\s+shop|nail\s+bar|tattoo\s+studio|studio|print\s+shop|dockyard|depot|power\s+station)"
)
_AT_SITE = rf"(?P<object>(?:(?-i:[A-Z])[\w'&.-]*(?:\s+(?:of|and|&|the|for)?\s*(?-i:[A-Z])[\w'&.-]*)*)|(?:(?:an?|the|my|our)\s+)?(?:[\w'-]+\s+){{0,3}}?{SITE}(?:\s+in\s+(?-i:[A-Z])[\w-]+)?){END}"
_DUTY = (  # what somebody does at a place who works there
    r"(?:run|runs|running|manage|manages|managing|lead|leads|head(?:s)?(?:\s+up)?|teach|teaches|teaching|lecture|lectures|lecturing|cook|cooks|cooking|"
    r"wait(?:s)?\s+tables|waiting\s+tables|tend(?:s)?\s+bar|bartend|bartends|bartending|supervise|supervises|coordinate|coordinates|stack(?:s)?\s+shelves|"
    r"stacking\s+shelves|file|files|serve|serves|clean|cleans|cleaning|code|codes|coding|weld|welds|nurse|temp|temps|temping|intern|interns|interning|"
    r"freelance|freelances|do\s+(?:shifts|nights|reception|security|the\s+(?:books|accounts|payroll|night\s+shift|bar))|am\s+(?:an?\s+)?apprentice(?:d)?|drive|drives|"
    r"deliver|delivers|answer\s+phones|look\s+after|looks\s+after|research|researches)"
)
_RANK = (
    r"(?:(?:assistant|deputy|vice|senior|executive|co-?)[\s-]?)?(?:head|director|chair|chairman|chairwoman|chairperson|captain|president|treasurer|secretary|"
    r"ceo|cto|cfo|coo|founder|manager|lead|principal|vp|chief|boss|conductor|leader|editor|dean|mayor|member)"
)
_FREQUENTLY = (
    r"(?:(?:every|each)\s+(?:single\s+|other\s+|second\s+)?(?:day|morning|evening|night|week|weekend|month|year|winter|summer|spring|autumn|fall|afternoon|"
    r"lunchtime|lunch\s+break|christmas|easter|\w+day)|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s|\s+(?:mornings|nights|evenings|afternoons))|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?:at|on)\s+(?:the\s+)?weekends?|(?:once|twice|thrice|(?:two|three|four|five|six|a\s+few|a\s+couple\s+of|several|\d+)\s+"
    r"(?:times|nights|days|evenings|mornings))\s+(?:a|per|each|every)\s+(?:day|week|month|year)|(?:a|per)\s+(?:day|week)\b|most\s+(?:days|mornings|evenings|nights|"
    r"weekends|weeks)|daily|weekly|all\s+(?:year(?:\s+round)?|winter|summer)|in\s+my\s+(?:spare|free)\s+time|for\s+fun|as\s+a\s+hobby|on\s+the\s+side|before\s+(?:work|breakfast|bed|school)|after\s+(?:work|school|dinner))"
)
_DONE = (  # what somebody does who does it often; not "I have a cold most days"
    r"(?:go|goes|do|does|walk|walks|cycle|cycles|bike|bikes|run|runs|swim|swims|jog|jogs|read|reads|cook|cooks|bake|bakes|train|trains|"
    r"practi[sc]es?|meditate|meditates|journal|journals|write|writes|visit|visits|call|calls|ring|rings|volunteer|volunteers|attend|"
    r"attends|take(?!\s+notes)|takes|drink|drinks|eat|eats|get\s+up|gets\s+up|wake\s+up|wakes\s+up|sing|sings|dance|dances|draw|draws|paint|paints|climb|"
    r"climbs|hike|hikes|row|rows|surf|surfs|ski|skis|fish|fishes|box|boxes|lift|lifts|work\s+(?:out|from\s+home|nights|weekends|late)|works\s+(?:out|"
    r"from\s+home)|listen|listens|watch|watches|ride|rides|skate|skates|garden|gardens|coach|coaches|commute|commutes|fast|fasts|pray|prays|"
    r"stretch|stretches|nap|naps|host|hosts|help\s+out|knit|knits|sew|sews|babysit|babysits|foster|fosters|donate|donates|"
    r"referee|umpire|busk|tutor|tutors|study|smoke|smokes|vape|vapes|skip|skips|catch\s+up|meet|meets|sail|sails|kayak|kayaks|spin|weld|sketch|"
    r"travel|travels|drive|drives|have\s+(?:a\s+)?(?:bath|nap|choir|rehearsal|band\s+practice|coffee|tea|breakfast|lunch|dinner|sunday\s+roast|therapy|lessons?|training|\w+\s+(?:class|lesson|practice|lessons)))"
)
_SPENT = r"(?:for\s+(?:\w+\s+){1,3}(?:years?|seasons?|months?)|as\s+a\s+(?:kid|child|teenager|teen|boy|girl|student)|in\s+(?:my\s+(?:teens|twenties|thirties|forties|youth)|school|college|uni|high\s+school)|at\s+(?:school|uni|university|college)|when\s+I\s+was|until|till|before|back\s+in|growing\s+up|years\s+ago|from\s+\d{4}\s+to)"
_DIET = (
    r"(?:keto|paleo|vegan|vegetarian|low[- ](?:carb|fodmap|salt|sodium|sugar|fat|gi)|mediterranean|gluten[- ]free|dairy[- ]free|lactose[- ]free|kosher|halal|"
    r"plant[- ]based|raw\s+(?:food|vegan)|carnivore|sugar[- ]free|fodmap|pescatarian|nut[- ]free|high[- ]protein|whole30|intermittent\s+fasting|diabetic|renal|weight\s+watchers|slimming\s+world)"
)
_AGED = r"(?:\d{1,2}|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)"
_CALLS = (
    r"(?:(?:literally|basically|almost|pretty\s+much)\s+)?(?:everyone|everybody|people|(?:my\s+)?(?:friends|family|mates|colleagues|mum|mom|dad|nan|team|kids|"
    r"students)|they|most\s+people|some|some\s+people|all\s+my\s+friends)\s+(?:(?:all|just|mostly|always|usually)\s+)*"
)


def _no_stop(object: str) -> bool:
    """Whether what somebody does often is a habit of some weight."""
    if re.search(
        r"\b(?:this|that|these|those|your)\b|^(?:go|goes|do|does|take|takes|meet|meets|call|calls|ring|rings|visit|visits|attend|attends|host|hosts|watch|watches|listen|listens|drink|drinks|eat|eats)$",
        object,
        re.I,
    ):
        return False
    return has_no_verb(re.sub(r"^(?:do|does)\s", "", object)) and len(object.split()) <= 7


LIFE: tuple[Frame, ...] = (
    # -- names -----------------------------------------------------------------------------------
    frame("nickname", rf"\b{_CALLS}(?:calls?|says?)\s+(?:me\s+)?(?P<object>{NAME})", whole=True, mine=True),
    frame("nickname", rf"\b(?P<object>{NAME})\s+for\s+short\b", whole=True, mine=True),
    frame("nickname", rf"(?:go|goes)\s+by\s+(?P<object>{NAME})"),
    frame("nickname", rf"my\s+nickname\s+(?:is|was)\s+(?P<object>{PROPER})", whole=True, mine=True),
    frame("pronouns", r"\b(?P<object>(?:they|she|he|xe|ze)/(?:them|her|him|they|xem|zir)(?:/\w+)?)\b", whole=True, mine=True),
    # "I am Radek, 41, lift repairer from Brno"
    frame("name", rf"am\s+(?P<object>{NAME})(?=\s*(?:,|$))", mine=True, fits=is_plain_name),
    frame("name", r"am\s+(?P<object>(?-i:[a-z]{3,12}))(?=,\s+(?:aged?\s+)?\d\d\s*(?:,|$|\s+(?:and|from)\b))", mine=True, fits=lambda o: not is_common(o)),
    frame("age", r"am\s+[a-z]{3,12},\s+(?:aged?\s+)?(?P<object>\d\d)(?=\s*(?:,|$|\s+(?:and|from)\b))", mine=True),
    frame("age", rf"am\s+{NAME},(?:.*?(?:,|\sand)\s*)??\s*(?:(?:aged?|just\s+turned)\s+)?(?P<object>{_AGED})(?=\s*(?:,|$)|\s+(?:and|from|years?|yo)\b)", mine=True),
    frame("works_as", rf"am\s+{NAME},\s+(?:{_AGED},\s+)?(?:an?\s+)?(?:retired|former|ex)[\s-]+{THING}", over=True, mine=True, fits=is_occupation),
    frame("works_as", rf"am\s+{NAME},\s+(?:{_AGED}(?:,\s+|\s+and\s+))?(?:(?:an?|the|your|currently|working\s+as\s+an?)\s+)?(?P<object>(?!\d|from\b|living\b|based\b|in\b|at\b)[\w' -]+?)"
          r"(?=\s+(?:from|at|in|for|with|by|and|who|living|based)\b|\s*(?:,|$))", mine=True, fits=is_occupation),
    frame("works_as", rf"am\s+{NAME},\s+(?:from|{_AGED})\b[^,]*,\s+(?:from\s+[^,]+,\s+)?(?:an?\s+)?(?P<object>(?!\d|from\b)[\w' -]+?)(?=\s+(?:from|at|in|for|with|by|and)\b|\s*(?:,|$))", mine=True, fits=is_occupation),
    frame("home_town", rf"am\s+{NAME},(?:.*?[\s,])??(?:originally\s+)?from\s+(?P<object>{NAME})", mine=True),
    frame("lives_in", rf"am\s+{NAME},.*?\b(?:living|based|live)\s+in\s+(?P<object>{NAME})", mine=True),
    # -- home ------------------------------------------------------------------------------------
    frame("home_town", rf"(?:grew\s+up|was\s+(?:raised|brought\s+up)|{BE}\s+from)\s+(?:in\s+)?(?P<object>(?:an?|the)\s+[\w' -]*?(?:village|town|city|farm|island|suburb|part|north|south|east|west|hamlet|port)\s+(?:near|in|of|outside|on|called|just\s+outside)\s+{NAME})"),
    frame("lives_in", rf"(?:{HAVE}\s+)?(?:lived|been\s+living|been\s+based)\s+(?:here|over\s+here|out\s+here|up\s+here|down\s+here|out|up|down)\s+in\s+{THING}", fits=is_town),
    frame("lives_in", rf"(?:live|lives|living)\s+(?:(?:just|right|out|up|down|over|here|abroad|temporarily|downstairs|upstairs|next\s+door)\s+)+(?:from\s+us\s+)?(?:here\s+)?(?:in|near|outside)\s+{THING}", fits=is_town),
    frame("lives_in", rf"(?:{HAVE}\s+)?moved\s+into\s+(?:an?|our|my|the)\s+[\w' -]+?\s+(?:in|near|outside)\s+(?P<object>{NAME})"),
    frame("lives_in", r"rents?\s+(?P<object>an?\s+[\w' -]+?\s+(?:on|in|at|outside|near)\s+[^,.;]+?)(?=\s*[,.;]|$)"),
    frame("lives_in", rf"(?:once\s+|previously\s+|formerly\s+)?(?:lived|spent\s+[\w ]+?)\s+(?:above|next\s+to|with|behind|over|under|opposite)\s+[\w' -]+?\s+in\s+(?P<object>{NAME})", over=True),
    frame("lives_in", rf"(?:once|previously|formerly)\s+lived\s+in\s+{THING}", over=True, fits=is_town),
    frame("lives_in", rf"spent\s+(?:\w+\s+){{1,3}}?(?:years?|months?)\s+(?:living\s+)?in\s+(?P<object>{NAME})", over=True),
    # -- work and studies ------------------------------------------------------------------------
    frame("works_at", rf"{BE}\s+in\s+(?P<object>{FIELD})(?=\s*(?:[,.;!(–-]|$)|\s+(?:and|but|for|since|now|so|mostly|mainly)\b)"),
    frame("works_at", rf"{STILL}(?:work|works|working)\s+(?:(?:full|part)[- ]time\s+|nights\s+|mostly\s+|shifts\s+)?in\s+(?P<object>{FIELD})(?=\s*(?:[,.;!(–-]|$)|\s+(?:and|but|for|since|now|so|at|as)\b)"),
    frame("works_at", rf"{STILL}(?:work|works|working|employed)\s+(?:(?:full|part)[- ]time\s+|(?:(?:night|day|early|late|weekend|double|long)\s+)?shifts\s+|nights\s+|weekends\s+|days\s+|remotely\s+)?(?:in|at|for|on)\s+{_AT_SITE}"),
    frame("works_at", rf"{BE}\s+starting\s+(?:work\s+)?at\s+(?P<object>(?:the\s+)?(?:(?-i:[A-Z])[\w'&.-]*(?:\s+{SITE})?|(?!gym\b|bottom\b)(?:[\w'-]+\s+){{0,2}}?(?!gym\b|school\b|primary\b|nursery\b|college\b|university\b){SITE})){END}", coming=True, fits=is_firm),
    frame("works_at", rf"{_DUTY}\b[^,.;:!?]*?\bat\s+{_AT_SITE}", fits=is_firm),
    frame("works_at", rf"{BE}\s+(?:an?\s+|the\s+)?{_RANK}\s+[\w\s&-]*?\bat\s+(?P<object>{NAME})"),
    frame("works_at", rf"(?:{HAVE}\s+)?(?:handed|put)\s+in\s+my\s+notice\s+(?:at|with)\s+{THING}", fits=is_firm),
    frame("works_at", rf"(?:start|starts|starting|begin|begins)\s+(?:(?:my|a)\s+new\s+(?:job|role|position)\s+)?(?:at|with)\s+{THING}", coming=True, fits=is_firm),
    frame("works_at", rf"(?:was|were|got|have\s+been|been)\s+(?:just\s+)?(?:made\s+redundant|laid\s+off|sacked|fired|let\s+go)\s+(?:by|from|at)\s+{THING}", over=True, fits=is_firm),
    frame("works_at", rf"(?:got\s+the\s+sack|lost\s+my\s+job)\s+(?:from|at)\s+{THING}", over=True, fits=is_firm),
    frame("works_at", rf"worked\s+(?:at|for)\s+(?P<object>{NAME})\s+for\b", over=True),
    frame("works_as", rf"{BE}\s+(?:now\s+|currently\s+)?(?P<object>{_RANK}\s+(?:of|at|for)\s+(?:the\s+)?[\w '&-]+?){END}", fits=has_no_verb),
    frame("works_as", rf"(?:was|were)\s+(?P<object>{_RANK}\s+(?:of|at|for)\s+(?:the\s+)?[\w '&-]+?){END}", over=True, fits=has_no_verb),
    frame("works_as", rf"my\s+(?:day\s+|main\s+|current\s+)?(?:job|profession|occupation|trade|line\s+of\s+work)\s+is\s+(?:being\s+|as\s+)?(?:an?\s+)?{THING}", whole=True, mine=True, fits=is_occupation),
    frame("works_as", r"(?P<object>(?!am\b|is\b|are\b|have\b|has\b|want\b|would\b|will\b|do\s+not\b|do\s+this\b|do\s+that\b|do\s+it\b|do\b\s+for\b)[a-z]+(?:\s+[^,.;:!?()]*?)?)\s+for\s+(?:a\s+living|my\s+job|work\s+(?:at|in))\b", fits=has_occupation, called=occupation),
    frame("works_as", rf"(?:was\s+|have\s+been\s+|got\s+)?(?:promoted\s+to)\s+(?P<object>(?:head|partner|senior|lead|team|manager|director|captain)\b[\w ]*?){END}"),
    frame("works_as", rf"{STILL}(?:freelance|freelances|freelancing|qualified|apprenticed|retraining|temping)\s+as\s+an?\s+{THING}"),
    frame("is", rf"{BE}\s+(?:now\s+|currently\s+)?an?\s+(?P<object>(?:(?:stay|work)[- ]at[- ]home|full[- ]time|single)\s+(?:mum|mom|dad|mother|father|parent|carer)|carer|housewife|househusband|homemaker|pensioner|night\s+owl|early\s+bird|morning\s+person|light\s+sleeper|insomniac|twin|only\s+child|widow|widower|vegan|vegetarian|pescatarian|teetotaller|non-?smoker|smoker|type\s+[12]\s+diabetic|diabetic|introvert|extrovert|refugee|immigrant|veteran)(?=\s*[,.;!]|\s+(?:and|but|of|with|since|for|so|who|now|from)\b|$)"),
    frame("is", rf"{BE}\s+(?:{NAME},\s+(?:{_AGED},\s+)?)?(?:an?\s+)?(?P<object>retired)(?=\s+[a-z])"),
    frame("is", rf"{BE}\s+the\s+(?P<object>(?:youngest|eldest|oldest|middle\s+(?:child|one)|only\s+(?:girl|boy|child|daughter|son))(?:\s+of\s+(?:\w+)(?:\s+(?:kids|children|siblings|sisters|brothers))?)?)(?=\s*[,.;!]|\s+(?:and|but|so|in)\b|$)"),
    frame("studies", rf"(?:{STILL}(?:study|studying|studies)|doing|am\s+doing)\s+(?!at\b|in\b|for\b|hard\b|the\b|it\b|this\b)(?P<object>[\w -]+?)(?=\s+(?:at|in|with|by)\b|\s*[,.;!]|$)(?=.*\bat\s+(?-i:[A-Z]|uni))", fits=has_no_verb),
    frame("studies_at", r"(?:study|studies|studying)\s+(?:[\w -]+?\s+)?(?:at|in)\s+(?:the\s+)?(?P<object>(?:uni(?:versity)?|college|school)\s+(?:of\s+)?(?-i:[A-Z])[\w-]*)"),
    frame("studies_at", rf"(?:go|goes|am\s+going)\s+to\s+(?P<object>(?:uni|university|college|school|(?-i:[A-Z])[\w-]+\s+(?:University|College|Academy|High\s+School|High|Grammar|Uni))(?:\s+in\s+(?-i:[A-Z])\w+)?){END}"),
    frame("works_as", rf"(?:{HAVE}\s+)?(?:just\s+)?retired\s+(?:[\w ]+?\s+)?(?:as|from\s+being)\s+an?\s+{THING}", over=True, fits=is_occupation),
    frame("is", rf"(?:{HAVE}\s+)?(?:just\s+)?(?P<object>retired)(?=\s+(?:after|last|in|from|as|early|two|this)\b|\s*[,.;]|$)"),
    frame("studies_at", rf"(?:{HAVE}\s+)?graduated\s+from\s+(?P<object>{NAME})", over=True),
    # -- family and pets -------------------------------------------------------------------------
    *(
        frame(kin, rf"(?:\b(?:my|our|mum\s+of|dad\s+of|mother\s+of|father\s+of)|^(?:I|we)\s+(?:have|had|have\s+got|got|adopted|rescued|keep|own))\s+(?:(?:two|three|four|five|six|\d)\s+)?{KIND}(?:[\w-]+\s+)??(?:{plural})(?:\s+(?:last|this)\s+\w+|\s+\w+\s+(?:weeks?|months?|years?)\s+ago)?\s*(?:[,:–-]|\()?\s*(?:(?:are\s+)?(?:called|named)\s+)?"
              rf"(?P<object>{_NAMES})", whole=True, several=True, mine=True)
        for kin, plural in _PLURALS
    ),
    *(
        frame(kin, rf"\b(?:my|our)\s+(?:(?:two|three|four|five|six|\d)\s+)?{KIND}(?:{plural})(?:'s?)?\s+(?:names\s+)?are\s+(?P<object>{_NAMES})", whole=True, several=True, mine=True)
        for kin, plural in _PLURALS
    ),
    # "got a cat last year, he's called Hugo"; "we named her Tofu"
    frame("{before}", rf"^(?:he|she|it|(?:his|her|its)\s+name|the\s+name)\s+is\s+(?:called\s+|named\s+)(?P<object>{PROPER})", whole=True, mine=True),
    frame("{before}", rf"^(?:his|her|its)\s+name\s+is\s+(?P<object>{PROPER})", whole=True, mine=True),
    frame("{before}", rf"^(?:we|I|they)\s+(?:have\s+|had\s+)?(?:named|called|christened|are\s+calling|decided\s+to\s+call)\s+(?:her|him|it)\s+(?P<object>{NAME})", whole=True, mine=True),
    frame("{before}", rf"^(?:(?:is\s+|and\s+)?(?:called|named)|name\s+of|answers\s+to|goes\s+by)\s+(?P<object>{PROPER})$", whole=True, mine=True),
    frame("{kin}", rf"^(?:I|we)\b(?!.*\b(?:met|meet|meeting|saw|see|seen|know|knew|read|watch\w*|remember|heard|feed|fed|petted|stroked|mind(?:ed|ing)?|look\w*|dog-?sit\w*|walk\w*|went|bumped|borrow\w*|visit\w*)\b)[^.;]*?\b(?:an?|the)\s+(?:new\s+|little\s+|rescue\s+|old\s+|[\w-]+\s+)??{KIND}(?P<kin>{{KIN}})\s*,?\s+(?:(?:who\s+is\s+|we\s+|I\s+)?(?:called|named|name|call)\s+)(?:him\s+|her\s+)?(?P<object>{PROPER})".replace("{KIN}", "dog|cat|puppy|kitten|rabbit|hamster|horse|pony|parrot|budgie|tortoise|goldfish|guinea\\s+pig|ferret|snake|gecko|lurcher|greyhound|labrador|spaniel|terrier|collie|beagle|poodle|pug|husky|whippet|dachshund|mutt|bunny|lizard|rat|hen|son|daughter|baby|boy|girl"), whole=True, mine=True),
    frame("age", r"\(\s*(?P<object>\d{1,3})\W"),
    frame("age", rf"(?P<object>{_AGED})(?=\s*,)"),
    frame("age", rf"{BE}\s+(?:now\s+|only\s+|already\s+|almost\s+|nearly\s+|about\s+)?(?P<object>(?:\d{{1,3}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|{_AGED}))(?:\s+(?:years?\s+old|yo|btw))?(?=\s*[,.;!(]|\s+(?:and|now|but|not|today|this|in|so|years|next|on|btw|going)\b|$)(?!\s+(?:and\s+)?\w+\s+(?:minutes|months|weeks))"),
    frame("age", r"(?P<object>\d{1,2})[- ]year[- ]old\b"),
    frame("is", r"(?:is|are)\s+(?:an?\s+)?(?P<object>(?:rescue|stray|mongrel|mutt|labrador|golden\s+retriever|border\s+collie|greyhound|siamese|ragdoll|maine\s+coon|tabby|poodle|beagle|cockapoo|german\s+shepherd)(?:\s+(?:mutt|dog|cat|cross|mix))?)(?=\s*[,.;!]|\s+(?:and|but|from|who)\b|$)"),
    frame("married_to", rf"(?:got\s+married\s+to|married|tied\s+the\s+knot\s+with)\s+(?P<object>{NAME})"),
    frame("is", rf"{BE}\s+(?P<object>married|engaged|divorced|widowed|single)\s+(?:with|to|and|without|for|since)\b"),
    # -- health ----------------------------------------------------------------------------------
    frame("is", rf"(?:{BE}|{HAVE}\s+been|(?:{HAVE}\s+)?(?:went|gone|go|turned|became|become)|(?:{BE}|was|got|{HAVE}\s+been)\s+(?:just\s+)?diagnosed(?:\s+as)?)\s+(?:(?:an?|registered|partially|completely|totally|mostly|severely|profoundly|slightly|strictly|very|legally)\s+)*"
          r"(?P<object>(?:[\w-]+[\s-])??[\w-]+?)(?=\s*[,.;!(/]|\s+(?:and|but|since|for|because|so|now|from|which|in|apart|except|with|again|by|this|last|these|at|as|after|about|before|though|on|until|when|here)\b|$)", fits=is_trait),
    frame("allergic_to", rf"{BE}\s+(?:[^.;]*?(?:\s+and|,)\s+)?(?:(?:also|severely|deathly|highly|quite|very|badly|super|mildly|terribly|really|so)\s+)*(?:allergic|intolerant|anaphylactic|hypersensitive)\s+to\s+{LIST}", several=True, fits=lambda o: is_likeable(o) and "somehow" not in o),
    frame("allergic_to", rf"{HAVE}\s+(?:got\s+)?(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+|nasty\s+|life-threatening\s+)*(?:allergy|allergies|intolerance)\s+to\s+{LIST}", several=True),
    frame("allergic_to", rf"{HAVE}\s+(?:got\s+)?(?:an?\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+|nasty\s+|life-threatening\s+)*(?P<object>(?!food\b|any\b|no\b|some\b)[\w-]+(?:\s[\w-]+)?)\s+(?:allergy|allergies)\b"),
    frame("takes", r"(?:take|takes|taking|inject|injects|(?:am|is|are|been|went|started|go)\s+(?:back\s+)?(?:on|taking)|(?:was|been|got|were)\s+(?:prescribed|put\s+on)|use|uses|started|need|needs)\s+(?:my\s+|the\s+|daily\s+|a\s+|an\s+|some\s+)*(?:\d+\s?(?:mg|mcg|ml|units?)\s+(?:of\s+)?)?"
          rf"(?P<object>[\w-]+(?:\s[\w-]+)??){END}", fits=is_medicine),
    frame("takes", r"^(?:my\s+)?(?P<object>[\w-]+?)(?:'s|\s+is|\s+has|\s+makes|\s+helps|\s+does|\s+gives)\b", whole=True, mine=True, fits=is_medicine),
    frame("has", r"(?:have|has|had|am\s+living\s+with|got)\s+(?:got\s+)?(?:an?\s+|my\s+|some\s+)?(?P<object>(?:(?:chronic|severe|mild|bad|terrible|early|rheumatoid|psoriatic|stage\s+\w+|type\s+[12])\s+)*[\w'-]+(?:\s[\w'-]+){0,2}?)(?=\s+(?:in|on|from|since|and|but|so|which|that|for|after|as|because|every|most)\b|\s*[,.;!(]|$)", fits=is_illness),
    frame("has", r"^(?:the\s+)?(?P<object>[\w'éè-]+(?:\s[\w-]+)?)\s+(?:is|has\s+been)\s+(?:flaring|acting|playing|bad|worse|killing|back|terrible|getting)\b", whole=True, mine=True, fits=is_illness),
    frame("has", rf"(?:have\s+(?:a|an|such\s+a)\s+(?:real\s+|huge\s+|big\s+|terrible\s+|massive\s+|irrational\s+)?)(?P<object>(?:fear|phobia)\s+of\s+[\w -]+?){END}"),
    frame("has", r"^(?:I\s+am\s+)?(?P<object>type\s+(?:1|2|one|two)(?:\s+diabetic|\s+diabetes)?)(?=\s*[,.;]|\s+(?:since|for|and|so)\b|$)", whole=True, mine=True),
    frame("uses", rf"{BE}\s+(?:on|in)\s+(?P<object>crutches|a\s+wheelchair|oxygen|dialysis)\b"),
    frame("uses", rf"(?:wear|wears)\s+(?P<object>(?:(?:an?|two)\s+)?(?:[\w-]+\s+){{0,2}}?(?:glasses|contacts|contact\s+lenses|hearing\s+aids?|braces|retainer|insoles|pacemaker|insulin\s+pump|wig|dentures)){END}"),
    frame("uses", rf"use\s+(?P<object>an?\s+(?:[\w-]+\s+)?(?:wheelchair|walking\s+stick|cane|walker|hearing\s+aid|inhaler|cpap(?:\s+machine)?|screen\s+reader|prosthe\w+|mobility\s+scooter|insulin\s+pump)){END}"),
    frame("diet", rf"(?:follow|follows|following|{BE}\s+(?:trying\s+)?on|eat|eats|eating|do|doing|keep|keeps|have\s+been\s+on)\s+(?:an?\s+|the\s+)?(?:strict(?:ly)?\s+|mostly\s+)?(?P<object>{_DIET})(?:\s+(?:diet|food|lifestyle))?(?=\s*[,.;!]|\s+(?:and|but|since|for|because|so|now|at|due|on|this|these)\b|$)"),
    # -- preferences -----------------------------------------------------------------------------
    frame("avoids", rf"(?:cannot|can\s+not|am\s+not\s+allowed(?:\s+to\s+have)?|{DO_NOT}\s+do|will\s+not\s+(?:eat|touch|have)|never\s+(?:eat|touch|drink|have|use)|refuse\s+to\s+eat|stopped\s+having|gave\s+up|have\s+given\s+up)\s+(?:have\s+)?(?:any\s+)?"
          r"(?P<object>(?:(?:red|cow'?s|raw|fried|spicy|processed|soy|oat|white|refined|fizzy)\s+)?(?:meat|dairy|gluten|lactose|sugar|caffeine|coffee|alcohol|pork|beef|fish|shellfish|seafood|prawns?|nuts|peanuts?|eggs?|milk|wheat|bread|carbs|soya?|soy|sesame|tomatoes|onions?|garlic|mushrooms?|"
          r"food|drinks|chocolate|cheese|lamb|mussels|oysters|strawberries|kiwis?|bananas?|grapefruit|celery|mustard|lupin|honey|rice|pasta|beans|lentils|chickpeas|sweets|booze|beer|wine|soda|takeaways?|crisps)"
          r"(?:(?:,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+)[\w-]+(?:\s\w+)?)*)(?=\s*[,.;!(–-]|\s+(?:because|since|for|as|at|anymore|any\s+more|due|so|but|without|after|with|on|when|ever|in|it|they)\b|$)", several=True, fits=is_food),
    frame("favourite_{noun}", r"(?:^|\bmy\s+)(?:all[- ]time\s+)?favou?rite\s+(?P<noun>(?!thing\b|part\b)\w+)(?:\s+(?:of\s+all\s+time|ever|right\s+now|at\s+the\s+moment|by\s+far))?\s*(?::|-|–|is|are|has\s+to\s+be|would\s+be|must\s+be|was)\s+"
          r"(?:still\s+|definitely\s+|easily\s+|probably\s+)?(?:an?\s+|the\s+)?(?P<object>[^,.;:!?()]+?)(?=\s+(?:by\s+far|because|but|hands\s+down|and\s+(?:I|my)|closely|since|at\s+the\s+moment|right\s+now|followed)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=is_likeable),
    frame("favourite_{noun}", r"^(?P<object>(?!(?:that|this|it|which|what|he|she|they|one)\b)[\w' -]{2,40}?)\s+(?:is|are|has\s+to\s+be)\s+(?:still\s+|easily\s+|definitely\s+)?my\s+(?:absolute\s+|all[- ]time\s+)?favou?rite\s+(?P<noun>(?!thing\b|part\b|of\b)\w+)\b", whole=True, mine=True, fits=is_likeable),
    frame("supports", rf"(?:(?:support|supports|root\s+for)\s+(?P<object>{NAME})){END}", mine=True),
    frame("interested_in", rf"{BE}\s+(?:very\s+|really\s+|quite\s+)?interested\s+in\s+{LIST}", several=True, fits=is_likeable),
    # -- plans -----------------------------------------------------------------------------------
    frame("plans_to", rf"{HAVE}\s+my\s+(?P<object>[^,;:!?]+?)(?=\s+(?:is\s+)?(?:{WHEN}|(?:on\s+|this\s+(?:coming\s+)?)?(?:mon|tues?|wed|wednes|thurs?|fri|sat|satur|sun)(?:day)?\b|the\s+\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d))", mine=True, fits=is_no_dream),
    frame("plans_to", rf"(?=.*\b{WHEN}|.*\b(?:come|over|after|before|at)\s+(?:easter|christmas|october|new\s+year|the\s+(?:summer|holidays|half-term)|half[- ]term|the\s+end\s+of)\b)(?:am|are|is)\s+(?P<object>(?!being|feeling|thinking|working|living|looking|going\s+to\b(?!\s+(?:the\b|(?-i:[A-Z])))|wondering|trying|having\s+(?:trouble|problems|issues)|getting\s+(?:better|worse|tired)|studying|learning|writing|reading|using|not\b|staying\s+in|doing\b|making\b|running\s+(?:late|out))\w+ing\b[^,.;:!?()]*?){PLAN_END}", fits=is_no_dream, called=as_plan),
    frame("plans_to", r"^(?:(?:so\s+)?(?:next\s+\w+|tomorrow|this\s+(?:summer|autumn|fall|winter|spring|weekend|coming\s+\w+)|in\s+(?:the\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)(?:\s+\d{4})?|at\s+the\s+end\s+of\s+\w+|come\s+[\w -]+?|on\s+(?:the\s+)?(?:\d\w*(?:\s+of)?(?:\s+\w+)?|\w+day)|from\s+(?:next\s+\w+|\w+))),?\s+(?:I|we)\s+"
          r"(?:(?:will|am\s+going\s+to|are\s+going\s+to|am|are|finally|plan\s+to|hope\s+to|want\s+to)\s+)*(?P<object>(?!am\b|are\b|was\b|were\b|have\b|had\b|got\b|went\b|did\b|need\b|be\b|will\b|moved\b|started\b|lived\b|worked\b|do\b|can\b|usually\b|always\b|live\b|work\b|\w+ed\b|like\b|love\b|prefer\b|not\b|never\b|would\b|could\b|might\b|feel\b|see\s+you\b|saw\b|met\b|bought\b|turn\s+\d)[a-z]+\b[^,.;:!?()]*?)(?=\s+(?:because|so|but|when|if|which|and\s+then)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=is_no_dream),
    frame("plans_to", rf"(?=.*\b(?:by|before|on|until|in|next|tomorrow)\b)(?:have|need|has|got)\s+to\s+(?P<object>{NO_PLAN}[^,.;:!?()]+?)(?=\s+{WHEN})", fits=is_no_dream),
    frame("plans_to", rf"(?:{HAVE}\s+)?(?:got|bought|booked|have)\s+(?P<object>(?:\w+\s+)?tickets?\s+(?:for|to)\s+[^,.;:!?()]+?){PLAN_END}", fits=is_no_dream),
    frame("plans_to", rf"{BE}\s+(?P<object>(?:seeing|meeting|visiting|having|hosting|due|expecting)\s+[^,.;:!?()]+?)(?=\s+(?:on\s+)?(?:the\s+\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))", fits=is_no_dream, called=as_plan),
    frame("has_goal", r"\bmy\s+(?:\w+\s+)?(?:goal|aim|dream|ambition|new\s+year'?s?\s+resolution|resolution)(?:\s+(?:for|in)\s+(?!this\s+(?:prompt|text|chat|task|essay|conversation))[\w ]+?)?\s+is\s+(?:to\s+)?(?P<object>[^,.;:!?()]+?)(?=\s+(?:because|so|but|when|if|which)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=is_no_dream),
    frame("has_goal", r"(?:am|have\s+been)\s+trying\s+to\s+(?P<object>(?:quit|lose|cut\s+down|save|get\s+(?:fit|in\s+shape|pregnant)|give\s+up|eat\s+(?:less|more|better|healthier)|read\s+more|stop|learn|drink\s+(?:less|more)|conceive|get\s+(?:back\s+)?into)\b[^,.;:!?()]*?)(?=\s+(?:because|so|but|when|if|which|for|since)\b|\s*[,.;:!?()]|$)", fits=is_no_dream),
    frame("has_goal", r"(?:am|are|have\s+been)\s+saving(?:\s+up)?\s+for\s+(?P<object>[^,.;:!?()]+?)(?=\s+(?:because|so|but|when|if|which|since)\b|\s*[,.;:!?()]|$)", fits=is_no_dream),
    frame("plans_to", rf"{BE}\s+planning\s+(?P<object>(?:an?|my|our)\s+(?:\w+\s+)?(?:trip|holiday|wedding|party|move|vacation|honeymoon|road\s+trip|getaway|surprise)\b[^,.;:!?()]*?){PLAN_END}", fits=is_no_dream),
    frame("plans_to", rf"^(?:my|our)\s+(?P<object>(?:flight|train|ferry|bus|coach|plane)(?:\s+to\s+[\w ]+?)?)\s+(?:leaves|departs|goes|takes\s+off)\s+(?=.*\b(?:{WHEN}))", whole=True, mine=True),
    frame("has_goal", r"(?:want|wants|dream\s+of|would\s+(?:like|love))\s+(?:to\s+)?(?P<object>(?:learn(?!\s+(?:more|about|how))|visit|become|move\s+to|travel\s+to|run\s+an?|climb|open\s+an?|adopt|own|visiting|becoming|opening|owning)\s+[^,.;:!?()]*?)(?=\s+(?:because|so|but|when|if|which|before|one\s+day|some\s*day)\b|\s*[,.;:!?()]|$)", fits=is_no_dream, called=infinitive),
    # -- what is over ----------------------------------------------------------------------------
    frame("plays", rf"(?:once\s+)?played\s+(?:the\s+|in\s+)?(?P<object>(?!with\b|a\s+(?:game|trick|prank|part|role)\b|it\b|for\b|against\b|this\b|that\b|some\b)[\w' -]+?)(?=\s+(?:in\s+(?:an?|the)|for|with|at|as|until|till|when|before|from|back|on|to)\b|\s*[,.;]|$)(?=.*\b{_SPENT})", over=True),
    frame("plays", rf"^.*\b{_SPENT}\b.*?\bI\s+played\s+(?:the\s+)?(?P<object>(?!with\b|a\s+(?:game|trick|part|role)\b|it\b|this\b)[\w' -]+?)(?=\s+(?:in|for|with|at|as|until|till|when|before|from|on)\b|\s*[,.;]|$)", whole=True, mine=True, over=True),
    frame("member_of", rf"played\s+[\w' -]+?\s+in\s+(?:an?\s+[\w ]+?\s+(?:called|named)\s+)(?P<object>{PROPER})", over=True),
    frame("member_of", rf"(?:play|plays|sing|sings|drum|drums)\s+(?:[\w' -]+?\s+)?in\s+(?P<object>(?:an?|the|my|our)\s+(?:[\w'-]+\s+){{0,3}}?(?:band|choir|orchestra|quartet|group|trio|ensemble))(?!\s+(?:called|named)){END}"),
    frame("member_of", rf"(?:play|plays|sing|sings|drum|drums)\s+[\w' -]*?in\s+an?\s+[\w -]+?\s+(?:called|named)\s+(?P<object>{PROPER})"),
    frame("owns", rf"used\s+to\s+(?:own|drive(?!\s+an?\s+(?:\w+\s+)?(?:bus|tram|taxi|cab|lorry|train|truck|ambulance|coach|forklift|crane|hgv)\b)|have)\s+(?P<object>(?:an?|two|three)\s+[\w' -]+?){END}", over=True, fits=is_possession),
    frame("practises", rf"(?:{HAVE}\s+)?(?:kicked|packed\s+in|gave\s+up|given\s+up|quit|stopped)\s+(?:the\s+)?(?P<object>(?:fags|cigarettes|ciggies|cigs|weed|booze|gym|running|football|gambling|vaping|smoking|drinking\s+alcohol)){END}", over=True),
    frame("owns", r"had\s+(?P<object>(?:an?|two|three)\s+[\w' -]+?)(?=\s+(?:when\s+I\s+was|as\s+a\s+(?:kid|child|boy|girl|teenager)|years\s+ago|back\s+in|growing\s+up|in\s+(?:the\s+\w+ties|my\s+\w+ties|college))\b)", over=True, fits=is_possession),
    frame("works_as", rf"used\s+to\s+(?P<object>(?:teach|drive\s+(?:an?\s+)?(?:bus|taxi|lorry|cab|truck|ambulance)s?)\b[\w -]*?){END}", over=True, fits=has_occupation, called=occupation),
    frame("member_of", rf"(?:am|is|are)\s+in\s+an?\s+(?:[\w-]+\s+)?(?:band|choir|orchestra|quartet|club|group|troupe)\s+(?:called|named)\s+(?P<object>{PROPER})"),
    frame("member_of", rf"plays?\s+(?:[\w-]+\s+)?for\s+(?P<object>{NAME})(?=\s*[,.;]|$)"),
    frame("owns", rf"{HAVE}\s+(?:had|owned)\s+(?:my|our|this|the)\s+(?P<object>[\w' -]+?)(?=\s+(?:since|for)\b)", fits=is_possession),
    # -- what somebody has -----------------------------------------------------------------------
    frame("owns", r"^my\s+(?:phone|mobile|car|bike|laptop|computer|guitar|camera|watch|van|motorbike|motorcycle|tablet|piano|telescope|drone|printer|router|console|e-?bike|truck|boat|sewing\s+machine|amp|bass|keyboard|headphones)\s+(?:is|are)\s+(?:an?\s+|the\s+|my\s+)?(?:old\s+|new\s+|second-?hand\s+)*"
          r"(?P<object>(?:\d{4}\s+)?(?=[\w' -]*(?-i:[A-Z])|\w*\d)[\w' -]+?)(?=\s*[,.;!(]|\s+(?:and|but|with|from|which|that|so)\b|$)", whole=True, mine=True),
    frame("owns", r"^(?:my|our|the(?=\s+(?:old\s+|new\s+|\d{4}\s+)?(?:(?-i:[A-Z])|volvo|skoda|toyota|honda|ford|fiat|vw|golf|polo|audi|bmw|merc|tesla|nissan|mazda|kia|hyundai|peugeot|renault|vauxhall|corsa|subaru|series\s+\w+\s+(?-i:[A-Z]))))\s+(?:(?:old|new|trusty|ancient|beloved|poor|elderly|second-?hand|little|ageing|battered|knackered)\s+)*(?P<object>(?:\d{4}\s+)?[\w' -]+?)(?=\s+(?:that\s+)?(?:is|has(?!\s+(?:died|been\s+(?:stolen|scrapped|written\s+off)))|had|will|does|would|keeps?|broke|needs?|failed|makes?|started|stopped|runs?|just|got(?!\s+(?:stolen|scrapped|written\s+off))|says?|shows?|still|starts?|crashe[sd]|cannot|refuses|I\s+drive)\b|'s\s+(?:failed|broken|got|in|making|been|still|stopped|due))", whole=True, mine=True, fits=is_possession),
    frame("owns", rf"(?:(?:{HAVE}\s+)?(?:just\s+)?(?:bought)|got|(?:{HAVE}\s+)?(?:inherited|picked\s+up|treated\s+myself\s+to|upgraded\s+to|switched\s+to|ended\s+up\s+with|purchased|acquired))\s+(?:myself\s+|ourselves\s+)?(?P<object>(?:an?|my|our|two|three|the\s+new)\s+[^,.;:!?()]+?){END}", fits=is_possession),
    frame("owns", rf"(?:{HAVE}\s+)?inherited\s+(?P<object>(?:an?|my|our|his|her|the|two)\s+[^,.;:!?()]+?)(?=\s+(?:from|when|after|last|and|but|in)\b|\s*[,.;]|$)"),
    frame("has", rf"(?:only\s+)?{HAVE}\s+(?:got\s+)?(?:only\s+)?(?P<object>(?:(?:an?|one|two|three|four|five|six|\d+|my|our|the)\s+)(?:(?!to\b|been\b)[\w'-]+\s+){{0,4}}?[\w'-]+(?:\s+and\s+an?\s+[\w-]+)?)(?=\s+(?:but|who|that|which|in|at|with|since|for|from|so|because|as|on|now|these|outside|until|till|instead)\b|\s*[.,;:!?()–—]|\s+-\s|$)", several=True, fits=is_possession),
    frame("drives", rf"(?:drive|drives|ride|rides|driving|riding)\s+an?\s+(?:old\s+|new\s+|second-?hand\s+|little\s+)*{THING}", fits=lambda o: is_possession(o) or has_capital(o)),
    frame("uses", rf"(?:use|uses|using|run|runs|running|{BE}\s+on)\s+(?P<object>(?:linux|ubuntu|debian|fedora|arch|windows(?:\s+\d+)?|mac\s?os|vim|neovim|emacs|vs\s?code|android|(?:an?\s+)?iphone|obsidian|notion|excel|photoshop|figma|blender|python|rust|todoist|lightroom|ableton|duolingo|strava|garmin)){END}"),
    # -- habits ----------------------------------------------------------------------------------
    frame("practises", rf"(?:usually\s+|always\s+|normally\s+|tend\s+to\s+|try\s+to\s+)?(?P<object>{_DONE}\b(?!\s+(?:you|me|it|this|that|them)\b)[^,.;:!?()]*?)\s+(?:at\s+(?:about\s+)?[\d:]+\s?(?:am|pm)?\s+)?{_FREQUENTLY}(?=\W|$)", fits=_no_stop, called=as_activity),
    frame("practises", rf"^(?:on\s+|most\s+|every\s+|each\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|day|morning|evening|night|week|mornings|evenings|nights|summer|winter|year)\b[^,.;]*?,?\s+(?:I|we)\s+(?:usually\s+|always\s+|like\s+to\s+)?(?P<object>{_DONE}\b[^,.;:!?()]*?)(?=\s+(?:because|but|so|with|and\s+I)\b|\s*[,.;:!?()]|$)", whole=True, mine=True, fits=_no_stop, called=as_activity),
    frame("practises", rf"(?:{HAVE}\s+)?(?:started|taken\s+up|took\s+up|got\s+into|gotten\s+into)\s+(?P<object>(?:(?!working|living|thinking|feeling|using|getting|having|being|to\b|learning|building|writing|reading)\w+ing|yoga|pilates|karate|judo|crossfit|tai\s+chi|boxing|pottery|knitting|tennis|padel|golf)(?:\s+(?:lessons|classes|class))?){END}", fits=is_likeable),
    frame("practises", rf"(?:{BE}\s+|{HAVE}\s+been\s+)?(?P<object>(?:keep|keeps|keeping)\s+(?:an?\s+)?(?:[\w-]+\s+)?(?:journal|diary)){END}"),
    frame("owns", rf"(?:{BE}\s+|{HAVE}\s+been\s+)?(?:keep|keeps|keeping)\s+(?P<object>(?:[\w-]+\s+)?(?:bees|chickens|hens|ducks|goats|sheep|alpacas|pigeons|reptiles|tropical\s+fish|koi)){END}"),
    frame("practises", rf"(?:{BE}\s+|{HAVE}\s+been\s+)?(?:do|does|doing|practi[sc]e|practi[sc]es|enjoy|practi[sc]ing)\s+(?:a\s+(?:bit|lot)\s+of\s+|some\s+|competitive\s+|amateur\s+)*(?P<object>(?:cycling|running|hiking|swimming|climbing|bouldering|gardening|birdwatching|baking|knitting|fishing|surfing|skiing|rowing|sailing|boxing|kickboxing|taekwondo|aikido|karate|judo|jiu[- ]?jitsu|bjj|capoeira|fencing|archery|pottery|calligraphy|woodwork(?:ing)?|photography|ballroom|salsa|tango|ballet|gymnastics|weightlifting|powerlifting|triathlons?|parkour|crossfit|geocaching|origami|cross[- ]stitch|embroidery|crochet|improv|korfball|tai\s+chi|qigong|pilates|yoga|stand-?up|amateur\s+dramatics|wild\s+swimming|open[- ]water\s+swimming|trail\s+running|spin(?:ning)?(?:\s+classes)?)){END}"),
    frame("plays", rf"{BE}\s+(?:an?\s+)?(?:left[- ]handed\s+|keen\s+|amateur\s+|jazz\s+)*(?P<object>drummer|pianist|guitarist|violinist|cellist|bassist|goalkeeper|saxophonist|trumpeter)\b"),
    frame("commutes_by", r"(?:commute|commutes|get\s+to\s+work|go\s+to\s+work|travel\s+to\s+work)\s+(?:by|on|via)\s+(?:the\s+)?(?P<object>bike|bicycle|train|bus|car|tram|ferry|tube|metro|scooter|foot|subway|e-?bike|motorbike)\b"),
    frame("commutes_by", r"(?P<object>cycle|bike|walk|drive)s?\s+to\s+(?:work|the\s+office)\b"),
    frame("practises", rf"(?P<object>(?:collect|collects)\s+(?!data\b|info|the\b|my\b|our\b|feedback\b|it\b|them\b)[\w' -]+?){END}"),
    frame("practises", rf"(?P<object>(?:make|makes|brew|brews|grow|grows|bake|bakes|roast|roasts|sew|sews)\s+(?:my|our|their|his|her)\s+own\s+[\w -]+?){END}"),
    frame("believes", rf"believes?\s+in\s+{THING}", fits=is_likeable),
    # -- who somebody is -------------------------------------------------------------------------
    frame("nationality", rf"{BE}\s+(?:half|part)[ -](?P<object>(?-i:[A-Z]\w+))(?=\s*[,.;!]|\s+(?:and|but|by|so|half|part)\b|$)", fits=lambda o: any(is_demonym(word) for word in o.split())),
    frame("nationality", rf"{BE}\s+an?\s+(?P<object>(?-i:[A-Z]\w+))\s+(?:citizen|national|expat|living|guy|girl|woman|man|immigrant|student|nurse|teacher|in\s+(?-i:[A-Z]))", fits=is_demonym),
    frame("nationality", rf"{BE}\s+(?P<object>(?-i:[A-Z]\w+))\s+(?:living|from|working|with|who|in|citizen|based|on)\b", fits=is_demonym),
    frame("native_language", r"my\s+(?:first|native)\s+language\s+is\s+(?P<object>(?-i:[A-Z])\w+)", whole=True, mine=True),
    frame("native_language", r"my\s+mother\s+tongue\s+is\s+(?P<object>(?-i:[A-Z])\w+)", whole=True, mine=True),
    frame("speaks", r"(?:am\s+(?:fluent|conversational)\s+in|am\s+a\s+native)\s+(?P<object>(?-i:[A-Z]\w+)(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?-i:[A-Z]\w+))*)", several=True),
    frame("height", r"(?:am|is)\s+(?P<object>\d\s?(?:ft|foot|feet|')\s?\d{0,2}|\d[.,]\d\d\s?m|1\d\d\s?cm)(?:\s+tall)?\b"),
    frame("weight", r"weighs?\s+(?P<object>\d+(?:\.\d+)?\s?(?:kgs?|kilos|stone|lbs?|pounds))\b"),
    frame("{noun}", r"\bmy\s+(?P<noun>shoe\s+size|dress\s+size|ring\s+size|star\s+sign|postcode|zip\s+code|time\s?zone|locker\s+code|wifi\s+password|wi-fi\s+password|blood\s+pressure|starsign)\s+is\s+(?P<object>[^,;:!?]+?)(?=\s+(?:and|but|so)\b|\s*[,;:!?]|$)", whole=True, mine=True),
    frame("born_in", rf"was\s+born\s+(?:on\s+[\w ]+?\s+)?in\s+(?P<object>{NAME})"),
    frame("birthday", r"my\s+birthday\s+is\s+(?:on\s+)?(?P<object>christmas\s+(?:day|eve)|new\s+year'?s\s+(?:day|eve)|valentine'?s(?:\s+day)?)", whole=True, mine=True),
    frame("died_on", r"(?:died|passed(?:\s+away)?)\s+(?:(?:in|on)\s+)?(?P<object>(?<=in\s)[\w ]+|(?<=on\s)[\w ]+|last\s+(?:year|month|week|spring|summer|autumn|winter)|(?:\w+\s+){1,2}years?\s+ago|yesterday)(?=\s*[,.;]|\s+(?:of|from|and|after|but|so)\b|$)"),
)  # fmt: skip
