#!/usr/bin/env node
import { runTypeScript } from "./run.mjs";

await runTypeScript("src/main.ts");
