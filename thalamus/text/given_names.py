"""Given names common in English, German, French, Spanish and Portuguese: they identify persons in a
text, in addition to the names that the store knows. Words that usually mean something else (Will,
Rose, May) are left out."""

from __future__ import annotations

GIVEN_NAMES = frozenset(
    """
    aaron abigail adam adrian agnes aisha alain alan albert alejandro alex alexander alexandra alice
    alicia alison amanda amelia amy ana andre andrea andreas andrew angela anita anja ann anna anne
    annette anthony antoine antonio ari arthur asha ashley astrid barbara beatriz ben benjamin
    bernard bernd bettina betty beth bianca birgit bob brandon brian bruno bryan camille carla
    carlos carmen carol caroline catarina catherine cecilia charles charlotte chloe chris christian
    christina christine christoph christopher claire clara claudia clement colin cynthia dan daniel
    daniela david deborah denise dennis diana diego diogo dmitri dominik donna dorothy duarte edward
    elena eleanor elisa elizabeth ella ellen emil emily emma eric erik esther eva evelyn fabian
    fatima felix fernanda fernando filipe florian francisco frank franziska frederic gabriel
    gabriela george gerard gerhard gina giulia gonzalo gregory greta guillaume gustavo hamid hannah
    hans harry heather heike heidi helen helena helga henry hugo ian ibrahim ines ingrid irene isaac
    isabel isabella isabelle ivan jacob jacqueline jakob james jamie jan jana jane janet jason
    javier jean jeff jennifer jeremy jessica jill joan joana joanna joao joaquim joe joerg johanna
    johannes john jonas jonathan jorge jose joseph josh joshua juan judith julia julian julie
    juliette jürgen justin karen karin karl kate katharina katherine kathleen katja kelly kenneth
    kevin khalid klaus kim kristin lars laura laurent lea lena leo leon leonie leonor liam liisa
    linda lisa lola louis louise luca lucas lucia lucy luis luisa lukas magdalena manuel manuela
    marc marcel marcia marco marcos margaret maria marie mariana marina mario marion marta martha
    martin martina mary mathieu matthew matthias maya megan melanie melissa michael michel michelle
    miguel mila mireille mohamed mohammed monica monika nadia nancy natalia natalie nathalie nathan
    nicholas nick nicola nicolas nicole nina noah noor nora nuno olga olivia oliver omar oscar pablo
    pamela patricia patrick paul paula paulo pedro peter petra philip philipp pierre priya rachel
    rafael rahul ralf ramon raquel raul rebecca renata ricardo richard rita robert roberto rodrigo
    roger ronald rosa rosemary rui ruth ryan sabine salma samantha samuel sandra sara sarah scott
    sebastian sergio sharon silke silvia simon simone sofia sonia sophia sophie stefan stefanie
    stephanie stephen steven stuart susan susana susanne sven sylvie tanja tania teresa theo theresa
    thiago thomas tilda tilde tim timo timothy tina tom tomas ulrich ulrike uwe ursula valentina
    valerie vanessa vera veronica victor victoria vincent virginia walter wanda wendy werner william
    wolfgang xavier yasmin yolanda yves yvonne zoe
    """.split()
)
