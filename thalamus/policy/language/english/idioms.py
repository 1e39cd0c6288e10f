"""English idioms as plain statements: "nothing beats rice pudding" is "I love rice pudding".

What somebody likes, cannot eat or has an appointment for is said in many ways that have nothing in
common but their meaning, often without an "I". Each is put into plain words before it is read.
"""

from __future__ import annotations

import re

from thalamus.policy.language.english.words import DAY, EVENT, KIN_WORD, KIND, NAME, WHEN
from thalamus.policy.language.patterns import LazyPattern

_FOOD = r"(?P<x>(?!(?:it|that|this|them|thanks|more|way|thank)\b)[a-z][\w-]*(?:\s(?!for\b|please\b)[a-z][\w-]*)?)"
_ALLERGIC = r"(?:because\s+|as\s+|since\s+|and\s+|but\s+|so\s+)?(?:I\s+am|we\s+are)\s+(?:\w+ly\s+)?(?:allergic|anaphylactic)(?:\s+to\s+(?:it|them|those|that))?"
_PLEASE = r"(?:,?\s+(?:please|thanks|thank\s+you|sadly|sorry|pls))*,?\s+"
_LIKED_TOPIC = r"^(?P<x>[\w'-]+(?:\s[\w'-]+){0,2}):\s+"
_NOT = r"(?:(?:no\s+thanks?(?:\s+you)?,?\s+)?not\s+(?:really\s+)?(?:my\s+(?:thing|cup\s+of\s+tea|style|bag)|for\s+me)|(?:I\s+)?(?:\w+ly\s+)?(?:hate|loathe|detest|cannot\s+stand)\s+(?:them|it)|never\s+liked|whoever\s+(?:invented|came\s+up\s+with)\s+(?:them|it|those|that)\b(?!.*\b(?:genius|hero|medal|saint|thank)))"
_HOUR = r"(?:\d{1,2}(?:[:.]\d\d)?(?:\s?(?:am|pm|o'clock))?|midnight|noon|dawn|half\s+past\s+\w+|(?:one|two|three|four|nine|ten|eleven|twelve)\b)"
_PLACE_OF_MINE = r"(?:my|our)\s+(?:[\w-]+\s+)?(?:shelf|shelves|bookshelf|bookcase|garage|garden|house|flat|attic|loft|basement|cellar|shed|driveway|living\s+room|bedroom|walls?|yard|balcony|study)"

# "seventieth birthday"
_NTH = r"(?:(?:big\s+)?(?:\d+(?:st|nd|rd|th)|[\w-]*(?:first|second|third|th))\s+)?"

