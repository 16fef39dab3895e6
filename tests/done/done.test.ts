import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { git } from "../../src/agent/git/git.ts";
import type { StructuredRun } from "../../src/core/acceptance/results.ts";
import { projectDir } from "../fakes/bot.ts";
import { testWorld } from "../fakes/deps.ts";
import { cosIn, stopInput } from "../fakes/hook.ts";
import { makeRepository } from "../fakes/repository.ts";

const criterion = (id: string, yaml: string) =>
  `#### ${id}: Title of ${id}\n\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
const bash = (id: string, command: string, more = "") =>
  criterion(id, `method: bash\ncommand: ${JSON.stringify(command)}\n${more}`);

let folder: string;
let directory: string;
let dataDir: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cos-done-"));
  directory = await makeRepository(join(folder, "repository"), {
    "README.md": "one\n",
    ".gitignore": "spec.md\nignored\n",
  });
  dataDir = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function spec(...criteria: string[]): void {
  writeFileSync(join(directory, "spec.md"), `# Spec\n\n${criteria.join("\n")}`);
}

const run = (...words: string[]) => cosIn(directory, { COS_DATA_DIR: dataDir }, ["done", ...words]);
const stop = (environment: Record<string, string> = {}) =>
  cosIn(directory, { COS_DATA_DIR: dataDir, ...environment }, ["stop-hook"], stopInput(directory));

async function verified(...words: string[]): Promise<StructuredRun> {
  return JSON.parse((await run("--spec", "spec.md", "--json", ...words)).stdout) as StructuredRun;
}

