import { createHash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The usual order of files, with the longest first of their project: they would be waited for alone at the end. Those that wait by a
 * real clock and those that compute take turns, so that both run beside each other. The rest of the whole run, for which there may
 * be too little time, comes in an order of this commit's own: no file is always the last.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seed = process.env["COS_TEST_SEED"] ?? "";
    const projects = [...new Set(sorted.map((each) => each.project.name))];
    return projects.flatMap((project) => {
      const place = project === "rest" ? (file: TestSpecification) => drawnPlaceOf(file, seed) : placeOf;
      return sorted.filter((each) => each.project.name === project).toSorted((one, other) => place(one) - place(other));
    });
  }
}

/** Where a file comes: these in this order, then all others. */
const long = [
  "docs/readme",
  "walks/lease",
  "walks/kill",
  "walks/worklog-loss",
  "walks/cheats",
  "walks/chaos",
  "walks/verify",
  "walks/slack-faults",
  "walks/history",
  "walks/long-history",
  "walks/recovery-kill",
  "walks/database-loss",
  "walks/campaign-kill",
  "walks/tour",
  "walks/machines",
  "walks/pulls-bot",
  "walks/honest",
  "walks/trials-turned",
  "walks/pulls-merge",
];

function placeOf({ moduleId }: TestSpecification): number {
  const place = long.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
  return place === -1 ? long.length : place;
}

function drawnPlaceOf({ moduleId }: TestSpecification, seed: string): number {
  const path = moduleId.slice(moduleId.lastIndexOf("/tests/"));
  return createHash("sha256").update(`${seed} ${path}`).digest().readUInt32BE();
}
