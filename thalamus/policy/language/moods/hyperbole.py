"""English exaggerations: jobs, feats and feelings of things that nobody takes at their word.

"I have a black belt in ordering takeaway", "my sleep schedule filed for divorce", "wow, another
update". A black belt in judo, and a brother on life support, are meant as they are said.
"""

from __future__ import annotations

from thalamus.policy.language.english.words import KIN_WORD
from thalamus.policy.language.patterns import any_of

# what nobody learns, wins or does for a living
_NO_FEAT = (
    r"(?:procrastinat\w+|napping|snoozing|hitting\s+snooze|sleeping(?:\s+in)?|snacking|overthinking|worrying|complaining|moaning|overreacting|"
    r"(?:ordering|losing|forgetting|avoiding|spilling|tripping|missing|burning|ignoring|cancelling|killing|pretending|waiting|queuing|eating|finding\s+excuses|making\s+excuses|being|"
    r"scrolling|bingeing|binge-?watching|refreshing|faking|dodging|misplacing|finding\s+lost|postponing|opening|breaking|dropping|doing\s+nothing|sitting|staring|googling|falling|saying)\b(?!\s+disorders?)[\w' -]*|"
    r"takeaway|takeout|netflix|sarcasm|small\s+talk|laziness|chaos|nonsense|naps|snacks|excuses|awkwardness|crisps|sofa\s+\w+|bad\s+\w+|poor\s+\w+|terrible\s+\w+|questionable\s+\w+|unfinished\s+\w+)"
)
_HONOUR = r"(?:ph\.?\s?d|doctorate|degree|masters?|diploma|certificate|black\s+belt|gold\s+medal|olympic\s+medal|world\s+records?|nobel\s+prize|trophy|championship|medal|qualification|a-?levels?)"
_NO_TRADE = (
    r"(?:napper|snoozer|sleeper|procrastinator|snacker|overthinker|worrier|scroller|queuer|complainer|moaner|nagger|eater|tea\s+drinker|coffee\s+drinker|excuse[- ]maker|time[- ]waster|"
    r"key[- ]loser|couch\s+potato|sofa\s+\w+|blanket\s+\w+|plant\s+(?:killer|murderer)|cat\s+(?:servant|butler|pillow)|dog\s+pillow|sock[- ]loser|overpacker|daydreamer|ditherer|faffer|binge[- ]watcher|crisp\s+\w+|pizza\s+\w+|taxi\s+service|mess|disaster)"
)
_ONE_OF_MINE = rf"^(?:(?:and|so|but)\s+)?(?:my|our|this|the)\s+(?!(?:[\w-]+\s+)?(?:{KIN_WORD})\b(?!'s))(?:[\w'-]+\s+){{0,2}}?[\w-]+\s+"
_AS_A_PERSON = (  # what only people do or suffer
    r"(?:(?:is|are|has|have|was|just|clearly|secretly|officially|definitely|already|now|basically|currently|will|would)\s+)*"
    r"(?:on\s+life\s+support|in\s+intensive\s+care|plotting|conspiring|judging|gossiping|gaslighting|ghosting|bullying|mocking|laughing\s+at|disagrees?|filed\s+for|filing\s+for|wants?\s+a\s+divorce|divorc\w+|needs?\s+(?:a\s+)?(?:coffee|therapy|therapist|holiday|nap|hug|lawyer|passport|exorcist|priest)|"
    r"winning\s+(?:the\s+)?(?:war|battle)|at\s+war|declared\s+(?:war|independence|bankruptcy)|hates?\s+(?:me|us)|despises?\s+me|given\s+up\s+on\s+me|gave\s+up\s+on\s+me|resigned|retired\s+(?:early|without)|handed\s+in\s+(?:its|their)|unioni[sz]\w+|on\s+strike|trust\s+issues|commitment\s+issues|a\s+grudge|"
    r"having\s+an?\s+(?:existential|identity|midlife|nervous)|an?\s+(?:existential|identity|midlife)\s+crisis|crying|weeping|sobbing|screaming\s+(?:at\s+me|for\s+help)|begging\s+for\s+mercy|sent\s+me\s+a\s+resignation|no\s+longer\s+speaking|ashamed\s+of\s+me|disappointed\s+in\s+me|"
    r"too\s+many\s+tabs|miss(?:es)?\s+me\b|(?:is|are)n'?t\s+talking|not\s+talking\s+to\s+me|thinks?\s+(?:I|we)\b|an?\s+crime\s+(?:in|against)|its\s+own\s+(?:postcode|zip\s+code|gravity|weather|time\s+zone|ecosystem|agent)|sounds?\s+like\s+a\s+(?:jet|dying|drowning|helicopter|strangled|haunted|plane|tractor|banshee)|left\s+the\s+(?:chat|building)|buffering|an?\s+donation|a\s+donation|a\s+crime\s+scene|legally\s+(?:dead|a)|powered\s+by\s+(?:a\s+)?(?:hamsters?|hope|prayers?|potato\w*|squirrels?|steam|spite)|"
    r"like\s+an\s+onion|makes?\s+me\s+cry\s+when|banned\s+(?:in|from|by)\s+(?:\d+|\w+|several|most)\s+(?:countries|states|continents|nations)|(?:illegal|outlawed|prohibited)\s+(?:in|by)\s+|(?:been\s+)?(?:classified|registered|recognised|listed|declared|reported)\s+(?:as|to)\s+(?:a\s+|an\s+|the\s+)?(?:weapon|biohazard|hazard|war\s+crime|natural\s+disaster|health\s+hazard|disaster|museum|un\b|police|hague|world\s+heritage)|"
    r"(?:could|should|can)\s+be\s+(?:used|sold|classified|weaponi[sz]ed|prescribed)\s+as|considered\s+(?:a\s+)?(?:war\s+crime|torture|weapon|crime)|sets?\s+off\s+(?:the\s+)?(?:smoke|fire)\s+(?:alarm|detector)|violates?\s+the\s+geneva|"
    r"(?:seen|travelled|met|got|gets|earns?|owns?)\s+(?:a\s+)?(?:more|better)\b.*\bthan\s+(?:I|me)\b|(?:is\s+)?an?\s+(?:better|smarter|faster|cleverer)\s+\w+\s+than\s+(?:I|me)\b|has\s+an?\s+(?:better|busier|richer)\s+.*\bthan\s+(?:I|me)\b)"
)
_LOVED = (  # a piece of furniture as a spouse
    r"(?:(?:my|the|our|a)\s+)?(?:[\w-]+\s+)?(?:duvet|bed|pillow|sofa|couch|fridge|freezer|blanket|snooze\s+button|kettle|coffee\s+machine|microwave|laptop|phone|spreadsheet|inbox|vending\s+machine|dishwasher|toaster|oven|printer|photocopier|"
    r"remote|hot\s+water\s+bottle|hoover|vacuum\s+cleaner|wifi|wi-fi|alarm\s+clock|washing\s+machine|biscuit\s+tin|rubber\s+plant|houseplant|cactus|pot\s+plant|radiator|delivery\s+(?:guy|man|driver)|chatbot|volleyball)"
)
_CHORE = (  # what nobody adores
    r"(?:(?:filling|fill)\s+(?:in|out)|doing\s+(?:my\s+)?(?:taxes|tax|paperwork|expenses)|tax\s+(?:forms|returns)|paperwork|being\s+(?:stuck|on\s+hold|ignored|woken|late|rained|interrupted|cold-called|put\s+on\s+hold|cut\s+off|yelled)|waiting\s+(?:for|in|on|around)|queu(?:e)?ing(?!\s+theory)|queues|standing\s+in\s+(?:line|queues|the\s+rain)|sitting\s+in\s+(?:traffic|meetings|waiting)|"
    r"traffic(?:\s+jams?)?|paying\s+(?:bills|taxes|rent|fines|for\s+parking)|parking\s+(?:fines|tickets)|scrubbing|unblocking|stepping\s+(?:on|in)\s+(?:lego|puddles|plugs)|alarm\s+clocks|spam|pop-?ups?|cold\s+calls|delays|rail\s+replacement\s+\w+|mondays?|root\s+canals?|hangovers|paper\s+cuts|mansplaining|meetings\s+(?:about|that)|getting\s+(?:up\s+at\s+[345]|soaked|stuck|spam|ghosted|woken)|"
    r"(?:it\s+)?when\s+(?:my|the|it|people|someone|somebody|everyone)\s+.*\b(?:goes\s+off|crash\w*|dies|breaks?|late|cancel\w*|ignore\w*|rains?|interrupt\w*|chews?|stuck|delayed|freez\w*|runs\s+out|drops?|fails?|steals?|eats\s+my|parks?|wakes))"
)
_EXAGGERATES = any_of(
    rf"""\b{_HONOUR}\s+(?:in|for|at)\s+(?:\w+ly\s+)?{_NO_FEAT}
    |\b(?:professional|certified|qualified|world[- ]class|olympic(?:[- ](?:level|standard))?|award-?winning|semi-?professional|seasoned|elite|expert|full[- ]time|chief)\s+{_NO_TRADE}\b
    |\b(?:ceo|cfo|president|chair(?:man|woman)?|mayor|king|queen|patron\s+saint|poster\s+child|world\s+champion|reigning\s+champion|captain|ambassador|minister|director|head|founder|professor)\s+(?:of|for)\s+(?:the\s+department\s+of\s+)?{_NO_FEAT}
    |{_ONE_OF_MINE}{_AS_A_PERSON}|^my\s+(?:plants|houseplants|cacti|succulents)\s+die\s+the\s+moment|\bbasically\s+a\s+serial\s+killer|^(?:I|we)\s+am\s+a\s+serial\s+killer|\bmy\s+ancestors\b.*\b(?:felt|heard)|\bso\s+hard\s+(?:that\s+)?(?:my|the)\s+(?:ancestors|neighbours|dentist|soul)\b|^(?:I|we)\s+have\s+enough\s+[\w ]+\s+to\s+(?:open|fill|sink|build|supply|start|feed|survive)\b|^(?:I|we)\s+(?:pay\s+rent\s+to|work\s+for|am\s+employed\s+by|answer\s+to|am\s+owned\s+by|serve)\s+(?:my|our|the|a)\s+(?:cat|dog|cats|toddler|hamster|parrot|goldfish)\b|^(?:I|we)\s+(?:survive|live|exist)\s+on\s+[\w ,]+\band\s+(?:denial|spite|regret|hope|lies|panic|vibes|tears|stubbornness)\b|\bfinding\s+lost\s+keys\b|\bwho\s+needs\s+(?:sleep|weekends|friends|money|a\s+life|free\s+time)\b
    |\bspeaking\s+terms\s+with\s+{_LOVED}|^(?:I|we)\s+(?:am|are)\s+no\s+longer\s+on\s+speaking\s+terms$|\b(?:relationship|affair|engaged|married|date|romance)\s+(?:with|to)\s+{_LOVED}
    |^my\s+(?:only|best|closest|oldest|most\s+loyal|favou?rite)\s+(?:real\s+)?(?:friend|colleague|coworker|co-worker|companion|flatmate|date|housemate|workmate|therapist|valentine|relationship|drinking\s+buddy|training\s+partner)\s+(?:here\s+|at\s+work\s+|these\s+days\s+)?is\s+{_LOVED}
    |^(?:I|we)\s+live\s+in\s+an?\s+(?:circus|madhouse|asylum|zoo|construction\s+site|sauna|oven|fridge|freezer|washing\s+basket|soap\s+opera|sitcom|reality\s+show|horror\s+film|cave|bubble|pigsty|tip|hobbit\s+hole|simulation)(?:$|\s*[,.;!]|\s+(?:and|with|run\s+by|where)\b)
    |^the\s+(?:clowns|monkeys|inmates|toddlers|goblins|cats)\s+(?:are|have)\s+(?:winning|in\s+charge|taken\s+over|running)
    |\bso\s+(?:\w+|much\s+[\w ]+|many\s+[\w ]+|long|slow|old)\s+(?:that\s+)?(?:I|we|my\s+\w+)\s+(?:will\s+(?:be|have|need|probably|retire|die|grow|turn|celebrate)|(?:could|would|can)\s+(?:have|grow|fry|knit|learn|raise|write|hear|see|sell|go|feed|use|hatch|build|read|start|run|walk)|(?:am|are)\s+(?:legally|basically|practically|technically|officially|half|part|now|turning|becoming|considering)|(?:have|had)\s+(?:aged|grown|forgotten|started\s+to))\b
    |\bby\s+the\s+time\s+(?:I|it|this|the\s+\w+)\b.*\b(?:retire|pension|grandchildren|grey|skeleton|dead)\b|\bdrawing\s+my\s+pension\s+before\b|\b(?:it|that|this|they|which)\s+(?:is\s+going\s+to\s+)?costs?\s+(?:me|us)\s+an?\s+(?:arm\s+and|kidney|leg|fortune\s+and\s+a)|\btype\s+with\s+my\s+nose\b
    |^(?:I|we)\s+have\s+(?:only\s+)?(?:two|three|one)\s+(?:moods|settings|speeds|modes|gears|brain\s+cells|states)\b|\b(?:energy|battery|power)[- ]saving\s+mode\b|^(?:I|we)\s+was\s+born\s+(?:tired|hungry|late|sleepy|confused)\b|\b(?:vegetarian|vegan|athlete|morning\s+person|adult)\s+(?:between\s+meals|on\s+paper|until\s+I\s+smell|until\s+proven|in\s+theory)
    |\bthe\s+(?:reflexes|coordination|grace|elegance|energy|social\s+skills|patience|self-?control|willpower|enthusiasm|agility|stamina|sense\s+of\s+direction|upper\s+body\s+strength|organi[sz]ational\s+skills|fashion\s+sense|bladder|work\s+ethic)\s+of\s+an?\b
    |\bhobbies\s+(?:include|are)\s+(?:\w+ing\s+and\s+|\w+ing,\s+)?{_NO_FEAT}|^(?:I|we)\s+do\s+(?:yoga|sport|pilates|exercise|cardio|weights)\s*:
    |\b(?:smoke|fire)\s+alarm\s+(?:disagrees|cheers|is\s+my\s+timer|applauds|begs)|\b(?:rode|riding|ride)\s+a\s+dinosaur\b|\bliving\s+the\s+dream$|^best\s+(?:day|moment|night|week|news|feeling)\s+of\s+my\s+(?:life|week|year|day)$
    |^(?:I|we)\s+(?:just\s+|simply\s+|absolutely\s+|really\s+|totally\s+|simply\s+just\s+)*(?:love|adore|enjoy|live\s+for|look\s+forward\s+to)\s+{_CHORE}
    # German, French
    |^ich\s+(?:bin|habe?)\s+(?:verheiratet\s+mit\s+|eine\s+beziehung\s+mit\s+)mein(?:em|er)\s+(?:sofa|bett|couch|kühlschrank|handy|laptop|kaffeemaschine|arbeit|job)\b|\b(?:doktor|doktortitel|diplom|meisterbrief|abitur|schwarze[nr]?\s+gürtel|weltmeister(?:in)?|olympiasieger(?:in)?|profi|goldmedaille)\s+(?:im|in)\s+(?:aufschieben|prokrastinieren|faulenzen|schlafen|nichtstun|verschlafen|chaos|ausreden|sofa\w+|snoozen|vergessen|zuspätkommen|trödeln|essen)\b
    |\bje\s+suis\s+mariée?\s+(?:avec|à)\s+mon\s+(?:canapé|lit|frigo|téléphone|ordi\w*|boulot|travail)\b|\b(?:doctorat|médaille\s+d'or|ceinture\s+noire|champione?n?e?\s+du\s+monde)\s+(?:en|de)\s+(?:procrastination|sieste|retard|flemme|grasse\s+matinée|glandouille)\b
    |^ich\s+liebe\s+es,?\s+(?:im\s+stau|in\s+der\s+(?:schlange|warteschleife)|montags|steuer\w*|um\s+[345]|bei\s+regen|auf\s+(?:den|die)\s+(?:bus|bahn|behörde))\b
    |\bwhoever\s+(?:invented|came\s+up|thought\s+of|designed|decided)\b.*\b(?:owes|should|deserves|must|needs|hates|has\s+(?:clearly|never))\b"""
)
# what makes a mockery of all that follows it
_SARCASTIC = any_of(
    r"""^\W*(?:(?:oh\s+)?(?:wow|great|fantastic|wonderful|brilliant|lovely|yay|perfect|awesome|marvellous|superb|splendid|hooray|joy|fabulous|terrific|excellent|amazing|super)[,!.]*\s+(?:yet\s+)?(?:another\b(?!.*\b(?:scholarship|grandchild|baby|award|promotion|offer|grandson|granddaughter)\b)|(?:my|the|our|it|now)\b.*\b(?:again|late|delayed|broken|broke|cancelled|crash\w*|rain\w*|flat\s+(?:tyre|battery)|fine|bug|another\s+meeting|meeting\s+about|leak\w*|overtime)\b)
    |what\s+a\s+(?:surprise|shock|treat|joy|delight|shocker),?\s+(?:another\b|(?:my|the|our|it)\b.*\b(?:again|late|delayed|broken|cancelled|crash\w*|rain\w*|down|stuck|meeting|overtime)\b)
    |(?:(?:breaking(?:\s+news)?|this\s+just\s+in|news\s?flash|headline)\s*[:!,–-]+\s*)?(?:local|area|florida)\s+(?:man|woman|mum|mom|dad|teen|idiot|adult|person)\b
    |(?:breaking(?:\s+news)?|this\s+just\s+in|news\s?flash)\s*[:!,–-]+\s*(?:scientists|experts|sources)\b
    |(?:oh\s+)?(?:yes|yeah|sure|oh)?,?\s*(?:of\s+course|naturally|absolutely|certainly),?\s+I\s+(?:(?:simply|absolutely|totally)\s+(?:love|adore|live\s+for)|(?:just\s+)?adore)\b(?!\s+(?:my|our|her|him|you|them)\b))"""
)


def is_hyperbole(text: str) -> bool:
    """Whether a plain English clause says what is too much to be meant."""
    return _EXAGGERATES.search(text) is not None


def is_sarcastic(message: str) -> bool:
    """Whether an English message opens in a way that mocks what it says."""
    return _SARCASTIC.match(message) is not None
