#!/usr/bin/env node
// Stands between cos and any agent that speaks the Agent Client Protocol, and writes every message of the agent to a file, a line
// each, as it came: `--agent "acp:node bench/capture/tap.mjs FILE -- AGENT …"`. Nothing is changed, nothing is left out.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [file, separator, command, ...words] = process.argv.slice(2);
if (file === undefined || separator !== "--" || command === undefined) {
  process.stderr.write("use: tap.mjs FILE -- AGENT …\n");
  process.exit(2);
}
const agent = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(agent.stdin);
agent.stdin.on("error", () => undefined);
agent.stdout.on("data", (chunk) => {
  // Written before it is passed on: what cos has seen is in the transcript.
  appendFileSync(file, chunk);
  process.stdout.write(chunk);
});
agent.once("error", (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(127);
});
agent.once("close", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => agent.kill(signal));
