#!/usr/bin/env node
import { runTypeScript } from "./run.mjs";

// These two need no database and answer without loading the rest.
const isAlone = ["done", "stop-hook"].includes(process.argv[2] ?? "");

await runTypeScript(isAlone ? "src/done/cli.ts" : "src/cli.ts");
