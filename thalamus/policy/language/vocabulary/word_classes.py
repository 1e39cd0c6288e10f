"""Kinds of things that the grammar tells apart by word: occupations, animals, illnesses …

Lists, because a guess by form ("ends in -er") takes a beginner for a profession. Words of the five
languages stand together: an object is looked up in all of them.
"""

from __future__ import annotations

import re

from thalamus.policy.language.german import word_classes as german

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
    subtitler captioner transcriber signwriter thatcher welder farrier stylist masseur masseuse actuary picker packer
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
    retraitée stagiaire apprenti apprentie
    docente catedrático catedrática enfermero higienista celador auxiliar cuidador cuidadora canguro
    niñera asistenta limpiador limpiadora barrendero conserje portero portera cajero cajera
    reponedor reponedora repartidor repartidora mensajero mensajera camionera chófer chofer conductor
    autobusero maquinista azafata azafato marinero pescador pescadora ganadera granjero granjera
    campesino campesina viticultor pastor pastora jornalero albañila plomero plomera gasista herrero
    herrera tornero cerrajero cerrajera cristalero techador tapicero yesero obrero obrera operario
    operaria peón mozo encofrador soldador ferroviario capataz maestra tutora pedagoga educadora
    orientadora monitora monitor entrenador entrenadora socorrista preparador nutricionista dietista
    kinesiólogo kinesióloga osteópata podólogo podóloga óptico óptica partera comadrona anestesista
    forense radiólogo celadora técnico técnica analista consultor consultora asesor asesora gestor
    gestora contador contadora cajera banquero administrador administradora oficinista teleoperador
    teleoperadora recepcionista mesero mesera mozo mesonero barista barman coctelera repostero
    repostera heladero frutero frutera pescadero pescadera verdulero tendero tendera panadera
    florista joyero joyera modista sastre tejedora artesano artesana alfarero alfarera ceramista
    escultor escultora músico actriz guionista cineasta productor productora locutor locutora
    presentador presentadora redactor redactora editor editora corrector correctora editora
    intérprete lingüista filólogo filóloga archivera archivero arqueóloga fiscal procurador
    procuradora funcionario funcionaria concejal alcalde alcaldesa diputado diputada militar marino
    guardabosques vigilante detective empresario empresaria emprendedor emprendedora comerciante
    vendedor representante autónoma jubilada pensionista opositor opositora doctorando doctoranda
    estudianta aparejador aparejadora topógrafo topógrafa delineante urbanista paisajista jardinera
    enólogo enóloga sumiller catadora cocinera pizzero ayudante desarrolladora científico científica
    físico física matemático matemática astrónomo astrónoma meteoróloga ingeniera mecánica tatuador
    tatuadora esteticista manicurista maquilladora barbero luthier apicultora
    infirmier aide-soignante auxiliaire puéricultrice puériculteur nourrice assistante atsem
    éducatrice animatrice formateur formatrice professeur maître-nageur entraîneur coach moniteur
    monitrice surveillant surveillante conseiller conseillère directeur proviseur magasinier
    magasinière cariste manutentionnaire livreur livreuse coursier caissier chauffeur-livreur
    ambulancière conducteur contrôleur contrôleuse aiguilleur steward hôtesse marin marin-pêcheur
    pêcheur ostréiculteur maraîcher maraîchère bûcheron bûcheronne forestier forestière berger bergère
    ouvrier ouvrière plombière plaquiste peintre carreleur couvreur couvreuse électromécanicien
    serrurier serrurière tourneur fraiseur ajusteur chaudronnier grutier menuisière tapissier
    tapissière vitrailliste verrier relieur relieuse imprimeur luthière facteur tonnelier brasseur
    brasseuse fromager fromagère poissonnier poissonnière primeur épicier épicière crêpier crêpière
    barman barmaid réceptionniste gouvernante concierge gardien gardienne agent vigile huissier
    huissière greffier greffière magistrat magistrate avocate fonctionnaire maire élu élue douanier
    douanière pompière démineur esthéticienne barbier tatoueur tatoueuse maquilleur maquilleuse
    styliste modéliste chapelière chapelier maroquinier bijoutier bijoutière joaillier sculpteur
    sculptrice dessinateur dessinatrice illustrateur illustratrice graveur scénariste metteur
    cinéaste monteur monteuse régisseur intermittente intermittent clown circassien rédacteur
    rédactrice éditeur éditrice correcteur correctrice interprète documentaliste archiviste
    conservateur conservatrice ingénieur technicien technicienne laborantin laborantine statisticien
    actuaire comptable banquier banquière courtier courtière assureur auditeur auditrice consultant
    consultante entrepreneur entrepreneuse commerçant commerçante représentant indépendante
    indépendant auto-entrepreneur sophrologue ergothérapeute psychomotricien psychomotricienne
    diététicien diététicienne podologue radiologue urgentiste généraliste anesthésiste dermatologue
    gynécologue cardiologue kiné infographiste webmestre campaniste urbaniste paysagiste géomètre
    mathématicien mathématicienne physicienne astronome météorologue doctorant doctorante lycéen
    lycéenne collégien collégienne instit toubib profe
    docente pedagoga pedagogo explicadora explicador educadora ama babá diarista faxineira faxineiro
    zelador zeladora porteiro porteira segurança vigilante caixa repositor estoquista entregador
    entregadora motoboy estafeta caminhoneiro caminhoneira camionista maquinista comissária comissário
    marinheiro lavrador lavradora fazendeiro fazendeira pastor pastora operário operária torneiro
    serralheiro serralheira encanador encanadora pintor pintora vidraceiro azulejista ladrilhador
    estofador ferreiro sapateiro alfaiate bordadeira tecelã rendeira artesão artesã oleiro oleira
    marceneira luthier relojoeiro joalheiro ourives açougueiro talhante peixeiro peixeira padeira
    pasteleiro pasteleira doceira quitandeiro feirante comerciante comerciária vendedora balconista
    lojista empresário empresária empreendedor empreendedora autônoma autônomo representante corretor
    corretora consultor consultora contador contadora auditor auditora administrador administradora
    recepcionista rececionista telefonista operador operadora técnico técnica funcionário funcionária
    servidor servidora escriturária escrivão escrivã delegado delegada promotor promotora procurador
    procuradora defensora desembargador vereador vereadora militar soldado sargento policial polícia
    guarda bombeira piloto aeromoça hospedeira empregada copeira copeiro barista sommelier churrasqueiro
    merendeira chef parteira doula obstetra ginecologista anestesista cardiologista dermatologista
    psiquiatra ortopedista oftalmologista radiologista dentista protésico ótico massagista
    fonoaudiólogo fisioterapeuta osteopata esteticista manicure cabelereira maquiadora maquilhadora
    barbeiro tatuador tatuadora psicólogo psicanalista assistente-social sociólogo antropólogo
    antropóloga filósofo filósofa linguista filólogo revisor revisora redator redatora editor editora
    repórter locutor locutora apresentador apresentadora roteirista guionista cineasta realizador
    realizadora ator fotógrafa ilustrador ilustradora escultor escultora músico música cantor cantora
    sanfoneiro percussionista baterista violonista fadista compositor compositora maestrina arquivista
    museólogo físico física matemático matemática estatístico astrônomo astrónomo biomédica biomédico
    enfermeira agrônomo agrónomo agrônoma zootecnista apicultor viticultor enólogo vinhateiro
    jardineiro jardineira paisagista urbanista topógrafo desenhista projetista designer dev
    bolseiro bolseira bolsista doutoranda doutorando mestranda mestrando universitária universitário
    aposentado aposentada reformado reformada pensionista estagiário estagiária aprendiz
    goleiro forcado monaguillo monaguilla acólito coroinha""".split()
)
# endings that only occupations have in Spanish, French and Portuguese
_OCCUPATION_ENDINGS = re.compile(
    r"\w{2,}(?:[oó]log[oa]|ologue|[oó]graf[oa]|ographe|terapeuta|thérapeute|[ií]atra|iatre|ólogue|"
    r"cultora?|culteur|cultrice|tólog[oa]|aticien(?:ne)?|lojista)$"
)
_NO_OCCUPATION = frozenset("catálogo diálogo prólogo análogo autógrafo párrafo bolígrafo".split())
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
    dislexia cancro câncer marcapasso pacemaker
    burro burra oca ocas pato patos erizo iguana cacatúa agapornis ninfa jerbo chinchilla cerdo vaca
    vacas oveja cabra abeja abejas colmenas mellizas trillizos hermanastro hermanastra ahijado ahijada
    cuñado cuñada suegra bisabuela bisabuelo bisnieto camión tractor patinete scooter finca chalet
    parcela terreno trastero acordeón batería saxofón ukelele saxo celíaca lupus migrañas alzheimer
    párkinson parkinson esclerosis hernia anemia alergias reflujo colesterol hipertiroidismo vértigo
    vértigos tdah autismo asperger vitíligo eccema dermatitis rosácea apnea acúfenos glaucoma
    miopía astigmatismo sordera narcolepsia bipolaridad gastritis colitis sida vih crohn hemofilia
    oie oies canard canards hérisson iguane gerbille chinchilla octodon âne ânesse vache vaches brebis
    chèvre mouton coq poule abeilles ruche chatons chiots demi-frère demi-sœur filleul filleule
    beau-frère belle-sœur triplés camion tracteur trottinette camping-car péniche ferme chalet
    terrain accordéon saxo flûte lupus parkinson alzheimer anémie hernie reflux cholestérol
    hyperthyroïdie vertiges tdah autisme vitiligo eczéma apnée glaucome myopie astigmatisme surdité
    narcolepsie sclérose dyspraxie drépanocytose mucoviscidose hémophilie spasmophilie
    ganso gansos pato patos ouriço calopsita iguana furão chinchila porco vaca vacas ovelha cabra
    abelha abelhas colmeias gatinhas cachorrinhos trigêmeos meio-irmão meia-irmã afilhado afilhada
    cunhado cunhada sogra bisavó bisavô bisneto trator patinete trotinete chácara fazenda terreno
    acordeão sanfona saxofone cavaquinho ukulele lúpus parkinson alzheimer esclerose hérnia anemia
    refluxo colesterol hipertireoidismo labirintite vertigem vertigens tdah autismo vitiligo eczema
    dermatite rosácea apneia glaucoma miopia astigmatismo surdez narcolepsia bipolaridade gastrite
    colite hemofilia zumbido gota tireoidite sinusite""".split()
)
# endings of illnesses that nothing else has, and the words that begin their names
_ILLNESS_ENDINGS = re.compile(
    r"\w{3,}(?:itis|algias?|algie|opat[ií]a|opathie|emia|émie|plasia|plegia|tiroidismo|"
    r"thyroïdie|celiaquía|(?:rin|artr|bronqu|gastr|col|dermat|tendin|cist|sinus|hepat|ot|amigdal)ite|"
    r"(?:rhin|arthr|bronch|gastr|col|dermat|tendin|cyst|sinus|hépat|ot)ite)$"
)
_ILLNESS_NAMES = re.compile(
    r"(?:(?:una?|une|uma|la|a|o|el|le)\s+)?(?:enfermedad\s+de|s[ií]ndrome\s+d[eo]|trastorno|maladie\s+de|"
    r"syndrome\s+d|trouble\s+(?:du|de|bipolaire|anxieux)|doença\s+d|transtorno|"
    r"intolerancia\s+a|intolérance\s+(?:au|à)|intolerância\s+[aà]|esclerosis|sclérose|esclerose|"
    r"tensión\s+(?:alta|baja)|tensão\s+(?:alta|baixa)|pressão\s+alta|presión\s+alta|"
    r"hernia|hernie|hérnia|diab[eè]te|cáncer|cancer|câncer|cancro|marcapasos|pé\s+chato)",
    re.I,
)
_MEDICINES = re.compile(
    r"^(?:\w{3,}(?:pril|sartan|statin|olol|formin|mycin|cillin|azole|oxetine|triptan|parin|dipine|"
    r"prazole|traline|trexate|mab|vir|pine|done|sone|tidine|xaban|gliflozin|glutide|pam|zolam|barbital|statine?|opram|thyroxine|profen|triptyline|zepam|lukast|fenac|setron|gliptin)|insulin|"
    r"ibuprofen|aspirin|paracetamol|acetaminophen|metformin|warfarin|lithium|prednisone|prednisolone|"
    r"levothyroxine|ventolin|salbutamol|antihistamines?|ritalin|methylphenidate|omeprazole|insuline?|insulina|"
    r"metformina|metformine|ramipril|cortisone|vitamins?|magnesium|iron|creatine|melatonin|"
    r"\w{2,}(?:prazole?|statina?|statine|sart[aã]n[ae]?|olol|oxetina|oxétine|tralina|pram|praz[oó]lam|azepam|"
    r"formina|formine|cilina|cilline|micina|mycine|tiroxina|thyroxine|xaban[ae]?|gliflozina|gliptina|"
    r"glutida|glutide|mab|tinib|nidazole?|idona|piina|dipino|dipine|lamina|fenac[oe]?|profeno?|"
    r"triptilina|trigina|fenidato|setrona?|tadina|tirizina|lukast|corticoides?)|"
    r"ibuprofeno|paracetamol|aspirina|aspirine|antihistam[ií]nicos?|antihistaminiques?|anticonceptivos?|"
    r"antidepresivos?|antidépresseurs?|antidepressivos?|ansiol[ií]ticos?|anticoagulantes?|corticoides|"
    r"melatonina|mélatonine|litio|lithium|lítio|hierro|fer|ferro|magnesio|magnésium|magnésio|creatina|"
    r"cortisona|eutirox|levothyrox|humira|ventol[ií]n|ventoline|doliprane|dafalgan|sintrom|adiro|"
    r"nolotil|concerta|ritalina|ritaline|rivotril|lexotan|puran|dipirona|xarelto|eliquis|ozempic|"
    r"prozac|zoloft|orfidal|lexatin|seroplex|kardegic|clonazepam|quetiapina|gabapentina|pregabalina)$",
    re.I,
)  # fmt: skip
_TRAITS = re.compile(
    r"^(?:vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|epileptic|"
    r"colou?r[- ]?blind|left[- ]handed|right[- ]handed|deaf|blind|lactose[- ]intolerant|"
    r"gluten[- ]intolerant|bilingual|retired|divorced|widowed|single|married|teetotal|pregnant|"
    r"introvert|extrovert|atheist|catholic|muslim|jewish|hindu|buddhist|christian|"
    r"vegetarisch|vegane?r?i?n?|vegetarier(?:in)?|vegetarian[oa]|végétarien(?:ne)?|végane?|vegetarian[oa]|"
    r"verheiratet|geschieden|soltero|soltera|casad[oa]|divorciad[oa]|mariée?|divorcée?|zurdo|zurda|"
    r"gauch[eè]re?|canhot[oa]|linkshändig|linkshänder(?:in)?|diab[eé]tic[oa]|cel[ií]ac[oa]|diabétique|"
    r"asm[aá]tic[oa]|epil[eé]ptic[oa]|dal[tô]*[oó]nic[oa]|autista|disl[eé]xic[oa]|sord[oa]|cieg[oa]|hipertens[oa]|"
    r"insulinodependiente|bipolar|miope|viud[oa]|separad[oa]|ambidiestr[oa]|diestr[oa]|cat[oó]lic[oa]|ate[oa]|ateu|ateia|"
    r"agn[oó]stic[oa]|musulm[aá]n|musulmana|jud[ií][oa]|budista|evang[eé]lic[oa]|protestante|cristian[oa]|celibatari[oa]|"
    r"vegetarian[oa]|vegan[oa]|ovolactovegetarian[oa]|pescetarian[oa]|flexitarian[oa]|abstemi[oa]|zurd[oa]|"
    r"asthmatique|épileptique|daltonienn?e?|autiste|dyslexique|sourde?|aveugle|hypertendue?|bipolaire|veufs?|veuve|"
    r"célibataire|séparée?|pacsée?|ambidextre|droiti(?:er|ère)|gauch(?:er|ère)|catholique|athée|agnostique|musulmane?|"
    r"juive?|juif|bouddhiste|protestante?|végéta\w+|végane?|vegan|pescétarien(?:ne)?|flexitarien(?:ne)?|c[oœ]e?liaque|"
    r"cœliaque|abstinente?|enceinte|embarazada|grávida|gr[aá]vid[oa]|ceg[oa]|surd[oa]|vi[uú]v[oa]|solteir[oa]|destr[oa]|"
    r"hipertens[oa]|dalt[oôó]nic[oa]|intolerante\s+[aà]\s+(?:la\s+)?(?:lactos[ae]|gl[uú]ten|frutos[ea])|"
    r"intolerante\s+al\s+gluten|intolerante\s+ao\s+glúten|intolérante?\s+(?:au|à)\s*(?:lactose|gluten|fructose))$",
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
    r"^(?!(?:home|house)keepers?$|(?:vege|pesce?a|frui|flexi)tarian$|humanitarian$)\w{2,}(?:ologist|ographer|graphist|therapist|maker|keeper|smith|wright|monger|setter|"
    r"cutter|blower|binder|founder|fitter|finisher|grower|breeder|swallower|ographist|ocularist|arian|worker|"
    r"hygienist|mechanic|operator|engineer|officer|teacher|tutor|trainer|driver|signaller|repairer|restorer|attendant|"
    r"assistant|specialist|planner|analyst|developer|designer)$"
    r"|^(?:post|fire|police|sales|business|crafts|chair|camera|grounds|milk|trades|stunt|fisher|rail|bin)(?:wo)?man$",
    re.I,
)


