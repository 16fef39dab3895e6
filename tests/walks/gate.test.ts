import { afterEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

interface Shown {
  status: string;
  checkpointId: string | null;
  branch: string | null;
  commit: string | null;
  outcome: string | null;
  evidence: { command: string; commit: string; sha256: string; outputFile: string; tag: string }[];
}

describe("a goal that changes the user interface", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it("asks, runs after Proceed, and leaves its commit on its own branch [S4-CK-07, S4-CK-09]", async () => {
    world = await testWorld();
    const path = await world.repository();
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", "echo blue > colour.txt", "--tag", "ui"),
    );

    await world.command("autopilot", "start");
    await world.work();
    const waiting = valueOf<Shown>(await world.command("goal", "show", goalId));
    expect(waiting.status).toBe("blocked");
    await world.command("approve", waiting.checkpointId ?? "");
    await world.work();

    const done = valueOf<Shown>(await world.command("goal", "show", goalId));
    expect(done).toMatchObject({ status: "complete", branch: `cos/${goalId}`, checkpointId: null });
    expect(await gitIn(path, "rev-parse", `cos/${goalId}`)).toBe(done.commit);
    expect(await gitIn(path, "show", `cos/${goalId}:colour.txt`)).toBe("blue");
    expect(done.evidence).toMatchObject([{ command: "echo blue > colour.txt", commit: done.commit, tag: "claimed" }]);
  });
});
