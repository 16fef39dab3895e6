import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readReplies } from "../../jobs/read-replies.ts";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { taught } from "../fakes/memory.ts";
import { type FakeModel, startFakeModel } from "../fakes/model.ts";
import { makeRepository } from "../fakes/repository.ts";

let model: FakeModel;
let world: TestWorld;
beforeEach(async () => {
  model = await startFakeModel();
  world = await testWorld({
    environment: {
      COS_MODEL: "fake",
      COS_MODEL_URL: model.url,
      COS_MODEL_KEY: "sk-0123456789abcdef",
      COS_MODEL_PRICE: "3/15",
    },
    policy: (policy) => ({ ...policy, model: { ...policy.model, retries: 0 } }),
  });
});
afterEach(async () => {
  await world.close();
  await model.close();
});

async function goal(scripts: readonly object[], ...options: string[]): Promise<string> {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note", ...options));
  await world.command("autopilot", "start");
  return goalId;
}

async function climb(times: number): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

const fails = { match: [], steps: [{ say: "boom sk-0123456789abcdef" }, { stop: "max_tokens" }] };
const writes = (...match: string[]) => ({
  match,
  steps: [{ write: { path: "note.txt", content: "x\n" } }, { say: "Done." }],
});
const idea = { says: JSON.stringify({ approach: "use the bus", instruction: "Publish on the bus of src/events." }) };
const kept = async () =>
  (
    await world.deps.database.pool.query(
      "select use, outcome, prompt_version, model, cost_micro_usd::int as cost, answer from cos.consultations where use <> 'reflection' order by at",
    )
  ).rows;
interface Shown {
  status: string;
  costUsd: number;
  costIsEstimated: boolean;
  attempts: { approach: string; source: string; end: string }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

describe("the alternative of rung 2", () => {
  it("comes from the model, which is told what past runs taught, is kept with its prompt's version, and is paid by the goal", async () => {
    model.answer(idea);
    const goalId = await goal([writes("Publish on the bus of src/events."), fails]);
    await taught(world, "Write the note", "Nothing was heard before it was published.");
    await climb(8);

    const done = await shown(goalId);
    expect(done.status).toBe("complete");
    expect(done.attempts.at(-1)).toMatchObject({
      approach: "use the bus",
      source: "fake, alternative-3",
      end: "passed",
    });
    expect(await kept()).toMatchObject([
      { use: "alternative", outcome: "answered", prompt_version: "alternative-3", model: "fake", cost: 4500 },
    ]);
    expect(done.costUsd).toBeGreaterThanOrEqual(0.0045);
    expect(JSON.stringify(model.requests)).not.toContain("sk-0123456789abcdef");
    const prompt = model.requests[0]?.messages.at(-1)?.content ?? "";
    expect(prompt).toContain("as asked: work.");
    expect(prompt).toContain("```lessons\n1. “Write the note” was done. Nothing was heard before it was published.\n");
  });

  it("comes from the table when the model gives none, or names what was tried", async () => {
    model.answer(
      { status: 500 },
      { says: JSON.stringify({ approach: "As asked!", instruction: "Do the same thing again." }) },
    );
    const goalId = await goal([fails]);
    await climb(10);

    const sources = (await shown(goalId)).attempts.map((each) => each.source);
    expect(sources.slice(3, 5)).toEqual(["built-in rule", "built-in rule"]);
    expect((await kept()).map((row) => (row as { outcome: string }).outcome)).toEqual(["unreachable", "answered"]);
  });

  it("is not asked for when the goal's ceiling leaves too little for the question", async () => {
    model.answer(idea);
    const goalId = await goal([{ match: [], steps: [{ costUsd: 1.66 }, { stop: "max_tokens" }] }]);
    await climb(8);

    const asked = model.requests.filter((each) => JSON.stringify(each).includes("ONE alternative approach"));
    expect(asked).toEqual([]);
    expect((await kept())[0]).toMatchObject({ outcome: "over-budget", cost: 0 });
    expect((await shown(goalId)).attempts.length).toBeGreaterThanOrEqual(3);
  });
});

describe("a reply that the grammar cannot read", () => {
  it("is read by the model, once by however many, read back, and confirmed", async () => {
    model.answer(idea, idea, {
      says: JSON.stringify({ decision: "skip", instruction: null, budget_usd: null, question_back: null }),
    });
    const goalId = await goal([fails]);
    await climb(12);
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const read = valueOf<{ became: string; replyId: string }>(
      await world.command("reply", asked?.checkpointId ?? "", "honestly, nobody will miss this one"),
    );
    expect(world.rung).toContain("read-replies");
    expect((await world.command("confirm", read.replyId)).type).toBe("refused");
    await Promise.all([readReplies(world.deps), world.tick(), readReplies(world.deps)]);

    valueOf(await world.command("confirm", read.replyId));

    expect(await shown(goalId)).toMatchObject({ status: "deferred" });
    const replies = (await kept()).filter((row) => (row as { use: string }).use === "reply");
    expect(replies).toMatchObject([{ use: "reply", prompt_version: "reply-3", outcome: "answered" }]);
  });

  it("asks back when the model does not know either", async () => {
    model.answer(idea, idea, { says: "hm" });
    await goal([fails]);
    await climb(12);
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const read = valueOf<{ replyId: string }>(await world.command("reply", asked?.checkpointId ?? "", "who knows"));
    await world.tick();

    const { rows } = await world.deps.database.pool.query("select status from cos.replies where reply_id = $1", [
      read.replyId,
    ]);
    expect(rows).toEqual([{ status: "unclear" }]);
  });
});