def is_occupation(object: str) -> bool:
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
                or german.is_trade(word)
                or (_OCCUPATION_ENDINGS.match(word) is not None and word not in _NO_OCCUPATION)
                for word in words[-1:] + words[:1]
            )
        )
    )


_TAUGHT = frozenset("lesson lessons class classes practice rehearsal rehearsals".split())


def is_animal_or_illness(object: str) -> bool:
    """Whether "I have X" says something lasting: family, an animal, a home, an illness."""
    words = _PLAIN_WORD.findall(object.casefold())
    if re.match(r"(?:an?\s+)?(?:19|20)\d\d\s+[A-Z]", object):
        return True  # a car by its year
    if (
        words and (words[0] == "been" or (words[0].endswith("ed") and len(words) > 1))
    ) or "to" in words:
        return False  # "I have wanted to have a garden": no thing, but a tense
    if not _TAUGHT.isdisjoint(words):
        return False  # "piano lessons every Saturday"
    if "called" in words or "named" in words:
        return False  # the name is what matters, and a frame of its own finds it
    if not words or len(words) > 6:
        return False
    return (
        any(word in _HAD for word in (words[-1], words[0]))
        or is_romance_illness(object)
        or is_illness(object)
    )


def is_romance_illness(object: str) -> bool:
    """Whether a Romance word or phrase names an illness by its form: "rinitis", "síndrome de …"."""
    words = _PLAIN_WORD.findall(object.casefold())
    return bool(words) and (
        _ILLNESS_NAMES.match(object) is not None or _ILLNESS_ENDINGS.match(words[0]) is not None
    )


