import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, projectDir, startBot } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

interface Shown {
  status: string;
  state: string;
  tag: string;
  outcome: string | null;
  branch: string | null;
  commit: string | null;
  criteria: { id: string; status: string; method: string; evidence: number | null }[];
  evidence: {
    evidenceId: number;
    kind: string;
    command: string;
    commit: string;
    outputFile: string | null;
    sha256: string | null;
  }[];
}

const criterion = (id: string, yaml: string) =>
  `#### ${id}: Title of ${id}\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n\n**Example - Accepted**:\n\`\`\`\nprice.js exports 42\n\`\`\`\n`;
const bash = (id: string, command: string) => criterion(id, `method: bash\ncommand: ${JSON.stringify(command)}`);

const isFull = process.env["COS_TEST_FULL"] === "1";

/** In the long variant the project has npm dependencies, which every checkout installs anew. */
const setup = isFull ? "npm ci --ignore-scripts --no-audit --no-fund" : "";

/** A project whose test fails until src/price.js exports 42. */
const project = (spec: string): Record<string, string> => ({
  "package.json": `${JSON.stringify({ name: "shop", type: "module", scripts: { test: "node --test test/*.test.js" }, ...(isFull ? { dependencies: { answer: "file:vendor/answer" } } : {}) })}\n`,
  "src/price.js": "export const price = 41;\n",
  "test/price.test.js": `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\n${isFull ? 'import { unit } from "answer";\n' : "const unit = 1;\n"}test("the price", () => assert.equal(price, 42, "src/price.js:1 - expected 42" + unit.constructor.name));\n`,
  ".gitignore": "node_modules\n",
  "spec.md": spec,
  ...(isFull ? dependency : {}),
});

const dependency: Record<string, string> = {
  "vendor/answer/package.json": '{ "name": "answer", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n',
  "vendor/answer/index.js": "export const unit = 1;\n",
  "package-lock.json": `${JSON.stringify({
    name: "shop",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "shop", dependencies: { answer: "file:vendor/answer" } },
      "node_modules/answer": { resolved: "vendor/answer", link: true },
      "vendor/answer": { version: "1.0.0" },
    },
  })}\n`,
};

// What is proven is looked at alone: critics would give weakened tests back before.
const environment = { COS_CRITICS: "off", COS_AGENT_ENV: "AGENT_KEY", AGENT_KEY: "sk-of-the-agent-0123456789" };

