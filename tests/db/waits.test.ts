import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDueGoals } from "../fakes/claim.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** What is due, after the clock was put back. */

const hourMs = 3_600_000;
let world: TestWorld;
let goalId: string;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  [goalId = ""] = await makeDueGoals(world, 1);
});
afterEach(() => world.close());

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const inMs = (ms: number) => new Date(world.deps.now().getTime() + ms);
function insert(table: string, row: Readonly<Record<string, unknown>>) {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  return query(
    `insert into cos.${table} (${Object.keys(row).join(", ")}) values (${places.join(", ")})`,
    Object.values(row),
  );
}

/** Each row that waits, five seconds from now where nothing else is said; `written`: when it says that this was. */
const kinds = {
  "a goal": (due: Date, written: Date) => query("update cos.goals set wake_at = $1, updated_at = $2", [due, written]),
  "a merge": (due: Date, written: Date) =>
    insert("merges", {
      goal_id: goalId,
      status: "due",
      into_branch: "main",
      head_commit: "c",
      requested_by: "@ben",
      requested_at: written,
      due_at: due,
    }),
  "answers to many questions": (due: Date, written: Date) =>
    insert("batches", {
      batch_id: "batch-1",
      choice: "proceed",
      status: "held",
      actor: "@ben",
      via: "cli",
      groups: "[]",
      asked_at: written,
      due_at: due,
    }),
  "a message that its platform takes later": async (due: Date, written: Date) => {
    await query("update cos.messages set posted_version = null, address = null, posted_at = null");
    await query("update cos.messages set not_before = $1, updated_at = $2", [due, written]);
  },
  "a pull request that is looked at": (due: Date) =>
    insert("pulls", {
      goal_id: goalId,
      provider: "github",
      host: "github.com",
      path: "a/b",
      state: "open",
      number: 1,
      created_at: due,
      due_at: due,
      checks_due_at: due,
    }),
  "a card that could not be drawn": (due: Date) =>
    insert("marks", { subject: "notice", id: "n", urgency: "now", not_before: due }),
} as const;
type Kind = keyof typeof kinds;
const columns: Readonly<Record<Kind, string>> = {
  "a goal": "wake_at as due from cos.goals",
  "a merge": "due_at as due from cos.merges",
  "answers to many questions": "due_at as due from cos.batches",
  "a message that its platform takes later": "not_before as due from cos.messages where is_wanting",
  "a pull request that is looked at": "least(due_at, checks_due_at) as due from cos.pulls",
  "a card that could not be drawn": "not_before as due from cos.marks where not_before is not null",
};
const dueTimes = async (kind: Kind) => [
  ...new Set(
    (await query(`select ${columns[kind]}`)).rows.map(({ due }) => due.getTime() - world.deps.now().getTime()),
  ),
];

describe("a due time that was written before the clock was put back", () => {
  const tellWhen = [
    "a goal",
    "a merge",
    "answers to many questions",
    "a message that its platform takes later",
  ] as const;
  it.each(tellWhen)("lies as far ahead as it did then: %s", async (kind) => {
    await kinds[kind](inMs(5_000), inMs(0));
    world.advance(-hourMs / 2);

    await world.tick();
    await world.tick();

    expect(await dueTimes(kind)).toEqual([5_000]);
  });

  const tellNotWhen = [
    "a merge",
    "a message that its platform takes later",
    "a pull request that is looked at",
    "a card that could not be drawn",
  ] as const;
  it.each(tellNotWhen)(
    "lies no further ahead than such a wait can, where its row does not say when it was written: %s",
    async (kind) => {
      await kinds[kind](inMs(5_000), inMs(-300 * hourMs));
      world.advance(-200 * hourMs);

      await world.tick();
      await world.tick();

      expect(await dueTimes(kind)).toEqual([hourMs]);
    },
  );

  it("is also that of a card which was shown then and has changed: it shows its progress at once", async () => {
    await query("update cos.messages set posted_version = 0, address = 'there', posted_at = $1", [inMs(0)]);
    world.advance(-hourMs / 2);

    await world.tick();

    const { rows } = await query("select distinct posted_at from cos.messages where is_wanting");
    expect(rows).toEqual([{ posted_at: world.deps.now() }]);
  });
});

describe("a due time, where the clock only goes on,", () => {
  it.each(Object.keys(kinds) as Kind[])("stays where it is: %s", async (kind) => {
    await kinds[kind](inMs(hourMs / 2), inMs(0));
    world.advance(60_000);

    await world.tick();

    expect(await dueTimes(kind)).toEqual([hourMs / 2 - 60_000]);
  });

  it("of a goal stays, however far away it is", async () => {
    await kinds["a goal"](inMs(200 * hourMs), inMs(0));

    await world.tick();

    expect(await dueTimes("a goal")).toEqual([200 * hourMs]);
  });
});
