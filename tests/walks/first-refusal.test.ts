import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** Somebody tries it from a script, without a terminal: refused. Whether the channel tells of it depends on who it can have been. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const unknown = { origin: { type: "unknown", why: "no-terminal" } } as const;

async function notices(): Promise<number> {
  await world.deps.project();
  const { rows } = await world.deps.database.pool.query("select 1 from cos.messages where subject like 'refused.%'");
  return rows.length;
}

it("a refusal is told to the channel once an agent can have called, and before to its caller alone [F-104]", async () => {
  const first = await world.as(unknown, "sample");
  const before = await notices();
  await world.repository();
  await world.command("goal", "add", "Make it blue", "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  const later = await world.as(unknown, "autopilot", "stop");

  expect([first.type, before]).toEqual(["refused", 0]);
  expect([later.type, await notices()]).toEqual(["refused", 1]);
});
