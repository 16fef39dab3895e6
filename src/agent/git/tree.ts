import { spawn } from "node:child_process";
import { chmod, lstat, readdir, rm } from "node:fs/promises";

/** Where something lies in a folder. A name that is no text is bytes, and so is what lies below it. */
export function inFolder(folder: string | Buffer, name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from("/"), Buffer.from(name)]);
}

/** Removes a folder and everything in it, also where permissions were taken away, and however deep it is. A missing one is fine. */
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

/** A folder in folders whose path is longer than a path may be has no name by which Node could ask for it; `rm` goes there step by step. */
async function removeDeep(path: string | Buffer): Promise<void> {
  await new Promise<void>((settle) => {
    // An argument of ours is text.
    const removing = spawn("xargs", ["-0", "rm", "-rf", "--"], { stdio: ["pipe", "ignore", "ignore"] });
    removing.stdin.on("error", () => undefined);
    removing.stdin.end(path);
    removing.once("error", () => settle());
    removing.once("close", () => settle());
  });
}
