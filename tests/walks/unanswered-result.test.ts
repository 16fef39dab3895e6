import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";

/** A question about the result that nobody answers: the goal never goes on without an answer, however it is taken up again (D12, D28). */

const dayMs = 24 * 3_600_000;

let world: TestWorld;
let path: string;
beforeEach(async () => {
  world = await testWorld();
  path = await world.repository();
});
afterEach(() => world.close());

interface Question {
  readonly checkpointId: string;
  readonly context: string;
  readonly options: readonly { readonly label: string }[];
}

const open = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const statusOf = async (goalId: string): Promise<string> =>
  valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
const isPublished = async (goalId: string): Promise<boolean> =>
  (await gitIn(path, "for-each-ref", `refs/heads/cos/${goalId}`)) !== "";

async function asked(...criteria: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "quiet", "--run", "echo a > app.css", ...criteria),
  );
  await world.command("autopilot", "start");
  await world.work();
  expect((await open()).map(({ context }) => context)).toEqual([
    "The finished work changed user-facing files: app.css",
  ]);
  return goalId;
}

const ways: Readonly<Record<string, (goalId: string) => Promise<unknown>>> = {
  "whose deadline passes": async () => {
    world.advance(dayMs + 60_000);
    await world.tick();
  },
  "that is parked by a person": (goalId) => world.command("goal", "pause", goalId),
  "whose session is stopped": () => world.command("autopilot", "stop", "--now"),
};
const kinds: Readonly<Record<string, readonly string[]>> = {
  "without criteria": [],
  "with a criterion": ["--done-when", "test -s app.css"],
};
const cases = Object.keys(ways).flatMap((way) => Object.keys(kinds).map((kind) => ({ way, kind })));

describe.each(cases)("a goal $kind $way", ({ way, kind }) => {
  it("is asked about again before it is published, and is published once that is answered", async () => {
    const goalId = await asked(...(kinds[kind] ?? []));
    await ways[way]?.(goalId);
    expect(await open()).toEqual([]);

    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();

    const [question, ...others] = await open();
    expect(others).toEqual([]);
    expect(question?.context).toBe("The finished work changed user-facing files: app.css");
    expect({ status: await statusOf(goalId), isPublished: await isPublished(goalId) }).toEqual({
      status: "blocked",
      isPublished: false,
    });
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
    expect({ status: await statusOf(goalId), isPublished: await isPublished(goalId) }).toEqual({
      status: "complete",
      isPublished: true,
    });
  });
});

it("a goal that nobody has to be asked about any more is published when it is taken up again", async () => {
  const goalId = await asked();
  const [question] = await open();
  valueOf(await world.command("approve", question?.checkpointId ?? ""));
  valueOf(await world.command("goal", "pause", goalId));
  valueOf(await world.command("goal", "resume", goalId));
  await world.command("autopilot", "start");
  await world.work();

  expect(await open()).toEqual([]);
  expect({ status: await statusOf(goalId), isPublished: await isPublished(goalId) }).toEqual({
    status: "complete",
    isPublished: true,
  });
});
