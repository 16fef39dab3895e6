import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/commands/execute.ts";
import { pressed } from "../../src/commands/pressed.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { cos, environmentOf, eventually, type Place, projectDir, type Ran, runNode } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** What the terminal takes, refuses and prints: real processes. */

const spec = "#### AC-1: It is there\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: test -f a.txt\n```\n";

const hasScript = spawnSync("script", ["--version"], { stdio: "ignore" }).status === 0;

let database: FreshDatabase;
let place: Place;
let path: string;

beforeAll(async () => {
  database = await freshDatabase();
  place = { databaseUrl: database.url, dataDir: await mkdtemp(join(tmpdir(), "cos-line-")) };
  path = await makeRepository(join(place.dataDir, "person"), { "a.txt": "a\n" });
  await cos(place, "repo", "add", path, "--setup", "");
});
afterAll(async () => {
  await database.drop();
  await rm(place.dataDir, { recursive: true, force: true });
});

async function refusal(...words: string[]): Promise<{ code: number | null; reason: string; next: string | null }> {
  const ran = await cos(place, ...words);
  const { refused } = ran.json<{ refused: { reason: string; next: string | null } }>();
  expect(ran.stderr).toContain(refused.reason);
  return { code: ran.code, ...refused };
}

function plain(...words: string[]): Promise<Ran> {
  return runNode(place, [join(projectDir, "bin/cos.mjs"), ...words]);
}

