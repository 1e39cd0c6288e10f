"""The commands by section, with their summaries."""

from thalamus.features import features

# section -> name -> summary; the module of that name is imported when the command is used
GROUPS: dict[str, dict[str, str]] = {
    "Converse": {
        "init": "Set up: choose a model, say who you are, and begin to chat.",
        "turn": "Run one turn: recall, answer, reflect, store and plan.",
        "chat": "Chat with a model that remembers.",
        "ui": "Open the full screen: chat, debug console, memory browser.",
        "session": "List, search, show, resume, rename and export conversations.",
        "demo": "Play two short sessions, the second remembering the first.",
    },
    "Pipeline (filters over JSON lines)": {
        "retrieve": "Add evidence to turns, or query the memory directly.",
        "answer": "Answer turns with the chat model.",
        "reflect": "Extract memories and facts from turns.",
        "store": "Write records to the store; back up, restore and reindex it.",
        "plan": "Plan what the next turn should recall.",
        "stage": "Run one stage of another flow: route, gather, act …",
    },
    "Memory": {
        "facts": "List, add and change facts, and show their history.",
        "memory": "List, show, search and change memories.",
        "why": "Show where a memory, a fact or an answer came from.",
        "timeline": "Show what happened, and the intervals of facts, over time.",
        "trace": "Show what each stage of a turn did, or follow a running chat.",
        "consolidate": "Extract from imports, conclude insights, summarize sessions.",
        "prune": "Summarize and retire expired memories.",
        "undo": "Undo the last prune, edit, merge or other change, or a turn.",
        "forget": "Delete something with everything derived from it, and prove it.",
    },
    "Documents and exchange": {
        "ingest": "Read documents and web pages into memory.",
        "sources": "List, add, approve and read feeds, sites and repositories.",
        "export": "Export the store as JSON lines or Markdown.",
        "import": "Import an export of Thalamus, ChatGPT, a coding agent, mem0 …",
        "report": "Write what is remembered as a page for a browser.",
        "mcp": "Give other agents this memory, over MCP.",
        "token": "Create, list and revoke tokens for other agents.",
    },
}
# sections that the first screen only names; `thalamus help SECTION` lists them
MORE: dict[str, dict[str, str]] = {
    "Knowledge": {
        "profile": "Show, set and edit who the user is.",
        "project": "List, add, close and link projects, and show their state.",
        "world": "Show and change the present activities of the user.",
        "concepts": "List, show, connect, merge and split what memories are about.",
        "insights": "List, show, search and reject insights, and undo their merging.",
    },
    "Maintenance": {
        "doctor": "Check the installation, the store, the models and the signatures.",
        "config": "Show, check and change the configuration.",
        "models": "List, pull and check models.",
        "tools": "List and show tools, and call one by hand.",
        "key": "Show, rotate or replace the keys of the store.",
        "eval": "Measure retrieval and memory on labelled data.",
        "metrics": "Show figures of how well the memory serves, with targets.",
        "schema": "Print the JSON Schema of the records.",
        "help": "Show the help of a command, a section, or a page of the manual.",
    },
}
MODULES = {"import": "thalamus.commands.import_"}  # where the name is not that of the module
for _feature in features():
    for _section, _commands in _feature.commands.items():
        for _name, (_summary, _module) in _commands.items():
            (GROUPS if _section in GROUPS else MORE)[_section][_name] = _summary
            MODULES[_name] = _module
COMMANDS: dict[str, str] = {
    name: summary for group in (*GROUPS.values(), *MORE.values()) for name, summary in group.items()
}
