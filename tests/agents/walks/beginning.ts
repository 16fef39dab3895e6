import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { cos, eventually, startBot } from "../../fakes/bot.ts";
import { valueOf } from "../../fakes/deps.ts";
import { gitIn, makeRepository } from "../../fakes/repository.ts";
import type { Move } from "../../fakes/model/moves.ts";
import { documented } from "../documented.ts";
import type { Walks } from "../walk.ts";
import { costOf, right } from "../world.ts";

interface Tried {
  readonly failure: string | null;
  readonly tells: string;
  readonly counting: string | null;
  readonly cost: { readonly isEstimated: boolean } | null;
}

const tells = { cost: "tells dollars", tokens: "tells tokens", nothing: "tells nothing" } as const;

const project = {
  "package.json": '{ "name": "rounding", "private": true, "type": "module" }\n',
  "a.txt": "wrong\n",
  "a.test.js": [
    'import { readFileSync } from "node:fs";',
    'import test from "node:test";',
    'import assert from "node:assert";',
    'test("it is right", () => assert.equal(readFileSync("a.txt", "utf8"), "right\\n"));',
    "",
  ].join("\n"),
};

/** What a person does first with an agent that works in the terminal (docs/agents.md). */
export function beginningWalks({ agent, walk, open, note, sessionsAge }: Walks): void {
  walk("from the terminal to its first verified goal in four commands", async () => {
    const at = await open();
    const dataDir = mkdtempSync(join(tmpdir(), "cos-first-goal-"));
    const path = await makeRepository(join(dataDir, "my-project"), project);
    const environment = { ...at.place.environment, COS_ISOLATION: "auto", ...documented(agent, at.place.environment) };
    // A database of its own, as a stranger has none.
    const place = { databaseUrl: "", dataDir: join(dataDir, "bot"), environment };
    at.model.play(...right);

    const began = performance.now();
    const bot = await startBot(place);
    try {
      expect(await cos(place, "repo", "add", path)).toMatchObject({ code: 0 });
      const words = ["Make a.txt right", "--done-when", "node --test"];
      const added = await cos(place, "goal", "add", ...words);
      expect(added, added.stderr).toMatchObject({ code: 0 });
      expect(await cos(place, "autopilot", "start")).toMatchObject({ code: 0 });
      const { goalId } = added.json<{ goalId: string }>();
      const shown = await eventually("the goal's end", async () => {
        const goal = (await cos(place, "goal", "show", goalId)).json<{ status: string; tag: string }>();
        return ["pending", "in_progress"].includes(goal.status) ? undefined : goal;
      });
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(`${agent.name}: its first verified goal ${seconds} s after npm start\n`);
      expect(shown, JSON.stringify(shown)).toMatchObject({ status: "complete", tag: "verified" });
      expect(await gitIn(path, "show", `cos/${goalId}:a.txt`)).toBe("right");
    } finally {
      bot.kill("SIGTERM");
      await bot.exited;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  walk("cos agent test", async () => {
    const at = await open();
    const wholeMoves: readonly Move[] = [
      { write: "hello.txt", content: "hello\n" },
      { run: "echo asked > asked.txt && true" },
      { say: "Done.", once: sessionsAge },
      { say: "hello" },
    ];
    at.model.play(...wholeMoves, { run: "sleep 300 && true" });
    const tried = valueOf<Tried>(await at.world.command("agent", "test", "--repo", "person"));
    const has = agent.isCommand !== true;
    const found = { failure: null, edits: true, asks: has, resumes: has, stop: { leftProcesses: 0 } };
    expect(tried).toMatchObject({ ...found, tells: agent.tells });
    note(tells[agent.tells]);
    if (tried.counting !== null) note(tried.counting === "anew" ? "counts from zero" : "goes on counting");
    // Two prompts that ended well; the third was cut short, or the agent ended it by itself.
    const { model } = at;
    const charged = await at.query(
      "select amount_micro_usd::int as amount, is_estimated as estimated from cos.spend where kind = 'settled' order by call_id",
    );
    const answers = model.requests.filter((each) => each.isWork);
    const used = [answers.slice(0, wholeMoves.length), answers.slice(wholeMoves.length)].map((some) =>
      some.reduce((sum, each) => sum + costOf(each.usage), 0),
    );
    const [one, two, three] = charged;
    expect([one?.["estimated"], two?.["estimated"]]).toEqual(Array(2).fill(agent.tells === "nothing"));
    const said = [Number(one?.["amount"]) + Number(two?.["amount"]), Number(three?.["amount"])];
    if (agent.tells !== "nothing")
      expect(Math.abs((said[0] ?? 0) - (used[0] ?? 0))).toBeLessThanOrEqual(answers.length);
    if (three?.["estimated"] === false)
      expect(Math.abs((said[1] ?? 0) - (used[1] ?? 0))).toBeLessThanOrEqual(answers.length);
    expect(tried.cost?.isEstimated).toBe(charged.some((each) => each["estimated"] === true));
  });
}
