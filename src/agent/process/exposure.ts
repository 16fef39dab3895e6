import { statSync } from "node:fs";
import { basename } from "node:path";
import { argumentsOf, environmentEntries, pids } from "./processes.ts";

/** A process whose environment shows a secret to every process of the same user. */
export interface Exposure {
  readonly pid: number;
  readonly program: string;
  /** The variable with the secret. */
  readonly variable: string;
}

/** Minimum length of a secret: shorter ones would match by chance. */
const shortestSecret = 6;

/**
 * Finds our secrets in the environment of every process that we can read, where an agent could read them without opening a file. Empty
 * where processes cannot be seen.
 */
export function exposedSecrets(secrets: readonly string[]): readonly Exposure[] {
  const telling = secrets.filter((secret) => secret.length >= shortestSecret);
  if (telling.length === 0) return [];
  return pids().flatMap((pid) => {
    const entry = environmentEntries(pid).find((each) => telling.some((secret) => each.includes(secret)));
    if (entry === undefined) return [];
    return [{ pid, program: basename(argumentsOf(pid)[0] ?? "?"), variable: entry.split("=")[0] ?? "" }];
  });
}

/** True when others than the owner may read a file. */
export function isOpenToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o044) !== 0;
}
