import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { testWorld } from "../fakes/deps.ts";
import { cosIn, stopInput } from "../fakes/hook.ts";
import { answerStop } from "../../src/done/stop-hook.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Who is held by which session, and for how long (D46). */

let folder: string;
let directory: string;
let dataDir: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cos-gate-"));
  directory = await makeRepository(join(folder, "repository"), { "README.md": "one\n", ".gitignore": "*.md\n" });
  dataDir = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const criterion = (id: string, yaml: string): string =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
const bash = (id: string, command: string): string =>
  criterion(id, `method: bash\ncommand: ${JSON.stringify(command)}\n`);

async function cos(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await cosIn(directory, { COS_DATA_DIR: dataDir }, ["done", ...words]);
}

/** Begins a session with a criteria file of this name; its id. */
async function start(name: string, ...criteria: string[]): Promise<string> {
  writeFileSync(join(directory, `${name}.md`), `# Spec\n\n${criteria.join("\n")}`);
  const began = await cos("--spec", `${name}.md`, "--start");
  return /^Session (\S+)/.exec(began.stdout)?.[1] ?? "none";
}

/** What the agent with this session of its own is told: why it may not stop, else what it is shown, else "". */
async function stop(agentSession: string, from = directory, environment: Record<string, string> = {}): Promise<string> {
  const { stdout } = await cosIn(
    from,
    { COS_DATA_DIR: dataDir, ...environment },
    ["stop-hook"],
    stopInput(from, agentSession),
  );
  if (stdout === "") return "";
  const answer = JSON.parse(stdout) as { reason?: string; systemMessage?: string };
  return answer.reason ?? answer.systemMessage ?? "";
}

const edit = (name: string, text = "x"): void => writeFileSync(join(directory, name), text);
const notRun = "HOLD: Cannot stop - verification not run.";
const notices = (): string[] => {
  try {
    return readdirSync(join(dataDir, "notices"))
      .sort()
      .map((name) => readFileSync(join(dataDir, "notices", name), "utf8"));
  } catch {
    return [];
  }
};

describe("a session", () => {
  it("holds the agent session that was seen first, and no other one in the same repository [F-210]", async () => {
    await start("first", bash("AC-1", "test -f built.txt"));

    expect(await stop("agent-one")).toContain(notRun);
    expect(await stop("agent-two")).toBe("");
    expect(await stop("agent-one")).toContain("Criteria remaining: AC-1");
  });

  it("of a second agent holds that one alone, and the first goes on to be held by its own [F-210]", async () => {
    await start("first", bash("AC-1", "test -f one.txt"));
    expect(await stop("agent-one")).toContain("AC-1");
    await start("second", bash("AC-2", "test -f two.txt"));

    expect(await stop("agent-two")).toContain("AC-2");
    expect(await stop("agent-one")).toContain("AC-1");
    edit("two.txt");
    await cos("--spec", "second.md");
    expect(await stop("agent-two")).toBe("");
    expect(await stop("agent-one")).toContain("AC-1");
  });

  it("is not hidden by another one that is begun after it and is easy to prove [F-210]", async () => {
    await start("hard", bash("AC-1", "test -f built.txt"));
    await start("easy", bash("AC-2", "true"));
    await cos("--spec", "easy.md");

    expect(await stop("agent-one")).toContain("Criteria remaining: AC-1");
    expect(await stop("agent-one")).toContain("Criteria remaining: AC-1");
  });

  it("with the same file, begun in the same second, is a session of its own, and one run proves both [F-210]", async () => {
    const one = await start("spec", bash("AC-1", "test -f built.txt"));
    const two = await start("spec", bash("AC-1", "test -f built.txt"));
    expect(new Set([one, two]).size).toBe(2);
    expect(await stop("agent-one")).toContain(notRun);

    edit("built.txt");
    await cos("--spec", "spec.md");

    expect(await stop("agent-one")).toBe("");
  });

  it("that was proven holds again after every edit, until that is proven too [F-210, C-38]", async () => {
    await start("spec", bash("AC-1", "test -f built.txt"), criterion("AC-2", "method: manual\ninstructions: look"));
    edit("built.txt");
    await cos("--spec", "spec.md");
    const proven = await stop("agent-one");
    edit("built.txt", "something else");
    const edited = await stop("agent-one");
    await cos("--spec", "spec.md");
    const again = await stop("agent-one");
    rmSync(join(directory, "built.txt"));
    await cos("--spec", "spec.md");
    const broken = await stop("agent-one");

    expect(proven).toBe("For a person to check: AC-2");
    expect(edited).toBe(
      `${notRun}\nRun /done to verify all acceptance criteria before completing.\nCriteria remaining: AC-1, AC-2\nThe work was changed after its last verification.`,
    );
    expect(again).toBe("For a person to check: AC-2");
    expect(broken).toContain("1 criterion failed verification");
  });

  it("lets an agent go at its sixth stop in a row, however many sessions hold it [S2-RJ-02, C-32]", async () => {
    await start("first", bash("AC-1", "false"));
    await start("second", bash("AC-2", "false"));

    const answers: string[] = [];
    for (let tries = 0; tries < 3; tries += 1)
      answers.push(await stop("agent-one", directory, { IMPLEMENT_MAX_BLOCKS: "2" }));

    expect(answers.slice(0, 2).every((each) => each.includes(notRun))).toBe(true);
    expect(answers[2]).toContain("Nothing is proven about AC-2");
    expect(answers[2]).toContain("Nothing is proven about AC-1");
  });
});