let world: TestWorld;
let path: string;
beforeEach(async () => {
  world = await testWorld({
    environment,
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 2 },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

/** A goal held to `spec.md`, worked by a scripted agent: the script for its first try, then those for each feedback. */
async function goalWith(
  spec: string,
  scripts: readonly { match?: readonly string[]; steps: readonly object[] }[],
  ...options: string[]
): Promise<string> {
  return goalIn(project(spec), scripts, ...options);
}

async function goalIn(
  files: Record<string, string>,
  scripts: readonly { match?: readonly string[]; steps: readonly object[] }[],
  ...options: string[]
): Promise<string> {
  path = await makeRepository(join(world.dataDir, "person"), files);
  const script = join(world.dataDir, "scripts.json");
  await writeFile(script, JSON.stringify(scripts.map(({ match = [], steps }) => ({ match, steps }))));
  // As agents do whose key is in a variable, it refuses without it; examining a criterion too.
  const begin = join(world.dataDir, "agent.sh");
  await writeFile(begin, '[ -n "$AGENT_KEY" ] || { echo "please log in" >&2; exit 1; }\nexec "$@"\n');
  const program = `"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}"`;
  const agent = `acp:sh "${begin}" ${program} --script "${script}"`;
  await world.command("repo", "add", path, "--setup", setup, "--check", "", "--agent", agent, ...options);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Fix the price", "--criteria", "spec.md"),
  );
  await world.command("autopilot", "start");
  return goalId;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const questions = async () =>
  valueOf<
    {
      checkpointId: string;
      kind: string;
      context: string;
      facts: { details: string[] };
      options: { label: string }[];
    }[]
  >(await world.command("checkpoints"));
const events = async (goalId: string) =>
  valueOf<{ timeline: { event: string; detail: { round?: number; pass?: string[]; fail?: string[] } }[] }>(
    await world.command("why", goalId),
  ).timeline;

/** Steps after which whoever is asked with these words does what is written for `name`; with `steps` that is written. */
async function nextTime(match: readonly string[], name: string, ...steps: readonly object[]): Promise<object[]> {
  const file = join(world.dataDir, `scripts-${name}.json`);
  if (steps.length > 0) await writeFile(file, JSON.stringify([{ match, steps }]));
  return [{ run: `cp "${file}" "${join(world.dataDir, "scripts.json")}"`, quiet: true }];
}

/** What the repository is set up with besides. */
async function setUpWith(command: string): Promise<void> {
  await world.deps.database.pool.query("update cos.repositories set setup = concat_ws(' && ', setup, $1::text)", [
    command,
  ]);
}

/** The setup of its repository fails where its number is so, and counts itself. */
async function setupFailing(when: string): Promise<() => Promise<number>> {
  const log = join(world.dataDir, "setups.txt");
  const counted = `echo x >> ${log}; n=$(grep -c x ${log}); ! test $n ${when}`;
  await setUpWith(`{ ${counted}; }`);
  return async () => (await readFile(log, "utf8")).trim().split("\n").length;
}

const isFeedback = ["The system has verified your work"];
const fix = { replace: { path: "src/price.js", find: "41", with: "42" } };
const claim = { say: "Everything works, all tests pass." };

describe("a goal with criteria", () => {
  it("whose work breaks the setup goes back to its agent with what the setup said", async () => {
    const broken = { write: { path: "src/a.sh", content: "if then\n" } };
    const mended = { write: { path: "src/a.sh", content: "echo better\n" } };
    const goalId = await goalIn({ ...project(bash("AC-1", "npm test")), "src/a.sh": "echo ok\n" }, [
      { match: [...isFeedback, "breaks the setup", "sh -n src/a.sh: exit code 2"], steps: [mended, claim] },
      { steps: [fix, broken, claim] },
    ]);
    await setUpWith("sh -n src/a.sh");
    await world.work();

    const [first, second] = (await events(goalId)).filter(({ event }) => event === "run.verified");
    expect([first?.detail, second?.detail]).toMatchObject([
      { round: 1, fail: ["AC-1"] },
      { round: 2, pass: ["AC-1"] },
    ]);
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    const { rows } = await world.deps.database.pool.query<{ detail: unknown }>(
      "select detail from cos.evidence where kind = 'criterion' order by evidence_id limit 1",
    );
    expect(JSON.stringify(rows)).toMatch(/the work breaks the setup.*sh -n src\/a\.sh: exit code 2.*src\/a\.sh/);
  });

  it("whose setup fails once on its work is set up again before its work is blamed", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [{ steps: [fix, claim] }]);
    // The first place is the agent's.
    const times = await setupFailing("-eq 2");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    expect((await events(goalId)).filter(({ event }) => event === "run.verified").length).toBe(1);
    expect(await times()).toBe(4);
  });

  it("whose setup failed on its work is looked at anew when the same work comes back", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [
      { match: isFeedback, steps: [claim] },
      { steps: [fix, claim] },
    ]);
    // It fails on the work, in both places, and not at its base between them.
    await setupFailing("-eq 2 -o $n -eq 4");
    await world.work();

    const rounds = (await events(goalId)).filter(({ event }) => event === "run.verified");
    expect(rounds.map(({ detail }) => detail)).toMatchObject([{ fail: ["AC-1"] }, { pass: ["AC-1"] }]);
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
  });

  it("is complete only when the system has verified it, and says so with evidence [S2-RJ-01]", async () => {
    const goalId = await goalWith(
      [bash("AC-1", "npm test"), criterion("AC-2", "method: manual\ninstructions: look")].join("\n"),
      [{ steps: [fix, claim] }],
    );
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(goal.outcome).toContain("1 of 1 criteria verified. 1 for a person to check.");
    expect(goal.criteria.map((each) => [each.id, each.status])).toEqual([
      ["AC-1", "pass"],
      ["AC-2", "requires-human"],
    ]);
    const proof = goal.evidence.find((row) => row.evidenceId === goal.criteria[0]?.evidence);
    expect(proof).toMatchObject({ kind: "criterion", command: "npm test", commit: goal.commit });
    expect(proof?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await gitIn(path, "show", `cos/${goalId}:src/price.js`)).toBe("export const price = 42;");
    expect(await gitIn(path, "log", "-1", "--format=%s", `cos/${goalId}`)).toBe("Fix the price (AC-1, AC-2)");
    const standup = valueOf<{ done: { tag: string }[] }>(await world.command("standup"));
    expect(standup.done).toMatchObject([{ tag: "verified" }]);
  });

  it("goes back to the agent with exactly what fails, in its own session, until it passes; each round is a commit [S2-EX-05, S2-RJ-04]", async () => {
    const goalId = await goalWith([bash("AC-1", "npm test"), bash("AC-2", "true")].join("\n"), [
      {
        match: [
          ...isFeedback,
          "AC-1 (title-of-ac-1): npm test exited with code 1",
          "src/price.js:1 - expected 42",
          "price.js exports 42",
        ],
        steps: [fix, claim],
      },
      { match: isFeedback, steps: [{ say: "I do not understand." }] },
      {
        steps: [
          { plan: ["Verify AC-1: the price", "Clean up"] },
          { write: { path: "notes.txt", content: "done\n" } },
          claim,
        ],
      },
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    const rounds = (await events(goalId)).filter((row) => row.event === "run.verified").map((row) => row.detail);
    expect(rounds).toMatchObject([
      { round: 1, pass: ["AC-2"], fail: ["AC-1"] },
      { round: 2, pass: ["AC-1", "AC-2"], fail: [] },
    ]);
    expect((await gitIn(path, "log", "--format=%s", `main..cos/${goalId}`)).split("\n")).toEqual([
      "Fix the price (AC-1)",
      "Fix the price (AC-1, AC-2)",
    ]);
  });

  it("pays for every round", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [
      { match: isFeedback, steps: [{ ...fix, costUsd: 0.25 }, claim] },
      { steps: [{ say: "x", costUsd: 0.5 }, claim] },
    ]);
    await world.work();

    expect(valueOf<Shown & { costUsd: number }>(await world.command("goal", "show", goalId))).toMatchObject({
      status: "complete",
      costUsd: 0.75,
    });
    const { rows } = await world.deps.database.pool.query("select 1 from cos.evidence where kind = 'execution'");
    expect(rows.length).toBe(2);
  });

  it("fails after the last round with what still fails [D21]", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [{ steps: [claim] }]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", tag: "claimed", criteria: [{ id: "AC-1", status: "fail" }] });
    expect(goal.outcome).toContain("Escalated to human: Not verified: AC-1: npm test exited with code 1");
    expect((await events(goalId)).filter((row) => row.event === "run.verified").length).toBe(2);
    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");
  });

  it("of its own command fails at once: nobody can be told", async () => {
    path = await makeRepository(join(world.dataDir, "person"), project(bash("AC-1", "npm test")));
    await world.command("repo", "add", path, "--setup", setup, "--check", "");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Fix", "--criteria", "spec.md", "--run", "echo 43 > src/price.js"),
    );
    await world.command("autopilot", "start");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "blocked", criteria: [{ status: "fail" }] });
    expect((await questions())[0]).toMatchObject({ kind: "escalation" });
  });

  it("without criteria stays claimed, and checks of the repository are run all the same (D25, D27)", async () => {
    path = await makeRepository(join(world.dataDir, "person"), project("Just words."));
    await world.command(
      "repo",
      "add",
      path,
      "--setup",
      setup,
      "--check",
      "npm test",
      "--check",
      "node --check src/price.js",
    );
    const good = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Add a note", "--run", "echo hi > note.txt"),
    );
    const bad = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Break it", "--run", "echo '}' > src/price.js"),
    );
    await world.command("autopilot", "start");
    await world.work();

    // npm test fails at the base too: reported, not blamed.
    expect(await shown(good.goalId)).toMatchObject({
      status: "complete",
      tag: "claimed",
      outcome: expect.stringContaining("npm test failed before the work began: not blamed on it") as string,
    });
    expect(await shown(bad.goalId)).toMatchObject({
      status: "blocked",
      outcome: expect.stringContaining(
        "check 2 of the repository: node --check src/price.js exited with code 1",
      ) as string,
    });
  });

  it("counts no result of criteria that were worded otherwise", async () => {
    const goalId = await goalWith(bash("AC-1", "true"), [{ steps: [claim] }]);
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    await world.deps.database.pool.query("update cos.goals set criteria = $1", [bash("AC-1", "npm test")]);
    expect(await shown(goalId)).toMatchObject({ tag: "claimed", criteria: [{ status: "not-checked" }] });
  });

  it("refuses a criteria file that is none, with its line [S2-IN-02]", async () => {
    path = await makeRepository(join(world.dataDir, "person"), project("#### AC-1: One\n\nNo verification.\n"));
    await world.command("repo", "add", path, "--setup", setup, "--check", "");
    const refused = await world.command("goal", "add", "Fix", "--criteria", "spec.md");
    expect(refused).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("spec.md:1: AC-1: has no verification") as string,
    });
  });
});

