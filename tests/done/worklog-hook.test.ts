import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { earlierWorkCard } from "../../src/core/cards/worklog-cards.ts";
import { markNotice } from "../../src/db/connection/marks.ts";
import { outsideDirOf } from "../../src/paths.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { cosIn } from "../fakes/hook.ts";
import type { ShownWorklog } from "../walks/worklog.test.ts";

/** A coding agent's own session, followed through its hooks by a bot that reads what they leave. */

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const session = "3f0b7b2a-6c1d-4d7e-9a55-0d6f1b0f9c11";

async function hook(event: string, more: object = {}): Promise<void> {
  const input = JSON.stringify({ session_id: session, cwd: world.dataDir, hook_event_name: event, ...more });
  const { code, stdout } = await cosIn(
    world.dataDir,
    { COS_DATA_DIR: world.dataDir, USER: "ana" },
    ["worklog-hook"],
    input,
  );
  expect([code, stdout]).toEqual([0, ""]);
}

const tool = (name: string, input: object, response: object = {}) =>
  hook("PostToolUse", { tool_name: name, tool_input: input, tool_response: response });

/** Taken at one look, read at the next. */
async function read(): Promise<ShownWorklog[]> {
  await world.tick();
  world.advance(10_000);
  await world.tick();
  const listed = valueOf<{ session_id: string }[]>(await world.command("worklog", "list"));
  const shown: ShownWorklog[] = [];
  for (const { session_id } of listed)
    shown.push(valueOf<ShownWorklog>(await world.command("worklog", "show", session_id)));
  return shown;
}

