"""Portuguese, read without a model: what is a fact, what is remembered, and what is neither."""

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
        ("Olá, chamo-me Rui e vivo no Porto desde 2019.", ["user name Rui", "user lives_in Porto"]),
        ("Meu nome é Camila, tenho 27 anos e moro em Recife.", ["user name Camila", "user age 27", "user lives_in Recife"]),
        ("Me chamo João e trabalho na Petrobras como engenheiro.", ["user name João", "user works_at Petrobras", "user works_as engenheiro"]),
        ("Sou enfermeira e tenho dois filhos.", ["user works_as enfermeira", "user has dois filhos"]),
        ("A minha mulher Ana é professora e trabalha numa escola.", ["user wife Ana", "Ana works_as professora", "Ana works_at escola"]),
        ("O meu irmão chama-se Diogo e vive em Braga.", ["user brother Diogo", "Diogo lives_in Braga"]),
        ("Tenho uma cadela chamada Luna.", ["user dog Luna"]),
        ("Tenho um gato que se chama Tobias.", ["user cat Tobias"]),
        ("Já não vivo em Faro.", ["user lives_in Faro (over)"]),
        ("Não moro mais em Salvador.", ["user lives_in Salvador (over)"]),
        ("Antes morava em Curitiba.", ["user lives_in Curitiba (over)"]),
        ("Mudei-me para Lisboa em março.", ["user lives_in Lisboa"]),
        ("Me mudei pra São Paulo ano passado.", ["user lives_in São Paulo"]),
        ("Vou me mudar para o Rio em janeiro.", ["user lives_in Rio (coming)"]),
        ("A partir de janeiro vou trabalhar na EDP.", ["user works_at EDP (coming)"]),
        ("Trabalhei na TAP até 2020.", ["user works_at TAP (over)"]),
        ("Gosto de café e odeio chá.", ["user likes café", "user dislikes chá"]),
        ("Não gosto de azeitonas.", ["user dislikes azeitonas"]),
        ("Adoro cães.", ["user likes cães"]),
        ("Prefiro chá a café.", ["user prefers chá"]),
        ("Gosto mais de praia do que de serra.", ["user prefers praia"]),
        ("Sou alérgica a frutos secos.", ["user allergic_to frutos secos"]),
        ("Sou alérgico ao pólen e à penicilina.", ["user allergic_to pólen", "user allergic_to penicilina"]),
        ("A minha cor favorita é o verde.", ["user favourite_cor verde"]),
        ("Falo português, inglês e um pouco de francês.", ["user speaks português", "user speaks inglês", "user speaks francês"]),
        ("Nasci em Coimbra.", ["user born_in Coimbra"]),
        ("O meu aniversário é no dia 4 de julho.", ["user birthday 4 de julho"]),
        ("Estudo Direito na Universidade do Minho.", ["user studies_at Universidade do Minho", "user studies Direito"]),
        ("Tenho asma.", ["user has asma"]),
        ("Toco guitarra e jogo futebol aos domingos.", ["user plays guitarra", "user plays futebol"]),
        ("Não tenho filhos.", []),
        ("Não sou médico.", []),
        ("Moro com meu namorado Pedro em Niterói.", ["user boyfriend Pedro", "user lives_in Niterói"]),
        ("Lembra-te que a consulta é na terça.", []),
        ("Sou casada com o Jorge.", ["user married_to Jorge"]),
        ("Sou vegetariana.", ["user is vegetariana"]),
        ("Quero aprender a tocar piano.", []),
        ("Minha avó Conceição mora comigo desde que o vô morreu, e meu irmão Davi vem todo domingo.", ["user grandmother Conceição", "user brother Davi"]),
        ("Gosto mais de praia do que de serra, mas nas férias minha esposa Luana é quem decide.", ["user prefers praia", "user wife Luana"]),
        ("O filho do meu chefe toca bateria e acha que vai ser famoso.", []),
        ("Eu moro em Évora, conheces algum bom restaurante?", ["user lives_in Évora"]),
        ("Larguei o Google no ano passado.", ["user works_at Google (over)"]),
        ("A Marta é minha filha.", ["user daughter Marta"]),
        ("O Pedro, meu vizinho, é bombeiro.", ["user neighbour Pedro", "Pedro works_as bombeiro"]),
        ("No ano que vem vamos viajar para o Japão.", ["user plans_to viajar para o Japão"]),
        ("Trabalho como motorista de ônibus.", ["user works_as motorista de ônibus"]),
        ("Estou aprendendo alemão.", ["user learns alemão"]),
        ("A gente mora em Belém.", ["user lives_in Belém"]),
        ("Trabalho por turnos.", []),
        ("O meu pai era pescador.", ["user's father works_as pescador (over)"]),
        ("Eu não como carne.", ["user avoids carne"]),
        ("Meu cachorro se chama Thor e tem 3 anos.", ["user dog Thor", "Thor age 3"]),
        ("Minha irmã tem um gato chamado Mingau.", ["user's sister has gato"]),
        ("Eu e meu marido moramos em Natal.", ["user lives_in Natal"]),
        ("Sou do Porto mas vivo em Londres.", ["user home_town Porto", "user lives_in Londres"]),
        ("Sou brasileiro.", []),
        ("A minha filha Inês faz 5 anos amanhã.", ["user daughter Inês"]),
        ("Faço 40 anos em maio.", []),
        ("oi, aqui é o Wellington, 31, motoboy em Betim, vc pode me chamar de Well", ["user name Wellington", "user age 31", "user works_as motoboy", "user nickname Well"]),
        ("sou a Teresa, 52 anos, de Viseu", ["user name Teresa", "user age 52", "user home_town Viseu"]),
        ("tô morando em Goiânia", ["user lives_in Goiânia"]),
        ("sou luthier aqui em Tatuí", ["user works_as luthier", "user lives_in Tatuí"]),
        ("trampo numa oficina mecânica", ["user works_at oficina mecânica"]),
        ("ando a tirar o mestrado em História na Nova", ["user studies História", "user studies_at Nova"]),
        ("minha irmã caçula, a Jacira, teve gêmeos", ["user sister Jacira"]),
        ("meus filhos se chamam João e Bia", ["user child João", "user child Bia"]),
        ("O Tobi, o meu ouriço, não sai da roda", ["user pet Tobi"]),
        ("o meu avô Zé, de 90 anos, ainda conduz", ["user grandfather Zé", "Zé age 90"]),
        ("tenho doença de Crohn e tomo losartana", ["user has doença de Crohn", "user takes losartana"]),
        ("sou intolerante à lactose", ["user is intolerante à lactose"]),
        ("o pó dá-me alergia", ["user allergic_to pó"]),
        ("não bebo álcool", ["user avoids álcool"]),
        ("cara, eu adoro forró, você não?", ["user likes forró"]),
        ("coentro não é a minha praia", ["user dislikes coentro"]),
        ("sou mais de chá do que de café", ["user prefers chá"]),
        ("tô largando o refrigerante aos poucos", ["user practises refrigerante (over)"]),
        ("amanhã tenho consulta no dentista", ["user plans_to consulta no dentista"]),
        ("tô escrevendo um cordel, já tenho quarenta estrofes", ["user current_project cordel"]),
        ("trabalho numa empresa de logística", ["user works_at empresa de logística"]),
        ("antes eu jogava vôlei", ["user plays vôlei (over)"]),
        ("vou casar em dezembro", ["user wedding_on dezembro"]),
        ("meu carro é um Fiat Uno", ["user owns Fiat Uno"]),
        ("vou à academia todo dia", ["user practises academia"]),
        ("sou canhoto", ["user is canhoto"]),
    ],
)  # fmt: skip
def test_facts(message: str, facts: list[str]) -> None:
    assert detect(message).code == "pt"
    assert found(message) == set(facts)
    assert read(message).memories


