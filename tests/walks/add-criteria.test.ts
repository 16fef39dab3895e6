import { afterEach, describe, expect, it } from "vitest";
import { consoleWorld } from "../fakes/console.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { gitIn } from "../fakes/repository.ts";

/** A goal that was only claimed is proven afterwards (D27, F-213). */

let world: TestWorld;
afterEach(() => world.close());

const criterion = (id: string, command: string): string =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: "${command}"\n\`\`\`\n`;

interface Shown {
  readonly status: string;
  readonly tag: string;
  readonly runId: string;
  readonly branch: string;
  readonly criteria: { id: string; status: string; exitCode: number | null }[];
  readonly checks: { command: string; status: string; exitCode: number | null }[];
  readonly evidence: {
    kind: string;
    command: string;
    outcome: string;
    runBySystem: boolean;
    exitCode: number | null;
  }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));

/** A goal without criteria, complete and claimed. */
async function claimed(...options: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write it", ...options));
  await world.command("autopilot", "start");
  await world.work();
  expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "claimed" });
  return goalId;
}

describe("criteria that are added to a complete goal", () => {
  it("prove its work as it lies; what does not hold goes back to its agent [F-213]", async () => {
    world = await testWorld();
    const path = await agentRepository(world, [
      { match: ["AC-2"], steps: [{ write: { path: "two.txt", content: "2\n" } }, { say: "Done." }] },
      writes("one.txt", "1\n"),
    ]);
    const goalId = await claimed();
    const before = await gitIn(path, "rev-parse", `cos/${goalId}`);
    expect(await cardWords(world, goalId)).toContain("Add criteria");

    valueOf(await world.command("goal", "prove", goalId, "--criteria-text", criterion("AC-1", "test -f one.txt")));
    await world.work();

    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      tag: "verified",
      criteria: [{ id: "AC-1", status: "pass", exitCode: 0 }],
    });
    expect(await gitIn(path, "rev-parse", `cos/${goalId}`)).toBe(before);
    expect(await cardWords(world, goalId)).not.toContain("Add criteria");

    const both = `${criterion("AC-1", "test -f one.txt")}\n${criterion("AC-2", "test -f two.txt")}`;
    valueOf(await world.command("goal", "prove", goalId, "--criteria-text", both));
    await world.work();
    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      tag: "verified",
      criteria: [{ status: "pass" }, { status: "pass" }],
    });
    expect(await gitIn(path, "show", `cos/${goalId}:two.txt`)).toBe("2");
  });

  it("are one command, as when a goal is added", async () => {
    world = await testWorld();
    await agentRepository(world, [writes("one.txt", "1\n")]);
    const goalId = await claimed();
    expect(await cardWords(world, goalId)).toContain(`  - Add criteria: cos goal prove ${goalId} --done-when CMD`);
    const twice = ["--done-when", "test -f one.txt", "--criteria", "spec.md"];
    await expect(world.command("goal", "prove", goalId, ...twice)).rejects.toThrow(
      /^--done-when is given instead of --criteria/,
    );

    valueOf(await world.command("goal", "prove", goalId, "--done-when", "grep -q 1 one.txt"));
    await world.work();
    expect(await shown(goalId)).toMatchObject({ tag: "verified", criteria: [{ status: "pass" }] });
  });

  it("are refused where they are none, where the goal is not complete, and once it is merged", async () => {
    world = await testWorld();
    await agentRepository(world, [writes("one.txt", "1\n")]);
    const waiting = valueOf<{ goalId: string }>(await world.command("goal", "add", "Later"));
    const early = await world.command("goal", "prove", waiting.goalId, "--criteria-text", criterion("AC-1", "true"));
    await world.command("goal", "skip", waiting.goalId);
    const goalId = await claimed();
    const words = await world.command("goal", "prove", goalId, "--criteria-text", "It is fast.");
    const none = await world.command("goal", "prove", goalId);
    const both = ["--criteria", "a.md", "--criteria-text", criterion("AC-1", "true")];
    await expect(world.command("goal", "prove", goalId, ...both)).rejects.toThrow("give one of them");
    const broken = await world.command("goal", "prove", goalId, "--criteria-text", "#### AC-1: One\n\nNothing.\n");
    await world.command("goal", "merge", goalId);
    const merging = await world.command("goal", "prove", goalId, "--criteria-text", criterion("AC-1", "true"));

    expect(early).toMatchObject({
      type: "refused",
      reason: `${waiting.goalId} is not complete: pending`,
      next: `cos goal edit ${waiting.goalId} --criteria PATH`,
    });
    expect(words).toMatchObject({
      reason: "no criterion is in it that anybody could run or check",
      next: expect.stringMatching(/^write "#### AC-1: TITLE" .*: cos goal prove goal-\w+ --done-when CMD$/) as string,
    });
    const next = expect.stringMatching(/^cos goal prove goal-\w+ --criteria PATH$/) as string;
    expect(none).toMatchObject({ reason: "no criteria were given", next });
    expect(broken).toMatchObject({ reason: expect.stringContaining("AC-1: has no verification") as string });
    expect(merging).toMatchObject({ reason: `the branch of ${goalId} is about to be merged` });
    expect((await shown(goalId)).tag).toBe("claimed");
  });

  it("are typed into a form of the goal's card in the console, which comes back with what is wrong [F-213]", async () => {
    const page = await consoleWorld();
    world = page;
    await agentRepository(world, [writes("one.txt", "1\n")]);
    const goalId = await claimed();
    const html = await (await page.get(`/goals/${goalId}`)).text();
    const call = JSON.stringify({ command: "goal prove", id: goalId });
    expect(html).toContain("Add criteria");
    expect(html).toContain('name="criteria"');

    const wrong = await page.post("/answer", { call, choice: "prove", back: "/", criteria: "nowhere.md" });
    const right = await page.post("/answer", { call, choice: "prove", back: "/", criteria: criterion("AC-1", "true") });
    await world.work();

    expect([wrong.status, (await wrong.text()).includes("nowhere.md")]).toEqual([422, true]);
    expect(right.status).toBe(303);
    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "verified" });
  });
});

