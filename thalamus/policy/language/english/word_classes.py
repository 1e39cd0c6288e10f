"""English words by what they name: occupations, illnesses, medicines, traits, possessions, nations.

Lists, because a guess by form ("ends in -er") takes a beginner for a profession.
"""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

OCCUPATIONS = frozenset(
    """accountant actor actress actuary administrator analyst anaesthetist archaeologist architect
    archivist artist astronomer attorney author baker banker barber barista bartender bassist
    beekeeper biologist blacksmith bookkeeper bookseller botanist bricklayer broker builder
    butcher captain caretaker carer carpenter cartographer cashier ceramicist chauffeur chef
    chemist chiropractor choreographer cleaner clerk coach cobbler comedian composer conductor
    constable consultant contractor cook copywriter counsellor counselor courier curator dancer
    dentist dermatologist designer detective developer dietitian diplomat director diver doctor
    dramaturg driver drummer economist editor electrician engineer entrepreneur epidemiologist
    farmer filmmaker firefighter fisherman fishmonger florist forester freelancer gardener
    geologist glassblower glazier goldsmith gp guard guide guitarist hairdresser historian
    housekeeper illustrator instructor interpreter intern investigator janitor jeweller jeweler
    joiner journalist judge keeper labourer lawyer lecturer lexicographer librarian lifeguard
    linguist locksmith logistician luthier machinist magistrate manager mason mathematician
    mechanic medic meteorologist midwife miller miner model musician nanny negotiator
    neurologist novelist notary nurse nutritionist oceanographer officer operator optician
    optometrist organist orthodontist paediatrician painter paralegal paramedic pastor
    pathologist pediatrician pharmacist philosopher photographer physician physicist
    physiotherapist pianist pilot planner plasterer plumber podiatrist poet policeman
    policewoman politician porter postman potter priest producer professor programmer prosecutor
    psychiatrist psychologist publisher rabbi radiographer radiologist ranger realtor
    receptionist recruiter referee reporter researcher restorer roofer sailor salesman
    salesperson saleswoman scaffolder scientist sculptor seamstress secretary shepherd shoemaker
    singer soldier solicitor songwriter statistician steward stonemason student surgeon surveyor
    tailor tattooist teacher technician technologist teller therapist tiler toolmaker trader
    trainee trainer translator tutor undertaker underwriter upholsterer vet veterinarian
    violinist waiter waitress watchmaker weaver welder winemaker writer zoologist zookeeper
    apprentice rider jockey postie councillor tuner roaster brewer bookbinder animator printer
    sommelier paediatrics registrar lab lifeboatman dispatcher ecologist geneticist immunologist
    oncologist cardiologist subtitler captioner transcriber signwriter thatcher farrier stylist
    masseur masseuse picker packer""".split()
)
# endings that only occupations have
OCCUPATION_ENDINGS = LazyPattern(
    r"^(?!(?:home|house)keepers?$|(?:vege|pesce?a|frui|flexi)tarian$|humanitarian$)\w{2,}(?:ologist|ographer|graphist|therapist|maker|keeper|smith|wright|monger|setter|"
    r"cutter|blower|binder|founder|fitter|finisher|grower|breeder|swallower|ographist|ocularist|arian|worker|"
    r"hygienist|mechanic|operator|engineer|officer|teacher|tutor|trainer|driver|signaller|repairer|restorer|attendant|"
    r"assistant|specialist|planner|analyst|developer|designer)$"
    r"|^(?:post|fire|police|sales|business|crafts|chair|camera|grounds|milk|trades|stunt|fisher|rail|bin)(?:wo)?man$",
    re.I,
)


