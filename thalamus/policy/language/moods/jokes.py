"""Sayings that are not meant as they are said: "I'm allergic to Mondays", "two left feet".

Exaggerations, puns and lines of songs and films are of the same kind. One list for the five
languages: a clause that has one of them states nothing.
"""

from __future__ import annotations

import re

from thalamus.policy.language.moods.hyperbole import is_hyperbole, is_sarcastic
from thalamus.policy.language.patterns import LazyPattern, Pattern, any_of

_SAYINGS = LazyPattern(
    r"""
    # allergic to what nobody is allergic to
    \ballerg\w+\s+(?:to|gegen|auf|aux?|à\s+l[ae']?\s?|al?|à|ao?s?|a\s+l[ao]s?)\s*(?:my\s+|the\s+|den\s+|die\s+|das\s+|les\s+|el\s+|las?\s+|los\s+)?
      (?:mondays?|mornings?|work(?:ing)?|people|exercise|drama|stupidity|nonsense|homework|commitment|adulting|adulthood|housework|cleaning|cooking|responsibilit\w+|meetings|waking\s+up|effort|maths|small\s+talk|idiots|
      montage?n?|arbeit|menschen|aufräumen|sport|lundis?|matins?|travail|gens|connerie\w*|sport|
      lunes|mañanas?|trabajo|gente|segundas?(?:-feiras?)?|manhãs?|trabalho|pessoas)\b
    |\ballergisch\s+gegen\s+montage?\b|\bgegen\s+(?:montage?|arbeit|menschen|dummheit)\s+allergisch\b
    # memory, feet, languages that are none
    |\b(?:memory|brain|attention\s+span)\s+of\s+an?\s+(?:goldfish|fish|sieve|gnat)|\bmemory\s+like\s+a\s+sieve
    |\bgedächtnis\s+wie\s+ein|\bmémoire\s+de\s+poisson|\bmemoria\s+de\s+pez|\bmemória\s+de\s+peixe
    |\btwo\s+left\s+(?:feet|hands)|\bzwei\s+linke\s+(?:hände|füße)|\bdeux\s+mains\s+gauches
    |\b(?:fluent|fließend|fluent\s+in)\s+(?:sarcasm|nonsense|gibberish|sarkasmus)|\bsarcasmo?\b.*\b(?:courant|fluid|fluent)|\b(?:speak|spreche|hablo|falo|parle)\w*\b.*\bsarca\w*
    # jobs, titles and marriages that are none
    |\b(?:full[- ]time|professional|part[- ]time|world[- ]class|certified|chief)\s+(?:napper|procrastinator|overthinker|worrier|idiot|couch|slacker|dreamer|complainer|snacker|cat\s+servant)
    |\bphd\s+in\s+(?:overthinking|procrastinat\w+|napping|nothing|worrying)|\bmarried\s+to\s+(?:my|the|his|her)\s+(?:job|work|phone|bed|laptop|sofa)
    |\bmy\s+superpower\b|\bmeine\s+superkraft|\bmon\s+superpouvoir|\bmi\s+superpoder|\bmeu\s+superpoder
    |\bmy\s+(?:cat|dog|toddler|baby|bed|sofa|couch)\s+(?:is\s+my\s+boss|and\s+I\s+(?:are|have)\s+.*relationship)
    |\bgrande\s+histoire\s+d'amour|\b(?:dog|hund|chien|perro|cão|cachorro)\s+(?:ate|eaten|hat|a\s+mangé|se\s+comió|comeu)\b.*\b(?:homework|hausaufgaben|devoirs|deberes|tarea|lição)
    |\b(?:diet|body|blood)\s+(?:consists?|is\s+made)\s+.*\b(?:coffee|despair|wine|chocolate)|\bmy\s+blood\s+type\s+is\s+(?:coffee|wine|espresso)
    |\b(?:with|mit)\s+(?:the\s+|den\s+)?(?:dinosaurs?|dinosaurier\w*|dinos)\b
    |\b(?:seafood\s+diet|see-?food)\b|\bother\s+car\s+is\s+a\s+broomstick
    |\bagain,?\s+for\s+the\s+(?:\w+th|\w+nd|\w+rd)\s+time|\bdans\s+ma\s+tête\s*$
    |\b(?:1[2-9]\d|[2-9]\d\d|\d{4,})\s+(?:years\s+old|jahre\s+alt|ans|años|anos)\b
    # as hungry as can be
    |\b(?:dying|starving|could\s+(?:eat\s+(?:a\s+horse|the|my)|kill\s+for|murder\s+a|sleep\s+for\s+a\s+(?:week|year)))\b
    |\b(?:mort|morte|morto|morta|muerto|muerta)\s+de\s+(?:faim|soif|fatigue|rire|fome|sono|sede|cansaço|hambre|sueño|sed|risa)
    |\bsterbe\s+vor\s+hunger|\btotm[üu]de|\bhungrig\s+wie\s+ein
    """,
    re.I | re.X,
)


