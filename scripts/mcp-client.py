#!/usr/bin/env python3
"""Asks `pgdyno mcp` (its path is the argument) by the protocol's client library: tools, a run, its report.

The server that is measured is a temporary one, which the plan has the run create. Ends with 1 at the first difference.
"""

import asyncio
import glob
import json
import sys
import tempfile
from pathlib import Path

from mcp import Client, StdioServerParameters

BINS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))

PLAN = """\
name: Asked by a client
targets: {{ it: {{ local: {{ bin: {bin} }} }} }}
baseline: it
workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}
clients: 1
trial: {{ warm_up: 0s, measure: 1s }}
blocks: {{ at_least: 1, at_most: 1 }}
"""


async def ask(program: str, mode: str) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        Path(directory).chmod(0o755)
        Path(directory, "plan.yaml").write_text(PLAN.format(bin=BINS[-1]))
        Path(directory, "wrong.yaml").write_text("name: x\nclints: 3\n")
        server = StdioServerParameters(command=program, args=["mcp"], cwd=directory)
        async with Client(server, mode=mode) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"check", "explain", "run", "status", "issues"}, tools
            wrong = await client.call_tool("check", {"plan": "wrong.yaml"})
            assert wrong.is_error and "clints" in wrong.content[0].text, wrong
            explained = await client.call_tool("explain", {"plan": "plan.yaml"})
            assert explained.structured_content["output"]["duration_at_most_s"] > 0, explained
            started = await client.call_tool("run", {"plan": "plan.yaml"})
            assert not started.is_error, started
            for _ in range(600):
                status = (await client.call_tool("status", {})).structured_content
                if not status["started_here"]["in_progress"]:
                    break
                await asyncio.sleep(0.1)
            assert status["started_here"]["exit_status"] in (0, 4), status
            assert status["runs"][0]["state"] == "complete", status
            reports = (await client.list_resources()).resources
            assert len(reports) == 1, reports
            report = await client.read_resource(str(reports[0].uri))
            assert "Asked by a client" in report.contents[0].text, report
            issues = await client.call_tool("issues", {})
            assert not issues.is_error, issues
            print(json.dumps({"mode": mode, "revision": client.protocol_version, "tools": sorted(tools)}))


def main() -> None:
    if not BINS:
        sys.exit("error: no PostgreSQL below /usr/lib/postgresql")
    program = str(Path(sys.argv[1]).resolve())
    for mode in ("auto", "legacy"):
        asyncio.run(ask(program, mode))


main()