describe("the command line [F-123]", () => {
  it("prints one JSON document also when it refuses, with the reason and the next command", async () => {
    expect(await refusal("approve", "cp-00000000")).toMatchObject({
      code: 1,
      reason: expect.stringContaining("cp-00000000") as string,
      next: expect.stringContaining("cos ") as string,
    });
    expect(await refusal("approve")).toEqual({ code: 2, reason: "ID is missing", next: "cos approve --help" });
    expect(await refusal("fly")).toEqual({ code: 2, reason: "unknown command: fly", next: "cos --help" });
    expect(await refusal("worklog")).toEqual({
      code: 2,
      reason: "worklog is the beginning of 9 commands",
      next: "cos worklog --help",
    });
    expect(await refusal("policy", "rollback", "0")).toMatchObject({
      code: 2,
      reason: 'N: found "0", expected a whole number from 1 on',
    });
    expect(await refusal("goals", "--status", "odd")).toMatchObject({
      code: 2,
      reason: expect.stringContaining("manual_followup, or as lists call it: skipped, waiting, done") as string,
    });
  });

  it.each([
    [["--cost", "-1"], '--cost: found "-1", expected a number from 0 to 1000000'],
    [["--cost"], "--cost: USD is missing"],
    [["--cost", "--tag", "ui"], "--cost: USD is missing"],
    [["--parallel=1.5"], '--parallel: found "1.5", expected a whole number from 1 to 8'],
    [["--minutes", "2.5"], '--minutes: found "2.5", expected a whole number from 1 to 100000'],
    [["--unplanned=yes"], "--unplanned takes no value"],
    [["--colour", "red"], "unknown option --colour"],
    [["-x"], "unknown option -x"],
  ])("says of %j what was found and what is expected", async (options, reason) => {
    expect(await refusal("goal", "add", "Text", ...options)).toEqual({ code: 2, reason, next: "cos goal add --help" });
  });

  it("takes values and texts that begin with a hyphen", async () => {
    const ran = await cos(place, "goal", "add", "- tidy up", "--run", "-n true", "--tag", "--odd");

    const { goalId } = ran.json<{ goalId: string }>();
    const shown = (await cos(place, "goal", "show", goalId)).json<{ content: string; tags: string[]; run: string }>();
    expect(shown).toMatchObject({ content: "- tidy up", tags: ["--odd"] });
  });

  it.each([
    [["golas"], "did you mean: cos goals"],
    [["aprove", "cp-1719b23e"], "unknown command: aprove\ndid you mean: cos approve cp-1719b23e"],
    [["goal", "ad", "Text"], "did you mean: cos goal add"],
    [["campain", "list", "--json"], "did you mean: cos campaign list"],
    [["goal", "diff", "goal-1719b23e"], "unknown command: goal diff\ndid you mean: cos diff goal-1719b23e"],
    [["pause"], "did you mean: cos goal pause, cos autopilot pause, cos campaign pause"],
    [["Aprove", "cp-1719b23e"], "did you mean: cos approve cp-1719b23e"],
    [["nonsense"], "next: cos --help"],
    [["goal", "add", "Text", "--rpo", "person"], "unknown option --rpo: did you mean --repo?"],
  ])("names what was probably meant by %j", async (words, said) => {
    const ran = await plain(...words);

    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(said);
  });

  it.each([
    ["goal", "add"],
    ["goal", "add", "\u200B"],
    ["goal", "add", "Text", "--feature", "a"],
    ["goal", "add", "Text", "--allow", ""],
    ["campaign", "create", ""],
    ["repo", "add", ".", "--label", "a b"],
    ["schedule", "set", "standup"],
    ["approve"],
  ])("ends with 2 where the call is wrong in itself: %s %s", async (...words) => {
    expect(await refusal(...words)).toMatchObject({ code: 2, next: expect.stringContaining("--help") });
  });

  it.each([
    [
      ["goal", "add", "Text", "--rpo", "person"],
      "unknown option --rpo: did you mean --repo?\nnext: cos goal add --help\n",
    ],
    [["repo", "add", ".", "--colour"], "unknown option --colour\nnext: cos repo add --help\n"],
    [["approve"], "ID is missing\nusage: cos approve ID [--notes T]\n"],
  ])("says what is wrong with %j, and how it is used where that is short", async (words, said) => {
    expect(await plain(...words)).toMatchObject({ code: 2, stdout: "", stderr: said });
  });

  it("says of a goal that nobody can work that it is left to a person", async () => {
    const alone = await plain("goal", "add", "By hand", "--repo", "person");
    const worked = await plain("goal", "add", "By a command", "--repo", "person", "--run", "true");

    expect(alone.stdout).toContain("No agent is set (COS_AGENT): a goal without a command of its own (--run)");
    expect(alone.stdout).toContain("One for this repository: cos repo edit person --agent AGENT");
    expect(worked.stdout).not.toContain("No agent is set");
  });

  it("says its version, without a database", async () => {
    const { version } = JSON.parse(await readFile(join(projectDir, "package.json"), "utf8")) as { version: string };
    expect(await plain("--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(JSON.parse((await plain("--version", "--json")).stdout)).toEqual({ version });
  });

  it("says how watch is used, and refuses what it does not take", async () => {
    const helped = await plain("watch", "--help");

    expect(helped).toMatchObject({ code: 0, stderr: "" });
    expect(helped.stdout).toMatch(/^cos watch \[--json\]\n/);
    expect(await plain("watch", "--goal")).toMatchObject({ code: 2, stdout: "" });
    expect(await refusal("watch", "--goal")).toEqual({
      code: 2,
      reason: "unknown option --goal",
      next: "cos watch --help",
    });
    expect(await refusal("watch", "goal-1a2b3c4d")).toMatchObject({ code: 2, reason: 'unexpected "goal-1a2b3c4d"' });
  });

  it("prints the weekly report as Markdown that can be kept", async () => {
    const { stdout } = await plain("weekly", "--report");

    expect(stdout).toMatch(/^# Weekly Summary: /);
    expect(stdout).toMatch(/^## Success Metrics$/m);
    expect(stdout.split("\n").filter((line) => /^\s+[#-]/.test(line))).toEqual([]);
  });

  it("prints help as one JSON document where that is asked for", async () => {
    for (const words of [
      ["--help"],
      ["--json", "--help"],
      ["goals", "--help"],
      ["goal", "--help"],
      ["help", "goals"],
      ["help", "--json", "goal", "add"],
    ]) {
      const ran = await cos({ ...place, databaseUrl: "postgresql://127.0.0.1:1/none" }, ...words);
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(ran.json<{ help: string[] }>().help.join("\n")).toContain("goal");
    }
  });

  it("start names what it does not take", async () => {
    const ran = await plain("start", "--nope");

    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: "unknown option --nope\nusage: cos start\n" });
    expect(await plain("start", "now")).toMatchObject({ code: 2, stderr: 'unexpected "now"\nusage: cos start\n' });
    expect(await plain("start", "--help")).toMatchObject({ code: 0, stderr: "" });
  });

  it("shows the commands of a group", async () => {
    const helped = await plain("goal", "--help");
    const asked = await plain("goal");

    expect(helped).toMatchObject({ code: 0, stderr: "" });
    expect(helped.stdout).toContain("cos goal add");
    expect(helped.stdout).not.toContain("cos autopilot");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain("cos goal show");
  });

  it("gives a known repository the name that it is given, unless that is another's", async () => {
    const second = await makeRepository(join(place.dataDir, "second"), { "b.txt": "b\n" });
    await cos(place, "repo", "add", second, "--setup", "");

    expect((await cos(place, "repo", "add", second, "--setup", "", "--name", "shop")).json()).toMatchObject({
      name: "shop",
    });
    expect(await refusal("repo", "add", second, "--name", "person")).toMatchObject({
      code: 1,
      reason: "another repository is called person",
    });
    const names = (await cos(place, "repo", "list")).json<{ name: string }[]>().map((each) => each.name);
    expect(names).toEqual(["person", "shop"]);
    expect((await cos(place, "repo", "add", second, "--setup", "", "--name", "second")).code).toBe(0);
  });

  it("takes --json before the command as behind it", async () => {
    const ran = await runNode(place, [join(projectDir, "bin/cos.mjs"), "--json", "goals"]);
    expect(ran.code).toBe(0);
    expect(Array.isArray(ran.json())).toBe(true);
  });

  it("refuses a day of a campaign that does not begin", async () => {
    const plan = join(place.dataDir, "plan.md");
    await writeFile(plan, "# Prices\n\nRight.\n\n## Right (day 1)\n\n- Round them\n  - run: true\n");
    const created = await cos(place, "campaign", "create", "--repo", "person", "--from", plan, "--days", "1");
    const { campaignId } = created.json<{ campaignId: string }>();
    // Whatever the time of day is here: no day begins by itself.
    expect((await cos(place, "schedule", "set", "campaigns", "--off")).code).toBe(0);
    await cos(place, "campaign", "start", campaignId);
    await cos(place, "goal", "add", "Holds it", "--repo", "person", "--run", "true", "--tag", "ui");
    const open = await cos(place, "autopilot", "start", "--repo", "person");
    expect(open.code).toBe(0);

    expect(await refusal("campaign", "run", campaignId)).toMatchObject({
      code: 1,
      reason: "nothing begins: Another session holds its repository: cos autopilot status",
      next: `cos campaign status ${campaignId}`,
    });
  });
});

describe("a criteria file of a new goal [F-126]", () => {
  it("may be any file of the terminal's person, and is frozen with the goal", async () => {
    const file = join(place.dataDir, "mine.md");
    await writeFile(file, spec);

    const added = await cos(place, "goal", "add", "With mine", "--repo", "person", "--run", "true", "--criteria", file);
    await writeFile(file, "changed\n");

    const { goalId } = added.json<{ goalId: string }>();
    const shown = (await cos(place, "goal", "show", goalId)).json<{ criteria: { id: string }[] }>();
    expect(shown.criteria.map((each) => each.id)).toEqual(["AC-1"]);
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
  });

  it("is in chat only one that is committed at the base", async () => {
    const world = await testWorld();
    const repository = await world.repository({ "specs/there.md": spec });
    await writeFile(join(repository, "specs/mine.md"), spec);
    const inChat = (criteria: string) =>
      world.as({ via: "slack" }, "goal", "add", "x", "--run", "true", "--criteria", criteria);

    expect(await inChat("specs/there.md")).toMatchObject({ type: "done" });
    for (const criteria of ["specs/mine.md", join(repository, "specs/mine.md"), "/etc/hostname", "../person/a.txt"])
      expect(await inChat(criteria)).toMatchObject({
        type: "refused",
        reason: expect.stringContaining("main:") as string,
      });
    await world.close();
  });

  it("is taken by Modify as by a new goal: in a chat, in the terminal, and as a path in the form", async () => {
    const world = await testWorld();
    await world.repository({ "specs/there.md": spec });
    const slack = {
      via: "slack",
      actor: "ana",
      member: null,
      origin: { type: "person", by: { type: "chat" } },
    } as const;
    const criteriaAfter = async (modify: (id: string) => Promise<unknown>): Promise<unknown> => {
      const { goalId } = valueOf<{ goalId: string }>(
        await world.command("goal", "add", "x", "--run", "true", "--tag", "ui"),
      );
      await world.command("autopilot", "start");
      await world.work();
      const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
      const told = await modify(question?.checkpointId ?? "");
      const { criteria } = valueOf<{ criteria: { id: string }[] }>(await world.command("goal", "show", goalId));
      await world.work();
      return criteria.length === 0 ? told : criteria.map(({ id }) => id);
    };
    const inForm = (criteria: string) => (checkpointId: string) =>
      execute(world.deps, slack, pressed({ command: "modify", id: { checkpointId, version: 1 } }, { criteria }));

    for (const by of [{ via: "slack" }, { via: "terminal" }] as const)
      expect(await criteriaAfter((id) => world.as(by, "modify", id, "--criteria", "specs/there.md"))).toEqual(["AC-1"]);
    expect(await criteriaAfter(inForm("specs/there.md"))).toEqual(["AC-1"]);
    expect(await criteriaAfter(inForm("no/such.md"))).toMatchObject({ type: "refused", option: "criteria" });
    expect(await criteriaAfter(inForm("npm test passes for src/price.ts"))).toMatchObject({ type: "done" });
    await world.close();
  });

  it("that is another one in the folder than in the repository is refused with both places", async () => {
    // The command is typed in this project's folder, which has a file of that name.
    const inRepository = join(path, "acceptance.md");
    await writeFile(inRepository, spec);

    const { reason } = await refusal("goal", "add", "x", "--repo", "person", "--criteria", "acceptance.md");
    expect(reason).toContain(inRepository);
    expect(reason).toContain(join(projectDir, "acceptance.md"));
    await rm(inRepository);
  });

  it("that is in neither place is refused with the places, and one with mistakes with its lines", async () => {
    const wrong = join(place.dataDir, "wrong.md");
    await writeFile(wrong, "#### AC-1: Odd\n\n**Verification**:\n```yaml\nmethod: bash\n```\n");

    const missing = await refusal("goal", "add", "x", "--repo", "person", "--criteria", "no/such.md");
    expect(missing.reason).toContain(join(path, "no/such.md"));
    expect(missing.reason).toContain(join(projectDir, "no/such.md"));
    expect((await refusal("goal", "add", "x", "--repo", "person", "--criteria", wrong)).reason).toContain(wrong);
  });
});

describe("a command that waits for the database", () => {
  it.skipIf(!hasScript)("says so to who looks at a terminal, and nothing to a program", async () => {
    const beside = openDatabase(place.databaseUrl, () => undefined);
    let seen = "";
    const { program, person } = await beside.transaction(async (tx) => {
      await tx.execute(sql`lock table cos.goals in access exclusive mode`);
      const asked = plain("status");
      await eventually("the program to wait", async () => {
        const { rows } = await beside.pool.query("select 1 from pg_locks where not granted");
        return rows.length > 0;
      });
      // script(1) opens a terminal, as a terminal's window does.
      const command = `${process.execPath} ${join(projectDir, "bin/cos.mjs")} status`;
      const shell = spawn("script", ["-qec", command, "/dev/null"], { env: environmentOf(place), stdio: "pipe" });
      shell.stdout.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
      });
      const closed = new Promise((resolve) => shell.once("close", resolve));
      await eventually("a word to the person", async () => seen.includes("cos status is at work … ("));
      await eventually("who holds the lock", async () =>
        /wait for a lock that process \d+ of PostgreSQL holds \(/.test(seen),
      );
      expect(seen).not.toContain("today");
      return { program: asked, person: closed };
    });

    expect(await person).toBe(0);
    expect(seen).toContain("today");
    expect(await program).toMatchObject({ code: 0, stderr: "" });
    await beside.close();
  });
});
