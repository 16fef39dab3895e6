import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import {
  check,
  evidence,
  evidenceOf,
  firstThen,
  loopGoal,
  type Script,
  taskList,
  work,
  workAndAllow,
  write,
} from "../fakes/loop.ts";
import { gitIn } from "../fakes/repository.ts";

/** What is found missing after the tasks of a goal have passed: who does it and who checks it are told what was found. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
      tasks: { ...policy.tasks, attempts: 3 },
    }),
  });
});
afterEach(() => world.close());

interface Shown {
  readonly status: string;
  readonly tasks: { id: string; title: string; status: string; attempts: number; found: string | null }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

const first: readonly Script[] = [check("T1", evidence("PASS")), work("T1", write("one.txt", "1\n"))];
const whole =
  '#### AC-1: Whole\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f more.txt || { echo no more of it; exit 3; }"\n```\n';

describe("a task for what the whole still lacks", () => {
  it("is checked by what was found, with the command that failed, and its next attempt knows that still", async () => {
    const found = ["Check one task", "missing-1: ", "AC-1 holds: Whole (`test -f more.txt", "no more of it"];
    const { goalId } = await loopGoal(world, taskList(["T1"], null), [
      { match: found, steps: [firstThen(evidenceOf("FAIL"), evidenceOf("PASS"))] },
      { match: ["Check one task", "missing-"], steps: [evidence("INCONCLUSIVE")] },
      {
        match: ["Implement one task", "\nmissing-1: ", "not accepted", "no more of it"],
        steps: [write("more.txt", "m\n")],
      },
      {
        match: ["Implement one task", "\nmissing-1: ", "added for this", "no more of it"],
        steps: [write("wrong.txt", "w\n")],
      },
      ...first,
    ]);
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [whole]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(goal.tasks.map(({ id, attempts }) => [id, attempts])).toEqual([
      ["T1", 1],
      ["missing-1", 2],
    ]);
    expect(goal.tasks[1]?.found).toContain("AC-1 (whole): ");
  });

  it("has an id of its own beside a person's", async () => {
    const { goalId } = await loopGoal(world, taskList(["missing-2"], null), [
      { match: ["Check one task"], steps: [evidence("PASS")] },
      work("missing-2", write("one.txt", "1\n")),
      work("missing-3", write("more.txt", "m\n")),
    ]);
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [whole]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      tasks: [{ id: "missing-2" }, { id: "missing-3" }],
    });
  });

  it("that a push was refused for is checked by the hook's words", async () => {
    const { goalId, path } = await loopGoal(world, taskList(["T1"], null), [
      { match: ["Check one task", "push-1: ", "refused for is put right", "no x allowed"], steps: [evidence("PASS")] },
      { match: ["Check one task", "push-"], steps: [evidence("INCONCLUSIVE")] },
      work("push-1", write("one.txt", "y\n")),
      check("T1", evidence("PASS")),
      work("T1", write("one.txt", "x\n")),
    ]);
    const hook = 'git show "$3:one.txt" | grep -q x && { echo "no x allowed" >&2; exit 1; }; exit 0';
    await writeFile(join(path, ".git/hooks/update"), `#!/bin/sh\n${hook}\n`, { mode: 0o755 });
    await world.work();

    expect((await shown(goalId)).status).toBe("complete");
    expect(await gitIn(path, "show", `cos/${goalId}:one.txt`)).toBe("y");
  });
});

it("several tasks that failed too often are all named, each with what was found first", async () => {
  await world.close();
  world = await testWorld({ policy: (policy) => ({ ...oneAttempt(policy), tasks: { ...policy.tasks, attempts: 1 } }) });
  const more = { run: "mkdir -p .cos; printf 'and\\nmore\\n' > .cos/task-feedback.md", quiet: true };
  const { goalId } = await loopGoal(
    world,
    taskList(["T1", "T2"], null),
    [
      { match: ["Check one task"], steps: [evidence("FAIL"), more] },
      work("T1", write("one.txt", "1\n")),
      work("T2", write("two.txt", "2\n")),
    ],
    { options: ["--parallel", "2"] },
  );
  await world.work();

  const { outcome } = valueOf<{ outcome: string }>(await world.command("goal", "show", goalId));
  expect(outcome).toContain("T1: - T1 holds: fails (a.txt:1)");
  expect(outcome).toContain("T2: - T2 holds: fails (a.txt:1)");
});

it("a check whose skills have gone since they were chosen is the one of one prompt", async () => {
  const skills = await mkdtemp(join(tmpdir(), "cos-skills-"));
  onTestFinished(() => rm(skills, { recursive: true, force: true }));
  await cp(join(projectDir, "skills"), skills, { recursive: true });
  await world.close();
  world = await testWorld({
    environment: { COS_SKILLS_DIR: skills },
    policy: (policy) => ({ ...policy, checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 } }),
  });
  const { goalId } = await loopGoal(world, taskList(["T1"], true), [
    {
      match: ["Check one task", "Follow these skills"],
      steps: [{ permission: { title: "Remove", command: "rm -rf build" } }, evidence("FAIL")],
    },
    {
      match: ["Check one task", "For every criterion find direct evidence", '"spec_check_layered"'],
      steps: [evidence("PASS")],
    },
    work("T1", write("one.txt", "1\n")),
  ]);
  await world.work();
  await rm(join(skills, "safe-shell-search"), { recursive: true });
  await workAndAllow(world);

  expect(await shown(goalId)).toMatchObject({ status: "complete", tasks: [{ id: "T1", attempts: 1 }] });
});
