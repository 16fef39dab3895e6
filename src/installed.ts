import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What is installed here, a clone or a package, and what follows from that before any setting is read. */

/** The folder of the installed project; `.env` and the default data directory belong to it (D32). */
export const projectDir = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The version of this program, as its package says it. */
export function ownVersion(): string {
  // Our own file.
  const own = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as { readonly version: string };
  return own.version;
}

/** An installed package is replaced by its next version: what is a person's lies in the home folder then. */
const isPackage = !existsSync(join(projectDir, "src", "config.ts"));

/** What is typed here: in a clone through npm, elsewhere as it is installed. */
export const typed = { start: isPackage ? "cos start" : "npm start", cos: isPackage ? "cos" : "npx cos" };

/** Where folders that settings name begin, and the settings themselves lie. */
export const ownDir = isPackage ? join(homedir(), ".chief-of-staff") : projectDir;

export const settingsFile = join(ownDir, ".env");
