import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir, runNode } from "../fakes/bot.ts";

it("the bench of the ladder brings goals through what a machine can mend, and retries nothing else", async () => {
  const ran = await runNode({ databaseUrl: "", dataDir: "" }, [
    join(projectDir, "node_modules/tsx/dist/cli.mjs"),
    join(projectDir, "bench/recovery.ts"),
    "--goals",
    "10",
    "--json",
  ]);

  const { kinds, repeatedOnRung2 } = ran.json<{
    kinds: { kind: string; goals: number; withoutHuman: number; retriedThoughFinal: number }[];
    repeatedOnRung2: number;
  }>();
  expect(kinds.filter((each) => each.retriedThoughFinal > 0)).toEqual([]);
  expect(repeatedOnRung2).toBe(0);
  expect(ran.code, ran.stderr).toBe(0);
  expect(kinds.filter((each) => each.withoutHuman === 1).map((each) => each.kind)).toEqual([
    "transient",
    "systematic",
    "stubborn",
    "crash",
    "limit",
  ]);
  expect(kinds.every((each) => each.goals === 1)).toBe(true);
});