describe("cos done", () => {
  it("attempts every criterion, whatever came of those before, and keeps exit codes and output [S2-DN-01, S2-DN-02]", async () => {
    const failing = ["exit 1", "exit 2", "no-such-program", "echo told; exit 3"];
    spec(
      ...failing.map((command, index) => bash(`AC-${index + 1}`, command)),
      ...["true", "true"].map((command, index) => bash(`AC-${index + 5}`, command)),
      criterion("AC-7", "method: manual\ninstructions: look"),
      criterion("AC-8", 'method: subagent\nchecks: ["it holds"]'),
      criterion("AC-9", "method: magic"),
      bash("AC-10", "true"),
    );
    const { results, summary } = await verified();

    expect(results.map((each) => [each.criterion_id, each.status, each.exit_code])).toEqual([
      ["AC-1", "fail", 1],
      ["AC-2", "fail", 2],
      ["AC-3", "fail", 127],
      ["AC-4", "fail", 3],
      ["AC-5", "pass", 0],
      ["AC-6", "pass", 0],
      ["AC-7", "requires-human", null],
      ["AC-8", "not-checked", null],
      ["AC-9", "fail", null],
      ["AC-10", "pass", 0],
    ]);
    expect(summary).toEqual({ total: 10, pass: 3, fail: 5, manual: 1, not_checked: 1 });
    expect(results[1]?.details).toMatch(/^exit 2 exited with code 2/);
    const outputs = readdirSync(join(dataDir, "output"), { recursive: true, encoding: "utf8" });
    const kept = outputs.filter((name) => name.endsWith(".txt"));
    expect(kept.map((name) => readFileSync(join(dataDir, "output", name), "utf8"))).toContain("told\n");
  });

  it("runs every criterion and exits 0 only when all automated ones pass [S2-DN-01, S2-DN-02, S2-DN-05]", async () => {
    spec(
      bash("AC-1", "exit 1"),
      bash("AC-2", "true"),
      criterion("AC-3", "method: manual\ninstructions: press the button"),
    );
    const failing = await run("--spec", "spec.md");
    spec(
      bash("AC-1", "true"),
      bash("AC-2", "true"),
      criterion("AC-3", "method: manual\ninstructions: press the button"),
    );
    const passing = await run("--spec", "spec.md");

    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain("exit 1 exited with code 1");
    expect(failing.stdout).toContain("Summary: 1/2 automated criteria pass");
    expect(failing.stdout).toContain("AC-3: press the button");
    expect(passing.code).toBe(0);
  });

  it("runs commands one after the other, in the order of the file: a later one has what an earlier one built", async () => {
    spec(bash("AC-1", "sleep 2 && cp README.md built.txt"), bash("AC-2", "cat built.txt"));
    const result = await verified();

    expect(result.results.map((each) => each.status)).toEqual(["pass", "pass"]);
  });

  it("runs a command once that two criteria have, unless they ask something else of it", async () => {
    const command = "echo run >> runs.txt && wc -l < runs.txt";
    spec(bash("AC-1", command), bash("AC-2", command), bash("AC-3", command, 'pass_condition: output contains "2"'));
    const result = await verified();

    expect(result.results.map((each) => each.status)).toEqual(["pass", "pass", "pass"]);
    expect(readFileSync(join(directory, "runs.txt"), "utf8")).toBe("run\nrun\n");
  });

  it("does not take a full disk for a criterion that fails, nor for one that passes [F-112]", async () => {
    spec(bash("AC-1", "cat README.md > /dev/full"), bash("AC-2", "true"));
    const result = await verified();

    expect(result.results.map((each) => each.status)).toEqual(["not-checked", "pass"]);
    expect(result.results[0]?.details).toMatch(/^there was no space left: .*No space left on device\. Free some/);
    expect(result.all_automated_pass).toBe(false);
  });

  it("prints AC-14's structure, with an unknown method as a failure [S2-DN-06, S2-DN-11]", async () => {
    spec(bash("AC-1", "echo fine"), criterion("AC-2", "method: magic"));
    const result = await verified();

    expect(result.verification_run.spec_file).toBe(join(directory, "spec.md"));
    expect(result.results.map((each) => [each.criterion_id, each.status, each.method])).toEqual([
      ["AC-1", "pass", "bash"],
      ["AC-2", "fail", "unknown"],
    ]);
    expect(result.results[1]?.details).toContain('unknown method "magic"');
    expect(result.all_automated_pass).toBe(false);
  });

  it("ends what takes too long, with everything it started [S2-DN-03]", async () => {
    spec(
      // As long as nobody else sleeps.
      bash("AC-1", "sleep 61740", "timeout_seconds: 1"),
      bash("AC-2", "(sleep 61741 &) ; setsid sleep 61742 & sleep 61743", "timeout_seconds: 1"),
    );
    const result = await run("--spec", "spec.md");

    expect(result.stdout).toContain("sleep 61740 timed out after 1s");
    expect(result.ms).toBeLessThan(300_000);
    const left = readdirSync("/proc").filter((pid) => {
      try {
        return /^sleep 6174[0-3] $/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      } catch {
        return false;
      }
    });
    expect(left).toEqual([]);
  });

  it("bounds output, and lets nothing secret be seen", async () => {
    spec(
      bash("AC-1", "yes | head -c 200000000"),
      bash("AC-2", "env"),
      bash("AC-3", 'test -z "$DATABASE_URL$SLACK_BOT_TOKEN$COS_CONSOLE_TOKEN"'),
    );
    const secret = "xoxb-very-secret-value-1234567890";
    const environment = {
      COS_DATA_DIR: dataDir,
      DATABASE_URL: "postgresql://u:secret-pass@127.0.0.1:1/x",
      COS_CONSOLE_TOKEN: "console-token-0123456789",
      SLACK_BOT_TOKEN: secret,
      SLACK_APP_TOKEN: "xapp-1-A-2-b",
      SLACK_CHANNEL: "C0123",
    };
    const result = await cosIn(directory, environment, ["done", "--spec", "spec.md"]);

    expect(result.code).toBe(0);
    const outputs = readdirSync(join(dataDir, "output"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".txt"),
    );
    const kept = outputs.map((name) => readFileSync(join(dataDir, "output", name), "utf8"));
    expect(Math.max(...kept.map((text) => text.length))).toBeLessThan(1_500_000);
    expect([result.stdout, result.stderr, ...kept].join("\n")).not.toMatch(/secret|console-token/);
  });

  it("touches nothing of a foreign project: its .env, its index, its objects", async () => {
    writeFileSync(
      join(directory, ".env"),
      "DATABASE_URL=postgresql://theirs@127.0.0.1:1/theirs\nCOS_DATA_DIR=/nowhere\nPORT=99999\n",
    );
    spec(bash("AC-1", "grep -q theirs .env"));
    const listing = () =>
      readdirSync(join(directory, ".git"), { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => {
          try {
            return `${name} ${readFileSync(join(directory, ".git", name)).toString("base64")}`;
          } catch {
            return name;
          }
        });
    const before = listing();

    const result = await run("--spec", "spec.md");

    expect(result.code).toBe(0);
    expect(listing()).toEqual(before);
    expect(readFileSync(join(directory, ".env"), "utf8")).toContain("theirs");
  });

  it.each<[string, readonly string[], number, string]>([
    ["a missing file [S2-IN-01]", ["--spec", "/tmp/none.md"], 1, "/tmp/none.md: there is no such file"],
    ["prose [S2-IN-02]", ["--spec", "README.md"], 1, "README.md:1: invalid format"],
    ["no file", [], 2, "--spec is missing"],
    ["an unknown option", ["--spec", "x", "--fast"], 2, "Unknown option '--fast'"],
    ["an unknown session", ["--session", "implement-20260117-103000-x"], 1, "no session is called"],
    ["a session id that leads elsewhere", ["--session", "../../etc"], 2, "expected implement-"],
  ])("refuses %s clearly, and creates nothing", async (_what, words, code, problem) => {
    const result = await run(...words);
    expect([result.code, result.stdout]).toEqual([code, ""]);
    expect(result.stderr).toContain(problem);
    expect(existsSync(join(dataDir, "implement"))).toBe(false);
  });

  it("has a sub-agent examine with only its checks, in a copy of the files [S2-DN-04]", async () => {
    const examiner = join(folder, "examiner.sh");
    writeFileSync(
      examiner,
      'cat > prompt.txt; grep -q "1. errors use AppError" prompt.txt || exit 3; echo changed > README.md\nname=$(sed -n \'s/.*"examination": "\\([0-9a-f]*\\)".*/\\1/p\' prompt.txt)\necho \'{"examination": "\'$name\'", "checks": [{"check": 1, "pass": true, "evidence": "README.md:1 says so"}, {"check": 2, "pass": false, "evidence": "src/a.ts:45 raw Error() throw"}]}\'\n',
    );
    spec(
      criterion(
        "AC-1",
        'method: subagent\nagent: pattern-checker\nchecks:\n  - "errors use AppError"\n  - "nothing is swallowed"',
      ),
    );
    const result = await cosIn(directory, { COS_DATA_DIR: dataDir, COS_AGENT: `command:sh ${examiner}` }, [
      "done",
      "--spec",
      "spec.md",
    ]);

    expect(result.code).toBe(1);
    expect(result.stdout).toContain("nothing is swallowed: src/a.ts:45 raw Error() throw");
    expect(readFileSync(join(directory, "README.md"), "utf8")).toBe("one\n");
    expect((await run("--spec", "spec.md")).stdout).toContain("NOT CHECKED");
  });

  it("gives the sub-agent the variables of COS_AGENT_ENV, and its commands none of them", async () => {
    const examiner = join(folder, "examiner.sh");
    writeFileSync(
      examiner,
      '[ "$EXAMINER_KEY" = sk-examines ] || { echo "please log in"; exit 1; }\nname=$(sed -n \'s/.*"examination": "\\([0-9a-f]*\\)".*/\\1/p\')\necho \'{"examination": "\'$name\'", "checks": [{"check": 1, "pass": true, "evidence": "README.md:1 says so"}]}\'\n',
    );
    spec(
      criterion("AC-1", 'method: subagent\nchecks:\n  - "errors use AppError"'),
      bash("AC-2", 'test -z "$EXAMINER_KEY"'),
    );
    const given = { COS_DATA_DIR: dataDir, COS_AGENT: `command:sh ${examiner}`, COS_AGENT_ENV: "EXAMINER_KEY" };
    const result = await cosIn(directory, { ...given, EXAMINER_KEY: "sk-examines" }, ["done", "--spec", "spec.md"]);

    expect(result.stdout).toContain("2/2 automated criteria pass");
    expect(result.code).toBe(0);
  });

  it("knows this very project", async () => {
    const result = await cosIn(projectDir, { COS_DATA_DIR: dataDir }, ["done", "--spec", "acceptance.md"]);
    expect(result.stdout).toMatch(/Summary: (\d+)\/\1 automated criteria pass/);
    expect(result.code).toBe(0);
  });
});

describe("an implement session and its stop hook", () => {
  const start = () => run("--spec", "spec.md", "--start");

  it("holds the agent until the criteria pass [S2-IN-04, S2-EX-04, S2-DN-08]", async () => {
    spec(bash("AC-1", "test -f built.txt"), criterion("AC-2", "method: manual\ninstructions: look"));
    const began = await start();
    const [place = ""] = readdirSync(join(dataDir, "implement"));
    const files = () => readdirSync(join(dataDir, "implement", place)).sort();
    const id = /^Session (\S+)/.exec(began.stdout)?.[1] ?? "none";
    const atFirst = files();
    const unverified = await stop();
    const failing = await run("--spec", "spec.md");
    const failed = await stop();
    writeFileSync(join(directory, "built.txt"), "x");
    const stale = await stop();
    const passing = await run("--spec", "spec.md");
    const released = await stop();

    expect(began.stdout).toMatch(
      /^Session implement-\d{8}-\d{6}-spec\n- \[ \] Verify AC-1: title-of-ac-1\n- \[ \] Verify AC-2: title-of-ac-2\n$/,
    );
    expect(JSON.parse(unverified.stdout)).toEqual({
      decision: "block",
      reason:
        "HOLD: Cannot stop - verification not run.\nRun /done to verify all acceptance criteria before completing.\nCriteria remaining: AC-1, AC-2",
    });
    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain("left: AC-1");
    expect((JSON.parse(failed.stdout) as { reason: string }).reason).toContain("1 criterion failed verification");
    expect((JSON.parse(stale.stdout) as { reason: string }).reason).toContain("verification not run");
    expect(passing.code).toBe(0);
    // What only a person can check does not hold, and is named (S2-SH-07).
    expect(JSON.parse(released.stdout)).toEqual({ systemMessage: "For a person to check: AC-2" });
    expect(atFirst).toEqual([`${id}.json`, `${id}.log.md`, `${id}.spec.md`]);
    expect(files()).toContain(`verification-status-${id}.json`);
  });

  it("verifies the criteria of its beginning, whatever the file says by now", async () => {
    spec(bash("AC-1", "test -f built.txt"));
    await start();
    spec(bash("AC-1", "true"));
    const result = await run("--spec", "spec.md");

    expect(result.code).toBe(1);
    expect(result.stderr).toContain("was changed after implement-");
  });

  it("opens its valve after five refusals in a row, and the channel hears of it [S2-SH-03, S2-SH-10, S2-RJ-02]", async () => {
    spec(bash("AC-1", "false"));
    await start();
    const world = await testWorld({ environment: { COS_DATA_DIR: dataDir } });
    try {
      const answers = [];
      for (let tries = 0; tries < 3; tries += 1) answers.push(await stop({ IMPLEMENT_MAX_BLOCKS: "2" }));
      await world.tick();
      await world.tick();

      expect(answers.map((each) => (JSON.parse(each.stdout) as { decision?: string }).decision)).toEqual([
        "block",
        "block",
        undefined,
      ]);
      expect(answers[2]?.stdout).toContain("Nothing is proven about AC-1");
      const { rows } = await world.deps.database.pool.query<{ title: string }>(
        "select card ->> 'title' as title from cos.messages where subject like 'notice.%'",
      );
      expect(rows).toEqual([{ title: "An agent stopped without proof" }]);
      expect(readdirSync(join(dataDir, "notices"))).toEqual([]);
    } finally {
      await world.close();
    }
  });

  it("counts refusals from the newest run on [C-33]", async () => {
    spec(bash("AC-1", "false"));
    await start();
    await stop({ IMPLEMENT_MAX_BLOCKS: "1" });
    await run("--spec", "spec.md");
    const again = await stop({ IMPLEMENT_MAX_BLOCKS: "1" });
    expect(again.stdout).toContain('"decision":"block"');
  });

  it("resumes with statuses and streaks, and says what is corrupt [S2-SS-04, S2-SS-07, S2-SH-12]", async () => {
    spec(bash("AC-1", "false"), bash("AC-2", "true"));
    await start();
    await run("--spec", "spec.md");
    const again = await run("--spec", "spec.md");
    expect(again.stdout).toContain("left: AC-1");
    const [place = ""] = readdirSync(join(dataDir, "implement"));
    const record =
      readdirSync(join(dataDir, "implement", place)).find((name) => /^implement-.*\.json$/.test(name)) ?? "";
    const path = join(dataDir, "implement", place, record);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      escalation_counts: { "AC-1": 2 },
      criteria: { "AC-1": { attempts: 2 } },
    });

    writeFileSync(path, readFileSync(path, "utf8").slice(0, 50));
    const id = record.replace(".json", "");
    const refused = await run("--session", id);
    const byFile = await run("--spec", "spec.md");
    const held = await stop();
    expect(refused.stderr).toContain("cannot be read");
    expect([byFile.code, byFile.stdout]).toEqual([1, ""]);
    expect(byFile.stderr).toContain(path);
    expect(byFile.stderr).toContain(`cos done --session ${id} --archive`);
    expect(held.stdout).toContain("verification not run");
    expect(held.stdout).toContain("Criteria remaining: AC-1, AC-2");
  });

  it("goes on in another agent session by --resume, with its counts, and holds that one [S2-SS-04, S2-SS-05, S2-EX-02]", async () => {
    spec(bash("AC-1", "false"), bash("AC-2", "true"));
    const stopOf = (agentSession: string) =>
      cosIn(directory, { COS_DATA_DIR: dataDir }, ["stop-hook"], stopInput(directory, agentSession));
    await start();
    await run("--spec", "spec.md");
    expect((await stopOf("evening")).stdout).toContain('"decision":"block"');
    expect((await stopOf("morning")).stdout).toBe("");

    const again = await run("--spec", "spec.md", "--start");
    expect(again.stderr).toContain(
      "of these criteria is open: to go on with it instead, cos done --spec PATH --resume",
    );
    await run("--spec", "spec.md", "--archive");
    const resumed = await run("--spec", "spec.md", "--resume");
    expect(resumed.stdout).toContain("goes on after 1 run\n- [ ] Verify AC-1: title-of-ac-1 (tried 1 time: ");
    expect(resumed.stdout).toContain("- [x] Verify AC-2: title-of-ac-2\n");
    expect((await stopOf("morning")).stdout).toContain("AC-1: false exited with code 1");
    expect((await stopOf("another")).stdout).toBe("");
    expect((await run("--spec", "other.md", "--resume")).stderr).toContain("no session of other.md is open here");
  });

  it("whose record is corrupt is put away by its file, and another one begins; other files are none of its business [S2-SS-07]", async () => {
    spec(bash("AC-1", "true"));
    await start();
    await start();
    const [place = ""] = readdirSync(join(dataDir, "implement"));
    const records = readdirSync(join(dataDir, "implement", place)).filter((name) => /^implement-.*\.json$/.test(name));
    for (const record of records) writeFileSync(join(dataDir, "implement", place, record), "{");
    writeFileSync(join(directory, "spec-two.md"), readFileSync(join(directory, "spec.md")));

    expect((await run("--spec", "spec-two.md")).code).toBe(0);
    for (const _ of records) {
      expect((await run("--spec", "spec.md")).stderr).toContain("cannot be read");
      expect((await run("--spec", "spec.md", "--archive")).code).toBe(0);
    }
    await start();
    expect((await run("--spec", "spec.md")).stdout).toMatch(/Session implement-\S+: complete/);
    expect((await stop()).stdout).toBe("");
  });

  it("may end without proof when an escalation shows enough, and the channel gets it [S2-ES-01, S2-ES-05]", async () => {
    spec(bash("AC-1", "false"));
    await start();
    const text =
      "ESCALATION: Criterion AC-1\nAttempts:\n 1. one → failed: a\n 2. two → failed: b\n 3. three → failed: c\nHypothesis: it cannot hold\nOptions:\n 1. drop it\n";
    writeFileSync(join(folder, "escalation.md"), text);
    const early = await run("--escalate", join(folder, "escalation.md"));
    for (let tries = 0; tries < 3; tries += 1) await run("--spec", "spec.md");
    const held = await stop();
    const words = ["done", "--escalate", join(folder, "escalation.md")];
    const accepted = await cosIn(directory, { COS_DATA_DIR: dataDir, COS_RUN: "run-1a2b3c4d" }, words);

    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("AC-1 has failed 0 verification runs")]);
    expect(held.stdout).toContain('"decision":"block"');
    expect([accepted.code, (await stop()).stdout]).toEqual([0, ""]);
    const again = await cosIn(directory, { COS_DATA_DIR: dataDir }, words);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("was escalated: it is over")]);
    // Inside of a goal nobody may hear it.
    expect(accepted.stderr).toContain("say the same in your last message");
    expect(readdirSync(join(dataDir, "notices")).length).toBe(1);
  });

  it("may be archived; then stops are free and commits stay [S2-SS-06]", async () => {
    spec(bash("AC-1", "false"));
    await start();
    expect((await run("--archive")).code).toBe(0);
    expect((await stop()).stdout).toBe("");
    expect(await git(["log", "--oneline"], { cwd: directory, configuration: "person's" })).not.toBe("");
  });

  it("outside of a session answers nothing, and at once [S2-SH-01]", async () => {
    const outside = await stop();
    const broken = await cosIn(directory, { COS_DATA_DIR: dataDir }, ["stop-hook"], "{ half");

    expect([outside.code, outside.stdout, broken.code, broken.stdout]).toEqual([0, "", 0, ""]);
  });
});

