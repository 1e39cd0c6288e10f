"""`thalamus concepts`: the things that memories, facts and documents are about."""

from thalamus.commands.groups import Group

group = Group(
    "List, show, connect, merge and split what memories are about. Without a command: `list`.",
    {
        "list": "concepts.list:list_concepts",
        "show": "concepts.list:show",
        "graph": "concepts.graph:graph",
        "merge": "operation:concepts merge",
        "split": "operation:concepts split",
    },
    words="show",
)
