import { tellFromWorkers, whoCalls } from "./agent/process/caller.ts";
import { leaveRefusedCall } from "./agent/process/refused-calls.ts";
import { ownUser } from "./agent/process/users.ts";
import { type Command, type CommandResult, type TypedWords, isReading, UsageError } from "./commands/command.ts";
import { execute, refusalOfOrigin } from "./commands/execute.ts";
import { commands } from "./commands/index.ts";
import { doctor, examineWithout } from "./commands/doctor.ts";
import { firstPage, helpAbout } from "./commands/terminal-help.ts";
import { findCommand, parseGiven } from "./commands/parse.ts";
import { meantBy } from "./commands/similar.ts";
import { groupHelp, groupOf, helpOf, usageLine } from "./commands/usage.ts";
import { allowsUnknownCallers, type Config, readConfig } from "./config.ts";
import { ownVersion } from "./installed.ts";
import type { CallerOrigin } from "./core/callers.ts";
import { errorWords } from "./core/errors.ts";
import { longestLockMs } from "./core/outages/lock-holder.ts";
import { count } from "./core/text.ts";
import { shellWord } from "./core/text/shell-word.ts";
import { lockHolderWords } from "./core/cards/outage-words.ts";
import { terminalLines } from "./core/cards/terminal.ts";
import { isAway } from "./db/connection/failures.ts";
import { lockHoldersAt } from "./db/lock-holders.ts";
import { servingProcesses } from "./db/serving.ts";
import type { Deps } from "./deps.ts";
import { keepEnvironment } from "./environment.ts";
import { openLog } from "./log.ts";
import { openSpace } from "./space.ts";
import { watch } from "./watch/watch.ts";
import { openWorld } from "./world.ts";
import { examineChat, examineQueue } from "./examine.ts";
import { complain, endWithReader, print, whileAtWork } from "./printing.ts";

/** The terminal's entry: `cos <command>`. Exit code 0 done, 1 refused or failed, 2 usage. */

async function main(typed: readonly string[]): Promise<number> {
  const isJson = typed.includes("--json");
  // `--json` before the command means the same as after it.
  const from = typed.findIndex((word) => word !== "--json");
  const words = from === -1 ? [] : typed.slice(from);
  if (words.length === 0 || words.find((word) => word !== "--json") === "--help" || words[0] === "-h")
    return printHelp(firstPage(commands), isJson);
  if (words.includes("--version") && words.every((word) => word === "--version" || word === "--json"))
    return printVersion(isJson);
  const asked = words.filter((word) => word !== "--json");
  const help = asked[0] === "help" && !asked.some((word) => word.startsWith("-")) ? asked.slice(1) : null;
  const about = help === null ? null : helpAbout(commands, help);
  if (about !== null) return printHelp(about, isJson);
  const isWatch = words[0] === "watch";
  if (isWatch && words.includes("--help")) return printHelp(helpAbout(commands, ["watch"]) ?? [], isJson);
  const found = findCommand(commands, words);
  if (found === null && !isWatch) {
    const group = groupOf(commands, words);
    if (group.length > 0 && words.includes("--help")) return printHelp(groupHelp(group), isJson);
    if (group.length > 0) return halfNamed(words, group, isJson);
    // A word with a digit is an id or a number, not part of a command's name.
    const unknown = `unknown command: ${words
      .slice(0, 2)
      .filter((word, index) => index === 0 || !/^--|\d/.test(word))
      .join(" ")}`;
    if (isJson) printRefusal(unknown, "cos --help");
    // For example "goal diff": its second word alone is a command.
    const alone = groupOf(commands, words.slice(0, 1)).length > 0 ? findCommand(commands, words.slice(1)) : null;
    const rest = alone === null ? [] : [`did you mean: cos ${words.slice(1).map(shellWord).join(" ")}`];
    complain([unknown, ...(alone === null ? similar(words) : rest)]);
    return 2;
  }
  if (found !== null && words.includes("--help")) return printHelp(helpOf(found.command), isJson);

  try {
    if (isWatch) mustBeNothingElse(words.slice(1));
    const given = found === null ? null : parseGiven(found.command, [...typed.slice(0, from), ...found.rest]);
    const origin = whoCalls();
    // Refuse before anything is read or opened: a goal's process may have another configuration than the bot.
    const refusal = found === null || origin.type === "untold" ? null : refusalOfOrigin(origin, found.command);
    if (refusal !== null) {
      await leaveRefusedCall(`cos ${found?.command.name ?? ""}`);
      return report(refusal, given?.switches.has("json") === true, "");
    }
    return await callWith({ found: found?.command ?? null, given, origin, isJson });
  } catch (error) {
    if (error instanceof UsageError) {
      if (isJson) printRefusal(error.message, `cos ${found?.command.name ?? "watch"} --help`);
      complain([error.message, found === null ? "usage: cos watch [--json]" : usageLine(found.command)]);
      return 2;
    }
    const reason = errorWords(error);
    if (isJson) printRefusal(reason, "cos doctor");
    complain([reason, ...(isAway(error) ? ["next: cos doctor"] : [])]);
    return 1;
  }
}

/** Checks the words after `watch`. Throws UsageError for anything but `--json`. */
function mustBeNothingElse(words: readonly string[]): void {
  const odd = words.find((word) => word !== "--json");
  if (odd === undefined) return;
  throw new UsageError(odd.startsWith("-") ? `unknown option ${odd}` : `unexpected ${JSON.stringify(odd)}`);
}