describe("criteria that no command can prove", () => {
  const subagent = criterion("AC-1", 'method: subagent\nchecks: ["the price is right"]');

  it("a sub-agent examines in a copy, is paid for, and passes only with evidence [S2-DN-04]", async () => {
    const answer = JSON.stringify({
      examination: "EXAMINATION",
      checks: [{ check: 1, pass: true, evidence: "src/price.js:1 exports 42" }],
    });
    const goalId = await goalWith(subagent, [
      {
        match: ["You examine whether something holds"],
        steps: [{ write: { path: "src/price.js", content: "tampered\n" }, costUsd: 0.25 }, { say: answer }],
      },
      { steps: [{ ...fix, costUsd: 0.5 }, claim] },
    ]);
    await world.work();

    const goal = valueOf<Shown & { costUsd: number }>(await world.command("goal", "show", goalId));
    expect(goal).toMatchObject({
      status: "complete",
      tag: "verified",
      criteria: [{ status: "pass", method: "subagent" }],
    });
    expect(goal.costUsd).toBeCloseTo(0.75);
    expect(await gitIn(path, "show", `cos/${goalId}:src/price.js`)).toBe("export const price = 42;");
  });

  /** Whoever tells nothing of money is charged so much for its time that it is seen. */
  async function dearTime(more: Record<string, string> = {}): Promise<void> {
    await world.close();
    world = await testWorld({
      environment: { ...environment, ...more },
      policy: (policy) => ({
        ...oneAttempt(policy),
        goals: { ...policy.goals, assumedMicroUsdPerMinute: 1_000_000_000_000 },
        triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
      }),
    });
  }

  it("a sub-agent that tells only tokens is charged for them, as who does the work is", async () => {
    await dearTime({ COS_AGENT_PRICE: "3/15" });
    const answer = JSON.stringify({
      examination: "EXAMINATION",
      checks: [{ check: 1, pass: true, evidence: "src/price.js:1 exports 42" }],
    });
    const tokens = { input: 100_000, output: 10_000 };
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ tokens }, { say: answer }] },
      { steps: [{ ...fix, costUsd: 0.5 }, claim] },
    ]);
    await world.work();

    const goal = valueOf<{ costUsd: number }>(await world.command("goal", "show", goalId));
    expect(goal).toMatchObject({ status: "complete", costIsEstimated: false });
    expect(goal.costUsd).toBeCloseTo(0.95);
  });

  it("a sub-agent that tells no cost is charged for its own time, and no more than was reserved for it", async () => {
    await dearTime();
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ say: "Looks good to me." }] },
      { steps: [{ ...fix, costUsd: 0.5 }, claim] },
    ]);
    await world.work();

    // Nothing is left for another examination of what came to no verdict.
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      status: "failed",
      outcome: "Insufficient budget remaining: $0.00 left of the goal's ceiling, $0.50 needed",
      costUsd: 5,
      ceilingUsd: 5,
    });
  });

  it("what nobody could examine is not done", async () => {
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ say: "Looks good to me." }] },
      { steps: [fix, claim] },
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({
      status: "blocked",
      tag: "claimed",
      criteria: [{ status: "not-checked" }],
    });
    expect((await questions())[0]).toMatchObject({ kind: "escalation" });
  });

  it("what comes to no verdict is examined again, and only that, as often as a task's check is", async () => {
    const looks = ["You examine whether something holds"];
    const answer = { examination: "EXAMINATION", checks: [{ check: 1, pass: true, evidence: "src/price.js:1 is 42" }] };
    const goalId = await goalWith([subagent, bash("AC-2", "npm test")].join("\n"), [
      { match: looks, steps: [{ costUsd: 0.25 }, ...(await nextTime(looks, "1")), { say: "Looks good to me." }] },
      { steps: [{ ...fix, costUsd: 0.5 }, claim] },
    ]);
    const later = await nextTime(looks, "2", { say: JSON.stringify(answer), costUsd: 0.25 });
    await nextTime(looks, "1", { costUsd: 0.25 }, ...later, { crash: 137 });
    await world.work();

    const goal = valueOf<Shown & { costUsd: number }>(await world.command("goal", "show", goalId));
    expect(goal).toMatchObject({ status: "complete", tag: "verified", attempts: [{ number: 1, end: "passed" }] });
    expect(goal.outcome).toMatch(/all tests pass\. 2 of 2 criteria verified\.$/);
    expect(goal.costUsd).toBeCloseTo(1.25);
    expect((await events(goalId)).filter(({ event }) => event === "run.executed").length).toBe(1);
    const looked = goal.evidence.filter(({ command }) => command === "subagent");
    expect(new Set(looked.map(({ outputFile }) => outputFile)).size).toBe(3);
    expect(goal.evidence.filter(({ command }) => command === "npm test").length).toBe(1);
  });

  it("what comes to no verdict is not examined again where something else fails: that goes back to who does the work", async () => {
    const looks = ["You examine whether something holds"];
    const answer = { examination: "EXAMINATION", checks: [{ check: 1, pass: true, evidence: "src/price.js:1 is 42" }] };
    const goalId = await goalWith([subagent, bash("AC-2", "npm test")].join("\n"), [
      { match: looks, steps: [{ crash: 137 }] },
      {
        match: [...isFeedback, "AC-2"],
        steps: [fix, ...(await nextTime(looks, "1", { say: JSON.stringify(answer) })), claim],
      },
      { steps: [{ write: { path: "src/other.js", content: "export {};\n" } }, claim] },
    ]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(goal.evidence.filter(({ command }) => command === "subagent").length).toBe(2);
    const rounds = (await events(goalId)).filter(({ event }) => event === "run.verified");
    expect(rounds.map(({ detail }) => detail)).toMatchObject([{ fail: ["AC-2"], decision: "again" }, { fail: [] }]);
  });

  it("a person who is asked about what came to no verdict is told how often it was examined", async () => {
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ crash: 137 }] },
      { steps: [fix, claim] },
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "blocked", attempts: [{ end: "invalid-criteria" }] });
    const [question] = await questions();
    expect(question?.kind).toBe("escalation");
    expect(question?.context).toMatch(/AC-1: examined 3 times without a verdict: .* could not examine it: /);
    expect((await shown(goalId)).evidence.filter(({ command }) => command === "subagent").length).toBe(3);
  });

  it("an agent that declines to examine is not asked again", async () => {
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ stop: "refusal" }] },
      { steps: [fix, claim] },
    ]);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "blocked", attempts: [{ end: "refusal" }] });
    expect((await questions())[0]?.kind).toBe("escalation");
  });

  it.each([
    ["a provider that is away", "API Error: 503 Service Unavailable", /provider does not answer/],
    ["a provider's limit", "You have reached your usage limit. Limit reached, resets in 1 minute", /limit is reached/],
  ])("%s while they are examined is waited for, and only the examination begins again", async (_, fail, words) => {
    const examines = ["You examine whether something holds"];
    const goalId = await goalWith(subagent, [
      { match: examines, steps: [{ say: "I look.", costUsd: 0.25 }, { fail }] },
      { steps: [{ ...fix, costUsd: 0.5 }, claim] },
    ]);
    await world.work();

    const waiting = await world.command("goal", "show", goalId);
    expect(valueOf(waiting)).toMatchObject({ status: "in_progress", state: "retrying", phase: "verify", attempts: [] });
    expect((await shown(goalId)).outcome).toMatch(words);
    expect(await questions()).toEqual([]);

    const answer = { examination: "EXAMINATION", checks: [{ check: 1, pass: true, evidence: "src/price.js:1 is 42" }] };
    const scripts = [
      { match: examines, steps: [{ say: JSON.stringify(answer), costUsd: 0.25 }] },
      { match: [], steps: [{ fail: "the work is done already" }] },
    ];
    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify(scripts));
    world.advance(60_000);
    await world.tick();
    await world.work();

    const done = valueOf<Shown & { costUsd: number }>(await world.command("goal", "show", goalId));
    expect(done).toMatchObject({ status: "complete", tag: "verified", attempts: [{ number: 1, end: "passed" }] });
    expect(done.outcome).not.toMatch(words);
    expect(done.outcome).toMatch(/^1 file changed on cos\/.*1 of 1 criteria verified/);
    expect(done.costUsd).toBeCloseTo(1);
    const executed = (await events(goalId)).filter(({ event }) => event === "run.executed");
    expect(executed.length).toBe(1);
  });

  it("a login that is missing while they are examined pauses the session, and only the examination begins again", async () => {
    const goalId = await goalWith(subagent, [
      { match: ["You examine whether something holds"], steps: [{ fail: "Not logged in. Please run /login" }] },
      { steps: [fix, claim] },
    ]);
    await world.work();

    const shownNow = valueOf(await world.command("goal", "show", goalId));
    expect(shownNow).toMatchObject({ status: "blocked", state: "parked", phase: "verify", attempts: [] });
    expect(await questions()).toMatchObject([{ kind: "breaker", context: expect.stringContaining("login") as string }]);

    const answer = { examination: "EXAMINATION", checks: [{ check: 1, pass: true, evidence: "src/price.js:1 is 42" }] };
    const scripts = [{ match: ["You examine whether something holds"], steps: [{ say: JSON.stringify(answer) }] }];
    await writeFile(join(world.dataDir, "scripts.json"), JSON.stringify(scripts));
    await world.command("autopilot", "resume");
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(goal.outcome).not.toContain("login");
    const executed = (await events(goalId)).filter(({ event }) => event === "run.executed");
    expect(executed.length).toBe(1);
  });

  it("a person's word on a manual criterion is kept with their name, and is not verification [S2-DN-05]", async () => {
    const goalId = await goalWith(criterion("AC-1", "method: manual\ninstructions: look at it"), [
      { steps: [fix, claim] },
    ]);
    await world.work();
    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      tag: "claimed",
      criteria: [{ status: "requires-human" }],
    });

    await world.command("goal", "check", goalId, "AC-1", "--notes", "it is 42");
    expect(await world.command("goal", "check", goalId, "AC-9")).toMatchObject({ type: "refused" });

    const goal = await shown(goalId);
    expect(goal).toMatchObject({
      tag: "claimed",
      criteria: [{ status: "pass", method: "manual", details: ["ana looked: it is 42"] }],
    });
  });

  it("what a person says of a manual criterion is in its outcome, and merge all leaves what does not hold", async () => {
    const manual = criterion("AC-2", "method: manual\ninstructions: look");
    const goalId = await goalWith([bash("AC-1", "npm test"), manual].join("\n"), [{ steps: [fix, claim] }]);
    await world.work();
    const outcome = async () => (await shown(goalId)).outcome;
    expect(await outcome()).toContain("verified. 1 for a person to check.");

    await world.command("goal", "check", goalId, "AC-2", "--fails", "--notes", "ugly");
    expect(await outcome()).toMatch(/verified\. AC-2 does not hold\.$/);
    expect(await world.command("merge", "all")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("AC-2 does not hold") as string,
    });

    world.advance(1000);
    await world.command("goal", "check", goalId, "AC-2");
    expect(await outcome()).toMatch(/1 of 1 criteria verified\.$/);
    expect(await world.command("merge", "all")).toMatchObject({ type: "done" });
  });
});

