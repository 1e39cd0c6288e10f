"""Spanish, French and Portuguese words by their form: illnesses, medicines, traits, occupations."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

# endings that only occupations have, and what ends alike and is something else
OCCUPATION_ENDINGS = LazyPattern(
    r"\w{2,}(?:[oó]log[oa]|ologue|[oó]graf[oa]|ographe|terapeuta|thérapeute|[ií]atra|iatre|ólogue|"
    r"cultora?|culteur|cultrice|tólog[oa]|aticien(?:ne)?|lojista)$"
)
NO_OCCUPATIONS = frozenset("catálogo diálogo prólogo análogo autógrafo párrafo bolígrafo".split())
# endings of illnesses that nothing else has, and the words that begin their names
ILLNESS_ENDINGS = LazyPattern(
    r"\w{3,}(?:itis|algias?|algie|opat[ií]a|opathie|emia|émie|plasia|plegia|tiroidismo|"
    r"thyroïdie|celiaquía|(?:rin|artr|bronqu|gastr|col|dermat|tendin|cist|sinus|hepat|ot|amigdal)ite|"
    r"(?:rhin|arthr|bronch|gastr|col|dermat|tendin|cyst|sinus|hépat|ot)ite)$"
)
ILLNESS_NAMES = LazyPattern(
    r"(?:(?:una?|une|uma|la|a|o|el|le)\s+)?(?:enfermedad\s+de|s[ií]ndrome\s+d[eo]|trastorno|maladie\s+de|"
    r"syndrome\s+d|trouble\s+(?:du|de|bipolaire|anxieux)|doença\s+d|transtorno|"
    r"intolerancia\s+a|intolérance\s+(?:au|à)|intolerância\s+[aà]|esclerosis|sclérose|esclerose|"
    r"tensión\s+(?:alta|baja)|tensão\s+(?:alta|baixa)|pressão\s+alta|presión\s+alta|"
    r"hernia|hernie|hérnia|diab[eè]te|cáncer|cancer|câncer|cancro|marcapasos|pé\s+chato)",
    re.I,
)
MEDICINES = LazyPattern(
    r"^(?:"
    r"\w{2,}(?:prazole?|statina?|statine|sart[aã]n[ae]?|olol|oxetina|oxétine|tralina|pram|praz[oó]lam|azepam|formina|formine|cilina|cilline|micina|mycine|tiroxina|thyroxine|xaban[ae]?|gliflozina|gliptina|glutida|glutide|mab|tinib|nidazole?|idona|piina|dipino|dipine|lamina|fenac[oe]?|profeno?|triptilina|trigina|fenidato|setrona?|tadina|tirizina|lukast|corticoides?)|"
    r"ibuprofeno|paracetamol|aspirina|aspirine|antihistam[ií]nicos?|antihistaminiques?|anticonceptivos?|"
    r"antidepresivos?|antidépresseurs?|antidepressivos?|ansiol[ií]ticos?|anticoagulantes?|corticoides|"
    r"melatonina|mélatonine|litio|lithium|lítio|hierro|fer|ferro|magnesio|magnésium|magnésio|creatina|cortisona|"
    r"eutirox|levothyrox|humira|ventol[ií]n|ventoline|doliprane|dafalgan|sintrom|adiro|nolotil|concerta|"
    r"ritalina|ritaline|rivotril|lexotan|puran|dipirona|xarelto|eliquis|ozempic|prozac|zoloft|orfidal|lexatin|"
    r"seroplex|kardegic|clonazepam|quetiapina|gabapentina|pregabalina)$",
    re.I,
)
TRAITS = LazyPattern(
    r"^(?:vegetarian[oa]|végétarien(?:ne)?|végane?|soltero|soltera|casad[oa]|divorciad[oa]|mariée?|divorcée?|"
    r"zurdo|zurda|gauch[eè]re?|canhot[oa]|diab[eé]tic[oa]|cel[ií]ac[oa]|diabétique|asm[aá]tic[oa]|"
    r"epil[eé]ptic[oa]|dal[tô]*[oó]nic[oa]|autista|disl[eé]xic[oa]|sord[oa]|cieg[oa]|hipertens[oa]|"
    r"insulinodependiente|bipolar|miope|viud[oa]|separad[oa]|ambidiestr[oa]|diestr[oa]|cat[oó]lic[oa]|ate[oa]|"
    r"ateu|ateia|agn[oó]stic[oa]|musulm[aá]n|musulmana|jud[ií][oa]|budista|evang[eé]lic[oa]|protestante|"
    r"cristian[oa]|celibatari[oa]|vegan[oa]|ovolactovegetarian[oa]|pescetarian[oa]|flexitarian[oa]|abstemi[oa]|"
    r"zurd[oa]|asthmatique|épileptique|daltonienn?e?|autiste|dyslexique|sourde?|aveugle|hypertendue?|bipolaire|"
    r"veufs?|veuve|célibataire|séparée?|pacsée?|ambidextre|droiti(?:er|ère)|gauch(?:er|ère)|catholique|athée|"
    r"agnostique|musulmane?|juive?|juif|bouddhiste|protestante?|végéta\w+|vegan|pescétarien(?:ne)?|"
    r"flexitarien(?:ne)?|c[oœ]e?liaque|cœliaque|abstinente?|enceinte|embarazada|grávida|gr[aá]vid[oa]|ceg[oa]|"
    r"surd[oa]|vi[uú]v[oa]|solteir[oa]|destr[oa]|dalt[oôó]nic[oa]|"
    r"intolerante\s+[aà]\s+(?:la\s+)?(?:lactos[ae]|gl[uú]ten|frutos[ea])|intolerante\s+al\s+gluten|"
    r"intolerante\s+ao\s+glúten|intolérante?\s+(?:au|à)\s*(?:lactose|gluten|fructose))$",
    re.I,
)
