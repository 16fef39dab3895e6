import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a file lies there that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where a program lies that a PATH names; null where none of its folders has it. */
export function programIn(path: string, name: string): string | null {
  const files = path.split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, name)]));
  return files.find(isExecutable) ?? null;
}
