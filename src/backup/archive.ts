import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { differences, isEntryName, readSums, sumLine, sumsName } from "../core/backups/manifest.ts";
import { fileTrouble } from "../core/errors.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { sync } from "./sync.ts";
import { begun, ended, partialEnd, removeLeft } from "./unfinished.ts";

/** A backup's file: a gzipped tar whose last entry contains the checksums of all others. */

/** A file that is not a backup, or not a complete one. The message says what is wrong with it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

export interface ArchiveWriter {
  /** Adds one text, or a file up to its current size: it may grow meanwhile. */
  add(name: string, content: string | { readonly file: string }): Promise<void>;
  /** Writes the checksums, flushes everything to disk and gives the file its name. Returns its size in bytes. */
  finish(): Promise<number>;
  /** Removes what was written. Never throws. */
  abandon(): Promise<void>;
}

/**
 * Writes to a file of its own beside `file`, `FILE.….partial`, which nobody can open until it is finished. So two backups that are
 * written at the same time do not touch each other. Rejects with the file system's error.
 */
export async function openArchive(file: string): Promise<ArchiveWriter> {
  removeLeft(dirname(file));
  const partial = begun(`${file}.${randomBytes(4).toString("hex")}${partialEnd}`);
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(partial, { flags: "wx", mode: 0, flush: true }));
  const failed = written.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  let sums = "";

  async function add(name: string, content: string | { readonly file: string }): Promise<void> {
    if (!isEntryName(name)) throw new Error(`no part of a backup is called ${JSON.stringify(name)}`);
    const source = typeof content === "string" ? ofText(content) : await ofFile(content.file);
    const hash = createHash("sha256");
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const entry = tar.entry({ name, size: source.size, mode: 0o600, mtime: new Date() });
    await Promise.race([failed, pipeline(source.stream, hashing, entry)]);
    sums += sumLine(name, hash.digest("hex"));
  }

  return {
    add,
    async finish() {
      await add(sumsName, sums);
      tar.finalize();
      await written;
      await chmod(partial, 0o600);
      await rename(partial, file);
      ended(partial);
      await sync(dirname(file));
      return (await stat(file)).size;
    },
    async abandon() {
      tar.destroy();
      await written.catch(() => undefined);
      await rm(partial, { force: true }).catch(() => undefined);
      ended(partial);
    },
  };
}

function ofText(text: string): { readonly size: number; readonly stream: Readable } {
  const bytes = Buffer.from(text);
  return { size: bytes.length, stream: Readable.from([bytes]) };
}

async function ofFile(file: string): Promise<{ readonly size: number; readonly stream: Readable }> {
  const { size } = await stat(file);
  return { size, stream: size === 0 ? Readable.from([]) : createReadStream(file, { end: size - 1 }) };
}

/** Maximum length of a text that is read into memory. */
const longestText = 1_000_000;

/** The first entries of a backup, as texts, as long as they have these names in this order. Throws Unreadable. */
export async function readFirst(file: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await readEntries(file, async (name, content) => {
    if (name !== names[found.size]) return "enough";
    found.set(name, await textOf(name, content));
    return found.size === names.length ? "enough" : "more";
  });
  return found;
}

/** Writes every entry of a backup below `folder`, and compares each with its checksum. Throws Unreadable. */
export async function unpack(file: string, folder: string): Promise<void> {
  const found = new Map<string, string>();
  let said: ReadonlyMap<string, string> | null = null;
  await readEntries(file, async (name, content) => {
    if (said !== null || found.has(name)) throw new Unreadable(`${name} is in it where it cannot be`);
    if (name === sumsName) {
      said = readSums(await textOf(name, content));
      if (said === null) throw new Unreadable(`its ${sumsName} cannot be read`);
      return "more";
    }
    const hash = createHash("sha256");
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(content, hashing, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    found.set(name, hash.digest("hex"));
    return "more";
  });
  if (said === null) throw new Unreadable(`it has no end: its ${sumsName} is missing`);
  const [wrong] = differences(said, found);
  if (wrong !== undefined) throw new Unreadable(`it was changed since it was made: ${wrong} is not what its sum says`);
}

type OnEntry = (name: string, content: Readable) => Promise<"more" | "enough">;

/** Reads a gzipped tar from its beginning. Accepts only regular files with names that a backup has. */
async function readEntries(file: string, onEntry: OnEntry): Promise<void> {
  const tar = extract();
  const stopping = new AbortController();
  let why: unknown = null;
  const reading = pipeline(createReadStream(file), createGunzip(), tar, { signal: stopping.signal }).catch(
    (error: unknown) => {
      why ??= error;
    },
  );
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== "file" || !isEntryName(name)) throw new Unreadable(`${JSON.stringify(name)} is no part of a backup`);
      // A stream of another library, which is iterated like Node's own.
      const content = Readable.from(entry, { objectMode: false });
      if ((await onEntry(name, content)) === "enough") return;
      entry.resume();
    }
  } catch (error) {
    throw meaning(why ?? error);
  } finally {
    stopping.abort();
    await reading;
  }
  if (why !== null) throw meaning(why);
}

/** Translates errors of gzip, tar and the file system for a file that is not a backup. */
function meaning(error: unknown): unknown {
  if (error instanceof Unreadable || spaceWordsOf(error) !== null || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR" || /Unexpected end of data/.test(error.message))
    return new Unreadable("it has no end: the file was cut off");
  if (code === "Z_DATA_ERROR" || /Invalid tar header/.test(error.message))
    return new Unreadable("it is no backup, or was damaged");
  if (code === "ENOENT") return new Unreadable("it is not there");
  if (["EACCES", "EPERM", "EISDIR"].includes(code))
    return new Unreadable(`it cannot be read: ${fileTrouble(error, "read")}`);
  return error;
}

async function textOf(name: string, content: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > longestText * (name === sumsName ? 100 : 1)) throw new Unreadable(`${name} is too long`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
