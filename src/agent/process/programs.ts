import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** True when a file exists that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of a program in PATH; null when no folder has it. */
export function programIn(path: string, name: string): string | null {
  const files = path.split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, name)]));
  return files.find(isExecutable) ?? null;
}