_ILLNESS = re.compile(
    r"\b(?:\w+(?:itis|osis|epsy|algia|pathy|phobia|aemia|emia|plegia|rrhea|dystrophy|atrophy)(?<!sympathy)(?<!empathy)(?<!hypnosis)(?<!diagnosis)(?<!prognosis)|glaucoma|lymphoma|melanoma|asthma|diabetes|migraines?|"
    r"eczema|adhd|add|autism|ocd|ptsd|ibs|copd|lupus|gout|vertigo|tinnitus|hay\s?fever|anxiety|depression|cancer|"
    r"parkinson'?s?|alzheimer'?s?|crohn'?s?|ménière'?s?|meniere'?s?|hashimoto'?s?|(?:\w+\s+)?(?:syndrome|disease|disorder|"
    r"deficiency|intolerance|sclerosis|apnoea|apnea)|high\s+blood\s+pressure|low\s+blood\s+pressure|(?:bad|dodgy|weak)\s+(?:back|knees?|hips?|shoulders?|heart|ankles?)|arthritis|dementia|multiple\s+sclerosis|heart\s+condition|psoriasis|epilepsy|anaemia|scoliosis|insomnia|dyslexia|dyspraxia|endometriosis|pcos|pots|sciatica|hernia|ulcers?|colitis|fibromyalgia|rosacea|angina|arrhythmia|heart\s+murmur|acid\s+reflux|ulcerative\s+colitis|slipped\s+disc|celiac|me/cfs|cfs|hiv|chronic\s+(?:pain|fatigue)|bpd|bipolar|schizophrenia|cataracts|afib|cystic\s+fibrosis|cerebral\s+palsy|ms|raynaud\'?s?|hypermobility|food\s+allergies|hayfever|panic\s+attacks|sickle\s+cell)$",
    re.I,
)  # fmt: skip


