"""calculate: arithmetic, which language models get wrong."""

from __future__ import annotations

from typing import Any

from thalamus.policy.arithmetic import calculate as value_of
from thalamus.policy.arithmetic import in_words
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters


def calculate(args: dict[str, Any], _: Workspace) -> ToolOutput:
    try:
        value = value_of(args["expression"])
    except ValueError as error:
        raise ToolError(f"cannot calculate {args['expression']!r}: {error}") from None
    result = {"expression": args["expression"], "value": in_words(value)}
    return ToolOutput(result, text=f"{args['expression'].strip()} = {result['value']}")


TOOLS = (
    Tool(
        name="calculate",
        description="Work out an arithmetic expression such as (45 + 55) * 12 or 15% of 240.",
        parameters=parameters(
            ("expression",), expression={"type": "string", "minLength": 1, "maxLength": 300}
        ),
        result=parameters(
            ("expression", "value"), expression={"type": "string"}, value={"type": "string"}
        ),
        function=calculate,
    ),
)