# "a pretty cautious driver", "a terrible cook": what somebody is like, no occupation
GRADED = frozenset(
    """pretty very quite rather really cautious careful good bad terrible great awful fast slow avid
    keen light heavy big huge frequent better best worst decent horrible lousy excellent happy proud
    natural born true real total complete fellow""".split()
)
# family, animals, a home, a car, an illness: to have one says something lasting
LASTING = frozenset(
    """dog dogs cat cats puppy kitten kittens rabbit rabbits hamster hamsters parrot parrots horse
    horses pony ponies goat goats sheep chicken chickens hen hens duck ducks tortoise turtle
    goldfish fish snake gecko lizard budgie budgies canary bird birds ferret pig pigs bees
    beehive beehives kid kids child children son sons daughter daughters sister sisters brother
    brothers sibling siblings twin twins grandchild grandchildren grandson grandsons
    granddaughter granddaughters cousin cousins nephew nephews niece nieces stepson stepdaughter
    car van truck motorbike motorcycle scooter bike bicycle e-bike boat sailboat canoe kayak
    caravan campervan camper house flat apartment cottage cabin garden allotment greenhouse
    balcony farm piano guitar violin cello drums accordion saxophone asthma diabetes epilepsy
    arthritis migraine migraines adhd autism eczema psoriasis celiac coeliac hypertension
    anaemia anemia insomnia tinnitus dyslexia depression anxiety hypothyroidism endometriosis
    scoliosis osteoporosis hayfever cancer glaucoma lupus crohn's disease pacemaker syndrome
    disorder intolerance""".split()
)
TAUGHT = frozenset("lesson lessons class classes practice rehearsal rehearsals".split())


ILLNESSES = LazyPattern(
    r"\b(?:\w+(?:itis|osis|epsy|algia|pathy|phobia|aemia|emia|plegia|rrhea|dystrophy|atrophy)(?<!sympathy)(?<!empathy)(?<!hypnosis)(?<!diagnosis)(?<!prognosis)|glaucoma|lymphoma|melanoma|asthma|diabetes|migraines?|"
    r"eczema|adhd|add|autism|ocd|ptsd|ibs|copd|lupus|gout|vertigo|tinnitus|hay\s?fever|anxiety|depression|cancer|"
    r"parkinson'?s?|alzheimer'?s?|crohn'?s?|ménière'?s?|meniere'?s?|hashimoto'?s?|(?:\w+\s+)?(?:syndrome|disease|disorder|"
    r"deficiency|intolerance|sclerosis|apnoea|apnea)|high\s+blood\s+pressure|low\s+blood\s+pressure|(?:bad|dodgy|weak)\s+(?:back|knees?|hips?|shoulders?|heart|ankles?)|arthritis|dementia|multiple\s+sclerosis|heart\s+condition|psoriasis|epilepsy|anaemia|scoliosis|insomnia|dyslexia|dyspraxia|endometriosis|pcos|pots|sciatica|hernia|ulcers?|colitis|fibromyalgia|rosacea|angina|arrhythmia|heart\s+murmur|acid\s+reflux|ulcerative\s+colitis|slipped\s+disc|celiac|me/cfs|cfs|hiv|chronic\s+(?:pain|fatigue)|bpd|bipolar|schizophrenia|cataracts|afib|cystic\s+fibrosis|cerebral\s+palsy|ms|raynaud\'?s?|hypermobility|food\s+allergies|hayfever|panic\s+attacks|sickle\s+cell)$",
    re.I,
)  # fmt: skip


