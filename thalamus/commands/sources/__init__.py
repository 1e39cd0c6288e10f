"""`thalamus sources`: the commands about sources on the network."""

from thalamus.commands.groups import Group

group = Group(
    "List, add, approve and read sources on the network. Without a command: `list`.",
    {
        "list": "sources.list:list_sources",
        "show": "sources.list:show",
        "add": "operation:sources add",
        "approve": "operation:sources approve",
        "disable": "operation:sources disable",
        "crawl": "sources.crawl:crawl",
        "remove": "sources.remove:remove",
    },
    words="show",
)