describe("a refusal that cannot be counted", () => {
  it("lets the agent go, and says so to it and to the channel [C-32]", async () => {
    const id = await start("first", bash("AC-1", "false"));
    const folderOf = join(dataDir, "implement", readdirSync(join(dataDir, "implement"))[0] ?? "");
    // Where the number is written first: nothing can be written there, as on a full disk.
    mkdirSync(join(folderOf, `${id}.blocks.${process.pid}.next`));

    const answer = await answerStop(stopInput(directory, "agent-one"), { dataDir, maxBlocks: 5 });

    const why = "The refusal could not be counted, so the stop is allowed.";
    expect(answer).toEqual({ systemMessage: expect.stringContaining(`${notRun}\n`) as string });
    expect(JSON.stringify(answer)).toContain(why);
    expect(notices().map((each) => JSON.parse(each) as unknown)).toMatchObject([
      { title: "An agent stopped without proof", text: expect.stringMatching(`^${id}: HOLD: [^]*${why}$`) as string },
    ]);
  });
});

describe("outside of git", () => {
  it("what was changed after its verification is not proven, in folders below too [F-210]", async () => {
    directory = join(folder, "plain");
    mkdirSync(join(directory, "src/deep"), { recursive: true });
    edit("src/deep/a.txt", "one");
    await start("spec", bash("AC-1", "true"));
    await cos("--spec", "spec.md");
    const proven = await stop("agent-one", join(directory, "src"));
    edit("src/deep/a.txt", "two");
    const edited = await stop("agent-one", join(directory, "src"));
    edit("src/deep/a.txt", "one");
    const back = await stop("agent-one");
    edit("src/new.txt");
    const added = await stop("agent-one");

    expect([proven, back]).toEqual(["", ""]);
    expect(edited).toContain("The work was changed after its last verification.");
    expect(added).toContain(notRun);
  });
});

