import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { GitError, tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/**
 * Git finds an object by its name, and does not check that the name matches the content. Whoever can write a mirror's objects could
 * give old commits other files, even proof files. So an agent's git writes into a folder of its own, which reads the mirror's. When the
 * agent has ended, its objects are brought into the mirror under the names computed from their content.
 */

/** Folder below an agent's own objects where its git finds the mirror's. */
export const keptObjects = "kept";

/** Maximum size in bytes of one object of an agent. */
const longestObject = 1024 * 1024 * 1024;

const longestIndexMs = 10 * 60_000;

/** Creates a folder for the objects of an agent's git. The mirror's objects must be visible at `keptObjects` below it. */
export async function layNewObjects(folder: string): Promise<void> {
  for (const name of ["info", "pack", keptObjects]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "info", "alternates"), `${keptObjects}\n`);
}

/**
 * Copies the objects of an agent's git from `folder` into the mirror. Objects whose content does not match their name are left out, and
 * objects written meanwhile may be. Safe to repeat. Throws errors of the file system, such as no space; what was not copied by then is
 * still in `folder`.
 */
export async function takeNewObjects(mirrorDir: string, folder: string): Promise<void> {
  const objects = join(mirrorDir, "objects");
  for (const start of await namesIn(folder, "folders")) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const rest of await namesIn(join(folder, start), "files")) {
      if (/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(rest)) await takeOne(folder, objects, join(start, rest));
    }
  }
  for (const name of await namesIn(join(folder, "pack"), "files")) {
    if (name.endsWith(".pack")) await takePack(mirrorDir, join(folder, "pack", name));
  }
}

/** Names of plain files, or of folders; links are left out. */
async function namesIn(folder: string, what: "files" | "folders"): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isNotToBeRead(error)) return [];
    throw error;
  });
  return entries.filter((entry) => (what === "files" ? entry.isFile() : entry.isDirectory())).map(({ name }) => name);
}

async function takeOne(from: string, objects: string, path: string): Promise<void> {
  const at = join(objects, path);
  if (existsSync(at)) return;
  // The copy is checked, because only we can write it.
  const copy = join(objects, `${unfinished}obj_${randomBytes(10).toString("hex")}`);
  try {
    if (!(await copyPlain(join(from, path), copy))) return;
    if ((await objectName(copy, path.length === 41 ? "sha1" : "sha256")) !== path.replace("/", "")) return;
    await chmod(copy, 0o444);
    await mkdir(dirname(at), { recursive: true });
    await rename(copy, at);
  } finally {
    await rm(copy, { force: true });
  }
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** False when it is not a plain file any more, or an agent has made it unreadable. */
async function copyPlain(from: string, to: string): Promise<boolean> {
  const file = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (isNotToBeRead(error)) return null;
    throw error;
  });
  if (file === null) return false;
  try {
    if (!(await file.stat()).isFile()) return false;
    await pipeline(file.createReadStream({ autoClose: false }), createWriteStream(to, { flags: "wx", mode: 0o600 }));
    return true;
  } finally {
    await file.close();
  }
}

/** True when it does not exist, is something else, or an agent has made it unreadable. */
function isNotToBeRead(error: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR|ELOOP|ENXIO|EACCES|EISDIR)$/.test(codeOf(error));
}

/** The name computed from a loose object's content. Null when it is not a loose object, or is longer than `longest` bytes. */
export async function objectName(
  file: string,
  format: "sha1" | "sha256",
  longest = longestObject,
): Promise<string | null> {
  const hash = createHash(format);
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > longest) done(new NoObject(`more than ${longest} bytes`));
      else done(null, chunk);
    },
  });
  const inflated = createInflate();
  try {
    await pipeline(createReadStream(file), inflated, bounded, hash);
  } catch (error) {
    if (error instanceof NoObject || codeOf(error).startsWith("Z_")) return null;
    throw error;
  }
  // Git rejects an object with trailing data.
  return inflated.bytesWritten === (await stat(file)).size ? hash.digest("hex") : null;
}

class NoObject extends Error {}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Copies a pack, and indexes it again: its content says which objects it has. Files beside the pack, which the agent may have forged,
 * are not read.
 */
async function takePack(mirrorDir: string, pack: string): Promise<void> {
  const packs = join(mirrorDir, "objects", "pack");
  const indexed = join(packs, `${unfinished}pack_${randomBytes(10).toString("hex")}`);
  try {
    if (!(await copyPlain(pack, indexed))) return;
    // A newer git would write a third file.
    const args = ["-c", "pack.writeReverseIndex=false", "index-pack", "-o", `${indexed}.idx`, indexed];
    const made = await tryGit(args, {
      cwd: mirrorDir,
      configuration: "ours",
      environment: inGitDir(mirrorDir),
      timeoutMs: longestIndexMs,
    });
    // With an exit code, git has found that this is not a valid pack. Without one it did not end.
    if (made.type === "failed" && made.exitCode === null) throw new GitError(args.slice(2), made);
    if (made.type === "failed") return;
    const name = join(packs, `pack-${/[0-9a-f]{40,64}/.exec(made.stdout)?.[0] ?? ""}`);
    if (existsSync(`${name}.idx`)) return;
    // Git looks for the index first, and then needs the pack.
    await rename(indexed, `${name}.pack`);
    await rename(`${indexed}.idx`, `${name}.idx`);
  } finally {
    for (const left of [indexed, `${indexed}.idx`]) await rm(left, { force: true });
  }
}

const unfinished = "tmp_";

/** Prefix of git's `repack` for files that are not in place yet. */
const unfinishedPack = ".tmp-";

/** Removes half-written files older than `beforeMs` (Unix milliseconds), left by a killed worker or git. */
export async function removeHalfWritten(mirrorDir: string, beforeMs: number): Promise<void> {
  for (const folder of [join(mirrorDir, "objects"), join(mirrorDir, "objects", "pack")]) {
    for (const name of await namesIn(folder, "files")) {
      const path = join(folder, name);
      const isUnfinished = name.startsWith(unfinished) || name.startsWith(unfinishedPack);
      const found = isUnfinished ? await stat(path).catch(() => null) : null;
      if (found !== null && found.mtimeMs < beforeMs) await rm(path, { force: true });
    }
  }
}
