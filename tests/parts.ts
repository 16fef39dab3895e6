/** What the parts of a run take of each file: `short-runner.ts`, `rest-runner.ts`, `vitest.config.ts`. Names are below `tests`. */

/**
 * These take minutes each, and prove no behaviour alone: the short run has no part of them, and the whole run has them with the rest. So
 * have real agents: where time is short, all other tests would wait for theirs.
 */
export const longFiles = [
  ..."bench-recovery campaign-five-days campaign-kill chaos kill machines race recovery-kill rolling tasks-kill".split(
    " ",
  ),
  ..."database-loss embedded-loss long-history queue-loss labels lease pulls-bot same-day schedules shutdown tour".split(
    " ",
  ),
  ..."traces young-plans".split(" "),
]
  .map((name) => `walks/${name}.test.ts`)
  .concat("db/upgrade-from-first.test.ts", "agents/walks.test.ts");

/** Their tests go on from each other: all of them are in the short run. */
const wholeFiles = ["docs/readme.test.ts", "walks/packed.test.ts"];

/** So do these, and they need nothing that is not everywhere. */
const wholeFilesAnywhere = ["walks/loop-table.test.ts"];

/**
 * What the short run tries first: "all" of a file, which is "pure" where it only computes and "anywhere" where it needs nothing
 * special; "none" of it; "some", those of its tests that are chosen.
 */
export function shortPartOf(filepath: string): "pure" | "anywhere" | "all" | "some" | "none" {
  if (filepath.includes("/tests/core/")) return "pure";
  const isOneOf = (names: readonly string[]): boolean => names.some((name) => filepath.endsWith(`/tests/${name}`));
  if (isOneOf(longFiles)) return "none";
  if (isOneOf(wholeFilesAnywhere)) return "anywhere";
  return isOneOf(wholeFiles) ? "all" : "some";
}
