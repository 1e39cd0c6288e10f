"""Given names, for a language in which every noun has a capital: "meiner Frau Eva" holds a name,
"meiner Frau Blumen" holds none. Common ones; a name that is missing is found where the clause
says that it is one."""

from __future__ import annotations

from typing import Any

_NAMES = frozenset(
    """aaron abdul achim ada adam adela adele adem adrian agnes ahmed ahmet aileen aisha ali alessia
    alex alexander alexandra alexei alexia alfons alfred ali alice alicia alina aliya alma almut alois
    amalia amelie amina aminata amir amira ana anastasia andi andré andrea andreas andrej anett angela
    angelika angelina anika anita anja anke ann anna annabell anne annegret anneliese annemarie annette
    annika anselm antje anton antonia antonio anuschka aria ariane arif arjun armin arndt arne arno
    arnold artur arthur arzu astrid atakan august aurelia axel aylin ayşe ayse azra barbara bärbel
    bastian beate beatrice beatrix bela ben benedikt benjamin benno bernadette bernd bernhard bert
    berta berthold bettina bianca birgit birte björn bodo boris brigitte britta bruno burak burkhard
    can carina carl carla carlo carlos carmen carola carolin caroline carsten catharina cathrin cem
    charlotte chiara chris christa christel christian christiane christin christina christine
    christof christoph clara clarissa claudia claus clemens colin conny conrad constanze cora cordula
    corinna cornelia cornelius dagmar dana daniel daniela dario david deborah deniz denis dennis
    detlef detlev dieter dietmar dietrich dilara dirk dora doreen dorian doris dorothea dorothee eberhard
    eckhard edda edeltraud edgar edith eduard egon ekaterina ela elena eleonore elfriede elias elif elin
    elisa elisabeth elise elke ella ellen elli elmar elsa elsbeth else emil emilia emilie emily emir
    emma emmi enno enrico eray eren erhard eric erich erik erika erna ernst erwin esra esther etta
    eugen eva eveline evelyn ewald fabian fabienne fatih fatima fatma federico felix femke ferdinand
    fernando filip finja finn fiona florentine florian frank franka franz franziska frauke fred
    frederik frederike frida frieda friedel friederike friedhelm friedrich frieder fritz gabi gabriel
    gabriele georg georgios gerald gerd gerda gerhard gerlinde gernot gero gertrud gesa gesine giorgio
    gisela giulia giovanni gitta götz greta gregor gretchen gudrun guido gunda gundula günter günther
    gustav hakan hanna hannah hannelore hannes hans harald hartmut hasan hassan hauke hedwig heide
    heidemarie heidi heike heiko heiner heinrich heinz helen helena helene helga helge helmut
    hendrik henri henrik henriette henry herbert heribert hermann hermine herta hilde hildegard
    hinnerk holger horst hubert hugo ibrahim ida igor ilka ilona ilse imke ina ines inga inge
    ingeborg ingo ingrid inka irene irina iris irma irmgard isa isabel isabell isabella isabelle ismail
    ivan ivana ivo iwan jacqueline jakob jamila jan jana janina janine janis janna jannik jannis janosch
    jasmin jasper jean jeanette jendrik jennifer jenny jens jeremias jessica jil jo joachim joana
    jochen joel johann johanna johannes john jolanda jona jonas jonathan joost jörg jörn josef josefine
    joseph josephine joshua juan judith jule julia julian juliana juliane julie julius jürgen justin
    justus jutta kai kaja karen karim karin karina karl karla karlheinz karlotta karola karolin
    karoline karsten kaspar katarina katharina kathi kathrin katja katrin kemal kerstin kevin khaled
    kilian kim kira kirsten klara klaus klemens konrad konstantin konstanze kora korbinian korinna
    kristian kristin kristina kristof kurt lara larissa lars lasse laura laurenz lea leah leander leila
    lena leni lennard lennart lenz leo leon leonard leonhard leonie leonora leopold leticia levi levin
    levke liam lia liane lieselotte lilian lilli lilly lina linda linn linnea linus lisa lisbeth liselotte
    livia liv loni lore lorena lorenz lothar lotta lotte lou louis louisa louise luca lucas lucia lucie
    lucy ludger ludwig luis luisa luise luka lukas lutz lydia lynn maja magda magdalena magnus maike maik
    mailin maira malea malte malin manfred manja manu manuel manuela mara marc marcel marco marcus marek
    maren margarete margarethe margit margot margret maria mariam marianne marie marieke marija marika
    marina mario marion marisa marit marius mark marko markus marlene marlies marlis marta martha martin
    martina marvin mascha mathias mathilda mathilde mats matteo matthias matti mattis maurice max
    maximilian maxi maya mehmet meike meinhard melanie melek melina melissa merle mert mesut meta mia
    michael michaela michel michelle mika mike mila milan milena milo mina mira miriam mirjam mirko
    mohamed mohammed mona moni monika morena moritz murat mustafa nadia nadine nadja najib nele nelli
    nell nelson nepomuk nico nicola nicolas nicole niels nick nik niklas niko nikola nikolai nikolas
    nikolaus nils nina noah noel noemi nora norbert norma nuri nuria oksana olaf ole oleg olga oliver
    olivia omar onur orhan oskar oscar osman oswald otto özgür pablo pamela pascal patricia patrick
    patrizia paul paula paulina pauline pavel pedro peggy peter petra philip philipp philippa pia
    pierre pietro piotr quentin quirin rabea rafael raimund rainer ralf ralph ramona raphael rasmus
    raúl rebecca rebekka regina regine reinhard reinhold renate rené renée ricarda ricardo richard
    rike rita robert robin roland rolf roman romy ronja rosa rosalie rosemarie rosi roswitha roxana
    rüdiger rudi rudolf ruben rupert ruth sabine sabrina said salome sam samira samuel sandra sandro
    sanja sara sarah sascha saskia sebastian selim selin selina selma sergej serkan sibylle siegfried
    sigrid silas silke silvia silvio simon simona simone sina sofia sofie sonja sonja sophia sophie
    sören stanislaw stefan stefanie steffen steffi stella stephan stephanie sunniva susann susanna
    susanne suse svea sven svenja svetlana swantje sybille sylvia sylvie tabea talia tamara tamer tanja
    tara tarek tarik tatjana thea theo theodor theresa therese thilo thomas thorben thorsten tilda till
    tilman tim timo timon tina tino titus tobi tobias tom tomas tomasz toni torben torsten traute tristan
    trude udo ulf uli ulla ulrich ulrike ulrik ursel ursula urs uschi ute uwe valentin valentina valerie
    vanessa vera verena veronika victor victoria viktor viktoria viola vincent vinzenz violetta vitus
    volker volkmar waldemar walter waltraud wanda wenzel werner wiebke wilfried wilhelm wilhelmine willi
    willy winfried wladimir wolf wolfgang wolfram xaver yannick yara yasemin yasin yasmin yusuf yvonne
    zara zeynep zoe zoran""".split()
)


def is_given_name(name: str) -> bool:
    """Whether the first part of a name is a common given name ("Anna-Lena Weber")."""
    first = name.split()[0] if name.split() else ""
    return all(part.casefold() in _NAMES for part in first.split("-"))


def names_pattern() -> str:
    """A regular expression for a common given name as it is written ("Anna-Lena"), its letters in
    a tree: a plain list of so many alternatives takes seconds to compile."""
    tree: dict[str, Any] = {}
    for name in _NAMES:
        branch = tree
        for letter in name.capitalize():
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return rf"(?-i:{_branches(tree)}(?:-[A-ZÄÖÜ]\w+)?)"


def _branches(tree: dict[str, Any]) -> str:
    ways = [letter + _branches(tree[letter]) for letter in sorted(tree) if letter]
    if not ways:
        return ""
    joined = ways[0] if len(ways) == 1 and "" not in tree else f"(?:{'|'.join(ways)})"
    return f"{joined}?" if "" in tree else joined
