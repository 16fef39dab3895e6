import { z } from "zod";

/**
 * The manifest of a backup. The file is a gzipped tar that any tar can read: `manifest.json` and `settings.env` first, then
 * `database/TABLE.copy` (PostgreSQL's COPY, text), `git/mirrors|remotes/REPOSITORY.bundle` (and `….bundle.shallow` for a shallow
 * history), `data/` with files of the data directory, and `SHA256SUMS` last, for `sha256sum --check` (F-606).
 */

/** Increased when the present code cannot read older files any more. */
export const backupVersion = 1;

export const manifestName = "manifest.json";
export const settingsName = "settings.env";
export const sumsName = "SHA256SUMS";

/** Folders and files of the data directory that are stored unchanged. */
export const keptFolders = ["output", "keys"] as const;
export const keptFiles = ["console-token"] as const;

/** Folders of the data directory with our git repositories, one for each repository. */
export const gitFolders = ["mirrors", "remotes"] as const;

/** Names that are used in SQL, between quotes. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifestShape = z.object({
  backup: z.literal("chief-of-staff"),
  version: z.literal(backupVersion),
  madeAt: z.iso.datetime(),
  /** The version of the program that made it. */
  madeBy: z.string().max(100),
  /** The number of migrations of its database, and the hash of the last one. */
  migrations: z.object({ count: z.int().min(1), lastHash: z.string().regex(/^[0-9a-f]{64}$/) }),
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier).min(1) })).min(1),
  sequences: z.array(z.object({ name: identifier, next: z.string().regex(/^\d{1,19}$/) })),
});

export type Manifest = z.infer<typeof manifestShape>;

export type ReadManifest =
  | { readonly type: "read"; readonly manifest: Manifest }
  | { readonly type: "wrong"; readonly problem: string };

const otherVersion = z.object({ backup: z.literal("chief-of-staff"), version: z.number() });

/** Parses the `manifest.json` of a file that a person gave. */
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

/** Returns the name of the file with a table's rows. */
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

/** True when a file of this name is part of a backup. Names that lead out of the folder are not. */
export function isEntryName(name: string): boolean {
  return entryNames.some((each) => each.test(name)) && !name.split("/").some((part) => part === "." || part === "..");
}

/** Returns a line of `SHA256SUMS`. */
export function sumLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** Parses `SHA256SUMS`: sums by file name. Null when it is malformed. */
export function readSums(text: string): ReadonlyMap<string, string> | null {
  const sums = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const sum = line.slice(0, 64);
    if (!/^[0-9a-f]{64}$/.test(sum) || line.slice(64, 66) !== "  ") return null;
    sums.set(line.slice(66), sum);
  }
  return text.endsWith("\n") ? sums : null;
}

/** Returns the names whose sums differ, and names that are only in one of both. */
export function differences(said: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  const names = new Set([...said.keys(), ...found.keys()]);
  return [...names].filter((name) => said.get(name) !== found.get(name)).sort();
}
