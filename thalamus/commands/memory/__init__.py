"""`thalamus memory`: what is remembered."""

from thalamus.commands.groups import Group

group = Group(
    "List memories (`list`, which may be left out), show, search, change or reject them.",
    {
        "list": "memory.listing:list_memories",
        "show": "memory.listing:show",
        "search": "memory.listing:search",
        "edit": "memory.changing:edit",
        "pin": "memory.changing:pin",
        "unpin": "memory.changing:unpin",
        "promote": "memory.changing:promote",
        "demote": "memory.changing:demote",
        "release": "memory.aside:release",
        "reject": "memory.aside:reject",
    },
)
