import { constants, lstatSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { environmentOf } from "./processes.ts";
import { markedAncestor } from "./trace.ts";

/**
 * What a goal's own process called and may not, as a file: `cos` refuses it before a database is opened, and the worker
 * takes the file when the turn is recorded. Whoever writes to it can add refused calls to a run, and nothing else.
 */

const fileName = "refused-calls";

/** More than this is not read, and not written. */
const longestFile = 16_000;
const mostCalls = 20;

/** The file of a run: in the folder of its kept output. Null when `outputFile` does not lie in one. */
export function refusedCallsFile(outputFile: string, runId: string): string | null {
  for (let folder = dirname(outputFile); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === runId) return join(folder, fileName);
  }
  return null;
}

/** Called by the refused process itself, with what it called, such as "cos approve". Never throws: it is refused anyway. */
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
    // The run's folder is gone, or nobody may write there.
  }
}

/** What was left in a file, oldest first, each once; null when there is none. Only names of commands are believed. */
export async function readRefusedCalls(file: string): Promise<readonly string[] | null> {
  const text = await beginningOf(file);
  if (text === null) return null;
  const calls = text.split("\n").filter((line) => /^cos [a-z]{2,20}(?: [a-z-]{2,20})?$/.test(line));
  return [...new Set(calls)].slice(0, mostCalls);
}

/** Takes the file away, whatever it is. */
export async function forgetRefusedCalls(file: string): Promise<void> {
  await rm(file, { force: true, recursive: true });
}

/** Null when nothing is there; empty for what is no plain file: a link leads nowhere, and a pipe holds nobody up. */
async function beginningOf(file: string): Promise<string | null> {
  try {
    // As nearly always: a look costs a fifth of trying to open it.
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
