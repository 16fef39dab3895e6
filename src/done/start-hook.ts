import { readSync } from "node:fs";
import { readConfig, readEnvironment } from "../config.ts";
import { keepEnvironment } from "../environment.ts";

/** What a hook of an agent is given. `input`: what the agent says, as it was read. */
export interface HookCall {
  readonly input: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The beginning of every hook. Null: it was asked for help, which it has printed, or the configuration cannot be read, which
 * is no reason to hold anybody's agent.
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

/** What an agent gives its hooks is much shorter, in bytes. */
const longestInput = 80_000_000;

/** All of it is read, so that who writes it is not held; empty when it is too long, or cannot be read. */
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
