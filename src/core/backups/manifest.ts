import { z } from "zod";

/**
 * What a backup says of itself. The file is a gzipped tar that any tar reads: `manifest.json` and `settings.env` first, then
 * `database/TABLE.copy` (PostgreSQL's COPY, text), `git/mirrors|remotes/REPOSITORY.bundle` (and `….bundle.shallow`, where its history is cut), `data/` with files of the data
 * directory, and `SHA256SUMS` as the last one, which `sha256sum --check` reads (F-606).
 */

/** Raised when a file of before cannot be read by what reads it now. */
export const backupVersion = 1;

export const manifestName = "manifest.json";
export const settingsName = "settings.env";
export const sumsName = "SHA256SUMS";

/** Folders and files of the data directory that are kept as they are. */
export const keptFolders = ["output", "keys"] as const;
export const keptFiles = ["console-token"] as const;

/** The folders of the data directory that hold git repositories of ours, one a repository. */
export const gitFolders = ["mirrors", "remotes"] as const;

/** They stand in SQL, between quotes. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifestShape = z.object({
  backup: z.literal("chief-of-staff"),
  version: z.literal(backupVersion),
  madeAt: z.iso.datetime(),
  /** The version of the program that made it. */
  madeBy: z.string().max(100),
  /** How many migrations its database had, and what the last one was. */
  migrations: z.object({ count: z.int().min(1), lastHash: z.string().regex(/^[0-9a-f]{64}$/) }),
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier).min(1) })).min(1),
  sequences: z.array(z.object({ name: identifier, next: z.string().regex(/^\d{1,19}$/) })),
});

export type Manifest = z.infer<typeof manifestShape>;

export type ReadManifest =
  | { readonly type: "read"; readonly manifest: Manifest }
  | { readonly type: "wrong"; readonly problem: string };

const otherVersion = z.object({ backup: z.literal("chief-of-staff"), version: z.number() });

/** Reads `manifest.json` of a file that somebody gave. */
export function readManifest(text: string): ReadManifest {
  const json = parsed(text);
  const read = manifestShape.safeParse(json);
  if (read.success) return { type: "read", manifest: read.data };
  const other = otherVersion.safeParse(json);
  if (other.success && other.data.version !== backupVersion)
    return {
      type: "wrong",
      problem: `it is a backup of format ${other.data.version}, and this version reads format ${backupVersion}`,
    };
  return { type: "wrong", problem: `its ${manifestName} is not that of a backup` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The file that holds a table's rows. */
export function tableEntry(name: string): string {
  return `database/${name}.copy`;
}

const entryNames = [
  /^(?:manifest\.json|settings\.env|SHA256SUMS)$/,
  /^database\/[a-z_][a-z0-9_]*\.copy$/,
  /^git\/(?:mirrors|remotes)\/[\w-]+\.bundle(?:\.shallow)?$/,
  /^data\/(?:output|keys)\/[^/\\\p{Cc}]+(?:\/[^/\\\p{Cc}]+)*$/u,
  /^data\/console-token$/,
];

/** Whether something of this name is part of a backup: nothing that leads out of its folder is. */
export function isEntryName(name: string): boolean {
  return entryNames.some((each) => each.test(name)) && !name.split("/").some((part) => part === "." || part === "..");
}

/** A line of `SHA256SUMS`. */
export function sumLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** What `SHA256SUMS` says, by name; null for a text that does not say it so. */
export function readSums(text: string): ReadonlyMap<string, string> | null {
  const sums = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const sum = line.slice(0, 64);
    if (!/^[0-9a-f]{64}$/.test(sum) || line.slice(64, 66) !== "  ") return null;
    sums.set(line.slice(66), sum);
  }
  return text.endsWith("\n") ? sums : null;
}

/** The names whose content is not what the sums say, and those that one of both does not have. */
export function differences(said: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  const names = new Set([...said.keys(), ...found.keys()]);
  return [...names].filter((name) => said.get(name) !== found.get(name)).sort();
}
