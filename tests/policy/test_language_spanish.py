"""Spanish, read without a model: what is a fact, what is remembered, and what is neither."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.policy.fact_dates import Said, dates
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import read


def found(message: str) -> set[str]:
    """The facts of a message, each as one line."""
    return {
        f"{item.subject} {item.predicate} {item.object}"
        + (" (over)" if item.over else "")
        + (" (coming)" if item.coming else "")
        for item in read(message).statements
    }


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("Hola, me llamo Lucía y vivo en Madrid desde 2019.", ["user name Lucía", "user lives_in Madrid"]),
        ("Desde hace tres años trabajo en Telefónica como ingeniera.", ["user works_at Telefónica", "user works_as ingeniera"]),
        ("Soy enfermera y tengo dos hijos.", ["user works_as enfermera", "user has dos hijos"]),
        ("Mi mujer Ana es profesora y trabaja en un instituto.", ["user wife Ana", "Ana works_as profesora", "Ana works_at instituto"]),
        ("Mi hermano se llama Diego y vive en Bogotá.", ["user brother Diego", "Diego lives_in Bogotá"]),
        ("Tengo una perra llamada Luna.", ["user dog Luna"]),
        ("Tengo un gato que se llama Milo.", ["user cat Milo"]),
        ("Ya no vivo en Sevilla.", ["user lives_in Sevilla (over)"]),
        ("Antes vivía en Granada.", ["user lives_in Granada (over)"]),
        ("Me mudé a Valencia en marzo.", ["user lives_in Valencia"]),
        ("El mes que viene me mudo a Bilbao.", ["user lives_in Bilbao (coming)"]),
        ("A partir de enero trabajaré en Repsol.", ["user works_at Repsol (coming)"]),
        ("Trabajaba en Correos hasta 2020.", ["user works_at Correos (over)"]),
        ("Me gusta el café y odio el té.", ["user likes café", "user dislikes té"]),
        ("No me gustan las aceitunas.", ["user dislikes aceitunas"]),
        ("Me encantan los perros.", ["user likes perros"]),
        ("Prefiero el té al café.", ["user prefers té"]),
        ("Me gusta más la playa que la montaña.", ["user prefers playa"]),
        ("Soy alérgica a los frutos secos.", ["user allergic_to frutos secos"]),
        ("Soy alérgico al polen y a la penicilina.", ["user allergic_to polen", "user allergic_to penicilina"]),
        ("Mi color favorito es el verde.", ["user favourite_color verde"]),
        ("Hablo español, inglés y un poco de francés.", ["user speaks español", "user speaks inglés", "user speaks francés"]),
        ("Nací en Cusco.", ["user born_in Cusco"]),
        ("Nací el 3 de mayo de 1990 en Lima.", ["user born_in Lima", "user born_on 3 de mayo de 1990"]),
        ("Tengo 34 años.", ["user age 34"]),
        ("Mi cumpleaños es el 4 de julio.", ["user birthday 4 de julio"]),
        ("Estudio Derecho en la Universidad de Salamanca.", ["user studies_at Universidad de Salamanca", "user studies Derecho"]),
        ("Tengo asma y diabetes.", ["user has asma", "user has diabetes"]),
        ("Tomo metformina todos los días.", ["user takes metformina"]),
        ("Toco el piano.", ["user plays piano"]),
        ("No tengo hijos.", []),
        ("No soy médico.", []),
        ("Vivo con mi novio Pablo en Gijón.", ["user boyfriend Pablo", "user lives_in Gijón"]),
        ("Trabajo de camarero en un bar.", ["user works_at bar", "user works_as camarero"]),
        ("Recuerda que mi cita con el dentista es el martes.", []),
        ("Voy a empezar a trabajar en Inditex el lunes.", ["user works_at Inditex (coming)"]),
        ("Estoy casada con Jorge.", ["user married_to Jorge"]),
        ("Soy vegetariana.", ["user is vegetariana"]),
        ("Quiero aprender a tocar la guitarra.", []),
        ("Mi hija mayor, Elena, estudia medicina en Granada.", ["user daughter Elena", "Elena studies medicina"]),
        ("Me llamo Hugo, tengo 8 años y me gusta el fútbol.", ["user name Hugo", "user age 8", "user likes fútbol"]),
        ("Yo vivo en Cádiz, ¿conoces algún buen restaurante?", ["user lives_in Cádiz"]),
        ("Dejé Google el año pasado.", ["user works_at Google (over)"]),
        ("Mi abuela Carmen cumple 90 años en abril.", ["user grandmother Carmen"]),
        ("Soy de Zaragoza pero vivo en Barcelona.", ["user home_town Zaragoza", "user lives_in Barcelona"]),
        ("Mi padre era panadero.", ["user's father works_as panadero (over)"]),
        ("Mi marido y yo vivimos en Jaén.", ["user lives_in Jaén"]),
        ("Cumplo 40 años en mayo.", []),
        ("Tenía un perro, pero murió.", ["user has perro (over)"]),
        ("Mi hija Inés cumple 5 años mañana.", ["user daughter Inés"]),
        ("No me llamo Pedro.", []),
        ("Nunca he vivido en Roma.", []),
        ("Vivo con dos gatos.", []),
        ("Trabajo de noche.", []),
        ("Estoy viviendo en Lima con mis padres.", ["user lives_in Lima"]),
        ("Mis padres viven en Cuenca.", []),
        ("Mi madre se llama Rosa y mi padre Antonio.", ["user father Antonio", "user mother Rosa"]),
        ("Me apellido García.", []),
        ("Soy Marta, tengo 29 años y soy diseñadora gráfica.", ["user name Marta", "user age 29", "user works_as diseñadora gráfica"]),
        ("Llevo cinco años trabajando en Zara.", ["user works_at Zara"]),
        ("Hace dos años que vivo en Berlín.", ["user lives_in Berlín"]),
        ("Hace dos años me mudé a Berlín.", ["user lives_in Berlín"]),
        ("Vivimos en una casa en Toledo.", ["user lives_in Toledo"]),
        ("Vivo en un segundo piso.", []),
        ("Vivo en el centro.", []),
        ("No me gusta madrugar.", ["user dislikes madrugar"]),
        ("A mi hijo Leo le encanta el ajedrez.", ["user son Leo"]),
        ("A mí me encanta cocinar.", ["user likes cocinar"]),
        ("No como carne.", ["user avoids carne"]),
        ("No soporto el ruido.", ["user dislikes ruido"]),
        ("Ya no trabajo en Google, ahora estoy en Meta.", ["user works_at Google (over)"]),
        ("Ya no me gusta el café.", ["user likes café (over)"]),
        ("De pequeño vivía en Cádiz.", ["user lives_in Cádiz (over)"]),
        ("El año que viene queremos viajar a Japón.", ["user plans_to viajar a Japón"]),
        ("El lunes empiezo en Siemens.", ["user works_at Siemens (coming)"]),
        ("Mi gata se llama Nube.", ["user cat Nube"]),
        ("Tenemos dos gatos, Tigre y Sol.", ["user cat Tigre", "user cat Sol"]),
        ("Mi hija tiene 7 años.", ["user's daughter age 7"]),
        ("Mi hija Sara tiene 7 años.", ["user daughter Sara", "Sara age 7"]),
        ("Mi hermana tiene un perro que se llama Rocky.", ["user's sister has perro"]),
        ("Juego al pádel los martes.", ["user plays pádel"]),
        ("Estoy aprendiendo alemán.", ["user learns alemán"]),
        ("Estoy escribiendo una novela.", ["user current_project novela"]),
        ("Odio los lunes.", []),
        ("Mi mejor amiga, Carla, se casa en junio.", ["user best_friend Carla", "Carla wedding_on junio"]),
        ("Mi compañera de piso es Julia.", ["user flatmate Julia"]),
        ("Conduzco un Seat Ibiza.", ["user drives Seat Ibiza"]),
        ("Pepe, mi vecino, es bombero.", ["user neighbour Pepe", "Pepe works_as bombero"]),
        ("Mañana tengo examen.", ["user plans_to examen"]),
        ("Voy al gimnasio tres veces por semana.", ["user practises voy al gimnasio"]),
        ("Mi marido es alérgico al marisco.", ["user's husband allergic_to marisco"]),
        ("Mi marido Luis es alérgico al marisco.", ["user husband Luis", "Luis allergic_to marisco"]),
        ("Tengo alergia a los gatos.", ["user allergic_to gatos"]),
        ("Me diagnosticaron celiaquía.", ["user has celiaquía"]),
        ("Me operaron de la rodilla en mayo.", []),
        ("Me he comprado una bici.", []),
        ("Vengo de una familia grande.", []),
        ("Soy zurdo y vegano.", ["user is zurdo"]),
        ("Tengo un examen de matemáticas.", []),
        ("Tengo dos entradas para el concierto.", []),
        ("Recuerda: soy celíaca.", ["user is celíaca"]),
        ("qué tal, soy Benito, de Teruel, pero aquí en Rosario todos me dicen Maño", ["user name Benito", "user home_town Teruel", "user lives_in Rosario", "user nickname Maño"]),
        ("soy Nuria, 41 años, enfermera", ["user name Nuria", "user age 41", "user works_as enfermera"]),
        ("toy viviendo en quito xq trabajo aqui", ["user lives_in quito"]),
        ("Llevo desde marzo en Ushuaia.", ["user lives_in Ushuaia"]),
        ("acabamos de mudarnos a un pueblo de Soria", ["user lives_in Soria"]),
        ("curro de camarero en un chiringuito", ["user works_at chiringuito", "user works_as camarero"]),
        ("Me dedico a la cría de ovejas.", ["user works_as cría de ovejas"]),
        ("estoy en tercero de arquitectura en la UNAM", ["user studies arquitectura", "user studies_at UNAM"]),
        ("me estoy sacando un máster en logística", ["user studies logística"]),
        ("mi hija Vera, de 4 años, es celíaca", ["user daughter Vera", "Vera age 4", "Vera is celíaca"]),
        ("Mi abuela Pura, que tiene 93, sigue cosiendo.", ["user grandmother Pura", "Pura age 93"]),
        ("somos tres hermanos: Ana, Luis y una servidora", ["user sibling Ana", "user sibling Luis"]),
        ("mis perros se llaman Pipa y Lolo", ["user dog Pipa", "user dog Lolo"]),
        ("a mí me da alergia el polen", ["user allergic_to polen"]),
        ("soy alergico a los acaros", ["user allergic_to acaros"]),
        ("soy intolerante a la lactosa", ["user is intolerante a la lactosa"]),
        ("padezco fibromialgia desde hace años", ["user has fibromialgia"]),
        ("me han recetado sertralina", ["user takes sertralina"]),
        ("me chiflan las croquetas", ["user likes croquetas"]),
        ("el cilantro no me gusta nada", ["user dislikes cilantro"]),
        ("la ópera me aburre", ["user dislikes ópera"]),
        ("madrugar no es lo mío", ["user dislikes madrugar"]),
        ("soy más de té que de café", ["user prefers té"]),
        ("dejé de fumar hace dos años", ["user practises fumar (over)"]),
        ("he dejado el café", ["user practises café (over)"]),
        ("el martes tengo cita con el dermatólogo", ["user plans_to cita con el dermatólogo"]),
        ("Estoy restaurando con mi tío Fermín una barca vieja.", ["user uncle Fermín", "user current_project barca vieja"]),
        ("mi coche es un Dacia Sandero", ["user owns Dacia Sandero"]),
        ("salgo a correr tres veces por semana", ["user practises correr"]),
        ("soy venezolana", ["user nationality venezolana"]),
        ("trabajo en una empresa de logística", ["user works_at empresa de logística"]),
        ("antes jugaba al baloncesto", ["user plays baloncesto (over)"]),
        ("prefiero que me tutees", ["user prefers que me tutees"]),
    ],
)  # fmt: skip
def test_facts(message: str, facts: list[str]) -> None:
    assert detect(message).code == "es"
    assert found(message) == set(facts)
    assert read(message).memories


@pytest.mark.parametrize(
    "message",
    [
        "Si tuviera dinero, viviría en París.",
        "Ojalá viviera en la playa.",
        "Quizás me mude a México.",
        "Estoy cansado.",
        "Tengo sueño.",
        "Tengo hambre.",
        "¿Puedes recomendarme un libro?",
        "Escribe un poema sobre mi gato.",
        "Me duele la cabeza.",
        "Mi jefe dice que trabajo demasiado.",
        "Según el periódico, Madrid tiene tres millones de habitantes.",
        "Buenos días, ¿cómo estás?",
        "Gracias por tu ayuda.",
        "No entiendo tu respuesta.",
        "Jajaja, soy el rey de España.",
        "Los perros no pueden comer chocolate.",
        "Tengo que irme.",
        "Necesito una receta de paella.",
        "Me gusta cómo escribes.",
        "Se me ha olvidado el paraguas.",
        "Traduce al inglés: «Soy médico y vivo en Sevilla con mis dos hijas».",
        "En la película, soy un ladrón.",
        "Dicen que vivo en las nubes.",
        "Vivir en Madrid es caro.",
        "¿Dónde vivo?",
        "Igual me mudo a Galicia.",
        "Érase una vez un rey que vivía en Toledo.",
        "Te quiero.",
        "No sé qué hacer.",
        "Creo que me voy a mudar a Vigo.",
        "Me gustaría saber cuántos habitantes tiene Perú.",
        "¡Qué frío hace hoy!",
        "Mi pregunta es si los gatos sueñan.",
        "Necesito ayuda con mi tesis.",
        "Yo no he dicho que me guste el fútbol.",
        "Es broma, no soy astronauta.",
        "Corrige este texto: Me llamo Ana y vivo en Roma.",
        "Nunca he dicho eso.",
        "Vale, gracias, hasta mañana.",
        "Barcelona tiene muchos turistas.",
        "Me he quedado sin batería.",
        "quizá deje de fumar algún día",
        "¿cómo se dice «tengo hambre» en japonés?",
        "me encanta tu respuesta",
        "vale perfecto gracias",
    ],
)  # fmt: skip
def test_nothing(message: str) -> None:
    reading = read(message)
    assert not reading.statements and not reading.memories


@pytest.mark.parametrize(
    "message",
    [
        "He paseado al perro.",
        "El hijo de mi hermana vive en Oslo.",
        "No trabajo en Google.",
        "Me gustaría trabajar en Google.",
        "dejé las llaves en casa",
        "trabajo como un burro",
        "me llaman la atención los colores",
        "no tomo el metro nunca",
        "mi hijo no come verdura",
        "estoy haciendo la cena",
        "soy un desastre",
        "dejé de leer en el capítulo 3",
    ],
)
def test_no_fact(message: str) -> None:
    assert not found(message)


@pytest.mark.parametrize(
    ("message", "begin", "end"),
    [
        ("Llevo desde febrero en Ushuaia.", "2025-02-01", None),
        ("Vivo en Madrid desde 2019.", "2019-01-01", None),
        ("Hace dos años me mudé a Berlín.", "2023-08-03", None),
        ("Desde hace tres años trabajo en Telefónica.", "2022-08-03", None),
        ("Trabajaba en Correos hasta 2020.", None, "2020-01-01"),
        ("Viví en Berlín de 2010 a 2014.", "2010-01-01", "2014-01-01"),
        ("El mes que viene me mudo a Bilbao.", "2025-09-01", None),
        ("Vivo en Cádiz.", None, None),
    ],
)
def test_dates(message: str, begin: str | None, end: str | None) -> None:
    (item,) = read(message).statements
    said = Said(tense=item.clause.tense, over=item.over, time_words=lexicon("es").time_words)
    found = dates(item.clause.text, item.predicate, item.object, date(2025, 8, 3), said)
    assert [day and day.isoformat() for day in (found.begin, found.end)] == [begin, end]
