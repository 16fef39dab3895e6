import { isInherited } from "./agent/process/environment.ts";

/**
 * What this process was started with. `bin/environment.mjs` has taken it out of `process.env`, where others could read it;
 * what libraries look for there, and children are given, is put back.
 */
let startedWith: Readonly<Record<string, string | undefined>> | null = null;

/** Called once, before anything else is loaded. */
export function keepEnvironment(taken: Readonly<Record<string, string>>): void {
  startedWith = taken;
  for (const [name, value] of Object.entries(taken)) {
    if (isInherited(name) || /^(?:PG(?!PASSWORD$)\w+)$/.test(name)) process.env[name] = value;
  }
}

/** Every variable that this process was started with. */
export function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return startedWith ?? process.env;
}

/** For this process and whatever it starts from now on. */
export function changeEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
