"""Words of English that its frames and idioms have in common: relations, names, things, times."""

from __future__ import annotations

import re

from thalamus.policy.language.vocabulary.relations import with_ended

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
    "bunny": "rabbit", "hound": "dog", "eldest": "child", "youngest": "child", "little one": "child",
    "parents": "parents", "grandparents": "grandparents", "in-laws": "parents_in_law", "ex-wife": "ex_wife",
    "ex-husband": "ex_husband", "ex wife": "ex_wife", "ex husband": "ex_husband", "half-brother": "brother",
    "half-sister": "sister", "stepbrother": "brother", "stepsister": "sister", "stepdad": "stepfather",
    "stepmum": "stepmother", "stepmom": "stepmother", "great aunt": "aunt", "great uncle": "uncle",
    **dict.fromkeys(
        ("axolotl ferret gecko snake python lizard iguana turtle fish chinchilla donkey goat hen rooster "
         "cockerel cockatiel cockatoo canary tarantula spider rat mouse gerbil alpaca llama sheep pig duck "
         "goose owl crow pigeon hedgehog chameleon budgerigar macaw lovebird koi").split(), "pet"),
    **dict.fromkeys(
        ("labrador lab poodle terrier spaniel beagle collie dachshund husky greyhound whippet retriever "
         "bulldog pug chihuahua corgi dalmatian lurcher alsatian labradoodle cockapoo rottweiler boxer "
         "mutt mongrel").split(), "dog"),
}  # fmt: skip
KIN = with_ended(KIN, ex=("ex-", "ex "), former=("former ", "previous "))
KIN_WORD = "|".join(
    sorted((re.escape(word).replace(r"\ ", r"\s+") for word in KIN), key=len, reverse=True)
)
KIND = (  # what may stand between "my" and the relation
    r"(?:(?:older|younger|elder|eldest|oldest|youngest|big|little|twin|half|dear|old|new|first|"
    r"second|middle|only|lovely|beloved|baby|late|wee|rescue|retired|foster|adopted|elderly|tiny|fat|\d+[- ]year[- ]old)\s+)*"
)
PROPER = r"(?-i:[A-ZÀ-ÖØ-Þ][\w'-]*[\w](?:\s+(?:(?:van|von|de|da|del|der|bin|al|el|la)\s+)*[A-ZÀ-ÖØ-Þ][\w'-]*[\w])*)"
_NOT_NAMES = (
    r"(?!(?-i:The|A|An|This|That|These|Those|It|There|Here|What|Who|When|Where|Why|How|Which|You|"
    r"Your|Everyone|Everybody|Nobody|Someone|Somebody|People|No|Yes|Not|One|Some|All|Most|Each|If|"
    r"But|And|So|Or|Also|Then|Now|Today|Tomorrow|Yesterday|Please|Thanks|Maybe|Since|After|Before|"
    r"While|Until|In|On|At|For|From|With|To|By|As|His|Her|Their|Its|Our|Both|Every|Last|Next|Let|"
    r"Just|Ok|Okay|Well|God|They|We|I|My|Mine|Life|Work|Monday|Tuesday|Wednesday|Thursday|Friday|"
    r"Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|"
    r"December|He|She|Sounds?|Looks?|Seems?|Feels?|Events?|Things?|Thanks|Love|Great|Good|Nice|Kids|Parents|Children|Friends|Any|Many|Much|Such|Other|Others|Being|Having|Getting)\b)"
)
NAME = rf"{_NOT_NAMES}{PROPER}"
END = (
    r"(?=\s+(?:(?:up|down|over|out|back|based)\s+(?:in|at|on)|in|on|at|with|and|but|because|since|for|last|next|this|when|whenever|during|behind|where|who|which|that|"
    r"yesterday|today|tomorrow|recently|as|now|after|before|so|again|to|over|outside|eaten|(?:three|four|five|six|several)\s+times|than|rather|very|most|"
    r"any|anymore|until|till|from|if|though|although|while|every|each|or|nor|not|by|near|about|ago|"
    r"moored|overlooking|living|based|working|more|better|too|once|twice|of\s+course|is|are|was|were|has|have|will|these\s+days|right|"
    r"instead|ever|especially|even|like|lately|tonight)\b|\s+(?:about\s+|around\s+|almost\s+|over\s+)?(?:an?|one|"
    r"two|three|four|five|six|seven|eight|nine|ten|\d+|a\s+few|a\s+couple\s+of)\s+(?:days?|weeks?|months?|years?)\s+ago"
    r"|\s*[,.;:!?()–—]|\s+-\s|$)"
)
THING = rf"(?:(?:an?|the|my|our|some)\s+)?(?P<object>[^\s,.;:!?()][^,.;:!?()]*?){END}"
# a list: "hiking, cooking and jazz"
LIST = (
    r"(?:(?:an?|the|my|our|some)\s+)?(?P<object>[^\s,.;:!?()][^.;:!?()]*?)"
    r"(?=\s+(?:in|on|at|with|but|because|since|for|last|next|this|when|where|who|which|that|as|now|"
    r"after|before|so|to|over|than|rather|very|most|any|anymore|until|from|if|though|while|every|"
    r"more|better|too|not|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|a\s+few)\s+(?:days?|weeks?|months?|years?)\s+ago|these\s+days|especially|even|lately|a\s+lot|is|are|was|will)\b"
    r"|\s*[.;:!?()–—]|\s+-\s|$)"
)
BE = r"(?:am|are|is)"
HAVE = r"(?:have|has)"
ON_MORE = r"(?!.*\bany\s?(?:more|longer)\b)"
DO_NOT = r"(?:(?:do|does)\s+not)"
STILL = rf"(?:{HAVE}\s+been\s+|{BE}\s+)?"


