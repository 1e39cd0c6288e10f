"""French words by what they name: occupations, what one has for long, breeds, numbers, the calendar."""

from __future__ import annotations

OCCUPATIONS = frozenset(
    """professeur professeure enseignant enseignante médecin infirmier infirmière ingénieur
    ingénieure avocat avocate architecte cuisinier cuisinière boulanger boulangère menuisier
    électricien électricienne plombier journaliste traducteur traductrice développeur
    développeuse graphiste étudiant étudiante vétérinaire pharmacien pharmacienne comptable
    serveur serveuse coiffeur coiffeuse musicien musicienne peintre écrivain photographe
    psychologue dentiste mécanicien pompier pilote libraire bibliothécaire sage-femme
    kinésithérapeute facteur factrice maçon charpentier chauffeur chauffeuse routier agriculteur
    agricultrice éleveur éleveuse apiculteur apicultrice viticulteur vigneron vigneronne
    fleuriste jardinier jardinière paysagiste boucher bouchère pâtissier pâtissière traiteur
    chef cuistot aide-soignant aide-soignante ambulancier ambulancière orthophoniste ostéopathe
    opticien opticienne chirurgien chirurgienne pédiatre psychiatre instituteur institutrice
    prof éducateur éducatrice animateur animatrice assistant assistante secrétaire vendeur
    vendeuse caissier caissière commercial commerciale gérant gérante directeur directrice
    informaticien informaticienne programmeur programmeuse économiste juriste notaire juge
    policier policière gendarme militaire soldat acteur actrice comédien comédienne chanteur
    chanteuse danseur danseuse pianiste guitariste réalisateur réalisatrice couturier couturière
    cordonnier horloger ébéniste céramiste potier potière soudeur soudeuse chercheur chercheuse
    biologiste chimiste physicien géologue archéologue historien historienne sociologue
    conducteur conductrice cheminot retraité retraitée stagiaire apprenti apprentie auxiliaire
    puéricultrice puériculteur nourrice atsem formateur formatrice maître-nageur entraîneur
    coach moniteur monitrice surveillant surveillante conseiller conseillère proviseur
    magasinier magasinière cariste manutentionnaire livreur livreuse coursier chauffeur-livreur
    contrôleur contrôleuse aiguilleur steward hôtesse marin marin-pêcheur pêcheur ostréiculteur
    maraîcher maraîchère bûcheron bûcheronne forestier forestière berger bergère ouvrier
    ouvrière plombière plaquiste carreleur couvreur couvreuse électromécanicien serrurier
    serrurière tourneur fraiseur ajusteur chaudronnier grutier menuisière tapissier tapissière
    vitrailliste verrier relieur relieuse imprimeur luthière tonnelier brasseur brasseuse
    fromager fromagère poissonnier poissonnière primeur épicier épicière crêpier crêpière barman
    barmaid réceptionniste gouvernante concierge gardien gardienne agent vigile huissier
    huissière greffier greffière magistrat magistrate fonctionnaire maire élu élue douanier
    douanière pompière démineur esthéticienne barbier tatoueur tatoueuse maquilleur maquilleuse
    styliste modéliste chapelière chapelier maroquinier bijoutier bijoutière joaillier sculpteur
    sculptrice dessinateur dessinatrice illustrateur illustratrice graveur scénariste metteur
    cinéaste monteur monteuse régisseur intermittente intermittent clown circassien rédacteur
    rédactrice éditeur éditrice correcteur correctrice interprète documentaliste archiviste
    conservateur conservatrice technicien technicienne laborantin laborantine statisticien
    actuaire banquier banquière courtier courtière assureur auditeur auditrice consultant
    consultante entrepreneur entrepreneuse commerçant commerçante représentant indépendante
    indépendant auto-entrepreneur sophrologue ergothérapeute psychomotricien psychomotricienne
    diététicien diététicienne podologue radiologue urgentiste généraliste anesthésiste
    dermatologue gynécologue cardiologue kiné infographiste webmestre campaniste urbaniste
    géomètre mathématicien mathématicienne physicienne astronome météorologue doctorant
    doctorante lycéen lycéenne collégien collégienne instit toubib profe""".split()
)
# family, animals, a home, a car, an illness: to have one says something lasting
LASTING = frozenset(
    """chien chiens chienne chat chats chatte lapin lapins cheval chevaux perroquet tortue poules
    enfant enfants fils fille filles frère frères sœur sœurs soeur soeurs jumeaux jumelles
    voiture vélo moto bateau voilier chaton chiot hamster jument poney ânes âne chèvres moutons
    ruches poissons perruche canari neveu neveux nièce nièces cousin cousins cousine cousines
    petit-fils petite-fille petits-enfants beau-fils belle-fille camionnette caravane fourgon
    guitare violon batterie maison appartement jardin potager asthme diabète épilepsie migraine
    migraines hypertension arthrose arthrite eczéma psoriasis endométriose dépression
    fibromyalgie acouphènes cancer scoliose hypothyroïdie pacemaker dyslexie oie oies canard
    canards hérisson iguane gerbille chinchilla octodon ânesse vache vaches brebis chèvre mouton
    coq poule abeilles ruche chatons chiots demi-frère demi-sœur filleul filleule beau-frère
    belle-sœur triplés camion tracteur trottinette camping-car péniche ferme chalet terrain
    accordéon saxo flûte lupus parkinson alzheimer anémie hernie reflux cholestérol
    hyperthyroïdie vertiges tdah autisme vitiligo apnée glaucome myopie astigmatisme surdité
    narcolepsie sclérose dyspraxie drépanocytose mucoviscidose hémophilie spasmophilie""".split()
)
BREEDS = r"caniches?|berger\s+allemand|épagneul"
NUMBERS = """deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
    vingt trente quarante cinquante soixante""".split()
MONTHS = """janvier février mars avril juin juillet
    août septembre octobre novembre décembre janeiro""".split()
DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
# the article of a single thing, and what may stand before the word for a relation
ONE = "une?"
BEFORE_KIN = "(?:(?:arrière|ex|demi|beau|belle|grand)-)*"
