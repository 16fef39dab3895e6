import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

/** Whoever reads a goal reads every word that people told its agent. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await agentRepository(world, [writes("a.txt", "blue\n")]);
});
afterEach(() => world.close());

it("a goal shows what Modify told its agent, all of it, with who said it", async () => {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Make it blue", "--tag", "ui"));
  await world.command("autopilot", "start");
  const { checkpointId } = valueOf<{ checkpointId: string }>(await world.command("goal", "show", goalId));
  const words = `a darker one, ${"as the sea is ".repeat(60)}at night`;
  valueOf(await world.as({ actor: "@bo" }, "modify", checkpointId, "--instructions", words));

  const shown = await world.command("goal", "show", goalId);

  expect(shown).toMatchObject({ value: { told: [{ by: "@bo", text: words }] } });
  const card = shown.type === "done" ? terminalLines(shown.card, "UTC").join(" ").replace(/\s+/g, " ") : "";
  expect(card).toMatch(/Told by @bo 2026-01-26 09:00: a darker one, as the sea is/);
  expect(card).toContain("as the sea is at night");
});