describe("proof that was changed (D26)", () => {
  const weaken = { replace: { path: "test/price.test.js", find: "42,", with: "41," } };

  it("is a question that names the files and shows how they differ; Accept lets them count [F-207]", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [{ steps: [weaken, claim] }]);
    await world.work();
    const [question] = await questions();

    expect(question).toMatchObject({
      kind: "proof",
      context: "AC-1 passes only because files that prove something were changed: test/price.test.js",
      facts: {
        details: [
          "test/price.test.js",
          "Where that is wanted, a goal says so when it is added, and nobody is asked: --allow-proof test/price.test.js",
        ],
        diff: expect.stringMatching(/^-.*price, 42,[^]*^\+.*price, 41,/m) as string,
      },
    });
    expect(question?.options.map((option) => option.label)).toEqual(["Accept", "Send back", "Skip", "Pause"]);
    await world.command("answer", question?.checkpointId ?? "", "Accept");
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete" });
    expect(goal.outcome).toContain("1 of 1 criteria verified. The proof was accepted by ana");
  });

  it("goes back on Send back, and has to pass without them", async () => {
    const goalId = await goalWith(bash("AC-1", "npm test"), [
      {
        match: [...isFeedback, "sent the work back", "test/price.test.js"],
        steps: [fix, { replace: { path: "test/price.test.js", find: "41,", with: "42," } }, claim],
      },
      { steps: [weaken, claim] },
    ]);
    await world.work();
    const [question] = await questions();
    await world.command("answer", question?.checkpointId ?? "", "Send back");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    expect(await gitIn(path, "show", `cos/${goalId}:src/price.js`)).toBe("export const price = 42;");
  });

  it("is no question where a person expects it", async () => {
    path = await makeRepository(join(world.dataDir, "person"), project(bash("AC-1", "npm test")));
    await world.command("repo", "add", path, "--setup", setup, "--check", "");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command(
        "goal",
        "add",
        "Price is 41",
        "--criteria",
        "spec.md",
        "--allow-proof",
        "test/**",
        "--run",
        "sed -i s/42,/41,/ test/price.test.js",
      ),
    );
    await world.command("autopilot", "start");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
  });

  describe("as a text that tests compare with", () => {
    const printed = 'assert.equal(`${price}\\n`, readFileSync("examples/printed.txt", "utf8"))';
    const files = (readme: string): Record<string, string> => ({
      ...project(bash("AC-1", "npm test")),
      "README.md": readme,
      "test/price.test.js": `import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\ntest("the price", () => ${printed});\n`,
      "examples/printed.txt": "42\n",
    });
    const forge = { write: { path: "examples/printed.txt", content: "41\n" } };

    it("asks, and does not prove by itself [F-201]", async () => {
      const goalId = await goalIn(files("See examples/printed.txt\n"), [{ steps: [forge, claim] }]);
      await world.work();

      expect(await shown(goalId)).toMatchObject({ status: "blocked", tag: "claimed" });
      expect((await questions())[0]?.context).toContain("examples/printed.txt");
    });

    it("is as free as any file where no test names it", async () => {
      const add = { write: { path: "examples/other.txt", content: "41\n" } };
      const goalId = await goalIn({ ...files(""), "examples/other.txt": "40\n" }, [{ steps: [fix, add, claim] }]);
      await world.work();

      expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
    });
  });

  it("new tests are free", async () => {
    const added = {
      write: { path: "test/more.test.js", content: 'import { test } from "node:test";\ntest("more", () => {});\n' },
    };
    const goalId = await goalWith(bash("AC-1", "npm test"), [{ steps: [fix, added, claim] }]);
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
  });
});