def is_illness(object: str) -> bool:
    """Whether a phrase names an illness that lasts."""
    return _ILLNESS.search(object) is not None and len(object.split()) <= 4


# English names of medicines, and of what they are for
_MORE_MEDICINES = re.compile(
    r"^(?:\w{3,}(?:histine|gabalin|semide|thiazide|afil|citalopram|faxine|azosin|conazole|ciclovir|oxacin|fenadine|ratadine|tirizine|terol|asone|onide)|"
    r"blood\s+(?:thinners?|pressure\s+(?:tablets|meds|pills|medication))|beta[\s-]?blockers?|antidepressants?|anti-?depressants|anti-?anxiety\s+meds|statins?|ssris?|hrt|"
    r"(?:birth\s+control|contraceptive)\s+pills?|birth\s+control|the\s+pill|steroids|immunosuppressants?|anticoagulants|sleeping\s+(?:pills|tablets)|painkillers|"
    r"adderall|vyvanse|elvanse|concerta|tylenol|advil|lexapro|zoloft|prozac|cymbalta|wellbutrin|effexor|xanax|valium|ozempic|mounjaro|wegovy|humira|"
    r"synthroid|eltroxin|nexium|lipitor|eliquis|xarelto|lamictal|seroquel|abilify|symbicort|singulair|gabapentin|tramadol|codeine|oxycodone|"
    r"carbimazole|tamoxifen|testosterone|o?estrogen|progesterone|estradiol|amitriptyline|mirtazapine|propranolol|bisoprolol|"
    r"iron\s+(?:tablets|supplements|pills)|folic\s+acid|b12|vitamin\s+\w+|thyroxine|dialysis|chemo|dupixent|keppra|letrozole)$",
    re.I,
)  # fmt: skip


