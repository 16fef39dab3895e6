import { readSync } from "node:fs";
import { readConfig, readEnvironment } from "../config.ts";
import { keepEnvironment } from "../environment.ts";

/** The call of an agent's hook. `input`: the agent's input, as it was read. */
export interface HookCall {
  readonly input: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a hook. Null when help was asked for, which it has printed, or when the configuration cannot be read, which must not hold an
 * agent.
 */
export function startHook(taken: Readonly<Record<string, string>>, help: readonly string[]): HookCall | null {
  keepEnvironment(taken);
  const words = process.argv.slice(3);
  if (words.includes("--help") || words.includes("-h")) {
    process.stdout.write(`${help.join("\n")}\n`);
    return null;
  }
  const read = readConfig();
  if (read.type === "invalid") return null;
  return { input: standardInput(), dataDir: read.config.dataDir, environment: readEnvironment() };
}

/** Maximum length of the input in bytes; agents send much less. */
const longestInput = 80_000_000;

/** Reads all of standard input, so that the writer is not blocked. Empty when it is too long or cannot be read. */
function standardInput(): string {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    while (true) {
      const part = Buffer.allocUnsafe(65_536);
      const read = readSync(0, part);
      if (read === 0) break;
      length += read;
      if (length <= longestInput) parts.push(part.subarray(0, read));
      else parts.length = 0;
    }
  } catch {
    return "";
  }
  return Buffer.concat(parts).toString();
}