describe("a program beside the registry", () => {
  it.each<[string, string[], number, string]>([
    ["wrong usage of done", ["done"], 2, "--spec is missing"],
    ["an option of done without its value", ["done", "--spec"], 2, "--spec takes a value"],
    ["an option of verify without its value", ["verify", "--trial-cheats"], 2, "--trial-cheats takes a value"],
    ["a criteria file that is none", ["done", "--spec", "README.md"], 1, "no criterion found"],
    ["an escalation that is not there", ["done", "--escalate", "nope"], 1, "nope cannot be read"],
    ["wrong usage of verify", ["verify"], 2, "--trial-cheats PATH|GOAL is missing"],
    ["wrong usage of backup", ["backup", "--nope"], 2, "Unknown option '--nope'"],
    ["wrong usage of restore", ["restore"], 2, "FILE is missing"],
    ["wrong usage of init", ["init", "--nope"], 2, "Unknown option '--nope'"],
  ])("refuses with one JSON document, as commands do: %s", async (_, words, code, reason) => {
    const said = await cosIn(directory, { COS_DATA_DIR: dataDir }, [...words, "--json"]);

    expect(said.code).toBe(code);
    const { refused } = JSON.parse(said.stdout) as { refused: { reason: string; next: string | null } };
    expect(refused.reason).toContain(reason);
    expect(refused.reason).not.toContain("positional");
    expect(refused.next).toMatch(/\S/);
  });
});
