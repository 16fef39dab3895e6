import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { KnownAgent } from "./known.ts";

/** Of the person who runs the tests: walks give their agents a HOME of their own. */
const root = process.env["COS_TEST_AGENTS_DIR"] ?? join(homedir(), ".cache", "chief-of-staff-agents");

/**
 * Installs an agent once, outside of the repository; the folder. It is made beside and then renamed, so that whoever finds it
 * finds it whole, also where several ask at once. Throws with npm's words when it cannot.
 */
export function installed({ name, packages }: KnownAgent): string {
  const folder = join(root, packages.join("+").replaceAll(/[^\w.@+-]/g, "-"));
  if (existsSync(join(folder, "installed"))) return folder;
  mkdirSync(root, { recursive: true });
  const beside = mkdtempSync(join(root, `.${basename(folder)}-`));
  try {
    writeFileSync(join(beside, "package.json"), '{"private":true}');
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...packages];
    const npm = spawnSync("npm", words, { cwd: beside, encoding: "utf8" });
    if (npm.status !== 0)
      throw new Error(`${name} could not be installed (npm install ${packages.join(" ")}): ${npm.stderr.slice(-500)}`);
    writeFileSync(join(beside, "installed"), "");
    // What was begun there and never finished.
    if (!existsSync(join(folder, "installed"))) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    moveTo(beside, folder);
    return folder;
  } finally {
    rmSync(beside, { recursive: true, force: true, maxRetries: 5 });
  }
}

function moveTo(beside: string, folder: string): void {
  try {
    renameSync(beside, folder);
  } catch (error) {
    // Another process was first: its folder is as whole as ours.
    if (!existsSync(join(folder, "installed"))) throw error;
  }
}

/** Where its programs lie, once it is installed. */
export function programsOf(agent: KnownAgent): string {
  return join(installed(agent), agent.programs ?? "node_modules/.bin");
}
