import { type Config, parseConfig } from "../../src/config.ts";

/** A checked configuration of just these variables; the machine's own environment is left out. */
export function configFor(environment: Record<string, string>): Config {
  const parsed = parseConfig(environment);
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  return parsed.config;
}
