"""`thalamus memory`: the commands about memories."""

from thalamus.commands.groups import Group

group = Group(
    "List, show, search and change memories. Without a command: `list`.",
    {
        "list": "memory.list:list_memories",
        "show": "memory.list:show",
        "search": "memory.list:search",
        "edit": "memory.edit:edit",
        "confirm": "operation:memory confirm",
        "pin": "operation:memory pin",
        "unpin": "operation:memory unpin",
        "promote": "operation:memory promote",
        "demote": "operation:memory demote",
        "release": "operation:memory release",
        "reject": "operation:memory reject",
        "generalize": "operation:memory generalize",
        "proposals": "operation:memory proposals",
    },
    words="search",
)