# "sure, and my goldfish pays the rent": what is said after it is meant to be as untrue
_MOCKING = any_of(
    r"""^\W*(?:(?:oh\s+)?(?:sure|of\s+course|suu+re|totally|yeah\s+right|as\s+if|mhm|uh-?huh|right),?\s+(?:and|cause|because)\s+(?!.*\b(?:also|too|as\s+well|actually)\b)(?!(?:thanks?|please|can|could|what|how|where|when|who|why)\b)
    |(?:yes|yeah|yep|ok|okay|well|right|sure)?,?\s*and\s+(?:I|my\s+\w+)(?:'m|\s+am|\s+is)\s+(?:the\s+)?(?:queen|king|pope|santa|father\s+christmas|emperor|napoleon|cleopatra|elvis|batman|mickey|mother\s+teresa|tooth\s+fairy|easter\s+bunny)\b
    |(?:ja|na)?\s*(?:klar|sicher|genau|logisch|natürlich),?\s+und\s+(?:ich|mein|meine|morgen)\b(?!.*\bauch\b)
    |(?:sí,?\s+|sim,?\s+|pois,?\s+)?(?:claro|seguro|por\s+supuesto|com\s+certeza),?\s+(?:y|e)\s+(?:yo|eu|mi|meu|minha)\b(?!.*\bta[m]?b)
    |(?:ben\s+voyons|mais\s+bien\s+sûr|bien\s+sûr|c'est\s+ça|oui\s+oui|mais\s+oui),?\s+(?:et\s+)(?:moi|mon|ma|je)\b(?!.*\baussi\b)
    |(?:lucky\s+me\b(?=.*\b(?:again|another|meeting|overtime|tax|bills?|queue|monday|shift|deadline|flat\s+tyre|rain|delay\w*)\b)|living\s+the\s+dream(?=[,:])|just\s+(?:great|what\s+I\s+(?:needed|wanted)|my\s+luck)|how\s+(?:delightful|thrilling)|story\s+of\s+my\s+life|gotta\s+love|love\s+that\s+for\s+me|don't\s+you\s+(?:just\s+)?love|note\s+to\s+self|knock\s+knock|na\s+(?:toll|super|prima|bravo|großartig)|toll,\s+(?:ganz|wieder)|genau\s+das,?\s+was\s+mir|qué\s+bien,\s+(?:otro|otra)|génial,\s+encore|super,\s+encore|que\s+maravilha,\s+mais)\b
    |(?:I\s+|we\s+)?(?:guess|suppose)\s+(?:I|we)(?:'ll|\s+will|'m|\s+am|\s+have|'ve)\s+(?:just\s+|have\s+to\s+|got\s+to\s+)*(?:live|die|marry|move|eat|become|be|quit|sell|an?|the|never|cry|starve|sleep|go\s+live|join|adopt|fight|learn)\b
    |looks?\s+like\s+I(?:'m|\s+am)?\s+(?:live|living|sleep)\b)"""
)
_NOBODY_IS = (  # what no user is
    r"(?:(?:[\w-]+\s+){0,2}?(?:unicorn|wizard|vampire|werewolf|zombie|ghost|dragon|mermaid|robot|cyborg|alien|potato|vegetable|cabbage|cucumber|sloth|dinosaur|mammoth|raccoon|raccoons|goblin|gremlin|witch|fairy|"
    r"superhero|ninja|pirate|time\s+travell?er|immortal|genius|legend|goddess|god|deity|couch\s+potato|burrito|pancake|pizza|cat|dog|fish|goldfish|penguin|hamster|llama|octopus|snail|houseplant|cactus|lizard\s+person|toaster|"
    r"spoon|walking\s+(?:disaster|zombie|corpse|encyclop\w+|contradiction|mess|meme)|human\s+(?:disaster|burrito|puddle|pretzel|potato|pincushion|vacuum)|puddle|disaster|mess|trainwreck|einhorn|zauberer|vampir|werwolf|geist|drache|roboter|kartoffel|faultier|dinosaurier|außerirdischer|alien|prinzessin|held|superheld|meerjungfrau|unicornio|vampiro|fantasma|dragón|"
    r"extraterrestre|perezoso|momia|licorne|vampire|fantôme|larve|légume|martienn?e?|patate|sirène|unicórnio|vampiro|zumbi|dragão|sereia|batata|preguiça|extraterrestre|múmia))"
)
_FAMOUS = (
    r"(?:batman|superman|spider-?man|catwoman|wonder\s+woman|santa(?:\s+claus)?|father\s+christmas|god|jesus|napoleon|cleopatra|elvis|james\s+bond|bond|the\s+pope|sherlock(?:\s+holmes)?|"
    r"beyonc[eé]|darth\s+vader|shrek|gandalf|dumbledore|harry\s+potter|dracula|bigfoot|groot|spartacus|(?:the\s+)?(?:queen|king|emperor|princess|pope|sultan|chosen\s+one|walrus|eggman|one\s+who\s+knocks|tooth\s+fairy|easter\s+bunny|"
    r"boss\s+around\s+here|law|night|captain\s+now)(?:\s+of\s+.*)?|your\s+(?:father|mother)|iron\s+man|a\s+(?:barbie\s+girl|creep|loser\s+baby|poor\s+boy|rocket\s+man)(?:\s+.*)?|mickey\s+mouse|yoda|"
    r"der\s+(?:kaiser|papst|könig|weihnachtsmann|osterhase)(?:\s+(?:von|der)\s+.*)?|die\s+(?:queen|königin|kaiserin)(?:\s+von\s+.*)?|superman|batman|el\s+papa|el\s+rey(?:\s+.*)?|la\s+reina(?:\s+.*)?|papá\s+noel|le\s+pape|le\s+roi(?:\s+.*)?|la\s+reine(?:\s+.*)?|le\s+père\s+noël|o\s+papa|o\s+rei(?:\s+.*)?|a\s+rainha(?:\s+.*)?|o\s+pai\s+natal|papai\s+noel)"
)
_HOUSEHOLD = (  # what can neither hate, plot nor laugh
    r"(?:toaster|printer|fridge|oven|microwave|kettle|alarm(?:\s+clock)?|phone|laptop|computer|car|sofa|couch|bed|pillow|duvet|wallet|bank\s+account|bank\s+balance|credit\s+card|(?:house\s?)?plants?|cactus|washing\s+machine|hoover|vacuum|"
    r"roomba|sat\s?nav|wardrobe|jeans|scales?|diet|fitbit|watch|coffee(?:\s+machine)?|wifi|inbox|calendar|to-?do\s+list|liver|stomach|brain|hair|cat|dog|goldfish|hamster|parrot)"
)
_NO_PLACE = r"(?:(?:my|the|a|an|meinem?r?|im|der|mi|la|el|mon|ma|le|meu|minha|o)\s+)?(?:fridge|freezer|cupboard|wardrobe|bin|rock|pineapple|moon|mars|venus|jupiter|saturn|narnia|hogwarts|middle-?earth|cloud\s+(?:nine|cuckoo)|matrix|shire|neverland|atlantis|cloud|volcano|toaster|washing\s+machine|kühlschrank|mond|marte|luna|lune|lua|geladeira|nevera|frigo|wolke\s+sieben)"
_NO_SKILL = r"(?:procrastinat\w+|napping|sleeping|snacking|overthinking|worrying|sarcasm|complaining|moaning|shopping|excuses|laziness|netflix|eating|doing\s+nothing|nothing|gossip|cuddling|awkward\w*|small\s+talk|chaos)"
_HYPERBOLE = any_of(
    rf"""
    # who the user is not
    ^(?:I|we)\s+am\s+(?:(?:a|an|the|secretly|basically|actually|clearly|obviously|officially|half|part|three|two|made\s+of|really|today|legally|technically|not\s+a\s+human)\s+)*{_NOBODY_IS}(?=$|\s*[,.;!]|\s+(?:today|now|in\s+(?:a|disguise|human)|at\s+heart|before|until|without|this|when|and\s+you|trapped|with\s+(?:wifi|anxiety))\b)
    |^(?:I|we)\s+am\s+(?:actually\s+|secretly\s+|basically\s+)?{_FAMOUS}$
    |^(?:ich)\s+bin\s+(?:(?:heute|ja|eigentlich|ein|eine|der|die|in\s+wahrheit|heimlich)\s+)*(?:zombie|wrack|{_NOBODY_IS}|{_FAMOUS})(?:\s+(?:heute|–.*))?$
    |^(?:(?:yo|eu)\s+)?(?:soy|sou)\s+(?:(?:un|una|um|uma|en\s+realidad|na\s+verdade)\s+)*(?:{_NOBODY_IS}|{_FAMOUS})$|^je\s+suis\s+(?:(?:un|une|en\s+fait|en\s+réalité)\s+)*(?:{_NOBODY_IS}|{_FAMOUS})$
    |\b(?:et\s+)?moi,?\s+je\s+suis\s+(?:{_FAMOUS})$
    |\ballergic\s+to\s+(?:(?:my|the)\s+)?(?!(?:latex|nickel|perfume))(?:doing|cleaning|washing|ironing|getting|being|having|going|working|running|losing|paying|early|early\s+mornings|stairs|bills|my\s+(?:boss|job|inbox|in-laws))\b|\bmy\s+diet\s+starts\s+(?:tomorrow|monday|next)\b|\b(?:fought|wrestled|punched|arm-?wrestled|outran)\s+an?\s+(?:bear|shark|lion|tiger|crocodile|gorilla|kangaroo|dragon)\b
    # so much that …
    |^(?:I|we)\s+(?:am|are|feel)\s+so\s+(?:old|broke|poor|tired|hungry|lazy|slow|unlucky|cheap|single|forgetful|clumsy|boring|ugly|bad|cold|hot|thirsty|sleepy|bored|skint|vain)(?:\s+at\s+\w+)?,?\s+(?:that\s+)?(?:I|my|we|even|the|it|he|she|they)\b
    |\bfress\w*\s+(?:ich\s+)?einen\s+besen\b|^(?:mein|meine)\s+(?:toaster|kühlschrank|drucker|zimmerpflanze|auto|waage)\s+(?:redet|spricht|schaut|grinst|verfolgt)\b|^ich\s+bin\s+so\s+(?:alt|arm|pleite|faul|müde|hungrig|langsam|vergesslich|tollpatschig|gelangweilt|unsportlich)\b|^(?:yo\s+)?(?:soy|estoy)\s+tan\s+\w+\s+que\b|^je\s+suis\s+(?:si|tellement)\s+(?:vieux|vieille|pauvre|fatiguée?|nulle?|paresseu\w+|lente?)\s+que\b|^(?:eu\s+)?(?:sou|estou|tô)\s+tão\s+\w+\s+que\b
    # homes, parents and feats that nobody has
    |\b(?:live|lives|living|moved|lebe|wohne|vivo|habite|moro|auswandern|wandere|move|moving)\s+(?:(?:in|on|under|inside|behind|im|auf|unter|en|dans|sur|na|no|em|to|aus|auf\s+den|auf\s+dem)\s+)+{_NO_PLACE}(?=$|\s*[,.;!]|\s+(?:and|now|aus|with|und)\b)|\bwander\w*\b.*\b(?:mond|mars)\b
    |\braised\s+by\s+(?:wolves|bears|cats|raccoons|apes|tv|the\s+internet|youtube)\b|\binvented\s+(?:the\s+(?:internet|wheel|question\s+mark)|sliced\s+bread|fire|gravity)\b|^(?!.*\b(?:talk|walk|grind|snore|mumble|kick|cry|scream|rede|spreche|wandle|schnarche|knirsche)).*\b(?:in\s+my\s+sleep|im\s+schlaf)$|\bwith\s+my\s+eyes\s+(?:closed|shut)$
    |^(?:I|we)\s+(?:can\s+(?:fly|read\s+minds|time\s+travel|breathe\s+under\s*water|see\s+the\s+future|talk\s+to\s+(?:ghosts|plants))|wrestle\s+(?:\w+\s+)?(?:crocodiles|alligators|bears|sharks|tigers|lions)|eat\s+(?:nails|glass|rocks|children|souls|gravel)\b|bench(?:\s+press)?\s+(?:cars|buses|trucks)|climb\s+(?:mount\s+)?everest\s+(?:every|before|daily|for)|juggle\s+(?:chainsaws|knives\s+on)|swim\s+the\s+(?:channel|atlantic)\s+(?:every|before)|tame\s+\w+|ride\s+(?:a\s+)?(?:unicorns?|dragons?|dinosaurs?)|see\s+dead\s+people)
    |\b(?:pigs?|elephants?|unicorns?|dragons?|dinosaurs?|crocodiles?|penguins?|gnomes?|goblins?|monkeys?)\s+(?:can\s+fly|fly|flying|live|lives|living)\s+(?:in|under|out\s+of)\s+my\b|\bwhen\s+pigs\s+fly\b|\bmy\s+(?:goldfish|hamster|cat|dog|budgie|tortoise|toaster)\s+(?:pays|does|drives|runs|writes|cooks|files|speaks|works|wants\s+a\s+(?:divorce|lawyer)|is\s+(?:the|my)\s+(?:boss|ceo|manager|lawyer|accountant|therapist|landlord))\b
    |\b(?:speaks?|fluent(?:\s+in)?)\s+(?:fluent\s+|perfect\s+)?(?:dog|cat|baby|toddler|whale|parseltongue|klingon|elvish|emoji|drunk|teenager|dolphin|squirrel|duck)\b
    # death and agony by everyday things
    |\b(?:killed|kills|killing|destroyed|murdered|slaughtered|finished)\s+me\b|\b(?:will|going\s+to)\s+(?:be\s+the\s+death\s+of|kill)\s+me\b|^r\.?i\.?p\.?\b|\bsend\s+(?:help|flowers|chocolate|wine|coffee)\b|^(?:I|we)\s+(?:am|are)\s+(?:literally\s+|officially\s+|so\s+|basically\s+|actually\s+)*(?:dead|deceased|melting|screaming|crying|shook|doomed|toast)(?=$|\s*[,.;!])|\b(?:died|dying|dead)\s+laughing\b|^(?:I|we)\b.*\b(?:died|dying|dead)\s+of\s+(?:boredom|laughter|embarrassment|hunger|cringe|thirst|shame|cuteness)\b|\bdied\s+and\s+(?:went|gone)\b|\b(?:bored|scared|worried|tickled)\s+(?:to\s+(?:death|tears)|stiff|pink)\b(?!\s+of)|\btook\s+(?:ten|five|\d+)\s+years\s+off\b|\baged\s+me\b|\bover\s+my\s+dead\s+body\b
    |\b(?:sold|sell)\s+(?:my|a)\s+(?:soul|kidney|organs|grandmother|firstborn)\b|\beat\s+my\s+(?:own\s+)?(?:foot|feet|hat|shoes?|arm|leg|eyeballs|socks)\b
    |\bmy\s+(?:brain|head)\s+(?:is|has|feels)\s+(?:like\s+)?(?:a\s+)?(?:soup|fried|mush|melting|melted|porridge|jelly|mashed|scrambled|cotton\s+wool|toast|pudding|custard|sieve|full\s+of\s+bees|left\s+the|gone\s+on|offline|buffering|turned)\b|\b(?:gehirn|hirn|kopf)\s+ist\s+(?:nur\s+noch\s+)?(?:matsch|brei|püree|leer|wie\s+watte|ein\s+sieb)\b
    |\b(?:my|our)\s+(?:\w+\s+)?{_HOUSEHOLD}\s+(?:(?:is|are|has|have|clearly|secretly|officially|definitely|just|already)\s+)*(?:hates?\s+me|loves?\s+me\s+more|judging|judges|crying|weeping|laughing|plotting|conspiring|unioni[sz]ing|filed|filing|on\s+strike|out\s+to\s+get|my\s+(?:\w+\s+)?(?:enemy|nemesis|soulmate|best\s+friend|boss|only\s+friend|true\s+love)|screaming|mocking|planning\s+(?:my|a|to)|runs?\s+(?:the|this|our)\s+(?:house|household|place|show|family|home)|trying\s+to\s+kill|possessed|haunted|cheating\s+on|breaking\s+up|divorc\w+|and\s+I\s+(?:are|have)|thinks?\s+I|pays?)\b
    |\b(?:mein|meine)\s+(?:toaster|drucker|wecker|computer|kühlschrank|auto|konto|sofa|bett|waage|handy)\s+(?:hasst|liebt|lacht|weint|will|plant|verschwört|beleidigt)\b|\b(?:mi|meu|minha|mon|ma)\s+(?:tostadora|impresora|despertador|coche|nevera|planta|cuenta|cartera|grille-pain|imprimante|réveil|voiture|frigo|portefeuille|compte|torradeira|impressora|carro|geladeira|carteira|conta)\s+(?:me\s+(?:odia|odeia|hait|déteste)|se\s+ríe\s+de\s+mí|ri\s+de\s+mim|rigole|llora|pleure)\b
    |\bmarried\s+to\s+(?:my|the)\s+(?:sofa|couch|bed|fridge|laptop|phone|job|work|sea|gym|kitchen)\b|\bmarry\s+(?:my|this|the|a)\s+(?:laptop|bed|sofa|fridge|toaster|pizza|cat|kettle|burger|coffee)\b|\bmy\s+bed\s+and\s+I\b
    # coffee instead of blood, and other stuff one is not made of
    |\b(?:runs?\s+(?:purely\s+|solely\s+|entirely\s+)?on|am\s+(?:\w+\s+)?(?:powered|fuelled|held\s+together)\s+by|made\s+(?:entirely\s+)?of)\s+(?:(?:pure|sheer|only|mostly)\s+)?(?:coffee|caffeine|spite|sugar|chocolate|tea|wine|anxiety|vibes|hope|air|duct\s+tape|biscuits)\b|\b(?:through|in)\s+my\s+veins\b|\bmy\s+blood\s+(?:is|type\s+is|consists)\s+.*(?:coffee|espresso|caffeine|wine|gin|tea|chocolate|sugar|cheese|negative\s+about)|\bvon\s+luft\s+und\s+liebe\b|\bd'amour\s+et\s+d'eau\s+fraîche\b
    |\b(?:black\s+belt|ph\.?d|degree|masters?|diploma|doctorate|gold\s+medal|olympic\s+medal|world\s+record|certificate|a-?levels?)\s+(?:in|for)\s+(?:\w+\s+)?{_NO_SKILL}|\b(?:world\s+champion|expert|olympian|champion|master)\s+(?:in|at|of|procrastinator|napper)\s+(?:\w+\s+)?{_NO_SKILL}|\bolympic\s+level\s+\w+
    |\bam\s+the\s+(?-i:[A-Z]\w+)\s+of\s+\w+ing\b|\bput\s+the\s+\w+\s+in(?:to)?\s+\w+$|\b(?:nobel\s+prize|oscar|grammy|olympic\s+gold)\s+(?:in|for)\s+\w+ing\b|\bnot\s+slept\s+since\s+the\b|\band\s+(?:regret|despair|broken\s+dreams|tears|sadness)$|\b(?:love|social|sex)\s+life\s+(?:is\s+an?|than)\b|\b99\s*%\s+sure\s+my\b|\bfirst-?name\s+(?:basis|terms)\s+with\s+the\s+(?:pizza|delivery|takeaway|bin)\b|\bmy\s+own\s+stunts\b|\b(?:my|our)\s+(?:\w+\s+)?(?:cat|dog|toddler|goldfish|hamster|kitchen|bedroom|desk|car|inbox|life|love\s+life|commute|fridge)\s+(?:is|are)\s+(?:basically\s+|clearly\s+|secretly\s+)?(?:an?\s+)?(?:\w+\s+)?(?:spy|dictator|secret\s+agent|serial\s+killer|psychopath|tyrant|con\s+artist|horror\s+(?:movie|film)|disaster\s+(?:movie|film|zone)|soap\s+opera|sitcom|circus|war\s+zone|black\s+hole|crime\s+scene|biohazard|museum\s+of\s+\w+)\b|\bthinks\s+(?:he|she|it)\s+(?:is|owns|runs)\b|\b(?:hogwarts|narnia|mordor|westeros|gotham|tatooine|gondor|the\s+shire|asgard|wakanda|bikini\s+bottom|springfield\s+power)\b|\bmy\s+spirit\s+animal\b|\bmy\s+middle\s+name\s+is\s+(?:trouble|danger|chaos|procrastination|disaster|drama|clumsy|patience|mischief)\b|\bin\s+(?:a|my)\s+trench\s?coat\b|\b(?:brain\s+cells?)\s+(?:left|remaining)\b|\b(?:one|two|last)\s+brain\s+cells?\b|\btable\s+manners\s+of\b|\b(?:about\s+)?as\s+(?!(?:old|tall|big|small|heavy|young)\b)\w+\s+as\s+(?:an?|the)\s+(?:brick|bat|post|bone|fish|lord|mule|ox|cucumber|rock|potato|plank|doornail|snail|sloth|tomato|spoon|teapot|log|wet\s+\w+|dead\s+\w+|cold\s+\w+|chocolate\s+\w+|two\s+short\s+\w+)\b|\bnerves\s+(?:like|of)\b|\bmoves\s+of\s+an?\b|\bone\s+(?:coffee|meeting|email|bad\s+\w+)\s+away\s+from\b|\b(?:mental\s+breakdown|world\s+domination|commitment\s+issues|trust\s+issues\s+with|war\s+crime|crime\s+against|dictator|herding\s+cats|bomb\s+went\s+off|bigger\s+boat|famous\s+in\s+my|my\s+weight\s+in)\b|\bam\s+(?:\d+\s*%|\w+\s+per\s?cent|half|mostly)\s+(?:caffeine|coffee|tea|wine|cheese|water|sugar|anxiety|chocolate|pizza|pasta)\b|\b(?:reigning|undisputed|world|olympic|national|undefeated)\s+champion\s+of\s+\w+ing\b|\bnearly\s+died$|\balmost\s+died\s+laughing|\baged\s+(?:\w+\s+)?years\b|\bnot\s+slept\s+since\s+(?:19|20)\d\d|\bwith\s+anxiety$|\ba\s+butler\b|\battention\s+span\s+of\b
    |\b(?:\d{{2}}|twenty-?\w*|thirty|forty|fifty)\s+(?:again\b|for\s+the\s+\w+\s+time|with\s+the\s+(?:knees|back|body)\s+of|going\s+on\s+\d+)|\bforever\s+(?:21|young|29)\b
    # since the Stone Age; a million times
    |\bsince\s+(?:the\s+)?(?:stone\s+age|dinosaurs?|dawn\s+of\s+time|ice\s+age|big\s+bang|beginning\s+of\s+time|pharaohs)\b|\bfor\s+(?:a\s+(?:thousand|million|billion|zillion)|84)\s+years\b|\bfor\s+(?:an\s+eternity|all\s+eternity|what\s+feels\s+like)\b
    |\b(?:a\s+(?:million|billion|zillion|gazillion|trillion)|millions\s+of|99)\s+(?:times|things|tabs|problems|emails|mails|messages|reasons|questions|ideas)\b|\b(?:a\s+(?:hundred|thousand)|hundreds\s+of|thousands\s+of)\s+(?:times|things\s+to|tabs)\b|\b(?:tausend|hundert|millionen)(?:mal|\s+(?:sachen|dinge|mal|mails))\b|\b(?:mil|un\s+millón\s+de|um\s+milhão\s+de|mille|un\s+million\s+de|trente-six)\s+(?:cosas|veces|coisas|vezes|choses|fois|trucs)\b
    |\bspinne\b.*\bich\b|\bich\s+spinne$|\bknutscht\s+(?:mich\s+)?ein\s+elch\b|\bkrieg\w*\s+(?:ich\s+)?(?:die\s+krise|zu\s+viel|einen\s+vogel|die\s+motten|'?nen\s+vogel)\b|\bsterbe\s+(?:\w+\s+)?(?:vor|fast)\b|\b(?:lache|lach)\s+mich\s+(?:tot|kaputt|schlapp)\b|\bbrech\w*\s+(?:ich\s+)?zusammen\b|\bbis\s+(?:der\s+arzt\s+kommt|zum\s+umfallen)\b|\bfriss\w*\s+(?:ich\s+)?(?:einen|'?nen)\s+besen\b|\bganzes\s+(?:schwein|pferd)\b|\bhunger\s+wie\s+ein\b|\bbärenhunger\b|\bfaim\s+de\s+loup\b|\bavaler\s+un\s+(?:éléphant|bœuf|boeuf)\b|\bje\s+meurs\s+d[e']|\bcomería\s+un(?:a)?\s+(?:caballo|vaca)\b|\bcomer\s+um\s+boi\b
    """
)
# puns, songs and films known by heart: all of the sentence is one
_BY_HEART = any_of(
    r"""
    \bused\s+to\s+(?:be\s+(?:indecisive|addicted\s+to\s+(?:soap|time|the\s+hokey)|conceited|schizophrenic)|be\s+an?\s+[\w ]+\s+but\s+(?:I|then)\b.*\b(?:interest|dough|cut|grip|drive|patients|thread|spark))|\bwalks?\s+into\s+a\s+bar\b|\bseafood\s+diet\b
    |\b(?:I\s+will\s+be\s+back$|inigo\s+montoya|shot\s+the\s+sheriff|like\s+big\s+butts|my\s+heart\s+will\s+go\s+on|my\s+precious$|king\s+of\s+the\s+world|a\s+feeling\s+we\s+are\s+not\s+in\s+kansas|my\s+mama\s+always\s+said|smell\s+of\s+napalm|i\s+have\s+a\s+dream$|here's\s+johnny|hello\s+from\s+the\s+other\s+side|
      came\s+in\s+like\s+a\s+wrecking|walking\s+on\s+sunshine|moves\s+like\s+jagger|cannot\s+get\s+no\s+satisfaction|get\s+knocked\s+down|believe\s+I\s+can\s+fly|want\s+to\s+break\s+free|will\s+survive$|always\s+love\s+you$|still\s+have\s+not\s+found\s+what|bringing\s+sexy\s+back|too\s+old\s+for\s+this|houston,?\s+we\s+have|volver[eé]\b$|
      my\s+milkshake\s+brings|wrecking\s+ball|just\s+called\s+to\s+say|want\s+it\s+that\s+way|blue\s+da\s+ba|barbie\s+world|a\s+box\s+of\s+chocolates|walk\s+the\s+line$|highway\s+to\s+hell|living\s+on\s+a\s+prayer|yellow\s+submarine|dancing\s+queen|just\s+a\s+poor\s+boy|killed\s+my\s+father|cannot\s+lie$|bohemian\s+rhapsody\b.*\bin\s+my\s+head|might\s+as\s+well\s+jump|99\s+luftballons|ich\s+will\s+spaß)
    |\byour\s+huckleberry\b|\bto\s+be\s+or\s+not\s+to\s+be\b|\bmay\s+the\s+force\b|\bmy\s+(?:alarm(?:\s+clock)?|bed|fridge|sofa|couch|duvet|printer|toaster|phone|laptop|wallet|bank\s+account|scales?|diet|snooze\s+button|gym\s+membership)\s+and\s+I\s+(?:are|have|am)\b|\bmein\s+(?:wecker|bett|konto|sofa|kühlschrank|drucker|chef\s+und\s+mein)\s+und\s+ich\s+(?:sind|haben)\b|\bbin\s+so\s+alt,?\s+(?:dass\s+)?ich\b|\bruns\s+the\s+(?:household|house),\s+I\b
    """
)
# laughter at the end of a remark of its own: "my son Leo starts school, I'm not ready lol"
_LAUGHTER = any_of(r"\b(?:lol|lmao|haha\w*|hehe\w*|xd|rofl)\b|[\U0001f602\U0001f923\U0001f605]")


def is_mocking(message: str) -> bool:
    """Whether a message begins as one that is not meant ("sure, and pigs can fly")."""
    return _MOCKING.match(message) is not None or is_sarcastic(message)


def only_laughs(message: str, jokes: Pattern) -> bool:
    """Whether but for its laughter a message has nothing of what ``jokes`` finds."""
    return jokes.search(_LAUGHTER.sub(" ", message)) is None


def is_famous_line(sentence: str) -> bool:
    """Whether a plain sentence is a pun, or a line of a song or a film."""
    return _BY_HEART.search(sentence) is not None


def is_joke(text: str) -> bool:
    """Whether a clause is a saying that is not meant as it is said."""
    found = _SAYINGS.search(text) is not None or _HYPERBOLE.search(text) is not None
    return found or is_hyperbole(text)
