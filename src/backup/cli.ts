import { parseArgs } from "node:util";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tellFromWorkers, whoCalls } from "../agent/process/caller.ts";
import { refusalOfOrigin } from "../commands/execute.ts";
import { allowsUnknownCallers, type Config, parseConfig, readConfig, readEnvironment } from "../config.ts";
import { ownVersion, settingsFile } from "../installed.ts";
import { parseSettings } from "../settings/file-text.ts";
import { removeUnfinished } from "./unfinished.ts";
import { backedUpLines, restoredLines } from "../core/cards/backup-words.ts";
import { errorWords } from "../core/errors.ts";
import { servingProcesses } from "../db/serving.ts";
import { ownEnvironment } from "../environment.ts";
import { openLog } from "../log.ts";
import { complain, print, whileAtWork } from "../printing.ts";
import { sayMisconfigured, sayRefused, sayWrongUsage } from "../refusing.ts";
import { openWorld } from "../world.ts";
import { openSource } from "../configured-database.ts";
import { makeBackup } from "./backup.ts";
import { openBackup, restoreBackup } from "./restore.ts";

/** The entry of `cos backup` and `cos restore`. */

const help = {
  backup: [
    "cos backup FILE [--json]",
    "  Write everything that the bot knows into one file, while it runs: the database, kept output, settings, deploy keys, and the",
    "  commits of goals. FILE is a gzipped tar with sums (.tar.gz); it holds secrets, and only you may read it.",
    "",
    "  Exit 0: written. 1: refused or failed, FILE is not there. 2: wrong usage.",
  ],
  restore: [
    "cos restore FILE [--json]",
    "  Bring back what cos backup wrote, on a machine without goals: all of it, or nothing. Without a settings file (.env) here,",
    "  that of the backup says where to; DATABASE_URL and COS_DATA_DIR in the environment go first.",
    "",
    "  Exit 0: restored. 1: refused or failed, nothing was restored. 2: wrong usage.",
  ],
};

type Word = keyof typeof help;

/** Runs `cos backup` or `cos restore`. */
export async function start(): Promise<void> {
  const word: Word = process.argv[2] === "restore" ? "restore" : "backup";
  const isJson = process.argv.includes("--json");
  process.exitCode = await run(word, process.argv.slice(3)).catch((error: unknown) =>
    sayRefused({ reason: errorWords(error), next: "cos doctor" }, isJson),
  );
}

async function run(word: Word, words: readonly string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) return print(help[word]);
  const given = readWords(words);
  if (typeof given === "string") return sayWrongUsage(given, help[word][0] ?? "", words.includes("--json"));
  const origin = whoCalls();
  // Before anything is opened: otherwise an agent could get every secret.
  const refusal = origin.type === "untold" ? null : refusalOfOrigin(origin, { name: word, access: "change" });
  if (refusal !== null) return sayRefused(refusal, given.json);
  return word === "backup" ? await backup(given, origin) : await restore(given);
}

async function backup({ file, json }: Given, origin: ReturnType<typeof whoCalls>): Promise<number> {
  const read = readConfig();
  if (read.type === "invalid") return sayMisconfigured(read.problems, json);
  const { config } = read;
  const onProgress = (text: string) => complain([text]);
  const opening = { listens: false, serves: false, mayStart: true, onlyReads: true, onProgress };
  const world = await openWorld(config, openLog("silent"), opening);
  try {
    const { database, now } = world.deps;
    const workers = await servingProcesses(database.db, config.machine);
    const refusal = refusalOfOrigin(tellFromWorkers(origin, workers, allowsUnknownCallers()), {
      name: "backup",
      access: "change",
    });
    if (refusal !== null) return sayRefused(refusal, json);
    const version = ownVersion();
    leavesNothing(file);
    const work = makeBackup({ database, config, now, databaseUrl: world.databaseUrl, settingsFile, version }, file);
    const outcome = await whileAtWork("cos backup", work, nothingElse);
    if (outcome.type === "refused") return sayRefused(outcome, json);
    return print(json ? [JSON.stringify(outcome.backedUp, null, 2)] : backedUpLines(outcome.backedUp));
  } finally {
    await world.close();
  }
}

/** It waits for nothing that could be named. */
async function nothingElse(): Promise<readonly string[]> {
  return [];
}

/** On a signal to end, removes what was written: rows and commits that nobody would look for there. */
function leavesNothing(file: string): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => {
      removeUnfinished();
      complain([`Cut short: ${file} was not written.`]);
      process.exit(code);
    });
}

async function restore({ file, json }: Given): Promise<number> {
  const opened = await whileAtWork("cos restore", openBackup(file), nothingElse);
  if (opened.type === "refused") return sayRefused(opened, json);
  const read = parseConfig(settingsFor(opened.settings));
  if (read.type === "invalid") return sayMisconfigured(read.problems, json);
  const { config } = read;
  const source = await sourceOf(config);
  try {
    const { url: databaseUrl, description } = source;
    const work = restoreBackup(opened, { config, databaseUrl, description, settingsFile });
    const outcome = await whileAtWork("cos restore", work, nothingElse);
    if (outcome.type === "refused") return sayRefused(outcome, json);
    return print(json ? [JSON.stringify(outcome.restored, null, 2)] : restoredLines(outcome.restored));
  } finally {
    await source.release();
  }
}

async function sourceOf(config: Config): ReturnType<typeof openSource> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  return await openSource(config, { mayStart: true, onProgress: (text) => complain([text]) });
}

/** The settings of this machine if it has any, otherwise those of the backup, which say where everything was. */
function settingsFor(ofBackup: string): Record<string, string | undefined> {
  return existsSync(settingsFile) ? readEnvironment() : { ...parseSettings(ofBackup), ...ownEnvironment() };
}

interface Given {
  readonly file: string;
  readonly json: boolean;
}

/** Returns a string that says what is wrong when the words cannot be parsed. */
function readWords(words: readonly string[]): Given | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { json: { type: "boolean", default: false } },
    });
    const [file] = positionals;
    if (file === undefined || file === "") return "FILE is missing";
    return positionals.length > 1 ? `one FILE is expected, found ${positionals.length}` : { file, json: values.json };
  } catch (error) {
    return errorWords(error);
  }
}
