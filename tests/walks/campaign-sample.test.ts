import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

it("the sample's plan runs to its end with the scripted agent, every goal verified and its proof tried", async () => {
  const world = await testWorld({
    policy: (policy) => ({ ...policy, verification: { ...policy.verification, trials: true } }),
  });
  try {
    const path = join(world.dataDir, "sample");
    await cp(join(projectDir, "examples/sample-repo"), path, { recursive: true });
    await gitIn(path, "init", "--quiet", "--initial-branch=main");
    await gitIn(path, "add", "--all");
    await gitIn(path, "commit", "--quiet", "--message", "Start");
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}"`;
    await world.command("repo", "add", path, "--setup", "", "--check", "npm test", "--agent", agent);

    const plan = join(projectDir, "examples/sample-repo/plan.md");
    valueOf(await world.command("campaign", "create", "--from", plan, "--budget", "5"));
    const campaign = campaignIn(world);
    await campaign.answer("Start");
    await campaign.settle();
    await campaign.pass(24);
    await campaign.answer("Proceed");
    await campaign.settle();
    await campaign.pass(24);

    const [done] = valueOf<{ state: string; spentUsd: number; days: { goals: { tag: string }[] }[] }[]>(
      await world.command("campaign", "list"),
    );
    expect(done).toMatchObject({ state: "completed", spentUsd: 0.35 });
    expect(done?.days.flatMap((day) => day.goals.map((goal) => goal.tag))).toEqual([
      "verified",
      "verified",
      "verified",
    ]);
  } finally {
    await world.close();
  }
});
