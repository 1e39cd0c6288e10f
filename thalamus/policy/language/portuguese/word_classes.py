"""Portuguese words by what they name: occupations, what one has for long, breeds, numbers, the calendar."""

from __future__ import annotations

OCCUPATIONS = frozenset(
    """professor professora médico enfermeiro enfermeira engenheiro engenheira advogado advogada
    arquiteto arquiteta cozinheiro cozinheira padeiro padeira carpinteiro eletricista
    canalizador jornalista tradutor tradutora estudante veterinário veterinária farmacêutico
    farmacêutica contabilista empregado cabeleireiro cabeleireira escritora fotógrafo psicóloga
    bombeiro dentista mecânico pescador enfermeiros bibliotecária bibliotecário designer
    carteiro pedreiro costureira confeiteira confeiteiro motorista taxista agricultor
    agricultora pescadora garçom garçonete gerente analista bancário bancária fisioterapeuta
    nutricionista fonoaudióloga terapeuta biólogo bióloga químico química geólogo geóloga
    historiador historiadora juiz juíza maestro pianista guitarrista ator atriz dançarina
    bailarina bailarino soldador soldadora marceneiro ceramista educadora educador assistente
    secretária desenvolvedor desenvolvedora programador programadora solicitador notária
    vendedor vendedora arqueóloga arqueólogo economista sociólogo socióloga pediatra cirurgião
    cirurgiã docente pedagoga pedagogo explicadora explicador ama babá diarista faxineira
    faxineiro zelador zeladora porteiro porteira segurança vigilante caixa repositor estoquista
    entregador entregadora motoboy estafeta caminhoneiro caminhoneira camionista maquinista
    comissária comissário marinheiro lavrador lavradora fazendeiro fazendeira pastor pastora
    operário operária torneiro serralheiro serralheira encanador encanadora pintor pintora
    vidraceiro azulejista ladrilhador estofador ferreiro sapateiro alfaiate bordadeira tecelã
    rendeira artesão artesã oleiro oleira marceneira luthier relojoeiro joalheiro ourives
    açougueiro talhante peixeiro peixeira pasteleiro pasteleira doceira quitandeiro feirante
    comerciante comerciária balconista lojista empresário empresária empreendedor empreendedora
    autônoma autônomo representante corretor corretora consultor consultora contador contadora
    auditor auditora administrador administradora recepcionista rececionista telefonista
    operador operadora técnico técnica funcionário funcionária servidor servidora escriturária
    escrivão escrivã delegado delegada promotor promotora procurador procuradora defensora
    desembargador vereador vereadora militar soldado sargento policial polícia guarda bombeira
    piloto aeromoça hospedeira empregada copeira copeiro barista sommelier churrasqueiro
    merendeira chef parteira doula obstetra ginecologista anestesista cardiologista
    dermatologista psiquiatra ortopedista oftalmologista radiologista protésico ótico massagista
    fonoaudiólogo osteopata esteticista manicure cabelereira maquiadora maquilhadora barbeiro
    tatuador tatuadora psicólogo psicanalista assistente-social antropólogo antropóloga filósofo
    filósofa linguista filólogo revisor revisora redator redatora editor editora repórter
    locutor locutora apresentador apresentadora roteirista guionista cineasta realizador
    realizadora fotógrafa ilustrador ilustradora escultor escultora músico música cantor cantora
    sanfoneiro percussionista baterista violonista fadista compositor compositora maestrina
    arquivista museólogo físico física matemático matemática estatístico astrônomo astrónomo
    biomédica biomédico agrônomo agrónomo agrônoma zootecnista apicultor viticultor enólogo
    vinhateiro jardineiro jardineira paisagista urbanista topógrafo desenhista projetista dev
    bolseiro bolseira bolsista doutoranda doutorando mestranda mestrando universitária
    universitário aposentado aposentada reformado reformada pensionista estagiário estagiária
    aprendiz goleiro forcado monaguillo monaguilla acólito coroinha""".split()
)
# family, animals, a home, a car, an illness: to have one says something lasting
LASTING = frozenset(
    """cão cães cachorro cachorros cadela coelho cavalo papagaio tartaruga galinhas filho filhos
    filha filhas irmão irmãos irmã irmãs sobrinho sobrinhos sobrinha sobrinhas neto netos neta
    netas carro mota moto casa apartamento horta quintal jardim enxaqueca enxaquecas gémeos
    gêmeos gémeas gêmeas cachorra cachorrinho cachorrinha gatos gata gatas gatinho gatinha
    gatinhos passarinho hamster peixe peixes tartarugas papagaios galinha cabras ovelhas burro
    égua cavalos primo primos prima primas enteado enteada bicicleta barco caravana autocaravana
    caminhão caminhonete sítio guitarra violão piano violino bateria asma diabetes epilepsia
    hipertensão bronquite rinite artrite artrose ansiedade depressão psoríase endometriose
    fibromialgia hipotireoidismo hipotiroidismo escoliose dislexia cancro câncer marcapasso
    pacemaker ganso gansos pato patos ouriço calopsita iguana furão chinchila porco vaca vacas
    ovelha cabra abelha abelhas colmeias gatinhas cachorrinhos trigêmeos meio-irmão meia-irmã
    afilhado afilhada cunhado cunhada sogra bisavó bisavô bisneto trator patinete trotinete
    chácara fazenda terreno acordeão sanfona saxofone cavaquinho ukulele lúpus parkinson
    alzheimer esclerose hérnia anemia refluxo colesterol hipertireoidismo labirintite vertigem
    vertigens tdah autismo vitiligo eczema dermatite rosácea apneia glaucoma miopia astigmatismo
    surdez narcolepsia bipolaridade gastrite colite hemofilia zumbido gota tireoidite sinusite""".split()
)
BREEDS = r"pastor\s+alemão"
NUMBERS = """dois duas três quatro cinco seis sete oito nove dez onze doze treze quatorze catorze
    quinze vinte trinta quarenta cinquenta sessenta setenta oitenta noventa""".split()
MONTHS = """janeiro fevereiro março abril maio junho
    julho agosto setembro outubro novembro dezembro""".split()
DAYS = "segunda terça quarta quinta sexta sábado domingo".split()
# the article of a single thing, and what may stand before the word for a relation
ONE = "uma?"
BEFORE_KIN = "(?:ex-|meio-|meia-|bis)?"
