#!/usr/bin/env node
import { runQuickly, runTypeScript } from "./run.mjs";

/** These need no database and answer without loading the rest. */
const quick = { done: "src/done/cli.ts", "stop-hook": "src/done/hook.ts", "worklog-hook": "src/done/worklog-hook.ts" };
const program = quick[process.argv[2] ?? ""];

await (program === undefined ? runTypeScript("src/cli.ts") : runQuickly(program));
