import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

const run = promisify(execFile);

describe("the published Claude agent without a login", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it("leaves its goal blocked within 30 s, and says what is missing", async () => {
    world = await testWorld();
    const path = await world.repository();
    const packages = join(world.dataDir, "packages");
    const quietly = ["--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", ["install", "--prefix", packages, ...quietly, "@zed-industries/claude-agent-acp@0.23.1"]);
    // A home of its own: whoever runs this test may be logged in.
    const agent = `acp:env HOME=${packages} CLAUDE_CONFIG_DIR=${packages} ${join(packages, "node_modules/.bin/claude-agent-acp")}`;
    await world.command("repo", "add", path, "--setup", "", "--agent", agent);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Say hello"));
    await world.command("autopilot", "start");

    // No time limit comes due here: the agent says it itself.
    await world.work();

    const goal = valueOf<{ status: string; state: string; outcome: string }>(
      await world.command("goal", "show", goalId),
    );
    expect(goal).toMatchObject({ status: "blocked", state: "parked" });
    expect(goal.outcome).toMatch(/^agent needs login/);
  });
});
