import type { Deps } from "../src/deps.ts";
import { reflectOnRuns } from "../src/turns/memory/reflect.ts";

/** Rung when a run has been remembered that nobody has thought about; the tick finds it too. */
export async function reflect(deps: Deps): Promise<void> {
  await reflectOnRuns(deps, new AbortController().signal);
}
