import { afterEach, beforeEach, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

/** The tour of a newcomer, clicked and written at the console: a question, a recovery, an escalation reply, the week. */

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
});
afterEach(() => world.close());

const read = async (path: string): Promise<string> => await (await world.get(path)).text();

/** The titles of the steps that are done. */
async function done(): Promise<string[]> {
  const page = await read("/");
  return [...page.matchAll(/<li><strong>(?:<a[^>]*>)?([^<]*)(?:<\/a>)?<\/strong> <span class="state">done/g)].flatMap(
    ([, title]) => title ?? [],
  );
}

/** An agent that is stuck is tried again after some seconds each time, until a person is asked. */
async function settle(times = 1): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
  await world.deliver();
}

interface Asked {
  readonly checkpointId: string;
  readonly version: number;
  readonly goalId: string;
}

it("goes through a question, a recovery and a reply to an escalation, and costs next to nothing [F-501]", async () => {
  await world.post("/command", { text: "/sample", back: "/" });
  await settle();
  expect(await done()).toEqual([]);
  for (const { checkpointId, version } of valueOf<Asked[]>(await world.command("checkpoints")))
    await world.post("/answer", { id: `${checkpointId}.${version}`, choice: "proceed", back: "/" });
  await settle();
  const afterQuestions = await done();
  const [, offered] = /name="text" value="(\/sample --trouble)"/.exec(await read("/")) ?? [];
  await world.post("/command", { text: offered ?? "", back: "/" });
  await settle(12);
  const afterTrouble = await done();
  const [asked] = valueOf<Asked[]>(await world.command("checkpoints"));
  const said = await world.post("/reply", {
    id: asked?.checkpointId ?? "",
    text: "retry: use src/notify.js",
    back: "/",
  });
  await settle();
  const page = await read(said.headers.get("location")?.split("#")[0] ?? "");
  await world.post("/answer", { id: /rp-[0-9a-f]+/.exec(page)?.[0] ?? "", choice: "confirm", back: "/" });
  await settle(2);

  expect([afterQuestions, afterTrouble, await done()]).toEqual([
    ["A question"],
    ["A question", "A recovery"],
    ["A question", "A recovery", "An escalation, and your reply"],
  ]);
  const goals = valueOf<{ status: string; costUsd: number }[]>(await world.command("goals"));
  expect(goals.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "complete"));
  // A call that was cut short is charged for its time, whatever it said: thousandths of a dollar.
  expect(goals.slice(0, 3).map(({ costUsd }) => costUsd)).toEqual([0, 0, 0]);
  for (const { costUsd } of goals.slice(3)) expect(costUsd).toBeLessThan(0.05);
  expect(await read("/weekly")).toContain("Healed without a human: 1 of ");
  await world.repository();
  expect(await read("/")).not.toContain("The tour");
});