# who is whose, where one lived, what one cannot eat
_TURNS = (
    # -- who somebody is -------------------------------------------------------------------------
    (rf"^my\s+name\s+is\s+(?P<x>{NAME}),\s+(?=(?:an?\s+)?(?:retired|former|\d\d\b|[a-z][\w-]+(?:\s[a-z][\w-]+)?\s+(?:from|in|at)\b))", r"I am \g<x>, "),
    (r"^(?:an?\s+)?(?P<x>(?:freelance|trainee|junior|senior|part-time|student|apprentice|self-employed)\s+(?:[a-z-]+\s+){0,2}?[a-z-]+(?:er|or|ist|ian|nurse|cook|chef|clerk|vet))\s+here\b", r"I am a \g<x>"),
    (rf"^(?:my\s+)?(?P<k>mum|mom|dad|hubby|wife|husband|gran|grandma|grandad|brother|sister|daughter|son)'s\s+(?:name\s+)?is\s+(?P<x>{NAME})$", r"my \g<k>'s name is \g<x>"),
    *(
        (rf"^my\s+{KIND}(?:sister|brother|sister-in-law|brother-in-law)(?:\s+{NAME})?(?:\s+and\s+(?:her|his)\s+\w+)?\s+(?:has\s+|have\s+)?(?:just\s+)?(?:had|gave\s+birth\s+to|given\s+birth\s+to|welcomed|adopted)\s+an?\s+(?:\w+\s+)?(?:{child})\b[^.;]*?\b(?:named|called|calling|naming|is\s+called)\s+(?:him\s+|her\s+|it\s+)?(?P<x>{NAME})", rf"my {kin} \g<x> was born")
        for kin, child in (("nephew", "boy|son"), ("niece", "girl|daughter"))
    ),
    (rf"^(?P<n>{NAME})'s\s+{_NTH}birthday\s+is\s+(?:on\s+)?(?:the\s+)?(?={DAY})", r"\g<n> has a birthday on "),
    (rf"^my\s+(?P<k>{KIND}(?:{KIN_WORD})(?:\s+{NAME})?)'s\s+{_NTH}birthday\s+is\s+(?=in\s)", r"my \g<k> has a birthday "),
    (rf"^my\s+(?P<k>{KIND}(?:{KIN_WORD})(?:\s+{NAME})?)'s\s+{_NTH}birthday\s+is\s+(?:on\s+)?(?:the\s+)?", r"my \g<k> has a birthday on "),
    *((rf"^{whose}\s+{_NTH}birthday\s+is\s+(?:on\s+)?(?:the\s+)?(?={DAY})", f"{who} has a birthday on ") for whose, who in (("his", "he"), ("her", "she"))),
    # -- what somebody else has in the diary -----------------------------------------------------
    (rf"^(?P<n>(?:my|our)\s+{KIND}(?:{KIN_WORD})(?:\s+{NAME})?)'s?\s+(?P<x>(?:(?!birthday\b)[\w-]+\s+){{0,3}}?(?!birthday\b){EVENT})\s+(?:is|will\s+be)\s+(?=(?:on|in|at|next|tomorrow|this)\b)(?=(?:.*\s)?{WHEN})", r"\g<n> has a \g<x> "),
    # -- deadlines -------------------------------------------------------------------------------
    (r"^(?:the\s+)?(?:deadline|due\s+date)\s+(?:for|of)\s+(?P<x>(?:my|our)\s+[\w' -]+?)\s+is\s+(?:on\s+)?(?=the\s|\d|(?-i:[A-Z]))", r"\g<x> is due on "),
    (r"^(?:my|our)\s+(?P<x>(?!next\b|first\b|last\b)[\w-]+(?:\s[\w-]+)?)\s+(?:deadline|due\s+date)\s+is\s+(?:on\s+)?(?=the\s|\d|(?-i:[A-Z]))", r"my \g<x> is due on "),
    (r"^(?:my|our)\s+deadline\s+for\s+(?:the\s+|my\s+|our\s+)?(?P<x>[\w' -]+?)\s+is\s+(?:on\s+)?(?=the\s|\d|(?-i:[A-Z]))", r"my \g<x> is due on "),
    # -- homes and jobs --------------------------------------------------------------------------
    (r"^(?:my\s+|our\s+)?(?:new\s+|current\s+)?address(?:\s+(?:from|as\s+of)\s+(?:today|now\s+on|now|tomorrow))?(?:\s+is)?\s*:\s*", "my address is "),
    (r"^my\s+(?:old|last|previous|former|first)\s+job\s+was\s+(?:at|with|for|in)\s+", "I used to work at "),
    (r"^my\s+(?:old|last|previous|former|first)\s+job\s+was\s+(?:being\s+|as\s+)?(?=an?\s)", "I used to work as "),
    # -- what somebody has and does --------------------------------------------------------------
    (rf"^(?:there\s+)?(?:is|are)\s+(?P<x>(?:an?|two|three|four|five|six|about\s+\d+|over\s+\d+|\d+)\s+(?!(?:wasp|spider|mouse|fly|leak|noise|smell|draught|bug|error|file|problem|issue|typo|folder|function|test|hole|crack)s?\b)[\w' -]+?)\s+(?P<y>(?:on|in|under|at)\s+{_PLACE_OF_MINE})", r"I have \g<x> \g<y>"),
    (rf"\bnever\s+(?P<x>go\s+to\s+(?:bed|sleep)|get\s+up|wake\s+up|leave\s+work|get\s+home|eat\s+(?:breakfast|dinner|lunch))\s+before\s+(?={_HOUR})", r"\g<x> after "),
    (r"^(?P<x>(?:by|before|within)\s+(?:(?:the\s+)?end\s+of|next|christmas|easter|summer|winter|spring|autumn|20\d\d|age|my\s+\d+\w*|the\s+(?:summer|winter|spring|autumn|holidays)|(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:a|two|three|five|ten|\d+)\s+(?:years?|months))\b[\w ]*?),?\s+(?P<w>I|we)\s+(?:want|would\s+like|hope|aim|intend|plan)\s+to\s+(?:be\s+able\s+to\s+)?", r"\g<w> am planning to "),
    # -- tastes and what is not eaten ------------------------------------------------------------
    (r"^(?P<w>I|we)\s+(?:(?:can\s+)?(?P<e>eat|drink)|can\s+have)\s+(?:[\w-]+\s+){1,3}but\s+(?:not|no|never)\s+(?P<x>[\w-]+(?:\s[\w-]+)?(?:\s+(?:or|and)\s+[\w-]+)?)$", r"\g<w> avoid \g<x>"),
    (rf"^(?:please\s+)?no\s+{_FOOD}\s+for\s+(?:me|us){_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"^(?:I|we)\s+(?:love\s+\w+\s+but|cannot\s+(?:eat|have|touch|go\s+near)|do\s+not\s+(?:eat|have)|avoid|have\s+to\s+avoid|never\s+eat)\s+{_FOOD}{_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"^(?:please\s+)?(?:leave\s+out|hold|skip|keep)\s+the\s+{_FOOD}(?:\s+away\s+from\s+me)?{_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"{_LIKED_TOPIC}{_NOT}.*$", r"I dislike \g<x>"),
    (rf"{_LIKED_TOPIC}(?:I\s+)?(?:\w+ly\s+)?(?:love|adore)\s+(?:them|it)\b.*$", r"I love \g<x>"),
    (rf"{_LIKED_TOPIC}whoever\s+(?:invented|came\s+up\s+with)\s+(?:them|it|those|that)\b.*$", r"I love \g<x>"),
    (r"^give\s+me\s+(?P<x>(?!(?:the|that|this|these|your|it|one|more\s+time|a\s+(?:minute|second|moment|chance|hint|list|call|number|name))\b)[^.;:!?]+?),?\s+and\s+I\s+am\s+(?:the\s+happiest\b.*|happy|in\s+heaven|content|a\s+happy\s+\w+|happy\s+(?:as|for)\b.*)$", r"I love \g<x>"),
    (r"^(?:out\s+)?of\s+(?:my|our|all\s+(?:my|our|the))\s+[\w ]+?,?\s+(?:I|we)\s+(?:like|love)\s+(?P<x>(?!(?:the\s+)?(?:first|second|third|last|other|latter|former)\b)[\w' -]+?)\s+(?:the\s+)?(?:best|most)\b", r"I prefer \g<x>"),
)  # fmt: skip

# a thing that lasts, not what a pronoun of the conversation stands for ("that's not my thing")
_NO_THING = (
    r"(?!\d{1,2}(?:[:.]\d\d)?\s*(?:o'clock|am|pm|h)\b|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight)\b)(?!(?:I|we|you|he|she|it|they|there|here|this|that|these|those|what|which|who|how|why|where|when|if|your|his|her|"
    r"their|its|my|our|mine|everything|nothing|something|anything|all|one|none|some|neither|so|not|no|but|and|or|because|"
    r"let|please|me|us|them|him|is|are|was|the\s+(?:first|second|third|last|next|other|rest|way|idea|list|answer|"
    r"suggestion|recipe|plan|version|story|poem|text|only|one|thing|film|movie|book|song|code|result))\b)"
)
_THING = rf"(?P<x>{_NO_THING}(?!(?:up|out|still|upright|level|down|straight|past|page|step)\b)[\w&][\w'&/-]*(?:\s+(?!(?:is|are|was|were|I|you|we|they|which|that|who)\b)[\w'&/-]+){{0,5}}?)"
_SO = (
    r"(?:(?:just|really|so|absolutely|totally|definitely|simply|always|still|honestly|very|quite|rather|utterly|truly|"
    r"way|much|kind\s+of|sort\s+of|a\s+bit|completely|never|all|pretty|properly|somehow|normally|usually)\s+)*"
)
_IS = r"(?:is|are|'s|'re)"
_END = r"(?=\s*(?:[,.;:!–(]|$)|\s+(?:but|and|because|since|though|although|anyway|tbh|lol|at\s+all|to\s+be\s+honest|in\s+general|either|really|for\s+sure|hands\s+down|if\s+I)\b)"
_FOR_ME = r"(?:\s+(?:for|to|with)\s+me)?"
_I = r"(?:(?:I|we)\s+)?"
_AM = r"(?:(?:I|we)\s+(?:am|are|have\s+been)\s+)?"
_BIG = r"(?:(?:big|huge|massive|total|real|avid|proper|serious|absolute|great|complete|such|an?|much\s+of\s+an?)\s+)*"
_FAN = r"(?:fan|lover|person|girl|guy|fanatic|addict|nut|freak|nerd|geek|junkie|enthusiast|obsessive|drinker|eater)"
_SIDE = (  # "more of a cat person"
    r"(?P<x>cat|dog|tea|coffee|wine|beer|cider|whisky|gin|beach|mountain|city|country|book|film|savou?ry|sweet|salty|morning|night|"
    r"summer|winter|autumn|spring|indoor|outdoor|android|iphone|apple|mac|windows|pc|vinyl|paper|cake|pie|chocolate|crisps|bath|shower|"
    r"train|bike|rock|jazz|classical|hot\s+chocolate|horse|bird|plant|pizza|pasta|rice|potato|pancake|waffle|cinema|theatre|sea|lake)"
)
_PERSON = r"(?:person|girl|guy|man|woman|gal|type|lover|drinker|kind\s+of\s+(?:person|guy|girl))"
_BAD = (
    r"(?:gross|disgusting|vile|awful|horrible|revolting|boring|overrated|unbearable|nasty|rank|minging|rubbish|terrible|"
    r"repulsive|foul|tedious|dull|insufferable|grim|yuck|yucky|nope|a\s+nope|hell|torture|evil|bland|the\s+(?:worst|devil)|"
    r"a\s+(?:hard\s+)?(?:no|nope|nightmare|turn-?off)(?!-)(?!\s+go\b))"
)
_GREAT = (
    r"(?:the\s+best(?:\s+thing\s+ever)?|amazing|delicious|heaven|bliss|life|everything|brilliant|magic|the\s+bomb|"
    r"my\s+(?:jam|thing|favou?rite|fave|happy\s+place|guilty\s+pleasure|comfort\s+food|go-to|weakness|passion|life|"
    r"cup\s+of\s+tea|first\s+love|love\s+language|obsession|idea\s+of\s+(?:heaven|bliss|a\s+good\s+time|fun)))"
)
_SWELLS = (
    r"(?:(?:makes?|made)\s+my\s+(?:throat|tongue|lips|face|mouth|eyes|skin)\s+(?:swell|close|itch|tingle|puff|burn|go|come)\w*(?:\s+(?:up|out|shut|red|numb))?"
    r"|(?:gives?|gave)\s+me\s+(?:an?\s+|the\s+|terrible\s+|bad\s+|awful\s+|itchy\s+)*(?:hives|rash|anaphyla\w+|swollen\s+\w+|eczema)"
    r"|(?:brings?|brought|breaks?)\s+me\s+out\s+in\s+(?:hives|an?\s+(?:\w+\s+)?rash|spots|lumps)|(?:makes?|made)\s+me\s+(?:come\s+out\s+in|break\s+out)\b[\w ]*"
    r"|(?:sends?|sent|puts?|landed)\s+me\s+(?:in|to|into)\s+(?:the\s+)?(?:hospital|a\s*&\s*e|anaphyla\w+|er|emergency)\b)"
)
_IF_I = r"(?:if|when(?:ever)?|every\s+time|as\s+soon\s+as)\s+I\s+(?:(?:so\s+much\s+as|even)\s+)?(?:eat|have|touch|drink|take|look\s+at|get\s+near|smell)(?:\s+any)?"
_DEGREE = (
    r"(?:phd|ph\.d\.?|doctorate|masters?(?:'s|')?|m\.?sc|ma|b\.?a|b\.?sc|mba|meng|llb|bachelors?(?:'s|')?|degree|a[ -]?levels?|gcses?|"
    r"apprenticeship|diploma|hnd|hnc|postgrad|undergrad|phd\s+thesis|dissertation|thesis|btec|nvq|pgce|foundation\s+(?:degree|course))(?:\s+degree)?"
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|final|last|1st|2nd|3rd|\d+th)"
_YEARS = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|a\s+few|a\s+couple\s+of|several|many)"
# what stands in a diary, besides what ``EVENT`` names
_DATED = (
    rf"(?:{EVENT}|dentist|doctors?|doctor's|gp|physio|optician'?s?|vet|vets|haircut|hairdresser|barber|mot|parents'?\s+evening|funeral|"
    r"christening|baptism|bar\s+mitzvah|dinner|lunch|brunch|drinks|date|train|ferry|school\s+play|sports\s+day|open\s+day|"
    r"orthodontist|hygienist|chiropodist|blood\s+test|smear|jab|vaccination|booster|injection|biopsy|colonoscopy|ultrasound|"
    r"gastroscopy|consultation|barbecue|bbq|baby\s+shower|hen\s+do|stag\s+do|housewarming|rehearsal|tournament|driving\s+lesson|"
    r"half\s+marathon|10k|5k|parkrun|retreat|festival|court\s+date|interview|review|assessment|induction|moving\s+day|christmas\s+do|"
    r"cardiologist|dermatologist|gyn(?:a)?ecologist|neurologist|oncologist|specialist|consultant|midwife|counsellor|therapist|solicitor|"
    r"plumber|electrician|boiler\s+service|delivery|yoga\s+retreat|cruise|service|finals|submission|thesis\s+defen[cs]e)"
)
_DAY = r"(?:mon|tues?|wed|wednes|thurs?|fri|sat|satur|sun)(?:day)?"
_ON_DAY = rf"(?:{WHEN}|(?:on\s+|this\s+|this\s+coming\s+|next\s+)?{_DAY}\b|the\s+\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d)"
_SPORT = {
    "cyclist": "cycling", "runner": "running", "hiker": "hiking", "swimmer": "swimming", "climber": "climbing",
    "reader": "reading", "gardener": "gardening", "gamer": "gaming", "birdwatcher": "birdwatching", "birder": "birdwatching",
    "baker": "baking", "cook": "cooking", "knitter": "knitting", "angler": "fishing", "photographer": "photography",
    "surfer": "surfing", "skier": "skiing", "walker": "walking", "skater": "skating", "dancer": "dancing", "rower": "rowing",
    "sailor": "sailing", "traveller": "travelling", "quilter": "quilting", "golfer": "golf", "potter": "pottery",
    "bouldering": "bouldering", "astronomer": "astronomy", "beekeeper": "beekeeping", "forager": "foraging",
}  # fmt: skip
_KEEN = r"(?:(?:keen|avid|passionate|amateur|hobby|enthusiastic|weekend|regular|big|obsessive|recreational|lifelong|serious|casual)\s+)+"

_LIKES = (
    rf"^(?:for\s+me[,\s]+)?nothing(?:,\s+and\s+I\s+mean\s+nothing,)?\s+(?:beats|tops|compares\s+to|comes\s+close\s+to|is\s+better\s+than)\s+{_THING}{_END}",
    rf"^there\s+is\s+nothing\s+(?:better|nicer|I\s+(?:love|like)\s+more)\s+than\s+{_THING}{_END}",
    rf"^you\s+(?:cannot|can\s+never)\s+(?:beat|go\s+wrong\s+with)\s+{_THING}{_END}",
    rf"^{_I}(?:cannot|could\s+never|could\s+not)\s+(?:get\s+enough\s+of|live\s+without|say\s+no\s+to|resist|start\s+(?:the|my)\s+day\s+without|function\s+without|do\s+without)\s+{_THING}{_END}",
    rf"^{_I}(?:live\s+for|swear\s+by|dig|go\s+mad\s+for|go\s+crazy\s+for)\s+{_THING}{_END}",
    rf"^(?:I|we)\s+would\s+(?:kill|die|crawl\s+over\s+(?:broken\s+)?glass|do\s+anything|walk\s+miles|sell\s+my\s+\w+)\s+for\s+{_THING}{_END}",
    rf"^{_THING}(?:\s+on\s+the\s+other\s+hand)?,?\s+(?:I|we)\s+would\s+(?:kill|die|crawl\s+over\s+(?:broken\s+)?glass|do\s+anything)\s+for{_END}",
    rf"^{_I}(?:am\s+)?an?\s+(?:real\s+|total\s+|complete\s+|absolute\s+)?sucker\s+for\s+{_THING}{_END}",
    rf"^{_I}have\s+(?:got\s+)?(?:an?\s+)?(?:real\s+|massive\s+|huge\s+|big\s+|total\s+|bit\s+of\s+an?\s+|serious\s+|slight\s+|unhealthy\s+)*(?:soft\s+spot|weakness|thing|passion|obsession|love|fondness|addiction)\s+(?:for|to|with|about)\s+{_THING}{_END}",
    rf"^{_AM}(?:(?:completely|totally|slightly|a\s+bit|utterly|so|really|low-?key)\s+)*(?:obsessed\s+with|hooked\s+on|addicted\s+to|mad\s+(?:for|about)|crazy\s+about|nuts\s+(?:about|for)|in\s+love\s+with|partial\s+to|passionate\s+about|very\s+into|big\s+into|super\s+into|well\s+into)\s+{_THING}{_END}",
    rf"^{_THING}\s+(?:does\s+it|do\s+it)\s+for\s+me{_END}",
    # a day or a time that suits is nothing that somebody likes
    rf"^(?!.*\b(?:\d+|\w+day|\w+days|tomorrow|noon|mornings?|evenings?|week\w*|o'clock|past)\b){_THING}\s+works?\s+for\s+me{_END}",
    rf"^{_THING}\s+(?:gives?|gave)\s+me\s+(?:goosebumps|the\s+chills|life|joy|so\s+much\s+joy|energy){_END}",
    rf"^{_THING}\s+(?:makes?|made)\s+me\s+(?:so\s+|very\s+|really\s+)?(?:happy|smile|feel\s+(?:alive|calm|at\s+home|at\s+peace)){_END}",
    rf"^{_THING}\s+(?:calms?|relaxes|soothes?|cheers)\s+me(?:\s+(?:down|up))?{_END}",
    rf"^{_THING}\s+{_IS}\s+{_SO}{_GREAT}{_FOR_ME}{_END}",
    rf"^{_THING}\s+all\s+the\s+way{_END}",
    rf"^team\s+{_THING}(?:\s+(?:here|all\s+the\s+way))?$",
    rf"^{_THING}\s+{_FAN}\s+here{_END}",
    rf"^{_AM}{_BIG}(?P<x>(?!more\b|much\b|not\b|big\b|huge\b|the\b|no\b|an?\b|your\b|his\b|her\b|real\b|good\b|great\b)[a-z-]+(?:\s[a-z-]+)?)\s+(?:fan|lover|fanatic|addict|nut|freak|geek|junkie|enthusiast){_END}",
    rf"^{_I}(?:enjoy|like|love)\s+(?:very\s+much|so\s+much|a\s+lot|more\s+and\s+more|too\s+much)\s+(?:the\s+|to\s+)?{_THING}{_END}",
    rf"^(?:I|we)\s+(?:have\s+)?(?:always\s+)?(?:loved|adored|grown\s+to\s+(?:love|like)|come\s+to\s+(?:love|like)|fallen\s+in\s+love\s+with|got\s+(?:really\s+|totally\s+)?into|gotten\s+(?:really\s+)?into|taken\s+a\s+liking\s+to)\s+{_THING}(?=\s+(?:since|lately|recently|all\s+my\s+life)\b|{_END})",
    rf"^{_I}love\s+an?\s+(?:good|nice|proper|decent|cheeky)\s+{_THING}{_END}",
    rf"^{_I}could\s+(?:happily\s+)?(?:eat|drink|watch|listen\s+to|play|live\s+on|look\s+at|talk\s+about|read)\s+{_THING}\s+(?:all\s+(?:day|night|week)|for\s+(?:hours|ever|days|every\s+meal|breakfast|the\s+rest)|every\s+(?:single\s+)?(?:day|night|week)|forever|until|non-?stop|24/7)\b.*$",
    rf"^(?:my\s+)?(?:favou?rite|fave)\s+(?:thing|food|drink|dish|meal|snack|pastime|hobby|treat)\s+(?:ever\s+|of\s+all\s+time\s+|in\s+the\s+world\s+)?(?:has\s+to\s+be|would\s+be|must\s+be|will\s+always\s+be)\s+{_THING}{_END}",
    rf"^my\s+(?:favou?rite\s+)?(?:hobby|hobbies|pastime|main\s+hobby|big\s+hobby|interests?)\s+(?:is|are)\s+{_THING}{_END}",
    rf"^{_I}(?:have\s+)?been\s+(?:bingeing|binging|binge-watching|loving|devouring|really\s+enjoying|enjoying)\s+{_THING}(?=\s+(?:while|lately|recently|on|all|again|since|at)\b|{_END})",
)  # fmt: skip
_DISLIKES = (
    rf"^{_THING}\s+(?:is|are|was|were|have|has)\s+(?:never\s+been\s+|not\s+){_SO}(?:my\s+(?:thing|cup\s+of\s+tea|bag|jam|style|scene|favou?rite|vibe|idea\s+of\s+(?:fun|a\s+good\s+time))|for\s+me|something\s+I\s+(?:like|enjoy)){_END}",
    rf"^neither\s+(?:is|are)\s+{_THING}{_END}",
    rf"^{_I}(?:cannot|can\s+not)\s+(?:be\s+doing\s+with|deal\s+with|stomach|be\s+bothered\s+with|get\s+(?:on\s+with|into|behind|past|used\s+to)|do\s+with)\s+{_THING}{_END}",
    rf"^(?:I|we)\s+(?:could|can)\s+(?:happily\s+|easily\s+|gladly\s+)?(?:do|live)\s+without\s+{_THING}{_END}",
    rf"^{_THING}\s+(?:grosse?s?\s+me\s+out|makes?\s+(?:me\s+(?:cringe|puke|shudder|gag|want\s+to\s+(?:scream|cry|vomit))|my\s+skin\s+crawl)|turns?\s+my\s+stomach|puts?\s+me\s+off|irritates?\s+me|annoys?\s+me|winds?\s+me\s+up|freaks?\s+me\s+out|gets?\s+on\s+my\s+nerves|stress(?:es)?\s+me\s+out|bores?\s+me\s+(?:to\s+(?:tears|death)|senseless|rigid)|leaves?\s+me\s+cold|(?:does|do)\s+(?:absolutely\s+)?nothing\s+for\s+me|scares?\s+me|terrif(?:y|ies)\s+me)\b.*$",
    rf"^{_I}(?:am\s+)?not\s+{_SO}(?:big|hot|sold|mad|crazy|wild|keen|huge)\s+(?:on|about|for)\s+{_THING}{_END}",
    rf"^{_I}(?:am\s+)?(?:not|no)\s+{_BIG}(?P<x>(?!more\b|much\b|big\b|huge\b|the\b|no\b|people\b|an?\s|(?:\w+\s)?morning\b|night\b|nice\b|bad\b|good\b|religious\b|social\b|confident\b|patient\b|jealous\b|violent\b)[a-z-]+(?:\s[a-z-]+)?)\s+(?:fan|lover|person|fanatic|enthusiast){_END}",
    rf"^{_I}(?:have\s+)?(?:never\s+(?:understood|got|gotten|saw|seen)|do\s+not\s+(?:see|get|understand))\s+the\s+(?:appeal|point|hype|attraction|fuss)\s+(?:of|about|around|with)\s+{_THING}{_END}",
    rf"^{_I}(?:have\s+)?(?:got\s+)?no\s+(?:time|patience|love|tolerance)\s+(?:whatsoever\s+)?for\s+{_THING}{_END}",
    rf"^(?:please\s+)?keep\s+{_THING}\s+(?:far\s+)?away\s+from\s+me{_END}",
    rf"^{_THING}\s+{_IS}\s+a\s+(?:hard\s+|big\s+|definite\s+|firm\s+)?no(?:pe)?\s+(?:from|for)\s+me{_END}",
    rf"^{_THING}\s+(?:just\s+)?tastes?\s+(?:like|of)\s+(?:soap|dirt|feet|cardboard|perfume|medicine|grass|sick|vomit|metal|soil)(?:\s+to\s+me)?{_END}",
    rf"^no\s+{_THING}\s+for\s+me(?:\s*,?\s*(?:thanks|please|ever))?{_END}",
    rf"^{_AM}(?:(?:so|really|completely|totally|pretty)\s+)*(?:sick\s+(?:and\s+tired\s+)?of|fed\s+up\s+with|put\s+off\s+by|repulsed\s+by)\s+{_THING}{_END}",
    rf"^{_I}(?:despise|abhor|cannot\s+(?:stand|abide|bear|take)|resent|loathe)\s+{_THING}{_END}",
    rf"^{_I}find\s+{_THING}\s+{_SO}{_BAD}{_END}",
    rf"^(?P<x>{_NO_THING}[a-z][\w'-]*(?:\s[\w'-]+)?)\s+{_IS}\s+{_SO}{_BAD}(?:\s+(?:to|for)\s+me|,?\s+imo|,?\s+if\s+you\s+ask\s+me){_END}",
    rf"^{_I}do\s+not\s+like\s+(?:at\s+all|very\s+much|so\s+much)\s+(?:the\s+|to\s+)?{_THING}{_END}",
    rf"^{_I}(?:have\s+)?(?:completely\s+)?(?:gone\s+off|had\s+it\s+with)\s+{_THING}(?:\s+(?:a\s+bit|lately|recently))*{_END}",
)  # fmt: skip
_X_ONLY = r"(?P<x>(?!no\b|not\b)[\w-]+(?:\s[\w-]+)?)"
_OTHER = r"(?P<y>[\w'-]+(?:\s+[\w'-]+){0,3}?)"
_ALLERGIES = (
    rf"^{_THING}\s+{_SO}{_SWELLS}.*$",
    rf"^(?:I|my\s+(?:throat|face|lips|tongue))\s+(?:(?:break|breaks|come|comes|came|broke)\s+out\s+in\s+[\w ]+?|(?:swell|swells|balloon|balloons|puff|puffs)(?:\s+up)?(?:\s+like\s+[\w ]+?)?|get\s+(?:hives|a\s+rash|an\s+itchy\s+\w+)|(?:close|closes)(?:\s+up)?)\s+(?:{_IF_I}|from)\s+{_THING}{_END}",
    rf"^{_I}(?:am\s+)?(?:(?:very|severely|deathly|highly|badly|terribly|super|really)\s+)*(?:allergic|anaphylactic)\s+(?:on|against|with|of|for)\s+{_THING}{_END}",
    rf"^{_X_ONLY}\s+allergy\s+here{_END}",
    rf"^(?:my\s+)?allerg(?:y|ies)\s*(?::|is|are|would\s+be)\s+(?:to\s+)?{_THING}{_END}",
    rf"^{_I}(?:carry|have\s+to\s+carry|have)\s+an\s+epi-?pen\s+(?:because\s+of|for|due\s+to|in\s+case\s+of)\s+(?:my\s+)?{_THING}(?:\s+allergy)?{_END}",
    rf"^{_I}(?:have|had|get|got)\s+an?\s+(?:bad\s+|severe\s+|allergic\s+|nasty\s+|serious\s+|anaphylactic\s+)+reaction\s+to\s+{_THING}{_END}",
)  # fmt: skip
_PREFERS = (
    (rf"^{_AM}(?:an?\s+)?more\s+(?:of\s+)?an?\s+{_SIDE}\s+{_PERSON}(?:\s+(?:than|rather).*)?$", r"I prefer \g<x>"),
    (rf"^(?:give\s+me|I\s+will\s+(?:always\s+)?take|I\s+would\s+(?:always\s+)?(?:go\s+for|have|take)|always)\s+{_THING}\s+(?:over|rather\s+than|instead\s+of)\s+{_OTHER}(?:\s+(?:any\s+(?:day|time)|every\s+time|always).*)?$", r"I prefer \g<x> over \g<y>"),
    (rf"^{_THING}\s+over\s+{_OTHER},?\s+(?:any\s+(?:day|time)|every\s+time|always|for\s+me|please|all\s+day).*$", r"I prefer \g<x> over \g<y>"),
    (rf"^{_THING}\s+(?:is|are)\s+(?:so\s+much\s+|way\s+|far\s+|much\s+)?better\s+than\s+{_OTHER}\s+(?:for\s+me|if\s+you\s+ask\s+me|imo|in\s+my\s+(?:opinion|book))\b.*$", r"I prefer \g<x> over \g<y>"),
    (rf"^{_I}(?:always\s+)?(?:choose|pick|go\s+for|lean\s+towards?|favou?r)\s+{_THING}\s+(?:over|rather\s+than|instead\s+of)\s+{_OTHER}{_END}", r"I prefer \g<x> over \g<y>"),
)  # fmt: skip
_WORK = (
    # "second week as a signaller at Network Rail"
    (rf"^(?:(?:it|this|today)\s+is\s+|I\s+am\s+(?:in|on)\s+|in\s+|on\s+|just\s+)?(?:my\s+|the\s+)?(?:very\s+)?{_ORDINAL}\s+(?:day|week|month|year|shift|season|term)\s+(?:as|of\s+being|working\s+as)\s+(?P<x>an?\s+[^,;]+)", r"I work as \g<x>"),
    (rf"^{_I}(?:did|spent|put\s+in|had)\s+{_YEARS}\s+(?:\w+\s+)?(?:years|seasons|months|summers|winters|terms)\s+(?:working\s+)?as\s+(?P<x>an?\s+[^,;]+)", r"I worked as \g<x>"),
    (rf"^{_I}(?:did|spent|put\s+in)\s+(?P<x>{_YEARS}\s+years)\s+(?:working\s+)?(?P<y>at|for|with)\s+(?P<z>(?-i:[A-Z])[^,;]*?)(?=\s+(?:before|until|and|but)\b|\s*[,;]|$)", r"I worked \g<y> \g<z> for \g<x>"),
    (rf"^(?:{_AM}(?:doing|finishing|completing|studying\s+for|starting|pursuing|working\s+towards?|halfway\s+through|(?:right\s+)?in\s+the\s+middle\s+of|reading|working\s+on)|(?:I|we)\s+(?:do|am\s+on|started))\s+(?:(?:the\s+)?{_ORDINAL}\s+year\s+of\s+)?(?:my|an?|the)\s+(?:part-?time\s+|online\s+|full-?time\s+|\w+\s+year\s+of\s+(?:my|an?)\s+)?{_DEGREE}\s+(?:in|on|about)\s+", "I study "),
    (rf"^{_AM}(?:doing|finishing|completing|studying\s+for|starting|pursuing|working\s+towards?|halfway\s+through)\s+(?:(?:the\s+)?{_ORDINAL}\s+year\s+of\s+)?(?:my|an?)\s+(?P<x>[\w-]+(?:\s[\w-]+)?)\s+{_DEGREE}\b", r"I study \g<x>"),
    (rf"^{_AM}(?:in|starting|doing|finishing)\s+(?:my|the)\s+{_ORDINAL}\s+year\s+(?:of|at|doing|studying)\s+(?=(?:[\w-]+\s+){{1,4}}at\b)", "I study "),
    (rf"^{_AM}(?:an?\s+)?{_ORDINAL}[- ]years?\s+(?P<x>[\w-]+(?:\s[\w-]+)?)(?:\s+student)?\s+at\s+", r"I study \g<x> at "),
    (r"^(?P<w>(?:I|we)\s+am\s+)?(?:studying|reading)\s+(?P<x>history|law|medicine|english|classics|maths|physics|chemistry|biology|economics|philosophy|theology|geography|music)\s+at\s+", r"I study \g<x> at "),
    (r"^(?:I|we)\s+(?:am|are)\s+(?:(?:in\s+)?between\s+jobs|out\s+of\s+(?:work|a\s+job)|jobless|looking\s+for\s+(?:a\s+job|work))\b", "I am unemployed"),
    (r"^(?:I|we)\s+(?:work\s+for\s+myself|am\s+my\s+own\s+boss|have\s+my\s+own\s+business)\b", "I am self-employed"),
    (r"^(?:I|we)\s+(?:have\s+)?(?:just\s+)?(?:got|was|been|became|was\s+made|got\s+made)\s+made\s+(?:a\s+)?(?=head|partner|manager|director|team|senior|lead|captain)", "I was promoted to "),
    (r"^they\s+(?:have\s+)?(?:promoted|made)\s+me\s+(?:to\s+)?(?=head|partner|manager|director|team|senior|lead|captain)", "I was promoted to "),
)  # fmt: skip
_INTRODUCED = (
    # "Radek, 41, lift repairer from Brno"; "Ottoline here, retired bell-founder"
    (rf"^(?:(?:[^:,;]*\b(?:dealing\s+with|talking\s+to|about\s+me|who\s+I\s+am|me|intro\w*)|so\s+you\s+know)\s*:\s+)?(?P<x>{NAME})(?:\s+here)?,\s+(?:aged?\s+)?(?P<y>[1-9]\d)(?=\s*(?:,|\s+(?:and|from|living|based|married|he|she|they|m|f|yo)\b))(?!.*,\s+(?:is|was|has|are|were)\b)(?!\s+(?:is|was|has)\b)", r"I am \g<x>, \g<y>"),
    (rf"^(?P<x>{NAME})\s+(?:from|in)\s+(?P<y>{NAME})\s+here\b", r"I am \g<x>, from \g<y>"),
    (rf"^(?:this\s+is\s+)?(?P<x>{NAME})\s+here(?=\s*(?:,|$|-|–)|\s+(?:but|and)\b)", r"I am \g<x>"),
    (rf"^(?:this|it)\s+is\s+(?P<x>{NAME})(?=,?\s+(?:from\s+(?-i:[A-Z])|here\b))(?:\s+here)?", r"I am \g<x>"),
)  # fmt: skip
_LIFE = (
    # who is meant by "mum", "the wife" or "a mate of mine"
    (r"^(?:the\s+)?(?P<x>mum|mom|mam|dad|hubby|wife|husband|girlfriend|boyfriend|gran|grandma|grandad|grandpa|nan|missus|sis|bro)(?='?s?\s+(?!of\b|and\b|or\b|to\b|for\b|in\b|jokes?\b|guilt\b|bod\b|group\b|stuff\b))(?=\s|'s\s)", r"my \g<x>"),
    (rf"^(?:an?\s+|one\s+)?(?:(?:good|close|dear|old|very|work|school|uni|best)\s+)*(?P<x>{KIN_WORD})\s+of\s+(?:mine|ours),?\s+(?:called\s+|named\s+)?(?P<y>{NAME}),?", r"my \g<x> \g<y>"),
    (rf"^(?:an?\s+|one\s+)?(?:(?:good|close|dear|old|very|work|school|uni|best)\s+)*(?P<x>{KIN_WORD})\s+of\s+(?:mine|ours)\b", r"my \g<x>"),
    (rf"^one\s+of\s+(?:my|our)\s+(?P<x>{KIN_WORD})s\b", r"my \g<x>"),
    (r"^the\s+(?:two|three|four|five|six)\s+of\s+us\s+are\b", "we are"),
    (r"^(?:my\s+)?(?:all[- ]time\s+)?favou?rite\s+(?P<x>\w+)\s*:\s+", r"my favourite \g<x> is "),
    (r"^we\s+are\s+(?:all\s+|both\s+)?(?P<x>vegan|vegetarian|pescatarian|coeliac|diabetic|atheist|introvert)s\b", r"we are \g<x>"),
    (r"^(?:I|we)\s+(?:have\s+)?lost\s+(?:my|our)\s+(?P<x>dad|mum|mom|father|mother|gran|grandma|nan|grandad|grandpa|grandmother|grandfather|brother|sister|husband|wife|uncle|aunt)(?=\s*$|\s+(?:last|in|on|to|two|three|a|when|this|recently|\d)\b)", r"my \g<x> died"),
    (r"^(?:my\s+)?pronouns\s*(?:are|is|:)\s*", "my pronouns are "),
    # home
    (r"^(?:my|our)\s+(?:new\s+|little\s+|tiny\s+|old\s+)*(?:flat|house|home|apartment|place|studio|bungalow|cottage|farm|bedsit)\s+is\s+(?:(?:on|at)\s+[^,]*?,?\s+)?(?=(?:just\s+|right\s+)?(?:in|near|outside)\s+(?-i:[A-Z]))", "I live "),
    (rf"^(?:I|we)\s+(?:have\s+)?(?:now\s+)?(?:call|called|calls)\s+(?P<x>{NAME})\s+(?:my\s+|our\s+)?home\b", r"I live in \g<x>"),
    (rf"^(?P<x>{NAME})\s+(?:is|has\s+been)\s+(?:my\s+|our\s+)?home(?:\s+(?:now|for|since)\b.*)?$", r"I live in \g<x>"),
    (r"^(?:my\s+|our\s+)?home\s+is\s+(?:in\s+)?(?=(?-i:[A-Z]))", "I live in "),
    (rf"^(?:I|we)\s+(?:have\s+)?(?:finally\s+)?(?:got|picked\s+up|collected|have)\s+the\s+keys\s+(?:to|for)\s+(?:our|my|the)\s+[\w' -]*?\s+in\s+(?P<x>{NAME})", r"we moved to \g<x>"),
    (r"^(?P<x>.*?\b(?:I|we)\s+(?:am|are))\s+(?:up|over|out|down|back)\s+in\s+(?=(?-i:[A-Z])\w+\s+with\s+the\s+boxes)", r"\g<x> living in "),
    (r"\bbased\s+out\s+of\b", "based in"),
    (rf"^{_I}(?:am\s+)?(?:was\s+)?born\s+and\s+(?:bred|raised|brought\s+up)\s+in\s+", "I was born in "),
    (r"^(?:I|we)\s+(?:am|are)\s+since\s+(?P<x>[\w ]{3,24}?)\s+(?P<y>living|working|studying|learning|married)\b", r"I have been \g<y> since \g<x>"),
    (r"^(?:I|we)\s+(?P<y>live|work|study)\s+since\s+(?P<x>[\w ]{3,24}?)\s+(?P<z>in|at|as|for)\s+", r"I \g<y> \g<z> "),
    # what was given up
    (r"^(?:(?:I|we)\s+)?have\s+not\s+(?:smoked|touched\s+an?\s+cigarette|had\s+an?\s+cigarette)\b", "I stopped smoking"),
    (r"^(?:(?:I|we)\s+)?have\s+not\s+(?:drunk|touched\s+(?:a\s+drop|alcohol|a\s+drink|booze)|had\s+(?:a\s+drink|alcohol|a\s+drop))(?:\s+of\s+alcohol)?(?=\s+(?:in|for|since)\b)", "I stopped drinking alcohol"),
    (r"^(?:(?:I|we)\s+)?have\s+not\s+(?:eaten|touched|had)\s+(?P<x>(?:any\s+)?[\w-]+)(?=\s+(?:in|for)\s+(?:over\s+|about\s+|almost\s+)?(?:\d+|an?|two|three|four|five|ten|many)\s+(?:years?|months?|decades?)|\s+since\b)(?!\s+since\s+(?:breakfast|lunch|yesterday|this|last\s+night|noon))", r"I stopped eating \g<x>"),
    (r"^none\s+of\s+us\s+(?:drinks|drink)\b(?!\s+\w)", "we do not drink alcohol"),
    (r"^(?P<x>I|we|my\s+\w+)\s+(?P<y>do|does)\s+not\s+drink(?=$|\s*[,.;]|\s+(?:anymore|any\s+more|at\s+all|or\s+smoke)\b)", r"\g<x> \g<y> not drink alcohol"),
    (r"^(?:I|we)\s+(?:am|are|have\s+been)\s+(?:completely\s+)?(?:teetotal|off\s+(?:the\s+)?(?:booze|drink|alcohol))\b", "I do not drink alcohol"),
    (r"^(?:I|we)\s+(?:am|have\s+been)\s+(?:off\s+(?:the\s+)?(?:cigs|fags|cigarettes|smokes)|smoke-?free)\b", "I stopped smoking"),
    (r"^(?:I|we)\s+(?:have\s+)?(?:kicked|packed\s+in|packed\s+up|jacked\s+in|knocked)\s+(?:the\s+)?(?P<x>smoking|vaping|drinking|gambling)(?:\s+(?:on\s+the\s+head|habit))?", r"I gave up \g<x>"),
    # diet
    (r"^(?P<x>gluten|dairy|meat|alcohol|sugar|pork|caffeine|lactose|shellfish|wheat|[\w-]+)\s+(?:is|are)\s+(?:a\s+)?(?:complete\s+|total\s+|strict\s+)?(?:no-?go|no\s+go|off\s+limits|off-limits|off\s+the\s+(?:menu|table)|out\s+of\s+the\s+question|banned|forbidden)(?:\s+for\s+(?:me|us))?\b", r"I avoid \g<x>"),
    (r"^(?:I|we)\s+(?:have\s+to|must|should|need\s+to)\s+(?:avoid|stay\s+away\s+from|keep\s+off|lay\s+off|cut\s+out|watch\s+out\s+for)\s+", "I avoid "),
    (r"^(?:I|we)\s+(?:am|are)\s+(?:off|staying\s+off|keeping\s+off)\s+(?=(?:gluten|dairy|meat|alcohol|sugar|pork|caffeine|lactose|wheat|bread|carbs)\b)", "I avoid "),
    (r"^no\s+(?P<x>gluten|dairy|meat|alcohol|sugar|pork|caffeine|lactose|nuts|wheat|fish|shellfish|eggs|red\s+meat|carbs)\s+(?:for\s+(?:me|us))\b", r"I avoid \g<x>"),
    (rf"^{_THING}\s+(?:makes?)\s+me\s+(?:\w+\s+)?(?:ill|poorly|bloated|gassy|throw\s+up)\b", r"I avoid \g<x>"),
    # appointments, without a verb
    (rf"^(?P<x>(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+['’]s\s+(?!.*\b(?:should|was|were|would|can|could|cancelled|described)\b)(?:[\w'-]+\s+){{0,3}}?{_DATED})\s+is\s+(?P<y>{_ON_DAY}(?:st|nd|rd|th)?\b.*)$", r"I have \g<x> \g<y>"),
    (rf"^(?:(?:I|we)\s+have\s+(?:got\s+)?|got\s+(?:my\s+|the\s+|an?\s+)?|have\s+)?(?:my\s+|the\s+|an?\s+)?(?P<x>(?!(?:the|my|our|I|no|every|each|any|when|what|how)\b)(?!(?-i:[A-ZÀ-ÖØ-Þ])[\w-]+['’]s\s)(?!.*\b(?:problems?|questions?|issues?|doubts?|has|had|leaves?|departs?|starts?|begins?|ends?|arrives?|lands?|should|was|were|would|can|could|cancelled|described)\b)(?:[\w'-]+\s+){{0,4}}?{_DATED}(?:\s+(?:with|at|to|for|in)\s+[\w' .-]+?)?)\s*[,:]?\s+(?:(?:is|are)\s+)?(?P<y>{_ON_DAY}(?:st|nd|rd|th)?\b(?!.*\b(?:should|was|were|would|can|could|cancelled|described|sounds?|looks?|seems?|works?|please)\b).*)$", r"I have my \g<x> \g<y>"),
    (rf"^(?:I|we)\s+(?:am|are)\s+(?:at|seeing|booked\s+in\s+(?:at|with|for)|due\s+at|meeting)\s+(?P<x>(?:the\s+|my\s+|an?\s+)?(?:[\w'-]+\s+){{0,3}}?{_DATED}(?:\s+(?:with|at|for)\s+[\w' .-]+?)?)\s+(?={_ON_DAY})", r"I have my \g<x> "),
    # habits
    (rf"^(?P<f>(?:every|each|on|most)\s+[\w ]+?|{_DAY}s?(?:\s+(?:night|evening|morning)s?)?)\s+(?:it\s+)?(?:is|are|means?|its)\s+(?P<x>(?!when\b|the\b|my\b|a\b)[\w-]+(?:\s(?:night|class|practice|training|club))?){_END}", r"I do \g<x> \g<f>"),
    (r"^(?:I\s+am\s+)?up\s+at\s+(?P<x>[\w:]+(?:\s?am)?)\s+every\s+(?:single\s+)?(?P<y>day|morning)\s+to\s+(?P<z>[^,;]+)", r"I \g<z> at \g<x> every \g<y>"),
    (r"^(?:I\s+am\s+)?up\s+at\s+(?P<x>[\w:]+(?:\s?am)?)\s+every\s+(?:single\s+)?(?=day|morning)", r"I get up at \g<x> every "),
)  # fmt: skip


def _rules() -> list[tuple[str, str]]:
    return [
        *_TURNS,
        *_INTRODUCED,
        *((pattern, r"I am allergic to \g<x>") for pattern in _ALLERGIES),
        *_PREFERS,
        *((pattern, r"I dislike \g<x>") for pattern in _DISLIKES),
        *((pattern, r"I love \g<x>") for pattern in _LIKES),
        *(
            (
                rf"^{_AM}(?:an?\s+)?{_KEEN}{who}{_END}",
                f"I enjoy {what}",
            )
            for who, what in _SPORT.items()
        ),
        *_WORK,
        *_LIFE,
    ]


IDIOMS = tuple((LazyPattern(pattern, re.I), said) for pattern, said in _rules())
