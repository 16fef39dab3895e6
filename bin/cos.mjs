#!/usr/bin/env node
import { runTypeScript } from "./run.mjs";

await runTypeScript("src/cli.ts");
