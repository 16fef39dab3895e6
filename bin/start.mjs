#!/usr/bin/env node
// package.json starts this as "exec node ... || node ...". npm sends SIGTERM to the shell that it starts, and without exec the shell
// would end alone. The second half is for Windows, which has no exec.
import { runTypeScript } from "./run.mjs";

await runTypeScript("src/main.ts");
