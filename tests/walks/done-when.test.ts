import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { agentRepository } from "../fakes/scripted.ts";

/** `goal add --done-when CMD`: a goal whose proof is one command, without a criteria file. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

// A fence, a quote and a line of YAML: the command is one command whatever is in it.
const command = `grep -q right a.txt && test "x: y" = 'x: y' # \`\`\` "`;

it("is verified by that command, after its feedback", async () => {
  await agentRepository(world, [
    { match: ["The system has verified your work"], steps: [{ write: { path: "a.txt", content: "right\n" } }] },
    { steps: [{ write: { path: "a.txt", content: "wrong\n" } }, { say: "Done." }] },
  ]);
  const added = await world.command("goal", "add", "Make a.txt right", "--done-when", command);
  const { goalId } = valueOf<{ goalId: string }>(added);
  expect(JSON.stringify(added)).toContain("grep -q right a.txt");
  valueOf(await world.command("autopilot", "start"));
  await world.work();

  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete", tag: "verified" });
  expect(await cardWords(world, goalId)).toContain("grep -q right a.txt");
  const { sessions } = valueOf<{ sessions: { sessionId: string }[] }>(await world.command("autopilot", "status"));
  expect(await cardWords(world, sessions[0]?.sessionId ?? "")).toContain("complete, verified");
});

it("goes with no criteria file, is not empty, and may stand in a list", async () => {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "c.md": "#### AC-1: x\n" });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
  const both = await world.command("goal", "add", "x", "--criteria", "c.md", "--done-when", "true");
  expect(both).toMatchObject({ type: "refused", reason: expect.stringContaining("cannot be combined") });
  const command = await world.command("goal", "add", "x", "--criteria", "npm test");
  expect(command).toMatchObject({ type: "refused", next: "cos goal add TEXT --done-when 'npm test'" });
  const outline = join(path, "plan.md");
  await writeFile(outline, "# P\n\n## M\n- Do it\n  - criteria: npm test\n  - run: echo a > b.txt\n");
  expect(await world.command("campaign", "create", "--from", outline)).toMatchObject({
    type: "refused",
    reason: expect.stringContaining("done-when: npm test") as string,
  });
  const empty = await world.command("goal", "add", "x", "--done-when", " ");
  expect(empty).toMatchObject({ type: "refused", reason: "--done-when is empty" });

  const list = join(path, "goals.yaml");
  await writeFile(list, '- text: Do it\n  done-when: "true"\n');
  const second = join(path, "second.yaml");
  await writeFile(second, "- text: Do it\n- text: And this\n  criteria: none.md\n");
  const missing = await world.command("goal", "add", "--from", second);
  expect(missing).toMatchObject({
    type: "refused",
    reason: expect.stringMatching(/^goal 2: the criteria file is not there/) as string,
  });
  const { goalIds } = valueOf<{ goalIds: string[] }>(await world.command("goal", "add", "--from", list));
  const kept = await world.deps.database.pool.query("select criteria from cos.goals where goal_id = $1", [goalIds[0]]);
  expect(kept.rows[0]?.criteria).toContain('command: "true"');
});

it("a criteria file is read back with what was read of it, and one with a slip is refused", async () => {
  const block = (command: string) => `\`\`\`yaml\nmethod: bash\ncommand: "${command}"\n\`\`\`\n`;
  const path = await makeRepository(join(world.dataDir, "person"), {
    "c.md": `#### AC-1: There\n${block("true")}\n#### AC-2: Never\n${block("false")}`,
    "slip.md": `#### AC-1: There\n${block("true")}\n#### AC-2 Never\n${block("false")}`,
    "words.md": "It looks good.\n",
  });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
  const added = await world.command("goal", "add", "x", "--criteria", "c.md");
  expect(JSON.stringify(added)).toContain("c.md (2 criteria: AC-1, AC-2)");
  const { goalId } = valueOf<{ goalId: string }>(added);
  const spec = await world.command("goal", "add", "x", "--spec", "c.md");
  expect(JSON.stringify(spec)).toContain("2 criteria: AC-1, AC-2");

  const refused = { type: "refused", reason: expect.stringContaining('slip.md:7: "AC-2 Never" begins like') };
  expect(await world.command("goal", "add", "x", "--criteria", "slip.md")).toMatchObject(refused);
  expect(await world.command("goal", "edit", goalId, "--criteria", "slip.md")).toMatchObject(refused);

  const words = await world.command("goal", "add", "y", "--criteria", "words.md");
  expect(JSON.stringify(words)).toContain("words.md (words only: nothing is run)");
  const edited = await world.command("goal", "edit", valueOf<{ goalId: string }>(words).goalId, "--criteria", "c.md");
  expect(JSON.stringify(edited)).toContain("c.md (2 criteria: AC-1, AC-2)");
});