/** Opens the database and calls the command, or watches when `found` is null. Returns the exit code. */
async function callWith(call: {
  readonly found: Command | null;
  readonly given: TypedWords | null;
  readonly origin: ReturnType<typeof whoCalls>;
  readonly isJson: boolean;
}): Promise<number> {
  const { found, given, origin } = call;
  const read = readConfig();
  if (read.type === "invalid") {
    if (call.isJson) printRefusal(read.problems.join("; "), "correct the configuration (environment or .env)");
    complain([
      "The configuration has problems (environment or .env):",
      ...read.problems.map((problem) => `  ${problem}`),
    ]);
    return 1;
  }
  const isPerson = origin.type === "person" || origin.type === "untold";
  const opening = {
    listens: found === null,
    serves: false,
    mayStart: isPerson,
    onProgress: (text: string) => complain([text]),
  };
  const world = await openWorld(read.config, openLog("silent"), opening).catch((error: unknown) => ({ away: error }));
  if ("away" in world) {
    if (found !== doctor || given === null) throw world.away;
    return await reportWithout(read.config, world.away, given.switches.has("json"));
  }
  try {
    if (found === null || given === null) return await watch(world.deps, call.isJson);
    const told = await tell(world.deps, found, origin);
    let at = "";
    const isAt = (what: string): void => {
      at = what;
    };
    const caller = { actor: ownUser(), via: "terminal", member: null, origin: told, isAt } as const;
    const { timezone } = read.config;
    const work = execute(world.deps, caller, found.asked(given));
    const waitsFor = (): Promise<string[]> => lockWordsAt(world.databaseUrl);
    const result = await whileAtWork(`cos ${found.name}`, work, waitsFor, () => at);
    return report(result, given.switches.has("json"), timezone);
  } finally {
    await world.close();
  }
}

/** The holders of the locks for which statements here wait. */
async function lockWordsAt(databaseUrl: string): Promise<string[]> {
  return (await lockHoldersAt(databaseUrl, longestLockMs)).map(lockHolderWords);
}

/** The report of doctor when the database cannot be opened. */
async function reportWithout(config: Config, why: unknown, json: boolean): Promise<number> {
  const space = openSpace({ config, policy: config.policy });
  const examining = { config, space, examineChat: () => examineChat(config), examineQueue: () => examineQueue(config) };
  return report(await examineWithout(examining, errorWords(why)), json, config.timezone);
}

/** Identifies the caller, compared with the processes that work goals here, if the command needs it. */
async function tell(deps: Deps, command: Command, origin: ReturnType<typeof whoCalls>): Promise<CallerOrigin> {
  if (origin.type === "agent") return origin;
  if (isReading(command)) return { type: "unknown", why: "no-terminal" };
  return tellFromWorkers(origin, await servingProcesses(deps.database.db, deps.config.machine), allowsUnknownCallers());
}

function report(result: CommandResult, json: boolean, timezone: string): number {
  switch (result.type) {
    case "done":
      print(json ? [JSON.stringify(result.value, null, 2)] : terminalLines(result.card, timezone));
      return result.isNegative === true ? 1 : 0;
    case "refused":
      if (json) printRefusal(result.reason, result.next);
      complain([result.reason, ...(result.next === null ? [] : [`next: ${result.next}`])]);
      return result.isMisuse === true ? 2 : 1;
  }
}

/** Suggestions for an unknown command, as lines. */
function similar(words: readonly string[]): string[] {
  const meant = meantBy(commands, words);
  switch (meant.type) {
    case "line":
      return [`did you mean: ${meant.line}`];
    case "group":
      return groupHelp(meant.group);
    case "names":
      return meant.names.length === 0
        ? ["next: cos --help"]
        : [`did you mean: ${meant.names.map((name) => `cos ${name}`).join(", ")}`];
  }
}

/** Lists the commands that begin with the given words. Returns the exit code. */
function halfNamed(words: readonly string[], group: readonly Command[], isJson: boolean): number {
  const named = words
    .filter((word) => !word.startsWith("-"))
    .join(" ")
    .toLowerCase();
  const reason = `${named} is the beginning of ${count(group.length, "command")}`;
  if (isJson) printRefusal(reason, `cos ${named} --help`);
  complain([`${reason}:`, ...groupHelp(group)]);
  return 2;
}

/** Prints the version. Returns the exit code, 0. */
function printVersion(isJson: boolean): number {
  const version = ownVersion();
  print([isJson ? JSON.stringify({ version }, null, 2) : version]);
  return 0;
}

/** Prints a refusal as one JSON document on stdout, which scripts read; people read stderr. */
function printRefusal(reason: string, next: string | null): void {
  print([JSON.stringify({ refused: { reason, next } }, null, 2)]);
}

/** Prints help as lines, or as one JSON document. Returns the exit code, 0. */
function printHelp(lines: readonly string[], isJson: boolean): number {
  print(isJson ? [JSON.stringify({ help: lines }, null, 2)] : lines);
  return 0;
}

/** Starts the command. `taken` are the variables with which this process was started. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  endWithReader();
  keepEnvironment(taken);
  process.exitCode = await main(process.argv.slice(2));
}
