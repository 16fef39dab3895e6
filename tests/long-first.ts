import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The usual order of files, with the longest first of their project: they would be waited for alone at the end. Those that wait by a
 * real clock and those that compute take turns, so that both run beside each other.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map((each) => each.project.name))];
    return projects.flatMap((project) =>
      sorted.filter((each) => each.project.name === project).toSorted((one, other) => placeOf(one) - placeOf(other)),
    );
  }
}

/** Where a file comes: these in this order, then all others. */
const long = [
  "agents/walks",
  "docs/readme",
  "walks/lease",
  "walks/kill",
  "walks/worklog-loss",
  "walks/cheats",
  "walks/chaos",
  "walks/verify",
  "walks/slack-faults",
  "walks/history",
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