describe("a session that ends", () => {
  it("of the named file is put away or given up, whatever began later [S2-SS-06]", async () => {
    const first = await start("one", bash("AC-1", "false"));
    const second = await start("two", bash("AC-1", "true"));

    const archived = await cos("--spec", "one.md", "--archive");

    expect(archived.stdout).toContain(`Archived ${first} to `);
    expect(await stop("agent-1")).toContain(notRun);
    expect((await cos("--spec", "two.md", "--archive", "--json")).stdout).toContain(`"sessionId":"${second}"`);
    expect(await stop("agent-1")).toBe("");
    const none = await cos("--spec", "one.md", "--archive");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("no session of one.md to archive here")]);
  });

  it("that ended while its criteria ran stays ended [S2-SS-06]", async () => {
    const go = join(folder, "go");
    const begun = join(folder, "begun");
    const waits = `touch ${begun}; until [ -e ${go} ]; do sleep 0.05; done; false`;
    const id = await start("one", bash("AC-1", waits));
    const running = cos("--spec", "one.md");
    await eventually("it runs", async () => existsSync(begun));
    const ended = await cos("--spec", "one.md", "--archive");
    expect(ended.stdout).toContain(id);
    writeFileSync(go, "");

    const { stderr } = await running;

    expect(stderr).toContain(`${id} ended while this ran: nothing is recorded of it there`);
    expect(await stop("agent-1")).toBe("");
  });

  it("unproven by --archive is told to the caller and to the channel, whose bot posts it [F-210, S2-SS-06]", async () => {
    const id = await start("spec", bash("AC-1", "false"));
    const world = await testWorld({ environment: { COS_DATA_DIR: dataDir } });
    try {
      const archived = await cos("--archive");
      expect(archived.code).toBe(0);
      expect(archived.stdout).toContain("Without proof: nothing is proven about AC-1.");
      expect(await stop("agent-one")).toBe("");
      await world.tick();
      await world.tick();
      const { rows } = await world.deps.database.pool.query<{ card: object }>(
        "select card from cos.messages where subject like 'notice.%'",
      );
      expect(rows.length).toBe(1);
      expect(JSON.stringify(rows[0])).toContain("An implement session was put away without proof");
      expect(JSON.stringify(rows[0])).toContain(id);
    } finally {
      await world.close();
    }
  });

  it("proven by --archive is put away without a word; changed since, it is not [F-210]", async () => {
    await start("spec", bash("AC-1", "true"));
    await cos("--spec", "spec.md");
    const quiet = await cos("--archive");
    expect([quiet.stdout.includes("Without proof"), notices()]).toEqual([false, []]);

    await start("spec", bash("AC-1", "true"));
    await cos("--spec", "spec.md");
    edit("later.txt");
    const told = await cos("--archive", "--json");
    expect(JSON.parse(told.stdout)).toMatchObject({ unproven: "the work was changed after its last verification" });
    expect(notices().length).toBe(1);
  });

  it("by seed 002's own escalation may stop, after as many failures as are configured [S2-ES-01, S2-ES-05, S2-ES-07]", async () => {
    const seed = readFileSync(join(projectDir, "tests/fixtures/verification-first.md"), "utf8");
    const [, accepted = ""] = /\*\*Example - Accepted Escalation\*\*:\n```\n([\s\S]*?)```/.exec(seed) ?? [];
    writeFileSync(join(folder, "escalation.txt"), accepted);
    await start("spec", bash("AC-5", "false"));
    const escalate = (): Promise<{ code: number | null; stderr: string }> =>
      cosIn(directory, { COS_DATA_DIR: dataDir, COS_FAILURES_BEFORE_ESCALATION: "2" }, [
        "done",
        "--escalate",
        join(folder, "escalation.txt"),
      ]);
    await cos("--spec", "spec.md");
    const early = await escalate();
    await cos("--spec", "spec.md");
    const late = await escalate();

    expect(accepted).toContain("Hypothesis: The criterion assumes PubSub pattern exists");
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringContaining("AC-5 has failed 1 verification runs in a row, 2 are needed"),
    ]);
    expect(late.code).toBe(0);
    expect(await stop("agent-one")).toBe("");
    expect(notices().join("")).toContain("Requesting human decision");
  });
});
