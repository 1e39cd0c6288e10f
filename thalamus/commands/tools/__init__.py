"""`thalamus tools`: the tools that stages and their models may use."""

from thalamus.commands.groups import Group

group = Group(
    "List and show tools, and call one by hand. Without a command: `list`.",
    {
        "list": "tools.list:list_tools",
        "show": "tools.list:show",
        "call": "tools.call:call",
    },
    words="show",
)
