#!/usr/bin/env node
// package.json starts this as "exec node ... || node ...": npm passes SIGTERM to the shell it starts, and a shell that has not
// become node dies alone. The second half is for Windows, which has no exec.
import { runTypeScript } from "./run.mjs";

await runTypeScript("src/main.ts");
