import { formatBytes } from "../space/free.ts";
import { count } from "../text.ts";
import { changedGoalsLines } from "./changed-output.ts";

/** The output of `cos backup` and `cos restore`. */

export interface BackedUp {
  readonly file: string;
  readonly bytes: number;
  readonly madeAt: string;
  readonly tables: number;
  /** Git bundles of our own repositories. */
  readonly bundles: number;
  /** Number of files of kept output and of keys. */
  readonly files: number;
  readonly hasSettings: boolean;
  /** Goals whose kept output was changed by somebody. The backup contains the changed version. */
  readonly changedOutput: readonly string[];
}

/** The output of `cos backup` after it has written a file. */
export function backedUpLines(backedUp: BackedUp): string[] {
  const { file, bytes, madeAt, tables, bundles, files, hasSettings, changedOutput } = backedUp;
  return [
    `Written to ${file}: ${sizeWords(bytes)}, as everything was at ${madeAt}.`,
    `  ${count(tables, "table")}, ${count(bundles, "git bundle")}, ${count(files, "file")} of kept output and keys`,
    hasSettings
      ? "  Settings (.env) are in it, with their tokens: keep it where only you can read it."
      : "  There is no settings file (.env): what the environment sets is not in it.",
    ...changedGoalsLines(changedOutput).map((line) => `  ${line}`),
  ];
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : formatBytes(bytes);
}

export interface Restored {
  readonly file: string;
  readonly madeAt: string;
  readonly database: string;
  readonly dataDir: string;
  /** written: there was no settings file; kept: the existing one stays; none: the backup contains none. */
  readonly settings: "written" | "kept" | "none";
  readonly settingsFile: string;
  /** Files of the data directory that existed here with other content, and were replaced by those of the backup. */
  readonly replaced: readonly string[];
  /** Repositories that were folders on the old machine and do not exist here. */
  readonly missing: readonly { readonly name: string; readonly location: string }[];
  /** Names of repositories whose history git could not read. */
  readonly unread: readonly string[];
}

/** The output of `cos restore`: what was restored, and what is missing. */
export function restoredLines(restored: Restored): string[] {
  const { file, madeAt, database, dataDir, replaced, missing, unread } = restored;
  return [
    `Restored ${file}, as everything was at ${madeAt}.`,
    `  database: ${database}`,
    `  data directory: ${dataDir}`,
    `  settings: ${settingsWords(restored)}`,
    ...replaced.map((name) => `  replaced: ${name} is that of the backup; the one that was here is not valid any more`),
    ...missing.map(({ name, location }) => `  missing: the repository ${name} was at ${location}; clone it to there`),
    ...unread.map(
      (name) =>
        `  not readable: the commits of ${name}; they are fetched again, and goals whose work is not there begin again`,
    ),
    "The bot that this was made of must not run any more: both would answer and work.",
    "next: cos doctor, then start the bot",
  ];
}

function settingsWords({ settings, settingsFile }: Restored): string {
  switch (settings) {
    case "written":
      return `written to ${settingsFile}`;
    case "kept":
      return `${settingsFile} was there and stays as it is; those of the backup: tar -xOzf FILE settings.env`;
    case "none":
      return "the backup has none";
  }
}