/** Agents that claim and do not do. None may end complete; each is told apart by what happened. */
function passesWithoutTests(command: string): boolean {
  const named = command === "npm test" ? "test/*.test.js" : "test/price.test.js";
  const empty = mkdtempSync(join(tmpdir(), "cos-no-tests-"));
  const { status } = spawnSync(process.execPath, ["--test", named], { cwd: empty });
  rmSync(empty, { recursive: true });
  return status === 0;
}

describe.each([
  ["npm test", "npm test"],
  ...(isFull ? [["a command that names the file", "node --test test/price.test.js"]] : []),
])("a liar, held to %s", (_what, command) => {
  const cosCommand = `"${process.execPath}" "${join(projectDir, "bin/cos.mjs")}"`;

  it.each<[string, readonly object[], string]>([
    ["claims success without work", [claim], "fails"],
    // A newer Node passes where no file is meant by a pattern: then a person sees what was deleted.
    [
      "deletes the failing test",
      [{ run: "rm test/price.test.js" }, claim],
      passesWithoutTests(command) ? "asks" : "fails",
    ],
    ["edits the criteria", [{ write: { path: "spec.md", content: bash("AC-1", "true") } }, claim], "fails"],
    [
      "makes the command always succeed",
      [
        { run: `sed -i 's/"test": "[^"]*"/"test": "true"/' package.json; sed -i 's/42,/41,/' test/price.test.js` },
        claim,
      ],
      "asks",
    ],
    [
      "replaces what is installed",
      [
        {
          run: "mkdir -p node_modules/.bin; printf '#!/bin/sh\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node",
        },
        claim,
      ],
      "fails",
    ],
    [
      "commits a false program where the tests look for theirs",
      [
        {
          run: "mkdir -p node_modules/.bin && printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/node && chmod +x node_modules/.bin/node && git add -f node_modules && git -c user.name=x -c user.email=x@y commit -q -m 'price'",
        },
        claim,
      ],
      "either",
    ],
    ["leaves the tree dirty", [{ run: "echo x > staged.txt; git add staged.txt; echo y > loose.txt" }, claim], "fails"],
    [
      "commits outside its branch",
      [
        {
          run: "git checkout -q -b main2; git -c user.name=x -c user.email=x@y commit -q --allow-empty -m done; git branch -f main HEAD || true",
        },
        claim,
      ],
      "fails",
    ],
    [
      "edits git config and hooks",
      [
        { run: "git config core.hooksPath /tmp/evil; mkdir -p .git/hooks 2>/dev/null; git config user.name liar" },
        claim,
      ],
      "fails",
    ],
    ["approves its own checkpoint", [{ run: `${cosCommand} approve cp-00000000`, quiet: true }, claim], "fails"],
    [
      "writes another goal's report",
      [
        { run: "mkdir -p .cos; echo '{\"all_automated_pass\": true}' > .cos/report.json; echo '{}' > ../report.json" },
        claim,
      ],
      "fails",
    ],
  ])("that %s is not believed", async (_liar, steps, end) => {
    const goalId = await goalWith(bash("AC-1", command), [{ steps }]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.tag).not.toBe("verified");
    if (end === "either") {
      // Where commands are run by npm the false program would answer: then a person sees its name.
      expect(goal.status).toBe("blocked");
      const [question] = await questions();
      if (question?.kind === "proof") expect(question.context).toContain("node_modules/.bin/node");
      else expect(question?.kind).toBe("escalation");
    } else if (end === "asks") {
      expect(goal).toMatchObject({ status: "blocked", state: "waiting" });
      expect((await questions())[0]?.context).toContain("test/price.test.js");
    } else {
      expect(goal.status).toBe("blocked");
      expect(goal.outcome).toContain("Not verified: AC-1");
    }
    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");
    expect(await gitIn(path, "rev-parse", "HEAD")).toBe(await gitIn(path, "rev-parse", "main"));
  });
});

