import { constants, lstatSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { environmentOf } from "./processes.ts";
import { markedAncestor } from "./trace.ts";

/**
 * Refused calls of a goal's own processes, kept in a file: `cos` refuses them before a database is opened, and the worker takes the
 * file when the turn is recorded. A process that writes to the file can add refused calls to a run, and nothing else.
 */

const fileName = "refused-calls";

/** Maximum number of characters that are read and written. */
const longestFile = 16_000;
const mostCalls = 20;

/** The file of a run, in the folder of its kept output. Null when `outputFile` is not in such a folder. */
export function refusedCallsFile(outputFile: string, runId: string): string | null {
  for (let folder = dirname(outputFile); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === runId) return join(folder, fileName);
  }
  return null;
}

/** Records a call, such as "cos approve"; called by the refused process itself. Never throws: the call is refused anyway. */
export async function leaveRefusedCall(what: string): Promise<void> {
  const mark = markedAncestor(process.pid);
  const file = mark === null ? null : environmentOf(mark, "COS_CALLS");
  if (file === null) return;
  try {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    const { size } = await handle.stat();
    if (size < longestFile) await handle.write(`${what}\n`);
    await handle.close();
  } catch {
    // The run's folder is gone, or not writable.
  }
}

/**
 * Reads the calls in a file, oldest first, without duplicates; null when there is no file. Only lines that are names of commands count.
 */
export async function readRefusedCalls(file: string): Promise<readonly string[] | null> {
  const text = await beginningOf(file);
  if (text === null) return null;
  const calls = text.split("\n").filter((line) => /^cos [a-z]{2,20}(?: [a-z-]{2,20})?$/.test(line));
  return [...new Set(calls)].slice(0, mostCalls);
}

/** Removes the file, whatever it is. */
export async function forgetRefusedCalls(file: string): Promise<void> {
  await rm(file, { force: true, recursive: true });
}

/** Null when the file is missing. Empty when it is not a plain file: links are not followed, and a pipe does not block. */
async function beginningOf(file: string): Promise<string | null> {
  try {
    // Usually there is no file, and this check costs a fifth of an attempt to open it.
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
    const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const isPlain = (await handle.stat()).isFile();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(isPlain ? longestFile : 0), 0, null, 0);
    await handle.close();
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? null : "";
  }
}
