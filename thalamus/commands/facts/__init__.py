"""`thalamus facts`: facts over time, and what the store believed at any time."""

from thalamus.commands.groups import Group

group = Group(
    "List, add and change facts, and show their history. Without a command: `list`.",
    {
        "list": "facts.list:list_facts",
        "history": "facts.list:history",
        "add": "facts.assert_:add",
        "conflicts": "operation:facts conflicts",
        "end": "operation:facts end",
        "retract": "operation:facts retract",
        "correct": "facts.edit:correct",
        "predicate": "facts.entities:predicate",
        "entities": "facts.entities:entities",
        "merge": "facts.entities:merge",
        "unmerge": "facts.entities:unmerge",
    },
    words="list --subject",
)
