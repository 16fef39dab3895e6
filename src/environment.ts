import { isInherited } from "./agent/process/environment.ts";

/**
 * The environment with which this process was started. `bin/environment.mjs` has removed it from `process.env`, where others could read
 * it. Variables that libraries read there, or that children get, are put back.
 */
let startedWith: Readonly<Record<string, string | undefined>> | null = null;

/** Stores the environment. Called once, before anything else is loaded. */
export function keepEnvironment(taken: Readonly<Record<string, string>>): void {
  startedWith = taken;
  for (const [name, value] of Object.entries(taken)) {
    if (isInherited(name) || /^(?:PG(?!PASSWORD$)\w+)$/.test(name)) process.env[name] = value;
  }
}

/** All variables with which this process was started. */
export function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return startedWith ?? process.env;
}

/** Sets variables for this process and for children that it starts later. */
export function changeEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
