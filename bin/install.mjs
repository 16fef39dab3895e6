// Runs before anything is installed: plain JavaScript with Node's built-in modules only.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The folder of this clone, independent of the current directory. */
export const project = dirname(dirname(fileURLToPath(import.meta.url)));

/** True in an installed package, which contains compiled programs in place of sources. */
export const isPackage = !existsSync(join(project, "src", "cli.ts"));

const lockFile = join(project, "package-lock.json");
const stamp = join(project, "node_modules", ".cos-installed");
const npmsOwnList = join(project, "node_modules", ".package-lock.json");
const mutex = join(project, ".data", "install.lock");
const WAIT_MS = 200;
/** Maximum age of a lock. No installation takes this long, so its pid may belong to another process by then. */
const OLD_LOCK_MS = 30 * 60_000;
/** Maximum age of a lock without a pid; an older one was left by a process that was killed in between. */
const NAMELESS_LOCK_MS = 5_000;

/**
 * Makes sure that the packages of package-lock.json are installed; takes a few milliseconds when they are. Any number of processes may
 * call this at once: one installs, the others wait. Messages go to stderr. Ends the process with exit code 1 when installing fails.
 * COS_INSTALLED=1 says that the packages are managed elsewhere, as in the container image.
 * @param {{ needs?: string[], environment?: Record<string, string | undefined> }} options packages that must exist
 *   even if an installation left some out; the environment with which this process was started
 */
export async function ensureInstalled({ needs = ["tsx", "esbuild"], environment = process.env } = {}) {
  requireNode();
  if (isPackage || environment.COS_INSTALLED === "1") return;
  if (isInstalled(needs)) return;
  mkdirSync(dirname(mutex), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await lock();
  try {
    if (!isInstalled(needs)) await install(environment);
  } finally {
    rmSync(mutex, { recursive: true, force: true });
  }
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Chief of Staff needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}

function isInstalled(needs) {
  if (!needs.every((name) => existsSync(join(project, "node_modules", name, "package.json")))) return false;
  if (readOrNull(stamp) === lockHash()) return true;
  // For an installation by hand: npm writes its list last, so a list that is newer than the lock file means that it has finished.
  const list = statSync(npmsOwnList, { throwIfNoEntry: false });
  return list !== undefined && list.mtimeMs >= statSync(lockFile).mtimeMs;
}

function lockHash() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

async function install(environment) {
  const begin = Date.now();
  say("Installing packages (npm ci) ...");
  // No package here needs its install scripts, and some machines block them. With NODE_ENV=production npm would leave out the test tools.
  const options = [
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const exact = await runNpm(["ci", ...options], environment);
  // Some registries have no packages for other platforms, and "npm ci" then fails. The versions stay those of the lock file.
  const loose = exact.code === 0 ? exact : await runNpm(["install", "--no-save", ...options], environment);
  if (loose.code !== 0) {
    process.stderr.write(loose.output);
    fail(
      `Installing failed (npm ended with ${loose.code}). Is the package registry reachable? Try "npm ci" in ${project}.`,
    );
  }
  writeFileSync(stamp, lockHash());
  say(`Installed in ${((Date.now() - begin) / 1000).toFixed(1)} s.`);
}

/** Runs npm. Resolves to its exit code and its output; nothing is printed, because stdout belongs to the command that runs next. */
function runNpm(options, environment) {
  const script = npmScript(environment);
  const [command, args] = script === null ? ["npm", options] : [process.execPath, [script, ...options]];
  const child = spawn(command, args, {
    cwd: project,
    env: withoutSettings(environment),
    stdio: ["ignore", "pipe", "pipe"],
    shell: script === null && process.platform === "win32",
  });
  // An npm process that outlives us continues to write, so the next process must wait for it too.
  if (child.pid !== undefined) writeFileSync(join(mutex, "npm"), String(child.pid));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let interrupted = null;
  const forward = (signal) => {
    interrupted = signal;
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, forward);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: error.code, output: `${error.message}\n` }));
    child.once("close", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM"]) process.off(name, forward);
      if (interrupted !== null) fail("Installing was interrupted.");
      resolve({ code: signal ?? code, output });
    });
  });
}

/** Returns the environment for npm: registries and proxies, but none of our settings, because others can read a process's environment. */
function withoutSettings(environment) {
  const isSetting = /^(?:COS_|SLACK_|DISCORD_|PG)|^(?:DATABASE|REDIS)_URL$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSetting.test(name)));
}

/** Returns npm's script: that of the npm that runs us, else the one beside this Node; null to use npm from PATH. */
function npmScript(environment) {
  const candidates = [
    environment.npm_execpath,
    join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path)) ?? null;
}

/** Takes the lock: mkdir is atomic everywhere. A lock whose process has ended is renamed first, so that only one waiter removes it. */
async function lock() {
  let isTold = false;
  for (;;) {
    try {
      mkdirSync(mutex);
      writeFileSync(join(mutex, "pid"), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== "EEXIST")
        fail(`Cannot write to ${dirname(mutex)} (${error.code}). Run as the owner of ${project}.`);
    }
    if (isStale()) {
      discard();
      continue;
    }
    if (!isTold) say("Another process is installing packages; waiting ...");
    isTold = true;
    await delay(WAIT_MS);
  }
}

function isStale() {
  const made = statSync(mutex, { throwIfNoEntry: false });
  if (made === undefined) return false;
  const age = Date.now() - made.mtimeMs;
  const pids = ["pid", "npm"].map((name) => Number(readOrNull(join(mutex, name)))).filter((pid) => pid > 0);
  return pids.length === 0 ? age > NAMELESS_LOCK_MS : age > OLD_LOCK_MS || !pids.some(isAlive);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function discard() {
  const away = `${mutex}.${process.pid}`;
  try {
    renameSync(mutex, away);
    rmSync(away, { recursive: true, force: true });
  } catch {
    // Another waiter removed it first.
  }
}

function readOrNull(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  say(line);
  rmIfOurs();
  process.exit(1);
}

function rmIfOurs() {
  if (readOrNull(join(mutex, "pid")) === String(process.pid)) rmSync(mutex, { recursive: true, force: true });
}
