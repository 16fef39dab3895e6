#!/usr/bin/env node
import { runQuickly, runTypeScript } from "./run.mjs";

/** These need no database and answer without loading the rest. */
const quick = { done: "src/done/cli.ts", "stop-hook": "src/done/hook.ts", "worklog-hook": "src/done/worklog-hook.ts" };
/** What is no command of the bot's. */
const others = { verify: "src/cheats/cli.ts", init: "src/init/cli.ts" };
const word = process.argv[2] ?? "";

await (quick[word] === undefined ? runTypeScript(others[word] ?? "src/cli.ts") : runQuickly(quick[word]));
