import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Week } from "../../src/core/reports/week.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { campaignIn, type Question } from "../fakes/campaign.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** A week in which goals come to every end that there is, worked by the engine, and what its weekly says of it. */

const hour = 3_600_000;
const criteria =
  "#### AC-1: Made\n\n```yaml\nmethod: bash\ncommand: test -f made.txt\npass_condition: exit code 0\n```\n";

interface Weekly {
  readonly week: Week;
  readonly goalsCompleted: number;
  readonly goalsFailed: number;
  readonly campaignsCompleted: readonly string[];
  readonly done: readonly { goalId: string; tag: string }[];
  readonly failed: readonly { goalId: string; outcome: string }[];
  readonly deferred: readonly { goalId: string }[];
  readonly manual: readonly { goalId: string }[];
  readonly parked: readonly { goalId: string }[];
}

let world: TestWorld;
let path: string;
const ids: Record<string, string> = {};
let weekly: Weekly;

/** Adds a goal and works it in a session of its own; one with a cost in a session that cannot pay it. */
async function worked(name: string, run: string, ...options: string[]): Promise<void> {
  const command = run === "" ? [] : ["--run", run];
  const added = await world.command("goal", "add", name, "--repo", "person", ...command, ...options);
  ids[name] = valueOf<{ goalId: string }>(added).goalId;
  const budget = options.includes("--cost") ? ["--budget", "1"] : [];
  valueOf(await world.command("autopilot", "start", "--repo", "person", "--goal", ids[name], ...budget));
  await work();
}

/** Works until nothing is due. */
async function work(): Promise<void> {
  for (let pass = 0; pass < 4; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

/** Answers the question about a goal after ten minutes, and works what follows. */
async function answer(name: string, choice: string): Promise<void> {
  world.advance(10 * 60_000);
  const questions = valueOf<Question[]>(await world.command("checkpoints"));
  const question = questions.find((each) => each.goalId === ids[name]);
  valueOf(await world.command("answer", question?.checkpointId ?? "", choice));
  await work();
}

/** Fails `times` times, then passes. */
const passesAfter = (times: number, name: string): string =>
  `echo x >> '${join(world.dataDir, name)}'; test "$(wc -l < '${join(world.dataDir, name)}')" -gt ${times} && echo '${name}' > '${name}.txt'`;

beforeAll(async () => {
  // Monday, 2026-01-26, 09:00. A ladder of two attempts.
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      recovery: { ...policy.recovery, rungs: [{ attempts: 2, backoffMs: 0 }], breakerAfter: 9 },
    }),
  });
  path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "one\n", "ac.md": criteria });
  await world.command("repo", "add", path, "--setup", "", "--check", "");

  await worked("verified", "touch made.txt", "--criteria", "ac.md");
  await worked("claimed", "echo x > claimed.txt");
  await worked("no change", "true");
  await worked("mended", passesAfter(1, "mended"));
  await worked("skipped at its end", "exit 3");
  await answer("skipped at its end", "Skip");
  await worked("done by hand", "exit 3");
  await answer("done by hand", "Manual");
  await worked("given up", "exit 3");
  await answer("given up", "Retry");
  await answer("given up", "Retry");
  await answer("given up", "Skip");
  await worked("helped", passesAfter(2, "helped"));
  await answer("helped", "Retry");
  await worked("skipped at its start", "echo x > ux.txt", "--tag", "ui");
  await answer("skipped at its start", "Skip");
  await worked("nobody's", "");
  await worked("refused", "echo x > dear.txt", "--cost", "4");
  await parkOne();
  await failOneSetup();
  await discardPlan();
  await worked("expired", "exit 3");
  world.advance(25 * hour);
  await world.tick();

  // Tuesday.
  await merge("verified");
  await gitIn(path, "revert", "--no-edit", "HEAD");
  valueOf(await world.command("goal", "discard", ids["claimed"] ?? ""));
  await merge("mended");
  // The standup of Wednesday finds what was reverted.
  world.advance(24 * hour);
  await world.tick();
  weekly = valueOf<Weekly>(await world.command("weekly"));
});
afterAll(() => world.close());

async function merge(name: string): Promise<void> {
  valueOf(await world.command("goal", "merge", ids[name] ?? ""));
  world.advance(31_000);
  await world.tick();
}

async function parkOne(): Promise<void> {
  const added = await world.command("goal", "add", "parked", "--repo", "person", "--run", "true");
  ids["parked"] = valueOf<{ goalId: string }>(added).goalId;
  valueOf(await world.command("goal", "pause", ids["parked"]));
}

async function failOneSetup(): Promise<void> {
  const other = await makeRepository(join(world.dataDir, "other"), { "b.txt": "one\n" });
  await world.command("repo", "add", other, "--setup", "exit 4", "--check", "");
  const added = await world.command("goal", "add", "no setup", "--repo", "other", "--run", "true");
  ids["no setup"] = valueOf<{ goalId: string }>(added).goalId;
  valueOf(await world.command("autopilot", "start", "--repo", "other"));
  await work();
}