@pytest.mark.parametrize(
    "message",
    [
        "Se eu tivesse dinheiro, vivia em Paris.",
        "Quem me dera viver na praia.",
        "Talvez me mude para Madrid.",
        "Estou cansado.",
        "Estou com fome.",
        "Tenho sono.",
        "Podes recomendar-me um livro?",
        "Escreve um poema sobre o meu gato.",
        "Dói-me a cabeça.",
        "O meu chefe diz que trabalho pouco.",
        "Bom dia, como estás?",
        "Obrigada pela ajuda.",
        "Não percebo a tua resposta.",
        "Kkkkk, sou o rei de Portugal.",
        "Os cães não podem comer chocolate.",
        "Preciso de uma receita de bacalhau.",
        "Eu não disse que gosto de futebol.",
        "Acho que vou mudar para o Brasil.",
        "Traduz para inglês: Sou médico e vivo em Évora.",
        "Não gosto de ti.",
        "Gosto de ti.",
        "Adoro quando chove.",
        "Eles moram em Braga.",
        "Lisboa é a capital de Portugal.",
        "Você mora onde?",
        "Onde é que eu moro?",
        "Se calhar mudo-me para o Algarve.",
        "No livro, eu sou um pirata.",
        "Disseram que eu moro longe.",
        "aham, e eu sou o rei do baião",
        "não gosto desta versão",
        "Era uma vez um rei que vivia em Sintra.",
    ],
)  # fmt: skip
def test_nothing(message: str) -> None:
    reading = read(message)
    assert not reading.statements and not reading.memories


@pytest.mark.parametrize(
    "message",
    [
        "O filho da minha irmã vive em Oslo.",
        "Nunca morei em Roma.",
        "Gostaria de trabalhar na Google.",
        "deixei as chaves em casa",
        "trabalho como um burro",
        "não tomo o ônibus nunca",
        "estou preparando a mala",
        "Tenho um livro sobre gatos.",
        "parei de ler no capítulo 3",
    ],
)
def test_no_fact(message: str) -> None:
    assert not found(message)


@pytest.mark.parametrize(
    ("message", "begin", "end"),
    [
        ("Moro em Recife há cinco anos.", "2020-08-03", None),
        ("Mudámo-nos há quinze dias para Tavira.", "2025-07-19", None),
        ("Trabalhei na TAP até 2020.", None, "2020-01-01"),
        ("Morei em Lisboa entre 2012 e 2015.", "2012-01-01", "2015-01-01"),
        ("Parei de fumar há dois anos.", None, "2023-08-03"),
        ("Moro em Braga.", None, None),
    ],
)
def test_dates(message: str, begin: str | None, end: str | None) -> None:
    (item,) = read(message).statements
    said = Said(tense=item.clause.tense, over=item.over, time_words=lexicon("pt").time_words)
    found = dates(item.clause.text, item.predicate, item.object, date(2025, 8, 3), said)
    assert [day and day.isoformat() for day in (found.begin, found.end)] == [begin, end]
