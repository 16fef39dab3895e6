import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventDetails } from "../../src/core/events/event.ts";
import { type TestWorld, valueOf } from "./deps.ts";
import { projectDir } from "./bot.ts";
import { makeRepository } from "./repository.ts";

/** Goals with tasks, worked by an agent that follows scripts. */

/** What the agent does for a prompt in which all of these words occur. */
export interface Script {
  readonly match: readonly string[];
  readonly steps: readonly object[];
}

export const write = (file: string, content: string): object => ({ write: { path: file, content } });

/** What a check leaves when the first criterion of its task got this verdict, shown at a line that exists. */
export const evidenceOf = (verdict: string): string =>
  JSON.stringify({ criteria: [{ criterion: "1", verdict, evidence: [{ ref: "a.txt:1", confidence: 0.9 }] }] });
export const evidence = (verdict: string): object => write(".cos/evidence.json", evidenceOf(verdict));

/** The work on a task, and its check. */
export const work = (id: string, ...steps: readonly object[]): Script => ({
  match: ["Implement one task", `\n${id}: `],
  steps,
});
export const check = (id: string, ...steps: readonly object[]): Script => ({
  match: ["Check one task", `${id}: `],
  steps,
});

/** The work on a task whose last attempt was not accepted, with these words in what it is told. */
export const again = (id: string, words: string, ...steps: readonly object[]): Script => ({
  match: ["Implement one task", `\n${id}: `, "not accepted", words],
  steps,
});
/** Leaves one evidence the first time that this goal is checked with it, and another one from then on. */
export const firstThen = (first: string, then: string): object => ({
  run: `mkdir -p .cos; if [ -e ../../../again ]; then echo '${then}' > .cos/evidence.json; else touch ../../../again; echo '${first}' > .cos/evidence.json; fi`,
  quiet: true,
});

/** A list of tasks that each have one criterion, worked one after the other; null: the flag is not there. */
export function taskList(ids: readonly string[], useLayeredSkills: boolean | null): string {
  const settings = useLayeredSkills === null ? "" : `settings: {useLayeredSkills: ${useLayeredSkills}}\n`;
  const tasks = ids.map((id) => `  - {id: ${id}, title: Task ${id}, acceptanceCriteria: [${id} holds]}`);
  return `${settings}tasks:\n${tasks.join("\n")}\n`;
}

export interface LoopGoal {
  readonly goalId: string;
  /** The person's repository. */
  readonly path: string;
  /** While a file lies here, the agent cannot be started. */
  readonly broken: string;
}

/** A goal with these tasks, ready to be worked. */
export async function loopGoal(
  world: TestWorld,
  list: string,
  scripts: readonly Script[],
  { options = [], files = {} }: { readonly options?: readonly string[]; readonly files?: Record<string, string> } = {},
): Promise<LoopGoal> {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": list, ...files });
  const broken = join(world.dataDir, "broken");
  const script = join(world.dataDir, "scripts.json");
  const starter = join(world.dataDir, "agent.sh");
  await writeFile(script, JSON.stringify(scripts));
  await writeFile(
    starter,
    `if [ -e '${broken}' ]; then echo "no such sandbox" >&2; exit 1; fi\nexec "${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"\n`,
  );
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", `acp:sh ${starter}`);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Build it", "--tasks", "tasks.yaml", ...options),
  );
  await world.command("autopilot", "start");
  return { goalId, path, broken };
}

/** Works, and allows whatever is asked for, until nobody asks any more. */
export async function workAndAllow(world: TestWorld): Promise<void> {
  await world.work();
  const asked = valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
  const [first] = asked.filter((each) => each.kind === "permission");
  if (first === undefined) return;
  valueOf(await world.command("approve", first.checkpointId));
  await workAndAllow(world);
}

/** The transitions that a goal's loop has taken, in their order. */
export async function phasesOf(world: TestWorld, goalId: string): Promise<EventDetails["loop.phase"][]> {
  const { timeline } = valueOf<{ timeline: { event: string; detail: EventDetails["loop.phase"] }[] }>(
    await world.command("why", goalId),
  );
  return timeline.filter((row) => row.event === "loop.phase").map((row) => row.detail);
}
