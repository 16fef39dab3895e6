#!/usr/bin/env node
import { runQuickly, runTypeScript } from "./run.mjs";

/** Programs that need no database and start without loading the rest. */
const quick = { done: "src/done/cli.ts", "stop-hook": "src/done/hook.ts", "worklog-hook": "src/done/worklog-hook.ts" };
/** Programs that are not commands of the bot. */
const others = {
  verify: "src/cheats/cli.ts",
  init: "src/init/cli.ts",
  backup: "src/backup/cli.ts",
  restore: "src/backup/cli.ts",
  start: "src/main.ts",
};
const word = process.argv[2] ?? "";

await (Object.hasOwn(others, word)
  ? runTypeScript(others[word])
  : runQuickly(Object.hasOwn(quick, word) ? quick[word] : "src/cli.ts"));
