import { userInfo } from "node:os";
import { runOfCaller } from "./agent/caller.ts";
import { type CommandResult, UsageError } from "./commands/command.ts";
import { execute } from "./commands/execute.ts";
import { commands } from "./commands/index.ts";
import { doctor, examineWithout } from "./commands/doctor.ts";
import { findCommand, groupHelp, groupOf, helpOf, parseGiven, usageOf } from "./commands/parse.ts";
import { type Config, parseConfig, readEnvironment } from "./config.ts";
import { errorWords } from "./core/errors.ts";
import { terminalLines } from "./core/cards/terminal.ts";
import { isAway } from "./db/failures.ts";
import type { Deps } from "./deps.ts";
import { openLog } from "./log.ts";
import { openSpace } from "./space.ts";
import { watch } from "./watch.ts";
import { examineChat, openWorld } from "./world.ts";

/** The terminal's door: `cos <command>`. Exit 0 done, 1 refused or failed, 2 usage. */

async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || words[0] === "--help" || words[0] === "-h") {
    print(overview());
    return 0;
  }
  const isWatch = words[0] === "watch" && !words.includes("--help");
  const isJson = words.includes("--json");
  const found = findCommand(commands, words);
  if (found === null && !isWatch) {
    const group = groupOf(commands, words);
    if (group.length > 0 && words.includes("--help")) {
      print(groupHelp(group));
      return 0;
    }
    const unknown = `unknown command: ${words
      .slice(0, 2)
      .filter((word) => !word.startsWith("--"))
      .join(" ")}`;
    if (isJson) printRefusal(unknown, "cos --help");
    complain([unknown, ...(group.length > 0 ? groupHelp(group) : similar(words[0] ?? ""))]);
    return 2;
  }
  if (found !== null && words.includes("--help")) {
    print(helpOf(found.command));
    return 0;
  }

  const read = parseConfig(readEnvironment());
  if (read.type === "invalid") {
    if (isJson) printRefusal(read.problems.join("; "), "correct the configuration (environment or .env)");
    complain([
      "The configuration has problems (environment or .env):",
      ...read.problems.map((problem) => `  ${problem}`),
    ]);
    return 1;
  }
  try {
    const given = found === null ? null : parseGiven(found.command, found.rest);
    const log = openLog("silent");
    const onProgress = (text: string) => complain([text]);
    const opened = await openWorld(read.config, log, { listens: isWatch, onProgress }).catch((error: unknown) => ({
      away: error,
    }));
    if ("away" in opened) {
      if (found?.command !== doctor || given === null) throw opened.away;
      return await reportWithout(read.config, opened.away, given.switches.has("json"));
    }
    const world = opened;
    try {
      if (found === null || given === null) return await watch(world.deps, words.includes("--json"));
      const caller = { actor: userName(), via: "terminal", member: null, runId: runOfCaller() } as const;
      return report(world.deps, await execute(world.deps, caller, found.command, given), given.switches.has("json"));
    } finally {
      await world.close();
    }
  } catch (error) {
    if (error instanceof UsageError) {
      if (isJson) printRefusal(error.message, found === null ? null : `cos ${found.command.name} --help`);
      complain([error.message, ...(found === null ? [] : [`usage: ${usageOf(found.command)}`])]);
      return 2;
    }
    const reason = errorWords(error);
    if (isJson) printRefusal(reason, "cos doctor");
    complain([reason, ...(isAway(error) ? ["next: cos doctor"] : [])]);
    return 1;
  }
}

/** What doctor says where the database cannot be opened. */
async function reportWithout(config: Config, why: unknown, json: boolean): Promise<number> {
  const space = openSpace({ config, policy: config.policy });
  const examining = { config, space, examineChat: () => examineChat(config) };
  return report(examining, await examineWithout(examining, errorWords(why)), json);
}

function report(deps: Pick<Deps, "config">, result: CommandResult, json: boolean): number {
  switch (result.type) {
    case "done":
      print(json ? [JSON.stringify(result.value, null, 2)] : terminalLines(result.card, deps.config.timezone));
      return 0;
    case "refused":
      if (json) printRefusal(result.reason, result.next);
      complain([result.reason, ...(result.next === null ? [] : [`next: ${result.next}`])]);
      return 1;
  }
}

function overview(): string[] {
  const rows: [string, string][] = [
    ...commands.map((command): [string, string] => [command.name, command.summary]),
    ["watch", "Follow what happens, line by line, until Ctrl-C."],
    ["done", "Verify this directory against a criteria file; exit 0 when every automated criterion passes."],
    ["stop-hook", "For an agent's stop hook: whether it may stop."],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "Usage: cos <command> [--json] [--help]",
    "",
    ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
  ];
}

function similar(word: string): string[] {
  const near = commands
    .filter((command) => command.name.startsWith(word) || command.name.endsWith(word))
    .map((command) => `cos ${command.name}`);
  return near.length === 0 ? ["next: cos --help"] : [`did you mean: ${near.join(", ")}`];
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "?"}`;
  }
}

/** One JSON document also when nothing was done: scripts read stdout, people stderr. */
function printRefusal(reason: string, next: string | null): void {
  print([JSON.stringify({ refused: { reason, next } }, null, 2)]);
}

/** The command's output; messages go to stderr. */
function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

function complain(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}

process.exitCode = await main(process.argv.slice(2));
