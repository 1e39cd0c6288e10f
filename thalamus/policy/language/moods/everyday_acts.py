"""English acts of every day: "I cleaned the bathroom this morning", "my toast popped up burnt".

There is no end of them, so they are told by their verb: a bare "I ate", "we queued" or "my screen
froze" passes unless something in the clause lasts, such as a name, a year, a relation or a time that
comes again.
"""

from __future__ import annotations

import re

from thalamus.policy.language.english.words import KIN_WORD
from thalamus.policy.language.patterns import LazyPattern, any_of

# what makes more of an act of every day: people, names, long times, work and health
_MORE = LazyPattern(
    rf"""\b(?:(?!(?:dog|cat|puppy|kitten|pet)s?\b)(?:{KIN_WORD})|twins|triplets|bab(?:y|ies)\s+(?:boy|girl|shower)|a\s+(?:baby|boy|girl)|the\s+twins|sober|clean\s+(?:for|since)|wedding|funeral|birthday|anniversary|honeymoon|job|work(?:ed|ing)?\s+(?:as|for|at)|living|career|visas?|surgery|operation|hospital|medication|
    transplant|results|diagnos\w+|exams?|a-?levels|finals|gcses|degree|thesis|dissertation|novel|manuscript|scars?|kidney|liver|donor|asylum|permit|verdict|trial|volunteers?|tables|drugs|heroin|rehab|election|parliament|river|charity|divorced?|school|university|college|council|licen[cs]e|divorce|passport|marathon|race|charity|adoption|
    hobby|lessons?|course|competition|favou?rite|first\s+(?:time|ever)|best|used\s+to|until|till|as\s+a\s+(?:kid|child|student|teenager|teen)|when\s+I\s+was|
    for\s+(?:\w+\s+){{0,3}}(?:years?|months?|decades?|weeks?|winters?|summers?)|all\s+(?:my|our)\s+\w+|abroad|lifetime|tattoos?|my\s+own|again\s+after|by\s+hand|with\s+(?:my|our)\s+(?!hands?\b|sleeve\b)|in\s+\d{{4}})\b""",
    re.I | re.X,
)
_NAMED = LazyPattern(r"(?<=[\w,])\s(?!I\b|Im\b|TV\b|OK\b|Zoom\b|USB\b)[A-ZÀ-Þ]\w|\b(?:19|20)\d\d\b")
_WE = r"^(?:(?:I|we)\s+(?:(?:have|had|am|are|was|were|have\s+been|think\s+I|did\s+not|have\s+not|just|only|nearly|almost|accidentally|somehow|all|finally)\s+)*|(?:just\s+))"
_BARE = r"^(?:(?:I|we)\s+)?"
# what is done in a day and forgotten: in the progressive, or in the past
_ACTS = (
    r"(?:eating|ate|eaten|drinking|drank|cooking|cooked|frying|fried|boiling|boiled|microwav(?:ed|ing)|reheat(?:ed|ing)|peel(?:ed|ing)|chopp(?:ed|ing)|stirr(?:ed|ing)|snack(?:ed|ing)|nibbl(?:ed|ing)|munch(?:ed|ing)|"
    r"wait(?:ed|ing)|queu(?:ed|e?ing)|clean(?:ed|ing)|wash(?:ed|ing)|wip(?:ed|ing)|mopp(?:ed|ing)|swept|sweeping|hoover(?:ed|ing)|vacuum(?:ed|ing)|dust(?:ed|ing)|iron(?:ed|ing)|tid(?:ied|ying)|scrubb(?:ed|ing)|rins(?:ed|ing)|fold(?:ed|ing)|"
    r"slept|sleeping|overslept|napp(?:ed|ing)|doz(?:ed|ing)|nodd(?:ed|ing)\s+off|snooz(?:ed|ing)|woke|woken|waking\s+up|yawn(?:ed|ing)|sneez(?:ed|ing)|cough(?:ed|ing)|shiver(?:ed|ing)|sweat(?:ed|ing)|freez(?:ing)|melting|dripping|"
    r"spill(?:ed|ing|t)|spilt|dropp(?:ed|ing)(?!\s+out)|tripp(?:ed|ing)|slipp(?:ed|ing)|stubb(?:ed|ing)|bump(?:ed|ing)|bang(?:ed|ing)|knock(?:ed|ing)\s+(?:over|off|my|the)|burn(?:t|ed)\s+(?:my|the)|bit\s+my|stepp(?:ed|ing)\s+(?:in|on)|"
    r"scroll(?:ed|ing)|star(?:ed|ing)\s+(?:at|out)|watch(?:ed|ing)\s+(?:the|some|a|an|tv|telly|another|it)|listening|squint(?:ed|ing)|hid(?:ing)?\s+(?:from|in|under)|wrapp(?:ed|ing)\s+(?:up\s+)?in|bundled\s+up|curled\s+up|"
    r"charg(?:ed|ing)\s+(?:my|the)|reboot(?:ed|ing)|restart(?:ed|ing)\s+(?:my|the)|refresh(?:ed|ing)|reload(?:ed|ing)|print(?:ed|ing)|typing|park(?:ed|ing)|commut(?:ed|ing)|brush(?:ed|ing)|shav(?:ed|ing)|shower(?:ed|ing)|bath(?:ed|ing)|floss(?:ed|ing)|"
    r"stood\b(?!\s+(?:for|up\s+to|trial))|standing(?!\s+for)|sitting|sat(?!\s+(?:as|on\s+the\s+(?:board|council|committee|jury)))|lying|sprawled|leaning|walk(?:ed|ing)\s+(?:the\s+dog|home|back|into|to\s+the|round|around)|drove\s+(?:home|back|to\s+the)|driving\s+(?:home|back|to\s+the)|cycled\s+(?:home|back)|"
    r"fell\s+(?:asleep|over|off\s+(?:my|the)|down\s+the)|fallen\s+asleep|lock(?:ed|ing)\s+(?:myself|ourselves|the|my)|miss(?:ed|ing)\s+(?:the|my|our|breakfast|lunch|dinner|an?|two)|forgot(?:ten)?\s+(?:my|the|to|an?|our|where|what)|"
    r"left\s+(?:my|the|our)\s+(?:[\w-]+\s+)?(?:phone|keys?|umbrella|lunch|bag|wallet|purse|oven|lights?|iron|gloves?|scarf|coat|charger|glasses|laptop|window|door|headphones|tap|milk|washing|shopping|hat|tap|stove|hob|book)|"
    r"lost\s+(?:my|the)\s+(?:[\w-]+\s+)?(?:keys?|phone|glove|sock|pen|remote|umbrella|wallet|purse|ticket|charger|earring|lid|receipt|place|signal|train\s+of\s+thought)|putting\s+(?:on|a|the|my)|put\s+(?:on\s+(?:the|a|my)|the|my|a)\s|"
    r"got\s+(?:soaked|drenched|wet|stuck|lost|caught|dressed|changed|rained|home(?!\s+school)|back(?!\s+(?:together|with|into))|up|in(?!\s*to)|out(?!\s+of\s+(?:the\s+(?:army|navy|police)|prison|jail|debt|rehab))|off|on(?!\s+(?:well|badly))|splashed|stung|sunburnt|something\s+in|soap|shampoo|ketchup|toothpaste|mud|paint|gum)|"
    r"took\s+(?:the\s+(?:wrong|bins?|rubbish|stairs|lift|bus|train|tram|dog|early|late|last)|a\s+(?:nap|shower|bath|wrong|taxi|cab|break|quick)|an?\s+(?:aspirin|paracetamol|ibuprofen))|taking\s+(?:the\s+(?:bins?|rubbish|stairs|bus|train|dog|scenic)|a\s+(?:nap|shower|bath|break|quick))|"
    r"ran\s+(?:for\s+the|out\s+of|late|to\s+the|into\s+the)|running\s+(?:for\s+the|late|to\s+the)|hung\s+(?:out|up)|hanging\s+(?:out|up)\s+the|snapp(?:ed|ing)\s+my|finished\s+(?:my|the)\s+(?:[\w-]+\s+)?(?:lunch|dinner|breakfast|coffee|tea|laundry|dishes|washing-?up|washing|ironing|shopping|milk|crossword|emails?)|"
    r"wearing\s+(?:my|two|odd|the|three|a\s+(?:jumper|coat|scarf|blanket)|pyjamas|pajamas|yesterday)|fed\s+the|feeding\s+the|unload(?:ed|ing)|emptied|emptying|fill(?:ed|ing)\s+(?:the|up)|carrying|juggling\s+(?:my|two|three|a|the)\b.*\b(?:bags|coffee|umbrella)|fumbling|rummag(?:ed|ing)|searching|looking\s+for\s+(?:my|the)|hunting|"
    r"third\s+in\s+line|next\s+in\s+line|first\s+in\s+line|on\s+hold|in\s+(?:the|a)\s+(?:lift|elevator|queue|taxi|bath|shower)|on\s+the\s+(?:loo|toilet|sofa|bus|train|tram|floor|balcony))\b"
)
_TODAY = r"(?:this\s+morning|this\s+afternoon|this\s+evening|today|tonight|last\s+night|earlier|just\s+now|a\s+minute\s+ago|an\s+hour\s+ago|at\s+lunch|for\s+(?:dinner|lunch|breakfast|tea))"
_HAD = rf"(?:(?:made|making|opened|closed|turned|turning|unplugged|walked|ran|deleted|downloaded|rode|baked|wore)\b.*\b{_TODAY}|(?:had|having|bought|buying|ordered|ordering|got|getting)\b.*\bfor\s+(?:dinner|lunch|breakfast|tea|brunch)(?:\s+(?:today|tonight|yesterday|again))?)$"
_SNACK = r"(?:making|having|baking|toasting|brewing|pouring|ordering)\s+(?:[\w-]+\s+){0,3}?(?:pancakes?|waffles?|toast|soup|coffee|tea|cocoa|pasta|risotto|curry|omelettes?|sandwich(?:es)?|salad|eggs|dinner|lunch|breakfast|popcorn|porridge|noodles|muffins|cookies|scones|stew|lasagne|tacos|chips|snacks?|smoothie)$"
# things and parts of the body, and what becomes of them for a moment
_MINE = rf"^(?:my|our|the|this)\s+(?!(?:[\w-]+\s+)?(?:{KIN_WORD}|job|life|house|home|flat|shop|barn|marriage|company|business|baby|knee\s+(?:surgery|replacement))\b)(?:[a-z][\w'-]*\s+){{0,2}}?[a-z][\w-]*"
_BEFALLS = (
    r"(?:(?:'s|'re|\s+(?:is|are|was|were|has|have|had|will\s+not|would\s+not|does\s+not|do\s+not|did\s+not|cannot|keeps?|kept|got|goes|went|started|stopped|just|feels?|looks?)|)\s+)"
    r"(?:(?:been|not|all|so|too|still|again|just|about|almost|completely|a\s+bit|suddenly|stop|go|stay|keep|get|being|totally|refusing\s+to)\s+)*"
    r"(?:stuck|jamm(?:ed|ing)|dry|wet|soaking|soaked|soggy|tangled|smudged|smeared|fogg(?:ed|y)|steamed|numb|asleep|(?:gone\s+)?to\s+sleep|twitch(?:es|ing)?|rumbl(?:e|es|ing)|growl(?:s|ing)|itch(?:y|es|ing)|running|dripping|leaking|"
    r"beeping|buzzing|ringing|vibrating|squeak(?:s|ing)|rattl(?:es|ing)|flicker(?:s|ing)|fell\s+(?:off|on|in|out|over|apart|down)|fallen\s+(?:off|on|in|out|over)|slipped|popped|pop|snapped|split|ripped|unravell?ed|came\s+(?:off|undone|loose)|come\s+(?:off|undone|loose)|"
    r"dropp(?:ed|ing)|cutting\s+out|freez(?:es|ing)|froze|crash(?:es|ed|ing)|lagg(?:ed|ing)|load(?:ing)?|buffering|updating|rebooting|connect|respond|open|start|print|turn\s+on|switch\s+on|unlock|scan|burnt|burned|burning|boiled|boiling|overflow(?:ed|ing)|spilled|leaked|melted|melting|"
    r"gone\s+(?:cold|off|flat|dead|missing|numb|blank)|went\s+(?:cold|off|flat|dead|missing|numb|blank|out)|blew\s+(?:away|inside|off)|inside\s+out|upside\s+down|ruined|squashed|crooked|undone|on\s+(?:\d+|one|two|five|ten)\s?(?:%|percent|per\s+cent)|at\s+(?:\d+|one|two|five|ten)\s?(?:%|percent|per\s+cent)|"
    r"full\s+(?:and|so|today)|late|delayed|cancelled|rescheduled\s+again|in\s+(?:ten|five|\d+)\s+minutes|sweaty|sticky|greasy|frizzy|freezing|steamy|stiff|stinging|peeling|chapped|puffy|bloodshot|blistered)\b"
)
# what lies on a lap or sticks in a head; a scar, a plate or a tattoo stays there
_ON_ME = (
    r"^(?:(?:I|we)\s+(?:have|have\s+got|got)|there\s+(?:is|are))\s+(?!.*\b(?:tattoos?|scars?|moles?|birthmarks?|plates?|pins?|screws?|piercings?|metal|stents?|lumps?|cysts?|tumou?r|eczema|psoriasis|arthritis|freckles|rods?|shrapnel|garden\s+shed)\b)"
    r"(?:an?\s+|some\s+|something\s+|the\s+|so\s+much\s+|bits?\s+of\s+)?(?:[\w-]+\s+){0,5}?(?:in|on|under|between|down|all\s+over|stuck\s+(?:in|to|on|between))\s+my\s+(?:\w+\s+)?(?:head|eye|eyes|teeth|tooth|nose|hair|shirt|tie|trousers|jeans|shoe|shoes|sock|bed|lap|fingers?|hands?|face|beard|chin|sleeve|dress|jumper|coffee|tea|soup|ear|pocket|foot|throat|keyboard|screen|glasses|boots?)$"
)
_PASSING = any_of(
    rf"{_WE}{_ACTS}|^{_ACTS}.*\b{_TODAY}"
    rf"|{_BARE}{_HAD}|{_WE}{_SNACK}|{_MINE}{_BEFALLS}|{_ON_ME}"
    r"|^(?:I|we)\s+(?:can|could)\s+(?:smell|hear|see|feel)\b(?!.*\b(?:only|one\s+ear|nothing|hardly|better|from\s+(?:my|our)|colou?rs?|anymore|better)\b)"
    r"|^(?:I|we)\s+(?:have|had)\s+(?:not\s+(?:had|eaten|slept|showered|brushed)\s+(?:my\s+|a\s+|any\s+)?(?:coffee|tea|breakfast|lunch|dinner|all\s+night|today|yet)|(?:no|the\s+wrong)\s+(?:coat|umbrella|signal|battery|socks|milk|change|shoes|gloves|charger)\b)"
    r"|^(?:now\s+)?(?:I|we)\s+(?:am|are|was|were)\s+(?:(?:now|all|so|completely|totally|absolutely)\s+)*(?:drenched|soaked|shocked|speechless|thrilled|wrapped|out\s+of\s+breath|covered\s+in\s+(?:flour|mud|paint|dust|sauce|crumbs)|dripping|running\s+on)\b"
    r"|^the\s+\w+(?:\s+\w+)?\s+(?:is|was)\s+so\s+(?:full|loud|busy|hot|cold|slow|packed|crowded|noisy|late|bright|dark|windy)\s+(?:that\s+)?(?:I|we)\s+(?:had|have|could|cannot|can)\b"
    r"|\bgive\s+me\s+a\s+(?:sec|second|minute|min|moment|mo)\b|\bback\s+in\s+(?:a\s+(?:sec|second|minute|min|bit|moment|mo)|\w+\s+(?:minutes|mins))\b|^the\s+(?:baby|cat|dog|kitten|puppy)\s+(?:\w+\s+)??(?:fell\s+asleep|threw\s+up|sneezed|is\s+asleep|jumped|climbed|farted|sat|drooled)\b"
)
# "the baby fell asleep on me" tells of no relation
_ASLEEP = LazyPattern(
    r"(?:the|our)\s+baby\s+(?:is\s+|has\s+)?(?:fell|fallen|asleep|threw|spat|drooled)\b", re.I
)


def is_everyday_act(raw: str, plain: str) -> bool:
    """Whether an English clause tells a bare act or mishap of every day; ``raw`` is how it was said,
    ``plain`` how the grammar reads it."""
    more = _MORE.search(plain) is not None and _ASLEEP.match(plain) is None
    if more or _NAMED.search(raw.strip()):
        return False
    return _PASSING.search(plain) is not None
