import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignIn } from "../fakes/campaign.ts";
import { oneAttempt, type TestWorld, testWorld } from "../fakes/deps.ts";

const criteria = (command: string): string =>
  `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: ${command}\npass_condition: exit code 0\n\`\`\`\n`;

let world: TestWorld;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld({ policy: oneAttempt });
  await world.repository({
    "README.md": "x\n",
    "ac/a.md": criteria("test -f a.txt"),
    "ac/b.md": criteria("test -f b.txt"),
  });
});
afterEach(() => world.close());

const twoDays = `# Two files

## First
- write a
  - run: echo a > a.txt
  - criteria: ac/a.md
  - day: 1

## Second
- write b
  - run: echo b > b.txt
  - criteria: ac/b.md
  - day: 2
`;

describe("a campaign", () => {
  it("is planned, approved, worked day by day and completed", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create(twoDays);

    expect(id).toMatch(/^camp-[0-9a-f]{8}$/);
    expect(await campaign.status()).toMatchObject({
      state: "planning",
      currentDay: 1,
      totalBudgetUsd: 50,
      dailyBudgetUsd: 15,
    });
    await campaign.settle();
    expect((await campaign.status()).days.map((day) => day.status)).toEqual(["pending", "pending"]);

    await campaign.answer("Start");
    await campaign.settle();
    let now = await campaign.status();
    expect(now.days.map((day) => [day.date, day.status])).toEqual([
      ["2026-01-26", "done"],
      ["2026-01-27", "pending"],
    ]);
    expect(now.milestones.map((each) => each.status)).toEqual(["done", "pending"]);

    await campaign.pass(24);
    now = await campaign.status();
    expect(now).toMatchObject({ state: "paused", currentDay: 2 });
    const asked = await campaign.answer("Proceed");
    expect(asked).toMatchObject({ kind: "milestone", goalId: `milestone-${id}-ms-2`, triggers: ["scope_change"] });
    await campaign.settle();

    now = await campaign.status(id);
    expect(now).toMatchObject({ state: "completed", progress: 1, endReason: "Every milestone is done." });
    expect(now.days.flatMap((day) => day.goals.map((goal) => goal.tag))).toEqual(["verified", "verified"]);
  });
});