_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_DAY_OF_MONTH = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:twent|thirt)ieth|(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth|ninth))\b"
)
DAY = (  # of a month, with or without a year: "the 9th of March", "March, the 9th", "3.5.2027"
    rf"(?:{_DAY_OF_MONTH}\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}}\b)?|{_MONTH}(?:,?\s+(?:on\s+)?the)?\s+{_DAY_OF_MONTH}(?!\d)(?:,?\s+\d{{4}}\b)?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\b)"
)
MONTH = rf"(?:{_MONTH}(?:\s+\d{{4}}\b)?(?![\w']))"
DUTY = (  # that something has to be done by a day
    r"(?:(?:is|are)\s+due(?:\s+(?:back|in|for\s+renewal))?|(?:(?:has|have|needs?|is|are)\s+to|must)\s+be\s+(?:all\s+)?"
    r"(?:ready|finished|done|in|complete|completed|delivered|handed\s+in|submitted|sent\s+(?:in|off|back)|sent|returned|paid|"
    r"booked|renewed|filed|registered|printed|signed|ordered|posted|uploaded|fixed|repaired|sold)(?:\s+and\s+\w+)?)"
)
TAKES_PLACE = (  # that something comes, or has been put on another day
    r"(?:(?:is|are|will\s+be)\s+(?:now\s+|just\s+)?(?:(?:coming|happening|starting|arriving|opening|taking\s+place|scheduled|planned|set|moved|"
    r"postponed|put\s+(?:off|back)|pushed\s+back|rescheduled|brought\s+forward|delayed)(?:\s+(?:for|to|until|till))?)?|"
    r"(?:has|have)\s+been\s+(?:moved|postponed|put\s+(?:off|back)|pushed\s+back|rescheduled|brought\s+forward|delayed|scheduled|set)\s+(?:for|to|until|till)|"
    r"(?:will\s+)?(?:comes?|starts?|begins?|arrives?|opens?|closes?|takes?\s+place|happens?|ends?|leaves?))"
)
WEDDING_DAY = (  # or month, or season
    rf"(?:{DAY}|(?:next\s+)?{MONTH}|(?:spring|summer|autumn|winter)(?:\s+(?:of\s+)?\d{{4}}\b)?)"
)
GROUP = (  # what meets every week
    r"(?:[\w-]+\s+){0,2}?(?:choir|band|orchestra|quartet|ensemble|club|class|course|group|team|league|circle|troupe|society|"
    r"committee|congregation|rehearsals?|training|practice|lessons?|seminar|lectures?|therapy|meetings?)"
)
MEETS = (
    r"(?:(?:always\s+|usually\s+)?(?:meets?(?:\s+up)?|rehearses?|practi[sc]es?|trains?|plays|runs|takes\s+place|happens|gathers|sings|is|are)"
    r"(?:\s+(?:together|at\s+[\w ]+?|in\s+[\w' ]+?))?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
WEEKDAYS = (  # in the plural, or one behind "every"
    rf"(?:{_WEEKDAY}s(?:(?:,?\s+and\s+|,\s+){_WEEKDAY}s?)*|(?<=every\s){_WEEKDAY}|(?<=each\s){_WEEKDAY})"
    r"(?:\s+(?:evenings?|mornings?|afternoons?|nights?))?"
)
WHEN = (  # a time to come
    r"(?:tomorrow|tonight|next\s+\w+|this\s+(?:week|weekend|month|year|spring|summer|autumn|fall|"
    r"winter|\w+day|evening|afternoon)|on\s+(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s)|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|(?:in|from|by|until)\s+(?:the\s+)?(?:\d|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|spring|summer|autumn|fall|winter|new\s+year|"
    r"(?:two|three|four|five|six|a\s+few|a\s+couple\s+of)\s+(?:days|weeks|months|years)|an?\s+(?:week|month|year)\b))"
)
EVENT = (
    r"(?:appointment|interview|exam|test|surgery|operation|wedding|meeting|flight|check-?up|scan|root\s+canal|"
    r"viewing|audition|recital|concert|gig|match|game|race|marathon|trip|holiday|vacation|hearing|deadline|"
    r"graduation|party|reunion|conference|workshop|presentation|viva|defen[cs]e|mri|x-?ray|therapy|session|birthday\s+party)"
)
LIKE = r"(?:like|likes|love|loves|enjoy|enjoys|adore|adores)"
HATE = (
    rf"(?:hate|hates|dislike|dislikes|detest|detests|loathe|loathes|{DO_NOT}\s+(?:like|enjoy|love|"
    r"care\s+for)|cannot\s+(?:stand|bear|abide)|(?:am|is|are)\s+not\s+(?:(?:a|an)\s+)?(?:big\s+|huge\s+|"
    r"great\s+)?(?:fan\s+of|fond\s+of|keen\s+on|into)|never\s+liked)"
)
