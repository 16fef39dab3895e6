import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { scriptedAgent, type Script, working } from "../fakes/scripted.ts";

/** `cos agent test`: what an agent can do, found by letting it do something trivial. */

let world: TestWorld;
afterEach(() => world.close());

interface Tried {
  readonly failure: string | null;
  readonly edits: boolean;
  readonly asks: boolean;
  readonly tells: string;
  readonly costMicroUsd: number | null;
  readonly resumes: boolean;
  readonly counting: string | null;
  readonly stop: { readonly leftProcesses: number } | null;
  readonly cost: { readonly amountMicroUsd: number; readonly isEstimated: boolean } | null;
}

/** Every trial's lines in the ledger, in the order of their prompts. */
async function charged(): Promise<{ goal: string | null; amount: number; estimated: boolean }[]> {
  const { rows } = await world.deps.database.pool.query(
    "select goal_id as goal, amount_micro_usd::int as amount, is_estimated as estimated from cos.spend where kind = 'settled' order by call_id",
  );
  return rows;
}

async function tried(scripts: readonly Script[], ...words: string[]): Promise<{ value: Tried; words: string }> {
  world = await testWorld();
  const line = await scriptedAgent(world.dataDir, scripts);
  return await tryLine(line, ...words);
}

async function tryLine(line: string, ...words: string[]): Promise<{ value: Tried; words: string }> {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", line, ...words));
  const result = await world.command("agent", "test", "--repo", "person");
  if (result.type === "refused") throw new Error(result.reason);
  return { value: valueOf<Tried>(result), words: JSON.stringify(result.card) };
}

describe("cos agent test", () => {
  it("says of an agent that works that it edits, asks, says its cost, resumes and stops [F-304]", async () => {
    const { value, words } = await tried(working);

    expect(value).toMatchObject({
      failure: null,
      edits: true,
      asks: true,
      tells: "cost",
      costMicroUsd: 20_000,
      resumes: true,
      counting: "anew",
      stop: { leftProcesses: 0 },
    });
    expect(words).toContain("It can continue a session");
    expect(readdirSync(join(world.dataDir, "agent-tests"))).toEqual([]);
    // The third was cut before it said anything: it is charged by the minute.
    const [one, two, three] = await charged();
    expect([one, two]).toEqual([
      { goal: null, amount: 20_000, estimated: false },
      { goal: null, amount: 1_000, estimated: false },
    ]);
    expect(three).toMatchObject({ goal: null, estimated: true });
    expect(value.cost).toEqual({ amountMicroUsd: 21_000 + (three?.amount ?? 0), isEstimated: true });
    expect(words).toContain("This trial cost $0.0");
  });

  it("charges nothing for a trial of an agent at a flat rate [F-304]", async () => {
    const { value, words } = await tried(working, "--billing", "flat");

    expect(value).toMatchObject({ failure: null, tells: "cost", cost: null });
    expect(await charged()).toEqual([]);
    expect(words).toContain("no dollar is called spent");
  });

  it("stops an agent that tells nothing of the command that it has asked about [F-304]", async () => {
    const { value } = await tried([
      { match: ["no real task"], steps: [{ write: { path: "hello.txt", content: "hello\n" } }] },
      { match: ["Use no tool"], steps: [{ say: "hello" }] },
      { match: ["wait for its end"], steps: [{ permission: { title: "Wait", command: "true" } }, { hang: true }] },
    ]);

    expect(value).toMatchObject({ failure: null, stop: { leftProcesses: 0 } });
  });

  it("says what an agent cannot that asks nobody, says no cost and has done nothing [F-304]", async () => {
    const { value, words } = await tried([
      { match: ["wait for its end"], steps: [{ run: "sleep 300" }] },
      { steps: [{ say: "Done." }] },
    ]);

    expect(value).toMatchObject({ failure: null, edits: false, asks: false, tells: "nothing", costMicroUsd: null });
    expect(words).toContain("answers, and has changed no file");
    expect(words).toContain("hello.txt is not there");
    expect(words).toContain("asks nobody before it runs a command");
    expect(words).toContain("--billing flat");
  });

  it("says why an agent does not begin, and names what is missing [F-304]", async () => {
    world = await testWorld();
    const { value, words } = await tryLine(
      `acp:${process.execPath} -e "console.error('log in first'); process.exit(3)"`,
    );

    expect(value.failure).not.toBe(null);
    expect(words).toContain("does not work yet");
    expect(words).toContain("log in first");
    // Who did not begin costs nothing, and nothing is learnt of it.
    expect(await charged()).toEqual([]);
    expect((await world.deps.database.pool.query("select 1 from cos.agents")).rows).toEqual([]);
    const refused = await world.command("agent", "test", "--repo", "nobody");
    expect(refused).toMatchObject({ type: "refused", next: "cos repo list" });
  });
});

it("the doctor says what the agent answered to initialize, and prompts nobody; of one that is silent, why [F-304]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cos-doctor-"));
  try {
    const prompted = join(folder, "prompted");
    const line = await scriptedAgent(folder, [{ steps: [{ run: `touch ${prompted}` }] }]);
    world = await testWorld({ environment: { COS_AGENT: line } });
    const says = await agentSays();
    await world.close();
    world = await testWorld({ environment: { COS_AGENT: `acp:${process.execPath} -e "process.exit(3)"` } });

    expect(says).toMatchObject({ ok: true, says: expect.stringContaining("answers: scripted-agent 1.0.0") });
    expect(existsSync(prompted)).toBe(false);
    expect(await agentSays()).toMatchObject({
      ok: false,
      says: expect.stringContaining("it ended before it answered"),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function agentSays(): Promise<object | undefined> {
  const findings = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));
  return findings.find(({ name }) => name === "agent");
}
