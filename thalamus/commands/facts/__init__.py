"""`thalamus facts`: what is true, what was true, and what was believed."""

from thalamus.commands.groups import Group

group = Group(
    "List facts (`list`, which may be left out), add or change one, or show how they changed.",
    {
        "list": "facts.list:list_facts",
        "history": "facts.list:history",
        "add": "facts.assert_:add",
        "end": "facts.edit:end",
        "retract": "facts.edit:retract",
        "correct": "facts.edit:correct",
        "predicate": "facts.entities:predicate",
        "entities": "facts.entities:entities",
        "merge": "facts.entities:merge",
        "unmerge": "facts.entities:unmerge",
        "timeline": "facts.timeline:timeline",
    },
)
