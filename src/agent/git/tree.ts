import { spawn } from "node:child_process";
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a folder and everything in it, also where permissions were taken away, and however deep it is. A missing one is fine. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await makeWritable(path);
    await removeDeep(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await makeWritable(join(path, name));
}

/** A folder in folders whose path is longer than a path may be has no name by which Node could ask for it; `rm` goes there step by step. */
async function removeDeep(path: string): Promise<void> {
  await new Promise<void>((settle) => {
    const removing = spawn("rm", ["-rf", "--", path], { stdio: "ignore" });
    removing.once("error", () => settle());
    removing.once("close", () => settle());
  });
}