def is_medicine(object: str) -> bool:
    """Whether a word names a medicine."""
    return (
        _MEDICINES.match(object) is not None
        or _MORE_MEDICINES.match(object) is not None
        or german.is_medicine(object)
    )


def has_capital(object: str) -> bool:
    """Whether a phrase holds a name."""
    return any(word[0].isupper() for word in _PLAIN_WORD.findall(object))


def is_trait(object: str) -> bool:
    """Whether a word says what somebody lastingly is: vegan, left-handed, divorced."""
    return (
        _TRAITS.match(object) is not None
        or _MORE_TRAITS.match(object) is not None
        or german.is_trait(object)
    )


# English traits with their plurals ("we're vegetarians")
_MORE_TRAITS = re.compile(
    r"^(?:vegans|vegetarians|pescatarians?|coeliacs|diabetics|flexitarian|unemployed|self-?\s?employed|freelance|ambidextrous|"
    r"hard\s+of\s+hearing|dyspraxic|bipolar|gay|lesbian|bisexual|bi|trans|transgender|non-?binary|queer|asexual|agnostic|"
    r"atheists?|sober|anaemic|anemic|(?:partially|visually)\s+(?:sighted|impaired)|short-?sighted|near-?sighted|long-?sighted|"
    r"far-?sighted|neurodivergent|hearing\s+impaired|left-?handed|right-?handed|lefty|left-?footed|colou?r-?blind|mute|"
    r"lactose-intolerant|gluten-?free|dairy-?free|type\s+[12]\s+diabetic|introverted|extroverted|mormon|sikh|quaker|"
    r"protestant|orthodox|semi-?retired|widow|widower|orphan|bald|hypermobile|prediabetic|pre-diabetic|hypothyroid|"
    r"house-?bound|disabled|paraplegic|wheelchair-bound|redundant|childless|child-?free|teetotaller|nut-?free|halal|kosher)$",
    re.I,
)  # fmt: skip
# what people own and speak of: makes of cars and gadgets, instruments, what stands in a home
_OWNED = re.compile(
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


def is_possession(object: str) -> bool:
    """Whether a phrase names something that people own for long."""
    return len(object.split()) <= 7 and (
        _OWNED.search(object) is not None
        or re.match(r"(?:an?\s+)?(?:19|20)\d\d\s+(?-i:[A-Z])", object) is not None
    )


def is_demonym(object: str) -> bool:
    """Whether a word says of which country somebody is."""
    return object.casefold() in DEMONYMS
