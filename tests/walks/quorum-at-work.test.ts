import { afterEach, beforeEach, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository } from "../fakes/scripted.ts";

/** Several people have to agree to what an agent asks while it waits for them, and to what one of them changes. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    environment: { COS_QUORUM: "hiccup=2;ux=2", COS_PEOPLE: "ana=console:ana;ben=console:ben;cy=console:cy" },
  });
});
afterEach(() => world.close());

interface Asked {
  readonly checkpointId: string;
  readonly version: number;
}

function by(name: string, ...words: string[]): Promise<CommandResult> {
  const person = { type: "person", by: { type: "process" } } as const;
  const session = { name, account: `console:${name}` };
  return world.as({ actor: name, via: "console", origin: person, session }, ...words);
}

async function rows<Row extends object>(sql: string): Promise<Row[]> {
  return (await world.deps.database.pool.query<Row>(sql)).rows;
}

it("a change while the agent waits for it voids the votes, cuts its turn, and it begins again with the change", async () => {
  const asking = { permission: { title: "Clean up", command: "rm -rf build && touch cleaned.txt" } };
  await agentRepository(world, [
    { match: ["keep the maps"], steps: [{ write: { path: "maps.txt", content: "kept\n" } }, asking, { say: "Done." }] },
    { steps: [{ write: { path: "a.txt", content: "b\n" } }, asking, { say: "Done." }] },
  ]);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Tidy up", "--repo", "person"));
  await world.command("autopilot", "start", "--repo", "person");
  const open = async () => valueOf<Asked[]>(await world.command("checkpoints"))[0];
  const working = world.work();
  const asked = await eventually("the agent asks", open);

  expect(await by("ana", "approve", asked.checkpointId)).toMatchObject({ type: "done", value: { status: "pending" } });
  const [held] = await rows<{ leased_by: string | null }>("select leased_by from cos.goals");
  const changed = await by("cy", "modify", asked.checkpointId, "--instructions", "keep the maps");

  expect(held?.leased_by).not.toBeNull();
  expect(changed).toMatchObject({ type: "done", value: { version: 2, status: "pending" } });
  // The agent that began again asks for the same; nobody has voted for that yet.
  await eventually("the agent asks again, with the change", async () =>
    (await rows("select 1 from cos.timeline where event = 'agent.first-action'")).length > 1 ? true : undefined,
  );
  const anew = await eventually("the question of now", open);
  await by("ana", "approve", anew.checkpointId);
  expect(await rows("select 1 from cos.decisions where settles")).toEqual([]);
  expect(await rows("select 1 from cos.grants")).toEqual([]);
  await by("ben", "approve", anew.checkpointId);
  await working;
  await world.work();

  const goal = valueOf<{ status: string; instructions: { text: string }[] }>(
    await world.command("goal", "show", goalId),
  );
  expect(goal).toMatchObject({ status: "complete", instructions: [{ text: "keep the maps" }] });
  expect(await rows("select actor from cos.decisions where settles")).toEqual([{ actor: "ben" }]);
  expect(await rows("select person, version from cos.votes order by vote_id")).toMatchObject([
    { person: "ana", version: 1 },
    { person: "ana" },
    { person: "ben" },
  ]);
});

it("what one of them changed is open as long as whatever is asked: the others are not left ten minutes", async () => {
  const hour = 3_600_000;
  await agentRepository(world, [{ steps: [{ write: { path: "a.txt", content: "b\n" } }, { say: "Done." }] }]);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Rename it", "--repo", "person", "--tag", "ui"),
  );
  await world.command("autopilot", "start", "--repo", "person");
  await world.work();
  const id = valueOf<Asked[]>(await world.command("checkpoints"))[0]?.checkpointId ?? "";

  world.advance(23 * hour + 50 * 60_000);
  const changed = await by("ana", "modify", id, "--instructions", "call it Buy");
  expect(changed).toMatchObject({ type: "done", value: { version: 2, status: "pending" } });
  world.advance(23 * hour);
  await world.tick();
  await by("ana", "approve", id);
  await by("ben", "approve", id);
  await world.work();

  expect(await rows(`select status, resolved_by from cos.checkpoints where checkpoint_id = '${id}'`)).toEqual([
    { status: "approved", resolved_by: "ana, ben" },
  ]);
  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
});
