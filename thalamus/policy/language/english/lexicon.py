"""English, as the grammar of plain statements reads it."""

from __future__ import annotations

import re

from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.frames import FRAMES, LOOSE
from thalamus.policy.language.english.habit_frames import EVERYDAY
from thalamus.policy.language.english.idioms import IDIOMS
from thalamus.policy.language.english.informal_frames import LIFE
from thalamus.policy.language.english.occupation_frames import TRADES
from thalamus.policy.language.english.past_frames import ENDED
from thalamus.policy.language.english.verb_forms import activity
from thalamus.policy.language.english.words import (
    DAY,
    DUTY,
    EVENT,
    KIN,
    KIN_WORD,
    KIND,
    MONTH,
    NAME,
    PROPER,
    TAKES_PLACE,
    WHEN,
)
from thalamus.policy.language.lexicon import Lexicon
from thalamus.policy.language.patterns import LazyPattern, any_of
from thalamus.policy.language.vocabulary.relations import owners

_LEAD = r"(?:(?:as\s+of|starting|in|since|until|from|on|after|before|by|at|for|last|next|this|these|when|once|every|right)\s+(?:[\w'-]+\s+){0,5}?[\w'-]+,?\s+|(?:yesterday|today|tomorrow|now|recently|lately|nowadays|currently|formerly|originally),?\s+|(?:a|one|two|three|four|five|six|ten|\d+)\s+(?:days?|weeks?|months?|years?)\s+ago,?\s+|back\s+in\s+\w+,?\s+)?"
_PET = "dog|cat|puppy|kitten|horse|pony|rabbit|parrot|hamster|tortoise|budgie|son|daughter|baby|wife|husband|girlfriend|boyfriend|partner"
# "Favourite band? Radiohead"
_ANSWERED = LazyPattern(
    r"(?P<topic>(?:^|(?<=[.!]\s))(?:(?:my\s+)?(?:all[- ]time\s+)?favou?rite\s+\w+(?=\?\s+\w)|"
    # "Musicals? Not my thing." "Group chats. Whoever invented them …"
    r"(?!(?:what|who|why|how|when|where|really|seriously|serious|ready|quick|I|we|he|she|they|there|you|me|do|is|are|sorry|well|so|the|my|our|this|that|it|your|his|her|their)\b)[\w'-]+(?:\s[\w'-]+){0,2}"
    r"(?=[?.]\s+(?:no\s+(?:thanks?(?:\s+you)?),?\s+)?(?:not\s+(?:really\s+)?(?:my\s+(?:thing|cup|style|bag)|for\s+me)\b|(?:I\s+)?(?:absolutely\s+|really\s+)?(?:love|hate|adore|loathe|detest|can't\s+stand|cannot\s+stand)\s+(?:them|it)\s*(?:[.!,]|$)|never\s+liked|whoever\s+(?:invented|came\s+up)\b))))[?.]\s+",
    re.I,
)
LEXICON = Lexicon(
    code="en",
    owners=owners(
        KIN,
        some=r"an?|the|one|another|some|(?:one\s+of\s+)?(?:his|her|their)",
        mine=r"my|our",
        others=r"man|woman|guy|bloke|lady|girl|boy|couple|family|person|people|student|pupil|client|customer|patient|guest|vet|farmer",
        have=r"with|who\s+(?:also\s+)?(?:has|have|had|owns?|keeps?|got|adopted)|that\s+(?:has|have|owns?)|whose|has|have|owns?|keeps?|adopted|got",
    ),
    ordinary=is_common,
    activity=activity,
    first_person=any_of(
        r"\b(?:I|my|me|mine|myself|we|our|us|ours)\b"
        r"|^(?-i:Grandma|Grandpa|Granny|Gran|Nana|Mum|Mom|Dad|Auntie|Aunt|Uncle)\b"
    ),
    subject=LazyPattern(
        rf"(?i:{_LEAD})(?:(?i:(?P<me>I|we|my\s+(?:{KIN_WORD})\s+and\s+I|me\s+and\s+my\s+\w+)\b)"
        rf"|(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD}))(?:\s*,?\s+(?P<kin_name>{NAME})\b\s*,?)?(?!['\w-])"
        rf"|(?P<name>{NAME})(?:,\s+(?i:(?:my|our)\s+{KIND}(?P<role>{KIN_WORD})),)?(?!['\w])"
        r"|(?i:(?P<pronoun>he|she)\b))\s+(?P<rest>(?(name)(?!(?:like|love|hate|enjoy|prefer|have|live|work|am|do)\b)|).*)",
        re.S,
    ),
    asks=any_of(
        r"""^(?:and\s+|but\s+|so\s+)?(?:(?:who|whom|whose|what|which|where|why|how)\b(?!.*,\s*(?:I|my|we)\b)
        |when\s+(?:is|are|was|were|do|does|did|will|can|should)\b
        |(?:do|does|did|is|are|am|was|were|can|could|would|will|should|may|shall|have|has)\s+
         (?:not\s+)?(?:I|you|we|he|she|it|they|there|the|that|this|my|your|any|someone|anyone)\b
        |(?:any\s+(?:idea|chance|tips|thoughts|suggestions|advice))\b
        |I\s+(?:wonder|was\s+wondering|am\s+wondering|am\s+curious))"""
    ),
    requests=any_of(
        r"""^(?:please\s+|pls\s+|kindly\s+|now\s+)?(?:tell|write|give|show|explain|help|make|list|describe|
        remind|translate|summari[sz]e|find|create|generate|calculate|compare|read|play|open|repeat|
        suggest|recommend|convert|check|correct|fix|rewrite|rephrase|draft|proofread|compose|design|
        outline|send|look\s+up|search|count|sort|name|come\s+up|let\s+(?:me|us)|tell\s+me|answer|
        continue|stop|start\s+(?:with|by)|try|add|turn|set|do\s+not|don't|forget|imagine|pretend|say|
        spell|define|plan|pick|choose|guess|act|be|go\s+(?:on|ahead)|use\s|keep|put|call\s+(?!me\b)|
        wish\s+me|could\s+you|can\s+you|would\s+you|will\s+you)\b
        |^(?:I|we)\s+(?:need|want|would\s+like|would\s+love|could\s+use|am\s+looking\s+for(?!\s+(?:an?|another|our\s+own|my\s+own)\s+(?:[\w-]+\s+)?(?:job|flat|house|apartment|flatmate|flat\s+share|place\s+to\s+live|position)\b)|expect)\s+
         (?!to\s)(?!.*\b(?:I|my)\s+own\b)
        |^(?:I|we)\s+(?:need|want|would\s+like|would\s+love|am\s+trying)\s+to\s+(?:know|ask|see|hear|
         understand|find|figure|check|say|tell|thank|talk|discuss|learn\s+(?:more|about\s+how)|get\s+(?:a|an|some)\s)
        |^(?:I|we)\s+(?:have|had)\s+(?:a|an|another|one|some|two|few)\s+(?:quick\s+|small\s+|more\s+|silly\s+)*(?:question|request|favou?r|questions)
        """
    ),
    remember=any_of(
        r"""^(?:(?:hey|hi|ok|okay|so|and|also|oh)[,!]?\s+)?(?:please\s+|pls\s+)?(?:can\s+you\s+|could\s+you\s+)?
        (?:remember|note(?:\s+down)?|keep\s+in\s+mind|bear\s+in\s+mind|do\s+not\s+forget|don't\s+forget|(?:do\s+not|don't|never)\s+let\s+me\s+forget|jot\s+(?:this\s+)?down|write\s+(?:this\s+)?down|for\s+your\s+records|save\s+this|
        make\s+a\s+note|for\s+the\s+record|fyi)(?:\s+this)?(?:\s+for\s+(?:me|later))?
        (?:\s*[:,-]\s*|\s+that\s+|\s+(?=(?:I|my|the|our|we)\b))"""
    ),
    supposes=any_of(
        r"""\b(?:(?<!even\s)if(?!\s+I\s+am\s+honest)|unless|i\s+wish|we\s+wish|imagine|(?<!I\s)suppose|supposing|pretend|what\s+if|assuming|hypothetically|maybe|
        perhaps|might|as\s+though|in\s+theory|dreamt|dreamed|in\s+my\s+dream|daydream\w*|
        would\s+have|could\s+have|should\s+have|let\s+us\s+say|let's\s+say|say\s+I)\b
        |\b(?:I|we|he|she|they|it|that)\s+(?:would(?!\s+(?:prefer|rather|say|call|like\s+to|love\s+to|(?:always\s+)?(?:take|choose|pick)\b.+\bover))|could(?!\s+(?:not\s+care|never\s+stand|eat|drink))|may|should)\b
        |^(?:were|had)\s+I\b"""
    ),
    reports=any_of(
        r"""\ufffc|\b(?:(?:he|she|they|it|everyone|everybody|somebody|someone|people|nobody|who|doctors?|
        leaflet|label|article|book|film|movie|song|lyrics?|poem|quote|sign|email|mail|letter|note|text|
        post|tweet|headline|character|hero|narrator|(?:the|my|our|his|her|a)\s+[a-z]+(?:\s[a-z]+)?)\s+)(?:says?|said|claims?|
        claimed|(?:writes?|wrote|reads?)(?!\s+(?:[\w'-]+\s+){0,2}?(?:novels?|books?|thrillers?|poems?|poetry|songs?|lyrics|stories|columns?|plays?|scripts?|code|software|music|fiction|crime|romance|articles?|reviews|recipes|comics|blogs?|theses|papers|braille)\b)|thinks?|thought|asks?|asked|tells?|told|insists?|insisted|shouts?|
        (?:sings?|sang)(?!\s+(?:in|with|for|at|on|to|soprano|mezzo|alto|tenor|baritone|bass|jazz|opera|folk|every|most|well|beautifully)\b|$)|quotes?|states?|replied|answered|believes?)\b(?!\s+me\s+to\b)(?<!I\ssaid)(?<!I\sread)(?<!I\swrote)
        (?<!I\sthink)(?<!I\sbelieve)(?<!we\sread)(?<!to\sread)(?<!to\sask)(?<!I\sthought)
        |\b(?:he|she|they)\s+(?:goes\s+to\s+me|goes\s*,|goes$|(?:is|was)\s+like\b)
        |\baccording\s+to\b|\bas\s+the\s+saying\s+goes\b|\b(?:lyrics?|quote|line|scene|chorus)\s+(?:from|of|in|is)\b
        |\b(?:in\s+the\s+(?:film|movie|book|novel|song|story|game|show|series)|from\s+the\s+(?:film|movie|song))\b
        |\b(?:the|a|this)\s+(?:leaflet|label|headline|quote|lyrics?|caption|sentence)\b
        |\b(?:translate|translation|proofread|in\s+(?:french|german|spanish|portuguese|italian|english)\s*:)\b"""
    ),
    jokes=any_of(
        r"""\b(?:just\s+kidding|only\s+kidding|kidding|jk|j/k|yeah,?\s+right|yeah\s+sure|as\s+if|lol|lmao|rofl|
        ha\s?ha\w*|haha\w*|hehe\w*|sarcasm|sarcastic\w*|joking|said\s+no\s+one|not\s+really,?\s+just|pinky|
        kidding\s+aside|ba\s?dum|next\s+question|bow\s+down|(?:king|queen|emperor|pope|sultan)\s+of|
        highlight\s+of\s+my\s+(?:life|day|week)|oh\s+(?:yeah|yes|great|joy|sure|wonderful|brilliant|fantastic|lovely)|
        (?:[2-9]\d\d|\d{4,})\s+years\s+old|(?-i:LOVE|ADORE)|april\s+fools?|in\s+my\s+dreams|obviously\s+joking|wink)\b|/s(?:\W|$)
        |^(?:sure|yeah|right|yep),?\s+because\b
        |[\U0001f602\U0001f923\U0001f609\U0001f61c\U0001f61d\U0001f644\U0001f921\U0001f643]|;-?\)"""
    ),
    greets=any_of(
        r"""^(?:hi|hello|hey|yo|hiya|good\s+(?:morning|evening|day|night|afternoon)|thanks?|thank\s+you|
        thx|cheers|(?:nice|pleased|good|lovely|great|delighted)\s+to\s+(?:meet|e-?meet|see)|bye|goodbye|see\s+(?:you|ya)|ok(?:ay)?|sure|great|cool|nice|wow|awesome|perfect|
        exactly|right|yes|yep|yeah|no|nope|got\s+it|sounds\s+good|never\s?mind|welcome|sorry|
        happy\s+\w+|merry\s+\w+|cheers|have\s+a\s+\w+)(?:\s+(?:there|again|everyone|all|you|so\s+much|
        very\s+much|a\s+lot|a\s+(?:ton|bunch|million)|mate|buddy|friend|for\s+.*|to\s+you|it|that|then|later|soon|tomorrow|too|day|one|
        evening|weekend|thanks?))*\W*$"""
    ),
    meta=any_of(
        rf"""^(?:(?:I|we)\s+(?:(?:did|do|have|would|am)\s+not\s+(?:say|said|mean|meant|ask|asked|tell|told|know|think|
        understand|care(?!\s+(?:for|about)\s)|mind|remember|recall|get|saying|asking|sure)|never\s+(?:said|told|asked|claimed|mentioned)|said|mean|meant|asked|told\s+you|
        see|understand|agree|disagree|guess|know|remember|forget|forgot|suppose|think\s+(?:so|not|you|that\s+is|it\s+is)|
        hope\s+(?:so|not|you|that\s+helps)|am\s+(?:asking|saying|joking|serious|talking\s+to)|was\s+(?:asking|saying|joking|kidding|wondering)|
        thank|appreciate|believe\s+(?:so|you)|trust\s+you|love\s+(?:it|that|you|this)|like\s+(?:it|that|this|your)|
        (?:will|can|shall)\s+(?:try|see|check|think|wait|take\s+(?:it|that)|do\s+(?:it|that)|go\s+with)|
        got\s+it|get\s+it|say\s+\w+$|(?:mix|confuse)\s+(?:that|those|them|these|it|the\s+two)\b|do(?:\s+(?:it|that|so|too|indeed|this|now|agree|apologi[sz]e))*$|am\s+good|am\s+fine|am\s+ok)\b.*
        |(?:I|we)\s+(?:(?:think|guess|suppose)\s+(?:that\s+)?(?:I|we)\s+)?will\s+(?:try|see|check|think|give|make\s+sure|be\s+sure|keep|look|begin\s+with|
         start\s+(?:by|with)|explore|consider|go\s+(?:with|for|ahead)|take|use|follow|let|do|experiment|read\s+through|reach\s+out|incorporate|add|include|get\s+back|
         stick|remember|implement|apply|follow|focus|share|ask|tell|report)\b(?!.*\b{WHEN}).*
        |(?:I|we)\s+(?:think|guess|believe)\s+(?:that\s+)?(?:the|this|that|these|those|it|they|all)\b.*
        |(?:I|we)\s+(?:have|had)\s+no\s+(?:idea|clue)\b.*
        |(?:I|we)\s+(?:am|are|was|were)\s+(?:(?:so|very|most)\s+)?(?:excited|keen|eager|ready|interested|curious|looking|intrigued|fascinated|surprised|impressed|amazed|relieved|shocked|unsure|confused)\b
          (?:.*\b(?:learn(?:ing)?\s+(?:more|about)|know(?:ing)?|hear(?:ing)?|(?:this|that|these|those|it|them)\b|more\s+(?:about|info\w*)|move\s+on|how|what|why|which|by)|\s+to\s+(?:try|explore|start|see|check|find|get))\b.*
        |(?:I|we)\s+would\s+(?:like|love)\s+(?:to\s+(?:explore|ask|know|learn\s+more|hear|see|try|get|discuss|understand)|some|your|any|the|a\s+(?:list|few))\b.*
        |(?:I|we)\s+(?:have\s+)?(?:heard|read|seen|noticed)\s+(?:that\b|about\b|a\s+lot\b|(?:good|great|many|mixed)\s+things).*
        |(?:I|we)\b.*\b(?:you\s+(?:mentioned|suggested|recommended|said|listed|gave|provided|described|shared|wrote)|your\s+(?:suggestions?|recommendations?|advice|tips|answer|explanation|help|list|response))\b.*
        |(?:it|that|this|there|here)\s+(?:is|was|will|sounds?|looks?|seems?|works?|worked|did|does|makes?)\b.*
        |the\s+(?:first|second|last|next|third)?\s*(?:paragraph|answer|sentence|reply|joke|version|poem|story|draft|suggestion|response)\s+.*
        |you\s+(?!(?:can|may)\s+call\s+me\b).*|your\s+.*|(?:(?:I|we)\s+)?never\s+again$|not\s+.{{0,12}}$|let\s+.*)$"""
    ),
    passing=any_of(
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
        |^(?:my|our)\s+(?:tea|coffee|food|dinner|lunch|battery|phone|laptop|internet|wifi|computer|screen|mouse|app|
         bus|train|taxi|connection|keyboard|pizza|soup)\s+(?:is(?!\s+an?\s)|has|was|are|died|keeps?|went|arrived|will|froze|crashed|stopped)\b
        |^(?:I|we)\s+(?:am|are)\s+(?:just\s+)?(?:eating|drinking|sitting|standing|lying|typing|dying|melting|freezing|half\s+asleep|listening\s+to\s+(?:the|some)|watching\s+(?:the\s+news|tv|telly|the\s+rain))\b
        |^(?:I|we)\s+(?:have\s+)?(?:just\s+)?(?:burn(?:ed|t)|spilled|spilt|dropped|missed)\s+(?:my|the)\s+(?:toast|coffee|tea|dinner|lunch|breakfast|phone|keys?|bus|train|tram|spoon|cup|alarm|call)\b
        |^(?:my|the)\s+(?:head|back|feet|neck|stomach|tummy|eyes|legs|throat)\s+(?:hurts?|aches?|is\s+killing|are\s+killing)\b(?!.*\b(?:since|for|every|always|years)\b)
        |\b(?:it\s+is\s+raining|(?:the|this|what|such|nice|lovely|awful)\s+weather\b(?!\s+changes))\b"""
    ),
    negates=any_of(
        r"\b(?:not|never|no\s+longer|no|none|neither|nor|without|cannot|nothing|nobody|hardly|stopped|"
        r"quit|gave\s+up|given\s+up|n't|far\s+from|anything\s+but|instead\s+of|refuse[ds]?)\b"
    ),
    past=any_of(
        r"\b(?:was|were|had|did|used\s+to|ago|yesterday|last\s+(?:night|week|month|year|summer|winter|"
        r"spring|autumn|fall)|(?:have|has)\s+(?!been\b)\w+(?:ed|en|t|ne)\b|moved|quit|left|got|went|bought|"
        r"started|began|became|joined|took|met|saw|lived|worked|stopped|finished|ended|sold|won|lost|"
        r"married|divorced|graduated|retired|adopted|(?!called|named|based|used\b)\w{3,}ed(?=\s+(?:to|from|at|in|my|the|a|an|for)\b))\b"
    ),
    coming=any_of(
        rf"""\b(?:will|shall|(?<!stopped\s)(?<!quit\s)(?<!\bup\s)(?<!started\s)(?<!began\s)going\s+to|gonna|about\s+to|plan(?:ning|s)?\s+(?:to|on)|want(?:s)?\s+to|hop(?:e|es|ing)\s+to|
        intend(?:s|ing)?\s+to|aim(?:s|ing)?\s+to|would\s+(?:like|love)\s+to|need(?:s)?\s+to|tomorrow|next\s+(?:week|month|year|summer|winter|spring|
        autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|
        april|may|june|july|august|september|october|november|december)|soon)\b
        |^(?:as\s+of|from|starting)\s+(?:next\s+\w+|(?:in\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!.*\b(?:was|were|until|to\s+\w+day)\b)
        |\b(?:am|are|is)\s+(?:moving|starting|joining|leaving|quitting|getting|flying|travell?ing|visiting|changing|
         switching|selling|buying|retiring|marrying|going|taking|having|running|expecting|graduating|becoming|beginning|finishing|stopping|coming|turning)\b
        |\b(?:move|moves|start|starts|leave|leaves|join|joins|begin|begins|fly|flies|retire|retires|quits|stop|stops|finish|finishes|turns?(?!\s+out))\b
         (?=.*\b(?:on|in|from|next|tomorrow|this)\b)(?!.*\b(?:every|always|usually)\b)
        |\b{EVENT}\b.*\s(?:(?:is|are)\s+)?(?:on\s+(?:the\s+)?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|tomorrow\b)"""
    ),
    over=any_of(
        r"\b(?:used\s+to|no\s+longer|any\s?more|any\s+longer|quit|left|stopped|gave\s+up|given\s+up|retired\s+from|resigned)\b"
    ),
    kin=KIN,
    relations=tuple(
        LazyPattern(pattern)
        for pattern in (
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})),?\s+(?:(?i:called|named)\s+)?(?P<object>{NAME})",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})\s+is\s+(?:called|named)\s+)(?P<object>{PROPER})",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})\s+is\s+)(?P<object>(?P<given>{NAME}))(?=\s*(?:[,.;:!(–-]|$)|\s+(?:and|but|who)\b)",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})'s\s+name\s+is\s+)(?P<object>{PROPER})",
            rf"\b(?i:the\s+name\s+of\s+(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})\s+is\s+)(?P<object>{PROPER})",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD}))\s+\((?P<object>{NAME})\b",
            rf"\b(?i:an?\s+(?:\w+\s+)?(?P<kin>{KIN_WORD})\s+of\s+(?:mine|ours)),?\s+(?:(?i:called|named)\s+)?(?P<object>{NAME})",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD})\s+of\s+\w+\s+years),\s+(?P<object>{NAME})",
            rf"\b(?i:(?:my|our)\s+{KIND}(?P<owner>{KIN_WORD})(?:'s|s'|s)\s+(?:\w+\s+)?(?P<kin>{_PET})),?\s+(?:(?i:(?:is\s+)?(?:called|named))\s+)?(?P<object>{NAME})",
            rf"\b(?P<kin>Grandma|Grandpa|Granny|Gran|Nana|Auntie|Aunt|Uncle)\s+(?P<object>{NAME})",
            rf"(?P<object>{NAME}),?\s+(?i:(?:is\s+)?(?:my|our)\s+{KIND}(?P<kin>{KIN_WORD}))\b(?!'s|\s+and)",
        )
    ),
    frames=ENDED + TRADES + FRAMES + EVERYDAY + LIFE + LOOSE,
    articles=any_of(
        r"^(?:a\s+(?:little|bit\s+of|lot\s+of)|lots?\s+of|(?:wee|little|baby)\s+(?=(?-i:[A-Z]))|an?|the|my|our|some|any|his|her)\s+"
    ),
    tail=any_of(
        r"\s+(?:too|a\s+bit|a\s+little|now|again|as\s+well|a\s+lot|very\s+much|so\s+much|lately|these\s+days|right\s+now|"
        r"any\s?more|any\s+longer|though|actually|at\s+all|at\s+the\s+moment|instead|most|best|either|"
        r"to\s+be|anyway|yesterday|today|tomorrow|already|yet|together|there|here|tbh|honestly|though|imo|imho|ok|okay|fine|sorry|lol|thanks|of\s+course|by\s+the\s+way|btw)$"
    ),
    not_objects=frozenset(
        """it that this them him her you me us one everything nothing something anything someone
        anyone everyone here there so to do go way things stuff all both either what how who which
        myself yourself i no not yes your""".split()
    ),
    elided=any_of(
        r"""(?:(?P<i_was>(?:diagnosed|made\s+redundant|laid\s+off|fired|hired|promoted|raised|brought\s+up)\b|born\s+(?:in|on|and)\b)|(?P<i_am>(?:(?:vegan|vegetarian|pescatarian|lactose|gluten|allergic|married|engaged|single|divorced|left-?\s?handed|right-handed|colou?r-?\s?blind|deaf|diabetic|type\s+[12]\b|coeliac|celiac|dyslexic|autistic|asthmatic|unemployed|teetotal|sober|pregnant|half\s+(?-i:[A-Z])|on\s+(?:\w+(?:pril|formin|statin|olol|azole|oxetine|traline|opram|sartan|dipine|zepam|thyroxine|trexate|cycline)|crutches|antibiotics|metformin|insulin|sertraline|statins|medication|the\s+pill|a\s+(?:diet|gluten|low|keto))|based\s+in|afraid\s+of|scared\s+of|obsessed\s+with|addicted\s+to|into\s+|in\s+my\s+\w+\s+year|(?:proud\s+)?(?:mum|mom|dad|mother|father)\s+of|(?!.*\b(?:I|we)\s+(?:am|are|will)\b)(?:flying|heading|moving|travelling|traveling|going|seeing|meeting|driving|having|getting|starting|taking|visiting)\s+(?=.*\b(?:tomorrow|next|on\s+(?:the\s+)?(?:\d|\w+day)|this\s+(?:weekend|week|summer)|(?:over|at|for|around|after)\s+(?:easter|christmas|new\s+year|half[- ]term|the\s+(?:summer|holidays|weekend|bank\s+holiday))|in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|\w+\s+weeks)))|off\s+to|flying\s+to|getting\s+married|expecting)\b|an?\s+(?:huge|big|massive)\s+fan|(?:huge|big|massive)\s+fan|(?:originally\s+)?from\s+(?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun))(?-i:[A-Z]\w+)(?=\s*(?:[,.;]|originally|(?:and|but)\s+(?!I\b)|$))|retired\b|trained\s+as|self-employed)|not\s+(?:an?\s+(?:big\s+|huge\s+|great\s+)?fan|keen|into|fond|(?:with|at|in|on)\s+(?=.*\bany\s?(?:more|longer)\b))\b|(?:working|living|learning|building|writing|training|studying|saving|trying|
         planning|volunteering|renting|teaching)\s+(?!.*\s(?:is|was|are|can|will|helps?|takes?)\b))
        |(?P<i_have>been\b|never\s+been\b|got\s+(?:an?|two|three|tickets|my)\s|(?:two|three|four|five|six|\d)\s+(?:dogs|cats|kids|children|hens|chickens|horses|rabbits|sons|daughters|boys|girls|sisters|brothers|goats|ferrets)\b(?!.*\b(?:are|were|was|is|can|will|do|have)\b)|have\b(?!\s+(?:a\s+(?:good|nice|great|lovely)|fun|you)))
        |(?P<i>(?:had|went|took|gave|made|met|saw|spent|lost|found|broke|wrote|built|ran|won|fell|drove|flew|left|became|grew|bought|sold|
         tried|failed|applied|signed|painted|planted|baked|cooked|visited|married|retired|graduated|switched|cancelled|ordered|stayed)
         \s+(?!by\b|of\b)|(?:have|had)\s+not\b|(?:started|moved|finished|bought|adopted|quit|joined|turned|passed|signed\s+up|gave\s+up|played|quit|
         switched|became|sold|used\s+to|grew\s+up|cannot\s+(?:stand|get|live|have|touch|do)|diagnosed|drive|run\s+(?:a|the|my)|teach|do\s+\w+\s+for\s+a\s+living|(?!(?:I|we|my|our|he|she|they|you|it|the|his|her)\b)[a-z]+\s[^,;]*for\s+a\s+living|(?:haven't)|lived|worked|studied|live|work|study|speak|prefer|never\s+(?:could|liked|cared|got)|am|do\s+not\s+(?:like|eat|drink|drive|smoke)|cannot\s+(?:eat|drink|have)|inherited|(?:love|hate)(?!\s+(?:and|is|was|can|will|the|how|hearing|that|your|this|it|to\s+(?:see|hear))\b)|
         used\s+to|got\s+(?:promoted|married|engaged|divorced|fired|hired|a\s+(?:new\s+)?(?:job|dog|cat|puppy|kitten|car|bike)))\b))"""
    ),
    expand=tuple(
        (LazyPattern(pattern, re.I if not pattern.startswith("(?-i") else 0), replacement)
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
            (r"\bb-?day\b", "birthday"),
            (r"^(?:the\s+)?name(?:'?s|\s+is)\b", "my name is"),
            (r"\bmy\s+name'?s(?=\s+\w)", "my name is"),
            (
                r"\b(I|we)\s+(?:much|far|vastly|strongly|infinitely|greatly)\s+prefer\b",
                r"\1 prefer",
            ),
            (r"\bname's\b", "name is"),
            (r"\b(\w+)'s\b(?=\s+(?:been|got)\b)", r"\1 has"),
            (
                r"\b(\w+)'s\b(?=\s+(?:(?:an?|the|not|called|named|from|in|at|allergic|\d+|turning|moving|starting|"
                r"working|living|my|now|also|vegetarian|vegan|pregnant|married|coeliac|celiac|diabetic|deaf|blind|asthmatic|autistic|dyslexic|"
                r"coming|getting|visiting|staying|learning|playing|studying|expecting|off|retired|divorced|epileptic|next|tomorrow|on\s+(?:the|\d|\w+day))\b))",
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
            (
                r"\b(he|she|that|there)s\b(?=\s+(?:called|named|a|an|the|my|our|not|been|got|from|in|allergic|\d+|so|always|mine)\b)",
                r"\1 is",
            ),
            (
                r"\bits\b(?=\s+(?:called|named|a|an|the|my|our|not|been|just|so|only|in|me)\b)",
                "it is",
            ),
            (r"\bisnt\b", "is not"),
            (r"\b(they|you|we)(?:'re|re)\b(?<!were)", r"\1 are"),
            (r"\b(they)ve\b|\b(we|you)ve\b", r"\1\2 have"),
            (
                r"\b(id)\b(?=\s+(?:rather|love|like|prefer|take|kill|crawl|never|always|say))",
                "I would",
            ),
            (r"\b(?:wens|wends|wedens|wednes|wedns)day(?=s?\b)", "Wednesday"),
            (r"\b(?:thurday|thrusday|thursdy)(?=s?\b)", "Thursday"),
            (r"\b(?:tusday|teusday|tuseday)(?=s?\b)", "Tuesday"),
            (r"\b(?:saterday|satuday|satarday)(?=s?\b)", "Saturday"),
            (r"\bgonna\b", "going to"),
            (r"\bwanna\b", "want to"),
        )
    ),
    idioms=IDIOMS,
    laughed=LazyPattern(
        rf"^(?P<said>(?:(?:hi|hey|hello|well|oh|so|btw|ok|okay|by\s+the\s+way|fun\s+fact)[,:!]?\s+){{0,2}}(?:my\s+b(?:irth|-?)day(?:\s+is|'s)\s+(?:on\s+|in\s+)?(?:the\s+)?(?:{DAY}|{MONTH})|my\s+name(?:\s+is|'s)\s+{PROPER}|(?:I|we)(?:\s+have|'ve\s+got|\s+have\s+got)\s+an?\s+(?:[\w-]+\s+)?(?:{KIN_WORD})\s+(?:called|named)\s+{PROPER}))"
        r"[\s,.!]*(?:(?:lol|lmao|rofl|xd|ha(?:ha)+|he(?:he)+)\b|[\U0001f602\U0001f923\U0001f605\s.!])+$",
        re.I,
    ),
    duties=LazyPattern(
        rf"^the\s+(?-i:[a-z])[\w-]*(?:\s+(?!(?:is|are|was|were|has|have|had|do|does|did|not|will|would|must|needs?|that|which|who)\b)(?-i:[a-z])[\w-]*){{0,3}}?\s+(?:{DUTY}|{TAKES_PLACE})\s+(?:on|by|before|in|at|until|till)?\s*(?:the\s+)?(?:(?:very\s+)?(?:end|beginning|start|middle)\s+of\s+)?(?:the\s+)?"
        rf"(?:{DAY}|{MONTH}|\d{{1,2}}(?:st|nd|rd|th)|(?:next\s+|this\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|(?:next|this)\s+(?:week|weekend|month|year|spring|summer|autumn|winter)|(?:spring|summer|autumn|winter)|christmas|easter)\b",
        re.I,
    ),
    fillers=any_of(
        r"""^(?:(?:(?:hi|hello|hey|hiya|yo|well|yes|yeah|yep|no(?=\s*[,!.:–—-])|nope|ok|okay|so|also|and|but|by\s+the\s+way|btw|ngl|lowkey|oh|ah|um|ugh|argh|hm|hmm|aw|wow|uh|hmm|
        actually|honestly|anyway|anyways|thanks|thank\s+you|please|sure|right|true|sorry|fyi|for\s+the\s+record|
        just\s+so\s+you\s+know|(?:fun|random|weird|useless|little)\s+fact|to\s+be\s+honest|tbh|in\s+fact|first\s+of\s+all|besides|plus|
        p\.?s\.?|guess\s+what|good\s+news|bad\s+news|breaking\s+news|big\s+news|small\s+update|quick\s+update|update|news|you\s+know|listen|look|
        if\s+I\s+am\s+honest|if\s+I'm\s+honest|if\s+you\s+must\s+know|if\s+you\s+ask\s+me|one\s+more\s+thing|
        (?:good\s+)?(?:morning|evening|afternoon)|everyone(?!\s+(?:calls|says|knows|thinks|in|at|else))|there|again|because|since\s+you\s+ask(?:ed)?|
        (?:I\s+)?(?:just\s+)?wanted\s+to\s+(?:say|let\s+you\s+know|tell\s+you)(?:\s+that)?|as\s+you\s+know|
        I\s+(?:must|have\s+to|should)\s+(?:say|admit)(?:\s+that)?|let\s+me\s+(?:introduce\s+myself|tell\s+you)|
        I\s+think(?=\s+I\s+(?:prefer|like|hate|love))|too|then|
        before\s+we\s+start|currently|recently|finally|just|lately|nowadays|these\s+days|sadly|luckily|unfortunately|fortunately|apparently|
        between\s+(?:us|ourselves|you\s+and\s+(?:me|I))(?=\s*[,:–—])|(?:(?:honest|serious|genuine|quick|random|silly|stupid|daft|small|simple)\s+)?question(?:\s+for\s+you)?(?=\s*[:–—])|
        (?:true\s+story|confession(?:\s+time)?|(?:just\s+a\s+)?heads[- ]up|full\s+disclosure|(?:on\s+a\s+)?side\s+note|(?:(?:quick|little|small)\s+)?note|psa|disclaimer|long\s+story\s+short|
        reminder|context|background|speaking\s+of\s+which|in\s+other\s+news|on\s+another\s+note|not\s+gonna\s+lie|not\s+going\s+to\s+lie|funnily\s+enough|believe\s+it\s+or\s+not)(?=\s*[,:–—])|
        for\s+(?:future\s+)?reference|small\s+correction|ngl|lowkey|ugh|argh|hm+|aw+|wow)(?:[,!:.–—-]+\s*|\s+))+)
        (?=\S)"""
    ),
    adverbs=any_of(
        r"\s(?:really|also|just|actually|currently|still|recently|mostly|usually|basically|absolutely|"
        r"totally|definitely|simply|already|presently|nowadays|truly|honestly|mainly|officially|finally|"
        r"literally|obviously|normally|generally|personally|kinda|sort\s+of|kind\s+of|quite|always|often|sometimes|now)(?=\s)"
    ),
    closings=any_of(
        r"""(?:,?\s+(?:by\s+the\s+way|btw|fyi|for\s+your\s+information|(?:just\s+)?so\s+you\s+know|just\s+saying|just\s+in\s+case\s+you\s+(?:wonder(?:ed)?|were\s+wondering)|in\s+case\s+you\s+(?:wonder(?:ed)?|were\s+wondering)|for\s+what\s+it(?:'s|\s+is)\s+worth|
          if\s+you\s+must\s+know|tbh|to\s+be\s+(?:honest|fair)|ngl)
         |,\s+(?:no|nope|(?:(?:no|yes),?\s+)?(?:really|seriously|honestly|for\s+real|I\s+(?:really\s+)?mean\s+(?:it|that)|no\s+(?:joke|kidding|lie)|not\s+(?:joking|kidding)|I\s+swear))
         |,\s+(?:thanks(?:\s+a\s+lot)?|thank\s+you|thx|cheers|you\s+know|I\s+(?:think|guess|believe|suppose|reckon)|actually|honestly|though|mind\s+you|funnily\s+enough)
         |(?P<kept>(?<![\w'])(?!(?:as|to|do|did|if|of|all|now|who|how|why|when|where|what|which|whether|let|for|than|that|only|one|than|so|
          people|persons?|men|things?|places?|words?|friends?|any\w+|some\w+|every\w+|and|but|because)\s)[\w'-]+)\s+(?:you\s+know|I\s+(?:think|guess|reckon|suppose)))
        \s*[.!…]*$"""
    ),
    cut=any_of(
        rf""";\s*|(?<!hives)(?<!rash)(?<!swell)(?<!swells)(?<!swell\sup)(?<!close\sup),?\s+(?=(?:if|unless|in\s+case)\s+(?:I|we|you|he|she|it|they|my|the|that|there)\b)|,\s+so\s+(?=[a-z])|\s+[–—-]\s+
        |,?\s+(?!(?:and|so|because|but)\s+(?:I'm|I\s+am|im)\s+(?:(?:\w+ly\s+)?(?:allergic|anaphylactic)\s*(?:[.!]|$)|the\s+happiest|happy\b|in\s+heaven|content\b|a\s+happy\b))(?:and|but|so|(?<!for\sa\s)while|whereas|though|although|because|cause|cos)\s+
          (?=(?:(?:(?:a|an|one|two|three|four|five|six|ten|\d+|last|this|next|in|since|until|on|every)\s+(?:[\w]+\s+){{1,3}}?)(?=(?:I|we|my)\b))?
             (?:I|I'm|I've|I'll|I'd|my|we|we're|we've|our|he|she|he's|she's|his|her|they|it|im|ive|the|now|then|since\s+then)\b)
        |,?\s+(?:since|as)\s+(?=(?:(?:I|we)\s+(?:am|are|have|need|hate|love|like|prefer|want|work|live|never|cannot|can't|do\s+not|don't|only|always|get)\b|(?:I'm|we're|I've\s+got|we've\s+got|my\s+(?:{KIN_WORD})\s+(?:is|has|hates|loves|cannot|can't|works|lives))\b)(?!.*\b\d))
        |,?\s+(?:and|but)\s+(?=(?:am|are|is|live|lives|work|works|have|has|love|loves|like|likes|hate|hates|cannot|can't|
          don't|doesn't|do\s+not|prefer|prefers|speak|speaks|enjoy|enjoys|study|studies|moved|was|used|drive|drives|play|plays|take(?!\s+(?:a|the)\s+(?:look|break))|takes|
          started|quit|left|will|want|wants|plan|got|never|no\s+longer|grew|(?:bought|adopted)(?=\s+(?:an?|my|our)\s))\b)
        |,?\s+(?:and|but)\s+(?:now\s+|currently\s+)?(?=(?:living|working|based|studying)\s+(?:in|at|as|for)\b)
        |,?\s+(?:and\s+)?(?=(?:his|her|its)\s+name(?:\s+is|'s)\b)
        |,\s+(?=(?:live|work)\s+(?:in|at|as|for)\b)
        |,\s+(?=(?:dad|mum|mom|hubby|wife|husband|gran|grandma|grandad)\s+(?:is|was|has|died|passed|works|lives|thinks|says|hates|loves)\b)
        |,?\s+(?:and|but)\s+(?=neither\s+(?:is|are)\b)
        |,?\s+and\s+(?=your\s+name(?:\s+is|'s)\b|you(?:\s+are|'re)\s+(?:(?-i:[A-Z])|(?:called|my)\b))
        |,\s+(?!(?:I'm|I\s+am|im)\s+(?:\w+ly\s+)?(?:allergic|anaphylactic|intolerant)\s*(?:[.!]|$))(?=(?:I|I'm|I've|I'll|I'd|im|ive|we|he|she|he's|she's|we're|my\s+(?:{KIN_WORD})(?!\s*,)|now|then)\b)
        |\s+(?:and|but)\s+(?=(?-i:[A-Z][\w-]+)\s+(?:is|was|lives|works|likes|loves|hates|has|moved|plays|studies|and)\b)
        |,\s+(?=(?-i:[A-Z][\w-]+)\s+(?:is|was|lives|works|likes|loves|hates|has|moved|plays|studies)\b)
        |,\s+(?:and\s+)?(?=(?:lives|works|studies|moved|loves|hates|speaks|(?:living|working|based|studying)\s+(?:in|at|as|for))\b)
        |,\s+(?:so\s+)?(?=(?:can|could|would|will)\s+you\b|please\b|pls\b|how\s+(?:do|can|should)\b|what\s+(?:can|should|do|would)\b|(?:is|are)\s+(?:an?|the|it|there)\b|do\s+I\b|need\s+a\b|think\s+of\b)
        |,\s+(?=the\s+\w+\s+(?:says?|said|thinks?|reckons?|insists?)\b)
        |,?\s+(?=(?:nice|pleased|good|lovely|great|delighted)\s+to\s+(?:meet|e-?meet|see)\s+(?:you|everyone|all)\b)
        |,\s+(?=(?:funnily|oddly|strangely|weirdly|curiously|sadly|surprisingly|luckily)\s+enough$|believe\s+it\s+or\s+not$|go\s+figure$|of\s+all\s+things$|for\s+what\s+it\s+is\s+worth$|(?:just\s+)?so\s+you\s+know$|by\s+the\s+way$|btw$|never\s+again$|thank\s+(?:god|goodness)$|how\s+about\s+you$|and\s+you$|oops$|whoops$|phew$|cheers$)
        |,\s+(?:and\s+)?(?=(?:my\s+)?(?:dad|mum|mom|hubby|wife|husband|gran|grandma|grandad|brother|sister|daughter|son)'s\s+(?:name\s+)?is\s+[A-Z])
        |,\s+(?=(?:isn't|aren't|don't|right|wish\s+me|fingers\s+crossed|send\s+help|any\s+(?:tips|ideas))\b)"""
    ),
    carried=any_of(
        r"^(?:(?:living|working|based|studying)\s+(?:in|at|as|for)|speaks|am|are|is|live|lives|work|works|have|has|love|loves|like|likes|hate|hates|grew|cannot|do\s+not|does\s+not|"
        r"prefer|prefers|speak|speaks|enjoy|enjoys|study|studies|moved|was|used|drive|drives|play|plays|take|takes|"
        r"started|quit|left|will|want|wants|plan|got|never|no\s+longer|not|(?:bought|adopted)(?=\s+(?:an?|my|our)\s))\b"
    ),
    lists=any_of(r"\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*"),
    mentions=LazyPattern(
        rf"\b(?i:an?|my|our|the|one|this)\s+(?i:(?:[\w-]+\s+)??{KIND}(?P<kin>{KIN_WORD}))\b(?!'|\s+(?:called|named)\b)"
    ),
    answered=_ANSWERED,
    time_words=(),
)
