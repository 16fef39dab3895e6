import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { captureOf } from "../../bench/capture/capture.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { threadOf } from "../fakes/threads.ts";
import type { ShownWorklog } from "../walks/worklog.test.ts";
import { knownAgents, quickAgents } from "./known.ts";
import { type AgentWorld, agentWorld } from "./world.ts";

/** The account of a STRICT goal that a real agent worked, against the agent's own messages as they went over the wire. */

const wanted = process.env["COS_TEST_AGENTS"] ?? "";
const named =
  wanted === "all"
    ? knownAgents
    : wanted === "two"
      ? quickAgents
      : knownAgents.filter(({ name }) => wanted.split(",").includes(name));
/** A program that speaks no protocol tells nothing while it works: there are no messages to compare with. */
const chosen = named.filter(({ isCommand }) => isCommand !== true);

let at: AgentWorld;

it.skipIf(named.length > 0)("a real agent's worklog is walked by npm run test:agents", () => undefined);

const plan = (...statuses: string[]) => ({
  plan: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })),
});

it.for(chosen)(
  "[S0-FL-07] [S0-SC-01] a STRICT goal of $name: one worklog, a check after each plan, three summaries, captured whole",
  async (agent) => {
    at = await agentWorld(agent);
    const { world, model } = at;
    const transcript = join(world.dataDir, "transcript.jsonl");
    const tap = join(projectDir, "bench/capture/tap.mjs");
    const line = `acp:"${process.execPath}" "${tap}" "${transcript}" -- ${at.line.slice("acp:".length)}`;
    valueOf(await world.command("repo", "edit", "person", "--agent", line));
    model.play(
      plan("in_progress", "pending", "pending"),
      { read: "a.txt" },
      { edit: "a.txt", from: "wrong", to: "right" },
      plan("completed", "in_progress", "pending"),
      { write: "z.txt", content: "beside the plan\n" },
      { run: "npm test" },
      plan("completed", "completed", "in_progress"),
      { say: "Done." },
    );
    const goalId = await at.start("--tier", "STRICT", "--allow", "a.txt");
    await allowing(world.work());
    await world.tick();

    const shown = await world.command("worklog", "show", goalId);
    const log = valueOf<ShownWorklog>(shown);
    const capture = captureOf(await readFile(transcript, "utf8"), { tier: "STRICT", entries: log.entries });
    const share = capture.found / capture.told;
    const counts = capture.lines.map(({ action, told, found }) => `${action} ${found} of ${told}`).join(", ");
    process.stdout.write(`${agent.name}: ${(share * 100).toFixed(1)} % captured (${counts})\n`);

    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(capture.lines.find(({ action }) => action === "TodoWrite")?.told).toBe(3);
    expect(await at.query("select count(*)::int as logs from cos.worklogs")).toEqual([{ logs: 1 }]);
    const actions = log.entries.map((entry) => entry.action);
    expect(actions.filter((action) => action === "TodoWrite" || action === "Verify")).toEqual(
      Array.from({ length: 3 }, () => ["TodoWrite", "Verify"]).flat(),
    );
    const summaries = log.entries.filter((entry) => entry.action === "Checkpoint");
    expect(summaries.map((entry) => entry.details["phase"])).toEqual([
      "planning_complete",
      "execution_complete",
      "verification_complete",
    ]);
    const found = summaries.flatMap((entry) => entry.details["deviations"] as { type: string }[]);
    expect(new Set(found.map((each) => each.type))).toEqual(
      new Set(["unplanned_file", "todo_incomplete", ...(agent.tellsLittle === true ? [] : ["test_failure"])]),
    );
    // The same in the goal's thread, on its page and in the terminal.
    expect((await threadOf(world, goalId)).filter((title) => title.startsWith("End of"))).toHaveLength(3);
    const words = shown.type === "done" ? terminalLines(shown.card, "UTC").join("\n") : "";
    expect(words).toContain("z.txt");
    expect(log.outcome).toBe("success");
  },
);
/** Some agents ask about each command: a person allows it while they wait. */
async function allowing(work: Promise<unknown>): Promise<void> {
  const over = work.then((): "over" => "over");
  while (true) {
    const asked = eventually("a question", async () => (await at.open())[0]);
    asked.catch(() => undefined); // Nobody asks any more once the work is over.
    const first = await Promise.race([over, asked]);
    if (first === "over") return;
    valueOf(await at.world.command("approve", first.checkpointId));
  }
}

afterEach(async () => {
  if (chosen.length > 0) await at.close();
});
