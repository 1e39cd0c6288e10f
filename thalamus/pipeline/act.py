"""act: carries out what a message asks for, with the tools that the stage may use.

Nothing is changed here. What the model wants to change in the world state or to remember is
recorded on the turn, and decided and done when the turn is stored.
"""

from __future__ import annotations

from msgspec import UNSET, structs

from thalamus.policy.prompts import fence
from thalamus.records import Turn, TurnContext
from thalamus.tools.builtin.world import world_lines
from thalamus.tools.call import Caller, call_entry
from thalamus.tools.choice import offer
from thalamus.tools.loop import run_tools
from thalamus.tools.sources import source_of
from thalamus.tools.toolbox import toolbox
from thalamus.turn_run import TurnRun, skip, step


def act(turn: Turn, run: TurnRun) -> Turn:
    """Adds the model's tool calls and the changes they propose to the turn. Does nothing on another
    route. Raises the model's errors."""
    if turn.route is not UNSET and turn.route != "world":
        return skip(turn, run.engine, "act", f"the route is {turn.route}")
    offered = offer(toolbox(run.engine).of_stage("act"), turn.message, run.engine)
    tools = offered.tools
    caller = Caller(toolbox(run.engine), turn, run, "act", offered)
    if not tools:
        return skip(caller.finish(turn), run.engine, "act", "no tool is available to this stage")
    tick = run.engine.clock.tick()
    world = "\n".join(world_lines(turn.world)) if turn.world is not UNSET else ""
    messages = run.engine.dialogue(
        "act",
        TODAY=f"{caller.workspace.today:%A, %Y-%m-%d}",
        TOOLS="\n".join(f"{tool.name}: {tool.description}" for tool in tools),
        WORLD=world or "Nothing is known of what the user is busy with.",
        USER_MESSAGE=fence(turn.message),
    )
    outcome = run_tools(run, "act", messages, tools, caller)
    known = turn.context if turn.context is not UNSET else TurnContext()
    sources = [source_of(call, caller, turn) for call in caller.calls]
    built = structs.replace(known, sources=[*known.sources, *(s for s in sources if s is not None)])
    entry = step(
        run.engine,
        "act",
        tick,
        replies=outcome.replies,
        detail={"calls": [call_entry(call) for call in caller.calls], **offered.detail()},
    )
    turn = caller.finish(turn)
    return structs.replace(
        turn, context=built, issues=[*turn.issues, *outcome.issues], trace=[*turn.trace, entry]
    )
