import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder for a run of a bench, such as `cos-bench-Zq3x1P`. */
export async function makeDataDir(prefix: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), `${prefix}-`));
}

/** The embedded server outlives its last client by some seconds and writes until then: a folder that it fills again is removed again. */
export async function removeDataDir(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 8, retryDelay: 250 });
}