describe("what evidence says", () => {
  it("is passed, failed or not run, with its exit code and who ran it, of criteria and checks alike [F-208]", async () => {
    const page = await consoleWorld();
    world = page;
    await agentRepository(world, [writes("one.txt", "1\n")]);
    await world.deps.database.pool.query(`update cos.repositories set checks = '["test -f a.txt", "exit 3"]'`);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write it"));
    await world.command("autopilot", "start");
    await world.work();
    valueOf(
      await world.command(
        "goal",
        "prove",
        goalId,
        "--criteria-text",
        `${criterion("AC-1", "test -f one.txt")}\n#### AC-2: By eye\n\n**Verification**:\n\`\`\`yaml\nmethod: subagent\nchecks: ["it reads well"]\n\`\`\`\n`,
      ),
    );
    await world.work();

    const { criteria, checks, evidence } = await shown(goalId);
    const of = (command: string) => evidence.filter((row) => row.command === command).at(-1);
    expect(criteria[0]).toMatchObject({ id: "AC-1", status: "pass", exitCode: 0 });
    expect(checks).toMatchObject([
      { command: "test -f a.txt", status: "pass", exitCode: 0 },
      { command: "exit 3", status: "fail", exitCode: 3 },
    ]);
    expect(of("test -f one.txt")).toMatchObject({ result: "passed", exitCode: 0, runBySystem: true });
    expect(of("exit 3")).toMatchObject({ result: "failed", exitCode: 3, runBySystem: true });
    expect(of("subagent")).toMatchObject({ result: "not run", outcome: "not run", exitCode: null, runBySystem: false });
    expect(evidence.find((row) => row.kind === "execution")).toMatchObject({ outcome: "passed", runBySystem: false });
    const html = await (await page.get(`/goals/${goalId}`)).text();
    expect(html).toContain("<th>Came to</th><th>Exit code</th><th>Run by</th>");
    for (const who of ["the system", "its agent", "nobody yet"]) expect(html).toContain(`<td>${who}</td>`);
    expect(html).not.toContain("Backed as");
  });

  it("of checks that passed stands on the card of a goal without criteria, with what it shows and what not [F-209]", async () => {
    world = await testWorld();
    await agentRepository(world, [writes("one.txt", "1\n")]);
    await world.deps.database.pool.query(`update cos.repositories set checks = '["test -f a.txt", "exit 3"]'`);
    const goalId = await claimed();

    const card = await cardWords(world, goalId);
    expect(card).toContain("passed test -f a.txt (exit code 0), a check of the repository");
    expect(card).toContain("failed exit 3 (exit code 3), a check of the repository, as before the work began");
    expect(card).toContain(
      "no acceptance criterion was run; test -f a.txt passed: what that tests still holds, not that the goal is reached",
    );
  });
});

it("a repository that was removed is not worked, and nothing is merged there, from an old card", async () => {
  world = await testWorld();
  const path = await agentRepository(world, [writes("one.txt", "1\n")]);
  const goalId = await claimed();
  const [{ name }] = valueOf<[{ name: string }]>(await world.command("repo", "list"));
  valueOf(await world.command("repo", "remove", name));

  const refused = {
    type: "refused",
    reason: expect.stringContaining("was removed") as string,
    next: expect.stringContaining(`cos repo add ${path}`) as string,
  };
  const criteria = criterion("AC-1", "true");
  expect(await world.command("goal", "prove", goalId, "--criteria-text", criteria)).toMatchObject(refused);
  expect(await world.command("goal", "merge", goalId)).toMatchObject(refused);
  expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "claimed" });
});