MEDICINES = LazyPattern(
    r"^(?:"
    r"\w{3,}(?:pril|sartan|statin|olol|formin|mycin|cillin|azole|oxetine|triptan|parin|dipine|prazole|traline|trexate|mab|vir|pine|done|sone|tidine|xaban|gliflozin|glutide|pam|zolam|barbital|statine?|opram|thyroxine|profen|triptyline|zepam|lukast|fenac|setron|gliptin)|"
    r"insulin|ibuprofen|aspirin|paracetamol|acetaminophen|metformin|warfarin|lithium|prednisone|prednisolone|"
    r"levothyroxine|ventolin|salbutamol|antihistamines?|ritalin|methylphenidate|omeprazole|insuline?|insulina|"
    r"metformina|metformine|ramipril|cortisone|vitamins?|magnesium|iron|creatine|melatonin|"
    r"\w{3,}(?:histine|gabalin|semide|thiazide|afil|citalopram|faxine|azosin|conazole|ciclovir|oxacin|fenadine|ratadine|tirizine|terol|asone|onide)|"
    r"blood\s+(?:thinners?|pressure\s+(?:tablets|meds|pills|medication))|beta[\s-]?blockers?|antidepressants?|"
    r"anti-?depressants|anti-?anxiety\s+meds|statins?|ssris?|hrt|(?:birth\s+control|contraceptive)\s+pills?|"
    r"birth\s+control|the\s+pill|steroids|immunosuppressants?|anticoagulants|sleeping\s+(?:pills|tablets)|"
    r"painkillers|adderall|vyvanse|elvanse|concerta|tylenol|advil|lexapro|zoloft|prozac|cymbalta|wellbutrin|"
    r"effexor|xanax|valium|ozempic|mounjaro|wegovy|humira|synthroid|eltroxin|nexium|lipitor|eliquis|xarelto|"
    r"lamictal|seroquel|abilify|symbicort|singulair|gabapentin|tramadol|codeine|oxycodone|carbimazole|tamoxifen|"
    r"testosterone|o?estrogen|progesterone|estradiol|amitriptyline|mirtazapine|propranolol|bisoprolol|"
    r"iron\s+(?:tablets|supplements|pills)|folic\s+acid|b12|vitamin\s+\w+|thyroxine|dialysis|chemo|dupixent|"
    r"keppra|letrozole)$",
    re.I,
)
TRAITS = LazyPattern(
    r"^(?:vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|epileptic|"
    r"colou?r[- ]?blind|left[- ]handed|right[- ]handed|deaf|blind|lactose[- ]intolerant|gluten[- ]intolerant|"
    r"bilingual|retired|divorced|widowed|single|married|teetotal|pregnant|introvert|extrovert|atheist|catholic|"
    r"muslim|jewish|hindu|buddhist|christian|vegans|vegetarians|pescatarians?|coeliacs|diabetics|flexitarian|"
    r"unemployed|self-?\s?employed|freelance|ambidextrous|hard\s+of\s+hearing|dyspraxic|bipolar|gay|lesbian|"
    r"bisexual|bi|trans|transgender|non-?binary|queer|asexual|agnostic|atheists?|sober|anaemic|anemic|"
    r"(?:partially|visually)\s+(?:sighted|impaired)|short-?sighted|near-?sighted|long-?sighted|far-?sighted|"
    r"neurodivergent|hearing\s+impaired|left-?handed|right-?handed|lefty|left-?footed|colou?r-?blind|mute|"
    r"lactose-intolerant|gluten-?free|dairy-?free|type\s+[12]\s+diabetic|introverted|extroverted|mormon|sikh|"
    r"quaker|protestant|orthodox|semi-?retired|widow|widower|orphan|bald|hypermobile|prediabetic|pre-diabetic|"
    r"hypothyroid|house-?bound|disabled|paraplegic|wheelchair-bound|redundant|childless|child-?free|teetotaller|"
    r"nut-?free|halal|kosher)$",
    re.I,
)
# what people own and speak of: makes of cars and gadgets, instruments, what stands in a home
OWNED = LazyPattern(
    r"\b(?:volvo|skoda|škoda|toyota|honda|ford|fiat|vw|volkswagen|golf|polo|passat|audi|bmw|mercedes|merc|tesla|nissan|mazda|kia|hyundai|peugeot|renault|citro[eë]n|"
    r"dacia|seat|opel|vauxhall|corsa|astra|subaru|suzuki|jeep|landy|land\s?rover|range\s+rover|jaguar|mini|saab|lexus|chevy|chevrolet|dodge|prius|civic|yaris|fiesta|"
    r"focus|corolla|octavia|clio|twingo|panda|leaf|transit|vespa|yamaha|kawasaki|ducati|triumph|harley|brompton|babboe|fairphone|iphone|ipad|macbook|thinkpad|"
    r"chromebook|pixel(?:\s\d+)?|samsung|galaxy|kindle|xbox|playstation|ps[345]|switch|steam\s+deck|roomba|thermomix|garmin|fitbit|apple\s+watch|"
    r"strat(?:ocaster)?|telecaster|les\s+paul|fender|gibson|steinway|nikon|canon|fujifilm|leica|gopro|dyson|kitchenaid|ooni|aga|"
    r"(?:cargo|mountain|road|gravel|folding|electric|exercise|e-?)\s?bike|car|van|camper\s?van|motorhome|caravan|motorbike|moped|scooter|tractor|lorry|truck|pick-?up|"
    r"boat|narrowboat|canoe|kayak|dinghy|yacht|static\s+caravan|double-?wide|houseboat|harmonium|harp|flute|banjo|ukulele|clarinet|trumpet|trombone|"
    r"keyboard|synth|drum\s+kit|accordion|mandolin|viola|oboe|bagpipes|record\s+player|turntable|telescope|sewing\s+machine|3d\s+printer|air\s+fryer|slow\s+cooker|"
    r"microwave|kettle|oven|freezer|dishwasher|tumble\s+dryer|wood\s?burner|log\s+burner|hot\s+tub|sauna|greenhouse|allotment|polytunnel|veg(?:gie|etable)?\s+(?:patch|garden)|"
    r"orchard|smallholding|vineyard|stall|beehives?|camera|drone|e-?reader|surfboard|paddleboard|snowboard|treadmill|rowing\s+machine|"
    r"tent|hammock|lathe|kiln|loom|pottery\s+wheel|epi-?pens?|pacemaker|hearing\s+aids?|wheelchair|stoma|prosthe\w+|insulin\s+pump|cochlear\s+implant|"
    r"tattoos?|solar\s+panels|heat\s+pump|holiday\s+(?:home|let)|second\s+home|shed|workshop|laptop|raspberry\s+pi|server)(?:\s(?:\d+\w?|pro|max|plus|mini|air|se|xl))*$",
    re.I,
)  # fmt: skip


