import { createHash, randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { tryGit } from "./git.ts";

/**
 * Git finds an object by its name and does not look whether that is the name of what it holds: who may write a mirror's
 * objects gives old commits other files, proof files too. So an agent's git writes into a folder of its own, which reads
 * the mirror's, and what it made comes into the mirror when it has ended, under the names that follow from what is in it.
 */

/** Where an agent's git finds the mirror's objects, below its own. */
export const keptObjects = "kept";

/** More than this in one object is no work of an agent. */
const longestObject = 1024 * 1024 * 1024;

const longestIndexMs = 10 * 60_000;

/** Makes a folder in which an agent's git keeps its objects. The mirror's are to be seen at `keptObjects` below it. */
export async function layNewObjects(folder: string): Promise<void> {
  for (const name of ["info", "pack", keptObjects]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "info", "alternates"), `${keptObjects}\n`);
}

/**
 * Brings what an agent's git has made in `folder` into the mirror; what does not hold what its name says is left out, and what is
 * written meanwhile may be. Safe to repeat. Throws what the file system throws when there is no space.
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

/** Plain files, or folders; never what a link leads to. */
async function namesIn(folder: string, what: "files" | "folders"): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => (what === "files" ? entry.isFile() : entry.isDirectory())).map(({ name }) => name);
}

async function takeOne(from: string, objects: string, path: string): Promise<void> {
  const at = join(objects, path);
  if (existsSync(at)) return;
  // What is looked at is the copy, which nobody but us can write.
  const copy = join(objects, `tmp_obj_${randomBytes(10).toString("hex")}`);
  try {
    await copyFile(join(from, path), copy);
    if ((await nameOf(copy, path.length === 41 ? "sha1" : "sha256")) !== path.replace("/", "")) return;
    await chmod(copy, 0o444);
    await mkdir(dirname(at), { recursive: true });
    await rename(copy, at);
  } catch (error) {
    if (spaceWordsOf(error) !== null) throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** The name that follows from what a loose object holds. Rejects where it is none, or too long. */
async function nameOf(file: string, format: "sha1" | "sha256"): Promise<string> {
  const hash = createHash(format);
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > longestObject) done(new Error(`an object of more than ${longestObject} bytes`));
      else done(null, chunk);
    },
  });
  const inflated = createInflate();
  await pipeline(createReadStream(file), inflated, bounded, hash);
  // Git reads no object that something else lies behind.
  if (inflated.bytesWritten !== (await stat(file)).size) throw new Error("more than an object");
  return hash.digest("hex");
}

/** A pack says by what it holds which objects are in it; what the agent's git, or somebody else, wrote beside it is not read. */
async function takePack(mirrorDir: string, pack: string): Promise<void> {
  const packs = join(mirrorDir, "objects", "pack");
  const indexed = join(packs, `tmp_pack_${randomBytes(10).toString("hex")}`);
  try {
    await copyFile(pack, indexed);
    const made = await tryGit(["index-pack", "-o", `${indexed}.idx`, indexed], {
      cwd: mirrorDir,
      configuration: "ours",
      environment: { GIT_DIR: mirrorDir },
      timeoutMs: longestIndexMs,
    });
    if (made.type === "failed") return;
    const name = join(packs, `pack-${/[0-9a-f]{40,64}/.exec(made.stdout)?.[0] ?? ""}`);
    if (existsSync(`${name}.idx`)) return;
    // Git looks for the index, and then needs what it is of.
    await rename(indexed, `${name}.pack`);
    await rename(`${indexed}.idx`, `${name}.idx`);
  } catch (error) {
    if (spaceWordsOf(error) !== null) throw error;
  } finally {
    for (const left of [indexed, `${indexed}.idx`]) await rm(left, { force: true });
  }
}
