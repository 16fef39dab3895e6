import type { Sure } from "../campaigns/rehearse.ts";
import { count } from "../text.ts";

/** "rough: 3 runs": how sure a rehearsal is, and from how many recorded runs. */
export function sureWords({ level, runs, isAlike }: Sure): string {
  if (level === "guess") return runs === 0 ? "a guess: no recorded run" : `a guess: ${count(runs, "recorded run")}`;
  return `${level}: ${count(runs, "run")}${isAlike ? "" : ", not all of goals like these"}`;
}
