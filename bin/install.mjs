// Runs before anything is installed: plain JavaScript, nothing but Node's own modules.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The clone this file belongs to, wherever it is called from. */
export const project = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this is an installed package, which has compiled programs in the place of sources. */
export const isPackage = !existsSync(join(project, "src", "cli.ts"));

const lockFile = join(project, "package-lock.json");
const stamp = join(project, "node_modules", ".cos-installed");
const npmsOwnList = join(project, "node_modules", ".package-lock.json");
const mutex = join(project, ".data", "install.lock");
const WAIT_MS = 200;
/** No installation takes as long: the number of its process belongs to another one by then. */
const OLD_LOCK_MS = 30 * 60_000;
/** A lock without a pid for longer than this was left by a process killed in between. */
const NAMELESS_LOCK_MS = 5_000;

/**
 * Makes sure that the packages of package-lock.json are installed; a few milliseconds when they are. Any number of processes
 * may ask at once: one installs, the others wait. Messages go to stderr. Ends the process with 1 when it cannot be done.
 * COS_INSTALLED=1 says that somebody else takes care, as in the container image.
 * @param {{ needs?: string[], environment?: Record<string, string | undefined> }} options packages that must be there even if
 *   an installation left some out; what this process was started with
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
  // Installed by hand: npm writes its list last, so a list younger than the lock file means a finished installation.
  const list = statSync(npmsOwnList, { throwIfNoEntry: false });
  return list !== undefined && list.mtimeMs >= statSync(lockFile).mtimeMs;
}

function lockHash() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

async function install(environment) {
  const begin = Date.now();
  say("Installing packages (npm ci) ...");
  // Scripts are not needed by anything here, and blocked on careful machines. NODE_ENV=production must not drop the tests' tools.
  const options = [
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const exact = await runNpm(["ci", ...options], environment);
  // Some registries carry no packages for other platforms, and "npm ci" then refuses. The versions stay those of the lock file.
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

/** Resolves to npm's exit code and everything it said; nothing is printed, since stdout belongs to the command that runs next. */
function runNpm(options, environment) {
  const script = npmScript(environment);
  const [command, args] = script === null ? ["npm", options] : [process.execPath, [script, ...options]];
  const child = spawn(command, args, {
    cwd: project,
    env: withoutSettings(environment),
    stdio: ["ignore", "pipe", "pipe"],
    shell: script === null && process.platform === "win32",
  });
  // An npm that outlives us goes on writing: whoever comes next waits for it, too.
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

/** npm needs registries and proxies, and none of our settings: others can read what it is started with. */
function withoutSettings(environment) {
  const isSetting = /^(?:COS_|SLACK_|DISCORD_|PG)|^(?:DATABASE|REDIS)_URL$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSetting.test(name)));
}

/** npm's own program: the one that runs us, else the one beside this Node; null means whatever PATH has. */
function npmScript(environment) {
  const candidates = [
    environment.npm_execpath,
    join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
    join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  return candidates.find((path) => path?.endsWith("npm-cli.js") && existsSync(path)) ?? null;
}

/** mkdir is atomic everywhere. A lock whose process has gone is moved away first, so that only one waiter takes it over. */
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
    // Another waiter was first.
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
