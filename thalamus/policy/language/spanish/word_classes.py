"""Spanish words by what they name: occupations, what one has for long, breeds, numbers, the calendar."""

from __future__ import annotations

OCCUPATIONS = frozenset(
    """profesor profesora maestro maestra médico médica enfermero enfermera ingeniero ingeniera
    abogado abogada arquitecto arquitecta cocinero cocinera panadero panadera carpintero
    carpintera electricista fontanero periodista traductor traductora programador programadora
    diseñador diseñadora estudiante veterinario veterinaria farmacéutico farmacéutica contable
    camarero camarera peluquero peluquera músico música pintor pintora escritor escritora
    fotógrafo fotógrafa psicólogo psicóloga dentista mecánico mecánica bombero piloto albañil
    taxista conductor conductora camionero cartero agricultor agricultora ganadero apicultor
    apicultora librero librera bibliotecario bibliotecaria fisioterapeuta logopeda matrona
    celadora celador auxiliar administrativo administrativa secretaria secretario dependiente
    dependienta vendedor vendedora comercial economista biólogo bióloga químico geólogo geóloga
    historiador historiadora arqueólogo arqueóloga juez jueza notario notaria policía guardia
    soldado actor actriz cantante bailarín bailarina pianista guitarrista director directora
    ilustrador ilustradora desarrollador desarrolladora informático informática cirujano
    cirujana pediatra psiquiatra educador educadora soldador jardinero jardinera costurera
    modista chef pastelero pastelera carnicero carnicera zapatero relojero investigador
    investigadora becario becaria jubilado jubilada autónomo docente catedrático catedrática
    higienista cuidador cuidadora canguro niñera asistenta limpiador limpiadora barrendero
    conserje portero portera cajero cajera reponedor reponedora repartidor repartidora mensajero
    mensajera camionera chófer chofer autobusero maquinista azafata azafato marinero pescador
    pescadora ganadera granjero granjera campesino campesina viticultor pastor pastora jornalero
    albañila plomero plomera gasista herrero herrera tornero cerrajero cerrajera cristalero
    techador tapicero yesero obrero obrera operario operaria peón mozo encofrador ferroviario
    capataz tutora pedagoga orientadora monitora monitor entrenador entrenadora socorrista
    preparador nutricionista dietista kinesiólogo kinesióloga osteópata podólogo podóloga óptico
    óptica partera comadrona anestesista forense radiólogo técnico técnica analista consultor
    consultora asesor asesora gestor gestora contador contadora banquero administrador
    administradora oficinista teleoperador teleoperadora recepcionista mesero mesera mesonero
    barista barman coctelera repostero repostera heladero frutero frutera pescadero pescadera
    verdulero tendero tendera florista joyero joyera sastre tejedora artesano artesana alfarero
    alfarera ceramista escultor escultora guionista cineasta productor productora locutor
    locutora presentador presentadora redactor redactora editor editora corrector correctora
    intérprete lingüista filólogo filóloga archivera archivero fiscal procurador procuradora
    funcionario funcionaria concejal alcalde alcaldesa diputado diputada militar marino
    guardabosques vigilante detective empresario empresaria emprendedor emprendedora comerciante
    representante autónoma pensionista opositor opositora doctorando doctoranda estudianta
    aparejador aparejadora topógrafo topógrafa delineante urbanista paisajista enólogo enóloga
    sumiller catadora pizzero ayudante científico científica físico física matemático matemática
    astrónomo astrónoma meteoróloga tatuador tatuadora esteticista manicurista maquilladora
    barbero luthier""".split()
)
# family, animals, a home, a car, an illness: to have one says something lasting
LASTING = frozenset(
    """perro perros perra gato gatos gata conejo caballo caballos loro tortuga hijo hijos hija
    hijas hermano hermanos hermana hermanas sobrino sobrinos sobrina sobrinas nieto nietos nieta
    nietas coche moto bicicleta casa piso huerto jardín asma migraña migrañas gemelos gemelas
    mellizos perrito gatito conejos pez peces canario hámster cobaya cobayas gallinas gallina
    cabras ovejas burro yegua tortugas loros primo primos prima primas furgoneta barco velero
    caravana autocaravana apartamento guitarra piano violín diabetes epilepsia hipertensión
    celiaquía artritis artrosis ansiedad depresión rinitis escoliosis fibromialgia endometriosis
    hipotiroidismo psoriasis dislexia tinnitus cáncer marcapasos burra oca ocas pato patos erizo
    iguana cacatúa agapornis ninfa jerbo chinchilla cerdo vaca vacas oveja cabra abeja abejas
    colmenas mellizas trillizos hermanastro hermanastra ahijado ahijada cuñado cuñada suegra
    bisabuela bisabuelo bisnieto camión tractor patinete scooter finca chalet parcela terreno
    trastero acordeón batería saxofón ukelele saxo celíaca lupus alzheimer párkinson parkinson
    esclerosis hernia anemia alergias reflujo colesterol hipertiroidismo vértigo vértigos tdah
    autismo asperger vitíligo eccema dermatitis rosácea apnea acúfenos glaucoma miopía
    astigmatismo sordera narcolepsia bipolaridad gastritis colitis sida vih crohn hemofilia""".split()
)
BREEDS = r"pastor\s+alemán|galgos?"
NUMBERS = """dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte
    treinta cuarenta cincuenta sesenta setenta ochenta noventa""".split()
MONTHS = """enero febrero marzo abril mayo junio
    julio agosto septiembre octubre noviembre diciembre""".split()
DAYS = "lunes martes miércoles jueves viernes sábado domingo".split()
# the article of a single thing, and what may stand before the word for a relation
ONE = "un|una"
BEFORE_KIN = "(?:ex-?|bis)?"
