import { execFile } from "node:child_process";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { ownPath } from "../process/environment.ts";

const run = promisify(execFile);

/** Maximum file size in bytes: keys have from some hundred bytes to a few kilobytes. */
const longestKey = 64 * 1024;

export type KeptKey =
  /** `fingerprint` in the form of ssh: `SHA256:…`. */
  | { readonly type: "kept"; readonly fingerprint: string }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/**
 * Copies a private ssh key to `keyFile`, which only we may read, and replaces an earlier key. A file that is not a private key, or that
 * needs a passphrase, is refused and not kept. Never shows the file's content.
 */
export async function keepDeployKey(file: string, keyFile: string): Promise<KeptKey> {
  const found = await stat(file).catch(() => null);
  if (found === null) return refused(`the deploy key ${file} is not there`, "check the path");
  if (!found.isFile() || found.size > longestKey)
    return refused(`${file} is no private key`, "give the private key's file, not the .pub one");
  const key = await readFile(file, "utf8").catch(() => null);
  if (key === null) return refused(`the deploy key ${file} cannot be read`, "let this user read it");
  await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
  const fresh = `${keyFile}.new`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, "wx", 0o600);
  try {
    // ssh rejects a key whose last line has no line end.
    await handle.writeFile(key.endsWith("\n") ? key : `${key}\n`);
  } finally {
    await handle.close();
  }
  const fingerprint = await fingerprintOf(fresh);
  if (fingerprint.type === "refused") await rm(fresh, { force: true });
  else await rename(fresh, keyFile);
  return fingerprint;
}

/** Reads the key with an empty passphrase, so that a key with a passphrase fails at once. */
async function fingerprintOf(file: string): Promise<KeptKey> {
  const environment = { env: { PATH: ownPath(), LC_ALL: "C" }, timeout: 10_000 };
  try {
    const derived = await run("ssh-keygen", ["-y", "-P", "", "-f", file], environment);
    const asked = run("ssh-keygen", ["-l", "-f", "-"], environment);
    asked.child.stdin?.end(derived.stdout);
    const fingerprint = /SHA256:[\w+/=]+/.exec((await asked).stdout)?.[0];
    if (fingerprint !== undefined) return { type: "kept", fingerprint };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return refused("ssh-keygen was not found", "install OpenSSH's client, then try again");
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    if (/passphrase/.test(said))
      return refused(
        "the deploy key asks for a passphrase, and nobody is there to type it: make one without, for this repository alone",
        "ssh-keygen -t ed25519 -N '' -f FILE",
      );
  }
  return refused("the deploy key's file is no private key", "give the private key's file, not the .pub one");
}

function refused(reason: string, next: string): KeptKey {
  return { type: "refused", reason, next };
}
