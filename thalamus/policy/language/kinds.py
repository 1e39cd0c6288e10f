"""Kinds of things that the grammar tells apart by word: occupations, animals, illnesses …

Lists, because a guess by form ("ends in -er") takes a beginner for a profession. Words of the five
languages stand together: an object is looked up in all of them.
"""

from __future__ import annotations

import re

from thalamus.policy.language import german_kinds

_OCCUPATIONS = frozenset(
    """accountant actor actress actuary administrator analyst anaesthetist archaeologist architect
    archivist artist astronomer attorney author baker banker barber barista bartender bassist
    beekeeper biologist blacksmith bookkeeper bookseller botanist bricklayer broker builder butcher
    captain caretaker carer carpenter cartographer cashier ceramicist chauffeur chef chemist
    chiropractor choreographer cleaner clerk coach cobbler comedian composer conductor constable
    consultant contractor cook copywriter counsellor counselor courier curator dancer dentist
    dermatologist designer detective developer dietitian diplomat director diver doctor dramaturg
    driver drummer economist editor electrician engineer entrepreneur epidemiologist farmer
    filmmaker firefighter fisherman fishmonger florist forester freelancer gardener geologist
    glassblower glazier goldsmith gp guard guide guitarist hairdresser historian housekeeper
    illustrator instructor interpreter intern investigator janitor jeweller jeweler joiner
    journalist judge keeper labourer lawyer lecturer lexicographer librarian lifeguard linguist
    locksmith logistician luthier machinist magistrate manager mason mathematician mechanic medic
    meteorologist midwife miller miner model musician nanny negotiator neurologist novelist notary
    nurse nutritionist oceanographer officer operator optician optometrist organist orthodontist
    paediatrician painter paralegal paramedic pastor pathologist pediatrician pharmacist
    philosopher photographer physician physicist physiotherapist pianist pilot planner plasterer
    plumber podiatrist poet policeman policewoman politician porter postman potter priest producer
    professor programmer prosecutor psychiatrist psychologist publisher rabbi radiographer
    radiologist ranger realtor receptionist recruiter referee reporter researcher restorer roofer
    sailor salesman salesperson saleswoman scaffolder scientist sculptor seamstress secretary
    shepherd shoemaker singer soldier solicitor songwriter statistician steward stonemason
    student surgeon surveyor tailor tattooist teacher technician technologist teller therapist tiler
    toolmaker trader trainee trainer translator tutor undertaker underwriter upholsterer vet
    veterinarian violinist waiter waitress watchmaker weaver welder winemaker writer zoologist
    zookeeper apprentice rider jockey postie builder councillor tuner roaster brewer bookbinder animator printer sommelier paediatrics registrar
    lab pilot lifeboatman dispatcher ecologist geneticist immunologist oncologist cardiologist surgeon
    signwriter thatcher welder farrier stylist masseur masseuse actuary picker packer
    lehrer lehrerin arzt ärztin krankenpfleger krankenpflegerin krankenschwester ingenieur
    ingenieurin tischler tischlerin schreiner schreinerin bäcker bäckerin koch köchin anwalt anwältin
    gärtner gärtnerin erzieher erzieherin verkäufer verkäuferin elektriker elektrikerin mechaniker
    mechanikerin polizist polizistin student studentin schüler schülerin architekt architektin
    buchhalter buchhalterin informatiker informatikerin programmierer programmiererin übersetzer
    übersetzerin journalist journalistin fotograf fotografin friseur friseurin pfleger pflegerin
    apotheker apothekerin zahnarzt zahnärztin tierarzt tierärztin hebamme bibliothekar
    bibliothekarin maler malerin musiker musikerin schauspieler schauspielerin pilot pilotin
    professor professorin psychologe psychologin physiotherapeut physiotherapeutin entwickler
    entwicklerin softwareentwickler softwareentwicklerin grafikerin grafiker winzer winzerin
    imker imkerin förster försterin klempner optiker optikerin richter richterin steuerberater
    steuerberaterin logopädin logopäde ergotherapeut ergotherapeutin sozialarbeiter sozialarbeiterin
    sozialpädagoge sozialpädagogin altenpfleger altenpflegerin notfallsanitäter rettungssanitäter
    sanitäter sanitäterin arzthelferin kinderarzt kinderärztin hausarzt hausärztin chirurg chirurgin
    busfahrer busfahrerin lkw-fahrer taxifahrer taxifahrerin lokführer lokführerin zugbegleiter
    kfz-mechaniker maurer dachdecker zimmermann maler lackierer malermeister schornsteinfeger
    landwirt landwirtin bauer bäuerin metzger metzgerin konditor konditorin kellner kellnerin barkeeper
    hausmeister hausmeisterin kaufmann kauffrau bankkaufmann bankkauffrau sekretär sekretärin
    sachbearbeiter sachbearbeiterin beamter beamtin feuerwehrmann feuerwehrfrau soldat soldatin
    pfarrer pfarrerin notar notarin rechtsanwalt rechtsanwältin grundschullehrer grundschullehrerin
    gymnasiallehrer gymnasiallehrerin kindergärtner kindergärtnerin dozent dozentin doktorand
    doktorandin chemiker chemikerin physiker physikerin biologe biologin mathematiker mathematikerin
    statiker statikerin bauingenieur bauingenieurin maschinenbauer maschinenbauerin webdesigner
    webdesignerin designer designerin webentwickler webentwicklerin lektor lektorin autor autorin
    schriftsteller schriftstellerin goldschmied goldschmiedin schneider schneiderin schuster florist
    floristin geologe geologin historiker historikerin archäologe archäologin dolmetscher
    dolmetscherin redakteur redakteurin regisseur regisseurin tänzer tänzerin sänger sängerin
    schmied uhrmacher uhrmacherin bergmann bergarbeiter orgelbauer geigenbauer geigenbauerin glaser tierpfleger
    tierpflegerin zahntechniker zahntechnikerin laborant laborantin hebammen postbote postbotin
    azubi auszubildender auszubildende rentner rentnerin unternehmer unternehmerin unternehmensberater
    unternehmensberaterin projektleiter projektleiterin
    profesor profesora maestro maestra médico médica enfermero enfermera ingeniero ingeniera
    abogado abogada arquitecto arquitecta cocinero cocinera panadero panadera carpintero carpintera
    electricista fontanero periodista traductor traductora programador programadora diseñador
    diseñadora estudiante veterinario veterinaria farmacéutico farmacéutica contable camarero
    camarera peluquero peluquera músico música pintor pintora escritor escritora fotógrafo
    fotógrafa psicólogo psicóloga dentista mecánico mecánica bombero piloto
    professeur professeure enseignant enseignante médecin infirmier infirmière ingénieur ingénieure
    avocat avocate architecte cuisinier cuisinière boulanger boulangère menuisier électricien
    électricienne plombier journaliste traducteur traductrice développeur développeuse graphiste
    étudiant étudiante vétérinaire pharmacien pharmacienne comptable serveur serveuse coiffeur
    coiffeuse musicien musicienne peintre écrivain photographe psychologue dentiste mécanicien
    pompier pilote libraire bibliothécaire sage-femme kinésithérapeute
    professor professora médico enfermeiro enfermeira engenheiro engenheira advogado advogada
    arquiteto arquiteta cozinheiro cozinheira padeiro padeira carpinteiro eletricista canalizador
    jornalista tradutor tradutora estudante veterinário veterinária farmacêutico farmacêutica
    contabilista empregado cabeleireiro cabeleireira escritora fotógrafo psicóloga bombeiro
    dentista mecânico pescador enfermeiros bibliotecária bibliotecário designer
    carteiro pedreiro costureira confeiteira confeiteiro engenheira motorista taxista agricultor
    agricultora pescadora garçom garçonete gerente analista bancário bancária fisioterapeuta
    nutricionista fonoaudióloga terapeuta biólogo bióloga químico química geólogo geóloga
    historiador historiadora juiz juíza maestro pianista guitarrista ator atriz dançarina bailarina
    bailarino soldador soldadora marceneiro ceramista educadora educador assistente secretária
    desenvolvedor desenvolvedora programador programadora solicitador notária vendedor vendedora
    arqueóloga arqueólogo economista sociólogo socióloga pediatra cirurgião cirurgiã veterinária
    albañil taxista conductor conductora camionero cartero agricultor agricultora ganadero apicultor
    apicultora librero librera bibliotecario bibliotecaria fisioterapeuta logopeda matrona celadora
    celador auxiliar administrativo administrativa secretaria secretario dependiente dependienta
    vendedor vendedora comercial economista biólogo bióloga químico geólogo geóloga historiador
    historiadora arqueólogo arqueóloga juez jueza notario notaria policía guardia soldado actor actriz
    cantante bailarín bailarina pianista guitarrista director directora ilustrador ilustradora
    desarrollador desarrolladora informático informática cirujano cirujana pediatra psiquiatra
    educador educadora soldador jardinero jardinera costurera modista chef
    pastelero pastelera carnicero carnicera zapatero relojero investigador investigadora becario
    becaria jubilado jubilada autónomo
    facteur factrice maçon charpentier chauffeur chauffeuse routier agriculteur agricultrice éleveur
    éleveuse apiculteur apicultrice viticulteur vigneron vigneronne fleuriste jardinier jardinière
    paysagiste boucher bouchère pâtissier pâtissière traiteur chef cuistot aide-soignant
    aide-soignante ambulancier ambulancière orthophoniste ostéopathe opticien opticienne
    chirurgien chirurgienne pédiatre psychiatre instituteur institutrice prof éducateur éducatrice
    animateur animatrice assistant assistante secrétaire vendeur vendeuse caissier caissière
    commercial commerciale gérant gérante directeur directrice informaticien informaticienne
    programmeur programmeuse économiste juriste notaire juge policier policière gendarme militaire
    soldat acteur actrice comédien comédienne chanteur chanteuse danseur danseuse pianiste guitariste
    réalisateur réalisatrice traiteur couturier couturière cordonnier horloger ébéniste céramiste
    potier potière soudeur soudeuse chercheur chercheuse biologiste chimiste physicien géologue
    archéologue historien historienne sociologue conducteur conductrice cheminot pilote retraité
    retraitée stagiaire apprenti apprentie""".split()
)
_HAD = frozenset(
    """dog dogs cat cats puppy kitten kittens rabbit rabbits hamster hamsters parrot parrots horse
    horses pony ponies goat goats sheep chicken chickens hen hens duck ducks tortoise turtle goldfish
    fish snake gecko lizard budgie budgies canary bird birds ferret pig pigs bees beehive beehives
    kid kids child children son sons daughter daughters sister sisters brother brothers sibling
    siblings twin twins grandchild grandchildren grandson grandsons granddaughter granddaughters
    cousin cousins nephew nephews niece nieces stepson stepdaughter
    car van truck motorbike motorcycle scooter bike bicycle e-bike boat sailboat canoe kayak caravan
    campervan camper house flat apartment cottage cabin garden allotment greenhouse balcony farm
    piano guitar violin cello drums accordion saxophone
    asthma diabetes epilepsy arthritis migraine migraines adhd autism eczema psoriasis celiac
    coeliac hypertension anaemia anemia insomnia tinnitus dyslexia depression anxiety hypothyroidism
    endometriosis scoliosis osteoporosis hayfever cancer glaucoma lupus crohn's disease
    pacemaker syndrome disorder intolerance
    hund hunde katze katzen kater kaninchen pferd pferde papagei schildkröte hühner ziegen kind kinder
    sohn söhne tochter töchter schwester schwestern bruder brüder geschwister enkel
    kater kätzchen meerschweinchen hamster wellensittich wellensittiche papageien schafe bienen
    bienenvölker hühner enten gänse esel dackel labrador pudel schäferhund welpe welpen hündin stute
    zwillinge stiefsohn stieftochter halbschwester halbbruder enkelkind enkelkinder enkelin enkelinnen
    enkeltochter nichte nichten neffe neffen patenkind cousine cousinen cousin zwillingsschwester
    zwillingsbruder kinder jungs mädchen stiefkind stiefkinder pflegekind pflegekinder halbgeschwister
    kids mädels söhnchen hahn hähne huhn henne hennen gans ente ziege schaf schweine minischweine schlange
    schlangen gecko axolotl alpakas ratten mäuse rennmäuse degus frettchen wachteln tauben aquarium terrarium
    bienenstock bienenstöcke pony ponys esel retriever mischling rüde straßenhund vierbeiner
    auto fahrrad motorrad boot segelboot haus wohnung garten schrebergarten klavier gitarre geige
    wohnmobil wohnwagen e-bike lastenrad roller ferienhaus ferienwohnung balkon gewächshaus flügel
    cello schlagzeug
    heuschnupfen migräne epilepsie rheuma diabetes bluthochdruck neurodermitis zöliakie
    laktoseintoleranz glutenunverträglichkeit tinnitus arthrose arthritis schlafapnoe legasthenie
    schuppenflechte parkinson ms depressionen angststörung krebs brustkrebs hörgerät herzschrittmacher
    skoliose osteoporose schilddrüsenunterfunktion fruktoseintoleranz hausstauballergie
    perro perros perra gato gatos gata conejo caballo caballos loro tortuga hijo hijos hija hijas
    hermano hermanos hermana hermanas sobrino sobrinos sobrina sobrinas nieto nietos nieta nietas coche
    moto bicicleta casa piso huerto jardín asma migraña migrañas gemelos gemelas mellizos perrito
    gatito conejos pez peces canario hámster cobaya cobayas gallinas gallina cabras ovejas burro yegua
    tortugas loros primo primos prima primas furgoneta barco velero caravana autocaravana apartamento
    guitarra piano violín diabetes epilepsia hipertensión celiaquía artritis artrosis ansiedad
    depresión rinitis escoliosis fibromialgia endometriosis hipotiroidismo psoriasis dislexia tinnitus
    cáncer marcapasos
    chien chiens chienne chat chats chatte lapin lapins cheval chevaux perroquet tortue poules
    enfant enfants fils fille filles frère frères sœur sœurs soeur soeurs jumeaux jumelles voiture vélo
    moto bateau voilier chaton chiot hamster jument poney ânes âne chèvres moutons ruches poissons
    perruche canari neveu neveux nièce nièces cousin cousins cousine cousines petit-fils petite-fille
    petits-enfants beau-fils belle-fille camionnette caravane fourgon guitare violon batterie
    maison appartement jardin potager asthme diabète épilepsie migraine migraines hypertension arthrose
    arthrite eczéma psoriasis endométriose dépression fibromyalgie acouphènes cancer scoliose
    hypothyroïdie pacemaker dyslexie
    cão cães cachorro cachorros cadela coelho cavalo papagaio tartaruga galinhas filho filhos filha
    filhas irmão irmãos irmã irmãs sobrinho sobrinhos sobrinha sobrinhas neto netos neta netas carro
    mota moto casa apartamento horta quintal jardim enxaqueca enxaquecas gémeos gêmeos gémeas gêmeas
    cachorra cachorrinho cachorrinha gatos gata gatas gatinho gatinha gatinhos passarinho hamster
    peixe peixes tartarugas papagaios galinha cabras ovelhas burro égua cavalos primo primos prima
    primas enteado enteada bicicleta barco caravana autocaravana caminhão caminhonete sítio guitarra
    violão piano violino bateria asma diabetes epilepsia hipertensão bronquite rinite artrite artrose
    ansiedade depressão psoríase endometriose fibromialgia hipotireoidismo hipotiroidismo escoliose
    dislexia cancro câncer marcapasso pacemaker""".split()
)
_MEDICINES = re.compile(
    r"^(?:\w{3,}(?:pril|sartan|statin|olol|formin|mycin|cillin|azole|oxetine|triptan|parin|dipine|"
    r"prazole|traline|trexate|mab|vir|pine|done|sone|tidine|xaban|gliflozin|glutide|pam|zolam|barbital|statine?|opram|thyroxine|profen|triptyline|zepam|lukast|fenac|setron|gliptin)|insulin|"
    r"ibuprofen|aspirin|paracetamol|acetaminophen|metformin|warfarin|lithium|prednisone|prednisolone|"
    r"levothyroxine|ventolin|salbutamol|antihistamines?|ritalin|methylphenidate|omeprazole|insuline?|insulina|"
    r"metformina|metformine|ramipril|cortisone|vitamins?|magnesium|iron|creatine|melatonin)$",
    re.I,
)  # fmt: skip
_TRAITS = re.compile(
    r"^(?:vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|epileptic|"
    r"colou?r[- ]?blind|left[- ]handed|right[- ]handed|deaf|blind|lactose[- ]intolerant|"
    r"gluten[- ]intolerant|bilingual|retired|divorced|widowed|single|married|teetotal|pregnant|"
    r"introvert|extrovert|atheist|catholic|muslim|jewish|hindu|buddhist|christian|"
    r"vegetarisch|vegane?r?i?n?|vegetarier(?:in)?|vegetarian[oa]|végétarien(?:ne)?|végane?|vegetarian[oa]|"
    r"verheiratet|geschieden|soltero|soltera|casad[oa]|divorciad[oa]|mariée?|divorcée?|zurdo|zurda|"
    r"gauch[eè]re?|canhot[oa]|linkshändig|linkshänder(?:in)?|diabétic[oa]|celíac[oa]|diabétique)$",
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
_PLAIN_WORD = re.compile(r"[^\W\d_][\w'-]*")


# "a pretty cautious driver", "a terrible cook": what somebody is like, no occupation
_GRADED = frozenset(
    """pretty very quite rather really cautious careful good bad terrible great awful fast slow avid
    keen light heavy big huge frequent better best worst decent horrible lousy excellent happy proud
    natural born true real total complete fellow""".split()
)
# endings that only occupations have
_BY_FORM = re.compile(
    r"^(?!(?:home|house)keepers?$)\w{2,}(?:ologist|ographer|graphist|therapist|maker|keeper|smith|wright|monger|setter|"
    r"cutter|blower|binder|founder|fitter|finisher|grower|breeder|swallower|ographist|ocularist|arian|worker|"
    r"hygienist|mechanic|operator|engineer|officer|teacher|tutor|trainer|driver|signaller|repairer|restorer|attendant|"
    r"assistant|specialist|planner|analyst|developer|designer)$"
    r"|^(?:post|fire|police|sales|business|crafts|chair|camera|grounds|milk|trades|stunt|fisher|rail|bin)(?:wo)?man$",
    re.I,
)


def occupation(object: str) -> bool:
    """Whether a noun phrase names an occupation: its last word does ("paediatric nurse")."""
    words = _PLAIN_WORD.findall(object.casefold())
    return (
        bool(words)
        and len(words) <= 5
        and _GRADED.isdisjoint(words)
        and (
            _BY_FORM.search(words[-1]) is not None
            or any(
                word in _OCCUPATIONS
                or word.removesuffix("in") in _OCCUPATIONS  # German: Schornsteinfegerin
                or german_kinds.trade(word)
                for word in words[-1:] + words[:1]
            )
        )
    )


def animal_or_illness(object: str) -> bool:
    """Whether "I have X" says something lasting: family, an animal, a home, an illness."""
    words = _PLAIN_WORD.findall(object.casefold())
    if re.match(r"(?:an?\s+)?(?:19|20)\d\d\s+[A-Z]", object):
        return True  # a car by its year
    if (
        words and (words[0] == "been" or (words[0].endswith("ed") and len(words) > 1))
    ) or "to" in words:
        return False  # "I have wanted to have a garden": no thing, but a tense
    if "called" in words or "named" in words:
        return False  # the name is what matters, and a frame of its own finds it
    return (
        bool(words)
        and len(words) <= 6
        and (words[-1] in _HAD or words[0] in _HAD or illness(object))
    )


_ILLNESS = re.compile(
    r"\b(?:\w+(?:itis|osis|epsy|algia|pathy|phobia|aemia|emia|plegia|rrhea|dystrophy|atrophy)(?<!sympathy)(?<!empathy)(?<!hypnosis)(?<!diagnosis)(?<!prognosis)|glaucoma|lymphoma|melanoma|asthma|diabetes|migraines?|"
    r"eczema|adhd|add|autism|ocd|ptsd|ibs|copd|lupus|gout|vertigo|tinnitus|hay\s?fever|anxiety|depression|cancer|"
    r"parkinson'?s?|alzheimer'?s?|crohn'?s?|ménière'?s?|meniere'?s?|hashimoto'?s?|(?:\w+\s+)?(?:syndrome|disease|disorder|"
    r"deficiency|intolerance|sclerosis|apnoea|apnea)|high\s+blood\s+pressure|bad\s+(?:back|knee|hip|shoulder))$",
    re.I,
)  # fmt: skip


def illness(object: str) -> bool:
    """Whether a phrase names an illness that lasts."""
    return _ILLNESS.search(object) is not None and len(object.split()) <= 4


def medicine(object: str) -> bool:
    """Whether a word names a medicine."""
    return _MEDICINES.match(object) is not None or german_kinds.medicine(object)


def capitalised(object: str) -> bool:
    """Whether a phrase holds a name."""
    return any(word[0].isupper() for word in _PLAIN_WORD.findall(object))


def trait(object: str) -> bool:
    """Whether a word says what somebody lastingly is: vegan, left-handed, divorced."""
    return _TRAITS.match(object) is not None or german_kinds.trait(object)


def demonym(object: str) -> bool:
    """Whether a word says of which country somebody is."""
    return object.casefold() in DEMONYMS