DEMONYMS = frozenset(
    """american british english french german spanish portuguese italian dutch polish russian
    chinese japanese indian irish scottish welsh canadian mexican brazilian greek turkish swedish
    norwegian danish finnish austrian swiss belgian australian european korean vietnamese thai
    ukrainian romanian hungarian czech croatian serbian nigerian kenyan egyptian moroccan iranian
    israeli colombian argentinian chilean peruvian ghanaian ethiopian lebanese syrian indonesian
    malaysian filipino bulgarian slovak slovenian estonian latvian lithuanian icelandic maltese
    cuban venezuelan tunisian algerian senegalese pakistani bangladeshi nepali""".split()
)
BREEDS = (
    r"(?:golden\s+)?retrievers?|labradors?|labs?|poodles?|dachshunds?|beagles?|boxers?|bulldogs?|collies?|"
    r"spaniels?|cocker\s+spaniels?|(?:german\s+)?shepherds?|terriers?|whippets?|greyhounds?|corgis?|"
    "husk(?:y|ies)|pugs?|chihuahuas?|rottweilers?|dobermanns?|dalmatians?|labradoodles?|cockapoos?|"
    r"schnauzers?|siamese|persians?|maine\s+coons?|ragdolls?|bengals?|tabby|calico"
)
NUMBERS = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy
    eighty ninety""".split()
MONTHS = """january february march april may june
    july august september october november december""".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
# the article of a single thing, and what may stand before the word for a relation
ONE = "an?|one"
BEFORE_KIN = "(?:(?:step|half|great|grand|god|foster|ex|twin)[- ]?)*"
