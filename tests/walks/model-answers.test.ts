import { afterEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { remembered } from "../fakes/memory.ts";
import { type FakeModel, type ModelReply, startFakeModel } from "../fakes/model.ts";
import { agentRepository, fails, type Script } from "../fakes/scripted.ts";

/** Every use of a model over real HTTP, with every answer that is none: each ends as it is documented, and is paid. */

let model: FakeModel;
let world: TestWorld;
afterEach(async () => {
  await world.close();
  await model.close();
});

interface Bad {
  readonly reply: ModelReply;
  /** As it is kept (`model-failure.ts`). */
  readonly outcome: string;
  /** Micro-dollars: 1000 tokens in at $3 and 100 out at $15 a million are 4500 a call; a repair is another call. */
  readonly cost: number;
}

const answers: Readonly<Record<string, Bad>> = {
  malformed: { reply: { says: "hm" }, outcome: "malformed", cost: 9000 },
  truncated: { reply: { says: '{"approach": "th', finish: "length" }, outcome: "truncated", cost: 9000 },
  misshapen: { reply: { says: '{"something": {"else": 7}}' }, outcome: "malformed", cost: 9000 },
  refused: { reply: { refuses: "no" }, outcome: "refused", cost: 4500 },
  limited: { reply: { status: 429 }, outcome: "limited", cost: 0 },
};

async function open({ scripts, critics = "rules" }: Use, names: readonly string[], timeoutMs = 600_000): Promise<void> {
  model = await startFakeModel("hangs");
  world = await testWorld({
    environment: {
      COS_MODEL: "fake",
      COS_MODEL_URL: model.url,
      COS_MODEL_KEY: "sk-0123456789abcdef",
      COS_MODEL_PRICE: "3/15",
      COS_CRITICS: critics,
    },
    policy: (policy) => ({
      ...policy,
      model: { ...policy.model, retries: 0, timeoutMs },
      recovery: { ...policy.recovery, rungs: [1, 2, 3].map(() => ({ attempts: 1, backoffMs: 0 })) },
      ceilings: { ...policy.ceilings, dayMicroUsd: 1_000_000_000 },
    }),
  });
  await agentRepository(world, scripts(names));
}

async function goal(text: string, ...options: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options));
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

interface Shown {
  readonly status: string;
  readonly checkpointId: string | null;
  readonly attempts: readonly { readonly source: string | null }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const words = (result: CommandResult): string =>
  result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : result.reason;

/** The first question of that use, and what it was charged for. */
async function asked(use: string, about: string | null): Promise<unknown> {
  const { rows } = await world.deps.database.pool.query(
    `select c.use, c.outcome, s.amount_micro_usd::int as cost, s.is_estimated as "isAssumed"
     from cos.consultations c left join cos.spend s on s.call_id = c.consultation_id and s.kind = 'settled'
     where c.use = $1 and (c.goal_id = $2 or c.campaign_id = $2) order by c.at, c.consultation_id limit 1`,
    [use, about],
  );
  return rows[0];
}

/** What each use does with an answer that is none; returns the question's use and what paid for it. */
interface Use {
  /** Who judges work meanwhile; the rules when left away. */
  readonly critics?: "model" | "rules";
  readonly scripts: (names: readonly string[]) => readonly Script[];
  run(name: string, bad: Bad): Promise<{ readonly use: string; readonly about: string }>;
}

const writesIt: Script = { steps: [{ write: { path: "a.ts", content: "export const a = 1;\n" } }, { say: "Done." }] };
const failsWith = (what: string) => (names: readonly string[]) =>
  names.map((name) => ({ ...fails(`${what} ${name}`), match: [`Try ${name}`] }));

async function climb(): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) {
    world.advance(1000);
    await world.tick();
    await world.work();
  }
}

/** Prose that the grammar leaves to the model, under the question about a goal: nothing is decided by what was no answer. */
async function repliesTo(goalId: string, prose: string): Promise<void> {
  const { checkpointId } = await shown(goalId);
  const { replyId } = valueOf<{ replyId: string }>(await world.command("reply", checkpointId ?? "", prose));
  await world.tick();
  const { rows } = await world.deps.database.pool.query("select status from cos.replies where reply_id = $1", [
    replyId,
  ]);
  expect(rows).toEqual([{ status: "unclear" }]);
  expect(await shown(goalId)).toMatchObject({ status: "blocked", checkpointId });
  await world.command("goal", "skip", goalId);
}

