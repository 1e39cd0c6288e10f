"""English states, errands and mishaps of the moment: "my coffee has gone cold", "popping out"."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern, one_of

_ME = r"^(?:I|we)\s+"
_AM = r"^(?:(?:I|we)\s+(?:am|are|was|were|have\s+been)\s+)?"
_A_BIT = (
    r"(?:(?:a\s+(?:bit|little|tad)(?:\s+of)?|so|very|too|rather|absolutely|slightly|all|pretty|half|well|bloody|super|completely|not|feeling|"
    r"an?|the|some|such|another|my|one\s+of\s+those|nasty|bad|splitting|pounding|terrible|awful|mild|slight|massive|huge|right|proper|major|quick)\s+)*"
)
_STOP = r"(?=\s*(?:$|[,.;!–-])|\s+(?:today|tonight|yesterday|this|right|now|again|after|from|and|but|with|at|all|as|because|so|earlier|early|late|later|in|on|to|for|last|before|myself|then|over|though|already|by)\b)"
_IS = r"(?:'s|'re|\s+(?:is|are|has|have|was|were|had|keeps?|feels?|looks?|got|just))(?:\s+(?:been|not|all|so|too|a\s+bit|about|almost|nearly|starting\s+to|going\s+to|completely|again|being))*"
_FEELS = (
    r"(?:under\s+the\s+weather|poorly|rough|groggy|dizzy|nauseous|queasy|sick|peckish|parched|famished|ravenous|hangry|grumpy|cranky|restless|jittery|"
    r"sluggish|meh|low|down|blue|flat|on\s+edge|jet-?lagged|out\s+of\s+breath|sore|achy|bunged\s+up|congested|feverish|soaked|drenched|sweaty|sunburn(?:t|ed)|"
    r"full|stuffed|bloated|dead\s+on\s+my\s+feet|swamped|snowed\s+under|overwhelmed|frazzled|pooped|tipsy|drunk|lonely|cosy|comfy|emotional|weepy|giddy|puffed)"
)
_AILS = (
    r"(?:headache|migraine\s+coming|cold|sore\s+throat|stomach\s?ache|tummy\s?ache|toothache|earache|backache|stiff\s+neck|runny\s+nose|blocked\s+nose|"
    r"hiccups|cramps?|stitch|hangover|fever|temperature|cough|flu|nosebleed|heartburn|indigestion|pins\s+and\s+needles|brain\s+freeze|goosebumps|"
    r"shivers|chills|munchies|butterflies|sniffles|lurgy|tummy\s+bug|paper\s+cut|blisters?|bruise|splinter|black\s+eye|dead\s+leg|food\s+coma|earworm)"
)
_BODY = r"(?:head|back|feet|foot|neck|stomach|tummy|belly|eyes?|legs?|throat|nose|hands?|fingers?|toes?|knees?|arms?|ears?|shoulders?|muscles|tooth|teeth|lips|skin|face|hair|calves|thighs|mouth|ankles?|wrists?|hips?|ribs)"
_FEELS_BODY = (
    r"(?:killing|hurts?|hurting|ach(?:e|es|ing)|throbbing|pounding|spinning|running|rumbl(?:es|ing)|growling|itch(?:y|es|ing)|sore|cold|freezing|numb|stiff|"
    r"blocked|bunged|burning|on\s+fire|watering|watery|twitching|dry|tired|bleeding|tingling|cramping|dripping|wet|soaked|puffy|heavy|a\s+mess)"
)
_PLACE = (
    r"(?:(?:[\w'-]+\s+){0,2}?(?:train|bus|tram|plane|tube|ferry|taxi|cab|car|coach|queue|line|lift|elevator|waiting\s+room|station|stop|platform|caf[eé]|pub|park|bath|"
    r"shower|bed|sofa|couch|loo|toilet|office|kitchen|garden|supermarket|shops?|bank|airport|gate|traffic|jam|hairdresser'?s?|barber'?s?|dentist'?s?|doctor'?s?|gym|beach|"
    r"library|checkout|till|post\s+office|chemist'?s?|pharmacy|launderette|meeting|call|balcony|bench|phone|vet'?s?))"
)
_FOOD = (
    r"(?:(?:[\w'-]+\s+){0,2}?(?:coffee|tea|cuppa|brew|sandwich|toast|dinner|lunch|breakfast|brunch|supper|tea|snack|pizza|curry|takeaway|take-?out|leftovers|soup|pasta|noodles|salad|omelette|"
    r"eggs?|drink|pint|beer|wine|bite|biscuit|cake|ice\s+cream|burger|chips|sushi|porridge|cereal|smoothie|hot\s+chocolate|stew|chilli|risotto|kebab|cocoa|water))"
)
_THINGS = (
    r"(?:(?:coffee|washing|ticket)\s+machine|dishwasher|boiler|coffee|tea|food|dinner|lunch|breakfast|toast|soup|pizza|pasta|rice|cake|bread|kettle|oven|bath|shower|battery|phone|laptop|computer|tablet|screen|mouse|keyboard|mic|microphone|webcam|shoelaces?|glasses|zip|tights|curry|stew|porridge|"
    r"printer|router|browser|headphones|earbuds|airpods|app|wi-?fi|internet|connection|signal|reception|alarm|doorbell|parcel|package|delivery|uber|cab|taxi|"
    r"bus|train|tram|plane|tv|telly|washing|laundry|ice\s+cream|milk|shoes|socks|coat|jeans|shirt|inbox|desk|page|download|update|zoom|meeting|tyre|bike|car|pen|ink|stream|game)"
)
_HAPPENS = (
    r"(?:gone|going|getting|ready|cold|dead|dying|died|die|low|(?:at|on|down\s+to)\s+\d+|updating|frozen|freezing|froze|crash\w*|broken|down|slow|late|delayed|cancelled|burning|burnt|"
    r"boiling|leaking|ringing|beeping|buzzing|charging|loading|acting\s+up|playing\s+up|here|done|empty|overflowing|wet|soaked|working|responding|out\s+of|stuck|lagging|"
    r"glitching|overheating|missing|finished|brewing|in\s+the\s+(?:oven|wash|dryer)|on\s+(?:its\s+way|fire|the\s+blink|the\s+fritz)|flat|run\s+out|off|a\s+mess|rubbish\s+today|making\s+(?:an?\s+)?(?:weird|funny|strange|horrible|noise)|patchy|dirty|steamed\s+up|fogged\s+up|not\s+working|came\s+undone|boiling\s+over)"
)
_NEAR = r"(?:(?:neighbou?r(?:s'?|'s)\s+)?(?:cat|dog)|puppy|kitten|parrot|baby|toddler|kids?|son|daughter|children|neighbou?rs?|flatmate|housemate|roommate|husband|wife|partner|boyfriend|girlfriend|colleague|boss|mum|mom|dad)"
_NEARBY = (
    r"(?:sitting|sleeping|asleep|lying|barking|me?owing|miaowing|purring|snoring|crying|screaming|scratching|staring|begging|mowing|drilling|hammering|vacuuming|hoovering|"
    r"shouting|chewing|whining|howling|napping|teething|hiding|knocking|calling|yelling|driving\s+me|in\s+(?:the\s+)?(?:bath|bed|shower|kitchen|loo)|at\s+the\s+door|out|home|late|"
    r"cooking|making\s+(?:dinner|lunch|tea|noise)|watching|playing\s+(?:music|loud|outside|with)|having\s+a\s+(?:party|nap|tantrum|meltdown)|running\s+around|zoomies|on\s+(?:the|my)\s+(?:phone|lap|keyboard|sofa|desk))"
)
_MISLAID = r"(?:(?:[\w'-]+\s+){0,2}?(?:keys?|glasses|phone|wallet|purse|remote|umbrella|charger|headphones|airpods|bag|pen|lunch|homework|password|ticket|shoes?|socks?|hat|gloves?|scarf|jumper|coat|mug|pin|train\s+of\s+thought))"
_DOING = (
    r"(?:folding|munching|nibbling|sipping|slurping|chewing|gulping|having\s+a\s+(?:power\s+cut|blackout|heatwave|thunderstorm|laugh|moan|wobble)|hiding\s+(?:from|in)|walking\s+to\s+the|counting\s+down|pacing|hunting\s+for|googling|boarding|unloading|hovering|refreshing|sunbathing|blushing|giggling|pretending|battling\s+(?:with|my|a)|fighting\s+(?:with\s+my|a\s+cold|sleep)|struggling\s+to\s+(?:stay|open|wake|get)|hoovering|vacuuming|ironing|tidying|mopping|dusting|scrolling|peeling|chopping|stirring|unpacking\s+the\s+(?:shopping|groceries)|queu(?:e)?ing|yawning|sneezing|coughing|shivering|"
    r"sweating|procrastinating|babysitting|doomscrolling|snacking|napping|dozing|chilling|relaxing|lounging|staring|brushing|shaving|showering|tying|queueing|nodding\s+off|killing\s+time|people-?watching|"
    r"(?:doing|washing|hanging|sorting|putting|loading|emptying)\s+(?:up\s+|out\s+|on\s+|away\s+)?(?:the|my|some|our)\s+(?:[\w-]+\s+)?(?:dishes|laundry|washing(?:-up|\s+up)?|hoovering|ironing|shopping|groceries|dishwasher|bins?|kettle|oven|kids?|shoes|coat|make-?up|hair|nails|light)|"
    r"feeding\s+(?:the|my|our)|walking\s+(?:the|my|our)\s+dog|getting\s+(?:ready|dressed|hungry|tired|sleepy|bored|cold|late|a\s+headache)|parked|parking|charging\s+my|printing|"
    r"trying\s+to\s+(?:sleep|stay\s+awake|nap|concentrate|get\s+(?:up|out\s+of\s+bed|comfy|the\s+\w+\s+to))|craving|fancying|dying\s+for|gasping\s+for|running\s+(?:late|behind|out)|"
    r"coming\s+down\s+with|waiting\s+(?:for|in|on|at|until)\s+(?:the|my|a|our|someone|somebody)\s+(?!.*\b(?:transplant|visas?|list|results?|surgery|operation|diagnosis|place|passport|verdict|permit)\b)|"
    r"watching\s+(?:the|a|some|my|tv|telly|netflix)\b|listening\s+to\s+(?:the|some|music|my)\b|drowning\s+in|buried\s+in|typing\s+this|texting|walking\s+home|driving\s+home|cycling\s+home)"
)
_ERRAND = (
    r"(?:(?:popping|nipping|dashing|hopping|stepping|shooting|jumping|ducking)\s+(?:out|over|down|up|back|home|round|off|to|into|in)|(?:heading|going|running|rushing|off|walking|driving|cycling|going\s+back)\s+"
    r"(?:out\b(?!\s+with)|over\s+to|home|back\s+(?:in|home|to\s+(?:bed|work|sleep))|to\s+(?:the\s+)?(?:bed|work|sleep|lunch|dinner|shops?|gym|post\s+office|supermarket|bank|loo|toilet|bathroom|chemist|"
    r"pharmacy|tesco|lidl|aldi|pub|library|bins?|dump|meeting|bakery|car\s+wash|station|airport)\b|for\s+a\s+(?:walk|run|smoke|coffee|swim|quick|jog|drive|stroll|nap|pint)|into\s+a\s+meeting|grab|get\b)"
    r"|(?:picking\s+up|fetching|grabbing|collecting|getting|buying|dropping\s+off)\s+(?:the|my|our|some|a|an)\s+(?:[\w-]+\s+)?(?:kids?|milk|bread|coffee|shopping|groceries|parcel|prescription|lunch|dinner|takeaway|dry\s+cleaning|bite|eggs|car|petrol|train|bus|drink))"
)
_GO = r"(?:go|dash|run|rush|leave|head|nip|pop|fly|get\s+going|get\s+back|crack\s+on|shoot|scoot|split|hop|jump|step|be\s+off|log\s+off|hang\s+up|eat|sleep|pee)"
_CHORES = r"(?:laundry|work|homework|emails?|dishes|washing(?:\s+up)?|ironing|marking|paperwork|errands|chores|cleaning|reading\s+to\s+do|admin|stuff\s+to\s+do|things\s+to\s+do|meetings|deadlines)"
PASSING = one_of(
    rf"{_ME}(?:am|are|feel|was|were|have\s+been|am\s+feeling)\s+{_A_BIT}{_FEELS}{_STOP}",
    rf"^(?:feeling|feel)\s+{_A_BIT}\w+",
    rf"^(?:(?:I|we)\s+)?(?:have(?:\s+got)?|got|am\s+having|am\s+getting|had|woke\s+up\s+with|feel|can\s+feel)\s+{_A_BIT}{_AILS}{_STOP}(?!\s+from\b)",
    rf"^(?:my|our)\s+(?:\w+\s+)?{_BODY}(?:{_IS})?\s+{_FEELS_BODY}\b",
    rf"{_AM}(?:(?:sat|sitting|stuck|stood|standing|waiting|lying|back|still|here|parked)\s+)*(?:in|at|on|by|outside)\s+(?:the|a|an|my|this|some)\s+{_PLACE}{_STOP}",
    rf"{_AM}(?:on\s+hold|on\s+(?:my|the|a|our)\s+(?:[\w-]+\s+)?(?:break|call|coffee|cup|tea|beer|pint|glass|meeting)|in\s+(?:a|an|the|no)\s+(?:[\w-]+\s+)?mood|up\s+to\s+my\s+\w+|running\s+on\s+(?:[\w-]+\s+)*(?:sleep|fumes|empty|coffee|caffeine)|"
    r"(?:all\s+)?out\s+of\s+(?:milk|coffee|bread|eggs|sugar|tea|butter|toilet\s+paper|loo\s+roll|battery|data|time|breath|ideas|food|juice|petrol|wine|snacks|beer))\b",
    rf"{_AM}{_DOING}",
    r"^(?:I|we)\s+(?:think|feel\s+like)\s+I\s+am\s+(?:coming\s+down|getting|falling\s+asleep|going\s+to\s+(?:be\s+sick|faint|cry))\b",
    rf"{_AM}(?:quickly\s+)?{_ERRAND}",
    rf"^(?:I\s+|we\s+)?(?:have\s+got\s+to|got\s+to|gotta|must|had\s+better|better|will\s+just|need\s+to|have\s+to|ought\s+to)\s+(?:quickly\s+|just\s+)?{_GO}\b",
    r"^(?:I\s+|we\s+)?(?:have|have\s+got|got)\s+(?:an?|another|my)\s+[\w -]*?(?:meeting|call|class|appointment|lecture|train|bus)\s+(?:in\s+(?:\w+\s+){0,3}?(?:minutes?|mins?|hours?|ten|five|half\s+an\s+hour)|now|soon|shortly)\b",
    rf"{_AM}(?:having|eating|drinking|making|cooking|brewing|frying|ordering|heating\s+up|reheating|grabbing)\s+(?:(?:myself|us|me)\s+)?{_A_BIT}{_FOOD}{_STOP}",
    rf"^(?:I\s+|we\s+)(?:have\s+)?(?:had|eaten|ate|finished|made|cooked|ordered|poured|put)\s+(?:(?:myself|us|me)\s+)?{_A_BIT}{_FOOD}{_STOP}",
    r"^(?:I\s+|we\s+)?(?:have\s+|am\s+|was\s+)?(?:having|had|have|got)\s+(?:an?|such\s+an?|one\s+of\s+those|the)\s+(?:[\w-]+\s+){0,3}?(?:day|morning|night|afternoon|evening|lie-?in|nap|bath|shower|moment|break)(?:\s+(?:today|so\s+far|already|at\s+work|yesterday))?$",
    rf"^(?:I\s+|we\s+)?(?:have\s+)?(?:woke|woken)\s+up{_STOP}|^(?:I|we)\s+(?:have\s+)?(?:got(?:ten)?|come|came|arrived)\s+(?:home|up|back|in|here|out\s+of\s+(?:bed|the\s+(?:shower|bath)))(?=$|\s+(?:from\s+(?:work|the\s+(?:shops?|gym|office)|school|lunch|a\s+\w+)|now|late|early|at\s+\w+))",
    r"^(?:I\s+|we\s+)?(?:have\s+)?(?:overslept|slept\s+(?:terribly|horribly|awfully|in\b|through|well|great|badly|late|only|barely|about|\w+\s+hours)|barely\s+slept|hardly\s+slept|did\s+not\s+sleep)",
    r"^(?:I\s+|we\s+)?(?:have\s+)?(?:stubbed|burn(?:t|ed|ts)|banged|bumped|hit|bit|pricked|nicked|scraped|jammed)\s+my\s+(?:\w+\s+)?(?:toe|tongue|finger|thumb|head|knee|elbow|shin|lip|hand|chin)\b",
    r"^(?:I\s+|we\s+)?(?:have\s+)?(?:spill?ed|spilt|dropped|knocked|splashed)\s+.*\b(?:my|the|all\s+over|on\s+me|over)\b",
    rf"^(?:I\s+|we\s+)?(?:cannot\s+find|have\s+lost|lost|have\s+misplaced|misplaced|have\s+forgotten|forgot|have\s+left|left|mislaid|am\s+looking\s+for|keep\s+losing|locked)\s+(?:my|the|our)\s+{_MISLAID}{_STOP}",
    rf"^(?:my|our)\s+{_THINGS}{_IS}\s+{_HAPPENS}\b",
    rf"^(?:(?:my|our)\s+(?:[a-z-]+\s+){{0,2}}?|the\s+(?:[a-z-]+\s+)?){_NEAR}{_IS}\s+{_NEARBY}\b",
    # what one is at, today of all days
    r"^(?:I|we)\s+(?:am|are)\s+(?!(?:moving|starting|turning|retiring|graduating|flying|studying|working|learning|living|building|writing|renovating|restoring|refurbishing|rebuilding|converting|designing|composing|translating|organi[sz]ing|fostering|rehearsing|training|teaching|joining|expecting|recovering|dating|volunteering|saving|playing|getting\s+(?:married|divorced|engaged)|leaving\s+(?:my|for)|quitting|launching|opening|marrying|celebrating|adopting|becoming|defending|undergoing|having\s+(?:surgery|an?\s+(?:operation|baby|scan|interview)))\b)\w+ing\b.*\b(?:today|tonight|right\s+now|again|at\s+the\s+moment|this\s+(?:morning|evening|afternoon))$",
    r"^(?:I|we)\s+(?:am|are)\s+(?:leaving\s+(?:the|our)\s+(?:house|office|flat|hotel|shop)|having\s+(?:trouble|problems|difficulty|issues)\b|wearing\s+(?:odd|my|the|two))",
    r"^(?:I|we|my\s+\w+)\s+(?:have\s+)?(?:run|ran|used\s+up|finished)\s+(?:out\s+of\s+|all\s+the\s+|the\s+last\s+(?:of\s+the\s+)?)(?!money\b|luck\b|marathon)\w+|^(?:I|we)\s+(?:have\s+)?(?:burn(?:t|ed)|ruined|overcooked|oversalted)\s+(?:the\s+|my\s+)?(?:dinner|lunch|breakfast|toast|food|cake|rice|pasta|soup|cookies)\b|^(?:I|we)\s+(?:can|could)\s+(?:hear|smell|see)\s+(?:my|the|our)\b|\bsun\s+is\s+in\s+my\s+eyes",
    r"^(?:I\s+|we\s+)?(?:have\s+got\s+to|got\s+to|gotta|must|had\s+better)\s+(?:pick\s+up|fetch|collect|feed|walk|take\s+out|take\s+the|do\s+the|get\s+(?:the|some|my)|buy|call|ring|answer|put|finish|clean|wash|tidy|return|post)\b",
    r"^(?:I|we)\s+(?:am|are|was|have\s+been)\s+(?:\w+\s+)?(?:too\s+(?:lazy|tired|hot|cold|full|early|late|busy|sleepy|hungry|hungover|sick)\s+to\b|wide\s+awake|up\s+since|up\s+all\s+night|nearly\s+(?:at|there|home)|almost\s+(?:at|there|home)|at\s+my\s+desk|at\s+the\s+(?:motorway|lights|border|beach))",
    r"^my\s+\w+(?:'s|\s+is)\s+running\s+late\b|\ball\s+over\s+my\b|^(?:I|we)\s+have\s+(?:got\s+)?(?:some\s+|a\s+|an\s+)?(?!(?:scars?|moles?|birthmarks?|tattoos?|piercings?|plates?|pins?)\b)\w+\s+(?:on|in|up)\s+my\s+(?:nose|face|shirt|trousers|teeth|hair|chin|hands?|shoes?|sleeve|fingers?)$|^(?:I|we)\s+cannot\s+get\s+(?:comfy|comfortable|warm|going|off|my\s+\w+\s+to)\b|^(?:my|our)\s+(?:hands|fingers|feet|hair|clothes|coat|kitchen|flat|car|fridge)\s+(?:smells?|stinks?|reeks?)\b|^(?:my|our)\s+(?:ears|eyes|cheeks)\s+(?:are|is)\s+(?:ringing|popping|blocked|stinging|streaming|burning)\b|^my\s+(?:\w+\s+)?(?:nail|zip|strap|heel|button|shoelace|tights|earphones?|headset|charger|umbrella|pen)\s+(?:broke|snapped|ripped|came\s+off|died|fell|split)\b",
    r"^some(?:one|body)\b.*\b(?:parked|at\s+(?:the|my)\s+door|drilling|smoking|knocking|shouting|ringing|in\s+my\s+(?:seat|spot|chair))\b",
    r"\b(?:something|an?\s+eyelash)\s+(?:stuck\s+)?in\s+my\s+(?:eye|throat|teeth|shoe)\b|\bmy\s+(?:day|morning|commute)\s+(?:is|was|has\s+been)\b|^it\s+(?:is|has\s+been|was)\s+.*\bfor\s+(?:me|us)$|^it\s+(?:is|was)\s+.*\bin\s+(?:my|our)\s+(?:office|flat|room|kitchen|house|bedroom)\b",
    rf"^(?:I\s+|we\s+)?(?:have|have\s+got|got)\s+(?:tons|loads|a\s+(?:lot|ton|mountain|pile|heap|bunch)|lots|so\s+much|so\s+many|too\s+much|heaps|piles|stacks)\s*(?:of\s+)?(?:[\w-]+\s+)?{_CHORES}\b",
    r"^(?:I|we)\s+(?:fancy|crave|could\s+murder|could\s+do\s+with|could\s+use|am\s+gasping)\b|^(?:I|we)\s+have\s+put\s+the\s+\w+\s+on\b|^(?:I|we)\s+cannot\s+(?:sleep|concentrate|keep\s+my\s+eyes|get\s+(?:up|out\s+of\s+bed|warm)|stop\s+(?:yawning|sneezing|coughing))\b",
)
# what is worth remembering although it has just happened
_MATTERS = (
    r"(?:moved|married|got\s+(?:engaged|married|divorced|promoted|accepted|an?|the|my|our|hired|fired|into)|bought|adopted|started|quit|left|retired|graduated|turned|had\s+(?:a\s+)?(?:baby|twins|surgery|my|our)|"
    r"became|become|begun|taken|given|seen|grown|joined|signed|booked|found|been|diagnosed|lost|passed|finished\s+(?:my|school|uni|reading|writing|the\s+(?:course|degree|first))|sold|broke|broken|came\s+out|published|won|learned|learnt|learning|died|inherited|"
    r"opened|launched|applied|enrolled|registered|switched|upgraded|named|met|proposed|split|separated|divorced|visited|returned|landed|hit|beat|ran|run|completed|saw|read|watched|love|like|want|hate|live|work|need|prefer|use|"
    r"have|am|is|are|do|celebrated|took|gave|had\s+to|told|decided|planted|built|painted|made|began|one|two|as|like|in|over|under|outside|a|the|wanted)"
)
JUST_NOW = LazyPattern(
    rf"^\W*(?:[\w]+,\s+)?(?:I|we|my\s+[\w-]+|our\s+[\w-]+)(?:'ve|'s|\s+have|\s+has)?\s+just\s+(?!{_MATTERS}\b)[a-z]+\b",
    re.I,
)
