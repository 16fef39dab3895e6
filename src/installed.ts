import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Facts about this installation, a clone or a package, that are known before any setting is read. */

/** The folder of the installed project; in a clone, `.env` and the default data directory belong to it (D32). */
export const projectDir = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The version of this program, from its package.json. */
export function ownVersion(): string {
  // This is our own file, so its shape is known.
  const own = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as { readonly version: string };
  return own.version;
}

/** True for an installed package, which its next version replaces: a person's files are then in the home folder. */
const isPackage = !existsSync(join(projectDir, "src", "config.ts"));

/** The commands to type here: through npm in a clone, otherwise as installed. */
export const typed = { start: isPackage ? "cos start" : "npm start", cos: isPackage ? "cos" : "npx cos" };

/** The folder of the settings, and base of relative folders in them. */
export const ownDir = isPackage ? join(homedir(), ".chief-of-staff") : projectDir;

export const settingsFile = join(ownDir, ".env");
