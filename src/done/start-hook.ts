import { readFileSync } from "node:fs";
import { parseConfig, readEnvironment } from "../config.ts";
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
  const environment = readEnvironment();
  const read = parseConfig(environment);
  if (read.type === "invalid") return null;
  return { input: readFileSync(0, "utf8"), dataDir: read.config.dataDir, environment };
}