describe("cos worklog-hook", () => {
  it("gives an outside session a worklog, from its prompt until it stops, and another one after that", async () => {
    await hook("UserPromptSubmit", { prompt: "Refactor the parser" });
    await tool("TodoWrite", {
      todos: ["a", "b", "c"].map((content) => ({ content, status: "pending", activeForm: "x" })),
    });
    await tool("Read", { file_path: `${world.dataDir}/parser.ts` });
    await tool("Edit", { file_path: `${world.dataDir}/parser.ts`, old_string: "secret text", new_string: "b" });
    await tool("Bash", { command: "ls" });
    await tool("Bash", { command: "npm test" }, { exit_code: 1 });
    const [during] = await read();
    await hook("Stop");
    await tool("Write", { file_path: `${world.dataDir}/next.ts`, content: "more secret text" });

    const [next, first] = await read();

    expect(during).toMatchObject({ outcome: "in_progress", goal_id: null, tier: "STRICT", owner: "ana" });
    expect(first).toMatchObject({ task_description: "Refactor the parser", outcome: "failure" });
    expect(first?.entries.map(({ action, status }) => `${action} ${status}`)).toEqual([
      "TodoWrite completed",
      "Checkpoint completed",
      "Edit completed",
      "Bash failed",
      "Checkpoint completed",
      "Checkpoint completed",
    ]);
    expect(first?.entries[2]?.details["files"]).toEqual(["parser.ts"]);
    expect(next?.entries.map(({ action }) => action)).toEqual(["Write"]);
    expect(JSON.stringify([first, next])).not.toContain("secret text");
  });

  it("keeps the correction that its last summary asks for, and counts in no day: those say what goals came to", async () => {
    await hook("UserPromptSubmit", { prompt: "Refactor the parser" });
    await tool("Bash", { command: "npm test" }, { exit_code: 1 });
    await hook("Stop");
    await read();

    const { rows } = await world.deps.database.pool.query(
      "select w.corrections, (select count(*)::int from cos.worklog_days) as days from cos.worklogs w",
    );
    expect(rows[0]?.corrections).toBeGreaterThan(0);
    expect(rows[0]?.days).toBe(0);
  });

  it.each([
    ["has succeeded when its last test run passed and its todos are done", "completed", 0, "success"],
    ["has failed when its last test run did", "completed", 1, "failure"],
    ["was aborted when a todo is left", "in_progress", 0, "aborted"],
  ])("that has stopped %s", async (_, status, code, outcome) => {
    await hook("UserPromptSubmit", { prompt: "Refactor the parser" });
    await tool("TodoWrite", { todos: [{ content: "a", status, activeForm: "x" }] });
    await tool("Bash", { command: "npm test" }, { exit_code: 1 - code });
    await tool("Bash", { command: "npm test" }, { exit_code: code });
    await hook("Stop");

    const [log] = await read();

    expect(log?.outcome).toBe(outcome);
  });

  it("leaves no worklog of a prompt after which nothing was done", async () => {
    await hook("UserPromptSubmit", { prompt: "Yes" });
    const during = await read();
    await hook("Stop");
    await hook("UserPromptSubmit", { prompt: "And now?" });
    await hook("SessionEnd");

    expect(during).toHaveLength(1);
    expect(await read()).toEqual([]);
  });

  it("reads each line once, and says nothing to what is no hook", async () => {
    await tool("Write", { file_path: "a.txt" });
    await world.tick();
    const { rows } = await world.deps.database.pool.query("select count(*)::int as known from cos.worklogs");
    await cosIn(world.dataDir, { COS_DATA_DIR: world.dataDir }, ["worklog-hook"], "no JSON");
    await hook("SessionEnd");

    const [log] = await read();

    expect(rows).toEqual([{ known: 0 }]);
    expect(log?.entries.filter(({ action }) => action === "Write")).toHaveLength(1);
    world.advance(10_000);
    await world.tick();
    const [after] = await read();
    expect(after?.outcome).toBe("aborted");
    expect(after?.entries.filter(({ action }) => action === "Write")).toHaveLength(1);
  });

  it("passes over what nobody can read, says nothing secret, and reads what comes after it", async () => {
    const folder = outsideDirOf(world.dataDir);
    await mkdir(join(folder, "0-folder.1.taken"), { recursive: true });
    await writeFile(join(folder, "1-long.jsonl"), "x".repeat(5_000_000));
    await writeFile(join(folder, "2-words.jsonl"), `{"at":\nnull\n[]\n${JSON.stringify({ at: "never" })}\n`);
    const hostile = "\u0000\ud800\u001b[31mFix it";
    await hook("UserPromptSubmit", { prompt: hostile });
    await tool("TodoWrite", { todos: Array.from({ length: 10_000 }, () => ({ content: hostile, status: hostile })) });
    await tool("TodoWrite", [[["no list"]]]);
    await tool("MultiEdit", { file_path: "many.ts", edits: Array.from({ length: 100_000 }, () => null) });
    await tool("Write", { file_path: hostile, content: "x".repeat(5_000_000) });
    await hook("Stop");

    const [log] = await read();

    expect(log).toMatchObject({ outcome: "aborted" });
    expect(log?.task_description).toContain("Fix it");
    expect(log?.entries.map(({ action }) => action)).toContain("Write");
    expect(JSON.stringify(log)).not.toMatch(/\\u0000|\\ud800|\\u001b/);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is offered in nobody's channel, and can be dismissed", async () => {
    await world.repository();
    await hook("UserPromptSubmit", { prompt: "What ana says to nobody else" });
    await tool("TodoWrite", { todos: [{ content: "a", status: "pending", activeForm: "x" }] });
    const [log] = await read();
    const id = log?.session_id ?? "";
    world.advance(10 * 60_000);

    await world.command("goal", "add", "Another", "--tier", "STANDARD", "--run", "true");
    await world.command("autopilot", "start");
    await world.work();
    await world.tick();

    const { rows } = await world.deps.database.pool.query("select card from cos.messages");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/nobody else|Previous work detected/);
    expect(await world.command("worklog", "resume", id)).toMatchObject({
      type: "refused",
      next: `cos worklog dismiss ${id}`,
    });
    expect(await world.command("worklog", "dismiss", id)).toMatchObject({ type: "done" });
    expect(await world.command("worklog", "dismiss", id)).toMatchObject({ type: "refused" });
  });

  it("that an earlier version has offered is told from its card when it is dismissed, and when it ends", async () => {
    await world.repository();
    await hook("UserPromptSubmit", { prompt: "What ana says to nobody else" });
    const [log] = await read();
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Another", "--run", "true"));
    const id = log?.session_id ?? "";
    const work = { session_id: id, outcome: "in_progress", task_description: "What ana says to nobody else" } as const;
    const card = earlierWorkCard({ ...work, started_at: null, restore_command: "x" }, goalId);
    const offer = async (): Promise<void> => {
      await world.deps.database.transaction(async (tx) => {
        markNotice(tx, `worklog.${id}.earlier`, { card, threadSubject: goalId });
      });
      await world.tick();
    };
    await offer();
    const offered = await cardWords(world, `worklog.${id}.earlier`);

    await world.command("worklog", "dismiss", id);

    const dismissed = await cardWords(world, `worklog.${id}.earlier`);
    await world.deps.database.pool.query("update cos.worklogs set released_at = null");
    await offer();
    await hook("Stop");
    await read();
    await world.tick();
    const ended = await cardWords(world, `worklog.${id}.earlier`);

    expect(offered).toContain("What ana says to nobody else");
    expect(dismissed).toContain("Dismissed by ana.");
    expect(ended).toContain("It has ended: nothing is left to take up.");
    expect(dismissed + ended).not.toMatch(/nobody else|Resume/);
  });

  it("is not kept alive by a clock that was a day ahead", async () => {
    const at = new Date(world.deps.now().getTime() + 86_400_000).toISOString();
    const line = { at, owner: "ana", cwd: "/x", event: "prompt", text: "Fix it" };
    await mkdir(outsideDirOf(world.dataDir), { recursive: true });
    await writeFile(join(outsideDirOf(world.dataDir), `${session}.jsonl`), `${JSON.stringify(line)}\n`);

    const [log] = await read();

    expect(log?.started_at).toBe(world.deps.now().toISOString());
  });
});
