import { spawn } from "node:child_process";
import { chmod, lstat, readdir, rm } from "node:fs/promises";

/** Joins a folder and a name as bytes, because a name may not be valid text. */
export function inFolder(folder: string | Buffer, name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from("/"), Buffer.from(name)]);
}

/** Removes a folder and its content, even without permissions, and however deep it is. A missing folder is not an error. */
export async function removeTree(path: string | Buffer): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await makeWritable(path);
    await removeDeep(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeWritable(path: string | Buffer): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  const names = await readdir(path, { encoding: "buffer" }).catch(() => []);
  for (const name of names) await makeWritable(inFolder(path, name));
}

/** Node cannot name a folder whose path exceeds the maximum length; `rm` descends step by step. */
async function removeDeep(path: string | Buffer): Promise<void> {
  await new Promise<void>((settle) => {
    // Arguments of Node's `spawn` are text, so the path is passed as input.
    const removing = spawn("xargs", ["-0", "rm", "-rf", "--"], { stdio: ["pipe", "ignore", "ignore"] });
    removing.stdin.on("error", () => undefined);
    removing.stdin.end(path);
    removing.once("error", () => settle());
    removing.once("close", () => settle());
  });
}
