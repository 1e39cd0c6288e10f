"""`thalamus facts`: what is true, what was true, and what was believed."""

from thalamus.commands.groups import Group

group = Group(
    "List facts (`list`, which may be left out), add or change one, or show how they changed.",
    {
        "list": "facts.listing:list_facts",
        "history": "facts.listing:history",
        "assert": "facts.adding:add",
        "add": "facts.adding:add",
        "end": "facts.changing:end",
        "retract": "facts.changing:retract",
        "correct": "facts.changing:correct",
        "predicate": "facts.names:predicate",
        "entities": "facts.names:entities",
        "merge": "facts.names:merge",
        "unmerge": "facts.names:unmerge",
        "timeline": "facts.timeline:timeline",
    },
)