const uses: Readonly<Record<string, Use>> = {
  plan: {
    scripts: () => [writesIt],
    async run(name) {
      const result = await world.command("campaign", "create", `Build ${name}`);
      expect(result).toMatchObject({ type: "refused", reason: expect.stringContaining("The model gave no plan") });
      const found = valueOf<{ campaignId: string; goal: string; state: string; days: unknown[] }[]>(
        await world.command("campaign", "list"),
      ).find((each) => each.goal === `Build ${name}`);
      expect(found).toMatchObject({ state: "planning", days: [] });
      return { use: "plan", about: found?.campaignId ?? "" };
    },
  },
  alternative: {
    scripts: failsWith("boom"),
    async run(name) {
      const goalId = await goal(`Try ${name}`);
      await climb();
      const { attempts, status } = await shown(goalId);
      // The built-in rule stands in, as long as it knows something that was not tried.
      expect(attempts.length).toBeGreaterThanOrEqual(2);
      for (const { source } of attempts) expect([null, "built-in rule"]).toContain(source);
      expect(status).toBe("blocked");
      await world.command("goal", "skip", goalId);
      return { use: "alternative", about: goalId };
    },
  },
  clarify: {
    scripts: failsWith("not found:"),
    async run(name) {
      const goalId = await goal(`Try ${name}`);
      await climb();
      const open = valueOf<{ goalId: string; kind: string }[]>(await world.command("checkpoints"));
      expect(open.find((each) => each.goalId === goalId)?.kind).toBe("clarify");
      await repliesTo(goalId, "👍");
      return { use: "reply", about: goalId };
    },
  },
  reply: {
    scripts: () => [writesIt],
    async run(name) {
      const goalId = await goal(`Change the screen for ${name}`, "--tag", "ui");
      await repliesTo(goalId, "honestly, nobody will miss this one");
      return { use: "reply", about: goalId };
    },
  },
  reflection: {
    scripts: () => [writesIt],
    async run(name) {
      const before = valueOf<unknown[]>(await world.command("episodes")).length;
      const goalId = await goal(`Try ${name}`);
      const found = await remembered(world, before + 1);
      const episode = found.find((each) => each.goalId === goalId);
      expect(episode?.reflectedBy).toBe("the built-in rule");
      return { use: "reflection", about: goalId };
    },
  },
  critic: {
    critics: "model",
    scripts: (names) =>
      names.map((name) => ({
        match: [`Try ${name}`],
        steps: [{ write: { path: `${name}.ts`, content: "export const a = 1;\n" } }, { say: "Done." }],
      })),
    async run(name, { outcome }) {
      const goalId = await goal(`Try ${name}`);
      const why = words(await world.command("why", goalId));
      if (outcome === "limited" || outcome === "timeout") {
        // Nothing was said of the work: it is looked at again later, and no agent works on it.
        expect(await shown(goalId)).toMatchObject({ status: "in_progress", checkpointId: null });
        expect(why).toContain("the critics' model could not be asked");
      } else expect(why).toContain(`critic failed: ${outcome} answer`);
      await world.command("goal", "skip", goalId);
      return { use: "critic", about: goalId };
    },
  },
};

describe("an answer of a model that is none", () => {
  it.each(Object.entries(uses))("ends as documented for: %s", async (_, use) => {
    await open(use, Object.keys(answers));
    for (const [name, bad] of Object.entries(answers)) {
      model.answer(bad.reply);
      const { use: kind, about } = await use.run(name, bad);
      const { outcome, cost } = bad;
      expect([name, await asked(kind, about)]).toEqual([name, { use: kind, outcome, cost, isAssumed: false }]);
    }
  });

  it.each(Object.entries(uses))("ends as documented when it does not come, for: %s", async (_, use) => {
    await open(use, ["slow"], 300);
    const { use: kind, about } = await use.run("slow", { reply: "hangs", outcome: "timeout", cost: 0 });
    const charged = await asked(kind, about);

    // The provider may have worked on it: the most that it may have cost is charged, and said to be assumed.
    expect(charged).toMatchObject({ use: kind, outcome: "timeout", isAssumed: true });
    expect((charged as { cost: number }).cost).toBeGreaterThan(0);
  });
});