/** A plan that nobody wants. */
async function discardPlan(): Promise<void> {
  const file = join(world.dataDir, "plan.md");
  await writeFile(file, "# Draft\n\n- Write it\n");
  valueOf(await world.command("campaign", "create", "--repo", "person", "--from", file, "--budget", "5"));
  const campaign = campaignIn(world);
  await campaign.settle();
  await campaign.answer("Discard");
}

describe("a week with every end that a goal can come to", () => {
  const names = (lines: readonly { goalId: string }[]): string[] =>
    lines.map(({ goalId }) => Object.entries(ids).find(([, id]) => id === goalId)?.[0] ?? goalId);

  it("counts each goal once, as what it came to [F-120]", () => {
    expect(names(weekly.done)).toEqual(["verified", "claimed", "no change", "mended", "helped"]);
    expect(weekly.done.map(({ tag }) => tag)).toEqual(["verified", "claimed", "claimed", "claimed", "claimed"]);
    expect(names(weekly.failed).toSorted()).toEqual(
      ["skipped at its end", "done by hand", "given up", "refused", "no setup", "expired"].toSorted(),
    );
    expect(names(weekly.deferred)).toEqual(["skipped at its start"]);
    expect(names(weekly.manual)).toEqual(["nobody's"]);
    expect(names(weekly.parked)).toEqual(["parked"]);
    expect(weekly).toMatchObject({ goalsCompleted: 5, goalsFailed: 6, campaignsCompleted: [] });
    expect(weekly.week).toMatchObject({
      complete: 5,
      verified: 1,
      claimed: 4,
      notChecked: 0,
      failed: 6,
      failedOnLadder: 4,
      deferred: 1,
      manual: 1,
    });
  });

  it("measures recovery by all that failed, and no campaign that nobody began [F-120]", () => {
    const { metrics, fractions } = weekly.week;
    // Mended; not helped, skipped, done by hand, given up, expired, refused, no setup.
    expect(fractions.automaticRecovery).toEqual({ numerator: 1, denominator: 8 });
    expect(fractions.completionRate).toEqual({ numerator: 5, denominator: 11 });
    // Not refused, not without its setup.
    expect(fractions.realExecution).toEqual({ numerator: 9, denominator: 11 });
    // Not helped.
    expect(fractions.withoutReview).toEqual({ numerator: 4, denominator: 5 });
    expect(metrics).toMatchObject({ multiDay: null, multiDayEver: null });
  });

  it("says why what failed has failed, and what was decided then [F-120]", () => {
    const outcomes = new Map(names(weekly.failed).map((name, index) => [name, weekly.failed[index]?.outcome ?? ""]));
    expect(outcomes.get("skipped at its end")).toMatch(/^exit code 3.*\(Skipped by ana\.\)$/);
    expect(outcomes.get("done by hand")).toMatch(/^exit code 3.*\(Left to a person by ana\.\)$/);
    expect(outcomes.get("expired")).toMatch(/^exit code 3.*\(Nobody answered in time\./);
    expect(outcomes.get("refused")).toMatch(/^Insufficient budget remaining/);
    expect(outcomes.get("no setup")).toMatch(/^Setup failed/);
  });

  it("tells merged, discarded and reverted branches apart [F-120]", () => {
    // Merged: verified and mended. Helped is not decided; what changed nothing has no branch.
    expect(weekly.week.branches).toEqual({ merged: 2, discarded: 1, reverted: 1, undecided: 1 });
  });

  it("counts a call that goes over midnight once, on the day on which it began [F-120]", async () => {
    const { db } = world.deps.database;
    const { rows } = await world.deps.database.pool.query<{ run_id: string }>(
      "select run_id from cos.goals where goal_id = $1",
      [ids["claimed"]],
    );
    const call = { callId: "late", goalId: ids["claimed"] ?? "", runId: rows[0]?.run_id ?? "", sessionId: null };
    const before = valueOf<Weekly>(await world.command("weekly")).week;
    const lines = [
      ["2026-01-27", "reserved", 5],
      ["2026-01-27", "reported", 1],
      ["2026-01-28", "settled", 1.5],
    ] as const;
    for (const [day, kind, usd] of lines)
      await appendSpend(
        db,
        { ...call, day },
        { kind, amountMicroUsd: usd * 1_000_000, isEstimated: false, at: world.deps.now() },
      );

    const { week } = valueOf<Weekly>(await world.command("weekly"));
    expect(week.spentMicroUsd - before.spentMicroUsd).toBe(1_500_000);
    expect((week.days[1]?.spentMicroUsd ?? 0) - (before.days[1]?.spentMicroUsd ?? 0)).toBe(1_500_000);
    const { rows: open } = await world.deps.database.pool.query(
      "select 1 from cos.call_costs where call_id = 'late' and not is_settled",
    );
    expect(open).toEqual([]);
  });
});