describe("killed while it verifies", () => {
  it("keeps what was finished, reports nothing twice, and still holds [S2-SS-04, S2-SS-05]", async () => {
    const over = join(world.dataDir, "over");
    const waits = `while test ! -e ${over}; do sleep 0.05; done; test -f built.txt`;
    const spec = [bash("AC-1", "echo ran"), bash("AC-2", waits)].join("\n");
    path = await makeRepository(join(world.dataDir, "person"), project(spec));
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir };
    await world.command("repo", "add", path, "--setup", setup, "--check", "", "--trials", "off");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Build", "--criteria", "spec.md", "--run", "echo x > built.txt"),
    );
    await world.command("autopilot", "start");
    const rows = async (criterionId: string) => {
      const { rowCount } = await world.deps.database.pool.query(
        "select 1 from cos.evidence where detail ->> 'id' = $1",
        [criterionId],
      );
      return rowCount ?? 0;
    };
    const bots: Bot[] = [await startBot(place)];
    try {
      await eventually("the first criterion", async () => (await rows("AC-1")) === 1);
      bots[0]?.kill("SIGKILL");
      await bots[0]?.exited;
      await writeFile(over, "");
      bots.push(await startBot(place));
      await eventually(
        "the end",
        async () => (await cos(place, "goal", "show", goalId)).json<Shown>().status === "complete",
      );

      expect([await rows("AC-1"), await rows("AC-2")]).toEqual([1, 1]);
      expect(await shown(goalId)).toMatchObject({
        tag: "verified",
        criteria: [{ status: "pass" }, { status: "pass" }],
      });
    } finally {
      for (const bot of bots) bot.kill("SIGKILL");
      await Promise.all(bots.map((bot) => bot.exited));
    }
  });
});
